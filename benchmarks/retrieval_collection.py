"""A collection in the shape of PlagEvalRus's first track, made of real texts, and texts that borrow from it.

Novels and other texts are cut up into many short documents. Novels that are not in the collection are the
hosts of suspicious texts, which borrow some sentences from one to five of its documents, as they are or
paraphrased. Those with an odd number are for choosing settings, those with an even one for reporting.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.random import Generator

from benchmarks import indexing
from stemmata.formats.collections import SourceDocument
from stemmata.rewriting import Scene, Strategy, in_turn, strategies
from stemmata.rewriting.edits import Rewriting
from stemmata.text.sentences import find_sentences
from stemmata.text.words import find_words

HOSTS = 10
"""Novels that are hosts; the others are cut up."""
DOCUMENT_WORDS = (20, 40)
"""The fewest words of a document, and how many more on average."""
HOST_WORDS = (300, 1200)
"""How many words of its own a suspicious text has."""
MOST_SOURCES = 5


@dataclass(frozen=True)
class Borrowing:
    """A passage of a suspicious text and where it is from."""

    source: str
    offset: int
    length: int
    source_offset: int
    source_length: int
    words: int


@dataclass(frozen=True)
class Suspicious:
    """A text and what it borrows."""

    name: str
    kind: str
    text: str
    borrowed: tuple[Borrowing, ...]


@dataclass(frozen=True)
class Steps:
    """Several ways of rewriting, one after the other."""

    parts: tuple[Strategy, ...]

    def rewrite(self, text: str, scene: Scene) -> Rewriting:
        """Return the passage as one rewriting."""
        return in_turn(text, [partial(step.rewrite, scene=scene) for step in self.parts])


def english_paraphrases() -> list[Strategy]:
    """Return the ways in which English passages are paraphrased, each as often as the others."""
    varied = strategies["word-variation"](share=0.5, senses=1, relations=("synonym", "similar"))
    return [
        strategies["simulated"](),
        varied,
        Steps((varied, strategies["random-operations"](share=0.1))),
        strategies["translation"](route="en-es-en"),
    ]


def texts_of(data: Path) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return texts to be cut up, and hosts, each with its name."""
    novels = [
        (path.stem, path.read_text("utf-8", "replace")) for path in sorted(data.glob("novels100/**/*.txt"))
    ]
    step = len(novels) // HOSTS
    hosts = novels[::step][:HOSTS]
    held = {name for name, _ in hosts}
    base = [novel for novel in novels if novel[0] not in held]
    others = sorted(data.glob("pan13-alignment-train/**/src/*.txt"))
    seen: set[str] = set()
    for path in others:
        if path.name not in seen:
            seen.add(path.name)
            base.append((path.stem, path.read_text("utf-8", "replace")))
    return base, hosts


def cut_up(text: str, language: str, rng: Generator) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Yield documents of some sentences, with the spans of these."""
    starts, ends = (side.tolist() for side in find_sentences(text, language))
    word_starts = find_words(text).start
    counts = np.diff(np.searchsorted(word_starts, [*starts, len(text)])).tolist()
    fewest, more = DOCUMENT_WORDS
    first, held, wanted = 0, 0, fewest + rng.exponential(more)
    for last, words in enumerate(counts):
        held += words
        if held >= wanted:
            offset = starts[first]
            yield (
                text[offset : ends[last]],
                [(starts[i] - offset, ends[i] - offset) for i in range(first, last + 1)],
            )
            first, held, wanted = last + 1, 0, fewest + rng.exponential(more)


def build(
    folder: Path,
    base: Sequence[tuple[str, str]],
    hosts: Sequence[tuple[str, str]],
    paraphrases: Sequence[Strategy],
    texts: int = 600,
    language: str = "en",
    seed: int = 1,
) -> None:
    """Write ``documents.jsonl`` and ``copied.jsonl``, ``paraphrased.jsonl`` with the suspicious texts."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(seed)
    documents: list[tuple[str, str, list[tuple[int, int]]]] = []
    with (folder / "documents.jsonl").open("w", encoding="utf-8") as out:
        for name, text in base:
            for number, (part, sentences) in enumerate(cut_up(text, language, rng)):
                documents.append((f"{name}-{number}", part, sentences))
                out.write(json.dumps({"id": f"{name}-{number}", "text": part}, ensure_ascii=False) + "\n")
    cut = [list(cut_up(text, language, rng)) for _, text in hosts]
    with (
        (folder / "copied.jsonl").open("w", encoding="utf-8") as copied,
        (folder / "paraphrased.jsonl").open("w", encoding="utf-8") as paraphrased,
    ):
        for number in range(texts):
            host = _host(cut[number % len(cut)], rng)
            passages = [_passage(documents, rng) for _ in range(rng.integers(1, MOST_SOURCES + 1))]
            places = np.sort(rng.choice(len(host) + 1, len(passages), replace=False)).tolist()
            for kind, out in (("copied", copied), ("paraphrased", paraphrased)):
                # Both versions of a text differ in what is borrowed alone.
                strategy = paraphrases[number // 2 % len(paraphrases)] if kind == "paraphrased" else None
                made = _insert(f"{kind}-{number:04}", kind, host, places, passages, strategy, language, rng)
                out.write(json.dumps(asdict(made), ensure_ascii=False) + "\n")


def _host(parts: list[tuple[str, list[tuple[int, int]]]], rng: Generator) -> list[str]:
    """Return the sentences of a suspicious text's own."""
    wanted = rng.integers(*HOST_WORDS)
    sentences: list[str] = []
    at = int(rng.integers(len(parts) - 60))
    while sum(len(sentence.split()) for sentence in sentences) < wanted and at < len(parts):
        text, spans = parts[at]
        sentences += [text[start:end] for start, end in spans]
        at += 1
    return sentences


def _passage(documents: list[tuple[str, str, list[tuple[int, int]]]], rng: Generator) -> tuple[str, str, int]:
    """Return a document's name, some of its sentences in a row, and where they start."""
    name, text, sentences = documents[rng.integers(len(documents))]
    count = int(rng.integers(1, len(sentences) + 1))
    first = int(rng.integers(len(sentences) - count + 1))
    start, end = sentences[first][0], sentences[first + count - 1][1]
    return name, text[start:end], start


def _insert(
    name: str,
    kind: str,
    host: list[str],
    places: list[int],
    passages: list[tuple[str, str, int]],
    strategy: Strategy | None,
    language: str,
    rng: Generator,
) -> Suspicious:
    pieces, borrowed, size, before = [], [], 0, 0
    for place, (source, passage, start) in zip([*places, len(host)], [*passages, ("", "", 0)], strict=True):
        own = " ".join(host[before:place])
        pieces.append(own)
        size += len(own) + 1
        before = place
        if source:
            scene = Scene(rng.spawn(1)[0], language, tuple(find_words(own).forms[:200]))
            said = strategy.rewrite(passage, scene).text if strategy else passage
            words = len(find_words(passage))
            if said.strip():
                borrowed.append(Borrowing(source, size, len(said), start, len(passage), words))
                pieces.append(said)
                size += len(said) + 1
    return Suspicious(name, kind, " ".join(pieces), tuple(borrowed))


def fillers(data: Path, room: Path, borrowed: Mapping[str, str], count: int) -> Iterator[SourceDocument]:
    """Yield documents of random sentences of the novels, but for hosts and for what is borrowed.

    Parameters
    ----------
    data, room
        Where the novels are, and where there is room for what is left of them.
    borrowed
        Documents of the collection, by name, whose sentences shall not come again.
    count
        How many documents.
    """
    novels = {path.stem for path in data.glob("novels100/**/*.txt")}
    left = {name: text for name, text in texts_of(data)[0] if name in novels}
    for name, passage in borrowed.items():
        novel = name.rpartition("-")[0]
        if novel in left:
            left[novel] = left[novel].replace(passage, " ")
    for novel, text in left.items():
        (room / f"{novel}.txt").write_text(text, "utf-8")
    return indexing.documents(room, count)


def read_suspicious(path: Path) -> list[Suspicious]:
    """Read suspicious texts as `build` wrote them."""
    rows = [json.loads(line) for line in path.open(encoding="utf-8")]
    return [
        Suspicious(row["name"], row["kind"], row["text"], tuple(Borrowing(**one) for one in row["borrowed"]))
        for row in rows
    ]
