"""Artificial obfuscation: the three strategies of PAN-PC-10 one after another, by degree.

After Potthast, Stein, Barrón-Cedeño and Rosso: An Evaluation Framework for Plagiarism Detection, COLING
2010, section 3.3. The paper says that the strategies were combined and adjusted to an intuitive
understanding of low and high obfuscation, but not how; the degrees here are ours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

from stemmata.rewriting.degrees import Degrees
from stemmata.rewriting.edits import Rewriting, in_turn
from stemmata.rewriting.passage import tagged_words
from stemmata.rewriting.pos_shuffle import PosShuffle
from stemmata.rewriting.random_operations import RandomOperations
from stemmata.rewriting.strategy import Scene
from stemmata.rewriting.word_variation import WordVariation
from stemmata.text.languages import ENGLISH, languages


@dataclass(frozen=True)
class Artificial:
    """Vary words, shuffle them by parts of speech, then disturb them at random.

    In a language without WordNet or without a tagger, what remains is done.

    Parameters
    ----------
    variation, shuffle, operations
        The three strategies; the degrees set their parameters.
    """

    variation: WordVariation = field(default_factory=WordVariation)
    shuffle: PosShuffle = field(default_factory=PosShuffle)
    operations: RandomOperations = field(default_factory=RandomOperations)
    degrees: ClassVar[Degrees] = {
        "low": {
            "variation.share": 0.2,
            "shuffle.share": 0.2,
            "shuffle.reach": 10,
            "operations.share": 0.1,
            "operations.reach": 4,
        },
        "high": {
            "variation.share": 0.5,
            "shuffle.share": 0.6,
            "shuffle.reach": 40,
            "operations.share": 0.5,
            "operations.reach": 20,
        },
    }

    def rewrite(self, text: str, scene: Scene) -> Rewriting:
        """Return the passage as the three make it, as one rewriting."""
        steps: list[Callable[[str], Rewriting]] = []
        if scene.language in languages and languages[scene.language].tag:
            steps.append(partial(self._by_tags, scene=scene))
        steps.append(partial(self.operations.rewrite, scene=scene))
        return in_turn(text, steps)

    def _by_tags(self, text: str, scene: Scene) -> Rewriting:
        """Vary and shuffle by the same tags: a word takes the place of one of its own kind, so they stay."""
        passage, tags = tagged_words(text, scene.language, "artificial obfuscation")
        if scene.language != ENGLISH.code:
            return self.shuffle.shuffle(passage, tags, scene)
        varied = self.variation.vary(passage, tags, scene)
        shuffled = self.shuffle.shuffle(passage.after(varied), tags, scene)
        return in_turn(text, [lambda _: varied, lambda _: shuffled])
