"""Merging: findings that continue each other become one, and grow over equal words at their ends."""

from __future__ import annotations

from dataclasses import dataclass

from stemmata.model import Span
from stemmata.model.parameters import tunable
from stemmata.model.spans import Ints
from stemmata.reuse.statistical.evidence import Evidence
from stemmata.reuse.statistical.refinement import Finding
from stemmata.reuse.statistical.windows import Block


@dataclass(frozen=True)
class Merging:
    """When two findings are one passage.

    Attributes
    ----------
    gap, source_gap
        Words that may lie between them in the suspicious document and in the source.
    evenness
        Share of the stronger one's evidence per word that the weaker one must have: a copy does not
        continue in a vague likeness.
    reversed_gap
        Words that may lie between them if they come in another order in the source.
    least
        Score below which a finding is dropped beforehand.
    """

    gap: int = tunable(60, 0, 200)
    source_gap: int = tunable(40, 0, 200)
    least: float = 10.0
    evenness: float = tunable(0.3, 0.0, 1.0)
    reversed_gap: int = 10

    def merge(self, findings: list[Finding]) -> list[Finding]:
        """Join findings that continue each other, until no two do."""
        pending = [finding for finding in findings if finding.score > self.least]
        merged: list[Finding] = []
        while pending:
            one = pending.pop(0)
            for i, other in enumerate(pending):
                if self._continues(one, other):
                    # The union may reach what neither reached alone.
                    pending[i] = _union(one, other)
                    pending = merged + pending
                    merged = []
                    break
            else:
                merged.append(one)
        return merged

    def _continues(self, one: Finding, two: Finding) -> bool:
        gaps = [_gap(a, b) for a, b in zip(one.block, two.block, strict=True)]
        if gaps[0] > self.gap or gaps[1] > self.source_gap:
            return False
        stronger, weaker = (one, two) if one.score >= two.score else (two, one)
        within = [max(0, -gap) / side.length > 0.5 for gap, side in zip(gaps, weaker.block, strict=True)]
        if within[0] or within[1]:
            # Within the other on one side only: the same text used twice, not a continuation.
            return within[0] and within[1]
        if _density(weaker) < self.evenness * _density(stronger):
            return False
        order = [a.start < b.start for a, b in zip(one.block, two.block, strict=True)]
        return order[0] == order[1] or max(gaps) <= self.reversed_gap


def _density(finding: Finding) -> float:
    return finding.score / (finding.block.suspicious.length + finding.block.source.length)


def _gap(one: Span, two: Span) -> int:
    return max(one.start, two.start) - min(one.end, two.end)


def _union(one: Finding, two: Finding) -> Finding:
    spans = [
        Span(min(a.start, b.start), max(a.end, b.end)) for a, b in zip(one.block, two.block, strict=True)
    ]
    stronger, weaker = (one, two) if one.score >= two.score else (two, one)
    same = all(-_gap(a, b) > 0.5 * b.length for a, b in zip(stronger.block, weaker.block, strict=True))
    score = stronger.score if same else one.score + two.score
    return Finding(Block(spans[0], spans[1]), score, stronger.similarity)


_SHIFTS = ((0, 0), (1, 0), (0, 1), (-1, 0), (0, -1))
"""An end may be a word off on one side where the texts still run on together."""


def extend_over_equal_words(evidence: Evidence, block: Block) -> Block:
    """Move the ends of a block outwards as long as both documents go on with the same words."""
    mine, theirs = evidence.suspicious.types, evidence.source.types
    end = _run_on(mine, theirs, block.suspicious.end, block.source.end)
    # The beginning is the end of the texts read backwards.
    start = _run_on(
        mine[::-1], theirs[::-1], len(mine) - block.suspicious.start, len(theirs) - block.source.start
    )
    return Block(Span(len(mine) - start[0], end[0]), Span(len(theirs) - start[1], end[1]))


def _run_on(mine: Ints, theirs: Ints, end: int, source_end: int) -> tuple[int, int]:
    for shift, source_shift in _SHIFTS:
        i, j = end + shift, source_end + source_shift
        if not (2 <= i <= len(mine) and 2 <= j <= len(theirs)):
            continue
        if mine[i - 1] == theirs[j - 1] and mine[i - 2] == theirs[j - 2]:
            while i < len(mine) and j < len(theirs) and mine[i] == theirs[j]:
                i, j = i + 1, j + 1
            return max(i, end), max(j, source_end)
    return end, source_end
