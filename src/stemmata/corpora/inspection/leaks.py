"""Leaks: documents that a corpus has twice, and text that it shares with another corpus."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from stemmata.corpora.inspection.opening import Corpus, Side
from stemmata.corpora.inspection.shingles import HashedWords, ShingleIndex, hashed_words, sampling
from stemmata.model import Document, ErrorCode, Finding

NEAR = 0.7
"""Documents that resemble each other more are near duplicates."""
FEWEST = 10
"""Kept shingles without which nothing is said of a document."""
LONG = 100
"""Words that two corpora may share by chance, or by quoting the same."""
FEWEST_COMMON = 4
"""Kept shingles in common without which nothing is said of two documents."""


class Found(Protocol):
    """Takes a finding."""

    def __call__(self, kind: ErrorCode, place: None = None, **details: object) -> None:
        """Add a finding."""


class Leaks:
    """Remembers a few shingles of every document, and a digest of its words."""

    def __init__(self, corpus: Corpus, other: Corpus | None = None) -> None:
        self.corpus, self.other = corpus, other
        self.index = ShingleIndex(sampling(sum(map(_size, filter(None, (corpus, other))))))
        self.digests: dict[bytes, str] = {}
        self.same: list[tuple[str, str]] = []
        self.sides: list[Side] = []

    def add(self, side: Side, document: Document, words: HashedWords, prefix: str = "") -> None:
        """Remember a document."""
        name = prefix + document.name
        if len(words.hashes):
            first = self.digests.setdefault(words.digest, name)
            if first != name:
                self.same.append((name, first))
        self.sides.append(side)
        self.index.add(name, words)

    def report(
        self, found: Found, unreadable: Callable[[Finding], None], advance: Callable[[int], None]
    ) -> None:
        """Report duplicates, and what is shared with the other corpus, which is read now."""
        for name, first in self.same:
            found(ErrorCode.SAME_DOCUMENT, document=name, other=first)
        self._report_near(found)
        if self.other is None:
            return
        self.same.clear()
        own = len(self.index.names)
        for side, document in self.other.documents(unreadable):
            self.add(side, document, hashed_words(document.text), f"{self.other.name}/")
            advance(1)
        mine = set(self.index.names[:own])
        for theirs, ours in self.same:
            if ours in mine:
                found(ErrorCode.SAME_DOCUMENT, document=ours, other=theirs)
        told = {(ours, theirs) for theirs, ours in self.same}
        for one in self.index.shared(own):
            names = self.index.names[one.first], self.index.names[one.second]
            words = one.common * self.index.every
            if words >= LONG and one.common >= FEWEST_COMMON and names not in told:
                found(ErrorCode.SHARED_PASSAGE, document=names[0], other=names[1], words=words)

    def _report_near(self, found: Found) -> None:
        told = {frozenset(pair) for pair in self.same}
        cases = self.corpus.cases
        linked = {
            frozenset((cases.suspicious.values[mine], cases.source.values[theirs]))
            for mine, theirs in zip(cases.suspicious.codes.tolist(), cases.source.codes.tolist(), strict=True)
            if theirs >= 0
        }
        for one in self.index.shared():
            names = self.index.names[one.first], self.index.names[one.second]
            if (
                one.resemblance >= NEAR
                and min(one.sizes) >= FEWEST
                and not {frozenset(names)} & (told | linked)
            ):
                found(ErrorCode.NEAR_DUPLICATE, document=names[0], other=names[1], share=one.resemblance)


def _size(corpus: Corpus) -> int:
    """Return the bytes of all documents."""
    texts = (*corpus.suspicious.paths.values(), *corpus.sources.paths.values())
    return sum(path.stat().st_size for path in texts if path.is_file())
