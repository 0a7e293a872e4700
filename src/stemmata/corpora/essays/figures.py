"""The figures of an essay: its fragments, how each was changed, and the shares that rules speak of."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from stemmata.corpora.essays.change import MAX_WORDS, Change, Wording, measure_change, plain_forms
from stemmata.corpora.essays.kinds import Kind, kind_of
from stemmata.formats.essays import Essay, EssayRow
from stemmata.formats.quotations import Quotations
from stemmata.text.languages import language_of
from stemmata.text.words import find_words

RUN = 5
"""Words of a run that counts as taken from a source if the source has it."""


@dataclass(frozen=True)
class Fragment:
    """Rows that were made of one original: mostly one, several where a sentence was split.

    Attributes
    ----------
    rows
        The rows in their order.
    wordings
        Those of the rows.
    change
        What was done to the original, or None where a text is too long to tell.
    """

    rows: tuple[EssayRow, ...]
    wordings: tuple[Wording, ...]
    change: Change | None

    @property
    def kinds(self) -> set[Kind]:
        """The kinds that the rows claim."""
        return {kind for row in self.rows for code in row.kinds if (kind := kind_of(code))}


class EssayFigures:
    """What an essay amounts to; each part is computed when first asked for.

    Parameters
    ----------
    essay
        The essay.
    language
        Its language; by default it is guessed.
    """

    def __init__(self, essay: Essay, language: str | None = None) -> None:
        self.essay = essay
        self.language = language or language_of(essay.document.text)

    @cached_property
    def wordings(self) -> dict[int, Wording]:
        """The words of each row, by its number."""
        return {row.number: Wording.of(row.text, self.language) for row in self.essay.rows}

    @cached_property
    def fragments(self) -> list[Fragment]:
        """The borrowed fragments in the order of the table."""
        rows: dict[tuple[str, str, int], list[EssayRow]] = {}
        for row in self.borrowed:
            # What a sentence was split into is compared with it together; other rows stand for themselves.
            alone = 0 if Kind.SPLIT in map(kind_of, row.kinds) else row.number
            rows.setdefault((row.source, " ".join(row.original.split()), alone), []).append(row)
        return [self._fragment(original, tuple(made)) for (_, original, _), made in rows.items()]

    def _fragment(self, original: str, rows: tuple[EssayRow, ...]) -> Fragment:
        before = Wording.of(original, self.language)
        wordings = tuple(self.wordings[row.number] for row in rows)
        after = Wording.joined(wordings)
        fits = 0 < len(before) <= MAX_WORDS and len(after) <= MAX_WORDS
        return Fragment(rows, wordings, measure_change(before, after) if fits else None)

    @cached_property
    def quotations(self) -> list[Quotations]:
        """The sources, to look for sentences in."""
        return [Quotations(source) for source in self.essay.sources]

    @cached_property
    def borrowed(self) -> list[EssayRow]:
        """The rows that have an original."""
        return [row for row in self.essay.rows if row.original]

    @cached_property
    def own(self) -> list[EssayRow]:
        """The rows that claim to be the writer's own."""
        return [row for row in self.essay.rows if row.is_own]

    def sentences(self, rows: list[EssayRow] | None = None) -> int:
        """Return how many sentences rows hold, by default all."""
        return sum(self.wordings[row.number].sentences for row in (self.essay.rows if rows is None else rows))

    @cached_property
    def sentence_words(self) -> float:
        """The mean length of a sentence in words."""
        return sum(map(len, self.wordings.values())) / max(self.sentences(), 1)

    @cached_property
    def own_share(self) -> float:
        """The share of sentences that are the writer's own."""
        return self.sentences(self.own) / max(self.sentences(), 1)

    @cached_property
    def heavy_share(self) -> float:
        """The share of rows with an original that were rewritten heavily."""
        heavy = sum(Kind.HEAVY in map(kind_of, row.kinds) for row in self.borrowed)
        return heavy / max(len(self.borrowed), 1)

    @cached_property
    def by_source(self) -> Counter[str]:
        """How many rows come from each source that there is, those without any included."""
        found = Counter({source.name: 0 for source in self.essay.sources})
        found.update(row.document for row in self.borrowed if row.document)
        return found

    @cached_property
    def by_kind(self) -> Counter[str]:
        """How many rows claim each kind."""
        kinds = Counter((kind_of(code) or code)[:20] for row in self.borrowed for code in set(row.kinds))
        kinds[Kind.OWN.value] += len(self.own)
        return kinds

    @cached_property
    def distance(self) -> float:
        """The mean lexical distance between fragments and their originals."""
        distances = [one.change.distance for one in self.fragments if one.change]
        return sum(distances) / max(len(distances), 1)

    @cached_property
    def originality(self) -> float:
        """The share of the essay's runs of five words that no source has."""
        known: set[tuple[str, ...]] = set()
        for source in self.essay.sources:
            known.update(_runs(plain_forms(find_words(source.text).forms)))
        runs = [run for one in self.wordings.values() for run in _runs(one.forms)]
        return sum(run not in known for run in runs) / len(runs) if runs else 1.0


def _runs(forms: tuple[str, ...]) -> list[tuple[str, ...]]:
    return list(zip(*(forms[at:] for at in range(RUN)), strict=False))
