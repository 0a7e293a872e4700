"""Reads the documentation: fenced blocks, the commands in them, commands and options in the text."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import typer

from stemmata.cli import app

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
SHELL = ("sh", "console")
_PROMPT = "$ "
_FENCE = re.compile(r" *```(\S*)$")
_PLAIN = re.compile(r"[^|<>;&$*`(){}]*")
"""A line that means the same without a shell, once comments and quotation marks are gone."""


@dataclass(frozen=True)
class Block:
    """What stands between two fences of a page."""

    page: Path
    line: int
    language: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT).as_posix()}:{self.line}"


@dataclass(frozen=True)
class Command:
    """A command of a block, without its comment, and the output that the page shows below it."""

    place: str
    text: str
    shown: str = ""

    @property
    def words(self) -> list[str]:
        """Return its words, a home folder resolved as a shell does."""
        return [str(Path(word).expanduser()) if word[0] == "~" else word for word in shlex.split(self.text)]

    @property
    def is_ours(self) -> bool:
        return self.text.startswith("stemmata ")

    @property
    def is_plain(self) -> bool:
        return _PLAIN.fullmatch(self.text) is not None


def blocks(page: Path) -> Iterator[Block]:
    """Go through the fenced blocks of a page, in order."""
    start, language, lines = 0, "", []
    for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
        fence = _FENCE.match(line)
        if fence and not start:
            start, language, lines = number, fence[1], []
        elif fence:
            yield Block(page, start, language, "\n".join(lines) + "\n")
            start = 0
        elif start:
            lines.append(line)
    assert not start, f"{page}:{start} opens a block that nothing closes"


def commands(block: Block) -> Iterator[Command]:
    """Go through the commands of a shell block; in a console block they stand behind the prompt."""
    text, first, shown = "", 0, []
    for number, line in enumerate(block.text.splitlines(), block.line + 1):
        if text.endswith("\\"):
            text = text[:-1].rstrip() + " " + line.strip()
        elif block.language == "console" and not line.startswith(_PROMPT):
            shown.append(line)
        else:
            if text:
                yield _command(block, first, text, shown)
            text, first, shown = line.removeprefix(_PROMPT), number, []
    if text:
        yield _command(block, first, text, shown)


def _command(block: Block, line: int, text: str, shown: list[str]) -> Command:
    where = f"{block.page.relative_to(ROOT).as_posix()}:{line}"
    return Command(where, re.sub(r"(^|\s)#.*", "", text).strip(), "\n".join(shown).strip("\n"))


def spans(page: Path) -> Iterator[str]:
    """Go through the code that stands in the text of a page, outside blocks."""
    text = page.read_text("utf-8")
    for block in blocks(page):
        text = text.replace(block.text, "", 1)
    text = re.sub(r"^ *```.*$", "", text, flags=re.M)
    for span in re.finditer(r"`([^`]+)`", text):
        yield " ".join(span[1].split())


@cache
def _root() -> tuple[Any, Any]:
    group = typer.main.get_command(app)
    return group, group.context_class(group, info_name="stemmata")


def all_commands() -> Iterator[tuple[str, Any]]:
    """Go through all commands of the program with their full names."""

    def below(name: str, command: Any) -> Iterator[tuple[str, Any]]:
        if not hasattr(command, "commands"):
            yield name, command
            return
        for part, child in command.commands.items():
            yield from below(f"{name} {part}", child)

    yield from below("stemmata", _root()[0])


def parse(words: list[str]) -> None:
    """Read a command line as the program would, without running it; options that do not exist are errors."""
    assert words[0] == "stemmata"
    command, context = _root()
    rest = words[1:]
    while hasattr(command, "commands") and rest:
        if rest[0] not in command.commands:
            assert rest[0].startswith("-"), f"no command {' '.join(words[: len(words) - len(rest) + 1])}"
            break
        command = command.commands[rest[0]]
        context = command.context_class(command, parent=context, info_name=rest[0], resilient_parsing=True)
        rest = rest[1:]
    if not hasattr(command, "commands"):
        command.parse_args(context, list(rest))
        assert not context.args, f"{context.args} are arguments too many"


def option_names() -> set[str]:
    """Return all options of all commands."""
    return {
        name
        for _, command in all_commands()
        for one in command.params
        for name in (*one.opts, *one.secondary_opts)
    } | {"--help", "--version"}
