"""``stemmata-intrinsic``: passages that the rest of a document foretells badly, and they themselves well."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any, Self

import numpy as np

from stemmata.model import Case, Detection, Document, ErrorCode, Passage, StemmataError
from stemmata.model.parameters import tunable
from stemmata.reuse.intrinsic.evidence import FEATURES, WINDOWS, Evidence, gather, parts
from stemmata.reuse.intrinsic.neighbourhood import Floats
from stemmata.reuse.intrinsic.segmentation import best_part, best_runs
from stemmata.reuse.statistical.decision import MOST

LOCAL = WINDOWS[:2]
"""Windows short enough to tell where a passage ends."""
LOUD = 4.0
"""Log-odds of the local windows from which a passage stands out so clearly that its ends must, too."""

MOST_CHARACTERS = 2_000_000
"""Longer documents, longer than most novels, are examined in parts: each character takes 0.2 kB of memory."""


@dataclass(frozen=True)
class Opinion:
    """A linear opinion of a sentence: the log-odds, fitted to examples, that it is of another hand."""

    weights: tuple[float, ...]
    bias: float

    def __post_init__(self) -> None:
        if len(self.weights) != len(FEATURES):
            rule = f"it must be {len(FEATURES)} numbers"
            raise StemmataError(ErrorCode.BAD_PARAMETER, name="weights", value=len(self.weights), rule=rule)

    def __repr__(self) -> str:
        """Return a short mark of the numbers, by which runs of different opinions are told apart."""
        numbers = repr((self.weights, self.bias))
        return f"Opinion({zlib.crc32(numbers.encode()):08x})"

    def __call__(self, evidence: Evidence) -> Floats:
        """Return the log-odds of each sentence."""
        odds: Floats = evidence.features @ np.array(self.weights) + self.bias
        return odds

    def local(self, evidence: Evidence) -> Floats:
        """Return what the shorter windows alone add to the log-odds of each sentence."""
        columns = [i for i, name in enumerate(FEATURES) if name.endswith(tuple(f" {one}" for one in LOCAL))]
        odds: Floats = evidence.features[:, columns] @ np.array(self.weights)[columns]
        return odds

    def as_json(self) -> dict[str, Any]:
        """Return what a parameter file stores of it."""
        return {"weights": dict(zip(FEATURES, self.weights, strict=True)), "bias": self.bias}

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> Opinion:
        """Read what an earlier fit stored: ``weights`` by the names of features, and ``bias``."""
        try:
            weights, bias = said["weights"], float(said["bias"])
            opinion = cls(tuple(float(weights[name]) for name in FEATURES), bias)
            if not all(-MOST <= number <= MOST for number in (bias, *opinion.weights)):
                raise ValueError("a weight is beyond all bounds")
            return opinion
        except (KeyError, TypeError, ValueError, OverflowError):
            reason = "'fitted' is not of this detector"
            raise StemmataError(ErrorCode.NOT_PARAMETERS, reason=reason) from None


@cache
def fitted_opinion() -> Opinion:
    """Return the opinion that comes with the package."""
    return Opinion.of(json.loads((files("stemmata.reuse.intrinsic") / "fitted.json").read_text("utf-8")))


@dataclass(frozen=True)
class StemmataIntrinsic:
    """Surprise by character n-grams and words that leaves the neighbourhood out, cut at sentences (ours).

    Attributes
    ----------
    threshold
        Log-odds from which a sentence speaks for another hand.
    cost
        What a passage must gain to be found: log-odds above the threshold, times thousands of characters.
    shortest
        Passages of fewer characters are dropped.

    Examples
    --------
    >>> StemmataIntrinsic().find(Document("a.txt", "One hand, one style. " * 300))
    []
    """

    threshold: float = tunable(-1.75, -3.0, 1.0)
    cost: float = tunable(2.0, 0.0, 5.0)
    shortest: int = tunable(150, 0, 2000)
    opinion: Opinion = field(default_factory=fitted_opinion)

    def find(self, document: Document) -> list[Detection]:
        """Return passages of whole sentences, in the order of the text."""
        return self.decide(self.examine(document))

    def examine(self, document: Document) -> Evidence:
        """Return the evidence in a document."""
        text = document.text
        return Evidence.joined(
            [
                gather(text[start:end], document.name).moved(start)
                for start, end in parts(text, MOST_CHARACTERS)
            ]
        )

    def decide(self, seen: Evidence) -> list[Detection]:
        """Return the detections in a document of which the evidence is given."""
        if len(seen.start) < 2:
            return []
        thousands = np.diff(seen.borders) / 1000
        runs = best_runs(thousands * (self.opinion(seen) - self.threshold), self.cost)
        local = self.opinion.local(seen)
        spans = []
        for first, last in runs:
            core, behind = _core(local[first:last], thousands[first:last])
            spans.append((int(seen.start[first + core]), int(seen.end[first + behind - 1])))
        return [
            Detection(Passage(seen.document, start, end - start))
            for start, end in spans
            if end - start >= self.shortest
        ]

    def learn(self, examples: Sequence[tuple[Evidence, Sequence[Case]]]) -> Mapping[str, Any]:
        """Return the opinion fitted to documents with their cases, near the one that comes along."""
        from stemmata.reuse.intrinsic.training import Example, adapt

        return adapt(self.opinion, [Example.of(seen, cases) for seen, cases in examples]).as_json()

    def with_fit(self, fitted: Mapping[str, Any]) -> Self:
        """Return the same with the opinion that an earlier fit stored."""
        return replace(self, opinion=Opinion.of(fitted))


def _core(local: Floats, thousands: Floats) -> tuple[int, int]:
    """Return the part of a passage that stands out; a passage that does so but faintly is kept whole.

    Wide windows see a strong stranger from afar, so that its surroundings seem strange too.
    """
    level = float(np.quantile(local, 0.75))
    if level <= LOUD:
        return 0, len(local)
    return best_part(thousands * (local - level / 2))
