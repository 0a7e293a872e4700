"""The known corpora of the field: what each is, whose it is, where to get it, and how to know it again.

Facts stand in ``manifest.toml``, one table per corpus; for a corpus whose content can be checked, the
table of its files stands in ``fingerprint_tables/``. No text of any corpus is part of this package.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from stemmata.corpora.fingerprints import Table, unpack_table
from stemmata.model.registry import unknown_name

FOLDER = Path(__file__).parent
"""Where the manifest lies."""


@dataclass(frozen=True)
class Dataset:
    """A known corpus, or with `within` a part of one: what lies in its `folder`.

    Attributes
    ----------
    counts
        What the corpus holds, by the names its makers use: documents, pairs, cases, problems.
    optional
        Folders that some copies have and the makers' has not; they are neither checked nor unpacked.
    digest
        The fingerprint of its content, empty where it is not known.
    """

    id: str
    title: str
    task: str
    languages: tuple[str, ...]
    licence: str
    citation: str
    url: str
    layout: str
    counts: Mapping[str, int]
    note: str = ""
    within: str = ""
    folder: str = ""
    optional: tuple[str, ...] = ()
    files: int = 0
    bytes: int = 0
    digest: str = ""

    @property
    def flat_id(self) -> str:
        """The id as a file can be called."""
        return self.id.replace("/", "-")

    def as_json(self) -> dict[str, Any]:
        """Return the facts for programs."""
        facts: dict[str, Any] = {
            **{"id": self.id, "title": self.title, "task": self.task, "languages": list(self.languages)},
            **{"counts": dict(self.counts), "licence": self.licence, "citation": self.citation},
            **{"url": self.url, "layout": self.layout, "note": self.note, "part_of": self.within or None},
        }
        if self.digest:
            facts["content"] = {"files": self.files, "bytes": self.bytes, "sha256": self.digest}
        else:
            facts["content"] = None
        return facts


class Manifest(Mapping[str, Dataset]):
    """All known corpora by id, in the order of ids."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        facts = tomllib.loads((folder / "manifest.toml").read_text(encoding="utf-8"))["dataset"]
        made: dict[str, Dataset] = {}
        for one in facts:
            whole = facts_of_whole(made[one["within"]]) if "within" in one else {}
            fields = {**whole, **one}
            lists = {name: tuple(fields.get(name, ())) for name in ("languages", "optional")}
            made[one["id"]] = Dataset(**{"counts": {}, **fields, **lists})
        self._datasets = dict(sorted(made.items()))

    def __getitem__(self, name: str) -> Dataset:
        if name not in self._datasets:
            raise unknown_name("dataset", name, self._datasets)
        return self._datasets[name]

    def __contains__(self, name: object) -> bool:
        return name in self._datasets

    def __iter__(self) -> Iterator[str]:
        return iter(self._datasets)

    def __len__(self) -> int:
        return len(self._datasets)

    def table(self, dataset: Dataset) -> Table:
        """Return the files of a corpus whose content is known."""
        return unpack_table((self.folder / "fingerprint_tables" / f"{dataset.flat_id}.xz").read_bytes())

    def parts_of(self, name: str) -> list[Dataset]:
        """Return the parts of a corpus that have ids of their own."""
        return [one for one in self._datasets.values() if one.within == name]

    def split(self, text: str) -> tuple[Dataset, str] | None:
        """Read an id, or an id and a path below it: ``clough09/corpus-final09.xls``."""
        parts = text.strip("/").split("/")
        for end in range(len(parts), 0, -1):
            if (name := "/".join(parts[:end])) in self._datasets:
                return self._datasets[name], "/".join(parts[end:])
        return None


def facts_of_whole(whole: Dataset) -> dict[str, Any]:
    """Return what a part has in common with the corpus it is of."""
    return {name: getattr(whole, name) for name in ("task", "languages", "licence", "citation", "url")}


def known() -> Manifest:
    """Return the manifest, read once."""
    return _read(FOLDER)


@lru_cache(maxsize=2)
def _read(folder: Path) -> Manifest:
    return Manifest(folder)
