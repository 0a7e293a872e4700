"""Our obfuscators of 2016 beside what the originals wrote: the real outputs of PAN16, measured in one way.

A piece is changed if more than the space around it is. The similarity of a text is that of its pieces,
weighted by words: the ratio of Ratcliff and Obershelp (``difflib``) over what stands between spaces. Length
is that of the text in such words, over the original's. Figures are means over texts, but the share of changed
pieces, which is over all pieces.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.tables import MET, show
from stemmata.formats.obfuscation import read_obfuscation
from stemmata.formats.verification import read_problems
from stemmata.masking import obfuscators
from stemmata.model import Obfuscator, Piece, Problem
from stemmata.text.translation import close_translators

RUNS = {"mansoorizadeh-2016": "A", "keswani-2016": "B", "mihaylova-2016": "C"}
"""Our obfuscators, and the folders of the originals' outputs."""
CHOSEN_ON = 100
"""Settings that the papers leave open were chosen on the first problems."""
NEAR = 0.10
WORDS_PER_SECOND = 2_000


class Looks(NamedTuple):
    """What a text looks like beside its original."""

    pieces: int
    changed: int
    similarity: float
    length: float


def looks_of(pieces: Sequence[Piece]) -> Looks:
    """Measure the pieces of one text."""
    pairs = [(piece.original.split(), piece.obfuscation.split()) for piece in pieces]
    words = np.array([len(old) for old, _ in pairs])
    alike = [SequenceMatcher(None, old, new, autojunk=False).ratio() for old, new in pairs]
    return Looks(
        len(pieces),
        sum(piece.original.strip() != piece.obfuscation.strip() for piece in pieces),
        float(np.average(alike, weights=words)) if words.any() else 1.0,
        sum(len(new) for _, new in pairs) / max(int(words.sum()), 1),
    )


def mean_looks(looks: Iterable[Looks]) -> tuple[float, float, float]:
    """Return the share of changed pieces, and mean similarity and length."""
    table = np.array(list(looks))
    return table[:, 1].sum() / table[:, 0].sum(), table[:, 2].mean(), table[:, 3].mean()


def run(quick: bool) -> None:
    """Print the originals and ours side by side, where the outputs are at hand."""
    data = Path(os.environ.get("STEMMATA_DATA") or Path.home() / ".cache" / "stemmata-data")
    folder = data / "pan16-masking"
    if not folder.is_dir():
        print("\nThe outputs are not at hand; set STEMMATA_DATA to the folder that holds pan16-masking.")
        return
    problems = read_problems(folder / "problems")
    parts = {"chosen on": slice(0, CHOSEN_ON), "others": slice(CHOSEN_ON, None), "all": slice(None)}
    if quick:
        problems, parts = problems[::10], {"every tenth": slice(None)}
    rows = []
    for name, run_name in RUNS.items():
        real = [looks_of(read_obfuscation(folder / "runs" / run_name / one.id)) for one in problems]
        ours, speed = _masked(obfuscators[name](), problems)
        for part, places in parts.items():
            told, made = mean_looks(real[places]), mean_looks(ours[places])
            figures = [f"{x:.3f} / {y:.3f}" for x, y in zip(told, made, strict=True)]
            near = all(abs(x - y) <= NEAR for x, y in zip(told, made, strict=True))
            fast = f"{speed:,.0f}" if part in ("all", "every tenth") else ""
            rows.append((f"{name}, {part}", *figures, MET[near], fast))
    show(
        "Obfuscators of 2016: the original's outputs / ours",
        ("obfuscator, problems", "changed pieces", "similarity", "length", f"within {NEAR:.2f}", "words/s"),
        rows,
        f"Words per second of CPU, all programs together; {WORDS_PER_SECOND:,} are asked for.",
    )


def _masked(obfuscator: Obfuscator, problems: Sequence[Problem]) -> tuple[list[Looks], float]:
    """Return what an obfuscator's texts look like, and its words per second."""
    obfuscator.mask(problems[0])
    close_translators()
    begun = sum(os.times()[:4])
    masked = [obfuscator.mask(problem) for problem in problems[1:]]
    # The time of other programs is told when they have ended.
    close_translators()
    seconds = sum(os.times()[:4]) - begun
    words = sum(len(problem.unknown.text.split()) for problem in problems[1:])
    return [looks_of(pieces) for pieces in [obfuscator.mask(problems[0]), *masked]], words / seconds


if __name__ == "__main__":
    run(quick=False)
