"""Verifiers after PAN 2015: baselines of later years, and methods that are common today."""
