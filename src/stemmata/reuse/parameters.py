"""Parameter files: what a detector was tuned to, and how that was found.

One JSON object with the name of the `detector`, its `parameters` by name, for detectors that learn
also what was `fitted`, and the `provenance`: corpus, seed, measure, scores.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar, cast, runtime_checkable

from stemmata.formats.files import write_atomically
from stemmata.formats.json_text import parse_json, read_json
from stemmata.model import (
    Aligner,
    Case,
    Detection,
    Document,
    ErrorCode,
    IntrinsicDetector,
    Pair,
    Registry,
    StemmataError,
)
from stemmata.model.errors import located
from stemmata.model.parameters import Number, with_parameters
from stemmata.reuse import detectors, intrinsic_detectors

Example = tuple[Pair, tuple[Case, ...]]
"""A pair of documents and the cases in it."""
Detector = TypeVar("Detector", bound=Aligner | IntrinsicDetector)


@runtime_checkable
class Learner(Protocol):
    """A detector that beside numbers has something fitted to examples."""

    def learn(self, examples: Sequence[Any]) -> Mapping[str, Any]:
        """Return what is fitted to examples, as a parameter file stores it: `Example`, for an aligner."""
        ...

    def with_fit(self, fitted: Mapping[str, Any]) -> Self:
        """Return the same with what an earlier fit stored."""
        ...


@runtime_checkable
class Examiner(Learner, Protocol):
    """An intrinsic detector that looks at a document, then decides, and learns from documents looked at.

    Its parameters change neither what it sees nor what it learns, so that a search may do both once. An
    example to learn from is what was seen in a document, with the cases in it.
    """

    def examine(self, document: Document) -> Any:
        """Return what is seen in a document."""
        ...

    def decide(self, seen: Any) -> list[Detection]:
        """Return the detections in a document from what was seen in it."""
        ...


@dataclass(frozen=True)
class ParameterFile:
    """The content of a parameter file."""

    detector: str
    parameters: Mapping[str, Number]
    fitted: Mapping[str, Any] | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict, repr=False)
    place: str | None = field(default=None, repr=False, compare=False)

    @classmethod
    def parse(cls, text: str, place: str) -> ParameterFile:
        """Read the text of a parameter file."""
        return cls._of(parse_json(text, place), place)

    @classmethod
    def read(cls, path: str | Path) -> ParameterFile:
        """Read a parameter file; what it says is checked when a detector takes it."""
        return cls._of(read_json(path), str(path))

    @classmethod
    def _of(cls, said: Any, place: str) -> ParameterFile:
        def must(holds: bool, reason: str) -> None:
            if not holds:
                raise StemmataError(ErrorCode.NOT_PARAMETERS, place, reason=reason)

        must(isinstance(said, dict), "it is no object")
        must(isinstance(said.get("detector"), str), "it names no detector")
        must(isinstance(said.get("parameters"), dict), "it has no object 'parameters'")
        must(isinstance(said.get("fitted"), dict | None), "'fitted' is no object")
        must(isinstance(said.get("provenance", {}), dict), "'provenance' is no object")
        provenance = said.get("provenance", {})
        return cls(said["detector"], said["parameters"], said.get("fitted"), provenance, place)

    def as_json(self) -> dict[str, Any]:
        """Return the content as JSON has it."""
        said: dict[str, Any] = {"detector": self.detector, "parameters": dict(self.parameters)}
        if self.fitted is not None:
            said["fitted"] = self.fitted
        return {**said, "provenance": self.provenance}

    def write(self, path: str | Path) -> None:
        """Write the file, or leave what is there."""
        with write_atomically(Path(path)) as part:
            part.write_text(json.dumps(self.as_json(), indent=1) + "\n", encoding="utf-8")

    def applied_to(self, detector: Detector) -> Detector:
        """Return the detector with these parameters."""
        tuned = with_parameters(detector, self.parameters)
        if self.fitted is None:
            return tuned
        learner: object = tuned
        if not isinstance(learner, Learner):
            reason = f"{self.detector!r} does not learn, but the file has 'fitted'"
            raise StemmataError(ErrorCode.NOT_PARAMETERS, reason=reason)
        return cast(Detector, learner.with_fit(self.fitted))


def make_aligner(detector: str, parameters: ParameterFile | None = None) -> Aligner:
    """Make a detector ready, with the parameters of a file or with its own."""
    return _made(detectors, detector, parameters)


def make_intrinsic_detector(name: str, parameters: ParameterFile | None = None) -> IntrinsicDetector:
    """Make an intrinsic detector ready, with the parameters of a file or with its own."""
    return _made(intrinsic_detectors, name, parameters)


def _made(family: Registry[Callable[..., Detector]], name: str, parameters: ParameterFile | None) -> Detector:
    detector: Detector = family.make(name)
    if parameters is None:
        return detector
    with located(parameters.place):
        if parameters.detector != name:
            raise StemmataError(ErrorCode.OTHER_PARAMETERS, theirs=parameters.detector, ours=name)
        return parameters.applied_to(detector)
