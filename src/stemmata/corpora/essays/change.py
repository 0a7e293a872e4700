"""How a sentence differs from the one it was made of: words kept, moved, replaced and so on.

Words of both are aligned by their lemmas: first the longest common subsequence, then what is left of equal
lemmas has moved. Between two words that stayed, new words replace old ones as far as they go; the rest is
deleted or added. A form of several words counts as the one that the other text has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from stemmata.text.languages import languages
from stemmata.text.pos import russian_analyser
from stemmata.text.sentences import find_sentences
from stemmata.text.words import find_words

MAX_WORDS = 500
"""Longer texts are not aligned: no sentence is as long, and time grows with the square."""

_LONGEST = 64
"""No word of a dictionary is longer, and the analyser takes its time over what is."""


@dataclass(frozen=True)
class Wording:
    """The words of one or several sentences.

    Attributes
    ----------
    forms, lemmas
        Aligned; in lower case, with е for ё.
    readings
        All lemmas that each form may have.
    significant
        How many words are no stop words.
    sentences
        How many sentences they make.
    """

    forms: tuple[str, ...]
    lemmas: tuple[str, ...]
    readings: tuple[frozenset[str], ...]
    significant: int
    sentences: int

    @classmethod
    def of(cls, text: str, language: str) -> Wording:
        """Take a text apart."""
        pack = languages[language]
        words = find_words(text).forms
        lemmas = pack.lemmatize(words) if pack.lemmatize else words
        return cls(
            plain_forms(words),
            plain_forms(lemmas),
            tuple(_readings(*both, pack.code) for both in zip(words, lemmas, strict=True)),
            sum(word not in pack.stop_words for word in words),
            len(find_sentences(text, language)[0]),
        )

    @classmethod
    def joined(cls, wordings: Sequence[Wording]) -> Wording:
        """Take several texts for one."""
        return cls(
            tuple(form for one in wordings for form in one.forms),
            tuple(lemma for one in wordings for lemma in one.lemmas),
            tuple(reading for one in wordings for reading in one.readings),
            sum(one.significant for one in wordings),
            sum(one.sentences for one in wordings),
        )

    def __len__(self) -> int:
        return len(self.forms)


@dataclass(frozen=True)
class Change:
    """What became of the words of an original; counts of words.

    Attributes
    ----------
    before, after
        Words of the original and of what was made of it.
    kept, reformed, moved, replaced, deleted
        Words of the original that are still there, are there in another form, stand elsewhere in the order,
        have others in their place, are gone; together they are `before`.
    added
        New words that take nobody's place.
    sentences
        Sentences of the original and of what was made of it.
    """

    before: int
    after: int
    kept: int
    reformed: int
    moved: int
    replaced: int
    deleted: int
    added: int
    sentences: tuple[int, int] = (1, 1)

    def share(self, *names: str) -> float:
        """Return the words that were changed in the named ways, as a share of the original's."""
        count: int = sum(getattr(self, name) for name in names)
        return count / max(self.before, 1)

    @property
    def distance(self) -> float:
        """The share of words, of the longer of the two, whose lemma the other has not: 0 to 1."""
        common = self.kept + self.reformed + self.moved
        return 1 - common / max(self.before, self.after, 1)


def measure_change(original: Wording, made: Wording) -> Change:
    """Align two texts by lemmas and count what was done.

    Examples
    --------
    >>> was = Wording.of("Старый маяк стоит на высокой скале.", "ru")
    >>> change = measure_change(was, Wording.of("Белый маяк стоял на скале.", "ru"))
    >>> change.kept, change.reformed, change.moved, change.replaced, change.deleted, change.added
    (3, 1, 0, 1, 1, 0)
    """
    lemmas = _agreed(original, made)
    matched = _common(original.lemmas, lemmas)
    stay_before, stay_after = {i for i, _ in matched}, {j for _, j in matched}
    left = Counter(lemma for i, lemma in enumerate(original.lemmas) if i not in stay_before)
    left &= Counter(lemma for j, lemma in enumerate(lemmas) if j not in stay_after)
    moved = left.total()
    gone = _without(original.lemmas, stay_before, left)
    new = _without(lemmas, stay_after, left)
    replaced = sum(
        min(sum(gone[a + 1 : b]), sum(new[c + 1 : d]))
        for (a, c), (b, d) in pairwise([(-1, -1), *matched, (len(gone), len(new))])
    )
    same = sum(original.forms[i] == made.forms[j] for i, j in matched)
    return Change(
        before=len(original),
        after=len(made),
        kept=same,
        reformed=len(matched) - same,
        moved=moved,
        replaced=replaced,
        deleted=sum(gone) - replaced,
        added=sum(new) - replaced,
        sentences=(original.sentences, made.sentences),
    )


def _agreed(original: Wording, made: Wording) -> tuple[str, ...]:
    """Return the lemmas of what was made, in the original's terms."""
    known = set(original.lemmas)
    terms = {
        reading: lemma
        for lemma, readings in zip(original.lemmas, original.readings, strict=True)
        for reading in readings
    }
    return tuple(
        lemma if lemma in known else next((terms[one] for one in sorted(readings) if one in terms), lemma)
        for lemma, readings in zip(made.lemmas, made.readings, strict=True)
    )


def _readings(form: str, lemma: str, language: str) -> frozenset[str]:
    if language != "ru":
        return frozenset((lemma,))
    return _russian_readings(form)


@lru_cache(maxsize=1 << 16)
def _russian_readings(form: str) -> frozenset[str]:
    if len(form) > _LONGEST:
        return frozenset((form,))
    return frozenset(plain_forms([one.normal_form for one in russian_analyser().parse(form)]))


def _common(first: tuple[str, ...], second: tuple[str, ...]) -> list[tuple[int, int]]:
    """Return the places of a longest common subsequence in both."""
    lengths = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i in range(len(first) - 1, -1, -1):
        here, below = lengths[i], lengths[i + 1]
        for j in range(len(second) - 1, -1, -1):
            here[j] = below[j + 1] + 1 if first[i] == second[j] else max(below[j], here[j + 1])
    found = []
    i = j = 0
    while i < len(first) and j < len(second):
        if first[i] == second[j]:
            found.append((i, j))
            i, j = i + 1, j + 1
        elif lengths[i + 1][j] >= lengths[i][j + 1]:
            i += 1
        else:
            j += 1
    return found


def _without(lemmas: tuple[str, ...], stayed: set[int], moved: Counter[str]) -> list[int]:
    """Return 1 for each word that neither stayed nor moved, else 0."""
    left = moved.copy()
    found = []
    for place, lemma in enumerate(lemmas):
        here = place not in stayed
        if here and left[lemma]:
            left[lemma] -= 1
            here = False
        found.append(int(here))
    return found


def plain_forms(words: Sequence[str]) -> tuple[str, ...]:
    """Return words with е for ё, which writers use as they please."""
    return tuple(word.replace("ё", "е") for word in words)
