"""What retrievers ask of a collection of documents, wherever it is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from stemmata.model.spans import Ints
from stemmata.reuse.index.word_hashes import Hashes

Scores = Sequence[float] | npt.NDArray[np.float64]


class Postings(Protocol):
    """Which documents have which fingerprints."""

    @property
    def places(self) -> Ints:
        """For each posting the place of its fingerprint among those asked for."""
        ...

    @property
    def numbers(self) -> Ints:
        """For each posting the document."""
        ...

    @property
    def dfs(self) -> Ints:
        """For each fingerprint asked for, how many documents have it."""
        ...


class Text(Protocol):
    """A document of the collection."""

    @property
    def text(self) -> str:
        """The text."""
        ...


class Collection(Protocol):
    """A collection with fingerprints, frequencies of stems, and search by words."""

    def __len__(self) -> int: ...

    @property
    def words(self) -> int:
        """How many words the collection has."""
        ...

    def lookup(self, kind: str, hashes: Hashes, most: int | None = None) -> Postings:
        """Return the postings of fingerprints that at most so many documents have."""
        ...

    def frequencies(self, places: Ints) -> Ints:
        """Return how often stems occur, by the places of their hashes."""
        ...

    def search(self, language: str, terms: Sequence[str], limit: int) -> tuple[Ints, Scores]:
        """Return the documents that some words describe best, with their scores."""
        ...

    def phrase(self, language: str, words: Sequence[str], limit: int) -> tuple[Ints, Scores]:
        """Return documents that have some words in a row, with their scores."""
        ...

    def document(self, number: int) -> Text:
        """Return a document."""
        ...

    def names(self, numbers: Ints) -> list[str]:
        """Return the names of documents."""
        ...
