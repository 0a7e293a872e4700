"""What recipes of aligners share: sentences of terms, seeds, extension, validation, common runs."""
