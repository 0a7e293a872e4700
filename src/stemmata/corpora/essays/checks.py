"""The checks of an essay: each rule gives what breaks it.

Rules and bounds are those of the organisers of PlagEvalRus (Smirnov et al., Dialogue 2017, section 3). How
bad it is to break one follows from what the corpus would suffer: without the sources, the originals or
enough sentences there is none (fatal); false claims and wrong proportions make it another one than was
asked for (serious); the rest a reader should look at (medium).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator

from stemmata.corpora.essays.change import MAX_WORDS
from stemmata.corpora.essays.figures import EssayFigures, Fragment
from stemmata.corpora.essays.findings import EssayFinding, EssayRules, Severity
from stemmata.corpora.essays.kinds import Kind, kind_of, misfits
from stemmata.formats.essays import Essay
from stemmata.text.look_alikes import find_look_alikes, scripts_of
from stemmata.text.pos import russian_analyser
from stemmata.text.words import find_words

Findings = Iterator[EssayFinding]
Check = Callable[[EssayFigures, EssayRules], Findings]

MAX_SEARCHED = 200
"""Sentences that are looked for in all sources; an essay with more of them has worse findings."""
_LONE_LATIN = re.compile(r"(?<![\w.])[acoy](?![\w.)])")
"""Latin letters where Russian has one-letter words that look the same."""
_RUSSIAN_WORD = re.compile(r"(?<![\w-])[а-яё]{3,}(?![\w-])")


def check_essay(
    essay: Essay, rules: EssayRules | None = None, figures: EssayFigures | None = None
) -> list[EssayFinding]:
    """Return all that is wrong with an essay, the worst first, then in the order of the table.

    Parameters
    ----------
    essay
        The essay, as `stemmata.formats.essays.read_essay` reads it.
    rules
        The bounds; by default those of PlagEvalRus.
    figures
        Those of this essay, where they are at hand.
    """
    known = figures or EssayFigures(essay)
    found = [one for check in CHECKS for one in check(known, rules or EssayRules())]
    order = list(Severity)
    return sorted(found, key=lambda one: (order.index(one.severity), one.row or 0, one.code))


def _sources(figures: EssayFigures, rules: EssayRules) -> Findings:
    for finding in figures.essay.unread:
        yield _fatal("source-unread", None, f"{finding.place}: {finding.message}")
    used = {name: rows for name, rows in figures.by_source.items() if rows}
    if len(used) < rules.sources:
        yield _fatal("few-sources", None, f"{len(used)} sources are used, {rules.sources} are wanted")
    for name, rows in figures.by_source.items():
        share = rows / max(len(figures.borrowed), 1)
        if not rows:
            yield _medium("source-unused", None, f"nothing is taken from {name}")
        elif share < rules.source_share:
            what = f"{share:.1%} of the fragments are from {name}, {rules.source_share:.0%} are wanted"
            yield _serious("source-share", None, what)


def _places(figures: EssayFigures, rules: EssayRules) -> Findings:
    """Give rows that are incomplete, or whose texts are not where they should be."""
    missing = 0
    for row in figures.essay.rows:
        if row.is_own:
            continue
        if not row.original:
            yield _serious(
                "row-incomplete", row.number, f"a source is named, {row.source!r}, but no original"
            )
        elif not row.document:
            yield _fatal("source-missing", row.number, f"there is no source {row.source!r} that can be read")
        elif row.origin is None:
            missing += 1
            there = _place_of(row.original, figures) if missing <= MAX_SEARCHED else None
            elsewhere = f" but in {there}" if there else ""
            what = f"the original {_quoted(row.original)} is not in {row.source!r}{elsewhere}"
            yield _serious("original-missing", row.number, what)
        if row.passage is None:
            yield _fatal("sentence-missing", row.number, f"{_quoted(row.text)} is not in the essay")
    share = missing / max(len(figures.borrowed), 1)
    if share > rules.missing:
        yield _fatal("originals-missing", None, f"{share:.0%} of the originals are not in their sources")


def _sizes(figures: EssayFigures, rules: EssayRules) -> Findings:
    count, borrowed = figures.sentences(), figures.sentences(figures.borrowed)
    if count < rules.sentences:
        yield _fatal("few-sentences", None, f"{count} sentences, {rules.sentences} are wanted")
    elif borrowed < rules.sentences:
        what = f"{borrowed} of {count} sentences are borrowed; the paper has {rules.sentences} or more"
        yield _medium("few-borrowed", None, what)
    if figures.sentence_words < rules.sentence_words:
        what = f"a sentence has {figures.sentence_words:.1f} words, {rules.sentence_words:g} are wanted"
        yield _serious("short-sentences", None, what)
    for row in figures.borrowed:
        words = figures.wordings[row.number]
        if words.significant < rules.significant_words:
            what = f"{words.significant} significant words, {rules.significant_words} are wanted"
            yield _medium("short-fragment", row.number, what)


def _proportions(figures: EssayFigures, rules: EssayRules) -> Findings:
    low, high = rules.own
    if not low <= figures.own_share <= high:
        what = (
            f"{figures.own_share:.1%} of the sentences are the writer's own, {low:.0%} to {high:.0%} wanted"
        )
        yield _serious("own-share", None, what)
    low, high = rules.heavy
    if not low <= figures.heavy_share <= high:
        what = f"{figures.heavy_share:.1%} of the fragments are HPR, {low:.0%} to {high:.0%} are wanted"
        yield _serious("heavy-share", None, what)
    if figures.distance < rules.distance:
        what = f"fragments are {figures.distance:.1%} away from their originals, {rules.distance:.0%} wanted"
        yield _medium("lexical-distance", None, what)
    if figures.originality < rules.originality:
        share = f"{figures.originality:.1%} of the runs of five words are in no source"
        what = f"{share}, {rules.originality:.0%} are wanted"
        yield _medium("originality", None, what)


def _kinds(figures: EssayFigures, rules: EssayRules) -> Findings:
    """Give rows whose claimed kinds are missing, unknown, or not borne out."""
    for row in figures.essay.rows:
        kinds = [kind_of(code) for code in row.kinds]
        for code, kind in zip(row.kinds, kinds, strict=True):
            if kind is None:
                yield _serious("kind-unknown", row.number, f"there is no kind {code[:20]!r}")
        if row.original and not row.kinds:
            yield _serious("kind-missing", row.number, "a fragment without a kind of change")
        if row.original and Kind.OWN in kinds:
            yield _serious("kind-unfit", row.number, "ORIG, but it has an original")
        if row.is_own and {*kinds} - {Kind.OWN, None}:
            yield _serious("row-incomplete", row.number, f"{'+'.join(row.kinds)}, but it has no original")
        if Kind.COPIED in kinds and not rules.copies:
            yield _serious("copy", row.number, "CPY, but copies are not allowed in this set")
    for fragment in figures.fragments:
        yield from _fragment(fragment, rules)


def _fragment(fragment: Fragment, rules: EssayRules) -> Findings:
    first = fragment.rows[0].number
    others = ", ".join(str(row.number) for row in fragment.rows[1:])
    together = f" (with row {others})" if others else ""
    if fragment.change is None:
        yield _medium(
            "long-row", first, f"more than {MAX_WORDS} words or none: kinds are not checked{together}"
        )
        return
    for misfit in misfits(fragment.kinds - {Kind.OWN}, fragment.change, rules.kinds):
        code = "change-large" if misfit.beyond else "change-other" if misfit.unclaimed else "kind-unfit"
        make = _serious if misfit.false else _medium
        yield make(code, first, misfit.what + together)


def _letters(figures: EssayFigures, rules: EssayRules) -> Findings:
    """Give Latin letters in Cyrillic words."""
    if figures.language != "ru":
        return
    for row in figures.essay.rows:
        odd = [row.text[span.start : span.end] for span in find_look_alikes(row.text)]
        found = [word for word in odd if len(scripts_of(word)) > 1] + _LONE_LATIN.findall(row.text)
        if found:
            yield _serious(
                "look-alikes", row.number, f"Latin letters in Cyrillic words: {', '.join(found[:5])}"
            )


def _spelling(figures: EssayFigures, rules: EssayRules) -> Findings:
    """Give words that neither a dictionary nor a source has; names are left out."""
    if figures.language != "ru":
        return
    is_known = russian_analyser().word_is_known
    there: set[str] = set()
    for source in figures.essay.sources:
        there.update(find_words(source.text).forms)
    for row in figures.essay.rows:
        odd = [
            word
            for word in _RUSSIAN_WORD.findall(row.text)
            if len(word) <= 64 and word not in there and not is_known(word)
        ]
        if odd:
            yield _medium("spelling", row.number, f"in no dictionary: {', '.join(odd[:5])}")


def _own(figures: EssayFigures, rules: EssayRules) -> Findings:
    """Give own sentences that stand in a source after all, and rows that stand there twice."""
    for row in figures.own[:MAX_SEARCHED]:
        if figures.wordings[row.number].significant < rules.significant_words:
            continue
        where = _place_of(row.text, figures)
        if where:
            yield _serious("own-borrowed", row.number, f"{_quoted(row.text)} is in {where}")
    seen: Counter[str] = Counter()
    for row in figures.essay.rows:
        text = " ".join(row.text.split())
        seen[text] += 1
        if seen[text] == 2:
            yield _medium("repeated-row", row.number, f"{_quoted(text)} stands in the table before")


CHECKS: tuple[Check, ...] = (_sources, _places, _sizes, _proportions, _kinds, _letters, _spelling, _own)


def _place_of(sentence: str, figures: EssayFigures) -> str | None:
    return next((one.document.name for one in figures.quotations if one.find(sentence)), None)


def _quoted(text: str) -> str:
    plain = " ".join(text.split())
    return f"«{plain[:60]}{'…' if len(plain) > 60 else ''}»"


def _fatal(code: str, row: int | None, message: str) -> EssayFinding:
    return EssayFinding(Severity.FATAL, code, row, message)


def _serious(code: str, row: int | None, message: str) -> EssayFinding:
    return EssayFinding(Severity.SERIOUS, code, row, message)


def _medium(code: str, row: int | None, message: str) -> EssayFinding:
    return EssayFinding(Severity.MEDIUM, code, row, message)
