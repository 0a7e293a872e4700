"""Small obfuscators and verifiers of our own, of which one can say by hand what they do."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from stemmata.masking.recipe import Recipe, RecipeInParts
from stemmata.model import Document, ErrorCode, Piece, Problem, Registry, StemmataError
from stemmata.rewriting import Edit, Rewriting, rewritten

MINE = (
    "I went down to the quay and I looked, and there was smoke, and that was all.",
    "We came home late and the dog was out, and nobody had seen it go.",
    "He sold the boat in May and I never asked him why, and he never said.",
    "The rain came in at the window and she let it, and we sat there.",
    "They built the wall again and it fell again, and then they stopped.",
    "My uncle wrote two letters and lost them, and wrote neither again.",
)
YOURS = (
    "It is, however, most regrettable how frequently committees delay; nor are they ever reproached.",
    "One can scarcely deny that the proposal, though elegant, remains wholly unfunded; alas, nobody objects.",
    "The minutes, which were circulated belatedly, omit precisely what had been decided; this is customary.",
    "Whether such arrangements are prudent is, perhaps, a matter for reflection; reflection is adjourned.",
    "The chairman, whose patience is proverbial, yielded; thereupon the members resumed their slumber.",
    "No remedy was suggested, since none was requested; the matter is therefore considered closed.",
)
"""Sentences by two authors."""


def only(monkeypatch: pytest.MonkeyPatch, registry: Registry[Any], made: Mapping[str, Any]) -> None:
    """Let a registry hold these alone, for one test."""
    monkeypatch.setattr(registry, "_targets", {})
    monkeypatch.setattr(registry, "_loaded", dict(made))
    monkeypatch.setattr(registry, "_plugins_read", True)


seen: list[str] = []
"""What was masked in this process."""


@dataclass(frozen=True)
class Shouting(Recipe):
    """Writes every word of four letters or more in capitals."""

    least: int = 4

    def rewrite(self, problem, rng):
        seen.append(problem.id)
        text, at, edits = problem.unknown.text, 0, []
        for word in text.split():
            at = text.index(word, at)
            if len(word) >= self.least:
                edits.append(Edit(at, at + len(word), word.upper(), "loud"))
            at += len(word)
        return rewritten(text, edits)


@dataclass(frozen=True)
class Whispering(Shouting):
    """Writes the first word of a text in capitals."""

    def rewrite(self, problem, rng):
        word = problem.unknown.text.split()[0]
        at = problem.unknown.text.index(word)
        return Rewriting(problem.unknown.text, (Edit(at, at + len(word), word.upper() + "!", "quiet"),))


@dataclass(frozen=True)
class Scrambling(Recipe):
    """Puts the words of a text in any order."""

    def rewrite(self, problem, rng):
        text = problem.unknown.text
        words = list(re.finditer(r"\S+", text))
        drawn = (words[place][0] for place in rng.permutation(len(words)))
        pairs = zip(words, drawn, strict=True)
        return rewritten(text, [Edit(*word.span(), new, "scrambled") for word, new in pairs])


@dataclass(frozen=True)
class LineByLine(RecipeInParts):
    """Writes the longest word of each line in capitals, each line apart; fails where one says "never"."""

    def parts(self, problem):
        lines = problem.unknown.text.splitlines(keepends=True)
        return [
            Problem(f"{problem.id}:{number}", problem.known, Document("line", line))
            for number, line in enumerate(lines)
        ]

    def rewrite_part(self, part):
        seen.append(part.id)
        text = part.unknown.text
        if "never" in text:
            raise RuntimeError("never say it")
        word = max(text.split(), key=len)
        at = text.index(word)
        return rewritten(text, [Edit(at, at + len(word), word.upper(), "loud")])

    def put_together(self, problem, done):
        edits, at = [], 0
        for line in done:
            edits += [one._replace(start=one.start + at, end=one.end + at) for one in line.edits]
            at += len(line.original)
        return rewritten(problem.unknown.text, edits)


class Plain:
    """Tells nothing of its edits, and changes nothing."""

    def mask(self, problem):
        text = problem.unknown.text
        return [Piece(1, text, 0, len(text), text)] if text else []


class Failing(Plain):
    """Fails with problems called so."""

    def mask(self, problem):
        if "bad" in problem.id:
            raise RuntimeError("no such\nluck")
        return super().mask(problem)


class Odd:
    """Gives no pieces."""

    def mask(self, problem):
        return ["this", "and", "that"]


class Killed(Shouting):
    """Is killed at the third text, as long as there is a file that says so."""

    def rewrite(self, problem, rng):
        with Path("masked.log").open("a") as log:
            log.write(problem.id + "\n")
        if problem.id.rstrip("NY").endswith("3") and Path("kill").exists():
            os.kill(os.getpid(), 9)
        return super().rewrite(problem, rng)


looked: list[tuple[str, int]] = []
"""What verifiers did in this process, and to how many problems."""


@dataclass(frozen=True)
class Share:
    """Says how many words of the unknown text are among the known ones."""

    power: float = 1.0

    def score(self, problems):
        looked.append(("score", len(problems)))
        return [share_of(problem) ** self.power for problem in problems]


class Doomed(Share):
    """Is killed when it answers, as long as there is a file that says so."""

    def score(self, problems):
        if Path("kill").exists():
            os.kill(os.getpid(), 9)
        return super().score(problems)


def share_of(problem):
    known = {word for text in problem.known for word in text.text.split()}
    words = problem.unknown.text.split()
    return sum(word in known for word in words) / max(1, len(words))


@dataclass(frozen=True)
class Learner:
    """Learns the words it has seen, in whatever case where it was shown capitals, and then says the share.

    What it learned holds all unknown texts, so that a test can see what it was shown.
    """

    texts: tuple[str, ...] | None = None

    def learn(self, problems, truth):
        looked.append(("learn", len(problems)))
        return replace(self, texts=tuple(problem.unknown.text for problem in problems))

    def learned(self):
        if self.texts is None:
            raise StemmataError(ErrorCode.NOTHING_LEARNED, verifier="learner")
        return {"texts": list(self.texts)}

    def recall(self, learned):
        return replace(self, texts=tuple(learned["texts"]))

    def score(self, problems):
        looked.append(("score", len(problems)))
        assert self.texts is not None
        for problem in problems:
            # Whoever has seen a text before, in any case, is cheating.
            assert problem.unknown.text.lower() not in {text.lower() for text in self.texts}
        loud = any(
            word.isalpha() and word.isupper() and len(word) > 1
            for text in self.texts
            for word in text.split()
        )
        return [share_of(lowered(problem) if loud else problem) for problem in problems]


def lowered(problem):
    def low(one):
        return replace(one, text=one.text.lower())

    return replace(problem, known=tuple(map(low, problem.known)), unknown=low(problem.unknown))


class Broken:
    """Fails."""

    def score(self, problems):
        raise RuntimeError("no such luck")


def put_problems(folder: Path, texts: int = 6) -> Path:
    """Write problems with their truth: each author with an own text, and with one of the other's."""
    truth = []
    for author, (own, other) in enumerate(((MINE, YOURS), (YOURS, MINE))):
        for number in range(texts):
            for same in (True, False):
                name = f"{'AB'[author]}{number}{'NY'[same]}"
                place = folder / name
                place.mkdir(parents=True)
                sentences = own if same else other
                # The text shares half of its words with the known one if it is by the same author.
                known = own[number] + f" {own[(number + 1) % texts]} ({author}{number})"
                unknown = sentences[number] + f" {name}."
                (place / "known01.txt").write_text(known)
                (place / "unknown.txt").write_text(unknown)
                truth.append(f"{name} {'NY'[same]}\n")
    (folder / "truth.txt").write_text("".join(truth))
    return folder
