"""Words and tokens that remember where they stand in the raw text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from stemmata.model.spans import Ints

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Words:
    """Words in the order of the text: offsets of their characters, and their lower-cased forms.

    Attributes
    ----------
    start, end
        Aligned arrays; the word is ``text[start:end]``.
    forms
        ``text[start:end].lower()`` of each; in tokens, with plain apostrophes.
    """

    start: Ints
    end: Ints
    forms: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.forms)


def find_words(text: str) -> Words:
    """Return the runs of letters and digits, in any script.

    Examples
    --------
    >>> find_words("It's the 2nd of May_be").forms
    ('it', 's', 'the', '2nd', 'of', 'may', 'be')
    """
    start, end = _offsets(_WORD, text)
    return Words(start, end, tuple(_runs(_WORD, text)[1]))


def character_codes(text: str) -> npt.NDArray[np.uint32]:
    """Return the code point of each character."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def is_word_character(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
    """Tell which code points are those of letters and digits."""
    return _characters(_WORD)[codes]


@cache
def _characters(runs: re.Pattern[str]) -> npt.NDArray[np.bool_]:
    """Return for each code point whether it belongs to what the pattern finds runs of."""
    table = np.zeros(0x110000, dtype=np.bool_)
    for run in runs.finditer("".join(map(chr, range(len(table))))):
        table[run.start() : run.end()] = True
    return table


def _runs(runs: re.Pattern[str], text: str) -> tuple[list[str], list[str]]:
    """Return the runs that the pattern finds, and their lower case; the first may be in lower case too."""
    if "Σ" in text or "İ" in text:
        # The lower case of the one depends on its neighbours, that of the other is longer than itself.
        found = runs.findall(text)
        return found, [run.lower() for run in found]
    # Other letters stay letters of the same length, so the whole text can be lowered at once. What stands
    # between runs becomes spaces, at which to split takes half the time of finding the runs.
    codes = character_codes(text.lower())
    spaced = np.where(_characters(runs)[codes], codes, np.uint32(0x20))
    found = spaced.tobytes().decode("utf-32-le", "surrogatepass").split()
    return found, found


def _offsets(runs: re.Pattern[str], text: str) -> tuple[Ints, Ints]:
    """Return where the runs start and end, much faster than by asking each match."""
    inside = np.zeros(len(text) + 2, dtype=np.int8)
    inside[1:-1] = _characters(runs)[character_codes(text)]
    steps = np.diff(inside)
    return np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)


# Tokens in the manner of the Penn Treebank: what never joins a token, what does so only in places
# (1,000 and 12:30, well-known, U.S., don't), and the endings that are tokens of their own.
_APART = r"""\s;@#$%&?!\[\](){}<>"«»“”„‘`"""
_CHUNK = re.compile(rf"[^{_APART}]+")
_PIECE = re.compile(r"(?:[^,:.\-']++|[,:](?=\d)|(?<!-)-(?!-)|(?<!\.)\.\.?(?!\.)|(?<!')'(?!'))++")
_ENDING = re.compile(r"(?<=[^'])(?:'[smd]?|'ll|'re|'ve|n't)$", re.IGNORECASE)
_LAST_PERIOD = re.compile(r"""(?<=[^.])\.(?=[\])}>"'”’»]*$)""")
_TAIL = 16
"""How far from the end of a sentence its period may stand, behind closing brackets and quotes."""
_LONGEST = 32
_KEPT = 1 << 18
_JOINED = {
    "cannot": 3, "gimme": 3, "gonna": 3, "gotta": 3, "lemme": 3, "wanna": 3,
    "d'ye": 1, "more'n": 4, "'tis": 2, "'twas": 2,
}  # fmt: skip
"""Two words written as one, with the length of the first."""


def find_tokens(text: str, sentences: tuple[Ints, Ints] | None = None) -> Words:
    """Return the tokens that start with a letter or digit, cut in the manner of the Penn Treebank.

    Contractions are split; hyphenated words, numbers and abbreviations stay whole; the period that ends
    a sentence is no part of its last word. A typographic apostrophe counts as a plain one.

    Parameters
    ----------
    text
        Any text.
    sentences
        Offsets of its sentences; without them the whole text is one.

    Examples
    --------
    >>> find_tokens("The U.S. team didn't see he's well-known for 1,000 games.").forms
    ('the', 'u.s.', 'team', 'did', "n't", 'see', 'he', 'well-known', 'for', '1,000', 'games')
    """
    shown = _without_last_periods(text.replace("’", "'"), sentences)
    chunks, forms = _runs(_CHUNK, shown)
    start, end = _offsets(_CHUNK, shown)
    # Most chunks are words and thereby tokens; only the others are looked at one by one.
    others = [i for i, form in enumerate(forms) if not form.isalnum() or form in _JOINED]
    tokens = [_tokens_of[chunks[i]] for i in others]
    count = np.ones(len(chunks), np.int64)
    count[others] = [len(one) for one in tokens]
    is_other = np.zeros(len(chunks), np.bool_)
    is_other[others] = True
    split = np.repeat(is_other, count)
    start = np.repeat(start, count)
    end = np.repeat(end, count)
    end[split] = start[split] + [last for one in tokens for _, last, _ in one]
    start[split] += np.array([first for one in tokens for first, _, _ in one], np.int64)
    kept: list[str] = []
    done = 0
    for i, one in zip(others, tokens, strict=True):
        kept += forms[done:i]
        kept += [form for _, _, form in one]
        done = i + 1
    return Words(start, end, (*kept, *forms[done:]))


def _without_last_periods(text: str, sentences: tuple[Ints, Ints] | None) -> str:
    """Return the text with a space in place of the period that ends each sentence."""
    starts, ends = ([0], [len(text.rstrip())]) if sentences is None else (s.tolist() for s in sentences)
    pieces, done = [], 0
    for start, end in zip(starts, ends, strict=True):
        tail = max(start, end - _TAIL)
        period = _LAST_PERIOD.search(text[tail:end])
        if period:
            pieces.append(text[done : tail + period.start()])
            done = tail + period.end()
    return " ".join([*pieces, text[done:]])


def _cut(chunk: str) -> tuple[tuple[int, int, str], ...]:
    """Return the tokens of what stands between spaces and marks: their offsets in it and their forms."""
    found = []
    for piece in _PIECE.finditer(chunk):
        first, last = piece.span()
        ending = _ENDING.search(piece[0])
        cut = first + (_JOINED.get(piece[0].lower()) or (ending.start() if ending else last - first))
        found += [
            (a, b, chunk[a:b].lower()) for a, b in ((first, cut), (cut, last)) if chunk[a:b][:1].isalnum()
        ]
    return tuple(found)


class _Memory(dict[str, tuple[tuple[int, int, str], ...]]):
    """How chunks are cut: words recur, so most were cut before."""

    def __missing__(self, chunk: str) -> tuple[tuple[int, int, str], ...]:
        tokens = _cut(chunk)
        # What is too long to be words does not recur, and hostile text shall not fill the memory.
        if len(chunk) <= _LONGEST and len(self) < _KEPT:
            self[chunk] = tokens
        return tokens


_tokens_of = _Memory()
