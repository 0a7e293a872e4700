"""Summaries: a passage that draws its words from all over a long stretch of the source.

No window of the source resembles a summary of it. What gives it away is that its rare words, taken
together, all occur in the source, and are spread over more of it than the passage is long.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from stemmata.model import Span
from stemmata.model.annotations import Mask
from stemmata.model.spans import Ints
from stemmata.reuse.statistical.evidence import RAREST, Evidence, Floats
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
        Passages proposed per pair at most; each is looked for outside the ones before.
    rounds
        Turns in which the passage and its background settle.
    unseen, rate, cap, sentence_bonus, line_bonus
        As in refinement.
    rare
        Share of the suspicious document outside the passage up to which a word is rare.
    least_words, least_rare, least_score
        Passages with fewer words or fewer distinct rare words, and weaker ones, are not proposed.
    outside
        Density of the evidence outside the summarised stretch over that inside.
    partial
        Log-likelihood ratio from which an end of the source is held to be left out.
    """

    most: int = 2
    rounds: int = 3
    unseen: float = 0.02
    rate: float = 0.5
    cap: float = 4.0
    sentence_bonus: float = 2.0
    line_bonus: float = 1.0
    rare: float = 0.0005
    least_words: int = 5
    least_rare: int = 5
    least_score: float = 30.0
    outside: float = 0.05
    partial: float = 7.0

    def find(self, evidence: Evidence) -> list[Summary]:
        """Return passages that may be summaries, the strongest first."""
        free = np.ones(len(evidence.suspicious), dtype=bool)
        found: list[Summary] = []
        for _ in range(self.most):
            summary = self._strongest(evidence, free)
            if summary is None or summary.rare < self.least_rare:
                break
            found.append(summary)
            free[summary.block.suspicious.start : summary.block.suspicious.end] = False
        return found

    def _strongest(self, evidence: Evidence, free: Mask) -> Summary | None:
        whole = Span(0, len(evidence.source))
        passage, _ = self._passage(evidence, whole, free)
        if not self._enough(passage):
            return None
        stretch = self._stretch(evidence, passage.words)
        if stretch != whole:
            passage, _ = self._passage(evidence, stretch, free)
            if not self._enough(passage):
                return None
        return self._describe(evidence, Block(passage.words, stretch))

    def _enough(self, passage: Segment) -> bool:
        return passage.words.length >= self.least_words and passage.score > self.least_score

    def _passage(self, evidence: Evidence, stretch: Span, free: Mask) -> tuple[Segment, Floats]:
        """Return the best passage given the stretch it summarises, and the score of each word."""
        text = evidence.suspicious
        bonus = np.maximum(
            self.sentence_bonus * text.boundaries.sentence, self.line_bonus * text.boundaries.line
        )
        passage = Segment(Span(0, 0), 0.0)
        scores = np.zeros(len(text))
        for _ in range(self.rounds):
            before = passage.words
            scores = self._word_scores(evidence, before, stretch)[text.shared]
            passage = best_segment(np.where(free, scores, -1e6), bonus)
            if passage.words == before:
                break
        return passage, scores

    def _word_scores(self, evidence: Evidence, passage: Span, stretch: Span) -> Floats:
        """Return the log-likelihood ratio of each shared type being drawn from the stretch."""
        answered = np.bincount(
            evidence.source.shared[stretch.start : stretch.end], minlength=evidence.shared_types + 1
        )
        answered[-1] = 0
        drawn = answered / max(1, stretch.length)
        ratio = drawn / (self.unseen * RAREST + (1 - self.unseen) * self._outside(evidence, passage))
        scores = np.minimum(np.log(self.rate * ratio + 1 - self.rate), self.cap)
        scores[:-1] *= evidence.telling[: evidence.shared_types]
        return np.asarray(scores)

    def _outside(self, evidence: Evidence, passage: Span) -> Floats:
        """Return the share of each shared type in the suspicious document outside the passage."""
        text = evidence.suspicious
        inside = np.bincount(text.shared[passage.start : passage.end], minlength=len(text.count))
        rest = max(len(text) - passage.length, SMALLEST_SURROUNDINGS)
        return np.asarray((text.count - inside) / rest)

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

        The rare words of the passage stand at some density inside the stretch and at a small part of it
        outside; the stretch of the greatest likelihood ratio is a segment of greatest sum.
        """
        source = evidence.source
        whole = Span(0, len(source))
        types, _ = self._rare_types(evidence, passage)
        weight = np.zeros(evidence.shared_types + 1)
        weight[types] = 1 / source.count[types]
        at = weight[source.shared]
        bonus = np.zeros(len(source) + 1)
        bonus[[0, -1]] = self.partial
        stretch = whole
        for _ in range(self.rounds):
            density = float(at[stretch.start : stretch.end].sum()) / max(1, stretch.length)
            before = stretch
            scores = -np.log(self.outside) * at - (1 - self.outside) * density
            stretch = best_segment(scores, bonus).words
            if stretch == before:
                break
        return _to_sentences(source.boundaries.sentence | source.boundaries.line, *stretch)

    def _describe(self, evidence: Evidence, block: Block) -> Summary:
        passage, stretch = block
        types, weights = self._rare_types(evidence, passage)
        source = evidence.source.shared[stretch.start : stretch.end]
        word_scores = self._word_scores(evidence, passage, stretch)
        mine = word_scores[evidence.suspicious.shared[passage.start : passage.end]]
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
            local = self._word_scores(evidence, passage, near)
            gain = float(local[evidence.suspicious.shared[passage.start : passage.end]].sum() - score)
        return Summary(
            *(block, score, len(types), float((mine > 0.3).mean()), spread, concentration, distinct),
            gain / passage.length,
            window / stretch.length,
        )


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
