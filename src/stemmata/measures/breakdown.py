"""The cases of a truth in groups, each with the detections that belong to it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePath

import numpy as np

from stemmata.measures.matching import listed_pairs, make_tables
from stemmata.measures.statistics import Alignment
from stemmata.model import Annotations, Coded, ErrorCode, StemmataError
from stemmata.model.annotations import NONE
from stemmata.model.registry import did_you_mean

LENGTH_CLASSES = (("short", 0), ("medium", 1_500), ("long", 12_000))
"""Classes of PAN-PC-10's Table 5, put between its 50-150, 300-500 and 3000-5000 words, in characters."""

MANY_VALUES = 12
"""An attribute of more different numbers than this is shown in quarters."""

Pairs = Collection[tuple[str, str]]


@dataclass(frozen=True)
class Group:
    """Cases that share a value, and the detections they are scored with."""

    value: str
    cases: Annotations
    detections: Annotations


@dataclass(frozen=True)
class Breakdown:
    """All groups in the order of their values, and how many detections belong to none."""

    groups: tuple[Group, ...]
    unassigned: int


def break_down(
    cases: Annotations, detections: Annotations, by: str, listed: Mapping[str, Pairs] | None = None
) -> Breakdown:
    """Group the cases by an attribute and give every group its detections.

    A detection belongs to the groups whose cases it detects. One that detects nothing belongs to the
    groups of its pair of documents, so that a false detection is charged where it was made; without
    such a pair it belongs to no group.

    Parameters
    ----------
    by
        An attribute of the cases, or ``folder``, ``length`` or ``language``.
    listed
        With ``folder``: the pairs of each folder, so that a folder without cases is a group too.
    """
    column = group_values(cases, by)
    whole = Alignment(cases, detections)
    nothing = np.zeros(len(detections), dtype=bool)
    nothing[whole.detections.row[whole.right.hits == 0]] = True
    assigned = np.zeros(len(detections), dtype=bool)
    folders = listed if by == "folder" and listed else {}
    groups = []
    for value in _in_order(
        {*(column.values[c] for c in np.unique(column.codes) if c != NONE), *folders} - {""}
    ):
        code = column.values.index(value) if value in column.values else NONE - 1
        mine = cases.take(column.codes == code)
        part = Alignment(mine, detections)
        table = part.detections
        near = np.isin(table.pair, part.cases.pair)
        near |= ~table.external & np.isin(table.suspicious, part.cases.suspicious)
        near |= listed_pairs(part.numbering, table, folders.get(value, ()))
        belongs = (part.right.hits > 0) | (nothing[table.row] & near)
        rows = np.sort(table.row[belongs])
        assigned[rows] = True
        groups.append(Group(value, mine, detections.take(rows)))
    distinct = make_tables(cases, detections)[1].row
    return Breakdown(tuple(groups), int((~assigned[distinct]).sum()))


def group_values(cases: Annotations, by: str) -> Coded:
    """Return the value of each case: an attribute as it stands, or one of the derived ones."""
    derived = {"folder": _folder, "length": _length_class, "language": _language}
    if by in cases.attributes:
        return _quarters(cases.attributes[by])
    if by in derived and (column := derived[by](cases)) is not None:
        return column
    known = sorted({*cases.attributes, *(name for name, make in derived.items() if make(cases) is not None)})
    raise StemmataError(
        ErrorCode.UNKNOWN_ATTRIBUTE, attribute=by, guess=did_you_mean(by, known), known=", ".join(known)
    )


def _folder(cases: Annotations) -> Coded | None:
    """Return the folder each case was read from, PAN's way of naming sub-corpora."""
    if not len(cases.file):
        return None
    names = Coded.of(PurePath(file).parent.name for file in cases.file.values)
    return Coded(names.values, names.codes[cases.file.codes])


def _length_class(cases: Annotations) -> Coded:
    bounds = [bound for _, bound in LENGTH_CLASSES[1:]]
    codes = np.searchsorted(bounds, cases.length, side="right")
    return Coded(tuple(name for name, _ in LENGTH_CLASSES), codes.astype(np.int32))


def _language(cases: Annotations) -> Coded | None:
    """Return ``source>suspicious`` language, or the whole chain of a translated case (PAN13)."""
    chain = sorted(name for name in cases.attributes if name.startswith("language_"))
    names = chain or [name for name in ("source_language", "this_language") if name in cases.attributes]
    if not names:
        return None
    columns = [cases.attributes[name] for name in names]
    chains, code = np.unique(np.stack([column.codes for column in columns]), axis=1, return_inverse=True)
    said = (
        ">".join(column.values[one] for column, one in zip(columns, chain, strict=True) if one != NONE)
        for chain in chains.T
    )
    distinct = Coded.of(chain or None for chain in said)
    return Coded(distinct.values, distinct.codes[code.reshape(-1)])


def _quarters(column: Coded) -> Coded:
    """Put an attribute of many different numbers into four classes of about equal size."""
    if len(column.values) <= MANY_VALUES:
        return column
    try:
        numbers = np.array([float(value) for value in column.values])
    except ValueError:
        return column
    present = column.codes != NONE
    values = numbers[column.codes[present]]
    if not np.isfinite(values).all():
        return column
    edges = np.unique(np.quantile(values, [0, 0.25, 0.5, 0.75, 1]))
    names = [f"{low:.3g} to {high:.3g}" for low, high in pairwise(edges)]
    codes = np.full(len(column), NONE, dtype=np.int32)
    codes[present] = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(names) - 1)
    return Coded(tuple(names), codes)


def _in_order(values: Collection[str]) -> list[str]:
    """Sort values; length classes keep their natural order."""
    natural = [name for name, _ in LENGTH_CLASSES]
    if set(values) <= set(natural):
        return [name for name in natural if name in values]
    return sorted(values)
