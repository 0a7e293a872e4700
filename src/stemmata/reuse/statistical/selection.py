"""Selection: what is known of each refined passage, and which of several that overlap to keep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from stemmata.model import Span
from stemmata.model.annotations import Mask
from stemmata.reuse.statistical.context import Context
from stemmata.reuse.statistical.evidence import RAREST, TEMPERED, Evidence, Floats
from stemmata.reuse.statistical.refinement import Finding
from stemmata.reuse.statistical.summary import Summary
from stemmata.reuse.statistical.windows import Block

PASSAGE_FEATURES = (
    "shared_weight",
    "score",
    "score_per_word",
    "similarity",
    "rare_types",
    "coverage",
    "source_coverage",
    "least_coverage",
    "word_coverage",
    "source_word_coverage",
    "context",
    "source_context",
    "length_ratio",
    "overlap_with_stronger",
)
SUMMARY_FEATURES = (
    "score",
    "score_per_word",
    "rare_types",
    "matched",
    "spread",
    "concentration",
    "distinct_concentration",
    "local_gain",
    "window",
    "covered_by_passage",
    "passage_coverage",
    "passage_source_coverage",
    "explained",
)

_COMMONEST = 0.002
_RARE = 0.001


class Described(NamedTuple):
    """A finding with its features, by the names of `PASSAGE_FEATURES`."""

    finding: Finding
    features: dict[str, float]


def describe_passages(
    evidence: Evidence, contexts: tuple[Context, Context], findings: list[Finding]
) -> list[Described]:
    """Measure each finding: how much evidence, how dense on both sides, and whether others are stronger."""
    described = [_describe(evidence, contexts, finding) for finding in findings]
    for one, shared in zip(described, _overlaps_with_stronger(described), strict=True):
        one.features["overlap_with_stronger"] = shared
    return described


def _overlaps_with_stronger(described: list[Described]) -> list[float]:
    """Return the greatest share of each finding, on either side, that lies in one of greater weight."""
    weight = np.array([one.features["shared_weight"] for one in described])
    # First and last word, in the suspicious document and in the source.
    ends = np.array([one.finding.block for one in described]).reshape(-1, 2, 2)
    start, end = ends[..., 0], ends[..., 1]
    common = np.minimum(end[:, None], end) - np.maximum(start[:, None], start)
    share = (np.maximum(common, 0) / np.maximum(end - start, 1)[:, None]).max(axis=2)
    share[weight <= weight[:, None]] = 0.0
    return [float(most) for most in share.max(axis=1, initial=0.0)]


def _describe(evidence: Evidence, contexts: tuple[Context, Context], finding: Finding) -> Described:
    mine, theirs = finding.block
    size = len(evidence.share)
    my_count = np.bincount(evidence.suspicious.types[mine.start : mine.end], minlength=size)
    their_count = np.bincount(evidence.source.types[theirs.start : theirs.end], minlength=size)
    words = len(evidence.suspicious) + len(evidence.source)
    # A word's share outside the passages: inside, it is the passage that makes it frequent.
    share = np.maximum(RAREST, TEMPERED * (evidence.count - my_count - their_count) / words)
    weight = evidence.telling * np.maximum(0.0, np.log(_COMMONEST / share))
    both = np.minimum(my_count, their_count)
    common = int(np.add.reduce(both))
    rare = (both > 0) & (share < _RARE) & (evidence.telling > 0)
    shared_weight = float(both @ weight)
    coverage = shared_weight / max(float(my_count @ weight), 1e-9)
    source_coverage = shared_weight / max(float(their_count @ weight), 1e-9)
    length, source_length = mine.length, theirs.length
    features = {
        "shared_weight": float(np.log(max(shared_weight, 1e-3))),
        "score": float(np.log(max(finding.score, 1.0))),
        "score_per_word": finding.score / (length + source_length),
        "similarity": finding.similarity,
        "rare_types": float(np.log1p(np.count_nonzero(rare))),
        "coverage": coverage,
        "source_coverage": source_coverage,
        "least_coverage": min(coverage, source_coverage),
        "word_coverage": common / length,
        "source_word_coverage": common / source_length,
        "context": float(np.count_nonzero(contexts[0].flags(mine, theirs)) / length),
        "source_context": float(np.count_nonzero(contexts[1].flags(theirs, mine)) / source_length),
        "length_ratio": abs(float(np.log(length / source_length))),
    }
    return Described(finding, features)


def _shared(one: Span, other: Span) -> float:
    """Return the share of one span that lies in the other."""
    return one.clip(other).length / max(1, one.length)


def describe_summary(evidence: Evidence, summary: Summary, passages: list[Described]) -> dict[str, float]:
    """Measure a summary, and how well a passage of the ordinary kind explains the same words."""
    mine = summary.block.suspicious
    covered, coverage, source_coverage = 0.0, 0.0, 0.0
    for finding, features in passages:
        shared = _shared(mine, finding.block.suspicious)
        if shared > 0:
            size = min(1.0, finding.block.suspicious.length / 40)
            covered = max(covered, shared)
            coverage = max(coverage, features["least_coverage"] * size)
            source_coverage = max(source_coverage, shared * features["source_coverage"])
    return {
        "score": float(np.log(summary.score)),
        "score_per_word": summary.score / mine.length,
        "rare_types": float(np.log1p(summary.rare)),
        "matched": summary.matched,
        "spread": summary.spread,
        "concentration": summary.concentration,
        "distinct_concentration": summary.distinct_concentration,
        "local_gain": summary.local_gain,
        "window": float(np.log(summary.window)),
        "covered_by_passage": covered,
        "passage_coverage": coverage,
        "passage_source_coverage": source_coverage,
        "explained": max((_explained(evidence, mine, one.finding.block) for one in passages), default=0.0),
    }


def _explained(evidence: Evidence, summary: Span, passage: Block) -> float:
    """Return the share of a summary's evidence, by weight of distinct words, that a passage explains."""
    mine = summary.clip(passage.suspicious)
    if not mine.length:
        return 0.0
    weights = evidence.weights(_COMMONEST)[: evidence.shared_types]

    def weight_of(words: Span, present: Mask) -> float:
        here = np.zeros(evidence.shared_types + 1, dtype=bool)
        here[evidence.suspicious.shared[words.start : words.end]] = True
        return float(weights[here[:-1] & present].sum())

    there = np.zeros(evidence.shared_types + 1, dtype=bool)
    there[evidence.source.shared[passage.source.start : passage.source.end]] = True
    total = weight_of(summary, np.ones(evidence.shared_types, dtype=bool))
    return weight_of(mine, there[:-1]) / max(total, 1e-9)


def as_matrix(features: list[dict[str, float]], names: tuple[str, ...]) -> Floats:
    """Return one row per description."""
    return np.array([[one[name] for name in names] for one in features]).reshape(-1, len(names))


def without_overlaps(blocks: list[Block], probability: Floats, most: float = 0.3) -> list[Block]:
    """Keep the likeliest of blocks that share more than this part of the suspicious words of either."""
    kept: list[Block] = []
    for i in np.argsort(-probability, kind="stable"):
        mine = blocks[i].suspicious
        if all(
            mine.clip(other.suspicious).length <= most * min(mine.length, other.suspicious.length)
            for other in kept
        ):
            kept.append(blocks[i])
    return kept


@dataclass(frozen=True)
class Picking:
    """When passages that follow each other are one summary, made by picking sentences.

    Attributes
    ----------
    least
        Passages it takes, in the order in which they stand in the source.
    gap
        Words that may lie between them in the suspicious document.
    longest
        Words such a passage may have: more than this is copied for its own sake.
    condensed
        Times by which the stretch of the source must be longer than the summary.
    likely
        Probability of a passage from which it may be part of a summary, one of which must be sure.
    """

    least: int = 3
    gap: int = 60
    longest: int = 150
    condensed: float = 2.5
    likely: float = 0.005

    def runs(self, blocks: list[Block], sure: set[Block]) -> list[list[Block]]:
        """Return the blocks that make a summary together, and the sure ones of all others on their own."""
        runs: list[list[Block]] = []
        for block in sorted(blocks):
            if runs and self._follows(runs[-1][-1], block):
                runs[-1].append(block)
            elif block in sure or not (runs and self._near(runs[-1][-1], block)):
                runs.append([block])
        return [
            part
            for run in runs
            for part in (
                [run]
                if self._is_summary(run) and not sure.isdisjoint(run)
                else [[one] for one in run if one in sure]
            )
        ]

    def _follows(self, one: Block, two: Block) -> bool:
        return (
            max(one.suspicious.length, two.suspicious.length) <= self.longest
            and self._near(one, two)
            and two.source.start >= one.source.end
        )

    def _near(self, one: Block, two: Block) -> bool:
        return two.suspicious.start - one.suspicious.end <= self.gap

    def _is_summary(self, run: list[Block]) -> bool:
        mine, theirs = (last.end - first.start for first, last in zip(run[0], run[-1], strict=True))
        return len(run) >= self.least and theirs >= self.condensed * mine
