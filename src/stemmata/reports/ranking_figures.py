"""Figures of a world ranking: what each obfuscator does to each verifier, and safety against quality."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from stemmata.measures.safety import PerformanceMatrix, Safety


@dataclass(frozen=True)
class Turned:
    """What an obfuscator does to the decisions of a verifier on the texts to hide, over all corpora.

    Attributes
    ----------
    right
        Correct "same author" before.
    lost, won
        Of these, how many became "different"; and wrong ones that became right.
    """

    right: int
    lost: int
    won: int

    @property
    def share(self) -> float:
        """Net share of correct decisions that were turned, from -1 to 1."""
        return (self.lost - self.won) / self.right if self.right else 0.0

    @property
    def level(self) -> int:
        """The share in steps of a tenth, for colours."""
        return round(10 * max(-1.0, min(1.0, self.share)))


@dataclass(frozen=True)
class HeatMap:
    """Verifiers by obfuscators; the verifiers that weigh most come first."""

    verifiers: Sequence[str]
    obfuscators: Sequence[str]
    weights: Sequence[float]
    cells: Sequence[Sequence[Turned]]


def heat_map(corpora: Mapping[str, Safety], obfuscators: Sequence[str]) -> HeatMap:
    """Return what obfuscators do to verifiers, summed over corpora."""
    counts: dict[tuple[str, str], list[int]] = {}
    weights: dict[str, float] = {}
    for safety in corpora.values():
        for name, weight in zip(safety.verifiers, safety.importance.tolist(), strict=True):
            weights[name] = weights.get(name, 0.0) + weight * safety.perfect
        for obfuscator in safety.obfuscated:
            matrix = safety.matrix(obfuscator)
            for place, name in enumerate(matrix.verifiers):
                answered = ~matrix.missing[place]
                before, after = matrix.before[place][answered], matrix.after[place][answered]
                one = counts.setdefault((name, obfuscator), [0, 0, 0])
                one[0] += int(before.sum())
                one[1] += int((before & ~after).sum())
                one[2] += int((~before & after).sum())
    total = sum(weights.values()) or 1.0
    names = sorted(weights, key=lambda name: (-weights[name], name))
    cells = [[Turned(*counts.get((name, one), (0, 0, 0))) for one in obfuscators] for name in names]
    return HeatMap(names, obfuscators, [weights[name] / total for name in names], cells)


@dataclass(frozen=True)
class Mosaic:
    """Table 1 of the paper as a picture: verifiers down, problems across, a square per decision.

    Attributes
    ----------
    paths
        By kind of change, what to draw as SVG says it; what was and stays wrong is left blank.
    counts
        How often each kind occurs.
    """

    corpus: str
    columns: int
    rows: int
    paths: Mapping[str, str]
    counts: Mapping[str, int]


def mosaic(corpus: str, matrix: PerformanceMatrix) -> Mosaic:
    """Draw a matrix; squares of one kind that are neighbours in a row are one rectangle."""
    kinds = {
        "kept": matrix.before & matrix.after,
        "turned": matrix.before & ~matrix.after,
        "helped": ~matrix.before & matrix.after,
    }
    paths = {}
    for kind, held in kinds.items():
        padded = np.pad((held & ~matrix.missing).astype(np.int8), ((0, 0), (1, 1)))
        steps = np.diff(padded, axis=1)
        rows, starts = np.nonzero(steps == 1)
        _, ends = np.nonzero(steps == -1)
        drawn = zip(rows.tolist(), starts.tolist(), (ends - starts).tolist(), strict=True)
        paths[kind] = "".join(f"M{x} {y}h{wide}v1h-{wide}z" for y, x, wide in drawn)
    return Mosaic(corpus, len(matrix.problems), len(matrix.verifiers), paths, matrix.counts())


@dataclass(frozen=True)
class Point:
    """An obfuscator in a plane of quality (across) and safety (up), in the units of the figure.

    Attributes
    ----------
    front
        Whether no other is both safer and better.
    label
        Where its name stands: across, up, and to which side of that place.
    """

    name: str
    x: float
    y: float
    shown: str
    front: bool = False
    label: tuple[float, float, str] = (0.0, 0.0, "start")


@dataclass(frozen=True)
class Plane:
    """Safety against one kind of quality."""

    title: str
    low: str
    high: str
    points: Sequence[Point]
    across: Sequence[tuple[float, str]]
    up: Sequence[tuple[float, str]]

    @property
    def front(self) -> str:
        """The line that joins the points of the front."""
        chosen = sorted((point.x, point.y) for point in self.points if point.front)
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in chosen)


WIDTH, HEIGHT = 420, 300
"""Size of a plane."""
_LETTER, _LINE = 6.9, 13.0
"""Size of a letter of a name, about."""


def plane(
    title: str,
    ends: tuple[str, str],
    values: Mapping[str, tuple[float, float]],
    bounds: tuple[float, float],
    top: float = 1.0,
) -> Plane:
    """Return safety against quality.

    Parameters
    ----------
    title, ends
        What goes across, and what its ends mean.
    values
        Quality and safety by obfuscator.
    bounds
        The range of quality.
    top
        Where safety ends.

    Examples
    --------
    >>> values = {"a": (0.5, 0.4), "b": (0.9, 0.2), "c": (0.4, 0.3)}
    >>> made = plane("words kept", ("none", "all"), values, (0, 1))
    >>> [point.name for point in made.points if point.front]
    ['a', 'b']
    """
    start, end = bounds
    points = []
    for name, (quality, safety) in sorted(values.items(), key=lambda item: -item[1][1]):
        x = WIDTH * min(1.0, max(0.0, (quality - start) / (end - start)))
        y = HEIGHT * (1 - min(1.0, max(0.0, safety / top)))
        beaten = any(q >= quality and s >= safety and (q, s) != (quality, safety) for q, s in values.values())
        points.append(Point(name, round(x, 1), round(y, 1), f"{quality:.2f}, {safety:.3f}", not beaten))
    across = [(WIDTH * step / 4, f"{start + (end - start) * step / 4:g}") for step in range(5)]
    steps = round(10 * top)
    every = 1 if steps <= 5 else 2
    up = [(HEIGHT * (1 - step / steps), f"{step / 10:g}") for step in range(0, steps + 1, every)]
    return Plane(title, *ends, _labelled(points), across, up)


Box = tuple[float, float, float, float]


def _labelled(points: Sequence[Point]) -> list[Point]:
    """Put each name where it covers the fewest points and other names: beside, above or below its point."""
    taken: list[Box] = [(one.x - 6, one.y - 6, one.x + 6, one.y + 6) for one in points]
    placed = []
    for point in points:
        wide = _LETTER * len(point.name)
        places = [
            (point.x + side * 9 * (abs(lift) < 10), point.y + lift, "start" if side > 0 else "end")
            for lift in (0.0, -12.0, 12.0, -24.0, 24.0)
            for side in (1, -1)
        ]
        best = min(places, key=lambda place: _covered(_box(place, wide), taken))
        taken.append(_box(best, wide))
        label = (round(best[0], 1), round(best[1] + 4, 1), best[2])
        placed.append(Point(point.name, point.x, point.y, point.shown, point.front, label))
    return placed


def _box(place: tuple[float, float, str], wide: float) -> Box:
    left = place[0] if place[2] == "start" else place[0] - wide
    return left, place[1] - _LINE / 2, left + wide, place[1] + _LINE / 2


def _covered(box: Box, others: Sequence[Box]) -> float:
    """Return how much of a name is over something else, or outside of the figure."""
    outside = (
        max(0.0, -box[0]) + max(0.0, box[2] - WIDTH - 10) + max(0.0, -box[1]) + max(0.0, box[3] - HEIGHT)
    )
    shared = sum(
        max(0.0, min(box[2], one[2]) - max(box[0], one[0]))
        * max(0.0, min(box[3], one[3]) - max(box[1], one[1]))
        for one in others
    )
    return shared + 40 * outside
