"""Building corpora, documents and truth alike."""
