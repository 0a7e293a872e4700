"""A small recurrent network that predicts the next symbol: one layer for all authors, a head for each."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

Array = npt.NDArray[np.float32]
Symbols = npt.NDArray[np.int64]

_SLOWER = 0.2
"""The pace of heads, that of shared weights being 1."""


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
        whole = w["common"] + w["heads"]
        errors = probabilities(states @ whole + w["offsets"])
        np.put_along_axis(
            errors, wanted[:, :, None], np.take_along_axis(errors, wanted[:, :, None], 2) - 1, 2
        )
        errors /= read.shape[1]
        slope = {
            "heads": states.transpose(0, 2, 1) @ errors,
            "offsets": errors.sum(axis=1, keepdims=True),
            **{name: np.zeros_like(w[name]) for name in ("input", "again", "bias")},
        }
        slope["common"] = slope["heads"].mean(axis=0)
        down = errors @ whole.transpose(0, 2, 1)
        later = np.zeros_like(start)
        for step in range(read.shape[1] - 1, -1, -1):
            back = (down[:, step] + later) * slopes[:, step]
            before = states[:, step - 1] if step else start
            slope["again"] += before.T @ back
            slope["bias"] += back.sum(axis=0)
            np.add.at(slope["input"], read[:, step], back)
            later = np.asarray(back @ w["again"].T, np.float32)
        for name in ("input", "again", "bias"):
            slope[name] /= len(read)
        self._move(slope, rate)
        return states[:, -1]

    def _move(self, slope: dict[str, Array], rate: float) -> None:
        self._steps += 1
        size = rate * np.sqrt(1 - 0.999**self._steps) / (1 - 0.9**self._steps)
        for name, one in slope.items():
            self._mean[name] += 0.1 * (one - self._mean[name])
            self._square[name] += 0.001 * (one * one - self._square[name])
            pace = size * (_SLOWER if name in ("heads", "offsets") else 1.0)
            self.weights[name] -= (pace * self._mean[name] / (np.sqrt(self._square[name]) + 1e-8)).astype(
                np.float32
            )

    def surprise(self, text: Symbols, heads: Symbols) -> npt.NDArray[np.float64]:
        """Return the cross-entropy of a text, in nats per symbol, under each of some heads."""
        states, _ = self.states(text[None, :-1], np.zeros((1, len(self.weights["bias"])), np.float32))
        whole = self.weights["common"] + self.weights["heads"][heads]
        told = probabilities(states[0] @ whole + self.weights["offsets"][heads])
        right = np.take_along_axis(
            told, np.broadcast_to(text[None, 1:, None], (len(heads), len(text) - 1, 1)), 2
        )
        return np.asarray(-np.log(np.maximum(right[:, :, 0], 1e-9)).mean(axis=1, dtype=np.float64))


def probabilities(values: Array) -> Array:
    """Return softmax along the last axis."""
    raised = np.exp(values - values.max(axis=-1, keepdims=True))
    made: Array = raised / raised.sum(axis=-1, keepdims=True)
    return made
