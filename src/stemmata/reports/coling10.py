"""The page of the reproduced evaluation framework: Table 5 and Figure 1 of COLING 2010."""

from __future__ import annotations

from collections.abc import Mapping
from shlex import quote

from stemmata.model.reproduction import Reproduction
from stemmata.reports.corpora import inline_pictures
from stemmata.reports.html import render_page
from stemmata.reports.pan18 import view

PAPER = "coling10"


def coling10_page(made: Reproduction, pictures: Mapping[str, Mapping[str, bytes]]) -> str:
    """Return the page: the corpus beside the paper's, similarities of all corpora, how to repeat it."""
    return render_page(
        "coling10.html.j2",
        report=made,
        facts=made.facts,
        tables={name: view(table) for name, table in made.tables.items()},
        pictures={name: inline_pictures(files) for name, files in pictures.items()},
        command=f"stemmata reproduce {PAPER} --data {quote(made.source)} -o {PAPER} "
        f"--seeds {made.facts['seeds']:g}",
    )
