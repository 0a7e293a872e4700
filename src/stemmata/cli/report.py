"""``stemmata report``: what a run found, for people to read and judge."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from stemmata.cli.ending import tell
from stemmata.cli.help import group
from stemmata.cli.output import warn
from stemmata.cli.paths import OverwriteOption, path
from stemmata.cli.progress import reading
from stemmata.cli.scoring.alignment import RunTag, TruthTag

app = group("Write a report of what a run found, for people to read.")


class Form(StrEnum):
    """In which form a report is written."""

    HTML = "html"
    PDF = "pdf"


@app.command()
def alignment(
    corpus: Annotated[
        Path,
        typer.Argument(
            metavar="CORPUS", parser=path, help="A folder with susp/ and src/; its pairs are optional."
        ),
    ],
    run: Annotated[
        Path,
        typer.Argument(
            metavar="RUN",
            parser=path,
            help="The detections: a folder of PAN XML, an .xml, .jsonl or .parquet file.",
        ),
    ],
    truth: Annotated[
        Path | None,
        typer.Option(
            "--truth", parser=path, help="The true cases; shows what was found, missed and claimed falsely."
        ),
    ] = None,
    truth_tag: TruthTag = None,
    run_tag: RunTag = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o", "--out", help="The file to write, by default report.html or report.pdf.", show_default=False
        ),
    ] = None,
    overwrite: OverwriteOption = False,
    anonymous: Annotated[
        bool, typer.Option("--anonymous", help="Leave the names of all documents out of the file.")
    ] = False,
    format: Annotated[
        Form | None,
        typer.Option(
            "--format",
            "-f",
            help="HTML to explore, or PDF for a committee; by default as the file name ends.",
        ),
    ] = None,
    limit: Annotated[
        int,
        typer.Option(
            "--limit", min=1, max=100_000, help="Show the texts of at most this many pairs; list the rest."
        ),
    ] = 100,
) -> None:
    """Write the evidence of a run as one file: both texts of each pair, passage by passage.

    The file works from the disk and loads nothing. PDF needs Chromium or Chrome on the machine.

    Example: stemmata report alignment corpus my-run --truth corpus -o report.html
    """
    from stemmata.formats import read_cases, read_detections
    from stemmata.formats.outputs import OutputFile
    from stemmata.formats.records import Making, names_of
    from stemmata.formats.truth_and_run import check_run, check_truth
    from stemmata.model.wording import tally
    from stemmata.reports.browser import find_browser, print_pdf
    from stemmata.reports.evidence import gather_evidence
    from stemmata.reports.evidence_page import evidence_page

    def say(what: str) -> None:
        if sys.stderr.isatty():
            tell(f"{what} …")

    out = out or Path(f"report.{format or Form.HTML}")
    endings = (f".{format}",) if format else (".html", ".pdf")
    inputs = {"corpus": names_of(corpus), "run": names_of(run), "truth": names_of(truth)}
    making = Making("evidence report", {"anonymous": anonymous, "limit": limit}, inputs)
    given = [one for one in (corpus, run, truth) if one]
    claimed = OutputFile.claim(out, making, endings, overwrite, given)
    as_pdf = out.suffix.lower() == ".pdf"
    if as_pdf:
        find_browser()
    made = read_detections(run, reading("Reading the run"), run_tag)
    true = read_cases(truth, reading("Reading the truth"), truth_tag) if truth else None
    warnings = [*(check_truth(true) if true else ()), *check_run(made, true)]
    evidence = gather_evidence(corpus, made, true, limit, say)
    say("Writing the report")
    page = evidence_page(evidence, anonymous)
    if as_pdf:
        print_pdf(page, claimed)
    else:
        claimed.write_text(page)
    warn(warnings)
    found = sum(len(pair.passages) for pair in evidence.pairs)
    documents = tally(len(evidence.suspicious), "documents")
    tell(f"{documents}, {tally(found, 'passages')}. The report: {out}")


@app.command()
def verification(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PROBLEMS ANSWERS...",
            parser=path,
            help="Problems and the folder that stemmata verify has written for them; more pairs may follow.",
        ),
    ],
    truth: Annotated[
        list[Path] | None,
        typer.Option(
            "--truth",
            parser=path,
            help="What is true, for each set of problems in turn; by default truth.txt among the problems.",
        ),
    ] = None,
    out: Annotated[Path, typer.Option("-o", "--out", help="The file to write.")] = Path("report.html"),
    overwrite: OverwriteOption = False,
) -> None:
    """Write what verifiers answered as one page: how good they are, how alike, and problem by problem.

    Several sets of problems stand side by side. The file works from the disk and loads nothing.

    Example: stemmata report verification problems answers more-problems more-answers -o report.html
    """
    from stemmata.experiments.problem_sets import ProblemSet, truth_of
    from stemmata.formats.outputs import OutputFile
    from stemmata.formats.records import Making, names_of
    from stemmata.formats.verification import read_truth
    from stemmata.model import ErrorCode, StemmataError
    from stemmata.model.wording import tally
    from stemmata.reports.verification import read_verified, verification_page

    if len(paths) % 2:
        raise StemmataError(ErrorCode.ODD_PATHS, count=len(paths))
    given_paths = [*paths, *(truth or ())]
    making = Making("verification report", {}, {"paths": names_of(*given_paths)})
    claimed = OutputFile.claim(out, making, (".html",), overwrite, given_paths)
    sets = []
    for number, (problems, answers) in enumerate(zip(paths[::2], paths[1::2], strict=True)):
        given = ProblemSet.read(problems)
        file = truth[number] if truth and number < len(truth) else truth_of(problems)
        sets.append(read_verified(given.name, answers, read_truth(file) if file else None, given.problems))
    findings = [finding for one in sets for finding in one.findings]
    claimed.write_text(verification_page(sets, [finding.message for finding in findings]))
    warn(findings)
    count = len({name for one in sets for name in one.scores})
    sets_of = tally(len(sets), "sets")
    tell(f"{tally(count, 'verifiers')}, {sets_of} of problems. The report: {out}")
