"""Edits: what a rewriting did to a text, each with its exact place in the original."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from stemmata.model import ErrorCode, Span, StemmataError
from stemmata.model.spans import Ints


class Edit(NamedTuple):
    """A stretch of the original and what stands in its place.

    Attributes
    ----------
    start, end
        Offsets in the original; with start = end, text is inserted.
    replacement
        The new text; empty where the stretch is removed.
    kind
        What was done, such as ``"synonym"``.
    """

    start: int
    end: int
    replacement: str
    kind: str


@dataclass(frozen=True)
class Rewriting:
    """A text, the edits made to it, and so the new text.

    Edits are in order and do not overlap.

    Examples
    --------
    >>> rewriting = Rewriting("The dog sleeps.", (Edit(4, 7, "canine", "synonym"),))
    >>> rewriting.text, rewriting.span_of(Span(8, 14))
    ('The canine sleeps.', Span(start=11, end=17))
    """

    original: str
    edits: tuple[Edit, ...] = ()

    def __post_init__(self) -> None:
        ends = [0, *(offset for edit in self.edits for offset in edit[:2]), len(self.original)]
        if any(one > other for one, other in pairwise(ends)):
            raise StemmataError(ErrorCode.BAD_EDITS)

    @cached_property
    def text(self) -> str:
        """The text as rewritten."""
        parts, at = [], 0
        for edit in self.edits:
            parts += [self.original[at : edit.start], edit.replacement]
            at = edit.end
        return "".join([*parts, self.original[at:]])

    @property
    def counts(self) -> Counter[str]:
        """How many edits of each kind were made."""
        return Counter(edit.kind for edit in self.edits)

    @cached_property
    def written(self) -> tuple[Edit, ...]:
        """The edits as they stand in the new text: where each replacement is, and what it replaced."""
        _, _, shift = self._borders
        return tuple(
            Edit(
                edit.start + by,
                edit.start + by + len(edit.replacement),
                self.original[edit.start : edit.end],
                edit.kind,
            )
            for edit, by in zip(self.edits, shift.tolist(), strict=False)
        )

    def span_of(self, span: Span) -> Span:
        """Return where a stretch of the original is now.

        Where an end lies inside an edit, the whole replacement belongs to the stretch, and so does what is
        inserted at an end.
        """
        starts, ends, shift = self._borders
        before = int(min(np.searchsorted(ends, span.start, "right"), np.searchsorted(starts, span.start)))
        inside = before < len(starts) and starts[before] < span.start
        start = (starts[before] if inside else span.start) + shift[before]
        after = int(max(np.searchsorted(ends, span.end, "right"), np.searchsorted(starts, span.end)))
        inside = after > 0 and ends[after - 1] > span.end
        end = (ends[after - 1] if inside else span.end) + shift[after]
        return Span(int(start), int(end))

    @cached_property
    def _borders(self) -> tuple[Ints, Ints, Ints]:
        """Starts and ends of the edits, and by how much text is shifted before each and behind the last."""
        starts = np.array([edit.start for edit in self.edits], dtype=np.int64)
        ends = np.array([edit.end for edit in self.edits], dtype=np.int64)
        grown = [len(edit.replacement) - (edit.end - edit.start) for edit in self.edits]
        return starts, ends, np.concatenate([[0], np.cumsum(grown, dtype=np.int64)])


def rewritten(original: str, edits: Iterable[Edit]) -> Rewriting:
    """Return the rewriting by edits in any order; those that change nothing are left out."""
    made = [edit for edit in edits if original[edit.start : edit.end] != edit.replacement]
    return Rewriting(original, tuple(sorted(made, key=lambda edit: edit[:2])))


def in_turn(text: str, steps: Sequence[Callable[[str], Rewriting]]) -> Rewriting:
    """Apply rewritings one after another, as one rewriting of the first text.

    Edits that touch are joined; their kinds stand side by side.
    """
    whole = Rewriting(text)
    for step in steps:
        whole = _joined(whole, step(whole.text))
    return whole


def _joined(first: Rewriting, second: Rewriting) -> Rewriting:
    """Return one rewriting that does what two do, the second being of the text of the first."""
    # All in offsets of the text between: what the first wrote there, and what the second replaces.
    touched: list[tuple[int, int, int, int, str]] = []
    shift = 0
    for edit in first.edits:
        grown = len(edit.replacement) - (edit.end - edit.start)
        touched.append((edit.start + shift, edit.end + shift + grown, grown, 0, edit.kind))
        shift += grown
    for edit in second.edits:
        grown = len(edit.replacement) - (edit.end - edit.start)
        touched.append((edit.start, edit.end, 0, grown, edit.kind))
    edits: list[Edit] = []
    # By how much text is shifted against the original, and against the last text.
    before = after = 0
    for group in _groups(sorted(touched)):
        start, end = group[0][0], max(one[1] for one in group)
        grown, grown_again = sum(one[2] for one in group), sum(one[3] for one in group)
        kind = "+".join(dict.fromkeys(one[4] for one in group))
        new = second.text[start + after : end + after + grown_again]
        edits.append(Edit(start - before, end - before - grown, new, kind))
        before += grown
        after += grown_again
    return rewritten(first.original, edits)


def _groups(
    touched: list[tuple[int, int, int, int, str]],
) -> Iterator[list[tuple[int, int, int, int, str]]]:
    """Yield together the stretches that touch or overlap."""
    group: list[tuple[int, int, int, int, str]] = []
    end = 0
    for one in touched:
        if group and one[0] > end:
            yield group
            group = []
        group.append(one)
        end = max(end, one[1])
    if group:
        yield group
