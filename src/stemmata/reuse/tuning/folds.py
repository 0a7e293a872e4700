"""Parts of a corpus that share no document, so that what is found on one can be tried on another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from stemmata.formats.pairs import DocumentPair
from stemmata.model import ErrorCode, StemmataError
from stemmata.model.spans import Ints


def document_folds(pairs: Sequence[DocumentPair], texts: Mapping[str, str], folds: int, seed: int) -> Ints:
    """Deal pairs into folds of about equal size such that no document, nor a copy of it, is in two.

    Parameters
    ----------
    pairs
        A document that is examined alone is a pair whose source has no name.
    texts
        A digest of each document's text: documents of the same text are one.

    Examples
    --------
    >>> pairs = [("a", "x"), ("b", "x"), ("c", "y"), ("d", "z")]
    >>> document_folds(pairs, {name: name for name in "abcdxyz"}, folds=2, seed=1)
    array([0, 0, 1, 1])
    """
    parent: dict[str, str] = {}

    def find(text: str) -> str:
        while parent.setdefault(text, text) != text:
            parent[text] = text = parent[parent[text]]
        return text

    for suspicious, source in pairs:
        one = find(texts[suspicious])
        two = find(texts[source]) if source else one
        parent[max(one, two)] = min(one, two)
    groups = Counter(find(texts[suspicious]) for suspicious, _ in pairs)
    if len(groups) < folds:
        raise StemmataError(ErrorCode.TOO_FEW_PARTS, parts=len(groups), folds=folds)
    shuffled = np.random.default_rng(seed).permutation(sorted(groups)).tolist()
    sizes = [0] * folds
    dealt: dict[str, int] = {}
    # The largest first, each to the fold that has least so far.
    for group in sorted(shuffled, key=lambda one: -groups[one]):
        dealt[group] = sizes.index(min(sizes))
        sizes[dealt[group]] += groups[group]
    return np.array([dealt[find(texts[suspicious])] for suspicious, _ in pairs])


def sample_pairs(pairs: Sequence[DocumentPair], most: int, seed: int) -> list[DocumentPair]:
    """Return the pairs of suspicious documents drawn at random, until there are enough, in their order.

    Examples
    --------
    >>> sample_pairs([("a", "x"), ("a", "y"), ("b", "x"), ("c", "z")], most=2, seed=1)
    [('a', 'x'), ('a', 'y')]
    """
    if len(pairs) <= most:
        return list(pairs)
    names, sizes = np.unique([suspicious for suspicious, _ in pairs], return_counts=True)
    drawn = np.random.default_rng(seed).permutation(len(names))
    # At least one document, however many pairs it has.
    enough = max(1, int(np.searchsorted(np.cumsum(sizes[drawn]), most, side="right")))
    chosen = set(names[drawn[:enough]].tolist())
    return [pair for pair in pairs if pair[0] in chosen]
