"""Authorship verification: problems, their truth, and a verifier's answers.

PAN13–15 keep a folder per problem and lines of ``ID value``; PAN20 and later keep JSON lines. Every
reader here takes both and tells them apart by what it finds.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

from stemmata.formats.documents import read_document
from stemmata.formats.faults import Report, fault, reported
from stemmata.formats.files import is_folder, read_text, write_atomically
from stemmata.formats.folders import entries, folder_name_fault, folders_in
from stemmata.formats.json_text import encodable, is_blank, json_lines, json_objects, parse_json
from stemmata.model import Document, ErrorCode, Finding, Place, Problem, StemmataError

T = TypeVar("T")
AnswerFormat = Literal["text", "jsonl"]

_TRUTH_FILES = ("truth.txt", "truth.jsonl")
_ANSWER_FILES = ("answers.txt", "answers.jsonl")
PAIRS_FILE = "pairs.jsonl"
_SAME_AUTHOR = {"Y": True, "N": False}

_NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_is_number = re.compile(_NUMBER).fullmatch
_answer_lines = re.compile(rf"^([^\s{{]\S*(?<![,;]))[ \t]+({_NUMBER})[ \t\r]*$", re.MULTILINE).findall
_separated = re.compile(r'\s*("?)([^\s,;"]+)\1\s*[,;]\s*("?)([^\s,;"]*)\3\s*').fullmatch
_HEADS = {"id", "problem", "problem_id", "problem-id", "name", "value", "score", "answer", "probability"}
_bare_id = re.compile(r"[^\W_][\w.:/#+-]*").fullmatch
_lines_with_text = re.compile(r"^[^\S\n]*\S", re.MULTILINE).findall
_is_json = re.compile(r"\s*[{[]").match
_SHOWN = 80
_FEW = 5


def read_problems(path: str | Path, report: Report | None = None) -> list[Problem]:
    """Read verification problems, sorted by id.

    Parameters
    ----------
    path
        A folder with one folder per problem (``EN001/known01.txt`` …, ``EN001/unknown.txt``), such a
        problem's folder alone, a file of JSON lines ``{"id": …, "pair": [known, unknown]}``, or a
        folder that holds such a file as ``pairs.jsonl``.
    report
        Receives what is wrong; without it the first wrong thing is raised.

    Folders are called after problems, so an id that no single folder can have is refused (E787).
    """
    path = Path(path)
    if not is_folder(path):
        problems = list(_problem_lines(path, report))
    elif is_problem(path):
        problems = list(_problem_folders([path.resolve()], report))
    elif folders := folders_in(path):
        problems = list(_problem_folders(folders, report))
    elif (path / PAIRS_FILE).is_file():
        problems = list(_problem_lines(path / PAIRS_FILE, report))
    else:
        problems = []
        fault(report, ErrorCode.NO_PROBLEMS, path)
    return sorted(problems, key=lambda problem: problem.id)


def is_problem(folder: Path) -> bool:
    """Tell whether a folder holds the texts of a problem."""
    return (folder / "unknown.txt").is_file() or bool(entries(folder, "known*.txt"))


def _problem_folders(folders: list[Path], report: Report | None) -> Iterator[Problem]:
    for folder in folders:
        with reported(report):
            known = entries(folder, "known*.txt")
            if not known:
                raise StemmataError(ErrorCode.NO_KNOWN_TEXT, folder, problem=folder.name)
            unknown = folder / "unknown.txt"
            if not unknown.is_file():
                raise StemmataError(ErrorCode.NO_UNKNOWN_TEXT, folder, problem=folder.name)
            if reason := folder_name_fault(folder.name):
                raise StemmataError(ErrorCode.BAD_PROBLEM_ID, folder, name=_brief(folder.name), reason=reason)
            yield Problem(folder.name, tuple(map(read_document, known)), read_document(unknown))


def _problem_lines(path: Path, report: Report | None) -> Iterator[Problem]:
    first: dict[str, int | None] = {}
    for place, record in json_lines(path, report):
        problem, pair = _id(record), _pair(record)
        if problem is None:
            fault(report, ErrorCode.BAD_PROBLEM, place, reason="it has no id")
        elif reason := folder_name_fault(problem):
            fault(report, ErrorCode.BAD_PROBLEM_ID, place, name=_brief(problem), reason=reason)
        elif pair is None:
            fault(report, ErrorCode.BAD_PROBLEM, place, reason="it has no pair of two texts")
        elif problem in first:
            fault(report, ErrorCode.REPEATED_PROBLEM, place, problem=problem, first=first[problem])
        else:
            first[problem] = place.line
            known, unknown = pair
            yield Problem(problem, (Document("known01.txt", known),), Document("unknown.txt", unknown))
    if not first and is_blank(path):
        fault(report, ErrorCode.NO_PROBLEMS, path)


def _pair(record: Mapping[str, Any]) -> tuple[str, str] | None:
    match record.get("pair"):
        case [str(known), str(unknown)]:
            return known, unknown
    return None


def _id(record: Mapping[str, Any]) -> str | None:
    value = record.get("id")
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and value else None


def read_truth(path: str | Path, report: Report | None = None) -> dict[str, bool]:
    """Read which problems are of the same author, in the order of the file.

    Lines of ``EN001 Y`` and ``EN001 N``, or JSON lines ``{"id": …, "same": true}``; a folder stands
    for its ``truth.txt`` or ``truth.jsonl``.
    """
    file = (truth_file(path) or Path(path, _TRUTH_FILES[0])) if is_folder(path) else Path(path)
    text = read_text(file).removeprefix("\ufeff")
    if _is_binary(file, text, report):
        return {}
    said = _Said[bool](report)
    if _is_json(text):
        for place, record in _records(text, file, report):
            problem, same = _id(record), record.get("same")
            if problem is None or not isinstance(same, bool):
                fault(report, ErrorCode.BAD_TRUTH, place, text=_brief(record))
            else:
                said.add(problem, same, place)
    else:
        for place, words in _word_lines(file, text):
            if len(words) != 2 or words[1].upper() not in _SAME_AUTHOR:
                fault(report, ErrorCode.BAD_TRUTH, place, text=_brief(" ".join(words)))
            else:
                said.add(words[0], _SAME_AUTHOR[words[1].upper()], place)
    return said.finish(file, text, "truth")


def read_answers(
    path: str | Path,
    *,
    bounded: bool = True,
    repeats: bool = False,
    ids: Collection[str] | None = None,
    report: Report | None = None,
) -> dict[str, float]:
    """Read a verifier's scores, in the order of the file.

    Lines of ``EN001 0.175``, ``EN001,0.175`` or ``EN001;0.175``, the latter two with or without a line of
    heads; PAN13's ``EN001 Y`` and ``EN001 N`` stand for 1 and 0, and ``EN001`` alone for no answer, so that
    it is not among the results. Or JSON lines ``{"id": …, "value": 0.175}``, or one list of such objects.
    A folder stands for its ``answers.txt`` or ``answers.jsonl``.

    Parameters
    ----------
    path
        The file or folder.
    bounded
        Whether a score outside [0, 1] is a fault; some verifiers of PAN13 answered so.
    repeats
        Whether a line may stand twice, as in one file of PAN18; two different scores never may.
    ids
        The problems, where they are known: a word alone that is called like none of them, nor of those that
        are answered, is a fault. Where they are not known it must look like an id.
    report
        Receives what is wrong; without it the first wrong thing is raised.
    """
    file = _answers_of(Path(path)) if is_folder(path) else Path(path)
    text = read_text(file).removeprefix("\ufeff")
    if _is_binary(file, text, report):
        return {}
    if plain := _plain_answers(text, bounded):
        return plain
    alone: list[tuple[Place, str]] = []
    rows = _json_answers(file, text, report) if _is_json(text) else _text_answers(file, text, report)
    said = _Said[float](report, repeats)
    for place, problem, value in rows:
        if value is None:
            alone.append((place, problem))
            said.add(problem, None, place)
        elif not math.isfinite(score := _number(value)):
            fault(report, ErrorCode.BAD_SCORE, place, value=_brief(value), problem=problem)
        elif bounded and not 0 <= score <= 1:
            fault(report, ErrorCode.SCORE_OUT_OF_RANGE, place, value=_brief(value), problem=problem)
        else:
            said.add(problem, score, place)
    answers = said.finish(file, text, "answer")
    series = _series([*(ids or ()), *answers])
    for place, word in alone:
        if not _bare_id(word) or (ids is not None and not _series([word]) <= series):
            fault(report, ErrorCode.BAD_ANSWER, place, text=_brief(word))
    return answers


def _is_binary(path: Path, text: str, report: Report | None) -> bool:
    if "\0" not in text:
        return False
    line = 1 + text.count("\n", 0, text.index("\0"))
    fault(report, ErrorCode.BINARY_TEXT, Place(str(path), line=line))
    return True


def _plain_answers(text: str, bounded: bool) -> dict[str, float] | None:
    """Read a file in which every line is an id and a score; None if anything is out of the ordinary.

    Nearly all files are so, and this takes a third of the time of going through them line by line.
    """
    rows = _answer_lines(text)
    if not rows or len(rows) != len(_lines_with_text(text)):
        return None
    scores = [float(score) for _, score in rows]
    low, high = (0.0, 1.0) if bounded else (-sys.float_info.max, sys.float_info.max)
    if min(scores) < low or max(scores) > high:
        return None
    answers = {problem: score for (problem, _), score in zip(rows, scores, strict=True)}
    return answers if len(answers) == len(rows) else None


def _text_answers(path: Path, text: str, report: Report | None) -> Iterator[tuple[Place, str, Any]]:
    for number, (place, written) in enumerate(_word_lines(path, text)):
        cells = _separated(" ".join(written))
        words = [cell for cell in (cells[2], cells[4]) if cell] if cells else written
        if cells and not number and {word.lower() for word in words} <= _HEADS:
            continue
        if len(words) > 2:
            fault(report, ErrorCode.BAD_ANSWER, place, text=_brief(" ".join(words)))
            continue
        value = words[1] if len(words) == 2 else None
        yield place, words[0], _SAME_AUTHOR.get(value or "", value)


def _json_answers(path: Path, text: str, report: Report | None) -> Iterator[tuple[Place, str, Any]]:
    for place, record in _records(text, path, report):
        problem = _id(record)
        if problem is None or record.get("value") is None:
            fault(report, ErrorCode.BAD_ANSWER, place, text=_brief(record))
        elif isinstance(record["value"], bool | str):
            fault(report, ErrorCode.BAD_SCORE, place, value=_brief(record["value"]), problem=problem)
        else:
            yield place, problem, record["value"]


def _records(text: str, path: Path, report: Report | None) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Yield the objects of JSON lines, or of one JSON list."""
    if not text.lstrip().startswith("["):
        yield from json_objects(text, path, report)
        return
    listed: list[Any] = []
    with reported(report):
        listed = parse_json(text, path)
    for record in listed:
        if isinstance(record, dict):
            yield Place(str(path)), record
        else:
            fault(report, ErrorCode.NOT_JSON, path, reason=f"{_brief(record)} in the list is no object")


def _number(value: Any) -> float:
    """Return a score as a number, NaN if it is none."""
    if isinstance(value, str):
        return float(value) if _is_number(value) else math.nan
    try:
        return float(value) if isinstance(value, int | float) else math.nan
    except OverflowError:
        return math.inf


class _Said(Generic[T]):
    """What a file says of each problem, and where it said so first."""

    def __init__(self, report: Report | None, repeats: bool = False) -> None:
        self._values: dict[str, T | None] = {}
        self._lines: dict[str, int | None] = {}
        self._report = report
        self._repeats = repeats

    def add(self, problem: str, value: T | None, place: Place) -> None:
        if problem not in self._values:
            self._values[problem] = value
            self._lines[problem] = place.line
        elif not (self._repeats and self._values[problem] == value):
            first = self._lines[problem]
            fault(self._report, ErrorCode.REPEATED_PROBLEM, place, problem=problem, first=first)

    def finish(self, path: Path, text: str, what: str) -> dict[str, T]:
        if not text.strip():
            fault(self._report, ErrorCode.NOTHING_SAID, path, what=what)
        return {problem: value for problem, value in self._values.items() if value is not None}


def truth_file(folder: str | Path) -> Path | None:
    """Return the file of a folder that holds its truth."""
    return _first_file(folder, _TRUTH_FILES)


def answer_file(folder: str | Path) -> Path | None:
    """Return the file of a folder that holds its answers."""
    return _first_file(folder, _ANSWER_FILES)


def _answers_of(folder: Path) -> Path:
    if file := answer_file(folder):
        return file
    if below := [one.name for one in folders_in(folder) if answer_file(one)]:
        raise StemmataError(ErrorCode.SEVERAL_VERIFIERS, folder, names=", ".join(below))
    return folder / _ANSWER_FILES[0]


def _first_file(folder: str | Path, names: tuple[str, ...]) -> Path | None:
    return next((Path(folder, name) for name in names if Path(folder, name).is_file()), None)


def _word_lines(path: Path, text: str) -> Iterator[tuple[Place, list[str]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if words := line.split():
            yield Place(str(path), line=number), words


def _brief(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def write_answers(
    path: str | Path,
    answers: Mapping[str, float],
    format: AnswerFormat = "text",  # noqa: A002
) -> None:
    """Write scores sorted by id, whole or not at all; the same answers give the same bytes."""
    lines = []
    for problem, score in sorted(answers.items()):
        value = float(score)
        if not math.isfinite(value):
            raise StemmataError(ErrorCode.BAD_SCORE, path, value=str(value), problem=problem)
        if not problem or not encodable(problem):
            raise StemmataError(ErrorCode.UNWRITABLE_ID, path, value=problem[:_SHOWN])
        if format == "jsonl":
            lines.append(json.dumps({"id": problem, "value": value}, ensure_ascii=False) + "\n")
        else:
            check_line_ids([problem], path)
            lines.append(f"{problem} {value!r}\n")
    with write_atomically(path) as part:
        part.write_text("".join(lines), encoding="utf-8", newline="\n")


def check_line_ids(problems: Iterable[str], place: str | Path) -> None:
    """Refuse ids that lines of ``ID value`` cannot hold, such as those with blanks.

    Whoever is to write such lines asks before the work rather than after it.

    Raises
    ------
    StemmataError
        E621 for the first such id.
    """
    for problem in problems:
        if problem.split() != [problem] or problem.startswith(("{", "\ufeff")) or not encodable(problem):
            raise StemmataError(ErrorCode.UNWRITABLE_ID, place, value=problem[:_SHOWN])


def match_ids(
    truth_ids: Collection[str], answer_ids: Collection[str], place: str | Path | None = None
) -> dict[str, str]:
    """Return for each answer's id the id the truth has for the same problem.

    Equal ids match. If the two have no id in common, ids match that end in the same digits, provided
    that on either side all ids begin alike and no two end alike: some verifiers of PAN14 wrote EN182
    for the essays' EE182. Ids of the answers that the truth does not know are not in the result, so
    ``len(answer_ids) - len(result)`` of them are ignored.

    Parameters
    ----------
    truth_ids, answer_ids
        The ids of either side, each once.
    place
        What to name in the error if nothing matches.

    Examples
    --------
    >>> match_ids(["EE182", "EE183"], ["EN182", "EN999"])
    {'EN182': 'EE182'}
    """
    known = truth_ids if isinstance(truth_ids, Set) else frozenset(truth_ids)
    matched = {one: one for one in answer_ids if one in known}
    if not matched:
        truth, answers = _by_digits(truth_ids), _by_digits(answer_ids)
        matched = {one: truth[digits] for digits, one in answers.items() if digits in truth}
    if not matched and answer_ids:
        raise StemmataError(
            ErrorCode.OTHER_PROBLEMS,
            place,
            truth=_brief(min(truth_ids, default="")),
            answers=_brief(min(answer_ids)),
        )
    return matched


def describe_ids(ids: Collection[str], others: Iterable[str] = ()) -> str:
    """Return what ids have in common that the others do not, such as their language, or one of them.

    Examples
    --------
    >>> describe_ids(["GR01", "SP01", "SP02"], ["EN01"])
    'all begin with GR, SP'
    >>> describe_ids(["EN02"], ["EN01"])
    'such as EN02'
    """
    series = _series(ids)
    if series and len(series) <= _FEW and "" not in series and not series & _series(others):
        return f"all begin with {', '.join(map(_brief, sorted(series)))}"
    return f"such as {_brief(min(ids, default=''))}"


def other_ids(truth_ids: Collection[str], meant: Set[str], place: str | Path | None = None) -> list[Finding]:
    """Return a finding if a truth has ids of other problems than those that are meant."""
    others = [one for one in truth_ids if one not in meant]
    if not others:
        return []
    return [Finding.of(ErrorCode.OTHER_IDS, place, count=len(others), which=describe_ids(others, meant))]


def unanswered_series(truth_ids: Collection[str], answered: Set[str], place: str | Path) -> list[Finding]:
    """Return a finding if whole series of a truth have no answer, as those of another language."""
    missing = [one for one in truth_ids if one not in answered]
    which = describe_ids(missing, answered)
    if not missing or not which.startswith("all"):
        return []
    details = {"count": len(missing), "total": len(truth_ids), "which": which}
    return [Finding.of(ErrorCode.SERIES_UNANSWERED, place, **details)]


def _series(ids: Iterable[str]) -> set[str]:
    """Return what ids begin with, up to their number."""
    return {one.rstrip("0123456789") for one in ids}


def _by_digits(ids: Collection[str]) -> dict[str, str]:
    """Return the ids by the digits they end in; nothing unless they are one numbered series."""
    prefixes = {one: one.rstrip("0123456789") for one in ids}
    found = {one[len(prefix) :]: one for one, prefix in prefixes.items() if one != prefix}
    numbered = [one for one, prefix in prefixes.items() if one != prefix]
    one_series = len({prefixes[one] for one in numbered}) == 1 and len(found) == len(numbered)
    return found if one_series else {}
