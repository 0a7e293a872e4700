"""One check for every format: recognise what is there, read all of it, report all that is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from stemmata.formats.annotations import Progress
from stemmata.formats.faults import Report, reported
from stemmata.formats.files import is_folder
from stemmata.formats.folders import entries, folders_in
from stemmata.formats.obfuscation import check_pieces, read_obfuscation
from stemmata.formats.obfuscation_runs import obfuscation_files
from stemmata.formats.originals import Originals
from stemmata.formats.prototext import read_prototext
from stemmata.formats.recognition import Kind, recognise
from stemmata.formats.retrieval import read_rankings, read_sources
from stemmata.formats.safety import read_safety, skipped_folders
from stemmata.formats.search_log import read_search_log
from stemmata.formats.validation import Validation, validate_annotations, validate_table
from stemmata.formats.verification import answer_file, read_answers, read_problems, read_truth, truth_file
from stemmata.model import ErrorCode


def validate(
    path: str | Path,
    suspicious: str | Path | None = None,
    source: str | Path | None = None,
    problems: str | Path | None = None,
    progress: Progress = iter,
) -> Validation:
    """Check whatever a path holds.

    Parameters
    ----------
    path
        A file or folder of any format that `recognise` knows.
    suspicious, source
        For annotations, the folders of their documents.
    problems
        For obfuscations, the problems whose texts were obfuscated, as `Originals` reads them.
    progress
        Wraps long lists of files.
    """
    kind = recognise(path)
    if kind is Kind.PAN_XML:
        return validate_annotations(path, suspicious, source, progress)
    if kind is Kind.TABLE:
        return validate_table(path, suspicious, source)
    if kind is Kind.OBFUSCATION:
        return validate_obfuscation(path, problems, progress)
    return _VALIDATORS[kind](path)


def validate_problems(path: str | Path) -> Validation:
    """Check verification problems and, where it lies beside them, their truth."""
    result = Validation(Kind.PROBLEMS.value)
    report = result.findings.append
    with reported(report):
        problems = read_problems(path, report)
        result.counted = {"problems": len(problems), "texts": sum(len(one.known) + 1 for one in problems)}
        for problem in problems:
            for text in (*problem.known, problem.unknown):
                if not text.text.strip():
                    result.found(ErrorCode.EMPTY_DOCUMENT, Path(path) / problem.id / text.name)
        if is_folder(path) and (file := truth_file(path)):
            truth, ids = read_truth(file, report), {problem.id for problem in problems}
            untold, missing = len(ids - truth.keys()), len(truth.keys() - ids)
            if untold or missing:
                result.found(ErrorCode.TRUTH_DIFFERS, file, untold=untold, missing=missing)
    return result


def validate_truth(path: str | Path) -> Validation:
    """Check which problems are said to be of the same author."""
    result = Validation(Kind.TRUTH.value, {"files": 1})
    with reported(result.findings.append):
        truth = read_truth(path, result.findings.append)
        result.counted |= {"problems": len(truth), "same_author": sum(truth.values())}
    return result


def validate_answers(path: str | Path) -> Validation:
    """Check a verifier's answers, or those of several, each in a folder of its own."""
    path = Path(path)
    files = [path]
    if is_folder(path):
        files = [file for folder in [path, *folders_in(path)] if (file := answer_file(folder))]
    result = Validation(Kind.ANSWERS.value, {"files": len(files), "answers": 0})
    for file in files:
        with reported(result.findings.append):
            result.counted["answers"] += len(read_answers(file, report=result.findings.append))
    return result


def validate_safety(path: str | Path) -> Validation:
    """Check verifiers' scores on original and obfuscated problems."""
    result = Validation(Kind.SAFETY.value)
    with reported(result.findings.append):
        corpora = read_safety(path, result.findings.append)
        folders = [scores for one in corpora for scores in (one.original, *one.obfuscated.values())]
        result.counted = {
            "corpora": len(corpora),
            "skipped": len(skipped_folders(path)),
            "obfuscations": len(folders) - len(corpora),
            "files": sum(map(len, folders)),
            "scores": int(sum(np.isfinite(each).sum() for scores in folders for each in scores.values())),
            "ignored": sum(one.ignored for one in corpora),
        }
    return result


def validate_sources(path: str | Path) -> Validation:
    """Check the sources of documents, in JSON or TREC's qrels."""
    return _validate_listed(Kind.SOURCES, read_sources, path)


def validate_rankings(path: str | Path) -> Validation:
    """Check the sources a system returned, in JSON or a TREC run."""
    return _validate_listed(Kind.RANKINGS, read_rankings, path)


def _validate_listed(
    kind: Kind, read: Callable[[str | Path, Report], dict[str, list[str]]], path: str | Path
) -> Validation:
    files = len(entries(path, "*.json")) if is_folder(path) else 1
    result = Validation(kind.value, {"files": files})
    with reported(result.findings.append):
        listed = read(path, result.findings.append)
        result.counted |= {"documents": len(listed), "sources": sum(map(len, listed.values()))}
    return result


def validate_search_log(path: str | Path) -> Validation:
    """Check logs of queries and downloads."""
    result = Validation(Kind.SEARCH_LOG.value)
    with reported(result.findings.append):
        logs = read_search_log(path, result.findings.append)
        result.counted = {"documents": len(logs), "events": sum(map(len, logs.values()))}
    return result


def validate_obfuscation(
    path: str | Path, problems: str | Path | None = None, progress: Progress = iter
) -> Validation:
    """Check obfuscated pieces and, where the problems are known, that they are of those texts."""
    path = Path(path)
    result = Validation(Kind.OBFUSCATION.value)
    files = [*obfuscation_files(path)] if is_folder(path) else [path]
    originals = None if problems is None else Originals(problems, result.findings.append)
    if not files:
        result.found(ErrorCode.NO_OBFUSCATION, path)
    found = texts = 0
    for file in map(Path, progress(map(str, files))):
        with reported(result.findings.append):
            pieces = read_obfuscation(file, result.findings.append)
            found += len(pieces)
            if originals is not None:
                check_pieces(pieces, originals.text_of(file), file, result.findings.append)
                texts += 1
    result.counted = {"files": len(files), "pieces": found, "texts": texts}
    return result


def validate_prototext(path: str | Path) -> Validation:
    """Check a file of measures."""
    result = Validation(Kind.PROTOTEXT.value, {"files": 1, "measures": 0})
    with reported(result.findings.append):
        result.counted["measures"] = len(read_prototext(path, result.findings.append))
    if not result.counted["measures"] and not result.findings:
        result.found(ErrorCode.NOTHING_SAID, Path(path), what="measure")
    return result


_VALIDATORS: dict[Kind, Callable[[str | Path], Validation]] = {
    Kind.PROBLEMS: validate_problems,
    Kind.TRUTH: validate_truth,
    Kind.ANSWERS: validate_answers,
    Kind.SAFETY: validate_safety,
    Kind.SOURCES: validate_sources,
    Kind.RANKINGS: validate_rankings,
    Kind.SEARCH_LOG: validate_search_log,
    Kind.PROTOTEXT: validate_prototext,
}
