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

from collections.abc import Sequence
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
SKIPS = np.uint64(4)
"""One of so many skips is kept, the same in every document; with all of them, no more sources were found."""
SKETCH = 16
"""Fingerprints that stand for a document when near-duplicates are sought."""
FREQUENCY_BITS = 20
"""Stems are counted by so many bits of their hashes."""


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
    frequencies
        How often stems occur, at the place of their hash's first `FREQUENCY_BITS` bits.
    """

    languages: list[str]
    words: Ints
    hashes: Hashes
    runs: Hashes
    run_documents: Ints
    skips: Hashes
    skip_documents: Ints
    sketches: Hashes
    frequencies: Ints


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
    hashes = words.hashes
    documents = np.repeat(np.arange(len(texts)), words.counts)
    runs, run_documents = _runs(hashes, documents)
    kept = _winnowed(runs, run_documents)
    runs, run_documents = runs[kept], run_documents[kept]
    content = ~is_stop_word(hashes)
    skips, skip_documents = _skips(hashes[content], documents[content])
    return Fingerprints(
        words.languages,
        words.counts,
        hashes,
        runs,
        run_documents,
        skips,
        skip_documents,
        _sketches(runs, run_documents, len(texts)),
        np.bincount(frequency_places(hashes), minlength=1 << FREQUENCY_BITS),
    )


def frequency_places(hashes: Hashes) -> Ints:
    """Return where the frequencies of stems stand."""
    return (hashes >> np.uint64(64 - FREQUENCY_BITS)).astype(np.int64)


def _runs(hashes: Hashes, documents: Ints) -> tuple[Hashes, Ints]:
    """Return the hashes of all runs of words within documents."""
    count = max(0, len(hashes) - RUN + 1)
    made = hashes[:count].copy()
    for step in range(1, RUN):
        made *= np.uint64(0x9E3779B97F4A7C15)
        made += hashes[step : step + count]
    within = documents[:count] == documents[RUN - 1 :][:count]
    return mixed(made[within]) >> np.uint64(64 - HASH_BITS), documents[:count][within]


def _winnowed(runs: Hashes, documents: Ints) -> Ints:
    """Return the places of the runs that are the smallest of a window, or of a document without one."""
    if not len(runs):
        return np.zeros(0, np.int64)
    firsts = np.flatnonzero(np.diff(documents, prepend=-1))
    sizes = np.diff(firsts, append=len(runs))
    count = max(0, len(runs) - WINDOW + 1)
    least = runs[:count]
    for step in range(1, WINDOW):
        least = np.minimum(least, runs[step : step + count])
    within = documents[:count] == documents[WINDOW - 1 :][:count]
    kept = np.zeros(len(runs), np.bool_)
    for step in range(WINDOW):
        kept[step : step + count] |= within & (runs[step : step + count] == least)
    for first, size in zip(firsts[sizes < WINDOW].tolist(), sizes[sizes < WINDOW].tolist(), strict=True):
        kept[first + int(np.argmin(runs[first : first + size]))] = True
    return np.flatnonzero(kept)


def _skips(hashes: Hashes, documents: Ints) -> tuple[Hashes, Ints]:
    """Return the hashes of three words among four, whatever their order."""
    spread = mixed(hashes)
    made, of = [], []
    for second, third in ((1, 2), (1, 3), (2, 3)):
        count = max(0, len(hashes) - third)
        total = spread[:count] + spread[second : second + count] + spread[third : third + count]
        total = mixed(total) >> np.uint64(64 - HASH_BITS)
        kept = np.flatnonzero((total % SKIPS == 0) & (documents[:count] == documents[third:]))
        made.append(total[kept])
        of.append(documents[kept])
    return np.concatenate(made), np.concatenate(of)


def _sketches(runs: Hashes, documents: Ints, count: int) -> Hashes:
    """Return the smallest runs of each document."""
    rows = np.full((count, SKETCH), np.iinfo(np.uint64).max, np.uint64)
    bits = np.uint64(HASH_BITS)
    keys = np.sort((documents.astype(np.uint64) << bits) | runs)
    keys = keys[np.flatnonzero(np.diff(keys, prepend=keys[:1] + np.uint64(1)))]
    documents = (keys >> bits).astype(np.int64)
    rank = np.arange(len(keys)) - np.searchsorted(documents, np.arange(count))[documents]
    few = rank < SKETCH
    rows[documents[few], rank[few]] = keys[few] & ((np.uint64(1) << bits) - np.uint64(1))
    return rows
