"""All measures by name: what `stemmata list measures` shows and `stemmata score` computes."""

from __future__ import annotations

from stemmata.measures import alignment, quality, retrieval, safety, verification
from stemmata.measures.definition import Measure
from stemmata.model import Registry

measures: Registry[Measure] = Registry("measure", plugins=False)
for _task in (alignment, retrieval, verification, safety, quality):
    for _measure in _task.MEASURES:
        measures.add(_measure.name, _measure)
