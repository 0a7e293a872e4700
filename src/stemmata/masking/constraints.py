"""Constraints: which edits may be made, for the sake of the text.

Each takes many edits at a time and judges every one as if it alone were made on top of the draft: models are
asked once for all. Cheap ones go first, so that the dear ones see few.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Protocol

import numpy as np

from stemmata.masking.drafts import Draft, Variant
from stemmata.masking.quality.checks import checks_of
from stemmata.masking.quotations import quotations_in
from stemmata.model import Span
from stemmata.model.annotations import Mask
from stemmata.rewriting import Edit
from stemmata.rewriting.agreement import article_before
from stemmata.text.fluency import Floats, Fluency
from stemmata.text.meaning import Meaning
from stemmata.text.pos import tag_words

MOST_NATS = 2.5
"""By how much less likely a sentence may become."""
LEAST_COSINE = 0.9
"""How much alike the meanings of a sentence before and after must be."""
MOST_REPEATED = 3
"""How often the same words may be written into a text."""
AHEAD = 12
"""Tokens behind an edit in which the language model looks for what it did."""

_AROUND = 40
"""Characters on both sides of an edit by which it is judged."""
_NEARLY_NOT = re.compile(r"\b(?:hardly|scarcely|barely)\b", re.IGNORECASE)
_CAPITAL = r"[A-Z][\w'’-]*"
_TITLE = re.compile(
    rf"(?<=[a-z,;] )(?:{_CAPITAL} (?:(?:a|an|and|as|at|by|for|from|in|is|not|of|on|or|the|to|with) ){{1,3}})+"
    rf"(?!I\b){_CAPITAL}"
)
"""Names with small words in them: of books, offices, places; or several."""
_TWICE = re.compile(r"\b(\w+)\s+\1\b", re.IGNORECASE)
_ARTICLE = re.compile(r"\b(an?)\s+(?=(\w+(?:['’]\w+)?))", re.IGNORECASE)
_ROUGH = re.compile(r"[ \t]{2,}(?=\S)|\s[,;:.!?](?=\s|$)|[,;:]{2}|,\.|\.,|\(\s|\s\)|[.!?]\s+[a-z]")


class Constraint(Protocol):
    """Something that edits must not break."""

    def allows(self, draft: Draft, edits: Sequence[Edit]) -> Mask:
        """Return which of the edits may be made, each by itself on top of the draft."""
        ...


def allowed(draft: Draft, edits: Sequence[Edit], constraints: Sequence[Constraint]) -> list[Edit]:
    """Return the edits that fit into a draft and that no constraint forbids.

    Examples
    --------
    >>> draft = Draft("She did not see 12 men.")
    >>> edits = [Edit(8, 11, "ever", "x"), Edit(12, 15, "notice", "x"), Edit(16, 18, "13", "x")]
    >>> [edit.replacement for edit in allowed(draft, edits, [Kept()])]
    ['notice']
    """
    left = [edit for edit in edits if draft.fits(edit)]
    for constraint in constraints:
        if left:
            may = constraint.allows(draft, left)
            left = [edit for edit, fine in zip(left, may, strict=True) if fine]
    return left


@dataclass(frozen=True)
class Kept:
    """Numbers, names and negations stay, as `checks_of` counts them, and quotations stay as they are.

    So do small words within a name or between two, and what nearly denies, such as *hardly*.

    Attributes
    ----------
    quotations
        Whether what stands in quotation marks, or is quoted line by line, may not be touched.
    """

    quotations: bool = False

    def allows(self, draft: Draft, edits: Sequence[Edit]) -> Mask:
        """Return which edits keep them."""
        untouched = sorted([*(quotations_in(draft.text) if self.quotations else ()), *_titles(draft.text)])
        starts = [span.start for span in untouched]
        reach = list(accumulate((span.end for span in untouched), max))
        return np.array([self._keeps(draft, edit, starts, reach) for edit in edits], dtype=np.bool_)

    def _keeps(self, draft: Draft, edit: Edit, starts: Sequence[int], reach: Sequence[int]) -> bool:
        """Return whether an edit keeps off what begins at some places, up to the farthest end so far."""
        before = bisect_left(starts, edit.end)
        if before and reach[before - 1] > edit.start:
            return False
        old, new = _around(draft, edit)
        doubts = (len(_NEARLY_NOT.findall(text)) for text in (old, new))
        return not checks_of(old, new) and len(set(doubts)) == 1


def _titles(text: str) -> list[Span]:
    return [Span(*found.span()) for found in _TITLE.finditer(text)]


def _around(draft: Draft, edit: Edit) -> tuple[str, str]:
    """Return what stands around an edit without and with it."""
    start, end = max(0, edit.start - _AROUND), edit.end + _AROUND
    before, after = draft.text[start : edit.start], draft.text[edit.end : end]
    return before + draft.text[edit.start : edit.end] + after, before + edit.replacement + after


@dataclass(frozen=True)
class Sparing:
    """The same words are not written into a text again and again.

    Attributes
    ----------
    most
        How often they may be.
    """

    most: int = MOST_REPEATED

    def allows(self, draft: Draft, edits: Sequence[Edit]) -> Mask:
        """Return which edits would not write what was written so often before."""
        return np.array([draft.written[edit.replacement.lower()] < self.most for edit in edits], np.bool_)


@dataclass(frozen=True)
class SamePart:
    """A word stays of the part of speech that it was in its sentence.

    Attributes
    ----------
    kinds
        Kinds of edits that are judged; others pass.
    """

    kinds: frozenset[str] = field(default=frozenset({"synonym", "hypernym", "neighbour"}))

    def allows(self, draft: Draft, edits: Sequence[Edit]) -> Mask:
        """Return which edits keep it."""
        return np.array([edit.kind not in self.kinds or self._same(draft, edit) for edit in edits], np.bool_)

    def _same(self, draft: Draft, edit: Edit) -> bool:
        old, new = draft.text[edit.start : edit.end], edit.replacement
        if len(old.split()) != 1 or len(new.split()) != 1:
            return True
        first, last = draft.place(edit)
        start = draft.starts[first] if draft.starts else 0
        end = draft.ends[last] if draft.ends else len(draft.text)
        before = re.findall(r"\w+(?:['’]\w+)*|[^\w\s]", draft.text[start : edit.start])
        behind = re.findall(r"\w+(?:['’]\w+)*|[^\w\s]", draft.text[edit.end : end])
        parts = [tag_words([*before, word, *behind])[len(before)].part for word in (old, new)]
        return parts[0] == parts[1]


@dataclass(frozen=True)
class Grammatical:
    """No rule of writing is broken that was not broken before: articles, doubled words, spaces, capitals."""

    def allows(self, draft: Draft, edits: Sequence[Edit]) -> Mask:
        """Return which edits break none."""
        return np.array([self._sound(draft, edit) for edit in edits], dtype=np.bool_)

    def _sound(self, draft: Draft, edit: Edit) -> bool:
        old, new = _around(draft, edit)
        return faults(new) <= faults(old)


def faults(text: str) -> int:
    """Return how many rules a stretch of text breaks.

    Examples
    --------
    >>> faults("It is an honour."), faults("A apple, an uniform , and and so on")
    (0, 4)
    """
    articles: list[tuple[str, str]] = _ARTICLE.findall(text)
    wrong = sum(article.lower() != article_before(word) for article, word in articles)
    return wrong + len(_TWICE.findall(text)) + len(_ROUGH.findall(text))


@dataclass(frozen=True)
class SameMeaning:
    """A sentence goes on to mean what it meant, by the cosine of its vectors.

    Attributes
    ----------
    least
        The least cosine of the sentence as its author wrote it and as it would be.
    meaning
        What makes the vectors.
    """

    least: float = LEAST_COSINE
    meaning: Meaning = field(default_factory=Meaning, repr=False, compare=False)

    def allows(self, draft: Draft, edits: Sequence[Edit]) -> Mask:
        """Return which edits keep the meaning."""
        variants = draft.variants(edits)
        alike = self.meaning.pair_similarities(
            [one.original for one in variants], [one.new for one in variants]
        )
        return np.asarray(alike >= self.least)


@dataclass(frozen=True)
class Fluent:
    """A sentence stays nearly as likely as its author wrote it, in the eyes of a language model.

    Attributes
    ----------
    most
        How many nats of its log-probability it may lose by all edits together.
    ahead
        Tokens behind an edit that are looked at; -1 for all of the sentence.
    fluency
        The language model.
    """

    most: float = MOST_NATS
    ahead: int = AHEAD
    fluency: Fluency = field(default_factory=Fluency, repr=False, compare=False)

    def allows(self, draft: Draft, edits: Sequence[Edit]) -> Mask:
        """Return which edits leave the sentence likely enough."""
        won = nats_won(draft.variants(edits), self.fluency, self.ahead)
        return np.asarray(won >= -self.most)


def nats_won(variants: Sequence[Variant], fluency: Fluency, ahead: int) -> Floats:
    """Return by how much each variant is likelier than what its author wrote; below 0 it is less likely."""
    return fluency.changes(
        [one.original for one in variants],
        [one.new for one in variants],
        [one.context for one in variants],
        ahead,
    )
