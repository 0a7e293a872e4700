"""How well our obfuscator hides, and at what cost: the front of safety against quality over its strength.

``python -m benchmarks.hiding [SET …]`` masks the positives of PAN's training sets. Verifiers are of two
kinds: those that guided the choice of settings, and those held apart from it. Settings were chosen on every
other text; the rest, and all, are reported. Verifiers that learn are cross-validated; *retrained*, they learn
from masked texts too.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from zlib import crc32

import numpy as np

from benchmarks.verifiers import folds
from stemmata.authorship import verifiers
from stemmata.authorship.batch import Batch
from stemmata.formats.verification import read_problems, read_truth
from stemmata.masking.guided.masker import Stemmata
from stemmata.masking.pieces import pieces_of
from stemmata.masking.quality import Quality
from stemmata.measures.safety import Safety
from stemmata.model import Document, LearningVerifier, Problem
from stemmata.text.fluency import Fluency
from stemmata.text.meaning import Meaning

SETS = ("pan13-train", "pan14ee-train", "pan14en-train", "pan15-train")
VERIFIERS = (
    "burrows-delta", "castillojuarez14", "castro15", "cosine-delta", "ghaeini13", "grozea13", "halvani15",
    "jankowska14", "kestemont-2016", "kocher15", "modaresi14", "petmanson13", "singh14", "sorin13",
    "stemmata", "zamani14",
)  # fmt: skip
"""The quick ones that find authors at all on these sets."""
STRENGTHS = (0.0, 0.25, 0.5, 0.75, 1.0)


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


def run(quick: bool, sets: Sequence[str] = (), strengths: Sequence[float] = STRENGTHS) -> None:
    """Print the front: what is changed, what it hides, what it costs, how fast it is."""
    data = Path(os.environ.get("STEMMATA_DATA", "~/.cache/stemmata-data")).expanduser() / "authorship-train"
    names = VERIFIERS if not quick else ("cosine-delta", "ghaeini13", "sorin13", "zamani14")
    chosen = list(sets) or (["pan15-train"] if quick else list(SETS))
    corpora = [Corpus.read(data / one, names, 4 if quick else None) for one in chosen]
    before = [corpus.answers({}) for corpus in corpora]
    fluency, meaning = Fluency(), Meaning()
    quality = Quality(fluency=fluency, meaning=meaning)
    print(
        "| strength | words changed | guiding | guiding, even | apart | apart, even | retrained"
        " | sensibleness | similarity | words/s |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for strength in strengths[1:4:2] if quick else strengths:
        masker = Stemmata(strength=strength)
        sums = np.zeros((5, 2))
        changed = words = 0
        seconds = 0.0
        grades, likenesses = [], []
        for corpus, original in zip(corpora, before, strict=True):
            masked = {}
            for place in corpus.tuned:
                problem = corpus.problems[place]
                start = time.process_time()
                made = masker.rewriting(problem)
                seconds += time.process_time() - start
                text = problem.unknown.text
                words += len(text.split())
                changed += sum(max(1, len(text[one.start : one.end].split())) for one in made.edits)
                masked[place] = made.text
                pieces = pieces_of(made)
                grades.append(quality.judge_pieces(pieces).sensibleness)
                pairs = meaning.pair_similarities(
                    [one.original for one in pieces], [one.obfuscation for one in pieces]
                )
                likenesses.append(float(pairs.mean()))
            after = corpus.answers(masked)
            even = np.array([not tuned for tuned in corpus.tuned.values()])
            for row, side in enumerate([True, False]):
                points, perfect = earned(
                    corpus, original, after, [one for one in names if guided(one) == side]
                )
                sums[2 * row] += points.sum(), perfect.sum()
                sums[2 * row + 1] += points[even].sum(), perfect[even].sum()
            again = corpus.answers(masked, retrained=True)
            if again:
                points, perfect = earned(corpus, original, again, names)
                sums[4] += points.sum(), perfect.sum()
        shares = " | ".join(f"{won / most:.2f}" if most else "–" for won, most in sums)
        print(
            f"| {strength} | {changed / words:.1%} | {shares} | {np.mean(grades):.2f}"
            f" | {np.mean(likenesses):.3f} | {words / seconds:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    run(quick=False, sets=sys.argv[1:])
