"""What of a document is kept to recognise it by: runs of words, and words that stand close together.

Two kinds of fingerprints are 44-bit hashes of stems.

*Runs* are of four words in a row. Of all runs in a window of four the one of the smallest hash is kept, so
that whatever two documents share, seven words long or longer, has a fingerprint in common (Schleimer,
Wilkerson and Aiken, *Winnowing*, SIGMOD 2003).

*Skips* are of three words of content among four that follow each other, in whatever order. They survive when
words are exchanged, moved or left out. One in four is kept.

Documents are taken in batches, because an array of all their words costs little more than that of one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from stemmata.model.spans import Ints
from stemmata.reuse.index.word_hashes import Hashes, hash_words, is_stop_word, mixed

HASH_BITS = 44
"""Bits of a fingerprint: among ten thousand million postings one in two thousand is met by chance."""
RUN = 4
"""Words in a run."""
WINDOW = 4
"""Runs of which one is kept."""
SKIP = 4
"""Words of content of which a skip has three."""
SKIPS = 4
"""One of so many skips, a power of two, is kept, the same in every document; with all, no more sources were
found."""
SKETCH = 16
"""Fingerprints that stand for a document when near-duplicates are sought."""
FREQUENCY_BITS = 20
"""Stems are counted by so many bits of their hashes."""
AT_ONCE = 1 << 20
"""Words whose fingerprints are taken at once; only batches with long documents have more."""
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_NO_RUN = np.uint64(1 << HASH_BITS)
"""Larger than any fingerprint."""
_NO_MORE = np.iinfo(np.uint64).max
"""Fills up the sketches of documents that have fewer runs."""


@dataclass(frozen=True)
class Fingerprints:
    """The fingerprints of a batch of documents.

    Attributes
    ----------
    languages
        The language of each document.
    words, hashes
        The number of words of each document, and the hashes of the stems of all words.
    runs, run_documents
        Fingerprints of runs, and the place in the batch of the document each is from.
    skips, skip_documents
        The same for skips.
    sketches
        One row per document: its smallest `SKETCH` runs in rising order, filled up with the largest number
        where there are fewer.
    content
        The places of the words that are no stop words.
    """

    languages: list[str]
    words: Ints
    hashes: Hashes
    runs: Hashes
    run_documents: Ints
    skips: Hashes
    skip_documents: Ints
    sketches: Hashes
    content: Ints

    @property
    def frequencies(self) -> Ints:
        """How often stems occur, at the place of their hash's first `FREQUENCY_BITS` bits."""
        return np.bincount(frequency_places(self.hashes), minlength=1 << FREQUENCY_BITS)


def fingerprint(texts: Sequence[str], guess: str = "en") -> Fingerprints:
    """Take the fingerprints of some documents.

    Parameters
    ----------
    texts
        The documents.
    guess
        The language most of them are in; the result does not depend on it.

    Examples
    --------
    >>> made = fingerprint(["The cat sat on the mat by the door.", ""])
    >>> made.languages, made.words.tolist(), len(made.runs) > 0
    (['en', 'en'], [9, 0], True)
    """
    words = hash_words(texts, guess)
    languages, counts, hashes = words.languages, words.counts, words.hashes
    # Where the words stand is not asked for here, and takes twice as much memory as the words.
    del words
    documents = np.repeat(np.arange(len(texts)), counts)
    runs, run_documents = _joined(
        _runs(hashes[part], documents[part], counts) for part in _parts(len(hashes), RUN + WINDOW - 2)
    )
    content = np.flatnonzero(~is_stop_word(hashes))
    skips, skip_documents = _joined(
        _skips(hashes.take(content[part]), documents.take(content[part]))
        for part in _parts(len(content), SKIP - 1)
    )
    return Fingerprints(
        languages,
        counts,
        hashes,
        runs,
        run_documents,
        skips,
        skip_documents,
        _sketches(runs, run_documents, counts),
        content,
    )


def _parts(words: int, overlap: int) -> list[slice]:
    """Return parts of a batch that may be looked at by themselves, each of which begins in the one before."""
    starts = range(0, max(1, words - overlap), AT_ONCE)
    return [slice(start, start + AT_ONCE + overlap) for start in starts]


def _joined(parts: Iterable[tuple[Hashes, Ints]]) -> tuple[Hashes, Ints]:
    """Return the fingerprints of all parts; of several parts each fingerprint of a document once."""
    # So what a long document repeats, which is most of it if it has few words, takes no memory.
    first, *others = parts
    if not others:
        return first
    bits = np.uint64(HASH_BITS)
    keys = np.unique(np.concatenate([np.unique(_keys(*part)) for part in (first, *others)]))
    return keys & ((np.uint64(1) << bits) - np.uint64(1)), (keys >> bits).astype(np.int64)


def _keys(fingerprints: Hashes, documents: Ints) -> Hashes:
    return (documents.astype(np.uint64) << np.uint64(HASH_BITS)) | fingerprints


def frequency_places(hashes: Hashes) -> Ints:
    """Return where the frequencies of stems stand."""
    return (hashes >> np.uint64(64 - FREQUENCY_BITS)).view(np.int64)


def _runs(hashes: Hashes, documents: Ints, counts: Ints) -> tuple[Hashes, Ints]:
    """Return the runs of words that are the smallest of a window, or of a document without one.

    Parameters
    ----------
    hashes, documents
        Words, and the document of each.
    counts
        Of each document, its words, which may not all be among these.
    """
    here = np.bincount(documents, minlength=len(counts))
    count = len(hashes) - RUN + 1
    if count <= 0:
        return np.zeros(0, np.uint64), np.zeros(0, np.int64)
    made = hashes[:count] * _FACTOR
    made += hashes[1 : 1 + count]
    for step in range(2, RUN):
        made *= _FACTOR
        made += hashes[step : step + count]
    made = mixed(made)
    made >>= np.uint64(64 - HASH_BITS)
    ends = np.cumsum(here)
    # The smallest of four is that of the first two and the last two.
    pairs = np.minimum(made[:-1], made[1:])
    least = np.minimum(pairs[: -WINDOW + 2], pairs[WINDOW - 2 :])
    # A window that reaches into the next document has no run that is kept.
    beyond = (ends[:, None] - np.arange(1, RUN + WINDOW - 1)).ravel()
    least[beyond[(beyond >= 0) & (beyond < len(least))]] = _NO_RUN
    kept = np.zeros(count, np.bool_)
    for step in range(WINDOW):
        kept[step : step + len(least)] |= made[step : step + len(least)] == least
    few = np.flatnonzero((counts >= RUN) & (counts < RUN + WINDOW - 1) & (counts == here))
    for first, end in zip((ends - counts)[few].tolist(), (ends - RUN + 1)[few].tolist(), strict=True):
        kept[first + int(np.argmin(made[first:end]))] = True
    places = np.flatnonzero(kept)
    return made.take(places), documents.take(places)


def _skips(hashes: Hashes, documents: Ints) -> tuple[Hashes, Ints]:
    """Return the hashes of three words among four, whatever their order."""
    spread = mixed(hashes)
    made, of = [], []
    for second, third in ((1, 2), (1, 3), (2, 3)):
        count = max(0, len(hashes) - third)
        total = spread[:count] + spread[second : second + count]
        total += spread[third : third + count]
        total = mixed(total)
        total >>= np.uint64(64 - HASH_BITS)
        kept = np.flatnonzero((total.astype(np.uint8) & np.uint8(SKIPS - 1)) == 0)
        kept = kept[documents[kept] == documents[third:][kept]]
        made.append(total[kept])
        of.append(documents[kept])
    return np.concatenate(made), np.concatenate(of)


def _sketches(runs: Hashes, documents: Ints, counts: Ints) -> Hashes:
    """Return the smallest runs of each document, which has so many words."""
    # Runs are spread evenly, so that a bound lets through about twice as many as are needed.
    share = np.minimum(1.0, 2 * SKETCH / np.maximum(counts, 1))
    bound = (share * (1 << HASH_BITS)).astype(np.uint64)
    likely = np.flatnonzero(runs < bound.take(documents))
    rows = _smallest(runs.take(likely), documents.take(likely), len(counts))
    missed = (rows[:, -1] == _NO_MORE) & (share < 1)
    if missed.any():
        rest = np.flatnonzero(missed.take(documents))
        rows[missed] = _smallest(runs.take(rest), documents.take(rest), len(counts))[missed]
    return rows


def _smallest(runs: Hashes, documents: Ints, count: int) -> Hashes:
    rows = np.full((count, SKETCH), _NO_MORE, np.uint64)
    bits = np.uint64(HASH_BITS)
    keys = np.sort(_keys(runs, documents))
    keys = keys[np.flatnonzero(np.diff(keys, prepend=keys[:1] + np.uint64(1)))]
    documents = (keys >> bits).astype(np.int64)
    rank = np.arange(len(keys)) - np.searchsorted(documents, np.arange(count))[documents]
    few = rank < SKETCH
    rows[documents[few], rank[few]] = keys[few] & ((np.uint64(1) << bits) - np.uint64(1))
    return rows
