"""Sources of documents and rankings of them, as PlagEvalRus and TREC keep them; PAN's search logs."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stemmata.formats.retrieval import read_rankings, read_sources, write_rankings, write_sources
from stemmata.formats.search_log import read_search_log
from stemmata.model import Ranked, StemmataError


def truth(document, *ids):
    return json.dumps({"suspicious-document": document, "plagiarism": [{"id": one} for one in ids]})


def run(document, *ids):
    return json.dumps({"suspicious-document": document, "detected-plagiarism": [{"id": one} for one in ids]})


def refusal(reader, *arguments):
    with pytest.raises(StemmataError) as caught:
        reader(*arguments)
    return caught.value.code, str(caught.value)


class TestJson:
    def test_a_folder_holds_a_file_per_document(self, write, tmp_path):
        write("b.json", truth("B.txt", "3"))
        write("a.json", truth("A", "2", "1"))
        assert list(read_sources(tmp_path).items()) == [("A", ["2", "1"]), ("B", ["3"])]

    def test_a_run_keeps_its_order(self, write):
        assert read_rankings(write("a.json", run("A.txt", "9", "1", "5"))) == {"A": ["9", "1", "5"]}

    def test_ids_may_be_numbers(self, write):
        assert read_sources(write("a.json", truth("A", 17, "x"))) == {"A": ["17", "x"]}

    def test_an_empty_list_is_an_answer(self, write):
        assert read_sources(write("t.json", truth("A.txt"))) == {"A": []}
        assert read_rankings(write("r.json", run("A.txt"))) == {"A": []}

    def test_a_source_that_the_truth_names_twice_counts_once(self, write):
        assert read_sources(write("a.json", truth("A", "1", "2", "1"))) == {"A": ["1", "2"]}

    def test_a_source_that_a_run_returns_twice_is_an_error_with_document_and_id(self, write):
        code, message = refusal(read_rankings, write("a.json", run("A.txt", "1", 7, "7")))
        assert code == "E617"
        assert "the document A names '7' twice" in message

    def test_a_document_of_two_files_is_an_error_whatever_its_ending(self, write, tmp_path):
        write("a.json", truth("A.txt", "1"))
        write("b.json", truth("A", "2"))
        code, message = refusal(read_sources, tmp_path)
        assert code == "E618"
        assert f"after {tmp_path / 'a.json'}" in message

    def test_hidden_and_other_files_are_passed_over(self, write, tmp_path):
        for name, text in {"a.json": truth("A", "1"), ".b.json": "x", "readme.md": "x"}.items():
            write(name, text)
        assert read_sources(tmp_path) == {"A": ["1"]}

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("", "E600"),
            ("{", "E600"),
            ("[]", "E616"),
            ("17", "E616"),
            ('{"plagiarism": []}', "E616"),
            ('{"suspicious-document": 1, "plagiarism": []}', "E616"),
            ('{"suspicious-document": "A"}', "E616"),
            ('{"suspicious-document": "A", "plagiarism": {}}', "E616"),
            ('{"suspicious-document": "A", "plagiarism": ["1"]}', "E616"),
            ('{"suspicious-document": "A", "plagiarism": [{}]}', "E616"),
            ('{"suspicious-document": "A", "plagiarism": [{"id": null}]}', "E616"),
            ('{"suspicious-document": "A", "plagiarism": [{"id": true}]}', "E616"),
            ('{"suspicious-document": "A", "plagiarism": [{"id": 1.5}]}', "E616"),
            (b'{"suspicious-document": "\xff"}', "E105"),
            ("[" * 100_000, "E600"),
            (run("A", "1"), "E616"),
        ],
    )
    def test_what_is_no_truth_is_refused(self, write, text, code):
        assert refusal(read_sources, write("a.json", text))[0] == code

    def test_a_folder_without_json_holds_nothing(self, tmp_path):
        assert refusal(read_sources, tmp_path)[0] == "E615"
        assert refusal(read_rankings, tmp_path)[0] == "E615"

    def test_all_faults_can_be_collected_while_the_sound_files_are_read(self, write, tmp_path):
        write("a.json", "{")
        write("b.json", run("B", "1", "1"))
        write("c.json", run("C", "1"))
        findings = []
        assert read_rankings(tmp_path, findings.append) == {"B": ["1"], "C": ["1"]}
        assert [finding.kind.code for finding in findings] == ["E600", "E617"]


class TestTrec:
    def test_a_relevance_above_0_makes_a_source(self, write):
        path = write("qrels", "A.txt 0 s1 1\nA.txt 0 s2 0\nB 0 s1 2\r\n\nC 0 s1 -1\n")
        assert read_sources(path) == {"A": ["s1"], "B": ["s1"], "C": []}

    def test_a_run_is_ordered_by_score_then_rank_then_line(self, write):
        lines = [
            "A Q0 low 1 0.1 x",
            "A Q0 tie2 3 0.5 x",
            "A Q0 tie1 2 0.5 x",
            "A Q0 top 4 9e1 x",
            "A Q0 tie3 3 0.5 x",
        ]
        assert read_rankings(write("run", "\n".join(lines))) == {"A": ["top", "tie1", "tie2", "tie3", "low"]}

    def test_a_repeated_source_is_an_error_with_its_line(self, write):
        path = write("run", "A Q0 s 1 2 x\nB Q0 s 1 2 x\nA.txt Q0 s 2 1 x\n")
        code, message = refusal(read_rankings, path)
        assert code == "E617"
        assert f"{path}, line 3: the document A names 's' twice" in message

    def test_a_source_cannot_be_judged_both_ways(self, write):
        assert read_sources(write("same", "A 0 s 1\nA 0 s 1\n")) == {"A": ["s"]}
        assert refusal(read_sources, write("both", "A 0 s 1\nA 0 s 0\n"))[0] == "E617"

    @pytest.mark.parametrize(
        ("reader", "line", "reason"),
        [
            (read_sources, "A 0 s", "it has 3 columns, not 4"),
            (read_sources, "A Q0 s 1 0.5 x", "it has 6 columns, not 4"),
            (read_sources, "A 0 s yes", "its relevance is no whole number"),
            (read_rankings, "A 0 s 1", "it has 4 columns, not 6"),
            (read_rankings, "A Q0 s one 0.5 x", "its rank is no whole number"),
            (read_rankings, "A Q0 s 1 nan x", "its score is no finite number"),
            (read_rankings, "A Q0 s 1 1e999 x", "its score is no finite number"),
            (read_rankings, f"A Q0 s {'1' * 5000} 1 x", "its rank is no whole number"),
        ],
    )
    def test_a_wrong_line_is_named_by_its_number(self, write, reader, line, reason):
        path = write("lines", f"\n{line}\n")
        code, message = refusal(reader, path)
        assert code == "E619"
        assert f"{path}, line 2: " in message
        assert reason in message

    def test_an_empty_file_holds_nothing(self, write):
        assert refusal(read_rankings, write("run", "\n"))[0] == "E615"


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=10).filter(
    lambda name: not name.endswith(".txt")
)
WORDS = NAMES.filter(lambda name: name.split() == [name] and name[0] not in "{[\ufeff")


class TestWriting:
    @given(listed=st.dictionaries(NAMES, st.lists(NAMES, unique=True), min_size=1))
    def test_json_comes_back_as_it_was(self, tmp_path_factory, listed):
        folder = tmp_path_factory.mktemp("json")
        write_sources(folder / "truth", listed)
        write_rankings(folder / "run", listed)
        assert read_sources(folder / "truth") == listed
        assert read_rankings(folder / "run") == listed

    @given(listed=st.dictionaries(WORDS, st.lists(WORDS, unique=True, min_size=1), min_size=1))
    def test_lines_come_back_as_they_were(self, tmp_path_factory, listed):
        folder = tmp_path_factory.mktemp("trec")
        write_sources(folder / "qrels", listed, "trec")
        write_rankings(folder / "run", listed, "trec", tag="mine")
        assert read_sources(folder / "qrels") == listed
        assert read_rankings(folder / "run") == listed

    def test_what_is_written_is_what_the_formats_ask(self, tmp_path):
        write_rankings(tmp_path / "run", {"A.txt": ["s1", "s2"]}, "trec")
        assert (tmp_path / "run").read_text() == "A.txt Q0 s1 1 2 stemmata\nA.txt Q0 s2 2 1 stemmata\n"
        scored = [Ranked("s1", 163.4), Ranked("s2", 7.25)]
        write_rankings(tmp_path / "scored", {"A": scored}, "trec")
        assert (tmp_path / "scored").read_text() == "A Q0 s1 1 163.4 stemmata\nA Q0 s2 2 7.25 stemmata\n"
        write_sources(tmp_path / "qrels", {"A": ["s1"]}, "trec")
        assert (tmp_path / "qrels").read_text() == "A 0 s1 1\n"
        write_rankings(tmp_path / "json", {"A": ["s1"]})
        written = json.loads((tmp_path / "json" / "A.json").read_text())
        assert written == {"suspicious-document": "A.txt", "detected-plagiarism": [{"id": "s1"}]}

    def test_scores_never_contradict_the_order_of_a_ranking(self, tmp_path):
        ranking = [Ranked("a", 0.5), Ranked("b", 0.9), Ranked("c", 0.1)]
        write_rankings(tmp_path / "run", {"A": ranking}, "trec")
        scores = [line.split()[4] for line in (tmp_path / "run").read_text().splitlines()]
        assert scores == ["0.5", "0.5", "0.1"]
        assert read_rankings(tmp_path / "run") == {"A": ["a", "b", "c"]}

    @pytest.mark.parametrize("form", ["json", "trec"])
    def test_the_order_of_the_documents_makes_no_difference(self, tmp_path, form):
        for name, documents in {"one": "ab", "other": "ba"}.items():
            write_rankings(tmp_path / name, {document: ["s"] for document in documents}, form)
        one, other = (
            {
                str(file.relative_to(top)): file.read_bytes()
                for file in (top, *top.rglob("*"))
                if file.is_file()
            }
            for top in (tmp_path / "one", tmp_path / "other")
        )
        assert one == other

    @pytest.mark.parametrize("document", ["../up", "/root", "a/b", ".hidden", "x" * 300, "nul\0", "CON:"])
    def test_no_name_leads_out_of_the_folder_or_is_hidden(self, tmp_path, document):
        write_sources(tmp_path / "truth", {document: ["1"]})
        assert [path.name for path in tmp_path.iterdir()] == ["truth"]
        assert read_sources(tmp_path / "truth") == {document: ["1"]}

    @pytest.mark.parametrize(
        ("listed", "form", "code"),
        [
            ({"a b": ["1"]}, "trec", "E621"),
            ({"a": ["1 2"]}, "trec", "E621"),
            ({"a": [""]}, "trec", "E621"),
            ({"a": [""]}, "json", "E621"),
            ({"a": ["\ud800"]}, "json", "E621"),
            ({"a": ["1", "1"]}, "json", "E617"),
            ({"a": ["1", "1"]}, "trec", "E617"),
            ({"a": ["1"], "a.txt": ["2"]}, "json", "E618"),
        ],
    )
    def test_what_could_not_be_read_back_is_not_written(self, tmp_path, listed, form, code):
        assert refusal(write_rankings, tmp_path / "run", listed, form)[0] == code
        assert list(tmp_path.iterdir()) == []


class TestSearchLog:
    def test_a_line_is_a_query_or_a_download(self, write, tmp_path):
        write(
            "suspicious-document001.log",
            "1358326592 barack obama family tree\n\n"
            "1358326597 http://webis15.medien.uni-weimar.de/chatnoir/clueweb?id=110212744\n"
            "1358326598 https://example.org/page?id=7\n"
            "1358326599.5 what is http://x.org about\r\n",
        )
        write("suspicious-document002.log", "")
        assert read_search_log(tmp_path) == {
            "suspicious-document001": [
                ("query", "barack obama family tree"),
                ("download", "110212744"),
                ("download", "https://example.org/page?id=7"),
                ("query", "what is http://x.org about"),
            ],
            "suspicious-document002": [],
        }

    @pytest.mark.parametrize("line", ["no time", "12", "2013-01-16 query"])
    def test_any_other_line_is_an_error(self, write, line):
        code, message = refusal(read_search_log, write("a.log", f"1 x\n{line}\n"))
        assert code == "E620"
        assert "a.log, line 2" in message

    def test_a_folder_without_logs_is_an_error(self, tmp_path):
        assert refusal(read_search_log, tmp_path)[0] == "E615"


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "sources", "documents", "returned"),
    [("r0", 406, 52, 1377), ("r1", 364, 59, 1495), ("r2", 363, 60, 1401)],
)
def test_the_golden_sets_are_read(corpus, name, sources, documents, returned):
    folder = corpus("golden") / "source_retrieval" / name
    truth, run = read_sources(folder / "truth"), read_rankings(folder / "det")
    assert (len(truth), sum(map(len, truth.values()))) == (60, sources)
    assert (len(run), sum(map(len, run.values()))) == (documents, returned)
