"""Layouts: how the documents, the truth and the papers of a corpus lie in its folder."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from numpy.random import default_rng

from stemmata import __version__
from stemmata.corpora.building.assignment import Assignment
from stemmata.corpora.building.plan import Band, Plan
from stemmata.formats.files import read_bytes, write_atomically
from stemmata.formats.pairs import DocumentPair
from stemmata.formats.pan_xml import CASES, document_xml, write_pan_xml
from stemmata.formats.retrieval import write_sources
from stemmata.model import Case, Passage, StemmataError

PER_PART = 500
"""Documents in one part of a large corpus."""


@dataclass(frozen=True)
class Record:
    """What is known of a suspicious document that was made; see `MadeDocument`."""

    number: int
    intrinsic: bool
    length: int
    sentences: int
    left_out: int
    cases: list[dict[str, Any]] = field(repr=False)


@dataclass(frozen=True)
class Layout:
    """Writes a corpus: ``susp/``, ``src/``, ``pairs``, and the truth.

    Attributes
    ----------
    folder
        Of the corpus.
    intrinsic
        Numbers of suspicious documents whose sources are left out.
    """

    plan: Plan
    folder: Path
    intrinsic: frozenset[int]
    unmet: tuple[str, ...] = ()
    sources: int = 0

    def source_name(self, number: int) -> str:
        """Return the name of a source document."""
        return f"source-document{number + 1:05}.txt"

    def suspicious_name(self, number: int) -> str:
        """Return the name of a suspicious document."""
        return f"suspicious-document{number + 1:05}.txt"

    def source_path(self, number: int) -> Path:
        """Return where a source document lies."""
        return self.folder / "src" / self.source_name(number)

    def suspicious_path(self, number: int) -> Path:
        """Return where a suspicious document lies."""
        return self.folder / "susp" / self.suspicious_name(number)

    def write_source(self, number: int, text: str) -> None:
        """Write a source document, unless it is there as it should be."""
        path = self.source_path(number)
        if not _has(path, text_digest(text)):
            _write(path, text)

    def write_suspicious(self, number: int, text: str) -> None:
        """Write a suspicious document."""
        _write(self.suspicious_path(number), text)

    def has_suspicious(self, number: int, digest: str) -> bool:
        """Tell whether a suspicious document is there as it was made."""
        return _has(self.suspicious_path(number), digest)

    def finish(self, records: Iterable[Record]) -> tuple[int, tuple[str, ...]]:
        """Write truth and papers; return the number of cases, and what of the plan was not met."""
        tally = Counter[str]()
        self._write_truth(self._told(records, tally))
        unmet = (*self.unmet, *_missed(self.plan, tally))
        _write(self.folder / "README.md", readme(self.plan, tally, unmet))
        _write(self.folder / "plan.json", json.dumps(plan_as_json(self.plan), indent=1) + "\n")
        return tally["cases"], unmet

    def _told(self, records: Iterable[Record], tally: Counter[str]) -> Iterator[tuple[Record, list[Case]]]:
        """Yield documents with their cases, counting as they go by."""
        for record in records:
            cases = [self._case(record, case) for case in record.cases]
            tally["documents"] += 1
            tally["plagiarised"] += bool(cases)
            tally["intrinsic"] += record.intrinsic
            tally["cases"] += len(cases)
            tally["left out"] += record.left_out
            if cases:
                part = (
                    sum(case["size"] for case in record.cases) / record.sentences
                    if self.plan.replace
                    else sum(case.suspicious.length for case in cases) / record.length
                )
                tally[f"plagiarism {_class_of(part, self.plan.plagiarism)}"] += 1
            tally[f"pages {_class_of(record.length / self.plan.page, self.plan.length)}"] += 1
            for case in record.cases:
                for key in ("length", "obfuscation", "topic"):
                    tally[f"{key} {case[key]}"] += 1
            yield record, cases
        tally["sources"] = self.sources

    def _case(self, record: Record, said: Mapping[str, Any]) -> Case:
        start, end = said["this"]
        strategy = next(one.strategy for one in self.plan.obfuscation if one.name == said["obfuscation"])
        attributes = {
            "type": _TYPES.get(strategy, "artificial"),
            "obfuscation": said["obfuscation"],
            "strategy": strategy,
            "case_length": said["length"],
            "topic": said["topic"],
            "this_language": self.plan.language,
        }
        source = None
        if not record.intrinsic:
            attributes["source_language"] = self.plan.language
            source = Passage(
                self.source_name(said["source"]), said["that"][0], said["that"][1] - said["that"][0]
            )
        return Case(Passage(self.suspicious_name(record.number), start, end - start), source, attributes)

    def _write_truth(self, documents: Iterable[tuple[Record, list[Case]]]) -> None:
        """Write the truth as one folder of PAN XML per kind of obfuscation, each with its pairs."""
        clean = "no-plagiarism"
        kinds = [clean, *(one.name for one in self.plan.obfuscation)]
        folders = {kind: f"{number:02}-{kind}" for number, kind in enumerate(kinds, start=1)}
        cases: dict[str, list[Case]] = defaultdict(list)
        pairs: dict[str, list[DocumentPair]] = defaultdict(list)
        rng = default_rng([self.plan.seed, 4])
        for record, made in documents:
            name = self.suspicious_name(record.number)
            if not made:
                pairs[clean].append((name, self.source_name(int(rng.integers(self.sources)))))
            for case in made:
                kind = case.attributes["obfuscation"]
                cases[kind].append(case)
                pairs[kind].append((name, case.source.document if case.source else ""))
        listed: dict[DocumentPair, None] = {}
        for kind, folder in folders.items():
            mine = list(dict.fromkeys(pairs[kind]))
            if mine:
                write_pan_xml(self.folder / folder, cases[kind], CASES, mine)
                _write_pairs(self.folder / folder / "pairs", mine)
                listed |= dict.fromkeys(mine)
        _write_pairs(self.folder / "pairs", sorted(listed))


@dataclass(frozen=True)
class PanPc10(Layout):
    """One XML file beside each suspicious document, in parts of 500; external and intrinsic apart."""

    def source_path(self, number: int) -> Path:
        """Return where a source document lies."""
        return self._part("external-detection-corpus", "source-documents", number) / self.source_name(number)

    def suspicious_path(self, number: int) -> Path:
        """Return where a suspicious document lies."""
        paradigm = "intrinsic" if number in self.intrinsic else "external"
        part = self._part(f"{paradigm}-detection-corpus", "suspicious-documents", number)
        return part / self.suspicious_name(number)

    def _part(self, paradigm: str, kind: str, number: int) -> Path:
        return self.folder / paradigm / kind / f"part{number // PER_PART + 1}"

    def _write_truth(self, documents: Iterable[tuple[Record, list[Case]]]) -> None:
        for record, cases in documents:
            path = self.suspicious_path(record.number)
            _write(path.with_suffix(".xml"), document_xml(path.name, cases, CASES))


@dataclass(frozen=True)
class PlagEvalRus(Layout):
    """Sources with numbers for names, one folder of PAN XML, and the truth of retrieval as JSON."""

    def source_name(self, number: int) -> str:
        """Return the name of a source document: its number."""
        return f"{number + 1:06}.txt"

    def _write_truth(self, documents: Iterable[tuple[Record, list[Case]]]) -> None:
        pairs: list[DocumentPair] = []
        ranked: dict[str, list[str]] = {}
        all_cases: list[Case] = []
        for record, cases in documents:
            name = self.suspicious_name(record.number)
            volume = Counter[str]()
            for case in cases:
                if case.source is not None:
                    volume[case.source.document] += case.suspicious.length
            all_cases += cases
            # By borrowed volume, as the workshop ranks them.
            ranked[name] = [source.removesuffix(".txt") for source, _ in volume.most_common()]
            pairs += [(name, source) for source in sorted(volume)]
        write_pan_xml(self.folder / "truth", all_cases, CASES, pairs)
        write_sources(self.folder / "sources", ranked)
        _write_pairs(self.folder / "pairs", pairs)


_LAYOUTS: dict[str, type[Layout]] = {"pan-pc-10": PanPc10, "pan13": Layout, "plagevalrus": PlagEvalRus}
_TYPES = {"translation": "translation", "simulated": "simulated", "paraphrase": "simulated", "none": "none"}


def layout_of(plan: Plan, folder: Path, assignment: Assignment) -> Layout:
    """Return the layout that a plan asks for."""
    apart = frozenset(one.number for one in assignment.suspicious if one.intrinsic)
    return _LAYOUTS[plan.layout](plan, folder, apart, assignment.unmet, len(assignment.sources))


def _class_of(size: float, bands: Sequence[Band]) -> str:
    """Return the name of the class in which a size falls; nothing where it falls between or beyond."""
    return next((band.name for band in bands if band.low <= size < band.high or size == band.high), "")


def _missed(plan: Plan, tally: Mapping[str, int]) -> Iterator[str]:
    """Yield the classes of suspicious documents that came out otherwise than planned."""
    for what, key, bands, total in (
        ("plagiarism per document", "plagiarism", plan.plagiarism, tally["plagiarised"]),
        ("length of suspicious documents", "pages", plan.length, tally["documents"]),
    ):
        for band in bands:
            made = tally[f"{key} {band.name}"] / max(1, total)
            if abs(made - band.share) > max(0.02, 2.5 / max(1, total)):
                yield f"{what}, {band.name}: {made:.0%} in place of {band.share:.0%}"
    if tally["left out"]:
        yield (
            f"{tally['left out']} cases are left out, for rewritten they had fewer than {plan.passage_words} "
            "words besides stop words"
        )


def plan_as_json(plan: Plan) -> dict[str, Any]:
    """Return everything a plan says, but where its base lies."""
    bands = {
        name: {
            band.name: {"share": band.share, "from": band.low, "to": band.high}
            for band in getattr(plan, name)
        }
        for name in ("length", "plagiarism", "case_length")
    }
    hidden = {
        one.name: {
            "share": one.share,
            "strategy": one.strategy,
            **dict(one.options),
            "cases": list(one.cases),
        }
        for one in plan.obfuscation
    }
    plain = {
        name: getattr(plan, name)
        for name in (
            "name",
            "seed",
            "documents",
            "language",
            "layout",
            "page",
            "intrinsic",
            "clusters",
            "intra",
        )
    }
    plain |= {
        name: getattr(plan, name)
        for name in ("one_kind", "replace", "most_sources", "host_sentences", "passage_words")
    }
    return {**plain, "base": plan.base.name, "purpose": dict(plan.purpose), **bands, "obfuscation": hidden}


def readme(plan: Plan, tally: Mapping[str, int], unmet: Iterable[str]) -> str:
    """Return the page that lies in the corpus: what it is, how it was made, what it is good for."""
    cases = max(1, tally["cases"])
    rows = [
        f"| {what}: {band.name} | {band.share:.0%} | {tally[f'{key} {band.name}'] / cases:.1%} |"
        for what, key, bands in (
            ("case length", "length", plan.case_length),
            ("obfuscation", "obfuscation", plan.obfuscation),
        )
        for band in bands
    ]
    rows += [
        f"| topic: {name} | {share:.0%} | {tally[f'topic {name}'] / cases:.1%} |"
        for name, share in (("intra", plan.intra), ("inter", 1 - plan.intra))
    ]
    missed = "".join(f"- {one}\n" for one in unmet) or "Nothing.\n"
    people = any(one.share and one.strategy == "simulated" for one in plan.obfuscation)
    note = (
        "\nCases called *simulated* were not written by people: a machine rewrote them.\n" if people else ""
    )
    place = "in place of sentences" if plan.replace else "between sentences"
    return f"""# {plan.name}

A corpus of text reuse made by Stemmata {__version__} from the texts in `{plan.base.name}` by the plan in
`plan.json`, seed {plan.seed}. The same plan and texts give the same bytes.

| | number |
|---|---|
| source documents | {tally["sources"]:,} |
| suspicious documents | {tally["documents"]:,} |
| of these with plagiarism | {tally["plagiarised"]:,} |
| of these with sources left out (intrinsic) | {tally["intrinsic"]:,} |
| cases | {tally["cases"]:,} |

| cases | planned | made |
|---|---|---|
{chr(10).join(rows)}

## What of the plan was not met

{missed}
## Datasheet

- *What is in it:* stretches of the base texts as sources and hosts, none of which overlap, and passages of
  the sources inserted into hosts {place}, rewritten as told above.
  Offsets count characters.
- *What it is for:* developing and comparing detectors of text reuse. Shares and kinds are chosen, not
  observed: figures on it say nothing about how much people copy.
- *What to mind:* documents of one base text share author and topic. Whoever tunes on one part and
  reports on another must part them by base text.
- *Rights:* those of the base texts.
{note}"""


def _write_pairs(path: Path, pairs: Iterable[DocumentPair]) -> None:
    _write(path, "".join(f"{mine} {theirs}\n" for mine, theirs in pairs))


def text_digest(text: str) -> str:
    """Return what tells the bytes of a text from any others."""
    return sha256(text.encode()).hexdigest()


def _has(path: Path, digest: str) -> bool:
    try:
        return sha256(read_bytes(path)).hexdigest() == digest
    except StemmataError:
        return False


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with write_atomically(path) as part:
        part.write_text(text, encoding="utf-8", newline="")
