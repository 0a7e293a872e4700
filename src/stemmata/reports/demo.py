"""The reuse part of the demonstration: a corpus, runs over it, their scores, and two pages to read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

import numpy as np

from stemmata.corpora.demo import KINDS, build_demo_corpus
from stemmata.formats import AnnotationFiles, DocumentFolder, read_cases, read_detections
from stemmata.formats.pan_xml import write_pan_xml
from stemmata.measures.catalogue import measures
from stemmata.measures.definition import signature
from stemmata.measures.evaluation import AlignmentResult, Confidence, Scores, score_alignment
from stemmata.measures.significance import Comparison, compare_runs
from stemmata.measures.statistics import Alignment, Lengths
from stemmata.model import Aligner, Pair
from stemmata.reports.evidence import gather_evidence
from stemmata.reports.evidence_page import evidence_page
from stemmata.reports.html import (
    BreakdownCell,
    BreakdownRow,
    Commands,
    ComparisonRow,
    DemoReport,
    Estimate,
    PassageView,
    RunRow,
    write_demo_report,
)
from stemmata.reports.passages import Mark, Pane, fold, mark_pair
from stemmata.reuse.asking import align
from stemmata.reuse.parameters import make_aligner
from stemmata.reuse.published.shingles import Shingles

SETTINGS: Mapping[str, Shingles] = {
    "cautious": Shingles(n=8, unordered=False, gap=50, min_length=100),
    "balanced": Shingles(n=5, unordered=True, gap=100, min_length=150),
    "eager": Shingles(n=3, unordered=True, gap=150, min_length=200),
}
"""One plain detector, three tempers: what more caution costs in recall, less costs in precision."""
OURS = "stemmata"
"""The detector that is the default everywhere, as it comes."""
RUNS = (OURS, *SETTINGS)
SCORES_PAGE, EVIDENCE_PAGE = "scores.html", "who-copied-it.html"
BRIEF = 60
"""Characters beside a mark on the front page."""
EVIDENCE_PAIRS = 24
"""So many pairs are shown with their texts, those with most reuse."""

MEASURE = "macro.plagdet"
PERMUTATIONS = 10_000
TEST_SEED = 1

_TITLES = {
    "02-no-obfuscation": "Copied word for word",
    "03-random-obfuscation": "Words shuffled, removed and replaced",
    "04-summary-obfuscation": "Summarised",
}


@dataclass(frozen=True)
class DemoResult:
    """What the demonstration made; runs are in the order of their rank."""

    report: Path
    evidence: Path
    runs: Mapping[str, AlignmentResult]
    comparisons: Sequence[Comparison]
    comparison_signature: str
    shown: PassageView
    """A pair of documents with little reuse, as our own detector saw them."""


@dataclass(frozen=True)
class _Corpus:
    truth: AnnotationFiles
    sources: int
    pairs: Mapping[str, list[Pair]]
    lengths: Lengths


def demonstrate_reuse(folder: Path, title: str, seed: int, progress: Callable[[str], None]) -> DemoResult:
    """Build a corpus, detect reuse in it four ways, score and compare the runs, and write their pages.

    Parameters
    ----------
    folder
        Receives ``corpus/``, ``runs/`` and the pages.
    title
        What the folder will be called.
    seed
        Of the corpus; resampling has its own, the one ``stemmata score`` starts from.
    progress
        Is told what happens next, in a few words.
    """
    progress("Writing a corpus")
    build_demo_corpus(folder / "corpus", seed)
    corpus = _read_corpus(folder / "corpus")
    for name in RUNS:
        progress(f"Detecting reuse: {name}")
        detector: Aligner = SETTINGS[name] if name in SETTINGS else make_aligner(name)
        found = (one for pair in _all_pairs(corpus) for one in align(name, detector, pair))
        write_pan_xml(folder / "runs" / name, found, pairs=corpus.truth.pairs[""])
    # Scored from their files, as anybody else's would be.
    made = {name: read_detections(folder / "runs" / name) for name in RUNS}

    progress("Scoring and comparing the runs")
    scored = {name: _score(corpus, run) for name, run in made.items()}
    ranked = dict(sorted(scored.items(), key=lambda item: (-item[1].scores.values[MEASURE], item[0])))
    matched = {
        name: Alignment(corpus.truth.annotations, made[name].annotations, corpus.lengths) for name in ranked
    }
    rng = np.random.default_rng(TEST_SEED)
    comparisons = compare_runs(matched, [measures[MEASURE]], rng, PERMUTATIONS)
    test = {"test": f"paired-permutation-{PERMUTATIONS}", "correction": "holm", "seed": TEST_SEED}
    part, title = "03-random-obfuscation", _TITLES["03-random-obfuscation"]
    result = DemoResult(
        folder / SCORES_PAGE,
        folder / EVIDENCE_PAGE,
        ranked,
        comparisons,
        signature("alignment", alpha=1.0, **test),
        _shortest_passage(part, title, corpus, made[OURS]),
    )

    progress("Writing the evidence")
    truth = read_cases(folder / "corpus")
    evidence = gather_evidence(folder / "corpus", made[OURS], truth, EVIDENCE_PAIRS)
    result.evidence.write_text(evidence_page(evidence), encoding="utf-8", newline="\n")
    best = made[next(iter(ranked))]
    write_demo_report(result.report, _report(corpus, result, best, quote(title), seed))
    return result


def _read_corpus(folder: Path) -> _Corpus:
    truth = read_cases(folder)
    suspicious, sources = DocumentFolder(folder / "susp"), DocumentFolder(folder / "src")
    pairs = {
        part: [Pair(suspicious[mine], sources[theirs]) for mine, theirs in listed]
        for part, listed in truth.pairs.items()
        if part
    }
    every = [pair for part in pairs.values() for pair in part]
    lengths = Lengths(
        {pair.suspicious.name: len(pair.suspicious) for pair in every},
        {pair.source.name: len(pair.source) for pair in every},
    )
    return _Corpus(truth, len({*sources.paths.values()}), pairs, lengths)


def _all_pairs(corpus: _Corpus) -> Iterator[Pair]:
    return (pair for part in corpus.pairs.values() for pair in part)


def _score(corpus: _Corpus, run: AnnotationFiles) -> AlignmentResult:
    return score_alignment(
        corpus.truth.annotations,
        run.annotations,
        lengths=corpus.lengths,
        pairs=corpus.truth.all_pairs,
        by="folder",
        folder_pairs=corpus.truth.pairs,
        confidence=Confidence(),
    )


def _report(corpus: _Corpus, result: DemoResult, best: AnnotationFiles, folder: str, seed: int) -> DemoReport:
    first = next(iter(result.runs.values()))
    return DemoReport(
        suspicious=len(corpus.lengths.suspicious),
        sources=corpus.sources,
        pairs=len(corpus.truth.pairs[""]),
        cases=first.scores.cases,
        runs=run_rows(result),
        comparisons=[
            ComparisonRow(c.first, c.second, c.difference, c.p, c.p_holm) for c in result.comparisons
        ],
        breakdown=[_breakdown_row(kind.folder, result.runs) for kind in KINDS],
        passages=[_typical_passage(part, title, corpus, best) for part, title in _TITLES.items()],
        commands=_commands(folder, seed, list(result.runs)),
        signature=first.signature,
        comparison_signature=result.comparison_signature,
    )


def run_rows(result: DemoResult) -> list[RunRow]:
    """Return the runs as rows of the ranking, the best first."""
    return [_run_row(name, run.scores) for name, run in result.runs.items()]


def _run_row(name: str, scores: Scores) -> RunRow:
    detector = SETTINGS.get(name)
    about = "our own detector, the default of every command, as it comes"
    if detector:
        order = "in any order" if detector.unordered else "in order"
        about = (
            f"{detector.n} shared words {order}, gaps up to {detector.gap}, length from {detector.min_length}"
        )

    def estimate(key: str) -> Estimate:
        interval = scores.intervals[key]
        return Estimate(scores.values[key], interval.low, interval.high)

    return RunRow(
        name,
        about,
        scores.detections,
        plagdet=estimate("macro.plagdet"),
        precision=estimate("macro.precision"),
        recall=estimate("macro.recall"),
        granularity=estimate("granularity"),
        normplagdet=estimate("normalized.macro.plagdet"),
    )


def _breakdown_row(part: str, runs: Mapping[str, AlignmentResult]) -> BreakdownRow:
    scores = [run.by[part] for run in runs.values() if run.by is not None]
    # Without cases every false alarm scores 0; fewer of them are still better.
    worth = [(one.values[MEASURE], -one.detections if not one.cases else 0) for one in scores]
    cells = [
        BreakdownCell(
            one.detections,
            one.values["macro.plagdet"],
            one.values["macro.precision"],
            one.values["macro.recall"],
            best=mine == max(worth),
        )
        for one, mine in zip(scores, worth, strict=True)
    ]
    return BreakdownRow(part, scores[0].cases, tuple(cells))


def _typical_passage(part: str, title: str, corpus: _Corpus, run: AnnotationFiles) -> PassageView:
    """Show the pair whose recall is in the middle of its part: neither the best nor the worst."""
    cases, detections = list(corpus.truth.annotations.cases), list(run.annotations.detections)
    marked = sorted(
        (mark_pair(pair, cases, detections) for pair in corpus.pairs[part]),
        key=lambda panes: (_recall(panes), panes[0].name, panes[1].name),
    )
    suspicious, source = marked[len(marked) // 2]
    return PassageView(title, fold(suspicious), fold(source), _recall((suspicious, source)))


def _shortest_passage(part: str, title: str, corpus: _Corpus, run: AnnotationFiles) -> PassageView:
    """Show the pair with the least text to read of those in which something was found."""
    cases, detections = list(corpus.truth.annotations.cases), list(run.annotations.detections)
    marked = [mark_pair(pair, cases, detections) for pair in corpus.pairs[part]]
    found = [panes for panes in marked if panes[0].characters(Mark.HIT)] or marked
    suspicious, source = min(found, key=lambda panes: (_marked(panes), panes[0].name, panes[1].name))
    recall = _recall((suspicious, source))
    return PassageView(title, fold(suspicious, BRIEF), fold(source, BRIEF), recall)


def _marked(panes: tuple[Pane, Pane]) -> int:
    return sum(pane.characters(mark) for pane in panes for mark in (Mark.HIT, Mark.MISSED, Mark.FALSE))


def _recall(panes: tuple[Pane, Pane]) -> float:
    hit, missed = (sum(pane.characters(mark) for pane in panes) for mark in (Mark.HIT, Mark.MISSED))
    return hit / (hit + missed) if hit else 0.0


def _commands(folder: str, seed: int, runs: list[str]) -> Commands:
    documents = "--susp corpus/susp --src corpus/src"
    return Commands(
        everything=f"stemmata demo {folder} --seed {seed}\ncd {folder}",
        ranking="\n".join(
            f"stemmata score alignment corpus runs/{run} {documents} --by folder --confidence 0.95"
            for run in runs
        ),
        comparisons=f"stemmata compare corpus {' '.join(f'runs/{run}' for run in runs)} --measure {MEASURE}",
    )
