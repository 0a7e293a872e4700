"""Translation, straight or there and back: es-en turns a Spanish passage into English, en-es-en rewrites.

PAN-PC-10 has passages translated from Spanish and German (Potthast et al., COLING 2010, Table 5);
PAN13 adds chains of translations.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

from stemmata.model import ErrorCode, StemmataError
from stemmata.rewriting.edits import Edit, Rewriting, rewritten
from stemmata.rewriting.strategy import Scene
from stemmata.text.languages import languages
from stemmata.text.sentences import find_sentences
from stemmata.text.translation import Apertium, Translator

_ROUTE = re.compile(r"[a-z]{2,3}(-[a-z]{2,3})+")


@dataclass(frozen=True)
class Translation:
    """Each sentence as a translator puts it.

    Attributes
    ----------
    route
        The languages gone through, such as ``"es-en"`` or ``"en-eo-en"``; the passage is in the first.
    translator
        The engine.

    Examples
    --------
    >>> Translation("es-en").rewrite("Los gatos duermen.", Scene(language="es")).text  # doctest: +SKIP
    'The cats sleep.'
    """

    route: str = "en-es-en"
    translator: Translator = field(default_factory=Apertium)

    def __post_init__(self) -> None:
        if not _ROUTE.fullmatch(self.route) or any(one == other for one, other in self._legs):
            raise StemmataError(ErrorCode.BAD_ROUTE, route=self.route)

    @property
    def _legs(self) -> list[tuple[str, str]]:
        return list(pairwise(self.route.split("-")))

    def rewrite(self, text: str, scene: Scene) -> Rewriting:
        """Return the passage with each sentence translated; what stands between sentences stays."""
        first = self._legs[0][0]
        if scene.language != first:
            raise StemmataError(
                ErrorCode.NOT_IN_LANGUAGE,
                what=f"translation by {self.route}",
                language=scene.language,
                known=first,
            )
        known = first in languages
        starts, ends = find_sentences(text, first if known else "en", rules=not known)
        spans = list(zip(starts.tolist(), ends.tolist(), strict=True))
        made = [text[start:end] for start, end in spans]
        for source, target in self._legs:
            made = self.translator.translate(made, source, target)
        return rewritten(
            text,
            [
                Edit(start, end, new, "translation")
                for (start, end), new in zip(spans, made, strict=True)
                if new.strip()
            ],
        )
