"""Author diarization of PAN16: texts by several hands, and who wrote which characters.

Rosso, Rangel, Potthast, Stamatatos, Tschuggnall and Stein, "Overview of PAN'16", CLEF 2016. A problem is
``problem-N.txt`` with ``problem-N.truth``, a JSON object whose ``authors`` lists the segments of each; the
offset ``to`` belongs to its segment. In task A one author wrote 70% of the text or more, and the others'
segments are what an intrinsic detector should find.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stemmata.formats.files import is_folder, read_text, write_folder_atomically
from stemmata.formats.json_text import read_json
from stemmata.formats.pan_corpus import TRUTH
from stemmata.formats.pan_xml import CASES, write_pan_xml
from stemmata.model import Case, Document, ErrorCode, Passage, Span, StemmataError

MAX_BYTES = 16 * 1024 * 1024
MAX_SEGMENTS = 100_000


@dataclass(frozen=True)
class Diarization:
    """A text and the segments of each of its authors.

    Attributes
    ----------
    document
        The text.
    authors
        The segments of each author, in the order of the text; segments that touch are one.
    """

    document: Document
    authors: tuple[tuple[Span, ...], ...]

    @property
    def main(self) -> int:
        """The author of most characters; of several, the first."""
        written = [sum(span.length for span in spans) for spans in self.authors]
        return written.index(max(written))

    @property
    def cases(self) -> list[Case]:
        """The segments of all but the main author; ``author`` counts from 1 as the truth lists them."""
        name = self.document.name
        return sorted(
            (
                Case(Passage(name, span.start, span.length), None, {"author": str(number)})
                for number, spans in enumerate(self.authors, start=1)
                if number != self.main + 1
                for span in spans
            ),
            key=lambda case: case.suspicious,
        )


def read_diarizations(folder: str | Path) -> list[Diarization]:
    """Read the problems of a folder, sorted by the number in their name."""
    if not is_folder(folder):
        raise StemmataError(ErrorCode.NO_DIARIZATION, folder)
    truths = sorted(Path(folder).glob("*.truth"), key=_number)
    if not truths:
        raise StemmataError(ErrorCode.NO_DIARIZATION, folder)
    return [_read(path) for path in truths]


def write_diarizations(folder: str | Path, problems: Iterable[Diarization]) -> None:
    """Write problems as a corpus for intrinsic detectors: ``susp/``, and PAN XML in ``truth/``."""
    cases: list[Case] = []
    names: list[tuple[str, str]] = []
    with write_folder_atomically(folder) as part:
        (part / "susp").mkdir()
        for one in problems:
            (part / "susp" / one.document.name).write_text(one.document.text, encoding="utf-8", newline="")
            names.append((one.document.name, ""))
            cases += one.cases
        write_pan_xml(part / TRUTH, cases, CASES, names)


def _number(path: Path) -> tuple[int, str]:
    digits = "".join(filter(str.isdecimal, path.stem))[-9:]
    return int(digits or 0), path.name


def _read(truth: Path) -> Diarization:
    path = truth.with_suffix(".txt")
    document = Document(path.name, read_text(path, MAX_BYTES))
    said = read_json(truth)
    if not isinstance(said, dict) or not isinstance(said.get("authors"), list) or not said["authors"]:
        raise _bad(truth, "it has no list 'authors'")
    authors = tuple(_spans(truth, one) for one in said["authors"])
    _check(truth, authors, len(document))
    return Diarization(document, authors)


def _spans(truth: Path, said: Any) -> tuple[Span, ...]:
    if not isinstance(said, list):
        raise _bad(truth, "an author is no list of segments")
    if len(said) > MAX_SEGMENTS:
        raise _bad(truth, f"an author has more than {MAX_SEGMENTS:,} segments")
    joined: list[Span] = []
    for span in sorted(_span(truth, one) for one in said):
        if joined and joined[-1].end == span.start:
            joined[-1] = Span(joined[-1].start, span.end)
        else:
            joined.append(span)
    return tuple(joined)


def _span(truth: Path, said: Any) -> Span:
    start, last = (said.get("from"), said.get("to")) if isinstance(said, dict) else (None, None)
    # To Python, true and false are whole numbers.
    if type(start) is not int or type(last) is not int:
        raise _bad(truth, f"{str(said)[:60]!r} is no segment")
    return Span(start, last + 1)


def _check(truth: Path, authors: Iterable[tuple[Span, ...]], size: int) -> None:
    """See that segments lie in the text and share no character."""
    reached = 0
    for start, end in sorted(span for spans in authors for span in spans):
        if not 0 <= start < end <= size:
            raise _bad(truth, f"{start} to {end - 1} is not in the {size:,} characters of the text")
        if start < reached:
            raise _bad(truth, f"two segments share the character {start}")
        reached = end


def _bad(truth: Path, reason: str) -> StemmataError:
    return StemmataError(ErrorCode.BAD_DIARIZATION, truth, reason=reason)
