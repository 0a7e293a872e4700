"""The scales of the PAN18 paper: a school grade for sensibleness, and a word for soundness.

Three systems were graded in PAN16's way (0 to 2, 0 to 5) and in that of PAN18. Mansoorizadeh had 1.94 and the
grade 2, Mihaylova 1.20 and 4, Keswani 0.57 and 5; in soundness 4.87 and correct or passable, 4.48 and 4.04
and incorrect. The scales are read off these points, so that grade and word are a guide and no measurement.
"""

from __future__ import annotations

import numpy as np

from stemmata.model.judgements import SCHOOL_GRADES, SOUNDNESS_WORDS

_SENSIBLENESS = (0.0, 0.57, 1.20, 1.92, 2.0)
_GRADES = (5.0, 5.0, 4.0, 2.0, 1.0)
CORRECT, PASSABLE = 4.87, 4.5
"""Soundness from which a text is correct, and from which passable."""


def school_grade(sensibleness: float) -> float:
    """Return the school grade, 1 (excellent) to 5 (fail) in halves, of a sensibleness from 0 to 2.

    Examples
    --------
    >>> [school_grade(value) for value in (2.0, 1.94, 1.5, 0.57)]
    [1.0, 2.0, 3.0, 5.0]
    """
    return float(round(2 * float(np.interp(sensibleness, _SENSIBLENESS, _GRADES))) / 2)


def soundness_word(soundness: float) -> str:
    """Return correct, passable or incorrect for a soundness from 0 to 5.

    Examples
    --------
    >>> soundness_word(4.9), soundness_word(4.4)
    ('correct', 'incorrect')
    """
    level = 2.0 if soundness >= CORRECT else 1.0 if soundness >= PASSABLE else 0.0
    return SOUNDNESS_WORDS.label(level)


def school_grade_label(sensibleness: float) -> str:
    """Return the school grade as people write it, such as 2-3."""
    return SCHOOL_GRADES.label(school_grade(sensibleness))
