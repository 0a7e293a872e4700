"""Summary: the sentences that say most of a passage, and little of them that could be missed.

A sentence weighs by its likeness to the centre of the passage (Radev et al., "Centroid-based summarization of
multiple documents", Information Processing and Management 40, 2004). Sentences are taken by maximal marginal
relevance (Carbonell and Goldstein, SIGIR 1998): the next one is like the whole and unlike those taken,

    lambda cos(s, centre) - (1 - lambda) max over t taken of cos(s, t).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from stemmata.model import ErrorCode, StemmataError
from stemmata.model.parameters import tunable
from stemmata.rewriting.edits import Edit, Rewriting, rewritten
from stemmata.rewriting.strategy import Scene
from stemmata.text.languages import languages
from stemmata.text.sentences import find_sentences
from stemmata.text.stems import stems
from stemmata.text.words import find_words

_PARENTHESIS = re.compile(r"[^\S\n]?\([^()\n]{1,300}\)")
_OPENINGS = {
    "en": "however|moreover|furthermore|therefore|thus|hence|nevertheless|nonetheless|indeed|besides|also"
    "|still|in addition|in fact|of course|for example|for instance|after all|at first|at last"
    "|on the other hand|as a result|in other words|to be sure|finally|meanwhile|consequently|likewise",
    "de": "allerdings|außerdem|ferner|natürlich|zum Beispiel|im Übrigen|mit anderen Worten|kurzum|nun",
    "es": "sin embargo|además|por lo tanto|por tanto|en efecto|por ejemplo|no obstante|por último|finalmente"
    "|en realidad|por supuesto|es decir",
    "ru": "однако|кроме того|например|конечно|впрочем|наконец|в частности|таким образом|следовательно|итак",
}
"""What may be left off the start of a sentence where a comma follows."""


@dataclass(frozen=True)
class Summary:
    """A passage shrunk to its weightiest sentences, in their order.

    Attributes
    ----------
    words
        How many words to keep at most; without it, a share of them.
    share
        Share of the passage's words to keep.
    novelty
        Weight of being unlike what is taken already, against being like the whole: 1 - lambda.
    compress
        Leave out parentheses and words such as "however" at the start of the sentences that are kept.

    Examples
    --------
    >>> text = "It rained. However, the keeper (an old man) lit the lamp. The lamp of the keeper burned."
    >>> Summary(words=15).rewrite(text, Scene()).text
    'The keeper lit the lamp. The lamp of the keeper burned.'
    """

    words: int | None = None
    share: float = tunable(0.2, 0.02, 1.0)
    novelty: float = tunable(0.3, 0.0, 1.0)
    compress: bool = True

    def __post_init__(self) -> None:
        checks = [
            ("words", self.words, self.words is None or self.words >= 1, "it must be at least 1"),
            ("share", self.share, 0 < self.share <= 1, "it must be above 0 and at most 1"),
            ("novelty", self.novelty, 0 <= self.novelty <= 1, "it must be between 0 and 1"),
        ]
        for name, value, sound, rule in checks:
            if not sound:
                raise StemmataError(ErrorCode.BAD_PARAMETER, name=name, value=value, rule=rule)

    def rewrite(self, text: str, scene: Scene) -> Rewriting:
        """Return the summary; there is one edit for each sentence or part of one that is left out."""
        starts, ends = find_sentences(text, scene.language)
        count = len(starts)
        if count == 0:
            return Rewriting(text)
        found = find_words(text)
        sentence = np.searchsorted(starts, found.start, side="right") - 1
        sizes = np.bincount(sentence, minlength=count)
        budget = self.words if self.words is not None else round(self.share * len(found))
        vectors = _vectors(found.forms, sentence, count, scene.language)
        kept = sorted(_taken(vectors, sizes, max(1, budget), self.novelty))
        edits = list(_removals(starts.tolist(), ends.tolist(), kept))
        if self.compress:
            edits += chain.from_iterable(
                _compressions(text, int(starts[one]), int(ends[one]), scene.language) for one in kept
            )
        return rewritten(text, edits)


def _vectors(forms: tuple[str, ...], sentence: npt.NDArray[np.int64], count: int, language: str) -> csr_array:
    """Return a row of length 1 per sentence: how often each stem occurs in it, stop words left out.

    Stems are not weighted by how rare they are in the passage: what recurs is what it is about.
    """
    stop_words = languages[language].stop_words
    content = [i for i, form in enumerate(forms) if form not in stop_words]
    terms: dict[str, int] = {}
    columns = [terms.setdefault(stem, len(terms)) for stem in stems([forms[i] for i in content], language)]
    shape = (count, len(terms))
    matrix = csr_array((np.ones(len(columns)), (sentence[content], columns)), shape=shape)
    matrix.sum_duplicates()
    length = np.sqrt(matrix.power(2).sum(axis=1))
    matrix.data /= np.repeat(np.where(length > 0, length, 1), np.diff(matrix.indptr))
    return matrix


def _taken(vectors: csr_array, sizes: npt.NDArray[np.int64], budget: int, novelty: float) -> list[int]:
    """Take sentences by maximal marginal relevance while they fit; at least one is taken."""
    centre = np.asarray(vectors.sum(axis=0)).ravel()
    length = float(np.sqrt(centre @ centre))
    relevance = vectors @ (centre / length) if length else np.zeros(len(sizes))
    nearest = np.zeros(len(sizes))
    # A sentence without words says nothing, though it costs nothing.
    open_ones = sizes > 0
    taken: list[int] = []
    while True:
        open_ones &= sizes <= budget
        if not open_ones.any():
            break
        gain = np.round((1 - novelty) * relevance - novelty * nearest, 12)
        best = int(np.argmax(np.where(open_ones, gain, -np.inf)))
        taken.append(best)
        budget -= int(sizes[best])
        open_ones[best] = False
        nearest = np.maximum(nearest, vectors @ vectors[[best]].toarray().ravel())
    return taken or [int(np.argmin(np.where(sizes > 0, sizes, sizes.max() + 1)))]


def _removals(starts: list[int], ends: list[int], kept: list[int]) -> Iterator[Edit]:
    """Give an edit for each sentence not kept, with the space that parts it from a neighbour."""
    for one in sorted(set(range(len(starts))) - set(kept)):
        if one < kept[-1]:
            yield Edit(starts[one], starts[one + 1], "", "sentence-removal")
        else:
            yield Edit(ends[one - 1], ends[one], "", "sentence-removal")


def _compressions(text: str, start: int, end: int, language: str) -> Iterator[Edit]:
    """Give edits that leave out the opening and the parentheses of a sentence, never all of it."""
    body = start
    if language in _OPENINGS:
        opening = re.compile(rf"(?:{_OPENINGS[language]}),\s+(?=\w)", re.IGNORECASE).match(text, start, end)
        if opening:
            body = opening.end()
            yield Edit(start, body + 1, text[body].upper(), "opening-removal")
    for aside in _PARENTHESIS.finditer(text, body, end):
        if aside.start() > body and text[aside.end() : end].strip():
            yield Edit(aside.start(), aside.end(), "", "parenthesis-removal")
