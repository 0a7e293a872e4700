"""One scan of a collection for the fingerprints of some texts, and what comes of it as a collection to ask.

The fingerprints of all texts go to every process that scans. A shard answers with the postings of these
alone; the rest of the collection stays where it is. A fingerprint that too many documents have is cut: within
a shard at once, over all shards when their answers are put together. So what retrievers find is what they
would find in an index of the whole collection.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

from stemmata.model import Document, ErrorCode, Finding, StemmataError
from stemmata.model.spans import Ints, expand_ranges
from stemmata.reuse.index.fingerprints import fingerprint, frequency_places
from stemmata.reuse.index.reading import Postings
from stemmata.reuse.index.word_hashes import Hashes
from stemmata.reuse.retrieval.query import Query
from stemmata.spark.keeping import (
    Advance,
    Arrays,
    Kept,
    Piece,
    is_whole,
    pack_faults,
    pack_names,
    read_arrays,
    unpack_faults,
    unpack_names,
    write_arrays,
)
from stemmata.spark.shards import Placed, Shard, Shards

Cut = npt.NDArray[np.bool_]
KINDS = ("runs", "skips")
SAMPLE = 50
"""One shard of so many is scanned first; what too many documents have there, the others pass over."""
BATCH_DOCUMENTS = 1000
BATCH_CHARACTERS = 1_000_000
SIEVE = 16
"""A sieve has this many holes for each fingerprint, or more."""
ROW_BITS = 32
"""A document's number is that of its shard, then that of its row in so many bits."""


@dataclass(frozen=True)
class Wanted:
    """What is looked for.

    Attributes
    ----------
    hashes
        The fingerprints of each kind, in rising order.
    stems
        The places of stems, in rising order.
    cut
        Which fingerprints are known to be in too many documents, and are passed over.
    """

    hashes: dict[str, Hashes] = field(repr=False)
    stems: Ints = field(repr=False)
    cut: dict[str, Cut] = field(repr=False)

    @classmethod
    def of(cls, queries: Iterable[Query]) -> Wanted:
        """Gather what some texts have."""
        hashes: dict[str, Hashes] = {kind: np.zeros(0, np.uint64) for kind in KINDS}
        stems: Ints = np.zeros(0, np.int64)
        rest = iter(queries)
        while some := list(islice(rest, BATCH_DOCUMENTS)):
            for kind in KINDS:
                hashes[kind] = np.unique(
                    np.concatenate([hashes[kind], *(query.fingerprints[kind] for query in some)])
                )
            stems = np.unique(np.concatenate([stems, *(frequency_places(query.hashes) for query in some)]))
        return cls(hashes, stems, {kind: np.zeros(len(hashes[kind]), np.bool_) for kind in KINDS})

    @cached_property
    def sieves(self) -> dict[str, Cut]:
        """For each kind, which last bits of fingerprints are wanted at all: nearly none of those met are."""
        return {kind: _sieve(self.hashes[kind][~self.cut[kind]]) for kind in KINDS}

    def met(self, kind: str, hashes: Hashes, documents: Ints) -> tuple[Ints, Ints]:
        """Return which fingerprints are wanted, by place, and the documents they are in, each pair once."""
        wanted, sieve = self.hashes[kind], self.sieves[kind]
        near = np.flatnonzero(sieve[hashes & np.uint64(len(sieve) - 1)])
        place = np.searchsorted(wanted, hashes[near])
        place = np.minimum(place, len(wanted) - 1)
        hit = np.flatnonzero((wanted[place] == hashes[near]) & ~self.cut[kind][place])
        width = int(documents.max()) + 1 if len(documents) else 1
        pairs = np.unique(place[hit] * width + documents[near[hit]])
        return pairs // width, pairs % width

    @property
    def key(self) -> str:
        """A name for all of it."""
        digest = sha256(self.stems.tobytes())
        for kind in KINDS:
            digest.update(self.hashes[kind].tobytes() + self.cut[kind].tobytes())
        return digest.hexdigest()[:24]


def _sieve(hashes: Hashes) -> Cut:
    sieve = np.zeros(1 << max(16, (SIEVE * len(hashes)).bit_length()), np.bool_)
    sieve[hashes & np.uint64(len(sieve) - 1)] = True
    return sieve


_wanted: list[Wanted] = []
"""In a process that scans: what it looks for."""


def _look_for(wanted: Wanted) -> None:
    _wanted[:] = [wanted]


def scan_shard(path: Path, shard: Shard, most: int) -> None:
    """Scan a shard and write what it has of what is wanted."""
    scan = _Scan(_wanted[0], most)
    for batch in batches(shard.documents(scan.tell)):
        scan.take(batch)
    write_arrays(path, scan.arrays())


class _Scan:
    """What has been found in a shard so far."""

    def __init__(self, wanted: Wanted, most: int) -> None:
        self._wanted = wanted
        self._most = most
        self._rows = 0
        self._words = 0
        self._frequencies = np.zeros(len(wanted.stems), np.int64)
        self._places: dict[str, list[Ints]] = {kind: [] for kind in KINDS}
        self._documents: dict[str, list[Ints]] = {kind: [] for kind in KINDS}
        self._known: dict[int, tuple[int, str]] = {}
        self._faults: list[str] = []
        self._guess = "en"

    def tell(self, finding: Finding) -> None:
        """Take note of what cannot be read."""
        self._faults.append(str(finding))

    def take(self, batch: list[Placed]) -> None:
        """Look through some documents."""
        made = fingerprint([placed.document.text for placed in batch], self._guess)
        self._guess = max(set(made.languages), key=made.languages.count)
        self._words += int(made.words.sum())
        self._frequencies += made.frequencies[self._wanted.stems]
        for kind in KINDS:
            place, document = self._wanted.met(
                kind, getattr(made, kind), getattr(made, f"{kind[:-1]}_documents")
            )
            self._places[kind].append(place)
            self._documents[kind].append(document + self._rows)
            for row in np.unique(document).tolist():
                self._known[row + self._rows] = (batch[row].position, batch[row].document.name)
        self._rows += len(batch)

    def arrays(self) -> Arrays:
        """Return all of it; of a fingerprint that too many documents have here, only how many these are."""
        found: Arrays = {
            "documents": np.array(self._rows),
            "words": np.array(self._words),
            "frequencies": self._frequencies,
        }
        kept: list[Ints] = []
        for kind in KINDS:
            places = np.concatenate([np.zeros(0, np.int64), *self._places[kind]])
            documents = np.concatenate([np.zeros(0, np.int64), *self._documents[kind]])
            counted, counts = np.unique(places, return_counts=True)
            few = np.isin(places, counted[counts <= self._most])
            order = np.lexsort((documents[few], places[few]))
            found[f"{kind}_counted"], found[f"{kind}_counts"] = counted.astype(np.int32), counts
            found[f"{kind}_places"] = places[few][order].astype(np.int32)
            found[f"{kind}_rows"] = documents[few][order].astype(np.int32)
            kept.append(documents[few])
        rows = np.unique(np.concatenate(kept))
        known = [self._known[row] for row in rows.tolist()]
        found["rows"] = rows
        found["positions"] = np.array([position for position, _ in known], np.int64)
        found |= pack_names([name for _, name in known])
        return found | pack_faults(self._faults)


def batches(documents: Iterator[Placed]) -> Iterator[list[Placed]]:
    """Yield documents some hundred at once: enough for arrays to pay, little enough to hold."""
    batch: list[Placed] = []
    characters = 0
    for placed in documents:
        batch.append(placed)
        characters += len(placed.document.text)
        if len(batch) >= BATCH_DOCUMENTS or characters >= BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def scan(kept: Kept, shards: Shards, wanted: Wanted, most: int, advance: Advance) -> tuple[Path, list[str]]:
    """Scan a collection; return where the result is, and what could not be read.

    Parameters
    ----------
    kept
        Where results of shards are kept.
    shards
        The collection.
    wanted
        What to look for.
    most
        Fingerprints that more documents have are cut.
    advance
        Told of each shard that is done.
    """
    answers: list[Path] = [Path()] * len(shards)
    for some in (range(0, len(shards), SAMPLE), [n for n in range(len(shards)) if n % SAMPLE]):
        parts = [shards.parts[number] for number in some]
        pieces = [Piece((shard.key, wanted.key, most), (shard, most)) for shard in parts]
        done = kept.run(scan_shard, pieces, ".npz", _look_for, (wanted,), advance)
        for number, path in zip(some, done, strict=True):
            answers[number] = path
        counts = _counts(done, wanted)
        wanted = replace(wanted, cut={kind: counts[kind] > most for kind in KINDS})
    whole = kept.path(".scan.npz", "whole", [path.name for path in answers])
    if not is_whole(whole):
        write_arrays(whole, _together(answers, wanted, most))
    return whole, unpack_faults(map(read_arrays, answers))


def _counts(answers: Sequence[Path], wanted: Wanted) -> dict[str, Ints]:
    """Return how many documents of some shards have each fingerprint."""
    counts: dict[str, Ints] = {kind: np.zeros(len(wanted.hashes[kind]), np.int64) for kind in KINDS}
    for path in answers:
        answer = read_arrays(path)
        for kind in KINDS:
            counts[kind][answer[f"{kind}_counted"]] += answer[f"{kind}_counts"]
    return counts


def _together(answers: Sequence[Path], wanted: Wanted, most: int) -> Arrays:
    """Put the answers of all shards together, and cut what too many documents have."""
    found: Arrays = {"stems": wanted.stems, "frequencies": np.zeros(len(wanted.stems), np.int64)}
    counts = _counts(answers, wanted)
    documents = words = 0
    for path in answers:
        answer = read_arrays(path)
        documents += int(answer["documents"])
        words += int(answer["words"])
        found["frequencies"] += answer["frequencies"]
    places: dict[str, list[Ints]] = {kind: [] for kind in KINDS}
    numbers: dict[str, list[Ints]] = {kind: [] for kind in KINDS}
    all_numbers, positions, names = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], list[str]()
    for shard, path in enumerate(answers):
        answer = read_arrays(path)
        used = []
        for kind in KINDS:
            few = counts[kind][answer[f"{kind}_places"]] <= most
            places[kind].append(answer[f"{kind}_places"][few])
            used.append(answer[f"{kind}_rows"][few].astype(np.int64))
            numbers[kind].append(used[-1] | (shard << ROW_BITS))
        here = np.flatnonzero(np.isin(answer["rows"], np.concatenate(used)))
        all_numbers.append(answer["rows"][here] | (shard << ROW_BITS))
        positions.append(answer["positions"][here])
        known = unpack_names(answer)
        names += [known[place] for place in here.tolist()]
    for kind in KINDS:
        place = np.concatenate([np.zeros(0, np.int64), *places[kind]])
        # Shards come in order, so numbers rise within each place.
        order = np.argsort(place, kind="stable")
        found[f"{kind}_hashes"], found[f"{kind}_counts"] = wanted.hashes[kind], counts[kind]
        found[f"{kind}_places"] = place[order]
        found[f"{kind}_numbers"] = np.concatenate([np.zeros(0, np.int64), *numbers[kind]])[order]
    found |= {"numbers": np.concatenate(all_numbers), "positions": np.concatenate(positions)}
    found |= {"documents": np.array(documents), "words": np.array(words), "most": np.array(most)}
    return found | pack_names(names)


class ScannedCollection:
    """What a scan found, as a collection that retrievers can ask for what was looked for.

    Parameters
    ----------
    shards
        The collection, from which documents are read when they are asked for.
    path
        Where the result of the scan is.
    """

    def __init__(self, shards: Shards, path: Path) -> None:
        self._shards = shards
        self._found = read_arrays(path)
        self._names = unpack_names(self._found)
        self._places = {name: place for place, name in reversed(list(enumerate(self._names)))}
        self._most = int(self._found["most"])

    def __len__(self) -> int:
        return int(self._found["documents"])

    @property
    def words(self) -> int:
        """How many words the collection has."""
        return int(self._found["words"])

    def lookup(self, kind: str, hashes: Hashes, most: int | None = None) -> Postings:
        """Return the postings of fingerprints that were looked for and that few enough documents have."""
        if most is None or most > self._most:
            rule = f"the scan was cut at {self._most}"
            raise StemmataError(ErrorCode.BAD_PARAMETER, name="most", value=most, rule=rule)
        known, counts = self._found[f"{kind}_hashes"], self._found[f"{kind}_counts"]
        place = np.searchsorted(known, hashes)
        dfs = counts[place]
        low, high = (
            np.searchsorted(self._found[f"{kind}_places"], place, side) for side in ("left", "right")
        )
        sizes = np.where(dfs <= most, high - low, 0)
        places, rows = expand_ranges(low, sizes)
        return Postings(places, self._found[f"{kind}_numbers"][rows], dfs)

    def frequencies(self, places: Ints) -> Ints:
        """Return how often stems that were looked for occur, by the places of their hashes."""
        return np.asarray(self._found["frequencies"][np.searchsorted(self._found["stems"], places)], np.int64)

    def search(self, language: str, terms: Sequence[str], limit: int) -> tuple[Ints, Sequence[float]]:
        """Refuse: a scan looks for fingerprints alone."""
        raise StemmataError(ErrorCode.NO_SEARCH, name="this retriever", known="stemmata, fingerprint")

    def phrase(self, language: str, words: Sequence[str], limit: int) -> tuple[Ints, Sequence[float]]:
        """Refuse: a scan looks for fingerprints alone."""
        raise StemmataError(ErrorCode.NO_SEARCH, name="this retriever", known="stemmata, fingerprint")

    def names(self, numbers: Ints) -> list[str]:
        """Return the names of documents that were found."""
        return [self._names[place] for place in np.searchsorted(self._found["numbers"], numbers).tolist()]

    def document(self, number: int) -> Document:
        """Read a document that was found."""
        shard = self._shards.parts[number >> ROW_BITS]
        position = int(self._found["positions"][np.searchsorted(self._found["numbers"], number)])
        return shard.fetch([position])[position]

    def named(self, name: str) -> Document:
        """Read a document that was found, by its name; of several of one name, the first."""
        return self.document(int(self._found["numbers"][self._places[name]]))
