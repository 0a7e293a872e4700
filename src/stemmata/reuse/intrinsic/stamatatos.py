"""``stamatatos-2009``: style change as the distance of character 3-grams from the whole document's.

Stamatatos, "Intrinsic Plagiarism Detection Using Character n-gram Profiles", PAN at SEPLN 2009, the best
intrinsic system of that year. Re-implemented from the paper's formulas.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stemmata.model import Detection, Document, ErrorCode, StemmataError
from stemmata.model.parameters import tunable
from stemmata.model.spans import Ints
from stemmata.reuse.intrinsic.passages import passages
from stemmata.text.words import character_codes

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Stamatatos2009:
    """Character 3-gram profiles of sliding windows against that of the document (Stamatatos 2009).

    Attributes
    ----------
    n
        Characters of an n-gram.
    window, step
        Length of a window and distance from one to the next, in n-grams.
    free
        A document whose style change function has a smaller standard deviation is free of plagiarism.
    stretch
        A window over more than this many characters holds a table or the like and tells nothing.
    sensitivity
        Windows this many standard deviations above the mean are found; the paper's a.

    Examples
    --------
    >>> Stamatatos2009().find(Document("a.txt", "One hand, one style. " * 300))
    []
    """

    n: int = 3
    window: int = tunable(1000, 200, 4000)
    step: int = tunable(200, 50, 1000)
    free: float = tunable(0.02, 0.0, 0.05)
    stretch: int = tunable(1500, 1000, 6000)
    sensitivity: float = tunable(2.0, 0.5, 4.0)

    def __post_init__(self) -> None:
        for name, least in (("n", 1), ("window", 10), ("step", 1)):
            if getattr(self, name) < least:
                rule = f"it must be at least {least}"
                raise StemmataError(ErrorCode.BAD_PARAMETER, name=name, value=getattr(self, name), rule=rule)

    def find(self, document: Document) -> list[Detection]:
        """Return the runs of windows whose style stands out."""
        grams, at = letter_grams(document.text, self.n)
        starts = np.arange(0, len(grams) - self.window + 1, self.step)
        if len(starts) < 3:
            return []
        ends = at[starts + self.window - 1] + self.n
        usable = ends - at[starts] <= max(self.stretch, self.window)
        change = style_change(grams, starts, self.window)[usable]
        if not len(change) or change.std() < self.free:
            return []
        calm = change[change <= change.mean() + change.std()]
        odd = np.flatnonzero(usable)[change > calm.mean() + self.sensitivity * calm.std()]
        return passages(document, at[starts][odd], ends[odd])


def letter_grams(text: str, n: int) -> tuple[Ints, Ints]:
    """Return the n-grams of lower-cased characters that hold a letter, numbered, and their offsets."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a few capitals have no single small letter
        lowered = "".join(low if len(low := one.lower()) == 1 else one for one in text)
    if len(lowered) < n:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    symbols, codes = np.unique(character_codes(lowered), return_inverse=True)
    letters = np.array([chr(symbol).isalpha() for symbol in symbols])[codes]
    size = len(codes) - n + 1
    grams = np.zeros(size, np.int64)
    holds = np.zeros(size, np.bool_)
    for i in range(n):
        grams = np.unique(grams * len(symbols) + codes[i : i + size], return_inverse=True)[1]
        holds |= letters[i : i + size]
    at = np.flatnonzero(holds)
    return np.unique(grams[at], return_inverse=True)[1].astype(np.int64), at


def style_change(grams: Ints, starts: Ints, window: int) -> Floats:
    r"""Return the distance of each window from the document: the style change function.

    .. math:: nd_1(A, B) = \frac{1}{4 |P(A)|}
        \sum_{g \in P(A)} \left(\frac{2 (f_A(g) - f_B(g))}{f_A(g) + f_B(g)}\right)^2

    where P(A) are the n-grams of the window, and f their relative frequencies there and in the document.
    """
    whole = np.bincount(grams) / max(1, len(grams))
    change = np.empty(len(starts))
    for i, start in enumerate(starts):
        present, counts = np.unique(grams[start : start + window], return_counts=True)
        mine, theirs = counts / window, whole[present]
        change[i] = np.mean(((mine - theirs) / (mine + theirs)) ** 2)
    return change
