"""The folder of a world ranking: after a run it holds what that run wrote, and whatever else lay there.

Scores are laid out as PAN18 did, so that ``stemmata score safety`` reads them: ``CORPUS/``,
``CORPUS-obfuscationX/`` with a file per verifier, and ``CORPUS-truth.txt``. What earlier rankings wrote
is known by the list of files in ``ranking.json``; nothing else is ever removed or overwritten.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from stemmata.experiments.masking import write_masked
from stemmata.experiments.problem_sets import truth_of
from stemmata.experiments.ranking import CorpusResult, Ranked
from stemmata.experiments.ranking_corpora import (
    ADVERSARY,
    FILE,
    MARK,
    PAGE,
    PROBLEMS,
    TEXTS,
    TRUTH,
    variant_name,
)
from stemmata.experiments.ranking_looks import ORIGINAL
from stemmata.formats.files import read_text, write_atomically
from stemmata.formats.folders import check_writable, entries, folders_in, problem_folder
from stemmata.formats.verification import write_answers
from stemmata.model import ErrorCode, Problem, StemmataError

ROOMS = (TEXTS, PROBLEMS, ADVERSARY)
_ANSWERS = (".txt", ".jsonl")


def check_place(
    folder: Path, corpora: Sequence[str], obfuscators: Sequence[str], given: Iterable[Path]
) -> None:
    """Refuse a folder that a ranking cannot be written to, before the work rather than after it.

    Parameters
    ----------
    folder
        Where the ranking is to go.
    corpora, obfuscators
        What it will hold.
    given
        What is read, and must not be written over or cleared away.

    Raises
    ------
    StemmataError
        E107 if nothing can be written there or something of another kind is in the way, E890 if files are
        that no ranking wrote, E891 if something given is.
    """
    check_writable(folder)
    wanted = {variant_name(corpus, one) for corpus in corpora for one in (ORIGINAL, *obfuscators)}
    known = known_files(folder)
    ours = {*wanted, *ROOMS, *(PurePosixPath(file).parts[0] for file in known)}
    for path in given:
        inside = path.resolve()
        if inside.is_relative_to(folder.resolve()):
            parts = inside.relative_to(folder.resolve()).parts
            if not parts or parts[0] in ours:
                raise StemmataError(ErrorCode.GIVEN_IS_IN_THE_WAY, path)
        # One of several sets of problems that were given.
        if folder.resolve().is_relative_to(inside) and folder.is_dir() and truth_of(folder):
            raise StemmataError(ErrorCode.GIVEN_IS_IN_THE_WAY, folder)
    if not folder.is_dir():
        return
    for name in (*sorted(wanted), *ROOMS):
        if (folder / name).is_symlink() or ((folder / name).exists() and not (folder / name).is_dir()):
            raise StemmataError(ErrorCode.CANNOT_WRITE, folder / name, reason="it is no folder of its own")
    for name in (FILE, PAGE, *(f"{corpus}{TRUTH}" for corpus in corpora)):
        _refuse_unknown(folder, name, known)
    for place in folders_in(folder):
        if place.name not in ROOMS:
            _check_answers(place, place.name in wanted, known)


def _check_answers(place: Path, wanted: bool, known: frozenset[str]) -> None:
    """Refuse a folder that would be read as answers of this ranking, and holds others."""
    corpus, _, obfuscator = place.name.rpartition(MARK)
    if not wanted and not (corpus and obfuscator):
        return
    for file in entries(place):
        # What is not read as answers may stay, as long as the folder itself does.
        if f"{place.name}/{file.name}" not in known and (not wanted or file.suffix in _ANSWERS):
            raise StemmataError(ErrorCode.UNKNOWN_FILE_IN_THE_WAY, file)
    if not wanted and not any(file.startswith(f"{place.name}/") for file in known):
        raise StemmataError(ErrorCode.UNKNOWN_FILE_IN_THE_WAY, place)


def _refuse_unknown(folder: Path, file: str, known: frozenset[str]) -> None:
    target = folder / file
    if any((folder / above).is_symlink() for above in PurePosixPath(file).parents):
        raise StemmataError(ErrorCode.CANNOT_WRITE, target, reason="a link leads there")
    if target.is_symlink() or (target.exists() and not target.is_file()):
        raise StemmataError(ErrorCode.CANNOT_WRITE, target, reason="it is no regular file")
    if target.exists() and file not in known:
        raise StemmataError(ErrorCode.UNKNOWN_FILE_IN_THE_WAY, target)


def known_files(folder: Path) -> frozenset[str]:
    """Return the files that an earlier ranking wrote to a folder, as its ranking.json says."""
    try:
        data = json.loads(read_text(folder / FILE))
    except (StemmataError, ValueError, RecursionError):
        return frozenset()
    listed = data.get("files") if isinstance(data, dict) else None
    return frozenset(
        one for one in (listed if isinstance(listed, list) else ()) if isinstance(one, str) and _is_ours(one)
    )


def _is_ours(file: str) -> bool:
    """Tell whether a ranking may have written a file; a list may come from anyone."""
    path = PurePosixPath(file)
    if (
        path.is_absolute()
        or str(path) != file
        or "\0" in file
        or any(one.startswith(".") for one in path.parts)
    ):
        return False
    if len(path.parts) == 1:
        return file in (FILE, PAGE) or file.endswith(TRUTH)
    if path.parts[0] in ROOMS:
        return path.suffix in (".txt", ".json")
    return len(path.parts) == 2 and path.suffix == ".txt"


def write_ranking(
    folder: Path, ranked: Ranked, data: Mapping[str, Any], page: str, problems: bool = False
) -> None:
    """Write scores, obfuscated texts, figures and the page, and remove what earlier rankings left.

    Everything is first written beside, so that nothing is lost if the run is killed meanwhile. Then
    ranking.json lists what is there and what comes, so that all is known if it is killed while files take
    their places.

    Parameters
    ----------
    folder
        Where it goes.
    ranked, data, page
        The ranking, as it was found, in figures, and as a page.
    problems
        Whether whole problems are written as well, for verifiers that run elsewhere.
    """
    with _room_in(folder) as room:
        _fill(room, ranked, problems)
        for name, text in ((PAGE, page), (FILE, "")):
            (room / name).write_text(text, encoding="utf-8", newline="\n")
        made = sorted(one.relative_to(room).as_posix() for one in room.rglob("*") if one.is_file())
        before = known_files(folder)
        for file in made:
            _refuse_unknown(folder, file, before)
        _write_figures(folder, data, sorted({*before, *made}))
        for file in made:
            if file != FILE:
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                (room / file).replace(folder / file)
        for file in sorted(before.difference(made)):
            _remove(folder, file)
        _write_figures(folder, data, made)


@contextmanager
def _room_in(folder: Path) -> Iterator[Path]:
    """Give a hidden folder to fill; if nothing comes of it, the folder around it is as it was."""
    new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            with TemporaryDirectory(dir=folder, prefix=".ranking.") as room:
                yield Path(room)
        finally:
            if new:
                with suppress(OSError):
                    folder.rmdir()
    except OSError as error:
        raise StemmataError(ErrorCode.CANNOT_WRITE, folder, reason=error.strerror or str(error)) from None


def _write_figures(folder: Path, data: Mapping[str, Any], files: Sequence[str]) -> None:
    with write_atomically(folder / FILE) as part:
        text = json.dumps({**data, "files": files}, ensure_ascii=False, indent=1, allow_nan=False)
        part.write_text(text + "\n", encoding="utf-8", newline="\n")


def _remove(folder: Path, file: str) -> None:
    """Remove a file, and the folders it leaves empty; nothing where a link leads."""
    path = PurePosixPath(file)
    above = [folder / one for one in path.parents][:-1]
    if any(one.is_symlink() for one in above) or not (
        (folder / path).is_file() or (folder / path).is_symlink()
    ):
        return
    (folder / path).unlink()
    for one in above:
        if any(one.iterdir()):
            return
        one.rmdir()


def _fill(room: Path, ranked: Ranked, problems: bool) -> None:
    for name, result in ranked.corpora.items():
        _write_scores(room, name, result, result.answers)
        for obfuscator, (before, after) in result.adversary.items():
            answers = {ORIGINAL: before, obfuscator: after}
            _write_scores(room / ADVERSARY / obfuscator, name, result, answers)
        for obfuscator, by in result.masked.items():
            for problem, masked in by.items():
                write_masked(room / TEXTS / obfuscator / name, problem, masked)
        if problems:
            _write_problems(room / PROBLEMS, name, result)


def _write_scores(
    folder: Path, name: str, result: CorpusResult, answers: Mapping[str, Mapping[str, Mapping[str, float]]]
) -> None:
    for variant, run in answers.items():
        for verifier, scores in run.items():
            write_answers(folder / variant_name(name, variant) / f"{verifier}.txt", scores)
    lines = (f"{problem} {'NY'[same]}\n" for problem, same in result.corpus.said.items())
    (folder / f"{name}{TRUTH}").write_text("".join(lines), encoding="utf-8", newline="\n")


def _write_problems(folder: Path, name: str, result: CorpusResult) -> None:
    """Write every variant of a corpus as problems that any verifier can read."""
    for variant in (ORIGINAL, *result.masked):
        texts = {one: made.text for one, made in result.masked.get(variant, {}).items()}
        for problem in result.corpus.problems:
            place = problem_folder(folder / variant_name(name, variant), problem.id)
            _write_problem(place, problem, texts.get(problem.id, problem.unknown.text))


def _write_problem(place: Path, problem: Problem, text: str) -> None:
    place.mkdir(parents=True)
    for number, one in enumerate(problem.known, start=1):
        (place / f"known{number:02d}.txt").write_text(one.text, encoding="utf-8", newline="")
    (place / "unknown.txt").write_text(text, encoding="utf-8", newline="")
