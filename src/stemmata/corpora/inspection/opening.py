"""Opening: a corpus of any layout as one object, whose documents are read one at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np

from stemmata.corpora.building.plan import Plan
from stemmata.corpora.inspection.plan_record import RECORD, read_plan_record
from stemmata.formats import pan_xml
from stemmata.formats.annotations import pairs_files
from stemmata.formats.clough09 import ShortAnswer, read_clough09
from stemmata.formats.columns import AnnotationColumns
from stemmata.formats.documents import DocumentFolder
from stemmata.formats.files import decode, is_folder, read_bytes
from stemmata.formats.pairs import DocumentPair, read_pairs
from stemmata.formats.validation import SOURCE_FOLDERS, SUSPICIOUS_FOLDERS
from stemmata.model import (
    Annotations,
    Case,
    Coded,
    Document,
    ErrorCode,
    Finding,
    Passage,
    StemmataError,
    document_key,
)
from stemmata.model.spans import Ints

Report = Callable[[Finding], None]
Side = Literal["suspicious", "source"]
SIDES: tuple[Side, Side] = ("suspicious", "source")

PARADIGMS = {"external-detection-corpus": False, "intrinsic-detection-corpus": True}
"""Folders of PAN-PC-09, -10 and -11, and whether the documents in them are for intrinsic detection."""
SHORT_ANSWERS = {"cut": "near copy", "light": "light revision", "heavy": "heavy revision"}
"""What the degrees of reuse in Clough09 are called here; the fourth is no reuse at all."""
UNSTATED = "unstated"
"""The kind of a case of which the truth does not say how it was obfuscated."""
WHOLE = "all"
"""A folder in which PAN13 repeats its sub-corpora."""

_SUB_CORPUS = re.compile(r"\d+-(.+)")


@dataclass(frozen=True)
class Texts:
    """The documents of one side, by name; a text is read when it is asked for, and not kept.

    Attributes
    ----------
    paths
        In the order of their folders.
    lenient
        Whether what is not UTF-8 is read as Windows-1252.
    """

    paths: Mapping[str, Path] = field(repr=False)
    lenient: bool = False

    def __len__(self) -> int:
        return len(self.paths)

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __contains__(self, name: object) -> bool:
        return name in self.paths

    def __getitem__(self, name: str) -> Document:
        path = self.paths[name]
        data = read_bytes(path)
        if self.lenient:
            try:
                return Document(name, data.decode("utf-8"))
            except UnicodeDecodeError:
                return Document(name, data.decode("windows-1252", errors="replace"))
        return Document(name, decode(data, path))


@dataclass(frozen=True)
class Corpus:
    """A corpus. Cases are kept as columns; texts stay in their files.

    Attributes
    ----------
    layout
        ``pan-pc-10``, ``pan13``, ``plagevalrus`` or ``clough09``.
    cases
        With the names of `suspicious` and `sources`.
    kinds
        How each case was obfuscated: by the attributes of the truth or, in PAN13, by its folder.
    pairs
        As listed, or those that have cases.
    listed
        Whether the corpus lists its pairs.
    told
        What the files of truth speak of: suspicious documents, or pairs joined by a hyphen, without ``.txt``.
    intrinsic
        Suspicious documents whose sources are not in the corpus on purpose.
    plan
        What the corpus was built by, where it says so.
    """

    folder: Path
    layout: str
    suspicious: Texts
    sources: Texts
    cases: Annotations = field(repr=False)
    kinds: Coded = field(repr=False)
    pairs: tuple[DocumentPair, ...] = field(repr=False)
    listed: bool
    told: frozenset[str] = field(repr=False)
    intrinsic: frozenset[str] = field(repr=False)
    plan: Plan | None = field(default=None, repr=False)
    files: int = 0

    @property
    def name(self) -> str:
        """What the corpus is called: its folder."""
        return self.folder.resolve().name

    def texts(self, side: Side) -> Texts:
        """Return the documents of a side."""
        return self.suspicious if side == "suspicious" else self.sources

    def documents(self, report: Report | None = None) -> Iterator[tuple[Side, Document]]:
        """Read all documents one by one, suspicious ones first; what cannot be read goes to `report`."""
        for side in SIDES:
            texts = self.texts(side)
            for name in texts:
                try:
                    document = texts[name]
                except StemmataError as error:
                    if report is None:
                        raise
                    report(error.finding)
                    continue
                yield side, document

    def rows(self, side: Side, name: str) -> Ints:
        """Return the numbers of the cases of a document, in the order of its text."""
        return self._rows[side].get(name, _NO_ROWS)

    @cached_property
    def _rows(self) -> dict[Side, dict[str, Ints]]:
        table = self.cases
        columns: dict[Side, tuple[Coded, Ints]] = {
            "suspicious": (table.suspicious, table.offset),
            "source": (table.source, table.source_offset),
        }
        found: dict[Side, dict[str, Ints]] = {}
        for side, (names, offset) in columns.items():
            order = np.lexsort((offset, names.codes))
            codes, first = np.unique(names.codes[order], return_index=True)
            groups = np.split(order, first[1:]) if len(order) else []
            found[side] = {
                names.values[code]: rows for code, rows in zip(codes, groups, strict=True) if code >= 0
            }
        return found


_NO_ROWS: Ints = np.zeros(0, dtype=np.int64)


@dataclass
class _Reading:
    """A corpus while it is read."""

    report: Report | None
    paths: dict[Side, dict[str, Path]] = field(default_factory=lambda: {"suspicious": {}, "source": {}})
    intrinsic: set[str] = field(default_factory=set)
    told: set[str] = field(default_factory=set)
    files: int = 0

    def __post_init__(self) -> None:
        self.columns = AnnotationColumns(keep_attributes=True, report=self.report)

    def add_documents(self, side: Side, folder: Path, prefix: str) -> dict[str, str]:
        """Take the documents of a folder; return their names here by those that annotations use."""
        paths, names = self.paths[side], {}
        for known, path in DocumentFolder(folder).paths.items():
            if known != path.name:
                continue
            # Parts of one corpus may each count their documents from 1.
            name = path.name if path.name not in paths else f"{prefix}/{path.name}"
            paths[name] = path
            names[path.name] = names[document_key(path.name)] = name
        return names

    def add_truth(
        self, files: Iterable[str], names: Mapping[Side, Mapping[str, str]], pairwise: bool
    ) -> None:
        """Take the cases of files of PAN XML."""
        for file in files:
            self.files += 1
            self.columns.open(file)
            try:
                root = pan_xml.parse(file)
            except StemmataError as error:
                if self.report is None:
                    raise
                self.report(error.finding)
                continue
            said = root.reference
            if said is None:
                self.columns.note(ErrorCode.NO_REFERENCE, 0)
                continue
            document = names["suspicious"].get(said, said)
            self.told.add(Path(file).stem if pairwise else document_key(document))
            for number, feature in pan_xml.features(root, pan_xml.CASES):
                theirs = feature.get("source_reference")
                if theirs is not None and theirs in names["source"]:
                    feature["source_reference"] = names["source"][theirs]
                self.columns.add(document, feature, number)


def open_corpus(folder: str | Path, report: Report | None = None) -> Corpus:
    """Open a corpus of any layout that is known here.

    Parameters
    ----------
    folder
        PAN-PC-09 to -11 (``external-detection-corpus`` and ``intrinsic-detection-corpus``, or just
        ``suspicious-documents`` and ``source-documents``), PAN13 and one of its sub-corpora, PlagEvalRus,
        or Clough09.
    report
        Receives what is wrong with the truth; without it the first wrong thing is raised.
    """
    folder = Path(folder)
    if not is_folder(folder):
        raise StemmataError(ErrorCode.NOT_A_CORPUS, folder)
    if any((folder / name).is_dir() for name in PARADIGMS):
        return _open_paradigms(folder, report)
    home = folder
    susp = _below(folder, SUSPICIOUS_FOLDERS)
    if susp is None and any(folder.glob("*.xml")):
        # A sub-corpus of PAN13, whose documents lie beside it.
        home = folder.resolve().parent
        susp = _below(home, SUSPICIOUS_FOLDERS)
    if susp is None:
        return _open_short_answers(folder)
    return _open_flat(folder, home, susp, report)


def _below(folder: Path, names: Iterable[str]) -> Path | None:
    return next((folder / name for name in names if (folder / name).is_dir()), None)


def _open_paradigms(folder: Path, report: Report | None) -> Corpus:
    reading = _Reading(report)
    for paradigm, intrinsic in PARADIGMS.items():
        susp = _below(folder / paradigm, SUSPICIOUS_FOLDERS)
        src = _below(folder / paradigm, SOURCE_FOLDERS)
        names: dict[Side, Mapping[str, str]] = {
            "suspicious": reading.add_documents("suspicious", susp, paradigm) if susp else {},
            "source": reading.add_documents("source", src, paradigm) if src else {},
        }
        if susp is not None:
            reading.add_truth(pan_xml.xml_files(susp), names, pairwise=False)
        if intrinsic:
            reading.intrinsic |= set(names["suspicious"].values())
    return _finished(folder, "pan-pc-10", reading, [])


def _open_flat(folder: Path, home: Path, susp: Path, report: Report | None) -> Corpus:
    reading = _Reading(report)
    src = _below(home, SOURCE_FOLDERS)
    names: dict[Side, Mapping[str, str]] = {
        "suspicious": reading.add_documents("suspicious", susp, "susp"),
        "source": reading.add_documents("source", src, "src") if src else {},
    }
    beside = pan_xml.xml_files(susp)
    files = beside or _without_repeated(pan_xml.xml_files(folder))
    reading.add_truth(files, names, pairwise=not beside)
    lists = {
        name: path for name, path in pairs_files(folder).items() if name != WHOLE or not _sub_corpora(files)
    }
    chosen = [lists[""]] if "" in lists else list(lists.values())
    pairs = [pair for path in chosen for pair in read_pairs(path, report)]
    if folder != home:
        # Only what the sub-corpus speaks of.
        for position, side in enumerate(SIDES):
            named = {names[side].get(pair[position], "") for pair in pairs}
            reading.paths[side] = {name: path for name, path in reading.paths[side].items() if name in named}
    pairwise = "plagevalrus" if (folder / "sources").is_dir() else "pan13"
    return _finished(folder, "pan-pc-10" if beside else pairwise, reading, pairs)


def _sub_corpora(files: Iterable[str]) -> set[str]:
    return {Path(file).parent.name for file in files} - {WHOLE}


def _without_repeated(files: list[str]) -> list[str]:
    """Leave out PAN13's folder of everything, where what it repeats is there."""
    if not _sub_corpora(files):
        return files
    return [file for file in files if Path(file).parent.name != WHOLE]


def _finished(folder: Path, layout: str, reading: _Reading, pairs: list[DocumentPair]) -> Corpus:
    cases = reading.columns.finish()
    record = folder / RECORD
    plan = None
    if record.is_file():
        try:
            plan = read_plan_record(record)
        except StemmataError as error:
            if reading.report is None:
                raise
            reading.report(error.finding)
    paths = reading.paths
    intrinsic = reading.intrinsic
    if not intrinsic:
        alone = cases.source.codes < 0
        intrinsic = {cases.suspicious.values[code] for code in set(cases.suspicious.codes[alone].tolist())}
    with_cases = {
        (cases.suspicious.values[mine], cases.source.values[theirs])
        for mine, theirs in zip(cases.suspicious.codes.tolist(), cases.source.codes.tolist(), strict=True)
        if theirs >= 0
    }
    return Corpus(
        folder,
        layout,
        Texts(paths["suspicious"]),
        Texts(paths["source"]),
        cases,
        _kinds(cases, plan),
        tuple(dict.fromkeys(pairs)) if pairs else tuple(sorted(with_cases)),
        bool(pairs),
        frozenset(reading.told),
        frozenset(intrinsic),
        plan,
        reading.files,
    )


def _kinds(cases: Annotations, plan: Plan | None) -> Coded:
    """Return how each case was obfuscated."""
    columns = [cases.attributes.get(name) for name in ("obfuscation", "type")]
    planned = {one.name for one in plan.obfuscation} if plan else set()
    kinds = []
    for row in range(len(cases)):
        obfuscation, told = (None if column is None else column[row] for column in columns)
        if obfuscation in planned:
            kinds.append(obfuscation)
            continue
        folder = _SUB_CORPUS.fullmatch(Path(cases.file[row] or "").parent.name)
        kinds.append(_kind(folder[1] if folder else "", obfuscation or "", told or "", cases.source[row]))
    return Coded.of(kinds)


def _kind(folder: str, obfuscation: str, told: str, source: str | None) -> str:
    if folder:
        kind = folder.removesuffix("-obfuscation")
        return {"no": "none", "translation": "translated"}.get(kind, kind)
    if told.startswith("translation"):
        return "translated"
    if told == "simulated":
        return "simulated"
    return obfuscation or told or ("none" if source is None else UNSTATED)


def _open_short_answers(folder: Path) -> Corpus:
    """Open Clough09: an answer that reuses its article is one case, as long as both of them."""
    try:
        answers = read_clough09(folder)
    except StemmataError as error:
        if error.finding.kind is ErrorCode.BAD_SHORT_ANSWERS and not _has_articles(folder):
            raise StemmataError(ErrorCode.NOT_A_CORPUS, folder) from None
        raise
    texts = _has_articles(folder)[0].parent
    sources = dict.fromkeys(one.pair.source.name for one in answers)
    cases = Annotations.of(_as_case(one) for one in answers if one.category in SHORT_ANSWERS)
    return Corpus(
        folder,
        "clough09",
        Texts({one.pair.suspicious.name: texts / one.pair.suspicious.name for one in answers}, True),
        Texts({name: texts / name for name in sources}, True),
        cases,
        Coded.of(case.attributes["obfuscation"] for case in cases),
        tuple((one.pair.suspicious.name, one.pair.source.name) for one in answers),
        True,
        frozenset(document_key(one.pair.suspicious.name) for one in answers),
        frozenset(),
    )


def _has_articles(folder: Path) -> list[Path]:
    return [path for below in ("", "*/", "*/*/") for path in sorted(folder.glob(f"{below}orig_taska.txt"))]


def _as_case(answer: ShortAnswer) -> Case:
    mine, theirs = answer.pair.suspicious, answer.pair.source
    return Case(
        Passage(mine.name, 0, len(mine)),
        Passage(theirs.name, 0, len(theirs)),
        {"obfuscation": SHORT_ANSWERS[answer.category]},
    )
