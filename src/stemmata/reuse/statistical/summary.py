"""Summaries: a passage that draws its words from all over a long stretch of the source.

No window of the source resembles a summary of it. What gives it away is that its rare words, taken
together, all occur in the source, and are spread over more of it than the passage is long.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from stemmata.model import Span
from stemmata.model.annotations import Mask
from stemmata.model.spans import Ints
from stemmata.reuse.statistical.evidence import RAREST, Evidence, Floats, Text
from stemmata.reuse.statistical.refinement import SMALLEST_SURROUNDINGS
from stemmata.reuse.statistical.segments import Segment, best_segment
from stemmata.reuse.statistical.windows import Block


class Summary(NamedTuple):
    """A passage that may summarise a stretch of the source, and what speaks for it.

    Attributes
    ----------
    block
        The passage and the stretch.
    score
        Summed log-likelihood ratio of its words being drawn from the stretch.
    rare
        Number of distinct rare words they share.
    matched
        Share of its words that are likelier to come from the stretch than not.
    spread
        Share of the stretch between the first and the last tenth of the evidence.
    concentration
        Greatest share of the evidence in a window of the source as long as the passage.
    distinct_concentration
        The same, each rare word counted once wherever it occurs.
    local_gain
        Change of the score per word when the source is that window alone.
    window
        Length of that window over the length of the stretch.
    """

    block: Block
    score: float
    rare: int
    matched: float
    spread: float
    concentration: float
    distinct_concentration: float
    local_gain: float
    window: float


@dataclass(frozen=True)
class Summaries:
    """How summaries are looked for.

    Attributes
    ----------
    most
        Passages looked at per pair; each is looked for outside the ones before.
    rounds
        Turns in which the passage and its background settle.
    unseen, rate, cap, sentence_bonus, line_bonus
        As in refinement.
    near
        Words on either side of a word that are its surroundings.
    rare
        Share of the suspicious document outside the passage up to which a word is rare.
    least_words, least_rare, least_score
        Passages with fewer words or fewer distinct rare words, and weaker ones, are not proposed.
    condensed
        Times by which a stretch must be longer than the passage that summarises it.
    least_stretch, finest
        Stretches tried at the start: the source and its halves, quarters and so on, overlapping by half,
        down to this many words and this part of the source.
    started
        Log-likelihood ratio by which a start must beat the whole source, for each end it leaves out.
    outside
        Density of the evidence outside the summarised stretch over that inside, as a first guess.
    partial
        Log-likelihood ratio from which an end of the source is held to be left out.
    """

    most: int = 5
    rounds: int = 3
    unseen: float = 0.2
    rate: float = 0.3
    cap: float = 4.0
    sentence_bonus: float = 2.0
    line_bonus: float = 1.0
    near: int = 500
    rare: float = 0.0005
    least_words: int = 5
    least_rare: int = 5
    least_score: float = 30.0
    condensed: float = 2.5
    least_stretch: int = 300
    finest: int = 16
    started: float = 3.0
    outside: float = 0.35
    partial: float = 10.0

    def find(self, evidence: Evidence) -> list[Summary]:
        """Return passages that may be summaries, the strongest first."""
        free = np.ones(len(evidence.suspicious), dtype=bool)
        near = self._near_by(evidence.suspicious)
        starts = self._starts(evidence, near)
        found: list[Summary] = []
        for _ in range(self.most):
            start, whole = self._best_start(evidence, starts, free), Span(0, len(evidence.source))
            block, score = self._settled(evidence, start, free, near)
            if score <= self.least_score:
                break
            if start != whole:
                # A start that is too narrow may hold on to half a summary.
                again = self._settled(evidence, whole, free, near)
                block, score = max((again, (block, score)), key=lambda one: one[1])
            free[block.suspicious.start : block.suspicious.end] = False
            if block.source.length >= self.condensed * block.suspicious.length:
                summary = self._describe(evidence, block)
                if summary.rare >= self.least_rare:
                    found.append(summary)
        return found

    def _starts(self, evidence: Evidence, near: Floats) -> list[tuple[Span, Floats]]:
        """Return parts of the source, and what each says of the words: beside much else, it would drown."""
        background = self._background(evidence, Span(0, 0), near)
        words = len(evidence.source)
        parts = _parts(words, min(self.finest, words // self.least_stretch))
        return [(part, self._scores(evidence, part, background)) for part in parts]

    def _best_start(self, evidence: Evidence, starts: list[tuple[Span, Floats]], free: Mask) -> Span:
        """Return the part of the source that explains some passage best."""
        bonus = self._bonus(evidence)
        words = len(evidence.source)
        gains = [
            best_segment(np.where(free, scores, -1e6), bonus).score
            - self.started * ((part.start > 0) + (part.end < words))
            for part, scores in starts
        ]
        return starts[int(np.argmax(gains))][0]

    def _settled(self, evidence: Evidence, stretch: Span, free: Mask, near: Floats) -> tuple[Block, float]:
        """Let a passage and the stretch it summarises take turns; return both, and 0 for too little."""
        passage = self._passage(evidence, stretch, free, near)
        for _ in range(self.rounds):
            if not self._enough(passage):
                return Block(passage.words, stretch), 0.0
            before, stretch = stretch, self._stretch(evidence, passage.words)
            if stretch == before:
                break
            passage = self._passage(evidence, stretch, free, near)
        return Block(passage.words, stretch), passage.score if self._enough(passage) else 0.0

    def _enough(self, passage: Segment) -> bool:
        return passage.words.length >= self.least_words and passage.score > self.least_score

    def _bonus(self, evidence: Evidence) -> Floats:
        ends = evidence.suspicious.boundaries
        return np.asarray(np.maximum(self.sentence_bonus * ends.sentence, self.line_bonus * ends.line))

    def _passage(self, evidence: Evidence, stretch: Span, free: Mask, near: Floats) -> Segment:
        """Return the best passage given the stretch it summarises."""
        bonus = self._bonus(evidence)
        passage = Segment(Span(0, 0), 0.0)
        for _ in range(self.rounds):
            before = passage.words
            scores = self._scores(evidence, stretch, self._background(evidence, before, near))
            passage = best_segment(np.where(free, scores, -1e6), bonus)
            if passage.words == before:
                break
        return passage

    def _background(self, evidence: Evidence, passage: Span, near: Floats) -> Floats:
        """Return the probability of each suspicious word if it is not drawn from the source."""
        outside = self._outside(evidence, passage)[evidence.suspicious.shared]
        return np.asarray(self.unseen * RAREST + (1 - self.unseen) * np.maximum(outside, near))

    def _scores(self, evidence: Evidence, stretch: Span, background: Floats) -> Floats:
        """Return the log-likelihood ratio of each suspicious word being drawn from the stretch."""
        types = evidence.source.shared[stretch.start : stretch.end]
        drawn = np.bincount(types, minlength=evidence.shared_types + 1) / max(1, stretch.length)
        drawn[-1] = 0
        ratio = drawn[evidence.suspicious.shared] / background
        scores = np.minimum(np.log(self.rate * ratio + 1 - self.rate), self.cap)
        telling = np.append(evidence.telling[: evidence.shared_types], 1.0)
        return np.asarray(scores * telling[evidence.suspicious.shared])

    def _outside(self, evidence: Evidence, passage: Span) -> Floats:
        """Return the share of each shared type in the suspicious document outside the passage."""
        text = evidence.suspicious
        inside = np.bincount(text.shared[passage.start : passage.end], minlength=len(text.count))
        rest = max(len(text) - passage.length, SMALLEST_SURROUNDINGS)
        return np.asarray((text.count - inside) / rest)

    def _near_by(self, text: Text) -> Floats:
        """Return for each word the share of its type in its surroundings, itself not counted.

        In a document of several subjects all words of one subject look foreign to the whole.
        """
        if len(text) <= 2 * self.near:
            return np.zeros(len(text))
        order = np.argsort(text.shared, kind="stable")
        # Places of one type lie together, far from those of the next.
        places = order + text.shared[order] * (len(text) + 2 * self.near)
        near = np.searchsorted(places, places + self.near, "right") - np.searchsorted(
            places, places - self.near
        )
        share = np.empty(len(text))
        share[order] = (near - 1) / (2 * self.near)
        return share

    def _rare_types(self, evidence: Evidence, passage: Span) -> tuple[Ints, Floats]:
        """Return the rare shared types of the passage, and how telling each is."""
        text = evidence.suspicious
        types = np.unique(text.shared[passage.start : passage.end])
        types = types[types < evidence.shared_types]
        types = types[evidence.telling[types] > 0]
        share = np.maximum(RAREST, 0.3 * self._outside(evidence, passage)[types])
        good = share < self.rare
        return types[good], np.log(3 * self.rare / share[good])

    def _stretch(self, evidence: Evidence, passage: Span) -> Span:
        """Return the part of the source that the evidence lies in: all of it, unless an end has too little.

        Each rare word of the passage stands at some density inside the stretch and at a part of it
        outside; the stretch of the greatest likelihood ratio is a segment of greatest sum.
        """
        source = evidence.source
        types, _ = self._rare_types(evidence, passage)
        column = np.full(evidence.shared_types + 1, -1)
        column[types] = np.arange(len(types))
        held = column[source.shared]
        places = np.flatnonzero(held >= 0)
        kinds = held[places]
        bonus = np.zeros(len(source) + 1)
        bonus[[0, -1]] = self.partial
        stretch = Span(0, len(source))
        for _ in range(self.rounds):
            first, last = np.searchsorted(places, stretch)
            inside = np.bincount(kinds[first:last], minlength=len(types))
            expected = (inside + 0.5) * (len(source) / stretch.length - 1)
            # The first guess counts for as much as one word outside.
            outside = (source.count[types] - inside + self.outside) / (expected + 1)
            outside = np.clip(outside, self.outside / 4, 1.0)
            scores = np.full(len(source), -((1 - outside) @ inside) / stretch.length)
            scores[places] -= np.log(outside)[kinds]
            before, stretch = stretch, best_segment(scores, bonus).words
            if stretch == before:
                break
        return _to_sentences(source.boundaries.sentence | source.boundaries.line, *stretch)

    def _describe(self, evidence: Evidence, block: Block) -> Summary:
        passage, stretch = block
        types, weights = self._rare_types(evidence, passage)
        source = evidence.source.shared[stretch.start : stretch.end]
        background = self._background(evidence, passage, np.zeros(len(evidence.suspicious)))
        mine = self._scores(evidence, stretch, background)[passage.start : passage.end]
        score = float(mine.sum())
        window = min(stretch.length, int(1.2 * passage.length))
        count = np.bincount(source, minlength=evidence.shared_types + 1)
        present = count[types] > 0
        types, weights = types[present], weights[present]
        spread, concentration, distinct, gain = 0.0, 1.0, 1.0, 0.0
        if len(types):
            by_type = np.zeros(evidence.shared_types + 1)
            by_type[types] = weights / count[types]
            before = np.concatenate([[0.0], np.cumsum(by_type[source])])
            total = before[-1]
            first, last = np.searchsorted(before / total, [0.1, 0.9])
            spread = float(last - first) / stretch.length
            concentration = float((before[window:] - before[:-window]).max() / total)
            distinct, place = _densest(source, types, weights, window)
            near = Span(stretch.start + place.start, stretch.start + place.end)
            local = self._scores(evidence, near, background)
            gain = float(local[passage.start : passage.end].sum() - score)
        return Summary(
            *(block, score, len(types), float((mine > 0.3).mean()), spread, concentration, distinct),
            gain / passage.length,
            window / stretch.length,
        )


def _parts(words: int, finest: int) -> Iterator[Span]:
    """Yield all of a text, then its halves, quarters and so on, each overlapping the next by half."""
    yield Span(0, words)
    parts = 2
    while parts <= finest:
        for i in range(2 * parts - 1):
            yield Span(i * words // (2 * parts), (i + 2) * words // (2 * parts))
        parts *= 2


def _densest(source: Ints, types: Ints, weights: Floats, window: int) -> tuple[float, Span]:
    """Return the greatest share of the types' weight that one window of the source holds, and the window."""
    step = max(1, window // 4)
    steps = -(-len(source) // step)
    column = np.full(int(source.max()) + 1, -1)
    column[types] = np.arange(len(types))
    held = column[source]
    places = np.flatnonzero(held >= 0)
    presence = np.zeros((steps, len(types)), dtype=bool)
    presence[places // step, held[places]] = True
    windows = max(1, steps - 3)
    joined = presence[:windows].copy()
    for shift in range(1, min(4, steps)):
        joined |= presence[shift : shift + windows]
    weight = joined @ weights
    best = int(weight.argmax())
    share = float(weight[best] / weights.sum())
    return share, Span(best * step, min(len(source), (best + 4) * step))


def _to_sentences(gaps: Mask, start: int, end: int) -> Span:
    """Widen a range of words to the nearest gaps where a sentence or line may end."""
    places = np.flatnonzero(gaps)
    first = places[np.searchsorted(places, start, side="right") - 1]
    last = places[np.searchsorted(places, end, side="left")]
    return Span(int(first), int(last))
