"""What the overview of PlagEvalRus prints: sizes of its corpora (Table 1) and scores (Tables 5 to 8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

MEASURES = {
    "Granularity": "granularity",
    "Macro precision": "macro.precision",
    "Macro recall": "macro.recall",
    "Macro plagdet": "macro.plagdet",
    "Micro precision": "micro.precision",
    "Micro recall": "micro.recall",
    "Micro plagdet": "micro.plagdet",
}
"""Columns of the tables, and the keys of our measures."""


class Size(NamedTuple):
    """Texts and pairs of a kind in the test data of text alignment."""

    texts: int
    pairs: int


SIZES: Mapping[str, Size] = {"copy": Size(100, 268), "generated": Size(100, 297), "manual": Size(39, 234)}

SCORES: Mapping[str, Mapping[str, tuple[float, ...]]] = {
    "copy": {
        "pan-baseline": (1.0046, 0.7240, 0.9101, 0.8038, 0.9615, 0.9943, 0.9744),
        "zubarev-2017": (1.4660, 0.9320, 0.7013, 0.6146, 0.9776, 0.8588, 0.7022),
    },
    "generated": {
        "pan-baseline": (3.4639, 0.9051, 0.6895, 0.3626, 0.9710, 0.8334, 0.4156),
        "zubarev-2017": (1.4834, 0.9473, 0.7340, 0.6303, 0.9812, 0.8650, 0.7006),
    },
    "manual": {
        "pan-baseline": (1.1414, 0.8332, 0.0554, 0.0946, 0.8960, 0.0761, 0.1277),
        "zubarev-2017": (1.0016, 0.6250, 0.4715, 0.5369, 0.8208, 0.5312, 0.6443),
    },
    "all": {
        "pan-baseline": (1.9953, 0.8525, 0.3366, 0.3049, 0.9637, 0.6893, 0.5078),
        "zubarev-2017": (1.2417, 0.8158, 0.5644, 0.5729, 0.9460, 0.7737, 0.7309),
    },
}
"""By kind and detector, in the order of the columns; of zubarev's two runs the better one, the second."""
