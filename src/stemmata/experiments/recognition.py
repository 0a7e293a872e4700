"""How recognisable a text is: what verifiers say of it beside other texts of its author, before and after.

They are asked what `stemmata verify` asks, and answer as there: above 0.5 the same author, below another, 0.5
no answer. Most compare with the other problems of a batch. So the text comes in one: with each sample beside
the rest, with texts by others beside the samples, and with these two by two, as problems of authors that the
text has nothing to do with. `verify` gives the same scores to the same problems.

A verifier is not safe to judge if it has no answer, or takes as large a share of the texts by others for the
author's as of the author's own. Where there are too few by others to see that, one that gives all texts the
same score is asked about a text that nobody wrote, this one back to front: the text may not have changed, or
may be as much the author's as ever.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from stemmata.experiments.cells import Cells
from stemmata.experiments.problem_sets import MOST_CHARACTERS, ProblemSet
from stemmata.experiments.verifying import UNANSWERED, choose, verify
from stemmata.model import Document, Problem

ALONE = ("castro15", "halvani13", "halvani14", "jankowska14", "layton14")
"""Verifiers that need neither training nor texts of others."""
AMONG = (*ALONE, "castillojuarez14", "kocher15", "singh14", "stemmata", "vandam13")
"""Verifiers that are asked where there are texts of others."""
MOST_OTHERS = 40
FEW = 3
"""So many texts of others are needed to tell whether a verifier knows them from the author's."""
TEXT = "text"
"""What the problem is called that the text is in."""


@dataclass(frozen=True)
class Recognised:
    """What one verifier says.

    Attributes
    ----------
    before, after
        Its scores of the text as it was and as it is.
    own, others
        Scores of the author's other texts, each beside the rest, and of texts by others.
    doubt
        Why its answers are not safe to judge by; nothing if they are.
    """

    verifier: str
    before: float
    after: float
    own: tuple[float, ...] = ()
    others: tuple[float, ...] = ()
    doubt: str = ""

    @property
    def threshold(self) -> float:
        """A score above it says that the text is the author's."""
        return UNANSWERED

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
    answers
        Of all verifiers that answered.
    failed
        Why others did not.
    """

    answers: tuple[Recognised, ...] = ()
    failed: dict[str, str] = field(default_factory=dict)

    @property
    def verifiers(self) -> tuple[Recognised, ...]:
        """Those that are safe to judge by."""
        return tuple(one for one in self.answers if not one.doubt)

    @property
    def unsafe(self) -> tuple[Recognised, ...]:
        """Those that are not."""
        return tuple(one for one in self.answers if one.doubt)


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

    Both times the verifiers see the same other problems beside it, so that whatever they compare with is the
    same.
    """
    if not any(one.text.strip() for one in samples):
        return Recognition()
    enough = len(_used(others)) >= FEW
    names = sorted(AMONG if enough else ALONE)

    def asked(text: str, names: Sequence[str]) -> tuple[dict[str, Mapping[str, float]], dict[str, str]]:
        problems = problems_of(samples, Document(before.name, text), others)
        outcome = verify(problems, choose(names), jobs=jobs, cells=cells)
        return {name: one.scores for name, one in outcome.answered.items()}, outcome.failed

    was, failed_before = asked(before.text, names)
    now, failed_after = asked(after, names)
    made = [_recognised(name, was[name], now[name]) for name in names if name in was and name in now]
    same = [
        one.verifier
        for one in made
        if not one.doubt and len({*was[one.verifier].values(), *now[one.verifier].values()}) == 1
    ]
    nobody = asked(before.text[::-1], same)[0] if same and not enough else {}
    answers = [
        replace(one, doubt="it gives any text here the same score")
        if one.verifier in same and nobody.get(one.verifier, {}).get(TEXT, one.before) == one.before
        else one
        for one in made
    ]
    return Recognition(tuple(answers), {**failed_before, **failed_after})


def problems_of(samples: Sequence[Document], text: Document, others: Sequence[Document] = ()) -> ProblemSet:
    """Return the problems among which a text is judged, in the order in which `verify` reads them."""
    known = tuple(_shown(one) for one in samples if one.text.strip())
    strangers = _used(others)
    problems = [Problem(TEXT, known, _shown(text))] if text.text.strip() else []
    if len(known) > 1:
        problems += [
            Problem(f"own-{number:04}", tuple(two for two in known if two is not one), one)
            for number, one in enumerate(known, 1)
        ]
    problems += [Problem(f"other-{number:04}", known, one) for number, one in enumerate(strangers, 1)]
    problems += [
        Problem(f"pair-{number:04}", (one,), two)
        for number, (one, two) in enumerate(zip(strangers[::2], strangers[1::2], strict=False), 1)
    ]
    return ProblemSet(TEXT, tuple(sorted(problems, key=lambda one: one.id)))


def _used(others: Sequence[Document]) -> list[Document]:
    return [_shown(one) for one in others if one.text.strip()][:MOST_OTHERS]


def _shown(document: Document) -> Document:
    """Return as much of a text as `verify` shows to verifiers."""
    return replace(document, text=document.text[:MOST_CHARACTERS])


def _recognised(name: str, before: Mapping[str, float], after: Mapping[str, float]) -> Recognised:
    own = tuple(score for problem, score in before.items() if problem.startswith("own-"))
    others = tuple(sorted(score for problem, score in before.items() if problem.startswith("other-")))
    # A text of which nothing is left is nobody's.
    made = Recognised(name, before.get(TEXT, 0.0), after.get(TEXT, 0.0), own, others)
    return replace(made, doubt=_doubt(made))


def _doubt(one: Recognised) -> str:
    """Return why a verifier is not safe to judge by, as far as its scores tell."""
    if UNANSWERED in (one.before, one.after):
        return "it has no answer"
    if len(one.others) < FEW:
        return ""
    own = (*one.own, one.before)
    yes, strangers = (sum(score > one.threshold for score in scores) for scores in (own, one.others))
    if yes * len(one.others) > strangers * len(own):
        return ""
    found = f"{strangers} of {len(one.others)} texts by others for yours"
    return f"it takes {found}, and {yes} of {len(own)} of your own"
