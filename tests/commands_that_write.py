"""Every command that writes results, with small inputs, for tests of what it does to its place."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from base_texts import write_base
from built_corpora import PLAN
from hiding import MINE, YOURS, put_problems
from stemmata.formats.pan_corpus import write_pan_corpus
from stemmata.model import Case, Document, Passage
from workbooks import sheet_of, write_workbook

EXAMPLES = Path(__file__).parents[1] / "examples" / "check"
ESSAY = [
    ["заимствованное предложение", "оригинальное предложение", "название", "тип - 1"],
    ["Маяк стоит на скале двести лет.", "Старый маяк стоит на скале уже двести лет.", "Маяк.html", "DEL"],
]


@dataclass(frozen=True)
class Command:
    """A command that writes to a place.

    Attributes
    ----------
    words
        The command without the place.
    name
        What the place is called.
    other
        Options that make another result.
    option
        What stands before the place; nothing where it is the last argument.
    never
        Whether a finished result is never replaced.
    resumes
        Whether the same command goes on with a finished result that is never replaced.
    statuses
        What it may end with.
    """

    words: tuple[str, ...]
    name: str = "out"
    other: tuple[str, ...] = ()
    option: tuple[str, ...] = ("-o",)
    never: bool = False
    resumes: bool = False
    statuses: tuple[int, ...] = (0,)

    @property
    def is_folder(self) -> bool:
        """Whether it writes a folder."""
        return "." not in self.name

    def at(self, place: Path | str, *more: str) -> list[str]:
        """Return the arguments that write to a place."""
        return [*self.words, *more, *self.option, str(place)]


def write_inputs(folder: Path) -> dict[str, Path]:
    """Write what commands read: a corpus, problems, essays, a plan and so on."""
    told = {name: folder / name for name in ("corpus", "essays", "library", "problems", "texts", "essay")}
    susp = [Document(f"s{n}.txt", f"{MINE[n]} {YOURS[n]} {MINE[n + 1]}") for n in range(3)]
    source = [Document(f"q{n}.txt", f"{YOURS[n]} {YOURS[n + 1]}") for n in range(3)]
    pairs = [(one.name, other.name) for one, other in zip(susp, source, strict=True)]
    cases = [
        Case(Passage(f"s{n}.txt", len(MINE[n]) + 1, len(YOURS[n])), Passage(f"q{n}.txt", 0, len(YOURS[n])))
        for n in range(3)
    ]
    write_pan_corpus(told["corpus"], susp, source, pairs, cases)
    for name in ("essays", "library"):
        shutil.copytree(EXAMPLES / name, told[name])
    put_problems(told["problems"])
    write_base(told["texts"])
    told["plan"] = folder / "plan.toml"
    plan = PLAN.replace('"base"', '"texts"').replace("documents = 32", "documents = 8")
    told["plan"].write_text(plan.replace("intrinsic = 0.25", "intrinsic = 0"), encoding="utf-8")
    write_workbook(told["essay"] / "sources_list.xlsx", {"Лист1": sheet_of(ESSAY)})
    (told["essay"] / "sources").mkdir()
    (told["essay"] / "sources" / "Маяк.html").write_text(
        "<p>Старый маяк стоит на скале уже двести лет.</p>", encoding="utf-8"
    )
    told["draft"] = folder / "draft.txt"
    told["draft"].write_text(" ".join(MINE), encoding="utf-8")
    told["pages"] = folder / "pages.jsonl"
    told["pages"].write_text(
        "".join(f'{{"id": "{one.name}", "text": "{one.text}"}}\n' for one in (*susp, *source)),
        encoding="utf-8",
    )
    return told


def commands(told: Mapping[str, Path]) -> dict[str, Command]:
    """Return every command that writes, by a name for the test."""
    at = {name: str(path) for name, path in told.items()}
    one = ("--jobs", "1")
    essay = f"{at['essays']}/anna.txt"
    check = ("check", "--against", at["library"], "--with", "shingles", *one)
    tune = ("--with", "shingles", "--folds", "2", "--population", "5", "--generations", "0")
    batch = ("--with", "shingles", *one)
    return {
        "detect": Command(
            ("detect", at["corpus"], "--with", "shingles", *one), other=("--with", "pan-baseline")
        ),
        "retrieve": Command(("retrieve", at["index"], at["essays"], *one), other=("--with", "fingerprint")),
        "retrieve --trec": Command(
            ("retrieve", at["index"], at["essays"], "--trec", *one), "run.trec", ("--with", "fingerprint")
        ),
        "check": Command((*check, essay), "report.html", ("--most-sources", "1")),
        "check of several": Command((*check, at["essays"]), "report.html", ("--most-sources", "1")),
        "check as json": Command((*check, essay), "report.json", ("--most-sources", "1")),
        "report alignment": Command(
            ("report", "alignment", at["corpus"], at["run"]), "report.html", ("--limit", "1")
        ),
        "report verification": Command(
            ("report", "verification", at["problems"], at["answers"]),
            "report.html",
            ("--truth", f"{at['problems']}/truth.txt"),
        ),
        "tune": Command(("tune", at["corpus"], *tune, *one), "parameters.json", ("--seed", "2")),
        "corpus build": Command(("corpus", "build", at["plan"], *one), never=True),
        "corpus import": Command(("corpus", "import", at["essay"], "--force"), never=True),
        "corpus compare": Command(("corpus", "compare", at["corpus"]), "compared.html", ("--sample", "2")),
        "verify": Command(("verify", at["problems"], *one), other=("--alone",)),
        "mask": Command(("mask", at["problems"], "--with", "loud", *one), other=("--with", "quiet")),
        "mask of a text": Command(
            ("mask", at["draft"], "--with", "loud", *one), other=("--with", "quiet"), statuses=(0, 1)
        ),
        "rank": Command(("rank", at["problems"], "--judged", "0", *one), other=("--verifiers", "half")),
        "reproduce": Command(("reproduce", "pan18", "--data", at["problems"]), statuses=(2,)),
        "batch reuse": Command(
            ("batch", "reuse", at["pages"], at["essays"], *batch), other=("--run", "trec")
        ),
        "batch pairs": Command(("batch", "pairs", at["pages"], *batch), other=("--least", "50")),
        "batch index": Command(
            ("batch", "index", at["pages"], *one),
            other=("--shard-megabytes", "1"),
            never=True,
            resumes=True,
        ),
    }
