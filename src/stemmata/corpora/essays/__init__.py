"""Essays that people rewrote from sources: checked as they come in, and made a corpus once accepted."""

from stemmata.corpora.essays.acceptance import essay_as_corpus
from stemmata.corpora.essays.checks import check_essay
from stemmata.corpora.essays.figures import EssayFigures
from stemmata.corpora.essays.findings import EssayFinding, EssayRules, Severity

__all__ = ["EssayFigures", "EssayFinding", "EssayRules", "Severity", "check_essay", "essay_as_corpus"]
