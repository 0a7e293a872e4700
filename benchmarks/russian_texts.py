"""Russian texts that anyone can have: the manuals, help pages and fortunes that Debian packages.

``apt-get download`` fetches the packages named here, ``dpkg -x`` unpacks them into one folder.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

from stemmata.formats.web_pages import decode_page, page_text
from stemmata.rewriting import Strategy, strategies

PACKAGES = (
    *("libreoffice-help-ru", "gimp-help-ru", "kicad-doc-ru", "manpages-ru", "manpages-ru-dev", "fortunes-ru"),
    *("developers-reference-ru", "maint-guide-ru", "debian-faq-ru", "aptitude-doc-ru", "doublecmd-help-ru"),
)
HOSTS = ("developers-reference", "maint-guide", "debian-faq", "aptitude")
"""Manuals that are hosts; all others are cut up."""

_is_russian = re.compile(r"[а-яё]{3}", re.IGNORECASE).findall
_roff = re.compile(r"^[.'].*$|\\f[A-Z]|\\[&-]", re.MULTILINE)
_FEWEST = 400
"""Pages of fewer characters are mostly menus."""


def read(folder: Path) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return texts to be cut up, and hosts, each with its name; a paragraph that came before is left out."""
    base: list[tuple[str, str]] = []
    hosts: dict[str, list[str]] = {}
    seen: set[str] = set()
    for name, text in _texts(folder):
        paragraphs = [one.strip() for one in text.split("\n")]
        # Help pages repeat one another; a sentence that stands in many documents has no one source.
        fresh = [one for one in dict.fromkeys(paragraphs) if len(_is_russian(one)) > 5 and one not in seen]
        seen.update(fresh)
        said = "\n".join(fresh)
        if len(said) < _FEWEST:
            continue
        host = next((host for host in HOSTS if host in name), "")
        if host:
            hosts.setdefault(host, []).append(said)
        else:
            base.append((f"t{len(base):05}", said))
    return base, [(name, "\n".join(parts)) for name, parts in hosts.items()]


def _texts(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.is_symlink():
            continue
        name = path.relative_to(folder).as_posix()
        if path.suffix == ".html" and "/ru" in name:
            yield name, page_text(decode_page(path.read_bytes()))
        elif "/man/ru" in name and path.suffix == ".gz":
            yield name, _roff.sub("", gzip.decompress(path.read_bytes()).decode("utf-8", "replace"))
        elif "/games/fortunes/ru/" in name and path.suffix == ".u8":
            yield name, path.read_text("utf-8", "replace").replace("\n", " ").replace("%", "\n")


def paraphrases() -> list[Strategy]:
    """Return the ways in which Russian passages are paraphrased, each as often as the others."""
    return [
        strategies["russian"](),
        strategies["russian-synonyms"](),
        strategies["russian-chains"](),
        strategies["random-operations"](share=0.15),
    ]
