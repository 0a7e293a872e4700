"""A small recurrent network that predicts the next symbol: one layer for all authors, a head for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
from numpy.random import Generator
from scipy import sparse

Array = npt.NDArray[np.float32]
Symbols = npt.NDArray[np.int64]

_SLOWER = 0.2
"""The pace of heads, that of shared weights being 1."""
_TOGETHER = 16
"""Heads that learn at once."""
_READ = 64
"""Texts that are read at once."""


class ManyHeads:
    """Weights of the network and how they learn.

    The hidden state is h = f(E[x] + h W + b), where f(x) = √(x + 1) - 1 for x > 0 and 0 below; the head of
    author a gives the next symbol the probability softmax(h (V + V_a) + c_a). Texts of all authors are read
    side by side, and errors go back a number of symbols through time. Weights move by Adam's rule (Kingma and
    Ba 2015), those of the heads more slowly: an author's texts are few.

    Parameters
    ----------
    symbols, hidden, heads
        How many symbols, hidden units and authors there are.
    rng
        Where the first weights come from.
    """

    def __init__(self, symbols: int, hidden: int, heads: int, rng: Generator) -> None:
        spread = 1.0 / np.sqrt(hidden)
        self.weights: dict[str, Array] = {
            "input": rng.normal(0, 0.3, (symbols, hidden)).astype(np.float32),
            "again": rng.normal(0, spread, (hidden, hidden)).astype(np.float32),
            "bias": np.full(hidden, 0.1, np.float32),
            "common": np.zeros((hidden, symbols), np.float32),
            "heads": np.zeros((heads, hidden, symbols), np.float32),
            "offsets": np.zeros((heads, 1, symbols), np.float32),
        }
        self._mean = {name: np.zeros_like(one) for name, one in self.weights.items()}
        self._square = {name: np.zeros_like(one) for name, one in self.weights.items()}
        self._steps = 0

    def states(self, texts: Symbols, start: Array) -> tuple[Array, Array]:
        """Return the hidden states after each symbol of texts (a row each), and the slopes there."""
        w = self.weights
        lanes, length = texts.shape
        states = np.empty((lanes, length, len(w["bias"])), np.float32)
        slopes = np.empty_like(states)
        now = start
        for step in range(length):
            sums = np.maximum(w["input"][texts[:, step]] + now @ w["again"] + w["bias"], 0.0)
            root = np.sqrt(sums + 1.0)
            now = np.asarray(root - 1.0, np.float32)
            states[:, step] = now
            slopes[:, step] = np.where(sums > 0, 0.5 / root, 0.0)
        return states, slopes

    def learn(self, texts: Symbols, span: int, rate: float) -> None:
        """Read texts once, the text of each author in a row, and learn after each span of symbols."""
        carried = np.zeros((len(texts), len(self.weights["bias"])), np.float32)
        for first in range(0, texts.shape[1] - 1, span):
            read = texts[:, first : min(first + span, texts.shape[1] - 1)]
            wanted = texts[:, first + 1 : first + 1 + read.shape[1]]
            carried = self._span(read, wanted, carried, rate)

    def _span(self, read: Symbols, wanted: Symbols, start: Array, rate: float) -> Array:
        w = self.weights
        states, slopes = self.states(read, start)
        down = np.empty_like(states)
        common = np.zeros_like(w["common"])
        size = self._next_step(rate)
        # Some authors at a time, whose heads stay in the processor's cache until they have moved.
        for first in range(0, len(read), _TOGETHER):
            some = slice(first, first + _TOGETHER)
            whole = w["common"] + w["heads"][some]
            errors = states[some] @ whole
            errors += w["offsets"][some]
            probabilities(errors)
            lanes = np.arange(len(errors))[:, None]
            errors[lanes, np.arange(read.shape[1]), wanted[some]] -= 1
            errors /= read.shape[1]
            np.matmul(errors, whole.transpose(0, 2, 1), out=down[some])
            slope = states[some].transpose(0, 2, 1) @ errors
            for one in slope:
                common += one
            self._move("heads", slope, size * _SLOWER, some)
            self._move("offsets", errors.sum(axis=1, keepdims=True), size * _SLOWER, some)
        common /= len(read)
        shared = self._back(read, states, slopes, down, start)
        for name, one in {**shared, "common": common}.items():
            self._move(name, one, size, slice(None))
        return states[:, -1]

    def _back(
        self, read: Symbols, states: Array, slopes: Array, down: Array, start: Array
    ) -> dict[str, Array]:
        """Return the slopes of the weights that all authors share, given those of the states by the heads."""
        w = self.weights
        slope = {name: np.zeros_like(w[name]) for name in ("again", "bias")}
        later = np.zeros_like(start)
        lanes, length = read.shape
        backs = np.empty((length, *start.shape), np.float32)
        for step in range(length - 1, -1, -1):
            back = backs[length - 1 - step]
            np.add(down[:, step], later, out=back)
            back *= slopes[:, step]
            before = states[:, step - 1] if step else start
            slope["again"] += before.T @ back
            slope["bias"] += back.sum(axis=0)
            later = np.asarray(back @ w["again"].T, np.float32)
        last_first = read[:, ::-1].T.ravel()
        met = sparse.csr_array(
            (np.ones(lanes * length, np.float32), (last_first, np.arange(lanes * length))),
            (len(w["input"]), lanes * length),
        )
        slope["input"] = met @ backs.reshape(lanes * length, -1)
        return {name: np.asarray(one / lanes, np.float32) for name, one in slope.items()}

    def _next_step(self, rate: float) -> float:
        self._steps += 1
        return float(rate * np.sqrt(1 - 0.999**self._steps) / (1 - 0.9**self._steps))

    def _move(self, name: str, slope: Array, size: float, part: slice) -> None:
        """Move weights, or the part of them that some heads have, by Adam's rule."""
        mean, square = self._mean[name][part], self._square[name][part]
        mean += 0.1 * (slope - mean)
        square += 0.001 * (slope * slope - square)
        # In twice the precision, as a step is small beside the weights.
        step = np.multiply(mean, size, dtype=np.float64)
        step /= np.sqrt(square) + np.float32(1e-8)
        self.weights[name][part] -= step.astype(np.float32)

    def read(self, texts: Sequence[Symbols]) -> Iterator[Array]:
        """Yield the hidden states after each symbol but the last of each text; some are read together."""
        for first in range(0, len(texts), _READ):
            some = texts[first : first + _READ]
            lanes = np.zeros((len(some), max(map(len, some)) - 1), np.int64)
            for lane, text in zip(lanes, some, strict=True):
                lane[: len(text) - 1] = text[:-1]
            states, _ = self.states(lanes, np.zeros((len(some), len(self.weights["bias"])), np.float32))
            for lane, text in zip(states, some, strict=True):
                yield lane[: len(text) - 1]

    def surprise(self, text: Symbols, states: Array, heads: Symbols) -> npt.NDArray[np.float64]:
        """Return the cross-entropy of a text, in nats per symbol, under each of some heads."""
        w = self.weights
        found = np.empty(len(heads))
        for place, head in enumerate(heads.tolist()):
            told = states @ (w["common"] + w["heads"][head]) + w["offsets"][head]
            told -= told.max(axis=-1, keepdims=True)
            np.exp(told, out=told)
            right = told[np.arange(len(told)), text[1:]] / told.sum(axis=-1)
            found[place] = -np.log(np.maximum(right, 1e-9)).mean(dtype=np.float64)
        return found


def probabilities(values: Array) -> Array:
    """Make values their softmax along the last axis, in place, and return them."""
    values -= values.max(axis=-1, keepdims=True)
    np.exp(values, out=values)
    values /= values.sum(axis=-1, keepdims=True)
    return values
