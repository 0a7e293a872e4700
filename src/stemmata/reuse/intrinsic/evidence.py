"""Evidence of another hand, sentence by sentence: what windows around each say of its surprise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from stemmata.model.spans import Ints
from stemmata.reuse.intrinsic.neighbourhood import Floats, Occurrences, fold, surprises
from stemmata.text.sentences import find_sentences
from stemmata.text.words import find_words

REACHES = (1_500, 15_000)
"""Characters of a neighbourhood to each side: for short passages and for long ones."""
WORD_LENGTH = 5.6
"""Characters of a word with the space after it, to say reaches in words."""
PART = 4
"""No neighbourhood reaches over more than this part of the document to each side."""
WINDOWS = (1_000, 2_500, 6_000, 15_000)
"""Characters of the windows around a sentence."""
SIGNALS = ("surprise", "gain", "novelty", "burst")
EDGE = 1_500
"""Characters over which the ends of a text lose their oddness: titles, greetings, notes."""
FEATURES = (
    *(
        f"{signal} {reach} in {window}"
        for signal in SIGNALS
        for reach in ("near", "wide")
        for window in WINDOWS
    ),
    "edge",
)


@dataclass(frozen=True)
class Evidence:
    """Sentences of a document and what is seen around them.

    Attributes
    ----------
    document
        Its name.
    start, end
        Offsets of the sentences, which leave out the space between them.
    features
        A row per sentence, a column per one of `FEATURES`; each signal is less its median in the document.
    """

    document: str
    start: Ints
    end: Ints
    features: Floats

    @property
    def borders(self) -> Ints:
        """Where each sentence starts, the space behind it being its own, and where the last one ends."""
        return np.append(self.start, self.end[-1:])

    def moved(self, offset: int) -> Evidence:
        """Return the same of a text that starts at an offset of its document."""
        return replace(self, start=self.start + offset, end=self.end + offset)

    @classmethod
    def joined(cls, parts: Sequence[Evidence]) -> Evidence:
        """Return the evidence of a document that was looked at in parts."""
        start, end, features = (
            np.concatenate([getattr(part, name) for part in parts]) for name in ("start", "end", "features")
        )
        return cls(parts[0].document, start, end, features)


def parts(text: str, most: int) -> list[tuple[int, int]]:
    """Return where to cut a text so that no part is longer than `most`: at a line or blank, if there is one.

    Examples
    --------
    >>> parts("one two three", 9)
    [(0, 8), (8, 13)]
    """
    cuts = [0]
    while len(text) - cuts[-1] > most:
        start, end = cuts[-1], cuts[-1] + most
        cut = max(text.rfind("\n", start + most // 2, end), text.rfind(" ", end - most // 100 - 2, end))
        cuts.append(cut + 1 if cut > start else end)
    return list(pairwise([*cuts, len(text)]))


def gather(text: str, document: str = "") -> Evidence:
    """Return the evidence of a document; without a sentence there is none.

    Four signals are averaged over windows. *Surprise* is that of characters foretold from afar; *gain*
    is what the neighbourhood adds; *novelty* is the share of words that occur nowhere else, and *burst*
    the logarithm of how much more frequent words are here than elsewhere.
    """
    # Rules, whatever is installed: the same text must give the same detections everywhere.
    start, end = find_sentences(text, rules=True)
    if not len(start):
        return Evidence(document, start, end, np.zeros((0, len(FEATURES))))
    borders = np.append(start, end[-1])
    characters, at = fold(text)
    words = find_words(text)
    cuts, word_cuts = np.searchsorted(at, borders), np.searchsorted(words.start, borders)
    windows = _windows(borders)
    reaches = tuple(_reach(reach, len(characters)) for reach in REACHES)
    said = surprises(characters, reaches)
    columns: list[Floats] = []
    for one in [*(one.far for one in said), *(one.gain for one in said)]:
        columns += _averages(one, cuts, windows)
    numbers: dict[str, int] = {}
    forms = np.array([numbers.setdefault(form, len(numbers)) for form in words.forms], np.int64)
    for one in _word_signals(forms):
        columns += _averages(one, word_cuts, windows)
    signals = np.stack(columns, axis=1)
    middle = (start + end) / 2
    edge = np.exp(-np.minimum(middle, end[-1] - middle) / EDGE)
    features = np.column_stack((signals - np.median(signals, axis=0), edge))
    return Evidence(document, start, end, features)


def _reach(characters: int, size: int) -> int:
    return max(1, min(characters, size // PART))


def _word_signals(forms: Ints) -> list[Floats]:
    """Return novelty and burst of each word, near and wide."""
    found = Occurrences.of(forms)
    size, distinct = len(forms), int(forms.max()) + 1 if len(forms) else 0
    novelty, burst = [], []
    for characters in REACHES:
        reach = _reach(int(characters / WORD_LENGTH), size)
        far, near = found.apart(reach)
        novelty.append((far == 0).astype(np.float64))
        here, elsewhere = 2 * reach + distinct / 2, max(size - 2 * reach, 1) + distinct / 2
        burst.append(np.log((near + 1) / here) - np.log((far + 1) / elsewhere))
    return novelty + burst


def _windows(borders: Ints) -> list[tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]]:
    """Return for each size of window the first sentence in the one around each sentence, and that after."""
    middle = (borders[:-1] + borders[1:]) / 2
    return [
        (np.searchsorted(middle, middle - size / 2), np.searchsorted(middle, middle + size / 2, "right"))
        for size in WINDOWS
    ]


def _averages(
    signal: Floats, cuts: Ints, windows: list[tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]]
) -> list[Floats]:
    """Return the mean of a signal in each window; `cuts` says where sentences start in it."""
    total = np.concatenate((np.zeros(1), np.cumsum(signal)))
    usual = float(signal.mean()) if len(signal) else 0.0
    # One more member of the usual value, so that a window without any has a mean.
    return [
        (total[cuts[last]] - total[cuts[first]] + usual) / (cuts[last] - cuts[first] + 1)
        for first, last in windows
    ]
