"""Summaries: a passage that draws its words from all over a long stretch of the source.

No window of the source resembles a summary of it. What gives it away is that its rare words, taken
together, all occur in the source, and are spread over more of it than the passage is long.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from stemmata.model import Span
from stemmata.model.annotations import Mask
from stemmata.model.spans import Ints
from stemmata.reuse.statistical.evidence import RAREST, Evidence, Floats, WordSequence
from stemmata.reuse.statistical.refinement import SMALLEST_SURROUNDINGS
from stemmata.reuse.statistical.segments import Segment, best_segment
from stemmata.reuse.statistical.windows import Block

TAKEN = -1e6
"""Score of a word that is part of a summary already."""


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


@dataclass
class Start:
    """A part of the source, and the passage it explains best."""

    part: Span
    best: Segment


@dataclass
class Ground:
    """What is the same for all passages looked for in a pair, and the words that are still free.

    Attributes
    ----------
    places, types
        Where the suspicious document has words that the source has too, and what they are: of no other word
        can a stretch of the source say anything.
    telling
        Of each of these words, whether its agreement means anything.
    bonus
        Of each gap between suspicious words, for a passage that ends there.
    near
        Of each of these words, the share of its type in its surroundings.
    background
        Of each of these words, its probability if no passage is reused.
    starts
        All of the source and parts of it.
    taken
        Passages found so far.
    """

    evidence: Evidence
    places: Ints
    types: Ints
    telling: Floats
    bonus: Floats
    near: Floats
    background: Floats
    starts: list[Start] = field(default_factory=list)
    taken: list[Span] = field(default_factory=list)

    def best(self, scores: Floats) -> Segment:
        """Return the best passage of free words."""
        for words in self.taken:
            scores[words.start : words.end] = TAKEN
        return best_segment(scores, self.bonus)


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
        ground = self._ground(evidence)
        found: list[Summary] = []
        for _ in range(self.most):
            start = self._best_start(ground)
            block, score = self._settled(ground, start)
            if score <= self.least_score:
                break
            if start is not ground.starts[0]:
                # A start that is too narrow may hold on to half a summary.
                again = self._settled(ground, ground.starts[0])
                block, score = max((again, (block, score)), key=lambda one: one[1])
            self._take(ground, block.suspicious)
            if block.source.length >= self.condensed * block.suspicious.length:
                summary = self._describe(ground, block)
                if summary.rare >= self.least_rare:
                    found.append(summary)
        return found

    def _ground(self, evidence: Evidence) -> Ground:
        """Return what all passages start from: parts of the source, and what each says of the words."""
        text = evidence.suspicious
        places = (text.shared < evidence.shared_types).nonzero()[0]
        types = text.shared[places]
        bonus = np.maximum(
            self.sentence_bonus * text.boundaries.sentence, self.line_bonus * text.boundaries.line
        )
        near = _near_by(text.words, self.near)[places]
        background = self._background(evidence, types, Span(0, 0), near)
        ground = Ground(evidence, places, types, evidence.telling[types], bonus, near, background)
        words = len(evidence.source)
        for part in _parts(words, min(self.finest, words // self.least_stretch)):
            ground.starts.append(Start(part, ground.best(self._scores(ground, part, background))))
        return ground

    def _take(self, ground: Ground, words: Span) -> None:
        """Let a passage be found no more."""
        ground.taken.append(words)
        for start in ground.starts:
            if start.best.words.overlaps(words):
                # Made anew: kept for all starts, scores would take far more memory than the documents.
                start.best = ground.best(self._scores(ground, start.part, ground.background))

    def _best_start(self, ground: Ground) -> Start:
        """Return the part of the source that explains some passage best: beside much else, it would drown."""
        words = len(ground.evidence.source)
        return max(
            ground.starts,
            key=lambda one: one.best.score - self.started * ((one.part.start > 0) + (one.part.end < words)),
        )

    def _settled(self, ground: Ground, start: Start) -> tuple[Block, float]:
        """Let a passage and the stretch it summarises take turns; return both, and 0 for too little."""
        stretch = start.part
        passage = self._passage(ground, stretch, start.best)
        for _ in range(self.rounds):
            if not self._enough(passage):
                return Block(passage.words, stretch), 0.0
            before, stretch = stretch, self._stretch(ground.evidence, passage.words)
            if stretch == before:
                break
            passage = self._passage(
                ground, stretch, ground.best(self._scores(ground, stretch, ground.background))
            )
        return Block(passage.words, stretch), passage.score if self._enough(passage) else 0.0

    def _enough(self, passage: Segment) -> bool:
        return passage.words.length >= self.least_words and passage.score > self.least_score

    def _passage(self, ground: Ground, stretch: Span, passage: Segment) -> Segment:
        """Return the best passage given the stretch it summarises, and the best beside the whole document."""
        for _ in range(self.rounds - 1):
            before = passage.words
            background = self._background(ground.evidence, ground.types, before, ground.near)
            passage = ground.best(self._scores(ground, stretch, background))
            if passage.words == before:
                break
        return passage

    def _background(self, evidence: Evidence, types: Ints, passage: Span, near: Floats | float) -> Floats:
        """Return the probability of each of some suspicious words if it is not drawn from the source."""
        outside = self._outside(evidence, passage)[types]
        np.maximum(outside, near, out=outside)
        outside *= 1 - self.unseen
        outside += self.unseen * RAREST
        return outside

    def _scores(self, ground: Ground, stretch: Span, background: Floats) -> Floats:
        """Return the log-likelihood ratio of each suspicious word being drawn from the stretch."""
        evidence = ground.evidence
        types = evidence.source.shared[stretch.start : stretch.end]
        drawn = np.bincount(types, minlength=evidence.shared_types + 1) / max(1, stretch.length)
        shared = drawn[ground.types]
        shared /= background
        shared *= self.rate
        shared += 1
        shared -= self.rate
        np.log(shared, out=shared)
        np.minimum(shared, self.cap, out=shared)
        shared *= ground.telling
        scores = np.full(len(evidence.suspicious), np.log(1 - self.rate))
        scores[ground.places] = shared
        return scores

    def _outside(self, evidence: Evidence, passage: Span) -> Floats:
        """Return the share of each shared type in the suspicious document outside the passage."""
        text = evidence.suspicious
        inside = np.bincount(text.shared[passage.start : passage.end], minlength=len(text.count))
        rest = max(len(text) - passage.length, SMALLEST_SURROUNDINGS)
        return np.asarray((text.count - inside) / rest)

    def _rare_types(self, evidence: Evidence, passage: Span) -> tuple[Ints, Floats]:
        """Return the rare shared types of the passage, and how telling each is."""
        text = evidence.suspicious
        held = np.zeros(evidence.shared_types + 1, dtype=bool)
        held[text.shared[passage.start : passage.end]] = True
        types = (held[:-1] & (evidence.telling[: evidence.shared_types] > 0)).nonzero()[0]
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
        places = (held >= 0).nonzero()[0]
        kinds = held[places]
        bonus = np.zeros(len(source) + 1)
        bonus[0] = bonus[-1] = self.partial
        stretch = Span(0, len(source))
        for _ in range(self.rounds):
            first, last = places.searchsorted(stretch.start), places.searchsorted(stretch.end)
            inside = np.bincount(kinds[first:last], minlength=len(types))
            expected = (inside + 0.5) * (len(source) / stretch.length - 1)
            # The first guess counts for as much as one word outside.
            outside = (source.count[types] - inside + self.outside) / (expected + 1)
            np.maximum(outside, self.outside / 4, out=outside)
            np.minimum(outside, 1.0, out=outside)
            scores = np.full(len(source), -((1 - outside) @ inside) / stretch.length)
            scores[places] -= np.log(outside)[kinds]
            before, stretch = stretch, best_segment(scores, bonus).words
            if stretch == before:
                break
        return _to_sentences(source.boundaries.sentence | source.boundaries.line, *stretch)

    def _describe(self, ground: Ground, block: Block) -> Summary:
        evidence = ground.evidence
        passage, stretch = block
        types, weights = self._rare_types(evidence, passage)
        source = evidence.source.shared[stretch.start : stretch.end]
        background = self._background(evidence, ground.types, passage, 0.0)
        mine = self._scores(ground, stretch, background)[passage.start : passage.end]
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
            local = self._scores(ground, near, background)
            gain = float(local[passage.start : passage.end].sum() - score)
        return Summary(
            *(block, score, len(types), float((mine > 0.3).mean()), spread, concentration, distinct),
            gain / passage.length,
            window / stretch.length,
        )


@lru_cache(maxsize=16)
def _near_by(words: WordSequence, near: int) -> Floats:
    """Return for each word the share of its type in its surroundings, itself not counted.

    In a document of several subjects all words of one subject look foreign to the whole.
    """
    if len(words) <= 2 * near:
        return np.zeros(len(words))
    # Numbers of two bytes are sorted by their digits, much faster.
    narrow = words.types.astype(np.uint16) if len(words.numbers) <= 1 << 16 else words.types
    order = np.argsort(narrow, kind="stable")
    # Places of one type lie together, far from those of the next.
    places = order + words.types[order] * (len(words) + 2 * near)
    around = np.searchsorted(places, places + near, "right") - np.searchsorted(places, places - near)
    share = np.empty(len(words))
    share[order] = (around - 1) / (2 * near)
    return share


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
    places = gaps.nonzero()[0]
    first = places[places.searchsorted(start, side="right") - 1]
    last = places[places.searchsorted(end, side="left")]
    return Span(int(first), int(last))
