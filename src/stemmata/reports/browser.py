"""Printing a report as PDF by a browser of the machine."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from stemmata.formats.outputs import OutputFile
from stemmata.model import ErrorCode, StemmataError

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")
SECONDS = 300
"""After this long a browser that has not printed is taken to be stuck."""


def find_browser() -> Path:
    """Return a browser that prints without a screen: `STEMMATA_BROWSER`, or Chromium or Chrome."""
    wanted = os.environ.get("STEMMATA_BROWSER")
    for name in (wanted,) if wanted else NAMES:
        if found := shutil.which(name):
            return Path(found)
    raise StemmataError(ErrorCode.NO_BROWSER)


def print_pdf(page: str, target: OutputFile) -> None:
    """Print a page, given as its HTML, into a PDF file."""
    browser = find_browser()
    with TemporaryDirectory(prefix="stemmata-") as room, target.filled() as part:
        source = Path(room, "report.html")
        source.write_text(page, encoding="utf-8", newline="\n")
        command = [
            *(str(browser), "--headless", "--disable-gpu", "--no-first-run", "--no-pdf-header-footer"),
            # Chromium refuses to run its sandbox as root.
            *(["--no-sandbox"] if os.geteuid() == 0 else []),
            *(f"--user-data-dir={room}/profile", f"--print-to-pdf={part}", f"{source.as_uri()}#print"),
        ]
        try:
            done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)  # noqa: S603
        except (OSError, subprocess.TimeoutExpired) as error:
            raise _failed(browser, str(error)) from None
        if not part.read_bytes().startswith(b"%PDF"):
            said = done.stderr.decode(errors="replace").strip().splitlines()
            raise _failed(browser, said[-1] if said else f"it ended with status {done.returncode}")


def _failed(browser: Path, reason: str) -> StemmataError:
    return StemmataError(ErrorCode.BROWSER_FAILED, browser, reason=reason[:200])
