"""Building an index, adding to it and removing from it, in memory that does not grow with the collection.

Documents are taken in batches. Threads hash the words of batches and make their postings, while tantivy
indexes the texts of earlier ones; every so many postings all of it is committed. Whatever happens between two
commits, the index is as of the last one, and the same command goes on from there: documents that have not
changed are not taken again.
"""

from __future__ import annotations

import json
import re
import shutil
import time
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

import numpy as np

from stemmata.formats.collections import SourceDocument, name_fault
from stemmata.formats.documents import MAX_ALIGNED_BYTES
from stemmata.model import ErrorCode, Finding, StemmataError
from stemmata.model.spans import Ints
from stemmata.reuse.index.checks import AT_OPENING, check
from stemmata.reuse.index.duplicates import find_duplicates, meeting_keys
from stemmata.reuse.index.findings import Findings
from stemmata.reuse.index.fingerprints import fingerprint
from stemmata.reuse.index.manifest import (
    DUPLICATES,
    FREQUENCIES,
    LOCK,
    MANIFEST,
    POSTINGS,
    REMOVED,
    TEXTS,
    Manifest,
    SegmentRecord,
    lock,
    read_manifest,
)
from stemmata.reuse.index.reading import Index, NearDuplicate, file_checks, read_frequencies, read_numbers
from stemmata.reuse.index.segment_files import due, merge_segments, sorted_keys, write_array, write_segment
from stemmata.reuse.index.segments import KINDS, LOCAL_BITS, DocumentColumns, Segment, find_names
from stemmata.reuse.index.texts import LANGUAGES, WRITERS, TextReader, TextWriter, code_stems
from stemmata.reuse.index.word_hashes import AT_ONCE, Hashes, content_digest, digests_as_numbers, text_hashes

Advance = Callable[[int], None]

BATCH_DOCUMENTS = 500
BATCH_CHARACTERS = 2_000_000
"""A batch is full when it has as many documents or characters."""
FIRST_BATCH = 100
"""Documents in the first; each has twice as many as the one before."""
COMMIT_POSTINGS = 1 << 24
COMMIT_DOCUMENTS = 1 << 18
COMMIT_SECONDS = 60.0
"""A commit is due after as many postings, documents or seconds."""
NOTED = 100
"""Of documents to be told of, so many are told by name."""
PURGE = 0.125
"""A segment of which this share was removed is written anew."""
_BEFORE_MANIFEST = {LOCK, f".{MANIFEST}", TEXTS}
_OURS = {LOCK, MANIFEST, f".{MANIFEST}", TEXTS, POSTINGS, DUPLICATES}
_is_made = re.compile(r"\d{6,}-[a-z]+\d*(\.npy)?").fullmatch


@dataclass
class Outcome:
    """What came of writing to an index.

    Attributes
    ----------
    added, unchanged, replaced, removed
        How many documents were new, were there already, took the place of others of the same name, and were
        removed.
    duplicates
        How many of the new documents are near-duplicates of others.
    replaced_names, duplicate_pairs
        The first of them.
    findings
        What was wrong with documents that were left out: the first, and how many there were.
    """

    added: int = 0
    unchanged: int = 0
    replaced: int = 0
    removed: int = 0
    duplicates: int = 0
    replaced_names: list[str] = field(default_factory=list)
    duplicate_pairs: list[NearDuplicate] = field(default_factory=list)
    findings: Findings = field(default_factory=Findings)


def build(
    path: str | Path,
    documents: Iterable[SourceDocument],
    inputs: str = "",
    advance: Advance | None = None,
) -> Outcome:
    """Make an index of documents; one whose build was interrupted is finished.

    Parameters
    ----------
    path
        The folder of the index; it must not exist, or be empty, or hold an unfinished index.
    documents
        The documents. The first of a name is taken, others of the same name are told of.
    inputs
        What the documents come from; only a build from the same goes on where it was interrupted.
    advance
        Told how many more documents have been dealt with.

    Raises
    ------
    StemmataError
        E773 if there is an index already, E778 if there is an unfinished one of other documents, E774 if
        somebody else is writing to it, E775 if it cannot be written.
    """
    index = Path(path)
    _make_room(index)
    with _writing(index), lock(index):
        begun = (index / MANIFEST).exists()
        manifest = read_manifest(index) if begun else Manifest(start=0, inputs=inputs)
        if manifest.start is None:
            raise StemmataError(ErrorCode.INDEX_EXISTS, index, documents=manifest.documents)
        if manifest.inputs != inputs:
            raise StemmataError(ErrorCode.OTHER_BUILD, index, inputs=manifest.inputs[:200])
        texts = TextWriter(index, index / TEXTS)
        if not begun:  # whoever finds a manifest finds texts
            manifest.write(index)
        with _Writer(index, manifest, texts) as writer:
            return writer.run(documents, advance)


def add(path: str | Path, documents: Iterable[SourceDocument], advance: Advance | None = None) -> Outcome:
    """Add documents to an index; one whose name is there already takes the place of the earlier one.

    Raises
    ------
    StemmataError
        E770 to E772 if there is no index that can be used, E774 if somebody else is writing to it, E775 if it
        cannot be written.
    """
    index = Path(path)
    read_manifest(index)
    with _open_writer(index) as writer:
        return writer.run(documents, advance)


def remove(path: str | Path, names: Sequence[str]) -> Outcome:
    """Remove documents from an index, all or none.

    Raises
    ------
    StemmataError
        E776 if there is no document of a name; see also `add`.
    """
    index = Path(path)
    read_manifest(index)
    with _open_writer(index) as writer:
        return writer.remove(list(dict.fromkeys(names)))


@contextmanager
def _open_writer(index: Path) -> Iterator[_Writer]:
    with _writing(index), lock(index):
        # Damage is found by reading: to a writer tantivy gives a new index where its list of files is gone.
        Index.open(index)
        writer = _Writer(index, read_manifest(index), TextWriter(index, index / TEXTS))
        with writer:
            yield writer


def _make_room(index: Path) -> None:
    try:
        index.mkdir(parents=True, exist_ok=True)
        names = {one.name for one in index.iterdir()}
        # Others have folders called text, too, but no lock beside it.
        if names and (LOCK not in names or names - (_OURS if MANIFEST in names else _BEFORE_MANIFEST)):
            raise StemmataError(ErrorCode.NOT_AN_INDEX, index)
    except FileExistsError:
        raise StemmataError(ErrorCode.NOT_AN_INDEX, index) from None
    except OSError as error:
        raise StemmataError(ErrorCode.CANNOT_WRITE, index, reason=error.strerror or str(error)) from None


@contextmanager
def _writing(index: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise StemmataError(ErrorCode.INDEX_NOT_WRITTEN, index, reason=reason) from None


@dataclass
class _Batch:
    """New documents that follow one another."""

    first: int
    names: list[str]
    texts: list[str]
    data: list[bytes]
    records: list[bytes]
    contents: list[bytes]


@dataclass
class _Analysed:
    """A batch with all that is kept of it: sketches, postings, codes of stems and how often they occur."""

    batch: _Batch
    languages: list[str]
    words: Ints
    sketches: Hashes
    frequencies: Ints
    keys: dict[str, Hashes]
    codes: list[str]


class _Pending:
    """What waits for the next commit."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.keys: dict[str, list[Hashes]] = {kind: [] for kind in KINDS}
        self.batches: list[_Batch] = []
        self.prints: list[tuple[list[str], Ints, Hashes]] = []
        self.documents = 0
        self.postings = 0
        self.removed: list[int] = []
        self.since = time.monotonic()

    def take(self, made: _Analysed) -> None:
        for kind in KINDS:
            self.keys[kind].append(made.keys[kind])
            self.postings += len(made.keys[kind])
        self.prints.append((made.languages, made.words, made.sketches))
        made.batch.texts, made.batch.data, made.batch.records = [], [], []
        self.batches.append(made.batch)
        self.documents += len(made.batch.names)

    def columns(self) -> DocumentColumns:
        said = [name for batch in self.batches for name in batch.names]
        names = [name.encode("utf-8", "surrogatepass") for name in said]
        hashes = text_hashes(said)
        order = np.argsort(hashes, kind="stable")
        codes = [LANGUAGES.index(language) for found, _, _ in self.prints for language in found]
        return DocumentColumns(
            words=np.concatenate([words for _, words, _ in self.prints]).astype(np.int32),
            languages=np.array(codes, np.uint8),
            contents=digests_as_numbers([one for batch in self.batches for one in batch.contents]),
            sketches=np.concatenate([sketches for _, _, sketches in self.prints]),
            names=np.frombuffer(b"".join(names), np.uint8),
            name_ends=np.cumsum([len(name) for name in names]).astype(np.int64),
            name_hashes=hashes[order],
            name_places=order.astype(np.uint32),
        )


class _Writer:
    """Writes to an index that is locked."""

    def __init__(self, index: Path, manifest: Manifest, texts: TextWriter) -> None:
        self.index = index
        self.manifest = manifest
        self.outcome = Outcome()
        self._texts = texts
        self._reader = TextReader(index, index / TEXTS)
        self._segments = [self._open(record) for record in manifest.segments]
        self._removed = read_numbers(index, manifest)
        self._gone = set(self._removed.tolist())
        self._frequencies = np.array(read_frequencies(index, manifest))
        written = file_checks(index, manifest, self._segments, self._removed, self._frequencies)
        check(index, written, AT_OPENING)
        self._analysts = ThreadPoolExecutor(WRITERS)
        self._long_batch = Lock()
        self._disk = ThreadPoolExecutor(3)
        self._started = manifest.next
        self._next = manifest.next
        self._names: dict[str, int] = {}
        self._guess = max(manifest.languages, key=manifest.languages.__getitem__, default="en")
        self._pending = _Pending(manifest.next)
        self._advance: Advance = lambda _: None
        # What an interrupted build has left behind.
        self._texts.delete_from(manifest.next)
        self._texts.delete(self._removed[manifest.swept :].tolist())
        self._sweep()
        duplicates = index / DUPLICATES
        if duplicates.exists() and duplicates.stat().st_size > manifest.duplicates:
            with duplicates.open("r+b") as stream:
                stream.truncate(manifest.duplicates)

    def __enter__(self) -> _Writer:
        return self

    def __exit__(self, *_: object) -> None:
        for threads in (self._analysts, self._disk):
            threads.shutdown(cancel_futures=True)
        self._texts.let_go()

    def run(self, documents: Iterable[SourceDocument], advance: Advance | None) -> Outcome:
        """Take documents, commit now and then and at the end."""
        self._advance = advance or self._advance
        ahead: deque[tuple[Future[_Analysed], int]] = deque()
        for batch in _batches(documents):
            new = self._new_documents(batch)
            ahead.append((self._analysts.submit(self._analyse, new), len(batch)))
            while len(ahead) > WRITERS:
                self._take(ahead)
            pending = self._pending
            late = time.monotonic() - pending.since > COMMIT_SECONDS
            if late or pending.postings >= COMMIT_POSTINGS or pending.documents >= COMMIT_DOCUMENTS:
                while ahead:
                    self._take(ahead)
                self._commit()
        while ahead:
            self._take(ahead)
        self._finish()
        return self.outcome

    def remove(self, names: list[str]) -> Outcome:
        """Remove documents by name."""
        numbers = self._live_numbers(names)
        for name, number in zip(names, numbers, strict=True):
            if number < 0:
                raise StemmataError(ErrorCode.NOT_INDEXED, self.index, name=name)
        self._pending.removed = numbers
        self.outcome.removed = len(numbers)
        self._finish()
        return self.outcome

    def _open(self, record: SegmentRecord) -> Segment:
        return Segment.open(self.index, self.index / POSTINGS / record.folder, record)

    def _live_numbers(self, names: Sequence[str]) -> list[int]:
        found = find_names(self._segments, names).tolist()
        return [-1 if number in self._gone else number for number in found]

    def _new_documents(self, documents: list[SourceDocument]) -> _Batch:
        """Give numbers to documents that are not there already; note those that replace others."""
        new = _Batch(self._next, [], [], [], [], [])
        # Without segments, nothing can be there already.
        names = [document.name for document in documents]
        known = self._live_numbers(names) if self._segments else [-1] * len(names)
        for document, number in zip(documents, known, strict=True):
            name = document.name
            if reason := name_fault(name):
                self._tell(ErrorCode.BAD_DOCUMENT_NAME, name=name[:200], reason=reason)
                continue
            if name in self._names or number >= self._started:
                self._tell(ErrorCode.REPEATED_NAME, name=name)
                continue
            text = document.text
            if len(text) > MAX_ALIGNED_BYTES:
                size = {"size": len(text), "limit": MAX_ALIGNED_BYTES}
                self.outcome.findings.append(Finding.of(ErrorCode.TOO_LARGE, name, **size))
                continue
            data = text.encode("utf-8", "surrogatepass")
            record = _record(document)
            content = content_digest(data, record)
            if number >= 0:
                if self._content(number) == int.from_bytes(content, "big"):
                    self.outcome.unchanged += 1
                    continue
                self._replace(name, number)
            self._names[name] = self._next
            self._next += 1
            new.names.append(name)
            new.texts.append(text)
            new.data.append(data)
            new.records.append(record)
            new.contents.append(content)
        self.outcome.added += len(new.names)
        return new

    def _tell(self, kind: ErrorCode, **details: object) -> None:
        self.outcome.findings.append(Finding.of(kind, None, **details))

    def _replace(self, name: str, number: int) -> None:
        self._pending.removed.append(number)
        self._gone.add(number)
        self.outcome.replaced += 1
        if len(self.outcome.replaced_names) < NOTED:
            self.outcome.replaced_names.append(name)

    def _content(self, number: int) -> int:
        segment = self._segment_of(number)
        return int(segment.documents.contents[number - segment.first])

    def _segment_of(self, number: int) -> Segment:
        return next(segment for segment in self._segments if segment.first <= number < segment.end)

    def _analyse(self, batch: _Batch) -> _Analysed:
        """Make the postings of a batch and the codes of its stems; runs in threads."""
        is_long = any(len(text) > AT_ONCE for text in batch.texts)
        local = batch.first - self._pending.first
        # Of batches with a document so long that it takes much memory there is one at a time.
        with self._long_batch if is_long else nullcontext():
            prints = fingerprint(batch.texts, self._guess)
            runs = _keys(prints.runs, prints.run_documents, local)
            skips = _keys(prints.skips, prints.skip_documents, local)
            keys = {"runs": runs, "skips": skips, "likeness": meeting_keys(prints.sketches, local)}
            codes = code_stems(prints.hashes, prints.words, prints.content)
            kept = prints.languages, prints.words, prints.sketches, prints.frequencies
            return _Analysed(batch, *kept, keys, codes)

    def _take(self, ahead: deque[tuple[Future[_Analysed], int]]) -> None:
        future, count = ahead.popleft()
        made = future.result()
        if made.batch.names:
            self._texts.add(made.batch.first, made.codes, made.batch.data, made.batch.records)
            self._frequencies += made.frequencies
            self._pending.take(made)
            self._guess = max(LANGUAGES, key=made.languages.count)
        self._advance(count)

    def _finish(self) -> None:
        """Commit what is left, note that the build is complete, and have removed texts taken out."""
        pending = self._pending
        if pending.documents or pending.removed or self.manifest.start is not None:
            self._commit(start=None, inputs="")
        if self.manifest.swept < len(self._removed):
            self._texts.commit()
            self.manifest = self.manifest.changed(swept=len(self._removed))
            self.manifest.write(self.index)
        self._texts.close()

    def _commit(self, **changes: object) -> None:
        """Put all that is pending in force: texts first, then postings, last the manifest that names them."""
        pending = self._pending
        # Texts taken out before are out with this commit; those of this commit only after the manifest.
        swept = len(self._removed)
        # They are taken off when they are asked for: a failure must not keep itself alive, and open files.
        committing = [self._disk.submit(self._texts.commit)]
        languages, words = self._without_removed(pending.removed)
        counting = [self._disk.submit(self._write, "frequencies", self._frequencies)]
        checks = dict(self.manifest.checks)
        removed_file = self.manifest.removed
        if pending.removed:
            self._removed = np.concatenate([self._removed, np.array(pending.removed, np.int64)])
            self._gone.update(pending.removed)
            removed_file, checks[REMOVED] = self._write("removed", self._removed)
        duplicates = self.manifest.duplicates
        if pending.documents:
            columns = pending.columns()
            words += int(columns.words.sum(dtype=np.int64))
            for language, count in enumerate(np.bincount(columns.languages).tolist()):
                if count:
                    languages[LANGUAGES[language]] = languages.get(LANGUAGES[language], 0) + count
            draft = _draft(pending, columns)
            folder = self._folder("new")
            segment = [self._disk.submit(write_segment, folder, pending.first, pending.keys, columns)]
            duplicates = self._note_duplicates(draft, checks)
            self._segments.append(self._open(segment.pop().result()))
        self._merge()
        frequencies, checks[FREQUENCIES] = counting.pop().result()
        committing.pop().result()
        self.manifest = self.manifest.changed(
            next=self._next,
            documents=self._next - len(self._removed),
            words=words,
            languages={language: count for language, count in languages.items() if count},
            segments=tuple(segment.record for segment in self._segments),
            frequencies=frequencies,
            removed=removed_file,
            swept=swept,
            duplicates=duplicates,
            checks=checks,
            **changes,
        )
        self.manifest.write(self.index)
        self._texts.delete(pending.removed)
        self._sweep()
        self._names = {}
        self._pending = _Pending(self._next)

    def _folder(self, what: str) -> Path:
        return self.index / POSTINGS / f"{self.manifest.generation + 1:06d}-{what}"

    def _write(self, what: str, numbers: Ints) -> tuple[str, int]:
        path = self._folder(what).with_suffix(".npy")
        path.parent.mkdir(exist_ok=True)
        return path.name, write_array(path, [numbers], np.int64).checksum

    def _without_removed(self, numbers: list[int]) -> tuple[dict[str, int], int]:
        """Return documents by language, and words, less those of documents about to be removed."""
        languages, words = dict(self.manifest.languages), self.manifest.words
        texts: list[str] = []
        for number in numbers:
            segment = self._segment_of(number)
            place = number - segment.first
            languages[LANGUAGES[segment.documents.languages[place]]] -= 1
            words -= int(segment.documents.words[place])
            found = self._reader.fetch(number)
            texts += [found[0].decode("utf-8", "surrogatepass")] if found else []
        for at in range(0, len(texts), BATCH_DOCUMENTS):
            self._frequencies -= fingerprint(texts[at : at + BATCH_DOCUMENTS], self._guess).frequencies
        return languages, words

    def _note_duplicates(self, new: Segment, checks: dict[str, int]) -> int:
        """Write down near-duplicates of new documents; return the size of the file that will be in force."""
        pairs = find_duplicates(new, self._segments, np.sort(self._removed))
        self.outcome.duplicates += len(np.unique(pairs.later))
        size = self.manifest.duplicates
        if not len(pairs.later):
            return size
        segments = [*self._segments, new]
        with (self.index / DUPLICATES).open("ab") as stream:
            for later, earlier, likeness in zip(*(column.tolist() for column in pairs), strict=True):
                pair = NearDuplicate(_name(segments, later), _name(segments, earlier), round(likeness, 3))
                line = (json.dumps(pair._asdict(), ensure_ascii=True) + "\n").encode()
                size += stream.write(line)
                checks[DUPLICATES] = zlib.crc32(line, checks.get(DUPLICATES, 0))
                if len(self.outcome.duplicate_pairs) < NOTED:
                    self.outcome.duplicate_pairs.append(pair)
        return size

    def _merge(self) -> None:
        """Merge segments while there are too many of a size, and write those anew that lost much."""
        removed = np.sort(self._removed)
        turn = 0
        while (start := due([segment.record for segment in self._segments])) < len(self._segments):
            turn += 1
            merged = merge_segments(self._segments[start:], self._folder(f"merged{turn}"), removed)
            self._segments[start:] = [self._open(merged)]
        for place, segment in enumerate(self._segments):
            low, high = np.searchsorted(removed, (segment.first, segment.end)).tolist()
            if high - low - segment.record.purged > PURGE * segment.record.count:
                purged = merge_segments([segment], self._folder(f"purged{place}"), removed)
                self._segments[place] = self._open(purged)

    def _sweep(self) -> None:
        """Remove files that are not in force; programs that read them still can."""
        postings = self.index / POSTINGS
        postings.mkdir(exist_ok=True)
        kept = {record.folder for record in self.manifest.segments}
        kept |= {self.manifest.frequencies, self.manifest.removed}
        for path in postings.iterdir():
            if path.name not in kept and _is_made(path.name):
                if path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)


def _draft(pending: _Pending, columns: DocumentColumns) -> Segment:
    """Return what will be a segment as far as near-duplicates are looked for in it, while it is written."""
    likeness = sorted_keys(pending.keys["likeness"])
    pending.keys["likeness"] = [likeness]
    record = SegmentRecord("", pending.first, len(columns.words), {"likeness": len(likeness)})
    return Segment(record, {"likeness": likeness}, columns)


def _batches(documents: Iterable[SourceDocument]) -> Iterator[list[SourceDocument]]:
    batch: list[SourceDocument] = []
    characters = 0
    # Small ones come first, so that there soon is something to do for tantivy too.
    most = min(FIRST_BATCH, BATCH_DOCUMENTS)
    for document in documents:
        batch.append(document)
        characters += len(document.text)
        if len(batch) >= most or characters >= BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
            most = min(2 * most, BATCH_DOCUMENTS)
    if batch:
        yield batch


def _record(document: SourceDocument) -> bytes:
    """Return what is kept of a document beside its text."""
    if document.format == "text" and not (
        document.title or document.author or document.url or document.date or document.pages or document.extra
    ):
        return b""
    known = {
        **document.extra,
        **{key: getattr(document, key) for key in ("title", "author", "url", "date", "pages")},
        "format": document.format if document.format != "text" else "",
    }
    known = {key: value for key, value in known.items() if value not in ("", None, ())}
    return json.dumps(known, ensure_ascii=True, sort_keys=True).encode() if known else b""


def _keys(hashes: Hashes, documents: Ints, first: int) -> Hashes:
    return (hashes << np.uint64(LOCAL_BITS)) | (documents + first).astype(np.uint64)


def _name(segments: Sequence[Segment], number: int) -> str:
    segment = next(one for one in segments if one.first <= number < one.end)
    return segment.names([number - segment.first])[0]
