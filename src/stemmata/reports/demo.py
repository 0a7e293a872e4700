"""The demonstration: a corpus, three runs of one detector, their scores, and a report to read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote

import numpy as np

from stemmata.corpora.demo import KINDS, build_demo_corpus
from stemmata.formats import AnnotationFiles, DocumentFolder, read_cases, read_detections
from stemmata.formats.outputs import OutputFolder
from stemmata.formats.pan_xml import write_pan_xml
from stemmata.formats.records import Making
from stemmata.measures.catalogue import measures
from stemmata.measures.definition import signature
from stemmata.measures.evaluation import AlignmentResult, Confidence, Scores, score_alignment
from stemmata.measures.significance import Comparison, compare_runs
from stemmata.measures.statistics import Alignment, Lengths
from stemmata.model import Pair
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
from stemmata.reuse.published.shingles import Shingles

SETTINGS: Mapping[str, Shingles] = {
    "cautious": Shingles(n=8, unordered=False, gap=50, min_length=100),
    "balanced": Shingles(n=5, unordered=True, gap=100, min_length=150),
    "eager": Shingles(n=3, unordered=True, gap=150, min_length=200),
}
"""One detector, three tempers, chosen on corpora of this kind so that each is best at something."""

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
    runs: Mapping[str, AlignmentResult]
    comparisons: Sequence[Comparison]
    comparison_signature: str


@dataclass(frozen=True)
class _Corpus:
    truth: AnnotationFiles
    sources: int
    pairs: Mapping[str, list[Pair]]
    lengths: Lengths


def run_demo(folder: Path, seed: int, progress: Callable[[str], None], overwrite: bool = False) -> DemoResult:
    """Build a corpus, detect reuse in it three ways, score and compare the runs, and write a report.

    Parameters
    ----------
    folder
        Receives ``corpus/``, ``runs/`` and ``report.html``; an earlier demonstration is replaced.
    seed
        Of the corpus; resampling has its own, the one ``stemmata score`` starts from.
    progress
        Is told what happens next, in a few words.
    overwrite
        Whether a demonstration of another seed is replaced.
    """
    out = OutputFolder.claim(folder, Making("demonstration", {"seed": seed}), overwrite)
    with out.filled() as part:
        made = _make(part, out.path.name, seed, progress)
    return replace(made, report=folder / made.report.name)


def _make(folder: Path, title: str, seed: int, progress: Callable[[str], None]) -> DemoResult:
    progress("Writing a corpus")
    build_demo_corpus(folder / "corpus", seed)
    corpus = _read_corpus(folder / "corpus")
    for name, detector in SETTINGS.items():
        progress(f"Detecting reuse: {name}")
        found = (one for pair in _all_pairs(corpus) for one in detector.align(pair))
        write_pan_xml(folder / "runs" / name, found, pairs=corpus.truth.pairs[""])
    # Scored from their files, as anybody else's would be.
    made = {name: read_detections(folder / "runs" / name) for name in SETTINGS}

    progress("Scoring and comparing the runs")
    scored = {name: _score(corpus, run) for name, run in made.items()}
    ranked = dict(sorted(scored.items(), key=lambda item: (-item[1].scores.values[MEASURE], item[0])))
    matched = {
        name: Alignment(corpus.truth.annotations, made[name].annotations, corpus.lengths) for name in ranked
    }
    rng = np.random.default_rng(TEST_SEED)
    comparisons = compare_runs(matched, [measures[MEASURE]], rng, PERMUTATIONS)
    test = {"test": f"paired-permutation-{PERMUTATIONS}", "correction": "holm", "seed": TEST_SEED}
    result = DemoResult(
        folder / "report.html", ranked, comparisons, signature("alignment", alpha=1.0, **test)
    )

    progress("Writing the report")
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
        runs=[_run_row(name, run.scores) for name, run in result.runs.items()],
        comparisons=[
            ComparisonRow(c.first, c.second, c.difference, c.p, c.p_holm) for c in result.comparisons
        ],
        breakdown=[_breakdown_row(kind.folder, result.runs) for kind in KINDS],
        passages=[_typical_passage(part, title, corpus, best) for part, title in _TITLES.items()],
        commands=_commands(folder, seed, list(result.runs)),
        signature=first.signature,
        comparison_signature=result.comparison_signature,
    )


def _run_row(name: str, scores: Scores) -> RunRow:
    detector = SETTINGS[name]
    order = "in any order" if detector.unordered else "in order"

    def estimate(key: str) -> Estimate:
        interval = scores.intervals[key]
        return Estimate(scores.values[key], interval.low, interval.high)

    return RunRow(
        name,
        f"{detector.n} shared words {order}, gaps up to {detector.gap}, length from {detector.min_length}",
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
