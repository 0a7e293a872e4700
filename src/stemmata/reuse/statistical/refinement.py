"""Refinement: the words of each side that were likelier drawn from the other side than from their own text.

Each word of a passage is drawn, with probability *rate*, from the words of the passage it answers to, and
otherwise from the document around it. The log-likelihood ratio against the document alone is positive for
words the two passages share and negative for others; the best passage is the segment of greatest sum.
The two sides take turns until neither moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from stemmata.model import Span
from stemmata.model.annotations import Mask
from stemmata.model.parameters import tunable
from stemmata.model.spans import Ints
from stemmata.reuse.statistical.context import Context
from stemmata.reuse.statistical.evidence import RAREST, Evidence, Floats, Text
from stemmata.reuse.statistical.segments import best_segment
from stemmata.reuse.statistical.windows import Block, Candidate

SMALLEST_SURROUNDINGS = 50
"""Words the rest of a document is taken to have at least, so that a short rest does not rule anything out."""


class Finding(NamedTuple):
    """A refined block, and the summed log-likelihood ratio of its two sides."""

    block: Block
    score: float
    similarity: float


@dataclass(frozen=True, eq=False)
class Side:
    """One document as the other sees it: its words, the other's, and the context they share."""

    text: Text
    other: Text
    context: Context
    telling: Floats
    bonus: Floats


@dataclass(frozen=True)
class Refinement:
    """How a candidate becomes a passage.

    Attributes
    ----------
    rounds
        Turns at most.
    reach
        Words by which a side may grow in one turn.
    unseen
        Weight, in the background of a document, of a rare word that it does not have elsewhere.
    rate, rate_weight, lowest_rate, highest_rate
        Share of words drawn from the other side: first guess, the words it counts for, and limits.
    cap
        No word counts for more than this.
    alone
        Factor for evidence of words without common neighbours.
    together
        Added for words with a common neighbour.
    repeated
        Share of the cost of a foreign word for an occurrence beyond those the other side has.
    sentence_bonus, line_bonus
        For ends at sentence gaps, and at line feeds of the source.
    """

    rounds: int = 4
    reach: int = 100
    unseen: float = tunable(0.02, 0.002, 0.2)
    rate: float = tunable(0.4, 0.2, 0.8)
    rate_weight: float = 20.0
    lowest_rate: float = 0.25
    highest_rate: float = 0.95
    cap: float = tunable(4.0, 2.0, 8.0)
    alone: float = tunable(0.6, 0.2, 1.0)
    together: float = tunable(0.3, 0.0, 1.0)
    repeated: float = 0.25
    sentence_bonus: float = tunable(4.0, 0.0, 10.0)
    line_bonus: float = tunable(3.0, 0.0, 10.0)

    def sides(self, evidence: Evidence, context: Context) -> tuple[Side, Side]:
        """Return what a turn on the suspicious and on the source side needs."""
        mine, theirs = evidence.suspicious, evidence.source
        telling = np.append(evidence.telling[: evidence.shared_types], 1.0)
        at_sentence = [self.sentence_bonus * text.boundaries.sentence for text in (mine, theirs)]
        bonus = np.maximum(at_sentence[1], self.line_bonus * theirs.boundaries.line)
        return (
            Side(mine, theirs, context, telling, at_sentence[0].astype(np.float64)),
            Side(theirs, mine, context.swapped(), telling, bonus.astype(np.float64)),
        )

    def refine(self, candidate: Candidate, sides: tuple[Side, Side]) -> Finding:
        """Let the two sides of a candidate take turns until neither moves."""
        block = candidate.block
        rates = [self.rate, self.rate]
        score = 0.0
        for _ in range(self.rounds):
            mine, rates[0], my_score = self._turn(sides[0], block.suspicious, block.source, rates[0])
            theirs, rates[1], their_score = self._turn(sides[1], block.source, mine, rates[1])
            before, block, score = block, Block(mine, theirs), my_score + their_score
            if block == before:
                break
        return Finding(block, score, candidate.similarity)

    def _turn(self, side: Side, own: Span, other: Span, rate: float) -> tuple[Span, float, float]:
        """Return the best range near one's own, given the other's; the rate it shows; and its score."""
        text = side.text
        answered = np.bincount(side.other.shared[other.start : other.end], minlength=len(text.count))
        answered[-1] = 0
        ratio = answered / max(1, other.length)
        ratio /= self.background(text, own)
        near = Span(max(0, own.start - self.reach), min(len(text), own.end + self.reach))
        types = text.shared[near.start : near.end]
        flagged = side.context.flags(near, other)
        by_type = rate * ratio
        by_type += 1
        by_type -= rate
        np.log(by_type, out=by_type)
        np.minimum(by_type, self.cap, out=by_type)
        by_type *= side.telling
        alone = np.where(by_type > 0, by_type * self.alone, by_type)
        scores = np.where(flagged, (by_type + self.together)[types], alone[types])
        surplus = _surplus(types, answered, flagged, _centre(scores, flagged, own, near))
        cost = np.where(flagged[surplus], 0.0, np.log(1 - rate) * self.repeated)
        scores[surplus] = np.minimum(scores[surplus], cost)
        (start, end), score = best_segment(scores, side.bonus[near.start : near.end + 1])
        drawn = rate * ratio[types[start:end]]
        drawn = drawn / (drawn + 1 - rate)
        seen = (drawn.sum() + self.rate_weight * self.rate) / (len(drawn) + self.rate_weight)
        limited = float(min(max(seen, self.lowest_rate), self.highest_rate))
        return Span(near.start + start, near.start + end), limited, score

    def background(self, text: Text, own: Span) -> Floats:
        """Return the probability of each shared type in the document outside a range."""
        outside = text.count - np.bincount(text.shared[own.start : own.end], minlength=len(text.count))
        np.maximum(outside, 0, out=outside)
        outside *= 1 - self.unseen
        outside /= max(len(text) - own.length, SMALLEST_SURROUNDINGS)
        outside += self.unseen * RAREST
        return outside


def _centre(scores: Floats, flagged: Mask, own: Span, near: Span) -> float:
    """Return the median place of the evidence in one's own range, counted from the start of `near`."""
    first, last = own.start - near.start, own.end - near.start
    weight = np.maximum(scores[first:last], 0)
    weight *= flagged[first:last]
    weight.cumsum(out=weight)
    if not len(weight) or weight[-1] <= 0:
        return (first + last) / 2
    return float(first + weight.searchsorted(weight[-1] / 2))


def _surplus(types: Ints, answered: Ints, flagged: Mask, centre: float) -> Mask:
    """Tell which occurrences of shared types are more than the other side can answer, one to one.

    Words with a common neighbour are answered first, then those nearest to the centre of the evidence.
    """
    short = np.bincount(types, minlength=len(answered)) > answered
    short &= answered > 0
    place = short[types].nonzero()[0]
    surplus = np.zeros(len(types), dtype=bool)
    if not len(place):
        return surplus
    kind = types[place]
    # One key for both: distances are smaller than what lies between the keys of two kinds.
    distance = np.abs(place - centre)
    distance -= len(types) * 2.0 * flagged[place]
    distance += len(types) * 4.0 * kind
    order = distance.argsort(kind="stable")
    in_order = kind[order]
    rank = np.arange(len(order)) - in_order.searchsorted(in_order)
    surplus[place[order]] = rank >= answered[in_order]
    return surplus
