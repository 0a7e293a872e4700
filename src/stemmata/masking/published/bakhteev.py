"""Bakhteev and Khazov's obfuscator: sentences written again, the likeliest of several for each."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from numpy.random import Generator

from stemmata.masking.encoder_decoder.network import Network, network
from stemmata.masking.encoder_decoder.vocabulary import HIDDEN, joined, tokens_of
from stemmata.masking.recipe import Recipe
from stemmata.model import Problem
from stemmata.rewriting import Edit, Rewriting, rewritten
from stemmata.rewriting.reading import Reading, read
from stemmata.rewriting.sentence_joints import SentenceJoints
from stemmata.rewriting.substitution import Substitution, best_of
from stemmata.rewriting.transformation import apart
from stemmata.text.one_thread import one_thread

_BEGINNINGS = ("Indeed", "In truth", "As it was", "After all", "Certainly", "At any rate")
_ENDINGS = ("indeed", "to be sure", "as it were", "after all", "in truth")
_BATCH = 64
"""Sentences that the network reads side by side."""


class _Unit(NamedTuple):
    """A sentence, or two that are merged.

    Attributes
    ----------
    start, text
        Where it stands, and what stands there at first.
    varied
        Edits for synonyms, and for the merge.
    splits
        Edits that would split it.
    """

    start: int
    text: str
    varied: list[Edit]
    splits: list[Edit]
    merged: bool


@dataclass(frozen=True)
class Bakhteev2017(Recipe):
    """Rewrites each sentence by an encoder-decoder, synonyms, splitting, merging or an insertion.

    O. Bakhteev and A. Khazov. Author masking using sequence-to-sequence models. In CLEF 2017 Working Notes.

    Words make way for synonyms from WordNet, and some sentences are merged. For each there are two
    candidates: what an encoder-decoder writes when some of its words are hidden from it, and the sentence
    split at a joint, or with a phrase put at its beginning or end. The more probable one by a language model
    stands in its place; the sentence itself is no candidate.

    Attributes
    ----------
    hidden
        Share of the words that the encoder-decoder does not see.
    varied
        Share of the words with a synonym that are replaced.
    merged
        Share of the neighbours that could be merged which are.
    longest
        Most words and marks that the network reads at a time; longer sentences are read in parts.
    """

    hidden: float = 0.4
    varied: float = 0.5
    merged: float = 0.2
    longest: int = 36

    # Departures: their networks, their training texts and the way of combining candidates are not public.
    # Ours is trained by `masking.encoder_decoder.training` on novels of 1840 to 1925, and serves as the
    # language model, too, when it sees nothing of the sentence. To be quick, each sentence has two
    # candidates: rules work one upon another (synonyms, then a merge, a split or an insertion), and the
    # network writes what the rules on words have left.

    def rewrite(self, problem: Problem, rng: Generator) -> Rewriting:
        """Return the text with the likeliest candidate for each sentence."""
        with one_thread():
            return self._rewrite(problem.unknown.text, rng)

    def _rewrite(self, text: str, rng: Generator) -> Rewriting:
        reading = read(text)
        units = self._units(reading, rng)
        # The network reads what the rules on words left, and competes with the rules on sentences.
        varied = [rewritten(unit.text, unit.varied).text for unit in units]
        candidates = [[_split_or_inserted(unit, rng)] for unit in units]
        for at, new in enumerate(self._written(varied, rng)):
            candidates[at].append((new, "encoder-decoder"))
        chosen = self._likeliest(
            [
                [one for one in some if one[0] and one[0] != unit.text]
                for some, unit in zip(candidates, units, strict=True)
            ]
        )
        return rewritten(
            text,
            [
                Edit(unit.start, unit.start + len(unit.text), *new)
                for unit, new in zip(units, chosen, strict=True)
                if new is not None
            ],
        )

    def _units(self, reading: Reading, rng: Generator) -> list[_Unit]:
        """Return sentences, some of them merged with the next, with the edits that rules make of them."""
        text, sentences = reading.text, reading.sentences
        joints = apart(SentenceJoints(split=False).proposals(text))
        merges = {edit.start: edit for edit in joints if rng.random() < self.merged}
        splits = SentenceJoints(merge=False).proposals(text)
        best = best_of(Substitution().substitutes(reading)).values()
        synonyms = apart(one.edit for one in best if rng.random() < self.varied)
        units: list[_Unit] = []
        at = 0
        while at < len(sentences):
            start, end = sentences[at]
            merge = merges.get(end - 1)
            if merge and at + 1 < len(sentences):
                at += 1
                end = sentences[at][1]
            joint = [merge] if merge else []
            words = [one for one in _within(synonyms, start, end) if not joint or _are_apart(one, joint[0])]
            units.append(
                _Unit(
                    start,
                    text[start:end],
                    _moved([*joint, *words], start),
                    [] if merge else _moved(_within(splits, start, end), start),
                    bool(merge),
                )
            )
            at += 1
        return units

    def _written(self, sentences: Sequence[str], rng: Generator) -> list[str]:
        """Return sentences as the network writes them with some words hidden."""
        net = network()
        parts: list[tuple[int, list[str]]] = []
        for at, sentence in enumerate(sentences):
            parts += [(at, part) for part in _parts(tokens_of(sentence), self.longest)]
        sources = []
        for _, tokens in parts:
            numbers = net.vocabulary.numbers(tokens)
            drawn = rng.random(len(tokens))
            sources.append(
                [
                    HIDDEN if luck < self.hidden and token.isalpha() else number
                    for number, token, luck in zip(numbers, tokens, drawn, strict=True)
                ]
            )
        new: list[list[str]] = [[] for _ in sentences]
        for which in _batches([len(one) for one in sources]):
            longest = max(len(sources[one]) for one in which) + 5
            for one, written in zip(which, net.write([sources[one] for one in which], longest), strict=True):
                at, tokens = parts[one]
                # What has no end went round in circles.
                words = net.vocabulary.written(written.numbers, tokens, written.looks)
                new[at].append(joined(words if len(words) < longest else tokens))
        return [" ".join(some) for some in new]

    def _likeliest(self, candidates: Sequence[Sequence[tuple[str, str]]]) -> list[tuple[str, str] | None]:
        """Return the candidate of each sentence whose words are likeliest on average."""
        net: Network = network()
        flat = [(at, one) for at, some in enumerate(candidates) for one in some]
        numbers = [net.vocabulary.numbers(tokens_of(one[0])) for _, one in flat]
        best: list[tuple[str, str] | None] = [None] * len(candidates)
        highest = [float("-inf")] * len(candidates)
        for which in _batches([len(one) for one in numbers]):
            for one, likely in zip(which, net.likelihoods([numbers[n] for n in which]).tolist(), strict=True):
                at, candidate = flat[one]
                # Of equals the first wins, whatever the order in which they are read.
                if likely > highest[at]:
                    best[at], highest[at] = candidate, likely
        return best


def _split_or_inserted(unit: _Unit, rng: Generator) -> tuple[str, str]:
    """Return a sentence with synonyms, and split or with a phrase at its beginning or end."""
    if unit.splits:
        split = unit.splits[int(rng.integers(len(unit.splits)))]
        words = [one for one in unit.varied if _are_apart(one, split)]
        return rewritten(unit.text, [split, *words]).text, "split"
    text = rewritten(unit.text, unit.varied).text
    kind = "merge" if unit.merged else "synonyms"
    body, end = text[:-1], text[-1:]
    if unit.merged or end not in ".!" or not body[:1].isalpha():
        return text, kind
    if rng.random() < 0.5:
        return f"{body}, {_ENDINGS[int(rng.integers(len(_ENDINGS)))]}{end}", "ending"
    first = body.split(" ", 1)[0]
    low = body if first == "I" or not first.istitle() else body[0].lower() + body[1:]
    return f"{_BEGINNINGS[int(rng.integers(len(_BEGINNINGS)))]}, {low}{end}", "beginning"


def _within(edits: list[Edit], start: int, end: int) -> list[Edit]:
    """Return the edits inside a stretch; edits are in order."""
    low = bisect_left(edits, start, key=lambda one: one.start)
    high = bisect_left(edits, end, key=lambda one: one.start)
    return [one for one in edits[low:high] if one.end <= end]


def _moved(edits: Iterable[Edit], start: int) -> list[Edit]:
    """Return edits by their places in a stretch that starts there."""
    return [one._replace(start=one.start - start, end=one.end - start) for one in edits]


def _are_apart(one: Edit, other: Edit) -> bool:
    return one.end <= other.start or other.end <= one.start


def _parts(tokens: list[str], longest: int) -> Iterator[list[str]]:
    """Cut a long sentence behind a comma or the like where possible."""
    while len(tokens) > longest:
        marks = [at + 1 for at, token in enumerate(tokens[:longest]) if token in {",", ";", ":"}]
        cut = next((at for at in reversed(marks) if at >= longest // 3), longest)
        yield tokens[:cut]
        tokens = tokens[cut:]
    if tokens:
        yield tokens


def _batches(lengths: Sequence[int]) -> list[list[int]]:
    """Return the numbers of sentences, those of like length together."""
    order = sorted(range(len(lengths)), key=lambda one: (lengths[one], one))
    borders = [*range(0, len(order), _BATCH), len(order)]
    return [order[low:high] for low, high in pairwise(borders)]
