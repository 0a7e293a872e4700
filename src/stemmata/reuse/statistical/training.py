"""Fitting the decisions of `stemmata` to a corpus, on folds that share no document.

``python -m stemmata.reuse.statistical.training CORPUS`` writes the parameters that come with the package,
with the scores of every fold's documents by decisions fitted to the other folds.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np

from stemmata import __version__
from stemmata.formats import AnnotationFiles, DocumentFolder, read_cases
from stemmata.formats.pairs import DocumentPair
from stemmata.measures.evaluation import AlignmentResult, score_alignment
from stemmata.measures.statistics import Lengths
from stemmata.model import Annotation, Annotations, Case, Detection, Document, Pair, Passage, Span
from stemmata.model.parameters import parameters_of
from stemmata.model.spans import Ints
from stemmata.reuse.detection import Corpus
from stemmata.reuse.parameters import Example as LearningExample
from stemmata.reuse.parameters import ParameterFile
from stemmata.reuse.statistical.aligner import Decisions, Proposals, StemmataAligner
from stemmata.reuse.statistical.decision import Decision, fit
from stemmata.reuse.statistical.evidence import Floats
from stemmata.reuse.statistical.selection import PASSAGE_FEATURES, SUMMARY_FEATURES, as_matrix
from stemmata.reuse.tuning.folds import document_folds

PARAMETERS = Path(__file__).parent / "fitted.json"
PENALTY, SUMMARY_PENALTY = 3.0, 1.0
RIGHT = 0.4
"""Share of a finding that must lie in a case for it to be right; with less, it does more harm than good."""
SUMMARISED = 3.0
"""A case is a summary if its source passage is this many times as long."""
PASSAGE_THRESHOLDS = (0.4, 0.5, 0.6, 0.7)
SUMMARY_THRESHOLDS = (0.4, 0.5, 0.6)

LENGTHENED = 0.2
"""Share of the pairs without a summary whose source is lengthened."""

_UNDECIDED = Decision((), (), (), (), 0.0, 2.0)
_NOTHING = Decisions(_UNDECIDED, _UNDECIDED, "nothing")


class Example(NamedTuple):
    """What was proposed for a pair, and which of it is right.

    Passages in what is a summary as a whole are neither right nor wrong: finding them is not what
    decides whether the summary is found, and what they look like says nothing of other passages.
    """

    fold: int
    proposals: Proposals
    right_passages: list[bool | None]
    right_summaries: list[bool]


@dataclass(frozen=True)
class Work:
    """A pair to make an example of; with `beside`, the source is lengthened by another document."""

    pair: DocumentPair
    fold: int
    cases: tuple[Case, ...]
    beside: str | None = None
    before: bool = False


def plan(corpus: Corpus, cases: Annotations, folds: Ints, seed: int) -> tuple[list[Work], list[Work]]:
    """Return the pairs to learn from, and more with sources of which only a part may be summarised.

    The corpus summarises whole documents. So that the decision does not come to rely on it, every pair
    with a summary, and some without, come again with the source beside another source of their fold.
    """
    by_pair: dict[DocumentPair, list[Case]] = {}
    for case in cases.cases:
        if case.source is not None:
            by_pair.setdefault((case.suspicious.document, case.source.document), []).append(case)
    rng = np.random.default_rng(seed)
    plain, lengthened = [], []
    for pair, fold in zip(corpus.pairs, folds.tolist(), strict=True):
        work = Work(pair, fold, tuple(by_pair.get(pair, ())))
        plain.append(work)
        others = np.flatnonzero(folds == fold)
        beside = corpus.pairs[int(rng.choice(others))][1]
        if rng.random() < LENGTHENED or any(_is_summary(case) for case in work.cases):
            lengthened.append(replace(work, beside=beside, before=bool(rng.random() < 0.5)))
    return plain, lengthened


def _is_summary(case: Annotation) -> bool:
    return case.source is not None and case.source.length >= SUMMARISED * case.suspicious.length


def make_examples(corpus: Corpus, work: Sequence[Work], jobs: int) -> list[Example]:
    """Propose passages and summaries for each pair, and tell which are right."""
    size = 64
    chunks = [(corpus, work[i : i + size]) for i in range(0, len(work), size)]
    with get_context("spawn").Pool(jobs) as pool:
        return [one for part in pool.imap(_make_chunk, chunks) for one in part]


def _make_chunk(task: tuple[Corpus, Sequence[Work]]) -> list[Example]:
    corpus, work = task
    folders = DocumentFolder(corpus.suspicious), DocumentFolder(corpus.source)
    aligner = StemmataAligner(decisions=_NOTHING)
    return [_make(aligner, folders, one) for one in work]


def _make(aligner: StemmataAligner, folders: tuple[DocumentFolder, DocumentFolder], work: Work) -> Example:
    suspicious, source = (folder[name] for folder, name in zip(folders, work.pair, strict=True))
    learnt: LearningExample = (Pair(suspicious, source), work.cases)
    if work.beside:
        learnt = _lengthened(learnt, folders[1][work.beside].text, work.before)
    return _judged(aligner, learnt, work.fold)


def _lengthened(example: LearningExample, other: str, before: bool) -> LearningExample:
    """Return an example whose source stands beside another text."""
    (suspicious, source), cases = (example[0].suspicious, example[0].source), example[1]
    shift = len(other) + 1 if before else 0
    longer = Document(source.name, "\n".join((other, source.text) if before else (source.text, other)))
    shifted = tuple(Case(case.suspicious, _shifted(case.source, shift)) for case in cases)
    return Pair(suspicious, longer), shifted


def _judged(aligner: StemmataAligner, example: LearningExample, fold: int = 0) -> Example:
    """Propose passages and summaries, and tell which are right."""
    pair, cases = example
    proposals = _proposed(replace(aligner, decisions=_NOTHING), pair)
    found = proposals.detections
    passages = [_right_passage(found[one.finding.block], cases) for one in proposals.passages]
    summaries = [_right_summary(found[one.block], cases) for one in proposals.summaries]
    return Example(fold, proposals, passages, summaries)


@lru_cache(maxsize=4096)
def _proposed(aligner: StemmataAligner, pair: Pair) -> Proposals:
    # What is proposed does not depend on the decisions, which a search fits anew for each fold.
    return aligner.propose(pair)


def learn(aligner: StemmataAligner, examples: Sequence[LearningExample], seed: int = 1) -> Decisions:
    """Fit the decisions of an aligner to examples, and choose their thresholds on them."""
    rng = np.random.default_rng(seed)
    longer = [
        _lengthened(
            example, examples[int(rng.integers(len(examples)))][0].source.text, bool(rng.random() < 0.5)
        )
        for example in examples
        if rng.random() < LENGTHENED or any(_is_summary(case) for case in example[1])
    ]
    judged = [_judged(aligner, example) for example in examples]
    decisions = fit_decisions(judged, [_judged(aligner, example) for example in longer])
    cases = Annotations.of(case for _, some in examples for case in some)
    decisions = find_thresholds(judged, cases, decisions, aligner)
    digest = hashlib.sha256(json.dumps(decisions.as_json(), sort_keys=True).encode()).hexdigest()[:8]
    return replace(decisions, fitted_to=f"{len(examples)} pairs, {digest}")


def _shifted(passage: Passage | None, shift: int) -> Passage | None:
    return passage and passage._replace(offset=passage.offset + shift)


def _spans(detection: Annotation, case: Annotation) -> list[tuple[Span, Span]]:
    """Return what the two say of the suspicious document and of the source."""
    pairs = [(detection.suspicious.span, case.suspicious.span)]
    if detection.source is not None and case.source is not None:
        pairs.append((detection.source.span, case.source.span))
    return pairs


def _right_passage(detection: Detection, cases: Sequence[Case]) -> bool | None:
    """Tell whether a passage lies in a case, or return None for one that is part of a summary."""
    mine = detection.suspicious.span
    if any(_is_summary(case) and mine.overlaps(case.suspicious.span) for case in cases):
        return None
    return any(
        sum(mine.clip(true).length for mine, true in sides) >= RIGHT * sum(mine.length for mine, _ in sides)
        and all(mine.overlaps(true) for mine, true in sides)
        for sides in (_spans(detection, case) for case in cases)
    )


def _right_summary(detection: Detection, cases: Iterable[Case]) -> bool:
    return any(
        _is_summary(case) and all(_agreement(mine, true) > RIGHT for mine, true in _spans(detection, case))
        for case in cases
    )


def _agreement(one: Span, two: Span) -> float:
    """Return the common part of two spans over all they cover."""
    common = one.clip(two).length
    return common / max(1, one.length + two.length - common)


def fit_decisions(examples: Sequence[Example], lengthened: Sequence[Example]) -> Decisions:
    """Fit both decisions; their thresholds are still to be found."""
    judged = [
        (one.features, right)
        for example in examples
        for one, right in zip(example.proposals.passages, example.right_passages, strict=True)
        if right is not None
    ]
    passages, right = [features for features, _ in judged], [one for _, one in judged]
    both = [*examples, *lengthened]
    summaries = [one for example in both for one in example.proposals.summary_features]
    right_summaries = [one for example in both for one in example.right_summaries]
    return Decisions(
        fit(PASSAGE_FEATURES, as_matrix(passages, PASSAGE_FEATURES), _numbers(right), PENALTY),
        fit(
            SUMMARY_FEATURES,
            as_matrix(summaries, SUMMARY_FEATURES),
            _numbers(right_summaries),
            SUMMARY_PENALTY,
        ),
        "some folds",
    )


def _numbers(right: list[bool]) -> Floats:
    return np.array(right, dtype=np.float64)


def detections_of(
    examples: Sequence[Example], decisions: Decisions, aligner: StemmataAligner | None = None
) -> list[Detection]:
    """Return what an aligner with these decisions detects."""
    aligner = replace(aligner or StemmataAligner(decisions=decisions), decisions=decisions)
    return [found for example in examples for found in aligner.choose(example.proposals)]


def find_thresholds(
    examples: Sequence[Example],
    cases: Annotations,
    decisions: Decisions,
    aligner: StemmataAligner | None = None,
) -> Decisions:
    """Choose the thresholds of greatest plagdet on the examples, first of passages, then of summaries.

    Runs of equal words are left out: what they find in place of a passage would hide that it was lost.
    """
    examples = [one._replace(proposals=one.proposals._replace(runs=[])) for one in examples]
    for name, thresholds in (("passages", PASSAGE_THRESHOLDS), ("summaries", SUMMARY_THRESHOLDS)):
        tried = [
            replace(decisions, **{name: replace(getattr(decisions, name), threshold=threshold)})
            for threshold in thresholds
        ]
        decisions = max(tried, key=lambda one: _plagdet(cases, detections_of(examples, one, aligner)))
    return decisions


def _plagdet(cases: Annotations, detections: list[Detection]) -> float:
    return score_alignment(cases, Annotations.of(detections)).scores.values["macro.plagdet"]


def train(path: Path, folds: int = 5, seed: int = 1, jobs: int = 2) -> ParameterFile:
    """Fit the decisions to a corpus; return them as stored, with the scores of cross-validation."""
    corpus = Corpus.open(path)
    truth = read_cases(path)
    cases = truth.annotations
    texts = {
        name: hashlib.sha256(document.text.encode("utf-8", "surrogatepass")).hexdigest()
        for folder in (DocumentFolder(corpus.suspicious), DocumentFolder(corpus.source))
        for name in folder.paths
        for document in [folder[name]]
    }
    dealt = document_folds(corpus.pairs, texts, folds, seed)
    work, more = plan(corpus, cases, dealt, seed)
    examples, lengthened = make_examples(corpus, work, jobs), make_examples(corpus, more, jobs)
    unseen: list[Detection] = []
    thresholds: list[tuple[float, float]] = []
    for fold in range(folds):
        known = [one for one in examples if one.fold != fold]
        decisions = fit_decisions(known, [one for one in lengthened if one.fold != fold])
        names = {pair[0] for pair, number in zip(corpus.pairs, dealt, strict=True) if number != fold}
        decisions = find_thresholds(known, _about(cases, names), decisions)
        thresholds.append((decisions.passages.threshold, decisions.summaries.threshold))
        unseen += detections_of([one for one in examples if one.fold == fold], decisions)
    fitted = fit_decisions(examples, lengthened)
    # The middle of what the folds chose: unlike a choice on all examples, it rests on several.
    passages, summaries = (float(np.median(column)) for column in zip(*thresholds, strict=True))
    made = Decisions(
        replace(fitted.passages, threshold=passages), replace(fitted.summaries, threshold=summaries), ""
    )
    digest = hashlib.sha256(json.dumps(made.as_json(), sort_keys=True).encode()).hexdigest()[:8]
    made = replace(made, fitted_to=f"{path.name}, {len(corpus.pairs)} pairs, {digest}")
    facts = {"corpus": path.name, "pairs": len(corpus.pairs), "lengthened": len(lengthened)}
    facts |= {"folds": folds, "seed": seed, "penalties": [PENALTY, SUMMARY_PENALTY], "version": __version__}
    facts |= {"thresholds_of_folds": thresholds, "cross_validated": _figures(_score(corpus, truth, unseen))}
    return ParameterFile("stemmata", parameters_of(StemmataAligner(decisions=made)), made.as_json(), facts)


def _about(cases: Annotations, suspicious: set[str]) -> Annotations:
    return Annotations.of(case for case in cases.cases if case.suspicious.document in suspicious)


def _score(corpus: Corpus, truth: AnnotationFiles, detections: list[Detection]) -> AlignmentResult:
    lengths = Lengths(
        DocumentFolder(corpus.suspicious).lengths(mine for mine, _ in corpus.pairs),
        DocumentFolder(corpus.source).lengths(theirs for _, theirs in corpus.pairs),
    )
    groups = {folder: pairs for folder, pairs in truth.pairs.items() if folder}
    by = "folder" if groups else None
    made = Annotations.of(detections)
    return score_alignment(truth.annotations, made, lengths=lengths, by=by, folder_pairs=groups or None)


def _figures(result: AlignmentResult) -> dict[str, dict[str, float]]:
    keys = ("macro.plagdet", "normalized.macro.plagdet", "macro.precision", "macro.recall", "granularity")
    parts = {"whole": result.scores, **(result.by or {})}
    return {
        name: {key: round(scores.values[key], 4) for key in keys}
        for name, scores in parts.items()
        if scores.cases
    }


if __name__ == "__main__":
    train(Path(sys.argv[1])).write(PARAMETERS)
