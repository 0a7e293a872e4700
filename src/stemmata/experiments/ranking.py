"""The world ranking as an experiment: obfuscators hide texts, verifiers look at them before and after.

Three rounds, each of many small pieces of work that are kept as cells: texts are masked, verifiers that learn
learn, verifiers look. Pieces that deal with the same texts come one after another, the longest first, so that
a process analyses texts once, holds few of them, and none works long after the others are done.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from stemmata.experiments.cells import Cells, cells_folder
from stemmata.experiments.masking import ChosenObfuscators, Masked, mask_all, words_in
from stemmata.experiments.problem_sets import TrainingSet
from stemmata.experiments.ranking_corpora import GivenRun, RankedCorpus
from stemmata.experiments.ranking_looks import ORIGINAL, Look, Room, Seen, look_all
from stemmata.experiments.verifying import Chosen
from stemmata.measures.safety import Floats, Safety
from stemmata.model import ErrorCode, Problem, StemmataError

Advance = Callable[[str, int, int], None]
Answers = Mapping[str, float]
Found = Sequence[Mapping[str, Mapping[str, Masked]]]
"""By corpus, obfuscator and problem, what became of texts."""


@dataclass(frozen=True)
class Plan:
    """What a world ranking is made of.

    Attributes
    ----------
    corpora
        The problems.
    obfuscators, runs
        Who hides texts here, and what was hidden elsewhere.
    verifiers, answers
        Who looks at them here; and by verifier, corpus and variant, what others answered elsewhere.
    training
        What verifiers learn from; without it they are cross-validated on each corpus.
    adversary
        Whether verifiers that learn are also trained on texts of the obfuscator that they are to face.
    """

    corpora: Sequence[RankedCorpus]
    obfuscators: ChosenObfuscators
    verifiers: Chosen
    runs: Sequence[GivenRun] = ()
    answers: Mapping[str, Mapping[tuple[str, str], Answers]] = field(default_factory=dict)
    training: TrainingSet | None = None
    adversary: bool = False


@dataclass(frozen=True)
class CorpusResult:
    """What came of one corpus.

    Attributes
    ----------
    masked
        By obfuscator and problem.
    answers
        By variant and verifier: scores by problem.
    adversary
        By obfuscator: answers by verifier to the original and to its problems, where verifiers that learn
        were trained on its texts.
    learners
        Verifiers that learn.
    seconds
        CPU time of each verifier over all variants, learning not included.
    """

    corpus: RankedCorpus
    masked: Mapping[str, Mapping[str, Masked]] = field(repr=False)
    answers: Mapping[str, Mapping[str, Answers]] = field(repr=False)
    adversary: Mapping[str, tuple[Mapping[str, Answers], Mapping[str, Answers]]] = field(repr=False)
    learners: frozenset[str] = frozenset()
    seconds: Mapping[str, float] = field(default_factory=dict)

    @cached_property
    def safety(self) -> Safety:
        """The safety of all obfuscators."""
        after = {name: run for name, run in self.answers.items() if name != ORIGINAL}
        return self._safety(self.answers[ORIGINAL], after)

    def adversary_safety(self, obfuscator: str) -> Safety:
        """Return the safety of one obfuscator where verifiers that learn know it."""
        before, after = self.adversary[obfuscator]
        return self._safety(before, {obfuscator: after})

    def _safety(self, before: Mapping[str, Answers], after: Mapping[str, Mapping[str, Answers]]) -> Safety:
        ids = [one.id for one in self.corpus.problems]

        def rows(run: Mapping[str, Answers]) -> dict[str, Floats]:
            return {
                name: np.array([given.get(one, np.nan) for one in ids], np.float64)
                for name, given in run.items()
            }

        obfuscated = {name: rows(run) for name, run in after.items()}
        return Safety(ids, np.array(self.corpus.truth, dtype=np.bool_), rows(before), obfuscated)


@dataclass
class Ranked:
    """What came of a ranking: by corpus what was found, why others did not take part, and what to note."""

    corpora: dict[str, CorpusResult] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def rank(
    plan: Plan, *, jobs: int = 1, cells: Cells | None = None, advance: Advance = lambda *_: None
) -> Ranked:
    """Run a world ranking; what was computed before is not computed again.

    A verifier that fails anywhere on a corpus has no part in that corpus, an obfuscator that fails has none
    at all; both are told of.

    Parameters
    ----------
    plan
        Who takes part.
    jobs
        Number of processes; the result does not depend on it.
    cells
        Where results are kept; by default in the user's cache.
    advance
        Is told what is being done, how much of it there is, and how much more is done.
    """
    cells = cells or Cells(cells_folder())
    ranked = Ranked(
        failed={**plan.obfuscators.broken, **plan.verifiers.broken},
        skipped={**plan.obfuscators.skipped, **plan.verifiers.skipped},
    )
    masked = _masked(plan, ranked, jobs, cells, advance)
    texts = [
        {name: {one: made.text for one, made in by.items()} for name, by in corpus.items()}
        for corpus in masked
    ]
    if not any(texts):
        raise nobody_to_rank("obfuscator", ranked.skipped, ranked.failed)
    names = sorted({name for by in texts for name in by if name in plan.obfuscators.obfuscators})
    lessons = _training_texts(plan, names, jobs, cells, advance)
    room = Room(plan.corpora, texts, plan.verifiers.verifiers, plan.training, lessons, cells)
    if plan.adversary and not any(map(room.learns, room.verifiers)):
        ranked.notes.append("no verifier here learns, so that none could be trained on obfuscated texts")
        plan = replace(plan, adversary=False)
    seen = look_all(room, room.looks(plan.adversary), jobs, advance)
    for place, corpus in enumerate(plan.corpora):
        result = _result(plan, room, place, masked[place], seen, ranked)
        if result.answers[ORIGINAL]:
            ranked.corpora[corpus.name] = result
    if not ranked.corpora:
        raise nobody_to_rank("verifier", ranked.skipped, ranked.failed)
    return ranked


def _masked(plan: Plan, ranked: Ranked, jobs: int, cells: Cells, advance: Advance) -> Found:
    """Return what became of the texts."""
    found: list[dict[str, dict[str, Masked]]] = [{} for _ in plan.corpora]
    # Before the work, since something may be wrong with them.
    given = [
        (place, run.name, run.masked(corpus, ranked.notes.append))
        for run in plan.runs
        for place, corpus in enumerate(plan.corpora)
    ]
    work = [
        (place, name, problem)
        for name in plan.obfuscators.obfuscators
        for place, corpus in enumerate(plan.corpora)
        for problem in corpus.positives
    ]
    made = _mask(plan, [(name, one) for _, name, one in work], "Masking", jobs, cells, advance)
    # A verifier that failed may bear the same name.
    failed: dict[str, str] = {}
    for (place, name, problem), one in zip(work, made, strict=True):
        if isinstance(one, str):
            failed.setdefault(name, one)
        else:
            found[place].setdefault(name, {})[problem.id] = one
    for name, reason in failed.items():
        ranked.failed[name] = "; ".join(filter(None, (ranked.failed.get(name), reason)))
        for by in found:
            by.pop(name, None)
    for place, name, made_elsewhere in given:
        found[place][name] = made_elsewhere
    return found


def _training_texts(
    plan: Plan, names: Sequence[str], jobs: int, cells: Cells, advance: Advance
) -> dict[str, dict[str, str]]:
    """Return by obfuscator the obfuscated texts of the problems to learn from, where these were given."""
    if plan.training is None or not plan.adversary:
        return {}
    hidden = [one for one, same in zip(plan.training.problems, plan.training.truth, strict=True) if same]
    work = [(name, problem) for name in names for problem in hidden]
    made = _mask(plan, work, "Masking lessons", jobs, cells, advance)
    texts: dict[str, dict[str, str]] = {name: {} for name in names}
    for (name, problem), one in zip(work, made, strict=True):
        if not isinstance(one, str):
            texts[name][problem.id] = one.text
    return texts


def _mask(
    plan: Plan, work: Sequence[tuple[str, Problem]], what: str, jobs: int, cells: Cells, advance: Advance
) -> list[Masked | str]:
    total = sum(words_in(problem) for _, problem in work)

    def more(count: int) -> None:
        advance(what, total, count)

    return mask_all(work, plan.obfuscators.obfuscators, jobs=jobs, cells=cells, advance=more)


def _result(
    plan: Plan,
    room: Room,
    place: int,
    masked: Mapping[str, Mapping[str, Masked]],
    seen: Mapping[Look, Seen | str],
    ranked: Ranked,
) -> CorpusResult:
    """Put together what was seen of one corpus."""
    corpus = plan.corpora[place]
    variants = [ORIGINAL, *masked]
    here = {look: one for look, one in seen.items() if look.corpus == place}
    out = set()
    for look, one in here.items():
        if isinstance(one, str):
            out.add(look.verifier)
            ranked.failed.setdefault(f"{look.verifier} ({corpus.name})", one)
    answers = {variant: _given(plan, corpus, variant) for variant in variants}
    adversary: dict[str, tuple[dict[str, Answers], dict[str, Answers]]] = {}
    seconds: dict[str, float] = {}
    for look, one in here.items():
        if isinstance(one, str) or look.verifier in out:
            continue
        seconds[look.verifier] = round(seconds.get(look.verifier, 0.0) + one.seconds, 3)
        if not look.against:
            answers[look.variant][look.verifier] = one.scores
    for name in masked if plan.adversary else ():
        before, after = dict(answers[ORIGINAL]), dict(answers[name])
        for look, one in here.items():
            if look.against == name and look.verifier not in out and not isinstance(one, str):
                (before if look.variant == ORIGINAL else after)[look.verifier] = one.scores
        adversary[name] = (before, after)
    learners = frozenset(name for name in plan.verifiers.verifiers if room.learns(name) and name not in out)
    return CorpusResult(corpus, masked, answers, adversary, learners, seconds)


def _given(plan: Plan, corpus: RankedCorpus, variant: str) -> dict[str, Answers]:
    """Return the answers that were made elsewhere."""
    return {name: by[corpus.name, variant] for name, by in plan.answers.items()}


def nobody_to_rank(
    family: str, skipped: Mapping[str, str], failed: Mapping[str, str] | None = None
) -> StemmataError:
    """Return the error for a family of which nobody can take part, or came to an end, with the reasons."""
    reasons = "; ".join(dict.fromkeys([*skipped.values(), *(failed or {}).values()]))
    names = {"family": family, "families": f"{family}s"}
    if failed:
        return StemmataError(ErrorCode.EVERYONE_FAILED, **names, reasons=reasons)
    return StemmataError(ErrorCode.NOBODY_TO_RANK, **names, reasons=f": {reasons}" if reasons else "")
