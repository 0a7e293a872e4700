"""Another hand in a text, seen from the text alone: intrinsic detectors."""
