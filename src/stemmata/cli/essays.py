"""``stemmata corpus import``: check an essay that somebody rewrote from sources, and make it a corpus."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stemmata.cli.output import FormatOption, print_result
from stemmata.cli.paths import path
from stemmata.reports.tables import Format, Table

if TYPE_CHECKING:
    from stemmata.corpora.essays import EssayFigures, EssayFinding


def import_essay(
    essay: Annotated[
        Path,
        typer.Argument(
            metavar="ESSAY_FOLDER",
            parser=path,
            help="Holds the table of sentences (.xlsx) and the sources (HTML, PDF, Word, RTF, text).",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to write the corpus to.")],
    force: Annotated[bool, typer.Option("--force", help="Import it in spite of fatal findings.")] = False,
    copies: Annotated[
        bool, typer.Option("--copies/--no-copies", help="Whether sentences may be copied as they are.")
    ] = True,
    format: FormatOption = Format.TABLE,
) -> None:
    """Check an essay made of rewritten sentences, and turn it into a corpus in the layout of PAN13.

    Every original is looked for in its source, and each claimed kind of change is compared with what was
    done to the words. Findings are fatal, serious or medium. Fatal ones block the import: nothing
    is written and the exit status is 1.

    Example: stemmata corpus import my-essay -o corpus
    """
    from stemmata.corpora.essays import EssayFigures, EssayRules, Severity, check_essay, essay_as_corpus
    from stemmata.formats.essays import read_essay
    from stemmata.formats.outputs import OutputFolder
    from stemmata.formats.records import Making
    from stemmata.model.wording import tally

    OutputFolder.claim(out, Making("corpus"), given=[essay], final=True)
    handed_in = read_essay(essay)
    figures = EssayFigures(handed_in)
    findings = check_essay(handed_in, EssayRules(copies=copies), figures)
    blocked = not force and any(one.severity is Severity.FATAL for one in findings)
    if not blocked:
        essay_as_corpus(handed_in, out, findings, force)
    became = "refused: nothing was written" if blocked else f"{tally(len(handed_in.cases), 'cases')} in {out}"
    table = Table(
        ("Severity", "Rule", "Row", "Finding"),
        [[one.severity.value, one.code, one.row, one.message] for one in findings],
        title=f"{handed_in.document.name}: {_counted(findings)}; {became}",
        notes=[_told(figures)],
    )
    data = {
        "essay": handed_in.document.name,
        "accepted": not blocked,
        "cases": len(handed_in.cases),
        "figures": _figures(figures),
        "findings": [
            {"severity": one.severity.value, "code": one.code, "row": one.row, "message": one.message}
            for one in findings
        ],
    }
    print_result([table], data, format)
    if blocked:
        raise typer.Exit(1)


def _counted(findings: list[EssayFinding]) -> str:
    counts = Counter(one.severity.value for one in findings)
    return ", ".join(f"{counts[severity]:,} {severity}" for severity in ("fatal", "serious", "medium"))


def _figures(figures: EssayFigures) -> dict[str, Any]:
    return {
        "sentences": figures.sentences(),
        "fragments": len(figures.borrowed),
        "sources": dict(figures.by_source),
        "kinds": dict(figures.by_kind.most_common()),
        "words_per_sentence": figures.sentence_words,
        "own": figures.own_share,
        "heavy": figures.heavy_share,
        "distance": figures.distance,
        "originality": figures.originality,
    }


def _told(figures: EssayFigures) -> str:
    from stemmata.model.wording import tally

    kinds = ", ".join(f"{count} {kind}" for kind, count in figures.by_kind.most_common())
    return (
        f"{tally(figures.sentences(), 'sentences')} of {figures.sentence_words:.1f} words, "
        f"{figures.own_share:.1%} own; {tally(len(figures.essay.sources), 'sources')}; {kinds}; "
        f"lexical distance {figures.distance:.1%}, originality {figures.originality:.1%}"
    )
