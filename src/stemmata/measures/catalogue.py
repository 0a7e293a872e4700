"""All measures by name: what `stemmata list measures` shows and `stemmata score` computes."""

from __future__ import annotations

from stemmata.measures import alignment, safety, verification
from stemmata.measures.definition import Measure
from stemmata.model import Registry

measures: Registry[Measure] = Registry("measure")
for _measure in (*alignment.MEASURES, *verification.MEASURES, *safety.MEASURES):
    measures.add(_measure.name, _measure)
