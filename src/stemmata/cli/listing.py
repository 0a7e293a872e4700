"""``stemmata list``: what there is to choose from."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer

from stemmata.cli.output import FormatOption, print_result
from stemmata.reports.tables import Format, Table


class Family(StrEnum):
    """Families of named things."""

    MEASURES = "measures"
    DETECTORS = "detectors"
    INTRINSIC_DETECTORS = "intrinsic-detectors"
    RETRIEVERS = "retrievers"
    VERIFIERS = "verifiers"
    OBFUSCATORS = "obfuscators"
    DATASETS = "datasets"


def list_names(
    family: Annotated[Family, typer.Argument(help="What to list.")],
    format: FormatOption = Format.TABLE,
) -> None:
    """List measures, detectors, retrievers, verifiers, obfuscators or datasets: meaning and origin.

    Example: stemmata list measures
    """
    rows = {
        Family.MEASURES: _measures,
        Family.DETECTORS: _detectors,
        Family.INTRINSIC_DETECTORS: _intrinsic_detectors,
        Family.RETRIEVERS: _retrievers,
        Family.VERIFIERS: _verifiers,
        Family.OBFUSCATORS: _obfuscators,
        Family.DATASETS: _datasets,
    }[family]()
    columns = list(rows[0]) if rows else []
    shown = [column for column in columns if column != "parameters"]
    notes = sorted({f"[{row['key']}] {row['citation']}" for row in rows if "key" in row})
    shown = [column for column in shown if column != "citation"] if notes else shown
    table = Table(
        [column.replace("key", "reference").capitalize() for column in shown],
        [[row[column] for column in shown] for row in rows],
        notes=notes,
    )
    print_result([table], rows, format)


def _measures() -> list[dict[str, Any]]:
    from stemmata.measures.catalogue import measures

    return [
        {
            "name": one.name,
            "task": one.task,
            "meaning": one.meaning.replace("``", ""),
            "parameters": [
                {"name": p.name, "type": p.kind.__name__, "default": p.default, "meaning": p.meaning}
                for p in one.parameters
            ],
            "key": one.citation.key,
            "citation": one.citation.text,
        }
        for one in (measures[name] for name in measures)
    ]


def _detectors() -> list[dict[str, Any]]:
    from stemmata.reuse import detectors

    found = [
        {"name": name, "task": "alignment", "meaning": _first_line(detectors[name])} for name in detectors
    ]
    return found + _intrinsic_detectors()


def _intrinsic_detectors() -> list[dict[str, Any]]:
    from stemmata.reuse import intrinsic_detectors

    return [
        {"name": name, "task": "intrinsic", "meaning": _first_line(intrinsic_detectors[name])}
        for name in intrinsic_detectors
    ]


def _first_line(thing: object) -> str:
    return (thing.__doc__ or "").strip().splitlines()[0]


def _retrievers() -> list[dict[str, Any]]:
    from stemmata.reuse import retrievers

    return [
        {"name": name, "task": "retrieval", "meaning": _first_line(retrievers[name])} for name in retrievers
    ]


def _verifiers() -> list[dict[str, Any]]:
    from stemmata.authorship import verifiers
    from stemmata.authorship.origins import origins

    return [_with_origin(name, verifiers[name], origins().get(name)) for name in verifiers]


def _obfuscators() -> list[dict[str, Any]]:
    from stemmata.masking import obfuscators
    from stemmata.masking.origins import origins

    known = origins()
    return [
        _with_origin(
            name, obfuscators[name], known.get(name), published=known[name].share if name in known else None
        )
        for name in obfuscators
    ]


def _with_origin(name: str, thing: object, origin: Any, **more: Any) -> dict[str, Any]:
    """Return what is known of a re-implemented system; ours has no origin."""
    return {
        "name": name,
        "year": origin.year if origin else None,
        "authors": origin.authors if origin else "",
        "certainty": origin.certainty if origin else "",
        **more,
        "meaning": _first_line(thing),
    }


def _datasets() -> list[dict[str, Any]]:
    from stemmata.corpora.manifest import known

    return [
        {"name": one.id, "task": one.task, "language": ", ".join(one.languages), "meaning": one.title}
        for one in known().values()
    ]
