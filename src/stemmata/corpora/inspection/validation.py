"""Validation: everything that is wrong with a corpus, found while each document is read once."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from stemmata.corpora.inspection.description import Advance, Survey, tolerance
from stemmata.corpora.inspection.leaks import Leaks
from stemmata.corpora.inspection.opening import SIDES, Corpus, Side, open_corpus
from stemmata.corpora.inspection.shingles import HashedWords, Hashes, hashed_words
from stemmata.formats.faults import reported
from stemmata.formats.retrieval import read_sources
from stemmata.formats.validation import Validation
from stemmata.model import Document, ErrorCode, Finding, Place, Span, document_key
from stemmata.model.spans import Ints
from stemmata.text.languages import language_of, languages
from stemmata.text.sentences import find_sentences

LONG_WORD = 4
"""Letters of words by which a passage is compared with its source; shorter ones are everywhere."""
SKETCH = 64
"""Words of a passage that are looked for in its source."""
FEWEST_SHARED = 0.15
"""Share of words below which a passage and its source are hardly of one origin."""
CONTEXT = 400
"""Characters of the host around a passage, by which sentences are found."""

_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]")


@dataclass
class CorpusValidation(Validation):
    """What was looked at, what is wrong, and what is only odd."""

    warnings: list[Finding] = field(default_factory=list)

    def odd(self, kind: ErrorCode, place: Place | Path | None = None, **details: object) -> None:
        """Add a warning."""
        self.warnings.append(Finding.of(kind, place, **details))


def validate_corpus(
    folder: str | Path, against: str | Path | None = None, advance: Advance = lambda _: None
) -> CorpusValidation:
    """Check a corpus of any layout, one document in memory at a time.

    Parameters
    ----------
    against
        Another corpus, such as the one that is trained on, which should share no text with this one.
    advance
        Is told how many more documents were read.
    """
    result = CorpusValidation()
    report = result.findings.append
    corpus = open_corpus(folder, report)
    other = open_corpus(against, report) if against is not None else None
    result.kind = corpus.layout
    result.counted = {
        "suspicious": len(corpus.suspicious),
        "sources": len(corpus.sources),
        "pairs": len(corpus.pairs),
        "cases": len(corpus.cases),
    }
    _check_names(corpus, result)
    _check_truth(corpus, result)
    _check_overlaps(corpus, result)
    survey, passages, leaks = Survey(corpus), _Passages(corpus, result), Leaks(corpus, other)
    for side, document in corpus.documents(report):
        words = hashed_words(document.text)
        survey.add(side, document)
        passages.add(side, document, words)
        leaks.add(side, document, words)
        _check_characters(corpus, side, document, result)
        advance(1)
    leaks.report(result.found, report, advance)
    if corpus.plan is not None:
        _check_shares(survey, corpus.folder, result)
    return result


def _check_names(corpus: Corpus, result: CorpusValidation) -> None:
    """See that every document that is named is there."""
    cases = corpus.cases
    for position, side in enumerate(SIDES):
        texts, names = corpus.texts(side), cases.suspicious if side == "suspicious" else cases.source
        codes, first = np.unique(names.codes, return_index=True)
        named: dict[str, Place | Path] = {
            names.values[code]: cases.place(int(row))
            for code, row in zip(codes.tolist(), first.tolist(), strict=True)
            if code >= 0
        }
        known = {document_key(name) for name in texts}
        for pair in corpus.pairs:
            named.setdefault(pair[position], corpus.folder / "pairs")
        for name, place in sorted(named.items()):
            if document_key(name) not in known:
                details = {"side": side, "document": name, "folder": str(corpus.folder)}
                result.found(ErrorCode.MISSING_DOCUMENT, place, **details)


def _check_truth(corpus: Corpus, result: CorpusValidation) -> None:
    """See that truth, pairs and documents speak of the same."""
    if not corpus.files and corpus.layout != "clough09":
        result.found(ErrorCode.NO_XML, corpus.folder)
        return
    if not corpus.listed or corpus.layout == "pan-pc-10":
        for name in corpus.suspicious:
            if document_key(name) not in corpus.told:
                result.found(ErrorCode.UNTOLD_DOCUMENT, corpus.suspicious.paths[name], document=name)
    elif corpus.layout != "clough09":
        for mine, theirs in corpus.pairs:
            if f"{document_key(mine)}-{document_key(theirs)}" not in corpus.told:
                result.found(ErrorCode.UNTOLD_PAIR, corpus.folder / "pairs", suspicious=mine, source=theirs)
    if corpus.listed:
        _check_pairs(corpus, result)
    if corpus.layout == "plagevalrus":
        _check_sources(corpus, result)


def _check_pairs(corpus: Corpus, result: CorpusValidation) -> None:
    cases = corpus.cases
    listed = {(document_key(mine), document_key(theirs)) for mine, theirs in corpus.pairs}
    seen = set()
    for row in range(len(cases)):
        mine, theirs = cases.suspicious[row] or "", cases.source[row]
        pair = (document_key(mine), document_key(theirs or ""))
        if theirs is not None and pair not in listed and pair not in seen:
            seen.add(pair)
            result.found(ErrorCode.UNLISTED_PAIR, cases.place(row), suspicious=mine, source=theirs)


def _check_sources(corpus: Corpus, result: CorpusValidation) -> None:
    """Compare the lists of sources with the cases."""
    cases = corpus.cases
    with reported(result.findings.append):
        listed = read_sources(corpus.folder / "sources", result.findings.append)
        for name in corpus.suspicious:
            rows = corpus.rows("suspicious", name).tolist()
            used = {document_key(source) for row in rows if (source := cases.source[row]) is not None}
            said = set(listed.get(document_key(name), ()))
            differing = [f"{one} is too much" for one in sorted(said - used)]
            differing += [f"{one} is missing" for one in sorted(used - said)]
            if differing:
                details = {"document": name, "difference": "; ".join(differing[:5])}
                result.found(ErrorCode.SOURCES_DIFFER, corpus.folder / "sources", **details)


def _check_overlaps(corpus: Corpus, result: CorpusValidation) -> None:
    """Report each case that begins before another one of its document has ended."""
    cases = corpus.cases
    for row in np.flatnonzero(cases.length == 0):
        result.found(ErrorCode.EMPTY_ANNOTATION, cases.place(int(row)))
    end = cases.offset + cases.length
    for name in cases.suspicious.values:
        last = -1
        for row in corpus.rows("suspicious", name).tolist():
            if last >= 0 and cases.offset[row] < end[last]:
                kind = ErrorCode.DUPLICATE if cases[row] == cases[last] else ErrorCode.OVERLAPPING_CASES
                result.found(kind, cases.place(row), first=str(cases.place(last)), document=name)
            if last < 0 or end[row] > end[last]:
                last = row


def _check_characters(corpus: Corpus, side: Side, document: Document, result: CorpusValidation) -> None:
    text, path = document.text, corpus.texts(side).paths[document.name]
    if not text.strip():
        result.found(ErrorCode.EMPTY_DOCUMENT, path)
    for what, count in (
        ("byte order mark", int(text.startswith("\ufeff"))),
        ("characters were lost when the text was converted", text.count("\ufffd")),
        ("control characters", len(_CONTROL.findall(text))),
    ):
        if count:
            result.odd(ErrorCode.ODD_CHARACTERS, path, count=count, what=what)


def _check_shares(survey: Survey, folder: Path, result: CorpusValidation) -> None:
    """Compare proportions with the plan."""
    for section in survey.sections():
        for one in section.shares:
            allowed = tolerance(section.total) + 1e-9
            if one.planned is not None and abs(one.share - one.planned) > allowed:
                details = {"what": section.title.lower(), "name": one.name}
                result.found(ErrorCode.SHARE_MISSED, folder, share=one.share, planned=one.planned, **details)


class _Passages:
    """Compares passages with their sources, and with the sentences around them.

    Of each plagiarised passage a digest and a sketch are kept until its source is read.
    """

    def __init__(self, corpus: Corpus, result: CorpusValidation) -> None:
        self.corpus, self.result = corpus, result
        plain = {"none"}
        if corpus.plan is not None:
            plain |= {one.name for one in corpus.plan.obfuscation if one.strategy == "none"}
        self.unchanged = np.array([kind in plain for kind in (*corpus.kinds.values, "")])[corpus.kinds.codes]
        self.foreign = _between_languages(corpus)
        self.digests: dict[int, bytes] = {}
        self.sketches: dict[int, Hashes] = {}

    def add(self, side: Side, document: Document, words: HashedWords) -> None:
        """Look at all passages of a document."""
        cases = self.corpus.cases
        mine = side == "suspicious"
        offsets, lengths = (
            (cases.offset, cases.length) if mine else (cases.source_offset, cases.source_length)
        )
        spans: dict[int, Span] = {}
        for row in self.corpus.rows(side, document.name).tolist():
            span = Span(int(offsets[row]), int(offsets[row] + lengths[row]))
            if span.end > len(document.text):
                self._beyond(side, row, document, span)
            else:
                spans[row] = span
        for row, span in spans.items():
            if mine:
                self._keep(row, document.text[slice(*span)], words.between(*span, LONG_WORD))
            else:
                self._compare(row, document, span, words)
        if mine and spans:
            self._check_sentences(document, spans)

    def _beyond(self, side: Side, row: int, document: Document, span: Span) -> None:
        self.result.found(
            ErrorCode.BEYOND_DOCUMENT,
            self.corpus.cases.place(row),
            side=side,
            offset=span.start,
            length=span.end - span.start,
            size=len(document.text),
            document=document.name,
        )

    def _keep(self, row: int, passage: str, words: Hashes) -> None:
        if self.corpus.cases.source.codes[row] < 0:
            return
        if self.unchanged[row]:
            self.digests[row] = _digest(passage)
        elif not self.foreign[row]:
            # The least hashes of all are a fair sample of the words.
            self.sketches[row] = words[:SKETCH]

    def _compare(self, row: int, document: Document, span: Span, words: HashedWords) -> None:
        place = self.corpus.cases.place(row)
        passage = document.text[slice(*span)]
        digest, sketch = self.digests.pop(row, None), self.sketches.pop(row, None)
        if digest is not None and digest != _digest(passage):
            details = {"source": document.name, "offset": span.start}
            self.result.found(ErrorCode.PASSAGES_DIFFER, place, **details)
        if sketch is not None and len(sketch):
            share = float(np.isin(sketch, words.between(*span, LONG_WORD)).mean())
            if share < FEWEST_SHARED:
                self.result.odd(ErrorCode.FEW_WORDS_SHARED, place, share=share, source=document.name)

    def _check_sentences(self, document: Document, spans: dict[int, Span]) -> None:
        """Warn of passages that part a sentence of their host."""
        text = document.text
        language = self.corpus.plan.language if self.corpus.plan else language_of(text[:CONTEXT])
        for row, span in spans.items():
            before, behind = _host_around(text, span, spans.values())
            if not _between_sentences(before, behind, language if language in languages else "en"):
                place = self.corpus.cases.place(row)
                self.result.odd(ErrorCode.WITHIN_SENTENCE, place, document=document.name)


def _digest(passage: str) -> bytes:
    return hashlib.blake2b("".join(passage.split()).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _between_languages(corpus: Corpus) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Tell which cases came from another language, and so share no words with their sources."""
    columns = [corpus.cases.attributes.get(name) for name in ("this_language", "source_language")]
    foreign = np.zeros(len(corpus.cases), dtype=np.bool_)
    if columns[0] is not None and columns[1] is not None:
        for row in range(len(foreign)):
            mine, theirs = columns[0][row], columns[1][row]
            foreign[row] = mine is not None and theirs is not None and mine != theirs
    return foreign


def _host_around(text: str, span: Span, passages: Iterable[Span]) -> tuple[str, str]:
    """Return what of the host stands before and behind a passage, other passages left out."""
    start, end = span
    before, behind = "", ""
    others = sorted(one for one in passages if one != span)
    for one in reversed(others):
        if one.start < start and len(before) < CONTEXT:
            before = text[max(one.end, start - CONTEXT) : start] + before
            start = min(start, one.start)
    before = text[max(0, start - CONTEXT) : start] + before if len(before) < CONTEXT else before
    for one in others:
        if one.end > end and len(behind) < CONTEXT:
            behind += text[end : min(one.start, end + CONTEXT)]
            end = max(end, one.end)
    behind += text[end : end + CONTEXT] if len(behind) < CONTEXT else ""
    return before[-CONTEXT:], behind[:CONTEXT]


def _between_sentences(before: str, behind: str, language: str) -> bool:
    """Tell whether a sentence ends here.

    Examples
    --------
    >>> _between_sentences("It rained. ", "We left.", "en")
    True
    >>> _between_sentences("It rai", "ned. We left.", "en")
    False
    """
    if not before.strip() or not behind.strip():
        return True
    gap = before[len(before.rstrip()) :] + behind[: len(behind) - len(behind.lstrip())]
    if gap.count("\n") > 1:
        return True
    joined = before.rstrip() + (" " if gap else "")
    starts: Ints = find_sentences(joined + behind.lstrip(), language)[0]
    return len(joined) in starts
