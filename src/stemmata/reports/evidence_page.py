"""The evidence report as one HTML file: the data as JSON beside the program that shows it."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from stemmata.model import Span, SpanSet
from stemmata.reports.evidence import Evidence, EvidenceDocument, EvidencePair, EvidencePassage
from stemmata.reports.evidence_words import Words
from stemmata.reports.html import render_page
from stemmata.reports.overlay import Side, Tally

PROGRAM = (
    *("spans.js", "pane.js", "marks.js", "overview.js", "sources.js"),
    *("reader.js", "print.js", "start.js"),
)
"""The parts of the report's program, in the order they are joined."""


@dataclass(frozen=True)
class Frame:
    """How the report of a single document is framed; `home` is where the overview of all documents is."""

    home: str = ""


def evidence_page(evidence: Evidence, anonymous: bool = False, frame: Frame | None = None) -> str:
    """Return the report, which needs no network; anonymous, it holds no name of a document.

    Parameters
    ----------
    frame
        Given for a document that was checked: its sources are listed, rather than all documents.
    """
    overview, texts = page_data(evidence, anonymous)
    program = join_program("evidence", PROGRAM)
    return render_page(
        "evidence.html.j2",
        program=program,
        digest=script_digest(program),
        data=as_script({**overview, "single": frame is not None}),
        frame=frame,
        texts=[(number, as_script(text)) for number, text in texts.items()],
        with_truth=evidence.tally is not None,
        signature=evidence.signature,
    )


def as_script(data: object) -> Markup:
    r"""Return data as JSON that is safe inside a script element: no ``<`` can close it or open a comment.

    Examples
    --------
    >>> as_script("</script>")
    Markup('"\\u003c/script>"')
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))  # noqa: S704 - the one character that matters is escaped


def page_data(evidence: Evidence, anonymous: bool = False) -> tuple[dict[str, Any], dict[int, str]]:
    """Return what the overview needs, and the texts by number; texts are parsed only when opened."""
    suspicious, sources = list(evidence.suspicious.values()), list(evidence.sources.values())
    number = {document.name: i for i, document in enumerate(suspicious)}
    source_number = {document.name: i for i, document in enumerate(sources, len(suspicious))}
    documents = [*suspicious, *sources]
    overview = {
        "anonymous": anonymous,
        "suspicious": len(suspicious),
        "documents": [_document(one, anonymous) for one in documents],
        "pairs": [
            _pair(pair, number[pair.suspicious], -1 if pair.source is None else source_number[pair.source])
            for pair in evidence.pairs
        ],
        "truth": _tally(evidence.tally) if evidence.tally else None,
        "shown": evidence.shown,
        "notes": list(evidence.notes),
    }
    return overview, {i: one.text for i, one in enumerate(documents) if one.text is not None}


def _document(document: EvidenceDocument, anonymous: bool) -> dict[str, Any]:
    return {
        "name": "" if anonymous else document.name,
        "length": document.length,
        "quotations": _flat(document.quotations),
        "bibliography": list(document.bibliography or ()),
        "odd": [[one.trick.value, _flat(one.spans)] for one in document.manipulations],
        "text": document.text is not None,
        "pages": list(document.pages),
        "about": {} if anonymous else dict(document.about),
        "alias": document.alias,
    }


def _pair(pair: EvidencePair, suspicious: int, source: int) -> dict[str, Any]:
    made: dict[str, Any] = {
        "suspicious": suspicious,
        "source": source,
        "passages": [_passage(one) for one in pair.passages],
        "remark": pair.remark,
    }
    if pair.overlay:
        made["truth"] = {
            **_tally(pair.overlay.tally),
            "spans": [_side(pair.overlay.suspicious), _side(pair.overlay.source)],
            "cases": [[list(mine), list(theirs or ())] for mine, theirs in pair.overlay.missed],
        }
    return made


def _passage(passage: EvidencePassage) -> dict[str, Any]:
    sides = (passage.comparison.suspicious, passage.comparison.source) if passage.comparison else ()
    starts = (passage.suspicious.start, passage.source.start if passage.source else 0)
    return {
        "spans": [list(passage.suspicious), list(passage.source or ())],
        "words": passage.words,
        "kept": passage.kept,
        "kind": passage.judgement.kind.value,
        "reason": passage.judgement.reason,
        "runs": [_runs(words, start) for words, start in zip(sides, starts, strict=False)],
    }


def _runs(words: Words, start: int) -> list[int]:
    """Return the runs as change, gap from the end of the run before, and length: small numbers all."""
    flat = []
    for change, span in words.runs():
        flat += [int(change), span.start - start, span.length]
        start = span.end
    return flat


def _side(side: Side) -> dict[str, list[int]]:
    return {"found": _flat(side.found), "true": _flat(side.true)}


def _tally(tally: Tally) -> dict[str, int]:
    return {"found": tally.found, "missed": tally.missed, "false": tally.false}


def _flat(spans: Iterable[Span] | SpanSet) -> list[int]:
    return [border for span in spans for border in span]


def join_program(folder: str, parts: Sequence[str]) -> Markup:
    """Return a program of ours, joined from its parts."""
    place = files("stemmata.reports") / "templates" / folder
    joined = "\n".join((place / name).read_text("utf-8") for name in parts)
    return Markup(f'"use strict";\n(() => {{\n{joined}}})();\n')  # noqa: S704 - our own files


def script_digest(program: str) -> str:
    """Return what the page's policy must name to let a program run."""
    return base64.b64encode(hashlib.sha256(program.encode()).digest()).decode()
