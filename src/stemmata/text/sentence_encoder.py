"""Sentence vectors: the sentence model all-MiniLM-L6-v2, computed by matrix products of numpy.

Wang et al., "MiniLM: deep self-attention distillation", arXiv:2002.10957, trained on pairs of sentences as
Reimers and Gurevych, "Sentence-BERT", EMNLP 2019. Six layers of 384 numbers: two hundred sentences take a
second, and beside the weights no package is needed.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.special import erf

from stemmata.model import ErrorCode, StemmataError
from stemmata.text.one_thread import one_thread
from stemmata.text.vectors import WordVectors, model_folder, read_safetensor, read_vectors

Matrix = npt.NDArray[np.float32]

LONGEST = 256
"""Pieces of words that are looked at, as when the model was trained; the rest of a text is not."""
_LAYERS, _HEADS = 6, 12
_POSITIONS = 512
_EPSILON = np.float32(1e-12)
_AT_ONCE = 512
"""Pieces of words, padding included, that are computed together."""
_MOST_CHARACTERS = 1 << 14


class SentenceEncoder:
    """The model in a folder: ``vocab.txt`` and ``model.safetensors`` of all-MiniLM-L6-v2."""

    def __init__(self, folder: Path) -> None:
        self._words: WordVectors = read_vectors(folder)
        file = folder / "model.safetensors"
        shapes = _shapes(self._words.dimensions)
        self._weights = {name: np.asarray(read_safetensor(file, name)) for name in shapes}
        marks = [self._words.pieces(mark) for mark in ("[CLS]", "[SEP]", "[UNK]")]
        fits = {name: rows.shape for name, rows in self._weights.items()} == shapes
        # A file with other shapes would fail in the middle of a product.
        if not fits or any(len(mark) != 1 for mark in marks) or self._words.dimensions % _HEADS:
            raise StemmataError(ErrorCode.UNREADABLE, file, reason="its tables are not those of MiniLM")
        self._embedding = np.asarray(read_safetensor(file, "embeddings.word_embeddings.weight"))
        (self._begin,), (self._end,), (self._unknown,) = marks

    def vectors(self, texts: Sequence[str]) -> Matrix:
        """Return the vectors of texts, one per row and each of length 1; that of no words is 0."""
        rows = [self._pieces(text) for text in texts]
        found = np.zeros((len(rows), self._words.dimensions), np.float32)
        order = sorted(
            (row for row in range(len(rows)) if len(rows[row]) > 2), key=lambda row: len(rows[row])
        )
        with one_thread():
            while order:
                # The longest first, each time as many as fit beside it.
                count = max(1, _AT_ONCE // len(rows[order[-1]]))
                some, order = order[-count:], order[:-count]
                found[some] = self._encoded([rows[row] for row in some])
        return found

    def _pieces(self, text: str) -> list[int]:
        found = [self._begin]
        for word in _basic_words(text[:_MOST_CHARACTERS]):
            found += self._words.pieces(word) or (self._unknown,)
            if len(found) >= LONGEST:
                break
        return [*found[: LONGEST - 1], self._end]

    def _encoded(self, rows: Sequence[Sequence[int]]) -> Matrix:
        weights = self._weights
        longest = max(map(len, rows))
        tokens = np.zeros((len(rows), longest), np.int64)
        lengths = np.array([len(row) for row in rows])
        for row, pieces in zip(tokens, rows, strict=True):
            row[: len(pieces)] = pieces
        there = np.arange(longest) < lengths[:, None]
        states = self._embedding[tokens] + weights["embeddings.position_embeddings.weight"][:longest]
        states = states + weights["embeddings.token_type_embeddings.weight"][0]
        states = self._normed(states.reshape(tokens.size, -1), "embeddings.LayerNorm")
        mask = np.where(there, np.float32(0), np.float32(-1e9))[:, None, None, :]
        for layer in range(_LAYERS):
            name = f"encoder.layer.{layer}."
            query, key, value = (
                self._dense(states, f"{name}attention.self.{part}")
                .reshape(len(rows), longest, _HEADS, -1)
                .transpose(0, 2, 1, 3)
                for part in ("query", "key", "value")
            )
            scores: Matrix = query @ key.swapaxes(-1, -2) / np.float32(query.shape[-1] ** 0.5) + mask
            scores -= scores.max(axis=-1, keepdims=True)
            np.exp(scores, out=scores)
            scores /= scores.sum(axis=-1, keepdims=True)
            seen: Matrix = (scores @ value).transpose(0, 2, 1, 3).reshape(tokens.size, -1)
            seen = self._dense(seen, f"{name}attention.output.dense")
            states = self._normed(states + seen, f"{name}attention.output.LayerNorm")
            inner = self._dense(states, f"{name}intermediate.dense")
            inner *= (np.float32(0.5) * (1 + erf(inner * np.float32(0.5**0.5)))).astype(np.float32)
            states = self._normed(
                states + self._dense(inner, f"{name}output.dense"), f"{name}output.LayerNorm"
            )
        shown = states.reshape(len(rows), longest, -1) * there[..., None]
        mean: Matrix = shown.sum(axis=1) / lengths[:, None].astype(np.float32)
        mean /= np.linalg.norm(mean, axis=1, keepdims=True)
        return mean

    def _dense(self, states: Matrix, name: str) -> Matrix:
        made: Matrix = states @ self._weights[f"{name}.weight"].T
        made += self._weights[f"{name}.bias"]
        return made

    def _normed(self, states: Matrix, name: str) -> Matrix:
        centred = states - states.mean(axis=1, keepdims=True)
        square = np.einsum("ij,ij->i", centred, centred) / np.float32(states.shape[1])
        centred /= np.sqrt(square + _EPSILON)[:, None]
        normed: Matrix = centred * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
        return normed


def _shapes(width: int) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the model's tables by name, but for that of words."""
    dense = {"attention.self.query": width, "attention.self.key": width, "attention.self.value": width}
    dense |= {"attention.output.dense": width, "intermediate.dense": 4 * width}
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.position_embeddings.weight": (_POSITIONS, width),
        "embeddings.token_type_embeddings.weight": (2, width),
        "embeddings.LayerNorm.weight": (width,),
        "embeddings.LayerNorm.bias": (width,),
    }
    for layer in range(_LAYERS):
        name = f"encoder.layer.{layer}."
        for part, size in dense.items():
            shapes |= {f"{name}{part}.weight": (size, width), f"{name}{part}.bias": (size,)}
        shapes |= {f"{name}output.dense.weight": (width, 4 * width), f"{name}output.dense.bias": (width,)}
        for part in ("attention.output.LayerNorm", "output.LayerNorm"):
            shapes |= {f"{name}{part}.weight": (width,), f"{name}{part}.bias": (width,)}
    return shapes


def _basic_words(text: str) -> list[str]:
    """Return runs of what is neither space nor mark, and each mark, lower-cased and without accents."""
    plain = unicodedata.normalize("NFD", text.lower())
    found: list[str] = []
    for chunk in plain.split():
        start = 0
        for at, one in enumerate(chunk):
            kind = unicodedata.category(one)
            ascii_mark = one.isascii() and not one.isalnum()
            if ascii_mark or kind[0] == "P" or kind == "Lo":
                found += [chunk[start:at], one]
                start = at + 1
        found.append(chunk[start:])
    stripped = ("".join(one for one in word if unicodedata.category(one)[0] not in "CM") for word in found)
    return [word for word in stripped if word]


@cache
def installed_encoder() -> SentenceEncoder:
    """Return the model that is installed or named by STEMMATA_MINILM, read at the first call."""
    return SentenceEncoder(model_folder())
