"""What several tests need: small files written on the spot, and the real corpora where they are at hand."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("stemmata", deadline=None, derandomize=True)
settings.load_profile("stemmata")

Write = Callable[[str, str | bytes], Path]


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of real corpora, one folder each."""
    return Path(os.environ.get("STEMMATA_DATA") or Path.home() / ".cache" / "stemmata-data")


@pytest.fixture(scope="session")
def corpus(data_folder: Path) -> Callable[[str], Path]:
    """Give the folder of a real corpus by its name; without it the test is skipped."""

    def find(name: str) -> Path:
        path = data_folder / name
        if not path.is_dir():
            pytest.skip(f"the corpus {name} is not in {data_folder}; set STEMMATA_DATA to where it is")
        return path

    return find


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file below a folder of the test's own, byte by byte as given."""

    def put(relative_path: str, content: str | bytes) -> Path:
        path = tmp_path / relative_path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return put
