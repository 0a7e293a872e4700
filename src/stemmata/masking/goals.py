"""Goals: how well hidden a text is, by its style or by what verifiers say.

`StyleGoal` compares a text with samples of its author in many families of features at once. What is usual
among other authors is taken off first, so that 0 is as alike as any two authors are. `Likeness` follows the
comparison edit by edit: what each of thousands would change in it follows from what it changes in the counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Protocol

import numpy as np
import numpy.typing as npt

from stemmata.masking.style import FAMILIES, Neighbourhoods, counted
from stemmata.model import Document, Problem, Verifier
from stemmata.rewriting import Edit

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_OVERLAP = 4.0
"""What overlaps are worth if nothing is said: they differ less between authors than cosines do."""
_FARTHEST = 6.0
"""No feature of the author counts as farther from the usual than this, in spreads."""


class Goal(Protocol):
    """What a search strives for."""

    def values(self, texts: Sequence[str]) -> Floats:
        """Return how well hidden each text is; larger is better."""
        ...


@dataclass(frozen=True)
class Usual:
    """What is usual of a family among other authors' texts.

    Attributes
    ----------
    columns
        The place of each feature.
    mean, spread
        Of relative frequencies.
    """

    columns: Mapping[str, int] = field(repr=False)
    mean: Floats = field(repr=False)
    spread: Floats = field(repr=False)


@dataclass(frozen=True)
class Background:
    """Other authors' style, as frequencies in several kinds of writing.

    Attributes
    ----------
    kinds
        By the name of a kind of writing, such as ``"essays"``, what is usual in it by family.
    """

    kinds: Mapping[str, Mapping[str, Usual]] = field(repr=False)

    @classmethod
    def _loaded(cls, content: bytes) -> Background:
        """Return what `stemmata.masking.guided.training` wrote."""
        with np.load(BytesIO(content), allow_pickle=False) as said:
            kinds = bytes(said["kinds"]).decode().split("\n")
            made: dict[str, dict[str, Usual]] = {kind: {} for kind in kinds}
            for name in bytes(said["families"]).decode().split("\n"):
                terms = bytes(said[f"{name}.terms"]).decode().split("\n")
                columns = {term: place for place, term in enumerate(terms)}
                mean = said[f"{name}.mean"].astype(np.float64)
                spread = said[f"{name}.spread"].astype(np.float64)
                if mean.shape != (len(kinds), len(terms)) or spread.shape != mean.shape:
                    raise ValueError(f"{name} has tables of another size")
                for number, kind in enumerate(kinds):
                    made[kind][name] = Usual(columns, mean[number], spread[number])
        return cls(made)

    def nearest(self, texts: Sequence[str]) -> Mapping[str, Usual]:
        """Return what is usual in the kind of writing that texts belong to, by their words."""
        count = counted(" ".join(texts), ["words"])["words"]
        total = max(1, sum(count.values()))

        def distance(kind: str) -> float:
            usual = self.kinds[kind]["words"]
            row = np.zeros(len(usual.mean))
            for word, number in count.items():
                if word in usual.columns:
                    row[usual.columns[word]] = number / total
            return float(np.abs((row - usual.mean) / usual.spread).mean())

        return self.kinds[min(self.kinds, key=distance)]


@cache
def shipped() -> Background:
    """Return the background that comes with the package."""
    return Background._loaded((files("stemmata.masking.guided") / "background.npz").read_bytes())


@dataclass(frozen=True)
class VerifierGoal:
    """What verifiers say: the text is hidden where they do not find the author.

    Attributes
    ----------
    known
        Samples of the author.
    verifiers
        Who is asked; their answers are averaged.
    company
        Problems that are scored along, for verifiers that compare problems with one another.
    """

    known: tuple[str, ...] = field(repr=False)
    verifiers: tuple[Verifier, ...]
    company: tuple[Problem, ...] = field(default=(), repr=False)

    def values(self, texts: Sequence[str]) -> Floats:
        """Return the mean of the verifiers' doubts, between 0 and 1."""
        known = tuple(Document(f"known{number}", text) for number, text in enumerate(self.known))
        doubts = np.zeros(len(texts))
        for number, text in enumerate(texts):
            problem = Problem("hidden", known, Document("unknown", text))
            said = [one.score([problem, *self.company])[0] for one in self.verifiers]
            doubts[number] = 1 - float(np.mean(said)) if said else 0.5
        return doubts


class StyleGoal:
    """The style of a text is to be unlike that of samples, in all families at once.

    A family is looked at in two ways: by the cosine of its frequencies, as z-scores by what is usual, and by
    the overlap of its frequencies, with all features of the author, however rare.

    Parameters
    ----------
    known
        Samples of the author; without any, a text itself should be given, to make it unlike what it was.
    background
        What is usual.
    cosines, overlaps
        What the likeness of each family is worth, seen in one way and in the other; those not named are
        left out.
    contrast
        What the overlap with what is usual is worth, as a share of what that with the author is: it is taken
        off. Who is unlike everybody is still nearest to himself.

    Examples
    --------
    >>> goal = StyleGoal(["I do not know. I did not see it, and I do not care."])
    >>> plain, short = goal.values(["We do not go, and I did not go.", "We don't go, and I didn't go."])
    >>> bool(short > plain)
    True
    """

    def __init__(
        self,
        known: Sequence[str],
        background: Background | None = None,
        cosines: Mapping[str, float] | None = None,
        overlaps: Mapping[str, float] | None = None,
        contrast: float = 0.0,
    ) -> None:
        cosines = dict.fromkeys(FAMILIES, 1.0) if cosines is None else cosines
        overlaps = dict.fromkeys(FAMILIES, _OVERLAP) if overlaps is None else overlaps
        self.families = [name for name in FAMILIES if cosines.get(name) or overlaps.get(name)]
        usual = (background or shipped()).nearest(known)
        count = counted("\n".join(known), self.families)
        self._views: list[_View] = []
        for name in self.families:
            if (weight := cosines.get(name, 0.0)) > 0:
                self._views.append(_Angle(name, weight, count[name], usual[name]))
            if (weight := overlaps.get(name, 0.0)) > 0:
                self._views.append(_Overlap.with_samples(name, weight, count[name]))
                if contrast:
                    self._views.append(_Overlap.with_usual(name, -contrast * weight, usual[name]))

    def values(self, texts: Sequence[str]) -> Floats:
        """Return how unlike the samples each text is."""
        return np.array([self.begin(text, []).value for text in texts], dtype=np.float64)

    def begin(self, text: str, edits: Sequence[Edit]) -> Likeness:
        """Return the comparison of a text with the samples, to be followed through edits."""
        return Likeness(self, text, edits)

    def total(self, likenesses: Floats) -> Floats:
        """Return the value of likenesses, a row of one for each view."""
        return np.asarray(-(likenesses @ np.array([view.weight for view in self._views])), dtype=np.float64)


class Likeness:
    """A text compared with samples, and what each of many edits would change.

    Parameters
    ----------
    goal
        What to compare with.
    text
        The text.
    edits
        Edits that may be made; they go by number.
    """

    def __init__(self, goal: StyleGoal, text: str, edits: Sequence[Edit]) -> None:
        self._goal = goal
        around = Neighbourhoods(text, goal.families)
        changes = [around.changes(edit) for edit in edits]
        self._count = counted(text, goal.families)
        self._states = [view.state(self._count[view.name], changes) for view in goal._views]
        self._value: float | None = None
        self.edits = list(edits)

    @property
    def value(self) -> float:
        """How unlike the samples the text is now."""
        if self._value is None:
            now = np.array([state.now() for state in self._states])
            self._value = float(self._goal.total(now))
        return self._value

    @property
    def likenesses(self) -> dict[str, float]:
        """How alike text and samples are now, by view."""
        names = [f"{view.name}{view.way}" for view in self._goal._views]
        return dict(zip(names, (state.now() for state in self._states), strict=True))

    def gains(self, numbers: Sequence[int] | Ints | None = None) -> Floats:
        """Return by how much each of some edits, or of all, would hide the text better now."""
        rows = None if numbers is None else np.asarray(numbers, np.int64)
        if not self.edits:
            return np.zeros(0)
        table = np.stack([state.after(rows) for state in self._states], axis=1)
        return self._goal.total(table) - self.value

    def make(self, number: int) -> None:
        """Make an edit."""
        self._value = None
        for state in self._states:
            state.make(number)


class _View(Protocol):
    """A way to compare a family."""

    @property
    def name(self) -> str: ...

    @property
    def weight(self) -> float: ...

    @property
    def way(self) -> str: ...

    def state(self, count: Mapping[str, int], changes: Sequence[Mapping[str, Mapping[str, int]]]) -> _State:
        """Return the comparison of counts, with what edits change in them."""
        ...


class _State(Protocol):
    def now(self) -> float: ...

    def after(self, rows: Ints | None) -> Floats: ...

    def make(self, row: int) -> None: ...


class _Changes:
    """What edits change in the columns of a family, and in the number of all its features.

    Attributes
    ----------
    inside, grown
        How many more features there are after each edit: of those that have columns, and of all.
    """

    def __init__(
        self, name: str, columns: Mapping[str, int], changes: Sequence[Mapping[str, Mapping[str, int]]]
    ) -> None:
        data: list[int] = []
        indices: list[int] = []
        borders = [0]
        grown = []
        for change in changes:
            found = change.get(name, {})
            for term, value in found.items():
                if term in columns:
                    indices.append(columns[term])
                    data.append(value)
            borders.append(len(data))
            grown.append(sum(found.values()))
        self._columns, self._values = np.array(indices, np.int64), np.array(data, np.float64)
        self._borders = np.array(borders)
        self.grown = np.array(grown, np.float64)
        self.inside = self.sums(lambda _, values: values)

    def row(self, number: int) -> tuple[Ints, Floats]:
        """Return the columns that an edit changes, and by how much."""
        here = slice(*self._borders[number : number + 2].tolist())
        return self._columns[here], self._values[here]

    def sums(self, of: Callable[[Ints, Floats], Floats], rows: Ints | None = None) -> Floats:
        """Return for each of some edits, or of all, the sum of something over the columns it changes.

        Parameters
        ----------
        of
            What to sum, by columns and by how much they change.
        rows
            The edits.
        """
        start, end = self._borders[:-1], self._borders[1:]
        if rows is not None:
            start, end = start[rows], end[rows]
        sizes = end - start
        owners = np.repeat(np.arange(len(sizes)), sizes)
        places = np.arange(len(owners)) + np.repeat(start - (np.cumsum(sizes) - sizes), sizes)
        weights = of(self._columns[places], self._values[places])
        return np.asarray(np.bincount(owners, weights, minlength=len(sizes)), np.float64)


class _Angle:
    """Compares by the cosine of z-scores."""

    def __init__(self, name: str, weight: float, known: Mapping[str, int], usual: Usual) -> None:
        self.name, self.weight, self.way = name, weight, ""
        self.usual = usual
        row = vector(known, usual.columns)
        standard = (row / max(row.sum(), 1.0) - usual.mean) / usual.spread
        standard = np.clip(standard, -_FARTHEST, _FARTHEST)
        self.direction = standard / max(float(np.linalg.norm(standard)), 1e-9)

    def state(self, count: Mapping[str, int], changes: Sequence[Mapping[str, Mapping[str, int]]]) -> _State:
        return _AngleState(self, vector(count, self.usual.columns), changes)


class _AngleState:
    """With x = counts / spread, m = mean / spread and N the sum of counts, the z-scores are x / N - m.

    Their product with the author's direction, and their length, follow from four sums that an edit changes by
    what its few features add to them.
    """

    def __init__(
        self, view: _Angle, count: Floats, changes: Sequence[Mapping[str, Mapping[str, int]]]
    ) -> None:
        self._spread = view.usual.spread
        middle = view.usual.mean / self._spread
        self._scaled = count / self._spread
        self._constants = float(middle @ view.direction), float(middle @ middle)
        self._sums = np.array(
            [count.sum(), self._scaled @ view.direction, self._scaled @ self._scaled, self._scaled @ middle]
        )
        self._changes = _Changes(view.name, view.usual.columns, changes)
        self._fixed = np.stack(
            [
                self._changes.inside,
                self._changes.sums(lambda at, values: values / self._spread[at] * view.direction[at]),
                self._changes.sums(lambda at, values: (values / self._spread[at]) ** 2),
                self._changes.sums(lambda at, values: values / self._spread[at] * middle[at]),
            ],
            axis=1,
        )

    def _cosine(self, sums: Floats) -> Floats:
        total = np.maximum(sums[..., 0], 1.0)
        along = sums[..., 1] / total - self._constants[0]
        length = sums[..., 2] / total**2 - 2 * sums[..., 3] / total + self._constants[1]
        return np.asarray(along / np.sqrt(np.maximum(length, 1e-9)))

    def now(self) -> float:
        return float(self._cosine(self._sums))

    def after(self, rows: Ints | None) -> Floats:
        sums = self._sums + (self._fixed if rows is None else self._fixed[rows])
        sums[:, 2] += 2 * self._changes.sums(
            lambda at, values: values / self._spread[at] * self._scaled[at], rows
        )
        return self._cosine(sums)

    def make(self, row: int) -> None:
        columns, values = self._changes.row(row)
        cross = 2 * float((values / self._spread[columns]) @ self._scaled[columns])
        self._sums = self._sums + self._fixed[row]
        self._sums[2] += cross
        np.add.at(self._scaled, columns, values / self._spread[columns])


@dataclass(frozen=True)
class _Overlap:
    """Compares by the overlap of frequencies: the sum of the smaller ones over that of the larger ones.

    Attributes
    ----------
    commonest
        Whether shares are of the features that have columns, which are the commonest, and not of all.
    """

    name: str
    weight: float
    way: str
    columns: Mapping[str, int] = field(repr=False)
    shares: Floats = field(repr=False)
    commonest: bool = False

    @classmethod
    def with_samples(cls, name: str, weight: float, known: Mapping[str, int]) -> _Overlap:
        """Return the comparison with what was counted in samples."""
        columns = {term: place for place, term in enumerate(known)}
        shares = np.array(list(known.values()), np.float64) / max(1, sum(known.values()))
        return cls(name, weight, " overlap", columns, shares)

    @classmethod
    def with_usual(cls, name: str, weight: float, usual: Usual) -> _Overlap:
        """Return the comparison with what is usual."""
        return cls(name, weight, " usual", usual.columns, usual.mean, commonest=True)

    def state(self, count: Mapping[str, int], changes: Sequence[Mapping[str, Mapping[str, int]]]) -> _State:
        return _OverlapState(self, count, changes)


class _OverlapState:
    """The overlap; that a longer text has smaller frequencies is seen only when an edit is made."""

    def __init__(
        self, view: _Overlap, count: Mapping[str, int], changes: Sequence[Mapping[str, Mapping[str, int]]]
    ) -> None:
        self._shares = view.shares
        self._count = vector(count, view.columns)
        self._changes = _Changes(view.name, view.columns, changes)
        self._total = float(max(1, self._count.sum() if view.commonest else sum(count.values())))
        self._grown = self._changes.inside if view.commonest else self._changes.grown
        self._together: Floats | None = None

    def now(self) -> float:
        return float(_jaccard(self._common()))

    def after(self, rows: Ints | None) -> Floats:
        def won(at: Ints, values: Floats) -> Floats:
            old, shares = self._count[at], self._shares[at]
            now, then = (np.minimum(count / self._total, shares) for count in (old, old + values))
            return then - now

        return _jaccard(self._common() + self._changes.sums(won, rows))

    def _common(self) -> Floats:
        if self._together is None:
            self._together = np.asarray(np.minimum(self._count / self._total, self._shares).sum())
        return self._together

    def make(self, row: int) -> None:
        self._together = None
        columns, values = self._changes.row(row)
        np.add.at(self._count, columns, values)
        self._total = max(1.0, self._total + self._grown[row])


def _jaccard(common: Floats) -> Floats:
    # Both sides sum to 1.
    return np.asarray(common / (2 - common))


def vector(count: Mapping[str, int], columns: Mapping[str, int]) -> Floats:
    """Return counts as an array; features without a column are left out."""
    row = np.zeros(len(columns))
    for term, value in count.items():
        if term in columns:
            row[columns[term]] = value
    return row
