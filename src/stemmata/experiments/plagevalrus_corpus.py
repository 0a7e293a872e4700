"""Corpora as PlagEvalRus generated them, and collections of pairs to align.

Smirnov et al., Dialogue 2017, section 3.2: random sentences of a host give way to consecutive sentences of
one to five sources. How much of a host is replaced is counted in its sentences, so the cases are drawn here,
sentence by sentence; a plan for `stemmata corpus build` estimates sentences by their characters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor
from pathlib import Path

from numpy.random import Generator, default_rng

from stemmata.corpora.building.assignment import Assignment, PlannedCase, PlannedDocument
from stemmata.corpora.building.base import Slice
from stemmata.corpora.building.construction import MadeDocument, Workshop, make_strategy
from stemmata.corpora.building.plan import Band, Obfuscation, Plan
from stemmata.experiments.plagevalrus_material import (
    FEWEST_TOKENS,
    HOST_SENTENCES,
    Material,
    Stretch,
    significant,
)
from stemmata.formats.essays import Essay
from stemmata.model import Case, Document, Pair, Passage, StemmataError
from stemmata.rewriting import Scene
from stemmata.text.languages import RUSSIAN, languages
from stemmata.text.sentences import find_sentences

TEXTS = 12
"""Suspicious texts of each kind in one draw: three of each share."""
SHARES = (
    Band("10%", 0.25, 0.07, 0.13),
    Band("25%", 0.25, 0.22, 0.28),
    Band("50%", 0.25, 0.47, 0.53),
    Band("80%", 0.25, 0.77, 0.83),
)
"""Of the sentences of a host, those that are replaced."""
FRAGMENT = Band("fragment", 1.0, 1, 10)
"""Sentences of a fragment."""
MOST_SOURCES = 5
ROOM = 1.5
"""Sources have this many times the sentences that are taken from them, if there are enough of them."""
COPY = Obfuscation("copy", 1.0, "none")
PARAPHRASES = {
    RUSSIAN.code: (Obfuscation("generated", 1.0, "russian"),),
    "en": (
        Obfuscation("generated", 1.0, "simulated"),
        Obfuscation("generated", 1.0, "artificial", (("degree", "low"),)),
    ),
}
"""Ways to paraphrase in a language; the first that works is taken."""
LAST_RESORT = (Obfuscation("generated", 1.0, "random-operations", (("degree", "low"),)),)


@dataclass(frozen=True)
class Collection:
    """Pairs of documents to align, and their cases; no two of its documents have the same name."""

    pairs: tuple[Pair, ...]
    cases: tuple[Case, ...]

    @property
    def texts(self) -> list[Document]:
        """The suspicious documents."""
        return list({pair.suspicious.name: pair.suspicious for pair in self.pairs}.values())


@dataclass(frozen=True)
class Draw:
    """Texts drawn with one seed.

    Attributes
    ----------
    assignment
        The texts before they are made.
    shares
        The planned class of each suspicious text.
    """

    assignment: Assignment
    shares: tuple[Band, ...]


@dataclass(frozen=True)
class Shape:
    """What a made text looks like, to be held against the rules of the workshop.

    Attributes
    ----------
    sentences
        Of its host.
    share
        Of its sentences that are borrowed.
    planned
        What that share was to be.
    sources
        Number of its sources.
    tokens
        Words of its shortest fragment that are no stop words.
    """

    sentences: int
    share: float
    planned: Band
    sources: int
    tokens: int

    @property
    def is_long_enough(self) -> bool:
        """Whether the host has enough sentences."""
        return self.sentences > HOST_SENTENCES

    @property
    def is_in_class(self) -> bool:
        """Whether the share is as planned, to a sentence: beside a fragment sentences may run together."""
        return self.planned.low - 1 / self.sentences <= self.share <= self.planned.high + 1 / self.sentences

    @property
    def has_few_sources(self) -> bool:
        """Whether it has one to five sources."""
        return 1 <= self.sources <= MOST_SOURCES

    @property
    def has_words_enough(self) -> bool:
        """Whether each fragment has enough tokens."""
        return self.tokens >= FEWEST_TOKENS


def paraphrase_for(language: str, sample: str) -> tuple[Obfuscation, list[str]]:
    """Return the way to paraphrase in a language, and why others that were wanted are not at hand."""
    remarks = []
    for one in (*PARAPHRASES.get(language, ()), *LAST_RESORT):
        try:
            make_strategy(one).rewrite(sample, Scene(default_rng(1), language))
        except StemmataError as error:
            remarks.append(f"Generated paraphrase could not be made by {one.strategy}: {error}.")
            continue
        if language != RUSSIAN.code or remarks:
            remarks.append(f"Generated paraphrase was made by {one.strategy}.")
        return one, remarks
    return COPY, remarks


def plan_for(language: str, obfuscation: Obfuscation, seed: int) -> Plan:
    """Return the plan by which texts are made."""
    return Plan(
        Path(),
        name="plagevalrus",
        seed=seed,
        language=language,
        layout="plagevalrus",
        purpose={"source": 0.5, "plagiarised": 0.5, "clean": 0.0},
        intrinsic=0.0,
        plagiarism=SHARES,
        case_length=(FRAGMENT,),
        obfuscation=(obfuscation,),
        replace=True,
        most_sources=MOST_SOURCES,
    )


def draw(material: Material, seed: int) -> Draw:
    """Draw hosts, and for each how many sentences it borrows from where."""
    rng = default_rng([seed, 0])
    order = [material.stretches[at] for at in rng.permutation(len(material.stretches))]
    hosts = [one for one in order if one.is_host][: min(TEXTS, max(1, len(order) // 2))]
    sources = [one for one in order if one.is_source and one not in hosts]
    used: dict[Path, int] = {}
    documents: list[PlannedDocument] = []
    shares: list[Band] = []
    for host in hosts:
        others = [one for one in sources if one.origin != host.origin]
        if not others:
            continue
        share = SHARES[len(documents) % len(SHARES)]
        cases = _cases(host, share, [others[at] for at in rng.permutation(len(others))], used, rng)
        documents.append(PlannedDocument(len(documents), _whole(host), cases=tuple(cases)))
        shares.append(share)
    by_path = {one.path: one for one in sources}
    planned = (PlannedDocument(number, _whole(by_path[path])) for path, number in used.items())
    return Draw(Assignment(tuple(planned), tuple(documents), ()), tuple(shares))


def _whole(stretch: Stretch) -> Slice:
    return Slice(stretch.path, 0, stretch.length)


def _cases(
    host: Stretch, share: Band, sources: Sequence[Stretch], used: dict[Path, int], rng: Generator
) -> list[PlannedCase]:
    """Part the sentences to be borrowed into fragments, and these among sources, none twice of one place."""
    count = len(host.starts)
    wanted = int(rng.integers(ceil(share.low * count), floor(share.high * count) + 1))
    many = int(rng.integers(1, MOST_SOURCES + 1))
    while many < MOST_SOURCES and sum(len(one.starts) for one in sources[:many]) < ROOM * wanted:
        many += 1
    taken: list[list[int]] = [[] for _ in sources[:many]]
    free = [len(one.starts) for one in sources[:many]]
    fragments: list[tuple[int, int]] = []
    while (left := wanted - sum(size for _, size in fragments)) > 0 and max(free) > 0:
        size = min(int(rng.integers(int(FRAGMENT.low), int(FRAGMENT.high) + 1)), left, max(free))
        fits = [at for at in range(len(free)) if free[at] >= size]
        # First each source once, then whichever has room.
        fresh = [at for at in fits if not taken[at]]
        at = int(rng.choice(fresh or fits))
        taken[at].append(size)
        free[at] -= size
        fragments.append((at, size))
    places = [_places(source, sizes, rng) for source, sizes in zip(sources[:many], taken, strict=True)]
    return [
        PlannedCase(
            used.setdefault(sources[at].path, len(used)), places[at].pop(0), size, FRAGMENT.name, "", "inter"
        )
        for at, size in fragments
    ]


def _places(source: Stretch, sizes: Sequence[int], rng: Generator) -> list[float]:
    """Return where in a source fragments start, such that they do not overlap, as its maker wants it said."""
    order = rng.permutation(len(sizes))
    free = len(source.starts) - sum(sizes)
    gaps = sorted(rng.integers(0, free + 1, len(sizes)).tolist())
    places = [0.0] * len(sizes)
    before = 0
    for at, gap in zip(order.tolist(), gaps, strict=True):
        # A share of the room that would be left by sentences of 150 characters; shorter ones go beyond.
        room = source.length - sizes[at] * 150
        places[at] = source.starts[before + gap] / room if room > 0 else 0.0
        before += sizes[at]
    return places


def make(drawn: Draw, plan: Plan, name: str) -> Collection:
    """Make the texts of a draw, their fragments hidden in the plan's one way."""
    [way] = plan.obfuscation
    assignment = replace(drawn.assignment, suspicious=tuple(_hidden(drawn.assignment.suspicious, way.name)))
    workshop = Workshop(plan, assignment)
    sources = {one.number: one.host.text for one in assignment.sources}
    pairs: list[Pair] = []
    cases: list[Case] = []
    for planned in assignment.suspicious:
        made = workshop.make(planned)
        mine = Document(f"{name}-{plan.seed}-{made.number + 1:05}.txt", made.text)
        numbers = dict.fromkeys(case.planned.source for case in made.cases)
        theirs = {
            one: Document(f"{name}-{plan.seed}-source-{one + 1:06}.txt", sources[one]) for one in numbers
        }
        pairs += [Pair(mine, source) for source in theirs.values()]
        cases += _true_cases(made, mine, theirs)
    return Collection(tuple(pairs), tuple(cases))


def _hidden(documents: Iterable[PlannedDocument], way: str) -> list[PlannedDocument]:
    return [
        replace(one, cases=tuple(replace(case, obfuscation=way) for case in one.cases)) for one in documents
    ]


def _true_cases(made: MadeDocument, mine: Document, sources: dict[int, Document]) -> list[Case]:
    return [
        Case(
            Passage(mine.name, case.suspicious.start, case.suspicious.end - case.suspicious.start),
            Passage(
                sources[case.planned.source].name, case.source.start, case.source.end - case.source.start
            ),
        )
        for case in made.cases
    ]


def shapes(drawn: Draw, made: Collection, language: str) -> list[Shape]:
    """Measure the texts that were made."""
    stop_words = languages[language].stop_words
    found = []
    for text, planned, share in zip(made.texts, drawn.assignment.suspicious, drawn.shares, strict=True):
        cases = [case for case in made.cases if case.suspicious.document == text.name]
        starts, ends = find_sentences(text.text, language)
        middle = (starts + ends) / 2
        inside = sum(
            int(((middle >= case.suspicious.offset) & (middle < case.suspicious.end)).sum()) for case in cases
        )
        host, _ = find_sentences(planned.host.text, language)
        sources = len({case.source.document for case in cases if case.source})
        tokens = min(significant(text[case.suspicious], stop_words) for case in cases)
        found.append(Shape(len(host), inside / len(starts), share, sources, tokens))
    return found


def collect_essays(essays: Sequence[Essay]) -> Collection:
    """Put essays together; their documents are named apart."""
    pairs: list[Pair] = []
    cases: list[Case] = []
    for number, essay in enumerate(essays, start=1):
        prefix = f"essay-{number}-"
        mine = Document(prefix + essay.document.name, essay.document.text)
        pairs += [Pair(mine, Document(prefix + source.name, source.text)) for source in essay.sources]
        cases += [_prefixed(case, prefix) for case in essay.cases]
    return Collection(tuple(pairs), tuple(cases))


def _prefixed(case: Case, prefix: str) -> Case:
    def named(passage: Passage) -> Passage:
        return passage._replace(document=prefix + passage.document)

    return replace(case, suspicious=named(case.suspicious), source=case.source and named(case.source))
