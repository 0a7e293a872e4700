"""The page of a world ranking that was run: who hides best, from whom, at what cost, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from stemmata.masking.origins import Origin, origins
from stemmata.measures.safety import Safety
from stemmata.model import Piece
from stemmata.reports.html import render_page
from stemmata.reports.ranking_figures import HEIGHT, WIDTH, Plane, heat_map, mosaic, plane
from stemmata.reports.side_by_side import Row, rows_of

MOST_MOSAICS = 20
"""Obfuscators whose decisions are drawn one by one."""
MOST_ROWS = 12
"""Pieces of a sample that are shown."""


@dataclass(frozen=True)
class Sample:
    """A text that several obfuscators have masked: what it is called, and by obfuscator its pieces."""

    name: str
    masked: Mapping[str, Sequence[Piece]] = field(repr=False)


@dataclass(frozen=True)
class ObfuscatorRow:
    """An obfuscator in the ranking; values are those of ``ranking.json``, None where they are undefined."""

    name: str
    origin: Origin | None
    score: float
    share: float | None
    low: float | None
    high: float | None
    kept: float
    length: float
    trained: Mapping[str, float | None] | None
    quality: Mapping[str, float] | None
    by_corpus: Sequence[float | None]


@dataclass(frozen=True)
class VerifierRow:
    """A verifier: what it is worth on each corpus."""

    name: str
    learns: bool
    accuracy: Sequence[float | None]
    importance: float


@dataclass(frozen=True)
class Shown:
    """A sample as the page shows it: by obfuscator the rows side by side."""

    name: str
    versions: Sequence[tuple[str, Sequence[Row]]]


def ranking_page(
    data: Mapping[str, Any], corpora: Mapping[str, Safety], samples: Sequence[Sample], command: str
) -> str:
    """Return the page.

    Parameters
    ----------
    data
        What ``ranking.json`` says.
    corpora
        The safety of all obfuscators on each corpus.
    samples
        Texts to show side by side.
    command
        What makes the same ranking again.
    """
    known = origins()
    rows = [_row(name, one, data, known.get(name)) for name, one in data["obfuscators"].items()]
    names = [row.name for row in rows]
    return render_page(
        "ranking.html.j2",
        data=data,
        rows=rows,
        corpora=list(data["corpora"].items()),
        verifiers=_verifiers(data),
        heat=heat_map(corpora, names),
        mosaics=[
            (
                name,
                [
                    mosaic(corpus, one.matrix(name))
                    for corpus, one in corpora.items()
                    if name in one.obfuscated
                ],
            )
            for name in names[:MOST_MOSAICS]
        ],
        planes=_planes(rows),
        size=(WIDTH, HEIGHT),
        top=_top(_drawn(rows)),
        samples=[_shown(sample, names) for sample in samples],
        trained=any(row.trained for row in rows),
        published=any(row.origin and row.origin.share is not None for row in rows),
        graded=any(row.quality for row in rows),
        command=command,
    )


def _row(name: str, one: Mapping[str, Any], data: Mapping[str, Any], origin: Origin | None) -> ObfuscatorRow:
    by_corpus = [
        corpus["obfuscators"][name]["share"] if name in corpus["obfuscators"] else None
        for corpus in data["corpora"].values()
    ]
    low, high = one["confidence"]
    return ObfuscatorRow(
        *(name, origin, one["score"], one["share"], low, high, one["words_kept"], one["length"]),
        trained=one.get("adversary"),
        quality=one["quality"],
        by_corpus=by_corpus,
    )


def _drawn(rows: Sequence[ObfuscatorRow]) -> Iterator[float | None]:
    """Yield the shares that the first figure shows: bars, ends of intervals, and published ones."""
    for row in rows:
        yield from (row.share, row.high)
        yield row.origin.share if row.origin else None
        yield row.trained["share"] if row.trained else None


def _top(shares: Iterable[float | None]) -> float:
    """Return where an axis of shares ends: a round figure above all of them."""
    most = max((share for share in shares if share is not None), default=0.0)
    return min(1.0, max(0.2, (int(10 * most) + 1) / 10))


def _verifiers(data: Mapping[str, Any]) -> list[VerifierRow]:
    corpora = list(data["corpora"].values())
    names = sorted({name for corpus in corpora for name in corpus["verifiers"]})
    rows = []
    for name in names:
        own = [corpus["verifiers"].get(name) for corpus in corpora]
        here = [one for one in own if one]
        weight = sum(
            one["importance"] * corpus["perfect"] for one, corpus in zip(own, corpora, strict=True) if one
        )
        rows.append(
            VerifierRow(
                name,
                any(one["learns"] for one in here),
                [one["accuracy"] if one else None for one in own],
                weight,
            )
        )
    total = sum(row.importance for row in rows) or 1.0
    rows = [VerifierRow(r.name, r.learns, r.accuracy, r.importance / total) for r in rows]
    return sorted(rows, key=lambda row: (-row.importance, row.name))


def _planes(rows: Sequence[ObfuscatorRow]) -> list[Plane]:
    """Return safety against quality as predicted, or, where it is not, against the share of words kept."""
    shares = {row.name: row.share for row in rows if row.share is not None}
    if not shares:
        return []
    top = _top(shares.values())
    graded = [row for row in rows if row.quality]
    if not graded:
        kept = {row.name: (row.kept, shares[row.name]) for row in rows}
        return [plane("share of the words kept", ("another text", "the same text"), kept, (0, 1), top)]
    planes = []
    for title, key, most, low, high in (
        ("predicted sensibleness", "sensibleness", 2, "makes no sense", "reads well"),
        ("predicted soundness", "soundness", 5, "says something else", "says the same"),
    ):
        values = {row.name: (row.quality[key], shares[row.name]) for row in graded if row.quality}
        planes.append(plane(title, (low, high), values, (0, most), top))
    return planes


def _shown(sample: Sample, names: Sequence[str]) -> Shown:
    versions = [(name, rows_of(sample.masked[name], MOST_ROWS)) for name in names if name in sample.masked]
    return Shown(sample.name, versions)
