"""Asking detectors and retrievers, which others may have made: what they raise or answer amiss names them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from operator import index
from typing import Any, TypeVar

from stemmata.model import (
    Aligner,
    Detection,
    Document,
    ErrorCode,
    IntrinsicDetector,
    Pair,
    Passage,
    Ranked,
    Ranking,
    Retriever,
    StemmataError,
)
from stemmata.model.guarding import attempt
from stemmata.reuse.parameters import Learner

T = TypeVar("T")
_NOT_A_LIST = "it gives no list of detections"


def align(name: str, aligner: Aligner, pair: Pair) -> list[Detection]:
    """Return the detections of an aligner in a pair.

    Raises
    ------
    StemmataError
        E505 if it raises, E506 if its answer is none; both name the detector and the pair.
    """
    place = f"{pair.suspicious.name} and {pair.source.name}"
    found = _answer("detector", name, place, lambda: aligner.align(pair))
    return _checked("detector", name, place, found, lambda one: _detection(one, pair.suspicious, pair.source))


def find(name: str, detector: IntrinsicDetector, document: Document) -> list[Detection]:
    """Return the detections of an intrinsic detector in a document; errors are those of `align`."""
    family = "intrinsic detector"
    found = _answer(family, name, document.name, lambda: detector.find(document))
    return _checked(family, name, document.name, found, lambda one: _detection(one, document, None))


def retrieve(name: str, retriever: Retriever, document: Document) -> Ranking:
    """Return the ranking of a retriever for a document; errors are those of `align`."""
    found: Any = _answer("retriever", name, document.name, lambda: retriever.retrieve(document))
    return _checked("retriever", name, document.name, [found], lambda one: _ranking(one, document))[0]


def learn(name: str, learner: Learner, examples: Sequence[Any]) -> Mapping[str, Any]:
    """Return what a detector learns from examples.

    Raises
    ------
    StemmataError
        E505 if it raises; names the detector.
    """
    return _answer("detector", name, None, lambda: learner.learn(examples))


def _answer(family: str, name: str, place: str | None, ask: Callable[[], T]) -> T:
    return attempt(
        ask,
        lambda reason: StemmataError(ErrorCode.SYSTEM_FAILED, place, family=family, name=name, reason=reason),
    )


def _checked(family: str, name: str, place: str, found: Any, check: Callable[[Any], T]) -> list[T]:
    """Return an answer with plain numbers; refuse what is none."""
    try:
        if not isinstance(found, list | tuple):
            raise ValueError(_NOT_A_LIST)
        return [check(one) for one in found]
    except (ValueError, TypeError, AttributeError) as error:
        details = {"family": family, "name": name, "reason": str(error)}
        raise StemmataError(ErrorCode.BAD_SYSTEM_ANSWER, place, **details) from error


def _detection(found: Any, suspicious: Document, source: Document | None) -> Detection:
    if not isinstance(found, Detection):
        raise ValueError(f"it gives {_named(found)} in place of a detection")
    if (found.source is None) != (source is None):
        raise ValueError("it names no source passage" if source else "it names a source passage")
    if not isinstance(found.attributes, Mapping) or not all(
        isinstance(one, str) for pair in found.attributes.items() for one in pair
    ):
        raise ValueError("the attributes of a detection are no texts")
    theirs = _passage(found.source, source) if found.source and source else None
    return Detection(_passage(found.suspicious, suspicious), theirs, found.attributes)


def _passage(found: Any, document: Document) -> Passage:
    if not isinstance(found, tuple) or len(found) != len(Passage._fields):
        raise ValueError(f"it gives {_named(found)} in place of a passage")
    name, offset, length = found[0], index(found[1]), index(found[2])
    if name != document.name:
        raise ValueError(f"a passage is of {name!r}, which was not asked for")
    if offset < 0 or length < 1 or offset + length > len(document.text):
        raise ValueError(f"the passage {offset}+{length} lies outside the {len(document.text):,} characters")
    return Passage(name, offset, length)


def _ranking(found: Any, document: Document) -> Ranking:
    if not isinstance(found, Ranking):
        raise ValueError(f"it gives {_named(found)} in place of a ranking")
    if found.document != document.name:
        raise ValueError(f"its ranking is for {found.document!r}")
    sources = tuple(_ranked(*one) for one in found.sources)
    if len({one.source for one in sources}) < len(sources):
        raise ValueError("a source stands twice in its ranking")
    return Ranking(document.name, sources, index(found.queries), index(found.downloads))


def _ranked(source: Any, score: Any) -> Ranked:
    if not isinstance(source, str) or not isfinite(score):
        raise ValueError(f"{source!r} with the score {score!r} is no source")
    return Ranked(source, float(score))


def _named(thing: object) -> str:
    return f"a {type(thing).__name__}" if thing is not None else "nothing"
