"""Russian paraphrase as in PlagEvalRus: one or more ways of changing words, chosen at random.

After Smirnov et al., Dialogue 2017, section 3: sentences of the sources "were automatically paraphrased by
using one or more of the following methods". Which, how many and how much the paper does not tell; here each
passage draws their number, then which, and the degrees are ours.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

from stemmata.rewriting.degrees import Degrees
from stemmata.rewriting.edits import Rewriting, in_turn
from stemmata.rewriting.russian_abbreviations import RussianAbbreviations
from stemmata.rewriting.russian_chains import RussianChains
from stemmata.rewriting.russian_diminutives import RussianDiminutives
from stemmata.rewriting.russian_number import RussianNumber
from stemmata.rewriting.russian_synonyms import RussianSynonyms
from stemmata.rewriting.strategy import Scene, Strategy


@dataclass(frozen=True)
class Russian:
    """Paraphrase a Russian passage by one or more of five strategies, drawn anew for each passage.

    Parameters
    ----------
    abbreviations, number, synonyms, diminutives, chains
        The strategies, in the order in which they come; the degrees set their parameters.
    """

    abbreviations: RussianAbbreviations = field(default_factory=RussianAbbreviations)
    number: RussianNumber = field(default_factory=RussianNumber)
    synonyms: RussianSynonyms = field(default_factory=RussianSynonyms)
    diminutives: RussianDiminutives = field(default_factory=RussianDiminutives)
    chains: RussianChains = field(default_factory=RussianChains)
    degrees: ClassVar[Degrees] = {
        degree: {
            f"{name}.{parameter}": value
            for name, strategy in (
                ("abbreviations", RussianAbbreviations),
                ("number", RussianNumber),
                ("synonyms", RussianSynonyms),
                ("diminutives", RussianDiminutives),
                ("chains", RussianChains),
            )
            for parameter, value in strategy.degrees[degree].items()
        }
        for degree in ("low", "high")
    }

    def rewrite(self, text: str, scene: Scene) -> Rewriting:
        """Return the passage as some of the strategies make it, as one rewriting."""
        parts: tuple[Strategy, ...] = (
            self.abbreviations,
            self.number,
            self.synonyms,
            self.diminutives,
            self.chains,
        )
        many = int(scene.rng.integers(1, len(parts) + 1))
        drawn = sorted(scene.rng.permutation(len(parts))[:many].tolist())
        return in_turn(text, [partial(parts[n].rewrite, scene=scene) for n in drawn])
