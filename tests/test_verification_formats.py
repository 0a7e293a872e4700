"""Verification problems, truths and answers in both of PAN's forms, and how their ids are matched."""

import json
import math
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stemmata.formats.verification import match_ids, read_answers, read_problems, read_truth, write_answers
from stemmata.model import Document, Problem, StemmataError


@pytest.fixture
def refused(request):
    """Call a reader, expect a refusal, return code, line and message."""

    def call(reader, *arguments, **options):
        with pytest.raises(StemmataError) as caught:
            reader(*arguments, **options)
        place = caught.value.finding.place
        return caught.value.code, place and place.line, caught.value.finding.message

    return call


def jsonl(*records):
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


class TestProblems:
    def test_a_folder_is_a_problem_with_known_texts_and_an_unknown_one(self, write, tmp_path):
        write("EN001/known02.txt", "second")
        write("EN001/known01.txt", "first")
        write("EN001/unknown.txt", "whose?")
        known = (Document("known01.txt", "first"), Document("known02.txt", "second"))
        assert read_problems(tmp_path) == [Problem("EN001", known, Document("unknown.txt", "whose?"))]

    def test_a_pair_on_a_json_line_makes_the_same_problem(self, write, tmp_path):
        write("folder/EN001/known01.txt", "ä\r\n")
        write("folder/EN001/unknown.txt", "\ufeffb")
        pairs = write(
            "pairs.jsonl", jsonl({"id": "EN001", "fandoms": ["x", "y"], "pair": ["ä\r\n", "\ufeffb"]})
        )
        assert read_problems(pairs) == read_problems(tmp_path / "folder")
        assert read_problems(write("corpus/pairs.jsonl", pairs.read_bytes()).parent) == read_problems(pairs)

    def test_problems_come_sorted_by_id(self, write):
        lines = [{"id": name, "pair": ["a", "b"]} for name in ("b", "c", "a")]
        assert [problem.id for problem in read_problems(write("p.jsonl", jsonl(*lines)))] == ["a", "b", "c"]

    def test_one_problem_may_be_read_alone(self, write):
        write("EN001/known01.txt", "a")
        folder = write("EN001/unknown.txt", "b").parent
        assert [problem.id for problem in read_problems(folder)] == ["EN001"]

    def test_hidden_folders_and_files_beside_are_no_problems(self, write, tmp_path):
        for name in ("EN001/known01.txt", "EN001/unknown.txt", ".git/config", "truth.txt", "contents.json"):
            write(name, "x")
        assert [problem.id for problem in read_problems(tmp_path)] == ["EN001"]

    @pytest.mark.parametrize(
        ("files", "code"),
        [
            ({"EN001/unknown.txt": "x"}, "E602"),
            ({"EN001/known01.txt": "x"}, "E603"),
            ({"EN001/notes.md": "x"}, "E602"),
            ({"readme.md": "x"}, "E601"),
            ({"pairs.jsonl": ""}, "E601"),
            ({"pairs.jsonl": jsonl({"id": "a"})}, "E604"),
            ({"pairs.jsonl": jsonl({"pair": ["a", "b"]})}, "E604"),
            ({"pairs.jsonl": jsonl({"id": "a", "pair": ["a", "b", "c"]})}, "E604"),
            ({"pairs.jsonl": jsonl({"id": "a", "pair": ["a", 1]})}, "E604"),
            ({"pairs.jsonl": jsonl(*[{"id": "a", "pair": ["a", "b"]}] * 2)}, "E605"),
            ({"pairs.jsonl": "[1]\n"}, "E600"),
            ({"pairs.jsonl": '{"id": "a", "pair": ["\\ud800", "b"]}'}, "E600"),
            ({"pairs.jsonl": "[" * 100_000}, "E600"),
            ({"pairs.jsonl": '{"id": ' + "9" * 5000 + "}"}, "E600"),
        ],
    )
    def test_what_is_no_problem_is_refused(self, write, tmp_path, refused, files, code):
        for name, text in files.items():
            write(name, text)
        assert refused(read_problems, tmp_path)[0] == code

    def test_the_message_names_the_problem_and_both_lines(self, write, refused):
        line = jsonl({"id": "a", "pair": ["a", "b"]})
        path = write("p.jsonl", line + "\n" + line)
        assert refused(read_problems, path) == ("E605", 3, "the problem a stands here again, after line 1")

    def test_bytes_that_are_no_utf8_are_named_by_their_position(self, write, tmp_path, refused):
        write("EN001/known01.txt", "fine")
        write("EN001/unknown.txt", b"caf\xe9")
        assert refused(read_problems, tmp_path) == ("E105", 1, "byte 3 is not UTF-8")

    def test_in_json_lines_the_position_counts_from_the_start_of_the_file(self, write, refused):
        line = jsonl({"id": "a", "pair": ["a", "b"]}).encode()
        path = write("p.jsonl", b"\xef\xbb\xbf" + line + b'{"id": "\xff"}')
        assert refused(read_problems, path) == ("E105", 2, f"byte {3 + len(line) + 8} is not UTF-8")

    def test_all_faults_can_be_collected_while_the_sound_problems_are_read(self, write, tmp_path):
        for name in ("a/known01.txt", "b/known01.txt", "b/unknown.txt", "c/unknown.txt"):
            write(name, "x")
        findings = []
        assert [problem.id for problem in read_problems(tmp_path, findings.append)] == ["b"]
        assert [finding.kind.code for finding in findings] == ["E603", "E602"]

    def test_a_named_pipe_is_not_waited_for(self, tmp_path, refused):
        os.mkfifo(tmp_path / "pipe")
        assert refused(read_problems, tmp_path / "pipe")[0] == "E102"

    def test_nothing_there_is_an_error(self, tmp_path, refused):
        assert refused(read_problems, tmp_path / "gone")[0] == "E101"


class TestTruth:
    def test_lines_say_yes_or_no(self, write):
        assert read_truth(write("truth.txt", "EN002 Y\nEN001 N\n")) == {"EN002": True, "EN001": False}

    @pytest.mark.parametrize("text", ["\ufeffa Y", "a Y\r\n", "\n\n  a\tY  \n\n", "a y"])
    def test_a_byte_order_mark_blanks_and_line_ends_make_no_difference(self, write, text):
        assert read_truth(write("truth.txt", text)) == {"a": True}

    def test_json_lines_say_the_same(self, write):
        records = [{"id": "a", "same": True, "authors": ["1", "1"]}, {"id": 7, "same": False}]
        assert read_truth(write("t", "\ufeff" + jsonl(*records))) == {"a": True, "7": False}

    @pytest.mark.parametrize("name", ["truth.txt", "truth.jsonl"])
    def test_a_folder_stands_for_its_truth(self, write, name):
        text = "a Y\n" if name.endswith(".txt") else jsonl({"id": "a", "same": True})
        assert read_truth(write(f"corpus/{name}", text).parent) == {"a": True}

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("a Y\nb\n", "E606"),
            ("a Y\nb maybe\n", "E606"),
            ("a Y\nb Y N\n", "E606"),
            ("a Y\na Y\n", "E605"),
            (jsonl({"id": "a", "same": True}, {"id": "b"}), "E606"),
            (jsonl({"id": "a", "same": True}, {"id": "b", "same": "yes"}), "E606"),
            (jsonl({"id": "a", "same": True}, {"same": True}), "E606"),
            (jsonl({"id": "a", "same": True}, {"id": "a", "same": False}), "E605"),
            (jsonl({"id": "a", "same": True}) + "{\n", "E600"),
        ],
    )
    def test_a_wrong_line_is_named_by_its_number(self, write, refused, text, code):
        assert refused(read_truth, write("truth", text))[:2] == (code, 2)

    @pytest.mark.parametrize("text", ["", "\n \n", "\ufeff"])
    def test_a_truth_that_says_nothing_is_an_error(self, write, refused, text):
        assert refused(read_truth, write("truth.txt", text))[::2] == ("E610", "no truth here")

    def test_a_folder_without_truth_is_an_error(self, tmp_path, refused):
        assert refused(read_truth, tmp_path)[0] == "E101"


class TestAnswers:
    def test_lines_hold_an_id_and_a_score(self, write):
        path = write("answers.txt", "EN001 0.175\nEN002 1\nEN003 .5\nEN004 1e-3\nEN005 0.\n")
        expected = {"EN001": 0.175, "EN002": 1.0, "EN003": 0.5, "EN004": 0.001, "EN005": 0.0}
        assert read_answers(path) == expected

    def test_pan13_let_verifiers_answer_yes_no_or_nothing(self, write):
        assert read_answers(write("answers.txt", "a Y\nb N\nc\nd 0.5\n")) == {"a": 1.0, "b": 0.0, "d": 0.5}

    def test_a_folder_of_several_verifiers_names_them(self, write, refused):
        write("answers/kocher15/answers.txt", "a 0.5\n")
        folder = write("answers/vandam13/answers.txt", "a 0.5\n").parents[1]
        code, _, message = refused(read_answers, folder)
        assert (code, message) == ("E665", "no answers here, but in its folders kocher15, vandam13")

    def test_a_file_may_leave_all_problems_unanswered(self, write):
        assert read_answers(write("answers.txt", "a\nb\n")) == {}

    @pytest.mark.parametrize(
        "text",
        [
            "EN1,0.9\nEN2,0\nEN3,\nEN4,0.25\n",
            "EN1;0.9\r\nEN2;0\r\nEN3;\r\nEN4;0.25\r\n",
            "id,value\nEN1,0.9\nEN2,0\nEN4,0.25\n",
            '"problem";"score"\n"EN1";"0.9"\n"EN2";"0"\n"EN4";"0.25"\n',
            "EN1, 0.9\nEN2, N\nEN4, 0.25\n",
            '[{"id":"EN1","value":0.9},{"id":"EN2","value":0},{"id":"EN4","value":0.25}]',
            '[\n {"id": "EN1", "value": 0.9},\n {"id": "EN2", "value": 0}, {"id": "EN4", "value": 0.25}\n]\n',
        ],
        ids=["commas", "semicolons", "heads", "quotes", "blanks", "list", "list-in-lines"],
    )
    def test_csv_and_a_json_list_hold_the_same_answers(self, write, text):
        assert read_answers(write("answers.txt", text)) == {"EN1": 0.9, "EN2": 0.0, "EN4": 0.25}

    @pytest.mark.parametrize(
        ("text", "code", "line"),
        [
            ("<!DOCTYPE html>\n<html>\n<p>EN1</p>\n</html>\n", "E608", 1),
            ("<html>\n</html>\n", "E607", 1),
            ("EN1 0.9\nEN2\0\n", "E824", 2),
            ("EN1\0 0.9\n", "E824", 1),
            ("EN1 0.9\n\0\0\0\n", "E824", 2),
            ("EN1,0.9,0.1\n", "E607", 1),
            ("EN1;0,9\n", "E607", 1),
            ("EN1:0.9;EN2:0.1\n", "E608", 1),
            ("{EN1}\n", "E600", 1),
            ('["EN1"]', "E600", None),
            ("[{]", "E600", 1),
        ],
    )
    def test_what_is_no_answer_is_never_taken_for_none(self, write, refused, text, code, line):
        assert refused(read_answers, write("answers.txt", text))[:2] == (code, line)

    def test_a_word_alone_is_a_fault_where_no_problem_is_called_like_it(self, write, refused):
        text = "EN1 0.9\nEN2\nGR1 0.3\nGR2\n"
        assert read_answers(write("answers.txt", text), ids=["EN1", "EN2"]) == {"EN1": 0.9, "GR1": 0.3}
        path = write("answers.txt", "EN1 0.9\nnothing\n")
        assert read_answers(path) == {"EN1": 0.9}
        assert refused(lambda path: read_answers(path, ids=["EN1", "EN2"]), path)[:2] == ("E607", 2)

    def test_json_lines_say_the_same(self, write):
        path = write("answers.jsonl", jsonl({"id": "a", "value": 0.175}, {"id": "b", "value": 1}))
        assert read_answers(path) == {"a": 0.175, "b": 1.0}

    @pytest.mark.parametrize("text", ["\ufeffa 0.5", "a\t0.5\r\n", "\n  a  0.5 \n\n", "a\u00a00.5"])
    def test_a_byte_order_mark_blanks_and_line_ends_make_no_difference(self, write, text):
        assert read_answers(write("answers.txt", text)) == {"a": 0.5}

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("b abc", "E608"),
            ("b 0,5", "E608"),
            ("b NaN", "E608"),
            ("b nan", "E608"),
            ("b inf", "E608"),
            ("b 1e999", "E608"),
            ("b 1_0", "E608"),
            ("b ٠", "E608"),
            ("b --1", "E608"),
            ("b 1.01", "E609"),
            ("b -0.2", "E609"),
            ("b Y 0.3", "E607"),
            ("b 0.3\u2028c 0.4", "E607"),
            ("a 0.5", "E605"),
            ("a 0.6", "E605"),
            ("a", "E605"),
        ],
    )
    def test_a_wrong_line_is_named_by_its_number(self, write, refused, text, code):
        assert refused(read_answers, write("answers.txt", f"a 0.5\n\n{text}\n"))[:2] == (code, 3)

    @pytest.mark.parametrize(
        ("record", "code"),
        [
            ('{"id": "b", "value": NaN}', "E608"),
            ('{"id": "b", "value": 1e999}', "E608"),
            ('{"id": "b", "value": "0.5"}', "E608"),
            ('{"id": "b", "value": true}', "E608"),
            ('{"id": "b", "value": [1]}', "E608"),
            ('{"id": "b", "value": ' + "9" * 400 + "}", "E608"),
            ('{"id": "b", "value": 2}', "E609"),
            ('{"id": "b", "value": null}', "E607"),
            ('{"id": "b"}', "E607"),
            ('{"id": [], "value": 1}', "E607"),
            ('{"id": "", "value": 1}', "E607"),
            ('{"id": true, "value": 1}', "E607"),
            ('{"id": "a", "value": 0.5}', "E605"),
            ("0.5", "E600"),
        ],
    )
    def test_so_is_a_wrong_json_line(self, write, refused, record, code):
        path = write("answers.jsonl", '{"id": "a", "value": 0.5}\n' + record)
        assert refused(read_answers, path)[:2] == (code, 2)

    def test_scores_may_lie_outside_the_interval_where_that_is_allowed(self, write):
        path = write("answers.txt", "a -0.17\nb 3.5\n")
        assert read_answers(path, bounded=False) == {"a": -0.17, "b": 3.5}

    def test_but_never_beyond_all_bounds(self, write, refused):
        assert refused(read_answers, write("a.txt", "a 1e999\n"), bounded=False)[0] == "E608"

    def test_a_line_may_stand_twice_only_where_that_is_allowed_and_it_says_the_same(self, write, refused):
        same, other = write("same.txt", "a 0.5\na 0.5\n"), write("other.txt", "a 0.5\na 0.6\n")
        assert read_answers(same, repeats=True) == {"a": 0.5}
        assert refused(read_answers, other, repeats=True)[:2] == ("E605", 2)

    def test_all_faults_can_be_collected_while_the_sound_lines_are_read(self, write):
        findings = []
        path = write("answers.txt", "a 0.5\nb x\nc 2\nd 0.1\na 0.2\n")
        assert read_answers(path, report=findings.append) == {"a": 0.5, "d": 0.1}
        found = [(finding.kind.code, finding.place.line) for finding in findings]
        assert found == [("E608", 2), ("E609", 3), ("E605", 5)]

    def test_a_file_without_answers_is_an_error(self, write, refused):
        assert refused(read_answers, write("answers.txt", " \n"))[::2] == ("E610", "no answer here")

    def test_a_folder_stands_for_its_answers(self, write, tmp_path, refused):
        assert read_answers(write("run/answers.jsonl", jsonl({"id": "a", "value": 1})).parent) == {"a": 1.0}
        (tmp_path / "none").mkdir()
        assert refused(read_answers, tmp_path / "none")[0] == "E101"

    @pytest.mark.parametrize(
        "text", ["a " + "1" * 1_000_000 + "x", "1" * 1_000_000, "a" + " " * 1_000_000 + "x"]
    )
    def test_long_lines_take_no_long_time(self, write, text):
        findings = []
        read_answers(write("answers.txt", text), report=findings.append)
        assert all(len(str(finding)) < 500 for finding in findings)


IDS = st.text(st.characters(exclude_categories=["Cs", "Z", "C"]), min_size=1, max_size=8).filter(
    lambda text: not text.startswith("{") and text.split() == [text]
)
SCORES = st.floats(0, 1)


class TestWriting:
    @given(answers=st.dictionaries(IDS, SCORES, min_size=1), form=st.sampled_from(["text", "jsonl"]))
    def test_answers_come_back_as_they_were_sorted_by_id(self, tmp_path_factory, answers, form):
        path = tmp_path_factory.mktemp("answers") / "answers"
        write_answers(path, answers, form)
        assert read_answers(path) == answers
        assert list(read_answers(path)) == sorted(answers)

    @pytest.mark.parametrize("form", ["text", "jsonl"])
    def test_the_same_answers_give_the_same_bytes(self, tmp_path, form):
        one, other = tmp_path / "one", tmp_path / "other"
        write_answers(one, {"a": 0.5, "b": 1}, form)
        write_answers(other, {"b": 1.0, "a": 0.5}, form)
        assert one.read_bytes() == other.read_bytes()

    def test_a_line_of_text_is_as_pan_asks(self, tmp_path):
        write_answers(tmp_path / "answers.txt", {"EN001": 0.175})
        assert (tmp_path / "answers.txt").read_bytes() == b"EN001 0.175\n"

    @pytest.mark.parametrize(
        ("answers", "form", "code"),
        [
            ({"a b": 0.5}, "text", "E621"),
            ({"{a": 0.5}, "text", "E621"),
            ({"": 0.5}, "jsonl", "E621"),
            ({"\ud800": 0.5}, "jsonl", "E621"),
            ({"a": math.nan}, "text", "E608"),
            ({"a": math.inf}, "jsonl", "E608"),
        ],
    )
    def test_what_could_not_be_read_back_is_not_written(self, write, refused, answers, form, code):
        path = write("answers", "before")
        assert refused(write_answers, path, answers, form)[0] == code
        assert path.read_text() == "before"
        assert list(path.parent.iterdir()) == [path]


class TestMatching:
    def test_equal_ids_match_and_unknown_ones_are_left_out(self):
        assert match_ids(["a1", "a2"], ["a2", "b1"]) == {"a2": "a2"}

    def test_without_a_common_id_the_trailing_digits_decide(self):
        assert match_ids(["EE182", "EE183"], ["EN183", "EN182"]) == {"EN182": "EE182", "EN183": "EE183"}

    def test_one_common_id_is_enough_to_take_ids_as_they_are(self):
        assert match_ids(["EE1", "EE2"], ["EE1", "EN2"]) == {"EE1": "EE1"}

    @pytest.mark.parametrize(
        ("truth", "answers"),
        [
            (["EE1"], ["EN2"]),
            (["EE001"], ["EN1"]),
            (["DE1", "GR1"], ["EN1"]),
            (["EE1"], ["DE1", "GR1"]),
            (["6f1", "a92"], ["b31", "c72"]),
            (["a", "b"], ["c"]),
            ([], ["a"]),
        ],
    )
    def test_where_digits_do_not_decide_the_truth_is_for_other_problems(self, refused, truth, answers):
        assert refused(match_ids, truth, answers)[0] == "E611"

    def test_the_message_shows_an_id_of_either_side(self, refused):
        message = refused(match_ids, {"x": True}, {"y": 0.5}, "answers.txt")[2]
        assert "(truth: x, …; answers: y, …)" in message

    def test_no_answer_at_all_matches_nothing(self):
        assert match_ids(["a"], []) == {}

    @given(ids=st.sets(IDS, min_size=1), others=st.sets(IDS))
    def test_ids_in_common_always_match_themselves(self, ids, others):
        assert match_ids(ids, ids | others) == {one: one for one in ids}


@pytest.mark.corpus
class TestRealData:
    @pytest.mark.parametrize(
        ("name", "problems", "known", "same"),
        [
            ("pan13-train", 10, 32, 5),
            ("pan14ee-train", 200, 529, 100),
            ("pan14en-train", 100, 100, 50),
            ("pan15-train", 100, 100, 50),
        ],
    )
    def test_pan13_to_pan15_are_read(self, corpus, name, problems, known, same):
        folder = corpus("authorship-train") / name
        read, truth = read_problems(folder), read_truth(folder)
        assert (len(read), sum(len(problem.known) for problem in read)) == (problems, known)
        assert sum(truth.values()) == same
        assert [problem.id for problem in read] == list(truth)

    def test_the_problems_of_pan16_are_read(self, corpus):
        problems = read_problems(corpus("pan16-masking") / "problems")
        assert (len(problems), problems[0].id, problems[-1].id) == (205, "problem-001", "problem-205")

    def test_truth_and_answers_of_pan20_are_read(self, corpus):
        truth = read_truth(corpus("pan20-verification"))
        assert (len(truth), sum(truth.values())) == (14311, 7786)
        files = sorted((corpus("pan20-verification") / "answers").iterdir())
        assert len(files) == 9
        for file in files[:3]:
            assert read_answers(file).keys() == truth.keys()
