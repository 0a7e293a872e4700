"""Syntactic paths and n-grams: Gómez-Adorno and colleagues, Posadas-Durán and colleagues, 2015.

Both need a dependency parser. Here a sentence's parts of speech stand for its tree: heads of phrases are
found by the parts of speech alone (`attached`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch
from stemmata.authorship.contrast import answered, commonest, frequencies, sides
from stemmata.authorship.distances import cosine
from stemmata.authorship.writings import Writing
from stemmata.model import Problem
from stemmata.model.parameters import tunable

Floats = npt.NDArray[np.float64]

_ENDS = frozenset(".!?")
_HEADS = {
    **dict.fromkeys(("DET", "ADJ", "NUM"), ("NOUN", "PROPN", "PRON")),
    **dict.fromkeys(("NOUN", "PROPN", "PRON", "ADV", "AUX", "PART", "SCONJ"), ("VERB", "AUX")),
    "ADP": ("NOUN", "PROPN", "PRON"),
}
"""For a part of speech, those on which it depends."""
_AFTER = range(1, 6)
_AROUND = tuple(step for distance in _AFTER for step in (distance, -distance))
"""How far a head may be, the nearest first: for what depends on the next noun, and for all else."""
_LONGEST = 80


def sentences_of(writing: Writing) -> list[list[tuple[str, str]]]:
    """Return words with their parts of speech, a list for each sentence; punctuation is left out."""
    found: list[list[tuple[str, str]]] = [[]]
    for token, tag in zip(writing.tokens, writing.tags, strict=True):
        if token in _ENDS or len(found[-1]) >= _LONGEST:
            found.append([])
        if token[0].isalnum():
            found[-1].append((token.lower(), tag))
    return [sentence for sentence in found if sentence]


def attached(tags: Sequence[str]) -> list[int]:
    """Return for each word the place of its head, -1 for the root.

    A determiner, adjective, numeral or preposition depends on the next noun, all else on the nearest verb;
    the first verb is the root, or the first word if there is none.

    Examples
    --------
    >>> attached(["DET", "NOUN", "VERB", "ADP", "DET", "NOUN"])
    [1, 2, -1, 5, 5, 2]
    """
    root = next((place for place, tag in enumerate(tags) if tag == "VERB"), 0)
    heads = []
    for place, tag in enumerate(tags):
        if place == root:
            heads.append(-1)
            continue
        wanted = () if tag == "VERB" else _HEADS.get(tag, ())
        near = _AFTER if "NOUN" in wanted else _AROUND if wanted else ()
        head = root
        for step in near:
            other = place + step
            if 0 <= other < len(tags) and tags[other] in wanted:
                head = other
                break
        heads.append(head)
    return heads


def path_to_root(heads: Sequence[int], place: int, longest: int = _LONGEST) -> list[int]:
    """Return the places from a word up to the root, so many at most; it ends where it would turn back."""
    path = [place]
    while len(path) < longest and (head := heads[path[-1]]) >= 0 and head not in path:
        path.append(head)
    return path


@dataclass(frozen=True)
class SyntacticPaths:
    """Words, parts of speech and relations on the paths from the root to each word."""

    def count(self, writing: Writing) -> Counter[str]:
        """Count them."""
        found: Counter[str] = Counter()
        for sentence in sentences_of(writing):
            tags = [tag for _, tag in sentence]
            heads = attached(tags)
            passed = Counter(one for place in range(len(sentence)) for one in path_to_root(heads, place))
            for one, times in passed.items():
                found[f"w {sentence[one][0]}"] += times
                found[f"p {tags[one]}"] += times
                if heads[one] >= 0:
                    found[f"r {tags[one]}<{tags[heads[one]]}"] += times
        return found


@dataclass(frozen=True)
class SyntacticGrams:
    """Runs along the paths to the root: of words and parts, two and three long."""

    def count(self, writing: Writing) -> Counter[str]:
        """Count them."""
        found: list[str] = []
        for sentence in sentences_of(writing):
            heads = attached([tag for _, tag in sentence])
            for place, (word, tag) in enumerate(sentence):
                words, parts, mixed = f"w {word}", f"p {tag}", f"m {word}"
                for one in path_to_root(heads, place, 3)[1:]:
                    other, part = sentence[one]
                    words, parts, mixed = f"{words} {other}", f"{parts} {part}", f"{mixed} {part}"
                    found += (words, parts, mixed)
        return Counter(found)


@dataclass(frozen=True)
class GomezAdorno2015:
    """The cosine of counts along shortest paths of a graph of syntax, against a threshold.

    Gómez-Adorno, Sidorov, Pinto and Markov, "A graph based authorship identification approach", PAN at CLEF
    2015. Dependency trees of a text make one integrated syntactic graph; words, parts of speech and relations
    on the shortest paths from the root to each node are counted, and the counts of both sides compared.

    Attributes
    ----------
    kept
        Commonest features that are compared.
    slack
        A cosine is high if it is no more than so many standard deviations below the mean of the batch.
    """

    # No parser: trees are approximated from parts of speech. The original's threshold is not known; it says
    # yes to seven and nine problems of ten on two training sets, as one standard deviation of slack does.
    kept: int = tunable(5000, 100, 50_000)
    slack: float = tunable(1.0, -2.0, 3.0)

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return 1 for high cosines, and 0 for others."""
        batch = Batch.of(problems)
        if not len(batch):
            return []
        found = self.cosines(batch)
        return answered(batch, (found >= found.mean() - self.slack * found.std()).astype(np.float64))

    def cosines(self, batch: Batch) -> Floats:
        """Return the cosine of both sides of each problem."""
        family = SyntacticPaths()
        known, unknown = sides(batch, frequencies(batch, family, commonest(batch, family, self.kept)))
        return np.array([cosine(known[[n]], unknown[[n]])[0, 0] for n in range(len(batch))])


@dataclass(frozen=True)
class PosadasDuran2015:
    """Jaccard's similarity of syntactic n-grams against a threshold.

    Posadas-Durán, Sidorov, Batyrshin and Mirasol-Meléndez, "Author verification using syntactic n-grams", PAN
    at CLEF 2015. N-grams follow the edges of dependency trees; rare ones are removed, and the share that both
    sides have in common is compared with a threshold.

    Attributes
    ----------
    rare
        N-grams of the batch that occur no more often than this are removed.
    slack
        A share is high if it is no more than so many standard deviations below the mean of the batch.
    """

    # No parser: trees are approximated from parts of speech. The answers 0.2 and 0.8 are the original's; its
    # threshold is not known, and the mean of the batch stands for it.
    rare: int = tunable(2, 0, 20)
    slack: float = tunable(0.0, -2.0, 3.0)

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return 0.8 for high shares, and 0.2 for others."""
        batch = Batch.of(problems)
        if not len(batch):
            return []
        found = self.shares(batch)
        return answered(batch, np.where(found >= found.mean() - self.slack * found.std(), 0.8, 0.2))

    def shares(self, batch: Batch) -> Floats:
        """Return the mean share of n-grams that the unknown text has in common with a known one."""
        counts = batch.counts(SyntacticGrams())
        often = np.flatnonzero(np.asarray(counts.matrix.sum(axis=0)).ravel() > self.rare)
        heard = counts.matrix[:, often].astype(bool).astype(np.float64)
        sizes = np.asarray(heard.sum(axis=1)).ravel()
        found = np.zeros(len(batch))
        for number, places in enumerate(batch.known):
            if len(places):
                unknown = int(batch.unknown[number])
                both = np.asarray((heard[places] @ heard[[unknown]].T).todense()).ravel()
                found[number] = np.mean(both / np.maximum(sizes[places] + sizes[unknown] - both, 1.0))
        return found
