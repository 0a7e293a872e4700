"""Rewriting: transformations of text that keep track of every offset, shared by corpora and masking."""

from __future__ import annotations

from collections.abc import Callable

from stemmata.model import Registry
from stemmata.rewriting.degrees import at_degree
from stemmata.rewriting.edits import Edit, Rewriting, in_turn, rewritten
from stemmata.rewriting.strategy import Scene, Strategy
from stemmata.rewriting.transformation import Transformation

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

transformations: Registry[Callable[..., Transformation]] = Registry(
    "transformation",
    {
        "contractions": "stemmata.rewriting.contractions:Contractions",
        "discourse-markers": "stemmata.rewriting.discourse_markers:DiscourseMarkers",
        "equivalents": "stemmata.rewriting.equivalents:Equivalents",
        "letter-errors": "stemmata.rewriting.letter_errors:LetterErrors",
        "phrases": "stemmata.rewriting.phrases:Phrases",
        "plain-layout": "stemmata.rewriting.plain_layout:PlainLayout",
        "punctuation-habits": "stemmata.rewriting.punctuation_habits:PunctuationHabits",
        "sentence-joints": "stemmata.rewriting.sentence_joints:SentenceJoints",
        "simplification": "stemmata.rewriting.simplification:Simplification",
        "spelling-variety": "stemmata.rewriting.spelling_variety:SpellingVariety",
        "spoken-forms": "stemmata.rewriting.spoken_forms:SpokenForms",
        "substitution": "stemmata.rewriting.substitution:Substitution",
        "treebank-spacing": "stemmata.rewriting.treebank_spacing:TreebankSpacing",
    },
)
"""Transformations by name; calling one with its parameters makes it ready to propose edits."""

__all__ = [
    "Edit",
    "Rewriting",
    "Scene",
    "Strategy",
    "Transformation",
    "at_degree",
    "in_turn",
    "rewritten",
    "strategies",
    "transformations",
]
