"""Odd arguments, variables of the environment, and streams that the caller has closed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from fuzzing.attempt import Attempt
from fuzzing.kinds import Draw, attempt_kind, kind
from fuzzing.mutations import NUMBERS, STRINGS
from fuzzing.worker import SOURCE

SOUND = (
    "score alignment alignment/truth alignment/run",
    "score retrieval retrieval/truth retrieval/run",
    "score verification verification/problems verification/answers.txt",
    "score safety safety",
    "score quality quality/judgements.csv",
    "compare alignment/truth alignment/run alignment/run.jsonl --permutations 50",
    "detect alignment --with pan-baseline -o ../out/run -j 1",
    "report alignment alignment alignment/run -o ../out/report.html",
    "check documents/texts --against index/texts -o ../out/report.html -j 1",
    "retrieve made/index index/susp -o ../out/run -j 1",
    "verify verification/problems --with vandam13 -o ../out/answers -j 1",
    "mask verification/pairs/pairs.jsonl --with castro-2017 -o ../out/masked -j 1",
    "rank verification/problems --verifiers vandam13 --obfuscators castro-2017 --judged 0 -o ../out/r -j 1",
    "tune alignment --with pan-baseline -o ../out/p.json --generations 1 --population 5 --folds 2 -j 1",
    "validate alignment",
    "reproduce pan18 --data safety -o ../out/pan18 --seeds 2",
    "index build ../out/index documents/texts -j 1",
    "index info made/index",
    "batch reuse index/texts index/susp -o ../out/reuse -j 1",
    "batch pairs index/texts -o ../out/pairs -j 1",
    "batch index index/texts -o ../out/shards -j 1",
    "corpus build plan/plan.toml -o ../out/corpus",
    "corpus describe alignment",
    "corpus validate alignment",
    "corpus compare alignment -o ../out/compared.html",
    "corpus import essay/essay -o ../out/corpus",
    "data list",
    "data show clough09",
    "data add clough09 archives/a.zip",
    "cache info",
    "list measures",
)
"""Commands that go well, to be called with something odd beside."""

_UNTRIED = {"--spark", "--help", "--report", "--install-completion", "--show-completion"}
"""Options that start a cluster, or end a command before it begins."""
_FEW = {"--jobs", "--resamples", "--permutations", "--population", "--generations", "--seeds"}
"""Options that say how much work is to be done: a large number there may be meant."""


@cache
def _options() -> dict[str, list[Any]]:
    """Return the options of every command, as the program declares them."""
    from stemmata.cli import command

    def below(found: Any, name: str) -> Iterator[tuple[str, list[Any]]]:
        if hasattr(found, "commands"):
            for key, one in found.commands.items():
                yield from below(one, f"{name} {key}".strip())
        else:
            yield name, [one for one in found.params if one.opts[0].startswith("-")]

    return dict(below(command(), ""))


def _sound(draw: Draw) -> tuple[str, list[str]]:
    """Return a command that goes well, with what it needs; and its name."""
    words = draw.rng.choice(SOUND).split()
    draw.take(*sorted({one.split("/")[0] for one in words if (draw.material / one.split("/")[0]).is_dir()}))
    name = " ".join(words[:2])
    return name if name in _options() else words[0], words


@kind("arguments", turns=6)
def _arguments(draw: Draw) -> tuple[str, ...]:
    """An option of the command has an odd value, or an argument is odd."""
    rng = draw.rng
    name, words = _sound(draw)
    options = [one for one in _options()[name] if not _UNTRIED & set(one.opts)]
    if rng.random() < 0.2 or not options:
        place = rng.randrange(len(words))
        words[place] = rng.choice((*STRINGS, *NUMBERS))
    else:
        option = rng.choice(options)
        words.append(option.opts[0])
        if not option.is_flag:
            odd = ("0", "-1", "nan", "inf", "", "1.5") if _FEW & set(option.opts) else (*NUMBERS, *STRINGS)
            words.append(rng.choice(odd))
    # The system hands over no NUL, and bytes that are no UTF-8 as lone surrogates.
    words = [one.replace("\0", "").encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
             for one in words]  # fmt: skip
    return "odd", *words


@cache
def variables() -> tuple[str, ...]:
    """Return the variables that the source reads, and those every program obeys."""
    own = {
        name
        for file in SOURCE.rglob("*.py")
        for name in re.findall(r"STEMMATA_[A-Z_]+", file.read_text(encoding="utf-8"))
    }
    general = (
        "HOME",
        "TMPDIR",
        "XDG_CACHE_HOME",
        "XDG_DATA_HOME",
        "COLUMNS",
        "LINES",
        "TERM",
        "LANG",
        "LC_ALL",
    )
    return *sorted(own - {"STEMMATA_DEBUG"}), *general, "TZ", "NO_COLOR", "FORCE_COLOR", "SOURCE_DATE_EPOCH"


@attempt_kind("environment", turns=4)
def _environment(draw: Draw) -> Attempt:
    rng = draw.rng
    _, words = _sound(draw)
    values = (
        *(
            None,
            "",
            "x" * 400,
            "/nowhere/at/all",
            "/dev/null",
            "/proc",
            "/",
            "..",
            "~",
            "-1",
            "0",
            "9" * 30,
            "nan",
        ),
        *("\udcff", "\n", "a:b", "in/alignment", "C", "xx_XX.KOI8-R", "é" * 300, "\x1b[2J", "//", "1"),
    )
    odd = {name: rng.choice(values) for name in rng.sample(variables(), rng.choice((1, 1, 2, 4)))}
    return Attempt("environment", "odd variables", tuple(words), environment=odd)


@attempt_kind("closed streams", turns=1)
def _closed_streams(draw: Draw) -> Attempt:
    _, words = _sound(draw)
    closed = tuple(sorted(draw.rng.sample((0, 1, 2), draw.rng.choice((1, 1, 2, 3)))))
    return Attempt("closed streams", f"closed {closed}", tuple(words), closed=closed)
