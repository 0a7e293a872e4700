"""What the PAN 2018 overview prints, and where it contradicts itself."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from stemmata.model.reproduction import ComparedTable, Note


@dataclass(frozen=True)
class Remark:
    """A note on those cells of a table that lie in some columns, and on rows of some names."""

    table: str
    text: str
    columns: tuple[str, ...] = ()
    corpora: tuple[str, ...] = ()
    obfuscators: tuple[str, ...] = ()

    def on(self, table: ComparedTable) -> Note:
        """Return the note for a table, which names corpora and obfuscators in its rows."""
        cells = {
            (r, c)
            for r, row in enumerate(table.rows)
            if all(not names or {*names} & {*map(str, row)} for names in (self.corpora, self.obfuscators))
            for c, column in enumerate(table.columns)
            if column in self.columns
        }
        return Note(self.text, frozenset(cells))


@dataclass(frozen=True)
class CoverageFacts:
    """Appendix A.1: coverage on one corpus."""

    corpus: str
    verifiers: int
    full_coverage: int
    twins: tuple[str, ...]
    twin_coverage: float
    constant_coverage: tuple[float, float]
    constant_accuracy: tuple[float, float]


@dataclass(frozen=True)
class Published:
    """The figures of the paper; tables by corpus and obfuscator, in the order of its columns."""

    verifiers: int
    perfect: float
    obfuscators: Mapping[str, str]
    corpora: Mapping[str, str]
    appendix_a: CoverageFacts
    table2: Mapping[str, tuple[int, ...]]
    table3: Mapping[str, tuple[float, ...]]
    table4: Mapping[str, Mapping[str, tuple[float, ...]]]
    table5: Mapping[str, Mapping[str, tuple[float, ...]]]
    verifiers4: Mapping[str, int]
    verifiers5: Mapping[str, int]
    remarks: tuple[Remark, ...]

    @property
    def scores(self) -> int:
        """How many world ranking scores are printed."""
        return sum(map(len, self.table4.values()))

    def notes(self, table: ComparedTable) -> list[Note]:
        """Return what is to be said of a table; a remark on rows that are not there is left out."""
        notes = ((remark, remark.on(table)) for remark in self.remarks if remark.table == table.name)
        return [note for remark, note in notes if note.cells or not remark.columns]

    def order_kept(self, corpus: str, column: int) -> bool | None:
        """Tell whether an attack in Table 4 leaves the obfuscators of a corpus in their order."""
        rows = self.table4.get(corpus)
        if rows is None:
            return None
        before = sorted(rows, key=lambda name: -rows[name][-1])
        return before == sorted(rows, key=lambda name: -rows[name][column])


@cache
def published() -> Published:
    """Read the figures that come with the package."""
    data = tomllib.loads(files(__package__).joinpath("pan18_published.toml").read_text(encoding="utf-8"))
    verifiers = {
        name: {corpus: table.pop("verifiers") for corpus, table in data[name].items()}
        for name in ("table4", "table5")
    }
    frozen = {name: _tuples(data[name]) for name in ("table2", "table3", "table4", "table5")}
    names = data["obfuscators"]
    return Published(
        data["verifiers"],
        data["perfect"],
        names,
        data["corpora"],
        CoverageFacts(**_tuples(data["appendix_a"])),
        **frozen,
        verifiers4=verifiers["table4"],
        verifiers5=verifiers["table5"],
        remarks=tuple(
            Remark(**_tuples(one | {"obfuscators": [names[x] for x in one.get("obfuscators", ())]}))
            for one in data["remarks"]
        ),
    )


def _tuples(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the table with its lists as tuples, so that nobody changes what was printed."""
    return {
        key: _tuples(value) if isinstance(value, dict) else tuple(value) if isinstance(value, list) else value
        for key, value in data.items()
    }
