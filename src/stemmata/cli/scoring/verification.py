"""``stemmata score verification``: measure answers to authorship problems against the truth."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any

import typer

from stemmata.cli.output import (
    ConfidenceOption,
    FormatOption,
    ResamplesOption,
    SeedOption,
    print_result,
)
from stemmata.cli.paths import path
from stemmata.reports.tables import Format, Table

ProblemsOption = Annotated[
    Path | None,
    typer.Option(
        "--problems",
        parser=path,
        help="The problems themselves: ids of others in the truth are then left out, and intervals draw "
        "unknown texts, since problems share them.",
    ),
]


def verification(
    truth: Annotated[
        Path,
        typer.Argument(
            metavar="TRUTH", parser=path, help="truth.txt (EN001 Y) or truth.jsonl, or its folder."
        ),
    ],
    answers: Annotated[
        Path,
        typer.Argument(
            metavar="ANSWERS", parser=path, help="answers.txt (EN001 0.175) or answers.jsonl, or its folder."
        ),
    ],
    f1: Annotated[
        str,
        typer.Option(
            "--f1",
            help="'answered' leaves open problems out of F1 (PAN 2020-23), 'all' counts them (2024-25).",
        ),
    ] = "answered",
    problems: ProblemsOption = None,
    confidence: ConfidenceOption = None,
    resamples: ResamplesOption = 1000,
    seed: SeedOption = 1,
    format: FormatOption = Format.TABLE,
) -> None:
    """Score answers to "is it the same author?": AUC, c@1, F0.5u, F1, Brier and their mean.

    Scores lie in [0, 1]; above 0.5 says yes, exactly 0.5 or no answer at all leaves a problem open.
    Tables show three decimals, as PAN publishes them; JSON and CSV have all.

    Example: stemmata score verification truth.jsonl my-answers.jsonl --confidence 0.95
    """
    import numpy as np

    from stemmata.formats.verification import (
        match_ids,
        other_ids,
        read_answers,
        read_truth,
        unanswered_series,
    )
    from stemmata.measures.definition import signature
    from stemmata.measures.verification import (
        MEASURES,
        Answers,
        bootstrap_verification,
        score_verification,
    )
    from stemmata.model import ErrorCode, StemmataError
    from stemmata.model.wording import counted

    if f1 not in ("answered", "all"):
        raise StemmataError(ErrorCode.BAD_PARAMETER, name="f1", value=f1, rule="it is 'answered' or 'all'")
    true = read_truth(truth)
    given = read_answers(answers, ids=true)
    renamed = match_ids(true, given, answers)
    known = {renamed[name]: score for name, score in given.items() if name in renamed}
    texts = unknown_texts(problems)
    here = match_ids(true, texts, problems)
    units = {here[name]: text for name, text in texts.items() if name in here}
    if problems is None:
        findings = unanswered_series(true, known.keys(), truth)
    else:
        meant = {*units, *known}
        findings = other_ids(true, meant, truth)
        true = {name: same for name, same in true.items() if name in meant}
    made = Answers.of(true, known, "answered" if f1 == "answered" else "all")
    values = score_verification(made)
    intervals = {}
    if confidence is not None:
        drawn = [units.get(name, name) for name in true]
        rng = np.random.default_rng(seed)
        intervals = bootstrap_verification(made, drawn, rng, confidence, resamples)
    signed = signature(
        "verification",
        f1=f1,
        confidence="none"
        if confidence is None
        else f"{confidence:g}/bootstrap-{resamples}/{'texts' if units else 'problems'}/seed-{seed}",
    )
    data: dict[str, Any] = {
        "signature": signed,
        **{key: none_if_nan(value) for key, value in values.items()},
        "problems": len(true),
        "unanswered": int(made.unanswered.sum()),
        "missing": len(true) - len(known),
        "ignored": len(given) - len(known),
    }
    if intervals:
        data["confidence"] = {
            key: [none_if_nan(one.low), none_if_nan(one.high)] for key, one in intervals.items()
        }
    facts = f"{counted(len(true), 'problem')}, {data['unanswered']:,} unanswered"
    rows: list[list[str | float | None]] = [
        [m.title, none_if_nan(values[m.key]), *(_bounds(intervals.get(m.key)) if intervals else ())]
        for m in MEASURES
    ]
    notes = [
        *(finding.message for finding in findings),
        *([f"{data['missing']:,} without an answer count as unanswered"] if data["missing"] else []),
        *(
            [f"{counted(data['ignored'], 'answer')} to problems the truth does not know, ignored"]
            if data["ignored"]
            else []
        ),
        *(["AUC is undefined where all problems have the same truth"] if math.isnan(values["auc"]) else []),
        signed,
    ]
    columns = ("Measure", "Value", *(("Low", "High") if intervals else ()))
    print_result([Table(columns, rows, title=facts, notes=notes, digits=3)], data, format, warnings=findings)


def unknown_texts(problems: Path | None) -> dict[str, str]:
    """Return for each problem its unknown text, so that problems about one text can be drawn together."""
    from stemmata.formats.verification import read_problems

    return {} if problems is None else {one.id: one.unknown.text for one in read_problems(problems)}


def none_if_nan(value: float) -> float | None:
    """Return None for what is undefined: JSON has no NaN."""
    return None if math.isnan(value) else value


def _bounds(interval: Any) -> tuple[float | None, float | None]:
    return none_if_nan(interval.low), none_if_nan(interval.high)
