"""Text in the terms of linguistics, each thing with its place in the raw document."""
