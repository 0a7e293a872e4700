"""The degree of reuse: whether the share that a detector finds grows with what writers were told to take."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy.stats import kendalltau, pearsonr, spearmanr

from benchmarks.available import available_detectors
from benchmarks.tables import MET, show
from stemmata.formats import read_detections
from stemmata.formats.clough09 import LEVELS, ShortAnswer, read_clough09, write_clough09
from stemmata.model import Document, Pair
from stemmata.model.documents import document_key
from stemmata.reports.evidence import Evidence, gather_evidence
from stemmata.reuse.detection import Corpus, detect
from stemmata.reuse.statistical.aligner import StemmataAligner
from stemmata.text.words import find_words

TARGET = 0.85
"""Rank correlation of the share that `stemmata` finds reused with the level."""
RUNS_OF_WORDS = (1, 3, 5, 8)


def run(quick: bool) -> None:
    """Print correlations and the mean share of each level for every detector."""
    folder = Path(os.environ.get("STEMMATA_DATA") or Path.home() / ".cache" / "stemmata-data") / "clough09"
    if not folder.is_dir():
        print("\nShort answers: set STEMMATA_DATA to the folder that holds clough09")
        return
    answers = read_clough09(folder)
    with tempfile.TemporaryDirectory() as made:
        corpus = Path(made) / "corpus"
        write_clough09(corpus, answers)
        found = {name: detected(corpus, name) for name in available_detectors()}
        ours = found["stemmata"]
        rows = [
            row
            for name, evidence in found.items()
            for row in (
                _row(name, reused_shares(evidence, answers), answers),
                _row(f"{name}, equal words", equal_shares(evidence, answers), answers),
                _row(f"{name}, word for word", kept_shares(evidence, answers), answers),
            )
        ]
    rows += [
        _row(f"(in runs of {n} words)", [verbatim_share(one, n) for one in answers], answers)
        for n in RUNS_OF_WORDS
    ]
    copied_whole = [
        1.0 if one.category == "cut" else share
        for one, share in zip(answers, reused_shares(ours, answers), strict=True)
    ]
    rows.append(_row("(stemmata, and all of cut answers)", copied_whole, answers))
    rows.append(_row("(stemmata, other answers as sources too)", shares_among(answers), answers))
    rows.append(_row("(everything found)", [float(one.level > 0) for one in answers], answers))
    show(
        "Share reused by level",
        ("detector", "Spearman", "Kendall", "Pearson", *LEVELS, "target", ""),
        rows,
        f"{len(answers)} short answers (Clough and Stevenson, 2011); levels {', '.join(LEVELS)} as 0 to 3. "
        "In brackets no detectors: words in runs that the original has too, and whole answers, found or not.",
    )
    elsewhere = [
        (one.pair.suspicious.name, elsewhere_share(one, answers)) for one in answers if one.level > 0
    ]
    print("Words in runs of eight that other answers have and the original has not, where a tenth or more:")
    print(", ".join(f"{name} {share:.2f}" for name, share in elsewhere if share >= 0.1))


def detected(corpus: Path, detector: str) -> Evidence:
    """Detect in a corpus and gather what the report of evidence shows."""
    folder = corpus.parent / detector
    detect(Corpus.open(corpus), detector, folder)
    return gather_evidence(corpus, read_detections(folder), limit=0)


def reused_shares(evidence: Evidence, answers: Sequence[ShortAnswer]) -> list[float]:
    """Return the share of each answer that lies in a detection, as the report of evidence has it."""
    return [evidence.share(document_key(one.pair.suspicious.name)) for one in answers]


def equal_shares(evidence: Evidence, answers: Sequence[ShortAnswer]) -> list[float]:
    """Return the same share, each detection counted by the share of its words that are equal, in order."""
    equal: dict[str, float] = {}
    for pair in evidence.pairs:
        for passage in pair.passages:
            share = passage.kept / max(1, passage.words)
            said = equal.get(pair.suspicious, 0.0)
            equal[pair.suspicious] = said + share * passage.suspicious.length
    names = [document_key(one.pair.suspicious.name) for one in answers]
    return [equal.get(name, 0.0) / max(1, evidence.suspicious[name].length) for name in names]


def kept_shares(evidence: Evidence, answers: Sequence[ShortAnswer]) -> list[float]:
    """Return the share of the words in an answer's detections that were kept: how closely, not how much."""
    return [evidence.word_for_word(document_key(one.pair.suspicious.name)) for one in answers]


def verbatim_share(answer: ShortAnswer, n: int) -> float:
    """Return the share of an answer's words that stand in runs of `n` which the original has too."""
    return float(_in_runs(answer.pair.suspicious, [answer.pair.source], n).mean())


def shares_among(answers: Sequence[ShortAnswer]) -> list[float]:
    """Return the share of each answer that our aligner finds in the original or in other answers."""
    aligner = StemmataAligner()
    shares = []
    for answer in answers:
        own = answer.pair.suspicious
        others = [one.pair.suspicious for one in answers if one.task == answer.task and one is not answer]
        covered = np.zeros(len(own.text), dtype=bool)
        for source in (answer.pair.source, *others):
            for found in aligner.align(Pair(own, source)):
                start = found.suspicious.offset
                covered[start : start + found.suspicious.length] = True
        shares.append(float(covered.mean()))
    return shares


def elsewhere_share(answer: ShortAnswer, answers: Sequence[ShortAnswer], n: int = 8) -> float:
    """Return the share of an answer's words in runs of `n` which other answers have and the original has not.

    So many words in a row are hardly written twice by chance: these writers had a text that is not here.
    """
    own = answer.pair.suspicious
    others = [one.pair.suspicious for one in answers if one.task == answer.task and one is not answer]
    return float((_in_runs(own, others, n) & ~_in_runs(own, [answer.pair.source], n)).mean())


def _in_runs(document: Document, others: Sequence[Document], n: int) -> np.ndarray:
    """Return which words of a document stand in runs of `n` that one of the others has too."""
    known = set[tuple[str, ...]]()
    for other in others:
        forms = find_words(other.text).forms
        known |= {tuple(forms[i : i + n]) for i in range(len(forms) - n + 1)}
    words = find_words(document.text).forms
    covered = np.zeros(len(words), dtype=bool)
    for i in range(len(words) - n + 1):
        if tuple(words[i : i + n]) in known:
            covered[i : i + n] = True
    return covered


def _row(name: str, shares: Sequence[float], answers: Sequence[ShortAnswer]) -> tuple[str, ...]:
    levels = np.array([one.level for one in answers])
    found = np.array(shares)
    # The correlation with shares that are all the same is not defined.
    figures = [
        float(measure(found, levels)[0]) if found.std() else 0.0
        for measure in (spearmanr, kendalltau, pearsonr)
    ]
    means = [found[levels == level].mean() for level in LEVELS.values()]
    ours = name == "stemmata"
    return (
        name,
        *(f"{figure:.3f}" for figure in (*figures, *means)),
        f">= {TARGET}" if ours else "",
        MET[figures[0] >= TARGET] if ours else "",
    )
