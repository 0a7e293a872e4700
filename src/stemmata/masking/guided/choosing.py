"""Choosing among proposals: what each hides and what it costs, then greedily the best for their price."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from stemmata.masking.constraints import Constraint, allowed, nats_won
from stemmata.masking.drafts import Draft, Variant, keeps_apart, span
from stemmata.masking.goals import Likeness, StyleGoal
from stemmata.masking.guided.light_words import LIGHT_WORD
from stemmata.masking.guided.loose_commas import LOOSE_COMMA
from stemmata.masking.guided.quiet_commas import QUIET_COMMA
from stemmata.masking.search import greedy
from stemmata.rewriting import Edit, Rewriting
from stemmata.rewriting.substitution import RELATIONS
from stemmata.text.fluency import STRETCH, Fluency
from stemmata.text.meaning import Meaning
from stemmata.text.words import find_words

Floats = npt.NDArray[np.float64]

_UNSURE = frozenset({*RELATIONS, LIGHT_WORD})
"""Kinds of edits that may take `Limits.word_nats` at the most."""
_LOOSE_NATS = 4.0
"""Nats that a comma may take of which no rule says whether it is needed."""
AHEAD = 6
"""Tokens behind an edit that the language model looks at: enough to rank edits, and quicker than more."""
LONGER = 2.0
"""Nats that a further word may take: a longer sentence is less likely, however well it reads."""
_TOGETHER_NATS = 8.0
"""What edits of a sentence may take together beyond what they take one by one, unless something is wrong."""
_SPARING = 500
"""In so many words the same words may be written `Limits.repeated` times."""


@dataclass(frozen=True)
class Limits:
    """How far a text may be changed.

    Attributes
    ----------
    nats
        What an edit may take from the log-probability of its sentence …
    word_nats
        … and one that exchanges a word for another of like meaning, or puts one in: no rule says that it
        fits there.
    comma_nats
        … and one that leaves out a comma of which no rule says what it is there for.
    sentence_nats
        What all edits of a sentence may take from it together.
    cosine
        The least likeness in meaning of a sentence before and after.
    words
        The largest share of words that may be changed.
    price
        What an edit must gain, in changes of likeness per word of the text …
    nat_price
        … what more for each nat it takes …
    meaning_price
        … and for what it takes from the likeness in meaning of its sentence.
    repeated
        How often the same words may be written, in a text of 500 words; contractions and marks do not count.
    checks
        For how many edits per word of the text the language model is asked.
    """

    nats: float = 2.5
    word_nats: float = 2.5
    comma_nats: float = 1.0
    sentence_nats: float = 4.0
    cosine: float = 0.9
    words: float = 0.12
    price: float = 1.0
    nat_price: float = 1.0
    meaning_price: float = 0.0
    repeated: int = 3
    checks: float = 0.35

    def most(self, kind: str) -> float:
        """Return what an edit of a kind may take."""
        if kind == LOOSE_COMMA:
            return min(self.nats, max(_LOOSE_NATS, self.comma_nats))
        if kind == QUIET_COMMA:
            return min(self.nats, self.comma_nats)
        return self.word_nats if kind in _UNSURE else self.nats


@dataclass(frozen=True)
class Scorers:
    """Who is asked how a sentence reads and what it means; they remember what they said."""

    fluency: Fluency = field(default_factory=lambda: Fluency(context=STRETCH))
    meaning: Meaning = field(default_factory=Meaning)


def choose(
    text: str,
    proposals: Sequence[Edit],
    goal: StyleGoal,
    limits: Limits,
    scorers: Scorers,
    constraints: Sequence[Constraint] = (),
    sure: frozenset[str] = frozenset(),
    before: Rewriting | None = None,
) -> Rewriting:
    """Return the text with those of the proposed edits made that hide most for what they cost.

    Parameters
    ----------
    text
        The text.
    proposals
        Edits that could be made.
    goal
        What hides the text.
    limits
        How far it may be changed.
    scorers
        Who is asked what an edit costs.
    constraints
        What no edit may break.
    sure
        Kinds of edits that read well wherever they are proposed: the language model is not asked.
    before
        The rewriting of which this is the text, if it is one: what that wrote is not changed again.
    """
    draft = Draft(text, before=before)
    edits = allowed(draft, proposals, constraints)
    words = max(1, len(text.split()))
    likeness = goal.begin(text, edits)
    offer = _Offer(draft, edits, limits, scorers, sure, words)
    chosen = _Choice(offer, likeness, _Costs(offer))
    # What an edit hides may grow as others are made: those that were passed over are looked at again.
    while chosen.take_best():
        pass
    chosen.reconsider()
    return draft.rewriting


@dataclass(frozen=True)
class _Offer:
    """What there is to choose from, how far it may go, and who is asked.

    Attributes
    ----------
    edits
        Those of a draft that could be made, by number.
    words
        Of the text.
    """

    draft: Draft
    edits: Sequence[Edit]
    limits: Limits
    scorers: Scorers
    sure: frozenset[str]
    words: int


class _Costs:
    """What edits cost, asked for where they gain something, and no more often than the limits say.

    Attributes
    ----------
    lost
        How many nats each edit takes from its sentence; infinitely many where that was not asked, or where
        they are too many.
    """

    def __init__(self, offer: _Offer) -> None:
        self._draft, self._edits, self._limits = offer.draft, offer.edits, offer.limits
        self._scorers, self._sure, self._words = offer.scorers, offer.sure, offer.words
        self._checks = round(offer.limits.checks * offer.words)
        self._asked = np.zeros(len(self._edits), dtype=np.bool_)
        self.lost, self._apart = np.full(len(self._edits), np.inf), np.zeros(len(self._edits))

    def turn(self, number: int) -> float:
        """Return by what angle an edit alone turns what its sentence means; infinite where it is unknown."""
        known = self._limits.meaning_price or self._edits[number].kind in self._sure
        return float(np.arccos(1 - self._apart[number])) if known else np.inf

    @property
    def prices(self) -> Floats:
        """What each edit must gain, in changes of likeness times the words of the text."""
        nats = self._limits.nat_price * np.minimum(self.lost, 99.0)
        return np.asarray(self._limits.price + nats + self._limits.meaning_price * self._apart)

    def ask(self, gains: Floats) -> None:
        """Ask what edits cost, as far as it matters to which are the best.

        Of edits that touch one another only the best can be made. What it costs is asked first; the others
        come into question, and are asked for, where they gain more than that leaves.
        """
        while waiting := self._foremost(gains):
            self._asked[waiting] = True
            sure = [number for number in waiting if self._edits[number].kind in self._sure]
            self.lost[sure] = 0.0
            unsure = [number for number in waiting if self._edits[number].kind not in self._sure]
            self._checks -= len(unsure)
            if unsure:
                self._ask_models(unsure)

    def _foremost(self, gains: Floats) -> list[int]:
        """Return those edits not asked for yet than which nothing in their place seems better, best first."""
        known, prices = np.isfinite(self.lost), self.prices
        # What was not asked for is taken to cost what others do.
        usual = float(np.median(prices[known])) if known.any() else self._limits.price
        left = gains - np.where(known, prices, np.where(self._asked, np.inf, usual)) / self._words
        found: list[int] = []
        best: list[Edit] = []
        checks = self._checks
        for number in np.argsort(-left, kind="stable").tolist():
            if left[number] <= 0:
                break
            edit = self._edits[number]
            if not self._draft.fits(edit) or not keeps_apart(edit, best):
                continue
            if not self._asked[number]:
                if edit.kind not in self._sure:
                    if checks <= 0:
                        continue
                    checks -= 1
                found.append(number)
            insort(best, edit, key=span)
        return found

    def _ask_models(self, numbers: Sequence[int]) -> None:
        """Ask what edits cost, each made alone."""
        limits, places = self._limits, np.array(numbers)
        variants = self._draft.variants([self._edits[number] for number in numbers], alone=True)
        won = _won(variants, self._scorers)
        kinds = [self._edits[number].kind for number in numbers]
        most = [limits.most(kind) for kind in kinds]
        self.lost[places] = np.where(-won <= np.array(most), np.maximum(-won, 0.0), np.inf)
        fine = np.flatnonzero(np.isfinite(self.lost[places]))
        if len(fine) and limits.meaning_price:
            pairs = [(variants[place].original, variants[place].new) for place in fine]
            self._apart[places[fine]] = 1 - self._scorers.meaning.pair_similarities(*zip(*pairs, strict=True))


def _won(variants: Sequence[Variant], scorers: Scorers) -> Floats:
    """Return how many nats sentences win or, below 0, lose."""
    longer = [max(0, len(one.new.split()) - len(one.original.split())) for one in variants]
    won = nats_won(variants, scorers.fluency, AHEAD)
    return np.asarray(won + LONGER * np.array(longer), np.float64)


class _Choice:
    """Takes edits into a draft while the limits allow it."""

    def __init__(self, offer: _Offer, likeness: Likeness, costs: _Costs) -> None:
        self._draft, self._edits, self._limits = offer.draft, offer.edits, offer.limits
        self._scorers, self._sure, self._words = offer.scorers, offer.sure, offer.words
        self._likeness, self._costs = likeness, costs
        self._left = offer.limits.words * offer.words
        self._repeated = offer.limits.repeated * max(1.0, offer.words / _SPARING)
        self._sentence: dict[int, float] = {}
        self._turned: dict[int, float] = {}
        self._joined: set[int] = set()
        self._numbers: list[int] = []
        self._settled: set[int] = set()

    def take_best(self) -> bool:
        """Take those edits that gain more than they cost now, the best first; tell whether there were any."""
        left = np.array([one for one in range(len(self._edits)) if one not in self._settled], np.int64)
        worth = np.full(len(self._edits), -np.inf)
        worth[left] = self._likeness.gains(left)
        self._costs.ask(worth)
        price = self._costs.prices / self._words

        def gains(places: Sequence[int]) -> Floats:
            numbers = left[list(places)]
            return self._likeness.gains(numbers) - price[numbers]

        return bool(greedy(len(left), gains, lambda place: self.take(int(left[place]))))

    def take(self, number: int) -> bool:
        """Take an edit if it fits and all limits are kept."""
        edit, lost = self._edits[number], float(self._costs.lost[number])
        if not np.isfinite(lost):
            return False
        self._settled.add(number)
        size = max(1, len(self._draft.text[edit.start : edit.end].split()))
        if size > self._left or not self._draft.fits(edit):
            return False
        if self._spares(edit) and self._draft.written[edit.replacement.lower()] >= self._repeated:
            return False
        first, last = self._draft.place(edit)
        places = range(first, last + 1)
        joins = ";" in edit.replacement and ";" not in self._draft.text[edit.start : edit.end]
        if any(self._is_full(one, lost, joins) for one in places):
            return False
        if not self._means_the_same(number, places):
            return False
        for one in places:
            self._sentence[one] = self._sentence.get(one, 0.0) + lost
            self._turned[one] = self._turned.get(one, 0.0) + self._costs.turn(number)
            self._joined |= {one} if joins else set()
        self._left -= size
        self._draft.make(edit)
        self._likeness.make(number)
        self._numbers.append(number)
        return True

    def _means_the_same(self, number: int, sentences: Sequence[int]) -> bool:
        """Return whether sentences mean much the same with an edit and with those made before.

        Angles add up at the most, so that mostly it follows from what each edit does alone.
        """
        before = sum(self._turned.get(one, 0.0) for one in sentences)
        if np.cos(min(before + self._costs.turn(number), np.pi)) >= self._limits.cosine:
            return True
        variant = self._draft.variant(self._edits[number])
        alike = self._scorers.meaning.similarities(variant.original, [variant.new])[0]
        return bool(alike >= self._limits.cosine)

    def _is_full(self, sentence: int, lost: float, joins: bool) -> bool:
        """Return whether a sentence bears no further edit that takes so many nats or writes a semicolon."""
        if self._sentence.get(sentence, 0.0) + lost > self._limits.sentence_nats:
            return True
        return joins and (
            sentence in self._joined or ";" in self._draft.sentences(sentence, sentence, edits=[])
        )

    def _spares(self, edit: Edit) -> bool:
        """Return whether an edit writes words that a reader would notice again and again."""
        words = find_words(edit.replacement).forms
        old = find_words(self._draft.text[edit.start : edit.end]).forms
        return edit.kind not in self._sure and words not in ((), old)

    def reconsider(self) -> None:
        """Read sentences with several edits once more, and take back what they do not bear together.

        Edits that one by one take far less than a sentence bears do not take it together.
        """
        groups: dict[int, list[int]] = {}
        near = self._limits.sentence_nats - _TOGETHER_NATS
        for number in self._numbers:
            groups.setdefault(self._draft.place(self._edits[number])[0], []).append(number)
        lost = self._costs.lost
        # The dearest are taken back first.
        waiting = [
            sorted(one, key=lambda number: lost[number]) for one in groups.values() if lost[one].sum() > near
        ]
        while waiting := [numbers for numbers in waiting if len(numbers) > 1]:
            dearest = [self._edits[numbers[-1]] for numbers in waiting]
            won = _won([self._draft.as_made(edit) for edit in dearest], self._scorers)
            for numbers, edit, together in zip(waiting, dearest, -won, strict=True):
                if together > self._limits.sentence_nats:
                    self._draft.undo(edit)
                    numbers.pop()
                else:
                    numbers.clear()
