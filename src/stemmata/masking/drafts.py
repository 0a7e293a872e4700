"""A text while it is being rewritten: which edits were made, and how a sentence would read with one more."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from stemmata.rewriting import Edit, Rewriting
from stemmata.text.sentences import find_sentences

_BEFORE = 120
"""Characters of what stands before a sentence that are shown with it, at the least."""
_TOGETHER = 700
"""Characters of sentences whose contexts start in one place: a language model reads it for all of them."""


class Variant(NamedTuple):
    """The sentence in which an edit lies, or the sentences across which it reaches.

    Attributes
    ----------
    context
        What stands before, as it is now.
    original
        The sentence as the author wrote it.
    now
        The sentence with the edits made so far.
    new
        The sentence with the edit as well.
    place
        The numbers of its first and last sentence.
    """

    context: str
    original: str
    now: str
    new: str
    place: tuple[int, int]


class Draft:
    """A text and the edits made to it so far, which never touch one another.

    Parameters
    ----------
    text
        The text.
    language
        Its language, for the sentences.
    before
        The rewriting of which it is the text, if it is one: what that wrote is not changed again.

    Examples
    --------
    >>> draft = Draft("It was late. We did not go home.")
    >>> draft.make(Edit(16, 23, "didn't", "contract"))
    >>> draft.fits(Edit(13, 15, "They", "pronoun")), draft.fits(Edit(20, 26, "leave", "synonym"))
    (True, False)
    >>> draft.variant(Edit(13, 15, "They", "pronoun"))[1:4]
    ('We did not go home.', "We didn't go home.", "They didn't go home.")
    """

    def __init__(self, text: str, language: str = "en", before: Rewriting | None = None) -> None:
        self.text = text
        starts, ends = find_sentences(text, language)
        self.starts: list[int] = starts.tolist()
        self.ends: list[int] = ends.tolist()
        self.edits: list[Edit] = []
        done = before.edits if before else ()
        self.written: Counter[str] = Counter(edit.replacement.lower() for edit in done)
        self._settled = [edit[:2] for edit in before.written] if before else []

    def fits(self, edit: Edit) -> bool:
        """Return whether an edit keeps apart from those made: no stretch is changed twice, none touch.

        It may touch what an earlier rewriting wrote, since it was proposed with that in sight.
        """
        return keeps_apart(edit, self.edits) and not self._is_settled(edit)

    def _is_settled(self, edit: Edit) -> bool:
        """Return whether an edit reaches into, or across, what an earlier rewriting wrote.

        Nor is anything put in where something was left out.
        """
        # What was written is in order and apart, so the last that begins before the edit ends is decisive.
        at = bisect_left(self._settled, edit.end, key=lambda span: span[0]) - 1
        within = at >= 0 and self._settled[at][1] > edit.start
        return within or (self._only_adds(edit) and any(self._left_out_at(edit, one) for one in (at, at + 1)))

    def _only_adds(self, edit: Edit) -> bool:
        return not self.text[edit.start : edit.end].strip()

    def _left_out_at(self, edit: Edit, number: int) -> bool:
        """Return whether an edit touches the place of something that an earlier rewriting left out."""
        if not 0 <= number < len(self._settled):
            return False
        start, end = self._settled[number]
        return start == end and edit.start <= start <= edit.end

    def make(self, edit: Edit) -> None:
        """Make an edit that fits."""
        insort(self.edits, edit, key=span)
        self.written[edit.replacement.lower()] += 1

    def undo(self, edit: Edit) -> None:
        """Take an edit back."""
        self.edits.remove(edit)
        self.written[edit.replacement.lower()] -= 1

    @property
    def rewriting(self) -> Rewriting:
        """The text as rewritten so far."""
        return Rewriting(self.text, tuple(self.edits))

    def place(self, edit: Edit) -> tuple[int, int]:
        """Return the numbers of the first and the last sentence that an edit touches."""
        last_place = max(len(self.starts) - 1, 0)
        first = max(bisect_right(self.starts, edit.start) - 1, 0)
        last = max(bisect_left(self.starts, edit.end) - 1, first)
        # What is done to the blank behind a sentence is done to both its neighbours.
        if self.ends and edit.start >= self.ends[first] and first < last_place:
            last = max(last, first + 1)
        return first, min(last, last_place)

    def sentences(self, first: int, last: int, edits: list[Edit] | None = None) -> str:
        """Return sentences with edits made, those of the draft if no others are given."""
        if not self.starts:
            return self._with(0, len(self.text), self.edits if edits is None else edits)
        end = self.ends[last] if last + 1 < len(self.starts) else len(self.text)
        return self._with(self._start(first), end, self.edits if edits is None else edits)

    def variant(self, edit: Edit) -> Variant:
        """Return how sentences would read with an edit that fits."""
        return self.variants([edit])[0]

    def variants(self, edits: Sequence[Edit], alone: bool = False) -> list[Variant]:
        """Return how sentences would read with each of some edits.

        Sentences that are near to one another have contexts which start in one place.

        Parameters
        ----------
        edits
            Edits that fit.
        alone
            As if no other edit had been made.
        """
        places = [self.place(edit) for edit in edits]
        contexts = self._contexts({first for first, _ in places})
        return [
            self._variant(edit, place, contexts[place[0]], alone)
            for edit, place in zip(edits, places, strict=True)
        ]

    def _variant(self, edit: Edit, place: tuple[int, int], from_here: int, alone: bool) -> Variant:
        made = [] if alone else self._inside(*place)
        start = self._start(place[0])
        near = [] if alone else self._between(from_here, start)
        return Variant(
            self._with(from_here, start, near),
            self.sentences(*place, []),
            self.sentences(*place, made),
            self.sentences(*place, sorted([*made, edit], key=span)),
            place,
        )

    def _contexts(self, sentences: Collection[int]) -> dict[int, int]:
        """Return where the contexts of sentences start."""
        found: dict[int, int] = {}
        first = last = -_TOGETHER
        for number in sorted(sentences):
            start = self._start(number)
            if start - last > _BEFORE or start - first > _TOGETHER:
                first = start
            found[number] = max(0, first - _BEFORE)
            last = self.ends[number] if self.ends else start
        return found

    def _start(self, sentence: int) -> int:
        return self.starts[sentence] if sentence else 0

    def as_made(self, edit: Edit) -> Variant:
        """Return how the sentences of an edit that was made read with all that was made."""
        self.edits.remove(edit)
        variant = self.variant(edit)
        insort(self.edits, edit, key=span)
        return variant

    def _inside(self, first: int, last: int) -> list[Edit]:
        if not self.starts:
            return self.edits
        end = self.ends[last] if last + 1 < len(self.starts) else len(self.text)
        return self._between(self._start(first), end)

    def _between(self, start: int, end: int) -> list[Edit]:
        low = bisect_left(self.edits, (start, start), key=span)
        high = bisect_right(self.edits, (end, end), key=span)
        return [edit for edit in self.edits[low:high] if edit.end <= end]

    def _with(self, start: int, end: int, edits: list[Edit]) -> str:
        parts, at = [], start
        for edit in edits:
            if edit.start >= start and edit.end <= end:
                parts += [self.text[at : edit.start], edit.replacement]
                at = edit.end
        return "".join([*parts, self.text[at:end]])


def keeps_apart(edit: Edit, edits: list[Edit]) -> bool:
    """Return whether an edit touches none of others, which are in order and apart.

    Examples
    --------
    >>> keeps_apart(Edit(2, 3, "x", "a"), [Edit(0, 1, "y", "a"), Edit(3, 4, "z", "a")])
    False
    """
    at = bisect_left(edits, (edit.start, edit.end), key=span)
    before = at == 0 or edits[at - 1].end < edit.start
    return before and (at == len(edits) or edit.end < edits[at].start)


def span(edit: Edit) -> tuple[int, int]:
    """Return where an edit starts and ends, by which edits are put in order."""
    return edit.start, edit.end
