"""Judging obfuscated texts without people: pieces many at a time, and whole texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from stemmata.masking.protected import prose_of
from stemmata.masking.quality.alignment import aligned_pieces
from stemmata.masking.quality.checks import Checks, checks_of
from stemmata.masking.quality.features import fluency_features, meaning_features
from stemmata.masking.quality.grading import Deductions, Floats, Grader, fitted_graders
from stemmata.masking.quality.grammar import Fault, faults_of
from stemmata.masking.quality.scales import school_grade_label, soundness_word
from stemmata.masking.quality.spacing import rejoined, set_apart
from stemmata.model import Piece
from stemmata.text.fluency import Fluency
from stemmata.text.languages import UNKNOWN, known_language_of
from stemmata.text.meaning import Meaning
from stemmata.text.words import find_words

LANGUAGE = "en"
MOST_PIECES = 300
"""Pieces of a text that are graded; of a longer text a sample."""


@dataclass(frozen=True)
class Judged:
    """What is thought of a piece.

    Attributes
    ----------
    sensibleness
        How well it reads, from 0 to 2 as PAN16's raters graded; NaN where it was not graded.
    soundness
        How far it means the same, from 0 to 5; NaN where it was not graded.
    checks
        Numbers, names and negations lost or added.
    faults
        Faults by rules that the original has not; places are in the text with its marks rejoined.
    words
        Words of the original.
    set_apart
        Marks and endings that a blank sets apart, more than in the original.
    figures
        What the grades are made of.
    """

    sensibleness: float
    soundness: float
    checks: Checks
    faults: tuple[Fault, ...] = ()
    words: int = 0
    set_apart: int = 0
    figures: Mapping[str, float] = field(default_factory=dict, repr=False)

    @property
    def is_graded(self) -> bool:
        """Whether there are grades."""
        return not np.isnan(self.sensibleness)


@dataclass(frozen=True)
class TextQuality:
    """What is thought of a text: means over its graded pieces by their words, and what was checked in all.

    Attributes
    ----------
    pieces
        All pieces that hold words, in order; those that were not drawn have no grades.
    note
        What a reader of the grades must know, such as that they are of a sample.
    numbers
        Which of the pieces given each of these was, from 0.
    language
        What the text was taken to be written in.
    """

    pieces: tuple[Judged, ...]
    note: str = ""
    numbers: tuple[int, ...] = ()
    language: str = LANGUAGE

    @property
    def sensibleness(self) -> float:
        """From 0 to 2; NaN where nothing was graded."""
        return self._mean("sensibleness")

    @property
    def soundness(self) -> float:
        """From 0 to 5; NaN where nothing was graded."""
        return self._mean("soundness")

    @property
    def graded(self) -> int:
        """How many pieces were graded."""
        return sum(piece.is_graded for piece in self.pieces)

    def count(self, kind: str, change: str) -> int:
        """Return how many ``numbers``, ``names`` or ``negations`` were ``lost`` or ``added``."""
        return sum(one.change == change for piece in self.pieces for one in getattr(piece.checks, kind))

    def as_json(self) -> dict[str, Any]:
        """Return grades, on PAN18's scales too, and counts; what is undefined is null."""
        said: dict[str, Any] = {"pieces": len(self.pieces), "graded": self.graded}
        for kind in ("sensibleness", "soundness"):
            said[kind] = getattr(self, kind) if self.graded else None
        said["school_grade"] = school_grade_label(self.sensibleness) if self.graded else None
        said["soundness_word"] = soundness_word(self.soundness) if self.graded else None
        said["checks"] = {
            kind: {change: self.count(kind, change) for change in ("lost", "added")}
            for kind in ("numbers", "names", "negations")
        }
        said["faults"] = sum(len(piece.faults) for piece in self.pieces)
        said["set_apart"] = sum(piece.set_apart for piece in self.pieces)
        if self.note:
            said["note"] = self.note
        return said

    def _mean(self, kind: str) -> float:
        graded = [piece for piece in self.pieces if piece.is_graded]
        if not graded:
            return float("nan")
        values = [getattr(piece, kind) for piece in graded]
        return float(np.average(values, weights=[max(piece.words, 1) for piece in graded]))


class Quality:
    """Grades of sensibleness and soundness for English texts, as PAN16's raters might give them.

    Parameters
    ----------
    fluency, meaning
        The models, shared with whoever asks them too; without, models of its own.
    graders
        What makes grades of figures; without, those that come with the package.

    Examples
    --------
    >>> quality = Quality()  # doctest: +SKIP
    >>> [one] = quality.judge(["It was not cold in 1916."], ["It was cold in 1961."])  # doctest: +SKIP
    >>> [finding.text for finding in one.checks.numbers]  # doctest: +SKIP
    ['1916', '1961']
    """

    def __init__(
        self,
        fluency: Fluency | None = None,
        meaning: Meaning | None = None,
        graders: Mapping[str, Grader | Deductions] | None = None,
    ) -> None:
        self.fluency = fluency or Fluency()
        self.meaning = meaning or Meaning()
        self._graders = graders

    def judge(
        self, originals: Sequence[str], obfuscated: Sequence[str], context: str | Sequence[str] = ""
    ) -> list[Judged]:
        """Return what is thought of each piece.

        A piece of which no word is left gets 0; one that had no words to begin with has no grades.

        Parameters
        ----------
        originals, obfuscated
            English pieces, sentences or a few of them, and what became of each.
        context
            What stands before, for all or for each. The grades were learned without.
        """
        contexts = [context] * len(originals) if isinstance(context, str) else list(context)
        graded = [
            at
            for at, (old, new) in enumerate(zip(originals, obfuscated, strict=True))
            if find_words(old).forms and find_words(new).forms
        ]
        figures = self.figures(*([texts[at] for at in graded] for texts in (originals, obfuscated, contexts)))
        graders = self._graders or fitted_graders()
        places = {at: row for row, at in enumerate(graded)}
        sensible, sound = (
            graders[kind].grades(figures) if graded else np.zeros(0) for kind in ("sensibleness", "soundness")
        )
        found = []
        for at, (old, new) in enumerate(zip(originals, obfuscated, strict=True)):
            bare = checked(old, new)
            row = places.get(at)
            if row is None:
                nothing = 0.0 if bare.words else float("nan")
                found.append(replace(bare, sensibleness=nothing, soundness=nothing))
            else:
                shown = {name: float(values[row]) for name, values in figures.items()}
                found.append(
                    replace(
                        bare,
                        sensibleness=float(sensible[row]),
                        soundness=float(sound[row]),
                        figures=shown,
                    )
                )
        return found

    def figures(
        self, originals: Sequence[str], obfuscated: Sequence[str], contexts: str | Sequence[str] = ""
    ) -> dict[str, Floats]:
        """Return what grades are made of, by name."""
        return {
            **fluency_features(originals, obfuscated, self.fluency, contexts),
            **meaning_features(originals, obfuscated, self.meaning),
        }

    def judge_pieces(
        self, pieces: Iterable[Piece], most: int = MOST_PIECES, rng: np.random.Generator | None = None
    ) -> TextQuality:
        """Return what is thought of a text that was obfuscated piece by piece.

        All pieces are checked; at most so many are graded, drawn at random where there are more. A text in
        another language than English is checked for numbers only, and not graded.

        Parameters
        ----------
        pieces
            As ``obfuscation.json`` holds them.
        most
            How many pieces to grade.
        rng
            The source of randomness; without, one that is always the same.
        """
        given = list(pieces)
        numbers = tuple(
            at
            for at, one in enumerate(given)
            if find_words(one.original).forms or find_words(one.obfuscation).forms
        )
        kept = [given[at] for at in numbers]
        language = known_language_of(prose_of("\n".join(one.original for one in kept)))
        found = [checked(one.original, one.obfuscation) for one in kept]
        if language != LANGUAGE:
            bare = [replace(one, checks=Checks(numbers=one.checks.numbers), faults=()) for one in found]
            which = "not in English" if language == UNKNOWN else f"in another language ({language})"
            note = f"not graded: the text is {which}"
            return TextQuality(tuple(bare), note, numbers, language)
        drawn = list(range(len(kept)))
        note = ""
        if len(kept) > most:
            chosen = (rng or np.random.default_rng(1)).choice(len(kept), most, replace=False)
            drawn = sorted(chosen.tolist())
            note = f"graded by a sample of {most:,} of {len(kept):,} pieces"
        judged = self.judge([kept[at].original for at in drawn], [kept[at].obfuscation for at in drawn])
        for at, one in zip(drawn, judged, strict=True):
            found[at] = one
        return TextQuality(tuple(found), note, numbers)

    def judge_text(self, original: str, obfuscated: str, most: int = MOST_PIECES) -> TextQuality:
        """Return what is thought of a text of which the pieces are not known: sentences are aligned first."""
        return self.judge_pieces(aligned_pieces(original, obfuscated), most)


def checked(original: str, obfuscated: str) -> Judged:
    """Return what can be said of a piece without any model: no grades, but what was lost, and faults."""
    before = Counter(fault.rule for fault in faults_of(rejoined(original)))
    gained = []
    for fault in faults_of(rejoined(obfuscated)):
        before[fault.rule] -= 1
        if before[fault.rule] < 0:
            gained.append(fault)
    return Judged(
        float("nan"),
        float("nan"),
        checks_of(original, obfuscated),
        tuple(gained),
        len(find_words(original)),
        max(0, set_apart(obfuscated) - set_apart(original)),
    )
