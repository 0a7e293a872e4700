"""``oberreuter-2011``: segments whose words deviate in frequency from the whole document's.

Oberreuter, L'Huillier, Ríos and Velásquez, "Approaches for Intrinsic and External Plagiarism Detection",
PAN at CLEF 2011, the best intrinsic system of that year. Re-implemented from the paper's formula.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stemmata.model import Detection, Document, ErrorCode, StemmataError
from stemmata.model.parameters import tunable
from stemmata.model.spans import Ints
from stemmata.reuse.intrinsic.passages import passages
from stemmata.text.words import find_words

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Oberreuter2011:
    """Word frequencies of segments against those of the document (Oberreuter et al. 2011).

    Attributes
    ----------
    window, step
        Length of a segment and distance from one to the next, in words.
    threshold
        Segments that score this much below the mean are found; the paper's delta.

    Examples
    --------
    >>> Oberreuter2011().find(Document("a.txt", "One hand, one style. " * 600))
    []
    """

    window: int = tunable(400, 50, 1000)
    # Chosen on documents for development: how far segments lie apart and the threshold are not known.
    step: int = tunable(100, 50, 1000)
    threshold: float = tunable(0.04, 0.005, 0.3)

    def __post_init__(self) -> None:
        for name, least in (("window", 10), ("step", 1)):
            if getattr(self, name) < least:
                rule = f"it must be at least {least}"
                raise StemmataError(ErrorCode.BAD_PARAMETER, name=name, value=getattr(self, name), rule=rule)

    def find(self, document: Document) -> list[Detection]:
        """Return the runs of segments that have more words to themselves than others."""
        words = find_words(document.text)
        kept = np.flatnonzero([form.isalpha() for form in words.forms])
        starts = np.arange(0, len(kept) - self.window + 1, self.step)
        if len(starts) < 2:
            return []
        numbers: dict[str, int] = {}
        forms = np.array([numbers.setdefault(words.forms[i], len(numbers)) for i in kept], np.int64)
        likeness = deviation(forms, starts, self.window)
        odd = starts[likeness < likeness.mean() - self.threshold]
        return passages(document, words.start[kept[odd]], words.end[kept[odd + self.window - 1]])


def deviation(forms: Ints, starts: Ints, window: int) -> Floats:
    r"""Return the score of each segment: how little of its words' use it has to itself.

    It is the mean over the distinct words of the segment of

    .. math:: \frac{|f(w, D) - f(w, c)|}{f(w, D) + f(w, c)}

    where f counts a word in the document D and in the segment c. A word of this segment alone counts 0,
    one that is common everywhere nearly 1, so that strange segments have low scores. The paper sums;
    the mean keeps segments of few different words from standing out for that alone.
    """
    whole = np.bincount(forms)
    scores = np.empty(len(starts))
    for i, start in enumerate(starts):
        present, counts = np.unique(forms[start : start + window], return_counts=True)
        scores[i] = np.mean((whole[present] - counts) / (whole[present] + counts))
    return scores
