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


Range = tuple[Span, Ints]
"""Some words, and how often they hold each shared type."""


@dataclass(frozen=True, eq=False)
class Side:
    """One document as the other sees it: its words, and the context they share."""

    text: Text
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
            Side(mine, context, telling, at_sentence[0].astype(np.float64)),
            Side(theirs, context.swapped(), telling, bonus.astype(np.float64)),
        )

    def refine(self, candidate: Candidate, sides: tuple[Side, Side]) -> Finding:
        """Let the two sides of a candidate take turns until neither moves."""
        block = candidate.block
        rates = [self.rate, self.rate]
        score = 0.0
        held, answered = (side.text.occurrences(words) for side, words in zip(sides, block, strict=True))
        for _ in range(self.rounds):
            mine, rates[0], my_score = self._turn(
                sides[0], (block.suspicious, held), (block.source, answered), rates[0]
            )
            held = sides[0].text.occurrences(mine)
            theirs, rates[1], their_score = self._turn(
                sides[1], (block.source, answered), (mine, held), rates[1]
            )
            answered = sides[1].text.occurrences(theirs)
            before, block, score = block, Block(mine, theirs), my_score + their_score
            if block == before:
                break
        return Finding(block, score, candidate.similarity)

    def _turn(self, side: Side, mine: Range, theirs: Range, rate: float) -> tuple[Span, float, float]:
        """Return the best range near one's own, given the other's; the rate it shows; and its score."""
        text = side.text
        (own, held), (other, answered) = mine, theirs
        drawn = answered / max(1, other.length)
        drawn /= self.background(text, own, held)
        drawn *= rate
        near = Span(max(0, own.start - self.reach), min(len(text), own.end + self.reach))
        types = text.shared[near.start : near.end]
        flagged = side.context.flags(near, other)
        either = drawn + 1
        either -= rate
        by_type = np.log(either)
        np.minimum(by_type, self.cap, out=by_type)
        by_type *= side.telling
        # Only what speaks for the passage is made less of.
        scores = np.minimum(by_type, by_type * self.alone)[types]
        by_type += self.together
        place = flagged.nonzero()[0]
        scores[place] = by_type[types[place]]
        short = _short(types, answered)
        if len(short):
            surplus = _surplus(types, short, answered, flagged, _centre(scores, flagged, own, near))
            cost = np.where(flagged[surplus], 0.0, np.log(1 - rate) * self.repeated)
            scores[surplus] = np.minimum(scores[surplus], cost)
        (start, end), score = best_segment(scores, side.bonus[near.start : near.end + 1])
        drawn /= either
        share = float(np.add.reduce(drawn[types[start:end]]))
        seen = (share + self.rate_weight * self.rate) / (end - start + self.rate_weight)
        limited = float(min(max(seen, self.lowest_rate), self.highest_rate))
        return Span(near.start + start, near.start + end), limited, score

    def background(self, text: Text, own: Span, held: Ints) -> Floats:
        """Return the probability of each shared type in the document outside a range and what it holds."""
        outside = text.count - held
        outside *= 1 - self.unseen
        outside /= max(len(text) - own.length, SMALLEST_SURROUNDINGS)
        outside += self.unseen * RAREST
        return outside


def _centre(scores: Floats, flagged: Mask, own: Span, near: Span) -> float:
    """Return the median place of the evidence in one's own range, counted from the start of `near`."""
    first, last = own.start - near.start, own.end - near.start
    weight = np.maximum(scores[first:last], 0)
    weight *= flagged[first:last]
    np.add.accumulate(weight, out=weight)
    if not len(weight) or weight[-1] <= 0:
        return (first + last) / 2
    return float(first + weight.searchsorted(weight[-1] / 2))


def _short(types: Ints, answered: Ints) -> Ints:
    """Return the places of shared types that occur more often than the other side can answer, one to one."""
    short = np.bincount(types, minlength=len(answered)) > answered
    np.logical_and(short, answered, out=short)
    return np.asarray(short[types].nonzero()[0])


def _surplus(types: Ints, place: Ints, answered: Ints, flagged: Mask, centre: float) -> Ints:
    """Return which of the places of such types are the ones too many.

    Words with a common neighbour are answered first, then those nearest to the centre of the evidence.
    """
    kind = types[place]
    # One key for both: distances, here twice, are smaller than what lies between the keys of two kinds.
    distance = 2 * place
    distance -= int(2 * centre)
    np.abs(distance, out=distance)
    distance -= (4 * len(types)) * flagged[place]
    distance += (8 * len(types)) * kind
    order = distance.argsort(kind="stable")
    in_order = kind[order]
    # The first of each kind that are answered, and the places behind them.
    last = in_order.searchsorted(in_order)
    last += answered[in_order]
    return np.asarray(place[order[np.arange(len(order)) >= last]])
