"""What a truth and a run are, before anything is measured: no score is 0 for a reason that nobody sees.

Where nothing of a side could be read, or no document is common to both, comparing them is an error. What
costs a part of the score is a finding, to be reported beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path

from stemmata.formats import pan_xml
from stemmata.formats.annotations import AnnotationFiles
from stemmata.formats.pairs import DocumentPair
from stemmata.model import ErrorCode, Finding, Place, StemmataError, document_key

_SHOWN = 3


def check_truth(truth: AnnotationFiles, pairs: Collection[DocumentPair] | None = None) -> list[Finding]:
    """Return what is odd about a truth.

    Parameters
    ----------
    pairs
        The pairs of documents that should have a file; by default those that are listed beside it.

    Raises
    ------
    StemmataError
        E219 if it holds no case, but features with a position that have other names.
    """
    findings = _other_names(truth, "truth")
    detected = {name: n for name, n in truth.names.items() if looks_detected(name)}
    if detected and truth.tag == pan_xml.CASES:
        total = sum(truth.names.values())
        details = {"count": sum(detected.values()), "total": total, "name": next(iter(detected))}
        findings.append(Finding.of(ErrorCode.RUN_AS_TRUTH, truth.path, **details))
    return [*findings, *_holdings(truth, "truth", truth.all_pairs if pairs is None else pairs)]


def check_run(
    run: AnnotationFiles, truth: AnnotationFiles | None = None, pairs: Collection[DocumentPair] | None = None
) -> list[Finding]:
    """Return what is odd about a run, by itself and beside the truth.

    Parameters
    ----------
    pairs
        The pairs of documents that should have a file; by default those that the truth lists.

    Raises
    ------
    StemmataError
        E219 or E220 if it holds no detection, but features with a position that have other names; E401 if
        it holds detections, but has no document in common with the truth.
    """
    listed = truth.all_pairs if truth is not None and pairs is None else pairs
    findings = [*_other_names(run, "run"), *_holdings(run, "run", listed)]
    if truth is None or not (run.documents and truth.documents):
        return findings
    if len(run.annotations):
        require_common_document(truth.documents, run.documents)
    return findings + _unknown(run, truth, listed or ())


def require_common_document(truth: frozenset[str], run: frozenset[str]) -> None:
    """Refuse to score a run against the truth of another corpus."""
    keys = {document_key(name) for name in truth}
    if truth and run and not any(document_key(name) in keys for name in run):
        raise StemmataError(ErrorCode.NO_COMMON_DOCUMENT, truth=min(truth), run=min(run))


def looks_detected(name: str) -> bool:
    """Tell whether the name of a feature is meant for a detection."""
    return "detect" in name.lower()


def other_features(names: Mapping[str, int], tag: str, side: str, place: Place | Path) -> Finding:
    """Return the finding for features of other names than the tag of a truth or a run."""
    ranked = [name for name, _ in Counter(names).most_common()]
    details = {"count": sum(names.values()), "tag": tag, "option": f"--{side}-tag", "name": ranked[0]}
    if side == "run" and not any(map(looks_detected, names)) and ranked[0].endswith(pan_xml.CASES):
        return Finding.of(ErrorCode.TRUTH_AS_RUN, place, **details)
    shown = ", ".join(map(repr, ranked[:_SHOWN])) + (", …" if len(ranked) > _SHOWN else "")
    return Finding.of(ErrorCode.OTHER_FEATURES, place, names=shown, **details)


def pairs_without_file(
    listed: Collection[DocumentPair],
    files: Collection[str],
    documents: Collection[str],
    side: str,
    place: Path,
) -> list[Finding]:
    """Return a finding if pairs have no file; where files are per document, if documents have none.

    Files are taken for such of pairs if one at least is called after both documents of a pair.
    """
    try:
        names = pan_xml.file_names(listed)
    except StemmataError:  # documents that XML cannot name
        names = {}
    without, total, what = [pair for pair, name in names.items() if name not in files], len(names), "pairs"
    if len(without) == len(names):
        known = set(map(document_key, documents))
        suspicious = sorted({pair[0] for pair in listed})
        without = [(name, "") for name in suspicious if document_key(name) not in known]
        total, what = len(suspicious), "documents"
    if not without:
        return []
    example = " ".join(filter(None, without[0]))
    details = {"count": len(without), "listed": total, "what": what, "side": side, "example": example}
    return [Finding.of(ErrorCode.NO_FILE, place, **details)]


def _other_names(files: AnnotationFiles, side: str) -> list[Finding]:
    """Return a finding for features of other names; raise it where nothing else is there."""
    if not files.other_names:
        return []
    finding = other_features(files.other_names, files.tag, side, files.path)
    if not len(files.annotations):
        raise StemmataError.of(finding)
    return [finding]


def _holdings(files: AnnotationFiles, side: str, listed: Collection[DocumentPair] | None) -> list[Finding]:
    """Return what was passed over while reading, and what is not there at all."""
    findings = list(files.passed_over)
    if not len(files.annotations):
        details = {"what": "case" if side == "truth" else "detection", "files": files.files, "side": side}
        findings.append(Finding.of(ErrorCode.NOTHING_ANNOTATED, files.path, **details))
    if listed and files.file_names:
        findings += pairs_without_file(listed, files.file_names, files.documents, side, files.path)
    return findings


def _unknown(run: AnnotationFiles, truth: AnnotationFiles, listed: Collection[DocumentPair]) -> list[Finding]:
    documents = (*truth.documents, *(pair[0] for pair in listed))
    sources = (*truth.annotations.source.values, *(pair[1] for pair in listed))
    return unknown_to_truth((documents, sources), (run.documents, run.annotations.source.values), run.path)


def unknown_to_truth(
    truth: tuple[Collection[str], Collection[str]], run: tuple[Collection[str], Collection[str]], place: Path
) -> list[Finding]:
    """Return a finding if suspicious documents of a run are unknown; of sources, only if none is known.

    Parameters
    ----------
    truth, run
        The names of the suspicious and of the source documents.
    """
    known = [set(map(document_key, names)) for names in truth]
    strangers = [
        sorted(name for name in names if document_key(name) not in there)
        for names, there in zip(run, known, strict=True)
    ]
    if not known[1] or len(strangers[1]) < len(set(run[1])):
        strangers[1] = []
    return [
        Finding.of(ErrorCode.UNKNOWN_TO_TRUTH, place, count=len(names), side=side, example=names[0])
        for side, names in zip(("suspicious", "source"), strangers, strict=True)
        if names
    ]
