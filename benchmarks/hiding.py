"""How well our obfuscator hides, and at what cost: the front of safety against quality over its strength.

``python -m benchmarks.hiding [SET …] [--strengths 0.3,1] [--every 3]`` masks the positives of PAN's training
sets, or every so manieth of them. Verifiers are of two kinds: those that guided the choice of settings, and
those held apart from it. Settings were chosen on every other text of PAN15; the rest, and all, are reported.
Verifiers that learn are cross-validated; *retrained*, they learn from masked texts too. Masked texts are kept
in the user's cache, so that a run which was stopped goes on.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from pathlib import Path
from zlib import crc32

import numpy as np

from benchmarks.verifiers import folds
from stemmata.authorship import verifiers
from stemmata.authorship.batch import Batch
from stemmata.experiments.masking import Masked, mask_all
from stemmata.formats.verification import read_problems, read_truth
from stemmata.masking.guided.masker import Stemmata
from stemmata.masking.quality import Quality
from stemmata.measures.safety import Safety
from stemmata.model import Document, LearningVerifier, Problem
from stemmata.model.reproduction import Figure, Marker, Panel, Series
from stemmata.reports.figures import draw
from stemmata.text.fluency import Fluency
from stemmata.text.meaning import Meaning

SETS = ("pan13-train", "pan14ee-train", "pan14en-train", "pan15-train")
VERIFIERS = (
    "burrows-delta", "castillojuarez14", "castro15", "cosine-delta", "ghaeini13", "grozea13", "halvani15",
    "jankowska14", "kestemont-2016", "kocher15", "modaresi14", "petmanson13", "singh14", "sorin13",
    "stemmata", "zamani14",
)  # fmt: skip
"""The quick ones that find authors at all on these sets."""
STRENGTHS = (0.0, 0.3, 0.5, 0.75, 1.0)
JOBS = 2


def guided(name: str) -> bool:
    """Return whether a verifier guided the choice of settings; a hash of its name decides."""
    return crc32(name.encode()) % 2 == 0


@dataclass
class Corpus:
    """A set of problems, which of them settings were chosen on, and the answers before any masking."""

    problems: list[Problem]
    truth: np.ndarray
    names: Sequence[str]
    learned: dict[str, list[tuple[list[int], LearningVerifier]]] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: Path, names: Sequence[str], most: int | None = None) -> Corpus:
        """Read a set, or so many positives and as many negatives of it."""
        said = read_truth(folder)
        problems = read_problems(folder)
        kinds = ([one for one in problems if said[one.id] == same][:most] for same in (True, False))
        kept = sorted((one for kind in kinds for one in kind), key=lambda one: one.id)
        return cls(kept, np.array([said[one.id] for one in kept]), names)

    @property
    def tuned(self) -> dict[int, bool]:
        """By positive problem, whether settings were chosen on its text."""
        seen: dict[str, int] = {}
        found = {}
        for place in np.flatnonzero(self.truth).tolist():
            number = seen.setdefault(self.problems[place].unknown.text, len(seen))
            found[place] = number % 2 == 0
        return found

    def answers(self, masked: Mapping[int, str], retrained: bool = False) -> dict[str, np.ndarray]:
        """Return all verifiers' answers with texts replaced; retrained, they learn from such texts too."""
        problems = [
            replace(one, unknown=Document(one.unknown.name, masked[place])) if place in masked else one
            for place, one in enumerate(self.problems)
        ]
        batch = Batch.of(problems)
        found = {}
        for name in self.names:
            verifier = verifiers[name]()
            if not isinstance(verifier, LearningVerifier) or name == "stemmata":
                if not retrained:
                    found[name] = np.array(verifier.score(batch))
                continue
            if retrained or name not in self.learned:
                lessons = self._lessons(verifier, problems if retrained else self.problems)
                if not retrained:
                    self.learned[name] = lessons
            else:
                lessons = self.learned[name]
            found[name] = np.full(len(problems), 0.5)
            for scored, ready in lessons:
                found[name][scored] = ready.score([problems[place] for place in scored])
        return found

    def _lessons(
        self, verifier: LearningVerifier, problems: Sequence[Problem]
    ) -> list[tuple[list[int], LearningVerifier]]:
        made = []
        for scored, apart in folds(problems):
            answers = [bool(self.truth[place]) for place in apart]
            if len(set(answers)) == 2:
                made.append((scored, verifier.learn([problems[place] for place in apart], answers)))
        return made


def earned(
    corpus: Corpus, before: Mapping[str, np.ndarray], after: Mapping[str, np.ndarray], names: Sequence[str]
) -> tuple[np.ndarray, np.ndarray]:
    """Return points earned and points to be earned on each positive problem."""
    chosen = [name for name in names if name in after]
    safety = Safety(
        [one.id for one in corpus.problems],
        corpus.truth,
        {name: before[name] for name in chosen},
        {"ours": {name: after[name] for name in chosen}},
    )
    perfect = (safety.points * safety.correct[:, safety.truth]).sum(axis=0)
    return safety.points_by_problem("ours"), perfect


def run(
    quick: bool,
    sets: Sequence[str] = (),
    strengths: Sequence[float] = STRENGTHS,
    every: int = 1,
    figures: Path | None = None,
) -> None:
    """Print the front: what is changed, what it hides, what it costs, how fast it is."""
    data = Path(os.environ.get("STEMMATA_DATA", "~/.cache/stemmata-data")).expanduser() / "authorship-train"
    names = VERIFIERS if not quick else ("cosine-delta", "ghaeini13", "sorin13", "zamani14")
    chosen = list(sets) or (["pan15-train"] if quick else list(SETS))
    corpora = [Corpus.read(data / one, names, 4 if quick else None) for one in chosen]
    maskers = {f"at {one}": Stemmata(strength=one) for one in (strengths[1:4:2] if quick else strengths)}
    before = [corpus.answers({}) for corpus in corpora]
    quality = Quality(fluency=Fluency(), meaning=Meaning())
    print(
        "| set | strength | texts | words changed | guiding | guiding, not tuned on | apart"
        " | apart, not tuned on | all | retrained | sensibleness | similarity | words/s |"
    )
    print("|" + "---|" * 13)
    totals = []
    for name, masker in maskers.items():
        total = Tally()
        totals.append(total)
        for title, corpus, original in zip(chosen, corpora, before, strict=True):
            places = list(corpus.tuned)[::every]
            done = mask_all([(name, corpus.problems[one]) for one in places], maskers, jobs=JOBS)
            masked = {place: one for place, one in zip(places, done, strict=True) if isinstance(one, Masked)}
            tally = Tally()
            tally.read(masked, quality)
            tally.score(corpus, original, masked)
            print(tally.row(title, masker.strength), flush=True)
            total.add(tally)
        if len(chosen) > 1:
            print(total.row("all", masker.strength), flush=True)
    if figures:
        figures.mkdir(parents=True, exist_ok=True)
        for ending, picture in draw(front_figure(totals), ("svg",)).items():
            (figures / f"masking-front{ending}").write_bytes(picture)


@dataclass
class Tally:
    """What is summed up over texts: points won and to be won, words, grades."""

    points: np.ndarray = field(default_factory=lambda: np.zeros((6, 2)))
    words: int = 0
    changed: int = 0
    seconds: float = 0.0
    texts: int = 0
    grades: list[float] = field(default_factory=list)
    likenesses: list[float] = field(default_factory=list)

    def read(self, masked: Mapping[int, Masked], quality: Quality) -> None:
        """Count words, and grade every third text."""
        for number, one in enumerate(masked.values()):
            pair = one.original.split(), one.text.split()
            blocks = SequenceMatcher(None, *pair, autojunk=False).get_matching_blocks()
            self.words += len(pair[0])
            self.changed += len(pair[0]) - sum(block.size for block in blocks)
            self.seconds += one.seconds
            self.texts += 1
            if number % 3 == 0:
                self.grades.append(quality.judge_pieces(one.pieces).sensibleness)
                pairs = quality.meaning.pair_similarities(
                    [piece.original for piece in one.pieces], [piece.obfuscation for piece in one.pieces]
                )
                self.likenesses.append(float(pairs.mean()))

    def score(self, corpus: Corpus, before: Mapping[str, np.ndarray], masked: Mapping[int, Masked]) -> None:
        """Add the points of the masked problems."""
        texts = {place: one.text for place, one in masked.items()}
        positives = list(corpus.tuned.items())
        here = np.array([place in masked for place, _ in positives])
        fresh = np.array([place in masked and not tuned for place, tuned in positives])
        after = corpus.answers(texts)
        again = corpus.answers(texts, retrained=True)
        sides = [[one for one in corpus.names if guided(one) == side] for side in (True, False)]
        for row, (answers, names, counted) in enumerate(
            [(after, side, which) for side in sides for which in (here, fresh)]
            + [(after, list(corpus.names), here), (again, list(again), here)]
        ):
            if names:
                won, most = earned(corpus, before, answers, names)
                self.points[row] += won[counted].sum(), most[counted].sum()

    def add(self, other: Tally) -> None:
        """Add another tally."""
        self.points += other.points
        self.words += other.words
        self.changed += other.changed
        self.seconds += other.seconds
        self.texts += other.texts
        self.grades += other.grades
        self.likenesses += other.likenesses

    def share(self, row: int) -> float:
        """Return the share of perfect of a column; not a number where nothing could be won."""
        won, most = self.points[row]
        return float(won / most) if most else float("nan")

    def row(self, title: str, strength: float) -> str:
        """Return the row of a table."""
        shares = " | ".join("–" if np.isnan(share) else f"{share:.2f}" for share in map(self.share, range(6)))
        return (
            f"| {title} | {strength} | {self.texts} | {self.changed / max(1, self.words):.1%} | {shares}"
            f" | {np.mean(self.grades):.2f} | {np.mean(self.likenesses):.3f}"
            f" | {self.words / max(1e-9, self.seconds):.0f} |"
        )


def front_figure(totals: Sequence[Tally]) -> Figure:
    """Return the figure of the front: what is hidden at which cost, a point for each strength."""
    markers: dict[str, tuple[int, Marker]] = {
        "held apart": (2, "circle"),
        "guiding": (0, "diamond"),
        "retrained": (5, "cross"),
    }
    costs = {
        "predicted sensibleness, of 2": [float(np.mean(one.grades)) for one in totals],
        "mean likeness of sentences": [float(np.mean(one.likenesses)) for one in totals],
    }
    panels = [
        Panel(
            "Safety against quality",
            cost,
            "share of perfect",
            [
                Series(name, marker, np.array(x), np.array([one.share(row) for one in totals]))
                for name, (row, marker) in markers.items()
            ],
        )
        for cost, x in costs.items()
    ]
    return Figure(
        "masking-front",
        "Each strength is a point of each kind: what it hides from verifiers held apart from the choice of "
        "settings, from those that guided it, and from those that learned from masked texts.",
        [panels],
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hiding")
    parser.add_argument("sets", nargs="*", metavar="SET")
    parser.add_argument("--strengths", default=",".join(map(str, STRENGTHS)))
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--figure", type=Path, metavar="DIR")
    given = parser.parse_args()
    chosen_strengths = [float(one) for one in given.strengths.split(",")]
    run(False, given.sets, chosen_strengths, given.every, given.figure)
