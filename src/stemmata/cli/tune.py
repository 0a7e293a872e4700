"""``stemmata tune``: search the parameters of a detector on a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stemmata.cli.output import MOST_SEED, FormatOption, print_result
from stemmata.cli.paths import OverwriteOption, path
from stemmata.cli.progress import progress
from stemmata.cli.scoring.alignment import TruthTag
from stemmata.cli.workers import PROCESSES, JobsOption
from stemmata.reports.tables import Format, Table


def tune(
    corpus: Annotated[
        Path,
        typer.Argument(
            metavar="CORPUS",
            parser=path,
            help="A folder with pairs, susp/ and src/, as PAN13 lays it out, or the id of such a corpus; for "
            "an intrinsic detector, susp/, suspicious-documents/ or .txt files will do.",
        ),
    ],
    detector: Annotated[
        str,
        typer.Option("--with", metavar="NAME", help="Name of the detector; see: stemmata list detectors."),
    ] = "sanchez-perez-2018",
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="PARAMETERS", help="The parameter file to write.")
    ] = Path("parameters.json"),
    truth: Annotated[
        Path | None, typer.Option(parser=path, help="Where the cases are, if not in the corpus itself.")
    ] = None,
    truth_tag: TruthTag = None,
    measure: Annotated[
        str, typer.Option(help="What to maximise, such as normalized.macro.plagdet.")
    ] = "macro.plagdet",
    by_folder: Annotated[
        bool, typer.Option("--by-folder", help="Maximise the mean over the truth's folders, all alike.")
    ] = False,
    only: Annotated[
        list[str] | None, typer.Option(help="Parameter to search, or part of the detector; may be repeated.")
    ] = None,
    folds: Annotated[
        int, typer.Option(min=2, max=100, help="Parts without a common document, for cross-validation.")
    ] = 3,
    pairs: Annotated[
        int,
        typer.Option(
            min=1,
            max=10_000_000,
            help="Pairs to search on, drawn by suspicious document; or documents examined alone.",
        ),
    ] = 1200,
    population: Annotated[int, typer.Option(min=5, max=1000, help="Candidates of a generation.")] = 20,
    generations: Annotated[int, typer.Option(min=0, max=1000, help="Generations behind the first.")] = 12,
    seed: Annotated[
        int, typer.Option(min=0, max=MOST_SEED, help="Seed of the sample, the folds and the search.")
    ] = 1,
    overwrite: OverwriteOption = False,
    jobs: JobsOption = PROCESSES,
    format: FormatOption = Format.TABLE,
) -> None:
    """Search a detector's declared parameters and write them to a file, with how they were found.

    An evolution of candidates, once for every fold on the other folds, to see what tuning is worth on
    documents it has not seen, and once on all of them. A search that was stopped goes on where it was.
    Then: stemmata detect CORPUS --with NAME --parameters PARAMETERS, with --intrinsic for a detector that
    examines documents alone.

    Example: stemmata tune corpus --with sanchez-perez-2015 -o tuned.json --pairs 500 --jobs 2
    """
    from stemmata.formats import read_cases
    from stemmata.formats.truth_and_run import check_truth
    from stemmata.model.parameters import parameters_of
    from stemmata.reuse import detectors, intrinsic_detectors
    from stemmata.reuse.detection import Corpus, Documents
    from stemmata.reuse.tuning import Plan
    from stemmata.reuse.tuning import tune as search

    plan = Plan(measure, by_folder, tuple(only or ()), folds, pairs, population, generations, seed)
    alone = detector not in detectors and detector in intrinsic_detectors
    before = parameters_of((intrinsic_detectors if alone else detectors)[detector]())
    parts = Documents.open(corpus) if alone else Corpus.open(corpus)
    warnings = check_truth(read_cases(truth or corpus, tag=truth_tag))
    with progress("Trying candidates", plan.trials, "trials") as advance:
        made = search(parts, detector, out, plan, truth, jobs, advance, truth_tag, overwrite)
    facts = made.provenance
    by, chosen = facts["measure"], facts["parameters_of_folds"]
    gain = facts["cross_validated"] - facts["before"]
    worth = (
        f"On documents not searched on, {by} is {facts['cross_validated']:.4f}, "
        f"against {facts['before']:.4f} before: {'tuning helps' if gain > 0 else 'tuning does not help'}."
    )
    table = Table(
        ("Parameter", "Before", "Tuned", *(f"Fold {i + 1}" for i in range(plan.folds))),
        [[name, before[name], made.parameters[name], *(fold[name] for fold in chosen)] for name in chosen[0]],
        title=f"{detector}: {by} {facts['before']:.4f} before, {facts['tuned']:.4f} tuned, "
        f"{facts['cross_validated']:.4f} cross-validated",
        notes=(worth, f"The parameters: {out}"),
    )
    data = {"detector": detector, "parameters": dict(made.parameters), **facts, "file": str(out)}
    print_result([table], data, format, warnings=warnings)
