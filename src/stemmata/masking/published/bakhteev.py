"""Bakhteev and Khazov's obfuscator: sentences written again, the likeliest of several for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    """A sentence, or two that are merged: where it stands, and what stands there at first."""

    start: int
    end: int
    text: str
    kind: str


@dataclass(frozen=True)
class Bakhteev2017(Recipe):
    """Rewrites each sentence by an encoder-decoder, synonyms, splitting, merging or an insertion.

    O. Bakhteev and A. Khazov. Author masking using sequence-to-sequence models. In CLEF 2017 Working Notes.

    For each sentence there are several candidates: what an encoder-decoder writes when some of its words
    are hidden from it, the sentence with synonyms from WordNet, split at a joint, merged with the next,
    or with a phrase put at its beginning or end. The most probable one by a language model stands in its
    place; the sentence itself is no candidate.

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
    # language model, too, when it sees nothing of the sentence. To be quick, each sentence has three
    # candidates at most: by the network, by synonyms, and by a split or an insertion.

    def rewrite(self, problem: Problem, rng: Generator) -> Rewriting:
        """Return the text with the likeliest candidate for each sentence."""
        with one_thread():
            return self._rewrite(problem.unknown.text, rng)

    def _rewrite(self, text: str, rng: Generator) -> Rewriting:
        reading = read(text)
        units = self._units(reading, rng)
        candidates = [[(unit.text, unit.kind)] if unit.kind else [] for unit in units]
        for at, new in enumerate(self._written([unit.text for unit in units], rng)):
            candidates[at].append((new, "encoder-decoder"))
        by_unit = self._varied(reading, units, rng)
        for at, unit in enumerate(units):
            if at in by_unit:
                candidates[at].append((by_unit[at], "synonyms"))
            candidates[at] += self._split_or_inserted(unit, rng)
        originals = [text[unit.start : unit.end] for unit in units]
        chosen = self._likeliest(
            [
                [one for one in some if one[0] and one[0] != old]
                for some, old in zip(candidates, originals, strict=True)
            ]
        )
        return rewritten(
            text,
            [
                Edit(unit.start, unit.end, *new)
                for unit, new in zip(units, chosen, strict=True)
                if new is not None
            ],
        )

    def _units(self, reading: Reading, rng: Generator) -> list[_Unit]:
        """Return sentences, some of them merged with the next."""
        text, sentences = reading.text, reading.sentences
        merges = [
            edit for edit in apart(SentenceJoints(split=False).proposals(text)) if rng.random() < self.merged
        ]
        units: list[_Unit] = []
        at = 0
        while at < len(sentences):
            start, end = sentences[at]
            while merges and merges[0].end < end:
                merges.pop(0)
            if merges and merges[0].start <= end and at + 1 < len(sentences):
                merge, at = merges[0], at + 1
                end = sentences[at][1]
                new = text[start : merge.start] + merge.replacement + text[merge.end : end]
                units.append(_Unit(start, end, new, "merge"))
            else:
                units.append(_Unit(start, end, text[start:end], ""))
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

    def _varied(self, reading: Reading, units: Sequence[_Unit], rng: Generator) -> dict[int, str]:
        """Return sentences with synonyms, by the number of the unit; merged ones stay."""
        best = best_of(Substitution().substitutes(reading)).values()
        edits = apart(one.edit for one in best if rng.random() < self.varied)
        varied: dict[int, str] = {}
        begin = 0
        for at, unit in enumerate(units):
            inside = []
            while begin < len(edits) and edits[begin].start < unit.end:
                if edits[begin].start >= unit.start and edits[begin].end <= unit.end:
                    inside.append(edits[begin])
                begin += 1
            if inside and not unit.kind:
                moved = [
                    one._replace(start=one.start - unit.start, end=one.end - unit.start) for one in inside
                ]
                varied[at] = rewritten(unit.text, moved).text
        return varied

    def _split_or_inserted(self, unit: _Unit, rng: Generator) -> list[tuple[str, str]]:
        splits = [] if unit.kind else SentenceJoints(merge=False).proposals(unit.text)
        if splits:
            return [(rewritten(unit.text, [splits[int(rng.integers(len(splits)))]]).text, "split")]
        body, end = unit.text[:-1], unit.text[-1:]
        if end not in ".!" or not body[:1].isalpha():
            return []
        if rng.random() < 0.5:
            return [(f"{body}, {_ENDINGS[int(rng.integers(len(_ENDINGS)))]}{end}", "ending")]
        first = body.split(" ", 1)[0]
        low = body if first == "I" or not first.istitle() else body[0].lower() + body[1:]
        return [(f"{_BEGINNINGS[int(rng.integers(len(_BEGINNINGS)))]}, {low}{end}", "beginning")]

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
