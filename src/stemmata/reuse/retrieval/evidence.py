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
_FEWEST = 10_000
"""A collection of fewer words does not tell how frequent a word is."""
_HITS = 4_000_000
"""Meetings of words that are kept in memory at once."""
_DECIMALS = 9
_NEVER = 1 << 20
"""More words than any window has."""


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
            self.common * collection.frequencies(frequency_places(stems)) / max(_FEWEST, collection.words),
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
        telling = np.flatnonzero(present > 0)
        best = np.zeros((query.sentences, len(candidates)))
        _find_windows(
            best, sentence[telling], stem[telling], present[telling], windows.astype(np.int64), hits
        )
        best += told[:, None]
        # Documents that are equal must not differ by the last bit of a sum.
        return best.round(_DECIMALS)


@dataclass(frozen=True)
class _Hits:
    """Where candidates have stems of the text: the stem, the candidate, and the word's place in it.

    `gap` is how many words before it the candidate had the stem last; if never, more than any window has.
    """

    stem: Ints
    candidate: Ints
    place: Ints
    gap: Ints


def _hits(stems: Hashes, candidates: Candidates) -> _Hits:
    found = np.minimum(np.searchsorted(stems, candidates.hashes), len(stems) - 1)
    hit = np.flatnonzero(stems[found] == candidates.hashes)
    first = np.cumsum(candidates.counts) - candidates.counts
    candidate = np.searchsorted(first, hit, side="right") - 1
    stem, place = found[hit], hit - first[candidate]
    order = np.lexsort((place, stem, candidate))
    again = (np.diff(stem[order]) == 0) & (np.diff(candidate[order]) == 0)
    gap = np.full(len(hit), _NEVER)
    gap[order[1:][again]] = np.minimum(np.diff(place[order])[again], _NEVER)
    return _Hits(stem, candidate, place, gap)


def _documents(hits: _Hits, stems: int) -> Ints:
    """Return for each stem how many candidates have it."""
    width = int(hits.candidate.max()) + 1 if len(hits.candidate) else 1
    return np.bincount(np.unique(hits.stem * width + hits.candidate) // width, minlength=stems)


def _find_windows(
    best: Floats, sentence: Ints, stem: Ints, gains: Floats, windows: Ints, hits: _Hits
) -> None:
    """Put down for each sentence and candidate the most that one window of the candidate gains.

    Of stems that come again within a window of the sentence, the first counts; a window that begins at a
    later one gains no more than the one that begins at the next stem that counts.
    """
    if not len(sentence):
        return
    size = windows[sentence]
    order = np.lexsort((size, stem))
    keys = stem[order] * (_NEVER + 1) + size[order]
    # Sentences whose windows are no larger than the gap take a hit.
    lows, highs = (np.searchsorted(keys, hits.stem * (_NEVER + 1) + gap, "right") for gap in (0, hits.gap))
    times = highs - lows
    # Candidates come in a row, so a part of the hits is a part of the candidates.
    bounds = np.searchsorted(hits.candidate, np.arange(best.shape[1] + 1))
    meetings = np.concatenate(([0], np.cumsum(times)))[bounds]
    if np.diff(meetings).max() > _HITS and sentence[0] < sentence[-1]:
        middle = int(np.searchsorted(sentence, (sentence[0] + sentence[-1] + 1) // 2))
        for half in (slice(middle), slice(middle, None)):
            _find_windows(best, sentence[half], stem[half], gains[half], windows, hits)
        return
    first = 0
    while first < best.shape[1]:
        last = max(first + 1, int(np.searchsorted(meetings, meetings[first] + _HITS, side="right")) - 1)
        part = slice(int(bounds[first]), int(bounds[last]))
        which, at = expand_ranges(lows[part], times[part])
        _slide(best, sentence[order[at]], gains[order[at]], windows, hits, which + part.start)
        first = last


def _slide(best: Floats, sentence: Ints, gains: Floats, windows: Ints, hits: _Hits, which: Ints) -> None:
    """Slide the window of each sentence over each candidate."""
    if not len(which):
        return
    size, place = windows[sentence], hits.place[which]
    group = sentence * best.shape[1] + hits.candidate[which]
    at = group * (int(place.max()) + int(size.max()) + 1) + place
    order = np.argsort(at, kind="stable")
    at, group, size = at[order], group[order], size[order]
    sums = np.concatenate(([0.0], np.cumsum(gains[order])))
    values = sums[np.searchsorted(at, at + size)] - sums[:-1]
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    best.reshape(-1)[group[starts]] = np.maximum.reduceat(values, starts)
