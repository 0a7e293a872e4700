"""``stemmata score alignment``: measure detected passages against the truth."""

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
from stemmata.cli.progress import reading
from stemmata.reports.tables import Cell, Estimate, Format, Table

if TYPE_CHECKING:
    from stemmata.formats import AnnotationFiles
    from stemmata.measures.evaluation import AlignmentResult, Scores
    from stemmata.measures.statistics import Lengths

Truth = Annotated[
    Path,
    typer.Argument(
        metavar="TRUTH",
        parser=path,
        help="The true cases: a folder of PAN XML, an .xml, .jsonl or .parquet file.",
    ),
]
SuspiciousFolder = Annotated[
    Path | None,
    typer.Option("--susp", parser=path, help="Folder of suspicious documents; adds the normalised measures."),
]
SourceFolder = Annotated[Path | None, typer.Option("--src", parser=path, help="Folder of source documents.")]
PairsFile = Annotated[
    Path | None,
    typer.Option(
        "--pairs",
        parser=path,
        help="Count only detections in these pairs of documents, as PAN 2013 to 2015 did.",
    ),
]
TruthTag = Annotated[
    str | None,
    typer.Option(
        "--truth-tag", metavar="NAME", help="How names of the truth's features end, if not with plagiarism."
    ),
]
RunTag = Annotated[
    str | None,
    typer.Option(
        "--run-tag",
        metavar="NAME",
        help="How names of the run's features end, if not with detected-plagiarism.",
    ),
]


def alignment(
    truth: Truth,
    run: Annotated[
        Path, typer.Argument(metavar="RUN", parser=path, help="The detections, in the same forms.")
    ],
    susp: SuspiciousFolder = None,
    src: SourceFolder = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            help="Also score in groups: an attribute of the cases such as obfuscation, "
            "or folder, length, language.",
        ),
    ] = None,
    pairs: PairsFile = None,
    truth_tag: TruthTag = None,
    run_tag: RunTag = None,
    compat: Annotated[
        str,
        typer.Option("--compat", help="'reference': micro normplagdet as its authors' program computes it."),
    ] = "none",
    confidence: ConfidenceOption = None,
    resamples: ResamplesOption = 1000,
    seed: SeedOption = 1,
    alpha: Annotated[
        float, typer.Option("--alpha", min=0, max=1_000_000, help="Weight of recall in F_alpha.")
    ] = 1.0,
    tau: Annotated[
        float,
        typer.Option("--tau", min=0, max=1, help="Share from which a case or detection counts (PAN15)."),
    ] = 0.5,
    cases: Annotated[
        bool, typer.Option("--cases", help="List every case with its recall, worst first.")
    ] = False,
    detections: Annotated[
        bool, typer.Option("--detections", help="List every detection with its precision, worst first.")
    ] = False,
    format: FormatOption = Format.TABLE,
    table: Annotated[str | None, table_option("levels", "groups", "cases", "detections")] = None,
) -> None:
    """Score detected passages: plagdet, precision, recall, granularity, macro and micro.

    With --susp and --src also normplagdet, which is not fooled by reporting whole documents.
    Published PAN figures are the macro row.

    Example: stemmata score alignment corpus my-run --by obfuscation --confidence 0.95
    """
    from stemmata.formats import read_cases, read_detections, read_pairs
    from stemmata.formats.truth_and_run import check_run, check_truth
    from stemmata.measures.evaluation import Confidence, score_alignment
    from stemmata.measures.statistics import Options

    options = Options(alpha=alpha, tau_recall=tau, tau_precision=tau, compat=compat)
    listed = frozenset(read_pairs(pairs)) if pairs else None
    true = read_cases(truth, reading("Reading the truth"), truth_tag)
    made = read_detections(run, reading("Reading the run"), run_tag)
    warnings = [*check_truth(true, listed), *check_run(made, true, listed)]
    result = score_alignment(
        true.annotations,
        made.annotations,
        lengths=read_lengths(true, made, susp, src),
        pairs=listed if listed is not None else true.all_pairs,
        only_pairs=listed is not None,
        by=by,
        folder_pairs=true.pairs,
        confidence=None if confidence is None else Confidence(confidence, resamples, seed),
        options=options,
    )
    data = result.as_json()
    tables = [*overview(result), *([groups(result, by)] if by else [])]
    if cases or table == "cases":
        data["per_case"] = rows = annotation_rows(true, made, "recall")
        tables.append(annotation_table(rows, "Recall", "Detections", "Cases, worst first", "cases"))
    if detections or table == "detections":
        data["per_detection"] = rows = annotation_rows(true, made, "precision")
        tables.append(annotation_table(rows, "Precision", "Cases", "Detections, worst first", "detections"))
    print_result(tables, data, format, table, warnings)


def read_lengths(
    true: AnnotationFiles, made: AnnotationFiles, susp: Path | None, src: Path | None
) -> Lengths | None:
    """Count the characters of all documents that truth or run name, if their folders are given."""
    from stemmata.formats import DocumentFolder
    from stemmata.measures.statistics import Lengths
    from stemmata.model import ErrorCode, StemmataError

    if susp is None and src is None:
        return None
    if susp is None or src is None:
        raise StemmataError(ErrorCode.NEEDS_LENGTHS)
    both = (true.annotations, made.annotations)
    suspicious = {name for side in both for name in side.suspicious.values}
    source = {name for side in both for name in side.source.values}
    return Lengths(DocumentFolder(susp).lengths(suspicious), DocumentFolder(src).lengths(source))


LEVELS = (
    ("macro", "macro", "plagdet"),
    ("micro", "micro", "plagdet"),
    ("normalised macro", "normalized.macro", "plagdet"),
    ("normalised micro", "normalized.micro", "plagdet"),
    ("case level", "case_level", "f1"),
    ("document level", "document_level", "f1"),
)


def overview(result: AlignmentResult) -> list[Table]:
    """Return the table of all levels of one run."""
    from stemmata.model.wording import counted

    scores = result.scores
    rows: list[list[Cell]] = []
    for title, key, combined in LEVELS:
        if f"{key}.precision" not in scores.values:
            continue
        names = [f"{key}.precision", f"{key}.recall", f"{key}.{combined}"]
        cells = [_with_interval(scores, name) for name in names]
        rows.append(
            [title, cells[0], cells[1], *((cells[2], None) if combined == "plagdet" else (None, cells[2]))]
        )
    columns = ("Level", "Precision", "Recall", "Plagdet", "F1")
    granularity = Table(("Granularity",), [[_with_interval(scores, "granularity")]]).text(0, 0)
    counts = f"{counted(scores.cases, 'case')}, {counted(scores.detections, 'detection')}"
    facts = f"{counts}, granularity {granularity}"
    keys: dict[str, Cell] = {"Cases": scores.cases, "Detections": scores.detections}
    keys["Granularity"] = _with_interval(scores, "granularity")
    return [Table(columns, rows, title=facts, notes=(result.signature,), name="levels", keys=keys)]


def groups(result: AlignmentResult, by: str) -> Table:
    """Return the table of all groups, with the macro values that PAN publishes."""
    from stemmata.model.wording import counted

    parts = result.by or {}
    normal = "normalized.macro.plagdet" in result.scores.values
    keys = ["macro.precision", "macro.recall", "granularity", "macro.plagdet"]
    keys += ["normalized.macro.plagdet"] if normal else []
    titles = ["Precision", "Recall", "Granularity", "Plagdet", *(["Normplagdet"] if normal else [])]
    rows = [
        [value, scores.cases, scores.detections, *(_with_interval(scores, key) for key in keys)]
        for value, scores in {**parts, "(whole run)": result.scores}.items()
    ]
    notes = [f"{counted(result.unassigned, 'detection')} in no group"] if result.unassigned else []
    return Table(
        (by, "Cases", "Detections", *titles), rows, title=f"By {by} (macro)", notes=notes, name="groups"
    )


def _with_interval(scores: Scores, key: str) -> float | Estimate:
    value = scores.values[key]
    interval = scores.intervals.get(key)
    return value if interval is None else Estimate(value, interval.low, interval.high)


def annotation_rows(true: AnnotationFiles, made: AnnotationFiles, value: str) -> list[dict[str, Any]]:
    """Return every distinct case with its recall, or detection with its precision, the worst first."""
    from stemmata.measures.statistics import Alignment

    matched = Alignment(true.annotations, made.annotations)
    by_value = {
        "recall": (true.annotations, matched.cases, matched.case_recall, matched.found, "detections"),
        "precision": (
            *(made.annotations, matched.detections, matched.detection_precision),
            *(matched.right, "cases"),
        ),
    }
    annotations, table, shares, cover, others = by_value[value]
    rows: list[dict[str, Any]] = []
    for row, share, hits in zip(table.row, shares, cover.hits, strict=True):
        one = annotations[int(row)]
        source = one.source
        rows.append(
            {
                "suspicious": one.suspicious.document,
                "offset": one.suspicious.offset,
                "length": one.suspicious.length,
                "source": source.document if source else None,
                "source_offset": source.offset if source else None,
                "source_length": source.length if source else None,
                value: float(share),
                others: int(hits),
            }
        )
    return sorted(rows, key=lambda r: (r[value], r["suspicious"], r["offset"], r["source"] or ""))


def annotation_table(rows: list[dict[str, Any]], value: str, others: str, title: str, name: str) -> Table:
    """Return cases or detections as a table."""
    columns = (value, others, "Suspicious document", "Offset", "Length", "Source document")
    keys = (value.lower(), others.lower(), "suspicious", "offset", "length", "source")
    return Table(columns, [[row[key] for key in keys] for row in rows], title=title, name=name)
