"""``stemmata data``: the known corpora, and the user's own copies of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stemmata.cli.help import group
from stemmata.cli.output import FormatOption, print_result
from stemmata.reports.tables import Format, Table

if TYPE_CHECKING:
    from stemmata.corpora.manifest import Dataset
    from stemmata.corpora.registration import Copy

app = group("Known corpora by id: what they are, where to get them, and your own copies of them.")

DatasetId = Annotated[str, typer.Argument(metavar="ID", help="Id of a corpus; see: stemmata data list.")]


@app.command("list")
def list_datasets(
    prefix: Annotated[
        str, typer.Argument(metavar="[PREFIX]", help="Only ids that start so, such as pan/2013.")
    ] = "",
    task: Annotated[str | None, typer.Option("--task", help="Only corpora for this task.")] = None,
    language: Annotated[
        str | None, typer.Option("--language", help="Only corpora in this language, such as en.")
    ] = None,
    format: FormatOption = Format.TABLE,
) -> None:
    """List the known corpora and which of them are registered on this machine.

    Example: stemmata data list pan --task verification --language en
    """
    rows = dataset_rows(prefix, task, language)
    columns = ("id", "task", "languages", "counts", "registered")
    table = Table(
        [column.capitalize() for column in columns],
        [[_cell(row[column]) for column in columns] for row in rows],
        notes=("What a corpus is and where to get it: stemmata data show ID",),
    )
    print_result([table], rows, format)


@app.command()
def show(name: DatasetId, format: FormatOption = Format.TABLE) -> None:
    """Show what is known of a corpus: facts, licence, citation, where to get it, and your copy.

    Example: stemmata data show pan/2013/text-alignment/train
    """
    from stemmata.corpora.layouts import LAYOUTS
    from stemmata.corpora.manifest import known

    dataset = known()[name]
    layout = LAYOUTS[dataset.layout]
    copy = _copy_of(dataset)
    commands = [command.format(id=dataset.id) for command in layout.commands]
    parts = [one.id for one in known().parts_of(name)]
    data = {
        **dataset.as_json(),
        "parts": parts,
        "commands": commands,
        "copy": copy and {"path": copy.path, "checked": copy.checked, "there": copy.is_there},
    }
    facts = {
        "id": dataset.id,
        "title": dataset.title,
        "task": dataset.task,
        "languages": ", ".join(dataset.languages),
        "holds": _cell(data["counts"]),
        "layout": layout.meaning,
        "licence": dataset.licence,
        "citation": dataset.citation,
        "published at": dataset.url,
        "note": dataset.note,
        "part of": dataset.within,
        "parts": ", ".join(parts),
        "content": _checkable(dataset),
        "your copy": _standing(dataset, copy),
        "commands": commands,
    }
    rows = [[fact.capitalize(), line] for fact, value in facts.items() for line in _lines(value) if line]
    print_result([Table(("Fact", "Value"), rows)], data, format)


@app.command()
def add(
    name: Annotated[
        str, typer.Argument(metavar="ID", help="Id of the corpus; 'auto' takes all that are recognised.")
    ],
    path: Annotated[
        Path,
        typer.Argument(metavar="PATH", help="Your copy: a folder, or an archive (.zip, .tar.gz, .tar.xz)."),
    ],
    format: FormatOption = Format.TABLE,
) -> None:
    """Check your copy of a corpus and register it: from then on every command takes its id for a path.

    All files are compared with the known copy of the corpus; one that differs is refused with the first
    difference. A folder stays where it is; an archive is unpacked into $STEMMATA_DATA, or where
    your system keeps the data of programs.

    Example: stemmata data add clough09 ~/Downloads/clough09.zip
    """
    from dataclasses import asdict

    from stemmata.cli.progress import progress
    from stemmata.corpora.manifest import known
    from stemmata.corpora.registration import add as register
    from stemmata.model.wording import tally

    copies = register(name, path, show=progress)
    notes = []
    for copy in copies:
        if not copy.digest:
            notes.append(
                f"{copy.id}: only counts were checked, for what it should contain is not known here."
            )
        if copy.besides:
            where = "/, ".join(known()[copy.id].optional)
            notes.append(
                f"{copy.id}: {tally(copy.besides, 'files')} in {where}/: no part of it, not checked."
            )
    table = Table(
        ("Id", "Files", "Bytes", "Checked", "Place"),
        [[one.id, one.files, one.bytes, "content" if one.digest else "counts", one.path] for one in copies],
        title="Registered",
        notes=notes,
    )
    print_result([table], [asdict(one) for one in copies], format)


@app.command()
def remove(name: DatasetId, format: FormatOption = Format.TABLE) -> None:
    """Forget a registered copy. Your own folder stays; what was unpacked from an archive is deleted.

    Example: stemmata data remove clough09
    """
    from stemmata.corpora.registration import remove as forget

    copy = forget(name)
    became = "deleted" if copy.unpacked else "left as it is"
    table = Table(("Id", "Place", "Folder"), [[copy.id, copy.path, became]], title="No longer registered")
    print_result([table], {"id": copy.id, "path": copy.path, "deleted": copy.unpacked}, format)


def dataset_rows(
    prefix: str = "", task: str | None = None, language: str | None = None
) -> list[dict[str, Any]]:
    """Return the known corpora, whole or chosen, with the place of the copy that is registered."""
    from stemmata.corpora.manifest import known
    from stemmata.corpora.registration import registered
    from stemmata.model import ErrorCode, StemmataError
    from stemmata.model.registry import did_you_mean

    manifest = known()
    tasks = {one.task for one in manifest.values()}
    if task is not None and task not in tasks:
        rule = f"it is one of: {', '.join(sorted(tasks))}{did_you_mean(task, tasks)}"
        raise StemmataError(ErrorCode.BAD_PARAMETER, name="task", value=task, rule=rule)
    copies = registered()
    return [
        {
            "id": one.id,
            "title": one.title,
            "task": one.task,
            "languages": list(one.languages),
            "counts": dict(one.counts),
            "checkable": "content" if (manifest[one.within] if one.within else one).digest else "counts",
            "registered": copies[whole].path if (whole := one.within or one.id) in copies else None,
        }
        for one in manifest.values()
        if one.id.startswith(prefix) and task in (None, one.task) and language in (None, *one.languages)
    ]


def _lines(value: Any) -> list[str]:
    return value if isinstance(value, list) else [value]


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        from stemmata.model.wording import tally

        return ", ".join(tally(count, what) for what, count in value.items())
    return ", ".join(value) if isinstance(value, list) else value or ""


def _copy_of(dataset: Dataset) -> Copy | None:
    from stemmata.corpora.manifest import known
    from stemmata.corpora.registration import copy_of

    return copy_of(known()[dataset.within] if dataset.within else dataset)


def _checkable(dataset: Dataset) -> str:
    if dataset.within:
        return "checked with the whole"
    if not dataset.digest:
        return "cannot be checked, only counts: its fingerprint is not known here"
    return f"{dataset.files:,} files, {dataset.bytes:,} bytes, sha256 {dataset.digest}"


def _standing(dataset: Dataset, copy: Copy | None) -> str:
    if copy is None:
        return f"none; register one: stemmata data add {dataset.within or dataset.id} PATH"
    there = "" if copy.is_there else ", but it is no longer there"
    return f"{copy.path}, checked {copy.checked[:10]}{there}"
