"""Our verifier, cross-validated on the training sets of PAN: the batch at hand, and each problem alone.

Weights are learned from the other corpora and from those problems of the same one that share no text with the
problems scored. Alone, the texts of the problems learned from are the only other texts there are.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np

from benchmarks.verifiers import folds
from stemmata.authorship.batch import Batch
from stemmata.authorship.statistical.comparison import References, compare
from stemmata.authorship.statistical.verifier import StemmataVerifier, Weights
from stemmata.formats.verification import read_problems, read_truth
from stemmata.measures.verification import Answers, score_verification

CORPORA = ("pan13-train", "pan14ee-train", "pan14en-train", "pan15-train")


def run(quick: bool) -> None:
    """Print AUC and c@1 for each corpus, in the batch and alone."""
    data = Path(os.environ.get("STEMMATA_DATA", "~/.cache/stemmata-data")).expanduser() / "authorship-train"
    if not data.is_dir():
        print("\nOur verifier: set STEMMATA_DATA to the folder that holds authorship-train")
        return
    names = CORPORA[::3] if quick else CORPORA
    batches = {name: Batch.of(read_problems(data / name)) for name in names}
    truths = {}
    for name, batch in batches.items():
        said = read_truth(data / name)
        truths[name] = np.array([said[problem.id] for problem in batch])
    before = time.process_time()
    rows = {name: compare(batch) for name, batch in batches.items()}
    plain = {name: compare(batch, roles=False) for name, batch in batches.items()}
    print(f"\nOur verifier, cross-validated; {time.process_time() - before:.0f} s CPU to compare all twice\n")
    print("| corpus | problems | AUC | c@1 | AUC, alone | c@1, alone |")
    print("|---|---|---|---|---|---|")
    for name, batch in batches.items():
        truth = truths[name]
        others = [one for one in names if one != name]
        logits, alone = np.zeros(len(batch)), np.full(len(batch), 0.5)
        for scored, apart in folds(batch):
            known = np.concatenate([*(rows[one] for one in others), rows[name][apart]])
            answers = np.concatenate([*(truths[one] for one in others), truth[apart]])
            logits[scored] = Weights.fitted(known, answers, StemmataVerifier().strength).logits(
                rows[name][scored]
            )
            known = np.concatenate([*(plain[one] for one in others), plain[name][apart]])
            weights = Weights.fitted(known, answers, StemmataVerifier().strength)
            references = References.of(Batch.of([batch[place] for place in apart]))
            here = compare(Batch.of([batch[place] for place in scored]), references)
            alone[scored] = 1 / (1 + np.exp(-weights.logits(here)))
        shifted = logits - np.clip(np.median(logits), -StemmataVerifier().lean, StemmataVerifier().lean)
        together = 1 / (1 + np.exp(-shifted))
        cells = []
        for said in (together, alone):
            answered = np.where(np.abs(said - 0.5) <= StemmataVerifier().zone, 0.5, said)
            figures = score_verification(Answers(truth, answered))
            cells += [f"{figures['auc']:.3f}", f"{figures['c@1']:.3f}"]
        print(f"| {name} | {len(batch)} | {' | '.join(cells)} |", flush=True)
