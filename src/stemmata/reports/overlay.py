"""What a truth says about a run, pair by pair: characters found, missed and claimed falsely.

Found characters are those that the measures count, so that the report and ``stemmata score alignment``
cannot disagree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from stemmata.measures.matching import Table
from stemmata.measures.statistics import Alignment
from stemmata.model import Span, SpanSet
from stemmata.model.annotations import NONE
from stemmata.model.spans import Ints

PairNames = tuple[str, str | None]


@dataclass(frozen=True)
class Side:
    """One document of a pair: true characters found, all true ones, and all claimed ones."""

    found: SpanSet = field(default_factory=SpanSet)
    true: SpanSet = field(default_factory=SpanSet)
    claimed: SpanSet = field(default_factory=SpanSet)


@dataclass(frozen=True)
class Tally:
    """Characters on both sides together."""

    found: int
    true: int
    claimed: int

    @property
    def missed(self) -> int:
        """True characters that were not found."""
        return self.true - self.found

    @property
    def false(self) -> int:
        """Claimed characters that no case bears out."""
        return self.claimed - self.found


@dataclass(frozen=True)
class Overlay:
    """Both documents of a pair, and the cases in it that no detection met."""

    suspicious: Side
    source: Side
    missed: Sequence[tuple[Span, Span | None]] = ()

    @property
    def tally(self) -> Tally:
        """The characters of this pair; summed over pairs, shared ones count more than once."""
        sides = (self.suspicious, self.source)
        return Tally(
            sum(len(side.found) for side in sides),
            sum(len(side.true) for side in sides),
            sum(len(side.claimed) for side in sides),
        )


def overlays(alignment: Alignment) -> dict[PairNames, Overlay]:
    """Return an overlay for every pair that has a case or a detection, by the names of its documents."""
    names = _pair_names(alignment)
    found, source_found = (
        _by_pair((pair, start, end) for pair, start, end in pieces)
        for pieces in (alignment.found.found, alignment.found.source_found)
    )
    true, source_true = _table_spans(alignment.cases)
    claimed, source_claimed = _table_spans(alignment.detections)
    missed = _missed_cases(alignment)
    none = SpanSet()
    return {
        name: Overlay(
            Side(found.get(pair, none), true.get(pair, none), claimed.get(pair, none)),
            Side(source_found.get(pair, none), source_true.get(pair, none), source_claimed.get(pair, none)),
            missed.get(pair, ()),
        )
        for pair, name in names.items()
    }


def tally(alignment: Alignment) -> Tally:
    """Return the characters of the whole run, as micro precision and recall count them."""
    sums = (alignment.statistic(f"{what}_characters").sum() for what in ("true", "case", "detection"))
    return Tally(*(int(total) for total in sums))


def _pair_names(alignment: Alignment) -> Mapping[int, PairNames]:
    suspicious, source = list(alignment.numbering.suspicious), list(alignment.numbering.source)
    return {
        int(pair): (suspicious[mine], None if theirs == NONE else source[theirs])
        for table in (alignment.cases, alignment.detections)
        for pair, mine, theirs in zip(table.pair, table.suspicious, table.source, strict=True)
    }


def _missed_cases(alignment: Alignment) -> dict[int, list[tuple[Span, Span | None]]]:
    table = alignment.cases.take(alignment.found.hits == 0)
    missed: dict[int, list[tuple[Span, Span | None]]] = {}
    columns = (table.pair, table.start, table.end, table.source_start, table.source_end)
    for external, row in zip(table.external, np.stack(columns, axis=1).tolist(), strict=True):
        spans = (Span(*row[1:3]), Span(*row[3:]) if external else None)
        missed.setdefault(row[0], []).append(spans)
    return missed


def _table_spans(table: Table) -> tuple[dict[int, SpanSet], dict[int, SpanSet]]:
    external = table.external
    return (
        _by_pair([(table.pair, table.start, table.end)]),
        _by_pair([(table.pair[external], table.source_start[external], table.source_end[external])]),
    )


def _by_pair(pieces: Iterable[tuple[Ints, Ints, Ints]]) -> dict[int, SpanSet]:
    spans: dict[int, list[tuple[int, int]]] = {}
    for pair, start, end in pieces:
        for one, first, last in np.stack([pair, start, end], axis=1).tolist():
            spans.setdefault(one, []).append((first, last))
    return {pair: SpanSet(found) for pair, found in spans.items()}
