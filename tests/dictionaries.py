"""Whether WordNet is here, which some machines cannot install."""

from __future__ import annotations

import pytest

from stemmata.model import StemmataError
from stemmata.text.wordnet import wordnet


def has_wordnet() -> bool:
    """Return whether WordNet can be opened."""
    try:
        wordnet()
    except StemmataError:
        return False
    return True


needs_wordnet = pytest.mark.skipif(not has_wordnet(), reason="WordNet is not installed")
