"""Plagiarism cases and detections: one at a time as records, or many at once as columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from stemmata.model.errors import Place
from stemmata.model.spans import Ints, Span

Codes = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]
NONE = -1
"""The code of a missing value: no source, no attribute."""


class Passage(NamedTuple):
    """A contiguous stretch of one document, counted in characters."""

    document: str
    offset: int
    length: int

    @property
    def end(self) -> int:
        """The first offset behind the passage."""
        return self.offset + self.length

    @property
    def span(self) -> Span:
        """The passage without its document."""
        return Span(self.offset, self.end)


@dataclass(frozen=True)
class Annotation:
    """A passage of a suspicious document and, unless it is intrinsic, the source passage it came from."""

    suspicious: Passage
    source: Passage | None = None
    attributes: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def intrinsic(self) -> bool:
        """Whether no source is named."""
        return self.source is None

    def detects(self, other: Annotation) -> bool:
        """Tell whether the two overlap in the suspicious document and, if both name one, in the source.

        The relation of the PAN-PC-10 paper, section 2.1; it is symmetric.
        """
        mine, theirs = self.suspicious, other.suspicious
        if mine.document != theirs.document or not mine.span.overlaps(theirs.span):
            return False
        if self.source is None or other.source is None:
            return True
        same = self.source.document == other.source.document
        return same and self.source.span.overlaps(other.source.span)


class Case(Annotation):
    """A true case of plagiarism."""


class Detection(Annotation):
    """A passage that a detector holds to be plagiarised."""


A = TypeVar("A", bound=Annotation)


@dataclass(frozen=True)
class Coded:
    """A column of strings, kept as codes into the list of distinct values."""

    values: tuple[str, ...]
    codes: Codes

    @classmethod
    def of(cls, strings: Iterable[str | None]) -> Coded:
        """Code a column; None becomes the code -1."""
        index: dict[str, int] = {}
        codes = [NONE if s is None else index.setdefault(s, len(index)) for s in strings]
        return cls(tuple(index), np.array(codes, dtype=np.int32))

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, row: int) -> str | None:
        code = self.codes[row]
        return None if code == NONE else self.values[code]

    def take(self, rows: Ints | Mask) -> Coded:
        """Return the chosen rows of the column."""
        return Coded(self.values, self.codes[rows])

    def recode(self, index: Mapping[str, int]) -> Codes:
        """Return the codes of this column in another numbering of its values."""
        table = np.array([*(index[value] for value in self.values), NONE], dtype=np.int32)
        return table[self.codes]


@dataclass(frozen=True)
class Annotations:
    """Many annotations as aligned columns; iterating gives them one by one.

    `source` has code -1 where an annotation is intrinsic; offset and length of its source are 0.
    `file` and `feature` say where a row was read, for error messages; `attributes` holds whatever
    else the truth says of its cases, such as ``obfuscation``.
    """

    suspicious: Coded
    offset: Ints
    length: Ints
    source: Coded
    source_offset: Ints
    source_length: Ints
    attributes: Mapping[str, Coded] = field(default_factory=dict)
    file: Coded = field(default_factory=lambda: Coded((), np.zeros(0, np.int32)))
    feature: Codes = field(default_factory=lambda: np.zeros(0, np.int32))

    @classmethod
    def of(cls, annotations: Iterable[Annotation]) -> Annotations:
        """Collect single annotations into columns."""
        rows = list(annotations)
        sources = [row.source for row in rows]
        names = sorted({name for row in rows for name in row.attributes})
        return cls(
            suspicious=Coded.of(row.suspicious.document for row in rows),
            offset=_ints(row.suspicious.offset for row in rows),
            length=_ints(row.suspicious.length for row in rows),
            source=Coded.of(source.document if source else None for source in sources),
            source_offset=_ints(source.offset if source else 0 for source in sources),
            source_length=_ints(source.length if source else 0 for source in sources),
            attributes={name: Coded.of(row.attributes.get(name) for row in rows) for name in names},
        )

    def __len__(self) -> int:
        return len(self.offset)

    def __iter__(self) -> Iterator[Annotation]:
        return (self[row] for row in range(len(self)))

    def __getitem__(self, row: int) -> Annotation:
        return self.view(row, Annotation)

    @property
    def cases(self) -> Iterator[Case]:
        """The rows as cases."""
        return (self.view(row, Case) for row in range(len(self)))

    @property
    def detections(self) -> Iterator[Detection]:
        """The rows as detections."""
        return (self.view(row, Detection) for row in range(len(self)))

    def view(self, row: int, kind: type[A]) -> A:
        """Return one row as a case, a detection or a plain annotation."""
        document = self.suspicious[row]
        source = self.source[row]
        passage = Passage(document or "", int(self.offset[row]), int(self.length[row]))
        origin = (
            None
            if source is None
            else Passage(source, int(self.source_offset[row]), int(self.source_length[row]))
        )
        said = {name: value for name, column in self.attributes.items() if (value := column[row]) is not None}
        return kind(passage, origin, said)

    def place(self, row: int) -> Place:
        """Return where a row was read, or what it says if it was read nowhere."""
        if len(self.file):
            return Place(self.file[row] or "", feature=int(self.feature[row]) or None)
        one = self[row]
        return Place(f"{one.suspicious.document} at {one.suspicious.offset}+{one.suspicious.length}")

    def take(self, rows: Ints | Mask) -> Annotations:
        """Return the chosen rows."""
        return Annotations(
            self.suspicious.take(rows),
            self.offset[rows],
            self.length[rows],
            self.source.take(rows),
            self.source_offset[rows],
            self.source_length[rows],
            {name: column.take(rows) for name, column in self.attributes.items()},
            self.file.take(rows) if len(self.file) else self.file,
            self.feature[rows] if len(self.feature) else self.feature,
        )


def _ints(values: Iterable[int]) -> Ints:
    return np.fromiter(values, dtype=np.int64)
