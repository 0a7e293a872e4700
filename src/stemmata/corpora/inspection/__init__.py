"""Looking at a corpus: opening any layout, describing, validating and comparing what is in it."""
