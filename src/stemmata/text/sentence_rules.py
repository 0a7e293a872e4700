"""Sentences by rules in the manner of Punkt, for languages without a trained model.

A mark ends a sentence unless what stands before it is an abbreviation, an initial or an ordinal, or
what follows goes on in lower case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from stemmata.text.languages import LanguagePack, languages

_MARKS = ".!?…"
_CLOSING = r"\"'”’»“‘›)\]}"
_OPENING = r"\s\"'“”„«»‘’‹›(\[{¿¡*_—–-"
# Only the first mark of a row is tried, and nothing is given back: long rows of marks cost no more than text.
_END = re.compile(
    rf"(?<![{_MARKS}])(?P<mark>[{_MARKS}]++)[{_CLOSING}]*+"
    rf"(?=\s[{_OPENING}]*+(?P<next>[^\W_]*+)(?P<stop>\.?))|[。！？]++"
)
_LAST_WORD = re.compile(r"[^\W_](?:[^\W_]|[.-](?=[^\W_]))*$")
_LOOK_BACK = 24
"""Longer than any abbreviation; bounds what hostile text can make us read again."""
_WITH_ORDINALS = {"de"}
"""Languages that write ordinal numbers with a period."""


def split_by_rules(text: str, language: str = "en") -> Iterator[tuple[int, int]]:
    """Give the sentences as spans that follow one another without a gap, space included.

    Examples
    --------
    >>> text = "Am 3. Mai kam z. B. Dr. Meier. Er blieb usw. Dann ging er."
    >>> [text[start:end] for start, end in split_by_rules(text, "de")]
    ['Am 3. Mai kam z. B. Dr. Meier.', ' Er blieb usw.', ' Dann ging er.']
    """
    pack = languages[language]
    start = 0
    for end in _END.finditer(text):
        if _ends_sentence(text, start, end, pack):
            yield start, end.end()
            start = end.end()
    if start < len(text):
        yield start, len(text)


def _ends_sentence(text: str, start: int, end: re.Match[str], pack: LanguagePack) -> bool:
    following = end["next"]
    if not following:
        return True
    if following[0].islower():
        return False
    if end["mark"] != ".":
        return True
    before = text[max(start, end.start() - _LOOK_BACK) : end.start()]
    # Words that are frequent but seldom capital are capital here because a sentence starts with them.
    starter = following.lower() in pack.stop_words and not end["stop"]
    return _period_ends_sentence(before, starter, end.start() - start, pack)


def _period_ends_sentence(before: str, starter: bool, length: int, pack: LanguagePack) -> bool:
    """Decide by the word before a period, and by whether the next one often starts a sentence."""
    match = _LAST_WORD.search(before)
    word = match[0].lower() if match else ""
    if word in pack.abbreviations:
        return False
    if word in pack.final_abbreviations or "." in word or (len(word) == 1 and word.isalpha()):
        return starter
    if word.isdigit():
        numbers_a_list = before.strip() == word and length < _LOOK_BACK
        ordinal = pack.code in _WITH_ORDINALS and len(word) <= 2
        return not numbers_a_list and (starter or not ordinal)
    return True
