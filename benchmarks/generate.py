"""Made truths and runs: the same seed and size give the same annotations, in numpy from end to end.

A suspicious document is a row of cases with gaps between them, copied from random places of four
source documents. Each case meets one of the fates below; a run has 1.3 detections per case.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from stemmata.measures.statistics import Lengths
from stemmata.model import Annotations, Coded
from stemmata.model.spans import Ints

SPREAD = 10
"""Cases per suspicious document as in most corpora."""
DENSE = 1_000
"""Cases per suspicious document where comparing each with each becomes slow."""

SOURCES = 4
"""Source documents that a suspicious document copies from."""
CASE_LENGTH = (400, 2_400)
GAP = (100, 1_500)
MARGIN = 150
"""How many characters a shifted detection may miss each border by."""

FATES = {"exact": 0.25, "shifted": 0.30, "in two": 0.10, "in four": 0.10, "missed": 0.25}
"""What becomes of the cases, and of what share of them."""
ATTRIBUTES = {
    "type": ("artificial", "simulated"),
    "obfuscation": ("none", "random", "translation", "summary"),
    "obfuscation_degree": tuple(f"{degree / 100:.2f}" for degree in range(100)),
    "this_language": ("en",),
    "source_language": ("en", "de", "es"),
}
"""What PAN's truths say of a case beside its place."""
ANNOTATIONS_PER_CASE = 2.3
"""The case itself and 1.3 detections, of which 0.15 are false."""


@dataclass(frozen=True)
class Sample:
    """A truth, a run on it, and the lengths of the documents they name."""

    cases: Annotations
    detections: Annotations
    lengths: Lengths

    def __len__(self) -> int:
        return len(self.cases) + len(self.detections)


@dataclass(frozen=True)
class _Side:
    """One side of many annotations: document number, first offset, first offset behind."""

    document: Ints
    start: Ints
    end: Ints

    def __len__(self) -> int:
        return len(self.document)

    def take(self, rows: Ints) -> _Side:
        return _Side(self.document[rows], self.start[rows], self.end[rows])


def make_sample(annotations: int, cases_per_document: int, seed: int = 0) -> Sample:
    """Make a truth and a run of so many annotations together."""
    rng = np.random.default_rng(seed)
    count = max(1, round(annotations / ANNOTATIONS_PER_CASE))
    suspicious, sizes = _lay_out(rng, count, cases_per_document)
    source_sizes = rng.permutation(sizes)
    copied_from = (suspicious.document + rng.integers(0, SOURCES, count)) % len(sizes)
    source = _anywhere(rng, suspicious.end - suspicious.start, copied_from, source_sizes)
    detected, detected_source = _detect(rng, (suspicious, source), (sizes, source_sizes), annotations - count)
    names, source_names = _names("suspicious", len(sizes)), _names("source", len(sizes))
    said = {
        name: Coded(values, rng.integers(0, len(values), count, dtype=np.int32))
        for name, values in ATTRIBUTES.items()
    }
    return Sample(
        _annotations(suspicious, source, names, source_names, said),
        _annotations(detected, detected_source, names, source_names),
        Lengths(_by_name(names, sizes), _by_name(source_names, source_sizes)),
    )


def _lay_out(rng: np.random.Generator, count: int, per_document: int) -> tuple[_Side, Ints]:
    """Return the cases, one behind the other in each document, and the documents' lengths."""
    document = np.arange(count) // per_document
    length = rng.integers(*CASE_LENGTH, count)
    reach = np.cumsum(length + rng.integers(*GAP, count))
    first = np.arange(0, count, per_document)
    base = np.concatenate([[0], reach[first[1:] - 1]])
    end = reach - base[document]
    last = np.append(first[1:], count) - 1
    return _Side(document, end - length, end), end[last] + GAP[1]


def _anywhere(rng: np.random.Generator, length: Ints, document: Ints, sizes: Ints) -> _Side:
    """Return passages of these lengths at random places of these documents."""
    length = np.minimum(length, sizes[document])
    start = rng.integers(0, sizes[document] - length, endpoint=True)
    return _Side(document, start, start + length)


def _detect(
    rng: np.random.Generator, cases: tuple[_Side, _Side], sizes: tuple[Ints, Ints], wanted: int
) -> tuple[_Side, _Side]:
    """Return both sides of a run in random order: what became of the cases, the rest false detections."""
    count = len(cases[0])
    quantiles = (np.arange(count) + 0.5) / count
    fate = rng.permutation(np.searchsorted(np.cumsum(list(FATES.values())), quantiles))
    exact, shifted, in_two, in_four, _ = (np.flatnonzero(fate == n) for n in range(len(FATES)))
    found = len(exact) + len(shifted) + 2 * len(in_two) + 4 * len(in_four)
    length = rng.integers(*CASE_LENGTH, max(0, wanted - found))
    sides = []
    for side, size in zip(cases, sizes, strict=True):
        false = _anywhere(rng, length, rng.integers(0, len(size), len(length)), size)
        moved = _shifted(rng, side.take(shifted), size)
        pieces = _split(side.take(in_two), 2), _split(side.take(in_four), 4)
        sides.append(_joined(side.take(exact), moved, *pieces, false))
    order = rng.permutation(len(sides[0]))
    return sides[0].take(order), sides[1].take(order)


def _shifted(rng: np.random.Generator, side: _Side, sizes: Ints) -> _Side:
    """Move both borders a little, but not out of the document."""
    start = side.start + rng.integers(-MARGIN, MARGIN, len(side))
    end = side.end + rng.integers(-MARGIN, MARGIN, len(side))
    return _Side(side.document, np.maximum(start, 0), np.minimum(end, sizes[side.document]))


def _split(side: _Side, pieces: int) -> _Side:
    """Cut each passage into pieces with gaps of a tenth between them."""
    step = (side.end - side.start) // pieces
    start = (side.start[:, None] + step[:, None] * np.arange(pieces)).ravel()
    return _Side(np.repeat(side.document, pieces), start, start + np.repeat(step - step // 10, pieces))


def _joined(*sides: _Side) -> _Side:
    return _Side(
        np.concatenate([side.document for side in sides]),
        np.concatenate([side.start for side in sides]),
        np.concatenate([side.end for side in sides]),
    )


def _names(kind: str, count: int) -> tuple[str, ...]:
    return tuple(f"{kind}-document{number:06d}.txt" for number in range(count))


def _by_name(names: tuple[str, ...], sizes: Ints) -> dict[str, int]:
    return dict(zip(names, sizes.tolist(), strict=True))


def _annotations(
    suspicious: _Side,
    source: _Side,
    names: tuple[str, ...],
    source_names: tuple[str, ...],
    attributes: Mapping[str, Coded] = MappingProxyType({}),
) -> Annotations:
    return Annotations(
        Coded(names, suspicious.document.astype(np.int32)),
        suspicious.start,
        suspicious.end - suspicious.start,
        Coded(source_names, source.document.astype(np.int32)),
        source.start,
        source.end - source.start,
        attributes,
    )
