"""Who shares text with whom, as a drawing: documents on a circle, and a line for each pair.

A circle leaves room for every name, and the same documents always give the same drawing. Documents that
share much stand close together.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

MOST_NODES = 60
"""More documents than this cannot be told apart on a circle; those that share most are drawn."""
MOST_ROUNDS = 4
"""How often documents are exchanged on the circle in search of shorter lines."""
LABELS_LEVEL = 12
"""Up to so many names stand level; more of them are turned, as spokes are, so that they do not meet."""
LONGEST_LABEL = 26
SPACE = 36
"""Between two documents on the circle, in pixels."""
LEAST_RADIUS = 130
LETTER = 7.6
"""The width of a letter, about, in pixels; so much room is left for names around the circle."""
MARGIN = 28
WIDEST = 10.0

Links = Mapping[tuple[int, int], int]
"""Characters that pairs of documents share, by their numbers, the lower one first."""


@dataclass(frozen=True)
class Node:
    """A document on the circle."""

    number: int
    x: float
    y: float
    label: str
    turn: float
    side: str

    @property
    def offset(self) -> int:
        """How far the name stands from the centre of its dot, along the line of writing."""
        return {"start": 12, "end": -12}.get(self.side, 0)


@dataclass(frozen=True)
class Edge:
    """A line between two documents."""

    first: int
    second: int
    characters: int
    path: str
    width: float


@dataclass(frozen=True)
class Graph:
    """A drawing; `alone` are documents that share nothing, `left_out` counts those there is no room for."""

    nodes: Sequence[Node]
    edges: Sequence[Edge]
    width: float
    height: float
    alone: Sequence[int]
    left_out: int


def draw_graph(names: Mapping[int, str], links: Links) -> Graph:
    """Place documents on a circle and draw what they share.

    Parameters
    ----------
    names
        All documents by number.
    links
        The characters that pairs share.
    """
    links = {pair: characters for pair, characters in links.items() if characters > 0}
    weight: dict[int, int] = {}
    for pair, characters in links.items():
        for number in pair:
            weight[number] = weight.get(number, 0) + characters
    ranked = sorted(weight, key=lambda number: (-weight[number], number))
    drawn = set(ranked[:MOST_NODES])
    kept = {pair: n for pair, n in sorted(links.items()) if drawn.issuperset(pair)}
    circle = _short_lines(_circle(drawn, kept), kept)
    radius = max(LEAST_RADIUS, SPACE * len(circle) / (2 * math.pi))
    level = len(circle) <= LABELS_LEVEL
    labels = {number: _shortened(names[number]) for number in circle}
    room = MARGIN + LETTER * max(map(len, labels.values()), default=0)
    width, height = 2 * (radius + room), 2 * (radius + (MARGIN if level else room))
    places = {
        number: _place(radius, place, len(circle), width, height) for place, number in enumerate(circle)
    }
    most = max(kept.values(), default=1)
    nodes = [
        Node(number, x, y, labels[number], *_writing(angle, level))
        for number, (x, y, angle) in places.items()
    ]
    edges = [
        Edge(
            *pair,
            characters,
            _curve(places[pair[0]][:2], places[pair[1]][:2], (width / 2, height / 2)),
            round(1.2 + (WIDEST - 1.2) * characters / most, 2),
        )
        for pair, characters in kept.items()
    ]
    # Wide lines first, so that narrow ones are not hidden.
    edges.sort(key=lambda edge: (-edge.width, edge.first, edge.second))
    alone = [number for number in names if number not in weight]
    return Graph(nodes, edges, round(width), round(height), alone, len(ranked) - len(drawn))


def _circle(numbers: Iterable[int], links: Links) -> list[int]:
    """Return documents in an order in which each stands near one that it shares much with."""
    left = sorted(numbers)
    order: list[int] = []
    bond = dict.fromkeys(left, 0.0)
    while left:
        # Where nothing left is bound to those placed so far, the one with the most bonds opens a group.
        total = {n: sum(links.get((min(n, m), max(n, m)), 0) for m in left if m != n) for n in left}
        best = max(left, key=lambda n: (bond[n], total[n], -n))
        left.remove(best)
        order.append(best)
        for n in left:
            # What is bound to a document placed long ago stands far from it anyway.
            bond[n] = bond[n] / 2 + links.get((min(n, best), max(n, best)), 0)
    return order


def _short_lines(order: list[int], links: Links) -> list[int]:
    """Exchange documents as long as heavy lines become shorter."""
    size = len(order)
    place = {number: i for i, number in enumerate(order)}
    bound: dict[int, list[tuple[int, float]]] = {number: [] for number in order}
    for (first, second), characters in links.items():
        bound[first].append((second, math.sqrt(characters)))
        bound[second].append((first, math.sqrt(characters)))

    def strain(number: int) -> float:
        gaps = ((abs(place[number] - place[other]), pull) for other, pull in bound[number])
        return sum(min(gap, size - gap) * pull for gap, pull in gaps)

    for _ in range(MOST_ROUNDS):
        better = False
        for one, two in combinations(order, 2):
            before = strain(one) + strain(two)
            place[one], place[two] = place[two], place[one]
            if strain(one) + strain(two) < before - 1e-9:
                better = True
            else:
                place[one], place[two] = place[two], place[one]
        if not better:
            break
    return sorted(order, key=place.__getitem__)


def _place(radius: float, place: int, count: int, width: float, height: float) -> tuple[float, float, float]:
    angle = 2 * math.pi * place / max(count, 1) - math.pi / 2
    x, y = width / 2 + radius * math.cos(angle), height / 2 + radius * math.sin(angle)
    return round(x, 1), round(y, 1), angle


def _writing(angle: float, level: bool) -> tuple[float, str]:
    """Return by how much a name is turned, and which end of it is at the dot."""
    right = math.cos(angle) > -1e-9
    if level:
        return 0.0, "start" if right else "end"
    degrees = math.degrees(angle)
    return round(degrees if right else degrees + 180, 1), "start" if right else "end"


def _curve(one: tuple[float, float], two: tuple[float, float], centre: tuple[float, float]) -> str:
    """Draw a line that bends to the centre, more so the farther apart its ends are."""
    radius = math.dist(one, centre)
    pull = 0.85 * (1 - math.dist(one, two) / (2 * radius + 1e-9))
    bend = [round(centre[axis] + pull * ((one[axis] + two[axis]) / 2 - centre[axis]), 1) for axis in (0, 1)]
    return f"M{one[0]} {one[1]}Q{bend[0]} {bend[1]} {two[0]} {two[1]}"


def _shortened(name: str) -> str:
    """Leave out the middle of a long name: beginnings and endings tell names apart."""
    if len(name) <= LONGEST_LABEL:
        return name
    return f"{name[: LONGEST_LABEL - 11]}…{name[-10:]}"
