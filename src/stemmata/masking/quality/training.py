"""Fitting the graders to PAN16's labels: ``python -m stemmata.masking.quality.training PAN16 MSRP``.

Grades of people say nothing of two kinds of text that must be graded right all the same: one that nobody
touched, and one that people rewrote with care. So that well-formed text is not graded down for being other
text, both take part as excellent, with a small weight: the originals as they are, and newspaper sentences
beside their paraphrases (Dolan and Brockett, "Automatically constructing a corpus of sentential paraphrases",
2005). Text in random order is kept out, so that it shows what the grades are worth. For soundness some pieces
stand beside another text and count 0, which no system's output does.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from stemmata import __version__
from stemmata.formats.files import read_text
from stemmata.masking.quality.features import SENSIBLENESS, SOUNDNESS, meaning_features
from stemmata.masking.quality.grading import FITTED, Deductions, Floats, Grader
from stemmata.masking.quality.judging import Quality
from stemmata.masking.quality.labelled import (
    SYSTEMS,
    Labelled,
    sensibleness_labels,
    shuffled,
    soundness_labels,
    unedited,
    unrelated,
)

SENSIBLE, SOUND = 2.0, 5.0
"""The best grades."""
WEIGHTS = {"unedited": 0.2, "paraphrase": 0.15, "shuffled": 0.0, "unrelated": 0.1}
"""What a text counts that nobody graded."""
FOLDS = 10
SOUNDNESS_PIECES = 500
"""Pieces of each system that soundness is learned from."""
PARAPHRASES = 50


@dataclass(frozen=True)
class Examples:
    """Graded texts with their figures.

    Attributes
    ----------
    names
        The figures that grades are made of.
    top
        The best grade.
    grader
        What is fitted to them.
    """

    labels: tuple[Labelled, ...]
    figures: dict[str, Floats]
    names: tuple[str, ...]
    top: float
    grader: type[Grader] | type[Deductions]

    @property
    def system(self) -> npt.NDArray[np.str_]:
        """The system of each text."""
        return np.array([one.system for one in self.labels])

    @property
    def grades(self) -> Floats:
        """The grade of each text."""
        return np.array([one.grade for one in self.labels])

    @property
    def is_graded(self) -> npt.NDArray[np.bool_]:
        """Which texts are the systems', and thereby graded by others."""
        return np.isin(self.system, SYSTEMS)

    def fitted(self, chosen: npt.NDArray[np.bool_] | None = None) -> Grader | Deductions:
        """Return the grader fitted to some of the texts, or to all."""
        weight = np.array([WEIGHTS.get(one.system, 1.0) for one in self.labels])
        used = (weight > 0) if chosen is None else chosen & (weight > 0)
        figures = {name: self.figures[name][used] for name in self.names}
        return self.grader.fitted(figures, self.names, self.grades[used], self.top, weight[used])

    def cross_validated(self, systems_out: bool = False) -> Floats:
        """Return grades by graders that saw nothing of the same problem, nor, if asked, the same system."""
        problems = sorted({one.problem for one in self.labels})
        order = np.random.default_rng(1).permutation(len(problems))
        fold_of = {problems[place]: number % FOLDS for number, place in enumerate(order.tolist())}
        fold = np.array([fold_of[one.problem] for one in self.labels])
        made = np.full(len(self.labels), np.nan)
        for number in range(FOLDS):
            for system in SYSTEMS if systems_out else ("",):
                judged = (fold == number) & ((self.system == system) if systems_out else True)
                if judged.any():
                    grader = self.fitted((fold != number) & (self.system != system))
                    made[judged] = grader.grades({name: self.figures[name][judged] for name in self.names})
        return made


def sensibleness_examples(
    pan16: Path, paraphrases: Sequence[tuple[str, str]], quality: Quality, most: int | None = None
) -> Examples:
    """Return PAN16's graded pieces, the originals unedited and shuffled, and paraphrases."""
    labels = sensibleness_labels(pan16)
    if most is not None:
        labels = [labels[at] for at in np.random.default_rng(1).permutation(len(labels))[:most]]
    labels += [*unedited(labels), *shuffled(labels)]
    labels += [
        Labelled("paraphrase", f"paraphrase {number}", old, new, SENSIBLE)
        for number, (old, new) in enumerate(paraphrases)
    ]
    figures = quality.figures([one.original for one in labels], [one.obfuscated for one in labels])
    return Examples(tuple(labels), figures, SENSIBLENESS, SENSIBLE, Grader)


def soundness_examples(pan16: Path, quality: Quality, most: int = SOUNDNESS_PIECES) -> Examples:
    """Return pieces whose similarity a program graded, and some beside another text."""
    labels = soundness_labels(pan16, most)
    labels += unrelated(labels)
    originals, obfuscated = [one.original for one in labels], [one.obfuscated for one in labels]
    figures = meaning_features(originals, obfuscated, quality.meaning)
    return Examples(tuple(labels), figures, SOUNDNESS, SOUND, Deductions)


def read_paraphrases(path: Path, most: int = PARAPHRASES) -> list[tuple[str, str]]:
    """Return the first pairs of Microsoft's corpus that people took for paraphrases."""
    rows = [line.split("\t") for line in read_text(path).removeprefix("\ufeff").splitlines()[1:]]
    return [(row[3], row[4]) for row in rows if len(row) == 5 and row[0] == "1"][:most]


def write_graders(path: Path, sensibleness: Examples, soundness: Examples) -> None:
    """Fit both graders to all examples and write them."""
    said = {
        "version": __version__,
        "learned from": "PAN16's labels; originals and human paraphrases count as sensible",
        "sensibleness": sensibleness.fitted().as_json(),
        "soundness": soundness.fitted().as_json(),
    }
    path.write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    judge = Quality()
    texts = Path(sys.argv[1])
    pairs = read_paraphrases(Path(sys.argv[2]))
    write_graders(
        Path(__file__).with_name(FITTED),
        sensibleness_examples(texts, pairs, judge),
        soundness_examples(texts, judge),
    )
