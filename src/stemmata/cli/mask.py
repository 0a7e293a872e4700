"""``stemmata mask``: rewrite texts so that their author is hidden, and say what that did and cost."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stemmata.cli.cache import CacheOption
from stemmata.cli.ending import print_line
from stemmata.cli.output import FormatOption, print_result, table_option
from stemmata.cli.paths import OverwriteOption, path
from stemmata.cli.progress import progress
from stemmata.cli.workers import PROCESSES, JobsOption, SparkOption
from stemmata.reports.tables import Format, Table

if TYPE_CHECKING:
    from stemmata.experiments.cells import Cells
    from stemmata.experiments.masking_problems import MaskingSet
    from stemmata.model import Obfuscator


def mask(
    problems: Annotated[
        Path,
        typer.Argument(
            metavar="PROBLEMS_OR_FILE",
            parser=path,
            help="A folder with a folder per problem (original.txt, same-author01.txt …; or unknown.txt, "
            "known01.txt …), problems as lines of JSON (.jsonl), or one text of yours; - is one text from "
            "standard input.",
        ),
    ],
    name: Annotated[
        str, typer.Option("--with", metavar="NAME", help="Who rewrites; see: stemmata list obfuscators.")
    ] = "stemmata",
    strength: Annotated[
        float | None,
        typer.Option(
            "--strength",
            min=0,
            max=1,
            metavar="0…1",
            help="How far stemmata may change a text for the sake of hiding it; by default 0.5.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="OUT",
            help="Folder for what is written; by default masked, or for one text the folder that it is in.",
            show_default=False,
        ),
    ] = None,
    samples: Annotated[
        list[Path] | None,
        typer.Option(
            "--samples",
            parser=path,
            metavar="FILE",
            help="Other texts of yours, or folders of them, to measure how recognisable the text is. May be "
            "given more than once.",
        ),
    ] = None,
    others: Annotated[
        Path | None,
        typer.Option(
            "--others",
            parser=path,
            metavar="DIR",
            help="Texts by others, to compare yours with: a folder of texts or of problems, or one file.",
        ),
    ] = None,
    overwrite: OverwriteOption = False,
    jobs: JobsOption = PROCESSES,
    spark: SparkOption = None,
    no_cache: CacheOption = False,
    format: FormatOption = Format.TABLE,
    table: Annotated[str | None, table_option("edits", "verifiers", "failed")] = None,
) -> None:
    """Rewrite texts so that their author cannot be identified; the originals stay as they are.

    English only: a text in another language is refused; among problems, it stays as it is.

    Of problems, writes OUT/PROBLEM/obfuscation.json. What was masked before is not masked again, and a
    problem that fails is reported at the end and does not stop the rest; the exit status is then 1. Of one
    text, writes the masked text and a page that shows both side by side, how recognisable the text was and
    is, and what it cost. That page and the cache hold the original text: see --no-cache, and stemmata cache.

    Example: stemmata mask essay.txt --samples letter.txt --samples diary.txt
    """
    from stemmata.cli.mask_text import INPUT, Given, mask_text
    from stemmata.experiments.cache import cells_of_run
    from stemmata.experiments.masking import choose_obfuscators
    from stemmata.experiments.masking_problems import MaskingSet
    from stemmata.experiments.programs import settings_of
    from stemmata.formats.files import is_folder
    from stemmata.formats.obfuscation import FILE
    from stemmata.formats.outputs import OutputFolder
    from stemmata.formats.records import Making, digest_of
    from stemmata.model.executors import work_on_spark

    chosen = choose_obfuscators([name], strength, each=True)
    many = problems != INPUT and (is_folder(problems) or problems.suffix == ".jsonl")
    if (samples or others) and many:
        print_line("--samples and --others are for one text; problems have their own")
    with work_on_spark(spark), cells_of_run(not no_cache) as cells:
        if many:
            given = MaskingSet.read(problems)
            settings = {"obfuscator": name, "settings": settings_of(chosen.obfuscators[name])}
            making = Making("masked problems", settings, {"problems": digest_of(given.content)})
            files = [f"{one.id}/{FILE}" for one in given.problems]
            claimed = OutputFolder.claim(out or Path("masked"), making, overwrite, [problems], files)
            with claimed.growing() as folder:
                _mask_problems(given, name, chosen.obfuscators, folder, cells, jobs, format, table)
        else:
            one = Given(problems, name, strength, out, tuple(samples or ()), others, overwrite, not no_cache)
            mask_text(one, chosen.obfuscators, cells, jobs, format, table)


def _mask_problems(
    given: MaskingSet,
    name: str,
    obfuscators: Mapping[str, Obfuscator],
    out: Path,
    cells: Cells,
    jobs: int,
    format: Format,
    table: str | None,
) -> None:
    from stemmata.experiments.changes import change_of
    from stemmata.experiments.masking import Masked, mask_all, write_masked
    from stemmata.model import StemmataError
    from stemmata.model.wording import counted

    failed = dict(given.unreadable)

    def write(number: int, one: Masked | str) -> None:
        problem = given.problems[number].id
        try:
            if isinstance(one, str):
                failed[problem] = one
            else:
                write_masked(out, problem, one)
        except StemmataError as error:
            failed[problem] = str(error)

    work = [(name, problem) for problem in given.problems]
    with progress("Masking", given.words, "words") as advance:
        made = mask_all(work, obfuscators, jobs=jobs, cells=cells, advance=advance, done=write)
    masked = [
        one
        for one, problem in zip(made, given.problems, strict=True)
        if isinstance(one, Masked) and problem.id not in failed
    ]
    words = sum(len(one.original.split()) for one in masked)
    change = change_of(masked)
    same = sum(not one.changed for one in masked)
    notes = [*given.notes]
    if same:
        notes.append(
            f"{counted(same, 'text')} left unchanged: empty, in a language that {name} does not "
            "know, or with nothing to change"
        )
    data = {
        "out": str(out),
        "obfuscator": name,
        "problems": len(given.problems) + len(given.unreadable),
        "words": words,
        "unchanged": same,
        "words_kept": change.kept,
        "length": change.length,
        "pieces_changed": change.pieces,
        "edits": dict(change.kinds),
        "seconds": round(sum(one.seconds for one in masked), 3),
        "failed": failed,
        "notes": notes,
    }
    title = (
        f"{counted(len(masked), 'text')} of {counted(words, 'word')} masked by {name}: "
        f"{change.kept:.1%} of the words kept, length {change.length:.2f}"
    )
    notes.append(f"The obfuscated texts: {out}")
    tables = [
        Table(
            ("Edit", "Times"),
            [[kind, count] for kind, count in change.kinds.items()],
            title,
            () if failed else notes,
            name="edits",
        )
    ]
    rows = [[problem, failed[problem]] for problem in sorted(failed)]
    tables.append(Table(("Failed", "Reason"), rows, notes=notes if failed else (), name="failed"))
    print_result(tables, data, format, table)
    if failed:
        raise typer.Exit(1)
