"""A world ranking in figures: what ``ranking.json`` says and the page shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stemmata import __version__
from stemmata.experiments.attacks import ATTACKS, robustness
from stemmata.experiments.cells import Cells, digest
from stemmata.experiments.changes import Change, change_of
from stemmata.experiments.grading import Grades, grade_all, mean_grades
from stemmata.experiments.programs import made_by
from stemmata.experiments.ranking import Advance, CorpusResult, Plan, Ranked
from stemmata.measures.definition import signature
from stemmata.measures.safety import Safety
from stemmata.measures.world_ranking import WorldRanking

SEEDS = 10
RESAMPLES = 1000
LEVEL = 0.95
PAGE = 250
"""Words of a text that people may want to read."""


@dataclass(frozen=True)
class Summary:
    """A ranking, ready to be told.

    Attributes
    ----------
    world
        The ranking over all corpora.
    adversary
        By obfuscator, the ranking where verifiers that learn know it; empty if none was trained.
    learners
        The verifiers that learn.
    """

    ranked: Ranked
    world: WorldRanking
    adversary: Mapping[str, WorldRanking]
    learners: frozenset[str]
    changes: Mapping[str, Change]

    @classmethod
    def of(cls, ranked: Ranked) -> Summary:
        """Sum up what came of a ranking."""
        world = WorldRanking({name: one.safety for name, one in ranked.corpora.items()})
        adversary = {
            name: WorldRanking({corpus: one.adversary_safety(name) for corpus, one in ranked.corpora.items()})
            for name in world.obfuscators
            if all(name in one.adversary for one in ranked.corpora.values())
        }
        learners = frozenset(name for one in ranked.corpora.values() for name in one.learners)
        changes = {
            name: change_of(
                [made for one in ranked.corpora.values() for made in one.masked.get(name, {}).values()]
            )
            for name in world.obfuscators
        }
        return cls(ranked, world, adversary, learners, changes)

    @property
    def units(self) -> dict[str, dict[str, object]]:
        """The unknown text of each problem, by corpus."""
        return {name: one.corpus.units for name, one in self.ranked.corpora.items()}

    def shares_of_learners(self, obfuscator: str) -> tuple[float | None, float | None] | None:
        """Return the shares against verifiers that learn alone: as they are, and trained on its texts."""
        if obfuscator not in self.adversary:
            return None
        plain = {name: _among(one, self.learners) for name, one in self.world.corpora.items()}
        known = {name: _among(one, self.learners) for name, one in self.adversary[obfuscator].corpora.items()}
        if not any(plain.values()) or not any(known.values()):
            return None
        shares = [
            share_of(WorldRanking({name: one for name, one in some.items() if one is not None}), obfuscator)
            for some in (plain, known)
        ]
        return shares[0], shares[1]

    def robustness(self) -> list[dict[str, Any]]:
        """Return what attacks on the ranking do to it, corpus by corpus."""
        found = []
        for name, safety in self.world.corpora.items():
            for attack in ATTACKS:
                one = robustness(safety, attack, range(SEEDS))
                moved = [one.mean[who] / score - 1 for who, score in one.before.items() if score]
                scores = list(one.before.values())
                ordered = not np.allclose(scores, scores[0])
                found.append(
                    {
                        "corpus": name,
                        "attack": attack,
                        "moved": float(np.mean(moved)) if moved else None,
                        "pairs_kept": one.pairs_kept if ordered else None,
                        "order_kept": one.order_kept if ordered else None,
                    }
                )
        return found


def share_of(world: WorldRanking, obfuscator: str) -> float | None:
    """Return the share of a perfect score; None where nobody can be fooled, so that perfect is nothing."""
    return world.share(obfuscator) if world.perfect else None


def _among(safety: Safety, verifiers: frozenset[str]) -> Safety | None:
    """Return the safety from some verifiers alone."""
    original = {name: row for name, row in safety.original.items() if name in verifiers}
    if not original:
        return None
    obfuscated = {
        name: {one: row for one, row in run.items() if one in verifiers}
        for name, run in safety.obfuscated.items()
    }
    return Safety(safety.problems, safety.truth, original, obfuscated, safety.tau)


def chosen_texts(ranked: Ranked, most: int) -> list[tuple[str, str]]:
    """Return corpus and problem of some texts that were to be hidden, spread evenly over all."""
    every = [(name, one.id) for name, result in ranked.corpora.items() for one in result.corpus.positives]
    places = np.unique(np.linspace(0, len(every) - 1, min(most, len(every))).astype(int))
    return [every[place] for place in places.tolist()]


def short_texts(ranked: Ranked, most: int) -> list[tuple[str, str]]:
    """Return corpus and problem of some texts of about a page, for people to read."""
    every = [
        (abs(len(one.unknown.text.split()) - PAGE), name, one.id)
        for name, result in ranked.corpora.items()
        for one in result.corpus.positives
    ]
    return [(name, problem) for _, name, problem in sorted(every)[:most]]


def grade_obfuscators(
    ranked: Ranked,
    most: int,
    *,
    jobs: int = 1,
    cells: Cells | None = None,
    advance: Advance = lambda *_: None,
) -> tuple[dict[str, dict[str, float] | None], str]:
    """Return mean predicted grades of each obfuscator over some texts, and why there are none."""
    if not most:
        return {}, "--judged is 0"
    texts = chosen_texts(ranked, most)
    work = [
        (name, result.masked[name][problem].pieces)
        for corpus, problem in texts
        for result in (ranked.corpora[corpus],)
        for name in result.masked
    ]

    def more(count: int) -> None:
        advance("Grading", len(work), count)

    grades = grade_all([pieces for _, pieces in work], jobs=jobs, cells=cells, advance=more)
    if isinstance(grades, str):
        return {}, grades
    by: dict[str, list[Grades]] = {}
    for (name, _), one in zip(work, grades, strict=True):
        by.setdefault(name, []).append(one)
    found = {name: mean_grades(some) for name, some in by.items()}
    return found, "" if any(found.values()) else "it is for texts in English"


def summary_data(
    summary: Summary,
    plan: Plan,
    quality: Mapping[str, Any],
    notes: Sequence[str],
    seed: int = 1,
    ungraded: str = "",
) -> dict[str, Any]:
    """Return all of a ranking as JSON can say it, with where it comes from; what is undefined is None.

    Parameters
    ----------
    summary, plan
        What came out, and of what.
    quality, ungraded
        Mean grades by obfuscator, and why there are none.
    notes
        What a reader should know.
    seed
        For drawing texts.
    """
    world, ranked = summary.world, summary.ranked
    total: dict[str, Any] = {}
    for name in world.obfuscators:
        bounds = world.interval(name, summary.units, np.random.default_rng(seed), LEVEL, RESAMPLES)
        change = summary.changes[name]
        one: dict[str, Any] = {
            "score": world.score(name),
            "share": share_of(world, name),
            "confidence": [_defined(bounds.low), _defined(bounds.high)],
            "words_kept": change.kept,
            "length": change.length,
            "pieces_changed": change.pieces,
            "edits": dict(change.kinds),
            "quality": quality.get(name),
        }
        if name in summary.adversary:
            learners = summary.shares_of_learners(name)
            one["adversary"] = {
                "share": share_of(summary.adversary[name], name),
                "learners_before": learners and learners[0],
                "learners": learners and learners[1],
            }
        total[name] = one
    described = f"{LEVEL:g}/bootstrap-{RESAMPLES}/seed-{seed}"
    return {
        "signature": signature(
            "safety",
            obfuscators=len(world.obfuscators),
            verifiers=len(world.verifiers),
            corpora=len(world.corpora),
            confidence=described,
        ),
        "perfect": world.perfect,
        "obfuscators": total,
        "corpora": {name: _corpus(one) for name, one in ranked.corpora.items()},
        "ungraded": ungraded or None,
        "robustness": summary.robustness(),
        "provenance": _provenance(plan, ranked),
        "failed": dict(ranked.failed),
        "skipped": dict(ranked.skipped),
        "notes": list(notes),
    }


def _corpus(result: CorpusResult) -> dict[str, Any]:
    safety = result.safety
    weights = zip(safety.verifiers, safety.accuracy, safety.coverage, safety.importance, strict=True)
    return {
        "problems": len(safety.problems),
        "positives": int(safety.truth.sum()),
        "perfect": safety.perfect,
        "obfuscators": {
            name: {
                "score": safety.score(name),
                "share": safety.score(name) / safety.perfect if safety.perfect else None,
                "average_impact": _defined(safety.impact(name).average_impact),
            }
            for name in safety.obfuscated
        },
        "verifiers": {
            name: {
                "accuracy": float(accuracy),
                "coverage": float(coverage),
                "importance": float(importance),
                "learns": name in result.learners,
            }
            for name, accuracy, coverage, importance in weights
        },
    }


def _defined(value: float) -> float | None:
    return value if np.isfinite(value) else None


def _provenance(plan: Plan, ranked: Ranked) -> dict[str, Any]:
    """Return what the ranking was made from and by, so that another can be compared with it."""
    from stemmata.experiments.masking import PACKAGES as MASKING
    from stemmata.experiments.verifying import PACKAGES as VERIFYING

    return {
        "version": __version__,
        "corpora": {
            name: digest(text for one in result.corpus.problems for text in (one.id, one.unknown.text))
            for name, result in ranked.corpora.items()
        },
        "obfuscators": {
            name: made_by("obfuscator", name, one, MASKING)
            for name, one in plan.obfuscators.obfuscators.items()
        },
        "runs": {run.name: str(run.folder) for run in plan.runs},
        "verifiers": {
            name: made_by("verifier", name, one, VERIFYING) for name, one in plan.verifiers.verifiers.items()
        },
        "answers": sorted(plan.answers),
        "training": plan.training and plan.training.digest,
        "learning": "given problems" if plan.training else "cross-validated",
    }
