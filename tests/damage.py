"""What may befall a file that a program has kept."""

from pathlib import Path


def _flipped(data: bytes) -> bytes:
    changed = bytearray(data)
    changed[len(changed) // 2] ^= 4
    return bytes(changed)


KINDS = {
    "a bit flipped": _flipped,
    "cut": lambda data: data[: len(data) // 2],
    "emptied": lambda data: b"",
    "overwritten": lambda data: b"\x00" * len(data),
}


def damage_all(folder: Path, kind: str) -> int:
    """Damage every file below a folder that holds something, and return how many there are."""
    files = [one for one in folder.rglob("*") if one.is_file() and one.stat().st_size]
    for file in files:
        file.write_bytes(KINDS[kind](file.read_bytes()))
    return len(files)
