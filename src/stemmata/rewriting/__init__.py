"""Rewriting: transformations of text that keep track of every offset, shared by corpora and masking."""

from __future__ import annotations

from collections.abc import Callable

from stemmata.model import Registry
from stemmata.rewriting.degrees import at_degree
from stemmata.rewriting.edits import Edit, Rewriting, in_turn, rewritten
from stemmata.rewriting.strategy import Scene, Strategy

strategies: Registry[Callable[..., Strategy]] = Registry(
    "strategy",
    {
        "artificial": "stemmata.rewriting.artificial:Artificial",
        "none": "stemmata.rewriting.unchanged:Unchanged",
        "paraphrase": "stemmata.rewriting.paraphrase:Paraphrase",
        "pos-shuffle": "stemmata.rewriting.pos_shuffle:PosShuffle",
        "random-operations": "stemmata.rewriting.random_operations:RandomOperations",
        "simulated": "stemmata.rewriting.simulated:Simulated",
        "russian": "stemmata.rewriting.russian:Russian",
        "russian-abbreviations": "stemmata.rewriting.russian_abbreviations:RussianAbbreviations",
        "russian-chains": "stemmata.rewriting.russian_chains:RussianChains",
        "russian-diminutives": "stemmata.rewriting.russian_diminutives:RussianDiminutives",
        "russian-number": "stemmata.rewriting.russian_number:RussianNumber",
        "russian-synonyms": "stemmata.rewriting.russian_synonyms:RussianSynonyms",
        "summary": "stemmata.rewriting.summary:Summary",
        "translation": "stemmata.rewriting.translation:Translation",
        "word-variation": "stemmata.rewriting.word_variation:WordVariation",
    },
    families="strategies",
)
"""Strategies by name; calling one with its parameters makes it ready to `rewrite`."""

__all__ = ["Edit", "Rewriting", "Scene", "Strategy", "at_degree", "in_turn", "rewritten", "strategies"]
