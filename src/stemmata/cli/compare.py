"""``stemmata compare``: rank runs and test whether they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stemmata.cli.output import MOST_SEED, FormatOption, print_result, table_option
from stemmata.cli.paths import path
from stemmata.cli.progress import reading
from stemmata.cli.scoring.alignment import (
    PairsFile,
    RunTag,
    SourceFolder,
    SuspiciousFolder,
    Truth,
    TruthTag,
    read_lengths,
)
from stemmata.reports.tables import Format, Table

if TYPE_CHECKING:
    from stemmata.measures.evaluation import Scores
    from stemmata.measures.significance import Comparison

TESTED = ("macro.plagdet", "macro.precision", "macro.recall", "granularity")


def compare(
    truth: Truth,
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", parser=path, help="Two or more runs.")],
    susp: SuspiciousFolder = None,
    src: SourceFolder = None,
    pairs: PairsFile = None,
    truth_tag: TruthTag = None,
    run_tag: RunTag = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure", "-m", help="Measure to test; see: stemmata list measures. May be repeated."
        ),
    ] = None,
    permutations: Annotated[
        int, typer.Option("--permutations", min=1, max=1_000_000, help="Number of random exchanges.")
    ] = 10_000,
    seed: Annotated[int, typer.Option("--seed", min=0, max=MOST_SEED, help="Seed of the exchanges.")] = 1,
    format: FormatOption = Format.TABLE,
    table: Annotated[str | None, table_option("ranking", "tests")] = None,
) -> None:
    """Rank runs and test every pair of them.

    The test exchanges the two runs' results document by document at random: p is the share of
    exchanges that give a difference as large as the real one, corrected for the number of pairs (Holm).

    Example: stemmata compare corpus run-a run-b run-c --measure macro.plagdet
    """
    import numpy as np

    from stemmata.formats import read_cases, read_detections, read_pairs
    from stemmata.formats.truth_and_run import check_run, check_truth
    from stemmata.measures.catalogue import measures
    from stemmata.measures.definition import signature
    from stemmata.measures.evaluation import keep_pairs, score
    from stemmata.measures.significance import compare_runs
    from stemmata.measures.statistics import Alignment
    from stemmata.model import ErrorCode, StemmataError

    if len(runs) < 2:
        raise StemmataError(ErrorCode.NEEDS_TWO_RUNS)
    wanted = [measures[name] for name in measure or TESTED]
    for one in wanted:
        if one.task != "alignment":
            rule = "runs of text alignment are compared by its own measures"
            raise StemmataError(ErrorCode.BAD_PARAMETER, name="measure", value=one.name, rule=rule)
    if susp is None and any(m.key.startswith("normalized.") for m in wanted):
        raise StemmataError(ErrorCode.NEEDS_LENGTHS)
    listed = frozenset(read_pairs(pairs)) if pairs else None
    true = read_cases(truth, reading("Reading the truth"), truth_tag)
    warnings = check_truth(true, listed)
    matched = {}
    for name, run in zip(short_names(runs), runs, strict=True):
        made = read_detections(run, reading(f"Reading {name}"), run_tag)
        warnings += check_run(made, true, listed)
        detections = made.annotations if listed is None else keep_pairs(made.annotations, listed)
        lengths = read_lengths(true, made, susp, src)
        matched[name] = Alignment(true.annotations, detections, lengths, listed or true.all_pairs)
    scores = {name: score(one) for name, one in matched.items()}
    comparisons = compare_runs(matched, wanted, np.random.default_rng(seed), permutations)
    signed = signature(
        "alignment", alpha=1.0, test=f"paired-permutation-{permutations}", correction="holm", seed=seed
    )
    keys = list(dict.fromkeys([*(m.key for m in wanted), *TESTED]))
    order = sorted(scores, key=lambda name: (-scores[name].values[keys[0]], name))
    ranked = {name: scores[name] for name in order}
    data = {
        "signature": signed,
        "runs": {name: one.as_json() for name, one in ranked.items()},
        "comparisons": [vars(c) for c in comparisons],
    }
    print_result([ranking(ranked, keys), tests(comparisons, signed)], data, format, table, warnings)


def ranking(scores: Mapping[str, Scores], keys: Sequence[str]) -> Table:
    """Return the table of runs in their order, the best value of each measure set off."""
    from stemmata.measures.catalogue import measures

    columns = [[one.values[key] for one in scores.values()] for key in keys]
    best = [(min if measures[key].lower_is_better else max)(c) for key, c in zip(keys, columns, strict=True)]
    return Table(
        ("Run", *(measures[key].title for key in keys), "Detections"),
        [[name, *(one.values[key] for key in keys), one.detections] for name, one in scores.items()],
        title=f"Ranking by {measures[keys[0]].title.lower()}",
        name="ranking",
        best=frozenset(
            (r, c + 1)
            for c, column in enumerate(columns)
            for r, value in enumerate(column)
            if value == best[c]
        ),
    )


def tests(comparisons: Sequence[Comparison], signed: str) -> Table:
    """Return the table of all tests between two runs."""
    from stemmata.measures.catalogue import measures

    return Table(
        ("Measure", "First", "Second", "Difference", "p", "p (Holm)", "Stars"),
        [
            [measures[c.measure].title, c.first, c.second, c.difference, c.p, c.p_holm, stars(c.p_holm)]
            for c in comparisons
        ],
        title="Paired permutation tests over suspicious documents",
        name="tests",
        notes=("*** p < .001, ** p < .01, * p < .05 after correction", signed),
    )


def stars(p: float) -> str:
    """Return the customary stars of a p-value."""
    return "***" if p < 0.001 else "**" if p < 0.01 else "*" if p < 0.05 else ""


def short_names(paths: list[Path]) -> list[str]:
    """Return the shortest ends of the paths that tell the runs apart."""
    from stemmata.model import ErrorCode, StemmataError

    whole = [path.resolve().parts for path in paths]
    for depth in range(1, max(map(len, whole)) + 1):
        names = ["/".join(parts[-depth:]) for parts in whole]
        if len(set(names)) == len(names):
            return names
    raise StemmataError(ErrorCode.SAME_NAME, name=str(paths[0]))
