"""Automatic quality on PAN16's labels, cross-validated by problem: whether it grades as people do."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

from stemmata.masking.quality.features import FLUENCY, MEANING, SURFACE
from stemmata.masking.quality.judging import Quality
from stemmata.masking.quality.labelled import SYSTEMS
from stemmata.masking.quality.training import (
    PARAPHRASES,
    SOUNDNESS_PIECES,
    Examples,
    read_paraphrases,
    sensibleness_examples,
    soundness_examples,
)
from stemmata.text.fluency import Fluency
from stemmata.text.meaning import Meaning

RESAMPLES = 1000
MSRP = Path("paraphrase/msrp/dataset/msr-paraphrase-corpus")
SENTENCE = (
    "He walked slowly through the old town and thought about the letter that his brother had sent "
    "him in the spring."
)


def run(quick: bool) -> None:
    """Print rank correlations with the labels, an ablation, and how many variants a second are scored."""
    data = Path(os.environ.get("STEMMATA_DATA", "~/.cache/stemmata-data")).expanduser()
    if not (data / "pan16-masking").is_dir():
        print("\nQuality: set STEMMATA_DATA to the folder that holds pan16-masking")
        return
    quality = Quality()
    file = data / MSRP / "msr_paraphrase_train.txt"
    pairs = read_paraphrases(file, 10 if quick else PARAPHRASES) if file.exists() else []
    before = time.process_time()
    sensible = sensibleness_examples(data / "pan16-masking", pairs, quality, 45 if quick else None)
    sound = soundness_examples(data / "pan16-masking", quality, 60 if quick else SOUNDNESS_PIECES)
    took, texts = time.process_time() - before, len(sensible.labels) + len(sound.labels)
    print(f"\nAutomatic quality, cross-validated by problem; {took:.0f} s CPU for {texts:,} texts")
    report_sensibleness(sensible)
    report_soundness(sound)
    speed()


def report_sensibleness(examples: Examples) -> None:
    """Print the agreement with people, with all figures and without some."""
    columns = ("pooled", "a system left out", "within systems", "A > C > B", "shuffled", "unedited")
    print(f"\n| sensibleness | {' | '.join(columns)} | rewritten by people |")
    print(f"|---|---|{'---|' * len(columns)}")
    everything = examples.names
    groups = {
        "all figures": everything,
        "without the language model": (*SURFACE, *MEANING),
        "without rules and surface": (*FLUENCY, *MEANING),
        "without meaning": (*FLUENCY, *SURFACE),
        "language model only": FLUENCY,
        "meaning only": MEANING,
        "without `order`": tuple(name for name in everything if name != "order"),
    }
    for label, names in groups.items():
        cells = _agreement(replace(examples, names=names))
        print(f"| {label} | {' | '.join(cells)} |", flush=True)


def _agreement(examples: Examples) -> list[str]:
    made, apart = examples.cross_validated(), examples.cross_validated(systems_out=True)
    graded, system, truth = examples.is_graded, examples.system, examples.grades
    values = [spearmanr(one[graded], truth[graded]).statistic for one in (made, apart)]
    values.append(spearmanr(*(_centred(one[graded], system[graded]) for one in (made, truth))).statistic)
    means = [made[system == kind].mean() for kind in ("shuffled", "unedited", "paraphrase")]
    order = _order_kept(made[graded], system[graded])
    return [f"{value:.3f}" for value in values] + [f"{order:.0%}"] + [f"{mean:.2f}" for mean in means]


def _centred(values: np.ndarray, groups: np.ndarray) -> np.ndarray:
    means = {group: values[groups == group].mean() for group in np.unique(groups)}
    return values - np.array([means[group] for group in groups])


def _order_kept(values: np.ndarray, system: np.ndarray) -> float:
    """Return the share of bootstraps in which the mean grades have the order of people's."""
    rng = np.random.default_rng(1)
    drawn = {
        one: rng.choice(values[system == one], (RESAMPLES, (system == one).sum())).mean(axis=1)
        for one in SYSTEMS
    }
    return float(((drawn["A"] > drawn["C"]) & (drawn["C"] > drawn["B"])).mean())


def report_soundness(examples: Examples) -> None:
    """Print the agreement with the program's scores."""
    print("\n| soundness | pooled | A | B | C |")
    print("|---|---|---|---|---|")
    groups = {"all figures": examples.names, "cosine only": ("cosine",), "words only": ("kept", "grounded")}
    for label, names in groups.items():
        made = replace(examples, names=names).cross_validated()
        chosen = [examples.is_graded, *(examples.system == one for one in SYSTEMS)]
        cells = [f"{spearmanr(made[some], examples.grades[some]).statistic:.3f}" for some in chosen]
        print(f"| {label} | {' | '.join(cells)} |", flush=True)


def speed() -> None:
    """Print how many variants of a sentence are scored in a second of CPU time."""
    words = SENTENCE.split()
    variants = [" ".join([*words[:at], "quickly", *words[at + 1 :]]) for at in range(len(words))]
    print("\n| scorer | variants per second of CPU time |")
    print("|---|---|")
    for label, score in (
        ("`Fluency.changes`", lambda: Fluency().changes(SENTENCE, variants)),
        ("`Fluency.changes`, ahead=12", lambda: Fluency().changes(SENTENCE, variants, ahead=12)),
        ("`Meaning.similarities`", lambda: Meaning().similarities(SENTENCE, variants)),
        ("`Quality.judge`", lambda: Quality().judge([SENTENCE] * len(variants), variants)),
    ):
        best = float("inf")
        for _ in range(2):
            before = time.process_time()
            score()
            best = min(best, time.process_time() - before)
        print(f"| {label} | {len(variants) / best:.0f} |", flush=True)
