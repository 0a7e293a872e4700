"""Candidates: few documents out of millions that are worth a closer look."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stemmata.model.spans import Ints
from stemmata.reuse.index.fingerprints import frequency_places
from stemmata.reuse.index.word_hashes import is_stop_word
from stemmata.reuse.retrieval.collection import Collection
from stemmata.reuse.retrieval.query import Query

Floats = npt.NDArray[np.float64]


def by_fingerprints(
    collection: Collection, query: Query, kind: str, most: int, top: int
) -> tuple[Ints, Floats]:
    """Return the documents that share the most of one kind of fingerprints, rare ones counting more.

    Parameters
    ----------
    collection, query
        Where to look, and what for.
    kind
        ``"runs"`` or ``"skips"``.
    most
        Fingerprints that more documents have say nothing and are left out.
    top
        How many documents to return.

    Returns
    -------
    numbers, scores
        Documents, best first, and for each the sum of log(N / df) over the fingerprints shared.
    """
    found = collection.lookup(kind, query.fingerprints[kind], most)
    weights = np.log((len(collection) + 1) / found.dfs[found.places])
    return best(found.numbers, weights, top)


def usual_weight(documents: int, most: int) -> float:
    """Return what a fingerprint weighs that half as many documents have as may.

    In a collection so small that this is no rare fingerprint, that of a quarter of it stands for it.

    Examples
    --------
    >>> round(usual_weight(99_999, 50), 2), round(usual_weight(9, 50), 2)
    (8.29, 1.39)
    """
    return float(np.log((documents + 1) / max(1.0, min(most, (documents + 1) / 2) / 2)))


def by_chunks(
    collection: Collection, query: Query, words: int, terms: int, depth: int, top: int
) -> tuple[Ints, Floats, int]:
    """Return the documents that answer best to pieces of the text, each asked for by its rarest words.

    A document earns by each piece the square of what its score is above that of the first document beyond
    the depth: a piece to which many documents answer alike tells little.

    Returns
    -------
    numbers, scores, queries
        Documents, best first, their scores, and how many queries were put.
    """
    numbers, scores, queries = [], [], 0
    rarity = -collection.frequencies(frequency_places(query.hashes)).astype(np.float64)
    rarity[is_stop_word(query.hashes)] = -np.inf
    for first in range(0, len(query), words):
        chosen = rarest(query, rarity, first, min(first + words, len(query)), terms)
        if not chosen:
            continue
        queries += 1
        found, said = collection.search(query.language, chosen, depth + 1)
        floor = said[depth] if len(said) > depth else 0.0
        numbers.append(np.asarray(found[:depth], np.int64))
        scores.append((np.asarray(said[:depth], np.float64) - floor) ** 2)
    if not numbers:
        return np.zeros(0, np.int64), np.zeros(0), queries
    return *best(np.concatenate(numbers), np.concatenate(scores), top), queries


def rarest(query: Query, rarity: Floats, first: int, last: int, terms: int) -> list[str]:
    """Return the rarest different words of a part of the text, in the order of the text."""
    order = first + np.argsort(-rarity[first:last], kind="stable")
    seen: dict[str, int] = {}
    for place in order.tolist():
        if len(seen) == terms or np.isneginf(rarity[place]):
            break
        seen.setdefault(query.forms[place], place)
    return sorted(seen, key=seen.__getitem__)


def best(numbers: Ints, scores: Floats, top: int) -> tuple[Ints, Floats]:
    """Return the documents with the highest sums of scores; of equals, the one added first."""
    different, back = np.unique(numbers, return_inverse=True)
    sums = np.bincount(back, scores, minlength=len(different))
    order = np.argsort(-sums, kind="stable")[:top]
    return different[order], sums[order].astype(np.float64)
