"""Shuffling that keeps the sequence of parts of speech: words change places with their like.

After Potthast, Stein, Barrón-Cedeño and Rosso: An Evaluation Framework for Plagiarism Detection, COLING
2010, section 3.3.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from stemmata.model.parameters import tunable
from stemmata.rewriting.agreement import ARTICLES, with_articles
from stemmata.rewriting.degrees import Degrees, check_parameters
from stemmata.rewriting.edits import Rewriting, rewritten
from stemmata.rewriting.passage import Passage, can_leave, tagged_words
from stemmata.rewriting.strategy import Scene
from stemmata.text.languages import ENGLISH
from stemmata.text.pos import Tagged


@dataclass(frozen=True)
class PosShuffle:
    """Permute words among places of the same part of speech.

    Parts of speech are the tagger's own, which tell singular from plural and tense from tense, so that
    the sentence stays as grammatical as it was. English, German and Russian.

    Parameters
    ----------
    share
        The share of words that may change places.
    reach
        Words change places within this many.
    """

    share: float = tunable(0.6, 0.0, 1.0)
    reach: int = tunable(20, 2, 1000)
    degrees: ClassVar[Degrees] = {
        "low": {"share": 0.5, "reach": 10},
        "high": {"share": 1.0, "reach": 40},
    }

    def __post_init__(self) -> None:
        check_parameters(self)

    def rewrite(self, text: str, scene: Scene) -> Rewriting:
        """Return the passage with words moved, capitals where sentences begin, and articles to suit."""
        return self.shuffle(*tagged_words(text, scene.language, "shuffling by parts of speech"), scene)

    def shuffle(self, passage: Passage, tags: Sequence[Tagged], scene: Scene) -> Rewriting:
        """Return a passage that is tagged already with words moved."""
        words, kinds = list(passage.bare), [""] * len(passage)
        chosen = scene.rng.random(len(passage)) < self.share
        places: dict[str, list[int]] = defaultdict(list)
        for number in chosen.nonzero()[0].tolist():
            if _can_move(passage, number, tags[number]):
                places[tags[number].tag].append(number)
        for block in _blocks(places, self.reach):
            for place, other in zip(block, scene.rng.permutation(block).tolist(), strict=True):
                words[place] = passage.bare[other]
                kinds[place] = "shuffle"
        words = passage.placed(words)
        if scene.language == ENGLISH.code:
            words = with_articles(passage, words, kinds)
        return rewritten(passage.text, passage.edits(words, kinds))


def _can_move(passage: Passage, number: int, tagged: Tagged) -> bool:
    # The tagger has one name for all articles, but only some are at home before a plural.
    if passage.language == ENGLISH.code and passage.words[number].lower() in ARTICLES:
        return False
    return can_leave(passage, number, tagged)


def _blocks(places: dict[str, list[int]], reach: int) -> Iterator[list[int]]:
    """Yield places of one part of speech that are near enough to change words."""
    for row in places.values():
        block: list[int] = []
        for place in row:
            if block and place - block[0] >= reach:
                if len(block) > 1:
                    yield block
                block = []
            block.append(place)
        if len(block) > 1:
            yield block
