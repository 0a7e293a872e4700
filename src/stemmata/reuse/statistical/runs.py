"""Runs of equal words: whole sentences that chance does not explain.

A copied sentence is too short to stand out by the words it shares with the other document. That they stand
in the same order is what gives it away: the number of places where two documents agree on some words in a
row by chance is expected to be the product of the words' shares of the documents, times all pairs of places
(Karlin and Altschul, "Methods for assessing the statistical significance of molecular sequence features",
PNAS 87, 1990, for sequences of other letters). Turns of phrase, names, addresses and lists are more frequent
than this product, but they are no sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from stemmata.model import Span
from stemmata.model.parameters import tunable
from stemmata.model.spans import Ints, expand_ranges
from stemmata.reuse.statistical.context import in_table, rarest
from stemmata.reuse.statistical.evidence import Evidence, Floats, Text
from stemmata.reuse.statistical.windows import Block

MOST_ROWS = 2_000
"""Rows of equal words looked at, the most telling first; texts that repeat themselves have more."""
MOST_COMPARED = 10_000_000
"""Words that runs may grow over, those of each run counted; texts that repeat themselves have more."""
_ROUNDING = 1e-6


class Run(NamedTuple):
    """Equal words in the same order.

    Attributes
    ----------
    block
        From the first to the last of them.
    surprise
        Minus the logarithm of the number of such runs that is expected by chance.
    """

    block: Block
    surprise: float


class _Row(NamedTuple):
    """Equal words without a gap, and their information."""

    mine: int
    theirs: int
    words: int
    information: float


@dataclass(frozen=True)
class Runs:
    """How runs are found.

    Attributes
    ----------
    seed
        Equal words in a row that a run starts from.
    most_information
        No word counts for more than this, in nats: two documents cannot tell how rare a word is.
    gap
        Words that may differ between equal ones, in either document.
    gap_cost
        Information that a gap costs, beside one for each word in it.
    surprise
        Runs less surprising than this are left out.
    whole
        Share of a sentence's words that must be equal, numbers not counted, and share of the equal words
        that must stand in such sentences, in both documents.
    """

    seed: int = 3
    most_information: float = tunable(6.0, 4.0, 10.0)
    gap: int = 3
    gap_cost: float = tunable(4.0, 1.0, 10.0)
    surprise: float = tunable(35.0, 15.0, 80.0)
    whole: float = tunable(0.67, 0.0, 1.0)

    def find(self, evidence: Evidence) -> list[Run]:
        """Return runs of whole sentences, the most surprising first; none has a word of one before."""
        mine, theirs = self._seeds(evidence)
        if not len(mine):
            return []
        information = self._information(evidence)
        chance = float(np.log(len(evidence.suspicious)) + np.log(len(evidence.source)))
        least = chance + self.surprise / 2
        rows = self._rows(mine, theirs, information[evidence.suspicious.shared], least)
        if not rows:
            return []
        found: list[Run] = []
        compared = 0
        sides = evidence.suspicious.shared.tolist(), evidence.source.shared.tolist()
        said = information.tolist()
        for chain in self._chains(rows, least):
            if compared > MOST_COMPARED:
                break
            # What lies within a run would grow into the same.
            if any(_inside(chain, one.block) for one in found):
                continue
            grown = self._grown(sides, chain, said)
            compared += sum(row.words for row in grown)
            surprise = self._worth(grown) - chance
            if surprise >= self.surprise and self._is_whole(evidence, grown):
                first, last = grown[0], grown[-1]
                mine_span = Span(first.mine, last.mine + last.words)
                found.append(Run(Block(mine_span, Span(first.theirs, last.theirs + last.words)), surprise))
        found.sort(key=lambda one: (-one.surprise, one.block))
        kept: list[Run] = []
        for one in found:
            if not any(one.block.suspicious.overlaps(other.block.suspicious) for other in kept):
                kept.append(one)
        return kept

    def _information(self, evidence: Evidence) -> Floats:
        """Return minus the logarithm of the share of each shared type, but for one occurrence in either."""
        words = len(evidence.suspicious) + len(evidence.source)
        elsewhere = evidence.count[: evidence.shared_types] - 2
        share = np.maximum(elsewhere / words, np.exp(-self.most_information))
        return np.append(-np.log(share) * evidence.telling[: evidence.shared_types], 0.0)

    def _seeds(self, evidence: Evidence) -> tuple[Ints, Ints]:
        """Return where the same words stand in a row in both documents."""
        keys, places = self._keys(evidence.suspicious.shared, evidence.shared_types)
        other_keys, other_places = self._keys(evidence.source.shared, evidence.shared_types)
        # Most rows have no equal; a table of their last bits tells so without sorting them.
        likely = in_table(keys, other_keys)
        if not len(likely):
            return likely, likely
        keys, places = keys[likely], places[likely]
        likely = in_table(other_keys, keys)
        other_keys, other_places = other_keys[likely], other_places[likely]
        order = np.argsort(other_keys, kind="stable")
        other_keys, other_places = other_keys[order], other_places[order]
        first = other_keys.searchsorted(keys, "left")
        count = other_keys.searchsorted(keys, "right") - first
        few = rarest(count)
        here, there = expand_ranges(first[few], count[few])
        return places[few][here], other_places[there]

    def _keys(self, types: Ints, shared_types: int) -> tuple[Ints, Ints]:
        """Return a number for each row of shared words, and where it starts."""
        starts = max(0, len(types) - self.seed + 1)
        known = types < shared_types
        good = known[:starts].copy()
        keys = types[:starts].copy()
        for shift in range(1, self.seed):
            good &= known[shift : shift + starts]
            keys *= shared_types + 1
            keys += types[shift : shift + starts]
        places = good.nonzero()[0]
        return keys[places], places

    def _rows(self, mine: Ints, theirs: Ints, information: Floats, least: float) -> list[_Row]:
        """Join seeds that continue each other; return the rows that may be part of a chain worth so much.

        Of many rows the most telling are looked at. They come in the order of the first text.
        """
        diagonal = mine - theirs
        # Seeds of one row are neighbours in an order by diagonal and place.
        places = diagonal * (len(information) + 1) + mine
        order = places.argsort()
        mine, theirs, places = mine[order], theirs[order], places[order]
        is_first = np.ones(len(places), dtype=bool)
        is_first[1:] = places[1:] != places[:-1] + 1
        first = is_first.nonzero()[0]
        words = np.append(first[1:], len(places))
        words -= first
        words += self.seed - 1
        mine, theirs = mine[first], theirs[first]
        total = np.zeros(len(information) + 1)
        information.cumsum(out=total[1:])
        said = total[mine + words] - total[mine]
        if len(said) > MOST_ROWS:
            best = np.argsort(-said, kind="stable")[:MOST_ROWS]
            mine, theirs, words, said = mine[best], theirs[best], words[best], said[best]
        order = mine.argsort()
        mine, theirs, words, said = mine[order], theirs[order], words[order], said[order]
        # Where nothing follows within a gap all chains end; what lies between two such places is worth less
        # than all its rows.
        apart = np.ones(len(mine), dtype=bool)
        apart[1:] = mine[1:] > np.maximum.accumulate(mine + words)[:-1] + self.gap
        worth = np.add.reduceat(said, apart.nonzero()[0])
        likely = (worth >= least - _ROUNDING)[apart.cumsum() - 1].nonzero()[0]
        columns = (side[likely].tolist() for side in (mine, theirs, words, said))
        return sorted(map(_Row, *columns))

    def _chains(self, rows: list[_Row], least: float) -> Iterator[list[_Row]]:
        """Yield rows that follow each other with small gaps, each row once, if they are worth so much."""
        best = [row.information for row in rows]
        before = [-1] * len(rows)
        for one, two in self._links(rows):
            value = best[one] + rows[two].information - self._cost(rows[one], rows[two])
            if value > best[two]:
                best[two], before[two] = value, one
        used: set[int] = set()
        for end in sorted(range(len(rows)), key=lambda number: -best[number]):
            if best[end] < least:
                return
            chain, at = [], end
            while at >= 0 and at not in used:
                used.add(at)
                chain.append(rows[at])
                at = before[at]
            if chain:
                yield chain[::-1]

    def _links(self, rows: list[_Row]) -> Iterable[tuple[int, int]]:
        """Return which row may follow which; those that are earlier in the text come first."""
        mine, theirs, words = np.array([row[:3] for row in rows]).T
        first = np.searchsorted(mine, mine + words)
        one, two = expand_ranges(first, np.searchsorted(mine, mine + words + self.gap, "right") - first)
        apart = theirs[two] - theirs[one] - words[one]
        near = (apart >= 0) & (apart <= self.gap)
        return zip(one[near].tolist(), two[near].tolist(), strict=True)

    def _cost(self, one: _Row, two: _Row) -> float:
        gaps = two.mine - one.mine - one.words, two.theirs - one.theirs - one.words
        return self.gap_cost + max(gaps)

    def _worth(self, chain: list[_Row]) -> float:
        return sum(row.information for row in chain) - sum(self._cost(*two) for two in pairwise(chain))

    def _grown(self, sides: tuple[list[int], list[int]], chain: list[_Row], said: list[float]) -> list[_Row]:
        """Add equal words at both ends, though they be fewer than a seed."""
        mine, theirs = sides
        first, last = chain[0], chain[-1]
        after = self._beside(mine, theirs, (last.mine + last.words, last.theirs + last.words), 1, said)
        before = self._beside(mine, theirs, (first.mine - 1, first.theirs - 1), -1, said)
        return [*reversed(list(before)), *chain, *after]

    def _beside(
        self, mine: list[int], theirs: list[int], place: tuple[int, int], way: int, said: list[float]
    ) -> Iterator[_Row]:
        """Yield equal words that follow a place, or with -1 for a way come before it."""
        nothing = len(said) - 1
        ends = (len(mine), len(theirs)) if way > 0 else (-1, -1)
        while True:
            for gap, source_gap in _gaps(self.gap):
                i, j = first = place[0] + way * gap, place[1] + way * source_gap
                information = 0.0
                while (ends[0] - i) * way > 0 and (ends[1] - j) * way > 0 and mine[i] == theirs[j] != nothing:
                    information += said[mine[i]]
                    i, j = i + way, j + way
                if information > self.gap_cost + max(gap, source_gap):
                    start = first if way > 0 else (i + 1, j + 1)
                    yield _Row(*start, abs(i - first[0]), information)
                    place = i, j
                    break
            else:
                return

    def _is_whole(self, evidence: Evidence, chain: list[_Row]) -> bool:
        """Tell whether most equal words stand in sentences that are equal as a whole, in both documents."""
        mine = np.concatenate([np.arange(row.mine, row.mine + row.words) for row in chain])
        theirs = np.concatenate([np.arange(row.theirs, row.theirs + row.words) for row in chain])
        return all(
            _share_in_whole_sentences(text, words, self.whole) >= self.whole
            for text, words in ((evidence.suspicious, mine), (evidence.source, theirs))
        )


def _inside(chain: list[_Row], block: Block) -> bool:
    """Tell whether a run covers all words of a chain, in both documents."""
    (mine, theirs), last = block, chain[-1]
    return (
        mine.start <= chain[0].mine
        and last.mine + last.words <= mine.end
        and theirs.start <= chain[0].theirs
        and last.theirs + last.words <= theirs.end
    )


@cache
def _gaps(most: int) -> list[tuple[int, int]]:
    """Return how many words may be left out in either text, the fewest first."""
    gaps = [(gap, source_gap) for gap in range(most + 1) for source_gap in range(most + 1)]
    return sorted(gaps, key=lambda two: (max(two), abs(two[0] - two[1]), two))


def _share_in_whole_sentences(text: Text, words: Ints, whole: float) -> float:
    """Return the share of some words, but for numbers, in sentences that they make up; they come in order."""
    words = words[text.words.letters[text.words.types[words]]]
    if not len(words):
        return 0.0
    gaps = text.boundaries.sentence_gaps
    sentence = gaps.searchsorted(words, "right") - 1
    first = int(sentence[0])
    count = np.bincount(sentence - first)
    length = gaps[first + 1 : first + len(count) + 1] - gaps[first : first + len(count)]
    return float(count[count >= whole * length].sum() / len(words))
