"""Our verifiers beside the originals, problem by problem, on the training sets whose scores are public.

Verifiers that learn are cross-validated: those who wrote the problems of a fold wrote nothing learned from.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from zlib import crc32

import numpy as np
from scipy.stats import spearmanr

from stemmata.authorship import verifiers
from stemmata.authorship.batch import Batch
from stemmata.authorship.origins import origins
from stemmata.formats.verification import match_ids, read_answers, read_problems, read_truth
from stemmata.measures.verification import Answers, score_verification
from stemmata.model import LearningVerifier, Problem, StemmataError, Verifier

CORPORA = {
    "pan14-ee": ("pan14ee-train", "pan14-training-dataset-essays"),
    "pan14-en": ("pan14en-train", "pan14-training-dataset-novels"),
    "pan15": ("pan15-train", "pan15-training-dataset"),
}
FOLDS = 5


def texts_of(problem: Problem) -> set[str]:
    """Return all texts of a problem."""
    return {problem.unknown.text, *(one.text for one in problem.known)}


def folds(problems: Sequence[Problem]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield problems to score, and problems to learn from that share no text with them."""
    fold = np.array([crc32(problem.known[0].text.encode()) % FOLDS for problem in problems])
    for number in range(FOLDS):
        scored = np.flatnonzero(fold == number).tolist()
        seen = set().union(*(texts_of(problems[place]) for place in scored)) if scored else set()
        apart = [place for place, one in enumerate(problems) if seen.isdisjoint(texts_of(one))]
        if scored:
            yield scored, apart


def scores_of(verifier: Verifier, problems: Sequence[Problem], truth: Sequence[bool]) -> np.ndarray:
    """Return a verifier's scores; one that learns is cross-validated."""
    if not isinstance(verifier, LearningVerifier):
        return np.array(verifier.score(problems))
    found = np.full(len(problems), 0.5)
    for scored, apart in folds(problems):
        answers = [truth[place] for place in apart]
        if len(set(answers)) < 2:
            continue
        ready = verifier.learn([problems[place] for place in apart], answers)
        found[scored] = ready.score([problems[place] for place in scored])
    return found


def original(data: Path, folder: str, name: str, ids: Sequence[str]) -> np.ndarray | None:
    """Return the original's scores, or None if there are none."""
    files = sorted((data / "pan18-safety" / folder).glob(f"*-{name}-*.txt"))
    if not files:
        return None
    try:
        answers = read_answers(files[0], bounded=False, repeats=True)
        matched = {truth: answer for answer, truth in match_ids(ids, list(answers)).items()}
    except StemmataError:
        return None  # some runs of PAN18 left an empty file, one that of another corpus
    return np.array([answers[matched[one]] if one in matched else 0.5 for one in ids])


def run(quick: bool, names: Sequence[str] = ()) -> None:
    """Print a table: AUC and c@1 of ours and of the original, and the rank correlation of their scores."""
    data = Path(os.environ.get("STEMMATA_DATA", "~/.cache/stemmata-data")).expanduser()
    print("| verifier | corpus | AUC | original | c@1 | original | rank correlation | s CPU |")
    print("|---|---|---|---|---|---|---|---|")
    for corpus, (folder, published) in CORPORA.items():
        problems = read_problems(data / "authorship-train" / folder)
        said = read_truth(data / "authorship-train" / folder)
        batch = Batch.of(problems[:30] if quick else problems)
        truth = {problem.id: said[problem.id] for problem in batch}
        for name in names or verifiers:
            before = time.process_time()
            try:
                scores = scores_of(verifiers[name](), batch, list(truth.values()))
            except StemmataError as error:
                print(f"| {name} | {corpus} | {error} |")
                continue
            seconds = time.process_time() - before
            ours = score_verification(Answers.of(truth, dict(zip(truth, scores.tolist(), strict=True))))
            theirs = original(data, published, name, list(truth)) if name in origins() else None
            row = f"| {name} | {corpus} | {ours['auc']:.3f} |"
            if theirs is None:
                print(f"{row} | {ours['c@1']:.3f} | | | {seconds:.1f} |", flush=True)
                continue
            answers = dict(zip(truth, np.clip(theirs, 0, 1).tolist(), strict=True))
            auc = score_verification(Answers(np.array(list(truth.values())), theirs))["auc"]
            c1 = score_verification(Answers.of(truth, answers))["c@1"]
            rank = spearmanr(scores, theirs).statistic
            print(
                f"{row} {auc:.3f} | {ours['c@1']:.3f} | {c1:.3f} | {rank:.2f} | {seconds:.1f} |", flush=True
            )


if __name__ == "__main__":
    run(quick=False, names=sys.argv[1:])
