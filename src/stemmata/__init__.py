"""Stemmata: who copied it, who wrote it, who hid it."""

__version__ = "0.1.0"
