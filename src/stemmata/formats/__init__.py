"""Files in and out: PAN XML, pairs, documents, and the same annotations as JSONL and Parquet."""

from stemmata.formats.annotations import AnnotationFiles, read_cases, read_detections
from stemmata.formats.documents import DocumentFolder, read_document
from stemmata.formats.pairs import read_pairs

__all__ = [
    "AnnotationFiles",
    "DocumentFolder",
    "read_cases",
    "read_detections",
    "read_document",
    "read_pairs",
]
