"""The winner of PAN's text alignment of 2014, and its successor: sentences alike, joined and validated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

from stemmata.model import Detection, ErrorCode, Pair, StemmataError
from stemmata.model.spans import Ints
from stemmata.reuse.parts.sentence_fragments import (
    Fragment,
    detection,
    extend_validated,
    overlap_quality,
    resolve_overlaps,
)
from stemmata.reuse.parts.sentence_similarity import SentencePair
from stemmata.reuse.parts.sentence_terms import Preparation, sentence_terms
from stemmata.reuse.parts.word_runs import common_runs

PORTER = Preparation(algorithm="porter")
SNOWBALL = Preparation(algorithm=None, shortest_token=3)


@dataclass(frozen=True)
class SanchezPerez2014:
    """Seeds of similar sentences, extended, validated, freed of overlaps.

    Sanchez-Perez, Sidorov and Gelbukh, "A Winning Approach to Text Alignment for Text Reuse Detection at
    PAN 2014", CLEF 2014 working notes.

    Attributes
    ----------
    cosine, dice
        A sentence pair whose cosine and Dice coefficient both exceed these is a seed.
    validation
        A fragment is kept if the cosine of its two sides exceeds this.
    gap, least_gap
        Sentences without a seed that a fragment may span, at first and at the last attempt to validate it.
    summary_gap
        The gap with which summaries are looked for.
    summary_ratio
        Found with the summary gap, source passages this many times as long as the suspicious are a summary.
    min_length
        Passages of fewer characters, in either document, are dropped.
    preparation
        How documents become sentences of terms.
    """

    # The paper takes sentences from Punkt. Ours are those of nupunkt, the splitter of this package; it ends
    # fewer of them behind short words; docs/detectors.md tells what that changes.
    cosine: float = 0.33
    dice: float = 0.33
    validation: float = 0.40
    gap: int = 4
    least_gap: int = 2
    summary_gap: int = 24
    summary_ratio: float = 3.0
    min_length: int = 150
    preparation: Preparation = PORTER

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not isinstance(value, Preparation) and value < 0:
                raise StemmataError(
                    ErrorCode.BAD_PARAMETER, name=field.name, value=value, rule="it must not be negative"
                )

    def align(self, pair: Pair) -> list[Detection]:
        """Return the detections in the order of the suspicious document."""
        suspicious = sentence_terms(pair.suspicious, self.preparation)
        source = sentence_terms(pair.source, self.preparation)
        sentences = SentencePair(suspicious, source)
        seeds = sentences.seeds(self.cosine, self.dice)

        def found(gap: int) -> list[Detection]:
            fragments = self._fragments(sentences, seeds, gap)
            made = (detection(pair, suspicious, source, fragment) for fragment in fragments)
            return [one for one in made if min(_lengths(one)) >= self.min_length]

        summary = found(self.summary_gap)
        if summary and self._is_summary(summary):
            return summary
        return found(self.gap)

    def _fragments(self, sentences: SentencePair, seeds: Ints, gap: int) -> list[Fragment]:
        def valid(fragment: Fragment) -> bool:
            return sentences.fragment_cosine(*fragment) > self.validation

        fragments = extend_validated(seeds, gap, self.least_gap, valid)
        return resolve_overlaps(fragments, overlap_quality(sentences))

    def _is_summary(self, detections: list[Detection]) -> bool:
        lengths = [_lengths(one) for one in detections]
        ours, theirs = (sum(side) for side in zip(*lengths, strict=True))
        return bool(theirs >= self.summary_ratio * ours)


@dataclass(frozen=True)
class SanchezPerez2015(SanchezPerez2014):
    """As in 2014, with other parameters, and verbatim copies looked for first.

    Sanchez-Perez, Gelbukh and Sidorov, "Adaptive Algorithm for Plagiarism Detection: The Best-Performing
    Approach at PAN 2014 Text Alignment Competition", CLEF 2015.

    Attributes
    ----------
    verbatim
        Runs of common words longer than this, in characters, are copies; a pair with any has nothing else.
    """

    cosine: float = 0.30
    validation: float = 0.34
    least_gap: int = 0
    preparation: Preparation = SNOWBALL
    verbatim: int = 256

    def align(self, pair: Pair) -> list[Detection]:
        """Return the verbatim copies, or else what the algorithm of 2014 finds."""
        return list(self._copies(pair)) or super().align(pair)

    def _copies(self, pair: Pair) -> Iterator[Detection]:
        for run in common_runs(pair):
            if min(_lengths(run)) > self.verbatim:
                yield run


def _lengths(detection: Detection) -> tuple[int, int]:
    return detection.suspicious.length, detection.source.length if detection.source else 0
