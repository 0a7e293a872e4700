"""Which detections detect which cases, and how many characters they share: the arrays behind all measures.

Everything is seen from one side, the *subjects*, against the other, the *objects*. With cases as
subjects it gives recall, with detections as subjects precision; no other difference exists.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stemmata.model import Annotations, document_key
from stemmata.model.annotations import NONE, Mask
from stemmata.model.spans import Ints, expand_ranges, merge_spans, union_lengths

Floats = npt.NDArray[np.float64]

MATCHES_AT_ONCE = 4_000_000
"""Bound on the matches held in memory; the work is cut into pieces of at most this many."""


@dataclass(frozen=True)
class Table:
    """Distinct annotations of one side in the canonical order: document, source, offset, and so on.

    `row` is the row each came from; `pair` numbers the (suspicious, source) document pairs; `source`
    is -1 where there is none. Both tables of a matching share one numbering.
    """

    row: Ints
    suspicious: Ints
    source: Ints
    pair: Ints
    start: Ints
    end: Ints
    source_start: Ints
    source_end: Ints

    def __len__(self) -> int:
        return len(self.row)

    @property
    def length(self) -> Ints:
        """Characters in the suspicious document."""
        return self.end - self.start

    @property
    def source_length(self) -> Ints:
        """Characters in the source document."""
        return self.source_end - self.source_start

    @property
    def size(self) -> Ints:
        """Characters on both sides together."""
        return self.length + self.source_length

    @property
    def external(self) -> Mask:
        """Whether a source is named."""
        return np.not_equal(self.source, NONE)

    def take(self, rows: Ints | Mask | slice) -> Table:
        """Return some of the rows, in the same order."""
        return Table(*(getattr(self, name)[rows] for name in self.__dataclass_fields__))


@dataclass(frozen=True)
class Numbering:
    """The documents of both sides, sorted by name and numbered from 0."""

    suspicious: Mapping[str, int]
    source: Mapping[str, int]


def make_tables(cases: Annotations, detections: Annotations) -> tuple[Table, Table, Numbering]:
    """Return the distinct cases and the distinct detections in one numbering of documents and pairs."""
    numbering = Numbering(
        _number(*cases.suspicious.values, *detections.suspicious.values),
        _number(*cases.source.values, *detections.source.values),
    )
    sides = [_columns(side, numbering) for side in (cases, detections)]
    # The pair (suspicious, source) becomes one small number that sorts like the pair itself.
    wide = [side[0] * (len(numbering.source) + 1) + side[1] + 1 for side in sides]
    _, pair = np.unique(np.concatenate(wide), return_inverse=True)
    tables = [_distinct(mine, side) for mine, side in zip(np.split(pair, [len(cases)]), sides, strict=True)]
    return tables[0], tables[1], numbering


def listed_pairs(numbering: Numbering, table: Table, pairs: Collection[tuple[str, str]]) -> Mask:
    """Tell which annotations lie in one of the pairs of documents."""
    suspicious, source = numbering.suspicious, numbering.source
    width = len(source) + 1
    listed = [
        suspicious[mine] * width + source[theirs]
        for mine, theirs in ((document_key(s), document_key(o)) for s, o in pairs)
        if mine in suspicious and theirs in source
    ]
    return np.isin(table.suspicious * width + table.source, listed) & table.external


def _number(*names: str) -> dict[str, int]:
    return {key: n for n, key in enumerate(sorted({document_key(name) for name in names}))}


def _columns(side: Annotations, numbering: Numbering) -> list[Ints]:
    suspicious = [numbering.suspicious[document_key(name)] for name in side.suspicious.values]
    source = [*(numbering.source[document_key(name)] for name in side.source.values), NONE]
    return [
        np.array(suspicious, dtype=np.int64)[side.suspicious.codes],
        np.array(source, dtype=np.int64)[side.source.codes],
        side.offset,
        side.offset + side.length,
        side.source_offset,
        side.source_offset + side.source_length,
    ]


def _distinct(pair: Ints, columns: list[Ints]) -> Table:
    """Sort the annotations into canonical order and drop repeated ones, keeping the first row of each."""
    suspicious, source, start, end, source_start, source_end = columns
    width = int(start.max(initial=0)) + 1
    key = pair * width + start
    order = np.argsort(key, kind="stable")
    key = key[order]
    tied = np.zeros(len(key) + 1, dtype=bool)
    tied[1:-1] = key[1:] == key[:-1]
    among = np.flatnonzero(tied[1:] | tied[:-1])  # rows that share document pair and offset with another
    if len(among):
        rows = order[among]
        rest = (rows, source_end[rows], source_start[rows], end[rows], key[among])
        order[among] = rows[np.lexsort(rest)]
    sorted_columns = [column[order] for column in (pair, start, end, source_start, source_end)]
    fresh = np.ones(len(order), dtype=bool)
    if len(order):
        fresh[1:] = np.any([column[1:] != column[:-1] for column in sorted_columns], axis=0)
    kept = order[fresh]
    pair, start, end, source_start, source_end = (column[fresh] for column in sorted_columns)
    return Table(kept, suspicious[kept], source[kept], pair, start, end, source_start, source_end)


@dataclass(frozen=True)
class Matches:
    """Pairs (subject, object) where the object detects the subject, with the clipped overlap."""

    subject: Ints
    object: Ints
    both_external: Mask
    start: Ints
    end: Ints
    source_start: Ints
    source_end: Ints


def find_matches(subjects: Table, objects: Table) -> Iterator[Matches]:
    """Yield all matches in pieces of bounded size; the matches of one subject stay in one piece.

    Two spans overlap either because the object starts inside the subject, or because the subject
    starts behind the object's start and before its end. Among spans sorted by document and start both
    are contiguous ranges, so binary search finds them with work proportional to their number.
    """
    if not len(subjects) or not len(objects):
        return
    # Annotations that all name a source can only meet within a pair of documents.
    all_external = bool(subjects.external.all() and objects.external.all())
    group, other_group = (
        (subjects.pair, objects.pair) if all_external else (subjects.suspicious, objects.suspicious)
    )
    width = int(max(subjects.end.max(), objects.end.max())) + 1
    rows, start, end = _by_start(group * width, subjects.start, subjects.end)
    other_rows, other_start, other_end = _by_start(other_group * width, objects.start, objects.end)
    inside_first = np.searchsorted(other_start, start, side="left")
    inside = np.maximum(np.searchsorted(other_start, end, side="left") - inside_first, 0)
    behind_first = np.searchsorted(start, other_start, side="right")
    behind_last = np.searchsorted(start, other_end, side="left")

    pending = [(0, len(rows))]
    while pending:
        first, last = pending.pop()
        low = np.clip(behind_first, first, last)
        behind = np.maximum(np.clip(behind_last, first, last) - low, 0)
        if last - first > 1 and inside[first:last].sum() + behind.sum() > MATCHES_AT_ONCE:
            middle = (first + last) // 2
            pending += [(middle, last), (first, middle)]
            continue
        subject, other = expand_ranges(inside_first[first:last], inside[first:last])
        subject += first
        # An empty object at the very start of a subject only touches it.
        real = other_end[other] > start[subject]
        behind_other, behind_subject = expand_ranges(low, behind)
        subject = np.concatenate([subject[real], behind_subject])
        other = np.concatenate([other[real], behind_other])
        yield _clip(subjects, objects, rows[subject], other_rows[other])


def _by_start(base: Ints, start: Ints, end: Ints) -> tuple[Ints, Ints, Ints]:
    """Return row numbers, starts and ends, all shifted by their group's base and sorted by start."""
    start, end = base + start, base + end
    if bool(np.all(start[1:] >= start[:-1])):
        return np.arange(len(start)), start, end
    order = np.argsort(start, kind="stable")
    return order, start[order], end[order]


def _clip(subjects: Table, objects: Table, subject: Ints, other: Ints) -> Matches:
    """Keep the pairs that also overlap in the source, where both have one, and clip object to subject."""
    source, other_source = subjects.source[subject], objects.source[other]
    both = (source != NONE) & (other_source != NONE)
    in_source = (
        (source == other_source)
        & (objects.source_end[other] > subjects.source_start[subject])
        & (objects.source_start[other] < subjects.source_end[subject])
    )
    keep = in_source | ~both
    if not keep.all():
        subject, other, both = subject[keep], other[keep], both[keep]
    source_start = np.maximum(subjects.source_start[subject], objects.source_start[other])
    source_end = np.minimum(subjects.source_end[subject], objects.source_end[other])
    return Matches(
        subject,
        other,
        both,
        np.maximum(subjects.start[subject], objects.start[other]),
        np.minimum(subjects.end[subject], objects.end[other]),
        source_start,
        np.where(both, source_end, source_start),
    )


class Coverage:
    """What the objects make of each subject; all arrays run over the subjects.

    Attributes
    ----------
    hits
        Number of objects that detect the subject.
    hit_external
        Whether one of them does so with both naming a source.
    covered, source_covered
        Characters of the subject that its detecting objects cover together, on either side.
    reach, source_reach
        Characters those objects cover as a whole, inside the subject or not.
    best_share
        The largest share of any one detecting object that lies inside the subject.
    found
        Merged spans of all overlaps, as (pair, start, end) for the suspicious side and the source side.
    """

    def __init__(self, subjects: int) -> None:
        self.hits, self.covered, self.source_covered, self.reach, self.source_reach = (
            np.zeros(subjects, np.int64) for _ in range(5)
        )
        self.hit_external: Mask = np.zeros(subjects, bool)
        self.best_share: Floats = np.zeros(subjects)
        self.found: list[tuple[Ints, Ints, Ints]] = []
        self.source_found: list[tuple[Ints, Ints, Ints]] = []


def cover(subjects: Table, objects: Table) -> Coverage:
    """Match the subjects with the objects and add up what they share."""
    n = len(subjects)
    result = Coverage(n)
    sizes = objects.size
    for matches in find_matches(subjects, objects):
        result.hits += np.bincount(matches.subject, minlength=n)
        result.hit_external[matches.subject[matches.both_external]] = True
        shared = (matches.end - matches.start) + (matches.source_end - matches.source_start)
        share = shared / np.maximum(sizes[matches.object], 1)
        np.maximum.at(result.best_share, matches.subject, share)
        # One sort by the object's start serves both the clipped and the whole spans: clipping keeps order.
        order = _order(matches.subject, objects.start[matches.object])
        subject, other = matches.subject[order], matches.object[order]
        start, end = matches.start[order], matches.end[order]
        result.covered += union_lengths(subject, start, end, n)
        result.reach += union_lengths(subject, objects.start[other], objects.end[other], n)
        result.found.append(merge_spans(subjects.pair[subject], start, end))
        both = np.flatnonzero(matches.both_external)
        order = both[_order(matches.subject[both], objects.source_start[matches.object[both]])]
        subject, other = matches.subject[order], matches.object[order]
        start, end = matches.source_start[order], matches.source_end[order]
        result.source_covered += union_lengths(subject, start, end, n)
        result.source_reach += union_lengths(
            subject, objects.source_start[other], objects.source_end[other], n
        )
        result.source_found.append(merge_spans(subjects.pair[subject], start, end))
    return result


def _order(group: Ints, start: Ints) -> Ints:
    return np.argsort(group * (int(start.max(initial=0)) + 1) + start, kind="stable")
