"""An index, open for reading: a snapshot that later writing does not change."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from stemmata.formats.arrays import NOT_ARRAYS
from stemmata.formats.files import regular
from stemmata.model import ErrorCode, StemmataError
from stemmata.model.spans import Ints
from stemmata.reuse.index.checks import AT_OPENING, Check, array_check, check, text_checks
from stemmata.reuse.index.fingerprints import FREQUENCY_BITS
from stemmata.reuse.index.manifest import (
    DUPLICATES,
    FREQUENCIES,
    POSTINGS,
    REMOVED,
    TEXTS,
    Manifest,
    damaged,
    read_manifest,
)
from stemmata.reuse.index.segments import Bounds, Segment, find_names
from stemmata.reuse.index.texts import LANGUAGES, Hits, TextReader, code_words
from stemmata.reuse.index.word_hashes import Hashes, content_digest

_ATTEMPTS = 20
"""How often a writer may come between before an index is called damaged."""
_MORE = 16
"""So many more documents are asked for than wanted at first."""
_MOST_EQUALS = 10_000
"""Of no more documents that fit a query equally well, the first by number come first."""


@dataclass(frozen=True, slots=True)
class IndexedDocument:
    """A document of an index.

    Attributes
    ----------
    number, name
        What it is called, in the index and by people.
    text, language
        The text, and its language as it was told when it was indexed.
    metadata
        Whatever is known of it, such as title, author, url, date and format.
    pages
        The offsets where pages start, the first 0; empty if there are no pages.
    """

    number: int
    name: str
    text: str
    language: str
    metadata: dict[str, Any]
    pages: tuple[int, ...] = ()


class Postings(NamedTuple):
    """Which documents have some fingerprints.

    Attributes
    ----------
    places, numbers
        Of each posting, the place of the fingerprint among those asked for, and the number of the document;
        in rising order of both.
    dfs
        In how many documents each fingerprint is, also of those left out because they are in too many.
    """

    places: Ints
    numbers: Ints
    dfs: Ints


class NearDuplicate(NamedTuple):
    """Two documents that are almost the same: the later one, the earlier one, and how alike they are."""

    document: str
    like: str
    likeness: float


class Index:
    """A collection that can be asked where a text comes from.

    Made by `open`. Documents have numbers, which rise in the order in which they were added and are never
    given twice; removed documents leave gaps.
    """

    def __init__(
        self,
        path: Path,
        manifest: Manifest,
        segments: list[Segment],
        texts: TextReader,
        removed: Ints,
        frequencies: Ints,
    ) -> None:
        self.path = path
        self._manifest = manifest
        self._segments = segments
        self._texts = texts
        self._removed = removed
        self._frequencies = frequencies
        self._ends = np.array([segment.end for segment in segments], np.int64)
        # Postings of removed documents stay until segments are merged.
        low, high = (
            np.searchsorted(removed, [getattr(segment, side) for segment in segments])
            for side in ("first", "end")
        )
        self._unpurged = [
            int(count) - segment.record.purged for count, segment in zip(high - low, segments, strict=True)
        ]

    @classmethod
    def open(cls, path: str | Path) -> Index:
        """Open an index as of its last commit; nobody who writes to it is waited for.

        Raises
        ------
        StemmataError
            E770 if there is no index, E771 if it is damaged, E772 if it is of another version, E502 without
            the extra ``index``.
        """
        path = Path(path)
        for _ in range(_ATTEMPTS):
            manifest = read_manifest(path)
            try:
                segments = [
                    Segment.open(path, path / POSTINGS / record.folder, record)
                    for record in manifest.segments
                ]
                removed, frequencies = read_numbers(path, manifest), read_frequencies(path, manifest)
                check(path, file_checks(path, manifest, segments, removed, frequencies), AT_OPENING)
                removed = np.sort(removed)
                texts = TextReader(path, path / TEXTS)
            except FileNotFoundError as error:
                # A file that is gone has been replaced, unless nothing has been written meanwhile.
                if read_manifest(path).generation == manifest.generation:
                    raise damaged(path, f"{Path(error.filename or '').name} is missing") from None
                continue
            if read_manifest(path).generation == manifest.generation:
                return cls(path, manifest, segments, texts, removed, frequencies)
        raise StemmataError(ErrorCode.INDEX_IN_USE, path)

    def __reduce__(self) -> tuple[Callable[[Path], Index], tuple[Path]]:
        """Let an index travel to another process, which opens it anew."""
        return Index.open, (self.path,)

    def __len__(self) -> int:
        return self._manifest.documents

    @property
    def end(self) -> int:
        """A number larger than those of all documents."""
        return self._manifest.next

    @property
    def words(self) -> int:
        """The words of all documents."""
        return self._manifest.words

    @property
    def languages(self) -> dict[str, int]:
        """How many documents there are in each language."""
        return dict(self._manifest.languages)

    @property
    def unfinished(self) -> bool:
        """Whether the build of this index was interrupted."""
        return self._manifest.start is not None

    def info(self) -> dict[str, Any]:
        """Return facts about the index, for people and programs."""
        return {
            "path": str(self.path),
            "format": self._manifest.format,
            "documents": len(self),
            "words": self.words,
            "languages": self.languages,
            "removed": len(self._removed),
            "duplicates": sum(1 for _ in self.duplicates()),
            "finished": not self.unfinished,
            "segments": len(self._segments),
            "text_segments": self._texts.parts,
            "postings": {
                kind: sum(segment.record.keys[kind] for segment in self._segments)
                for kind in ("runs", "skips")
            },
            "bytes": sum(map(_size, self.path.rglob("*"))),
        }

    def check(self) -> None:
        """Read every byte of the index, and see that it is as it was written.

        Raises
        ------
        StemmataError
            E771 if it is not.
        """
        manifest = self._manifest
        removed, frequencies = read_numbers(self.path, manifest), self._frequencies
        check(self.path, file_checks(self.path, manifest, self._segments, removed, frequencies))
        list(self.duplicates())
        for _ in self:
            pass

    def numbers(self) -> Ints:
        """Return the numbers of all documents."""
        live = np.ones(self._manifest.next, np.bool_)
        live[self._removed] = False
        return np.flatnonzero(live)

    def number_of(self, name: str) -> int | None:
        """Return the number of the document of a name, None if there is none."""
        number = int(find_names(self._segments, [name])[0])
        return None if number < 0 or self._is_removed(number) else number

    def name(self, number: int) -> str:
        """Return the name of a document."""
        return self.names([number])[0]

    def names(self, numbers: Sequence[int] | Ints) -> list[str]:
        """Return the names of many documents."""
        names: dict[int, str] = {}
        wanted = np.asarray(numbers, np.int64).tolist()
        for segment, rows in groupby(wanted, self._segment_of):
            mine = list(rows)
            names |= zip(mine, segment.names([number - segment.first for number in mine]), strict=True)
        return [names[number] for number in wanted]

    def word_counts(self, numbers: Sequence[int] | Ints) -> Ints:
        """Return how many words documents have."""
        wanted = np.asarray(numbers, np.int64)
        at = np.searchsorted(self._ends, wanted, side="right")
        counts = np.zeros(len(wanted), np.int64)
        for place in np.unique(at).tolist():
            segment = self._segments[place]
            here = at == place
            counts[here] = segment.documents.words[wanted[here] - segment.first]
        return counts

    def document(self, number: int) -> IndexedDocument:
        """Return a document, read whole."""
        segment = self._segment_of(number)
        found = self._texts.fetch(number)
        if found is None:
            raise damaged(self.path, f"the text of document {number:,} is missing")
        text, record = found
        place = number - segment.first
        language = int(segment.documents.languages[place])
        content = int.from_bytes(content_digest(text, record), "big")
        if content != int(segment.documents.contents[place]) or language >= len(LANGUAGES):
            raise damaged(self.path, f"document {number:,} is not as it was written")
        known = json.loads(record) if record else {}
        pages = tuple(known.pop("pages", ()))
        whole = text.decode("utf-8", "surrogatepass")
        return IndexedDocument(number, segment.names([place])[0], whole, LANGUAGES[language], known, pages)

    def __iter__(self) -> Iterator[IndexedDocument]:
        return map(self.document, self.numbers().tolist())

    def lookup(self, kind: str, hashes: Hashes, most: int | None = None) -> Postings:
        """Return the documents that have fingerprints.

        Parameters
        ----------
        kind
            ``"runs"`` or ``"skips"``.
        hashes
            The fingerprints.
        most
            Those that are in more documents are left out.
        """
        order = np.argsort(hashes)
        ordered = hashes[order]
        found = [segment.bounds(kind, ordered) for segment in self._segments]
        dfs = np.zeros(len(hashes), np.int64)
        for bounds in found:
            dfs += bounds.high - bounds.low
        kept = np.arange(len(hashes)) if most is None else np.flatnonzero(dfs <= most + sum(self._unpurged))
        places, numbers = [], []
        for segment, bounds in zip(self._segments, found, strict=True):
            part = Bounds(bounds.low[kept], bounds.high[kept])
            numbers.append(segment.numbers(kind, part))
            places.append(np.repeat(kept, part.high - part.low))
        all_places = np.concatenate([np.zeros(0, np.int64), *places])
        all_numbers = np.concatenate([np.zeros(0, np.int64), *numbers])
        if any(self._unpurged):
            live = ~self._are_removed(all_numbers)
            all_places, all_numbers = all_places[live], all_numbers[live]
            dfs[kept] = np.bincount(all_places, minlength=len(hashes))[kept]
            if most is not None:
                few = dfs[all_places] <= most
                all_places, all_numbers = all_places[few], all_numbers[few]
        all_places = order[all_places]
        sorted_dfs = np.empty_like(dfs)
        sorted_dfs[order] = dfs
        arranged = np.argsort(all_places, kind="stable")
        return Postings(all_places[arranged], all_numbers[arranged], sorted_dfs)

    def frequencies(self, places: Ints) -> Ints:
        """Return how often stems occur in all documents; see `fingerprints.frequency_places`."""
        return np.asarray(self._frequencies[places], np.int64)

    def search(self, language: str, terms: Sequence[str], limit: int) -> Hits:
        """Return the documents that fit any of some words best, by BM25 over their stems.

        Parameters
        ----------
        language
            Whose stemmer and stop words are meant; stop words are not looked for.
        terms
            Words in lower case.
        limit
            How many documents to return.
        """
        codes = list(dict.fromkeys(code_words(terms, language)))
        return self._live(codes, limit, self._texts.search)

    def phrase(self, language: str, words: Sequence[str], limit: int) -> Hits:
        """Return documents in which the stems of words follow each other, stop words aside."""
        return self._live(code_words(words, language), limit, self._texts.phrase)

    def _live(self, codes: list[str], limit: int, ask: Any) -> Hits:
        """Ask for more documents than wanted: some may not count, and equals are to be ordered."""
        wanted = limit + _MORE
        while codes and limit > 0:
            found: Hits = ask(codes, wanted)
            live = (found.numbers < self._manifest.next) & ~self._are_removed(found.numbers)
            numbers, scores = found.numbers[live], found.scores[live]
            enough = len(numbers) >= limit and (scores[-1] < scores[limit - 1] or wanted > _MOST_EQUALS)
            if enough or len(found.numbers) < wanted:
                order = np.lexsort((numbers, -scores))[:limit]
                return Hits(numbers[order], scores[order])
            wanted *= 4
        return Hits(np.zeros(0, np.int64), np.zeros(0))

    def duplicates(self) -> Iterator[NearDuplicate]:
        """Give the near-duplicates that were found when documents were added."""
        try:
            with regular(self.path / DUPLICATES).open("rb") as stream:
                data = stream.read(self._manifest.duplicates)
        except FileNotFoundError:
            data = b""
        except OSError:
            raise damaged(self.path, f"{DUPLICATES} cannot be read") from None
        if zlib.crc32(data) != self._manifest.checks.get(DUPLICATES, 0):
            raise damaged(self.path, f"{DUPLICATES} is not as it was written")
        for line in data.splitlines():
            said = json.loads(line)
            yield NearDuplicate(said["document"], said["like"], said["likeness"])

    def _segment_of(self, number: int) -> Segment:
        if not 0 <= number < self._manifest.next or self._is_removed(number):
            raise IndexError(f"there is no document {number}")
        return self._segments[int(np.searchsorted(self._ends, number, side="right"))]

    def _is_removed(self, number: int) -> bool:
        place = int(np.searchsorted(self._removed, number))
        return place < len(self._removed) and int(self._removed[place]) == number

    def _are_removed(self, numbers: Ints) -> npt.NDArray[np.bool_]:
        if not len(self._removed):
            return np.zeros(len(numbers), np.bool_)
        places = np.minimum(np.searchsorted(self._removed, numbers), len(self._removed) - 1)
        return np.asarray(self._removed[places] == numbers, np.bool_)


def _size(path: Path) -> int:
    """Return the size of a file; one that somebody has just removed has none."""
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:
        return 0


def file_checks(
    path: Path, manifest: Manifest, segments: Sequence[Segment], removed: Ints, frequencies: Ints
) -> Iterator[Check]:
    """Yield the checks of all files of an index but that of near-duplicates, which is checked when read."""
    if manifest.removed:
        yield array_check(manifest.removed, removed, manifest.checks.get(REMOVED))
    if manifest.frequencies:
        yield array_check(manifest.frequencies, frequencies, manifest.checks.get(FREQUENCIES))
    for segment in segments:
        yield from segment.checks()
    yield from text_checks(path / TEXTS)


def read_numbers(index: Path, manifest: Manifest) -> Ints:
    """Read the numbers of removed documents, in the order of removal."""
    if not manifest.removed:
        return np.zeros(0, np.int64)
    numbers = _load(index, manifest.removed, np.int64)
    if len(numbers) and not 0 <= int(numbers.min()) <= int(numbers.max()) < manifest.next:
        raise damaged(index, f"{manifest.removed} names documents that are not there")
    return numbers


def read_frequencies(index: Path, manifest: Manifest) -> Ints:
    """Read how often stems occur."""
    if not manifest.frequencies:
        return np.zeros(1 << FREQUENCY_BITS, np.int64)
    counts = _load(index, manifest.frequencies, np.int64)
    if len(counts) != 1 << FREQUENCY_BITS:
        raise damaged(index, f"{manifest.frequencies} has not the size it should")
    return counts


def _load(index: Path, name: str, dtype: npt.DTypeLike) -> Ints:
    try:
        array = np.load(regular(index / POSTINGS / name), allow_pickle=False)
    except FileNotFoundError:
        raise
    except NOT_ARRAYS:
        raise damaged(index, f"{name} cannot be read") from None
    if not isinstance(array, np.ndarray) or array.dtype != dtype or array.ndim != 1:
        raise damaged(index, f"{name} is no such column")
    return np.asarray(array)
