"""Parts of speech of the words of a sentence, by universal names and by the tagger's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from stemmata.text.extras import no_tool, require

_LONGEST = 64
"""HanTa's time grows with the square of a word's length: beyond this it sees only the beginning."""
_KEPT = 1 << 16

# The first letters of a tag decide; the longest that fit count. Universal names are those of
# Universal Dependencies.
_BRITISH_NATIONAL_CORPUS = {
    "AJ": "ADJ", "AT": "DET", "AV": "ADV", "CJC": "CCONJ", "CJ": "SCONJ", "CRD": "NUM", "DPS": "PRON",
    "DT": "DET", "EX": "PRON", "ITJ": "INTJ", "NN": "NOUN", "NP": "PROPN", "ORD": "ADJ", "PN": "PRON",
    "POS": "PART", "PR": "ADP", "PU": "PUNCT", "TO": "PART", "VB": "AUX", "VM": "AUX", "V": "VERB",
    "XX": "PART", "ZZ": "SYM",
}  # fmt: skip
_STUTTGART_TUEBINGEN = {
    "ADJ": "ADJ", "ADV": "ADV", "AP": "ADP", "ART": "DET", "CARD": "NUM", "FM": "X", "ITJ": "INTJ",
    "KON": "CCONJ", "KOKOM": "CCONJ", "KOU": "SCONJ", "NE": "PROPN", "NN": "NOUN", "NNA": "NOUN",
    "P": "PRON", "PAV": "ADV", "PROAV": "ADV", "PWAV": "ADV", "PDAT": "DET", "PIAT": "DET", "PIDAT": "DET",
    "PPOSAT": "DET", "PRELAT": "DET", "PWAT": "DET", "PTK": "PART", "PTKVZ": "ADP", "TRUNC": "X",
    "VV": "VERB", "VA": "AUX", "VM": "AUX", "V": "VERB", "XY": "X", "$": "PUNCT",
}  # fmt: skip
_OPEN_CORPORA = {
    "NOUN": "NOUN", "ADJF": "ADJ", "ADJS": "ADJ", "COMP": "ADJ", "VERB": "VERB", "INFN": "VERB",
    "PRTF": "VERB", "PRTS": "VERB", "GRND": "VERB", "NUMR": "NUM", "NUMB": "NUM", "ADVB": "ADV",
    "NPRO": "PRON", "PRED": "ADV", "PREP": "ADP", "CONJ": "CCONJ", "PRCL": "PART", "INTJ": "INTJ",
    "PNCT": "PUNCT",
}  # fmt: skip


class Tagged(NamedTuple):
    """A word of a sentence: its lemma, its part of speech, and the tag of the tagger."""

    lemma: str
    part: str
    tag: str


def tag_words(words: Sequence[str], language: str = "en") -> list[Tagged]:
    """Tag the words of one sentence, punctuation included, with their capitals.

    English (tags of the British National Corpus) and German (Stuttgart-Tübingen tags) by HanTa (extra
    ``pos``); Russian (OpenCorpora tags) by pymorphy3 (extra ``russian``), which sees each word alone.

    Examples
    --------
    >>> [(one.lemma, one.part) for one in tag_words(["The", "mice", "were", "sleeping", "."])]
    [('the', 'DET'), ('mouse', 'NOUN'), ('be', 'AUX'), ('sleep', 'VERB'), ('.', 'PUNCT')]
    """
    taggers: dict[str, Callable[[Sequence[str]], list[Tagged]]] = {
        "en": lambda words: _by_hanta(words, "morphmodel_en.pgz", _BRITISH_NATIONAL_CORPUS),
        "de": lambda words: _by_hanta(words, "morphmodel_ger.pgz", _STUTTGART_TUEBINGEN),
        "ru": _russian,
    }
    if language not in taggers:
        raise no_tool("tagger", language, taggers)
    return taggers[language](words)


def _by_hanta(words: Sequence[str], model: str, parts: dict[str, str]) -> list[Tagged]:
    tagged = _hanta(model).tag_sent([_shown(word) for word in words])
    return [
        Tagged(lemma if _shown(word) == word else word, _part(tag, parts), tag)
        for word, (_, lemma, tag) in zip(words, tagged, strict=True)
    ]


def _shown(word: str) -> str:
    """Return what a tagger gets to see of a word: no more than a word may be, and never nothing."""
    return word[:_LONGEST] if word and word.isprintable() else "-"


@cache
def _hanta(model: str) -> Any:
    tagger = require("HanTa.HanoverTagger", "tagging parts of speech", "pos")
    # By a bare name HanTa would first run whatever file of that name lies in the working folder.
    made = tagger.HanoverTagger(str(Path(tagger.__file__).with_name(model)))
    # Words recur, and taking one apart is most of the work.
    made.analyze_forward = lru_cache(_KEPT)(made.analyze_forward)
    made.analyze_viterbi = lru_cache(_KEPT)(made.analyze_viterbi)
    return made


def _part(tag: str, parts: dict[str, str]) -> str:
    fitting = (parts[tag[:n]] for n in range(len(tag), 0, -1) if tag[:n] in parts)
    return next(fitting, "X")


def _russian(words: Sequence[str]) -> list[Tagged]:
    parse = russian_analyser().parse
    readings = [parse(_shown(word))[0] for word in words]
    return [
        Tagged(one.normal_form if _shown(word) == word else word, russian_part(one.tag), str(one.tag))
        for word, one in zip(words, readings, strict=True)
    ]


@cache
def russian_analyser() -> Any:
    """Return the morphological analyser of Russian, loaded once."""
    return require("pymorphy3", "Russian morphology", "russian").MorphAnalyzer()


def russian_part(tag: Any) -> str:
    """Return the universal part of speech of an OpenCorpora tag."""
    grammemes = tag.grammemes
    if grammemes & {"Name", "Surn", "Patr", "Geox", "Orgn"}:
        return "PROPN"
    return next((part for name, part in _OPEN_CORPORA.items() if name in grammemes), "X")
