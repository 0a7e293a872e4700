"""One text of a user, masked: what is written beside it, shown on a page, and said in a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import typer

from stemmata.cli.output import print_result
from stemmata.cli.progress import progress
from stemmata.reports.tables import Format, Table

if TYPE_CHECKING:
    from stemmata.experiments.grading import Grades
    from stemmata.experiments.masking import Masked
    from stemmata.experiments.recognition import Recognition
    from stemmata.model import Document, Obfuscator
    from stemmata.reports.masking import MaskedText


def mask_text(
    file: Path,
    name: str,
    obfuscators: Mapping[str, Obfuscator],
    out: Path | None,
    samples: Sequence[Path],
    others: Path | None,
    jobs: int,
    format: Format,
) -> None:
    """Mask a text, write it and the page about it, and print a short summary."""
    from stemmata.experiments.masking import mask_all, words_in
    from stemmata.experiments.masking_problems import RICH, read_writing, read_writings
    from stemmata.experiments.recognition import recognise
    from stemmata.formats.files import write_atomically
    from stemmata.model import ErrorCode, Problem, StemmataError
    from stemmata.reports.masking import write_masked_page

    text = read_writing(file)
    if not text.text.strip():
        raise StemmataError(ErrorCode.EMPTY_TEXT, file)
    own = [one for one in read_writings(samples) if one[1].text != text.text]
    mine = [document for _, document in own]
    theirs = [one for _, one in read_writings([others] if others else []) if one not in (text, *mine)]
    folder = out or file.parent
    masked_file = folder / f"{file.stem}-masked{'.txt' if file.suffix.lower() in RICH else file.suffix}"
    page = folder / f"{file.stem}-masked.report.html"
    for target in (masked_file, page):
        if target.resolve() in {one.resolve() for one in (file, *(path for path, _ in own))}:
            raise StemmataError(ErrorCode.WOULD_OVERWRITE, target)
    problem = Problem(file.stem, tuple(mine), text)
    with progress("Masking", words_in(problem), "words") as advance:
        made = mask_all([(name, problem)], obfuscators, jobs=jobs, advance=advance)[0]
    if isinstance(made, str):
        typer.echo(f"stemmata: {made}", err=True)
        raise typer.Exit(1)
    with progress("Asking verifiers", 1, "texts") as advance:
        recognition = recognise(mine, text, made.text, theirs, jobs=jobs)
        advance(1)
    grades = _grades(made)
    command = f"stemmata mask {quote(str(file))} --with {name}"
    command += "".join(f" --samples {quote(str(one))}" for one in samples)
    command += f" --others {quote(str(others))}" if others else ""
    shown = _page_of(file.name, name, made, mine, theirs, recognition, grades, command)
    with write_atomically(masked_file) as part:
        part.write_text(made.text, encoding="utf-8", newline="")
    write_masked_page(page, shown)
    data = _file_data(shown, masked_file, page, recognition)
    print_result(_file_tables(shown, data), data, format)
    if recognition.failed:
        raise typer.Exit(1)


def _grades(made: Masked) -> Grades | str:
    """Return predicted grades of a text, or why there are none."""
    from math import isfinite

    from stemmata.experiments.grading import MANY, grade_all

    graded = grade_all([made.pieces], MANY)
    if isinstance(graded, str):
        return graded
    return graded[0] if isfinite(graded[0].soundness) else "grades are for texts in English alone"


def _page_of(
    title: str,
    name: str,
    made: Masked,
    mine: Sequence[Document],
    theirs: Sequence[Document],
    recognition: Recognition,
    grades: Grades | str,
    command: str,
) -> MaskedText:
    from stemmata.experiments.ranking_summary import change_of
    from stemmata.masking.quality.checks import checks_of
    from stemmata.reports.masking import Cost, MaskedText, Witness

    witnesses = [
        Witness(
            *(one.verifier, one.before, one.after, one.threshold, one.was, one.is_still, one.own, one.others),
            nearer=(one.nearer(one.before), one.nearer(one.after)),
        )
        for one in recognition.verifiers
    ]
    lost: dict[str, tuple[list[str], list[str]]] = {
        kind: ([], []) for kind in ("numbers", "names", "negations")
    }
    for piece in made.pieces:
        found = checks_of(piece.original, piece.obfuscation)
        for kind, (gone, new) in lost.items():
            for finding in getattr(found, kind):
                (gone if finding.change == "lost" else new).append(finding.text)
    notes = [f"not graded: {grades}"] if isinstance(grades, str) else []
    if not made.changed:
        notes.append(
            f"nothing was changed: {name} may not know the language of the text, or found nothing to change"
        )
    if recognition.silent:
        notes.append(f"give all these texts the same score: {', '.join(recognition.silent)}")
    notes += [f"{who}: {why}" for who, why in recognition.failed.items()]
    cost = Cost(lost=lost)
    if not isinstance(grades, str):
        cost = Cost(grades.soundness, grades.sensibleness, lost)
    change = change_of([made])
    return MaskedText(
        title,
        name,
        made.pieces,
        words=sum(len(piece.original.split()) for piece in made.pieces),
        kept=change.kept,
        length=change.length,
        samples=len(mine),
        others=len(theirs),
        witnesses=witnesses,
        counts=None if made.counts is None else dict(change.kinds),
        cost=cost,
        command=command,
        notes=notes,
    )


def _file_data(shown: MaskedText, file: Path, page: Path, recognition: Recognition) -> dict[str, Any]:
    return {
        "masked": str(file),
        "page": str(page),
        "obfuscator": shown.obfuscator,
        "words": shown.words,
        "words_kept": shown.kept,
        "length": shown.length,
        "edits": shown.counts,
        "samples": shown.samples,
        "others": shown.others,
        "recognised": None
        if not shown.witnesses
        else {
            "before": shown.recognised[0],
            "after": shown.recognised[1],
            "verifiers": {
                one.name: {"before": one.before, "after": one.after, "threshold": one.threshold}
                for one in shown.witnesses
            },
        },
        "soundness": shown.cost.soundness,
        "sensibleness": shown.cost.sensibleness,
        "to_check": {
            kind: {"gone": list(gone), "new": list(new)} for kind, (gone, new) in shown.cost.lost.items()
        },
        "notes": list(shown.notes),
    }


def _file_tables(shown: MaskedText, data: dict[str, Any]) -> list[Table]:
    notes = list(shown.notes)
    if not shown.samples:
        notes.insert(0, "how recognisable it is was not measured: there are no --samples of your writing")
    elif shown.witnesses:
        before, after = shown.recognised
        notes.insert(0, f"recognised by {before} of {len(shown.witnesses)} verifiers before, by {after} now")
    checks = {kind: len(gone) + len(new) for kind, (gone, new) in shown.cost.lost.items() if gone or new}
    if checks:
        notes.append("to be checked: " + ", ".join(f"{count} {kind}" for kind, count in checks.items()))
    if shown.cost.soundness is not None:
        grades = f"soundness {shown.cost.soundness:.2f} of 5, sensibleness {shown.cost.sensibleness:.2f} of 2"
        notes.append(f"predicted {grades}")
    notes.append(f"The masked text: {data['masked']}; the page: {data['page']}")
    title = (
        f"{shown.words:,} words masked by {shown.obfuscator}: {shown.kept:.1%} of the words kept, "
        f"length {shown.length:.2f}"
    )
    if not shown.witnesses:
        rows: list[list[Any]] = [[kind, count] for kind, count in (shown.counts or {}).items()]
        return [Table(("Edit", "Times"), rows, title, notes)]
    answers = [
        [
            one.name,
            one.before,
            one.after,
            "hidden" if one.was and not one.still else "yes" if one.still else "no",
        ]
        for one in shown.witnesses
    ]
    return [Table(("Verifier", "Before", "After", "Recognised"), answers, title, notes, digits=3)]
