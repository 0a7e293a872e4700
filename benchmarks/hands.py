"""Documents by several hands for intrinsic detectors: novels with passages of other authors.

Lengths of documents and passages are those of PAN-PC-10 (Potthast et al., COLING 2010, Table 5), but for
the longest, and for documents of which more than half is foreign: no detector can know there who is the
guest. No passage is used twice, since a repeated one would be found by its repetition.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from stemmata.formats.files import read_text
from stemmata.model import Case, Document, Passage
from stemmata.text.sentences import find_sentences

PAGE, WORD = 1500, 5.6
LENGTHS: tuple[tuple[float, float, float], ...] = ((0.5, 1, 10), (0.35, 10, 100), (0.15, 100, 400))
"""Share of documents, and pages from and to."""
FOREIGN: tuple[tuple[float, float, float], ...] = ((0.75, 0.05, 0.2), (0.25, 0.2, 0.5))
"""Share of plagiarised documents, and share of them that is foreign, from and to."""
PASSAGES = ((50, 150), (300, 500), (3000, 5000))
"""Words of a passage, from and to; each class as often as the others where it fits."""
CLEAN = 0.5


@dataclass
class _Book:
    """A novel: documents are cut from its first part on, passages from its second."""

    author: str
    text: str
    next_host: int
    next_passage: int

    def host(self, length: int) -> str:
        start, self.next_host = self.next_host, self.next_host + length
        return _whole_sentences(self.text[start : self.next_host])

    def passage(self, length: int) -> str:
        start, self.next_passage = self.next_passage, self.next_passage + length
        return _whole_sentences(self.text[start : self.next_passage])


def books(folder: Path, part: int, parts: int = 2) -> list[_Book]:
    """Return the novels of every n-th author; files are called ``Author_Title_Year.txt``."""
    files = sorted(folder.glob("*.txt"))
    authors = sorted({path.name.partition("_")[0] for path in files})[part::parts]
    found = []
    for path in files:
        author = path.name.partition("_")[0]
        if author in authors:
            text = read_text(path)
            # What publishers put around a text is not the author's.
            found.append(_Book(author, text, min(5_000, len(text) // 10), len(text) // 2))
    return found


def make_documents(folder: Path, part: int, seed: int, number: int) -> Iterator[tuple[Document, list[Case]]]:
    """Yield documents with their cases; another part has other authors."""
    rng = np.random.default_rng(seed)
    shelf = books(folder, part)
    for count in range(number):
        length = int(PAGE * _drawn(LENGTHS, rng))
        share = _drawn(FOREIGN, rng) if rng.random() >= CLEAN else 0.0
        widest = max(shelf, key=lambda book: len(book.text) // 2 - book.next_host)
        length = min(length, len(widest.text) // 2 - widest.next_host)
        room = [book for book in shelf if book.next_host + length * (1 - share) <= len(book.text) // 2]
        host = room[rng.integers(len(room))]
        guests = [book for book in shelf if book.author != host.author]
        passages = _passages(guests, length * share, rng)
        yield _assembled(f"novel-{count:03}.txt", host.host(int(length * (1 - share))), passages, rng)


def _drawn(classes: tuple[tuple[float, float, float], ...], rng: np.random.Generator) -> float:
    """Draw a class by its share, and a size of the class."""
    _, low, high = classes[rng.choice(len(classes), p=[share for share, *_ in classes])]
    return float(rng.uniform(low, high))


def _passages(guests: list[_Book], budget: float, rng: np.random.Generator) -> list[str]:
    passages: list[str] = []
    while True:
        sizes = [(low, high) for low, high in PASSAGES if low * WORD <= budget]
        if not sizes:
            return passages
        low, high = sizes[rng.integers(len(sizes))]
        length = int(min(rng.uniform(low, high) * WORD, max(budget, low * WORD)))
        room = [book for book in guests if book.next_passage + length < len(book.text) * 0.95]
        if not room:
            return passages
        text = room[rng.integers(len(room))].passage(length)
        budget -= max(length, 1)
        if text:
            passages.append(text)


def _assembled(
    name: str, host: str, passages: list[str], rng: np.random.Generator
) -> tuple[Document, list[Case]]:
    """Put passages between sentences of the host."""
    starts, _ = find_sentences(host)
    places = np.sort(rng.choice(starts, min(len(passages), len(starts)), replace=False)).tolist()
    pieces: list[str] = []
    cases: list[Case] = []
    length = before = 0
    for place, passage in zip(places, passages, strict=False):
        pieces += [host[before:place], passage, "\n"]
        length += place - before
        cases.append(Case(Passage(name, length, len(passage))))
        length += len(passage) + 1
        before = place
    pieces.append(host[before:])
    return Document(name, "".join(pieces)), cases


def _whole_sentences(text: str) -> str:
    """Return a stretch without the sentences that are cut at its ends."""
    starts, ends = find_sentences(text)
    if len(starts) < 3:
        return ""
    return text[int(starts[1]) : int(ends[-2])]
