"""Which views of style tell what verifiers will say: what the goal of our obfuscator is made of.

``python -m benchmarks.views [SET …]`` rewrites texts in many ways, whatever they read like: half of the time
as hides best by a few views drawn at random, half of the time by chance. It lets the verifiers that guide our
obfuscator look, and fits what each family of style, seen in two ways, tells of how much less they said. The
weights are those of `stemmata.masking.guided.masker`; only texts that settings are chosen on are used.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from zlib import crc32

import numpy as np
from scipy.optimize import nnls

from benchmarks.hiding import guided, tuned
from stemmata.authorship import verifiers
from stemmata.experiments.cells import Cells, cells_folder
from stemmata.experiments.ranking_corpora import RankedCorpus
from stemmata.experiments.ranking_looks import ORIGINAL, Look, Room, Seen, look_all
from stemmata.experiments.verifying import choose
from stemmata.masking.constraints import allowed
from stemmata.masking.drafts import Draft
from stemmata.masking.goals import StyleGoal
from stemmata.masking.guided.masker import PLAIN, constraints_on, layout, proposals
from stemmata.masking.protected import unprotected
from stemmata.masking.search import greedy
from stemmata.masking.style import FAMILIES
from stemmata.model import Problem
from stemmata.rewriting import Edit
from stemmata.rewriting.edits import in_turn

SETS = ("pan15-train", "pan14ee-train", "pan14en-train")
TEXTS = 25
"""Texts of a set."""
WAYS = 12
"""Times that a text is rewritten in each of the two ways."""
SLOW = {"gillam14", "gillam15", "khonji14", "moreau14", "moreau15", "unmasking-2019"}
"""Verifiers that are not asked, for their time."""
LEAST_TOLD = 0.03
"""A verifier must be better than chance by this, in the share of right answers twice less one."""
FARTHEST = 2.0
"""What a verifier says less counts up to so many of its spreads."""
PENALTY = 10_000.0
"""On the squares of weights: as heavy as this, what is fitted on two sets holds best on a third."""
JOBS = 2


@dataclass(frozen=True)
class Told:
    """What became of the views, and of what verifiers say, when texts of a set were rewritten.

    Attributes
    ----------
    fallen
        By rewritten text and view, by how much the likeness fell.
    said
        By rewritten text, by how much verifiers say less, in their spreads.
    """

    fallen: np.ndarray
    said: np.ndarray


def run(quick: bool, sets: Sequence[str] = ()) -> None:
    """Print how well the views tell what verifiers say, and what each is worth."""
    data = Path(os.environ.get("STEMMATA_DATA", "~/.cache/stemmata-data")).expanduser() / "authorship-train"
    chosen = list(sets) or list(SETS[:1] if quick else SETS)
    names = [one for one in sorted(verifiers) if guided(one) and one not in SLOW]
    told = {
        one: look(RankedCorpus.read(data / one), names[:4] if quick else names, *((3, 2) if quick else ()))
        for one in chosen
    }
    views = view_names()
    for name in told:
        others = [one for other, one in told.items() if other != name]
        if others:
            weights = fitted(others)
            alike = np.corrcoef(told[name].fallen @ weights, told[name].said)[0, 1]
            print(f"{name}: what views tell, fitted on other sets, and what verifiers say: {alike:.2f}")
    weights = fitted(list(told.values()))
    spread = np.concatenate([one.fallen for one in told.values()]).std(axis=0)
    print("| view | weight | times its spread |\n|---|---|---|")
    for place in np.argsort(-weights * spread):
        if weights[place] > 0:
            print(f"| {views[place]} | {weights[place]:.1f} | {weights[place] * spread[place]:.2f} |")


def view_names() -> list[str]:
    """Return the names of all views, in the order of `views_of`."""
    return [f"{name}{way}" for name in FAMILIES for way in ("", " overlap")]


def views_of(goal: StyleGoal, text: str) -> np.ndarray:
    """Return how like the samples a text is, by view."""
    likenesses = goal.begin(text, []).likenesses
    return np.array([likenesses[name] for name in view_names()])


def look(corpus: RankedCorpus, names: Sequence[str], most: int = TEXTS, ways: int = WAYS) -> Told:
    """Rewrite texts of a corpus and let verifiers look."""
    chosen_on = tuned(corpus)
    some = [one for one in corpus.positives if chosen_on[one.id]]
    some = some[:: max(1, len(some) // most)][:most]
    with ProcessPoolExecutor(JOBS) as processes:
        made = list(processes.map(partial(rewritten_often, ways=ways), some))
    fallen = np.stack([before - after for before, texts in made for _, after in texts])
    variants = {
        f"way {way}": {problem.id: texts[way][0] for problem, (_, texts) in zip(some, made, strict=True)}
        for way in range(2 * ways)
    }
    said = np.zeros((len(some), 2 * ways))
    total = 0.0
    room = Room([corpus], [variants], choose(names, learning=True).verifiers, None, {}, Cells(cells_folder()))
    seen = look_all(room, room.looks(False), JOBS, lambda *_: None)
    truth = np.array(corpus.truth)
    for name in names:
        answers = [seen[Look(0, variant, name)] for variant in (ORIGINAL, *variants)]
        looks = [one for one in answers if isinstance(one, Seen)]
        if len(looks) < len(answers):
            continue
        rows = np.array([[one.scores[problem.id] for problem in corpus.problems] for one in looks])
        before = rows[0]
        right = 2 * np.mean(((before > 0.5) == truth) & (before != 0.5)) - 1
        if right <= LEAST_TOLD or not before.std():
            continue
        places = [corpus.problems.index(problem) for problem in some]
        less = (before[places] - rows[1:, places]) / before.std()
        said += right * np.clip(less, -FARTHEST, FARTHEST).T
        total += right
    return Told(fallen, said.ravel() / max(total, 1e-9))


def rewritten_often(problem: Problem, ways: int) -> tuple[np.ndarray, list[tuple[str, np.ndarray]]]:
    """Return the views of a text, and the text rewritten in many ways, each with its views."""
    rng = np.random.default_rng(crc32(problem.id.encode()))
    text = in_turn(problem.unknown.text, PLAIN).text
    edits = allowed(Draft(text), unprotected(text, proposals(text)), constraints_on(text))
    samples = [one.text for one in problem.known]
    goal = StyleGoal(samples)
    texts = [_by_few_views(text, edits, samples, rng) for _ in range(ways)]
    texts += [_by_chance(text, edits, rng) for _ in range(ways)]
    # Habits of typing come with half of them.
    texts = [layout(one, goal).text if rng.random() < 0.5 else one for one in texts]
    return views_of(goal, problem.unknown.text), [(one, views_of(goal, one)) for one in texts]


def _by_few_views(text: str, edits: Sequence[Edit], samples: Sequence[str], rng: np.random.Generator) -> str:
    """Return a text with up to 15% of its words changed, so that a few views fall."""
    ways: tuple[dict[str, float], dict[str, float]] = ({}, {})
    for view in rng.choice(2 * len(FAMILIES), 4, replace=False):
        ways[view % 2][list(FAMILIES)[view // 2]] = 1.0
    likeness = StyleGoal(samples, cosines=ways[0], overlaps=ways[1]).begin(text, edits)
    draft = Draft(text)
    left = 0.15 * rng.uniform(0.3, 1.0) * len(text.split())

    def take(number: int) -> bool:
        nonlocal left
        edit = edits[number]
        size = max(1, len(text[edit.start : edit.end].split()))
        if size > left or not draft.fits(edit):
            return False
        left -= size
        draft.make(edit)
        likeness.make(number)
        return True

    greedy(len(edits), likeness.gains, take)
    return draft.rewriting.text


def _by_chance(text: str, edits: Sequence[Edit], rng: np.random.Generator) -> str:
    """Return a text with edits made by chance, of each kind more or fewer."""
    draft = Draft(text)
    chance = {
        kind: rng.uniform(0.3, 0.95) * rng.random() ** 0.5 for kind in sorted({edit.kind for edit in edits})
    }
    for number in rng.permutation(len(edits)):
        if rng.random() < chance[edits[number].kind] and draft.fits(edits[number]):
            draft.make(edits[number])
    return draft.rewriting.text


def fitted(told: Sequence[Told]) -> np.ndarray:
    """Return what each view is worth, none less than nothing: least squares with a penalty, sets alike."""
    fallen = np.concatenate([one.fallen for one in told])
    said = np.concatenate([one.said / max(one.said.std(), 1e-9) for one in told])
    spread = np.maximum(fallen.std(axis=0), 1e-9)
    held = np.sqrt(PENALTY) * np.eye(len(spread))
    weights, _ = nnls(np.vstack([fallen / spread, held]), np.concatenate([said, np.zeros(len(spread))]))
    return np.asarray(weights / spread)


if __name__ == "__main__":
    run(quick=False, sets=sys.argv[1:])
