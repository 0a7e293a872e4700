"""What each step of `stemmata` contributes: plagdet without it, its decisions fitted anew each time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import numpy as np

from benchmarks.tables import show
from stemmata.formats import DocumentFolder, read_cases
from stemmata.measures.evaluation import score_alignment
from stemmata.model import Annotation, Annotations, Case, Detection, Document, Pair
from stemmata.reuse.detection import Corpus
from stemmata.reuse.parameters import Example
from stemmata.reuse.parts.sentence_terms import numbered
from stemmata.reuse.statistical import aligner as steps
from stemmata.reuse.statistical import decision, evidence, refinement, training
from stemmata.reuse.statistical.aligner import StemmataAligner
from stemmata.reuse.statistical.boundaries import find_boundaries
from stemmata.reuse.tuning.folds import document_folds, sample_pairs

FOLDS = 3
PAIRS = 1500
QUICK_PAIRS = 300
Variant = tuple[Callable[[StemmataAligner], StemmataAligner], Callable[[], AbstractContextManager[object]]]


def run(quick: bool) -> None:
    """Print macro plagdet by kind for the whole and without each step, cross-validated."""
    folder = Path(os.environ.get("STEMMATA_DATA") or Path.home() / ".cache" / "stemmata-data")
    corpus = folder / "pan13-alignment-train"
    if not corpus.is_dir():
        print("\nAblation: set STEMMATA_DATA to the folder that holds pan13-alignment-train")
        return
    examples, folds, kinds = _examples(corpus, QUICK_PAIRS if quick else PAIRS)
    rows = []
    for name, (changed, context) in VARIANTS.items():
        with context():
            found = _cross_validated(changed(StemmataAligner()), examples, folds)
        cases = [case for _, some in examples for case in some]
        rows.append(
            (name, *(_plagdet(cases, found, pairs) for pairs in kinds.values()), _plagdet(cases, found))
        )
        training._proposed.cache_clear()
    show(
        "What each step contributes",
        ("", *kinds, "entire"),
        rows,
        f"Macro plagdet on {len(examples):,} pairs of PAN13, {FOLDS} folds without a common document; "
        "decisions and thresholds come from the other folds.",
    )


def _plagdet(
    cases: Sequence[Annotation], found: Sequence[Annotation], pairs: Iterable[object] | None = None
) -> str:
    """Return macro plagdet, of some pairs alone if they are given."""
    chosen = None if pairs is None else set(pairs)
    sides = [
        [
            one
            for one in some
            if chosen is None or (one.source and (one.suspicious.document, one.source.document) in chosen)
        ]
        for some in (cases, found)
    ]
    result = score_alignment(Annotations.of(sides[0]), Annotations.of(sides[1]))
    return f"{result.scores.values['macro.plagdet']:.3f}"


def _examples(path: Path, most: int) -> tuple[list[Example], list[int], dict[str, list[tuple[str, str]]]]:
    corpus, truth = Corpus.open(path), read_cases(path)
    pairs = sample_pairs(corpus.pairs, most, seed=1)
    folders = DocumentFolder(corpus.suspicious), DocumentFolder(corpus.source)
    made = [Pair(folders[0][mine], folders[1][theirs]) for mine, theirs in pairs]
    texts = {one.name: one.text for pair in made for one in (pair.suspicious, pair.source)}
    cases: dict[tuple[str, str], dict[Case, None]] = {}
    for case in truth.annotations.cases:
        if case.source is not None:
            plain = Case(case.suspicious, case.source)
            cases.setdefault((case.suspicious.document, case.source.document), {})[plain] = None
    examples = [(pair, tuple(cases.get(key, ()))) for pair, key in zip(made, pairs, strict=True)]
    chosen = set(pairs)
    kinds = {
        folder: [pair for pair in some if pair in chosen]
        for folder, some in truth.pairs.items()
        if folder not in ("", "all", "01-no-plagiarism")
    }
    return examples, document_folds(pairs, texts, FOLDS, seed=1).tolist(), kinds


def _cross_validated(aligner: StemmataAligner, examples: list[Example], folds: list[int]) -> list[Detection]:
    found: list[Detection] = []
    for fold in range(FOLDS):
        known = [one for one, number in zip(examples, folds, strict=True) if number != fold]
        decisions = training.learn(aligner, known)
        unseen = [
            training._judged(aligner, one)
            for one, number in zip(examples, folds, strict=True)
            if number == fold
        ]
        found += training.detections_of(unseen, decisions, aligner)
    return found


def _same(aligner: StemmataAligner) -> StemmataAligner:
    return aligner


@contextmanager
def _without_stems() -> Iterator[None]:
    def words(document: Document) -> evidence.WordSequence:
        found = evidence.analyse(document).words
        types, numbers = numbered(found.forms)
        telling = np.array([len(form) > 1 for form in numbers], dtype=bool)
        ends = find_boundaries(document.text, found.start, found.end)
        return evidence.WordSequence(numbers, types, telling, ends)

    with patch.object(evidence, "words_of", words):
        yield


VARIANTS: dict[str, Variant] = {
    "everything": (_same, nullcontext),
    "without one-to-one credit": (
        _same,
        lambda: patch.object(refinement, "_surplus", lambda *_: np.zeros(0, dtype=np.int64)),
    ),
    "without summaries": (
        lambda one: replace(one, summaries=replace(one.summaries, most=0)),
        nullcontext,
    ),
    "without short copies": (
        lambda one: replace(one, runs=replace(one.runs, surprise=float("inf"))),
        nullcontext,
    ),
    "without picked sentences": (
        lambda one: replace(one, picking=replace(one.picking, least=10**6)),
        nullcontext,
    ),
    "without the bonus for sentence and line ends": (
        lambda one: replace(
            one,
            refinement=replace(one.refinement, sentence_bonus=0.0, line_bonus=0.0),
            summaries=replace(one.summaries, sentence_bonus=0.0, line_bonus=0.0),
        ),
        nullcontext,
    ),
    "without context": (
        lambda one: replace(one, refinement=replace(one.refinement, alone=1.0, together=0.0)),
        nullcontext,
    ),
    "without merging": (
        lambda one: replace(one, merging=replace(one.merging, gap=-(10**6), source_gap=-(10**6))),
        nullcontext,
    ),
    "without equal words added at the ends": (
        _same,
        lambda: patch.object(steps, "extend_over_equal_words", lambda _, block: block),
    ),
    "without stems": (_same, _without_stems),
    "decision without products of features": (
        _same,
        lambda: patch.object(
            decision, "expand", lambda values: np.clip(values, -decision.FARTHEST, decision.FARTHEST)
        ),
    ),
}
"""Each a change of the parameters, or of a step itself."""
