"""One registry for every family of named things: measures, detectors, retrievers, verifiers, obfuscators.

A name points to ``"module:attribute"`` and is imported when it is asked for, so that listing names
costs nothing. Other packages add theirs through the entry point group ``stemmata.<families>``, but for
families that are closed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Generic, TypeVar, cast

from stemmata.model.errors import ErrorCode, StemmataError
from stemmata.model.guarding import attempt

T = TypeVar("T")

LISTED = frozenset(
    {
        *("measures", "detectors", "intrinsic-detectors", "retrievers", "verifiers", "obfuscators"),
        *("strategies", "datasets"),
    }
)
"""Families that ``stemmata list`` shows; an error about a name of another family names all there are."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the nearest known name, or nothing."""
    near = get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"; did you mean {near[0]!r}?" if near else ""


def unknown_name(family: str, name: str, known: Iterable[str], families: str = "") -> StemmataError:
    """Return the error for a name that a family does not have, with the nearest that it has."""
    names, families = sorted(known), families or family + "s"
    listed = families in LISTED
    remedy = f"see: stemmata list {families}" if listed else f"choose among: {', '.join(names) or 'none'}"
    guess = did_you_mean(name, names)
    return StemmataError(ErrorCode.UNKNOWN_NAME, family=family, name=name, guess=guess, remedy=remedy)


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

    def __init__(
        self,
        family: str,
        targets: dict[str, str] | None = None,
        families: str = "",
        method: str = "",
        plugins: bool = True,
    ) -> None:
        self.family = family
        self.method = method
        self.families = families or family + "s"
        self._targets = dict(targets or {})
        self._loaded: dict[str, T] = {}
        self._plugins_read = not plugins

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
                raise unknown_name(self.family, name, self, self.families)
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def make(self, name: str, *arguments: object, **options: object) -> Any:
        """Call what has this name, and return what it makes, which must have the method of the family."""
        factory = cast(Callable[..., Any], self[name])
        made = attempt(lambda: factory(*arguments, **options), lambda reason: self._broken(name, reason))
        if not callable(getattr(made, self.method or "__class__", None)):
            raise self._broken(name, f"it has no method {self.method!r}")
        return made

    def usable(self) -> tuple[dict[str, T], list[StemmataError]]:
        """Return all that can be loaded, by name, and for each of the others why it cannot."""
        loaded: dict[str, T] = {}
        broken: list[StemmataError] = []
        for name in self:
            try:
                loaded[name] = self[name]
            except StemmataError as error:
                broken.append(error)
        return loaded, broken

    def _load(self, name: str) -> T:
        module, _, attribute = self._targets[name].partition(":")
        return attempt(
            lambda: cast(T, getattr(import_module(module), attribute)),
            lambda reason: self._broken(name, reason),
        )

    def _broken(self, name: str, reason: str) -> StemmataError:
        target = f" ({self._targets[name]})" if name in self._targets else ""
        return StemmataError(
            ErrorCode.BROKEN_PLUGIN, family=self.family, name=name, target=target, reason=reason
        )

    def _read_plugins(self) -> None:
        if not self._plugins_read:
            self._plugins_read = True
            # Names of groups are words with points between them; build tools refuse others.
            for point in entry_points(group=f"stemmata.{self.families.replace('-', '_')}"):
                self._targets.setdefault(point.name, point.value)
