"""Tuning: the search for an aligner's parameters on a corpus, cross-validated over documents."""

from stemmata.reuse.tuning.tune import Plan, tune

__all__ = ["Plan", "tune"]
