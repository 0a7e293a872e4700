"""From figures to a grade: a weighted sum, fitted to graded texts and kept as JSON.

Sensibleness is a sum on a logistic scale (`Grader`). Soundness starts at the best grade, which a text of the
same words has, and loses by all that is not the same (`Deductions`). A figure may only count in the direction
that makes sense (a likelier text is never worse), and only within the range it was seen in. So a grade can be
explained term by term, and a text unlike all graded ones gets a grade at the edge of what is known and not
beyond.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import isfinite
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize, nnls

from stemmata.model import ErrorCode, StemmataError

Floats = npt.NDArray[np.float64]

FITTED = "fitted.json"
PENALTY = 1.0
"""Of the squared weights."""
_WORSE = frozenset(
    {"unlikely", "unlikely_gained", "faults", "faults_gained"}
    | {"unknown_words", "marks_gained", "repetition_gained"}
)
_COLUMNS = ("mean", "scale", "lowest", "highest", "weights")


@dataclass(frozen=True, repr=False)
class Grader:
    """Grades from 0 to `top` by named figures.

    Attributes
    ----------
    top
        The best grade.
    names
        The figures that are looked at.
    mean, scale
        Of each figure, to standardise it.
    lowest, highest
        Values of each figure beyond which it counts no more.
    weights, intercept
        Of the standardised figures; their sum is the logarithm of the odds of the best grade.
    """

    top: float
    names: tuple[str, ...]
    mean: tuple[float, ...]
    scale: tuple[float, ...]
    lowest: tuple[float, ...]
    highest: tuple[float, ...]
    weights: tuple[float, ...]
    intercept: float

    def grades(self, figures: Mapping[str, Floats]) -> Floats:
        """Return a grade for each text.

        Examples
        --------
        >>> grader = Grader(2.0, ("cosine",), (0.9,), (0.1,), (0.0,), (1.0,), (1.5,), 0.0)
        >>> grader.grades({"cosine": np.array([0.5, 0.9, 1.0])}).round(2).tolist()
        [0.0, 1.0, 1.64]
        """
        return self.top * _logistic(self.contributions(figures).sum(axis=1) + self.intercept)

    def contributions(self, figures: Mapping[str, Floats]) -> Floats:
        """Return what each figure adds to the logarithm of the odds, one row per text."""
        rows = np.stack([figures[name] for name in self.names], axis=1)
        kept = np.clip(rows, self.lowest, self.highest)
        return np.asarray((kept - np.array(self.mean)) / np.array(self.scale) * np.array(self.weights))

    def as_json(self) -> dict[str, Any]:
        """Return the form in which a grader is kept: one line per figure."""
        columns = zip(*(getattr(self, name) for name in _COLUMNS), strict=True)
        figures = {
            name: dict(zip(_COLUMNS, values, strict=True))
            for name, values in zip(self.names, columns, strict=True)
        }
        return {"top": self.top, "intercept": self.intercept, "figures": figures}

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> Grader:
        """Read a grader from the form in which it is kept."""
        names = tuple(said["figures"])
        columns = [tuple(float(said["figures"][name][one]) for name in names) for one in _COLUMNS]
        mean, scale, lowest, highest, weights = columns
        made = cls(float(said["top"]), names, mean, scale, lowest, highest, weights, float(said["intercept"]))
        numbers = (made.top, made.intercept, *(value for column in columns for value in column))
        if not all(map(isfinite, numbers)) or min(made.scale, default=1.0) <= 0:
            raise ValueError("numbers out of range")
        return made

    @classmethod
    def fitted(
        cls, figures: Mapping[str, Floats], names: Sequence[str], grades: Floats, top: float, weight: Floats
    ) -> Grader:
        """Fit a grader to graded texts, each counting by its weight.

        The loss is the cross-entropy of grade / top, with a penalty on the weights. The penalty draws grades
        to the middle; so the sum is stretched afterwards, which changes no order.
        """
        rows = np.stack([figures[name] for name in names], axis=1)
        mean, scale = rows.mean(axis=0), np.maximum(rows.std(axis=0), 1e-9)
        columns = np.concatenate([np.ones((len(rows), 1)), (rows - mean) / scale], axis=1)
        bounds = [(None, None)] + [(None, 0) if name in _WORSE else (0, None) for name in names]
        penalty = np.array([0.0] + [PENALTY] * len(names))
        found = _least(columns, grades / top, weight, penalty, bounds)
        score = columns @ found
        shift, stretch = _least(
            np.stack([np.ones(len(score)), score], axis=1), grades / top, weight, np.zeros(2), None
        )
        lowest, highest = rows.min(axis=0), rows.max(axis=0)
        (intercept,) = _rounded([found[0] * stretch + shift])
        return cls(
            top,
            tuple(names),
            _rounded(mean),
            _rounded(scale),
            _rounded(lowest),
            _rounded(highest),
            _rounded(found[1:] * stretch),
            intercept,
        )


@dataclass(frozen=True, repr=False)
class Deductions:
    """Grades that start at `top` and lose by what is missing: ``top - sum of (a + b m) m``, m = 1 - figure.

    Attributes
    ----------
    top
        The best grade, which a text has that lacks nothing.
    names
        The figures that are looked at; 1 is all, 0 is nothing.
    once, squared
        a and b of each figure.
    """

    top: float
    names: tuple[str, ...]
    once: tuple[float, ...]
    squared: tuple[float, ...]

    def grades(self, figures: Mapping[str, Floats]) -> Floats:
        """Return a grade for each text.

        Examples
        --------
        >>> grader = Deductions(5.0, ("kept",), (2.0,), (3.0,))
        >>> grader.grades({"kept": np.array([1.0, 0.5, 0.0])}).tolist()
        [5.0, 3.25, 0.0]
        """
        missing = _missing(figures, self.names)
        lost = missing @ np.array(self.once) + missing**2 @ np.array(self.squared)
        graded: Floats = np.clip(self.top - lost, 0, self.top)
        return graded

    def as_json(self) -> dict[str, Any]:
        """Return the form in which it is kept: one line per figure."""
        rows = zip(self.names, self.once, self.squared, strict=True)
        return {"top": self.top, "missing": {name: {"once": a, "squared": b} for name, a, b in rows}}

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> Deductions:
        """Read from the form in which it is kept."""
        names = tuple(said["missing"])
        once, squared = (
            tuple(float(said["missing"][name][one]) for name in names) for one in ("once", "squared")
        )
        if not all(isfinite(value) and value >= 0 for value in (float(said["top"]), *once, *squared)):
            raise ValueError("numbers out of range")
        return cls(float(said["top"]), names, once, squared)

    @classmethod
    def fitted(
        cls, figures: Mapping[str, Floats], names: Sequence[str], grades: Floats, top: float, weight: Floats
    ) -> Deductions:
        """Fit to graded texts by least squares, each counting by its weight; nothing missing is rewarded."""
        missing = _missing(figures, names)
        root = np.sqrt(weight)
        found, _ = nnls(np.concatenate([missing, missing**2], axis=1) * root[:, None], (top - grades) * root)
        return cls(top, tuple(names), _rounded(found[: len(names)]), _rounded(found[len(names) :]))


def _missing(figures: Mapping[str, Floats], names: Sequence[str]) -> Floats:
    missing: Floats = 1 - np.clip(np.stack([figures[name] for name in names], axis=1), 0, 1)
    return missing


def _least(
    columns: Floats, share: Floats, weight: Floats, penalty: Floats, bounds: Sequence[Any] | None
) -> Floats:
    """Return the weights of least loss."""

    def loss(values: Floats) -> tuple[float, Floats]:
        odds = columns @ values
        # log(1 + e^x) - share x, without overflow.
        losses = np.logaddexp(0, odds) - share * odds
        slope = columns.T @ (weight * (_logistic(odds) - share))
        return float(weight @ losses + penalty @ values**2), slope + 2 * penalty * values

    start = np.zeros(columns.shape[1])
    found: Floats = minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B").x
    return found


def _logistic(odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -500, 500))))


def _rounded(values: Sequence[float] | Floats) -> tuple[float, ...]:
    """Return numbers short enough to keep; the last digits differ between machines."""
    return tuple(float(f"{value:.6g}") for value in values)


@cache
def fitted_graders() -> dict[str, Grader | Deductions]:
    """Return what grades sensibleness and soundness, as it comes with the package."""
    file = files(__package__ or "").joinpath(FITTED)
    try:
        said = json.loads(file.read_text("utf-8"))
        return {
            "sensibleness": Grader.from_json(said["sensibleness"]),
            "soundness": Deductions.from_json(said["soundness"]),
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StemmataError(ErrorCode.BAD_GRADERS, str(file), reason=error) from None
