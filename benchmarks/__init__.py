"""How fast Stemmata is and how much memory it takes, measured on made data: ``python -m benchmarks``."""
