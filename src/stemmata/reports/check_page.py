"""The report on checked documents: a page for each, and an overview that leads to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from stemmata.model.wording import counted
from stemmata.reports.check import CheckResult, DocumentResult
from stemmata.reports.check_graph import Graph, draw_graph
from stemmata.reports.evidence_page import join_program, script_digest
from stemmata.reports.html import render_page
from stemmata.reports.tables import Table

MOST_PAIRS = 300
"""Pairs of documents that are listed, those that share most first."""
COMMON = 0.8
"""So much of what two documents share must be in another source to say that they have it from there."""
_BINS = 11
"""None, and ten of ten percent each."""


@dataclass(frozen=True)
class SharedPair:
    """Two checked documents that share text.

    Attributes
    ----------
    characters
        What they share, counted in the one that has less of it.
    shares
        The share of each.
    common
        Whether most of it is also in a source of the collection, from which both may have it.
    address
        Where both are shown side by side.
    """

    first: DocumentResult
    second: DocumentResult
    characters: int
    shares: tuple[float, float]
    remark: str
    common: bool
    address: str


def pages_folder(report: Path) -> Path:
    """Return the folder for the pages that belong to a report.

    It is named as browsers name what belongs to a saved page, so that file managers move both together.
    """
    return report.with_name(f"{report.stem}_files")


def overview_page(result: CheckResult, folder: str) -> str:
    """Return the overview; `folder` holds the pages of the documents, beside it."""
    program = join_program("check", ("overview.js",))
    pairs = shared_pairs(result.documents, folder) if result.among else []
    return render_page(
        "check.html.j2",
        program=program,
        digest=script_digest(program),
        result=result,
        rows=sorted(result.documents, key=lambda one: (-one.share, one.number)),
        bins=_bins(result.documents),
        bin_of=_bin_of,
        share_text=share_text,
        address=lambda one: _address(one, folder),
        sought=_sought,
        graph=_graph(result.documents, pairs) if result.among else None,
        pairs=pairs[:MOST_PAIRS],
        pair_count=len(pairs),
        by_pair={(pair.first.number, pair.second.number): pair for pair in pairs},
        by_number={one.number: one for one in result.documents},
    )


def shared_pairs(documents: Sequence[DocumentResult], folder: str = "") -> list[SharedPair]:
    """Return the pairs of checked documents that share text, those that share most first."""
    by_number = {one.number: one for one in documents}
    pairs: dict[tuple[int, int], SharedPair] = {}
    for one in documents:
        for place, source in enumerate(one.sources):
            other = by_number.get(source.among if source.among is not None else -1)
            key = (one.number, other.number) if other else None
            # A pair is told by both documents, unless one of them has too many sources to tell of it.
            if other is None or key is None or key[::-1] in pairs:
                continue
            pairs[key] = SharedPair(
                one,
                other,
                min(source.characters, source.source_characters),
                (source.share, source.source_characters / max(other.length, 1)),
                source.remark,
                source.elsewhere >= COMMON,
                f"{_address(one, folder)}#pair-{place}",
            )
    return sorted(pairs.values(), key=lambda p: (-p.characters, p.first.number, p.second.number))


def summary_tables(result: CheckResult, notes: Sequence[str] = ()) -> list[Table]:
    """Return what a terminal shows: a row per document, those with most reuse first."""
    rows = [
        [
            one.name,
            100 * one.share,
            100 * one.share_without_quotations,
            len(one.sources),
            one.sources[0].name if one.sources else None,
            100 * one.sources[0].share if one.sources else None,
        ]
        for one in sorted(result.documents, key=lambda one: (-one.share, one.number))
    ]
    columns = ("Document", "Reused, %", "Without quotations, %", "Sources", "Most from", "From it, %")
    against = [f"{result.collection:,} in the collection"] if result.collection is not None else []
    among = ["each other"] if result.among else []
    title = f"{counted(len(result.documents), 'document')} checked against {' and '.join(against + among)}"
    failed = [["" if result.anonymous else one.name, result.reason(one)] for one in result.failures]
    return [
        Table(columns, rows, title, () if failed else notes, digits=1, name="documents"),
        Table(("Could not be checked", "Reason"), failed, notes=notes if failed else (), name="failed"),
    ]


def share_text(share: float) -> str:
    """Return a share as the pages of documents show it.

    Examples
    --------
    >>> share_text(0.1234), share_text(0.01234), share_text(0)
    ('12.3%', '1.23%', '0.0%')
    """
    return f"{100 * share:.{2 if 0 < share < 0.1 else 1}f}%"


def _graph(documents: Sequence[DocumentResult], pairs: Sequence[SharedPair]) -> Graph:
    return draw_graph(
        {one.number: one.name for one in documents},
        {_ordered(pair): pair.characters for pair in pairs},
    )


def _ordered(pair: SharedPair) -> tuple[int, int]:
    low, high = sorted((pair.first.number, pair.second.number))
    return low, high


def _bin_of(share: float) -> int:
    return min(_BINS - 1, int(10 * share + 1e-9) + 1) if share > 0 else 0


def _bins(documents: Sequence[DocumentResult]) -> list[tuple[str, int]]:
    counts = [0] * _BINS
    for one in documents:
        counts[_bin_of(one.share)] += 1
    titles = ["none", *(f"{10 * n}–{10 * n + 10}%" for n in range(_BINS - 1))]
    return list(zip(titles, counts, strict=True))


def _address(document: DocumentResult, folder: str) -> str:
    return f"{quote(folder)}/{document.page}"


def _sought(document: DocumentResult) -> str:
    """Return what a search looks in: the names of a document and its sources, and what is known of them."""
    said = [document.name]
    for source in document.sources:
        said += [source.name, *source.about.values()]
    return "\n".join(said).lower()
