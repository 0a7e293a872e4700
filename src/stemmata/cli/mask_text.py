"""One text of a user, masked: what is written beside it, shown on a page, and said in a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Any

import typer

from stemmata.cli.ending import print_line
from stemmata.cli.output import print_result
from stemmata.cli.progress import progress
from stemmata.reports.tables import Format, Table

if TYPE_CHECKING:
    from stemmata.experiments.grading import Grades
    from stemmata.experiments.masking import Masked
    from stemmata.experiments.masking_problems import Writings
    from stemmata.experiments.recognition import Recognition
    from stemmata.formats.outputs import OutputFile
    from stemmata.model import Obfuscator
    from stemmata.reports.masking import MaskedText


@dataclass(frozen=True)
class Given:
    """What a user asks for: the text, who masks it and how far, and what it is compared with."""

    file: Path
    name: str
    strength: float | None = None
    out: Path | None = None
    samples: tuple[Path, ...] = ()
    others: Path | None = None
    overwrite: bool = False

    @property
    def targets(self) -> tuple[Path, Path]:
        """The masked text, and the page about it."""
        from stemmata.experiments.masking_problems import MASKED, PAGE, RICH

        folder, suffix = self.out or self.file.parent, self.file.suffix
        masked = f"{self.file.stem}{MASKED}{'.txt' if suffix.lower() in RICH else suffix}"
        return folder / masked, folder / f"{self.file.stem}{PAGE}"

    @property
    def command(self) -> str:
        """The command that does the same again."""
        said = ["stemmata", "mask", _plain(self.file), "--with", self.name]
        said += [] if self.strength is None else ["--strength", str(self.strength)]
        said += [word for one in self.samples for word in ("--samples", _plain(one))]
        said += ["--others", _plain(self.others)] if self.others else []
        return join([*said, *(["-o", _plain(self.out)] if self.out else [])])

    def claim(self) -> OutputFile:
        """Take the places of the masked text and the page; the page knows the text that belongs to it."""
        from stemmata.formats.outputs import OutputFile
        from stemmata.formats.records import Making

        text, page = self.targets
        making = Making("masked text", {"obfuscator": self.name, "strength": self.strength})
        given = [self.file, *self.samples, *([self.others] if self.others else [])]
        claimed = OutputFile.claim(page, making, overwrite=self.overwrite, given=given)
        claimed.claim_beside(text, given)
        return claimed


def _plain(path: Path) -> str:
    """Return a path as it can be typed: no name is taken for an option."""
    return f"./{path}" if str(path).startswith("-") else str(path)


def mask_text(
    given: Given, obfuscators: Mapping[str, Obfuscator], jobs: int, format: Format, table: str | None = None
) -> None:
    """Mask a text, write it and the page about it, and print a short summary."""
    from stemmata.experiments.masking import mask_all, words_in
    from stemmata.experiments.masking_problems import Writings, read_writing
    from stemmata.experiments.recognition import recognise
    from stemmata.formats.files import write_atomically
    from stemmata.model import ErrorCode, Problem, StemmataError
    from stemmata.reports.masking import masked_page

    claimed = given.claim()
    text = read_writing(given.file)
    if not text.text.strip():
        raise StemmataError(ErrorCode.EMPTY_TEXT, given.file)
    mine = Writings.read(given.samples, "--samples", given.file, [text])
    theirs = Writings.read(
        [given.others] if given.others else [], "--others", given.file, [text, *mine.texts]
    )
    problem = Problem(given.file.stem, mine.texts, text)
    with progress("Masking", words_in(problem), "words") as advance:
        made = mask_all([(given.name, problem)], obfuscators, jobs=jobs, advance=advance)[0]
    if isinstance(made, str):
        print_line(made)
        raise typer.Exit(1)
    masked_file, page = given.targets
    with write_atomically(masked_file) as part:
        part.write_text(made.text, encoding="utf-8", newline="")
    with progress("Asking verifiers", 1, "texts") as advance:
        recognition = recognise(mine.texts, text, made.text, theirs.texts, jobs=jobs)
        advance(1)
    shown = _page_of(given, made, mine, theirs, recognition, _grades(made))
    claimed.write_text(masked_page(shown), [masked_file])
    data = _file_data(shown, masked_file, page, recognition)
    print_result(_file_tables(shown, data), data, format, table)
    if recognition.failed:
        raise typer.Exit(1)


def _grades(made: Masked) -> Grades | str:
    """Return predicted grades of a text, or why there are none."""
    from math import isfinite

    from stemmata.experiments.grading import MANY, grade_all

    graded = grade_all([made.pieces], MANY)
    if isinstance(graded, str):
        return graded
    return graded[0] if isfinite(graded[0].soundness) else "only what is recognised as English is graded"


def _page_of(
    given: Given,
    made: Masked,
    mine: Writings,
    theirs: Writings,
    recognition: Recognition,
    grades: Grades | str,
) -> MaskedText:
    from stemmata.experiments.changes import change_of
    from stemmata.experiments.recognition import FEW, MOST_OTHERS
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
    notes = [*mine.notes, *theirs.notes]
    others = min(len(theirs.texts), MOST_OTHERS)
    if others < len(theirs.texts):
        notes.append(f"of {len(theirs.texts)} texts by others the first {others} were used")
    if not made.changed:
        notes.append(
            f"nothing was changed: {given.name} may not know the language of the text, or found nothing to "
            "change"
        )
    if recognition.silent:
        silent = ", ".join(recognition.silent)
        notes.append(f"not counted, since any text here gets the same score by {silent}")
    notes += [f"{who}: {why}" for who, why in recognition.failed.items()]
    if isinstance(grades, str):
        cost = Cost(lost=lost, ungraded=grades)
    else:
        cost = Cost(grades.soundness, grades.sensibleness, lost)
    change = change_of([made])
    return MaskedText(
        given.file.name,
        given.name,
        made.pieces,
        words=sum(len(piece.original.split()) for piece in made.pieces),
        kept=change.kept,
        length=change.length,
        samples=len(mine.texts),
        others=others,
        witnesses=witnesses,
        counts=None if made.counts is None else dict(change.kinds),
        cost=cost,
        command=given.command,
        notes=notes,
        parted=others >= FEW,
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
        "notes": [*_ungraded(shown), *shown.notes],
    }


def _ungraded(shown: MaskedText) -> list[str]:
    return [f"not graded: {shown.cost.ungraded}"] if shown.cost.ungraded else []


def _file_tables(shown: MaskedText, data: dict[str, Any]) -> list[Table]:
    from stemmata.model.wording import counted

    notes = [*_ungraded(shown), *shown.notes]
    if not shown.samples:
        notes.insert(0, "how recognisable it is was not measured: there are no --samples of your writing")
    elif shown.witnesses:
        before, after = shown.recognised
        asked = counted(len(shown.witnesses), "verifier")
        notes.insert(0, f"recognised by {before} of {asked} before, by {after} now")
    else:
        notes.insert(
            0, "how recognisable it is was not measured: no verifier gave an answer that means anything"
        )
    checks = {kind: len(gone) + len(new) for kind, (gone, new) in shown.cost.lost.items() if gone or new}
    if checks:
        found = (counted(count, kind.removesuffix("s")) for kind, count in checks.items())
        notes.append(f"to be checked: {', '.join(found)}")
    if shown.cost.soundness is not None:
        grades = f"soundness {shown.cost.soundness:.2f} of 5, sensibleness {shown.cost.sensibleness:.2f} of 2"
        notes.append(f"predicted {grades}")
    notes.append(f"The masked text: {data['masked']}; the page: {data['page']}")
    title = (
        f"{counted(shown.words, 'word')} masked by {shown.obfuscator}: {shown.kept:.1%} of the words kept, "
        f"length {shown.length:.2f}"
    )
    if not shown.witnesses:
        rows: list[list[Any]] = [[kind, count] for kind, count in (shown.counts or {}).items()]
        return [Table(("Edit", "Times"), rows, title, notes, name="edits")]
    answers = [
        [
            one.name,
            one.before,
            one.after,
            "hidden" if one.was and not one.still else "yes" if one.still else "no",
        ]
        for one in shown.witnesses
    ]
    return [
        Table(
            ("Verifier", "Before", "After", "Recognised"), answers, title, notes, digits=3, name="verifiers"
        )
    ]
