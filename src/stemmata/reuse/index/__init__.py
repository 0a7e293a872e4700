"""A collection of documents that can be asked where a text comes from."""

from stemmata.reuse.index.findings import Findings
from stemmata.reuse.index.reading import Index, IndexedDocument, NearDuplicate, Postings
from stemmata.reuse.index.shards import IndexShards, is_index, open_index
from stemmata.reuse.index.texts import Hits
from stemmata.reuse.index.writing import Outcome, add, build, remove

__all__ = [
    "Findings",
    "Hits",
    "Index",
    "IndexShards",
    "IndexedDocument",
    "NearDuplicate",
    "Outcome",
    "Postings",
    "add",
    "build",
    "is_index",
    "open_index",
    "remove",
]
