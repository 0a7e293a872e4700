"""One registry for every family of named things: measures, detectors, retrievers, verifiers, obfuscators.

A name points to ``"module:attribute"`` and is imported when it is asked for, so that listing names
costs nothing. Other packages add theirs through the entry point group ``stemmata.<family>``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from typing import Generic, TypeVar, cast

from stemmata.model.errors import ErrorCode, StemmataError

T = TypeVar("T")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the nearest known name, or nothing."""
    near = get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"; did you mean {near[0]!r}?" if near else ""


class Registry(Generic[T]):
    """Names of one family, each resolved on first use.

    Examples
    --------
    >>> colours: Registry[type] = Registry("number", {"fraction": "fractions:Fraction"})
    >>> colours["fraction"].__name__
    'Fraction'
    >>> colours["fractoin"]
    Traceback (most recent call last):
    ...
    stemmata.model.errors.StemmataError: E501 there is no number called 'fractoin'; ...
    """

    def __init__(self, family: str, targets: dict[str, str] | None = None, families: str = "") -> None:
        self.family = family
        self.families = families or family + "s"
        self._targets = dict(targets or {})
        self._loaded: dict[str, T] = {}
        self._plugins_read = False

    def add(self, name: str, target: str | T) -> None:
        """Register an object, or the ``"module:attribute"`` where it will be found."""
        if isinstance(target, str):
            self._targets[name] = target
            self._loaded.pop(name, None)
        else:
            self._loaded[name] = target

    def __iter__(self) -> Iterator[str]:
        self._read_plugins()
        return iter(sorted({*self._targets, *self._loaded}))

    def __contains__(self, name: str) -> bool:
        return name in set(self)

    def __getitem__(self, name: str) -> T:
        if name not in self._loaded:
            if name not in self:
                guess = did_you_mean(name, self)
                raise StemmataError(
                    ErrorCode.UNKNOWN_NAME,
                    family=self.family,
                    families=self.families,
                    name=name,
                    guess=guess,
                )
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def _load(self, name: str) -> T:
        module, _, attribute = self._targets[name].partition(":")
        try:
            return cast(T, getattr(import_module(module), attribute))
        except StemmataError:
            raise
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise StemmataError(
                ErrorCode.BROKEN_PLUGIN, family=self.family, name=name, reason=reason[:200]
            ) from error

    def _read_plugins(self) -> None:
        if not self._plugins_read:
            self._plugins_read = True
            for point in entry_points(group=f"stemmata.{self.families}"):
                self._targets.setdefault(point.name, point.value)
