"""Aligners of the literature, each a short recipe over `stemmata.reuse.parts`."""
