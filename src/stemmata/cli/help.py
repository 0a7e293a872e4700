"""How help is drawn: whole summaries, plain words for what is to be given, help where nothing was asked."""

from __future__ import annotations

import sys
from typing import Any, Literal

import typer
from typer.core import TyperArgument, TyperGroup

HELP: Literal["rich"] | None = "rich" if sys.stdout is not None and sys.stdout.isatty() else None
"""How help is drawn: in colour on a terminal, plain and twice as fast in a pipe."""

_WORDS = {"Path": "PATH", "path": "PATH", "file": "FILE", "str": "TEXT", "int": "NUMBER", "float": "NUMBER"}
"""What an option takes, in words."""


class Group(TyperGroup):
    """A command of commands: without one of them it shows its help, and the help cuts no summary."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; without any, show the help and end as for wrong usage."""
        if not args and not ctx.resilient_parsing:
            if shown := ctx.get_help():
                typer.echo(shown)
            ctx.exit(2)
        return list(super().parse_args(ctx, args))

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write each command with the whole first sentence of its help."""
        found = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, _summary(one)) for name, one in found if one is not None and not one.hidden]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)


def group(about: str, **more: Any) -> typer.Typer:
    """Return an empty command of commands."""
    return typer.Typer(cls=Group, help=about, rich_markup_mode=HELP, **more)


def _summary(command: Any) -> str:
    paragraph = (command.short_help or command.help or "").strip().split("\n\n")[0]
    return " ".join(paragraph.split())


def plain_help(command: Any) -> None:
    """Name what a command and all below it take by words such as PATH, not by types of Python."""
    # A terminal is narrower than the code; no paragraph of ours is laid out by hand.
    paragraphs = (command.help or "").split("\n\n")
    command.help = "\n\n".join(" ".join(one.split()) for one in paragraphs) or None
    for parameter in command.params:
        if isinstance(parameter, TyperArgument):
            _plain_argument(parameter)
        elif parameter.metavar is None:
            kind = str(parameter.display_type(None) or "").removeprefix("<").removesuffix(">")
            kind = kind.removeprefix("list[").removesuffix("]").removesuffix(" range")
            # A flag takes nothing.
            parameter.metavar = "" if kind == "bool" else _WORDS.get(kind)
    for below in getattr(command, "commands", {}).values():
        plain_help(below)


def _plain_argument(argument: TyperArgument) -> None:
    name = argument.display_name_raw.strip("[].").upper() + ("..." if argument.nargs != 1 else "")
    usage = name if argument.required else f"[{name}]"
    several = argument.type_descriptor.is_choice
    argument.metavar = name.removesuffix("...")
    # The library offers no other way to say how an argument is shown.
    vars(argument)["get_usage_pieces"] = lambda ctx: [usage]
    if not several:
        vars(argument)["display_type_rich"] = lambda ctx: None
