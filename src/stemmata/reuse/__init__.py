"""Who copied it: detectors that align a document with its sources, or look into it alone."""

from __future__ import annotations

from collections.abc import Callable

from stemmata.model import Aligner, IntrinsicDetector, Registry, Retriever

detectors: Registry[Callable[..., Aligner]] = Registry(
    "detector",
    {
        "adversarial-m1": "stemmata.reuse.published.adversarial:AdversarialM1",
        "adversarial-m2": "stemmata.reuse.published.adversarial:AdversarialM2",
        "brlek-2016": "stemmata.reuse.published.brlek:Brlek2016",
        "pan-baseline": "stemmata.reuse.published.pan_baseline:PanBaseline",
        "sanchez-perez-2014": "stemmata.reuse.published.sanchez_perez:SanchezPerez2014",
        "sanchez-perez-2015": "stemmata.reuse.published.sanchez_perez:SanchezPerez2015",
        "sanchez-perez-2018": "stemmata.reuse.published.sanchez_perez:sanchez_perez_2018",
        "shingles": "stemmata.reuse.published.shingles:Shingles",
        "stemmata": "stemmata.reuse.statistical.aligner:StemmataAligner",
        "zubarev-2017": "stemmata.reuse.published.zubarev:Zubarev2017",
    },
    method="align",
)
"""Aligners by name; calling one with its parameters makes it ready to `align`."""

intrinsic_detectors: Registry[Callable[..., IntrinsicDetector]] = Registry(
    "intrinsic detector",
    {
        "oberreuter-2011": "stemmata.reuse.intrinsic.oberreuter:Oberreuter2011",
        "stamatatos-2009": "stemmata.reuse.intrinsic.stamatatos:Stamatatos2009",
        "stemmata-intrinsic": "stemmata.reuse.intrinsic.surprise:StemmataIntrinsic",
    },
    families="intrinsic-detectors",
    method="find",
)
"""Intrinsic detectors by name; calling one with its parameters makes it ready to `find`."""

retrievers: Registry[Callable[..., Retriever]] = Registry(
    "retriever",
    {
        "bm25-chunks": "stemmata.reuse.retrieval.searching:Bm25Chunks",
        "fingerprint": "stemmata.reuse.retrieval.searching:Fingerprint",
        "stemmata": "stemmata.reuse.retrieval.statistical:StemmataRetriever",
        "zubarev-2014": "stemmata.reuse.retrieval.zubarev:Zubarev2014",
    },
    method="retrieve",
)
"""Retrievers by name; calling one with an index and its parameters makes it ready to `retrieve`."""
