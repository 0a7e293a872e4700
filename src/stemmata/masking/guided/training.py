"""Derive the background that comes with the package: how often others use what style is made of.

    python -m stemmata.masking.guided.training OUT.npz NAME=FOLDER …

Each folder holds texts of one kind of writing, in .txt files at any depth; of long ones, stretches are
taken as long as the texts that people hide. Only means and spreads of frequencies are kept, no text.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from stemmata.formats.files import read_text, write_atomically
from stemmata.masking.guided.usual import background


def main(arguments: Sequence[str]) -> None:
    """Read folders of texts and write the background."""
    out, *named = arguments
    kinds = {}
    for one in named:
        name, _, folder = one.partition("=")
        kinds[name] = [read_text(path) for path in sorted(Path(folder).rglob("*.txt"))]
    with write_atomically(Path(out)) as part, part.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **background(kinds))


if __name__ == "__main__":
    main(sys.argv[1:])
