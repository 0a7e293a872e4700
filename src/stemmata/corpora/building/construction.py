"""Construction: one suspicious document made of its host and its cases, with exact offsets on both sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from inspect import signature
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.random import Generator, default_rng

from stemmata.corpora.building.assignment import Assignment, PlannedDocument
from stemmata.corpora.building.base import Slice
from stemmata.corpora.building.casting import PlannedCase
from stemmata.corpora.building.plan import Band, Obfuscation, Plan
from stemmata.corpora.building.sentences import Sentences, sentences_of, significant_words
from stemmata.model import ErrorCode, Span, StemmataError
from stemmata.model.parameters import declared, with_parameters
from stemmata.model.registry import did_you_mean
from stemmata.model.spans import Ints
from stemmata.rewriting import Scene, Strategy, at_degree, strategies
from stemmata.text.sentences import find_sentences

LEAD = 3000
"""Characters looked at beyond a passage, so that it can begin and end with a sentence."""
ABOUT = 0.1
"""A passage is about as long as planned if it is off by no more than this share."""
HOST_WORDS = 2000
"""Words of the host that may be inserted into a passage."""
TRIES = 8
"""How often a passage is rewritten, if that leaves fewer words of it than the plan asks for."""


@dataclass(frozen=True)
class MadeCase:
    """A case as it came out; spans are in characters of the two documents."""

    suspicious: Span
    source: Span
    planned: PlannedCase
    words: int


@dataclass(frozen=True)
class MadeDocument:
    """A suspicious document as it came out.

    Attributes
    ----------
    sentences
        Of its host, where sentences are replaced.
    left_out
        Cases that were planned but lost too many words when they were rewritten.
    """

    number: int
    text: str
    cases: tuple[MadeCase, ...]
    sentences: int = 0
    left_out: int = 0


@dataclass(frozen=True)
class Workshop:
    """Makes the documents of an assignment; each depends on the plan and its own number alone."""

    plan: Plan
    assignment: Assignment

    def make(self, document: PlannedDocument) -> MadeDocument:
        """Make a suspicious document."""
        rng = default_rng([self.plan.seed, 3, document.number])
        host = document.host.text
        if not document.cases:
            return MadeDocument(document.number, host, ())
        words = tuple(host.split(None, HOST_WORDS)[:HOST_WORDS])
        # First of all, so that passages stand in the same places however they are rewritten.
        places = (
            self._replaced(document, rng)
            if self.plan.replace
            else self._between(host, len(document.cases), rng)
        )
        put = []
        for place, case in zip(places, document.cases, strict=True):
            source = self._source(document, case)
            span = self._passage(source, case)
            written = self._written(source.text[slice(*span)], case, Scene(rng, self.plan.language, words))
            if written is not None:
                put.append((place, case, span, written))
        text, cases = _assembled(host, put)
        sentences = len(sentences_of(document.host, self.plan.language)) if self.plan.replace else 0
        return MadeDocument(document.number, text, cases, sentences, len(document.cases) - len(cases))

    def _written(self, passage: str, case: PlannedCase, scene: Scene) -> str | None:
        """Return a passage as rewritten; nothing if that always leaves too few words of it."""
        strategy = self._strategy(case.obfuscation)
        for _ in range(TRIES):
            text = tidy(strategy.rewrite(passage, scene).text)
            least = self.plan.passage_words
            if not least or significant_words(text, self.plan.language) >= least:
                return text
        return None

    def _source(self, document: PlannedDocument, case: PlannedCase) -> Slice:
        if document.intrinsic:
            return self.assignment.hidden[case.source]
        return self.assignment.sources[case.source].host

    def _strategy(self, name: str) -> Strategy:
        return make_strategy(next(one for one in self.plan.obfuscation if one.name == name))

    def _passage(self, source: Slice, case: PlannedCase) -> Span:
        """Return the sentences of a source that come nearest to the planned size and place."""
        if self.plan.replace:
            sentences = sentences_of(source, self.plan.language)
            number = int(case.place)
            return Span(int(sentences.start[number]), int(sentences.end[number + case.size - 1]))
        band = next(one for one in self.plan.case_length if one.name == case.length)
        text = source.text
        needed = case.size * 7
        start = round(case.place * max(0, len(text) - needed))
        window = max(0, start - LEAD), min(len(text), start + needed + LEAD)
        found = Sentences.of(text[window[0] : window[1]], self.plan.language)
        # The first of the window is cut in two.
        whole = slice(1 if window[0] > 0 and len(found) > 2 else 0, None)
        first, last, words = found.start[whole] + window[0], found.end[whole] + window[0], found.words[whole]
        begin = min(int(np.searchsorted(first, start)), max(0, len(first) - 1))
        sizes = [len(text[a:b].split()) for a, b in zip(first, last, strict=True)]
        begin, end = _run(sizes, begin, case.size, band, words, self.plan.passage_words)
        return Span(int(first[begin]), int(last[end - 1]))

    def _between(self, host: str, number: int, rng: Generator) -> list[Span]:
        """Return places between sentences of the host."""
        first, _ = find_sentences(host, self.plan.language)
        borders = np.unique(np.concatenate([[0], first, [len(host)]]))
        chosen = rng.choice(borders, number, replace=number > len(borders))
        return [Span(int(place), int(place)) for place in np.sort(chosen)]

    def _replaced(self, document: PlannedDocument, rng: Generator) -> list[Span]:
        """Return sentences of the host that make room: as many as each case brings."""
        sentences = sentences_of(document.host, self.plan.language)
        first, last = sentences.start, sentences.end
        sizes = [min(case.size, len(first)) for case in document.cases]
        free = max(0, len(first) - sum(sizes))
        # Gaps before each run of sentences: a random way to part what is free.
        cuts = np.sort(rng.integers(0, free + 1, len(sizes)))
        places, at = [], 0
        for size, gap in zip(sizes, np.diff(cuts, prepend=0).tolist(), strict=True):
            begin = min(at + gap, max(0, len(first) - 1))
            end = min(begin + size, len(first))
            places.append(Span(int(first[begin]), int(last[end - 1])))
            at = end
        return [
            Span(max(one.start, before.end), max(one.end, before.end))
            for before, one in pairwise([Span(0, 0), *places])
        ]


@lru_cache(maxsize=64)
def make_strategy(obfuscation: Obfuscation) -> Strategy:
    """Make ready the strategy of an obfuscation: by its degree, its parameters, or both."""
    options: dict[str, Any] = dict(obfuscation.options)
    degree = options.pop("degree", None)
    make = strategies[obfuscation.strategy]
    known = declared(make())
    others = {name: value for name, value in options.items() if name not in known}
    possible = list(signature(make).parameters)
    for name in others:
        if name not in possible:
            reason = (
                f"obfuscation.{obfuscation.name}: {obfuscation.strategy} has no {name[:40]!r}"
                f"{did_you_mean(name[:40], possible)}; it has: {', '.join(['degree', *possible])}"
            )
            raise StemmataError(ErrorCode.BAD_PLAN, reason=reason)
    strategy = make(**others)
    if degree is not None:
        strategy = at_degree(strategy, degree)
    return with_parameters(strategy, {name: value for name, value in options.items() if name in known})


def tidy(text: str) -> str:
    """Return a rewritten passage without white space around it; nothing at all becomes a dash."""
    return text.strip() or "–"


def _run(
    sizes: Sequence[int], begin: int, wanted: int, band: Band, words: Ints, least: int
) -> tuple[int, int]:
    """Return a run of sentences that is about as long as wanted, as near to the planned begin as can be.

    Where no run comes near, it is the one that comes nearest, within the class if possible; with at least so
    many words that tell something, if any has them.
    """
    before = np.concatenate([[0], np.cumsum(sizes)])
    first = np.arange(len(sizes))
    reached = np.searchsorted(before, before[:-1] + wanted)
    runs = np.concatenate([np.stack([first, end], axis=1) for end in (reached, reached - 1)])
    runs = runs[(runs[:, 0] < runs[:, 1]) & (runs[:, 1] <= len(sizes))]
    if not len(runs):
        return 0, len(sizes)
    telling = np.concatenate([[0], np.cumsum(words)])
    enough = telling[runs[:, 1]] - telling[runs[:, 0]] >= least
    runs = runs[enough] if enough.any() else runs
    total = before[runs[:, 1]] - before[runs[:, 0]]
    off = np.abs(total - wanted) + np.where((total >= band.low) & (total <= band.high), 0, 2 * wanted)
    near = np.flatnonzero(off <= max(ABOUT * wanted, off.min()))
    best = near[np.abs(runs[near, 0] - begin).argmin()]
    return int(runs[best, 0]), int(runs[best, 1])


def _assembled(
    host: str, put: Sequence[tuple[Span, PlannedCase, Span, str]]
) -> tuple[str, tuple[MadeCase, ...]]:
    """Put passages into their places; a blank parts them from what stands before and behind."""
    parts: list[str] = []
    cases = []
    length = at = 0
    blank = True
    for place, planned, source, text in put:
        before = host[at : place.start]
        blank = before[-1:].isspace() if before else blank
        lead = before if blank else before + " "
        start = length + len(lead)
        cases.append(MadeCase(Span(start, start + len(text)), source, planned, len(text.split())))
        at = place.end
        behind = "" if at >= len(host) or host[at].isspace() else "\n" if before.endswith("\n") else " "
        parts += [lead, text, behind]
        length = start + len(text) + len(behind)
        blank = bool(behind)
    return "".join([*parts, host[at:]]), tuple(cases)
