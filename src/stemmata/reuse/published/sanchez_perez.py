"""The winner of PAN's text alignment of 2014, and its successors: sentences alike, joined and validated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

from stemmata.model import Detection, Pair
from stemmata.model.parameters import refuse_negative, tunable, with_parameters
from stemmata.model.spans import Ints
from stemmata.reuse.parameters import ParameterFile
from stemmata.reuse.parts.sentence_fragments import (
    Fragment,
    detection,
    extend_validated,
    overlap_quality,
    resolve_overlaps,
    shorter_side,
)
from stemmata.reuse.parts.sentence_similarity import SentencePair
from stemmata.reuse.parts.sentence_terms import Preparation, sentence_terms
from stemmata.reuse.parts.word_runs import common_runs

PORTER = Preparation(algorithm="porter")
SNOWBALL = Preparation(algorithm=None, shortest_token=3)


@dataclass(frozen=True)
class Search:
    """Seeds of similar sentences, extended, validated, freed of overlaps: what all of them do.

    Attributes
    ----------
    cosine, dice
        A sentence pair whose cosine and Dice coefficient both exceed these is a seed.
    validation
        A fragment is kept if the cosine of its two sides exceeds this.
    gap, least_gap
        Sentences without a seed that a fragment may span, at first and at the last attempt to validate it.
    min_length
        Passages of fewer characters, in either document, are dropped.
    """

    cosine: float = tunable(0.30, 0.05, 0.6)
    dice: float = tunable(0.33, 0.0, 0.6)
    validation: float = tunable(0.34, 0.1, 0.7)
    gap: int = tunable(4, 0, 40)
    least_gap: int = tunable(0, 0, 10)
    min_length: int = tunable(150, 50, 400)

    def __post_init__(self) -> None:
        refuse_negative(self)

    def seeds(self, sentences: SentencePair) -> Ints:
        """Return the sentence pairs that are alike, one per row."""
        return sentences.seeds(self.cosine, self.dice)

    def find(self, pair: Pair, sentences: SentencePair, seeds: Ints) -> list[Detection]:
        """Return the detections in the order of the suspicious document."""
        suspicious, source = sentences.suspicious.sentences, sentences.source.sentences

        def valid(fragment: Fragment) -> bool:
            return sentences.fragment_cosine(*fragment) > self.validation

        fragments = resolve_overlaps(
            extend_validated(seeds, self.gap, min(self.gap, self.least_gap), valid),
            overlap_quality(sentences.best_cosine),
        )
        found = (detection(pair, suspicious, source, fragment) for fragment in fragments)
        return [one for one in found if shorter_side(one) >= self.min_length]


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
    cosine: float = tunable(0.33, 0.05, 0.6)
    dice: float = tunable(0.33, 0.0, 0.6)
    validation: float = tunable(0.40, 0.1, 0.7)
    gap: int = tunable(4, 0, 12)
    least_gap: int = tunable(2, 0, 8)
    summary_gap: int = tunable(24, 8, 60)
    summary_ratio: float = tunable(3.0, 1.0, 6.0)
    min_length: int = tunable(150, 50, 400)
    preparation: Preparation = PORTER

    def __post_init__(self) -> None:
        refuse_negative(self)

    def align(self, pair: Pair) -> list[Detection]:
        """Return the detections in the order of the suspicious document."""
        sentences = _sentences(pair, self.preparation)
        seeds = self._search(self.gap).seeds(sentences)
        summary = self._search(self.summary_gap).find(pair, sentences, seeds)
        if is_summary(summary, self.summary_ratio):
            return summary
        return self._search(self.gap).find(pair, sentences, seeds)

    def _search(self, gap: int) -> Search:
        return Search(self.cosine, self.dice, self.validation, gap, self.least_gap, self.min_length)


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

    cosine: float = tunable(0.30, 0.05, 0.6)
    validation: float = tunable(0.34, 0.1, 0.7)
    least_gap: int = tunable(0, 0, 8)
    preparation: Preparation = SNOWBALL
    verbatim: int = tunable(256, 100, 600)

    def align(self, pair: Pair) -> list[Detection]:
        """Return the verbatim copies, or else what the algorithm of 2014 finds."""
        return list(_copies(pair, self.verbatim)) or super().align(pair)


@dataclass(frozen=True)
class SanchezPerez2018:
    """The pipeline of 2015, with parameters of its own for each kind of obfuscation, tuned.

    Sanchez-Perez, Gelbukh, Sidorov and Gómez-Adorno, "Plagiarism Detection with Genetic-Based Parameter
    Tuning", International Journal of Pattern Recognition and Artificial Intelligence 32 (1), 2018. Its
    parameters are not public; `sanchez_perez_2018` has those that ``stemmata tune`` found.

    Attributes
    ----------
    verbatim
        Runs of common words longer than this, in characters, are copies; a pair with any has nothing else.
    summary_ratio
        Source passages this many times as long as the suspicious are a summary.
    summary, paraphrase
        How summaries are looked for, and, where there is none, everything else.
    """

    verbatim: int = tunable(256, 100, 600)
    summary_ratio: float = tunable(3.0, 1.0, 6.0)
    summary: Search = Search(gap=24)
    paraphrase: Search = Search()
    preparation: Preparation = SNOWBALL

    def __post_init__(self) -> None:
        refuse_negative(self)

    def align(self, pair: Pair) -> list[Detection]:
        """Return the verbatim copies, or else a summary, or else what else is alike."""
        if copies := list(_copies(pair, self.verbatim)):
            return copies
        sentences = _sentences(pair, self.preparation)
        summary = self.summary.find(pair, sentences, self.summary.seeds(sentences))
        if is_summary(summary, self.summary_ratio):
            return summary
        return self.paraphrase.find(pair, sentences, self.paraphrase.seeds(sentences))


def sanchez_perez_2018() -> SanchezPerez2018:
    """As in 2015, with parameters found by an evolutionary search."""
    text = (files(__package__) / "sanchez-perez-2018.json").read_text("utf-8")
    return with_parameters(
        SanchezPerez2018(), ParameterFile.parse(text, "sanchez-perez-2018.json").parameters
    )


def is_summary(found: list[Detection], ratio: float) -> bool:
    """Tell whether the source passages are so much longer than the suspicious that they were summarised."""
    if not found:
        return False
    ours, theirs = (sum(side) for side in zip(*map(_lengths, found), strict=True))
    return bool(theirs >= ratio * ours)


def _sentences(pair: Pair, preparation: Preparation) -> SentencePair:
    return SentencePair(
        sentence_terms(pair.suspicious, preparation), sentence_terms(pair.source, preparation)
    )


def _copies(pair: Pair, longer_than: int) -> Iterator[Detection]:
    for run in common_runs(pair):
        if shorter_side(run) > longer_than:
            yield run


def _lengths(detection: Detection) -> tuple[int, int]:
    return detection.suspicious.length, detection.source.length if detection.source else 0
