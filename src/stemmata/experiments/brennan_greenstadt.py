"""What people can do against verifiers: own texts beside those in which their authors tried to hide.

From the Extended Brennan-Greenstadt corpus come problems with known texts of an author and an unknown one
that is theirs as usual, theirs but obfuscated, theirs in the style of Cormac McCarthy, or another author's.
Where a verifier's answers turn is found on the usual texts of other authors; then how many of each kind are
still taken for the author's is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from stemmata.authorship.calibration import best_threshold
from stemmata.experiments.problem_sets import ProblemSet, TrainingSet
from stemmata.experiments.verifying import Chosen, verify
from stemmata.formats.adversarial import HidingAuthor
from stemmata.measures.verification import Answers, auc
from stemmata.model import Document, Problem
from stemmata.model.reproduction import Cell, Compared, ComparedTable, Figure, Marker, Panel, Series

Floats = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]

KNOWN = 3
"""Known texts of a problem: about 1,500 words."""
ASKED = 2
"""Usual texts of an author that are asked about, and as many to learn from."""
GROUPS = 3
"""One asked about, one whose texts are taken for other authors', one to learn from."""
SEED = 1


class Kind(StrEnum):
    """What the unknown text of a problem is."""

    OWN = "own"
    OBFUSCATED = "obfuscated"
    IMITATING = "imitating"
    OTHER = "another's"
    OTHER_OBFUSCATED = "another's, obfuscated"
    OTHER_IMITATING = "another's, imitating"


RIVALS: Mapping[Kind, Kind] = {
    Kind.OWN: Kind.OTHER,
    Kind.OBFUSCATED: Kind.OTHER_OBFUSCATED,
    Kind.IMITATING: Kind.OTHER_IMITATING,
}
"""Texts of others on the same subject: that of a text must not give its author away, nor hide them."""


@dataclass(frozen=True)
class Round:
    """Problems about the authors of one group, and problems about another to learn from."""

    problems: tuple[Problem, ...] = field(repr=False)
    kinds: tuple[Kind, ...]
    lessons: tuple[Problem, ...] = field(repr=False)
    truth: tuple[bool, ...]


@dataclass(frozen=True)
class _Ready:
    """An author whose asked texts are from documents that no known one is from."""

    name: str
    known: tuple[Document, ...]
    asked: tuple[Document, ...]
    taught: tuple[Document, ...]
    obfuscated: tuple[Document, ...]
    imitating: tuple[Document, ...]


def rounds_of(authors: Sequence[HidingAuthor], seed: int = SEED) -> list[Round]:
    """Make the problems: in each round one group of authors is asked about.

    Authors with too few texts from other documents than the known ones are left out. No author of an unknown
    text that is another's has known texts in the same round, so that impostors are impostors.
    """
    rng = np.random.default_rng(seed)
    ready = [made for one in authors if (made := _ready(one, rng))]
    order = rng.permutation(len(ready))
    groups = [[ready[place] for place in order[first::GROUPS]] for first in range(GROUPS)]
    return [
        _round(groups[first], groups[(first + 1) % GROUPS], groups[(first + 2) % GROUPS])
        for first in range(GROUPS)
    ]


def _ready(author: HidingAuthor, rng: np.random.Generator) -> _Ready | None:
    known = author.own[:KNOWN]
    documents = frozenset[int]().union(*(piece.documents for piece in known))
    apart = [piece.text for piece in author.own[KNOWN:] if not piece.documents & documents]
    if len(known) < KNOWN or len(apart) < 2 * ASKED:
        return None
    drawn = [apart[place] for place in rng.permutation(len(apart))[: 2 * ASKED]]
    return _Ready(
        author.name,
        tuple(piece.text for piece in known),
        tuple(drawn[:ASKED]),
        tuple(drawn[ASKED:]),
        author.obfuscated,
        author.imitating,
    )


def _round(asked: Sequence[_Ready], others: Sequence[_Ready], taught: Sequence[_Ready]) -> Round:
    test = [(one, kind, text) for one, other in _paired(asked, others) for kind, text in _asked(one, other)]
    lessons = [
        (one, text, same)
        for one, other in _paired(taught, others)
        for texts, same in ((one.taught, True), (other.taught, False))
        for text in texts
    ]
    return Round(
        tuple(_problem(place, one, text) for place, (one, _, text) in enumerate(test)),
        tuple(kind for _, kind, _ in test),
        tuple(_problem(place, one, text) for place, (one, text, _) in enumerate(lessons)),
        tuple(same for *_, same in lessons),
    )


def _paired(first: Sequence[_Ready], second: Sequence[_Ready]) -> Iterator[tuple[_Ready, _Ready]]:
    """Yield authors with one of another group each; what is left of the larger group is passed over."""
    return zip(first, second, strict=False)


def _asked(one: _Ready, other: _Ready) -> Iterator[tuple[Kind, Document]]:
    texts = {
        Kind.OWN: one.asked,
        Kind.OTHER: other.asked,
        Kind.OBFUSCATED: one.obfuscated,
        Kind.IMITATING: one.imitating,
        Kind.OTHER_OBFUSCATED: other.obfuscated,
        Kind.OTHER_IMITATING: other.imitating,
    }
    return ((kind, text) for kind, several in texts.items() for text in several)


def _problem(place: int, author: _Ready, unknown: Document) -> Problem:
    return Problem(f"{place:03}-{author.name}", author.known, unknown)


@dataclass(frozen=True)
class Resistance:
    """How a verifier fares.

    Attributes
    ----------
    auc
        By kind of the author's texts, beside texts of others of the same kind.
    recognised
        By kind, the share of texts that are taken for the author's, rightly or not.
    """

    verifier: str
    auc: Mapping[Kind, float]
    recognised: Mapping[Kind, float]


def resist(
    rounds: Sequence[Round],
    chosen: Chosen,
    jobs: int = 1,
    say: Callable[[str], None] = lambda _: None,
) -> tuple[list[Resistance], dict[str, str]]:
    """Let verifiers answer all rounds; return how they fare, best AUC first, and why others do not answer."""
    scores: dict[str, list[Floats]] = {}
    failed: dict[str, str] = {}
    for number, one in enumerate(rounds, 1):
        say(f"Round {number} of {len(rounds)}")
        given = ProblemSet("brennan-greenstadt", one.problems)
        outcome = verify(given, chosen, TrainingSet(one.lessons, one.truth), jobs=jobs)
        failed |= {**outcome.failed, **outcome.skipped}
        for name, answered in outcome.answered.items():
            scores.setdefault(name, []).append(
                np.array([answered.scores[problem.id] for problem in one.problems])
            )
    kinds = [np.array(one.kinds) for one in rounds]
    made = [resistance(name, several, kinds) for name, several in scores.items() if name not in failed]
    return sorted(made, key=lambda one: (-one.auc[Kind.OWN], one.verifier)), failed


def resistance(verifier: str, scores: Sequence[Floats], kinds: Sequence[npt.NDArray[np.str_]]) -> Resistance:
    """Measure a verifier by its scores in each round and what the problems there were.

    Where its answers turn in a round is where most answers to usual texts are right in the other rounds.
    """
    taken: list[Truths] = []
    for number, here in enumerate(scores):
        rest = [place for place in range(len(scores)) if place != number]
        seen = np.concatenate([scores[place] for place in rest])
        what = np.concatenate([kinds[place] for place in rest])
        usual = np.isin(what, (Kind.OWN, Kind.OTHER))
        taken.append(here > best_threshold(seen[usual], what[usual] == Kind.OWN))
    every, decided, what = np.concatenate(scores), np.concatenate(taken), np.concatenate(kinds)
    return Resistance(
        verifier,
        {kind: _auc(every, what, kind) for kind in RIVALS},
        {kind: float(decided[what == kind].mean()) for kind in Kind},
    )


def _auc(scores: Floats, what: npt.NDArray[np.str_], kind: Kind) -> float:
    compared = np.isin(what, (kind, RIVALS[kind]))
    return float(auc(Answers(what[compared] == kind, scores[compared])))


def resistance_table(found: Sequence[Resistance]) -> ComparedTable:
    """Return the table: a row per verifier, and their medians."""
    rows = [_row(one.verifier, _values(one)) for one in found]
    if len(found) > 1:
        rows.append(_row("median", np.median([_values(one) for one in found], axis=0).tolist()))
    columns = (
        *("Verifier", "AUC", "AUC, obfuscated", "AUC, imitating"),
        *("Own recognised", "Obfuscated", "Imitating", "Others' taken"),
    )
    return ComparedTable("brennan-greenstadt", "What people can do against verifiers", columns, rows)


def _values(one: Resistance) -> list[float]:
    shown = (*RIVALS, Kind.OTHER)
    return [*one.auc.values(), *(one.recognised[kind] for kind in shown)]


def _row(name: str, values: Sequence[float]) -> list[Cell]:
    return [name, *(Compared(value, digits=2) for value in values)]


def resistance_figure(found: Sequence[Resistance]) -> Figure:
    """Return the figure: the share of texts that each verifier recognises, by its AUC on usual ones."""
    x = np.array([one.auc[Kind.OWN] for one in found])
    markers: dict[Kind, Marker] = {Kind.OWN: "circle", Kind.OBFUSCATED: "cross", Kind.IMITATING: "diamond"}
    series = [
        Series(kind.value, marker, x, np.array([one.recognised[kind] for one in found]))
        for kind, marker in markers.items()
    ]
    panel = Panel("Texts recognised as the author's", "AUC on usual texts", "share recognised", series)
    return Figure(
        "brennan-greenstadt",
        "A verifier is three points above each other: how many of the author's usual texts it recognises, "
        "and how many of those in which they tried to hide.",
        [[panel]],
    )
