"""A truth and a run, matched, and the summands per suspicious document that all measures are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from stemmata.measures.matching import (
    Coverage,
    Floats,
    Table,
    cover,
    listed_pairs,
    make_tables,
)
from stemmata.measures.normalized import normalized_shares, reference_micro
from stemmata.model import Annotations, ErrorCode, StemmataError, document_key
from stemmata.model.annotations import NONE, Mask
from stemmata.model.spans import Ints, merge_spans, new_characters, outside


@dataclass(frozen=True)
class Options:
    """What a user may choose about the measures.

    Attributes
    ----------
    alpha
        Weight of recall in F_alpha; 1 weighs precision and recall alike, as all published figures do.
    tau_recall, tau_precision
        Shares from which a case counts as found and a detection as right (case and document level).
    compat
        ``"reference"`` computes micro normplagdet as its authors' program does.
    """

    alpha: float = 1.0
    tau_recall: float = 0.5
    tau_precision: float = 0.5
    compat: str = "none"

    def __post_init__(self) -> None:
        rules = (
            ("alpha", 0 < self.alpha <= 1e6, "it must be positive, and at most a million"),
            ("tau_recall", 0 < self.tau_recall <= 1, "it must lie in (0, 1]"),
            ("tau_precision", 0 < self.tau_precision <= 1, "it must lie in (0, 1]"),
            ("compat", self.compat in ("none", "reference"), "it is 'none' or 'reference'"),
        )
        for name, holds, rule in rules:
            if not holds:
                raise StemmataError(ErrorCode.BAD_PARAMETER, name=name, value=getattr(self, name), rule=rule)


@dataclass(frozen=True)
class Lengths:
    """Characters of the suspicious and of the source documents, by name."""

    suspicious: Mapping[str, int]
    source: Mapping[str, int]


class Alignment:
    """The cases of a truth and the detections of a run, matched; everything is computed when asked for.

    Parameters
    ----------
    cases, detections
        Repeated annotations count once.
    lengths
        Needed for the normalised measures alone. Annotations that reach beyond a document are refused.
    pairs
        Pairs (suspicious, source) that the document level counts, as PAN15's evaluator does; None counts
        all, a suspicious document without a source among them.

    Examples
    --------
    >>> from stemmata.model import Case, Detection, Passage
    >>> case = Case(Passage("a", 0, 100), Passage("b", 0, 100))
    >>> half = Detection(Passage("a", 0, 50), Passage("b", 0, 50))
    >>> Alignment(Annotations.of([case]), Annotations.of([half])).case_recall
    array([0.5])
    """

    def __init__(
        self,
        cases: Annotations,
        detections: Annotations,
        lengths: Lengths | None = None,
        pairs: frozenset[tuple[str, str]] | None = None,
        options: Options | None = None,
    ) -> None:
        self.options = options or Options()
        self.case_rows, self.detection_rows = cases, detections
        self.cases, self.detections, self.numbering = make_tables(cases, detections)
        self.pairs = pairs
        self._lengths = self._check_lengths(lengths) if lengths else None
        self._statistics: dict[str, Floats] = {}

    @property
    def normalizable(self) -> bool:
        """Whether document lengths are known."""
        return self._lengths is not None

    @property
    def documents(self) -> list[str]:
        """The suspicious documents, in the order of the statistics."""
        return list(self.numbering.suspicious)

    @cached_property
    def found(self) -> Coverage:
        """The cases as the detections cover them."""
        return cover(self.cases, self.detections)

    @cached_property
    def right(self) -> Coverage:
        """The detections as the cases cover them."""
        return cover(self.detections, self.cases)

    @cached_property
    def case_recall(self) -> Floats:
        """Recall of each distinct case: characters covered on both sides, clipped, over its characters.

        A case of no characters has none (NaN), unless nothing was detected in its document (0).
        """
        covered = self.found.covered + self.found.source_covered
        return self._defined(self.cases, self.detections, covered / np.maximum(self.cases.size, 1))

    @cached_property
    def detection_precision(self) -> Floats:
        """Precision of each distinct detection: the same with roles exchanged."""
        covered = self.right.covered + self.right.source_covered
        return self._defined(self.detections, self.cases, covered / np.maximum(self.detections.size, 1))

    @cached_property
    def normalized_case_recall(self) -> Floats:
        """Normalised recall of each distinct case."""
        shares = normalized_shares(self.cases, self.found, *self._lengths_of(self.cases))
        return self._defined(self.cases, self.detections, shares)

    @cached_property
    def normalized_detection_precision(self) -> Floats:
        """Normalised precision of each distinct detection."""
        shares = normalized_shares(self.detections, self.right, *self._lengths_of(self.detections))
        return self._defined(self.detections, self.cases, shares)

    @cached_property
    def case_found(self) -> Mask:
        """S' of the case level: recall >= tau_recall.

        PAN15 also asks for a detection of precision >= tau_precision, but its evaluator looks at the
        detection already clipped to the case, whose precision is 1; the condition is empty and so
        is not computed here.
        """
        return (self.found.hits > 0) & (self.case_recall >= self.options.tau_recall)

    @cached_property
    def detection_right(self) -> Mask:
        """R' of the case level: precision >= tau_precision, and alone it finds tau_recall of some case."""
        alone = self.right.best_share >= self.options.tau_recall
        return (self.detection_precision >= self.options.tau_precision) & alone

    def reference_micro(self) -> tuple[float, float]:
        """Return micro normalised precision and recall of the authors' program."""
        cases, detections, lengths = self.cases, self.detections, self._known_lengths()
        if not len(cases) or not len(detections):
            both = float(not len(cases) and not len(detections))
            return both, both
        precision = reference_micro(detections, cases, self.right, self.found, *lengths)
        return precision, reference_micro(cases, detections, self.found, self.right, *lengths)

    def statistic(self, name: str) -> Floats:
        """Return one summand of the measures, per suspicious document."""
        if name not in self._statistics:
            documents, values = _STATISTICS[name](self)
            n = len(self.numbering.suspicious)
            self._refuse_undefined(documents, values)
            self._statistics[name] = np.bincount(documents, values, minlength=n).astype(np.float64)
        return self._statistics[name]

    def _defined(self, table: Table, others: Table, shares: Floats) -> Floats:
        """Return the shares with 0/0 told apart: NaN where the other side has something to compare."""
        if (table.size > 0).all():
            return shares
        compared = np.isin(table.suspicious, others.suspicious)
        return np.where(table.size > 0, shares, np.where(compared, np.nan, 0.0))

    def _refuse_undefined(self, documents: Ints, values: Floats | Ints | Mask) -> None:
        for row in np.flatnonzero(np.isnan(values))[:1]:
            one_of_ours = documents is self.cases.suspicious
            table, rows = (
                (self.cases, self.case_rows) if one_of_ours else (self.detections, self.detection_rows)
            )
            raise StemmataError(ErrorCode.EMPTY_ANNOTATION, rows.place(int(table.row[row])))

    def _known_lengths(self) -> tuple[Ints, Ints]:
        if self._lengths is None:
            raise StemmataError(ErrorCode.NEEDS_LENGTHS)
        return self._lengths

    def _lengths_of(self, table: Table) -> tuple[Ints, Ints]:
        """Return the lengths of the documents each annotation of the table lies in."""
        suspicious, source = self._known_lengths()
        return suspicious[table.suspicious], np.append(source, 0)[table.source]

    def _check_lengths(self, lengths: Lengths) -> tuple[Ints, Ints]:
        """Return lengths by document number; refuse annotations that reach beyond their document."""
        known = [
            {document_key(name): size for name, size in side.items()}
            for side in (lengths.suspicious, lengths.source)
        ]
        numbers = (self.numbering.suspicious, self.numbering.source)
        sizes = tuple(
            np.array([side.get(name, NONE) for name in names], dtype=np.int64)
            for side, names in zip(known, numbers, strict=True)
        )
        for table, rows in ((self.cases, self.case_rows), (self.detections, self.detection_rows)):
            sides = (
                ("suspicious", table.suspicious, table.end, sizes[0]),
                ("source", table.source, table.source_end, np.append(sizes[1], np.iinfo(np.int64).max)),
            )
            for side, document, end, size in sides:
                for row in table.row[end > size[document]][:1]:
                    passage = rows[int(row)].suspicious if side == "suspicious" else rows[int(row)].source
                    if passage is not None:
                        key = document_key(passage.document)
                        code = ErrorCode.BEYOND_DOCUMENT
                        if key not in known[side == "source"]:
                            code = ErrorCode.MISSING_DOCUMENT
                        raise StemmataError(
                            code,
                            rows.place(int(row)),
                            side=side,
                            offset=passage.offset,
                            length=passage.length,
                            document=passage.document,
                            size=known[side == "source"].get(key, 0),
                            folder=f"the {side} documents",
                        )
        return sizes[0], sizes[1]


# --- Summands, per suspicious document -----------------------------------------------------------------

Summand = tuple[Ints, Floats | Ints | Mask]

_NONE = np.zeros(0, np.int64)


def _characters(a: Alignment, table: Table) -> Summand:
    """Count the characters that the annotations cover in suspicious and in source documents.

    A source passage that several suspicious documents share counts once. Its true characters count for
    the document they are counted for as true, the others for the first document: in no document, and so in
    no resample, are more characters true than there are.
    """
    external = np.flatnonzero(table.external)
    documents, found = _true_source_characters(a)
    row, start, end = outside(
        (table.source[external], table.source_start[external], table.source_end[external]),
        merge_spans(*_source_spans(a)[1:]),
    )
    return (
        np.concatenate([table.suspicious, documents, table.suspicious[external[row]]]),
        np.concatenate(
            [
                new_characters(table.suspicious, table.start, table.end),
                found,
                new_characters(table.source[external[row]], start, end),
            ]
        ),
    )


def _true_characters(a: Alignment) -> Summand:
    """Count the characters on which cases and the detections that detect them agree."""
    suspicious_of, _ = _documents_of_pairs(a)
    pair, start, end = _joined(a.found.found)
    documents, found = _true_source_characters(a)
    own = suspicious_of[pair]
    return np.concatenate([own, documents]), np.concatenate([new_characters(own, start, end), found])


def _true_source_characters(a: Alignment) -> tuple[Ints, Ints]:
    """Return true characters of source documents and the suspicious documents they are counted for."""
    suspicious, source, start, end = _source_spans(a)
    return suspicious, new_characters(source, start, end)


def _source_spans(a: Alignment) -> tuple[Ints, Ints, Ints, Ints]:
    """Return the true overlaps in source documents: suspicious document, source, start and end."""
    suspicious_of, source_of = _documents_of_pairs(a)
    pair, start, end = _joined(a.found.source_found)
    return suspicious_of[pair], source_of[pair], start, end


def _documents_of_pairs(a: Alignment) -> tuple[Ints, Ints]:
    pairs = max(a.cases.pair.max(initial=0), a.detections.pair.max(initial=0)) + 1
    suspicious_of, source_of = np.zeros(pairs, np.int64), np.zeros(pairs, np.int64)
    suspicious_of[a.cases.pair], source_of[a.cases.pair] = a.cases.suspicious, a.cases.source
    return suspicious_of, source_of


def _joined(pieces: list[tuple[Ints, Ints, Ints]]) -> tuple[Ints, Ints, Ints]:
    pair, start, end = (np.concatenate(column) for column in zip((_NONE,) * 3, *pieces, strict=True))
    return pair, start, end


def _pairs(a: Alignment, table: Table, chosen: Mask | None = None) -> Summand:
    """Count document pairs that hold an annotation; of the chosen ones, only pairs that may count.

    A document with an annotation that names no source is a pair of its own, but on no list.
    """
    if chosen is None:
        chosen = np.ones(len(table), dtype=bool)
    elif a.pairs is not None:
        chosen = chosen & table.external & listed_pairs(a.numbering, table, a.pairs)
    pair, first = np.unique(table.pair[chosen], return_index=True)
    return table.suspicious[chosen][first], np.ones(len(pair))


def _ones(table: Table) -> Summand:
    return table.suspicious, np.ones(len(table))


_STATISTICS: dict[str, Callable[[Alignment], Summand]] = {
    "cases": lambda a: _ones(a.cases),
    "detections": lambda a: _ones(a.detections),
    "recall": lambda a: (a.cases.suspicious, a.case_recall),
    "precision": lambda a: (a.detections.suspicious, a.detection_precision),
    "detected": lambda a: (a.cases.suspicious, a.found.hits > 0),
    "hits": lambda a: (a.cases.suspicious, a.found.hits),
    "true_characters": _true_characters,
    "case_characters": lambda a: _characters(a, a.cases),
    "detection_characters": lambda a: _characters(a, a.detections),
    "normalized_recall": lambda a: (a.cases.suspicious, a.normalized_case_recall),
    "normalized_precision": lambda a: (a.detections.suspicious, a.normalized_detection_precision),
    "case_size": lambda a: (a.cases.suspicious, a.cases.size),
    "detection_size": lambda a: (a.detections.suspicious, a.detections.size),
    "normalized_case_size": lambda a: (a.cases.suspicious, a.cases.size * a.normalized_case_recall),
    "normalized_detection_size": lambda a: (
        a.detections.suspicious,
        a.detections.size * a.normalized_detection_precision,
    ),
    "found": lambda a: (a.cases.suspicious, a.case_found),
    "right": lambda a: (a.detections.suspicious, a.detection_right),
    "case_pairs": lambda a: _pairs(a, a.cases),
    "detection_pairs": lambda a: _pairs(a, a.detections),
    "found_pairs": lambda a: _pairs(a, a.cases, a.case_found),
    "right_pairs": lambda a: _pairs(a, a.detections, a.detection_right),
}
