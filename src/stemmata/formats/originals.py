"""The texts that obfuscations were made of, by problem, in whatever format the problems are."""

from __future__ import annotations

from pathlib import Path

from stemmata.formats.faults import Report
from stemmata.formats.files import is_folder, read_text
from stemmata.formats.verification import PAIRS_FILE, read_problems
from stemmata.model import ErrorCode, StemmataError

TEXTS = ("original.txt", "unknown.txt")
"""What a text to hide is called in PAN's tasks of author masking, and in those of verification."""


class Originals:
    """Texts that were to be hidden.

    Parameters
    ----------
    path
        Problems with a folder each (``original.txt`` or ``unknown.txt``), one such folder alone, lines of
        JSON, or a folder of several such sets.
    report
        Receives what is wrong with lines of JSON; without it the first wrong thing is raised.
    """

    def __init__(self, path: str | Path, report: Report | None = None) -> None:
        self._path = Path(path)
        self._report = report
        self._lines: dict[Path, dict[str, str]] = {}

    def text_of(self, obfuscation: Path) -> str:
        """Return the text of which an ``obfuscation.json`` says what became.

        Its folder is called after the problem, and the folder around that, where there are several sets,
        after the set.

        Raises
        ------
        StemmataError
            E788 if there is no such text.
        """
        folder = obfuscation.resolve().parent
        for place in (self._path / folder.parent.name, self._path):
            text = self._text_in(place, folder.name)
            if text is not None:
                return text
        details = {"problem": folder.name, "problems": self._path}
        raise StemmataError(ErrorCode.NO_ORIGINAL_TEXT, obfuscation, **details)

    def _text_in(self, problems: Path, problem: str) -> str | None:
        if problems != self._path and not problems.is_dir():
            return None
        if not is_folder(problems):
            return self._texts_of(problems).get(problem)
        rooms = [problems / problem, *([problems] if problems.resolve().name == problem else [])]
        for file in (room / name for room in rooms for name in TEXTS):
            if file.is_file():
                return read_text(file)
        pairs = problems / PAIRS_FILE
        return self._texts_of(pairs).get(problem) if pairs.is_file() else None

    def _texts_of(self, pairs: Path) -> dict[str, str]:
        if pairs not in self._lines:
            read = read_problems(pairs, self._report)
            self._lines[pairs] = {one.id: one.unknown.text for one in read}
        return self._lines[pairs]
