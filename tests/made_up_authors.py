"""Authors that were made up: each has favourite words, marks and lengths of sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stemmata.model import Document, Problem

COMMON = (
    *("the", "of", "and", "to", "a", "in", "that", "it", "was"),
    *("he", "she", "they", "had", "with", "for", "as", "his", "her"),
    *("on", "at", "by", "not", "but", "from"),
)
CONTENT = (
    *("house", "river", "morning", "letter", "friend", "garden", "window", "night", "road"),
    *("hand", "water", "voice", "table", "light", "door"),
)
HABITS = (
    ("really quite just actually", "!", 6),
    ("whereas thereby moreover hence", ";", 22),
    ("maybe somehow perhaps almost", "...", 11),
    ("yonder aye lad ought", " -", 15),
    ("must shall never always", ":", 9),
)
"""Favourite words of each author, the mark after which they go on, and how long their sentences are."""


def text_by(author: int, number: int, words: int = 260) -> str:
    """Return one of the texts of an author."""
    favourites, mark, length = HABITS[author]
    rng = np.random.default_rng([author, number])
    habits = np.random.default_rng(author).dirichlet(np.full(len(COMMON), 0.5))
    written = 0
    sentences = []
    while written < words:
        size = max(3, int(rng.normal(length, length / 5)))
        drawn = [
            str(rng.choice(favourites.split()))
            if chance < 0.12
            else str(rng.choice(CONTENT))
            if chance < 0.4
            else str(rng.choice(COMMON, p=habits))
            for chance in rng.random(size)
        ]
        if size > 5:
            drawn[size // 2] += mark
        sentences.append(" ".join(drawn).capitalize() + ("!" if mark == "!" and rng.random() < 0.5 else "."))
        written += size
    return "\n\n".join(" ".join(sentences[start : start + 5]) for start in range(0, len(sentences), 5))


def problem_of(name: str, known: Sequence[str], unknown: str) -> Problem:
    """Return a problem with these texts."""
    return Problem(
        name, tuple(Document(f"k{n}", text) for n, text in enumerate(known)), Document("u", unknown)
    )


def made_up_problems(first: int = 0, known: int = 2) -> tuple[list[Problem], list[bool]]:
    """Return ten problems with their answers: each author once with an own text and once with another's."""
    problems, truth = [], []
    for author in range(len(HABITS)):
        for number, same in enumerate((True, False)):
            other = author if same else (author + 1 + first % 3) % len(HABITS)
            start = first + 20 * number
            texts = [text_by(author, start + one) for one in range(known)]
            problems.append(problem_of(f"{author}{number}", texts, text_by(other, start + 10)))
            truth.append(same)
    return problems, truth


ODD_PROBLEMS = [
    problem_of("no known", [], "There is nothing to compare this with."),
    problem_of("empty unknown", ["Here are some words by somebody."], ""),
    problem_of("blank", ["  \n ", "\t"], "Something was written here."),
    problem_of("one word", ["Word"], "Word"),
    problem_of("one letter", ["a", "b"], "c"),
    problem_of(
        "garbage", ["\x00\x01\ufffd\ud83d\x7f" * 40, "%%%% ;;; \x00"], "\x02\x03 \ufffe 00 \x00\n" * 30
    ),
    problem_of("no letters", ["1234 5678 !!!"], "... 99 ,,, 12"),
    problem_of("another script", ["Ветер дул с моря. Было холодно."], "Море было тихим. Никто не пришёл."),
    problem_of("the same", ["It was, he said, late. So he left."], "It was, he said, late. So he left."),
]
"""Problems of which little can be said, and that must not break a verifier."""
