"""Who wrote it: verifiers, which tell whether a text is by the author of others."""

from __future__ import annotations

from collections.abc import Callable

from stemmata.model import Registry, Verifier

verifiers: Registry[Callable[..., Verifier]] = Registry(
    "verifier",
    {
        "jankowska13": "stemmata.authorship.published.jankowska:Jankowska2013",
        "kocher15": "stemmata.authorship.published.kocher:KocherSavoy2015",
        "vandam13": "stemmata.authorship.published.vandam:VanDam2013",
    },
)
"""Verifiers by name; calling one with its parameters makes it ready to `score`."""
