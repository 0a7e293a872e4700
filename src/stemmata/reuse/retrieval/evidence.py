"""How much each sentence of a text speaks for each candidate: a likelihood ratio over shared words.

If a sentence was borrowed, each of its words of content stands close by in the source with a fair chance; if
not, by accident. What is an accident depends on the topic: names and themes that many candidates share say
little about any of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stemmata.model.parameters import tunable
from stemmata.model.spans import Ints, expand_ranges
from stemmata.reuse.index.fingerprints import frequency_places
from stemmata.reuse.index.word_hashes import Hashes, is_stop_word
from stemmata.reuse.retrieval.collection import Collection
from stemmata.reuse.retrieval.query import Query

Floats = npt.NDArray[np.float64]
_LEAST = 1e-7
"""No word is rarer than this."""
_MOST = 0.9
"""No word is surer than this to stand in a window by accident."""
_HITS = 4_000_000
"""Meetings of words that are kept in memory at once."""


@dataclass(frozen=True)
class Candidates:
    """Documents of the collection, as hashes of words in a row.

    Attributes
    ----------
    hashes
        The words of all candidates.
    counts
        The number of words of each.
    """

    hashes: Hashes
    counts: Ints

    def __len__(self) -> int:
        return len(self.counts)


@dataclass(frozen=True)
class SentenceEvidence:
    """The likelihood ratio of every sentence against every candidate.

    Attributes
    ----------
    kept
        The chance that a word of a borrowed sentence is still there.
    common
        By how much a word is more frequent around its own kind than in the whole collection.
    topic
        How much the candidates' own words count as the words of the topic.
    own
        How much the text's own words outside the sentence count as words of the topic.
    stretch, slack
        A window has so many times the words of the sentence, and so many more.
    """

    kept: float = tunable(0.6, 0.2, 0.95)
    common: float = tunable(2.0, 0.5, 5.0)
    topic: float = tunable(2.0, 0.0, 20.0)
    own: float = tunable(1.0, 0.0, 5.0)
    stretch: float = tunable(1.2, 1.0, 3.0)
    slack: float = tunable(3.0, 0.0, 20.0)

    def between(self, query: Query, candidates: Candidates, collection: Collection) -> Floats:
        """Return a matrix of sentences by candidates, in natural logarithms."""
        content = np.flatnonzero(~is_stop_word(query.hashes))
        stems, stem_of = np.unique(query.hashes[content], return_inverse=True)
        if not len(stems) or not len(candidates):
            return np.zeros((query.sentences, len(candidates)))
        pairs = np.unique(query.sentence[content] * len(stems) + stem_of)
        sentence, stem = np.divmod(pairs, len(stems))
        lengths = np.bincount(query.sentence, minlength=query.sentences).astype(np.float64)
        windows = self.stretch * lengths + self.slack
        hits = _hits(stems, candidates)
        rate = np.maximum(
            self.common * collection.frequencies(frequency_places(stems)) / max(1, collection.words),
            self.topic * (_documents(hits, len(stems)) - 1) / max(1, len(candidates.hashes)),
        )
        used = np.bincount(stem_of, minlength=len(stems))
        here = np.bincount(np.searchsorted(pairs, query.sentence[content] * len(stems) + stem_of))
        around = self.own * (used[stem] - here) / len(query)
        expected = np.maximum(rate[stem], around) * windows[sentence]
        accident = np.clip(-np.expm1(-expected), _LEAST, _MOST)
        missing = np.minimum(np.log((1 - self.kept) / (1 - accident)), 0)
        present = np.maximum(np.log(self.kept / accident) - missing, 0).astype(np.float64)
        told = np.bincount(sentence, missing, minlength=query.sentences)
        best = _best_windows(sentence, stem, present, windows, hits, len(stems), len(candidates))
        return best + told[:, None]


@dataclass(frozen=True)
class _Hits:
    """Where candidates have stems of the text: the stem, the candidate, and the word's place in it."""

    stem: Ints
    candidate: Ints
    place: Ints


def _hits(stems: Hashes, candidates: Candidates) -> _Hits:
    place = np.minimum(np.searchsorted(stems, candidates.hashes), len(stems) - 1)
    hit = np.flatnonzero(stems[place] == candidates.hashes)
    first = np.cumsum(candidates.counts) - candidates.counts
    candidate = np.searchsorted(first, hit, side="right") - 1
    return _Hits(place[hit], candidate, hit - first[candidate])


def _documents(hits: _Hits, stems: int) -> Ints:
    """Return for each stem how many candidates have it."""
    width = int(hits.candidate.max()) + 1 if len(hits.candidate) else 1
    return np.bincount(np.unique(hits.stem * width + hits.candidate) // width, minlength=stems)


def _best_windows(
    sentence: Ints, stem: Ints, gains: Floats, windows: Floats, hits: _Hits, stems: int, candidates: int
) -> Floats:
    """Return for each sentence and candidate the most that one window of the candidate gains."""
    order = np.argsort(stem, kind="stable")
    firsts = np.searchsorted(stem[order], np.arange(stems + 1))
    times = firsts[hits.stem + 1] - firsts[hits.stem]
    best = np.zeros((len(windows), candidates))
    # Candidates come in a row, so a part of the hits is a part of the candidates.
    bounds = np.searchsorted(hits.candidate, np.arange(candidates + 1))
    sizes = np.concatenate(([0], np.cumsum(times)))[bounds]
    first = 0
    while first < candidates:
        last = max(first + 1, int(np.searchsorted(sizes, sizes[first] + _HITS, side="right")) - 1)
        part = slice(int(bounds[first]), int(bounds[last]))
        which, at = expand_ranges(firsts[hits.stem[part]], times[part])
        entry = order[at]
        _slide(best, sentence[entry], stem[entry], gains[entry], windows, hits, which + part.start)
        first = last
    return best


def _slide(
    best: Floats, sentence: Ints, stem: Ints, gains: Floats, windows: Floats, hits: _Hits, which: Ints
) -> None:
    """Slide the window of each sentence over each candidate, a stem counting once."""
    if not len(which):
        return
    candidate, place = hits.candidate[which], hits.place[which]
    group = sentence * best.shape[1] + candidate
    size = windows[sentence].astype(np.int64)
    stride = int(place.max()) + int(size.max()) + 1
    again = np.lexsort((place, stem, group))
    near = (
        (np.diff(group[again]) == 0) & (np.diff(stem[again]) == 0) & (np.diff(place[again]) < size[again[1:]])
    )
    gains = gains.copy()
    gains[again[1:][near]] = 0
    at = group * stride + place
    order = np.argsort(at, kind="stable")
    at, group, size = at[order], group[order], size[order]
    sums = np.concatenate(([0.0], np.cumsum(gains[order])))
    values = sums[np.searchsorted(at, at + size)] - sums[:-1]
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    flat = best.reshape(-1)
    flat[group[starts]] = np.maximum.reduceat(values, starts)
