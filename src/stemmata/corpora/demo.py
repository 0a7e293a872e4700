"""The corpus of ``stemmata demo``: small, in the layout of PAN13, and of the project's own making.

Articles on eight crafts are the sources; articles on eight others, each akin to one of them, receive passages
from them: copied, disturbed at random, or summarised. Sub-corpora separate the kinds, and the first has none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.random import Generator

from stemmata.corpora.demo_text import Article, Writer, neighbours, topics
from stemmata.formats.files import write_folder_atomically
from stemmata.formats.pairs import DocumentPair
from stemmata.formats.pan_xml import CASES, write_pan_xml
from stemmata.model import Case, Document, Passage
from stemmata.rewriting import Scene, Strategy
from stemmata.rewriting.random_operations import RandomOperations
from stemmata.rewriting.summary import Summary
from stemmata.rewriting.unchanged import Unchanged

SOURCES_PER_TOPIC = 3
SUSPICIOUS_PER_KIND = 6
NOTICE = "This folder was made by `stemmata demo`, which replaces it when it runs again.\n"
"""Stands in the corpus as ``README.txt``, so that nobody else's folder is taken for one of ours."""
SUMMARY = 0.35
"""Share of a passage's words in its summary."""


@dataclass(frozen=True)
class Kind:
    """A sub-corpus: how passages are hidden, how many there are, and how long (in sentences)."""

    folder: str
    obfuscation: str
    sources: int
    cases: int
    sentences: tuple[int, int] = (0, 0)


KINDS = (
    Kind("01-no-plagiarism", "", sources=1, cases=0),
    Kind("02-no-obfuscation", "none", sources=2, cases=2, sentences=(2, 6)),
    Kind("03-random-obfuscation", "random", sources=2, cases=2, sentences=(3, 7)),
    Kind("04-summary-obfuscation", "summary", sources=2, cases=1, sentences=(10, 16)),
)
"""Sources per suspicious document, and cases per pair of documents."""


@dataclass(frozen=True)
class Source:
    """A source document and the article it was written from."""

    document: Document
    article: Article


def build_demo_corpus(folder: Path, seed: int = 7) -> None:
    """Write the demonstration corpus: 24 suspicious and 24 source documents, 42 pairs, 60 cases.

    The folder must be new or empty, and appears when all is done. The same seed gives the same bytes.

    Parameters
    ----------
    folder
        Receives ``susp/``, ``src/``, ``pairs`` and one folder of PAN XML per kind of obfuscation.
    seed
        Of the one random generator behind texts, passages and places.
    """
    rng = np.random.default_rng(seed)
    writer = Writer(rng)
    sources = _write_sources(writer, rng)
    documents: list[Document] = []
    listed: list[DocumentPair] = []
    with write_folder_atomically(folder) as part:
        for kind in KINDS:
            cases: list[Case] = []
            pairs: list[DocumentPair] = []
            for _ in range(SUSPICIOUS_PER_KIND):
                number = len(documents)
                host = writer.article(neighbours()[number % len(topics())], int(rng.integers(5, 9)))
                name = f"suspicious-document{number + 1:05}.txt"
                chosen = _choose_sources(sources, number, kind.sources, rng)
                document, found = _plagiarise(name, host, chosen, kind, rng)
                documents.append(document)
                cases += found
                pairs += [(name, source.document.name) for source in chosen]
            write_pan_xml(part / kind.folder, cases, CASES, pairs)
            _write_pairs(part / kind.folder / "pairs", pairs)
            listed += pairs
        _write_pairs(part / "pairs", listed)
        _write_text(part / "README.txt", NOTICE)
        _write_documents(part / "susp", documents)
        _write_documents(part / "src", [source.document for source in sources])


def _topic(number: int) -> str:
    return topics()[number % len(topics())]


def _write_sources(writer: Writer, rng: Generator) -> list[Source]:
    sources = []
    for number in range(SOURCES_PER_TOPIC * len(topics())):
        article = writer.article(_topic(number), int(rng.integers(7, 11)))
        sources.append(Source(Document(f"source-document{number + 1:05}.txt", article.text), article))
    return sources


def _choose_sources(sources: list[Source], number: int, count: int, rng: Generator) -> list[Source]:
    """Return one source on the craft that is akin to the document's, and the others from elsewhere."""
    near = range(number % len(topics()), len(sources), len(topics()))
    far = [i for i in range(len(sources)) if i not in near]
    chosen = [near[rng.integers(len(near))], *rng.permutation(far)[: count - 1]]
    return [sources[i] for i in chosen]


def _plagiarise(
    name: str, host: Article, sources: list[Source], kind: Kind, rng: Generator
) -> tuple[Document, list[Case]]:
    """Put passages of the sources between the sentences of the host."""
    copied = [
        (source, first, last)
        for source in sources
        for first, last in _passages(len(source.article.sentences), kind, rng)
    ]
    borders = rng.permutation(len(host.sentences))[: len(copied)]
    order = rng.permutation(len(copied))
    text, shift, cases = host.text, 0, []
    for border, number in zip(sorted(int(border) for border in borders), order, strict=True):
        source, first, last = copied[number]
        spans = source.article.spans
        origin = Passage(source.document.name, spans[first].start, spans[last].end - spans[first].start)
        strategy, attributes = _obfuscation(kind, rng)
        scene = Scene(rng, "en", tuple(host.text.split()))
        inserted = strategy.rewrite(source.document[origin], scene).text
        start = host.spans[border].end + shift + 1
        text = f"{text[: start - 1]} {inserted}{text[start - 1 :]}"
        shift += len(inserted) + 1
        cases.append(Case(Passage(name, start, len(inserted)), origin, attributes))
    return Document(name, text), cases


def _passages(sentences: int, kind: Kind, rng: Generator) -> list[tuple[int, int]]:
    """Choose the first and the last sentence of each case, so that no two of them meet."""
    chosen: list[tuple[int, int]] = []
    while len(chosen) < kind.cases:
        length = int(rng.integers(*kind.sentences, endpoint=True))
        first = int(rng.integers(0, sentences - length + 1))
        last = first + length - 1
        if all(last < other_first or other_last < first for other_first, other_last in chosen):
            chosen.append((first, last))
    return chosen


def _obfuscation(kind: Kind, rng: Generator) -> tuple[Strategy, dict[str, str]]:
    """Return how a passage is rewritten, and what the truth says of it."""
    said = {"type": "artificial", "obfuscation": kind.obfuscation}
    said |= {"this_language": "en", "source_language": "en"}
    if kind.obfuscation == "random":
        degree = round(float(rng.uniform(0.2, 0.8)), 2)
        return RandomOperations(share=degree), said | {"obfuscation_degree": f"{degree:.2f}"}
    return Summary(share=SUMMARY) if kind.obfuscation == "summary" else Unchanged(), said


def _write_pairs(path: Path, pairs: Iterable[DocumentPair]) -> None:
    _write_text(path, "".join(f"{suspicious} {source}\n" for suspicious, source in pairs))


def _write_documents(folder: Path, documents: Iterable[Document]) -> None:
    folder.mkdir()
    for document in documents:
        _write_text(folder / document.name, document.text)


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
