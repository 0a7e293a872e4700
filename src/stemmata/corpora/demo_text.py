"""Readable English without a text to copy it from: sentences dealt from templates and topic words."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from numpy.random import Generator

from stemmata.model import Span

Lists = Mapping[str, list[str]]
_BESIDE = "beside"
"""The key of a neighbouring topic that names the one it stands beside."""

_SLOT = re.compile(r"\{(\w+)\}")
_OPTION = re.compile(r"\[([^\]]*)\]")
_KEEP_OPTION = 0.65
_YEARS = (1742, 1931)


@dataclass(frozen=True)
class Article:
    """A titled text as paragraphs of sentences."""

    title: str
    paragraphs: tuple[tuple[str, ...], ...]

    @property
    def sentences(self) -> list[str]:
        """All sentences in their order."""
        return [sentence for paragraph in self.paragraphs for sentence in paragraph]

    @property
    def text(self) -> str:
        """The article as a file holds it: title and paragraphs, a blank line between them."""
        bodies = map(" ".join, self.paragraphs)
        return "\n\n".join([self.title, *bodies]) + "\n"

    @property
    def spans(self) -> list[Span]:
        """Where each sentence stands in the text."""
        spans = []
        start = len(self.title) + 2
        for paragraph in self.paragraphs:
            for sentence in paragraph:
                spans.append(Span(start, start + len(sentence)))
                start = spans[-1].end + 1
            start += 1
        return spans


@cache
def _vocabulary() -> dict[str, Lists]:
    source = files("stemmata.corpora").joinpath("demo_topics.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


def topics() -> list[str]:
    """Return the topics that articles can be written about."""
    return [name for name, lists in _vocabulary().items() if name != "common" and _BESIDE not in lists]


def neighbours() -> list[str]:
    """Return for each of `topics` another one, which has words of its own."""
    beside = {str(lists[_BESIDE]): name for name, lists in _vocabulary().items() if _BESIDE in lists}
    return [beside[name] for name in topics()]


class Writer:
    """Writes articles; no sentence comes twice.

    Every list of words is dealt like a deck of cards, so that a word returns only after all others
    of its list were used, and two neighbouring sentences rarely sound alike.
    """

    def __init__(self, rng: Generator) -> None:
        self._rng = rng
        self._decks: dict[tuple[str, str], list[str]] = {}
        self._written: set[str] = set()

    def article(self, topic: str, paragraphs: int) -> Article:
        """Write an article of so many paragraphs, with three to six sentences each."""
        title = self._deal(topic, "titles")
        sizes = self._rng.integers(3, 7, size=paragraphs)
        return Article(title, tuple(tuple(self._sentence(topic) for _ in range(size)) for size in sizes))

    def _sentence(self, topic: str) -> str:
        while True:
            draft = self._fill(topic, self._deal(topic, "frames"))
            text = _spell(_OPTION.sub(self._keep_or_drop, draft))
            if text not in self._written:
                self._written.add(text)
                return text

    def _fill(self, topic: str, template: str) -> str:
        return _SLOT.sub(lambda slot: self._fill(topic, self._word(topic, slot[1])), template)

    def _word(self, topic: str, slot: str) -> str:
        if slot == "year":
            return str(self._rng.integers(*_YEARS))
        if slot == "things":
            return _plural(self._deal(topic, "thing"))
        return self._deal(topic, "clauses" if slot == "clause" else slot)

    def _deal(self, topic: str, name: str) -> str:
        lists = _vocabulary()[topic]
        home = topic if name in lists else "common"
        deck = self._decks.setdefault((home, name), [])
        if not deck:
            cards = _vocabulary()[home][name]
            deck += [cards[i] for i in self._rng.permutation(len(cards))]
        return deck.pop()

    def _keep_or_drop(self, option: re.Match[str]) -> str:
        return option[1] if self._rng.random() < _KEEP_OPTION else ""


def _plural(noun: str) -> str:
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"


def _spell(sentence: str) -> str:
    """Choose between "a" and "an" by the letter that follows, and begin with a capital."""
    spelled = re.sub(r"\ba\(n\) (?=(\w))", lambda a: "an " if a[1] in "aeiou" else "a ", sentence)
    return spelled[0].upper() + spelled[1:]
