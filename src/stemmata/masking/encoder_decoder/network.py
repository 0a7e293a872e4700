"""The network as numbers alone: it reads a sentence, and writes it again word by word."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from io import BytesIO
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stemmata.masking.encoder_decoder.vocabulary import BEGIN, END, HIDDEN, PADDING, Vocabulary

Array = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]

WEIGHTS = "weights.npz"
_FAR = np.float32(-1e9)
_SCALE = ".scale"
_HIGHEST = 60.0
"""The highest logit: the sum of exponentials of all words is far from the end of the range."""
_ROWS = 256
"""Words whose probabilities are found together: as many as a cache holds."""


class Written(NamedTuple):
    """A row of words that the network wrote, and at which word of its source it looked for each."""

    numbers: list[int]
    looks: list[int]


@dataclass(frozen=True)
class Network:
    """An encoder-decoder with attention (Luong, Pham and Manning 2015), read only.

    A long short-term memory reads the sentence in both directions: a_1 … a_n. Another writes: from its state
    h it looks at the sentence with weights softmax(h W a_i), sees their mean c, and the next word is drawn
    from softmax(E tanh([h, c] V) + b), where E are the vectors of the words that both sides share.
    """

    vocabulary: Vocabulary
    weights: Mapping[str, Array]

    def read(self, sentences: Sequence[Sequence[int]]) -> tuple[Array, npt.NDArray[np.bool_]]:
        """Return the states of sentences, word by word, and which of the places hold a word."""
        lengths = np.array([len(one) for one in sentences])
        rows = np.full((len(sentences), max(1, int(lengths.max(initial=0)))), PADDING, np.int64)
        for number, one in enumerate(sentences):
            rows[number, : len(one)] = one
        held = np.arange(rows.shape[1]) < lengths[:, None]
        vectors = self.weights["words"][rows]
        forward = self._run("forward", vectors, held)
        backward = self._run("backward", vectors[:, ::-1], held[:, ::-1])[:, ::-1]
        return np.concatenate([forward, backward], axis=2), held

    def write(self, sentences: Sequence[Sequence[int]], longest: int) -> list[Written]:
        """Write sentences anew, at each place the most probable word.

        Parameters
        ----------
        sentences
            As numbers; words may be hidden.
        longest
            How many words a sentence may have at most.
        """
        read, held = self.read(sentences)
        count = len(sentences)
        keys = read @ self.weights["look"].T
        state = memory = np.zeros((count, self._width), np.float32)
        word = np.full(count, BEGIN)
        words, looks = np.full((count, longest), END), np.zeros((count, longest), np.int64)
        going = np.arange(count)
        inputs, bias = self.weights["decoder.input"].T, self.weights["decoder.bias"]
        for place in range(longest):
            given = self.weights["words"][word] @ inputs + bias
            state, memory = self._step("decoder", given, state, memory)
            attention = np.einsum("ij,ikj->ik", state, keys, optimize=True)
            attention = _softmax(np.where(held, attention, _FAR))
            hidden = self._hidden(state, np.einsum("ik,ikj->ij", attention, read, optimize=True))
            word = (_with_one(hidden) @ self._to_write).argmax(axis=1)
            words[going, place] = word
            looks[going, place] = attention.argmax(axis=1)
            on = word != END
            if not on.all():
                going, word, state, memory = going[on], word[on], state[on], memory[on]
                read, keys, held = read[on], keys[on], held[on]
            if not len(going):
                break
        ends = np.where((words == END).any(axis=1), (words == END).argmax(axis=1), longest)
        return [
            Written(words[row, :end].tolist(), looks[row, :end].tolist())
            for row, end in enumerate(ends.tolist())
        ]

    def likelihoods(self, sentences: Sequence[Sequence[int]]) -> Array:
        """Return the mean log-probability of the words of each sentence, when nothing of it can be read."""
        read, _ = self.read([[HIDDEN] for _ in sentences])
        keys = read @ self.weights["look"].T
        lengths = np.array([len(one) + 1 for one in sentences])
        targets = np.full((len(sentences), max(1, int(lengths.max(initial=1)))), PADDING, np.int64)
        for number, one in enumerate(sentences):
            targets[number, : len(one) + 1] = [*one, END]
        given = np.concatenate([np.full((len(sentences), 1), BEGIN), targets[:, :-1]], axis=1)
        there = np.arange(targets.shape[1]) < lengths[:, None]
        states = self._run("decoder", self.weights["words"][given], there)[there]
        which = np.nonzero(there)[0]
        attention = np.einsum("ij,ikj->ik", states, keys[which], optimize=True)
        seen = np.einsum("ik,ikj->ij", _softmax(attention), read[which], optimize=True)
        found = self._log_probabilities(self._hidden(states, seen), targets[there])
        means: Array = (np.bincount(which, found, len(sentences)) / lengths).astype(np.float32)
        return means

    def _log_probabilities(self, hidden: Array, targets: Numbers) -> Array:
        """Return how probable words are, some rows at a time, as all words compete."""
        found = np.empty(len(hidden), np.float32)
        logits = np.empty((_ROWS, len(self.weights["bias"])), np.float32)
        for low in range(0, len(hidden), _ROWS):
            rows = _with_one(hidden[low : low + _ROWS])
            some = logits[: len(rows)]
            np.matmul(rows, self._to_weigh, out=some)
            chosen = some[np.arange(len(rows)), targets[low : low + _ROWS]]
            np.exp(some, out=some)
            found[low : low + _ROWS] = chosen - np.log(some.sum(axis=1))
        return found

    @cached_property
    def _to_weigh(self) -> Array:
        """The vectors of all words side by side, with their biases below.

        As hidden values are between -1 and 1, the largest logit is bounded; biases are lowered together,
        which changes no probability, so that its exponential stays within the range of these numbers.
        """
        words, bias = self.weights["words"], self.weights["bias"]
        highest = float((np.abs(words).sum(axis=1) + bias).max())
        made: Array = np.vstack([words.T, bias - np.float32(max(0.0, highest - _HIGHEST))])
        return made

    @cached_property
    def _to_write(self) -> Array:
        """The same, with words that are never written out of reach."""
        made = self._to_weigh.copy()
        made[-1, [PADDING, BEGIN, HIDDEN]] = _FAR
        return made

    @property
    def _width(self) -> int:
        return int(self.weights["decoder.again"].shape[1])

    def _hidden(self, state: Array, seen: Array) -> Array:
        hidden: Array = np.tanh(np.concatenate([state, seen], axis=1) @ self.weights["out"].T)
        return hidden

    def _run(self, name: str, vectors: Array, held: npt.NDArray[np.bool_]) -> Array:
        """Return the states of a memory along rows of vectors; where no word is, the state stays."""
        count, length, _ = vectors.shape
        width = self.weights[name + ".again"].shape[1]
        state = memory = np.zeros((count, width), np.float32)
        states = np.empty((count, length, width), np.float32)
        given = vectors.swapaxes(0, 1) @ self.weights[name + ".input"].T + self.weights[name + ".bias"]
        for place in range(length):
            new, kept = self._step(name, given[place], state, memory)
            here = held[:, place, None]
            state, memory = np.where(here, new, state), np.where(here, kept, memory)
            states[:, place] = state
        return states

    def _step(self, name: str, given: Array, state: Array, memory: Array) -> tuple[Array, Array]:
        """Return state and memory after one more word (Hochreiter and Schmidhuber 1997; Gers et al. 2000).

        `given` is what the word says to the gates.
        """
        gates = state @ self.weights[name + ".again"].T
        gates += given
        width = state.shape[1]
        new = np.tanh(gates[:, 2 * width : 3 * width])
        gates = _sigmoid(gates)
        memory = gates[:, width : 2 * width] * memory + gates[:, :width] * new
        return gates[:, 3 * width :] * np.tanh(memory), memory

    def packed(self) -> bytes:
        """Return the network as a file: whole numbers of eight bits, with a scale for each row."""
        arrays: dict[str, npt.NDArray[np.generic]] = {}
        for name, one in self.weights.items():
            if one.ndim == 1:
                arrays[name] = one
                continue
            scale = np.maximum(np.abs(one).max(axis=1, keepdims=True), 1e-8) / 127
            arrays[name] = np.round(one / scale).astype(np.int8)
            arrays[name + _SCALE] = scale.astype(np.float32)
        words = json.dumps(self.vocabulary.words, ensure_ascii=False).encode()
        file = BytesIO()
        np.savez_compressed(file, vocabulary=np.frombuffer(words, np.uint8), **arrays)  # type: ignore[arg-type]
        return file.getvalue()

    @classmethod
    def unpacked(cls, packed: bytes) -> Network:
        """Return the network that `packed` wrote."""
        with np.load(BytesIO(packed), allow_pickle=False) as file:
            weights = {}
            for name in file.files:
                if name != "vocabulary" and not name.endswith(_SCALE):
                    scaled = name + _SCALE in file.files
                    weights[name] = file[name].astype(np.float32) * (file[name + _SCALE] if scaled else 1)
            words = json.loads(file["vocabulary"].tobytes().decode())
        return cls(Vocabulary(tuple(words)), weights)


@cache
def network() -> Network:
    """Return the network that comes with the package."""
    return Network.unpacked((files("stemmata.masking") / "encoder_decoder" / WEIGHTS).read_bytes())


def _with_one(rows: Array) -> Array:
    """Return rows with a column of ones, for biases."""
    made: Array = np.concatenate([rows, np.ones((len(rows), 1), np.float32)], axis=1)
    return made


def _sigmoid(values: Array) -> Array:
    half = np.float32(0.5)
    found: Array = half * np.tanh(half * values) + half
    return found


def _softmax(rows: Array) -> Array:
    grown: Array = np.exp(rows - rows.max(axis=1, keepdims=True))
    grown /= grown.sum(axis=1, keepdims=True)
    return grown
