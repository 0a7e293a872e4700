"""The texts of a collection, and BM25 over their stems, in a tantivy index.

What tantivy indexes are not words but short codes of the hashes of stems, without stop words. Stemming is
done once for all that needs it, by the language pack of the document; codes are made by arrays for hundreds
of documents at once; and half the words of a text need not be indexed. This is faster than tantivy's own
analysis of the text, and much faster than its stemmers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from stemmata.formats.files import regular
from stemmata.model import ErrorCode, StemmataError
from stemmata.model.spans import Ints
from stemmata.reuse.index.word_hashes import Hashes, is_stop_word, stem_hashes

if TYPE_CHECKING:
    import tantivy

LANGUAGES = ("en", "ru", "de", "es")
"""Languages by the numbers they have in the columns of segments; new ones are added at the end."""
HEAP_BYTES = 128 << 20
"""What tantivy may hold in memory before it writes; its own default."""
WRITERS = 2
"""Threads in which tantivy indexes, and as many analyse texts meanwhile; with one of each, processors are
idle whenever one waits for the other."""
_CHARACTERS = np.frombuffer(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_", np.uint8)
_PAIRS = np.stack([np.repeat(_CHARACTERS, 64), np.tile(_CHARACTERS, 64)], 1).copy().view(np.uint16)[:, 0]
"""Two characters for each twelve bits."""
_LAST = np.stack([_CHARACTERS, np.full(64, 32, np.uint8)], 1).copy().view(np.uint16)[:, 0]
"""A character for each six bits, and a blank."""
_CODE = 6
"""Characters of a code of 30 bits, with the blank after it. Of a million stems, a thousandth share theirs."""
_AT_ONCE = 1000


class Hits(NamedTuple):
    """Documents that answer a query, best first."""

    numbers: Ints
    scores: np.ndarray[Any, np.dtype[np.float64]]


def code_stems(hashes: Hashes, counts: Ints, content: Ints | None = None) -> list[str]:
    """Return the codes of the stems of each text, with a blank after each; stop words are left out.

    Parameters
    ----------
    hashes
        Hashes of the stems of all texts in a row.
    counts
        The number of words of each text.
    content
        The places of the words that are no stop words, if they are known.
    """
    content = np.flatnonzero(~is_stop_word(hashes)) if content is None else content
    bounds = np.searchsorted(content, np.concatenate(([0], np.cumsum(counts)))) * _CODE
    bits = (hashes.take(content) >> np.uint64(34)).view(np.int64)
    codes = np.empty((len(bits), 3), np.uint16)
    codes[:, 0] = _PAIRS.take(bits >> 18)
    codes[:, 1] = _PAIRS.take((bits >> 6) & 0xFFF)
    codes[:, 2] = _LAST.take(bits & 0x3F)
    joined = codes.tobytes().decode("ascii")
    return [joined[start:end] for start, end in pairwise(bounds.tolist())]


def code_words(words: Sequence[str], language: str) -> list[str]:
    """Return the codes of lower-cased words in their order; stop words have none."""
    return code_stems(stem_hashes(words, language), np.array([len(words)]))[0].split()


def _tantivy() -> Any:
    try:
        import tantivy
    except ImportError:
        raise StemmataError(
            ErrorCode.MISSING_EXTRA, what="an index", package="tantivy", extra="index"
        ) from None
    return tantivy


def _schema() -> tantivy.Schema:
    made: tantivy.Schema = (
        _tantivy()
        .SchemaBuilder()
        .add_text_field("stems", tokenizer_name="whitespace", index_option="position")
        .add_unsigned_field("number", indexed=True, fast=True)
        .add_bytes_field("text", stored=True)
        .add_bytes_field("record", stored=True)
        .build()
    )
    return made


class TextWriter:
    """Takes documents into the tantivy index, and out of it; what is not committed does not count."""

    def __init__(self, index: Path, folder: Path) -> None:
        self._index = index
        self._module = _tantivy()
        with _failing(index):
            folder.mkdir(parents=True, exist_ok=True)
            self._schema = _schema()
            self._writer = self._module.Index(self._schema, path=str(folder)).writer(HEAP_BYTES, WRITERS)

    def add(self, first: int, codes: Sequence[str], texts: Sequence[bytes], records: Sequence[bytes]) -> None:
        """Take in documents with rising numbers; tantivy indexes them in threads of its own."""
        make, add = self._module.Document, self._writer.add_document
        with _failing(self._index):
            for number, (stems, text, record) in enumerate(zip(codes, texts, records, strict=True), first):
                document = make()
                document.add_text("stems", stems)
                document.add_unsigned("number", number)
                document.add_bytes("text", text)
                if record:
                    document.add_bytes("record", record)
                add(document)

    def delete(self, numbers: Sequence[int]) -> None:
        """Take out documents."""
        query = self._module.Query.term_set_query
        with _failing(self._index):
            for at in range(0, len(numbers), _AT_ONCE):
                # Deletion by a term takes a number for one with a sign, and finds nothing (tantivy 0.27).
                some = list(numbers[at : at + _AT_ONCE])
                self._writer.delete_documents_by_query(query(self._schema, "number", some))

    def delete_from(self, number: int) -> None:
        """Take out all documents from a number on."""
        query = self._module.Query.range_query(
            self._schema, "number", self._module.FieldType.Unsigned, lower_bound=number
        )
        with _failing(self._index):
            self._writer.delete_documents_by_query(query)

    def commit(self) -> None:
        """Put what was done on the disk."""
        with _failing(self._index):
            self._writer.commit()

    def close(self) -> None:
        """Wait until parts have been merged in the background."""
        with _failing(self._index):
            self._writer.wait_merging_threads()

    def let_go(self) -> None:
        """Let others write; after a failure, what is known of it may keep this object alive."""
        del self._writer


@contextmanager
def _failing(index: Path, kind: ErrorCode = ErrorCode.INDEX_NOT_WRITTEN, what: str = "") -> Iterator[None]:
    """Tell of what tantivy could not do in our own words."""
    try:
        yield
    except _FAILURES as error:
        reason = what + " ".join(str(error).split())[:200]
        raise StemmataError(kind, index, reason=reason) from None
    except BaseException as error:
        # A panic of tantivy is no `Exception`; it panics where a file is not what it wrote.
        if type(error).__name__ != "PanicException":
            raise
        reason = f"tantivy failed on its files: {' '.join(str(error).split())[:200]}"
        raise StemmataError(ErrorCode.BAD_INDEX, index, reason=reason) from None


_FAILURES = (
    ValueError,
    KeyError,
    OSError,
    RuntimeError,
    AttributeError,
    TypeError,
    IndexError,
    OverflowError,
)


def _check_fields(folder: Path) -> None:
    """See that each field is listed once: tantivy panics on a second, with lines on standard error."""
    with suppress(OSError):  # tantivy has words for it
        fields = [one["name"] for one in json.loads(regular(folder / "meta.json").read_bytes())["schema"]]
        if len(set(fields)) < len(fields):
            raise ValueError("a field is listed twice")


class TextReader:
    """Reads texts by their numbers and finds them by their stems, as of the last commit."""

    def __init__(self, index: Path, folder: Path) -> None:
        self._index = index
        self._module = _tantivy()
        with self._reading():
            _check_fields(folder)
            opened = self._module.Index.open(str(folder))
            opened.config_reader("manual")
            opened.reload()
            self._schema = opened.schema
            self._searcher = opened.searcher()

    def _reading(self) -> AbstractContextManager[None]:
        return _failing(self._index, ErrorCode.BAD_INDEX, "its texts: ")

    @property
    def parts(self) -> int:
        """How many parts tantivy keeps the texts in."""
        return int(self._searcher.num_segments)

    def fetch(self, number: int) -> tuple[bytes, bytes] | None:
        """Return the text of a document and the record of it; None if there is no such document."""
        with self._reading():
            query = self._module.Query.term_query(self._schema, "number", number)
            hits = self._searcher.search(query, 1, count=False).hits
            if not hits:
                return None
            document = self._searcher.doc(hits[0][1])
            return bytes(document.get_first("text")), bytes(document.get_first("record") or b"")

    def search(self, codes: Sequence[str], limit: int) -> Hits:
        """Return the documents that fit any of some stems best, by BM25."""
        query = self._module.Query
        should = self._module.Occur.Should
        with self._reading():
            terms = [(should, query.term_query(self._schema, "stems", code)) for code in codes]
            return self._hits(query.boolean_query(terms), limit)

    def phrase(self, codes: Sequence[str], limit: int) -> Hits:
        """Return documents in which stems follow each other, stop words between them aside."""
        query = self._module.Query
        if len(codes) == 1:
            return self.search(codes, limit)
        with self._reading():
            return self._hits(query.phrase_query(self._schema, "stems", list(codes)), limit)

    def _hits(self, query: Any, limit: int) -> Hits:
        found = self._searcher.search(query, limit, count=False).hits
        numbers = self._searcher.fast_field_values("number", [address for _, address in found])
        return Hits(np.array(numbers, np.int64), np.array([score for score, _ in found], np.float64))
