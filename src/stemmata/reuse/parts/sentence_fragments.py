"""From seeds of sentences to fragments: extension, validation, overlap resolution.

The steps of Sanchez-Perez, Sidorov and Gelbukh, "A Winning Approach to Text Alignment for Text Reuse
Detection at PAN 2014" (CLEF 2014), each on its own, so that other recipes can use them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from stemmata.model import Detection, Pair, Passage, Span
from stemmata.model.spans import Ints
from stemmata.reuse.parts.sentence_terms import SentenceTerms

Likeness = npt.NDArray[np.floating[Any]]


class Fragment(NamedTuple):
    """A range of suspicious sentences and the range of source sentences it may come from."""

    suspicious: Span
    source: Span


def extend(seeds: Ints, gap: int) -> Iterator[Ints]:
    """Part the seeds where more than `gap` sentences without a seed lie between, in either document.

    A cut in one document can open a gap in the other, so the two take turns until neither cuts.
    """
    pending = [(seeds, 0, False)] if len(seeds) else []
    while pending:
        cluster, side, uncut = pending.pop()
        parts = _cut(cluster, side, gap) if len(cluster) > 1 else [cluster]
        if len(parts) == 1 and uncut:
            yield cluster
            continue
        # The stack gives back the last part first.
        pending += [(part, 1 - side, len(parts) == 1) for part in reversed(parts)]


def _cut(seeds: Ints, side: int, gap: int) -> list[Ints]:
    seeds = seeds[np.argsort(seeds[:, side], kind="stable")]
    place = seeds[:, side]
    cuts = [0, *(np.flatnonzero(place[1:] - place[:-1] - 1 > gap) + 1).tolist(), len(seeds)]
    return [seeds[start:end] for start, end in pairwise(cuts)]


def fragment_of(seeds: Ints) -> Fragment:
    """Return the smallest ranges of sentences that hold all seeds."""
    (i, j), (last, source_last) = seeds.min(axis=0).tolist(), seeds.max(axis=0).tolist()
    return Fragment(Span(i, last + 1), Span(j, source_last + 1))


def extend_validated(
    seeds: Ints, gap: int, least_gap: int, valid: Callable[[Fragment], bool]
) -> Iterator[Fragment]:
    """Extend the seeds; a fragment that is not valid is extended anew, with a gap smaller by one.

    What is still not valid with the least gap is dropped.
    """
    for cluster in extend(seeds, gap):
        fragment = fragment_of(cluster)
        if valid(fragment):
            yield fragment
        elif gap > least_gap:
            yield from extend_validated(cluster, gap - 1, least_gap, valid)


def resolve_overlaps(
    fragments: Iterable[Fragment], quality: Callable[[Fragment, Span], float]
) -> list[Fragment]:
    """Keep the better of two fragments that overlap in the suspicious document.

    Parameters
    ----------
    fragments
        In any order; they are compared in the order of the suspicious document.
    quality
        How good a fragment is, given the suspicious sentences it shares with the other one.
    """
    kept: list[Fragment] = []
    for fragment in sorted(fragments):
        # What is kept is disjoint and in order, so only its last one can overlap.
        if kept and kept[-1].suspicious.overlaps(fragment.suspicious):
            overlap = fragment.suspicious.clip(kept[-1].suspicious)
            if quality(fragment, overlap) > quality(kept[-1], overlap):
                kept[-1] = fragment
        else:
            kept.append(fragment)
    return kept


def overlap_quality(most_alike: Callable[[Span, Span], Likeness]) -> Callable[[Fragment, Span], float]:
    """Return the quality q = sim(O) + (1 - sim(O)) · sim(N) of a fragment in a pair.

    O is the overlap, N the rest of the fragment's suspicious side, and sim(F) the mean over the sentences
    of F of the greatest likeness with a sentence of the fragment's source side.

    Parameters
    ----------
    most_alike
        That likeness of each sentence of a suspicious range, given the source range.
    """

    def quality(fragment: Fragment, overlap: Span) -> float:
        best = most_alike(*fragment)
        inside = np.zeros(len(best), dtype=bool)
        inside[overlap.start - fragment.suspicious.start : overlap.end - fragment.suspicious.start] = True
        shared = float(best[inside].mean())
        rest = 0.0 if inside.all() else float(best[~inside].mean())
        return shared + (1 - shared) * rest

    return quality


def detection(pair: Pair, suspicious: SentenceTerms, source: SentenceTerms, fragment: Fragment) -> Detection:
    """Return a fragment in characters."""
    return Detection(
        _passage(pair.suspicious.name, suspicious, fragment.suspicious),
        _passage(pair.source.name, source, fragment.source),
    )


def _passage(name: str, sentences: SentenceTerms, span: Span) -> Passage:
    offset = int(sentences.start[span.start])
    return Passage(name, offset, int(sentences.end[span.end - 1]) - offset)


def shorter_side(found: Detection) -> int:
    """Return the characters of the shorter of a detection's two passages."""
    return min(found.suspicious.length, found.source.length if found.source else 0)
