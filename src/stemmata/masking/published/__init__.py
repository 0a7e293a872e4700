"""Obfuscators of the shared tasks and papers, each a short recipe over `stemmata.rewriting`."""
