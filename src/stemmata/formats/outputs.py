"""Places for results: claimed before the work begins, filled when it is done, and nothing else touched.

A command writes to a place that is new or empty, or that holds what the same command made before with the
same parameters, as its record says; everything else is refused before the work begins.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from stemmata.formats.files import clear_abandoned, write_atomically, write_folder_atomically
from stemmata.formats.folders import check_writable
from stemmata.formats.json_text import read_json
from stemmata.formats.records import (
    DIGITS,
    MARKS,
    RECORD,
    Making,
    beside,
    files_in,
    is_record,
    listed_files,
    mapping_of,
    mark_of,
    sha256_of,
    tail_of,
    write_record,
)
from stemmata.model import ErrorCode, StemmataError

_SIGN = ".stemmata"
"""Lies in the folder of unfinished work, which is removed in the end: nobody else's is."""


@dataclass(frozen=True)
class OutputFile:
    """A file that a command writes."""

    path: Path
    making: Making
    overwrite: bool = False

    @classmethod
    def claim(
        cls,
        path: str | Path,
        making: Making,
        endings: Sequence[str] = (),
        overwrite: bool = False,
        given: Iterable[Path] = (),
    ) -> OutputFile:
        """Take a place for a file, before the work begins.

        Parameters
        ----------
        path
            Where the file goes.
        making
            What it will be.
        endings
            What its name may end in; by default anything.
        overwrite
            Whether what the same command made with other parameters or from other inputs is replaced.
        given
            What is read, and must not be written over.

        Raises
        ------
        StemmataError
            E107 if the place is taken, cannot be written to, or the name ends in something else; E878 if it
            was given.
        """
        claimed = cls(Path(path), making, overwrite)
        if endings and claimed.path.suffix.lower() not in endings:
            raise _refused(path, f"its name must end in {' or '.join(endings)}")
        target = _resolved(claimed.path)
        if any(_resolved(one) == target for one in given):
            raise StemmataError(ErrorCode.WOULD_OVERWRITE, path)
        check_writable(claimed.path.parent)
        claimed.check()
        clear_abandoned(claimed.path)
        return claimed

    def check(self) -> None:
        """Refuse a place where something else is."""
        record = beside(self.path)
        if not self._has_room and os.path.lexists(record) and not is_record(record):
            raise _refused(record, "it is no record of stemmata")
        if not os.path.lexists(self.path):
            return
        if not self.path.is_file():
            leads_nowhere = self.path.is_symlink() and not self.path.exists()
            raise _refused(
                self.path,
                "it is a link that leads nowhere" if leads_nowhere else "it is a folder or a device",
            )
        kind, digest = mark_of(self.path)
        if kind != self.making.kind:
            changed = "" if self._has_room else ", or it was changed since"
            raise _refused(self.path, f"this command did not write what is there{changed}")
        if digest != self.making.digest and not self.overwrite:
            raise _other(self.path, self.making, "")

    @property
    def _has_room(self) -> bool:
        return self.path.suffix.lower() in (*MARKS, ".json")

    def claim_beside(self, path: Path, given: Iterable[Path] = ()) -> None:
        """Take the place of a file that belongs to this one, and has no room for a record of its own.

        What is there may be replaced if this one names it, and nobody has changed it since.
        """
        if _resolved(path) in map(_resolved, given):
            raise StemmataError(ErrorCode.WOULD_OVERWRITE, path)
        if os.path.lexists(path) and not (path.is_file() and sha256_of(path)[:DIGITS] in tail_of(self.path)):
            raise _refused(path, "this command did not write it, or it was changed since")

    @contextmanager
    def filled(self, together: Iterable[Path] = ()) -> Iterator[Path]:
        """Give a path to write to; with its record, it takes the place of the wanted one at the end.

        Parameters
        ----------
        together
            Files that belong to it, which it names in its record.
        """
        with write_atomically(self.path) as part:
            yield part
            self.check()
            if form := MARKS.get(self.path.suffix.lower()):
                mark = "; ".join([self.making.mark, *(sha256_of(one)[:DIGITS] for one in together)])
                with part.open("ab") as stream:
                    stream.write(f"\n{form.format(mark)}\n".encode())
            elif not self._has_room:
                record = {**self.making.record, "digest": self.making.digest, "sha256": sha256_of(part)}
                write_record(beside(self.path), record)

    @contextmanager
    def unfinished(self) -> Iterator[Path]:
        """Give the hidden folder beside it that keeps what is done already, as `OutputFolder` does."""
        with _unfinished(self.path, self.path) as keep:
            yield keep

    def write_text(self, text: str, together: Iterable[Path] = ()) -> None:
        """Write a text, whole or not at all."""
        with self.filled(together) as part:
            part.write_text(text, encoding="utf-8", newline="\n")

    def write_json(self, data: Mapping[str, Any]) -> None:
        """Write an object and what made it, whole or not at all."""
        self.write_text(
            json.dumps({**data, "made_by": self.making.mark}, ensure_ascii=False, indent=2) + "\n"
        )


@dataclass(frozen=True)
class OutputFolder:
    """A folder that a command writes, with ``run.json`` in it."""

    path: Path
    named: Path
    making: Making
    overwrite: bool = False
    files: tuple[str, ...] | None = None
    final: bool = False

    @classmethod
    def claim(
        cls,
        path: str | Path,
        making: Making,
        overwrite: bool = False,
        given: Iterable[Path] = (),
        files: Iterable[str] | None = None,
        final: bool = False,
    ) -> OutputFolder:
        """Take a place for a folder, before the work begins.

        Parameters
        ----------
        path
            Where the folder goes. Links are followed, and the same rule holds where they lead.
        making
            What it will be.
        overwrite
            Whether what the same command made with other parameters or from other inputs is replaced.
        given
            What is read, and must not lie in the folder.
        files
            What will be put into the folder one by one, after `begin`, by paths in it; by default the folder
            is filled, and replaced, whole.
        final
            Whether it is never replaced, and so needs no record: a corpus, say, that others rely on.

        Raises
        ------
        StemmataError
            E107 if something else is there or nothing can be written, E891 if something given lies there.
        """
        listed = None if files is None else tuple(sorted(files))
        claimed = cls(_resolved(Path(path)), Path(path), making, overwrite, listed, final)
        check_writable(claimed.path.parent if files is None else claimed.path)
        claimed.check()
        for one in given:
            if _resolved(one).is_relative_to(claimed.path):
                raise StemmataError(ErrorCode.GIVEN_IS_IN_THE_WAY, one)
        clear_abandoned(claimed.path)
        return claimed

    def check(self) -> None:
        """Refuse a place where something else is."""
        if not self._is_taken():
            return
        if self.final:
            raise _refused(self.named, f"it holds something already, and no {self.making.kind} is replaced")
        record = self._record()
        if "kind" in record and record["kind"] != self.making.kind:
            raise _refused(self.named, f"it holds another result: {record['kind']}")
        if foreign := self._foreign(record):
            raise _refused(self.named, f"it holds {foreign!r}, which this command did not write")
        changed = self._changed(record)
        if changed and not self.overwrite:
            raise _other(self.named, self.making, ", ".join(changed))

    def _foreign(self, record: Mapping[str, Any]) -> str:
        """Return something that is in the way and that the record does not list, or nothing."""
        known = {RECORD, *listed_files(record)} if record else set()
        if self.files is None or not record:
            return min((one for one in files_in(self.path) if one not in known), default="")
        return next((one for one in self.files if one not in known and os.path.lexists(self.path / one)), "")

    def _changed(self, record: Mapping[str, Any]) -> list[str]:
        """Return the names of parameters and inputs that were others."""
        wanted = self.making.record
        return [
            name
            for part in ("parameters", "inputs")
            for name in sorted({*wanted[part], *mapping_of(record.get(part))})
            if wanted[part].get(name) != mapping_of(record.get(part)).get(name)
        ]

    @contextmanager
    def filled(self) -> Iterator[Path]:
        """Give an empty folder to fill; with its record, it takes the place of the wanted one at the end."""
        with write_folder_atomically(self.path, replace=True) as part:
            yield part
            self.check()
            if not self.final:
                write_record(part / RECORD, {**self.making.record, "files": sorted(files_in(part))})

    def take(self, folder: Path) -> None:
        """Let a finished folder take the place."""
        self.check()
        try:
            folder.replace(self.path)
        except OSError as error:
            raise _refused(self.named, error.strerror or str(error)) from None

    @contextmanager
    def growing(self) -> Iterator[Path]:
        """Give the folder, with its record, to put files into one by one.

        Results that were made in another way, which `overwrite` has allowed, are removed first.
        """
        before = self._record()
        known = set(listed_files(before))
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            if self._changed(before):
                for file in known:
                    _remove(self.path, file)
                known.clear()
        except OSError as error:
            raise _refused(self.named, error.strerror or str(error)) from None
        listed = sorted({*known, *(self.files or ())})
        # Whoever is killed meanwhile has written no more than this.
        write_record(self.path / RECORD, {**self.making.record, "files": listed})
        try:
            yield self.path
        finally:
            there = [file for file in listed if os.path.lexists(self.path / file)]
            write_record(self.path / RECORD, {**self.making.record, "files": there})

    @contextmanager
    def unfinished(self) -> Iterator[Path]:
        """Give the hidden folder beside it that keeps what is done already, to nobody else meanwhile.

        It is removed when all went well, else it stays for the same command to go on from.

        Raises
        ------
        StemmataError
            E108 if another program is at work on the same place.
        """
        with _unfinished(self.path, self.named) as keep:
            yield keep

    def _is_taken(self) -> bool:
        try:
            with os.scandir(self.path) as entries:
                return next(entries, None) is not None
        except FileNotFoundError:
            return False
        except NotADirectoryError:
            raise _refused(self.named, "it is no folder") from None
        except OSError as error:
            raise _refused(self.named, error.strerror or str(error)) from None

    def _record(self) -> Mapping[str, Any]:
        try:
            return mapping_of(read_json(self.path / RECORD))
        except StemmataError:
            return {}


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        raise _refused(path, "it is a link that leads nowhere, or no path") from None


def _refused(path: str | Path, reason: str) -> StemmataError:
    return StemmataError(ErrorCode.CANNOT_WRITE, path, reason=reason)


def _other(path: Path, making: Making, changed: str) -> StemmataError:
    remedy = "; --overwrite replaces it" if making.replaceable else ""
    how = f"differs in {changed}" if changed else "was made from other inputs or with other options"
    return _refused(path, f"what is there ({making.kind}) {how}{remedy}")


@contextmanager
def _unfinished(path: Path, named: Path) -> Iterator[Path]:
    keep = path.parent / f".{path.name}.unfinished"
    descriptor = _locked(keep, named)
    try:
        sign = keep / _SIGN
        if not sign.is_file():
            if any(keep.iterdir()):
                raise _refused(named, f"{keep} lies beside it, and no command made that folder")
            sign.write_text("unfinished work of stemmata\n")
        yield keep
        shutil.rmtree(keep, ignore_errors=True)
    finally:
        os.close(descriptor)


def _locked(folder: Path, target: Path) -> int:
    while True:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except FileNotFoundError:
            continue  # who had it has just been done
        except OSError as error:
            raise _refused(target, f"{folder}: {error.strerror or error}") from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if folder.exists() and os.path.samestat(os.fstat(descriptor), folder.stat()):
                return descriptor
        except BlockingIOError:
            os.close(descriptor)
            raise StemmataError(ErrorCode.PLACE_IN_USE, target) from None
        except FileNotFoundError:
            pass
        os.close(descriptor)


def _remove(folder: Path, file: str) -> None:
    """Remove a file, and the folders it leaves empty; nothing where a link leads."""
    path = PurePosixPath(file)
    above = [folder / one for one in path.parents][:-1]
    if any(one.is_symlink() for one in above) or not (folder / path).is_file():
        return
    (folder / path).unlink()
    for one in above:
        if any(one.iterdir()):
            return
        one.rmdir()
