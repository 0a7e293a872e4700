"""Reading GGUF, the file format of llama.cpp for language models: settings, vocabulary and weights.

The file is data only; nothing in it is run. Counts and offsets are checked against the size of the file.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from math import prod
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from stemmata.model import ErrorCode, StemmataError

Matrix = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]

_MOST_ENTRIES = 1 << 20
_ALIGNMENT = 32
_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _LIST = 8, 9


class _Tensor(NamedTuple):
    shape: tuple[int, ...]
    kind: int
    offset: int


class _Kind(NamedTuple):
    """How weights are packed: so many of them in a block of so many bytes."""

    weights: int
    size: int
    unpack: Callable[[Bytes], Matrix]


def _halves(blocks: Bytes, column: int) -> Matrix:
    return blocks[:, column : column + 2].copy().view("<f2").astype(np.float32)


def _nibbles(packed: Bytes) -> Matrix:
    return np.concatenate([packed & 15, packed >> 4], axis=1).astype(np.float32)


_KINDS = {
    0: _Kind(1, 4, lambda blocks: blocks.copy().view("<f4").astype(np.float32)),
    1: _Kind(1, 2, lambda blocks: _halves(blocks, 0)),
    2: _Kind(32, 18, lambda blocks: (_nibbles(blocks[:, 2:]) - 8) * _halves(blocks, 0)),
    3: _Kind(32, 20, lambda blocks: _nibbles(blocks[:, 4:]) * _halves(blocks, 0) + _halves(blocks, 2)),
    8: _Kind(32, 34, lambda blocks: blocks[:, 2:].view(np.int8).astype(np.float32) * _halves(blocks, 0)),
}
"""Plain numbers of 32 and 16 bits, and blocks called Q4_0, Q4_1 and Q8_0."""


class Gguf:
    """The settings and weights of a model file.

    Parameters
    ----------
    path
        A GGUF file of version 2 or 3.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with path.open("rb") as file:
                self._file = mmap(file.fileno(), 0, access=ACCESS_READ)
        except (OSError, ValueError) as error:
            raise StemmataError(ErrorCode.BAD_LANGUAGE_MODEL, path, reason=error) from None
        self._data = np.frombuffer(self._file, dtype=np.uint8)
        self._at = 0
        try:
            self._read()
        except (struct.error, UnicodeDecodeError, MemoryError):
            raise self._bad("it is cut off or damaged") from None

    def _read(self) -> None:
        magic, version = self._number("I"), self._number("I")
        if magic != int.from_bytes(b"GGUF", "little") or version not in (2, 3):
            raise self._bad("it is no GGUF file of version 2 or 3")
        tensors, settings = self._count(), self._count()
        self.settings: dict[str, Any] = {
            self._string(): self._value(self._number("I")) for _ in range(settings)
        }
        self._tensors = {self._string(): self._tensor() for _ in range(tensors)}
        self._start = -(-self._at // _ALIGNMENT) * _ALIGNMENT

    def weights(self, name: str) -> Matrix:
        """Return a table of weights as plain numbers, the outputs in rows."""
        if name not in self._tensors:
            raise self._bad(f"the table {name} is missing")
        shape, kind, offset = self._tensors[name]
        if kind not in _KINDS:
            raise self._bad(f"the table {name} is packed in a way ({kind}) that is not known here")
        count, size, unpack = _KINDS[kind]
        blocks, rest = divmod(prod(shape), count)
        start = self._start + offset
        if rest or start + blocks * size > len(self._data):
            raise self._bad(f"the table {name} is cut off")
        return unpack(self._data[start : start + blocks * size].reshape(blocks, size)).reshape(shape)

    def __contains__(self, name: str) -> bool:
        return name in self._tensors

    def setting(self, name: str, kind: type) -> Any:
        """Return a setting, which must be of the kind."""
        value = self.settings.get(name)
        if not isinstance(value, kind):
            raise self._bad(f"the setting {name} is missing")
        return value

    def _tensor(self) -> _Tensor:
        dimensions = self._number("I")
        if dimensions > 4:
            raise self._bad("a table has too many dimensions")
        shape = tuple(self._number("Q") for _ in range(dimensions))
        # Dimensions stand in the file from the innermost to the outermost.
        return _Tensor(shape[::-1], self._number("I"), self._number("Q"))

    def _value(self, kind: int) -> Any:
        if kind in _NUMBERS:
            return self._number(_NUMBERS[kind])
        if kind == _STRING:
            return self._string()
        if kind != _LIST:
            raise self._bad("a setting is of an unknown kind")
        inner, count = self._number("I"), self._count()
        if inner in _NUMBERS:
            layout = f"<{count}{_NUMBERS[inner]}"
            values = list(struct.unpack_from(layout, self._file, self._at))
            self._at += struct.calcsize(layout)
            return values
        if inner != _STRING:
            raise self._bad("a list in the settings is of an unknown kind")
        return [self._string() for _ in range(count)]

    def _number(self, code: str) -> Any:
        (value,) = struct.unpack_from("<" + code, self._file, self._at)
        self._at += struct.calcsize("<" + code)
        return value

    def _count(self) -> int:
        count: int = self._number("Q")
        if count > _MOST_ENTRIES:
            raise self._bad(f"it announces {count:,} entries")
        return count

    def _string(self) -> str:
        length = self._count()
        text = self._data[self._at : self._at + length].tobytes()
        if len(text) < length:
            raise self._bad("it is cut off or damaged")
        self._at += length
        return text.decode("utf-8")

    def _bad(self, reason: str) -> StemmataError:
        return StemmataError(ErrorCode.BAD_LANGUAGE_MODEL, self.path, reason=reason)
