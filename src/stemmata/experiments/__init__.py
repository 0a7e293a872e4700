"""Experiments over measures and systems: attacks, axioms, and the papers reproduced."""
