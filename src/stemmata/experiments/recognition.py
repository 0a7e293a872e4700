"""How recognisable a text is: what verifiers say of it beside other texts of its author, before and after.

Where there are texts of others, a verifier recognises a text that scores above the threshold which best parts
the author's own texts from theirs, as in PAN18. Otherwise it does if the text scores no lower than the
author's other texts do beside each other; and if there is but one of these, if it says "the same author".

A verifier that gives all texts the same score may still mean it: the text may not have changed, or may be as
much the author's as ever. Where too few texts of others can tell, it is asked about one that nobody wrote,
the text back to front. Only if that gets the same score too is its answer none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from stemmata.experiments.cells import Cells
from stemmata.experiments.problem_sets import ProblemSet
from stemmata.experiments.verifying import UNANSWERED, Outcome, choose, verify
from stemmata.measures.safety import accuracy_threshold
from stemmata.model import Document, Problem

ALONE = ("castro15", "halvani13", "halvani14", "jankowska14", "layton14")
"""Verifiers that need neither training nor texts of others."""
AMONG = (*ALONE, "castillojuarez14", "kocher15", "singh14", "stemmata", "vandam13")
"""Verifiers that are asked where there are texts of others."""
MOST_OTHERS = 40
FEW = 3
"""So many texts of others are needed to tell where a verifier's scores part."""


@dataclass(frozen=True)
class Recognised:
    """What one verifier says.

    Attributes
    ----------
    before, after
        Its scores of the text as it was and as it is.
    threshold
        A score above it says that the text is the author's.
    own
        Mean score of the author's other texts, each beside the rest; None for a single one.
    others
        Scores of texts by others.
    """

    verifier: str
    before: float
    after: float
    threshold: float = UNANSWERED
    own: float | None = None
    others: tuple[float, ...] = ()

    @property
    def was(self) -> bool:
        """Whether the text was recognised."""
        return self.before > self.threshold

    @property
    def is_still(self) -> bool:
        """Whether it still is."""
        return self.after > self.threshold

    def nearer(self, score: float) -> int:
        """Return how many texts of others look as much like the author's."""
        return sum(one >= score for one in self.others)


@dataclass(frozen=True)
class Recognition:
    """What all verifiers say, and why some say nothing.

    Attributes
    ----------
    silent
        Verifiers that give all texts the same score, whosever they are; there is too little text for them.
    """

    verifiers: tuple[Recognised, ...] = ()
    failed: dict[str, str] = field(default_factory=dict)
    silent: tuple[str, ...] = ()


def recognise(
    samples: Sequence[Document],
    before: Document,
    after: str,
    others: Sequence[Document] = (),
    *,
    jobs: int = 1,
    cells: Cells | None = None,
) -> Recognition:
    """Ask verifiers whether a text is by the author of samples, as it was and as it is.

    Both times the verifiers see the same other problems beside it: each sample against the rest, and texts of
    others, so that whatever they compare with is the same.
    """
    known = tuple(one for one in samples if one.text.strip())
    if not known:
        return Recognition()
    strangers = [one for one in others if one.text.strip()][:MOST_OTHERS]
    background = _own(known) + _others(known, strangers)

    def asked(text: str, names: Sequence[str]) -> Outcome:
        problem = Problem("text", known, Document(before.name, text))
        problems = (problem, *background) if text.strip() else tuple(background)
        return verify(ProblemSet("text", problems), choose(names), jobs=jobs, cells=cells)

    enough = len(strangers) >= FEW
    names = sorted(AMONG if enough else ALONE)
    was, now = asked(before.text, names), asked(after, names)
    scores = {
        name: (was.answered[name].scores, now.answered[name].scores)
        for name in names
        if name in was.answered and name in now.answered
    }
    same = [
        name for name, two in scores.items() if len({score for one in two for score in one.values()}) == 1
    ]
    doubted = [name for name in same if not enough and UNANSWERED not in scores[name][0].values()]
    nobody = asked(before.text[::-1], doubted).answered if doubted else {}
    telling = {name for name, one in nobody.items() if one.scores["text"] not in scores[name][0].values()}
    silent = [name for name in same if name not in telling]
    made = (_recognised(name, *two) for name, two in scores.items() if name not in silent)
    return Recognition(tuple(made), {**was.failed, **now.failed}, tuple(silent))


def _own(samples: Sequence[Document]) -> list[Problem]:
    """Return each sample as a problem beside the rest."""
    if len(samples) < 2:
        return []
    return [
        Problem(f"own-{number}", tuple(two for two in samples if two is not one), one)
        for number, one in enumerate(samples)
    ]


def _others(samples: Sequence[Document], others: Sequence[Document]) -> list[Problem]:
    return [Problem(f"other-{number}", tuple(samples), one) for number, one in enumerate(others)]


def _recognised(name: str, before: Mapping[str, float], after: Mapping[str, float]) -> Recognised:
    own = [score for problem, score in before.items() if problem.startswith("own-")]
    others = [score for problem, score in before.items() if problem.startswith("other-")]
    # A text of which nothing is left is nobody's.
    was, now = before.get("text", 0.0), after.get("text", 0.0)
    # A score counts as recognised above the threshold, and the lowest of the author's own does.
    threshold = float(np.nextafter(min(own), -1.0)) if own else UNANSWERED
    if len(others) >= FEW:
        mine = own or [was]
        truth = np.array([True] * len(mine) + [False] * len(others))
        threshold = float(np.clip(accuracy_threshold(np.array([*mine, *others]), truth), 0.0, 1.0))
    return Recognised(name, was, now, threshold, sum(own) / len(own) if own else None, tuple(sorted(others)))
