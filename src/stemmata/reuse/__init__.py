"""Who copied it: detectors that align a suspicious document with its sources."""

from __future__ import annotations

from collections.abc import Callable

from stemmata.model import Aligner, Registry

detectors: Registry[Callable[..., Aligner]] = Registry(
    "detector",
    {
        "adversarial-m1": "stemmata.reuse.adversarial:AdversarialM1",
        "adversarial-m2": "stemmata.reuse.adversarial:AdversarialM2",
        "pan-baseline": "stemmata.reuse.pan_baseline:PanBaseline",
        "sanchez-perez-2014": "stemmata.reuse.sanchez_perez:SanchezPerez2014",
        "sanchez-perez-2015": "stemmata.reuse.sanchez_perez:SanchezPerez2015",
        "shingles": "stemmata.reuse.shingles:Shingles",
        "stemmata": "stemmata.reuse.stemmata_aligner:StemmataAligner",
        "zubarev-2017": "stemmata.reuse.zubarev:Zubarev2017",
    },
)
"""Aligners by name; calling one with its parameters makes it ready to `align`."""
