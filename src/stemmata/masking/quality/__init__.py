"""Automatic quality of obfuscated texts: how well they read, and how far they mean the same."""

from stemmata.masking.quality.judging import Judged, Quality, TextQuality

__all__ = ["Judged", "Quality", "TextQuality"]
