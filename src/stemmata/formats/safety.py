"""Verifiers' scores before and after obfuscation, in the layout of PAN18.

``CORPUS/`` holds one answer file per verifier on the original problems, ``CORPUS-obfuscationX/`` the
same on what obfuscator X made of them, and ``CORPUS-truth.txt`` beside them says what is true.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from stemmata.formats.files import is_folder
from stemmata.formats.verification import match_ids, read_answers, read_truth
from stemmata.model import ErrorCode, StemmataError

Scores = npt.NDArray[np.float64]
Truth = npt.NDArray[np.bool_]

_OBFUSCATION = "-obfuscation"
_RUN = re.compile(r"authorship-verification-(?P<verifier>.+)-run-(?P<time>.+)").fullmatch


@dataclass(frozen=True)
class SafetyScores:
    """The scores of many verifiers on one corpus, original and obfuscated.

    Attributes
    ----------
    corpus
        Its name, that of its folder.
    problems
        The ids of its problems, sorted.
    truth
        Whether each problem is of the same author.
    original
        Scores by verifier, aligned with `problems`, NaN where a verifier did not answer. Scores of
        some historical verifiers lie outside [0, 1].
    obfuscated
        The same by obfuscator; an obfuscator is named by what follows ``-obfuscation``.
    ignored
        Answers to problems the truth does not know, over all files.
    """

    corpus: str
    problems: tuple[str, ...]
    truth: Truth
    original: Mapping[str, Scores]
    obfuscated: Mapping[str, Mapping[str, Scores]]
    ignored: int = 0


@dataclass(frozen=True)
class _Corpus:
    """The folders of one corpus, and why it is no safety corpus, if it is none."""

    original: Path
    obfuscated: dict[str, Path]

    @property
    def name(self) -> str:
        return self.original.name

    @property
    def truth(self) -> Path:
        return self.original.with_name(f"{self.name}-truth.txt")

    @property
    def lacks(self) -> str:
        if not self.truth.is_file():
            return "truth"
        return "" if self.obfuscated else "obfuscation"


def read_safety(path: str | Path) -> list[SafetyScores]:
    """Read all corpora of a folder, by name.

    A folder without obfuscations or without truth is no corpus of this kind and is passed over;
    `skipped_folders` tells which. A file ``authorship-verification-NAME-run-TIMESTAMP.txt`` holds the
    answers of the verifier NAME; any other ``.txt`` or ``.jsonl`` file is called after its verifier.
    Of several runs of one verifier in one folder, the latest timestamp counts.
    """
    corpora = [corpus for corpus in _corpora(Path(path)) if not corpus.lacks]
    if not corpora:
        raise StemmataError(ErrorCode.NO_SAFETY_CORPUS, path)
    return [_read(corpus) for corpus in corpora]


def skipped_folders(path: str | Path) -> dict[str, str]:
    """Return the folders that `read_safety` passes over, each with what it lacks."""
    return {corpus.name: corpus.lacks for corpus in _corpora(Path(path)) if corpus.lacks}


def _corpora(path: Path) -> list[_Corpus]:
    if not is_folder(path):
        raise StemmataError(ErrorCode.NO_SAFETY_CORPUS, path)
    folders = {one.name: one for one in sorted(path.iterdir()) if one.is_dir() and one.name[0] != "."}
    corpora = {}
    for name, folder in folders.items():
        corpus, _, obfuscator = name.rpartition(_OBFUSCATION)
        if not (corpus and obfuscator):
            corpora[name] = _Corpus(folder, {})
        elif corpus not in folders:
            raise StemmataError(ErrorCode.NO_ORIGINAL, folder, folder=corpus)
    for name, folder in folders.items():
        corpus, _, obfuscator = name.rpartition(_OBFUSCATION)
        if corpus and obfuscator:
            corpora[corpus].obfuscated[obfuscator] = folder
    return list(corpora.values())


def _read(corpus: _Corpus) -> SafetyScores:
    said = read_truth(corpus.truth)
    problems = tuple(sorted(said))
    rows = {problem: row for row, problem in enumerate(problems)}
    ignored = 0

    def scores_in(folder: Path) -> dict[str, Scores]:
        nonlocal ignored
        scores = {}
        for verifier, file in answer_files(folder).items():
            scores[verifier], unknown = _scores(file, rows)
            ignored += unknown
        return scores

    return SafetyScores(
        corpus.name,
        problems,
        np.array([said[problem] for problem in problems]),
        scores_in(corpus.original),
        {name: scores_in(folder) for name, folder in corpus.obfuscated.items()},
        ignored,
    )


def _scores(file: Path, rows: Mapping[str, int]) -> tuple[Scores, int]:
    """Return a verifier's scores in the order of the truth, and how many of its answers that leaves out."""
    answers = read_answers(file, bounded=False, repeats=True)
    matched = match_ids(rows.keys(), answers.keys(), file)
    scores = np.full(len(rows), np.nan)
    scores[[rows[problem] for problem in matched.values()]] = [answers[one] for one in matched]
    return scores, len(answers) - len(matched)


def answer_files(folder: Path) -> dict[str, Path]:
    """Return the answer files of a folder by verifier, the latest run of each."""
    runs = sorted(_runs(folder))
    if not runs:
        raise StemmataError(ErrorCode.NO_ANSWER_FILE, folder)
    return {verifier: file for verifier, _, file in runs}


def _runs(folder: Path) -> Iterator[tuple[str, str, Path]]:
    for file in folder.iterdir():
        if file.suffix in (".txt", ".jsonl") and not file.name.startswith("."):
            run = _RUN(file.stem)
            yield (run["verifier"], run["time"], file) if run else (file.stem, "", file)
