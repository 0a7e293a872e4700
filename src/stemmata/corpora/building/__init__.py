"""Building a corpus: a plan, its base texts, who plagiarises what, and the documents themselves."""
