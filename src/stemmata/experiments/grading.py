"""Predicted grades of obfuscated texts, where what predicts them is installed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from stemmata.experiments.cells import Cells, cells_folder, digest
from stemmata.experiments.programs import digest_of
from stemmata.model import ErrorCode, Piece, StemmataError
from stemmata.model.guarding import guarded
from stemmata.model.processes import Processes

PACKAGES = ("masking", "rewriting", "text")
"""What grades are made by."""
FEW, MANY = 12, 60
"""Pieces of a text that are graded, drawn at random: where there are many texts, and of one alone."""

Pieces = tuple[Piece, ...]


@dataclass(frozen=True)
class Grades:
    """What a text is worth after it was obfuscated.

    Attributes
    ----------
    soundness
        How far it still says the same, from 0 to 5.
    sensibleness
        How well it reads, from 0 to 2.

    Both are undefined for a text that is not in English, or has no words.
    """

    soundness: float
    sensibleness: float


def grade_all(
    texts: Sequence[Pieces],
    most: int = FEW,
    *,
    jobs: int = 1,
    cells: Cells | None = None,
    advance: Callable[[int], None] = lambda _: None,
) -> list[Grades] | str:
    """Return the grades of texts; where nothing here can grade, why.

    Parameters
    ----------
    texts
        The pieces of each.
    most
        How many pieces of a text are graded.
    jobs
        Number of processes; the result does not depend on it.
    cells
        Where results are kept; by default in the user's cache.
    advance
        Is told how many more texts are done.
    """
    kept = cells or Cells(cells_folder())
    made: dict[int, Grades] = {}
    left = []
    for number, pieces in enumerate(texts):
        cell = kept.get(_key(pieces, most), _are_grades)
        if cell is None:
            left.append(number)
        else:
            made[number] = Grades(**cell.value)
            advance(1)
    try:
        with Processes(min(jobs, len(left))) as processes:
            for place, one in processes.completed(_graded, [(texts[number], most, kept) for number in left]):
                if isinstance(one, str):
                    return one
                made[left[place]] = one
                advance(1)
    except StemmataError as error:
        # A process died; grades are worth no more than what they grade.
        return str(error)
    return [made[number] for number in range(len(texts))]


def mean_grades(grades: Sequence[Grades]) -> dict[str, float] | None:
    """Return the means of grades; None if there are none."""
    known = [one for one in grades if isfinite(one.soundness)]
    if not known:
        return None
    return {
        "soundness": sum(one.soundness for one in known) / len(known),
        "sensibleness": sum(one.sensibleness for one in known) / len(known),
        "texts": len(known),
    }


def _key(pieces: Pieces, most: int) -> Mapping[str, Any]:
    texts = digest(text for one in pieces for text in (one.original, one.obfuscation))
    return {"what": "grades", "program": digest_of(PACKAGES), "pieces": texts, "most": most}


def _are_grades(value: Any) -> bool:
    return set(value) == {"soundness", "sensibleness"} and all(
        isinstance(one, int | float) for one in value.values()
    )


def _graded(pieces: Pieces, most: int, cells: Cells) -> Grades | str:
    def graded() -> Grades:
        cell = cells.get_or_make(_key(pieces, most), lambda: _judged(pieces, most), _are_grades)
        return Grades(**cell.value)

    return guarded(graded, lambda reason: StemmataError(ErrorCode.GRADING_FAILED, reason=reason))


def _judged(pieces: Pieces, most: int) -> dict[str, float]:
    from stemmata.masking.quality import Quality

    # Last digits depend on what is asked in one go, and so on what a judge knows already: a new one for each.
    one = Quality().judge_pieces(pieces, most)
    return {"soundness": float(one.soundness), "sensibleness": float(one.sensibleness)}
