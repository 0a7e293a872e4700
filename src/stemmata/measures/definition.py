"""What a measure is: a name, a meaning, its parameters and where it was published."""

from __future__ import annotations

from dataclasses import dataclass

from stemmata import __version__


@dataclass(frozen=True)
class Parameter:
    """A number or a choice that changes what a measure computes."""

    name: str
    default: float | str
    meaning: str


@dataclass(frozen=True)
class Citation:
    """Where a measure was published."""

    key: str
    text: str


@dataclass(frozen=True)
class Measure:
    """The declaration of a measure, fit to be listed; the formula stands where `implementation` says."""

    name: str
    task: str
    meaning: str
    formula: str
    citation: Citation
    implementation: str
    parameters: tuple[Parameter, ...] = ()
    key: str = ""
    """Where the value stands in the JSON of ``stemmata score``, such as ``macro.plagdet``."""


def signature(task: str, **options: object) -> str:
    """Return one line that pins down how a score was made: version, then every option.

    Examples
    --------
    >>> signature("alignment", alpha=1.0, pairs="none")  # doctest: +ELLIPSIS
    'stemmata:...|task:alignment|alpha:1|pairs:none'
    """
    said = (f"{name}:{value:g}" if isinstance(value, float) else f"{name}:{value}" for name, value in options.items())
    return "|".join([f"stemmata:{__version__}", f"task:{task}", *said])
