"""Parameters that can be tuned: declared where they are defined, with the range of their values.

A field of a frozen dataclass made by `tunable` is declared. Parts that are dataclasses themselves lend
theirs under dotted names, such as ``windows.length``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, fields, is_dataclass, replace
from typing import Any, NamedTuple, TypeVar

from stemmata.model.errors import ErrorCode, StemmataError

T = TypeVar("T")
Number = int | float
_RANGE = "stemmata.range"
_MOST_BITS = 128
_SHOWN = 40
DECIMALS = 4
"""Numbers that are not whole are tuned to this many decimals: more would be noise, and hard to read."""


class Range(NamedTuple):
    """The values that a parameter can take; both ends belong to it."""

    low: Number
    high: Number

    @property
    def whole(self) -> bool:
        """Whether the parameter is a whole number."""
        return isinstance(self.low, int) and isinstance(self.high, int)

    @property
    def rule(self) -> str:
        """What holds of a value within."""
        return f"it must be a {'whole ' if self.whole else ''}number from {self.low:,} to {self.high:,}"

    def holds(self, value: object) -> bool:
        """Tell whether a value lies within; infinities, and whole numbers of any length, are compared."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        return self.low <= value <= self.high and not (self.whole and value != int(value))

    def rounded(self, value: float) -> Number:
        """Return the nearest value that the parameter can take."""
        inside = min(max(value, self.low), self.high)
        return round(inside) if self.whole else round(float(inside), DECIMALS)


def tunable(default: Number, low: Number, high: Number) -> Any:
    """Declare a field of a dataclass as a parameter; whole bounds make a whole number."""
    return field(default=default, metadata={_RANGE: Range(low, high)})


def declared(thing: Any) -> dict[str, Range]:
    """Return the declared parameters of a dataclass instance and of its parts, by name.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Join:
    ...     gap: int = tunable(4, 0, 30)
    >>> declared(Join())
    {'gap': Range(low=0, high=30)}
    """
    return {name: bounds for name, bounds, _ in _walk(thing)}


def parameters_of(thing: Any) -> dict[str, Number]:
    """Return the present values of the declared parameters."""
    return {name: value for name, _, value in _walk(thing)}


def described(name: str, thing: Any) -> str:
    """Return the name of a thing with those of its declared parameters that are not as they come.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Join:
    ...     gap: int = tunable(4, 0, 30)
    >>> described("join", Join()), described("join", Join(gap=7))
    ('join', 'join (gap 7)')
    """
    usual = parameters_of(type(thing)()) if declared(thing) else {}
    other = [f"{one} {value:g}" for one, value in parameters_of(thing).items() if value != usual.get(one)]
    return f"{name} ({', '.join(other)})" if other else name


def with_parameters(thing: T, values: Mapping[str, Number]) -> T:
    """Return the same thing with other values of some declared parameters, each within its range."""
    known = declared(thing)
    for name, value in values.items():
        if name not in known:
            raise StemmataError(
                ErrorCode.UNKNOWN_PARAMETER, name=name, known=", ".join(sorted(known)) or "none"
            )
        if not known[name].holds(value):
            raise out_of_range(name, value, known[name])
    return _changed(thing, values, known)


def out_of_range(name: str, value: object, bounds: Range) -> StemmataError:
    """Return the error for a value that a parameter cannot take."""
    return StemmataError(ErrorCode.BAD_PARAMETER, name=name, value=shown(value), rule=bounds.rule)


def shown(value: object) -> str:
    """Return a value as an error line has room for it.

    Examples
    --------
    >>> shown(4.5), shown(10**10_000)
    ('4.5', 'a number of many digits')
    """
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return "a number of many digits"
    return str(value)[:_SHOWN]


def refuse_negative(thing: Any) -> None:
    """Refuse declared parameters below 0, for things whose parameters are sizes and thresholds."""
    for name, value in parameters_of(thing).items():
        if value < 0:
            rule = "it must not be negative"
            raise StemmataError(ErrorCode.BAD_PARAMETER, name=name, value=value, rule=rule)


def _changed(thing: T, values: Mapping[str, Number], known: Mapping[str, Range], prefix: str = "") -> T:
    changes: dict[str, Any] = {}
    for one in fields(thing):  # type: ignore[arg-type]  # only dataclasses come here
        name = prefix + one.name
        if name in values:
            changes[one.name] = int(values[name]) if known[name].whole else float(values[name])
        elif any(other.startswith(name + ".") for other in values):
            changes[one.name] = _changed(getattr(thing, one.name), values, known, name + ".")
    return replace(thing, **changes) if changes else thing  # type: ignore[type-var]


def _walk(thing: Any, prefix: str = "") -> Iterator[tuple[str, Range, Number]]:
    if not is_dataclass(thing):
        return
    for one in fields(thing):
        value = getattr(thing, one.name)
        if _RANGE in one.metadata:
            yield prefix + one.name, one.metadata[_RANGE], value
        elif is_dataclass(value) and not isinstance(value, type):
            yield from _walk(value, f"{prefix}{one.name}.")
