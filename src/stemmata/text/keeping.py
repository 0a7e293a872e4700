"""Results kept per document: as many as their texts allow, so that long documents do not fill memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Concatenate, ParamSpec, TypeVar

from stemmata.model import Document

P = ParamSpec("P")
T = TypeVar("T")
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
