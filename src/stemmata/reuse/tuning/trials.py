"""Trials: candidates run on folds, in parallel, each kept so that a stopped search goes on."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple
from zlib import crc32

from stemmata import __version__
from stemmata.formats import DocumentFolder, read_cases
from stemmata.formats.pairs import DocumentPair
from stemmata.measures.alignment import MEASURES, Totals
from stemmata.measures.statistics import Alignment, Lengths, Options
from stemmata.model import (
    Aligner,
    Annotation,
    Annotations,
    Case,
    Detection,
    Document,
    ErrorCode,
    IntrinsicDetector,
    Pair,
    StemmataError,
    document_key,
)
from stemmata.model.parameters import Number
from stemmata.model.processes import Processes
from stemmata.reuse.asking import align, find, learn
from stemmata.reuse.parameters import (
    Examiner,
    Learner,
    ParameterFile,
    make_aligner,
    make_intrinsic_detector,
)
from stemmata.reuse.tuning.search import Parameters

Sums = dict[str, float]
Result = dict[str, Sums]
"""Sums by kind of pair; with one kind alone, under the name of ``""``."""
Advance = Callable[[int], None]


class Trial(NamedTuple):
    """A candidate, the fold to try it on, and for a detector that learns the folds it may learn from."""

    parameters: tuple[tuple[str, Number], ...]
    fold: int
    known: tuple[int, ...] = ()


@dataclass(frozen=True)
class _Remembering:
    """An examiner that looks at each document once."""

    examiner: Examiner
    looks: dict[str, Any]

    def seen(self, document: Document) -> Any:
        """Return what is seen in a document."""
        if document.name not in self.looks:
            self.looks[document.name] = self.examiner.examine(document)
        return self.looks[document.name]

    def find(self, document: Document) -> list[Detection]:
        """Return the detections in a document."""
        return self.examiner.decide(self.seen(document))


@dataclass(frozen=True)
class Bench:
    """What candidates are tried on: a detector, and the pairs of each fold with their truth.

    Attributes
    ----------
    source
        The source documents; without them the detector is intrinsic, and pairs have no second name.
    by_folder
        Whether to take the mean of the scores of the truth's folders, so that rare kinds of reuse weigh
        as much as common ones. Pairs of folders without a case belong to every kind.
    digest
        Stands for the texts of the documents.
    truth_tag
        How the names of the truth's features end, if not with ``plagiarism``.
    """

    detector: str
    suspicious: Path
    source: Path | None
    truth: Path
    folds: tuple[tuple[DocumentPair, ...], ...]
    measure: str = "macro.plagdet"
    by_folder: bool = False
    digest: str = field(default="", repr=False)
    truth_tag: str | None = None

    def key(self, trial: Trial) -> str:
        """Return a name of all that decides the result of a trial."""
        said = [
            __version__,
            self.detector,
            self.measure,
            self.digest,
            trial.parameters,
            self.folds[trial.fold],
        ]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:32]

    def run(self, trial: Trial) -> Result:
        """Detect in the pairs of a fold; return the sums that the measure is made of."""
        detector = self.detector_with(dict(trial.parameters), trial.known)
        found: dict[str, list[Annotation]] = defaultdict(list)
        for pair in self.folds[trial.fold]:
            found[self._truth.kind_of.get(pair, "")] += self._found(detector, pair)
        return {
            kind: self._sums(self._truth.cases[trial.fold].get(kind, []), found[kind])
            for kind in sorted({*found, *self._truth.cases[trial.fold]})
        }

    def detector_with(self, parameters: Parameters, known: Sequence[int]) -> Aligner | IntrinsicDetector:
        """Make the detector with some parameters; if it learns, from the folds that it may know."""
        detector = self.made(ParameterFile(self.detector, parameters))
        if not isinstance(detector, Learner):
            return detector
        return self.made(ParameterFile(self.detector, parameters, self.learnt(detector, known)))

    def made(self, parameters: ParameterFile | None = None) -> Aligner | IntrinsicDetector:
        """Make the detector, with its own parameters or others."""
        return (make_aligner if self.source else make_intrinsic_detector)(self.detector, parameters)

    def learnt(self, learner: Learner, known: Sequence[int]) -> Mapping[str, Any]:
        """Return what a detector learns from some folds."""
        if not isinstance(learner, Examiner):
            pairs = [(self._pair(*pair), cases) for pair, cases in self._examples(known)]
            return learn(self.detector, learner, pairs)
        # What it learns is the same for all candidates.
        folds = tuple(known)
        if folds not in self._lessons:
            examples = [(self._seen(learner, pair[0]), cases) for pair, cases in self._examples(known)]
            self._lessons[folds] = learn(self.detector, learner, examples)
        return self._lessons[folds]

    @property
    def learns(self) -> bool:
        """Whether the detector learns."""
        return isinstance(self.made(), Learner)

    def _examples(self, known: Sequence[int]) -> Iterator[tuple[DocumentPair, tuple[Case, ...]]]:
        for number in known:
            by_pair: dict[DocumentPair, list[Case]] = defaultdict(list)
            for cases in self._truth.cases[number].values():
                for case in cases:
                    if isinstance(case, Case):
                        by_pair[self._key_of(case)].append(case)
            for pair in self.folds[number]:
                yield pair, tuple(by_pair[document_key(pair[0]), document_key(pair[1])])

    def _key_of(self, case: Annotation) -> DocumentPair:
        """Return the pair that a case belongs to."""
        theirs = case.source.document if case.source else ""
        return document_key(case.suspicious.document), document_key(theirs)

    def _found(self, detector: Aligner | IntrinsicDetector, pair: DocumentPair) -> list[Detection]:
        if isinstance(detector, Examiner):
            remembering = _Remembering(detector, self._looks)
            return find(self.detector, remembering, self._documents[0][pair[0]])
        if isinstance(detector, IntrinsicDetector):
            return find(self.detector, detector, self._documents[0][pair[0]])
        return align(self.detector, detector, self._pair(*pair))

    def _seen(self, examiner: Examiner, name: str) -> Any:
        return _Remembering(examiner, self._looks).seen(self._documents[0][name])

    def _pair(self, mine: str, theirs: str) -> Pair:
        return Pair(self._documents[0][mine], self._documents[1][theirs])

    def _sums(self, cases: list[Annotation], found: list[Annotation]) -> Sums:
        totals = _Recorded(Alignment(Annotations.of(cases), Annotations.of(found), self._lengths))
        _formula(self.measure)(totals)
        return totals.read

    def require_cases(self) -> None:
        """Refuse pairs without any case: every candidate would be as good as the next."""
        if not any(self._truth.cases):
            raise StemmataError(ErrorCode.NO_CASE_TO_TUNE, self.truth)

    def value(self, results: Iterable[Result]) -> float:
        """Return the measure of several folds together."""
        added: dict[str, Sums] = defaultdict(lambda: defaultdict(float))
        for result in results:
            for kind, sums in result.items():
                for name, value in sums.items():
                    added[kind][name] += value
        clean = [sums for sums in added.values() if not sums["cases"]]
        kinds = [sums for sums in added.values() if sums["cases"]]
        formula = _formula(self.measure)
        return fmean([float(formula(_Added([sums, *clean]))) for sums in kinds]) if kinds else 0.0

    @cached_property
    def _documents(self) -> tuple[dict[str, Document], dict[str, Document]]:
        sides: list[dict[str, Document]] = [{}, {}]
        for side, place in enumerate((self.suspicious, self.source)):
            if place:
                folder = DocumentFolder(place)
                names = sorted({pair[side] for fold in self.folds for pair in fold})
                sides[side] = {name: folder[name] for name in names}
        return sides[0], sides[1]

    @cached_property
    def _looks(self) -> dict[str, Any]:
        return {}

    @cached_property
    def _lessons(self) -> dict[tuple[int, ...], Mapping[str, Any]]:
        return {}

    @cached_property
    def _lengths(self) -> Lengths:
        mine, theirs = ({name: len(one) for name, one in side.items()} for side in self._documents)
        return Lengths(mine, theirs)

    @cached_property
    def _truth(self) -> _Truth:
        fold_of = {
            (document_key(mine), document_key(theirs)): (number, (mine, theirs))
            for number, pairs in enumerate(self.folds)
            for mine, theirs in pairs
        }
        truth = read_cases(self.truth, tag=self.truth_tag)
        kind_of: dict[DocumentPair, str] = {}
        if self.by_folder:
            # A folder that holds the pairs of others too says less than theirs.
            folders = sorted(truth.pairs.items(), key=lambda item: -len(item[1]))
            for folder, pairs in folders:
                for mine, theirs in pairs:
                    known = fold_of.get((document_key(mine), document_key(theirs)))
                    if known:
                        kind_of[known[1]] = folder
        cases: list[dict[str, list[Annotation]]] = [{} for _ in self.folds]
        for named in truth.annotations.cases:
            # Documents that are examined alone are scored alone: their sources are not at hand.
            case = named if self.source else Case(named.suspicious, None, named.attributes)
            if (key := self._key_of(case)) in fold_of:
                fold, pair = fold_of[key]
                cases[fold].setdefault(kind_of.get(pair, ""), []).append(case)
        return _Truth(kind_of, cases)


class _Truth(NamedTuple):
    kind_of: dict[DocumentPair, str]
    cases: list[dict[str, list[Annotation]]]


class _Recorded(Totals):
    """Totals that remember which of them a formula asked for."""

    def __init__(self, alignment: Alignment) -> None:
        super().__init__(alignment)
        self.read: Sums = {}

    def __getattr__(self, name: str) -> float:
        self.read[name] = float(super().__getattr__(name))
        return self.read[name]


class _Added:
    """Totals of several alignments."""

    options = Options()

    def __init__(self, sums: Sequence[Sums]) -> None:
        self._sums = sums

    def __getattr__(self, name: str) -> float:
        return sum(one[name] for one in self._sums)


def tunable_measures() -> list[str]:
    """Return the keys of the measures that a search can maximise."""
    return [measure.key for measure in MEASURES if measure.key != "granularity"]


def _formula(key: str) -> Callable[[object], float]:
    return next(measure.formula for measure in MEASURES if measure.key == key)


class Journal:
    """Finished trials, one JSON line each with its checksum; a line that does not hold is passed over."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known: dict[str, Result] = {}
        if path.is_file():
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
                try:
                    key, result, found = json.loads(line)
                    if found != _line_checksum(key, result):
                        continue
                    self._known[key] = {
                        kind: {name: float(value) for name, value in sums.items()}
                        for kind, sums in result.items()
                    }
                except (ValueError, TypeError, AttributeError):
                    continue

    def __getitem__(self, key: str) -> Result:
        return self._known[key]

    def __contains__(self, key: str) -> bool:
        return key in self._known

    def __len__(self) -> int:
        return len(self._known)

    def add(self, key: str, result: Result) -> None:
        """Keep the result of a trial."""
        self._known[key] = result
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as stream:
            # The line before may have been cut short.
            stream.write("\n" + json.dumps([key, result, _line_checksum(key, result)]))


def _line_checksum(key: str, result: Result) -> int:
    return crc32(json.dumps([key, result]).encode())


class Laboratory:
    """Runs trials in several processes; which of them runs a trial changes nothing."""

    def __init__(self, bench: Bench, journal: Journal, processes: Processes, advance: Advance) -> None:
        self.bench, self.journal, self.processes, self.advance = bench, journal, processes, advance
        self._learns = bench.learns
        self.candidates: set[tuple[tuple[str, Number], ...]] = set()

    def results(self, trials: Sequence[Trial]) -> list[Result]:
        """Return the result of each trial, in order."""
        self.candidates.update(trial.parameters for trial in trials)
        keys = [self.bench.key(trial) for trial in trials]
        missing = {key: trial for key, trial in zip(keys, trials, strict=True) if key not in self.journal}
        names = list(missing)
        self.advance(len(trials) - len(missing))
        for number, result in self.processes.completed(run_trial, [(one,) for one in missing.values()]):
            self.journal.add(names[number], result)
            self.advance(1)
        return [self.journal[key] for key in keys]

    def values(self, candidates: Sequence[Parameters], folds: Sequence[int]) -> list[float]:
        """Return the measure of each candidate on some folds together; what it learns, from the others."""
        trials = [self.trial(one, fold, folds) for one in candidates for fold in folds]
        made = self.results(trials)
        n = len(folds)
        return [self.bench.value(made[i * n : (i + 1) * n]) for i in range(len(candidates))]

    def trial(self, parameters: Parameters, fold: int, folds: Sequence[int]) -> Trial:
        """Return the trial of a candidate on a fold, where some folds may be known."""
        known = tuple(one for one in folds if one != fold) if self._learns else ()
        return Trial(tuple(parameters.items()), fold, known)


_bench: list[Bench] = []


def prepare(bench: Bench) -> None:
    """Set what trials of this process are tried on."""
    _bench[:] = [bench]


def run_trial(trial: Trial) -> Result:
    """Run a trial in a process that is prepared."""
    return _bench[0].run(trial)
