"""Degrees: how much a strategy changes, by a name instead of by its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from stemmata.model import ErrorCode, StemmataError
from stemmata.model.parameters import Number, declared, out_of_range, parameters_of, with_parameters
from stemmata.model.registry import did_you_mean

S = TypeVar("S")
Degrees = Mapping[str, Mapping[str, Number]]
"""Values of some parameters by the name of the degree; those of parts under dotted names."""


def at_degree(strategy: S, degree: str) -> S:
    """Return the strategy with the parameters of one of its degrees.

    Examples
    --------
    >>> from stemmata.rewriting import strategies
    >>> at_degree(strategies["random-operations"](), "high").reach
    20
    """
    known: Degrees = getattr(strategy, "degrees", {})
    if degree not in known:
        raise StemmataError(
            ErrorCode.UNKNOWN_DEGREE,
            strategy=type(strategy).__name__,
            name=degree,
            guess=did_you_mean(degree, known),
            known=", ".join(known) or "none",
        )
    return with_parameters(strategy, known[degree])


def check_parameters(strategy: Any) -> None:
    """Refuse parameters that are not numbers or lie outside the range that is declared."""
    ranges = declared(strategy)
    for name, value in parameters_of(strategy).items():
        if not ranges[name].holds(value):
            raise out_of_range(name, value, ranges[name])
