"""A character network with a head for each author: Bagnall, 2015."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch
from stemmata.authorship.calibration import abstaining, ranks
from stemmata.authorship.contrast import answerable, answered
from stemmata.authorship.many_heads import ManyHeads
from stemmata.authorship.small_matrices import small_matrices
from stemmata.model import Problem
from stemmata.model.parameters import tunable
from stemmata.text.keeping import Latest

Symbols = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

ALPHABET = " abcdefghijklmnopqrstuvwxyz^0.,;:!?'\"-()~"
"""Symbols to which texts are folded: ``^`` before a capital, ``0`` for any digit, ``~`` for all else."""
_networks: Latest[tuple[object, ...], ManyHeads] = Latest(2)
"""Networks by settings and what they read: unknown texts change where known ones, which they read, do not."""
_PLACES = {symbol: place for place, symbol in enumerate(ALPHABET)}
_QUOTES = dict(zip("‘’“”–—", "''\"\"--", strict=True))
_is_letter = re.compile(r"[^\W\d_]").fullmatch
_is_digit = re.compile(r"\d").fullmatch


class _Folding(dict[int, str]):
    """What becomes of a character, by its code; found when it is first met."""

    def __missing__(self, code: int) -> str:
        one = chr(code)
        made = _QUOTES.get(one, one)
        if _is_letter(one) and one.isupper():
            made = "^" + one.lower()
        elif _is_digit(one):
            made = "0"
        return self.setdefault(code, made)


_folding = _Folding()
_places = np.array([_PLACES.get(chr(code), len(ALPHABET) - 1) for code in range(129)], np.int64)


def folded(text: str) -> Symbols:
    """Return a text as places in the alphabet.

    Examples
    --------
    >>> "".join(ALPHABET[place] for place in folded("In 1999,  “No”"))
    '^in 0000, "^no"'
    """
    text = " ".join(text.split()).translate(_folding)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return np.asarray(_places[np.minimum(codes, 128)])


@dataclass(frozen=True)
class Bagnall2015:
    """Caravel: the unknown text must surprise its author's head less than it surprises other authors' heads.

    Bagnall, "Author identification using multi-headed recurrent neural networks", PAN at CLEF 2015. A network
    learns to predict the next character of all known texts at once, with a shared recurrent layer and one
    softmax for each author. The unknown text's cross-entropy under its author's head is set against those
    under the heads of others; answers are ranks over the batch, with none around the median.

    Attributes
    ----------
    hidden, epochs, span, rate
        Units of the recurrent layer, how often texts are read, symbols through which errors go back, and how
        fast weights move.
    longest
        Symbols of an author's texts that are read; of an unknown one it is half as many.
    rivals
        Heads, and texts, that tell how surprised heads usually are by a text, and by texts a head.
    zone
        How far from the median there is no answer.
    seed
        Where chance comes from.
    """

    # One small network forward, where the original combines several, forward and backward, of 139 units with
    # up to 40 epochs, back-propagation through 70 symbols, noise and a control corpus: this one is for a CPU.
    hidden: int = tunable(48, 8, 256)
    epochs: int = tunable(5, 1, 100)
    span: int = tunable(25, 5, 100)
    rate: float = tunable(0.005, 0.0001, 0.1)
    longest: int = tunable(3000, 500, 50_000)
    rivals: int = tunable(12, 1, 200)
    zone: float = tunable(0.05, 0.0, 0.3)
    seed: int = 1

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return ranks of how much less the author's head is surprised."""
        batch = Batch.of(problems)
        usable = answerable(batch)
        places = [tuple(known.tolist()) if ok else () for known, ok in zip(batch.known, usable, strict=True)]
        authors = {texts: head for head, texts in enumerate(sorted({one for one in places if one}))}
        if len(authors) < 2:
            return [0.5] * len(batch)
        asked = np.flatnonzero(usable)
        unknown = {int(place): self._read(batch, int(place)) for place in batch.unknown[asked]}
        heads = np.array([authors[places[number]] for number in asked])
        texts = [unknown[int(place)] for place in batch.unknown[asked]]
        with small_matrices():
            lead = self._lead(self._network(batch, list(authors)), texts, heads, len(authors))
        answers = np.full(len(batch), 0.5)
        answers[asked] = ranks(lead)
        return answered(batch, abstaining(answers, self.zone))

    def _read(self, batch: Batch, place: int) -> Symbols:
        """Return the part of an unknown text that is read, of two symbols at least."""
        read = folded(batch.writings[place].text[: 2 * self.longest])[: self.longest // 2]
        return np.concatenate([read, np.zeros(max(0, 2 - len(read)), np.int64)])

    def _lead(self, network: ManyHeads, texts: list[Symbols], heads: Symbols, authors: int) -> Floats:
        """Return how much less each text surprises its head than others, and that head than other texts."""
        rng = np.random.default_rng([self.seed, 1])
        rivals = np.sort(rng.permutation(authors)[: self.rivals])
        sample = np.sort(rng.permutation(len(texts))[: self.rivals])
        told, own, usual = np.empty(len(texts)), np.empty(len(texts)), np.zeros(authors)
        for place, (text, states) in enumerate(zip(texts, network.read(texts), strict=True)):
            *others, own[place] = network.surprise(text, states, np.append(rivals, heads[place]))
            told[place] = np.mean(others)
            if place in sample:
                usual += network.surprise(text, states, np.arange(authors)) - told[place]
        usual /= len(sample)
        return np.asarray(told + usual[heads] - own)

    def _network(self, batch: Batch, authors: list[tuple[int, ...]]) -> ManyHeads:
        texts = []
        for known in authors:
            # Of several texts each gives its share.
            share = self.longest // len(known) + 1
            parts = [folded(batch.writings[place].text[: 2 * share])[:share] for place in known]
            texts.append(np.concatenate([*parts, [0]]))
        length = min(self.longest, max(map(len, texts)))
        lanes = np.array([np.resize(text, length) for text in texts])
        settings = (self.hidden, self.epochs, self.span, self.rate, self.seed)
        key = (*settings, lanes.shape, sha256(lanes.tobytes()).digest())
        return _networks.once(key, lambda: self._taught(lanes))

    def _taught(self, lanes: Symbols) -> ManyHeads:
        """Return a network that has read the texts of authors, a row each."""
        network = ManyHeads(len(ALPHABET), self.hidden, len(lanes), np.random.default_rng(self.seed))
        for _ in range(self.epochs):
            network.learn(lanes, self.span, self.rate)
        return network
