"""What holds for every measure of text alignment, whatever the annotations."""

import inspect
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import literal
from stemmata.measures import alignment as measures
from stemmata.measures import matching
from stemmata.measures.alignment import Totals
from stemmata.measures.statistics import Alignment, Lengths, Options
from stemmata.model import Annotation, Annotations, Case, Detection, Passage, StemmataError

SUSPICIOUS = {"essay": 12, "report": 7, "note": 1}
SOURCES = {"book": 10, "play": 5}
LENGTHS = Lengths(SUSPICIOUS, SOURCES)

Formula = Callable[[Totals], float]

FORMULAS: dict[str, Formula] = {
    name: function
    for name, function in inspect.getmembers(measures, inspect.isfunction)
    if list(inspect.signature(function).parameters) == ["t"] and not name.startswith("_")
}
RECALLS = [name for name in FORMULAS if "recall" in name]

every_measure = pytest.mark.parametrize("formula", FORMULAS.values(), ids=FORMULAS)
property_test = settings(max_examples=30, deadline=None, derandomize=True)


# --- Truths and runs over a few small documents


@dataclass(frozen=True)
class Problem:
    """A truth and a run; `score` computes a measure of them."""

    cases: list[Annotation]
    detections: list[Annotation]
    lengths: Lengths = LENGTHS

    def alignment(self, options: Options | None = None) -> Alignment:
        columns = Annotations.of(self.cases), Annotations.of(self.detections)
        return Alignment(*columns, self.lengths, options=options)

    def score(self, formula: Formula) -> float:
        return float(formula(Totals(self.alignment())))

    def scores(self, options: Options | None = None) -> dict[str, float]:
        matched = self.alignment(options)
        totals = Totals(matched)
        precision, recall = matched.reference_micro()
        values = {name: float(formula(totals)) for name, formula in FORMULAS.items()}
        return values | {"reference_precision_micro": precision, "reference_recall_micro": recall}


def passages_of(documents: dict[str, int]) -> list[Passage]:
    """All passages of the documents; the whole documents several times, to be drawn often."""
    parts = [
        Passage(document, start, end - start)
        for document, size in documents.items()
        for start in range(size)
        for end in range(start + 1, size + 1)
    ]
    return parts + 5 * [Passage(document, 0, size) for document, size in documents.items()]


def places_in(documents: dict[str, int]) -> list[Passage]:
    """All passages of no characters."""
    return [Passage(document, at, 0) for document, size in documents.items() for at in range(size + 1)]


suspicious, sources = (st.sampled_from(passages_of(side)) for side in (SUSPICIOUS, SOURCES))
suspicious_places, source_places = (st.sampled_from(places_in(side)) for side in (SUSPICIOUS, SOURCES))


@st.composite
def annotations(draw: st.DrawFn, kind: type[Annotation]) -> list[Annotation]:
    """Up to seven annotations, all external, all intrinsic, or mixed with some that lack text on one side."""
    external, intrinsic = st.builds(kind, suspicious, sources), st.builds(kind, suspicious)
    odd = st.builds(kind, suspicious, source_places) | st.builds(kind, suspicious_places, sources)
    one = draw(st.sampled_from([external, intrinsic, external | intrinsic, external | intrinsic | odd]))
    least = draw(st.sampled_from([3, 1, 0]))
    return draw(st.lists(one, min_size=least, max_size=7))


problems = st.builds(Problem, annotations(Case), annotations(Detection))


@st.composite
def disjoint_cases(draw: st.DrawFn, source: st.SearchStrategy[Passage | None]) -> list[Case]:
    """At least one case; cases touch each other at most, and now and then one fills its document."""
    cases = []
    for document, size in SUSPICIOUS.items():
        cuts = sorted(draw(st.sets(st.integers(0, size), min_size=2, max_size=4)))
        cases += [Case(Passage(document, start, end - start), draw(source)) for start, end in pairwise(cuts)]
    return cases


def as_detections(cases: Iterable[Annotation]) -> list[Annotation]:
    return [Detection(case.suspicious, case.source) for case in cases]


# --- Rules for every measure


def test_the_literal_definitions_cover_every_formula() -> None:
    spelt_out = set(literal.all_measures([], [], {"suspicious": {}, "source": {}}))
    reference = {name for name in spelt_out if name.startswith("reference_")}
    assert spelt_out - reference == set(FORMULAS)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(
    problems,
    st.sampled_from([0.5, 1.0, 2.0]),
    st.sampled_from([0.25, 0.5, 1.0]),
    st.sampled_from([0.25, 0.5, 1.0]),
)
def test_the_fast_code_computes_the_literal_definitions(
    problem: Problem, alpha: float, tau_recall: float, tau_precision: float
) -> None:
    fast = problem.scores(Options(alpha, tau_recall, tau_precision))
    slow = literal.all_measures(
        problem.cases,
        problem.detections,
        {"suspicious": SUSPICIOUS, "source": SOURCES},
        alpha=alpha,
        tau_recall=tau_recall,
        tau_precision=tau_precision,
    )
    differing = {name: (fast[name], slow[name]) for name in fast if not abs(fast[name] - slow[name]) <= 1e-9}
    assert not differing, "(fast, literal): " + str(differing)


@property_test
@given(problems, st.sets(st.tuples(st.sampled_from(sorted(SUSPICIOUS)), st.sampled_from(sorted(SOURCES)))))
def test_the_document_level_finds_listed_pairs_only(problem: Problem, pairs: set[tuple[str, str]]) -> None:
    matched = Alignment(
        Annotations.of(problem.cases), Annotations.of(problem.detections), pairs=frozenset(pairs)
    )
    slow = literal.all_measures(problem.cases, problem.detections, pairs=pairs)
    for name in ("document_precision", "document_recall"):
        assert float(FORMULAS[name](Totals(matched))) == pytest.approx(slow[name], abs=1e-12)


@every_measure
@property_test
@given(problems, st.randoms(use_true_random=False))
def test_order_does_not_matter_to_the_last_bit(formula: Formula, problem: Problem, random: Random) -> None:
    cases, detections = list(problem.cases), list(problem.detections)
    random.shuffle(cases)
    random.shuffle(detections)
    assert Problem(cases, detections).score(formula) == problem.score(formula)


@every_measure
@property_test
@given(problems)
def test_repeated_annotations_count_once(formula: Formula, problem: Problem) -> None:
    twice = Problem([*problem.cases, *problem.cases], [*problem.detections, *reversed(problem.detections)])
    assert twice.score(formula) == problem.score(formula)


@every_measure
@property_test
@given(problems)
def test_values_stay_in_their_bounds(formula: Formula, problem: Problem) -> None:
    value = problem.score(formula)
    if formula is measures.granularity:
        assert 1 <= value <= max(1, len(problem.detections))
    else:
        assert 0 <= value <= 1


@every_measure
@property_test
@given(problems)
def test_names_of_documents_do_not_matter(formula: Formula, problem: Problem) -> None:
    # The new names sort the other way round, and a source is called like a suspicious document.
    new = {"essay": "z", "report": "y", "note": "x"}
    new_source = {"book": "z", "play": "y"}

    def rename(one: Annotation) -> Annotation:
        origin = one.source and one.source._replace(document=new_source[one.source.document])
        return replace(
            one,
            suspicious=one.suspicious._replace(document=new[one.suspicious.document]),
            source=origin,
        )

    renamed = Problem(
        [rename(case) for case in problem.cases],
        [rename(detection) for detection in problem.detections],
        Lengths(
            {new[name]: size for name, size in SUSPICIOUS.items()},
            {new_source[name]: size for name, size in SOURCES.items()},
        ),
    )
    assert renamed.score(formula) == pytest.approx(problem.score(formula), abs=1e-12)


@every_measure
@property_test
@given(problems)
def test_a_document_is_the_same_with_and_without_txt(formula: Formula, problem: Problem) -> None:
    def with_suffix(one: Annotation) -> Annotation:
        origin = one.source and one.source._replace(document=one.source.document + ".txt")
        name = one.suspicious.document + ".txt"
        return replace(one, suspicious=one.suspicious._replace(document=name), source=origin)

    suffixed = Problem(problem.cases, [with_suffix(detection) for detection in problem.detections])
    assert suffixed.score(formula) == problem.score(formula)


@every_measure
@property_test
@given(disjoint_cases(sources))
def test_a_perfect_run_scores_one(formula: Formula, cases: list[Case]) -> None:
    assert Problem(cases, as_detections(cases)).score(formula) == pytest.approx(1, abs=1e-12)


@every_measure
@property_test
@given(disjoint_cases(st.one_of(sources, st.none())))
def test_a_perfect_run_scores_one_with_intrinsic_cases_too(formula: Formula, cases: list[Case]) -> None:
    assert Problem(cases, as_detections(cases)).score(formula) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("name", ["document_precision", "document_recall", "document_f1"])
def test_on_the_document_level_an_intrinsic_case_counts_unless_pairs_are_listed(name: str) -> None:
    case = Case(Passage("essay", 0, 5))
    cases, detections = Annotations.of([case]), Annotations.of(as_detections([case]))
    assert FORMULAS[name](Totals(Alignment(cases, detections))) == 1
    listed = frozenset({("essay", "book")})
    assert FORMULAS[name](Totals(Alignment(cases, detections, pairs=listed))) == 0


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5])
@property_test
@given(problem=problems)
def test_matching_in_small_pieces_changes_nothing(limit: int, problem: Problem) -> None:
    whole = problem.scores()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "MATCHES_AT_ONCE", limit)
        assert problem.scores() == whole


def test_the_limit_on_matches_really_cuts_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [Case(Passage("essay", start, 6)) for start in range(6)]
    matched = Problem(cases, as_detections(cases)).alignment()
    at_once = len(list(matching.find_matches(matched.cases, matched.detections)))
    monkeypatch.setattr(matching, "MATCHES_AT_ONCE", 1)
    pieces = len(list(matching.find_matches(matched.cases, matched.detections)))
    assert (at_once, pieces) == (1, 6)


# --- Rules for some measures


@pytest.mark.parametrize("average", ["macro", "micro"])
@pytest.mark.parametrize("prefix", ["", "normalized_"])
@property_test
@given(problem=problems)
def test_precision_is_recall_with_roles_exchanged(prefix: str, average: str, problem: Problem) -> None:
    exchanged = Problem(problem.detections, problem.cases)
    precision, recall = FORMULAS[f"{prefix}precision_{average}"], FORMULAS[f"{prefix}recall_{average}"]
    assert exchanged.score(precision) == problem.score(recall)
    assert exchanged.score(recall) == problem.score(precision)


@property_test
@given(problem=problems)
def test_the_reference_micro_values_exchange_with_their_roles(problem: Problem) -> None:
    exchanged = Problem(problem.detections, problem.cases)
    assert exchanged.alignment().reference_micro() == problem.alignment().reference_micro()[::-1]


def test_granularity_is_not_symmetric() -> None:
    case = Case(Passage("essay", 0, 8), Passage("book", 0, 8))
    halves = [Detection(Passage("essay", start, 4), Passage("book", start, 4)) for start in (0, 4)]
    assert Problem([case], halves).score(measures.granularity) == 2
    assert Problem(halves, [case]).score(measures.granularity) == 1


@pytest.mark.parametrize("name", RECALLS)
@property_test
@given(
    background=problems,
    intrinsic=st.booleans(),
    length=st.integers(2, 12),
    source_length=st.integers(2, 10),
    data=st.data(),
)
def test_splitting_a_detection_raises_granularity_and_keeps_recall(
    name: str, background: Problem, intrinsic: bool, length: int, source_length: int, data: st.DataObject
) -> None:
    # The case fills two documents of its own, so that every part of the detection lies inside it.
    cut, source_cut = data.draw(st.integers(1, length - 1)), data.draw(st.integers(1, source_length - 1))

    def detection(start: int, end: int, source_start: int, source_end: int) -> Detection:
        source = None if intrinsic else Passage("copied", source_start, source_end - source_start)
        return Detection(Passage("copy", start, end - start), source)

    case = Case(Passage("copy", 0, 12), Passage("copied", 0, 10))
    lengths = Lengths({**SUSPICIOUS, "copy": 12}, {**SOURCES, "copied": 10})
    cases = [*background.cases, case]
    one = [detection(0, length, 0, source_length)]
    two = [detection(0, cut, 0, source_cut), detection(cut, length, source_cut, source_length)]
    before = Problem(cases, [*background.detections, *one], lengths)
    after = Problem(cases, [*background.detections, *two], lengths)
    assert after.score(measures.granularity) > before.score(measures.granularity)
    assert after.score(FORMULAS[name]) == pytest.approx(before.score(FORMULAS[name]), abs=1e-12)


# --- Rules for empty sets


ONE = [Case(Passage("essay", 0, 5), Passage("book", 0, 5))]
shares_only = pytest.mark.parametrize("name", [name for name in FORMULAS if name != "granularity"])


@every_measure
def test_nothing_to_find_and_nothing_found_scores_one(formula: Formula) -> None:
    assert Problem([], []).score(formula) == 1


@shares_only
def test_no_detection_scores_zero(name: str) -> None:
    assert Problem(ONE, []).score(FORMULAS[name]) == 0


@shares_only
def test_no_case_scores_zero(name: str) -> None:
    assert Problem([], as_detections(ONE)).score(FORMULAS[name]) == 0


@pytest.mark.parametrize(
    ("cases", "detections", "expected"),
    [(0, 0, (1.0, 1.0)), (1, 0, (0.0, 0.0)), (0, 1, (0.0, 0.0))],
    ids=["both empty", "no detection", "no case"],
)
def test_the_reference_micro_values_follow_the_same_rule(
    cases: int, detections: int, expected: tuple[float, float]
) -> None:
    problem = Problem(ONE[:cases], as_detections(ONE)[:detections])
    assert problem.alignment().reference_micro() == expected


@shares_only
def test_only_false_detections_score_zero(name: str) -> None:
    false = [Detection(Passage("essay", 0, 5), Passage("play", 0, 5))]
    assert Problem(ONE, false).score(FORMULAS[name]) == 0


@pytest.mark.parametrize(
    "detections",
    [[], [Detection(Passage("essay", 5, 5), Passage("book", 0, 5))]],
    ids=["no detection", "a touching one"],
)
def test_granularity_is_one_where_no_case_is_detected(detections: list[Detection]) -> None:
    assert Problem(ONE, detections).score(measures.granularity) == 1


# --- Annotations that have no score


EMPTY_CASE = Case(Passage("essay", 2, 0), Passage("book", 2, 0))
EMPTY_DETECTION = Detection(Passage("essay", 2, 0), Passage("book", 2, 0))


@pytest.mark.parametrize("prefix", ["", "normalized_"])
@pytest.mark.parametrize(
    ("name", "cases", "detections"),
    [
        ("recall_macro", [EMPTY_CASE], as_detections(ONE)),
        ("precision_macro", ONE, [EMPTY_DETECTION]),
    ],
    ids=["case", "detection"],
)
def test_an_annotation_of_no_characters_is_refused_by_name(
    name: str, cases: list[Case], detections: list[Detection], prefix: str
) -> None:
    with pytest.raises(StemmataError, match=r"^E207 essay at 2\+0"):
        Problem(cases, detections).score(FORMULAS[prefix + name])


def test_micro_values_bear_annotations_of_no_characters() -> None:
    problem = Problem([*ONE, EMPTY_CASE], [*as_detections(ONE), EMPTY_DETECTION])
    assert (problem.score(measures.recall_micro), problem.score(measures.precision_micro)) == (1, 1)


def test_an_empty_annotation_where_the_other_side_has_nothing_is_merely_wrong() -> None:
    elsewhere = Detection(Passage("report", 2, 0), Passage("book", 2, 0))
    assert Problem(ONE, [*as_detections(ONE), elsewhere]).score(measures.precision_macro) == 0.5


def test_an_empty_detection_inside_a_case_detects_it() -> None:
    assert Problem(ONE, [*as_detections(ONE), EMPTY_DETECTION]).score(measures.granularity) == 2


@pytest.mark.parametrize("offset", [0, 5], ids=["start", "end"])
def test_an_empty_detection_on_the_border_of_a_case_does_not_detect_it(offset: int) -> None:
    border = Detection(Passage("essay", offset, 0), Passage("book", 2, 0))
    assert Problem(ONE, [*as_detections(ONE), border]).score(measures.granularity) == 1


@pytest.mark.parametrize(
    ("beyond", "named"),
    [
        (
            Case(Passage("report", 3, 5), Passage("book", 0, 5)),
            r"suspicious passage 3\+5 .* 7 characters of report",
        ),
        (
            Case(Passage("report", 0, 5), Passage("play", 5, 1)),
            r"source passage 5\+1 .* 5 characters of play",
        ),
    ],
    ids=["suspicious", "source"],
)
def test_an_annotation_beyond_its_document_is_refused(beyond: Case, named: str) -> None:
    with pytest.raises(StemmataError, match=f"^E208 .*{named}"):
        Problem([beyond], []).alignment()
    with pytest.raises(StemmataError, match=f"^E208 .*{named}"):
        Problem([], as_detections([beyond])).alignment()


def test_an_annotation_that_ends_with_its_document_is_accepted() -> None:
    case = Case(Passage("report", 3, 4), Passage("play", 4, 1))
    assert Problem([case], as_detections([case])).score(measures.normplagdet_macro) == 1


def test_a_document_of_unknown_length_is_refused() -> None:
    with pytest.raises(StemmataError, match=r"^E209 .*suspicious document letter"):
        Problem([Case(Passage("letter", 0, 5))], []).alignment()


def test_normalised_measures_ask_for_lengths() -> None:
    matched = Alignment(Annotations.of(ONE), Annotations.of(as_detections(ONE)))
    with pytest.raises(StemmataError, match=r"^E404"):
        measures.normplagdet_macro(Totals(matched))


@pytest.mark.parametrize(
    "wrong",
    [
        {"alpha": 0},
        {"alpha": math.nan},
        {"alpha": math.inf},
        {"tau_recall": 0},
        {"tau_precision": 1.5},
        {"compat": "old"},
    ],
    ids=str,
)
def test_parameters_out_of_range_are_refused(wrong: dict[str, float | str]) -> None:
    with pytest.raises(StemmataError, match=r"^E405"):
        Options(**wrong)


def test_the_error_names_the_annotation_that_is_undefined():
    cases = Annotations.of([Case(Passage("a", 2, 0)), Case(Passage("b", 0, 5))])
    detections = Annotations.of([Detection(Passage("b", 2, 0))])
    totals = Totals(Alignment(cases, detections))
    assert measures.recall_macro(totals) == 0
    with pytest.raises(StemmataError, match=r"E207 b at 2\+0"):
        measures.precision_macro(totals)
