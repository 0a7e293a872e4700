"""Running a detector over a corpus: in parallel, resumable, the same for any number of jobs.

What is detected in are pairs of documents or, for an intrinsic detector, documents alone, which count as
pairs without a source. Pairs are cut into chunks. A finished chunk is kept in a folder beside the run,
under a name made of everything that could change its result; a run that was stopped picks these up and
goes on.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, is_dataclass
from functools import cache, lru_cache
from pathlib import Path

from stemmata import __version__
from stemmata.formats import DocumentFolder, read_pairs
from stemmata.formats.documents import alignment_limit
from stemmata.formats.outputs import OutputFolder
from stemmata.formats.pairs import DocumentPair
from stemmata.formats.pan_xml import file_names, write_pan_xml
from stemmata.formats.records import Making, digest_of, sha256_of
from stemmata.formats.sealed import file_checksum, read_sealed, write_sealed
from stemmata.model import (
    Aligner,
    Detection,
    Document,
    ErrorCode,
    IntrinsicDetector,
    Pair,
    Passage,
    StemmataError,
)
from stemmata.model.processes import Processes
from stemmata.model.wording import counted
from stemmata.reuse.asking import align, find
from stemmata.reuse.parameters import ParameterFile, make_aligner, make_intrinsic_detector

PAIRS_PER_CHUNK = 32
DOCUMENTS_PER_CHUNK = 8
SMALL_CHUNKS, SMALLEST = 4, 8
"""So many chunks at the end are cut into pieces of this size, so that all processes end about together."""
NO_SOURCE = ""
"""Stands for the source in the pair of a document that is examined alone."""
Advance = Callable[[int], None]
State = Callable[[str], str]


@dataclass(frozen=True)
class Task:
    """What to run on what: everything that decides the result. Without sources, documents are alone."""

    suspicious: Path
    source: Path | None
    detector: str
    parameters: ParameterFile | None = None

    def made(self) -> Aligner | IntrinsicDetector:
        """Make the detector ready."""
        make = make_intrinsic_detector if self.source is None else make_aligner
        return make(self.detector, self.parameters)

    def find(self) -> Callable[[DocumentPair], list[Detection]]:
        """Return what reads a pair and gives the detections in it."""
        suspicious = _documents(self.suspicious)
        if self.source is None:
            intrinsic = make_intrinsic_detector(self.detector, self.parameters)
            return lambda pair: find(self.detector, intrinsic, suspicious(pair[0]))
        source, aligner = _documents(self.source), make_aligner(self.detector, self.parameters)
        return lambda pair: align(self.detector, aligner, Pair(suspicious(pair[0]), source(pair[1])))


@dataclass
class Outcome:
    """What came of some pairs: detections, and for pairs that could not be read the reason."""

    detections: list[Detection] = field(default_factory=list)
    failures: list[tuple[DocumentPair, str]] = field(default_factory=list)


Work = tuple[Task, dict[DocumentPair, str], Path]
"""A chunk to align: the pairs with the names of their files, and where its outcome is to go."""


@dataclass(frozen=True)
class Corpus:
    """A corpus as PAN13 lays it out: ``pairs``, ``susp/`` and ``src/``."""

    path: Path
    suspicious: Path
    source: Path
    pairs: tuple[DocumentPair, ...]

    @classmethod
    def open(cls, path: str | Path) -> Corpus:
        """Find the parts of a corpus; what is missing is an error that names it."""
        folder = Path(path)
        for part in (folder, folder / "pairs", folder / "susp", folder / "src"):
            if not part.exists():
                raise StemmataError(ErrorCode.NO_SUCH_PATH, part)
        pairs = tuple(dict.fromkeys(read_pairs(folder / "pairs")))
        return cls(folder, folder / "susp", folder / "src", pairs)


@dataclass(frozen=True)
class Documents:
    """Documents that are examined alone.

    Attributes
    ----------
    path
        What was named.
    suspicious
        The folder that holds them, in it or one folder down.
    pairs
        Each document, with no source.
    """

    path: Path
    suspicious: Path
    pairs: tuple[DocumentPair, ...]

    @classmethod
    def open(cls, path: str | Path) -> Documents:
        """Find the suspicious documents of a corpus, be it laid out as PAN13, as PAN-PC-10, or just texts."""
        folder = Path(path)
        if not folder.exists():
            raise StemmataError(ErrorCode.NO_SUCH_PATH, folder)
        below = ("intrinsic-detection-corpus/suspicious-documents", "suspicious-documents", "susp")
        texts = next((folder / name for name in below if (folder / name).is_dir()), folder)
        names = sorted(name for name in DocumentFolder(texts).paths if name.endswith(".txt"))
        if not names:
            raise StemmataError(ErrorCode.NOTHING_TO_EXAMINE, folder)
        return cls(folder, texts, tuple((name, NO_SOURCE) for name in names))


def detect(
    corpus: Corpus | Documents,
    detector: str,
    run: Path,
    jobs: int = 1,
    advance: Advance = lambda _: None,
    parameters: ParameterFile | None = None,
    overwrite: bool = False,
) -> Outcome:
    """Run a detector on all pairs of a corpus and write the run, one PAN XML file per pair.

    Parameters
    ----------
    run
        Folder for the detections. It appears when everything is done, with ``run.json``, which says how it
        was made.
    jobs
        Number of processes.
    advance
        Is told how many more pairs are done.
    parameters
        What the detector was tuned to; by default it has its own.
    overwrite
        Whether a run of another detector, or on another corpus, is replaced.

    Returns
    -------
    Outcome
        All detections, and the pairs that could not be aligned; these have no file in the run.
    """
    source = None if isinstance(corpus, Documents) else corpus.source
    task = Task(corpus.suspicious, source, detector, parameters)
    out = OutputFolder.claim(run, _making(task, corpus), overwrite, [corpus.path])
    chunks = (
        _smaller_at_the_end(list(_cut(_together(corpus.pairs), PAIRS_PER_CHUNK)))
        if source
        else list(_cut([[pair] for pair in corpus.pairs], DOCUMENTS_PER_CHUNK))
    )
    with out.unfinished() as keep:
        done = _run_chunks(task, chunks, keep, jobs, advance)
        outcomes = [_restore(path) for path in done]
        with out.filled() as part:
            for path in done:
                with os.scandir(_xml_folder(path)) as files:
                    for file in files:
                        # A third of the time of a path's.
                        os.rename(file.path, f"{part}/{file.name}")  # noqa: PTH104
    place = {pair: number for number, pair in enumerate(corpus.pairs)}
    detections = [detection for outcome in outcomes for detection in outcome.detections]
    failures = [failure for outcome in outcomes for failure in outcome.failures]
    return Outcome(
        sorted(detections, key=lambda one: place[_pair_of(one)]),
        sorted(failures, key=lambda one: place[one[0]]),
    )


def _making(task: Task, corpus: Corpus | Documents) -> Making:
    """Return what a run is made of: the detector as it is set, and the texts of all pairs."""
    texts: list[str] = []
    for side, folder in enumerate((task.suspicious, task.source)):
        paths = DocumentFolder(folder).paths if folder else {}
        for name in sorted({pair[side] for pair in corpus.pairs}):
            texts.append(name)
            with suppress(StemmataError):  # reported when it is its turn
                texts.append(sha256_of(paths[name]) if name in paths else "")
    listed = (f"{suspicious} {source}" for suspicious, source in corpus.pairs)
    return Making(
        "alignment run" if task.source else "intrinsic run",
        {"detector": task.detector, "settings": settings_of(task.made())},
        {"corpus": {"name": corpus.path.resolve().name, "digest": digest_of([*texts, *listed])}},
    )


def _pair_of(detection: Detection) -> DocumentPair:
    return detection.suspicious.document, detection.source.document if detection.source else NO_SOURCE


def _together(pairs: Iterable[DocumentPair]) -> list[list[DocumentPair]]:
    """Return the pairs that hang together by their documents: to share none with the rest saves analyses."""
    parent: dict[tuple[int, str], tuple[int, str]] = {}

    def find(document: tuple[int, str]) -> tuple[int, str]:
        while parent.setdefault(document, document) != document:
            parent[document] = document = parent[parent[document]]
        return document

    pairs = list(pairs)
    for mine, theirs in pairs:
        parent[find((0, mine))] = find((1, theirs))
    groups: dict[tuple[int, str], list[DocumentPair]] = {}
    for pair in pairs:
        groups.setdefault(find((0, pair[0])), []).append(pair)
    return list(groups.values())


def _cut(groups: Iterable[list[DocumentPair]], size: int) -> Iterator[list[DocumentPair]]:
    """Yield chunks of some size or more, but less than twice as much; only longer groups are cut."""
    chunk: list[DocumentPair] = []
    for group in groups:
        if len(chunk) + len(group) >= 2 * size and chunk:
            yield chunk
            chunk = []
        while len(group) >= 2 * size:
            yield group[:size]
            group = group[size:]  # noqa: PLW2901
        chunk = chunk + group
        if len(chunk) >= size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _smaller_at_the_end(chunks: list[list[DocumentPair]]) -> list[list[DocumentPair]]:
    """Cut the last chunks into pieces; to analyse some of their documents twice costs less than to wait."""
    if len(chunks) <= SMALL_CHUNKS:
        return chunks
    small = [
        chunk[i : i + SMALLEST] for chunk in chunks[-SMALL_CHUNKS:] for i in range(0, len(chunk), SMALLEST)
    ]
    return chunks[:-SMALL_CHUNKS] + small


def align_pairs(task: Task, pairs: Sequence[DocumentPair]) -> Outcome:
    """Work on some pairs in this process; one that cannot be read does not stop the rest."""
    find = task.find()
    outcome = Outcome()
    for pair in pairs:
        try:
            outcome.detections += find(pair)
        except StemmataError as error:
            outcome.failures.append((pair, str(error)))
        except MemoryError:
            outcome.failures.append((pair, str(StemmataError(ErrorCode.OUT_OF_MEMORY))))
    return outcome


@lru_cache(maxsize=2)
def _documents(folder: Path) -> Callable[[str], Document]:
    """Return a reader that keeps the documents it read last, since pairs of one document come together."""
    # Few, since documents may be long; to read one again takes far less than to align it.
    return lru_cache(maxsize=8)(DocumentFolder(folder, alignment_limit()).__getitem__)


def _run_chunks(
    task: Task, chunks: list[list[DocumentPair]], keep: Path, jobs: int, advance: Advance
) -> list[Path]:
    """Align all chunks, but for those of an earlier attempt; return where their outcomes are, in order."""
    # What another run of this process read from folders of these names may have changed since.
    _documents.cache_clear()
    states = [_states(folder) for folder in (task.suspicious, task.source)]
    settings = [__version__, task.detector, settings_of(task.made()), str(alignment_limit())]
    names = file_names(pair for chunk in chunks for pair in chunk)
    paths = [keep / f"{_key(settings, chunk, states)}.json" for chunk in chunks]
    work = [
        (task, {pair: names[pair] for pair in chunk}, path)
        for chunk, path in zip(chunks, paths, strict=True)
        if not _is_whole(path)
    ]
    advance(sum(map(len, chunks)) - sum(len(named) for _, named, _ in work))
    with Processes(min(jobs, len(work))) as processes:
        for number, _ in processes.completed(_complete, work, _told):
            advance(len(work[number][1]))
    return paths


def _told(task: Task, names: Mapping[DocumentPair, str], path: Path) -> str:
    first = next(iter(names))
    rest = f" and {counted(len(names) - 1, 'pair')} after it" if len(names) > 1 else ""
    return f"{' with '.join(first)}{rest}"


def _complete(task: Task, names: Mapping[DocumentPair, str], path: Path) -> None:
    """Align the pairs of a chunk and write what came of it: the files of the run, then the outcome.

    The outcome says that all is done, so it is written last.
    """
    outcome = align_pairs(task, list(names))
    failed = {pair for pair, _ in outcome.failures}
    write_pan_xml(
        _xml_folder(path),
        outcome.detections,
        names={pair: name for pair, name in names.items() if pair not in failed},
        replace=True,
    )
    _store(path, outcome)


def _is_whole(path: Path) -> bool:
    """Tell whether a chunk of an earlier attempt is there as it was written, its outcome and its files."""
    kept = read_sealed(path)
    return kept is not None and kept["files"] == _checksums(_xml_folder(path))


def _checksums(folder: Path) -> dict[str, int]:
    return {file.name: file_checksum(file) for file in folder.iterdir()} if folder.is_dir() else {}


def _xml_folder(path: Path) -> Path:
    """Return where the files of a chunk lie until all chunks are done."""
    return path.with_suffix("")


def _key(settings: Sequence[str], pairs: Sequence[DocumentPair], states: Sequence[State]) -> str:
    """Return a name for a chunk made of all that decides its result: detector, version, documents."""
    said = list(settings)
    for pair in pairs:
        said += [f"{name}:{state(name)}" for name, state in zip(pair, states, strict=True)]
    return hashlib.sha256("\n".join(said).encode()).hexdigest()[:32]


def _states(folder: Path | None) -> State:
    """Return what tells of a document what changes when its file does; each file is looked at once."""
    paths = DocumentFolder(folder).paths if folder else {}
    return cache(lambda name: _state(paths.get(name)))


def _state(path: Path | None) -> str:
    """Return what changes when a file does; of one that cannot be looked at there is nothing to say."""
    try:
        state = os.stat(path) if path else None  # noqa: PTH116
    except OSError:
        state = None
    return f"{state.st_size}:{state.st_mtime_ns}" if state else "missing"


def settings_of(detector: Aligner | IntrinsicDetector) -> str:
    """Return the class and parameters of a detector; one that is no dataclass has no parameters to tell."""
    return repr(detector) if is_dataclass(detector) else type(detector).__qualname__


def _store(path: Path, outcome: Outcome) -> None:
    rows = [
        [*detection.suspicious, *(detection.source or ("", 0, 0)), dict(detection.attributes)]
        for detection in outcome.detections
    ]
    said = {"detections": rows, "failures": outcome.failures, "files": _checksums(_xml_folder(path))}
    write_sealed(path, json.dumps(said))


def _restore(path: Path) -> Outcome:
    kept = read_sealed(path)
    if kept is None:
        raise StemmataError(ErrorCode.UNREADABLE, path, reason="it was changed meanwhile")
    detections = [
        Detection(Passage(*row[:3]), Passage(*row[3:6]) if row[3] else None, row[6])
        for row in kept["detections"]
    ]
    return Outcome(detections, [((pair[0], pair[1]), reason) for pair, reason in kept["failures"]])
