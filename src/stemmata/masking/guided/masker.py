"""Our obfuscator: many families of style at once say what to change, a language model what may be changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import accumulate

from stemmata.masking.constraints import Constraint, Grammatical, Kept, allowed
from stemmata.masking.drafts import Draft
from stemmata.masking.goals import Goal, StyleGoal
from stemmata.masking.guided.alternations import alternations
from stemmata.masking.guided.choosing import Limits, Scorers, choose
from stemmata.masking.guided.habits import habits
from stemmata.masking.guided.quiet_commas import quiet_commas
from stemmata.masking.protected import unprotected, without_protected
from stemmata.masking.quotations import is_dialogue
from stemmata.masking.recipe import RecipeInParts
from stemmata.model import Document, ErrorCode, Problem, StemmataError
from stemmata.rewriting import Edit, Rewriting, Transformation, transformations
from stemmata.rewriting.edits import in_turn, rewritten
from stemmata.rewriting.equivalents import is_listed
from stemmata.rewriting.plain_layout import EMPHASIS, LAYOUT, PlainLayout
from stemmata.rewriting.punctuation_habits import OF_WORDS, TOGETHER, PunctuationHabits
from stemmata.rewriting.reading import read
from stemmata.rewriting.spelling_variety import VARIETIES, SpellingVariety
from stemmata.rewriting.substitution import Substitution
from stemmata.rewriting.transformation import apart
from stemmata.text.sentences import find_sentences

PART = 3000
"""Words that are rewritten at a time; a longer text is rewritten in parts, each away from the samples."""
LEAST_SCORE = {"synonym": 0.37, "similar": 0.42, "neighbour": 0.45, "hypernym": 1.0}
"""Substitutes of words that score less are not even shown to the language model, by their relation …"""
LEAST_AT_MOST = {"synonym": 0.05, "similar": 0.1, "neighbour": 0.3, "hypernym": 0.25}
"""… and at full strength, where everything is tried; up to half strength it is the former."""
COSINES = {
    "characters-3": 0.6, "characters-4": 0.8, "characters-6": 0.8, "distorted-4": 0.4, "distorted-6": 0.7,
    "words": 0.8, "word-pairs": 0.4, "function-words": 0.7, "function-word-pairs": 0.5, "suffixes": 0.9,
    "prefixes": 0.5, "punctuation": 0.1, "punctuation-pairs": 0.1, "marks-and-words": 0.1, "shapes-2": 0.1,
    "shapes-3": 0.1, "parts-2": 0.2, "parts-3": 0.2, "word-lengths": 0.2,
}  # fmt: skip
OVERLAPS = {
    "characters-3": 5.3, "characters-4": 6.4, "characters-6": 10.7, "distorted-4": 2.6, "distorted-6": 3.5,
    "words": 5.5, "word-pairs": 11.2, "function-words": 2.6, "function-word-pairs": 4.5, "suffixes": 1.5,
    "prefixes": 1.8, "punctuation": 0.6, "punctuation-pairs": 0.4, "marks-and-words": 1.7, "shapes-2": 5.4,
    "shapes-3": 7.9, "parts-2": 1.7, "parts-3": 2.2, "word-lengths": 0.8, "sentence-lengths": 0.1,
}  # fmt: skip
"""What it is worth that a family is unlike, seen in two ways: as much as it tells of what verifiers say.

``python -m benchmarks.views`` fits them to verifiers that guide, on texts that settings are chosen on.
"""
CONTRAST = 0.3
"""What the overlap with what is usual is worth, beside that with the samples: verifiers ask who is nearer."""
TRANSFORMATIONS = (
    "contractions", "discourse-markers", "equivalents", "phrases", "punctuation-habits", "sentence-joints",
    "spoken-forms",
)  # fmt: skip
"""Who proposes what is good by itself."""
SURE = frozenset({"contract", "expand"})
"""Kinds of edits that read as well as what they replace, whatever the sentence."""


@dataclass(frozen=True)
class Stemmata(RecipeInParts):
    """Makes the changes that hide most for what they cost.

    Everything the transformations propose is weighed by what it does to the likeness with the author's
    samples, in twenty families of features, against what is usual among other authors. What a small
    language model finds odd in its sentence, or what changes the meaning of its sentence, is refused. Without
    samples, the text is made unlike itself.

    Attributes
    ----------
    strength
        How far the text may be changed for the sake of hiding it, from 0 (hardly) to 1 (until it shows).
    limits
        Replaces what the strength stands for.
    scorers
        Makes those who are asked. Last digits of what they say hang on what they were asked before, so that
        each part has new ones; the models behind them are read once.
    """

    strength: float = 0.5
    limits: Limits | None = None
    scorers: Callable[[], Scorers] = field(default=Scorers, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 0 <= self.strength <= 1:
            raise StemmataError(
                ErrorCode.BAD_PARAMETER, name="strength", value=self.strength, rule="it must lie from 0 to 1"
            )

    def parts(self, problem: Problem) -> list[Problem]:
        """Return the text, its layout made plain, in parts of some `PART` words."""
        whole = problem.unknown
        text = in_turn(whole.text, PLAIN).text
        known = tuple(one for one in problem.known if one.text.strip()) or (whole,)
        return [
            Problem(f"{problem.id}:{number}", known, Document(whole.name, text[start:end]))
            for number, (start, end) in enumerate(parts_of(text), 1)
        ]

    def rewrite_part(self, part: Problem) -> Rewriting:
        """Return a part with the chosen edits.

        It is read twice: what is changed beside a word changes what may be proposed for it, and what that
        hides.
        """
        goal, scorers = _goal(part), self.scorers()
        once = self._rewritten(Rewriting(part.unknown.text), goal, scorers)
        twice = self._rewritten(once, goal, scorers)
        return in_turn(part.unknown.text, [lambda _: once, lambda _: twice])

    def _rewritten(self, before: Rewriting, goal: StyleGoal, scorers: Scorers) -> Rewriting:
        """Return what becomes of a text, which was rewritten before, by the edits that hide it."""
        text = before.text
        edits = unprotected(text, proposals(text, self.strength))
        limits = self.limits or limits_at(self.strength)
        return choose(text, edits, goal, limits, scorers, constraints_on(text), SURE, before)

    def put_together(self, problem: Problem, done: Sequence[Rewriting]) -> Rewriting:
        """Return the text with the edits of its parts, and with habits of typing changed that tell."""
        starts = accumulate([len(part.original) for part in done], initial=0)
        edits = [
            edit._replace(start=edit.start + start, end=edit.end + start)
            for start, part in zip(starts, done, strict=False)
            for edit in part.edits
        ]
        goal = _goal(problem)
        return in_turn(
            problem.unknown.text,
            [*PLAIN, lambda text: rewritten(text, edits), lambda text: layout(text, goal)],
        )


def _goal(problem: Problem) -> StyleGoal:
    """Return what hides a text from those who know its author's samples; without any, from its old self."""
    texts = [one.text for one in problem.known if one.text.strip()] or [problem.unknown.text]
    return _goal_away_from(tuple(texts))


@lru_cache(maxsize=2)
def _goal_away_from(samples: tuple[str, ...]) -> StyleGoal:
    return StyleGoal(samples, cosines=COSINES, overlaps=OVERLAPS, contrast=CONTRAST)


def constraints_on(text: str) -> Sequence[Constraint]:
    """Return what no edit of a text may break."""
    return Kept(quotations=not is_dialogue(text)), Grammatical()


def plainly(text: str, kind: str) -> Rewriting:
    """Return a text with what is only layout made plain: it tells a typist and means nothing."""
    edits = [edit for edit in PlainLayout().proposals(text) if edit.kind == kind]
    return without_protected(rewritten(text, apart(edits)))


PLAIN = (partial(plainly, kind=EMPHASIS), partial(plainly, kind=LAYOUT))
"""Marks of emphasis go first: they may touch the gaps beside them, and edits that touch are not both made."""


def limits_at(strength: float) -> Limits:
    """Return how far a text may be changed at a strength.

    At 0 only what reads as well as before and hides much; at 0.5 what a reader will hardly stumble over,
    cheap changes before dear ones; at 1 whatever hides.
    """
    more, beyond = 1.5 * strength, _beyond_half(strength)
    return Limits(
        nats=0.5 + min(21.0 * strength, 16.5),
        word_nats=0.5 + 6.7 * more + 6.5 * beyond,
        comma_nats=1.0 + 7.0 * beyond,
        sentence_nats=2.0 + min(46.0 * strength, 31.5),
        cosine=0.97 - 0.2 * more,
        words=min(0.9, 0.04 + 0.8 * more**1.5),
        price=0.6 * max(0.0, 1 - 2 * more),
        nat_price=1.2 * max(0.0, 1 - strength / 0.55),
        meaning_price=160.0 * (1 - strength),
        repeated=3 + round(3 * beyond),
        checks=0.3 + 0.4 * more + 0.6 * beyond,
    )


def _beyond_half(strength: float) -> float:
    """Return how far a strength goes beyond half of what there is, from 0 to 1."""
    return max(0.0, 2 * strength - 1)


def proposals(text: str, strength: float = 0.5) -> list[Edit]:
    """Return all that could be changed in a text, alternatives among it; beyond half strength, more of it.

    Of words in the table of equivalents a dictionary is asked beyond half strength alone: where the table has
    none for a place, those of the dictionary mostly do not fit.
    """
    found: dict[Edit, None] = {}
    for name in TRANSFORMATIONS:
        made = transformations[name]().proposals(text)
        found |= dict.fromkeys(edit for edit in made if edit.kind not in TOGETHER)
    beyond = _beyond_half(strength)
    least = {name: score + beyond * (LEAST_AT_MOST[name] - score) for name, score in LEAST_SCORE.items()}
    relations = tuple(name for name, score in least.items() if score < 1)
    substitution = Substitution(relations=relations, most=3 + round(3 * beyond))
    reading = read(text)
    found |= dict.fromkeys(
        one.edit
        for one in substitution.substitutes(reading)
        if one.score >= least[one.candidate.relation] and (beyond or not is_listed(reading, one.number))
    )
    found |= dict.fromkeys([*habits(text), *alternations(text)])
    found |= dict.fromkeys(quiet_commas(reading, every=beyond > 0))
    # The same change under two names is one.
    once = {edit[:3]: edit for edit in reversed(found)}
    return sorted(once.values())


def layout(text: str, goal: Goal) -> Rewriting:
    """Return a text with those habits of typing and spelling changed throughout that hide it."""
    return in_turn(text, [partial(_if_it_hides, goal, proposed) for proposed in _THROUGHOUT])


def _outside_quotations(transformation: Transformation, text: str) -> list[Edit]:
    """Return edits that change words; those of others keep their spelling."""
    return allowed(Draft(text), transformation.proposals(text), constraints_on(text))


_THROUGHOUT: tuple[Callable[[str], list[Edit]], ...] = (
    *(partial(_outside_quotations, SpellingVariety(to)) for to in VARIETIES),
    *(
        partial(_outside_quotations, habit) if kind in OF_WORDS else habit.proposals
        for kind in TOGETHER
        for habit in [PunctuationHabits((kind,))]
    ),
)
"""What is changed in all places or in none: half of a text in British spelling is nobody's style.

Spelling comes first, while quotations still have the quotes by which they are known.
"""


def _if_it_hides(goal: Goal, proposed: Callable[[str], list[Edit]], text: str) -> Rewriting:
    tried = without_protected(rewritten(text, proposed(text)))
    if tried.edits:
        before, after = goal.values([text, tried.text])
        if after > before:
            return tried
    return Rewriting(text)


def parts_of(text: str) -> list[tuple[int, int]]:
    """Return where the parts of a text start and end, each of whole sentences."""
    starts, _ = find_sentences(text)
    borders, words = [0], 0
    ends = [*starts.tolist()[1:], len(text)]
    for start, end in zip(starts.tolist(), ends, strict=False):
        words += len(text[start:end].split())
        if words >= PART and end < len(text):
            borders.append(end)
            words = 0
    return list(zip(borders, [*borders[1:], len(text)], strict=True))
