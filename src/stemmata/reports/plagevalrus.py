"""The page of the reproduced workshop on Russian plagiarism: its corpora and its tracks of alignment."""

from __future__ import annotations

from collections.abc import Mapping
from shlex import quote

from stemmata.model.reproduction import Reproduction
from stemmata.reports.html import render_page
from stemmata.reports.pan18 import view

PAPER = "plagevalrus"


def plagevalrus_page(made: Reproduction, pictures: Mapping[str, Mapping[str, bytes]]) -> str:
    """Return the page: what was made, what was missing, the tracks, what holds; it has no pictures."""
    return render_page(
        "plagevalrus.html.j2",
        report=made,
        facts=made.facts,
        tables={name: view(table) for name, table in made.tables.items()},
        pictures=pictures,
        command=f"stemmata reproduce {PAPER} --data {quote(made.source)} -o {PAPER} "
        f"--seeds {made.facts['seeds']:g}",
    )
