"""``stemmata score safety``: rank author obfuscators by the verifiers they fool."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stemmata.cli.output import (
    ConfidenceOption,
    FormatOption,
    ResamplesOption,
    SeedOption,
    print_result,
    table_option,
)
from stemmata.cli.paths import path
from stemmata.cli.scoring.verification import none_if_nan, unknown_texts
from stemmata.reports.tables import Format, Table

if TYPE_CHECKING:
    from stemmata.measures.safety import Safety


def safety(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR",
            parser=path,
            help="Verifier scores as PAN18 lays them out: CORPUS/, CORPUS-obfuscationX/, CORPUS-truth.txt.",
        ),
    ],
    tau: Annotated[
        float,
        typer.Option(
            "--tau", min=0, max=1, help="Correlation from which two verifiers share their coverage."
        ),
    ] = 0.5,
    matrix: Annotated[
        str | None,
        typer.Option("--matrix", help="Print what obfuscator X does to each verifier and problem."),
    ] = None,
    problems: Annotated[
        Path | None,
        typer.Option(
            "--problems",
            parser=path,
            help="Folder with the problems of each corpus; intervals then draw texts.",
        ),
    ] = None,
    confidence: ConfidenceOption = None,
    resamples: ResamplesOption = 1000,
    seed: SeedOption = 1,
    format: FormatOption = Format.TABLE,
    table: Annotated[str | None, table_option("corpora", "ranking", "matrix")] = None,
) -> None:
    """Score author obfuscators: the world ranking of PAN 2018 and the measures it replaced.

    An obfuscator earns points for each verifier it turns from "same author" to "different", more for
    good and unusual verifiers and for clear problems. A perfect one would turn them all.

    Example: stemmata score safety pan/2018/obfuscation/safety --format latex
    """
    import numpy as np

    from stemmata.formats.safety import read_safety
    from stemmata.measures.definition import signature
    from stemmata.measures.safety import Safety
    from stemmata.model import ErrorCode, StemmataError
    from stemmata.model.registry import unknown_name

    if not 0 < tau <= 1:
        raise StemmataError(ErrorCode.BAD_PARAMETER, name="tau", value=tau, rule="it must lie in (0, 1]")
    corpora = {
        one.corpus: Safety(one.problems, one.truth, one.original, one.obfuscated, tau)
        for one in read_safety(folder)
    }
    names = sorted({name for corpus in corpora.values() for name in corpus.obfuscated})
    if matrix is not None:
        if matrix not in names:
            raise unknown_name("obfuscation", matrix, names)
        tables = [
            matrix_table(name, corpus, matrix)
            for name, corpus in corpora.items()
            if matrix in corpus.obfuscated
        ]
        print_result(tables, {one.title: _cells(one) for one in tables}, format, table)
        return
    intervals: dict[tuple[str, str], list[float]] = {}
    if confidence is not None:
        for name, corpus in corpora.items():
            units = unknown_texts(problems / name if problems else None)
            for obfuscator in corpus.obfuscated:
                rng = np.random.default_rng(seed)
                one = corpus.interval(obfuscator, units, rng, confidence, resamples)
                intervals[name, obfuscator] = [one.low, one.high]
    described = "none" if confidence is None else f"{confidence:g}/bootstrap-{resamples}/seed-{seed}"
    data: dict[str, Any] = {
        "signature": signature("safety", tau=tau, confidence=described),
        "corpora": {name: corpus_data(corpus) for name, corpus in corpora.items()},
    }
    for (name, obfuscator), bounds in intervals.items():
        data["corpora"][name]["obfuscators"][obfuscator]["confidence"] = bounds
    perfect = sum(corpus.perfect for corpus in corpora.values())
    totals = {name: _total(corpora, name) for name in names}
    data["total"] = {
        "verifiers": len({v for corpus in corpora.values() for v in corpus.verifiers}),
        "perfect": perfect,
        "obfuscators": {
            name: {"score": score, "share": score / perfect if perfect else None}
            for name, score in totals.items()
        },
    }
    print_result([*corpus_tables(data), total_table(data)], data, format, table)


def corpus_data(corpus: Safety) -> dict[str, Any]:
    """Return what DESIGN.md fixes for one corpus."""
    obfuscators = {}
    for name in corpus.obfuscated:
        impact = corpus.impact(name)
        legacy = {
            "delta_acc": impact.delta_acc,
            "delta_rec": impact.delta_rec,
            "delta_auc": impact.delta_auc,
            "delta_c@1": impact.delta_c_at_1,
            "delta_final": impact.delta_final,
            "average_impact": impact.average_impact,
        }
        obfuscators[name] = {
            "score": corpus.score(name),
            **{key: none_if_nan(value) for key, value in legacy.items()},
            "legacy_verifiers": impact.verifiers,
        }
    return {
        "verifiers": len(corpus.verifiers),
        "problems": len(corpus.problems),
        "positives": int(corpus.truth.sum()),
        "perfect": corpus.perfect,
        "obfuscators": obfuscators,
    }


def _total(corpora: dict[str, Safety], obfuscator: str) -> float:
    return sum(corpus.score(obfuscator) for corpus in corpora.values() if obfuscator in corpus.obfuscated)


_COLUMNS = {
    "score": "Score",
    "delta_acc": "Δacc",
    "delta_rec": "Δrec",
    "delta_auc": "ΔAUC",
    "delta_c@1": "Δc@1",
    "delta_final": "Δfinal",
    "average_impact": "Impact",
}


def corpus_tables(data: dict[str, Any]) -> list[Table]:
    """Return one table per corpus, the best obfuscator first."""
    from stemmata.model.wording import counted

    tables = []
    for name, corpus in data["corpora"].items():
        ranked = sorted(corpus["obfuscators"].items(), key=lambda item: (-item[1]["score"], item[0]))
        with_interval = any("confidence" in values for _, values in ranked)
        rows = [
            [obfuscator, *(values[key] for key in _COLUMNS), *(values["confidence"] if with_interval else ())]
            for obfuscator, values in ranked
        ]
        tables.append(
            Table(
                ("Obfuscator", *_COLUMNS.values(), *(("Low", "High") if with_interval else ())),
                rows,
                title=f"{name}: {counted(corpus['positives'], 'problem')} to hide, "
                f"{counted(corpus['verifiers'], 'verifier')}, "
                f"perfect {corpus['perfect']:.2f}",
                decimals={"Score": 2, "Low": 2, "High": 2},
                name="corpora",
                keys={"Corpus": name},
            )
        )
    return tables


def total_table(data: dict[str, Any]) -> Table:
    """Return the world ranking over all corpora."""
    total = data["total"]
    ranked = sorted(total["obfuscators"].items(), key=lambda item: (-item[1]["score"], item[0]))
    return Table(
        ("Obfuscator", "Score", "Share of perfect"),
        [[name, values["score"], values["share"]] for name, values in ranked],
        title=f"World ranking over all corpora, perfect {total['perfect']:.2f}",
        notes=(data["signature"],),
        decimals={"Score": 2, "Share of perfect": 3},
        name="ranking",
    )


def matrix_table(name: str, corpus: Safety, obfuscator: str) -> Table:
    """Return Table 1 of the paper for one corpus."""
    made = corpus.matrix(obfuscator)
    counts = ", ".join(f"{kind} {n:,}" for kind, n in made.counts().items())
    return Table(
        ("Problem", *made.verifiers),
        [
            [problem, *(made[v, d] for v in range(len(made.verifiers)))]
            for d, problem in enumerate(made.problems)
        ],
        title=f"{name}, {obfuscator}: {counts}",
        name="matrix",
        keys={"Corpus": name, "Obfuscator": obfuscator},
    )


def _cells(table: Table) -> dict[str, dict[str, Any]]:
    return {str(row[0]): dict(zip(table.columns[1:], row[1:], strict=True)) for row in table.rows}
