"""Replacing: sentences of sources for sentences of hosts, counted exactly, as PlagEvalRus was made.

Smirnov et al., "Evaluation Tracks on Plagiarism Detection Algorithms for the Russian Language", Dialogue
2017, section 3.2: random sentences of a host give way to runs of consecutive sentences from a few sources,
until the planned share of its sentences is borrowed.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor

import numpy as np
from numpy.random import Generator

from stemmata.corpora.building.base import Slice
from stemmata.corpora.building.casting import Draft, PlannedCase, Pool
from stemmata.corpora.building.plan import Band, Plan
from stemmata.corpora.building.quotas import Quota
from stemmata.corpora.building.sentences import Sentences, sentences_of
from stemmata.model.spans import Ints

Taken = dict[int, list[tuple[int, int]]]
"""Runs of sentences that a document has from each source."""


class SentenceCasting:
    """Finds for each document runs of sentences to borrow, none of them twice.

    A document has from one to `Plan.most_sources` sources, each number as likely as the next, unless they
    have too few sentences for it. A run has the words that the plan asks for.
    """

    def __init__(
        self,
        plan: Plan,
        sources: Sequence[Slice],
        hidden: Sequence[Slice],
        labels: Sequence[int],
        rng: Generator,
    ) -> None:
        self.plan, self.rng = plan, rng
        self.topics = Quota({"intra": plan.intra, "inter": 1 - plan.intra})
        self.lengths = Quota({band.name: band.share for band in plan.case_length})
        self.bands = {band.name: band for band in plan.case_length}
        self.pools = {
            False: self._pool(sources, labels[: len(sources)]),
            True: self._pool(hidden, labels[len(labels) - len(hidden) :]),
        }
        self.lacking = 0

    def _pool(self, slices: Sequence[Slice], labels: Sequence[int]) -> Pool:
        return Pool(slices, [len(sentences_of(one, self.plan.language)) for one in slices], labels)

    def cast(self, draft: Draft, topic: int, host: Slice) -> list[PlannedCase]:
        """Return the cases of a document, which together are the planned share of its sentences."""
        pool = self.pools[draft.intrinsic]
        left = self._wanted(draft.share, len(sentences_of(host, self.plan.language)))
        most = self.plan.most_sources or len(pool.slices)
        few = int(self.rng.integers(1, self.plan.most_sources + 1)) if self.plan.most_sources else most
        taken: Taken = {}
        cases: list[PlannedCase] = []
        while left > 0:
            possible = [name for name, band in self.bands.items() if band.low <= left]
            if not possible:
                break
            name = self.lengths.wanted(possible)[0]
            band = self.bands[name]
            size = int(self.rng.integers(int(band.low), int(min(band.high, left)) + 1))
            found = (
                self._found(pool, topic, host, size, taken, few)
                or self._found(pool, topic, host, size, taken, most)
                or self._found(pool, topic, host, int(band.low), taken, most)
            )
            if found is None:
                break
            source, first, size, kind = found
            self.lengths.taken[name] += 1
            self.topics.taken[kind] += 1
            taken.setdefault(source, []).append((first, first + size))
            cases.append(PlannedCase(source, first, size, name, "", kind))
            left -= size
        self.lacking += left > 0
        return cases

    def _wanted(self, share: Band, sentences: int) -> int:
        """Return how many sentences of a host give way: a number at random within the class."""
        low, high = ceil(share.low * sentences - 1e-9), floor(share.high * sentences + 1e-9)
        if high < low:
            return max(1, round((share.low + share.high) / 2 * sentences))
        return max(1, int(self.rng.integers(low, high + 1)))

    def _found(
        self, pool: Pool, topic: int, host: Slice, size: int, taken: Taken, most: int
    ) -> tuple[int, int, int, str] | None:
        """Return a source, its first sentence, the size and the topic of a case; nothing if none is free.

        New sources come first, as long as there may be more of them.
        """
        fresh = len(taken) < most
        intra, inter = pool.candidates(topic, size, host, None if fresh else taken)
        kinds = {"intra": intra, "inter": inter}
        for kind in self.topics.wanted(name for name, some in kinds.items() if len(some)):
            order = self.rng.permutation(kinds[kind]).tolist()
            for source in sorted(order, key=lambda one: one in taken) if fresh else order:
                sentences = sentences_of(pool.slices[source], self.plan.language)
                free = self._free(sentences, size, taken.get(source, []))
                if len(free):
                    return source, int(self.rng.choice(free)), size, kind
        return None

    def _free(self, sentences: Sentences, size: int, taken: Sequence[tuple[int, int]]) -> Ints:
        """Return the sentences at which a run may start: none of it taken, and with words enough."""
        used = np.zeros(len(sentences) + 1, np.int64)
        for first, last in taken:
            used[first + 1 : last + 1] = 1
        words = np.concatenate([np.zeros(1, np.int64), np.cumsum(sentences.words)])
        used = np.cumsum(used)
        enough = words[size:] - words[:-size] >= self.plan.passage_words
        return np.flatnonzero(enough & (used[size:] == used[:-size]))

    def differences(self) -> list[str]:
        """Tell how far topics and lengths are off, and which documents could not borrow enough."""
        told = self.topics.differences("topic") + self.lengths.differences("case length")
        if self.lacking:
            told.append(f"{self.lacking} documents borrow less than planned, as the sources have no more")
        return told
