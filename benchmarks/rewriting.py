"""Rewriting: words per CPU second of each strategy, and how much of a text is left as it was."""

from __future__ import annotations

import os
import tempfile
from itertools import islice
from pathlib import Path

from numpy.random import default_rng

from benchmarks.measuring import timed
from benchmarks.tables import MET, show
from stemmata.corpora.demo import build_demo_corpus
from stemmata.rewriting import Scene, Strategy, at_degree, strategies
from stemmata.text.words import find_words

TARGETS = {"random-operations": 20_000, "word-variation": 5_000, "pos-shuffle": 5_000}
"""Words per CPU second."""
NAMES = ("none", "random-operations", "word-variation", "pos-shuffle", "artificial")
DEGREES = ("low", "high")
N = 3


def run(quick: bool) -> None:
    """Print the speed of every strategy that rewrites words, on PAN13's sources if they are at hand."""
    folder = Path(os.environ.get("STEMMATA_DATA") or Path.home() / ".cache" / "stemmata-data")
    sources = folder / "pan13-alignment-train" / "src"
    note = "sources of PAN13's training corpus"
    with tempfile.TemporaryDirectory() as made:
        if not sources.is_dir():
            build_demo_corpus(Path(made) / "corpus")
            sources = Path(made) / "corpus" / "src"
            note = (
                "sources of the demonstration corpus; set STEMMATA_DATA to what holds pan13-alignment-train"
            )
        paths = sorted(sources.glob("*.txt"))[::7]
        texts = [path.read_text("utf-8", "replace") for path in islice(paths, 20 if quick else 100)]
    words = sum(len(find_words(text)) for text in texts)
    host = tuple(texts[-1].split())
    rows = []
    for name in NAMES:
        for degree in DEGREES if name != "none" else ("",):
            made_ready = strategies[name]()
            strategy = at_degree(made_ready, degree) if degree else made_ready
            # Models and tables are loaded once, before the clock runs; what is learned of words is not.
            strategy.rewrite("It is so.", Scene())
            seconds, new = timed(lambda: _rewritten(strategy, texts, host))  # noqa: B023
            speed = words / max(seconds, 1e-9)
            target = TARGETS.get(name)
            rows.append(
                (
                    f"{name} {degree}".strip(),
                    f"{speed:,.0f}",
                    f">= {target:,}" if target else "",
                    MET[speed >= target] if target else "",
                    f"{_kept(texts, new):.0%}",
                )
            )
    show(
        "Rewriting",
        ("strategy", "words per CPU second", "target", "", f"word {N}-grams kept"),
        rows,
        f"{words:,} words in {len(texts)} documents: {note}. Words met before are cheaper: "
        "the lower row of a strategy profits from the one above.",
    )


def _rewritten(strategy: Strategy, texts: list[str], host: tuple[str, ...]) -> list[str]:
    rng = default_rng(1)
    return [strategy.rewrite(text, Scene(rng, "en", host)).text for text in texts]


def _kept(texts: list[str], new: list[str]) -> float:
    """Return the share of the n-grams of texts that their new versions have, too."""
    kept = total = 0
    for text, other in zip(texts, new, strict=True):
        grams, others = _grams(text), _grams(other)
        kept += len(grams & others)
        total += len(grams)
    return kept / max(total, 1)


def _grams(text: str) -> set[tuple[str, ...]]:
    forms = find_words(text).forms
    return set(zip(*(forms[n:] for n in range(N)), strict=False))
