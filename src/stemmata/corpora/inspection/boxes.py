"""Boxes: the similarities of compared corpora as a figure, the first of the PAN-PC-10 paper."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from stemmata.corpora.inspection.similarity import Group
from stemmata.model.reproduction import Boxes, Figure, Panel


def similarity_figure(groups: Sequence[Group]) -> Figure:
    """Return Figure 1: a panel per corpus with its kinds side by side, or one panel with all corpora."""
    caption = (
        "Similarity of plagiarised passages to their sources when runs of n words are compared "
        "(stems, without stop words, cosine). Boxes show the middle half of the cases, strokes the median; "
        "in each group they stand in the order of the legend."
    )
    if any(group.kind for group in groups):
        panels = [
            _panel(corpus, [_boxes(one, one.kind) for one in some])
            for corpus, some in groupby(groups, key=lambda one: one.corpus)
        ]
    else:
        panels = [_panel("", [_boxes(one, one.corpus) for one in groups])]
    return Figure("figure-1", caption, [[panel] for panel in panels])


def _panel(title: str, boxes: Sequence[Boxes]) -> Panel:
    return Panel(title, "n, words", "similarity", (), boxes=boxes)


def _boxes(group: Group, label: str) -> Boxes:
    return Boxes(label, *group.quarters)
