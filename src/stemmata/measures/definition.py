"""What a measure is: a key, a meaning, its parameters, where it was published, and its formula."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from stemmata import __version__


@dataclass(frozen=True)
class Parameter:
    """A number or a choice that changes what a measure computes."""

    name: str
    kind: type
    default: float | str
    meaning: str


@dataclass(frozen=True)
class Citation:
    """Where a measure was published."""

    key: str
    text: str


@dataclass(frozen=True)
class Measure:
    """The declaration of a measure.

    Attributes
    ----------
    key
        Where its value stands in the JSON of ``stemmata score``, such as ``macro.plagdet``.
    title
        Its name in a table.
    formula
        The function that computes it from the totals of its task; its docstring is its meaning.
    """

    key: str
    title: str
    task: str
    formula: Callable[..., Any]
    citation: Citation
    parameters: tuple[Parameter, ...] = ()
    lower_is_better: bool = False

    @property
    def name(self) -> str:
        """The name to ask for it by: the key, after the task unless that is alignment."""
        return self.key if self.task == "alignment" else f"{self.task}.{self.key}"

    @property
    def meaning(self) -> str:
        """The first sentence of the formula's docstring."""
        return (self.formula.__doc__ or "").strip().splitlines()[0]


def nest(values: dict[str, Any]) -> dict[str, Any]:
    """Turn dotted keys into nested dictionaries.

    Examples
    --------
    >>> nest({"granularity": 1.0, "macro.recall": 0.5})
    {'granularity': 1.0, 'macro': {'recall': 0.5}}
    """
    nested: dict[str, Any] = {}
    for key, value in values.items():
        *path, last = key.split(".")
        level = nested
        for part in path:
            level = level.setdefault(part, {})
        level[last] = value
    return nested


def signature(task: str, **options: object) -> str:
    """Return one line that pins down how a score was made: version, then every option.

    Examples
    --------
    >>> signature("alignment", alpha=1.0, pairs="none")
    'stemmata:...|task:alignment|alpha:1|pairs:none'
    """
    said = [
        f"{name}:{value:g}" if isinstance(value, float) else f"{name}:{value}"
        for name, value in options.items()
    ]
    return "|".join([f"stemmata:{__version__}", f"task:{task}", *said])
