"""Scores that are known beforehand: worked out by hand, or computed by the public scorers.

The small corpora in `golden/` are our own, and its README derives their values. The archive of the public
scorers' values and the real runs on PAN13 are read from `$STEMMATA_DATA`.
"""

import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatch
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import literal
from stemmata.formats import read_cases, read_detections, read_pairs
from stemmata.measures import alignment as measures
from stemmata.measures.alignment import Totals
from stemmata.measures.statistics import Alignment, Lengths
from stemmata.model import Annotation, Annotations, Passage, StemmataError

OURS = Path(__file__).with_name("golden")
DATA = Path(os.environ.get("STEMMATA_DATA", Path.home() / ".cache" / "stemmata-data"))
ARCHIVE = DATA / "golden"
TOLERANCE = 1e-9

PLAIN = [
    "granularity",
    *(f"{name}_{average}" for average in ("macro", "micro") for name in ("precision", "recall", "plagdet")),
    *(f"{level}_{name}" for level in ("case", "document") for name in ("precision", "recall", "f1")),
]
NORMALIZED = [
    f"{name}_{average}"
    for average in ("macro", "micro")
    for name in ("normalized_precision", "normalized_recall", "normplagdet")
]
REFERENCE = ["reference_precision_micro", "reference_recall_micro", "reference_plagdet_micro"]

Answer = float | str
"""A value, or the code of the error that is raised instead."""


def answer(matched: Alignment, name: str) -> Answer:
    totals = Totals(matched)
    try:
        if name not in REFERENCE:
            return float(getattr(measures, name)(totals))
        precision, recall = matched.reference_micro()
        return [precision, recall, float(measures.combine(totals, precision, recall))][REFERENCE.index(name)]
    except StemmataError as error:
        return error.code


def differs(got: Answer, expected: Answer) -> bool:
    if isinstance(got, str) or isinstance(expected, str):
        return got != expected
    return not abs(got - expected) <= TOLERANCE


def report(mismatches: Iterable[tuple[str, Answer, Answer]]) -> str:
    return "\n".join(f"{name}: {got} instead of {expected}" for name, got, expected in mismatches)


# --- Our own corpora


OUR_CORPORA = sorted(path.name for path in OURS.iterdir() if path.is_dir())


def our_expected(corpus: str) -> dict[str, float]:
    text = (OURS / corpus / "expected.json").read_text(encoding="utf-8")
    return {name: float(Fraction(value)) for name, value in json.loads(text).items()}


def our_corpus(corpus: str) -> tuple[Annotations, Annotations, dict[str, dict[str, int]]]:
    lengths = json.loads((OURS / corpus / "lengths.json").read_text(encoding="utf-8"))
    cases, detections = read_cases(OURS / corpus / "truth"), read_detections(OURS / corpus / "run")
    return cases.annotations, detections.annotations, lengths


@pytest.mark.parametrize("corpus", OUR_CORPORA)
def test_the_values_worked_out_by_hand_are_computed(corpus: str) -> None:
    cases, detections, lengths = our_corpus(corpus)
    matched = Alignment(cases, detections, Lengths(**lengths))
    expected = our_expected(corpus)
    compared = [(name, answer(matched, name), expected[name]) for name in PLAIN + NORMALIZED + REFERENCE]
    wrong = [row for row in compared if differs(*row[1:])]
    assert not wrong, report(wrong)


@pytest.mark.parametrize("corpus", OUR_CORPORA)
def test_the_literal_definitions_give_the_values_worked_out_by_hand(corpus: str) -> None:
    got, expected = literal.all_measures(*our_corpus(corpus)), our_expected(corpus)
    assert got == pytest.approx(expected, abs=TOLERANCE)


# --- The public scorers


ARCHIVE_CORPORA = sorted(path.parent.name for path in ARCHIVE.glob("*/truth"))
NO_TRUTH = {"t03_both_empty", "t05_no_cases"}
NO_RUN = {"t03_both_empty", "t04_no_detections"}

needs_archive = pytest.mark.skipif(
    not ARCHIVE_CORPORA, reason=f"the archive of golden values is not unpacked in {ARCHIVE}"
)

ALL_MISSED = {"pan09.micro.*": 0, "plagdet_normrepo.micro.*": 0, "normplagdet.micro.*": 0}
NO_SOURCE_SIDE = {"normplagdet.*": Fraction(3, 4)}

WHERE_THE_REFERENCE_FAILS: dict[str, dict[str, float | str]] = {
    # Without cases the case and document level divide by zero; the rule for empty sets answers.
    "t03_both_empty": {"pan15_*_level.*": 1},
    "t05_no_cases": {"pan15_*_level.*": 0},
    # Without any true detection the micro values are 0.
    "t06_no_true_detection_same_doc": ALL_MISSED,
    "t07_right_susp_wrong_source": ALL_MISSED,
    "t08_susp_overlap_source_miss": ALL_MISSED,
    "t09_touching": ALL_MISSED,
    # A detection of no characters has no precision.
    "t11_zero_len_det_inside": {
        "*.macro.precision*": "E207",
        "*.macro.plagdet": "E207",
        "pan15_characters.precision": "E207",
        "pan15_characters.plagdet": "E207",
    },
    # An intrinsic annotation has no source side: 150 of 200 characters are shared in the suspicious document.
    "t13_intrinsic_pair": NO_SOURCE_SIDE,
    "t14_external_case_intrinsic_det": NO_SOURCE_SIDE,
    "t15_intrinsic_case_external_det": NO_SOURCE_SIDE,
    "t19_source_attr_partial": {"normplagdet.*": 1},
    # Whoever covers both documents misses nothing; an overlap that could not be smaller earns nothing.
    "t21_full_cover": {"normplagdet.micro.*": 1},
    "t23_case_full_det_partial": {
        "normplagdet.micro.recall*": 0,
        "normplagdet.micro.precision*": 1,
        "normplagdet.micro.plagdet": 0,
    },
    "t24_det_full_case_partial": {
        "normplagdet.micro.recall*": 1,
        "normplagdet.micro.precision*": 0,
        "normplagdet.micro.plagdet": 0,
    },
}
REFUSED: dict[str, dict[str, str]] = {
    # This one scorer passes over a detection of no characters; the others divide by zero.
    "t11_zero_len_det_inside": {
        "plagdet_normrepo.macro.precision*": "E207",
        "plagdet_normrepo.macro.plagdet": "E207",
    },
    # The reference gives a recall above 1 and a negative precision.
    "t25_det_beyond_document": {"normplagdet.*": "E208"},
}
INTRINSIC = ("r4_intrinsic_only_*", "r5_mixed_ext_int_*")
"""Corpora with too many intrinsic annotations to answer by hand; the literal definitions answer instead."""

PAN15_LISTS = {
    "pan15_char_macro_pairs_reduced": (
        "pan15_characters",
        ("plagdet", "recall", "precision", "granularity", "files"),
    ),
    "pan15_case_level_tau0.5_prec_rec_f": ("pan15_case_level", ("precision", "recall", "f1")),
    "pan15_document_level_tau0.5_prec_rec_f": ("pan15_document_level", ("precision", "recall", "f1")),
}
SCORERS = ("pan09", "plagdet_normrepo", "pan25", "normplagdet")


def failed(value: object) -> bool:
    return value == "nan" or (isinstance(value, dict) and "error" in value)


def values_of_scorers(expected: Mapping[str, Any]) -> Iterator[tuple[str, float | None]]:
    """Yield all values of an `expected.json` under names like ``pan09.macro.recall``; None where it fails.

    A recall that was also computed without the precision is ``pan09.macro.recall.alone``.
    """
    for scorer in SCORERS:
        for name, value in expected[scorer].items():
            if name in ("macro", "micro"):
                for part in ("recall", "precision", "plagdet"):
                    one = value if failed(value) else value[part]
                    yield f"{scorer}.{name}.{part}", None if failed(one) else one
            else:
                average, _, rest = name.removesuffix("_only").partition("_")
                key = f"{scorer}.{average}.{rest}.alone" if rest else f"{scorer}.{average}"
                yield key, None if failed(value) else value
    for name, (scorer, parts) in PAN15_LISTS.items():
        if name in expected:
            values = len(parts) * [None] if failed(expected[name]) else expected[name]
            for part, value in zip(parts, values, strict=True):
                yield f"{scorer}.{part}", None if failed(value) else value


def formula_of(name: str) -> str:
    """Return the measure that a scorer's value is compared with."""
    scorer, *path = name.removesuffix(".alone").split(".")
    if path == ["granularity"]:
        return "granularity"
    if scorer == "pan15_characters":
        return f"{path[0]}_macro"
    if scorer.endswith("_level"):
        return f"{scorer.split('_')[1]}_{path[0]}"
    average, part = path
    if scorer != "normplagdet":
        return f"{part}_{average}"
    if average == "micro":
        return f"reference_{part}_micro"
    return "normplagdet_macro" if part == "plagdet" else f"normalized_{part}_macro"


def documented(table: Mapping[str, Mapping[str, Answer]], corpus: str, name: str) -> Answer | None:
    for pattern, value in table.get(corpus, {}).items():
        if fnmatch(name, pattern):
            return value if isinstance(value, str) else float(value)
    return None


def literally(value: float) -> Answer:
    return "E207" if math.isnan(value) else value


class ArchiveCorpus:
    """One folder of the archive: our answers to the names of `values_of_scorers`, and the wanted ones."""

    def __init__(self, name: str) -> None:
        folder, self.name = ARCHIVE / name, name
        self.expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
        sizes = json.loads((folder / "doc_lengths.json").read_text(encoding="utf-8"))
        self.lengths = {"suspicious": sizes["susp"], "source": sizes["src"]}
        self.pairs = frozenset(read_pairs(folder / "truth" / "pairs"))
        self.files, self.cases, self.detections = 0, Annotations.of([]), Annotations.of([])
        if name not in NO_TRUTH:
            self.cases = read_cases(folder / "truth").annotations
        if name not in NO_RUN:
            run = read_detections(folder / "det")
            self.files, self.detections = run.files, run.annotations

    @cached_property
    def matched(self) -> Alignment:
        return Alignment(self.cases, self.detections, pairs=self.pairs)

    @cached_property
    def matched_with_lengths(self) -> Alignment:
        return Alignment(self.cases, self.detections, Lengths(**self.lengths))

    @cached_property
    def matched_in_pairs(self) -> Alignment:
        """The PAN13 to PAN15 evaluators look at detections in listed pairs of documents only."""
        keep = [
            one.source is not None and (one.suspicious.document, one.source.document) in self.pairs
            for one in self.detections
        ]
        return Alignment(self.cases, self.detections.take(np.array(keep, dtype=bool)))

    @cached_property
    def by_definition(self) -> dict[str, float]:
        if not any(fnmatch(self.name, pattern) for pattern in INTRINSIC):
            return {}
        return literal.all_measures(self.cases, self.detections, self.lengths)

    def ours(self, name: str) -> Answer:
        if name == "pan15_characters.files":
            return self.files
        if name.startswith("pan15_characters"):
            return answer(self.matched_in_pairs, formula_of(name))
        if name.startswith("normplagdet"):
            try:
                return answer(self.matched_with_lengths, formula_of(name))
            except StemmataError as error:
                return error.code
        return answer(self.matched, formula_of(name))

    def wanted(self, name: str, value: float | None) -> Answer:
        known = documented(REFUSED, self.name, name)
        if known is None:
            known = value
        if known is None:
            known = documented(WHERE_THE_REFERENCE_FAILS, self.name, name)
        if known is None and formula_of(name) in self.by_definition:
            known = literally(self.by_definition[formula_of(name)])
        return "an answer that is documented nowhere" if known is None else known


@pytest.mark.corpus
@needs_archive
def test_the_archive_is_complete() -> None:
    assert len(ARCHIVE_CORPORA) == 47


@pytest.mark.corpus
@needs_archive
@pytest.mark.parametrize("name", ARCHIVE_CORPORA or ["archive"])
def test_the_public_scorers_values_are_computed(name: str) -> None:
    corpus = ArchiveCorpus(name)
    compared = [
        ("number of cases", len(corpus.matched.cases), corpus.expected["n_cases"]),
        ("number of detections", len(corpus.matched.detections), corpus.expected["n_detections"]),
    ]
    compared += [
        (key, corpus.ours(key), corpus.wanted(key, value))
        for key, value in values_of_scorers(corpus.expected)
    ]
    wrong = [row for row in compared if differs(*row[1:])]
    assert not wrong, report(wrong)


def fuzz_lines() -> list[dict[str, Any]]:
    with (ARCHIVE / "fuzz.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def fuzz_annotations(rows: Iterable[tuple[str, int, int, str, int, int]]) -> list[Annotation]:
    return [
        Annotation(Passage(document, offset, length), Passage(source, at, size) if source else None)
        for document, offset, length, source, at, size in rows
    ]


@pytest.mark.corpus
@needs_archive
def test_the_public_scorers_values_are_computed_on_250_random_corpora() -> None:
    lines = fuzz_lines()
    wrong = []
    for line in lines:
        cases, detections = fuzz_annotations(line["cases"]), fuzz_annotations(line["detections"])
        lengths = {"suspicious": line["susp"], "source": line["src"]}
        matched = Alignment(Annotations.of(cases), Annotations.of(detections), Lengths(**lengths))
        definitions = literal.all_measures(cases, detections, lengths)
        for name, value in values_of_scorers(line):
            by_definition = literally(definitions[formula_of(name)])
            # One of the scorers passes over annotations of no characters.
            undefined = name.startswith("plagdet_normrepo.macro") and by_definition == "E207"
            expected = by_definition if value is None or undefined else value
            where = f"seed {line['seed']}, {name}"
            wrong += [
                (f"{where}, {what}", got, expected)
                for what, got in (
                    ("computed", answer(matched, formula_of(name))),
                    ("by definition", by_definition),
                )
                if differs(got, expected)
            ]
    assert len(lines) == 250
    assert not wrong, report(wrong)


# --- Real runs


needs_runs = pytest.mark.skipif(
    not ((DATA / "pan13-runs").is_dir() and (DATA / "pan13-alignment-train").is_dir()),
    reason=f"pan13-runs and pan13-alignment-train are not unpacked in {DATA}",
)


def rounded(truth: str, run: str, *names: str) -> tuple[dict[str, str], int]:
    """Return the measures with four decimals, and the number of files of the run."""
    cases = read_cases(DATA / "pan13-alignment-train" / truth).annotations
    read = read_detections(DATA / "pan13-runs" / run)
    totals = Totals(Alignment(cases, read.annotations))
    return {name: f"{float(getattr(measures, name)(totals)):.4f}" for name in names}, read.files


@pytest.mark.corpus
@needs_runs
def test_sanchez_perez_on_translations_has_its_known_scores() -> None:
    scores, _ = rounded(
        "04-translation-obfuscation",
        "sanchez-perez/04-out",
        "plagdet_macro",
        "precision_macro",
        "recall_macro",
    )
    assert scores == {"plagdet_macro": "0.8840", "precision_macro": "0.8778", "recall_macro": "0.8903"}


@pytest.mark.corpus
@needs_runs
def test_sanchez_perez_on_summaries_has_its_known_scores() -> None:
    scores, _ = rounded(
        "05-summary-obfuscation",
        "sanchez-perez/05-out",
        "plagdet_macro",
        "precision_macro",
        "recall_macro",
        "granularity",
    )
    assert scores == {
        "plagdet_macro": "0.5761",
        "precision_macro": "0.9941",
        "recall_macro": "0.4235",
        "granularity": "1.0435",
    }


@pytest.mark.corpus
@needs_runs
def test_brlek_on_the_whole_corpus_has_its_known_score() -> None:
    assert rounded("", "brlek", "plagdet_macro") == ({"plagdet_macro": "0.6955"}, 5185)
