"""Detectors on texts that none was fitted to: another language, another genre, and documents of any length.

One thing is not unseen: when `stemmata` joins picked sentences was chosen on other draws from the novels.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from benchmarks.measuring import MEGABYTE, forget_peak_memory, in_fresh_process, peak_memory, timed
from benchmarks.tables import factors, show
from stemmata.formats import DocumentFolder, read_cases
from stemmata.measures.evaluation import score_alignment
from stemmata.model import Aligner, Annotations, Case, Detection, Document, Pair, Passage
from stemmata.reuse import detectors
from stemmata.rewriting import Scene
from stemmata.rewriting.random_operations import RandomOperations
from stemmata.text.sentences import find_sentences

DETECTORS = ("pan-baseline", "sanchez-perez-2014", "sanchez-perez-2015", "zubarev-2017", "stemmata")
SEED = 13
SENTENCES = 160
"""Sentences of a document made from a novel."""
DISTURBED = RandomOperations(share=0.6)
"""How much is shuffled, removed, inserted and replaced."""
LENGTHS = (1_000, 3_000, 10_000, 30_000, 100_000)

Make = Callable[[list[str], list[str], Generator], str]
"""What the sentences of a source become in the host, whose words are given too."""


class Reused(NamedTuple):
    """A kind of reuse: how it is written, and how many sentences of the source go in."""

    make: Make
    sentences: int


def run(quick: bool) -> None:
    """Print plagdet of the detectors on both corpora, and CPU and memory over the length of documents."""
    folder = Path(os.environ.get("STEMMATA_DATA") or Path.home() / ".cache" / "stemmata-data")
    aligners = {name: detectors[name]() for name in DETECTORS}
    if (folder / "indonesian-pan11").is_dir():
        _show_indonesian(folder / "indonesian-pan11", aligners)
    if not (folder / "novels100").is_dir():
        print("There are no novels; set STEMMATA_DATA to the folder that holds novels100.")
        return
    novels = Novels(folder / "novels100")
    _show_novels(novels, aligners, 3 if quick else 12)
    _show_growth(folder / "novels100", LENGTHS[:3] if quick else LENGTHS)


class Novels:
    """Sentences of novels, drawn by chapters of a novel that was not drawn before."""

    def __init__(self, folder: Path) -> None:
        self._paths = sorted(folder.glob("*.txt"))

    def draw(self, rng: Generator, authors: int, sentences: int) -> list[list[str]]:
        """Return consecutive sentences of novels by different authors."""
        by_author: dict[str, list[Path]] = {}
        for path in self._paths:
            by_author.setdefault(path.name.split("_")[0], []).append(path)
        names = rng.choice(sorted(by_author), size=authors, replace=False)
        return [
            self._part(by_author[name][int(rng.integers(len(by_author[name])))], rng, sentences)
            for name in names
        ]

    @staticmethod
    def _part(path: Path, rng: Generator, sentences: int) -> list[str]:
        text = " ".join(path.read_text("utf-8-sig", errors="replace").split())
        start = int(rng.integers(len(text) // 2))
        part = text[start : start + 400 * sentences]
        begin, end = find_sentences(part)
        return [part[a:b] for a, b in zip(begin[1 : sentences + 1], end[1 : sentences + 1], strict=True)]


def _copied(passage: list[str], host: list[str], rng: Generator) -> str:
    return " ".join(passage)


def _disturbed(passage: list[str], host: list[str], rng: Generator) -> str:
    return DISTURBED.rewrite(" ".join(passage), Scene(rng, host=tuple(host))).text


def _summarised(passage: list[str], host: list[str], rng: Generator) -> str:
    """Pick every fifth sentence, and of its words three in four."""
    return " ".join(
        " ".join(word for word in one.split() if rng.random() < 0.75)
        for one in passage[int(rng.integers(5)) :: 5]
    )


KINDS = {
    "copied": Reused(_copied, 6),
    "disturbed": Reused(_disturbed, 8),
    "summarised": Reused(_summarised, 60),
}


def _show_novels(novels: Novels, aligners: dict[str, Aligner], pairs: int) -> None:
    rng = np.random.default_rng(SEED)
    tests = {kind: [_make(novels, [kind] * 2, rng) for _ in range(pairs)] for kind in KINDS}
    tests["all three"] = [_make(novels, list(KINDS), rng) for _ in range(pairs)]
    nothing = [_make(novels, [], rng) for _ in range(pairs)]
    tests["together"] = [one for made in tests.values() for one in made] + nothing
    rows = [
        (name, *(f"{_plagdet(_align(aligner, made), made):.3f}" for made in tests.values()))
        for name, aligner in aligners.items()
    ]
    show(
        "Novels",
        ("plagdet of", *tests),
        rows,
        f"{pairs} pairs of each kind and {pairs} without reuse; novels of the 19th and 20th century, "
        f"{SENTENCES} sentences a document.",
    )


class Made(NamedTuple):
    """A pair, and what is reused in it."""

    pair: Pair
    cases: list[Case]


def _make(novels: Novels, kinds: list[str], rng: Generator) -> Made:
    """Put passages of one novel into another, in places of the host that are far apart."""
    host, source = novels.draw(rng, 2, SENTENCES)
    name = f"{rng.integers(1 << 40)}.txt"
    starts = np.concatenate([[0], np.cumsum([len(one) + 1 for one in source])])
    words = " ".join(host).split()
    room = len(source) // max(1, len(kinds))
    text, cases = "", []
    for number, kind in enumerate(rng.permutation(kinds).tolist()):
        place = len(host) // (len(kinds) + 1)
        text += " ".join(host[number * place : (number + 1) * place]) + " "
        length = min(KINDS[kind].sentences, room)
        first = number * room + int(rng.integers(room - length + 1))
        written = KINDS[kind].make(source[first : first + length], words, rng)
        offset, end = int(starts[first]), int(starts[first + length]) - 1
        cases.append(
            Case(
                Passage("suspicious-" + name, len(text), len(written)),
                Passage("source-" + name, offset, end - offset),
            )
        )
        text += written + " "
    text += " ".join(host[len(kinds) * (len(host) // (len(kinds) + 1)) :])
    return Made(
        Pair(Document("suspicious-" + name, text), Document("source-" + name, " ".join(source))), cases
    )


def _align(aligner: Aligner, made: list[Made]) -> list[Detection]:
    return [found for one in made for found in aligner.align(one.pair)]


def _plagdet(found: list[Detection], made: list[Made]) -> float:
    cases = Annotations.of(case for one in made for case in one.cases)
    return score_alignment(cases, Annotations.of(found)).scores.values["macro.plagdet"]


def _show_indonesian(folder: Path, aligners: dict[str, Aligner]) -> None:
    suspicious = DocumentFolder(folder / "suspicious-documents")
    source = DocumentFolder(folder / "source-documents")
    cases = [one for one in read_cases(folder / "suspicious-documents").annotations.cases if one.source]
    pairs = sorted({(one.suspicious.document, one.source.document) for one in cases if one.source})
    keys = ("macro.plagdet", "macro.precision", "macro.recall", "granularity")
    rows = []
    for name, aligner in aligners.items():
        seconds, found = timed(
            lambda: [
                one
                for mine, theirs in pairs
                for one in aligner.align(Pair(suspicious[mine], source[theirs]))  # noqa: B023
            ]
        )
        values = score_alignment(Annotations.of(cases), Annotations.of(found)).scores.values
        rows.append((name, *(f"{values[key]:.3f}" for key in keys), f"{seconds:.1f}"))
    show(
        "Indonesian",
        ("detector", "plagdet", "precision", "recall", "granularity", "CPU s"),
        rows,
        f"{len(cases)} cases in {len(pairs)} pairs of documents; a language without a package.",
    )


def _show_growth(folder: Path, lengths: tuple[int, ...]) -> None:
    measured = [in_fresh_process(_measure, folder, words) for words in lengths]
    rows = [
        (f"{words:,}", f"{seconds:.2f}", factor, f"{memory / MEGABYTE:,.0f}", f"{found} of 4")
        for words, (seconds, memory, found), factor in zip(
            lengths, measured, factors([seconds for seconds, _, _ in measured]), strict=True
        )
    ]
    show(
        "Long documents",
        ("words of either document", "CPU s", "", "peak memory (MB)", "passages found"),
        rows,
        "`stemmata`, analysis included; two copies and two disturbed passages in each.",
    )


def _measure(folder: Path, words: int) -> tuple[float, int, int]:
    """Return CPU seconds and peak memory for two documents of some words, and how many passages are found."""
    rng = np.random.default_rng(SEED)
    host, source = (_words(folder, rng, words) for _ in range(2))
    inserted = []
    for number, kind in enumerate(("copied", "disturbed") * 2):
        first = number * words // 4 + words // 20
        inserted.append(KINDS[kind].make(source[first : first + 120], host, rng).split())
    parts = [host[i * words // 5 : (i + 1) * words // 5] for i in range(5)]
    text, places = "", []
    for part, passage in zip(parts, [*inserted, []], strict=True):
        text += " ".join(part) + " "
        places.append(len(text) + len(" ".join(passage)) // 2)
        text += " ".join(passage) + " "
    pair = Pair(Document("suspicious", text), Document("source", " ".join(source)))
    aligner = detectors["stemmata"]()
    forget_peak_memory()
    seconds, found = timed(lambda: aligner.align(pair))
    hit = sum(
        any(
            one.suspicious.offset <= place < one.suspicious.offset + one.suspicious.length
            and one.source is not None
            and one.source.length < 3 * one.suspicious.length
            for one in found
        )
        for place in places[:4]
    )
    return seconds, peak_memory(), hit


def _words(folder: Path, rng: Generator, words: int) -> list[str]:
    paths = sorted(folder.glob("*.txt"))
    return list(_stream(paths, rng, words))


def _stream(paths: list[Path], rng: Generator, words: int) -> Iterator[str]:
    for number in rng.permutation(len(paths)):
        found = paths[number].read_text("utf-8-sig", errors="replace").split()[:words]
        yield from found
        words -= len(found)
        if words <= 0:
            return
