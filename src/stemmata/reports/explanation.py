"""The page that explains an answer of our verifier: families, features, and where they stand in the texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from stemmata.authorship.statistical.explanation import Explanation, Term, explain
from stemmata.authorship.statistical.verifier import StemmataVerifier
from stemmata.formats.files import write_atomically
from stemmata.measures.definition import signature
from stemmata.model import Problem
from stemmata.reports.html import render_page

SHOWN = 30_000
"""Characters of a text on the page."""
NAMED = 3
"""Features that a mark names."""


@dataclass(frozen=True)
class FamilyBar:
    """What a family adds to the answer by all its measures, and how long its bar is, of the longest."""

    family: str
    pull: float
    share: float


@dataclass(frozen=True)
class Stretch:
    """A stretch of text; `side` is ``"for"``, ``"against"`` or nothing, `about` names what stands here."""

    text: str
    side: str = ""
    about: str = ""


@dataclass(frozen=True)
class TextView:
    """A text on the page, cut where it is too long."""

    name: str
    stretches: tuple[Stretch, ...]
    left_out: int


def write_explanation(
    path: Path, problem: Problem, batch: Sequence[Problem], verifier: StemmataVerifier
) -> Explanation:
    """Explain the answer to a problem of a batch on a page that needs no network, and return what it says."""
    made = explain(problem, batch, verifier)
    page = explanation_page(made)
    with write_atomically(path) as part:
        part.write_text(page, encoding="utf-8", newline="\n")
    return made


def explanation_page(explanation: Explanation) -> str:
    """Return the page."""
    terms = explanation.terms
    texts = [*explanation.problem.known, explanation.problem.unknown]
    views = [view_of(one.name, one.text, place, terms) for place, one in enumerate(texts)]
    return render_page(
        "explanation.html.j2",
        one=explanation,
        bars=_bars(explanation),
        pro=[term for term in terms if term.pull > 0],
        contra=[term for term in reversed(terms) if term.pull < 0],
        total_for=sum(max(0.0, bar.pull) for bar in _bars(explanation)),
        total_against=sum(min(0.0, bar.pull) for bar in _bars(explanation)),
        known=views[:-1],
        unknown=views[-1],
        signature=signature("explanation", verifier="stemmata"),
    )


def _bars(explanation: Explanation) -> list[FamilyBar]:
    """Return what families add, the strongest for the same author first, and the start that was given."""
    sums = {"before anything is compared": explanation.offset}
    for voice in explanation.voices:
        sums[voice.family] = sums.get(voice.family, 0.0) + voice.pull
    longest = max(map(abs, sums.values()), default=0.0) or 1.0
    ordered = sorted(sums.items(), key=lambda one: (-one[1], one[0]))
    return [FamilyBar(family, pull, abs(pull) / longest) for family, pull in ordered]


def view_of(name: str, text: str, place: int, terms: Sequence[Term]) -> TextView:
    """Return a text with its features marked; where those on both sides overlap, the stronger sum decides.

    Parameters
    ----------
    name, text
        The text.
    place
        Its place among the texts of the features' places.
    terms
        The features.
    """
    shown = text[:SHOWN]
    edges: dict[int, tuple[list[int], list[int]]] = {0: ([], [])}
    for number, term in enumerate(terms):
        for start, end in term.places[place]:
            if start < len(shown):
                edges.setdefault(start, ([], []))[0].append(number)
                edges.setdefault(min(end, len(shown)), ([], []))[1].append(number)
    stretches: list[Stretch] = []
    here: list[int] = []
    bounds = [*sorted(edges), len(shown)]
    for start, end in pairwise(bounds):
        begun, ended = edges[start]
        for number in ended:
            here.remove(number)
        here += begun
        if start < end:
            stretches.append(_stretch(shown[start:end], [terms[number] for number in sorted(here)]))
    return TextView(name, tuple(_joined(stretches)), len(text) - len(shown))


def _stretch(text: str, here: Iterable[Term]) -> Stretch:
    strongest = sorted(dict.fromkeys(here), key=lambda term: -abs(term.pull))
    pull = sum(term.pull for term in strongest)
    if not strongest or not pull:
        return Stretch(text)
    side = "for" if pull > 0 else "against"
    agreeing = [term for term in strongest if (term.pull > 0) == (pull > 0)][:NAMED]
    return Stretch(text, side, "; ".join(f"“{term.term}” ({term.family})" for term in agreeing))


def _joined(stretches: Iterable[Stretch]) -> Iterable[Stretch]:
    """Yield stretches, those that say the same as one."""
    last: Stretch | None = None
    for one in stretches:
        if last is not None and (last.side, last.about) == (one.side, one.about):
            last = Stretch(last.text + one.text, last.side, last.about)
            continue
        if last is not None:
            yield last
        last = one
    if last is not None:
        yield last
