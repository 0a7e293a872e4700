"""A support vector machine for every problem: Vilariño, Pinto, Gómez, León and Castillo, 2013."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stemmata.authorship.batch import Batch, Floats
from stemmata.authorship.calibration import UNDECIDED
from stemmata.authorship.distances import z_scores
from stemmata.authorship.families import Affixes, Characters, FunctionWords, Punctuation, WordGrams, grams
from stemmata.authorship.learning import scikit_learn
from stemmata.authorship.one_class import answerable, dense_rows
from stemmata.authorship.writings import Writing
from stemmata.model import Problem
from stemmata.model.parameters import tunable


@dataclass(frozen=True)
class WordGraph:
    """Paths in the graph of a text whose nodes are words with their parts of speech, joined where they meet.

    The original mines frequent subgraphs with SUBDUE; those of two edges, which are by far the commonest, are
    runs of three nodes. A node is a function word, or a part of speech.
    """

    def count(self, writing: Writing) -> Counter[str]:
        """Count them."""
        kept = writing.pack.function_words
        nodes = [
            token.lower() if token.lower() in kept else tag
            for token, tag in zip(writing.tokens, writing.tags, strict=True)
        ]
        return Counter(grams(nodes, 3))


@dataclass(frozen=True)
class Vilarino2013:
    """A machine that parts the known texts from those of others says on which side the unknown one is.

    Vilariño, Pinto, Gómez, León and Castillo, "Lexical-syntactic and graph-based features for authorship
    verification", PAN at CLEF 2013. Features are n-grams of words and letters, prefixes, suffixes, stop
    words, punctuation, and subgraphs of a graph of words and parts of speech.

    Attributes
    ----------
    kept
        Commonest features of each family that count.
    others
        Texts of other problems that are learned from, drawn at random.
    seed
        Where chance comes from.
    """

    # Classes are not weighted: with a single known text against many others nearly all answers are "another",
    # as those of the original are.
    kept: int = tunable(200, 10, 2000)
    others: int = tunable(30, 2, 500)
    seed: int = 1

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return 1 for the same author and 0 for another."""
        batch = Batch.of(problems)
        if not len(batch):
            return []
        svm = scikit_learn("svm")
        rows = batch.once(("vilarino", self.kept), lambda: self._rows(batch))
        rng = np.random.default_rng(self.seed)
        told = answerable(batch)
        found = []
        for number in range(len(batch)):
            others = batch.others(number)
            if not told[number] or not len(others):
                found.append(UNDECIDED)
                continue
            drawn = rng.choice(others, min(self.others, len(others)), replace=False)
            known = batch.known[number]
            truth = np.arange(len(known) + len(drawn)) < len(known)
            machine = svm.SVC(kernel="rbf", C=1.0).fit(rows[np.concatenate([known, drawn])], truth)
            found.append(float(machine.predict(rows[batch.unknown[[number]]])[0]))
        return found

    def _rows(self, batch: Batch) -> Floats:
        families = (
            *(WordGrams(1), WordGrams(2), Characters(3), Affixes(3), Affixes(3, last=True)),
            *(FunctionWords(), Punctuation(), WordGraph()),
        )
        return np.hstack([z_scores(dense_rows(batch, family, self.kept)) for family in families])
