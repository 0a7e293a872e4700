"""Judging the runs of obfuscators: which files they left, how good the texts are, and what was lost where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from stemmata.formats.obfuscation import read_obfuscation
from stemmata.formats.obfuscation_runs import RunText
from stemmata.masking.quality.judging import LANGUAGE, MOST_PIECES, Quality, TextQuality
from stemmata.masking.quality.scales import school_grade_label, soundness_word
from stemmata.measures.evaluation import Confidence
from stemmata.measures.quality import QualityResult, score_quality
from stemmata.model import ErrorCode, Piece, StemmataError
from stemmata.model.judgements import SCHEMES, Judgement, Judgements

ASSESSOR = "automatic"
MOST_PLACES = 1000
"""Places of lost and added things that are told of each system; all are counted."""
_KINDS = ("numbers", "names", "negations")


class FoundPlace(NamedTuple):
    """Where a number, name or negation was lost or added.

    Attributes
    ----------
    item, piece
        The text and the piece.
    kind, change
        Such as ``numbers`` and ``lost``.
    text, start, end
        What, and where in the piece: of the original if it was lost, of the obfuscation if it was added.
    """

    item: str
    piece: int
    kind: str
    change: str
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class SystemQuality:
    """What is thought of a system: its texts by name, and the ids of their pieces."""

    texts: Mapping[str, TextQuality]
    places: tuple[FoundPlace, ...]
    notes: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return counts of what was checked in all pieces, with places."""
        every = [one for text in self.texts.values() for one in text.pieces]
        whole = TextQuality(tuple(every)).as_json()
        said = {key: whole[key] for key in ("pieces", "graded", "checks")}
        said |= {"texts": len(self.texts), "faults": whole["faults"], "set_apart": whole["set_apart"]}
        said["places"] = [one._asdict() for one in self.places[:MOST_PLACES]]
        if self.notes:
            said["notes"] = list(self.notes)
        return said


@dataclass(frozen=True)
class AutomaticResult:
    """Grades of systems on PAN16's scales, as `score_quality` sums up those of people, and the checks."""

    grades: QualityResult | None
    systems: Mapping[str, SystemQuality]
    signature: str

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``--format json`` prints below ``automatic``."""
        kinds = {} if self.grades is None else {k: one.as_json() for k, one in self.grades.graded.items()}
        systems = {name: self._scales(name) | one.as_json() for name, one in self.systems.items()}
        return {"signature": self.signature, **kinds, "systems": systems}

    def _scales(self, system: str) -> dict[str, str | None]:
        grade, word = scales_of(self, system)
        return {"school_grade": grade or None, "soundness_word": word or None}


def judge_runs(
    texts: Sequence[RunText],
    quality: Quality,
    *,
    most: int = MOST_PIECES,
    confidence: Confidence | None = None,
    seed: int = 1,
) -> AutomaticResult:
    """Judge the texts of systems; intervals draw texts, or pieces where a system has a single text.

    Parameters
    ----------
    texts
        What `find_runs` found.
    quality
        The judge.
    most
        How many pieces of each system are graded, spread evenly over its texts; all are checked.
    confidence
        Level and resamples of intervals.
    seed
        Of the sample.
    """
    by_system: dict[str, dict[str, list[Piece]]] = {}
    for one in texts:
        by_system.setdefault(one.system, {})[_unused(one, by_system)] = read_obfuscation(
            one.file, numbered=False
        )
    rng = np.random.default_rng(seed)
    systems, rows = {}, []
    for system, pieces in by_system.items():
        shares = _shares([len(some) for some in pieces.values()], most, rng)
        judged = {
            name: quality.judge_pieces(some, share, rng)
            for (name, some), share in zip(pieces.items(), shares, strict=True)
        }
        systems[system] = SystemQuality(judged, tuple(_places(pieces, judged)), tuple(_notes(judged)))
        rows += _rows(system, judged)
    if not any(text.pieces for one in systems.values() for text in one.texts.values()):
        raise StemmataError(ErrorCode.NOTHING_TO_JUDGE, texts[0].file if texts else None)
    grades = score_quality(Judgements(SCHEMES["pan16"], rows), confidence=confidence) if rows else None
    signed = f"{grades.signature}|assessor:{ASSESSOR}|pieces:{most}|seed:{seed}" if grades else ""
    return AutomaticResult(grades, systems, signed)


def _unused(one: RunText, by_system: Mapping[str, Mapping[str, object]]) -> str:
    """Return a name for the text that no other of its system has."""
    known = by_system.get(one.system, {})
    return one.text if one.text not in known else str(one.file.parent)


def _shares(sizes: Sequence[int], most: int, rng: np.random.Generator) -> list[int]:
    """Share out pieces evenly over texts, none more than it has; of too many texts some get none."""
    shares = [0] * len(sizes)
    order = rng.permutation(len(sizes)).tolist()
    while most > 0 and (open_ones := [at for at in order if shares[at] < sizes[at]]):
        for at in open_ones[:most]:
            shares[at] += 1
        most -= len(open_ones)
    return shares


def _rows(system: str, judged: Mapping[str, TextQuality]) -> list[Judgement]:
    graded = {name: one for name, one in judged.items() if one.graded}
    if len(graded) > 1:
        return [
            Judgement(name, system, ASSESSOR, one.sensibleness, one.soundness) for name, one in graded.items()
        ]
    pieces = [piece for one in graded.values() for piece in one.pieces if piece.is_graded]
    return [
        Judgement(f"piece {number}", system, ASSESSOR, piece.sensibleness, piece.soundness)
        for number, piece in enumerate(pieces, start=1)
    ]


def _places(pieces: Mapping[str, Sequence[Piece]], judged: Mapping[str, TextQuality]) -> Iterator[FoundPlace]:
    for name, text in judged.items():
        for number, piece in zip(text.numbers, text.pieces, strict=True):
            for kind in _KINDS:
                for one in getattr(piece.checks, kind):
                    yield FoundPlace(name, pieces[name][number].id, kind, *one)


def _notes(judged: Mapping[str, TextQuality]) -> Iterator[str]:
    could = [one for one in judged.values() if one.language == LANGUAGE]
    every, graded = sum(len(one.pieces) for one in could), sum(one.graded for one in could)
    other = [name for name, one in judged.items() if one.language != LANGUAGE]
    if other:
        few = f"1 text not graded, since it is not in English: {other[0]}"
        many = f"{len(other):,} texts not graded, since they are not in English, such as {other[0]}"
        yield many if len(other) > 1 else few
    if graded < every:
        yield f"graded by a sample of {graded:,} of {every:,} pieces"


def scales_of(result: AutomaticResult, system: str) -> tuple[str, str]:
    """Return a system's school grade and its word for soundness, as PAN18 would give them."""
    if result.grades is None or system not in result.grades.graded["sensibleness"].systems:
        return "", ""
    grades = result.grades.graded
    return (
        school_grade_label(grades["sensibleness"].systems[system].values["mean"]),
        soundness_word(grades["soundness"].systems[system].values["mean"]),
    )
