"""``stemmata``: our own text aligner, from word statistics of the two documents alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

from stemmata.model import Detection, ErrorCode, Pair, Span, StemmataError
from stemmata.model.parameters import tunable
from stemmata.reuse.parameters import Example, ParameterFile
from stemmata.reuse.parts.sentence_fragments import shorter_side
from stemmata.reuse.statistical.context import find_context
from stemmata.reuse.statistical.decision import Decision
from stemmata.reuse.statistical.evidence import Evidence
from stemmata.reuse.statistical.merging import Merging, extend_over_equal_words
from stemmata.reuse.statistical.refinement import Finding, Refinement
from stemmata.reuse.statistical.runs import Run, Runs
from stemmata.reuse.statistical.selection import (
    PASSAGE_FEATURES,
    SUMMARY_FEATURES,
    Described,
    Picking,
    as_matrix,
    describe_passages,
    describe_summary,
    without_overlaps,
)
from stemmata.reuse.statistical.summary import Summaries, Summary
from stemmata.reuse.statistical.windows import Block, Candidate, WindowGrid


class Proposals(NamedTuple):
    """What the steps before the decision found in a pair, and where each block stands in the texts."""

    detections: dict[Block, Detection]
    passages: list[Described]
    summaries: list[Summary]
    summary_features: list[dict[str, float]]
    runs: list[Run]


@dataclass(frozen=True)
class Decisions:
    """Which passages and which summaries to keep, and what they were fitted to."""

    passages: Decision = field(repr=False)
    summaries: Decision = field(repr=False)
    fitted_to: str

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> Decisions:
        """Make decisions from the form in which a parameter file stores them."""
        try:
            passages, summaries = Decision.from_json(said["passages"]), Decision.from_json(said["summaries"])
            sound = passages.fits(PASSAGE_FEATURES) and summaries.fits(SUMMARY_FEATURES)
        except (KeyError, TypeError, ValueError, OverflowError):
            sound = False
        if not sound:
            reason = "'fitted' holds no decisions of this version"
            raise StemmataError(ErrorCode.NOT_PARAMETERS, reason=reason)
        return cls(passages, summaries, str(said.get("fitted_to", "unknown"))[:80])

    def as_json(self) -> dict[str, Any]:
        """Return the form in which a parameter file stores them."""
        made = {"passages": self.passages.as_json(), "summaries": self.summaries.as_json()}
        return {"fitted_to": self.fitted_to, **made}


@cache
def fitted_decisions() -> Decisions:
    """Return the decisions that come with the package; `stemmata.reuse.statistical.training` made them."""
    text = (files("stemmata.reuse.statistical") / "fitted.json").read_text("utf-8")
    return Decisions.from_json(ParameterFile.parse(text, "fitted.json").fitted or {})


@dataclass(frozen=True, repr=False)
class StemmataAligner:
    """Aligns two documents by the words they share, wherever these are more than chance.

    Windows that resemble each other are candidates; each is refined to the passages whose words were
    most likely drawn from each other; neighbours are merged; a fitted decision keeps those that are
    reuse. A passage may also summarise a long stretch of the source, or all of it. Whole sentences whose
    words stand in the same order in both are reuse, too, however short.

    Attributes
    ----------
    windows, refinement, merging, summaries, picking, runs
        The steps with their parameters.
    decisions
        What to keep; by default as fitted to the training corpus of PAN13.
    least_characters
        Passages shorter than this, in either document, are dropped, but for whole sentences.
    absorb
        A passage this near to a summary, or a sentence this near to a passage, in words, belongs to it.
    """

    windows: WindowGrid = field(default_factory=WindowGrid)
    refinement: Refinement = field(default_factory=Refinement)
    merging: Merging = field(default_factory=Merging)
    summaries: Summaries = field(default_factory=Summaries)
    picking: Picking = field(default_factory=Picking)
    runs: Runs = field(default_factory=Runs)
    decisions: Decisions = field(default_factory=fitted_decisions)
    least_characters: int = tunable(100, 20, 300)
    absorb: int = tunable(60, 0, 200)

    def __repr__(self) -> str:
        """Name what decides the result: the fit, and parameters that are not the usual ones."""
        usual = StemmataAligner(decisions=self.decisions)
        changed = [
            f"{one.name}={getattr(self, one.name)!r}"
            for one in fields(self)
            if getattr(self, one.name) != getattr(usual, one.name)
        ]
        return f"StemmataAligner({', '.join([f'fitted_to={self.decisions.fitted_to!r}', *changed])})"

    def align(self, pair: Pair) -> list[Detection]:
        """Return the passages of the suspicious document that come from the source, in its order."""
        return self.choose(self.propose(pair))

    def learn(self, examples: Sequence[Example]) -> Mapping[str, Any]:
        """Return decisions fitted to examples, for the steps with these parameters."""
        from stemmata.reuse.statistical.training import learn

        return learn(self, examples).as_json()

    def with_fit(self, fitted: Mapping[str, Any]) -> StemmataAligner:
        """Return the same aligner with decisions that were fitted before."""
        return replace(self, decisions=Decisions.from_json(fitted))

    def propose(self, pair: Pair) -> Proposals:
        """Return all passages and summaries that may be reuse, described."""
        evidence = Evidence.of(pair)
        if not evidence.shared_types:
            return Proposals({}, [], [], [], [])
        passages = self._passages(evidence)
        summaries = self.summaries.find(evidence)
        runs = self.runs.find(evidence)
        blocks = [one.finding.block for one in passages]
        blocks += [summary.block for summary in summaries] + [run.block for run in runs]
        detections = {block: _detection(pair, evidence, block) for block in blocks}
        return Proposals(
            detections,
            passages,
            summaries,
            [describe_summary(evidence, summary, passages) for summary in summaries],
            runs,
        )

    def choose(self, proposals: Proposals) -> list[Detection]:
        """Return the proposals that are reuse, without overlaps, in the order of the suspicious document."""
        keep = self.decisions.passages
        probability = keep.probability(
            as_matrix([one.features for one in proposals.passages], PASSAGE_FEATURES)
        )
        summaries = self._likely_summaries(proposals)
        blocks = [one.finding.block for one in proposals.passages]
        maybe = [
            i
            for i in np.flatnonzero(probability >= min(self.picking.likely, keep.threshold))
            if all(_gap(blocks[i].suspicious, one.suspicious) > self.absorb for one in summaries)
        ]
        sure = [i for i in maybe if probability[i] >= keep.threshold]
        taken = without_overlaps([blocks[i] for i in sure], probability[sure])
        sentences = self._sentences(proposals.runs, taken, summaries)
        # Sentences come behind sure passages and before all others.
        rank = np.append(probability[maybe] + (probability[maybe] >= keep.threshold), np.ones(len(sentences)))
        kept = without_overlaps([blocks[i] for i in maybe] + sentences, rank)
        chosen = self.picking.runs(kept, {*taken, *sentences}) + [[block] for block in summaries]
        return [
            found
            for run in sorted(chosen)
            for found in [_joined([proposals.detections[block] for block in run])]
            if shorter_side(found) >= self.least_characters or run[0] in sentences
        ]

    def _sentences(self, runs: list[Run], taken: list[Block], summaries: list[Block]) -> list[Block]:
        """Return the runs that no passage holds or continues, and no summary either."""

        def belongs(one: Block, other: Block) -> bool:
            near = [_gap(mine, theirs) <= self.absorb for mine, theirs in zip(one, other, strict=True)]
            return near[0] and (near[1] or other in summaries or one.suspicious.overlaps(other.suspicious))

        return [run.block for run in runs if not any(belongs(run.block, one) for one in taken + summaries)]

    def _likely_summaries(self, proposals: Proposals) -> list[Block]:
        keep = self.decisions.summaries
        probability = keep.probability(as_matrix(proposals.summary_features, SUMMARY_FEATURES))
        return [proposals.summaries[i].block for i in np.flatnonzero(probability >= keep.threshold)]

    def _passages(self, evidence: Evidence) -> list[Described]:
        candidates = self.windows.candidates(evidence)
        if not candidates:
            return []
        context = find_context(evidence)
        sides = self.refinement.sides(evidence, context)
        found: list[Finding] = []
        for candidate in candidates:
            if not any(_inside(candidate, finding) for finding in found):
                found.append(self.refinement.refine(candidate, sides))
        merged = [
            finding._replace(block=extend_over_equal_words(evidence, finding.block))
            for finding in self.merging.merge(found)
        ]
        return describe_passages(evidence, (sides[0].context, sides[1].context), merged)


def _inside(candidate: Candidate, finding: Finding) -> bool:
    """Tell whether a finding covers a candidate already."""
    (mine, theirs), (my_range, their_range) = candidate.block, finding.block
    return (
        my_range.start <= mine.start
        and mine.end <= my_range.end
        and their_range.start <= theirs.start
        and theirs.end <= their_range.end
    )


def _gap(one: Span, two: Span) -> int:
    return max(one.start, two.start) - min(one.end, two.end)


def _joined(run: list[Detection]) -> Detection:
    """Return what reaches from the first detection to the last, in both documents."""
    if len(run) == 1:
        return run[0]
    sides = [[one.suspicious for one in run], [one.source for one in run if one.source]]
    mine, theirs = (side[0]._replace(length=side[-1].end - side[0].offset) for side in sides)
    return Detection(mine, theirs)


def _detection(pair: Pair, evidence: Evidence, block: Block) -> Detection:
    return Detection(
        evidence.suspicious.passage(pair.suspicious.name, block.suspicious),
        evidence.source.passage(pair.source.name, block.source),
    )
