"""The words everything else is said in: spans, passages, cases, detections, documents, errors."""

from stemmata.model.annotations import Annotation, Annotations, Case, Coded, Detection, Passage
from stemmata.model.documents import Document, Pair, document_key
from stemmata.model.errors import ErrorCode, Finding, Place, StemmataError
from stemmata.model.problems import Piece, Problem
from stemmata.model.protocols import (
    Aligner,
    IntrinsicDetector,
    LearningVerifier,
    Obfuscator,
    Retriever,
    Verifier,
)
from stemmata.model.rankings import Ranked, Ranking
from stemmata.model.registry import Registry
from stemmata.model.spans import Span, SpanSet

__all__ = [
    "Aligner",
    "Annotation",
    "Annotations",
    "Case",
    "Coded",
    "Detection",
    "Document",
    "ErrorCode",
    "Finding",
    "IntrinsicDetector",
    "LearningVerifier",
    "Obfuscator",
    "Pair",
    "Passage",
    "Piece",
    "Place",
    "Problem",
    "Ranked",
    "Ranking",
    "Registry",
    "Retriever",
    "Span",
    "SpanSet",
    "StemmataError",
    "Verifier",
    "document_key",
]
