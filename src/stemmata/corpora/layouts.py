"""How corpora are laid out: what can be counted in a copy, and which commands take it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

Paths = Collection[str]
"""The paths of all files of a copy."""


@dataclass(frozen=True)
class Layout:
    """A layout: patterns that count, whole path by whole path, and commands with a place for the id."""

    meaning: str
    counted: Mapping[str, str]
    commands: tuple[str, ...] = ()

    def count(self, paths: Paths) -> dict[str, int]:
        """Count what the names of files can tell."""
        return {
            what: len({found[0] for path in paths if (found := re.search(pattern, path))})
            for what, pattern in self.counted.items()
        }


_ALIGNMENT = (
    "stemmata score alignment {id} RUN --susp {id}/susp --src {id}/src",
    "stemmata tune {id} -o PARAMETERS",
    "stemmata report alignment {id} RUN --truth {id} -o report.html",
    "stemmata validate {id}",
)
LAYOUTS: Mapping[str, Layout] = {
    "alignment": Layout(
        "pairs, susp/ and src/, with PAN XML in folders beside them",
        {"suspicious documents": r"^susp/[^/]+\.txt$", "source documents": r"^src/[^/]+\.txt$"},
        ("stemmata detect {id} -o RUN", *_ALIGNMENT),
    ),
    "alignment-truth": Layout(
        "PAN XML, one file per pair", {}, ("stemmata score alignment {id} RUN", "stemmata validate {id}")
    ),
    "plagiarism-corpus": Layout(
        "texts and PAN XML in folders of suspicious and source documents",
        {
            "suspicious documents": r"^(.*/)?suspicious-document\d+\.txt$",
            "source documents": r"^(.*/)?source-document\d+\.txt$",
            "documents": r"^(.*/)?(suspicious|source)-document\d+\.txt$",
        },
        ("stemmata validate {id}",),
    ),
    "verification": Layout(
        "a folder per problem with known*.txt and unknown.txt, and truth.txt",
        {"problems": r"^[^/]+/unknown\.txt$"},
        ("stemmata score verification {id} ANSWERS --problems {id}", "stemmata validate {id}"),
    ),
    "verification-answers": Layout(
        "truth.jsonl and a file of answers per system",
        {"systems' answers": r"^answers/[^/]+\.jsonl$"},
        ("stemmata score verification {id}/truth.jsonl {id}/answers/SYSTEM.jsonl",),
    ),
    "safety": Layout(
        "CORPUS/, CORPUS-obfuscationX/ and CORPUS-truth.txt, with a file of scores per verifier",
        {},
        (
            "stemmata score safety {id}",
            "stemmata reproduce pan18 --data {id} -o OUT",
            "stemmata validate {id}",
        ),
    ),
    "short-answers": Layout(
        "a list of files as a workbook and a folder of texts",
        {
            "answers": r"^(.*/)?g\d+p[A-Z]_task[a-e]\.txt$",
            "originals": r"^(.*/)?orig_task[a-e]\.txt$",
        },
    ),
    "novels": Layout("one text per novel", {"novels": r"^[^/]+\.txt$"}),
    "masking": Layout(
        "problems, what obfuscators made of them, and what people said of it",
        {"problems": r"^problems/[^/]+/unknown\.txt$"},
        ("stemmata score quality {id}",),
    ),
    "masking-problems": Layout(
        "a folder per problem with known*.txt and unknown.txt",
        {"problems": r"^[^/]+/unknown\.txt$"},
        ("stemmata validate {id}",),
    ),
    "diarization": Layout("a text, its truth and its facts per problem", {"documents": r"^.*\.txt$"}),
    "authors": Layout("a folder of texts per author", {"authors": r"^[^/]+/"}),
    "essay": Layout("a workbook of sentences and the pages they come from", {}),
    "pairs": Layout("pairs of sentences", {}),
    "own": Layout("its own", {}),
}
"""Layouts by the name the manifest gives them."""
