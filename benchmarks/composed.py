"""`stemmata` on pairs composed of PAN13's: a part of a source summarised, and several kinds in one pair."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from benchmarks.tables import show
from stemmata.formats import DocumentFolder, read_cases
from stemmata.formats.pairs import DocumentPair
from stemmata.measures.evaluation import score_alignment
from stemmata.model import Aligner, Annotation, Annotations, Case, Detection, Document, Pair, Passage
from stemmata.reuse import detectors
from stemmata.reuse.detection import Corpus
from stemmata.reuse.tuning.folds import document_folds
from stemmata.text.words import find_words

SEED = 17
FOLDS, REPORTED = 5, (3, 4)
"""Folds without a common document; settings were chosen on the others."""
SHARES = (0.25, 0.5, 0.75)
RIGHT_PART = 0.8
ALIKE, RARE, TWINS = 5, 100, 0.5
"""Sources of one subject, how many may have a rare word, and the share of these that only copies share."""
JOINED, QUICK_JOINED = 60, 5
KINDS = {
    "none": "02-no-obfuscation",
    "random": "03-random-obfuscation",
    "translation": "04-translation-obfuscation",
    "summary": "05-summary-obfuscation",
}


class Composed(NamedTuple):
    """A pair, and what is reused in it."""

    pair: Pair
    cases: tuple[Case, ...]


class Material:
    """The documents, pairs and cases of PAN13's training corpus."""

    def __init__(self, path: Path) -> None:
        self.corpus = Corpus.open(path)
        self._suspicious, self._source = (
            DocumentFolder(folder) for folder in (self.corpus.suspicious, self.corpus.source)
        )
        truth = read_cases(path)
        listed = {kind: set(truth.pairs[folder]) for kind, folder in KINDS.items()}
        self.kinds = {
            kind: [pair for pair in self.corpus.pairs if pair in some] for kind, some in listed.items()
        }
        self._cases: dict[DocumentPair, dict[Case, None]] = {}
        for case in truth.annotations.cases:
            if case.source is not None:
                pair = case.suspicious.document, case.source.document
                self._cases.setdefault(pair, {})[Case(case.suspicious, case.source)] = None

    def texts(self) -> dict[str, str]:
        """Return the text of every document."""
        return {
            name: folder[name].text for folder in (self._suspicious, self._source) for name in folder.paths
        }

    def compose(self, pair: DocumentPair) -> Composed:
        """Return a pair as it is."""
        return Composed(
            Pair(self._suspicious[pair[0]], self._source[pair[1]]), tuple(self._cases.get(pair, ()))
        )

    def source(self, name: str) -> str:
        """Return the text of a source."""
        return self._source[name].text


class Subjects:
    """Which texts are alike: those that share most rare words, but for copies."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._words = {name: set(find_words(text).forms) for name, text in texts.items()}
        self._with: dict[str, list[str]] = {}
        for name, words in self._words.items():
            for word in words:
                self._with.setdefault(word, []).append(name)

    def of(self, name: str) -> list[str]:
        """Return the texts most like one."""
        rare = [word for word in self._words[name] if 1 < len(self._with[word]) <= RARE]
        shared = Counter(other for word in sorted(rare) for other in self._with[word] if other != name)
        most = TWINS * len(rare)
        return [other for other, count in sorted(shared.items(), key=_most_first) if count < most][:ALIKE]


def _most_first(counted: tuple[str, int]) -> tuple[int, str]:
    return -counted[1], counted[0]


def run(quick: bool) -> None:
    """Print plagdet on summaries of parts of a source, and on four kinds of reuse in one pair."""
    folder = Path(os.environ.get("STEMMATA_DATA") or Path.home() / ".cache" / "stemmata-data")
    if not (folder / "pan13-alignment-train").is_dir():
        print("\nComposed pairs: set STEMMATA_DATA to the folder that holds pan13-alignment-train")
        return
    material = Material(folder / "pan13-alignment-train")
    aligner = detectors["stemmata"]()
    _show_parts(material, aligner, quick)
    _show_mixed(material, aligner, QUICK_JOINED if quick else JOINED)


def _show_parts(material: Material, aligner: Aligner, quick: bool) -> None:
    folds = document_folds(material.corpus.pairs, material.texts(), FOLDS, seed=1)
    reported = {
        pair for pair, fold in zip(material.corpus.pairs, folds.tolist(), strict=True) if fold in REPORTED
    }
    made = [material.compose(pair) for pair in material.kinds["summary"] if pair in reported]
    made = [one for one in made if one.cases][:: 10 if quick else 1]
    every = sorted({theirs for _, theirs in material.corpus.pairs})
    alike = Subjects({name: material.source(name) for name in every})
    rows: list[tuple[str, ...]] = [("all", *_parts_found(aligner, made), "", "")]
    for share in SHARES[::-1]:
        cells: list[str] = []
        for same_subject in (False, True):
            rng = np.random.default_rng(SEED)
            longer = []
            for one in made:
                name = one.pair.source.name
                others = alike.of(name) if same_subject else [other for other in every if other != name]
                longer.append(_lengthened(one, material, others, share, rng))
            cells += _parts_found(aligner, longer)
        rows.append((f"{share:g}", *cells))
    show(
        "Parts of a source",
        ("share of the source", "any documents", "right part", "same subject", "right part"),
        rows[::-1],
        f"Macro plagdet of `stemmata` on {len(made)} summaries of PAN13 whose source stands before, behind "
        f"or among other sources; right part: common over joint characters above {RIGHT_PART:g}. "
        f"Of the same subject are the {ALIKE} sources that share most rare words with it.",
    )


def _lengthened(
    one: Composed, material: Material, others: Sequence[str], share: float, rng: Generator
) -> Composed:
    """Put the source among others, so that it is a share of the whole."""
    text = one.pair.source.text
    wanted = int(len(text) * (1 / share - 1))
    beside = ""
    for number in rng.permutation(len(others)):
        beside += material.source(others[number]) + "\n"
        if len(beside) >= wanted:
            break
    before = beside[: int(rng.choice([0.0, 0.5, 1.0]) * min(wanted, len(beside)))]
    behind = beside[len(before) : wanted]
    whole = "\n".join((before, text, behind))
    return Composed(
        Pair(one.pair.suspicious, Document(one.pair.source.name, whole)),
        tuple(_moved(case, 0, len(before) + 1) for case in one.cases),
    )


def _parts_found(aligner: Aligner, made: Sequence[Composed]) -> tuple[str, str]:
    found = [aligner.align(one.pair) for one in made]
    right = [
        any(_agreement(detection.source, case.source) > RIGHT_PART for detection in some)
        for one, some in zip(made, found, strict=True)
        for case in one.cases
    ]
    plagdet = _plagdet([case for one in made for case in one.cases], [x for some in found for x in some])
    return plagdet, f"{np.mean(right):.2f}"


def _agreement(one: Passage | None, two: Passage | None) -> float:
    """Return the common part of two passages over all they cover."""
    if one is None or two is None:
        return 0.0
    common = one.span.clip(two.span).length
    return common / max(1, one.length + two.length - common)


def _moved(case: Case, suspicious: int, source: int) -> Case:
    mine, theirs = case.suspicious, case.source
    return Case(
        mine._replace(offset=mine.offset + suspicious),
        theirs and theirs._replace(offset=theirs.offset + source),
    )


def _show_mixed(material: Material, aligner: Aligner, times: int) -> None:
    rng = np.random.default_rng(SEED)
    alone: dict[str, list[tuple[Composed, list[Detection]]]] = {kind: [] for kind in KINDS}
    mixed: dict[str, tuple[list[Case], list[Detection]]] = {kind: ([], []) for kind in KINDS}
    for number in range(times):
        kinds = rng.permutation(list(KINDS)).tolist()
        parts = [material.compose(_any_of(material.kinds[kind], rng)) for kind in kinds]
        for kind, part in zip(kinds, parts, strict=True):
            alone[kind].append((part, aligner.align(part.pair)))
        joined, cases, ends = _join(parts, f"{number}.txt")
        found = aligner.align(joined)
        for place, kind in enumerate(kinds):
            mixed[kind][0].extend(cases[place])
            mixed[kind][1].extend(one for one in found if _places(one, ends) == (place, place))
    columns = list(KINDS)
    rows = [
        ("alone", *(_plagdet_of_pairs(alone[kind]) for kind in columns)),
        ("mixed", *(_plagdet(*mixed[kind]) for kind in columns)),
    ]
    show(
        "Several kinds in one pair",
        ("plagdet", *columns),
        rows,
        f"Four pairs of PAN13, one of each kind, joined to one, {times} times; detections across the four "
        "are left out.",
    )


def _any_of(pairs: Sequence[DocumentPair], rng: Generator) -> DocumentPair:
    return pairs[int(rng.integers(len(pairs)))]


def _join(parts: Sequence[Composed], name: str) -> tuple[Pair, list[list[Case]], tuple[list[int], list[int]]]:
    """Write pairs one behind the other; return the pair, the cases of each, and where each ends."""
    texts: list[list[str]] = [[], []]
    ends: tuple[list[int], list[int]] = ([], [])
    cases = []
    for part in parts:
        starts = [end[-1] if end else 0 for end in ends]
        moved = (_moved(case, *starts) for case in part.cases)
        cases.append([_renamed(case, name) for case in moved])
        for side, document in enumerate((part.pair.suspicious, part.pair.source)):
            texts[side].append(document.text)
            ends[side].append(starts[side] + len(document.text) + 1)
    made = (Document(f"{side}-{name}", "\n".join(text)) for side, text in zip("ab", texts, strict=True))
    return Pair(*made), cases, ends


def _renamed(case: Case, name: str) -> Case:
    return Case(
        case.suspicious._replace(document=f"a-{name}"),
        case.source and case.source._replace(document=f"b-{name}"),
    )


def _places(one: Annotation, ends: tuple[list[int], list[int]]) -> tuple[int, ...]:
    """Return in which of the joined pairs the two sides of a detection begin."""
    sides = (one.suspicious, one.source or one.suspicious)
    return tuple(
        int(np.searchsorted(end, side.offset + side.length // 2, "right"))
        for end, side in zip(ends, sides, strict=True)
    )


def _plagdet_of_pairs(made: Sequence[tuple[Composed, list[Detection]]]) -> str:
    # The same pair may be drawn twice.
    drawn = {(one.pair.suspicious.name, one.pair.source.name): (one, some) for one, some in made}
    cases = [case for one, _ in drawn.values() for case in one.cases]
    return _plagdet(cases, [found for _, some in drawn.values() for found in some])


def _plagdet(cases: Sequence[Annotation], found: Sequence[Annotation]) -> str:
    values = score_alignment(Annotations.of(cases), Annotations.of(found)).scores.values
    return f"{values['macro.plagdet']:.3f}"
