"""Casting: which passage of which source goes into which document."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from stemmata.corpora.building.base import Slice
from stemmata.corpora.building.plan import Band, Plan
from stemmata.corpora.building.quotas import Quota
from stemmata.model.spans import Ints

DRAWS = 40
"""How often a source is drawn for a case before a passage that was taken before is taken again."""
APART = 2000
"""Characters by which passages of one document are apart in a source, since they are moved to sentences."""


@dataclass(frozen=True)
class PlannedCase:
    """A case before it is made.

    Attributes
    ----------
    source
        Number of the source document, or of the hidden text of an intrinsic case.
    place
        Where in the source the passage starts, as a share of where it could; where sentences are replaced,
        the number of its first sentence.
    size
        Words or, where sentences are replaced, sentences.
    """

    source: int
    place: float
    size: int
    length: str
    obfuscation: str
    topic: str


@dataclass
class Draft:
    """A suspicious document with plagiarism, while its cases are planned; sizes in characters."""

    length: Band
    share: Band
    size: float
    target: float
    intrinsic: bool = False
    cases: list[tuple[str, int]] | None = None

    @property
    def most(self) -> float:
        """The most that may be plagiarised."""
        return min(self.share.high * self.size, self.size)


class Casting:
    """Finds a source for each case: within the topic of the host, or without, as planned."""

    def __init__(
        self,
        plan: Plan,
        sources: Sequence[Slice],
        hidden: Sequence[Slice],
        labels: Sequence[int],
        unit: float,
        rng: Generator,
    ) -> None:
        self.plan, self.rng = plan, rng
        self.unit = unit
        self.quota = Quota({"intra": plan.intra, "inter": 1 - plan.intra})
        self.pools = {
            False: Pool(sources, [len(one) for one in sources], labels[: len(sources)]),
            True: Pool(hidden, [len(one) for one in hidden], labels[len(labels) - len(hidden) :]),
        }

    def cast(self, draft: Draft, topic: int, host: Slice) -> list[PlannedCase]:
        """Return the cases of a document, with their sources; no passage is taken twice."""
        pool = self.pools[draft.intrinsic]
        taken: dict[int, list[tuple[float, float]]] = {}
        cases = []
        for length, size in draft.cases or ():
            needed = size * self.unit
            only = taken if self.plan.most_sources and len(taken) >= self.plan.most_sources else None
            intra, inter = pool.candidates(topic, 1.1 * needed, host, only)
            if not len(intra) and not len(inter):
                intra, inter = pool.candidates(topic, 0.0, host, None)
            possible = [kind for kind, some in (("intra", intra), ("inter", inter)) if len(some)]
            if not possible:
                continue
            kind = self.quota.next(possible)
            source, place = self._drawn(pool, intra if kind == "intra" else inter, needed, taken)
            cases.append(PlannedCase(source, place, size, length, "", kind))
        return cases

    def _drawn(
        self, pool: Pool, some: Ints, needed: float, taken: dict[int, list[tuple[float, float]]]
    ) -> tuple[int, float]:
        """Draw a source and a place in it that overlaps no other of the document, if that can be had."""
        for _ in range(DRAWS):
            source, place = int(some[int(self.rng.integers(len(some)))]), float(self.rng.random())
            start = place * max(0.0, pool.length[source] - needed)
            end = start + needed
            if all(end + APART < before or after + APART < start for before, after in taken.get(source, ())):
                break
        taken.setdefault(source, []).append((start, end))
        return source, place

    def differences(self) -> list[str]:
        """Tell how far topics are off."""
        return self.quota.differences("topic")


class Pool:
    """Texts that can give passages, by length, be it in characters or sentences, and topic."""

    def __init__(self, slices: Sequence[Slice], lengths: Sequence[int], labels: Sequence[int]) -> None:
        self.slices = slices
        self.length = np.array(lengths, dtype=np.int64)
        self.path = np.array([str(one.path) for one in slices])
        self.topic = np.array(labels, dtype=np.int64)

    def candidates(
        self, topic: int, needed: float, host: Slice, only: Collection[int] | None
    ) -> tuple[Ints, Ints]:
        """Return the texts of the topic and of others that are long enough, none of the host's own book."""
        fit = (self.length >= needed) & (self.path != str(host.path))
        if only is not None:
            allowed = np.zeros(len(fit), dtype=bool)
            allowed[list(only)] = True
            fit &= allowed
        near = self.topic == topic
        return np.flatnonzero(fit & near), np.flatnonzero(fit & ~near)
