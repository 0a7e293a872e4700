"""How well our obfuscator hides, and at what cost: the front of safety against quality over its strength.

``python -m benchmarks.hiding [SET …] [--strengths 0.3,1] [--every 3] [--first 1]`` masks the positives of
PAN's training sets, or every so manieth of them from the first named on, and lets verifiers look as a world
ranking does: sixteen quick ones, or ``--verifiers all``. They are of two kinds: those that guided the choice
of settings, and those held apart from it. Settings were chosen on every other text; the rest, and all, are
reported. *By degrees*, a verifier is fooled the more, the farther its score falls behind its threshold:
whole flips are too coarse to tell two versions apart on few texts. *Retrained*, verifiers that learn have
learned from masked texts too, beside texts of their authors and of others; ``--plain`` leaves that out.
Everything is kept: a run which was stopped goes on.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import pairwise
from pathlib import Path
from zlib import crc32

import numpy as np
from scipy.special import expit

from stemmata.experiments.cells import Cells, cells_folder
from stemmata.experiments.masking import Masked, mask_all
from stemmata.experiments.ranking_corpora import RankedCorpus
from stemmata.experiments.ranking_looks import ORIGINAL, Look, Room, Seen, look_all
from stemmata.experiments.verifying import choose
from stemmata.masking.guided.masker import Stemmata
from stemmata.masking.quality import Quality
from stemmata.measures.safety import Safety
from stemmata.measures.world_ranking import points_of_perfect
from stemmata.model import StemmataError
from stemmata.model.reproduction import Figure, Marker, Panel, Series
from stemmata.reports.figures import draw
from stemmata.text.fluency import Fluency
from stemmata.text.meaning import Meaning
from stemmata.text.sentences import find_sentences

SETS = ("pan13-train", "pan14ee-train", "pan14en-train", "pan15-train")
VERIFIERS = (
    "burrows-delta", "castillojuarez14", "castro15", "cosine-delta", "ghaeini13", "grozea13", "halvani15",
    "jankowska14", "kestemont-2016", "kocher15", "modaresi14", "petmanson13", "singh14", "sorin13",
    "stemmata", "zamani14",
)  # fmt: skip
"""The quick ones that find authors at all on these sets."""
COLUMNS = (
    "guiding", "guiding, not tuned on", "held apart", "held apart, not tuned on", "all", "all, not tuned on",
    "retrained", "retrained, learners alone", "by degrees", "held apart, by degrees",
)  # fmt: skip
_WAVERING = 0.3
"""How far around its threshold a verifier wavers, in spreads of its scores."""
_WORDLESS = re.compile(r"\W")
_SHORT = 3
"""Words that a sentence must have to be compared."""
STRENGTHS = (0.0, 0.25, 0.5, 0.75, 1.0)
JOBS = 2


def guided(name: str) -> bool:
    """Return whether a verifier guided the choice of settings; a hash of its name decides."""
    return crc32(name.encode()) % 2 == 0


def tuned(corpus: RankedCorpus) -> dict[str, bool]:
    """Return by positive problem whether settings were chosen on its text, had it been one of PAN15."""
    seen: dict[str, int] = {}
    numbers = {one.id: seen.setdefault(one.unknown.text, len(seen)) for one in corpus.positives}
    return {name: number % 2 == 0 for name, number in numbers.items()}


@dataclass(frozen=True)
class Looks:
    """What verifiers said of a corpus: by verifier, its scores before and after.

    Attributes
    ----------
    plain, retrained
        Of verifiers as they are, and once those that learn know the obfuscator.
    learners
        Who learns, and was retrained.
    """

    corpus: RankedCorpus
    plain: tuple[Mapping[str, np.ndarray], Mapping[str, np.ndarray]]
    retrained: tuple[Mapping[str, np.ndarray], Mapping[str, np.ndarray]]
    learners: tuple[str, ...]

    @classmethod
    def at(
        cls, corpus: RankedCorpus, masked: Mapping[str, Masked], names: Sequence[str], retrain: bool = True
    ) -> Looks:
        """Let verifiers look at a corpus, as it was and with texts masked."""
        texts = {"ours": {problem: one.text for problem, one in masked.items()}}
        chosen = choose(names, learning=True).verifiers
        room = Room([corpus], [texts], chosen, None, {}, Cells(cells_folder()))
        seen = look_all(room, room.looks(retrain), JOBS, lambda *_: None)
        ids = [one.id for one in corpus.problems]

        def row(name: str, variant: str, against: str) -> np.ndarray:
            one = seen.get(Look(0, variant, name, against)) or seen[Look(0, variant, name)]
            if not isinstance(one, Seen):
                raise SystemExit(one)
            return np.array([one.scores[problem] for problem in ids])

        def both(against: str) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
            before, after = (
                {name: row(name, variant, against) for name in chosen} for variant in (ORIGINAL, "ours")
            )
            return before, after

        learners = tuple(name for name in chosen if retrain and room.learns(name))
        return cls(corpus, both(""), both("ours"), learners)

    def earned(self, names: Sequence[str], retrained: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Return points earned and points to be earned on each positive problem."""
        safety = self._safety(names, self.retrained if retrained else self.plain)
        return safety.points_by_problem("ours"), points_of_perfect(safety)

    def earned_by_degrees(self, names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """Return the same with a logistic curve around each threshold in the place of a step."""
        safety = self._safety(names, self.plain)
        scores = np.stack([safety.obfuscated["ours"][name] for name in safety.verifiers])
        width = _WAVERING * np.maximum(safety.scores.std(axis=1, keepdims=True), 1e-9)
        cut = np.where(np.isfinite(safety.thresholds), safety.thresholds, np.nan)[:, None]
        before, after = (expit((one - cut) / width)[:, safety.truth] for one in (safety.scores, scores))
        points = safety.points
        return np.nansum(points * (before - after), axis=0), np.nansum(points * before, axis=0)

    def _safety(
        self, names: Sequence[str], said: tuple[Mapping[str, np.ndarray], Mapping[str, np.ndarray]]
    ) -> Safety:
        before, after = said
        return Safety(
            [one.id for one in self.corpus.problems],
            np.array(self.corpus.truth, dtype=np.bool_),
            {name: before[name] for name in names},
            {"ours": {name: after[name] for name in names}},
        )


def run(
    quick: bool,
    sets: Sequence[str] = (),
    strengths: Sequence[float] = STRENGTHS,
    every: int = 1,
    figures: Path | None = None,
    first: int = 0,
    names: Sequence[str] = (),
    retrain: bool = True,
) -> None:
    """Print the front: what is changed, what it hides, what it costs, how fast it is."""
    data = Path(os.environ.get("STEMMATA_DATA", "~/.cache/stemmata-data")).expanduser() / "authorship-train"
    names = names or (VERIFIERS if not quick else ("cosine-delta", "ghaeini13", "sorin13", "zamani14"))
    chosen = list(sets) or (["pan15-train"] if quick else list(SETS))
    corpora = [_few(RankedCorpus.read(data / one), 4 if quick else None) for one in chosen]
    some = strengths[1:4:2] if quick else strengths
    maskers = {_name(one): Stemmata(strength=one) for one in some}
    quality = Quality(fluency=Fluency(), meaning=Meaning())
    print("| set | strength | texts | words changed | " + " | ".join(COLUMNS), end="")
    print(" | sensibleness | similarity | by sentences | words/s |\n|" + "---|" * (len(COLUMNS) + 8))
    totals = []
    for name, masker in maskers.items():
        total = Tally()
        totals.append(total)
        for corpus in corpora:
            hidden = corpus.positives[first::every]
            done = mask_all([(name, one) for one in hidden], maskers, jobs=JOBS)
            pairs = zip(hidden, done, strict=True)
            masked = {problem.id: one for problem, one in pairs if isinstance(one, Masked)}
            tally = Tally()
            tally.read(masked, quality)
            tally.score(Looks.at(corpus, masked, names, retrain), masked)
            print(tally.row(corpus.name, masker.strength), flush=True)
            total.add(tally)
        if len(chosen) > 1:
            print(total.row("all", masker.strength), flush=True)
    if figures:
        figures.mkdir(parents=True, exist_ok=True)
        for ending, picture in draw(front_figure(totals), ("svg",)).items():
            (figures / f"masking-front{ending}").write_bytes(picture)


def _name(strength: float) -> str:
    """Return the name under which texts are kept: at the default, that of rankings."""
    return "stemmata" if strength == Stemmata.strength else f"at {strength}"


def _few(corpus: RankedCorpus, most: int | None) -> RankedCorpus:
    """Return a corpus with so many problems of each answer."""
    if most is None:
        return corpus
    kept = [
        place
        for answer in (True, False)
        for place in [place for place, same in enumerate(corpus.truth) if same == answer][:most]
    ]
    problems = tuple(corpus.problems[place] for place in sorted(kept))
    return replace(corpus, problems=problems, truth=tuple(corpus.truth[place] for place in sorted(kept)))


@dataclass
class Tally:
    """What is summed up over texts: points won and to be won, words, grades."""

    points: np.ndarray = field(default_factory=lambda: np.zeros((len(COLUMNS), 2)))
    words: int = 0
    changed: int = 0
    seconds: float = 0.0
    texts: int = 0
    grades: list[float] = field(default_factory=list)
    likenesses: list[float] = field(default_factory=list)
    sentences: list[float] = field(default_factory=list)

    def read(self, masked: Mapping[str, Masked], quality: Quality) -> None:
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
                pairs = [(piece.original, piece.obfuscation) for piece in one.pieces]
                for likenesses, some in (
                    (self.likenesses, pairs),
                    (self.sentences, sentence_pairs(one.original, one.text)),
                ):
                    likenesses.append(
                        float(quality.meaning.pair_similarities(*zip(*some, strict=True)).mean())
                    )

    def score(self, looks: Looks, masked: Mapping[str, Masked]) -> None:
        """Add the points of the masked problems."""
        positives = tuned(looks.corpus)
        here = np.array([problem in masked for problem in positives])
        fresh = np.array([problem in masked and not seen for problem, seen in positives.items()])
        names = list(looks.plain[0])
        sides = [[one for one in names if guided(one) == side] for side in (True, False)]
        rows = [(side, which, False) for side in (*sides, names) for which in (here, fresh)]
        if looks.learners:
            rows += [(names, here, True), ([*looks.learners], here, True)]
        for row, (some, counted, retrained) in enumerate(rows):
            if some:
                won, most = looks.earned(some, retrained)
                self.points[row] += won[counted].sum(), most[counted].sum()
        for row, some in ((-2, names), (-1, sides[1])):
            if some:
                won, most = looks.earned_by_degrees(some)
                self.points[row] += won[here].sum(), most[here].sum()

    def add(self, other: Tally) -> None:
        """Add another tally."""
        self.points += other.points
        self.words += other.words
        self.changed += other.changed
        self.seconds += other.seconds
        self.texts += other.texts
        self.grades += other.grades
        self.likenesses += other.likenesses
        self.sentences += other.sentences

    def share(self, row: int) -> float:
        """Return the share of perfect of a column; not a number where nothing could be won."""
        won, most = self.points[row]
        return float(won / most) if most else float("nan")

    def row(self, title: str, strength: float) -> str:
        """Return the row of a table."""
        shares = " | ".join(
            "–" if np.isnan(share) else f"{share:.2f}" for share in map(self.share, range(len(COLUMNS)))
        )
        return (
            f"| {title} | {strength} | {self.texts} | {self.changed / max(1, self.words):.1%} | {shares}"
            f" | {np.mean(self.grades):.2f} | {np.mean(self.likenesses):.3f} | {np.mean(self.sentences):.3f}"
            f" | {self.words / max(1e-9, self.seconds):.0f} |"
        )


def sentence_pairs(original: str, text: str) -> list[tuple[str, str]]:
    """Return the sentences of a text, those of three words and more, each with what became of it.

    What became of it is found by its words: the longest common blocks, and in between by proportion.
    """
    words, new = original.split(), text.split()
    old, bare = ([_WORDLESS.sub("", one).lower() or one for one in side] for side in (words, new))
    place = np.full(len(words) + 1, len(new))
    for _, start, end, first, last in SequenceMatcher(None, old, bare, autojunk=False).get_opcodes():
        place[start:end] = first + np.round(np.arange(end - start) * (last - first) / max(1, end - start))
    starts = [len(original[:at].split()) for at in find_sentences(original)[0].tolist()]
    return [
        (" ".join(words[start:end]), " ".join(new[place[start] : place[end]]))
        for start, end in pairwise([*starts, len(words)])
        if end - start >= _SHORT and place[end] > place[start]
    ]


def front_figure(totals: Sequence[Tally]) -> Figure:
    """Return the figure of the front: what is hidden at which cost, a point for each strength."""
    markers: dict[str, tuple[int, Marker]] = {
        "held apart": (2, "circle"),
        "guiding": (0, "diamond"),
        "retrained": (6, "cross"),
    }
    costs = {
        "predicted sensibleness, of 2": [float(np.mean(one.grades)) for one in totals],
        "mean likeness of sentences": [float(np.mean(one.sentences)) for one in totals],
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
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--figure", type=Path, metavar="DIR")
    parser.add_argument("--verifiers", default="", metavar="NAME[,NAME…]|all")
    parser.add_argument("--plain", action="store_true", help="do not retrain verifiers")
    given = parser.parse_args()
    chosen_strengths = [float(one) for one in given.strengths.split(",")]
    chosen_names = [one for one in given.verifiers.split(",") if one]
    try:
        run(
            False,
            given.sets,
            chosen_strengths,
            given.every,
            given.figure,
            given.first,
            chosen_names,
            not given.plain,
        )
    except StemmataError as error:
        raise SystemExit(str(error)) from None
