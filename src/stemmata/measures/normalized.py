"""Normalised precision and recall (Belyy, Dubova, Nekrasov: ACL 2018).

Plagdet rewards whoever reports the whole source document when the true source passage nearly fills
it: the overlap of two large subsets of a document cannot be small. Normalisation measures the overlap
from its lower bound and gives little weight to a side where lower and upper bound are close.
"""

from __future__ import annotations

import numpy as np

from stemmata.measures.matching import Coverage, Floats, Table
from stemmata.model.annotations import Mask
from stemmata.model.spans import Ints, union_lengths

EPSILON = 1e-16
"""Added to b - a, as the reference does, so that a side without any detection still has a weight."""


def normalized_shares(subjects: Table, cover: Coverage, length: Ints, source_length: Ints) -> Floats:
    """Return the normalised recall of each subject (with detections as subjects: precision).

    Per side i with document d, subject s, and r the union of the *whole* detecting objects::

        a = max(0, |r| + |s| - |d|)      least overlap that r and s can have
        b = min(|r|, |s|)                largest (the slides' min(0, ...) is a slip)
        w = (b - a) / |d|                how much the overlap tells
        nrec = sum_i (|s & r| - a) w / sum_i (|s| - a) w

    It is 1 where the objects cover both documents entirely. An intrinsic subject has no source side.

    Parameters
    ----------
    length, source_length
        Characters of the documents each subject lies in; the latter is ignored for intrinsic subjects.
    """
    external = subjects.external
    above = np.zeros(len(subjects))
    below = np.zeros(len(subjects))
    everything = np.ones(len(subjects), dtype=bool)
    sides: tuple[tuple[Ints, Ints, Ints, Ints, Mask], ...] = (
        (subjects.length, cover.covered, cover.reach, length, np.ones(len(subjects), dtype=bool)),
        (subjects.source_length, cover.source_covered, cover.source_reach, source_length, external),
    )
    for size, shared, reach, document, present in sides:
        least = np.maximum(0, reach + size - document)
        most = np.minimum(reach, size)
        weight = np.where(present, (most - least + EPSILON) / np.maximum(document, 1), 0.0)
        above += (shared - least) * weight
        below += (size - least) * weight
        everything &= (reach == document) | ~present
    # Nothing can be missed where the denominator is 0: an empty side, the other one covered entirely.
    shares = np.divide(above, below, out=np.ones(len(subjects)), where=below > 0)
    return np.where(everything, 1.0, shares)


def reference_micro(
    subjects: Table, objects: Table, cover: Coverage, counter: Coverage, length: Ints, source_length: Ints
) -> float:
    """Return micro-averaged normalised recall exactly as the authors' program computes it.

    The formula of `normalized_shares` with a document's subjects taken together, summed over
    suspicious documents and source documents alike. Subjects in suspicious documents without any
    object are left out, so that a detector is not charged for what it never looked at; use it to
    compare with published figures only.

    Parameters
    ----------
    cover, counter
        The coverage of the subjects by the objects, and of the objects by the subjects.
    length, source_length
        Characters of each suspicious and each source document, by number.
    """
    looked_at = np.zeros(len(length), dtype=bool)
    looked_at[objects.suspicious] = True
    seen = looked_at[subjects.suspicious]
    with_source = seen & subjects.external
    sides = (
        (subjects.suspicious[seen], subjects.start[seen], subjects.end[seen]),
        (subjects.source[with_source], subjects.source_start[with_source], subjects.source_end[with_source]),
    )
    hit, hit_external = counter.hits > 0, counter.hit_external
    other_sides = (
        (objects.suspicious[hit], objects.start[hit], objects.end[hit]),
        (objects.source[hit_external], objects.source_start[hit_external], objects.source_end[hit_external]),
    )
    above = below = 0.0
    everything = True
    for mine, theirs, document in zip(sides, other_sides, (length, source_length), strict=True):
        n = len(document)
        size, reach = union_lengths(*mine, n), union_lengths(*theirs, n)
        group, start, end = (np.concatenate(both) for both in zip(mine, theirs, strict=True))
        together = union_lengths(group, start, end, n)
        least = np.maximum(0, reach + size - document)
        weight = (np.minimum(reach, size) - least) / np.maximum(document, 1)
        above += float(((size + reach - together - least) * weight).sum())
        below += float(((size - least) * weight).sum())
        everything &= bool(np.all((reach == document)[size > 0]))
    if below > 0:
        return above / below
    return float(everything and bool(cover.hits.any()))
