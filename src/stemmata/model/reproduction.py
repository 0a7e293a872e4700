"""A reproduced paper: its tables, with our values beside the printed ones, and its figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Compared:
    """A value of ours beside the printed one.

    Attributes
    ----------
    published
        What the paper prints, with `digits` decimals; None where it prints nothing.
    spread
        The standard deviation of ours, where it is the mean of random draws and the paper's is one draw.
    """

    ours: float
    published: float | None = None
    digits: int = 4
    spread: float | None = None

    @property
    def difference(self) -> float | None:
        """Ours less the paper's."""
        return None if self.published is None else self.ours - self.published

    @property
    def deviates(self) -> bool:
        """Whether ours is not the paper's: beyond rounding, or beyond two deviations of random draws."""
        if self.difference is None:
            return False
        rounding = 0.5 * 10.0**-self.digits + 1e-9
        return not abs(self.difference) <= max(rounding, 2 * (self.spread or 0.0))


Cell = str | int | float | Compared


@dataclass(frozen=True, slots=True)
class Note:
    """A remark on a table, and the cells (row, column) it is about; without cells, on all of it."""

    text: str
    cells: frozenset[tuple[int, int]] = frozenset()


@dataclass(frozen=True)
class ComparedTable:
    """A table of a paper, ours beside it.

    Attributes
    ----------
    name
        In file names, such as ``table-4``.
    groups
        How many columns at the left describe a group of rows, whose cells there are the same.
    """

    name: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    notes: Sequence[Note] = ()
    groups: int = 0


Marker = Literal["circle", "cross", "diamond"]


@dataclass(frozen=True)
class Series:
    """Points of one kind in a panel."""

    label: str
    marker: Marker
    x: Floats
    y: Floats


@dataclass(frozen=True)
class Boxes:
    """Boxes of one kind in a panel, at 1, 2, …: the middle half of what was measured, and its median.

    Attributes
    ----------
    low, middle, high
        Lower quartile, median and upper quartile; undefined where nothing was measured.
    """

    label: str
    low: Floats
    middle: Floats
    high: Floats


@dataclass(frozen=True)
class Callout:
    """Words at a place of a panel, with a line to each of the points they are about."""

    text: str
    place: tuple[float, float]
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Panel:
    """One scatter or box plot with y from 0 to 1."""

    title: str
    x_label: str
    y_label: str
    series: Sequence[Series]
    callouts: Sequence[Callout] = ()
    boxes: Sequence[Boxes] = ()


@dataclass(frozen=True)
class Figure:
    """Panels in rows under one caption."""

    name: str
    caption: str
    rows: Sequence[Sequence[Panel]]


@dataclass(frozen=True)
class Reproduction:
    """A whole paper.

    Attributes
    ----------
    headline
        The name of the table that sums it up.
    promised, kept
        How many printed values must be met, and how many are.
    facts
        Sizes that the report's text speaks of.
    source, shown
        The names of the folder it was computed from, and of the corpus its figures show.
    """

    citation: str
    source: str
    shown: str
    tables: Mapping[str, ComparedTable]
    figures: Mapping[str, Figure]
    headline: str
    promised: int
    kept: int
    facts: Mapping[str, float]
    signature: str
