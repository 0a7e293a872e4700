"""Made annotations as folders of PAN XML, written without the code whose speed is measured."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from stemmata.model import Annotations, Coded


def write_folder(folder: Path, annotations: Annotations, name: str) -> None:
    """Write one file per suspicious document, also where nothing is annotated in it."""
    folder.mkdir(parents=True)
    documents, codes = annotations.suspicious.values, annotations.suspicious.codes
    order = np.argsort(codes, kind="stable")
    borders = np.searchsorted(codes[order], np.arange(1, len(documents)))
    for document, rows in zip(documents, np.split(order, borders), strict=True):
        features = _features(annotations.take(rows), name)
        head = f'<?xml version="1.0" encoding="UTF-8"?>\n<document reference="{document}">'
        path = folder / document.replace(".txt", ".xml")
        path.write_text("\n".join([head, *features, "</document>\n"]), encoding="utf-8")


def _features(rows: Annotations, name: str) -> list[str]:
    columns = {
        "this_offset": rows.offset.tolist(),
        "this_length": rows.length.tolist(),
        "source_reference": _strings(rows.source),
        "source_offset": rows.source_offset.tolist(),
        "source_length": rows.source_length.tolist(),
    } | {key: _strings(column) for key, column in rows.attributes.items()}
    places = " ".join(f'{key}="{{}}"' for key in columns)
    form = f'<feature name="{name}" {places} />'
    return [form.format(*values) for values in zip(*columns.values(), strict=True)]


def _strings(column: Coded) -> list[str]:
    return [column.values[code] for code in column.codes.tolist()]
