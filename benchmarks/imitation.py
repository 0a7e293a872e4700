"""People against verifiers: usual, obfuscated and imitating texts of the Extended Brennan-Greenstadt corpus.

``python -m benchmarks.imitation [NAME …]`` prints the table; with ``--figure DIR`` it draws the figure too.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from stemmata.experiments.brennan_greenstadt import resist, resistance_figure, resistance_table, rounds_of
from stemmata.experiments.verifying import choose
from stemmata.formats.adversarial import read_hiding_authors
from stemmata.reports.figures import draw
from stemmata.reports.reproduction import as_table
from stemmata.reports.tables import Format, render


def run(quick: bool, names: Sequence[str] = (), figures: Path | None = None) -> None:
    """Print how many texts of each kind verifiers recognise, and draw it."""
    data = Path(os.environ.get("STEMMATA_DATA", "~/.cache/stemmata-data")).expanduser()
    rounds = rounds_of(read_hiding_authors(data / "brennan-greenstadt"))
    asked = list(names) or (["stemmata", "cosine-delta", "kocher15"] if quick else ["all"])
    found, failed = resist(
        rounds, choose(asked, learning=True), say=lambda what: print(what, file=sys.stderr)
    )
    print(render(as_table(resistance_table(found)), Format.MARKDOWN))
    for name, reason in failed.items():
        print(f"{name}: {reason}")
    if figures:
        figures.mkdir(parents=True, exist_ok=True)
        for ending, picture in draw(resistance_figure(found), ("svg",)).items():
            (figures / f"brennan-greenstadt{ending}").write_bytes(picture)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    folder = None
    if "--figure" in arguments:
        place = arguments.index("--figure")
        folder = Path(arguments[place + 1])
        del arguments[place : place + 2]
    run(quick=False, names=arguments, figures=folder)
