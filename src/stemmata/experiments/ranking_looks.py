"""Looks: verifiers at corpora, as they were and as obfuscators left them, each look kept as a cell.

A verifier that learns is shown what it did not learn from: it learns from problems that were given, or is
cross-validated, each part of a corpus being answered by one that learned from texts none of which is in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from stemmata.authorship.one_class import with_halves
from stemmata.experiments.cells import Cells, Parts, digest
from stemmata.experiments.pooling import Pool, SharedDesk
from stemmata.experiments.problem_sets import ProblemSet, TrainingSet
from stemmata.experiments.programs import made_by
from stemmata.experiments.ranking_corpora import RankedCorpus, lessons_of, obfuscated_lessons, texts_of
from stemmata.experiments.verifying import PACKAGES, UNANSWERED, Desk, slowest_first
from stemmata.model import ErrorCode, LearningVerifier, StemmataError, Verifier
from stemmata.model.guarding import guarded
from stemmata.model.processes import Processes

ORIGINAL = ""
"""The variant of a corpus in which nothing is obfuscated."""

Texts = Mapping[str, str]
Advance = Callable[[int], None]


@dataclass(frozen=True)
class Look:
    """One look of a verifier at a corpus: a piece of work.

    Attributes
    ----------
    corpus, variant, verifier
        The place of the corpus, the obfuscator whose texts are shown, and who looks.
    against
        The obfuscator on whose texts the verifier was trained as well; empty for none.
    """

    corpus: int
    variant: str
    verifier: str
    against: str = ""


@dataclass(frozen=True)
class Seen:
    """What came of a look: scores by problem, CPU seconds without learning, and whether it was kept."""

    scores: Mapping[str, float]
    seconds: float = 0.0
    kept: bool = False


@dataclass(frozen=True)
class Part:
    """Problems of a corpus, by place, and what is learned before they are answered."""

    scored: tuple[int, ...]
    training: TrainingSet | None


@dataclass(frozen=True)
class Room:
    """Where verifiers look.

    Attributes
    ----------
    corpora
        The problems.
    texts
        By corpus and obfuscator, the obfuscated texts by problem.
    verifiers
        Who looks, by name.
    training
        What verifiers learn from; without it they are cross-validated.
    training_texts
        By obfuscator, obfuscated texts of the problems to learn from.
    cells
        Where results are kept.
    """

    corpora: Sequence[RankedCorpus]
    texts: Sequence[Mapping[str, Texts]]
    verifiers: Mapping[str, Verifier]
    training: TrainingSet | None
    training_texts: Mapping[str, Texts]
    cells: Cells
    _made: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    def looks(self, adversary: bool) -> list[Look]:
        """Return all looks; those at the same texts follow one another, the longest first."""
        longest = sorted(self.verifiers, key=slowest_first)
        learners = [name for name in longest if self.learns(name)]
        looks = []
        for place, by in enumerate(self.texts):
            for variant in (ORIGINAL, *by):
                looks += [Look(place, variant, name) for name in longest]
            for against in by if adversary else ():
                for variant in (ORIGINAL, against):
                    looks += [Look(place, variant, name, against) for name in learners]
        return looks

    def learns(self, name: str) -> bool:
        """Tell whether a verifier learns; one that comes with something learned learns anew, too."""
        return isinstance(self.verifiers[name], LearningVerifier)

    def shown(self, corpus: int, variant: str) -> ProblemSet:
        """Return a corpus as a verifier sees it."""
        texts = self.texts[corpus].get(variant, {})
        made: ProblemSet = self._once(("shown", corpus, variant), lambda: self.corpora[corpus].variant(texts))
        return made

    def parts(self, look: Look) -> list[Part]:
        """Return the parts of a corpus that are shown to a verifier one by one."""
        if not self.learns(look.verifier):
            return [Part(tuple(range(len(self.corpora[look.corpus].problems))), None)]
        made: list[Part] = self._once(("parts", look.corpus, look.against), lambda: self._parts(look))
        return made

    def _parts(self, look: Look) -> list[Part]:
        corpus, own = self.corpora[look.corpus], self.training
        if own is not None and (not look.against or look.against in self.training_texts):
            more, answers = obfuscated_lessons(
                own.problems, own.truth, self.training_texts.get(look.against, {})
            )
            lessons = TrainingSet((*own.problems, *more), (*own.truth, *answers))
            return [Part(tuple(range(len(corpus.problems))), lessons)]
        texts = self.texts[look.corpus].get(look.against)
        parts = []
        for scored, apart in corpus.folds:
            lessons_here = lessons_of(corpus, apart, texts)
            if own is not None and lessons_here is not None:
                # Obfuscated texts that come as files are of this corpus alone.
                problems, truth = lessons_here.problems[len(apart) :], lessons_here.truth[len(apart) :]
                lessons_here = TrainingSet((*own.problems, *problems), (*own.truth, *truth))
            parts.append(Part(scored, lessons_here))
        return parts

    def recurring(self, corpus: int) -> frozenset[str]:
        """Return the texts that come again in every variant of a corpus: those as they were, and halves."""
        made: frozenset[str] = self._once(
            ("recurring", corpus),
            lambda: frozenset(
                text
                for one in self.corpora[corpus].problems
                for text in (*texts_of(one), *texts_of(with_halves(one)))
            ),
        )
        return made

    def key(self, look: Look) -> Parts:
        """Return all that decides what is seen."""
        verifier = self.verifiers[look.verifier]
        return {
            "what": "look",
            **made_by("verifier", look.verifier, verifier, PACKAGES),
            "problems": self.shown(look.corpus, look.variant).digest,
            "parts": [
                [digest(map(str, part.scored)), part.training and part.training.digest]
                for part in self.parts(look)
            ],
        }

    def found(self, look: Look) -> Seen | None:
        """Return what was seen before."""
        shown = self.shown(look.corpus, look.variant)
        cell = self.cells.get(self.key(look), lambda value: _are_scores(value, shown))
        return Seen(cell.value, cell.seconds, kept=True) if cell else None

    def see(self, look: Look, desks: Sequence[Desk]) -> Seen:
        """Look, and keep what is seen; problems that nothing could be learned for are left open."""
        shown = self.shown(look.corpus, look.variant)
        verifier = self.verifiers[look.verifier]

        def made() -> dict[str, float]:
            scores = dict.fromkeys(shown.ids, UNANSWERED)
            for desk in desks:
                scores |= desk.answer(look.verifier, verifier, None).scores
            return scores

        cell = self.cells.get_or_make(self.key(look), made, lambda value: _are_scores(value, shown))
        return Seen(cell.value, cell.seconds)

    def desks(self, look: Look, pool: Pool) -> list[Desk]:
        """Return a desk for each part of a corpus that something could be learned for."""
        corpus = self.corpora[look.corpus]
        shown = {one.id: one for one in self.shown(look.corpus, look.variant).problems}
        made: list[Desk] = []
        for part in self.parts(look):
            if part.training is not None or not self.learns(look.verifier):
                ids = (corpus.problems[place].id for place in part.scored)
                problems = tuple(shown[one] for one in ids if one in shown)
                made.append(
                    SharedDesk(ProblemSet(corpus.name, problems), part.training, self.cells, pool=pool)
                )
        return made

    def _once(self, key: Any, make: Callable[[], Any]) -> Any:
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]


def _are_scores(value: Any, shown: ProblemSet) -> bool:
    return sorted(value) == shown.ids and all(
        isinstance(one, int | float) and 0 <= one <= 1 for one in value.values()
    )


def look_all(
    room: Room, looks: Sequence[Look], jobs: int, advance: Callable[[str, int, int], None]
) -> dict[Look, Seen | str]:
    """Return what is seen by each look, or why nothing is."""
    seen: dict[Look, Seen | str] = {look: found for look in looks if (found := room.found(look))}
    left = [look for look in looks if look not in seen]
    lessons = _lessons(room, left)
    try:
        with Processes(min(jobs, len(left)), _enter, (replace(room, _made={}),)) as processes:
            for number, made in processes.completed(_learn, lessons, _told):
                advance("Learning", len(lessons), 1)
                if isinstance(made, str):
                    look = lessons[number][0]
                    seen |= {one: made for one in left if _lesson_of(room, one) == _lesson_of(room, look)}
            advance("Verifying", len(looks), len(seen))
            left = [look for look in left if look not in seen]
            for number, one in processes.completed(_see, [(look,) for look in left], _told):
                seen[left[number]] = one
                advance("Verifying", len(looks), 1)
    except StemmataError as error:
        # A process died; what was finished is kept, and nobody knows which of the rest killed it.
        seen |= {look: str(error) for look in left if look not in seen}
    finally:
        _enter(None)
    return seen


def _told(look: Look, *_: object) -> str:
    return f"{look.verifier} on texts of {look.variant}" if look.variant else look.verifier


def _lesson_of(room: Room, look: Look) -> tuple[str, str, int]:
    """Return what looks have in common that rest on the same lessons."""
    taught = room.training is not None and (not look.against or look.against in room.training_texts)
    return look.verifier, look.against, -1 if taught else look.corpus


def _lessons(room: Room, looks: Sequence[Look]) -> list[tuple[Look, int]]:
    """Return what must be learned before, each lesson once; those from the same texts stand together."""
    first: dict[tuple[str, str, int], Look] = {}
    for look in looks:
        if room.learns(look.verifier):
            first.setdefault(_lesson_of(room, look), look)
    found = [
        (look, number)
        for look in first.values()
        for number in range(sum(part.training is not None for part in room.parts(look)))
    ]
    return sorted(found, key=lambda one: (one[0].corpus, one[0].against, one[1]))


@dataclass
class _Table:
    """What a process has before it: texts of one corpus, and the desks at which it last worked."""

    room: Room
    corpus: int = -1
    scene: tuple[str, str, int] = ("", "", -1)
    pool: Pool = field(default_factory=Pool)
    desks: dict[bool, list[Desk]] = field(default_factory=dict)

    def at(self, look: Look, lesson: int = -1) -> list[Desk]:
        """Return the desks for a look; those for other texts are cleared away."""
        scene = (look.variant, look.against, lesson)
        if look.corpus != self.corpus:
            self.pool = Pool()
        if (look.corpus, scene) != (self.corpus, self.scene):
            self.corpus, self.scene = look.corpus, scene
            self.desks.clear()
            self.pool.keep(self.room.recurring(look.corpus))
        learns = self.room.learns(look.verifier)
        if learns not in self.desks:
            self.desks[learns] = self.room.desks(look, self.pool)
        return self.desks[learns]


_tables: list[_Table | None] = [None]


def _enter(room: Room | None) -> None:
    _tables[0] = None if room is None else _Table(room)


def _learn(look: Look, number: int) -> str | None:
    """Let a verifier learn for one part of a corpus; return why it cannot."""

    def work(table: _Table) -> None:
        table.at(look, number)[number].lesson(look.verifier, table.room.verifiers[look.verifier])

    reason: str | None = _guarded(look, work)
    return reason


def _see(look: Look) -> Seen | str:
    seen: Seen | str = _guarded(look, lambda table: table.room.see(look, table.at(look)))
    return seen


def _guarded(look: Look, work: Callable[[_Table], Any]) -> Any:
    """Return what comes of work, or why nothing does."""
    table = _tables[0]
    assert table is not None  # noqa: S101 - every process enters first
    return guarded(
        lambda: work(table),
        lambda reason: StemmataError(ErrorCode.VERIFIER_FAILED, verifier=look.verifier, reason=reason),
    )
