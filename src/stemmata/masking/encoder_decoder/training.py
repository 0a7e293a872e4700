"""Train the network that comes with the package: ``python -m …encoder_decoder.training OUT TEXT …``.

It needs torch and is made for one graphics card. Texts should be in the public domain, as what the network
has read can show in what it writes. In each sentence words are hidden, dropped and exchanged with their
neighbours, and the network learns to write the sentence as it was; how many is drawn for each sentence, and
of one in ten it sees nothing, so that it also knows how likely a sentence is by itself.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator, default_rng

from stemmata.masking.encoder_decoder.network import Array, Network, Numbers
from stemmata.masking.encoder_decoder.vocabulary import BEGIN, END, HIDDEN, PADDING, Vocabulary, tokens_of
from stemmata.text.sentences import find_sentences

_LONGEST = 40
_SHORTEST = 3
_BATCH = 1024
_NOTHING = 0.1
_MOST_HIDDEN = 0.5
_DROPPED = _SWAPPED = 0.03


def sentences_of(paths: list[Path]) -> list[list[str]]:
    """Return the sentences of texts that are neither very short nor very long, each once."""
    found: dict[tuple[str, ...], None] = {}
    for path in paths:
        text = " ".join(path.read_text("utf-8", "replace").lstrip("\ufeff").split())
        for start, end in zip(*find_sentences(text, rules=True), strict=True):
            tokens = tokens_of(text[start:end])
            if _SHORTEST <= len(tokens) <= _LONGEST:
                found[tuple(tokens)] = None
    return [list(one) for one in found]


def spoiled(rows: Numbers, lengths: Numbers, rng: Generator) -> Numbers:
    """Return rows of words with some hidden, some exchanged with the next, and some dropped."""
    held = np.arange(rows.shape[1]) < lengths[:, None]
    rows = rows.copy()
    swap = held[:, 1:] & (rng.random(rows[:, 1:].shape) < _SWAPPED)
    swap[:, 1:] &= ~swap[:, :-1]
    first, second = rows[:, :-1].copy(), rows[:, 1:].copy()
    rows[:, :-1][swap] = second[swap]
    rows[:, 1:][swap] = first[swap]
    share = rng.random((len(rows), 1)) * _MOST_HIDDEN
    rows[held & (rng.random(rows.shape) < share)] = HIDDEN
    dropped = held & (rng.random(rows.shape) < _DROPPED)
    rows[dropped] = PADDING
    # What is left moves together; the order of a stable sort keeps it.
    order = np.argsort(rows == PADDING, axis=1, kind="stable")
    rows = np.take_along_axis(rows, order, axis=1)
    rows[rng.random(len(rows)) < _NOTHING] = PADDING
    empty = (rows == PADDING).all(axis=1)
    rows[empty, 0] = HIDDEN
    return rows


def batches(numbers: list[Numbers], rng: Generator) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield sources and targets, sentences of like length together."""
    lengths = np.array([len(one) for one in numbers])
    order = np.argsort(lengths + rng.random(len(lengths)) * 2, kind="stable")
    starts = np.arange(0, len(order), _BATCH)
    rng.shuffle(starts)
    for start in starts:
        chosen = order[start : start + _BATCH]
        size = int(lengths[chosen].max())
        rows = np.full((len(chosen), size), PADDING, np.int64)
        for row, which in enumerate(chosen):
            rows[row, : lengths[which]] = numbers[which]
        yield spoiled(rows, lengths[chosen], rng), rows


def train(paths: list[Path], size: int, vector: int, hidden: int, minutes: float, seed: int = 1) -> Network:
    """Learn from texts for some minutes, and return the network."""
    import torch
    from torch import nn

    sentences = sentences_of(paths)
    vocabulary = Vocabulary.of(sentences, size)
    numbers = [np.array(vocabulary.numbers(one)) for one in sentences]
    held_out, numbers = numbers[::200], [one for at, one in enumerate(numbers) if at % 200]
    print(f"{len(numbers):,} sentences, {len(vocabulary.words):,} words", flush=True)
    torch.manual_seed(seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"

    class Model(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.words = nn.Embedding(len(vocabulary.words), vector)
            nn.init.normal_(self.words.weight, std=0.1)
            self.encoder = nn.LSTM(vector, hidden // 2, batch_first=True, bidirectional=True)
            self.decoder = nn.LSTM(vector, hidden, batch_first=True)
            self.look = nn.Linear(hidden, hidden, bias=False)
            self.out = nn.Linear(2 * hidden, vector, bias=False)
            self.bias = nn.Parameter(torch.zeros(len(vocabulary.words)))
            self.drop = nn.Dropout(0.1)

        def forward(self, source: Any, given: Any) -> Any:
            lengths = (source != PADDING).sum(1).cpu()
            packed = nn.utils.rnn.pack_padded_sequence(
                self.drop(self.words(source)), lengths, batch_first=True, enforce_sorted=False
            )
            read, _ = nn.utils.rnn.pad_packed_sequence(self.encoder(packed)[0], batch_first=True)
            states, _ = self.decoder(self.drop(self.words(given)))
            scores = states @ self.look(read).transpose(1, 2)
            there = (source != PADDING)[:, : read.shape[1]]
            scores = scores.masked_fill(~there[:, None, :], -1e9)
            seen = scores.softmax(-1) @ read
            made = torch.tanh(self.out(self.drop(torch.cat([states, seen], -1))))
            return made @ self.words.weight.T + self.bias

    model = Model().to(device)
    learner = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-5)
    rng, begun, step = default_rng(seed), time.monotonic(), 0

    def loss_of(source: Numbers, target: Numbers) -> Any:
        ended = np.concatenate([target, np.full((len(target), 1), PADDING)], axis=1)
        ended[np.arange(len(target)), (target != PADDING).sum(1)] = END
        given = np.concatenate([np.full((len(target), 1), BEGIN), ended[:, :-1]], axis=1)
        given[given == END] = PADDING
        logits = model(torch.from_numpy(source).to(device), torch.from_numpy(given).to(device))
        goal = torch.from_numpy(ended).to(device)
        return nn.functional.cross_entropy(logits.flatten(0, 1), goal.flatten(), ignore_index=PADDING)

    done = 0.0
    while done < 1:
        for source, target in batches(numbers, rng):
            done = (time.monotonic() - begun) / (60 * minutes)
            for group in learner.param_groups:
                group["lr"] = 3e-3 * min(1.0, (step + 1) / 200) * max(0.02, 1 - done)
            learner.zero_grad()
            loss = loss_of(source, target)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            learner.step()
            step += 1
            if step % 500 == 0:
                print(f"{done:.0%} step {step}: {float(loss.detach()):.3f}", flush=True)
            if done >= 1:
                break
    model.eval()
    with torch.no_grad():
        rng = default_rng(seed)
        losses = [float(loss_of(source, target)) for source, target in batches(held_out, rng)]
        alone = [float(loss_of(_unseen(source), target)) for source, target in batches(held_out, rng)]
    print(f"held out: {np.mean(losses):.3f} per word; seeing nothing: {np.mean(alone):.3f}", flush=True)
    return Network(vocabulary, _weights_of(model))


def _unseen(source: Numbers) -> Numbers:
    nothing = np.full_like(source, PADDING)
    nothing[:, 0] = HIDDEN
    return nothing


def _weights_of(model: Any) -> dict[str, Array]:
    """Return the weights by the names that `Network` has for them."""
    state = {name: one.detach().float().cpu().numpy() for name, one in model.state_dict().items()}
    weights = {name: state[name + ".weight"] for name in ("words", "look", "out")} | {"bias": state["bias"]}
    for ours, theirs, suffix in (
        ("forward", "encoder", "l0"),
        ("backward", "encoder", "l0_reverse"),
        ("decoder", "decoder", "l0"),
    ):
        weights[f"{ours}.input"] = state[f"{theirs}.weight_ih_{suffix}"]
        weights[f"{ours}.again"] = state[f"{theirs}.weight_hh_{suffix}"]
        weights[f"{ours}.bias"] = state[f"{theirs}.bias_ih_{suffix}"] + state[f"{theirs}.bias_hh_{suffix}"]
    return weights


def main() -> None:
    """Train as the command line says."""
    parser = argparse.ArgumentParser(description="Train the encoder-decoder on texts in the public domain.")
    parser.add_argument("out", type=Path)
    parser.add_argument("texts", type=Path, nargs="+")
    parser.add_argument("--words", type=int, default=8192)
    parser.add_argument("--vector", type=int, default=128)
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--minutes", type=float, default=6.0)
    arguments = parser.parse_args()
    made = train(arguments.texts, arguments.words, arguments.vector, arguments.hidden, arguments.minutes)
    arguments.out.write_bytes(made.packed())


if __name__ == "__main__":
    main()
