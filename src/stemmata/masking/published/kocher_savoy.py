"""Twenty rules by what is more or less usual with the author: Kocher and Savoy, 2018."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from numpy.random import Generator

from stemmata.masking.recipe import Recipe
from stemmata.model import Problem
from stemmata.model.parameters import tunable
from stemmata.rewriting import Edit, Rewriting, in_turn, rewritten
from stemmata.rewriting.agreement import article_before
from stemmata.rewriting.lookup import PhraseIndex
from stemmata.rewriting.passage import capitalised
from stemmata.rewriting.reading import cased_like

_NEGATIONS = ("is", "do", "does", "did", "was", "were", "could", "has", "have")
_SHORT = re.compile(rf"\b({'|'.join(_NEGATIONS)}|ca)n['’]t\b", re.IGNORECASE)
_FULL = re.compile(rf"\b({'|'.join(_NEGATIONS)}|can) not\b", re.IGNORECASE)
_ANY_SHORT = re.compile(r"\wn['’]t\b", re.IGNORECASE)
_ANY_FULL = re.compile(r"\bnot\b", re.IGNORECASE)
_BEING = re.compile(r"\b(?:is|are|was|were) being ", re.IGNORECASE)
_PASSIVE = re.compile(r"\b(is|are|was|were) (?=\w+ed\b)", re.IGNORECASE)
_STARTED = re.compile(r"\bstarted (\w+)ing\b", re.IGNORECASE)
_IN_ORDER_TO = re.compile(r"\bin order to\b", re.IGNORECASE)
_IN_FACT = re.compile(r"\bin fact\b", re.IGNORECASE)
_ACTUALLY = re.compile(r"\bactually\b", re.IGNORECASE)
_HOWEVER = re.compile(r"\bHowever\b")
_CONTRARY = re.compile(r"\bOn the contrary\b")
_LIST = re.compile(r"(?<=\w), \w+,? (and) (?=\w)")
_AS_WELL_AS = re.compile(r"(?<= )as well as(?= )")
_OF_THE = re.compile(r" of the ")
_GENITIVE = re.compile(r"\bthe (\w+) of the (\w+)\b", re.IGNORECASE)
_DOUBLE = re.compile(r"(?<=[^\W\d_])([^\W\d_])\1(?=[^\W\d_])")
_ARTICLE = re.compile(r"\b(an?) \Z", re.IGNORECASE)

Proposal = Callable[[str, Generator], Iterator[Edit]]


@dataclass(frozen=True)
class KocherSavoy2018(Recipe):
    """Exchanges forms, words and marks for others, away from what is usual with the author.

    Kocher and Savoy, "UniNE at CLEF 2018: Author Masking", PAN at CLEF 2018. Where two forms stand for one
    another, that which is more frequent in the author's texts makes way for the other (rules 1 to 4 and 9 to
    14). Where the text has more of something than the author's texts, it gets more still; where it has less,
    it loses what it has (rules 5 to 8 and 15 to 18). Now and then a double letter loses its double or is
    doubled again (rules 19 and 20).

    Attributes
    ----------
    marks
        The share of exclamation and question marks that change.
    letters
        The share of double letters that change.
    """

    marks: float = tunable(0.5, 0.0, 1.0)
    letters: float = tunable(0.05, 0.0, 1.0)

    def rewrite(self, problem: Problem, rng: Generator) -> Rewriting:
        """Return the text with the rules applied that its author's texts call for."""
        # Without samples, the text is its own: then it has neither more nor less of anything than they.
        # The organisers saw sentences in another order, of which the paper says nothing: a mistake, not kept.
        text = problem.unknown.text
        same = "\n".join(one.text for one in problem.known) or text
        rules = [*_forms(same), *_more_or_less(text, same, self.marks), _doubles(self.letters)]
        steps = [lambda now, rule=rule: rewritten(now, rule(now, rng)) for rule in rules]
        return in_turn(text, steps)


def _forms(same: str) -> Iterator[Proposal]:
    """Yield rules 1 to 4 and 9 to 14, which compare two forms in the author's texts."""
    if _count(_ANY_SHORT, same) > _count(_ANY_FULL, same):
        yield _substituted(_SHORT, lambda found: cased_like(found[0], _written_out(found[1])))
    else:
        yield _substituted(_FULL, lambda found: cased_like(found[0], _contracted(found[1])))
    if _count(_BEING, same) > _count(_PASSIVE, same):
        yield _substituted(_BEING, lambda _: "")
    else:
        yield _substituted(_PASSIVE, lambda found: f"{found[0]}being ")
    for one, other, names in (
        (_IN_FACT, _ACTUALLY, ("in fact", "actually")),
        (_HOWEVER, _CONTRARY, ("However", "On the contrary")),
    ):
        more = _count(one, same) > _count(other, same)
        yield _exchanged(one, names[1]) if more else _exchanged(other, names[0])
    if _count(_LIST, same) > _count(_AS_WELL_AS, same):
        yield _substituted(_LIST, lambda _: "as well as", 1)
    else:
        yield _exchanged(_AS_WELL_AS, "and")


def _more_or_less(text: str, same: str, share: float) -> Iterator[Proposal]:
    """Yield rules 5 to 8 and 15 to 18, which compare the text with the author's texts."""
    index = _very_index()
    very = _rate(sum(1 for _ in index.find(text)), text) - _rate(sum(1 for _ in index.find(same)), same)
    if very > 0:
        yield _with_very
    elif very < 0:
        yield _without_very
    if _excess(_STARTED, text, same) < 0:
        yield _substituted(_STARTED, lambda found: f"{found[1]}ed")
    if _excess(_IN_ORDER_TO, text, same) < 0:
        yield _exchanged(_IN_ORDER_TO, "to")
    if _excess(_OF_THE, text, same) < 0:
        yield _substituted(_GENITIVE, lambda found: f"{found[0].split()[0]} {found[2]} {found[1]}")
    exclamations = _excess(re.compile("!"), text, same)
    if exclamations > 0:
        yield _some(re.compile("!+"), ("!!", "!!!"), share)
    elif exclamations < 0:
        yield _some(re.compile("!+"), (".",), share)
    if _excess(re.compile(r"\?"), text, same) > 0:
        yield _some(re.compile(r"\?+"), ("?", "??", "???"), share)


def _count(pattern: re.Pattern[str], text: str) -> int:
    return sum(1 for _ in pattern.finditer(text))


def _rate(count: int, text: str) -> float:
    return count / max(len(text), 1)


def _excess(pattern: re.Pattern[str], text: str, same: str) -> float:
    """Return by how much a text has more of something than the author's texts, per character."""
    # The paper compares counts; as texts differ in length, ours compares rates.
    return _rate(_count(pattern, text), text) - _rate(_count(pattern, same), same)


def _substituted(pattern: re.Pattern[str], new: Callable[[re.Match[str]], str], group: int = 0) -> Proposal:
    def edits(text: str, rng: Generator) -> Iterator[Edit]:
        for found in pattern.finditer(text):
            yield Edit(found.start(group), found.end(group), new(found), "rule")

    return edits


def _exchanged(pattern: re.Pattern[str], new: str) -> Proposal:
    return _substituted(pattern, lambda found: cased_like(found[0], new))


def _some(pattern: re.Pattern[str], marks: tuple[str, ...], share: float) -> Proposal:
    def edits(text: str, rng: Generator) -> Iterator[Edit]:
        for found in pattern.finditer(text):
            if rng.random() < share:
                yield Edit(found.start(), found.end(), marks[int(rng.integers(len(marks)))], "mark")

    return edits


def _doubles(share: float) -> Proposal:
    """Return rules 19 and 20: a double letter becomes a single one, or four."""

    def edits(text: str, rng: Generator) -> Iterator[Edit]:
        for found in _DOUBLE.finditer(text):
            if rng.random() < share:
                yield Edit(found.start(), found.end(), found[1] * (1, 4)[int(rng.integers(2))], "letters")

    return edits


def _written_out(verb: str) -> str:
    return "can not" if verb.lower() == "ca" else f"{verb.lower()} not"


def _contracted(verb: str) -> str:
    return "can't" if verb.lower() == "can" else f"{verb.lower()}n't"


def _with_very(text: str, rng: Generator) -> Iterator[Edit]:
    """Yield rule 5: *very* and a plain word for a strong one."""
    plain = {strong: word for word, strongs in reversed(_very().items()) for strong in strongs}
    for found in PhraseIndex(plain).find(text):
        yield _in_place(text, found.start, found.end, f"very {plain[found.phrase]}")


def _without_very(text: str, rng: Generator) -> Iterator[Edit]:
    """Yield rule 6: a strong word for *very* and a plain one."""
    for found in _very_index().find(text):
        strong = _very()[found.phrase.removeprefix("very ")]
        yield _in_place(text, found.start, found.end, strong[int(rng.integers(len(strong)))])


def _in_place(text: str, start: int, end: int, new: str) -> Edit:
    """Return an edit that also mends the article, of which the paper says nothing."""
    new = cased_like(text[start:end], new)
    article = _ARTICLE.search(text, max(start - 4, 0), start)
    fitting = article_before(new)
    if article and article[1].lower() != fitting:
        first = capitalised(fitting) if article[1][0].isupper() else fitting
        return Edit(article.start(), end, f"{first} {new}", "very")
    return Edit(start, end, new, "very")


@cache
def _very() -> dict[str, tuple[str, ...]]:
    """Return strong words by the plain word that, with *very*, says the same; the table of the paper."""
    table = (files("stemmata.masking") / "published" / "kocher_savoy_very.tsv").read_text("utf-8")
    rows = [line.split("\t") for line in table.splitlines() if line and not line.startswith("#")]
    return {plain: tuple(strong.split(", ")) for plain, strong in rows}


@cache
def _very_index() -> PhraseIndex:
    return PhraseIndex(f"very {word}" for word in _very())
