"""Corpora as PlagEvalRus generated them, and collections of pairs to align.

The builder of corpora has the rules of the workshop (Smirnov et al., Dialogue 2017, section 3.2); what is
left to say is of which texts, and how many.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from numpy.random import default_rng

from stemmata.corpora.building.assignment import assign
from stemmata.corpora.building.base import read_base
from stemmata.corpora.building.build import build
from stemmata.corpora.building.construction import make_strategy
from stemmata.corpora.building.plan import Band, Obfuscation, Plan, plagevalrus
from stemmata.corpora.building.sentences import significant_words
from stemmata.experiments.plagevalrus_material import FEWEST_DOCUMENTS, Material
from stemmata.formats import DocumentFolder, read_cases, read_pairs
from stemmata.formats.essays import Essay
from stemmata.formats.pan_corpus import TRUTH
from stemmata.model import Case, Document, ErrorCode, Pair, Passage, StemmataError
from stemmata.rewriting import Scene
from stemmata.text.languages import RUSSIAN
from stemmata.text.sentences import find_sentences

TEXTS = 12
"""Suspicious texts of each kind in one draw: three of each share."""
SENTENCES = (34, 80)
"""Sentences of a document, about those of an article."""
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
class Shape:
    """What a made text looks like, to be held against the rules of the workshop.

    Attributes
    ----------
    plan
        What it was made by.
    sentences
        Of the text.
    share
        Of its sentences that are borrowed.
    sources
        Number of its sources.
    words
        Of its shortest fragment, those that are no stop words.
    """

    plan: Plan
    sentences: int
    share: float
    sources: int
    words: int

    @property
    def is_long_enough(self) -> bool:
        """Whether it has enough sentences, to a sentence: beside a fragment sentences may run together."""
        return self.sentences >= self.plan.host_sentences - 1

    @property
    def is_in_class(self) -> bool:
        """Whether the share is in a class that was planned, to a sentence."""
        one = 1 / self.sentences
        return any(band.low - one <= self.share <= band.high + one for band in self.plan.plagiarism)

    @property
    def has_few_sources(self) -> bool:
        """Whether it has sources, and not too many."""
        return 1 <= self.sources <= self.plan.most_sources

    @property
    def has_words_enough(self) -> bool:
        """Whether each fragment has enough words."""
        return self.words >= self.plan.passage_words


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


def plan_for(material: Material, seed: int) -> Plan:
    """Return the plan of a draw, with as many documents as the texts have room for."""
    sentence = sum(one.length for one in material.texts) / sum(one.sentences for one in material.texts)
    values = plagevalrus(material.language)
    low, high = (size * sentence / Plan.page for size in SENTENCES)
    values |= {
        "name": "plagevalrus",
        "layout": "plagevalrus",
        "language": material.language,
        "seed": seed,
        "length": (Band("article", 1.0, low, high),),
        "obfuscation": (COPY,),
    }
    base = read_base(material.room)
    for documents in range(min(2 * TEXTS, material.documents // 2 * 2), FEWEST_DOCUMENTS, -2):
        plan = Plan(material.room, documents=documents, **values)
        try:
            assign(plan, base)
        except StemmataError as error:
            if error.finding.kind is not ErrorCode.BASE_TOO_SMALL:
                raise
            continue
        return plan
    return Plan(material.room, documents=FEWEST_DOCUMENTS, **values)


def make(plan: Plan, way: Obfuscation, room: Path) -> Collection:
    """Build the corpus of a plan, its fragments hidden in one way, in a folder below a room."""
    name = f"{way.name}-{plan.seed}"
    build(replace(plan, obfuscation=(way,)), room / name)
    suspicious, sources = DocumentFolder(room / name / "susp"), DocumentFolder(room / name / "src")
    prefix = f"{name}-"
    pairs = [
        Pair(
            Document(prefix + mine, suspicious[mine].text),
            Document(f"{prefix}source-{theirs}", sources[theirs].text),
        )
        for mine, theirs in read_pairs(room / name / "pairs")
    ]
    cases = [
        _renamed(case, prefix, f"{prefix}source-")
        for case in read_cases(room / name / TRUTH).annotations.cases
    ]
    return Collection(tuple(pairs), tuple(cases))


def shapes(plan: Plan, made: Collection) -> list[Shape]:
    """Measure the texts that were made."""
    found = []
    for text in made.texts:
        cases = [case for case in made.cases if case.suspicious.document == text.name]
        starts, ends = find_sentences(text.text, plan.language)
        middle = (starts + ends) / 2
        inside = sum(
            int(((middle >= case.suspicious.offset) & (middle < case.suspicious.end)).sum()) for case in cases
        )
        sources = len({case.source.document for case in cases if case.source})
        words = min(significant_words(text[case.suspicious], plan.language) for case in cases)
        found.append(Shape(plan, len(starts), inside / len(starts), sources, words))
    return found


def collect_essays(essays: Sequence[Essay]) -> Collection:
    """Put essays together; their documents are named apart."""
    pairs: list[Pair] = []
    cases: list[Case] = []
    for number, essay in enumerate(essays, start=1):
        prefix = f"essay-{number}-"
        mine = Document(prefix + essay.document.name, essay.document.text)
        pairs += [Pair(mine, Document(prefix + source.name, source.text)) for source in essay.sources]
        cases += [_renamed(case, prefix, prefix) for case in essay.cases]
    return Collection(tuple(pairs), tuple(cases))


def _renamed(case: Case, mine: str, theirs: str) -> Case:
    """Return a case whose documents have names with something before them."""

    def named(passage: Passage, prefix: str) -> Passage:
        return passage._replace(document=prefix + passage.document)

    return replace(
        case, suspicious=named(case.suspicious, mine), source=case.source and named(case.source, theirs)
    )
