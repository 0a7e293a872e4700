"""Made annotations as files: folders of PAN XML, written fast and without the code that is measured."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from stemmata.model import Annotations
from stemmata.model.spans import Ints


def write_folder(folder: Path, annotations: Annotations, name: str) -> None:
    """Write one file per suspicious document, also for those in which nothing is annotated."""
    folder.mkdir(parents=True)
    codes = annotations.suspicious.codes
    order = np.argsort(codes, kind="stable")
    documents = annotations.suspicious.values
    borders = np.searchsorted(codes[order], np.arange(1, len(documents)))
    for document, rows in zip(documents, np.split(order, borders), strict=True):
        text = "\n".join([_HEAD.format(document), *_features(annotations.take(rows), name), "</document>\n"])
        (folder / document).with_suffix(".xml").write_text(text, encoding="utf-8")


_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<document reference="{}">'


def _features(annotations: Annotations, name: str) -> list[str]:
    features = []
    for one in annotations:
        said = "".join(f' {key}="{value}"' for key, value in one.attributes.items())
        ...
    return features
