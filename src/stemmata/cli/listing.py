"""``stemmata list``: what there is to choose from."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from stemmata.cli.ending import print_line
from stemmata.cli.output import FormatOption, print_result
from stemmata.reports.tables import Format, Table

if TYPE_CHECKING:
    from stemmata.model import Registry, StemmataError

T = TypeVar("T")


class Family(StrEnum):
    """Families of named things."""

    MEASURES = "measures"
    DETECTORS = "detectors"
    INTRINSIC_DETECTORS = "intrinsic-detectors"
    RETRIEVERS = "retrievers"
    VERIFIERS = "verifiers"
    OBFUSCATORS = "obfuscators"
    STRATEGIES = "strategies"
    DATASETS = "datasets"


def list_names(
    family: Annotated[Family, typer.Argument(help="What to list.")],
    format: FormatOption = Format.TABLE,
) -> None:
    """List measures, detectors, verifiers, obfuscators and other things by name: meaning and origin.

    Example: stemmata list measures
    """
    broken: list[StemmataError] = []
    rows = {
        Family.MEASURES: _measures,
        Family.DETECTORS: _detectors,
        Family.INTRINSIC_DETECTORS: _intrinsic_detectors,
        Family.RETRIEVERS: _retrievers,
        Family.VERIFIERS: _verifiers,
        Family.OBFUSCATORS: _obfuscators,
        Family.STRATEGIES: _strategies,
        Family.DATASETS: _datasets,
    }[family](broken)
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
    for error in broken:
        print_line(str(error))


def _usable(family: Registry[T], broken: list[StemmataError]) -> dict[str, T]:
    """Return what can be loaded; that a plug-in cannot be does not hide the rest."""
    usable, faults = family.usable()
    broken += faults
    return usable


def _measures(broken: list[StemmataError]) -> list[dict[str, Any]]:
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
        for one in _usable(measures, broken).values()
    ]


def _detectors(broken: list[StemmataError]) -> list[dict[str, Any]]:
    from stemmata.reuse import detectors

    found = [
        {"name": name, "task": "alignment", "meaning": _first_line(made)}
        for name, made in _usable(detectors, broken).items()
    ]
    return found + _intrinsic_detectors(broken)


def _intrinsic_detectors(broken: list[StemmataError]) -> list[dict[str, Any]]:
    from stemmata.reuse import intrinsic_detectors

    return [
        {"name": name, "task": "intrinsic", "meaning": _first_line(made)}
        for name, made in _usable(intrinsic_detectors, broken).items()
    ]


def _first_line(thing: object) -> str:
    return next(iter((thing.__doc__ or "").strip().splitlines()), "")


def _retrievers(broken: list[StemmataError]) -> list[dict[str, Any]]:
    from stemmata.reuse import retrievers

    return [
        {"name": name, "task": "retrieval", "meaning": _first_line(made)}
        for name, made in _usable(retrievers, broken).items()
    ]


def _verifiers(broken: list[StemmataError]) -> list[dict[str, Any]]:
    from stemmata.authorship import verifiers
    from stemmata.authorship.origins import origins

    return [
        _with_origin(name, made, origins().get(name)) for name, made in _usable(verifiers, broken).items()
    ]


def _obfuscators(broken: list[StemmataError]) -> list[dict[str, Any]]:
    from stemmata.masking import obfuscators
    from stemmata.masking.origins import origins

    known = origins()
    return [
        _with_origin(name, made, known.get(name), published=known[name].share if name in known else None)
        for name, made in _usable(obfuscators, broken).items()
    ]


def _strategies(broken: list[StemmataError]) -> list[dict[str, Any]]:
    from stemmata.rewriting import strategies

    return [
        {"name": name, "meaning": _first_line(made)} for name, made in _usable(strategies, broken).items()
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


def _datasets(_: list[StemmataError]) -> list[dict[str, Any]]:
    from stemmata.corpora.manifest import known

    return [
        {"name": one.id, "task": one.task, "language": ", ".join(one.languages), "meaning": one.title}
        for one in known().values()
    ]
