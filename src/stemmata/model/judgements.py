"""What people say of an obfuscated text: how sensible it reads, and how soundly it keeps its meaning."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import floor
from typing import NamedTuple

from stemmata.model.errors import ErrorCode, Place, StemmataError
from stemmata.model.registry import did_you_mean

_NUMBER = re.compile(r"[+-]?[0-9]{1,9}(\.[0-9]{1,20})?")
_BETWEEN = re.compile(r"([0-9]{1,9})\s*[-–/]\s*([0-9]{1,9})")


@dataclass(frozen=True)
class Scale:
    """The grades that may be given.

    Attributes
    ----------
    lowest, highest, step
        Grades are numbers in this range, `step` apart; a step of 0 allows any number.
    words
        What the grades are called, from the lowest up, where they are not written as numbers.
    """

    name: str
    lowest: float
    highest: float
    step: float
    words: tuple[str, ...] = ()
    lower_is_better: bool = False

    @property
    def rule(self) -> str:
        """What an assessor may write."""
        if self.words:
            return f"{', '.join(self.words[:-1])} or {self.words[-1]}"
        halves = ", or one between two, like 2-3" if self.step == 0.5 else ""
        what = "a whole number" if self.step == 1 else "a number"
        return f"{what} from {self.lowest:g} to {self.highest:g}{halves}"

    @property
    def categories(self) -> tuple[str, ...]:
        """The names under which grades are counted, from the lowest up."""
        return tuple(self.label(self.lowest + n * self._width) for n in range(self._number))

    def category(self, grade: float) -> int:
        """Return the number of the category a grade is counted in: its own, or the nearest."""
        return min(floor((grade - self.lowest) / self._width + 0.5), self._number - 1)

    def grade(self, text: str, place: Place | None = None) -> float:
        """Return what was written as a number.

        Examples
        --------
        >>> SCHOOL_GRADES.grade("2-3"), SOUNDNESS_WORDS.grade("Passable")
        (2.5, 1.0)
        """
        said = text.strip()
        if self.words:
            if said.lower() in self.words:
                return float(self.lowest + self.words.index(said.lower()) * self.step)
            guess = did_you_mean(said.lower(), self.words)
            raise StemmataError(ErrorCode.UNKNOWN_GRADE, place, value=said[:80], guess=guess, rule=self.rule)
        between = _BETWEEN.fullmatch(said)
        if between and self.step == 0.5 and int(between[2]) == int(between[1]) + 1:
            number = int(between[1]) + 0.5
        elif _NUMBER.fullmatch(said):
            number = float(said)
        else:
            raise StemmataError(ErrorCode.UNKNOWN_GRADE, place, value=said[:80], guess="", rule=self.rule)
        off_step = self.step > 0 and (number - self.lowest) % self.step != 0
        if not self.lowest <= number <= self.highest or off_step:
            raise StemmataError(ErrorCode.GRADE_OFF_SCALE, place, value=said, rule=self.rule)
        return number

    def label(self, grade: float) -> str:
        """Return a grade as people write it, also one in the middle of two.

        Examples
        --------
        >>> SCHOOL_GRADES.label(2.5), SOUNDNESS_WORDS.label(1.5)
        ('2-3', 'passable/correct')
        """
        below = floor(grade)
        middle = grade - below == 0.5
        if self.words and (middle or grade == below):
            first = below - floor(self.lowest)
            return "/".join(self.words[first : first + 1 + middle])
        return f"{below}-{below + 1}" if middle and self.step == 0.5 else f"{grade:g}"

    @property
    def _width(self) -> float:
        return self.step or 1.0

    @property
    def _number(self) -> int:
        return round((self.highest - self.lowest) / self._width) + 1


SCHOOL_GRADES = Scale("school grades, 1 (excellent) to 5 (fail)", 1, 5, 0.5, lower_is_better=True)
SOUNDNESS_WORDS = Scale(
    "incorrect (0), passable (1), correct (2)", 0, 2, 1, ("incorrect", "passable", "correct")
)
SENSIBLENESS_2 = Scale("0 (senseless) to 2 (sensible)", 0, 2, 1)
SOUNDNESS_5 = Scale("similarity of meaning, 0 (none) to 5 (same)", 0, 5, 0)


@dataclass(frozen=True)
class Scheme:
    """How a shared task had texts graded."""

    name: str
    sensibleness: Scale
    soundness: Scale


SCHEMES = {
    one.name: one
    for one in (
        Scheme("pan18", SCHOOL_GRADES, SOUNDNESS_WORDS),
        Scheme("pan16", SENSIBLENESS_2, SOUNDNESS_5),
    )
}


class Judgement(NamedTuple):
    """What one assessor said of one text of one system; None where nothing was said."""

    item: str
    system: str
    assessor: str
    sensibleness: float | None
    soundness: float | None


@dataclass(frozen=True)
class Judgements:
    """Judgements made on the same scales."""

    scheme: Scheme
    rows: Sequence[Judgement]
