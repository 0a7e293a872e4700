"""The files of a world ranking: answers that were made elsewhere, and what a ranking writes.

Scores are laid out as PAN18 did, so that ``stemmata score safety`` reads them: ``CORPUS/``,
``CORPUS-obfuscationX/`` with a file per verifier, and ``CORPUS-truth.txt``.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from stemmata.experiments.masking import write_masked
from stemmata.experiments.ranking import CorpusResult, Ranked
from stemmata.experiments.ranking_corpora import MARK, RankedCorpus, checked_name
from stemmata.experiments.ranking_looks import ORIGINAL
from stemmata.formats.files import is_folder, write_atomically, write_folder_atomically
from stemmata.formats.folders import folders_in
from stemmata.formats.verification import answer_file, match_ids, read_answers, write_answers
from stemmata.model import ErrorCode, Problem, StemmataError

TEXTS, PROBLEMS, ADVERSARY, FILE = "texts", "problems", "adversary", "ranking.json"


def named_folders(given: Sequence[str], family: str, families: str, taken: Iterable[str]) -> dict[str, Path]:
    """Return folders by name, as a user writes them: NAME=DIR.

    Raises
    ------
    StemmataError
        E882 for what is not so written, E883 for a name that is taken, E884 for one no folder can have.
    """
    found: dict[str, Path] = {}
    used = set(taken)
    for text in given:
        name, equals, folder = text.partition("=")
        if not name or not equals or not folder:
            raise StemmataError(ErrorCode.NOT_NAMED, text=text[:80])
        checked_name(name, family)
        if name in used:
            raise StemmataError(ErrorCode.NAME_TAKEN, families=families, name=name)
        used.add(name)
        found[name] = Path(folder)
        if not is_folder(found[name]):
            raise StemmataError(ErrorCode.UNREADABLE, folder, reason="it is no folder")
    return found


def variant_name(corpus: str, variant: str) -> str:
    """Return what the folder of a corpus is called, as it was or as an obfuscator left it."""
    return f"{corpus}{MARK}{variant}" if variant else corpus


def read_given_answers(
    name: str, folder: Path, corpora: Sequence[RankedCorpus], obfuscators: Sequence[str]
) -> dict[tuple[str, str], dict[str, float]]:
    """Read what a verifier answered elsewhere: ``CORPUS`` and ``CORPUS-obfuscationX`` below its folder.

    Each is a folder with answers.txt or answers.jsonl, or a file called so with .txt or .jsonl behind.

    Raises
    ------
    StemmataError
        E886 if answers are missing.
    """
    found = {}
    for corpus in corpora:
        for variant in (ORIGINAL, *obfuscators):
            what = variant_name(corpus.name, variant)
            file = _answers_of(folder, what)
            if file is None:
                details = {"name": name, "what": what, "file": f"{what}.txt"}
                raise StemmataError(ErrorCode.ANSWERS_INCOMPLETE, folder, **details)
            said = read_answers(file)
            renamed = match_ids([one.id for one in corpus.problems], list(said), file)
            found[corpus.name, variant] = {
                renamed[one]: score for one, score in said.items() if one in renamed
            }
    return found


def _answers_of(folder: Path, what: str) -> Path | None:
    for file in (folder / f"{what}.txt", folder / f"{what}.jsonl"):
        if file.is_file():
            return file
    return answer_file(folder / what) if (folder / what).is_dir() else None


def write_ranking(folder: Path, ranked: Ranked, problems: bool = False) -> None:
    """Write scores, obfuscated texts and, if asked for, whole problems for verifiers that run elsewhere."""
    for name, result in ranked.corpora.items():
        _write_scores(folder, name, result, result.answers)
        _clear(folder, name, result.masked)
        for obfuscator, (before, after) in result.adversary.items():
            answers = {ORIGINAL: before, obfuscator: after}
            _write_scores(folder / ADVERSARY / obfuscator, name, result, answers)
        for obfuscator, by in result.masked.items():
            room = folder / TEXTS / obfuscator / name
            for problem, masked in by.items():
                write_masked(room, problem, masked)
        if problems:
            _write_problems(folder / PROBLEMS, name, result)


def _write_scores(
    folder: Path, name: str, result: CorpusResult, answers: Mapping[str, Mapping[str, Mapping[str, float]]]
) -> None:
    for variant, run in answers.items():
        with write_folder_atomically(folder / variant_name(name, variant)) as room:
            for verifier, scores in run.items():
                write_answers(room / f"{verifier}.txt", scores)
    lines = (f"{problem} {'NY'[same]}\n" for problem, same in result.corpus.said.items())
    with write_atomically(folder / f"{name}-truth.txt") as part:
        part.write_text("".join(lines), encoding="utf-8", newline="\n")


def _clear(folder: Path, name: str, obfuscators: Iterable[str]) -> None:
    """Remove what an earlier ranking left of obfuscators that no longer take part."""
    if not (folder / FILE).is_file():
        return
    wanted = {variant_name(name, one) for one in obfuscators}
    for old in folders_in(folder):
        if old.name.startswith(name + MARK) and old.name not in wanted and not old.is_symlink():
            shutil.rmtree(old, ignore_errors=True)


def _write_problems(folder: Path, name: str, result: CorpusResult) -> None:
    """Write every variant of a corpus as problems that any verifier can read."""
    for variant in (ORIGINAL, *result.masked):
        texts = {one: made.text for one, made in result.masked.get(variant, {}).items()}
        with write_folder_atomically(folder / variant_name(name, variant)) as room:
            for problem in result.corpus.problems:
                _write_problem(room / problem.id, problem, texts.get(problem.id, problem.unknown.text))


def _write_problem(room: Path, problem: Problem, text: str) -> None:
    room.mkdir()
    for number, one in enumerate(problem.known, start=1):
        (room / f"known{number:02d}.txt").write_text(one.text, encoding="utf-8", newline="")
    (room / "unknown.txt").write_text(text, encoding="utf-8", newline="")
