"""``stemmata``, our own aligner: words likelier drawn from the other text than from their own."""
