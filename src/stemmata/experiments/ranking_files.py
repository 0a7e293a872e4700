"""The files that a world ranking is given: what was hidden and answered elsewhere, by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from stemmata.experiments.ranking_corpora import Note, RankedCorpus, checked_name, variant_name
from stemmata.experiments.ranking_looks import ORIGINAL
from stemmata.formats.files import is_folder
from stemmata.formats.verification import answer_file, match_ids, read_answers
from stemmata.model import ErrorCode, StemmataError


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


def read_given_answers(
    name: str,
    folder: Path,
    corpora: Sequence[RankedCorpus],
    obfuscators: Sequence[str],
    note: Note = lambda _: None,
) -> dict[tuple[str, str], dict[str, float]]:
    """Read what a verifier answered elsewhere: ``CORPUS`` and ``CORPUS-obfuscationX`` below its folder.

    Each is a folder with answers.txt or answers.jsonl, or a file called so with .txt or .jsonl behind.
    `note` is told of answers that are missing, and of some that nobody asked for.

    Raises
    ------
    StemmataError
        E886 if there is none to a corpus.
    """
    found: dict[tuple[str, str], dict[str, float]] = {}
    missing = unknown = total = 0
    for corpus in corpora:
        for variant in (ORIGINAL, *obfuscators):
            what = variant_name(corpus.name, variant)
            file = _answers_of(folder, what)
            ids = [one.id for one in corpus.problems]
            said = {} if file is None else read_answers(file, ids=ids)
            if not said:
                details = {"name": name, "what": what, "file": f"{what}.txt"}
                raise StemmataError(ErrorCode.ANSWERS_INCOMPLETE, folder, **details)
            renamed = match_ids(ids, list(said), file)
            found[corpus.name, variant] = {
                renamed[one]: score for one, score in said.items() if one in renamed
            }
            total += len(corpus.problems)
            missing += len(corpus.problems) - len(renamed)
            unknown += len(said) - len(renamed)
    if missing:
        note(f"{name}: {missing:,} of {total:,} answers are missing")
    if unknown:
        note(f"{name}: {unknown:,} answer{'s' * (unknown > 1)} to problems that are not ranked passed over")
    return found


def _answers_of(folder: Path, what: str) -> Path | None:
    for file in (folder / f"{what}.txt", folder / f"{what}.jsonl"):
        if file.is_file():
            return file
    return answer_file(folder / what) if (folder / what).is_dir() else None
