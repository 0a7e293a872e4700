"""What all obfuscators have in common: when to leave a text alone, what never to touch, and the pieces."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from numpy.random import Generator, default_rng

from stemmata.masking.pieces import pieces_of
from stemmata.masking.protected import prose_of, without_protected
from stemmata.model import Piece, Problem
from stemmata.rewriting import Rewriting
from stemmata.text.languages import known_language_of


@dataclass(frozen=True)
class Recipe(ABC):
    """An obfuscator that says what it does to a text as one rewriting of it.

    A text in a language that the recipe does not know stays as it is. Markup, code and addresses do, too:
    an edit that touches them is dropped.

    Attributes
    ----------
    seed
        With the text, the source of all randomness: the same text is masked alike in any company and order.
    """

    seed: int = 1
    languages = ("en",)
    """Languages the recipe knows."""

    @abstractmethod
    def rewrite(self, problem: Problem, rng: Generator) -> Rewriting:
        """Return the unknown text as rewritten; there is text, and in a language that the recipe knows."""

    def mask(self, problem: Problem) -> list[Piece]:
        """Return the unknown text of a problem, rewritten piece by piece."""
        return pieces_of(self.rewriting(problem))

    def rewriting(self, problem: Problem) -> Rewriting:
        """Return what is done to the unknown text, with all edits."""
        text = problem.unknown.text
        if not self.takes(text):
            return Rewriting(text)
        return without_protected(self.rewrite(problem, self._rng(text)))

    def takes(self, text: str) -> bool:
        """Return whether there is anything the recipe can rewrite in a text."""
        return bool(text.strip()) and known_language_of(prose_of(text)) in self.languages

    def _rng(self, text: str) -> Generator:
        key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        return default_rng([self.seed, int.from_bytes(key, "little")])


@dataclass(frozen=True)
class RecipeInParts(Recipe):
    """An obfuscator whose work on a long text falls into parts, each of which can be done by itself.

    So the parts of a text can be done side by side, and a run that was stopped goes on behind those it did.
    """

    @abstractmethod
    def parts(self, problem: Problem) -> list[Problem]:
        """Return the parts of the unknown text, each as the unknown text of a problem."""

    @abstractmethod
    def rewrite_part(self, part: Problem) -> Rewriting:
        """Return a part as rewritten."""

    @abstractmethod
    def put_together(self, problem: Problem, done: Sequence[Rewriting]) -> Rewriting:
        """Return the unknown text as rewritten, given its parts as rewritten."""

    def rewrite(self, problem: Problem, rng: Generator) -> Rewriting:
        """Return the text with all its parts rewritten, one after another."""
        return self.put_together(problem, [self.rewrite_part(part) for part in self.parts(problem)])

    def rewriting_from(self, problem: Problem, done: Sequence[Rewriting]) -> Rewriting:
        """Return what `rewriting` does, given the parts as rewritten."""
        return without_protected(self.put_together(problem, done))
