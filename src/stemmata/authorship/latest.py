"""What was made lately, kept for when the same is asked for again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Latest(Generic[K, V]):
    """So many values by key; the one that was not asked for the longest is forgotten first.

    Keys say all that a value depends on; None is no value. Threads may share it: at worst a value is made
    twice.

    Parameters
    ----------
    most
        How many values are kept.

    Examples
    --------
    >>> sizes = Latest(2)
    >>> [sizes.once(word, lambda: len(word)) for word in ("one", "three", "one", "seven")]
    [3, 5, 3, 5]
    >>> "one" in sizes, "three" in sizes, len(sizes)
    (True, False, 2)
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._kept: OrderedDict[K, V] = OrderedDict()

    def __contains__(self, key: K) -> bool:
        return key in self._kept

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: K) -> V | None:
        """Return the value of a key if it is kept."""
        try:
            self._kept.move_to_end(key)
            return self._kept[key]
        except KeyError:
            return None

    def put(self, key: K, value: V) -> V:
        """Keep a value, and return it."""
        self._kept[key] = value
        while len(self._kept) > self.most:
            self._kept.popitem(last=False)
        return value

    def once(self, key: K, make: Callable[[], V]) -> V:
        """Return the value of a key, made if it is not kept."""
        found = self.get(key)
        return self.put(key, make()) if found is None else found
