"""Our verifier on the training sets of PAN and on grids of novels: in the batch, and each problem alone.

Cross-validated: weights are learned from the other sets and from those problems of the same one that share no
text with the problems scored. Leaving a set out: from the other sets only.

Alone, weights are learned from those problems of the same set only, as by who has one set to learn from, and
their texts are the others. Leaving it out, its texts are still the others, but weights and where answers turn
come from the other sets.

Grids have the shape of the test sets of PAN14 (novels) and PAN15, in which few unknown and known texts are
paired in all ways: pieces of novels of five authors, known and unknown ones from different novels, judged
with what was learned from the sets of PAN.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.verifiers import CORPORA as PUBLISHED
from benchmarks.verifiers import folds, original
from stemmata.authorship.batch import Batch
from stemmata.authorship.origins import origins
from stemmata.authorship.statistical.comparison import References, compare, compare_apart
from stemmata.authorship.statistical.training import counting
from stemmata.authorship.statistical.verifier import StemmataVerifier, Weights, alone_rows
from stemmata.formats.verification import read_problems, read_truth
from stemmata.measures.verification import Answers, score_verification
from stemmata.model import Document, Problem

Floats = npt.NDArray[np.float64]

CORPORA = ("pan13-train", "pan14ee-train", "pan14en-train", "pan15-train")
BATCH, FIRST, ALONE = StemmataVerifier(), StemmataVerifier(second_order=False), StemmataVerifier(alone=True)


class Kind(NamedTuple):
    """A kind of grid: how many known and unknown texts, of how many words, and how many problems."""

    known: int
    unknown: int
    words: tuple[int, int]
    problems: int


GRIDS = {"like PAN14, novels": Kind(20, 23, (1000, 4000), 200), "like PAN15": Kind(22, 60, (300, 550), 500)}
SEEDS = 3
AUTHORS = 5


class Lessons:
    """Rows and answers of several sets."""

    def __init__(self, rows: Mapping[str, Floats], truths: Mapping[str, npt.NDArray[np.bool_]]) -> None:
        self.rows, self.truths = rows, truths

    def weights(self, verifier: StemmataVerifier, leave: str = "", apart: Sequence[int] = ()) -> Weights:
        """Learn from all sets but one, and of that one from some problems."""
        names = [name for name in self.rows if name != leave]
        rows = [self.rows[name] for name in names]
        truth = [self.truths[name] for name in names]
        if len(apart):
            rows.append(self.rows[leave][list(apart)])
            truth.append(self.truths[leave][list(apart)])
        answers = np.concatenate(truth).tolist()
        used = verifier.used(np.concatenate(rows))
        return Weights.fitted(used, answers, verifier.strength, counting([len(one) for one in truth]))


def figures(verifier: StemmataVerifier, logits: Floats, truth: npt.NDArray[np.bool_]) -> tuple[float, float]:
    """Return AUC and c@1 of what was measured, answered as the verifier does."""
    as_rows = np.zeros((len(logits), len(Weights.equal().values)))
    as_rows[:, 0] = np.where(logits == 0, 1e-12, logits)
    through = Weights((1.0, *(0.0,) * (as_rows.shape[1] - 1)), 0.0)
    lean = 0.0 if verifier.alone else verifier.lean
    said = StemmataVerifier(weights=through, lean=lean).answers(as_rows)
    whole = score_verification(Answers(truth, 1 / (1 + np.exp(-logits))))
    return float(whole["auc"] or 0), float(score_verification(Answers(truth, said))["c@1"] or 0)


def cross_validated(
    lessons: Lessons, name: str, batch: Batch, verifier: StemmataVerifier, leave: bool
) -> Floats:
    """Return logits of problems, learned from other sets and, unless it is left out, from the same."""
    logits = np.zeros(len(batch))
    for scored, apart in folds(batch):
        weights = lessons.weights(verifier, name, () if leave else apart)
        logits[scored] = weights.logits(verifier.used(lessons.rows[name][scored]))
    return logits


def judged_alone(lessons: Lessons, name: str, batch: Batch) -> tuple[Floats, Floats]:
    """Return logits of problems, each compared with texts of problems that share none with it.

    Weights and where answers turn are learned from the same problems, then from the other sets only.
    """
    learned, left_out = np.zeros(len(batch)), np.zeros(len(batch))
    elsewhere = lessons.weights(ALONE, name)
    for scored, apart in folds(batch):
        texts = {int(batch.unknown[place]) for place in apart}.union(*(batch.known[place] for place in apart))
        references = References.of(batch, np.array(sorted(texts)))
        here = compare(batch, references, only=scored)[scored] - references.usual
        rows = compare_apart(batch, apart)[apart] - references.usual
        answers = lessons.truths[name][apart].tolist()
        weights = Weights.fitted(rows, answers, ALONE.strength, turning=elsewhere.offset)
        learned[scored], left_out[scored] = weights.logits(here), elsewhere.logits(here)
    return learned, left_out


def grids(data: Path, kind: Kind) -> Iterator[tuple[Batch, npt.NDArray[np.bool_], Batch]]:
    """Yield grids of problems, their answers, and as many texts of other authors."""
    novels: dict[str, list[str]] = {}
    for path in sorted((data / "novels100").glob("*_*_*.txt")):
        novels.setdefault(path.name.split("_")[0], []).append(path.read_text("utf-8", errors="replace"))
    writers = sorted(name for name, texts in novels.items() if len(texts) > 1)
    for seed in range(SEEDS):
        rng = np.random.default_rng([seed, kind.known, kind.unknown])
        drawn = [writers[place] for place in rng.permutation(len(writers))]
        chosen, others = drawn[:AUTHORS], drawn[AUTHORS:]
        known = [(chosen[i % AUTHORS], 0) for i in range(kind.known)]
        unknown = [(chosen[i % AUTHORS], 1 + i // AUTHORS % 2) for i in range(kind.unknown)]
        sides = [
            [(who, Document("", _piece(novels[who][which], kind.words, rng))) for who, which in side]
            for side in (known, unknown)
        ]
        cells = [(k, u) for k in sides[0] for u in sides[1]]
        same = np.array([k[0] == u[0] for k, u in cells])
        yes, no = (
            rng.permutation(np.flatnonzero(same == one))[: kind.problems // 2] for one in (True, False)
        )
        places = np.concatenate([yes, no[: len(yes)]]).tolist()
        made = [Problem(str(place), (cells[place][0][1],), cells[place][1][1]) for place in places]
        apart = [
            Document("", _piece(novels[who][int(rng.integers(2))], kind.words, rng))
            for who in rng.choice(others, kind.known + kind.unknown)
        ]
        yield Batch.of(made), same[places], Batch([Problem("", (one,), one) for one in apart])


def _piece(text: str, words: tuple[int, int], rng: np.random.Generator) -> str:
    """Cut a run of paragraphs of about so many words from a novel."""
    paragraphs = [one for one in re.split(r"\n+", text) if one.strip()]
    ends = np.cumsum([len(one.split()) for one in paragraphs])
    wanted = int(rng.integers(*words))
    first = int(np.searchsorted(ends, rng.uniform(0.05, 0.9) * (ends[-1] - wanted)))
    last = int(np.searchsorted(ends, ends[first] + wanted))
    return "\n".join(paragraphs[first : last + 1])


def beaten(
    data: Path, corpus: str, batch: Batch, truth: npt.NDArray[np.bool_]
) -> list[tuple[float, float, str]]:
    """Return AUC, c@1 and name of each original with answers to a set, the best first."""
    published = next(there for here, there in PUBLISHED.values() if here == corpus)
    found = []
    for name in origins():
        theirs = original(data, published, name, [problem.id for problem in batch])
        if theirs is not None:
            scored = score_verification(Answers(truth, np.clip(theirs, 0, 1)))
            found.append((float(scored["auc"] or 0), float(scored["c@1"] or 0), name))
    return sorted(found, reverse=True)


def run(quick: bool) -> None:
    """Print AUC and c@1 for each set and kind of grid, and the originals that are better anywhere."""
    data = Path(os.environ.get("STEMMATA_DATA", "~/.cache/stemmata-data")).expanduser()
    if not (data / "authorship-train").is_dir():
        print("\nOur verifier: set STEMMATA_DATA to the folder that holds authorship-train")
        return
    names = CORPORA[::3] if quick else CORPORA
    batches = {name: Batch.of(read_problems(data / "authorship-train" / name)) for name in names}
    truths = {}
    for name, batch in batches.items():
        told = read_truth(data / "authorship-train" / name)
        truths[name] = np.array([told[problem.id] for problem in batch])
    before = time.process_time()
    together = Lessons({name: compare(batch) for name, batch in batches.items()}, truths)
    apart = Lessons({name: alone_rows(batch) for name, batch in batches.items()}, truths)
    print(f"\nOur verifier, AUC / c@1; {time.process_time() - before:.0f} s CPU to compare all twice\n")
    print("| set | problems | batch | left out | without second order | left out | alone | left out |")
    print("|---|---|---|---|---|---|---|---|")
    better = []
    for name, batch in batches.items():
        cells = []
        for verifier in (BATCH, FIRST):
            for leave in (False, True):
                logits = cross_validated(together, name, batch, verifier, leave)
                cells.append(figures(verifier, logits, truths[name]))
        cells += [figures(ALONE, logits, truths[name]) for logits in judged_alone(apart, name, batch)]
        print(f"| {name} | {len(batch)} | {_cells(cells)} |", flush=True)
        if name != CORPORA[0]:
            theirs = beaten(data, name, batch, truths[name])
            above = [f"{who} {auc:.3f} / {c1:.3f}" for auc, c1, who in theirs if auc >= cells[0][0]]
            best = max(c1 for _, c1, _ in theirs)
            better.append(f"{name}: {len(theirs)} originals, c@1 up to {best:.3f}; above in AUC: {above}")
    print("\n" + "\n".join(better))
    if quick or not (data / "novels100").is_dir():
        return
    print("\n| grids | batch | without second order | alone |\n|---|---|---|---|", flush=True)
    for title, kind in GRIDS.items():
        found = []
        for grid, truth, others in grids(data, kind):
            rows = compare(grid)
            references = References.of(others)
            alone = apart.weights(ALONE).logits(compare(grid, references) - references.usual)
            said = [(one, together.weights(one).logits(one.used(rows))) for one in (BATCH, FIRST)]
            found.append([figures(one, logits, truth) for one, logits in [*said, (ALONE, alone)]])
        means = np.mean(found, axis=0)
        print(f"| {title} | {_cells([(auc, c1) for auc, c1 in means])} |", flush=True)


def _cells(values: Sequence[tuple[float, float]]) -> str:
    return " | ".join(f"{auc:.3f} / {c1:.3f}" for auc, c1 in values)


if __name__ == "__main__":
    run(quick=False)
