"""Results kept for when the same is asked for again: a number of them, or as many as their texts allow."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import Concatenate, Generic, ParamSpec, TypeVar

from stemmata.model import Document

P = ParamSpec("P")
T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
KEPT_CHARACTERS = 24_000_000
"""Characters of the documents whose results are kept: some thousand articles, or twenty novels."""


def kept_per_document(
    make: Callable[Concatenate[Document, P], T], characters: int = KEPT_CHARACTERS
) -> Callable[Concatenate[Document, P], T]:
    """Return the function with a memory: what was made of the latest documents is not made again.

    Parameters
    ----------
    make
        What to make of a document; its other arguments must be hashable.
    characters
        How long the documents may be together. The latest is kept however long it is.

    Examples
    --------
    >>> made = []
    >>> count = kept_per_document(lambda document: made.append(document.name) or len(document), characters=10)
    >>> one, two = Document("one", "seven.."), Document("two", "seven..")
    >>> [count(one), count(one), count(two), count(one)], made
    ([7, 7, 7, 7], ['one', 'two', 'one'])
    """
    kept: OrderedDict[object, tuple[int, T]] = OrderedDict()
    lock = Lock()
    total = 0

    @wraps(make)
    def call(document: Document, /, *args: P.args, **kwargs: P.kwargs) -> T:
        nonlocal total
        key = (document, args, *sorted(kwargs.items()))
        with lock:
            if key in kept:
                kept.move_to_end(key)
                return kept[key][1]
        result = make(document, *args, **kwargs)
        with lock:
            if key not in kept:
                kept[key] = (len(document), result)
                total += len(document)
            while total > characters and len(kept) > 1:
                total -= kept.popitem(last=False)[1][0]
        return result

    return call


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
