"""Corpora for people: Table 5 and Figure 1 of the PAN-PC-10 paper for any corpus."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from stemmata.corpora.inspection.boxes import similarity_figure
from stemmata.corpora.inspection.description import Description
from stemmata.corpora.inspection.similarity import LONGEST, Group
from stemmata.formats.outputs import OutputFile
from stemmata.model.wording import counted
from stemmata.reports.figures import draw
from stemmata.reports.html import render_page
from stemmata.reports.tables import Cell, Table


def description_tables(described: Description) -> list[Table]:
    """Return Table 5 of a corpus, beside the planned shares where there are some, and its lengths."""
    beside = described.planned is not None
    rows: list[list[Cell]] = []
    for section in described.sections:
        for one in section.shares:
            row: list[Cell] = [section.title, one.name, one.count, 100 * one.share]
            if beside:
                row += [None if one.planned is None else 100 * one.planned, one.difference]
            rows.append(row)
    columns = ["Table 5", "Class", "Count", "Share, %"]
    columns += ["Planned, %", "Difference, points"] if beside else []
    languages = ", ".join(f"{name} {count:,}" for name, count in described.languages.items())
    title = (
        f"{described.name} ({described.layout}): "
        f"{counted(described.suspicious + described.sources, 'document')}, "
        f"{described.suspicious:,} of them suspicious; {counted(described.pairs, 'pair')}; "
        f"{counted(described.cases, 'case')}"
    )
    notes = [f"Languages: {languages}"]
    if beside:
        notes.append(f"Planned: {described.planned}")
    lengths = Table(
        ("Lengths", "Unit", "Least", "Median", "Mean", "Greatest", "Sum"),
        [
            [what, unit, one.least, one.median, one.mean, one.greatest, one.total]
            for what, units in described.lengths.items()
            for unit, one in units.items()
        ],
        digits=1,
        name="lengths",
    )
    return [Table(columns, rows, title, notes, digits=1, name="classes"), lengths]


def similarity_table(groups: Sequence[Group], digits: int = 3) -> Table:
    """Return the medians of Figure 1, by n."""
    rows: list[list[Cell]] = [
        [
            *(group.corpus, group.kind or "all", len(group.similarities)),
            *(float(value) if value == value else None for value in group.median),  # noqa: PLR0124
        ]
        for group in groups
    ]
    columns = ["Corpus", "Kind", "Cases", *(f"n={n}" for n in range(1, LONGEST + 1))]
    title = "Median similarity of plagiarised passages to their sources under word n-gram models"
    return Table(columns, rows, title, digits=digits)


def boxes_table(groups: Sequence[Group]) -> Table:
    """Return every box of Figure 1 in a row of its own, for spreadsheets."""
    rows: list[list[Cell]] = []
    for group in groups:
        said = group.as_json()
        low, middle, high = said["lower_quartile"], said["median"], said["upper_quartile"]
        rows += [
            [group.corpus, group.kind or "all", group.cases, said["sampled"], n, *values]
            for n, values in enumerate(zip(low, middle, high, strict=True), start=1)
        ]
    columns = ("Corpus", "Kind", "Cases", "Sampled", "n", "Lower quartile", "Median", "Upper quartile")
    return Table(columns, rows)


@dataclass(frozen=True)
class Comparison:
    """What a page of compared corpora shows, and how to make it again."""

    groups: Sequence[Group]
    sampled: int
    seed: int
    command: str

    @property
    def corpora(self) -> int:
        """How many corpora are compared."""
        return len({group.corpus for group in self.groups})

    @property
    def compared(self) -> int:
        """How many cases were compared."""
        return sum(len(group.similarities) for group in self.groups)


def write_comparison(page: OutputFile, drawing: OutputFile, comparison: Comparison) -> None:
    """Write the page and the figure alone."""
    figure = similarity_figure(comparison.groups)
    pictures = draw(figure, ["svg"])
    text = render_page(
        "corpora.html.j2",
        comparison=comparison,
        figure=figure,
        pictures=inline_pictures(pictures),
        steps=range(1, LONGEST + 1),
    )
    drawing.write_text(pictures[".svg"].decode("utf-8"))
    page.write_text(text)


def inline_pictures(pictures: Mapping[str, bytes]) -> dict[str, str]:
    """Return the drawings, light and dark, as they stand in a page."""
    return {
        look: "data:image/svg+xml;base64," + b64encode(pictures[f"{look}.svg"]).decode("ascii")
        for look in ("", "-dark")
    }
