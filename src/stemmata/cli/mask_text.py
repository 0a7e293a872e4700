"""One text of a user, masked: what is written beside it, shown on a page, and said in a terminal."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Any

import typer

from stemmata.cli.ending import print_line
from stemmata.cli.output import print_result
from stemmata.cli.progress import progress
from stemmata.reports.tables import Format, Table

if TYPE_CHECKING:
    from stemmata.experiments.cells import Cells
    from stemmata.experiments.grading import Grades
    from stemmata.experiments.masking import Masked
    from stemmata.experiments.masking_problems import Writings
    from stemmata.experiments.recognition import Recognition
    from stemmata.formats.outputs import OutputFile
    from stemmata.model import Document, Obfuscator
    from stemmata.reports.masking import MaskedText, Witness


INPUT = Path("-")
"""What stands for standard input."""
_INPUT_NAME = Path("stdin.txt")
_SHOWN = 5
"""Phrases and names that a terminal shows; the page has all."""


@dataclass(frozen=True)
class Given:
    """What a user asks for: the text, who masks it and how far, and what it is compared with.

    Attributes
    ----------
    kept
        Whether results may be kept in the cache.
    """

    source: Path
    name: str
    strength: float | None = None
    out: Path | None = None
    samples: tuple[Path, ...] = ()
    others: Path | None = None
    overwrite: bool = False
    kept: bool = True

    @property
    def file(self) -> Path:
        """The text's file, or what standard input is called."""
        return _INPUT_NAME if self.source == INPUT else self.source

    @property
    def targets(self) -> tuple[Path, Path]:
        """The masked text, and the page about it."""
        from stemmata.experiments.masking_problems import MASKED, PAGE, RICH

        folder, suffix = self.out or self.file.parent, self.file.suffix
        masked = f"{self.file.stem}{MASKED}{'.txt' if suffix.lower() in RICH else suffix}"
        return folder / masked, folder / f"{self.file.stem}{PAGE}"

    @property
    def command(self) -> str:
        """The command that does the same again where the files lie; it names none of the folders."""
        said = ["stemmata", "mask", "-" if self.source == INPUT else _plain(self.file), "--with", self.name]
        said += [] if self.strength is None else ["--strength", str(self.strength)]
        said += [word for one in self.samples for word in ("--samples", _plain(one))]
        said += ["--others", _plain(self.others)] if self.others else []
        said += ["-o", _plain(self.out)] if self.out else []
        return join([*said, *([] if self.kept else ["--no-cache"])])

    def without_folders(self, note: str) -> str:
        """Return a note without the folders of what was given."""
        paths = [self.file, *self.samples, *([self.others] if self.others else [])]
        for path in sorted(paths, key=lambda one: -len(str(one))):
            note = note.replace(str(path), path.name or str(path))
        return note

    def read(self) -> Document:
        """Read the text."""
        from stemmata.experiments.masking_problems import check_size, read_writing, writing_of
        from stemmata.formats.rich_documents import MAX_DOCUMENT_BYTES
        from stemmata.model import ErrorCode, StemmataError

        if self.source == INPUT:
            data = sys.stdin.buffer.read(MAX_DOCUMENT_BYTES + 1)
            if len(data) > MAX_DOCUMENT_BYTES:
                details = {"size": len(data), "limit": MAX_DOCUMENT_BYTES}
                raise StemmataError(ErrorCode.TOO_LARGE, self.file, **details)
            text = writing_of(self.file, data)
        else:
            text = read_writing(self.file)
        if not text.text.strip():
            raise StemmataError(ErrorCode.EMPTY_TEXT, self.file)
        check_size(text.text, self.file)
        return text

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
    """Return the name of a file or folder as it can be typed: none is taken for an option."""
    name = path.name or str(path)
    return f"./{name}" if name.startswith("-") else name


def mask_text(
    given: Given,
    obfuscators: Mapping[str, Obfuscator],
    cells: Cells,
    jobs: int,
    format: Format,
    table: str | None = None,
) -> None:
    """Mask a text, write it and the page about it, and print a short summary."""
    from stemmata.experiments.masking import check_language, mask_all, words_in
    from stemmata.experiments.masking_problems import Writings
    from stemmata.experiments.recognition import recognise
    from stemmata.formats.files import write_atomically
    from stemmata.model import Problem
    from stemmata.reports.masking import masked_page

    claimed = given.claim()
    text = given.read()
    check_language(given.name, obfuscators[given.name], text.text, given.file)
    mine = Writings.read(given.samples, "--samples", given.file, [text])
    theirs = Writings.read(
        [given.others] if given.others else [], "--others", given.file, [text, *mine.texts]
    )
    problem = Problem(given.file.stem, mine.texts, text)
    with progress("Masking", words_in(problem), "words") as advance:
        made = mask_all([(given.name, problem)], obfuscators, jobs=jobs, cells=cells, advance=advance)[0]
    if isinstance(made, str):
        print_line(made)
        raise typer.Exit(1)
    masked_file, page = given.targets
    with write_atomically(masked_file) as part:
        part.write_text(made.text, encoding="utf-8", newline="")
    with progress("Asking verifiers", 1, "texts") as advance:
        recognition = recognise(mine.texts, text, made.text, theirs.texts, jobs=jobs, cells=cells)
        advance(1)
    shown = _page_of(given, made, mine, theirs, recognition, _grades(made, cells))
    notes = [given.without_folders(one) for one in shown.notes]
    claimed.write_text(masked_page(replace(shown, notes=notes)), [masked_file])
    data = _file_data(shown, masked_file, page, recognition)
    print_result(_file_tables(shown, data), data, format, table)
    if recognition.failed:
        raise typer.Exit(1)


def _grades(made: Masked, cells: Cells) -> Grades | str:
    """Return predicted grades of a text, or why there are none."""
    from math import isfinite

    from stemmata.experiments.grading import MANY, grade_all

    graded = grade_all([made.pieces], MANY, cells=cells)
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
    from stemmata.masking.traces import named_in, shared_phrases
    from stemmata.reports.masking import Cost, MaskedText, Witness

    witnesses = [
        Witness(
            *(one.verifier, one.before, one.after, one.threshold, one.was, one.is_still),
            own=sum(one.own) / len(one.own) if one.own else None,
            others=one.others,
            nearer=(one.nearer(one.before), one.nearer(one.after)),
            doubt=one.doubt,
        )
        for one in recognition.answers
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
    notes += [f"not safe to judge by {one.verifier}: {one.doubt}" for one in recognition.unsafe]
    notes += [f"{who}: {why}" for who, why in recognition.failed.items()]
    if isinstance(grades, str):
        cost = Cost(lost=lost, ungraded=grades)
    else:
        cost = Cost(grades.soundness, grades.sensibleness, lost)
    change = change_of([made])
    phrases = shared_phrases(made.text, [one.text for one in mine.texts], [one.text for one in theirs.texts])
    return MaskedText(
        given.file.name,
        given.name,
        made.pieces,
        words=sum(len(piece.original.split()) for piece in made.pieces),
        kept_words=change.kept,
        length=change.length,
        samples=len(mine.texts),
        others=others,
        witnesses=witnesses,
        counts=None if made.counts is None else dict(change.kinds),
        cost=cost,
        command=given.command,
        notes=notes,
        parted=others >= FEW,
        phrases=phrases,
        named=named_in(made.text).as_json(),
        kept=given.kept,
    )


def _file_data(shown: MaskedText, file: Path, page: Path, recognition: Recognition) -> dict[str, Any]:
    return {
        "masked": str(file),
        "page": str(page),
        "obfuscator": shown.obfuscator,
        "words": shown.words,
        "words_kept": shown.kept_words,
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
                for one in shown.judges
            },
            "not_safe_to_judge": {
                one.name: {"before": one.before, "after": one.after, "reason": one.doubt}
                for one in shown.witnesses
                if one.doubt
            },
        },
        "soundness": shown.cost.soundness,
        "soundness_word": shown.cost.soundness_word,
        "sensibleness": shown.cost.sensibleness,
        "school_grade": shown.cost.school_grade,
        "to_check": {
            kind: {"gone": list(gone), "new": list(new)} for kind, (gone, new) in shown.cost.lost.items()
        },
        "shared_phrases": list(shown.phrases),
        "named": shown.named,
        "notes": [*_ungraded(shown), *shown.notes],
    }


def _ungraded(shown: MaskedText) -> list[str]:
    return [f"not graded: {shown.cost.ungraded}"] if shown.cost.ungraded else []


def _file_tables(shown: MaskedText, data: dict[str, Any]) -> list[Table]:
    from stemmata.model.wording import counted

    notes = [*_recognised(shown), *_ungraded(shown), *shown.notes]
    checks = {kind: len(gone) + len(new) for kind, (gone, new) in shown.cost.lost.items() if gone or new}
    if checks:
        found = (counted(count, kind.removesuffix("s")) for kind, count in checks.items())
        notes.append(f"to be checked: {', '.join(found)}")
    if shown.cost.soundness is not None:
        notes.append(
            f"predicted soundness {shown.cost.soundness:.2f} of 5 ({shown.cost.soundness_word}), "
            f"sensibleness {shown.cost.sensibleness:.2f} of 2 (school grade {shown.cost.school_grade})"
        )
    notes += _traces(shown)
    notes.append(
        "the page holds the original text"
        + (", and so does the cache (see: stemmata cache)" if shown.kept else "")
    )
    notes.append(f"The masked text: {data['masked']}; the page: {data['page']}")
    title = (
        f"{counted(shown.words, 'word')} masked by {shown.obfuscator}: {shown.kept_words:.1%} of the words "
        f"kept, length {shown.length:.2f}"
    )
    if not shown.witnesses:
        rows: list[list[Any]] = [[kind, count] for kind, count in (shown.counts or {}).items()]
        return [Table(("Edit", "Times"), rows, title, notes, name="edits")]
    answers: list[list[Any]] = [
        [
            one.name,
            one.before,
            one.after,
            _verdict(one),
        ]
        for one in shown.witnesses
    ]
    return [
        Table(
            ("Verifier", "Before", "After", "Recognised"), answers, title, notes, digits=3, name="verifiers"
        )
    ]


def _verdict(one: Witness) -> str:
    if one.doubt:
        return "not safe to judge"
    return "hidden" if one.was and not one.still else "yes" if one.still else "no"


def _recognised(shown: MaskedText) -> list[str]:
    """Say how many verifiers recognise the text, and what that means."""
    from stemmata.model.wording import counted

    unmeasured = "how recognisable it is was not measured"
    if not shown.samples:
        return [f"{unmeasured}: there are no --samples of your writing"]
    if not shown.judges:
        return [f"{unmeasured}: no verifier gave an answer that means anything"]
    before, after = shown.recognised
    return [
        f"recognised by {before} of {counted(len(shown.judges), 'verifier')} before, by {after} now: "
        "above 0.5 a verifier says the same author, as in stemmata verify"
    ]


def _traces(shown: MaskedText) -> list[str]:
    """Say what may give the author away whatever the style."""
    found = []
    if shown.phrases:
        phrases = [f"“{one}”" for one in shown.phrases]
        found.append(f"phrases it shares with the samples, by rule: {_first(phrases)}")
    if named := [one for kind in shown.named.values() for one in kind]:
        found.append(f"names, dates and places in it, by rule: {_first(named)}")
    return found


def _first(found: list[str]) -> str:
    more = len(found) - _SHOWN
    return ", ".join(found[:_SHOWN]) + (f" and {more:,} more on the page" if more > 0 else "")
