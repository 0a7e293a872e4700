"""``stemmata rank``: the world ranking of obfuscators, run anew: who hides texts best, and at what cost."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stemmata.cli.cache import CacheOption
from stemmata.cli.output import FormatOption, print_result, skipped_notes, table_option
from stemmata.cli.paths import OverwriteOption, path
from stemmata.cli.progress import progress
from stemmata.cli.workers import MOST_CHARACTERS, PROCESSES, JobsOption, MostCharactersOption, SparkOption
from stemmata.reports.tables import Format, Table

if TYPE_CHECKING:
    from stemmata.experiments.ranking import Ranked

SAMPLES = 2
"""Texts that the page shows side by side."""


class Adversary(StrEnum):
    """What verifiers know of obfuscators."""

    NONE = "none"
    TRAINED = "trained"


def rank(
    problems: Annotated[
        Path,
        typer.Argument(
            metavar="PROBLEMS",
            parser=path,
            help="Verification problems with their truth (truth.txt), or a folder of several such sets.",
        ),
    ],
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="DIR", help="Folder for the scores, texts and the page.")
    ] = Path("ranking"),
    verifiers: Annotated[
        str,
        typer.Option(
            "--verifiers",
            metavar="NAME[,NAME…]",
            help="Verifiers to ask, or all; see: stemmata list verifiers.",
        ),
    ] = "all",
    obfuscators: Annotated[
        str,
        typer.Option(
            "--obfuscators",
            metavar="NAME[,NAME…]",
            help="Obfuscators to rank, all or none; see: stemmata list obfuscators.",
        ),
    ] = "all",
    runs: Annotated[
        list[str] | None,
        typer.Option(
            "--runs",
            metavar="NAME=DIR",
            help="Obfuscations made elsewhere: a folder per problem with obfuscation.json. Repeatable.",
        ),
    ] = None,
    answers: Annotated[
        list[str] | None,
        typer.Option(
            "--answers",
            metavar="NAME=DIR",
            help="Answers of a verifier that ran elsewhere: to CORPUS, and to each CORPUS-obfuscationX. "
            "Repeatable.",
        ),
    ] = None,
    train: Annotated[
        list[Path] | None,
        typer.Option(
            "--train",
            parser=path,
            metavar="PROBLEMS",
            help="Problems with their truth, for verifiers that learn; without it they are cross-validated. "
            "May be given more than once.",
        ),
    ] = None,
    adversary: Annotated[
        Adversary,
        typer.Option(
            "--adversary", help="'trained': also let verifiers learn from texts of the obfuscator they face."
        ),
    ] = Adversary.NONE,
    with_problems: Annotated[
        bool,
        typer.Option(
            "--write-problems",
            help="Write all problems, as they were and obfuscated, for verifiers elsewhere.",
        ),
    ] = False,
    judged: Annotated[
        int,
        typer.Option(
            "--judged",
            min=0,
            max=100_000,
            help="Texts per obfuscator whose quality is predicted; 0 for none.",
        ),
    ] = 20,
    most_characters: MostCharactersOption = MOST_CHARACTERS,
    overwrite: OverwriteOption = False,
    jobs: JobsOption = PROCESSES,
    spark: SparkOption = None,
    no_cache: CacheOption = False,
    format: FormatOption = Format.TABLE,
    table: Annotated[str | None, table_option("obfuscators", "failed")] = None,
) -> None:
    """Rank obfuscators by the verifiers they fool: the world ranking of PAN 2018 with whoever is registered.

    Each obfuscator hides the unknown texts that are by the same author; each verifier answers all problems
    before and after. DIR gets the scores as PAN18 laid them out (read by: stemmata score safety), the
    obfuscated texts, ranking.json and the page ranking.html. What was computed before is not computed again,
    and a run that was stopped goes on where it was.

    Example: stemmata rank problems --verifiers jankowska13,kocher15 --obfuscators castro-2017 -o ranking
    """
    from stemmata.experiments.cache import cells_of_run
    from stemmata.experiments.masking import choose_obfuscators
    from stemmata.experiments.problem_sets import TrainingSet
    from stemmata.experiments.ranking import Plan, nobody_to_rank
    from stemmata.experiments.ranking import rank as run_ranking
    from stemmata.experiments.ranking_corpora import PAGE, GivenRun, checked_name, lessons_apart, read_corpora
    from stemmata.experiments.ranking_files import named_folders, read_given_answers
    from stemmata.experiments.ranking_folder import claim_ranking, write_ranking
    from stemmata.experiments.ranking_summary import Summary, grade_obfuscators, short_texts, summary_data
    from stemmata.experiments.verifying import choose
    from stemmata.model.executors import work_on_spark
    from stemmata.reports.ranking import Sample, ranking_page

    hiding = choose_obfuscators([one for one in _names(obfuscators) if one != "none"])
    looking = choose([one for one in _names(verifiers) if one != "none"], learning=True)
    for name in (*hiding.obfuscators, *looking.verifiers):
        checked_name(name, "a system")
    folders = named_folders(runs or (), "an obfuscator", "obfuscators", hiding.obfuscators)
    given = named_folders(answers or (), "a verifier", "verifiers", looking.verifiers)
    if not hiding.obfuscators and not folders:
        raise nobody_to_rank("obfuscator", {**hiding.broken, **hiding.skipped})
    if not looking.verifiers and not given:
        raise nobody_to_rank("verifier", {**looking.broken, **looking.skipped})
    corpora = read_corpora(problems, most_characters)
    training = lessons_apart(TrainingSet.read(train, most_characters), corpora) if train else None
    everyone = [*hiding.obfuscators, *folders]
    given_paths = [problems, *(train or ()), *folders.values(), *given.values()]
    notes = [note for corpus in corpora for note in corpus.notes] + list(training.notes if training else ())
    plan = Plan(
        corpora,
        hiding,
        looking,
        [GivenRun(name, folder) for name, folder in folders.items()],
        {
            name: read_given_answers(name, folder, corpora, everyone, notes.append)
            for name, folder in given.items()
        },
        training,
        adversary is Adversary.TRAINED,
    )
    settings = {
        "adversary": adversary,
        "judged": judged,
        "most_characters": most_characters,
        "train": training.digest if training else None,
        "write_problems": with_problems,
    }
    claimed = claim_ranking(out, plan, settings, given_paths, overwrite)
    with work_on_spark(spark), cells_of_run(not no_cache) as cells, _progress() as advance:
        ranked = run_ranking(plan, jobs=jobs, cells=cells, advance=advance)
        quality, ungraded = grade_obfuscators(ranked, judged, jobs=jobs, cells=cells, advance=advance)
    summary = Summary.of(ranked)
    notes += ranked.notes
    if judged and ungraded:
        notes.append(f"quality was not predicted: {ungraded}")
    if not summary.world.perfect:
        notes.append("no verifier could be fooled: none that is better than chance recognises an author")
    data = summary_data(summary, plan, quality, notes, ungraded=ungraded)
    samples = [
        Sample(
            f"{corpus}, {problem}",
            {name: by[problem].pieces for name, by in ranked.corpora[corpus].masked.items()},
        )
        for corpus, problem in short_texts(ranked, SAMPLES)
    ]
    write_ranking(
        claimed,
        ranked,
        data,
        ranking_page(data, summary.world.corpora, samples, _command()),
        with_problems,
    )
    shown = [*notes, *skipped_notes(ranked.skipped)]
    shown.append(f"The scores and the texts: {out}; the page: {out / PAGE}")
    # What the clock said is no part of the ranking, whose files are the same each time.
    timed = data | {"seconds": _spent(ranked)}
    shown += [f"CPU seconds of {one}, learning not included: {s}" for one, s in timed["seconds"].items()]
    print_result(_tables(data, shown), timed, format, table)
    if ranked.failed:
        raise typer.Exit(1)


def _spent(ranked: Ranked) -> dict[str, float]:
    """Return the CPU seconds of each verifier on all corpora."""
    spent: dict[str, float] = {}
    for result in ranked.corpora.values():
        for name, seconds in result.seconds.items():
            spent[name] = spent.get(name, 0.0) + seconds
    return {name: round(spent[name], 1) for name in sorted(spent)}


def _command() -> str:
    """Return the command that makes the same ranking, whoever gave it and wherever the files lay."""
    if sys.argv[1:2] != ["rank"]:
        return "stemmata rank …"
    said = iter(sys.argv[2:])
    kept: list[str] = []
    for one in said:
        option, equals, value = one.partition("=") if one.startswith("--") else ("", "", one)
        if one in _MEANS or option in _MEANS or one.startswith("-j"):
            if not equals and one in _MEANS and one not in _FLAGS:
                next(said, None)
            continue
        kept.append(f"{option}{equals}{_without_folders(value)}")
    return join(["stemmata", "rank", *kept, "-o", "ranking"])


_FLAGS = {"--overwrite", "--no-cache"}
_MEANS = {"-j", "--jobs", "--spark", "-o", "--out", "-f", "--format", "--table", *_FLAGS}
"""Options that change where and how a ranking is made, but nothing of it."""


def _without_folders(value: str) -> str:
    name, equals, place = value.rpartition("=")
    return f"{name}{equals}{Path(place).name}" if "/" in place else value


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


@contextmanager
def _progress() -> Iterator[Callable[[str, int, int], None]]:
    """Show one bar per kind of work, on a terminal only."""
    bars: dict[str, Any] = {}

    def advance(what: str, total: int, more: int) -> None:
        if what not in bars:
            for bar in bars.values():
                bar[0].__exit__(None, None, None)
            made = progress(what, total, "pieces")
            bars.clear()
            bars[what] = (made, made.__enter__())
        bars[what][1](more)

    try:
        yield advance
    finally:
        for bar in bars.values():
            bar[0].__exit__(*sys.exc_info())


def _tables(data: dict[str, Any], notes: list[str]) -> list[Table]:
    from stemmata.model.wording import counted

    trained = any("adversary" in one for one in data["obfuscators"].values())
    columns = ["Obfuscator", "Score", "Share of perfect", "Low", "High", *(["Trained"] if trained else [])]
    graded = any(one["quality"] for one in data["obfuscators"].values())
    columns += ["Words kept", "Length", *(["Sensible", "Sound"] if graded else [])]
    rows = []
    for name, one in data["obfuscators"].items():
        bounds = one["confidence"]
        known = [one["adversary"]["share"] if "adversary" in one else None] if trained else []
        row = [name, one["score"], one["share"], *bounds, *known, one["words_kept"], one["length"]]
        grades = one["quality"] or {"sensibleness": None, "soundness": None}
        rows.append([*row, *([grades["sensibleness"], grades["soundness"]] if graded else [])])
    corpora = data["corpora"].values()
    hidden = sum(one["positives"] for one in corpora)
    sets = counted(len(corpora), "corpus", "corpora")
    title = f"{counted(hidden, 'text')} to hide in {sets}, perfect {data['perfect']:.2f}"
    failed = [[name, reason] for name, reason in data["failed"].items()]
    signed = [*notes, data["signature"]]
    decimals, above = {"Score": 2}, () if failed else signed
    return [
        Table(columns, rows, title, above, digits=3, decimals=decimals, name="obfuscators"),
        Table(("Failed", "Reason"), failed, notes=signed if failed else (), name="failed"),
    ]
