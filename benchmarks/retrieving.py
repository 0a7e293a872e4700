"""Retrievers on collections in the shape of PlagEvalRus's first track: how well, how fast, and at what size.

Settings were chosen on texts with odd numbers; what is shown here is of those with even ones.
"""

from __future__ import annotations

import gc
import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks import retrieval_collection, russian_texts
from benchmarks.measuring import in_fresh_process
from benchmarks.retrieval_collection import Suspicious, fillers, read_suspicious
from benchmarks.room import working_room
from benchmarks.tables import MET, show
from stemmata.formats.collections import SourceDocument
from stemmata.measures.evaluation import score_alignment
from stemmata.measures.retrieval import score_retrieval
from stemmata.model import Aligner, Annotations, Case, Detection, Document, Pair, Passage, Ranking, Retriever
from stemmata.model.spans import Ints
from stemmata.reuse import detectors, retrievers
from stemmata.reuse.checking import Checked, Tell, check
from stemmata.reuse.checking_examination import Examination
from stemmata.reuse.index import Index, build
from stemmata.reuse.index.fingerprints import fingerprint
from stemmata.reuse.retrieval.candidates import Floats, by_fingerprints, usual_weight
from stemmata.reuse.retrieval.query import Query
from stemmata.reuse.retrieval.statistical import StemmataRetriever

KINDS = ("copied", "paraphrased")
FEWEST = 20
"""Sources that gave fewer words are neither right nor wrong."""
BARS = {
    "copied": {"map": 0.96, "recall": 0.98, "f1": 0.92},
    "paraphrased": {"map": 0.88, "recall": 0.93, "f1": 0.87},
}
BORROWED = (0, 10, 20, 50, 100)
"""Where classes of borrowed words begin."""
QUICK_TEXTS, QUICK_BASE = 40, 30
MILLION = 1_000_000
EXHAUSTIVE = 40
"""Texts of each kind for which every document is scored."""
COLD = 10
SAMPLE = 50
"""Documents by which it is seen whether an index is of today's making."""
SECONDS = 1.0
LOST = 0.01


def run(quick: bool) -> None:
    """Print what retrievers find in both collections, and what a check makes of it."""
    with working_room() as room:
        for language in _collections(room, quick):
            _show_language(room / language, language)


def run_million(quick: bool) -> None:
    """Print what it takes to ask a million documents, and what is lost against scoring all of them."""
    with working_room() as room:
        if "English" in _collections(room, quick):
            _show_million(room, 20_000 if quick else MILLION)


def _data() -> Path:
    return Path(os.environ.get("STEMMATA_DATA") or Path.home() / ".cache" / "stemmata-data")


# --- Collections ---------------------------------------------------------------------------------------


def _collections(room: Path, quick: bool) -> list[str]:
    """Make what collections can be made, with their indexes; return their languages."""
    made = []
    if (_data() / "novels100").is_dir() and (_data() / "pan13-alignment-train").is_dir():
        _make(room / "English", quick)
        made.append("English")
    else:
        print("\nRetrieving: set STEMMATA_DATA to the folder of novels100 and pan13-alignment-train")
    if os.environ.get("STEMMATA_RUSSIAN"):
        _make(room / "Russian", quick)
        made.append("Russian")
    else:
        print("\nRetrieving: set STEMMATA_RUSSIAN to where the packages of benchmarks/russian_texts.py are")
    return made


def _make(folder: Path, quick: bool) -> None:
    english = folder.name == "English"
    if not (folder / "paraphrased.jsonl").exists():
        read = retrieval_collection.texts_of if english else russian_texts.read
        base, hosts = read(_data() if english else Path(os.environ["STEMMATA_RUSSIAN"]))
        ways = retrieval_collection.english_paraphrases() if english else russian_texts.paraphrases()
        part = folder.with_suffix(".part")
        retrieval_collection.build(
            part,
            base[:QUICK_BASE] if quick else base,
            hosts,
            ways,
            texts=QUICK_TEXTS if quick else 600,
            language="en" if english else "ru",
        )
        part.rename(folder)
    if not (folder / "index" / "index.json").exists():
        build(folder / "index", _documents(folder))


def _documents(folder: Path) -> Iterator[SourceDocument]:
    with (folder / "documents.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            said = json.loads(line)
            yield SourceDocument(said["id"], said["text"])


def _opened(path: Path) -> Index:
    """Open an index; one that other code has made, with other fingerprints, finds little and says nothing."""
    index = Index.open(path)
    for number in index.numbers()[:: max(1, len(index) // SAMPLE)].tolist():
        prints = fingerprint([index.document(number).text])
        for kind, hashes in (("runs", prints.runs), ("skips", prints.skips)):
            found = index.lookup(kind, hashes)
            if len(np.unique(found.places[found.numbers == number])) < len(hashes):
                raise SystemExit(f"{path} was made with other fingerprints than today's: remove it")
    return index


def _reported(folder: Path, kind: str) -> list[Suspicious]:
    return read_suspicious(folder / f"{kind}.jsonl")[::2]


# --- Scores --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """What a retriever answered for some texts, and how many CPU and wall seconds each took."""

    rankings: list[Ranking]
    cpu: list[float]
    wall: list[float]


def retrieve(retriever: Retriever, texts: Iterable[Suspicious]) -> Outcome:
    """Ask for the sources of texts, one after the other."""
    made = Outcome([], [], [])
    for text in texts:
        cpu, wall = time.process_time(), time.perf_counter()
        made.rankings.append(retriever.retrieve(Document(text.name, text.text)))
        made.cpu.append(time.process_time() - cpu)
        made.wall.append(time.perf_counter() - wall)
    return made


def lent(text: Suspicious) -> dict[str, int]:
    """Return how many words each source gave to a text."""
    words: dict[str, int] = {}
    for one in text.borrowed:
        words[one.source] = words.get(one.source, 0) + one.words
    return words


def scores(texts: Sequence[Suspicious], rankings: Sequence[Ranking], fewest: int = 0) -> Mapping[str, float]:
    """Score rankings; sources that gave fewer words than some count neither way."""
    truth, run = {}, {}
    for text, ranking in zip(texts, rankings, strict=True):
        words = lent(text)
        truth[text.name] = [source for source, count in words.items() if count >= fewest]
        run[text.name] = [source for source in ranking.names if words.get(source, fewest) >= fewest]
    return score_retrieval(truth, run).values


def _quality(values: Mapping[str, float]) -> list[str]:
    return [f"{values[key]:.3f}" for key in ("map", "precision", "recall", "f1")]


def _show_language(folder: Path, language: str) -> None:
    index = _opened(folder / "index")
    quality, found, met = [], [], []
    for kind in KINDS:
        texts = _reported(folder, kind)
        for name in sorted(retrievers, key=lambda name: name != "stemmata"):
            retriever = retrievers[name](index)
            retrieve(retriever, texts[:1])
            done = retrieve(retriever, texts)
            large = scores(texts, done.rankings, FEWEST)
            work = [
                np.mean([getattr(one, what) for one in done.rankings]) for what in ("queries", "downloads")
            ]
            quality.append(
                (
                    f"{name}, {kind}",
                    *_quality(large),
                    *_quality(scores(texts, done.rankings)),
                    *(f"{one:.1f}" for one in work),
                    f"{1000 * np.mean(done.cpu):.0f}",
                )
            )
            found.append((f"{name}, {kind}", *_recall_by_words(texts, done.rankings)))
            if name == "stemmata":
                met += [
                    f"{kind} {key} {large[key]:.3f} (target {bar:g}: {MET[large[key] >= bar]})"
                    for key, bar in BARS[kind].items()
                ]
    columns = ("MAP", "P", "R", "F1")
    show(
        f"Retrieving, {language}: {len(index):,} documents",
        (
            "",
            *(f"{column}, >= {FEWEST} words" for column in columns),
            *(f"{column}, all" for column in columns),
            *("queries", "documents read", "CPU ms"),
        ),
        quality,
        f"{len(texts)} texts of each kind, on which nothing was chosen. stemmata: {'; '.join(met)}.",
    )
    classes = [f"{low}-{high - 1}" for low, high in pairwise(BORROWED)]
    show(
        f"Retrieving, {language}: sources found by borrowed words",
        ("", *classes, f"{BORROWED[-1]} or more"),
        found,
        "The share of sources that were returned, and how many there are.",
    )
    _show_check(folder, language)


def _recall_by_words(texts: Sequence[Suspicious], rankings: Sequence[Ranking]) -> list[str]:
    words, hit = [], []
    for text, ranking in zip(texts, rankings, strict=True):
        for source, count in lent(text).items():
            words.append(count)
            hit.append(source in ranking.names)
    group = np.searchsorted(BORROWED, words, side="right") - 1
    counts = np.bincount(group, minlength=len(BORROWED)).tolist()
    hits = np.bincount(group, hit, minlength=len(BORROWED)).tolist()
    return [f"{h / n:.3f} of {n}" if n else "" for h, n in zip(hits, counts, strict=True)]


# --- The whole check -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Texts:
    """Suspicious texts as documents to be checked."""

    texts: Sequence[Suspicious]

    def __len__(self) -> int:
        return len(self.texts)

    def read(self, tell: Tell) -> Iterator[SourceDocument]:
        """Give the documents."""
        return (SourceDocument(one.name, one.text) for one in self.texts)


def _show_check(folder: Path, language: str) -> None:
    rows = []
    for kind in KINDS:
        texts = _reported(folder, kind)
        cases = [
            Case(
                Passage(text.name, one.offset, one.length),
                Passage(one.source, one.source_offset, one.source_length),
            )
            for text in texts
            for one in text.borrowed
        ]
        begin = time.process_time()
        checked: Checked[Examination] = check(Texts(texts), against=folder / "index")
        spent = time.process_time() - begin
        found = [one for each in checked.results for source in each.sources for one in source.detections]
        rows.append((f"check, {kind}", *_alignment(cases, found), f"{1000 * spent / len(texts):.0f}"))
        given = _with_true_sources(texts, Index.open(folder / "index"))
        rows.append((f"true sources given, {kind}", *_alignment(cases, given), ""))
    parts = [f"{name}, {how}" for how in ("macro", "micro") for name in ("plagdet", "P", "R")]
    show(
        f"Checking, {language}: from texts to passages",
        ("", *parts, "granularity", "CPU ms"),
        rows,
        "The retriever and the aligner stemmata with their usual settings; all borrowings, however short. "
        "Below each, what the aligner alone finds if it is given the true sources and no others.",
    )


def _with_true_sources(texts: Sequence[Suspicious], index: Index) -> list[Detection]:
    aligner: Aligner = detectors["stemmata"]()
    found: list[Detection] = []
    for text in texts:
        for source in lent(text):
            number = index.number_of(source)
            if number is not None:
                document = Document(source, index.document(number).text)
                found += aligner.align(Pair(Document(text.name, text.text), document))
    return found


def _alignment(cases: Sequence[Case], found: Sequence[Detection]) -> list[str]:
    values = score_alignment(Annotations.of(cases), Annotations.of(found)).scores.values
    keys = [f"{how}.{key}" for how in ("macro", "micro") for key in ("plagdet", "precision", "recall")]
    return [*(f"{values[key]:.3f}" for key in keys), f"{values['granularity']:.3f}"]


# --- A million documents -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Exhaustive(StemmataRetriever):
    """Scores every document that shares any fingerprint at all, however frequent; prices are the same."""

    def candidates(self, query: Query) -> tuple[Ints, Floats, int]:
        """Return all documents with a fingerprint in common, and the price of naming each."""
        usual = usual_weight(len(self.collection), self.most)
        sharing = [
            self.collection.lookup(kind, hashes).numbers for kind, hashes in query.fingerprints.items()
        ]
        numbers = np.unique(np.concatenate(sharing))
        off = np.zeros(len(numbers))
        for kind, worth in (("runs", self.run), ("skips", self.skip)):
            found, weights = by_fingerprints(self.collection, query, kind, self.most, len(self.collection))
            off[np.searchsorted(numbers, found)] += worth * weights / usual
        return numbers, self.entry - np.minimum(off, self.discount), 2


def _show_million(room: Path, count: int) -> None:
    english, path = room / "English", room / "million"
    if not (path / "index.json").exists():
        _build_million(english, path, count)
    # Before this process maps the files: what is mapped cannot be forgotten.
    cold = {kind: in_fresh_process(_cold_seconds, path, _reported(english, kind)[:COLD]) for kind in KINDS}
    index = _opened(path)
    speed, quality = [], []
    for kind in KINDS:
        texts = _reported(english, kind)
        retrieve(StemmataRetriever(index), texts[:1])
        done = retrieve(StemmataRetriever(index), texts)
        words = np.mean([len(text.text.split()) for text in texts])
        slowest = max(done.wall)
        met = MET[bool(np.mean(done.wall) * 1000 / words <= SECONDS)]
        speed.append(
            (
                *(
                    kind,
                    f"{words:,.0f}",
                    f"{1000 * np.mean(done.cpu):.0f}",
                    f"{1000 * np.mean(done.wall):.0f}",
                ),
                *(f"{1000 * slowest:.0f}", f"{1000 * np.mean(cold[kind]):.0f}", met),
            )
        )
        quality.append((f"{kind}, {len(texts)} texts", *_quality(scores(texts, done.rankings, FEWEST)), ""))
        some = slice(None, None, len(texts) // EXHAUSTIVE)
        all_of_them = retrieve(Exhaustive(index), texts[some])
        pair = [scores(texts[some], one, FEWEST) for one in (done.rankings[some], all_of_them.rankings)]
        lost = pair[1]["recall"] - pair[0]["recall"]
        read = np.mean([one.downloads for one in all_of_them.rankings])
        quality += [
            (f"{kind}, {len(texts[some])} texts", *_quality(pair[0]), ""),
            (f"{kind}, the same, exhaustive", *_quality(pair[1]), f"{lost:+.3f}, {MET[lost <= LOST]}"),
        ]
        speed.append(
            (
                f"{kind}, exhaustive: {read:,.0f} documents scored",
                *("", f"{1000 * np.mean(all_of_them.cpu):,.0f}", f"{1000 * np.mean(all_of_them.wall):,.0f}"),
                *("", "", ""),
            )
        )
    show(
        f"Retrieving among {len(index):,} documents of 200 words: time for a text",
        ("", "words", "CPU ms", "ms", "slowest, ms", "cold, ms", f"<= {SECONDS:g} s for 1,000 words"),
        speed,
        f"One process. Cold: nothing of the index in memory, opening it included, mean of {COLD}.",
    )
    show(
        f"Retrieving among {len(index):,} documents: what is lost against scoring all of them",
        ("", *(f"{column}, >= {FEWEST} words" for column in ("MAP", "P", "R", "F1")), "recall lost"),
        quality,
        "Exhaustive: each document with any fingerprint in common is scored, no frequency is too high and no "
        "number too large.",
    )


def _build_million(english: Path, path: Path, count: int) -> None:
    """Index documents of random sentences, and among them the true sources of the texts that are reported."""
    wanted = {one.source for text in _reported(english, "copied") for one in text.borrowed}
    sources = {one.name: one.text for one in _documents(english) if one.name in wanted}
    with TemporaryDirectory() as novels:
        made = fillers(_data(), Path(novels), sources, count)
        build(path, chain((SourceDocument(*one) for one in sources.items()), made))


def _cold_seconds(path: Path, texts: Sequence[Suspicious]) -> list[float]:
    """Return how long texts take if the system has forgotten the index before each."""
    taken = []
    for text in texts:
        gc.collect()
        _forget(path)
        begin = time.perf_counter()
        StemmataRetriever(Index.open(path)).retrieve(Document(text.name, text.text))
        taken.append(time.perf_counter() - begin)
    return taken


def _forget(folder: Path) -> None:
    """Ask the system to drop files from its memory, where it can be asked."""
    if hasattr(os, "posix_fadvise"):
        for path in folder.rglob("*"):
            if path.is_file():
                with path.open("rb") as stream:
                    os.posix_fadvise(stream.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
