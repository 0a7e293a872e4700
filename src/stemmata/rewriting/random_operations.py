"""Random text operations: words and short phrases are shuffled, removed, inserted and replaced.

After Potthast, Stein, Barrón-Cedeño and Rosso: An Evaluation Framework for Plagiarism Detection, COLING
2010, section 3.3: what is inserted comes from the document that receives the passage.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from numpy.random import Generator

from stemmata.model.parameters import tunable
from stemmata.rewriting.degrees import Degrees, check_parameters
from stemmata.rewriting.edits import Edit, Rewriting, rewritten
from stemmata.rewriting.passage import Passage, without_marks, written_words
from stemmata.rewriting.strategy import Scene

KINDS = ("shuffle", "remove", "insert", "replace")
PHRASE = 3
"""The most words of a short phrase."""


@dataclass(frozen=True)
class RandomOperations:
    """Shuffle, remove, insert and replace words or short phrases at random.

    Parameters
    ----------
    share
        The share of words that operations touch, about.
    reach
        The most words among which phrases are shuffled.
    raw
        Move punctuation like words, and leave capitals with their words, as in Table 4 of the paper.
        Otherwise punctuation keeps its place, a sentence keeps a word, and its first has a capital.
    """

    share: float = tunable(0.4, 0.0, 1.0)
    reach: int = tunable(8, 2, 1000)
    raw: bool = False
    degrees: ClassVar[Degrees] = {
        "low": {"share": 0.15, "reach": 4},
        "high": {"share": 0.6, "reach": 20},
    }

    def __post_init__(self) -> None:
        check_parameters(self)

    def rewrite(self, text: str, scene: Scene) -> Rewriting:
        """Return the passage with some stretches of it disturbed; those in between stay as they are."""
        passage = written_words(text, scene.language, marks=self.raw)
        if not len(passage):
            return Rewriting(text)
        layout = _Layout(passage, list(passage.words if self.raw else passage.bare))
        for kind, start, end in self._operations(len(passage), scene.rng):
            layout.reach(start)
            if kind == "shuffle":
                layout.shuffle(start, end, scene.rng)
            elif kind == "remove":
                layout.remove(start, end, keep=not self.raw)
            else:
                words = _strange_words(passage, scene, end - start)
                shown = words if self.raw else [passage.lowered(without_marks(word)) for word in words]
                if kind == "insert":
                    layout.insert(start, shown)
                else:
                    layout.replace(start, shown)
        return rewritten(text, layout.raw_edits() if self.raw else layout.edits())

    def _operations(self, words: int, rng: Generator) -> Iterator[tuple[str, int, int]]:
        """Yield operations from left to right: what, from which word, to which. An insertion takes none."""
        # Of the words between two operations and in one, this share shall be in one.
        mean = ((2 + self.reach) / 2 + 2 * (1 + PHRASE) / 2 + 1) / len(KINDS)
        begin = self.share / (mean * (1 - self.share) + self.share)
        begins = rng.random(words) < begin
        at = 0
        while at < words:
            if not begins[at]:
                at += 1
                continue
            kind = KINDS[int(rng.integers(len(KINDS)))]
            length = int(
                rng.integers(2, self.reach + 1) if kind == "shuffle" else rng.integers(1, PHRASE + 1)
            )
            yield kind, at, at + length if kind == "insert" else min(at + length, words)
            at += 1 if kind == "insert" else length


def _strange_words(passage: Passage, scene: Scene, length: int) -> list[str]:
    """Return some words in a row of the receiving document, or without one of the passage."""
    source = scene.host or passage.words
    begin = int(scene.rng.integers(len(source)))
    return [word.strip() or passage.words[0] for word in source[begin : begin + length]]


@dataclass
class _Layout:
    """Which word stands in which place, what is inserted before it, and why."""

    passage: Passage
    words: list[str]
    kinds: list[str] = field(init=False)
    inserted: list[list[str]] = field(init=False)
    kept: int = -1
    """The last place so far that has a word."""
    seen: int = 0
    """How many places have been decided upon."""

    def __post_init__(self) -> None:
        self.kinds = [""] * len(self.words)
        self.inserted = [[] for _ in self.words]

    def reach(self, place: int) -> None:
        """Leave the places before one as they are."""
        if place > self.seen:
            self.kept = place - 1

    def shuffle(self, start: int, end: int, rng: Generator) -> None:
        """Let phrases between two places change theirs, or words where there is but one phrase."""
        phrases, at = [], start
        for length in rng.integers(1, PHRASE + 1, end - start).tolist():
            phrases.append(self.words[at : min(at + length, end)])
            at += length
            if at >= end:
                break
        if len(phrases) == 1:
            phrases = [[word] for word in phrases[0]]
        order = rng.permutation(len(phrases)).tolist()
        if order == sorted(order):
            order = order[1:] + order[:1]
        mixed = [word for n in order for word in phrases[n]]
        self.words[start:end] = mixed
        self.kinds[start:end] = ["shuffle"] * (end - start)
        self.kept, self.seen = end - 1, end

    def replace(self, start: int, words: list[str]) -> None:
        """Put strange words in the places from one on."""
        end = start + len(words)
        self.words[start:end] = words
        self.kinds[start:end] = ["replace"] * len(words)
        self.kept, self.seen = end - 1, end

    def insert(self, start: int, words: list[str]) -> None:
        """Put strange words before a place."""
        self.inserted[start] = words
        self.kept, self.seen = start, start + 1

    def remove(self, start: int, end: int, keep: bool) -> None:
        """Empty places; if asked to, keep words without which marks would stand alone or together."""
        for place in range(start, end):
            if not keep or self._can_go(place):
                self.words[place] = ""
                self.kinds[place] = "remove"
            else:
                self.kept = place
        self.seen = end

    def _can_go(self, place: int) -> bool:
        """Return whether nothing but space comes before a word, or behind it if it opens its sentence."""
        first = self.passage.first
        if self.kept >= first[place]:
            return not self.passage.gap(place).strip()
        last = place + 1 == len(first) or first[place + 1] != first[place]
        return not last and not self.passage.gap(place + 1).strip()

    def edits(self) -> Iterator[Edit]:
        """Yield the edits of words in place, with capitals where sentences begin."""
        passage = self.passage
        heads = [" ".join(words) for words in self.inserted]
        # An insertion comes before its place, so the capital is its own if the place begins a sentence.
        placed = passage.placed([head or word for head, word in zip(heads, self.words, strict=True)])
        done = 0
        for place, (head, word) in enumerate(zip(heads, self.words, strict=True)):
            start, end = passage.start[place], passage.end[place]
            if head:
                yield Edit(start, start, placed[place] + " ", "insert")
            new = word if head else placed[place]
            if self.kinds[place] == "remove":
                start, end = self._with_blank(place, done)
                yield Edit(start, end, "", "remove")
                done = end
            elif new != passage.words[place]:
                yield Edit(start, end, new, self.kinds[place] or "case")
                done = end

    def raw_edits(self) -> Iterator[Edit]:
        """Yield the edits where punctuation moves like words: words get a blank before them, marks none."""
        passage = self.passage
        done = 0
        before, moved = "", False
        for place, word in enumerate(self.words):
            start, end = passage.start[place], passage.end[place]
            head = " ".join(self.inserted[place])
            new = head + " " * bool(head and not _is_mark(word)) + word
            if self.kinds[place] == "remove":
                start, end = self._with_blank(place, done)
                yield Edit(start, end, "", "remove")
                done = end
                moved = True
                continue
            changed = new != passage.words[place]
            if changed or moved:
                gap = passage.text[max(done, passage.end[place - 1] if place else 0) : start]
                if _is_mark(new) and before and gap == " ":
                    start -= 1
                elif not _is_mark(new) and before and not gap and not _is_mark(before):
                    new = " " + new
            if start < passage.start[place] or new != passage.words[place]:
                kind = "insert" if self.inserted[place] else self.kinds[place] or "space"
                yield Edit(start, end, new, kind)
                done = end
            before, moved = new, changed

    def _with_blank(self, place: int, done: int) -> tuple[int, int]:
        """Return where a removed word stands with one blank beside it; line breaks stay."""
        start, end = self.passage.start[place], self.passage.end[place]
        if start > done and self.passage.text[start - 1 : start] == " ":
            return start - 1, end
        return start, end + (self.passage.text[end : end + 1] == " ")


def _is_mark(word: str) -> bool:
    return not any(map(str.isalnum, word[:1]))
