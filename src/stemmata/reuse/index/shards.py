"""Several indexes asked as one: the shards of a collection that outgrew one machine or one index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from stemmata.model.spans import Ints
from stemmata.reuse.index.manifest import MANIFEST, TEXTS
from stemmata.reuse.index.reading import Index, IndexedDocument, NearDuplicate, Postings
from stemmata.reuse.index.texts import Hits
from stemmata.reuse.index.word_hashes import Hashes

SHARDS = "shard-*"
"""What the folders of shards are called."""


def is_index(path: Path) -> bool:
    """Tell whether a path is that of an index or of shards, rather than of a folder of documents."""
    return _is_single(path) or bool(_shards_of(path))


def open_index(path: str | Path) -> Index | IndexShards:
    """Open an index, or the shards below a folder as one.

    Raises
    ------
    StemmataError
        As `Index.open`, of the folder or of one of the shards.
    """
    path = Path(path)
    if not _is_single(path) and (shards := _shards_of(path)):
        return IndexShards(path, [Index.open(shard) for shard in shards])
    return Index.open(path)


def _is_single(path: Path) -> bool:
    return (path / MANIFEST).is_file() and (path / TEXTS).is_dir()


def _shards_of(path: Path) -> list[Path]:
    """Return the folders of shards, those that were not finished among them; none if there is no index."""
    try:
        found = sorted(one for one in path.glob(SHARDS) if one.is_dir())
    except OSError:
        return []
    return found if any(map(_is_single, found)) else []


class IndexShards:
    """Indexes of the parts of a collection, asked as if they were one.

    Documents are numbered through, shard by shard. In how many documents a fingerprint is, and how often a
    stem occurs, is told of all shards together. The scores of `search` come from each shard's own frequencies
    of words, so they compare as far as documents were dealt out at random. Near-duplicates are known within
    shards only.
    """

    def __init__(self, path: Path, shards: Sequence[Index]) -> None:
        self.path = path
        self._shards = list(shards)
        self._starts = np.concatenate(([0], np.cumsum([shard.end for shard in shards]))).astype(np.int64)

    def __reduce__(self) -> tuple[Callable[[Path], Index | IndexShards], tuple[Path]]:
        """Let the shards travel to another process, which opens them anew."""
        return open_index, (self.path,)

    def __len__(self) -> int:
        return sum(map(len, self._shards))

    @property
    def end(self) -> int:
        """A number larger than those of all documents."""
        return int(self._starts[-1])

    @property
    def words(self) -> int:
        """The words of all documents."""
        return sum(shard.words for shard in self._shards)

    @property
    def languages(self) -> dict[str, int]:
        """How many documents there are in each language."""
        return dict(sum((Counter(shard.languages) for shard in self._shards), Counter[str]()))

    @property
    def unfinished(self) -> bool:
        """Whether the build of a shard was interrupted."""
        return any(shard.unfinished for shard in self._shards)

    def info(self) -> dict[str, Any]:
        """Return facts about all shards together, for people and programs."""
        said = [shard.info() for shard in self._shards]
        sums = ("documents", "words", "removed", "duplicates", "segments", "text_segments", "bytes")
        return {
            "path": str(self.path),
            "format": said[0]["format"],
            **{name: sum(one[name] for one in said) for name in sums},
            "languages": self.languages,
            "finished": not self.unfinished,
            "postings": {kind: sum(one["postings"][kind] for one in said) for kind in said[0]["postings"]},
            "shards": len(said),
        }

    def check(self) -> None:
        """Read every byte of all shards, and see that they are as they were written."""
        for shard in self._shards:
            shard.check()

    def numbers(self) -> Ints:
        """Return the numbers of all documents."""
        return np.concatenate([shard.numbers() + start for shard, start in self._each()])

    def number_of(self, name: str) -> int | None:
        """Return the number of the document of a name, None if there is none; of several, the last."""
        for shard, start in reversed(list(self._each())):
            if (number := shard.number_of(name)) is not None:
                return number + start
        return None

    def name(self, number: int) -> str:
        """Return the name of a document."""
        shard, local = self._place(number)
        return shard.name(local)

    def names(self, numbers: Sequence[int] | Ints) -> list[str]:
        """Return the names of many documents."""
        return [self.name(number) for number in np.asarray(numbers, np.int64).tolist()]

    def word_counts(self, numbers: Sequence[int] | Ints) -> Ints:
        """Return how many words documents have."""
        wanted = np.asarray(numbers, np.int64)
        at = np.searchsorted(self._starts, wanted, side="right") - 1
        counts = np.zeros(len(wanted), np.int64)
        for place in np.unique(at).tolist():
            here = at == place
            counts[here] = self._shards[place].word_counts(wanted[here] - self._starts[place])
        return counts

    def document(self, number: int) -> IndexedDocument:
        """Return a document, read whole."""
        shard, local = self._place(number)
        return replace(shard.document(local), number=number)

    def __iter__(self) -> Iterator[IndexedDocument]:
        return map(self.document, self.numbers().tolist())

    def lookup(self, kind: str, hashes: Hashes, most: int | None = None) -> Postings:
        """Return the documents that have fingerprints, but those in more than so many of all documents."""
        found = [shard.lookup(kind, hashes, most) for shard in self._shards]
        dfs = sum((one.dfs for one in found), np.zeros(len(hashes), np.int64))
        places = np.concatenate([one.places for one in found])
        numbers = np.concatenate(
            [one.numbers + start for one, (_, start) in zip(found, self._each(), strict=True)]
        )
        if most is not None:
            few = dfs[places] <= most
            places, numbers = places[few], numbers[few]
        arranged = np.argsort(places, kind="stable")
        return Postings(places[arranged], numbers[arranged], dfs)

    def frequencies(self, places: Ints) -> Ints:
        """Return how often stems occur in all documents."""
        return sum((shard.frequencies(places) for shard in self._shards), np.zeros(len(places), np.int64))

    def search(self, language: str, terms: Sequence[str], limit: int) -> Hits:
        """Return the documents that fit any of some words best, by BM25 over their stems."""
        return self._best([shard.search(language, terms, limit) for shard in self._shards], limit)

    def phrase(self, language: str, words: Sequence[str], limit: int) -> Hits:
        """Return documents in which the stems of words follow each other, stop words aside."""
        return self._best([shard.phrase(language, words, limit) for shard in self._shards], limit)

    def duplicates(self) -> Iterator[NearDuplicate]:
        """Give the near-duplicates that were found within shards."""
        return chain.from_iterable(shard.duplicates() for shard in self._shards)

    def _each(self) -> Iterator[tuple[Index, int]]:
        return zip(self._shards, self._starts[:-1].tolist(), strict=True)

    def _place(self, number: int) -> tuple[Index, int]:
        if not 0 <= number < self.end:
            raise IndexError(f"there is no document {number}")
        place = int(np.searchsorted(self._starts, number, side="right")) - 1
        return self._shards[place], number - int(self._starts[place])

    def _best(self, found: Sequence[Hits], limit: int) -> Hits:
        numbers = np.concatenate(
            [one.numbers + start for one, (_, start) in zip(found, self._each(), strict=True)]
        )
        scores = np.concatenate([one.scores for one in found])
        order = np.lexsort((numbers, -scores))[:limit]
        return Hits(numbers[order], scores[order])
