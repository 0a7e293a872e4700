"""Tuning a detector: a search on every fold's rest, tried on the fold, then one on everything."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from stemmata import __version__
from stemmata.formats import DocumentFolder
from stemmata.formats.outputs import OutputFile
from stemmata.formats.pairs import DocumentPair
from stemmata.formats.records import Making, names_of
from stemmata.model import Aligner, ErrorCode, IntrinsicDetector, StemmataError
from stemmata.model.parameters import Range, declared, out_of_range, parameters_of, with_parameters
from stemmata.model.processes import Processes
from stemmata.reuse import detectors, intrinsic_detectors
from stemmata.reuse.detection import Corpus, Documents
from stemmata.reuse.parameters import Learner, ParameterFile
from stemmata.reuse.tuning.folds import document_folds, sample_pairs
from stemmata.reuse.tuning.search import SMALLEST_POPULATION, Parameters, evolve
from stemmata.reuse.tuning.trials import (
    Advance,
    Bench,
    Journal,
    Laboratory,
    prepare,
    tunable_measures,
)

LIMITS = {
    "folds": Range(2, 100),
    "most_pairs": Range(1, 10_000_000),
    "population": Range(SMALLEST_POPULATION, 1000),
    "generations": Range(0, 1000),
    "seed": Range(0, 2**32 - 1),
}
"""What the numbers of a plan can be."""


@dataclass(frozen=True)
class Plan:
    """How to search.

    Attributes
    ----------
    measure
        What to maximise, such as ``macro.plagdet``.
    by_folder
        Whether to maximise the mean over the truth's folders, in place of the value of all pairs.
    only
        Names of the parameters to search, or of parts that have them; all where none is named.
    folds
        Parts without a common document; each is tried with what the others gave.
    most_pairs
        Pairs, or documents, to search on, drawn by suspicious document; all where there are no more.
    population, generations
        Candidates of a generation, and generations behind the first.
    seed
        Seed of the sample, the folds and the search.
    """

    measure: str = "macro.plagdet"
    by_folder: bool = False
    only: tuple[str, ...] = ()
    folds: int = 3
    most_pairs: int = 1200
    population: int = 20
    generations: int = 12
    seed: int = 1

    def __post_init__(self) -> None:
        if self.measure not in tunable_measures():
            known = ", ".join(tunable_measures())
            raise StemmataError(ErrorCode.UNKNOWN_MEASURE, name=self.measure, known=known)
        for name, bounds in LIMITS.items():
            if not bounds.holds(getattr(self, name)):
                raise out_of_range(name, getattr(self, name), bounds)

    @property
    def trials(self) -> int:
        """Runs of a candidate on a fold, at most."""
        searches = self.folds * (self.folds - 1) + self.folds
        return self.population * (self.generations + 1) * searches + 3 * self.folds


def tune(
    corpus: Corpus | Documents,
    detector: str,
    out: Path,
    plan: Plan | None = None,
    truth: Path | None = None,
    jobs: int = 1,
    advance: Advance = lambda _: None,
    truth_tag: str | None = None,
    overwrite: bool = False,
) -> ParameterFile:
    """Search the declared parameters of a detector and write them with their provenance.

    Finished trials are kept beside the file until it is written, so that a search that was stopped goes
    on where it was; as everything is seeded, it takes the same way again.

    Parameters
    ----------
    corpus
        Pairs for an aligner, documents for an intrinsic detector.
    out
        The parameter file to write.
    truth
        The cases; by default they lie in the corpus.
    jobs
        Number of processes; the result does not depend on it.
    advance
        Is told how many more of `Plan.trials` are done.
    truth_tag
        How the names of the truth's features end, if not with ``plagiarism``.
    overwrite
        Whether parameters that were searched in another way are replaced.
    """
    plan = plan or Plan()
    alone = isinstance(corpus, Documents)
    made: Aligner | IntrinsicDetector = (intrinsic_detectors if alone else detectors)[detector]()
    space = _space(made, detector, plan.only)
    start = {name: value for name, value in parameters_of(made).items() if name in space}
    if isinstance(made, Learner) and plan.folds < 3:
        rule = f"{detector} learns, so it must be at least 3"
        raise StemmataError(ErrorCode.BAD_PARAMETER, name="folds", value=plan.folds, rule=rule)
    if alone and plan.by_folder:
        rule = "documents that are examined alone have no folders of pairs"
        raise StemmataError(ErrorCode.BAD_PARAMETER, name="by_folder", value=True, rule=rule)
    inputs = {"corpus": names_of(corpus.path), "truth": names_of(truth)}
    claimed = OutputFile.claim(
        out, Making("parameters", {"detector": detector, **asdict(plan)}, inputs), (".json",), overwrite
    )
    bench = _bench(corpus, detector, plan, truth or corpus.path, truth_tag)
    folds = range(plan.folds)
    with claimed.unfinished() as keep, Processes(jobs, prepare, (bench,)) as processes:
        laboratory = Laboratory(bench, Journal(keep / "trials.jsonl"), processes, advance)

        def best(known: list[int]) -> Parameters:
            def fitness(candidates: Iterable[Parameters]) -> list[float]:
                return laboratory.values(list(candidates), known)

            return evolve(space, fitness, start, plan.population, plan.generations, plan.seed)

        chosen = [best([one for one in folds if one != fold]) for fold in folds]
        tried = [
            laboratory.results([laboratory.trial(one, fold, folds)])[0] for fold, one in enumerate(chosen)
        ]
        final = best(list(folds))
        usual, tuned = laboratory.values([start, final], folds)
        facts = _facts(corpus, bench, plan) | {
            "candidates": len(laboratory.candidates),
            "before": round(usual, 4),
            "tuned": round(tuned, 4),
            "cross_validated": round(bench.value(tried), 4),
            "parameters_of_folds": chosen,
        }
        tuned_detector = with_parameters(made, final)
        fitted = bench.learnt(tuned_detector, folds) if isinstance(tuned_detector, Learner) else None
        written = ParameterFile(detector, parameters_of(tuned_detector), fitted, facts)
        claimed.write_json(written.as_json())
    return written


def _space(made: Aligner | IntrinsicDetector, detector: str, only: Sequence[str]) -> dict[str, Range]:
    """Return the parameters to search, each with its range."""
    space = declared(made)
    if not space:
        raise StemmataError(ErrorCode.NOTHING_TO_TUNE, family="detector", name=detector)
    for one in only:
        if not any(name == one or name.startswith(f"{one}.") for name in space):
            raise StemmataError(ErrorCode.UNKNOWN_PARAMETER, name=one, known=", ".join(space))
    return {
        name: bounds
        for name, bounds in space.items()
        if not only or any(name == one or name.startswith(f"{one}.") for one in only)
    }


def _bench(corpus: Corpus | Documents, detector: str, plan: Plan, truth: Path, tag: str | None) -> Bench:
    pairs = sample_pairs(corpus.pairs, plan.most_pairs, plan.seed)
    texts = _digests(corpus, pairs)
    dealt = document_folds(pairs, texts, plan.folds, plan.seed)
    folds = tuple(
        tuple(pair for pair, fold in zip(pairs, dealt.tolist(), strict=True) if fold == number)
        for number in range(plan.folds)
    )
    whole = hashlib.sha256("\n".join(f"{name} {texts[name]}" for name in sorted(texts)).encode()).hexdigest()
    source = None if isinstance(corpus, Documents) else corpus.source
    bench = Bench(
        detector, corpus.suspicious, source, truth, folds, plan.measure, plan.by_folder, whole[:16], tag
    )
    bench.require_cases()
    return bench


def _digests(corpus: Corpus | Documents, pairs: list[DocumentPair]) -> dict[str, str]:
    digests = {}
    places = [corpus.suspicious] if isinstance(corpus, Documents) else [corpus.suspicious, corpus.source]
    for side, folder in enumerate(map(DocumentFolder, places)):
        for name in sorted({pair[side] for pair in pairs}):
            text = folder[name].text.encode("utf-8", "surrogatepass")
            digests[name] = hashlib.sha256(text).hexdigest()[:32]
    return digests


def _facts(corpus: Corpus | Documents, bench: Bench, plan: Plan) -> dict[str, Any]:
    return {
        "corpus": corpus.path.resolve().name,
        "documents": bench.digest,
        "pairs" if bench.source else "texts": sum(map(len, bench.folds)),
        "of": len(corpus.pairs),
        "measure": f"mean over folders of {plan.measure}" if plan.by_folder else plan.measure,
        "searched": list(plan.only) or "all",
        "search": "differential evolution",
        "population": plan.population,
        "generations": plan.generations,
        "folds": plan.folds,
        "seed": plan.seed,
        "version": __version__,
    }
