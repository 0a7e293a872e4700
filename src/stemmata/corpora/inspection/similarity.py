"""Similarity: how much plagiarised passages are like their sources, under word n-gram models.

Section 4 and Figure 1 of Potthast, Stein, Barrón-Cedeño and Rosso, "An Evaluation Framework for Plagiarism
Detection", COLING 2010: vectors of the n-grams of stems, stop words left out, weighted by their frequency
and compared by cosine, for n from 1 to 10; 100 cases are sampled, so that corpora of all sizes compare.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.random import default_rng

from stemmata.corpora.inspection.description import Advance
from stemmata.corpora.inspection.opening import Corpus
from stemmata.model import Document, ErrorCode, StemmataError
from stemmata.model.spans import Ints
from stemmata.text.languages import language_of, languages
from stemmata.text.stems import stems
from stemmata.text.words import find_words

Floats = npt.NDArray[np.float64]
LONGEST = 10
"""Words of the longest n-grams."""
SAMPLED = 100
"""Cases of each kind that are compared."""
QUARTERS = (25, 50, 75)
"""What a box shows: the middle half, and the median."""


@dataclass(frozen=True)
class Group:
    """Cases of one kind in one corpus.

    Attributes
    ----------
    cases
        How many there are.
    similarities
        Of the sampled ones: a row per case, a column per n; undefined where a passage has no n words.
    """

    corpus: str
    kind: str
    cases: int
    similarities: Floats

    @property
    def name(self) -> str:
        """The corpus and, where cases are told apart, the kind."""
        return f"{self.corpus}: {self.kind}" if self.kind else self.corpus

    @property
    def quarters(self) -> Floats:
        """Lower quartile, median and upper quartile, a row each, by n."""
        out = np.full((len(QUARTERS), LONGEST), nan)
        for n in range(LONGEST):
            known = self.similarities[:, n]
            known = known[np.isfinite(known)]
            if len(known):
                out[:, n] = np.percentile(known, QUARTERS)
        return out

    @property
    def median(self) -> Floats:
        """The median by n."""
        middle: Floats = self.quarters[1]
        return middle

    def as_json(self) -> dict[str, Any]:
        """Return the boxes for programs."""
        low, middle, high = (_rounded(row) for row in self.quarters)
        return {
            "corpus": self.corpus,
            "kind": self.kind,
            "cases": self.cases,
            "sampled": len(self.similarities),
            "n": list(range(1, LONGEST + 1)),
            "lower_quartile": low,
            "median": middle,
            "upper_quartile": high,
        }


def _rounded(values: Floats) -> list[float | None]:
    return [round(float(value), 6) if np.isfinite(value) else None for value in values]


def compare_corpora(
    corpora: Sequence[Corpus],
    by_kind: bool = True,
    sampled: int = SAMPLED,
    seed: int = 1,
    advance: Advance = lambda _: None,
) -> list[Group]:
    """Compare the cases of corpora with their sources, kind by kind.

    Parameters
    ----------
    by_kind
        Whether kinds of obfuscation are told apart; else 100 cases are sampled of each whole corpus.
    sampled
        Cases of each kind, at the most.
    seed
        Of the sampling; which cases are taken from a corpus does not depend on the other corpora.
    advance
        Is told how many more cases were compared.
    """
    names = _distinct([corpus.name for corpus in corpora])
    groups = []
    for corpus, name in zip(corpora, names, strict=True):
        groups += _groups(corpus, name, by_kind, sampled, seed, advance)
    if not groups:
        raise StemmataError(ErrorCode.NOTHING_TO_COMPARE, corpora[0].folder if corpora else None)
    return groups


def _distinct(names: Sequence[str]) -> list[str]:
    """Return names by which corpora can be told apart."""
    seen: Counter[str] = Counter()
    out = []
    for name in names:
        seen[name] += 1
        out.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return out


def _groups(
    corpus: Corpus, name: str, by_kind: bool, sampled: int, seed: int, advance: Advance
) -> list[Group]:
    chosen: dict[str, tuple[int, Ints]] = {}
    for kind, rows in _by_kind(corpus, by_kind).items():
        rng = default_rng([seed, *kind.encode("utf-8")])
        picked = rng.permutation(len(rows))[:sampled]
        chosen[kind] = (len(rows), rows[np.sort(picked)])
    wanted = sorted(
        (int(row) for _, rows in chosen.values() for row in rows),
        key=lambda row: (corpus.cases.suspicious[row] or "", corpus.cases.source[row] or ""),
    )
    found: dict[int, Floats] = {}
    last: Mapping[str, Document] = {}
    for row in wanted:
        last = _documents(corpus, row, last)
        case = corpus.cases[row]
        if case.source is not None:
            found[row] = similarities(
                last["source"].text[case.source.offset : case.source.end],
                last["suspicious"].text[case.suspicious.offset : case.suspicious.end],
            )
        advance(1)
    return [
        Group(name, kind, cases, np.array([found[int(row)] for row in rows]))
        for kind, (cases, rows) in chosen.items()
    ]


def _by_kind(corpus: Corpus, by_kind: bool) -> dict[str, Ints]:
    """Return the cases that can be compared, kinds in the order of the plan or of their names."""
    cases = corpus.cases
    there = np.array(
        [cases.source[row] in corpus.sources and cases.suspicious[row] in corpus.suspicious
         for row in range(len(cases))],
        dtype=np.bool_,
    )  # fmt: skip
    names = [corpus.kinds[row] or "" for row in range(len(cases))] if by_kind else [""] * len(cases)
    # What was read in which order must not decide what is sampled.
    order = sorted(
        np.flatnonzero(there).tolist(),
        key=lambda row: (cases[row].suspicious, cases[row].source or ()),
    )
    found: dict[str, list[int]] = {}
    for row in order:
        found.setdefault(names[row], []).append(row)
    planned = [one.name for one in corpus.plan.obfuscation] if corpus.plan else list(USUAL)
    place = {kind: number for number, kind in enumerate(planned)}
    kinds = sorted(found, key=lambda kind: (place.get(kind, len(place)), kind))
    return {kind: np.array(found[kind], dtype=np.int64) for kind in kinds}


USUAL = (
    "none", "low", "high", "random", "translated", "simulated", "summary",
    "near copy", "light revision", "heavy revision",
)  # fmt: skip
"""The order in which kinds are shown."""


def _documents(corpus: Corpus, row: int, last: Mapping[str, Document]) -> Mapping[str, Document]:
    """Return the two documents of a case, of which one may be at hand."""
    wanted = {"suspicious": corpus.cases.suspicious[row] or "", "source": corpus.cases.source[row] or ""}
    texts = {"suspicious": corpus.suspicious, "source": corpus.sources}
    return {
        side: last[side] if side in last and last[side].name == name else texts[side][name]
        for side, name in wanted.items()
    }


def similarities(source: str, plagiarised: str, language: str | None = None) -> Floats:
    """Return the cosine of two passages under the models of n = 1 … 10; undefined without any n-gram.

    Examples
    --------
    >>> similarities("Foxes jump over lazy dogs", "Lazy dogs jump over foxes")[:2].round(2).tolist()
    [1.0, 0.33]
    """
    first, second = (_content(text, language) for text in (source, plagiarised))
    return np.array([_cosine(_grams(first, n), _grams(second, n)) for n in range(1, LONGEST + 1)])


def _content(text: str, language: str | None) -> list[str]:
    """Return the stems of a text, stop words left out."""
    code = language or language_of(text)
    forms = find_words(text).forms
    stop = languages[code].stop_words
    return stems([form for form in forms if form not in stop], code)


def _grams(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(words[k:] for k in range(n)), strict=False))


def _cosine(one: Mapping[tuple[str, ...], int], other: Mapping[tuple[str, ...], int]) -> float:
    if not one or not other:
        return nan
    if len(other) < len(one):
        one, other = other, one
    product = sum(count * other.get(gram, 0) for gram, count in one.items())
    norms = sqrt(sum(count**2 for count in one.values()) * sum(count**2 for count in other.values()))
    # Rounding must not make equals more than equal.
    return min(1.0, product / norms)
