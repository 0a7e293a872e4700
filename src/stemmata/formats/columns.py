"""Annotations on their way from a file into columns, each checked as it comes."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from stemmata.model import Annotations, Coded, ErrorCode, Finding, Place, StemmataError
from stemmata.model.annotations import NONE

MAX_CHARACTERS = 2**30
"""Offsets beyond this many characters are taken for a mistake or an attack."""

MAX_ATTRIBUTES = 64
"""Names of attributes of cases; each becomes a column as long as there are cases. Corpora have ten."""

SOURCE = ("source_reference", "source_offset", "source_length")
KNOWN = {"name", "this_offset", "this_length", *SOURCE}
"""Attributes that are columns of their own."""

_POSITION = ("this_offset", "this_length", "source_offset", "source_length")
_MAX_DIGITS = 20
_FOUR_NUMBERS = re.compile(";".join([rf"\s*[0-9]{{1,{_MAX_DIGITS}}}\s*"] * 4), re.ASCII).fullmatch
_WHOLE_NUMBER = re.compile(r"\s*-?[0-9]+\s*", re.ASCII).fullmatch

Report = Callable[[Finding], None]


class AnnotationColumns:
    """Collects annotations row by row into compact columns.

    `report` receives what is wrong; without it the first wrong thing is raised.

    Attributes
    ----------
    names, other_names
        How often features with a position had each name: those that were read, and those that were not.
    """

    def __init__(self, keep_attributes: bool, report: Report | None = None) -> None:
        self._numbers = array("q")
        self._codes = array("i")
        self._documents: dict[str, int] = {}
        self._sources: dict[str, int] = {}
        self._files: list[str] = []
        self._attributes: dict[str, _AttributeColumn] = {}
        self._keep_attributes = keep_attributes
        self._report = report
        self._rows = 0
        self._passed_over: dict[ErrorCode, tuple[Finding, int]] = {}
        self.names: Counter[str] = Counter()
        self.other_names: Counter[str] = Counter()

    def open(self, path: str) -> None:
        """Say from which file the next rows come."""
        self._files.append(path)

    def wrong(self, kind: ErrorCode, feature: int, **details: object) -> None:
        """Raise or report something wrong with a feature of the current file."""
        place = Place(self._files[-1], feature=feature or None)
        if self._report is None:
            raise StemmataError(kind, place, **details)
        self._report(Finding.of(kind, place, **details))

    def note(self, kind: ErrorCode, feature: int, **details: object) -> None:
        """Report something odd that scoring passes over, as PAN's scorers do, or count it."""
        if self._report is not None:
            self.wrong(kind, feature, **details)
            return
        first, count = self._passed_over.get(kind) or (
            Finding.of(kind, Place(self._files[-1], feature=feature or None), **details),
            0,
        )
        self._passed_over[kind] = first, count + 1

    @property
    def passed_over(self) -> list[Finding]:
        """What `note` has counted: the first of each kind, and how many more there are."""
        return [
            first if count == 1 else replace(first, message=f"{first.message}; {count - 1:,} more like it")
            for first, count in self._passed_over.values()
        ]

    def add(self, document: str, said: dict[str, str], feature: int) -> None:
        """Add the annotation that the attributes of a feature describe."""
        offset, length = said.get("this_offset"), said.get("this_length")
        if offset is None or length is None:
            if any(name in said for name in ("this_offset", "this_length", *SOURCE)):
                missing = "this_offset" if offset is None else "this_length"
                self.wrong(ErrorCode.MISSING_ATTRIBUTE, feature, attribute=missing)
            else:
                self.note(ErrorCode.NO_POSITION, feature, name=said["name"])
            return
        source = said.get("source_reference")
        source_offset, source_length = said.get("source_offset", "0"), said.get("source_length", "0")
        if source is None or "source_offset" not in said or "source_length" not in said:
            absent = [name for name in SOURCE if name not in said]
            if len(absent) < len(SOURCE):
                self.note(ErrorCode.PARTIAL_SOURCE, feature, attribute=absent[0])
            source, source_offset, source_length = None, "0", "0"
        written = (offset, length, source_offset, source_length)
        numbers = tuple(map(int, written)) if _FOUR_NUMBERS(";".join(written)) else ()
        if not numbers or max(numbers) > MAX_CHARACTERS:
            self._wrong_number(written, feature)
            return
        self._numbers.extend(numbers)
        self._codes.extend(
            (
                self._documents.setdefault(document, len(self._documents)),
                NONE if source is None else self._sources.setdefault(source, len(self._sources)),
                len(self._files) - 1,
                feature,
            )
        )
        if self._keep_attributes:
            for name, value in said.items():
                if name not in KNOWN:
                    column = self._attributes.get(name)
                    if column is None:
                        if len(self._attributes) == MAX_ATTRIBUTES:
                            details = {"name": name[:40], "most": MAX_ATTRIBUTES}
                            self.wrong(ErrorCode.TOO_MANY_ATTRIBUTES, feature, **details)
                            continue
                        column = self._attributes[name] = _AttributeColumn()
                    if len(column.codes) < self._rows:
                        column.pad(self._rows)
                    column.codes.append(column.index.setdefault(value, len(column.index)))
        self._rows += 1

    def _wrong_number(self, written: Sequence[str], feature: int) -> None:
        for attribute, text in zip(_POSITION, written, strict=True):
            value = text.strip()
            if not _WHOLE_NUMBER(text):
                return self.wrong(ErrorCode.NOT_A_NUMBER, feature, attribute=attribute, value=text[:40])
            if value.startswith("-"):
                return self.wrong(ErrorCode.NEGATIVE, feature, attribute=attribute, value=value[:40])
            if len(value) > _MAX_DIGITS or int(value) > MAX_CHARACTERS:
                details = {"attribute": attribute, "value": value[:40], "limit": MAX_CHARACTERS}
                return self.wrong(ErrorCode.OFFSET_TOO_LARGE, feature, **details)
        return None

    def finish(self) -> Annotations:
        """Return all rows as columns."""
        numbers = np.array(self._numbers, dtype=np.int64).reshape(-1, 4)
        codes = np.array(self._codes, dtype=np.int32).reshape(-1, 4)
        columns = [np.ascontiguousarray(column) for column in numbers.T]
        suspicious, source, file, feature = (np.ascontiguousarray(column) for column in codes.T)
        return Annotations(
            Coded(tuple(self._documents), suspicious),
            columns[0],
            columns[1],
            Coded(tuple(self._sources), source),
            columns[2],
            columns[3],
            {name: column.finish(self._rows) for name, column in sorted(self._attributes.items())},
            Coded(tuple(self._files), file),
            feature,
        )


class _AttributeColumn:
    """One attribute, as codes; rows that do not have it are filled in when the next one does."""

    __slots__ = ("codes", "index")

    def __init__(self) -> None:
        self.index: dict[str, int] = {}
        self.codes = array("i")

    def pad(self, rows: int) -> None:
        """Say that the attribute is missing up to this row."""
        self.codes.extend([NONE] * (rows - len(self.codes)))

    def finish(self, rows: int) -> Coded:
        """Return the whole column."""
        self.pad(rows)
        return Coded(tuple(self.index), np.array(self.codes, dtype=np.int32))
