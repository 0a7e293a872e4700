"""Mistakes that a style checker finds, with a little stylometry: Kern, 2013."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from stemmata.authorship.batch import Batch, Floats
from stemmata.authorship.calibration import UNDECIDED
from stemmata.authorship.learning import Learner, scikit_learn, trees_mean
from stemmata.authorship.one_class import answerable
from stemmata.authorship.writings import Writing

LONGEST = 500_000

MISTAKES = {
    "word twice": r"\b(\w+)\s+\1\b",
    "a before a vowel": r"\ba\s+[aeio]\w",
    "an before a consonant": r"\ban\s+[bcdfgjklmnpqrstvwxyz]\w",
    "small letter after a full stop": r"[.!?]\s+[a-z]",
    "small i": r"\bi\b(?!\.)",
    "blank before a mark": r"\s[,.;:!?](?!\.)",
    "no blank after a mark": r"[,;:!?](?=[^\W\d])",
    "two blanks": r"(?<=\S) {2,}(?=\S)",
    "marks repeated": r"[!?]{2,}|,,|\.{2}(?!\.)",
    "contraction without apostrophe": r"\b(?:dont|cant|wont|didnt|isnt|doesnt|im|ive|youre|thats)\b",
    "confused words": r"\b(?:should|could|would|must)\s+of\b|\balot\b|\bloose\s+(?:my|your|the)\b",
    "comma before that": r",\s+that\b",
    "sentence begins with a conjunction": r"(?:^|[.!?]\s+)(?:And|But|So|Or)\b",
    "passive": r"\b(?:is|are|was|were|been|being|be)\s+\w+ed\b",
    "empty phrase": r"\b(?:very|really|quite|just|actually|basically|in order to|due to the fact)\b",
    "contraction": r"\b\w+['’](?:t|s|re|ve|ll|d|m)\b",
}
"""Rules of the kind that LanguageTool checks, by name."""

_CASED = {"small i", "small letter after a full stop", "sentence begins with a conjunction"}
_RULES = [
    re.compile(rule) if name in _CASED else re.compile(rule, re.IGNORECASE) for name, rule in MISTAKES.items()
]


def mistakes_of(writing: Writing) -> Floats:
    """Return how often each rule is broken, for 1,000 words."""
    text = writing.text[:LONGEST]
    words = max(1, min(len(writing.words), len(text.split())))
    return np.array([1000.0 * sum(1 for _ in rule.finditer(text)) / words for rule in _RULES])


@dataclass(frozen=True)
class Kern2013(Learner):
    """Differences of the rates of mistakes and of figures of style, to a classifier.

    Kern, "Grammar checker features for author identification and author profiling", PAN at CLEF 2013.

    Attributes
    ----------
    seed
        Where chance comes from.
    """

    # The original runs LanguageTool, a program in Java with some thousand rules; ours are sixteen regular
    # expressions for mistakes and habits of the same kinds. The classifier is a guess.
    seed: int = 1

    def describe(self, batch: Batch, fixed: Mapping[str, Any]) -> Floats:
        """Return the absolute differences of both sides."""
        figures = [one.once("mistakes", partial(mistakes_of, one)) for one in batch.writings]
        rows = np.hstack([np.array(figures).reshape(len(batch.writings), -1), batch.statistics])
        made = np.zeros((len(batch), rows.shape[1]))
        for number, known in enumerate(batch.known):
            if len(known):
                made[number] = np.abs(rows[known].mean(axis=0) - rows[batch.unknown[number]])
        made[~answerable(batch)] = 0.0
        return made

    def model(self) -> Any:
        """Return a forest of decision trees."""
        ensemble = scikit_learn("ensemble")
        return ensemble.RandomForestClassifier(100, min_samples_leaf=3, random_state=self.seed)

    def answers(self, fitted: Any, rows: Floats) -> Floats:
        """Return probabilities; 0.5 where nothing differs, as between texts without words."""
        return np.where(rows.any(axis=1), trees_mean(fitted, rows)[:, 1], UNDECIDED)
