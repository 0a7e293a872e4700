"""What several tests need: small files written on the spot, and the real corpora where they are at hand."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from stemmata.model import StemmataError
from stemmata.reports.browser import find_browser

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


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A real browser; without one the test is skipped."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    try:
        path = find_browser()
    except StemmataError:
        pytest.skip("no Chromium or Chrome on this machine; install chromium to run these tests")
    with playwright.sync_playwright() as started:
        made = started.chromium.launch(executable_path=str(path), args=["--no-sandbox"])
        yield made
        made.close()


@pytest.fixture
def opened(browser) -> Iterator[Callable[..., Any]]:
    """Open pages from disk; what goes wrong in them, or leaves them, fails the test."""
    pages = []

    def open_page(path: Path, address: str = "", **options: object) -> Any:
        page = browser.new_page(viewport={"width": 1300, "height": 900}, **options)
        page.wrong = []
        page.on("console", lambda said: page.wrong.append(said.text))
        page.on("pageerror", lambda error: page.wrong.append(str(error)))
        page.on("dialog", lambda dialog: page.wrong.append("dialog") or dialog.dismiss())
        page.on("request", lambda r: r.url.startswith("file:") or page.wrong.append(r.url))
        page.goto(path.as_uri() + address)
        pages.append(page)
        return page

    yield open_page
    for page in pages:
        assert page.wrong == []
        page.close()
