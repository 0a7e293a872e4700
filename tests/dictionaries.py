"""Whether WordNet and the models are here, which some machines cannot install."""

from __future__ import annotations

import pytest

from stemmata.model import StemmataError
from stemmata.text.language_model import installed_model
from stemmata.text.sentence_encoder import installed_encoder
from stemmata.text.wordnet import wordnet


def has_wordnet() -> bool:
    """Return whether WordNet can be opened."""
    try:
        wordnet()
    except StemmataError:
        return False
    return True


def require_judges() -> None:
    """Skip a test where what predicts grades is not installed."""
    pytest.importorskip("threadpoolctl")
    try:
        installed_model(), installed_encoder(), wordnet()
    except StemmataError as error:
        pytest.skip(str(error))


needs_wordnet = pytest.mark.skipif(not has_wordnet(), reason="WordNet is not installed")
