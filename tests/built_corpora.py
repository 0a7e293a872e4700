"""Small corpora for tests of what looks at corpora, built from texts of our own making."""

from pathlib import Path
from typing import Any

import numpy as np

from stemmata.corpora.building.build import build
from stemmata.corpora.building.plan import parse_plan
from stemmata.corpora.demo_text import Writer, topics

PLAN = """\
base = "base"
name = "small"
documents = 32
page = 300
clusters = 3
intrinsic = 0.25
length.short = { share = 0.5, pages = [3, 8] }
length.medium = { share = 0.5, pages = [8, 20] }
plagiarism.hardly = { share = 0.5, of_document = [0.1, 0.4] }
plagiarism.much = { share = 0.5, of_document = [0.4, 0.9] }
case_length.short = { share = 0.5, words = [30, 60] }
case_length.medium = { share = 0.5, words = [60, 120] }
obfuscation.none = { share = 0.5 }
obfuscation.high = { share = 0.5, strategy = "random-operations", degree = "high" }
"""


def write_base(folder: Path, seed: int = 7) -> Path:
    """Write a dozen texts to build from."""
    folder.mkdir(parents=True, exist_ok=True)
    writer = Writer(np.random.default_rng(seed))
    for number in range(12):
        text = writer.article(topics()[number % len(topics())], 40).text
        (folder / f"{number:02}.txt").write_text(text, encoding="utf-8")
    return folder


def build_small(folder: Path, name: str, **changes: Any) -> Path:
    """Build a corpus of 32 documents below a folder that holds a base."""
    import tomllib

    build(parse_plan({**tomllib.loads(PLAN), **changes}, folder), folder / name)
    return folder / name
