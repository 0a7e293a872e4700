"""Corpora of every layout are opened, described, validated and compared; what is damaged is found."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from built_corpora import build_small, write_base
from stemmata.corpora.inspection.description import Survey, describe, tolerance
from stemmata.corpora.inspection.opening import open_corpus
from stemmata.corpora.inspection.plan_record import pan_pc_10
from stemmata.corpora.inspection.shingles import ShingleIndex, hashed_words
from stemmata.corpora.inspection.similarity import LONGEST, compare_corpora, similarities
from stemmata.corpora.inspection.validation import CorpusValidation, validate_corpus
from stemmata.formats.clough09 import SHEET
from stemmata.model import StemmataError
from workbooks import sheet_of, write_workbook

LAYOUTS = ("pan-pc-10", "pan13", "plagevalrus")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One small corpus in each layout."""
    room = tmp_path_factory.mktemp("built")
    write_base(room / "base")
    return {
        layout: build_small(room, layout, layout=layout, intrinsic=0.25 if layout == "pan-pc-10" else 0.0)
        for layout in LAYOUTS
    }


@pytest.fixture
def copy(built: dict[str, Path], tmp_path: Path) -> Callable[[str], Path]:
    """Give a copy of a corpus, to be damaged."""

    def make(layout: str) -> Path:
        return Path(shutil.copytree(built[layout], tmp_path / layout))

    return make


def codes(result: CorpusValidation) -> set[str]:
    return {one.kind.code for one in result.findings}


def warned(result: CorpusValidation) -> set[str]:
    return {one.kind.code for one in result.warnings}


def truth_of(folder: Path, obfuscation: str) -> Path:
    """Return a truth file of PAN-PC-10 with a case of that kind that names its source."""
    for path in sorted(folder.glob("external-detection-corpus/**/*.xml")):
        if re.search(rf'obfuscation="{obfuscation}"', path.read_text("utf-8")):
            return path
    raise AssertionError(obfuscation)


def change(path: Path, attribute: str, how: Callable[[int], int], kind: str = "none") -> None:
    """Change a number of the first case of that kind."""
    lines = path.read_text("utf-8").splitlines()
    at = next(i for i, line in enumerate(lines) if f'obfuscation="{kind}"' in line)
    lines[at] = re.sub(
        rf'\b{attribute}="(\d+)"', lambda found: f'{attribute}="{how(int(found[1]))}"', lines[at]
    )
    path.write_text("\n".join(lines), encoding="utf-8")


class TestOpening:
    @pytest.mark.parametrize("layout", LAYOUTS)
    def test_every_layout_gives_the_same_corpus(self, built: dict[str, Path], layout: str) -> None:
        corpus = open_corpus(built[layout])
        assert corpus.layout == layout
        assert (len(corpus.suspicious), len(corpus.sources), len(corpus.cases)) == (16, 16, 23)
        assert set(corpus.kinds.values) == {"none", "high"}
        assert corpus.plan is not None
        assert corpus.plan.page == 300
        assert len(corpus.intrinsic) == (4 if layout == "pan-pc-10" else 0)

    def test_passages_are_those_of_the_sources(self, built: dict[str, Path]) -> None:
        corpus = open_corpus(built["pan-pc-10"])
        seen = 0
        for row, case in enumerate(corpus.cases):
            if case.source is not None and corpus.kinds[row] == "none":
                mine = corpus.suspicious[case.suspicious.document][case.suspicious]
                assert mine.split() == corpus.sources[case.source.document][case.source].split()
                seen += 1
        assert seen

    def test_texts_are_read_when_asked_for(self, copy: Callable[[str], Path]) -> None:
        folder = copy("pan-pc-10")
        corpus = open_corpus(folder)
        name = next(iter(corpus.sources))
        corpus.sources.paths[name].write_text("changed", encoding="utf-8")
        assert corpus.sources[name].text == "changed"

    def test_pan13_repeats_everything_in_one_folder_which_counts_once(
        self, copy: Callable[[str], Path]
    ) -> None:
        folder = copy("pan13")
        before = open_corpus(folder)
        (folder / "all").mkdir()
        for path in folder.glob("0*/*.xml"):
            shutil.copy(path, folder / "all")
        after = open_corpus(folder)
        assert len(after.cases) == len(before.cases)
        assert after.kinds.values == before.kinds.values

    def test_a_sub_corpus_of_pan13_is_a_corpus(self, built: dict[str, Path]) -> None:
        whole = open_corpus(built["pan13"])
        part = open_corpus(built["pan13"] / "03-high")
        assert set(part.kinds.values) == {"high"}
        assert 0 < len(part.cases) < len(whole.cases)
        assert 0 < len(part.suspicious) < len(whole.suspicious)

    def test_pan13_says_by_its_folders_how_cases_were_obfuscated(
        self, write: Callable, tmp_path: Path
    ) -> None:
        feature = (
            '<feature name="plagiarism" type="artificial" obfuscation="x" this_offset="0" this_length="3" '
            'source_reference="o.txt" source_offset="0" source_length="3"/>'
        )
        for name in ("02-no-obfuscation", "03-random-obfuscation", "04-translation-obfuscation"):
            write(f"{name}/s-o.xml", f'<document reference="s.txt">{feature}</document>')
        write("susp/s.txt", "one two")
        write("src/o.txt", "one two")
        corpus = open_corpus(tmp_path)
        assert [corpus.kinds[row] for row in range(3)] == ["none", "random", "translated"]

    def test_both_paradigms_may_count_their_documents_from_one(self, write: Callable, tmp_path: Path) -> None:
        for paradigm in ("external", "intrinsic"):
            folder = f"{paradigm}-detection-corpus/suspicious-documents/part1"
            write(f"{folder}/suspicious-document00001.txt", f"This is the {paradigm} one.")
            feature = '<feature name="artificial-plagiarism" this_offset="0" this_length="4"/>'
            write(
                f"{folder}/suspicious-document00001.xml",
                f'<document reference="suspicious-document00001.txt">{feature}</document>',
            )
        corpus = open_corpus(tmp_path)
        assert len(corpus.suspicious) == 2
        (apart,) = corpus.intrinsic
        assert corpus.suspicious[apart].text == "This is the intrinsic one."
        assert [len(corpus.rows("suspicious", name)) for name in corpus.suspicious] == [1, 1]

    def test_short_answers_are_cases_as_long_as_they_are(self, tmp_path: Path) -> None:
        texts = tmp_path / "texts"
        texts.mkdir()
        (texts / "orig_taska.txt").write_text("A class inherits from a class.")
        (texts / "g0pA_taska.txt").write_text("Nobody knows.")
        (texts / "g1pB_taska.txt").write_bytes("It’s a class.".encode("cp1252"))
        rows = [["File", "Category"], ["g0pA_taska.txt", "non"], ["g1pB_taska.txt", "cut"]]
        write_workbook(tmp_path / "list.xlsx", {SHEET: sheet_of(rows)})
        corpus = open_corpus(tmp_path)
        assert (corpus.layout, len(corpus.suspicious), len(corpus.cases)) == ("clough09", 2, 1)
        assert corpus.kinds[0] == "near copy"
        assert corpus.suspicious["g1pB_taska.txt"].text == "It’s a class."
        assert codes(validate_corpus(tmp_path)) == set()

    def test_what_is_no_corpus_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "some.txt").write_text("text")
        with pytest.raises(StemmataError, match="E727"):
            open_corpus(tmp_path)


class TestDescription:
    def test_a_built_corpus_has_the_shares_of_its_plan(self, built: dict[str, Path]) -> None:
        described = describe(open_corpus(built["pan-pc-10"]))
        names = [section.name for section in described.sections]
        assert names == [
            *("purpose", "intended_algorithms", "plagiarism_per_document", "document_length"),
            *("topic_match", "obfuscation", "case_length"),
        ]
        for section in described.sections:
            assert sum(one.share for one in section.shares) == pytest.approx(1)
            for one in section.shares:
                assert one.share == pytest.approx(one.planned, abs=tolerance(section.total)), one

    def test_json_counts_documents_pairs_and_cases(self, built: dict[str, Path]) -> None:
        said = describe(open_corpus(built["pan13"])).as_json()
        assert (said["documents"], said["cases"]) == (32, 23)
        assert said["pairs"] == len((built["pan13"] / "pairs").read_text().splitlines())
        assert said["languages"] == {"en": 32}
        assert said["shares"]["purpose"]["source"] == {
            "count": 16, "share": 0.5, "planned": 0.5, "difference": 0.0
        }  # fmt: skip

    def test_shares_can_be_put_beside_those_of_pan_pc_10(self, built: dict[str, Path]) -> None:
        described = describe(open_corpus(built["pan-pc-10"]), pan_pc_10())
        shares = {section.name: {one.name: one for one in section.shares} for section in described.sections}
        assert shares["obfuscation"]["translated"].planned == 0.14
        assert shares["obfuscation"]["translated"].count == 0
        assert described.planned == "pan-pc-10"

    def test_what_lies_in_no_class_is_shown(self, write: Callable, tmp_path: Path) -> None:
        feature = '<feature name="plagiarism" this_offset="0" this_length="{}"/>'
        for name, words, plagiarised in (("a", 100, 3), ("b", 1000, 1000)):
            write(f"suspicious-documents/{name}.txt", "word " * words)
            write(
                f"suspicious-documents/{name}.xml",
                f'<document reference="{name}.txt">{feature.format(5 * plagiarised)}</document>',
            )
        said = describe(open_corpus(tmp_path)).as_json()["shares"]
        assert said["case_length"]["below"]["count"] == 1
        assert said["case_length"]["between"]["count"] == 1
        assert said["document_length"]["below"]["count"] == 1
        assert said["document_length"]["short"]["count"] == 1
        assert said["plagiarism_per_document"]["below"]["count"] == 1

    def test_topics_are_judged_by_clusters_where_the_truth_is_silent(
        self, copy: Callable[[str], Path]
    ) -> None:
        folder = copy("pan-pc-10")
        for path in folder.rglob("*.xml"):
            path.write_text(re.sub(r' topic="\w+"', "", path.read_text("utf-8")), encoding="utf-8")
        corpus = open_corpus(folder)
        assert "topic_match" not in [one.name for one in describe(corpus).sections]
        (topics,) = [one for one in describe(corpus, clusters=3).sections if one.name == "topic_match"]
        assert topics.total == sum(case.source is not None for case in corpus.cases)

    def test_overlapping_cases_do_not_plagiarise_more_than_the_document(
        self, write: Callable, tmp_path: Path
    ) -> None:
        feature = '<feature name="plagiarism" this_offset="0" this_length="10"/>'
        write("suspicious-documents/a.txt", "word " * 4)
        write("suspicious-documents/a.xml", f'<document reference="a.txt">{feature * 2}</document>')
        survey = Survey(open_corpus(tmp_path))
        survey.add(*next(survey.corpus.documents()))
        assert list(survey.plagiarised) == [0.5]


class TestValidation:
    @pytest.mark.parametrize("layout", LAYOUTS)
    def test_nothing_is_wrong_with_what_was_built(self, built: dict[str, Path], layout: str) -> None:
        result = validate_corpus(built[layout])
        assert [str(one) for one in (*result.findings, *result.warnings)] == []

    def test_a_shifted_offset_is_found(self, copy: Callable[[str], Path]) -> None:
        folder = copy("pan-pc-10")
        path = truth_of(folder, "none")
        change(path, "this_offset", lambda offset: offset + 5)
        result = validate_corpus(folder)
        assert codes(result) == {"E728"}
        assert result.findings[0].place is not None
        assert result.findings[0].place.path == str(path)

    def test_an_offset_shifted_into_a_sentence_is_warned_of(self, copy: Callable[[str], Path]) -> None:
        folder = copy("pan-pc-10")
        change(truth_of(folder, "high"), "this_offset", lambda offset: offset + 9, "high")
        assert "E730" in warned(validate_corpus(folder))

    def test_a_changed_source_is_found(self, copy: Callable[[str], Path]) -> None:
        folder = copy("pan-pc-10")
        for path in folder.rglob("source-document*.txt"):
            path.write_text(path.read_text("utf-8").replace("the", "teh"), encoding="utf-8")
        assert codes(validate_corpus(folder)) == {"E728"}

    def test_white_space_may_differ(self, copy: Callable[[str], Path]) -> None:
        folder = copy("pan-pc-10")
        for path in folder.rglob("source-document*.txt"):
            path.write_text(path.read_text("utf-8").replace(" ", "\n"), encoding="utf-8", newline="")
        assert codes(validate_corpus(folder)) == set()

    def test_a_passage_from_elsewhere_is_warned_of(self, write: Callable, tmp_path: Path) -> None:
        write("suspicious-documents/a.txt", "Foxes jump over dogs. Rivers carry their sand slowly down.")
        write("source-documents/b.txt", "Kings wear golden crowns. Rivers slowly carry down their sand.")
        for offset, length, found in ((0, 25, {"E729"}), (26, 36, set())):
            write(
                "suspicious-documents/a.xml",
                '<document reference="a.txt"><feature name="plagiarism" obfuscation="high" this_offset="22" '
                f'this_length="36" source_reference="b.txt" source_offset="{offset}" '
                f'source_length="{length}"/></document>',
            )
            result = validate_corpus(tmp_path)
            assert (codes(result), warned(result)) == (set(), found)

    def test_a_passage_beyond_its_document_is_found(self, copy: Callable[[str], Path]) -> None:
        folder = copy("pan-pc-10")
        change(truth_of(folder, "none"), "source_length", lambda length: length + 100_000)
        result = validate_corpus(folder)
        assert codes(result) == {"E208"}

    @pytest.mark.parametrize("side", ["source", "suspicious"])
    def test_a_missing_document_is_found(self, copy: Callable[[str], Path], side: str) -> None:
        folder = copy("pan-pc-10")
        corpus = open_corpus(folder)
        named = corpus.cases.source if side == "source" else corpus.cases.suspicious
        next(folder.rglob(named.values[0])).unlink()
        assert "E209" in codes(validate_corpus(folder))

    def test_overlapping_and_repeated_cases_are_found(self, copy: Callable[[str], Path]) -> None:
        folder = copy("pan-pc-10")
        path = truth_of(folder, "high")
        lines = path.read_text("utf-8").splitlines()
        first = next(line for line in lines if 'obfuscation="high"' in line)
        path.write_text("\n".join([*lines[:-1], first, lines[-1]]), encoding="utf-8")
        assert "E210" in codes(validate_corpus(folder))
        change(path, "this_offset", lambda offset: offset + 1, "high")
        assert "E211" in codes(validate_corpus(folder))

    def test_a_suspicious_document_without_truth_is_found(self, copy: Callable[[str], Path]) -> None:
        folder = copy("pan-pc-10")
        truth_of(folder, "none").unlink()
        assert "E736" in codes(validate_corpus(folder))

    def test_pairs_and_truth_must_agree(self, copy: Callable[[str], Path]) -> None:
        folder = copy("pan13")
        next((folder / "03-high").glob("*.xml")).unlink()
        assert "E737" in codes(validate_corpus(folder))
        pairs = (folder / "pairs").read_text().splitlines()
        told = open_corpus(folder).cases[0]
        assert told.source is not None
        kept = [one for one in pairs if one != f"{told.suspicious.document} {told.source.document}"]
        (folder / "pairs").write_text("\n".join(kept))
        assert "E302" in codes(validate_corpus(folder))

    def test_listed_sources_must_be_those_of_the_cases(self, copy: Callable[[str], Path]) -> None:
        folder = copy("plagevalrus")
        path = next(
            path
            for path in sorted((folder / "sources").iterdir())
            if json.loads(path.read_text())["plagiarism"]
        )
        said = json.loads(path.read_text())
        path.write_text(json.dumps({**said, "plagiarism": [{"id": "999999"}]}))
        result = validate_corpus(folder)
        assert codes(result) == {"E738"}
        assert "999999 is too much" in result.findings[0].message

    def test_shares_that_are_not_the_planned_ones_are_found(self, copy: Callable[[str], Path]) -> None:
        folder = copy("pan-pc-10")
        said = json.loads((folder / "plan.json").read_text())
        said["obfuscation"]["none"]["share"], said["obfuscation"]["high"]["share"] = 0.8, 0.2
        (folder / "plan.json").write_text(json.dumps(said))
        result = validate_corpus(folder)
        assert codes(result) == {"E731"}
        assert "obfuscation none: 52.2% in place of 80.0%" in result.findings[0].message

    @pytest.mark.parametrize(
        "text", ["[]", '{"page": "wide"}', '{"length": {"short": {"share": 1}}}', '{"page": 1}']
    )
    def test_a_record_of_a_plan_that_cannot_be_used_is_found(
        self, copy: Callable[[str], Path], text: str
    ) -> None:
        folder = copy("pan-pc-10")
        (folder / "plan.json").write_text(text)
        assert "E735" in codes(validate_corpus(folder))

    def test_encodings_are_looked_at(self, copy: Callable[[str], Path]) -> None:
        folder = copy("pan-pc-10")
        first, second, third = sorted(folder.rglob("source-document*.txt"))[:3]
        first.write_bytes(first.read_bytes() + b"\xff")
        second.write_text(second.read_text("utf-8") + " caf\ufffd \x07", encoding="utf-8")
        third.write_text("\ufeff" + third.read_text("utf-8"), encoding="utf-8")
        result = validate_corpus(folder)
        assert "E105" in codes(result)
        assert {Path(one.place.path).name for one in result.warnings if one.place} == {
            second.name,
            third.name,
        }

    def test_documents_that_are_there_twice_are_found(self, copy: Callable[[str], Path]) -> None:
        folder = copy("pan-pc-10")
        first = max(folder.rglob("source-document*.txt"), key=lambda path: path.stat().st_size)
        shutil.copy(first, first.with_name("source-document90001.txt"))
        text = first.read_text("utf-8")
        first.with_name("source-document90002.txt").write_text(f"{text} And so on.", encoding="utf-8")
        result = validate_corpus(folder)
        found = {(one.kind.code, one.message.split()[0]) for one in result.findings}
        assert ("E732", "source-document90001.txt") in found
        assert {code for code, name in found} == {"E732", "E733"}

    def test_text_that_leaks_between_two_corpora_is_found(
        self, built: dict[str, Path], tmp_path: Path
    ) -> None:
        write_base(tmp_path / "base", seed=7)
        same = build_small(tmp_path, "same-texts", seed=2)
        assert "E734" in codes(validate_corpus(same, built["pan-pc-10"]))
        assert "E732" in codes(validate_corpus(built["pan13"], built["plagevalrus"]))

    def test_corpora_of_different_texts_share_nothing(self, built: dict[str, Path], tmp_path: Path) -> None:
        words = [f"{a}{b}{c}" for a in "bcdfg" for b in "aeiou" for c in "klmnprst"]
        rng = np.random.default_rng(3)
        folder = tmp_path / "suspicious-documents"
        folder.mkdir()
        (folder / "a.txt").write_text(" ".join(rng.choice(words, 500)))
        (folder / "a.xml").write_text('<document reference="a.txt"/>')
        assert codes(validate_corpus(tmp_path, built["pan-pc-10"])) == set()


class TestShingles:
    def test_hashes_depend_on_words_alone(self) -> None:
        one, other = hashed_words("The fox, the FOX!"), hashed_words("the\nfox the fox")
        assert one.hashes.tolist() == other.hashes.tolist()
        assert one.digest == other.digest
        assert len(set(one.hashes.tolist())) == 2

    def test_words_between_offsets(self) -> None:
        words = hashed_words("one three five")
        assert words.between(0, 9, 4).tolist() == [words.hashes[1]]

    def test_capitals_that_grow_in_lower_case_keep_offsets(self) -> None:
        words = hashed_words("İ one two")
        assert words.end.max() <= len("İ one two")

    @pytest.mark.parametrize("every", [1, 4])
    def test_shared_runs_are_counted(self, every: int) -> None:
        rng = np.random.default_rng(5)
        mine, theirs, common = (
            " ".join(f"{letter}{number}" for number in rng.integers(0, 10**6, 400)) for letter in "abc"
        )
        index = ShingleIndex(every)
        index.add("mine", hashed_words(f"{mine} {common}"))
        index.add("theirs", hashed_words(f"{theirs} {common}"))
        index.add("apart", hashed_words(mine[:500]))
        found = {(one.first, one.second): one.common * every for one in index.shared()}
        assert found[0, 1] == pytest.approx(393, rel=0.25 if every > 1 else 0)
        assert (1, 2) not in found
        assert [(one.first, one.second) for one in index.shared(2)] == [(0, 2)]


class TestSimilarity:
    TEXT = "Foxes jump over lazy dogs while rivers carry sand and old kings wear golden crowns near castles"

    def test_equal_passages_are_equal_for_every_n(self) -> None:
        assert similarities(self.TEXT, self.TEXT.upper()).tolist() == [1.0] * LONGEST

    def test_stems_and_stop_words_decide(self) -> None:
        assert similarities("The foxes jumped over a dog", "fox jumping dogs")[0] == pytest.approx(1)

    def test_shuffled_words_share_no_runs(self) -> None:
        shuffled = " ".join(reversed(self.TEXT.split()))
        found = similarities(self.TEXT, shuffled)
        assert found[0] == pytest.approx(1)
        assert found[1:].max() == 0

    def test_a_value_by_hand(self) -> None:
        # (fox 2, dog 1) · (fox 1, cat 1) = 2, over √5 · √2.
        assert similarities("fox fox dog", "fox cat")[0] == pytest.approx(2 / np.sqrt(10))

    def test_passages_too_short_for_n_are_undefined(self) -> None:
        found = similarities("fox dog", "fox dog cat")
        assert np.isfinite(found).tolist() == [True, True] + [False] * 8

    def test_kinds_of_a_corpus_fall_as_they_should(self, built: dict[str, Path]) -> None:
        none, high = compare_corpora([open_corpus(built["pan13"])])
        assert (none.kind, high.kind) == ("none", "high")
        assert none.median.min() == 1
        assert (np.diff(high.median) <= 0).all()
        assert high.median[0] > 0.3
        assert high.median[2] < high.median[0] / 2

    def test_the_sample_depends_on_the_seed_and_on_nothing_else(self, built: dict[str, Path]) -> None:
        alone, beside = open_corpus(built["pan13"]), open_corpus(built["plagevalrus"])

        def high(*corpora: object, seed: int = 1) -> np.ndarray:
            groups = compare_corpora(list(corpora), sampled=4, seed=seed)  # type: ignore[arg-type]
            return next(one for one in groups if one.corpus == "pan13" and one.kind == "high").similarities

        assert np.array_equal(high(alone), high(beside, alone), equal_nan=True)
        assert not np.array_equal(high(alone), high(alone, seed=2), equal_nan=True)

    def test_corpora_without_sources_cannot_be_compared(self, write: Callable, tmp_path: Path) -> None:
        write("suspicious-documents/a.txt", "word")
        write("suspicious-documents/a.xml", '<document reference="a.txt"/>')
        with pytest.raises(StemmataError, match="E740"):
            compare_corpora([open_corpus(tmp_path)])


@pytest.mark.corpus
def test_pan13_holds_what_its_truth_says(corpus: Callable[[str], Path]) -> None:
    result = validate_corpus(corpus("pan13-alignment-train") / "02-no-obfuscation")
    assert result.counted == {"suspicious": 170, "sources": 923, "pairs": 1000, "cases": 1252}
    # One source is there twice; offsets, texts and pairs hold.
    assert [one.kind.code for one in result.findings] == ["E732"]


@pytest.mark.corpus
def test_figure_1_of_pan13_and_clough09(corpus: Callable[[str], Path]) -> None:
    folders = [corpus("pan13-alignment-train"), corpus("clough09")]
    medians = {one.kind: one.median for one in compare_corpora([open_corpus(one) for one in folders])}
    assert medians["none"].min() == 1
    assert medians["near copy"][9] > medians["light revision"][9] > medians["heavy revision"][9]
    assert medians["random"][2] < medians["translated"][2]


def test_a_corpus_may_be_called_like_a_formula():
    from stemmata.model.reproduction import Boxes, Figure, Panel
    from stemmata.reports.figures import draw

    quarters = (np.array([0.1, 0.2]), np.array([0.3, 0.4]), np.array([0.5, 0.6]))
    panel = Panel(r"a$\frac{$b", "n", "similarity", (), boxes=[Boxes(r"$\frac{$", *quarters)])
    assert draw(Figure("figure-1", "", [[panel]]), ["svg"])[".svg"].startswith(b"<?xml")
