"""A machine in place of people who rewrite: some sentences left out, others shortened, words replaced.

PAN-PC-10 had people rewrite passages (Potthast et al., COLING 2010, section 3.2). Where there are none, this
stands in for them; corpora that have it say so.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from stemmata.rewriting.edits import Rewriting, in_turn
from stemmata.rewriting.strategy import Scene
from stemmata.rewriting.summary import Summary
from stemmata.rewriting.word_variation import WordVariation


@dataclass(frozen=True)
class Simulated:
    """Leave out what says least, then say the rest with synonyms; English only.

    Attributes
    ----------
    condensed
        What to keep of the passage.
    variation
        Which words to replace, and by which.
    """

    condensed: Summary = field(default_factory=lambda: Summary(share=0.85))
    variation: WordVariation = field(
        default_factory=lambda: WordVariation(share=0.5, senses=1, relations=("synonym", "similar"))
    )

    def rewrite(self, text: str, scene: Scene) -> Rewriting:
        """Return the passage as one rewriting."""
        steps = [partial(step.rewrite, scene=scene) for step in (self.condensed, self.variation)]
        return in_turn(text, steps)
