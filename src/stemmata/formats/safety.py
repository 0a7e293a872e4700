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

from stemmata.formats.faults import Report, fault, reported
from stemmata.formats.files import is_folder
from stemmata.formats.folders import entries, folders_in
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


def read_safety(path: str | Path, report: Report | None = None) -> list[SafetyScores]:
    """Read all corpora of a folder, by name.

    A folder without obfuscations or without truth is no corpus of this kind and is passed over;
    `skipped_folders` tells which. A file ``authorship-verification-NAME-run-TIMESTAMP.txt`` holds the
    answers of the verifier NAME; any other ``.txt`` or ``.jsonl`` file is called after its verifier.
    Of several runs of one verifier in one folder, the latest timestamp counts.

    `report` receives what is wrong, and the file or folder is left out; without it the first wrong
    thing is raised.
    """
    corpora = [corpus for corpus in _corpora(Path(path), report) if not corpus.lacks]
    if not corpora:
        fault(report, ErrorCode.NO_SAFETY_CORPUS, path)
    return [_read(corpus, report) for corpus in corpora]


def skipped_folders(path: str | Path) -> dict[str, str]:
    """Return the folders that `read_safety` passes over, each with what it lacks."""
    corpora = _corpora(Path(path), lambda finding: None)
    return {corpus.name: corpus.lacks for corpus in corpora if corpus.lacks}


def _corpora(path: Path, report: Report | None) -> list[_Corpus]:
    if not is_folder(path):
        raise StemmataError(ErrorCode.NO_SAFETY_CORPUS, path)
    folders = {folder.name: folder for folder in folders_in(path)}
    parts = {name: name.rpartition(_OBFUSCATION) for name in folders}
    corpora = {
        name: _Corpus(folder, {})
        for name, folder in folders.items()
        if not (parts[name][0] and parts[name][2])
    }
    for name, folder in folders.items():
        corpus, _, obfuscator = parts[name]
        if corpus in corpora:
            corpora[corpus].obfuscated[obfuscator] = folder
        elif name not in corpora:
            fault(report, ErrorCode.NO_ORIGINAL, folder, folder=corpus)
    return list(corpora.values())


def _read(corpus: _Corpus, report: Report | None) -> SafetyScores:
    said = read_truth(corpus.truth, report)
    problems = tuple(sorted(said))
    rows = {problem: row for row, problem in enumerate(problems)}
    ignored = 0

    def scores_in(folder: Path) -> dict[str, Scores]:
        nonlocal ignored
        scores = {}
        with reported(report):
            for verifier, file in answer_files(folder).items():
                with reported(report):
                    scores[verifier], unknown = _scores(file, rows)
                    ignored += unknown
        return scores

    return SafetyScores(
        corpus.name,
        problems,
        np.array([said[problem] for problem in problems], dtype=np.bool_),
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
    for file in entries(folder):
        if file.suffix in (".txt", ".jsonl"):
            run = _RUN(file.stem)
            yield (run["verifier"], run["time"], file) if run else (file.stem, "", file)
