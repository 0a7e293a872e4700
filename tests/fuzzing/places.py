"""What may stand where a program looks for a file: pipes, loops, devices, folders, files it may not read."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

GIGABYTES = 12 * 1024**3


def _put(path: Path) -> Path:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    return path


def named_pipe(path: Path) -> None:
    os.mkfifo(_put(path))


def link_to_itself(path: Path) -> None:
    _put(path).symlink_to(path.name)


def link_to_nothing(path: Path) -> None:
    _put(path).symlink_to("nowhere")


def link_to_a_device(path: Path) -> None:
    _put(path).symlink_to("/dev/zero")


def link_to_a_full_device(path: Path) -> None:
    _put(path).symlink_to("/dev/full")


def link_to_the_folder_above(path: Path) -> None:
    _put(path).symlink_to("..")


def link_to_a_file_of_others(path: Path) -> None:
    _put(path).symlink_to("/proc/self/mem")


def folder_in_place_of_a_file(path: Path) -> None:
    _put(path).mkdir()


def file_in_place_of_a_folder(path: Path) -> None:
    _put(path).write_bytes(b"a file\n")


def unreadable(path: Path) -> None:
    path.chmod(0o000)


def listed_but_not_entered(path: Path) -> None:
    path.parent.chmod(0o444)


def endless(path: Path) -> None:
    with _put(path).open("wb") as stream:
        stream.truncate(GIGABYTES)


def endless_end(path: Path) -> None:
    """Make a file that begins well and then has gigabytes of zeros."""
    if path.is_file():
        os.truncate(path, GIGABYTES)


KINDS: tuple[Callable[[Path], None], ...] = (
    *(named_pipe, link_to_itself, link_to_nothing, link_to_a_device, link_to_a_full_device),
    *(
        link_to_the_folder_above,
        link_to_a_file_of_others,
        folder_in_place_of_a_file,
        file_in_place_of_a_folder,
    ),
    *(unreadable, listed_but_not_entered, endless, endless_end),
)

NAMES = (
    *(
        b"a\nb",
        b"\x1b[2J",
        b"\xff\xfe",
        b"-o",
        b"--help",
        b"~",
        b"*",
        b"x" * 250,
        "ä".encode() * 120,
        b"=1+1",
    ),
    *(
        "\u202e".encode(),
        b" ",
        b"a b",
        b"a'b\"c",
        b"$(touch x)",
        b"{x",
        b"%s",
        b"<b>",
        b"a\\b",
        b"...",
        b"NUL",
    ),
)


def odd_name(rng: Random, path: Path) -> Path:
    """Rename a file; its ending stays."""
    ending = path.suffix.encode()
    return path.rename(path.parent / os.fsdecode(rng.choice(NAMES)[: 255 - len(ending)] + ending))


def put_odd(rng: Random, path: Path) -> str:
    """Put something odd where a file is; return what, in words."""
    kind = rng.choice(KINDS)
    kind(path)
    return kind.__name__.replace("_", " ")
