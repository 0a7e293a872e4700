"""Copies of known corpora on this machine: checked once, remembered, and found by id from then on.

Each registered copy is one small JSON file in the data folder, so that two commands can register at the same
time and none is ever half-written. A folder is registered where it lies; an archive is unpacked beside.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from posixpath import commonpath, dirname

from stemmata.corpora.bundles import Bundle, Folder, open_bundle
from stemmata.corpora.fingerprints import (
    Advance,
    Content,
    Table,
    belongs,
    below,
    differences,
    digest,
    find_root,
    first_of,
    read_content,
)
from stemmata.corpora.layouts import LAYOUTS
from stemmata.corpora.manifest import Dataset, Manifest, known
from stemmata.formats.files import read_text, write_atomically, write_folder_atomically
from stemmata.formats.folders import entries
from stemmata.formats.places import data_folder
from stemmata.model import ErrorCode, StemmataError

AUTO = "auto"
"""In the place of an id: take every known corpus that is there."""
_RECORDS, _CORPORA = "registered", "corpora"
_MAX_RECORD = 64 * 1024
_SHOWN = 200

Show = Callable[[str, int, str], AbstractContextManager[Advance]]
"""Opens a display of progress: what is done, how many there are, and of what."""


def _silent(what: str, total: int, unit: str) -> AbstractContextManager[Advance]:
    return nullcontext(lambda _: None)


@dataclass(frozen=True)
class Copy:
    """A registered copy: where it lies, and what was checked when.

    Attributes
    ----------
    digest
        The fingerprint that was met, empty where only counts could be checked.
    unpacked
        Whether it was unpacked into the data folder, and goes with its record.
    besides
        How many files lie in folders that the makers' copy has not; they were not checked.
    """

    id: str
    path: str
    files: int
    bytes: int
    digest: str
    checked: str
    unpacked: bool
    besides: int = 0

    @property
    def is_there(self) -> bool:
        """Whether its folder is; a record could say anything, and what is no path is nowhere."""
        return os.path.isdir(self.path)  # noqa: PTH112

    @classmethod
    def read(cls, path: Path) -> Copy:
        """Read a record; what is no record is an error."""
        text = read_text(path, _MAX_RECORD)
        try:
            copy = cls(**json.loads(text))
            kinds: dict[str, type] = {"id": str, "path": str, "files": int, "bytes": int, "digest": str}
            kinds |= {"checked": str, "unpacked": bool, "besides": int}
            wrong = [name for name, kind in kinds.items() if not isinstance(getattr(copy, name), kind)]
        except (ValueError, TypeError, RecursionError) as error:
            raise StemmataError(ErrorCode.BAD_REGISTRATION, path, reason=str(error)[:200]) from None
        if wrong:
            raise StemmataError(ErrorCode.BAD_REGISTRATION, path, reason=f"{wrong[0]} is of another type")
        return copy


def registered(folder: Path | None = None) -> dict[str, Copy]:
    """Return all registered copies by id."""
    try:
        records = (folder or data_folder()) / _RECORDS
    except StemmataError:
        return {}  # without a home, nothing can have been registered
    found = [Copy.read(path) for path in entries(records, "*.json")] if records.is_dir() else []
    return {copy.id: copy for copy in found}


def copy_of(dataset: Dataset, folder: Path | None = None) -> Copy | None:
    """Return the registered copy of a corpus, if there is one."""
    try:
        path = _record(dataset, folder or data_folder())
    except StemmataError:
        return None
    return Copy.read(path) if path.is_file() else None


def folder_of(name: str, folder: Path | None = None) -> Path | None:
    """Return the place of a corpus, of a part of it, or of a file in it, by id; None for what is no id.

    Raises
    ------
    StemmataError
        If no copy is registered, or the copy is gone.
    """
    manifest = known()
    if (found := manifest.split(name)) is None or ".." in found[1].split("/"):
        return None
    dataset, inside = found
    whole = manifest[dataset.within] if dataset.within else dataset
    copy = copy_of(whole, folder)
    if copy is None:
        raise StemmataError(ErrorCode.NOT_REGISTERED, id=whole.id, url=whole.url)
    if not copy.is_there:
        raise StemmataError(ErrorCode.COPY_VANISHED, copy.path[:_SHOWN], id=whole.id)
    return Path(copy.path) / dataset.folder / inside


def add(name: str, path: Path, folder: Path | None = None, show: Show = _silent) -> list[Copy]:
    """Check a user's copy of a corpus and register it.

    Parameters
    ----------
    name
        The id of the corpus, or ``auto`` for every known corpus whose files are recognised.
    path
        A folder, which stays where it is, or an archive, which is unpacked into the data folder. The corpus
        may lie a few folders down.
    folder
        The data folder.
    show
        How to show progress.

    Returns
    -------
    list of Copy
        What was registered: one copy, with ``auto`` one or more.
    """
    manifest = known()
    folder = folder or data_folder()
    wanted = _addable(manifest, name)
    bundle = open_bundle(path)
    sizes = {one: size for one, size in bundle.sizes().items() if belongs(one)}
    made = []
    for dataset in wanted:
        root = _root(manifest, dataset, sizes, guess=name == AUTO)
        if root is not None:
            made.append(_add_one(manifest, dataset, path, bundle, root, sizes, folder, show))
    if not made:
        what = "known corpus" if name == AUTO else f"copy of {name}"
        raise StemmataError(ErrorCode.NOT_THIS_CORPUS, path, what=what)
    return made


def remove(name: str, folder: Path | None = None) -> Copy:
    """Forget a registered copy; what was unpacked for it is deleted, a user's own folder is not."""
    folder = folder or data_folder()
    dataset = _whole(known()[name])
    copy = copy_of(dataset, folder)
    if copy is None:
        raise StemmataError(ErrorCode.NOT_REGISTERED, id=dataset.id, url=dataset.url)
    _record(dataset, folder).unlink(missing_ok=True)
    _delete_unpacked(copy, dataset, folder)
    return copy


def _delete_unpacked(copy: Copy, dataset: Dataset, folder: Path) -> None:
    """Delete what was unpacked for a copy. A record could say anything, so only what `add` makes goes."""
    place = _place(dataset, folder)
    if copy.unpacked and Path(copy.path) == place:
        shutil.rmtree(place, ignore_errors=True)


def _addable(manifest: Manifest, name: str) -> list[Dataset]:
    if name == AUTO:
        return [one for one in manifest.values() if one.digest]
    return [_whole(manifest[name])]


def _whole(dataset: Dataset) -> Dataset:
    if dataset.within:
        raise StemmataError(ErrorCode.PART_OF_CORPUS, id=dataset.id, whole=dataset.within)
    return dataset


def _root(manifest: Manifest, dataset: Dataset, sizes: Mapping[str, int], guess: bool) -> str | None:
    """Find the folder of a corpus in a listing; for a guess, at least half of its files must be there."""
    if not dataset.digest:
        return _unwrapped(dataset, sizes) if sizes else None
    table = manifest.table(dataset)
    root, found = find_root(sizes, table)
    if not found and not guess:
        # A copy may have been converted as a whole, its line ends for instance; that is to be told.
        root, found = find_root(sizes, table, by_size=False)
    return root if found >= (dataset.files / 2 if guess else 1) else None


def _unwrapped(dataset: Dataset, sizes: Mapping[str, int]) -> str:
    """Return the folder that holds everything, and of several the one where most is counted."""
    shared = commonpath([dirname(path) for path in sizes])
    parts = shared.split("/") if shared else []
    roots = ["".join(f"{part}/" for part in parts[:depth]) for depth in range(len(parts), -1, -1)]
    count = LAYOUTS[dataset.layout].count
    return max(roots, key=lambda root: sum(count([path[len(root) :] for path in sizes]).values()))


def _add_one(
    manifest: Manifest,
    dataset: Dataset,
    path: Path,
    bundle: Bundle,
    root: str,
    sizes: Mapping[str, int],
    folder: Path,
    show: Show,
) -> Copy:
    here = {one[len(root) :]: size for one, size in sizes.items() if one.startswith(root)}
    mine = {one: size for one, size in here.items() if not below(one, dataset.optional)}
    expected = manifest.table(dataset) if dataset.digest else {}
    _check_names(dataset, path, expected, mine)
    place, before = _place(dataset, folder), copy_of(dataset, folder)
    with show(f"Checking {dataset.id}", len(mine), "files") as advance:
        if isinstance(bundle, Folder):
            contents = _read(bundle, root, mine, None, advance) if dataset.digest else {}
            _check_contents(dataset, path, expected, mine, contents)
            place = bundle.place_of(root, mine).absolute()
        else:
            with write_folder_atomically(place, replace=True) as part:
                contents = _read(bundle, root, mine, part, advance)
                _check_contents(dataset, path, expected, mine, contents)
    unpacked = not isinstance(bundle, Folder)
    copy = Copy(
        id=dataset.id,
        path=str(place),
        files=len(mine),
        bytes=sum(mine.values()),
        digest=dataset.digest,
        checked=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        unpacked=unpacked,
        besides=0 if unpacked else len(here) - len(mine),
    )
    with write_atomically(_record(dataset, folder)) as record:
        record.write_text(json.dumps(asdict(copy), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    if before is not None and not place.is_relative_to(before.path):
        _delete_unpacked(before, dataset, folder)
    return copy


def _check_names(dataset: Dataset, path: Path, expected: Table, sizes: Mapping[str, int]) -> None:
    """Compare what needs no reading: names and sizes, or where these are not known, counts."""
    if dataset.digest:
        if said := differences(expected, sizes):
            raise _damaged(dataset, path, first_of(said))
        return
    for what, found in LAYOUTS[dataset.layout].count(sizes).items():
        if what in dataset.counts and found != dataset.counts[what]:
            raise StemmataError(
                ErrorCode.WRONG_COUNT,
                path,
                found=found,
                what=what,
                id=dataset.id,
                expected=dataset.counts[what],
                url=dataset.url,
            )


def _check_contents(
    dataset: Dataset, path: Path, expected: Table, sizes: Mapping[str, int], contents: Table
) -> None:
    if dataset.digest and digest(contents) != dataset.digest:
        said = differences(expected, {**sizes, **{one: c.size for one, c in contents.items()}}, contents)
        raise _damaged(dataset, path, first_of(said or ["a file has other content"]))


def _damaged(dataset: Dataset, path: Path, difference: str) -> StemmataError:
    return StemmataError(ErrorCode.DAMAGED_COPY, path, id=dataset.id, difference=difference, url=dataset.url)


def _read(
    bundle: Bundle, root: str, wanted: Mapping[str, int], target: Path | None, advance: Advance
) -> dict[str, Content]:
    """Read the wanted files once for their digests, and write them below the target if there is one."""
    contents = {}
    for name, stream in bundle.contents({root + one for one in wanted}):
        inside = name[len(root) :]
        if target is None:
            contents[inside] = read_content(stream)
        else:
            out = target / inside
            out.parent.mkdir(parents=True, exist_ok=True)
            with out.open("xb") as file:
                contents[inside] = read_content(stream, file)
        advance(1)
    return contents


def _record(dataset: Dataset, folder: Path) -> Path:
    return folder / _RECORDS / f"{dataset.flat_id}.json"


def _place(dataset: Dataset, folder: Path) -> Path:
    return folder / _CORPORA / dataset.flat_id
