"""Progress on a terminal: how much is done, how fast, and how long it will take; silence elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from stemmata.reports.terminal import harmless

_LONG = 2000
"""A list that takes a while to read."""


@contextmanager
def progress(what: str, total: int, unit: str) -> Iterator[Callable[[int], None]]:
    """Show things done, rate and time left on a terminal; call what it gives with how many more are done."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        *(TextColumn(_shown(what)), BarColumn(), MofNCompleteColumn()),
        *(TextColumn("{task.fields[rate]}"), TimeRemainingColumn()),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, rate="")

        def advance(n: int) -> None:
            speed = bar.tasks[0].speed
            bar.update(task, advance=n, rate=f"{speed:.3g} {unit}/s" if speed else "")

        yield advance


def reading(what: str) -> Callable[[Iterable[str]], Iterator[str]]:
    """Return a wrapper that shows how far a long list has been read, on a terminal only."""

    def wrap(items: Iterable[str]) -> Iterator[str]:
        items = list(items)
        if not sys.stderr.isatty() or len(items) < _LONG:
            yield from items
            return
        from rich.console import Console
        from rich.progress import track

        yield from track(
            items, description=_shown(what, form=False), console=Console(stderr=True), transient=True
        )

    return wrap


def _shown(what: str, *, form: bool = True) -> str:
    """Return a label in which no name is taken for markup, a placeholder or a command to the terminal."""
    from rich.markup import escape

    label = escape(harmless(what))
    return label.replace("{", "{{").replace("}", "}}") if form else label
