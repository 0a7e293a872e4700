"""Stems by the Snowball algorithms, each word form stemmed once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from threading import Lock

from Stemmer import Stemmer, algorithms

from stemmata.model.registry import unknown_name

SNOWBALL = {"en": "english", "ru": "russian", "de": "german", "es": "spanish"}
"""The stemmer of each language."""

_KEPT = 1 << 19
"""How many forms are remembered before the memory starts anew: the vocabulary of a large corpus."""


def stems(forms: Sequence[str], language: str = "en", algorithm: str | None = None) -> list[str]:
    """Return the stem of each lower-cased form.

    Parameters
    ----------
    forms
        Words in lower case.
    language
        Whose stemmer to use.
    algorithm
        A Snowball algorithm by name, such as ``"porter"``, in place of the language's own.

    Examples
    --------
    >>> stems(["copied", "copies", "copying"])
    ['copi', 'copi', 'copi']
    >>> stems(["generously"], algorithm="porter"), stems(["книгами"], "ru")
    (['gener'], ['книг'])
    """
    return _stemmer(algorithm or _algorithm_of(language))(forms)


def _algorithm_of(language: str) -> str:
    if language not in SNOWBALL:
        raise unknown_name("language", language, SNOWBALL)
    return SNOWBALL[language]


class _Remembering:
    """A stemmer with a memory of its own, safe to call from several threads."""

    def __init__(self, algorithm: str) -> None:
        # Our own memory answers for known forms without the lock, so the stemmer needs none.
        self._stemmer = Stemmer(algorithm, 0)
        self._lock = Lock()
        self._known: dict[str, str] = {}

    def __call__(self, forms: Sequence[str]) -> list[str]:
        known = self._known
        new = set(forms).difference(known)
        if new:
            # The stemmer works in one buffer, which two threads must not share.
            with self._lock:
                if len(known) + len(new) > _KEPT:
                    # Another thread may still read the old memory, so it is left as it is.
                    new = set(forms)
                    known = self._known = {}
                known.update((form, self._stem(form)) for form in new)
        return [known[form] for form in forms]

    def _stem(self, form: str) -> str:
        try:
            return str(self._stemmer.stemWord(form))
        except UnicodeEncodeError:
            return form  # half a surrogate pair is no word of any language


@cache
def _stemmer(algorithm: str) -> _Remembering:
    known = algorithms(aliases=True)
    if algorithm not in known:
        raise unknown_name("stemmer", algorithm, known)
    return _Remembering(algorithm)
