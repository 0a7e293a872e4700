"""Assignment: which stretch of which base text becomes which document, and which case goes where.

Everything is decided here, from sizes; texts are rewritten when documents are made. Proportions are met by
quotas: what is rarest against the plan comes next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator, default_rng

from stemmata.corpora.building.base import BaseText, Slice
from stemmata.corpora.building.casting import APART, Casting, Draft, PlannedCase
from stemmata.corpora.building.plan import Band, Obfuscation, Plan
from stemmata.corpora.building.quotas import Quota, apportion, dealt
from stemmata.corpora.building.replacing import SentenceCasting
from stemmata.corpora.building.topics import topics_of
from stemmata.model import ErrorCode, StemmataError
from stemmata.text.sentences import find_sentences

FILLED = 0.97
"""Share of the base that may be used; documents end with a paragraph, a little later than planned."""
MARGIN = 0.15
"""A document's share of plagiarism keeps this part of its class's width away from either end, for
rewritten passages are not exactly as long as planned."""
SMALL = 2400
SMALL_MARGIN = 0.35
"""The same for documents with fewer plagiarised characters than SMALL: there, a sentence matters."""
ROOMY = 1.2
"""Documents that must have a number of sentences are given this many times the room of average ones."""


@dataclass(frozen=True)
class PlannedDocument:
    """A document before it is made; a source has no cases, and neither has a clean one."""

    number: int
    host: Slice
    intrinsic: bool = False
    cases: tuple[PlannedCase, ...] = ()


@dataclass(frozen=True)
class Assignment:
    """All documents of a corpus before they are made.

    Attributes
    ----------
    hidden
        Texts from which intrinsic cases come; they are not part of the corpus.
    unmet
        What of the plan could not be met, and why.
    """

    sources: tuple[PlannedDocument, ...]
    suspicious: tuple[PlannedDocument, ...]
    hidden: tuple[Slice, ...]
    unmet: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Outline:
    """Sizes of everything, in characters: sources and clean documents, plagiarised ones, hidden texts."""

    plain: list[float]
    drafts: list[Draft]
    hidden: list[float]
    unmet: list[str]
    replace: bool

    @property
    def hosts(self) -> list[float]:
        """What each plagiarised document takes of the base: its own part, and what makes room for cases."""
        return [draft.size - (0 if self.replace else draft.target) for draft in self.drafts]

    @property
    def needs(self) -> float:
        """Characters of the base that all of this takes."""
        return sum(self.plain) + sum(self.hosts) + sum(self.hidden)


@dataclass(frozen=True)
class _Units:
    """Characters of what cases are counted in, and of a sentence.

    Cases are counted in words or, where these are replaced, in sentences.
    """

    case: float
    sentence: float

    @classmethod
    def of(cls, plan: Plan, base: Sequence[BaseText]) -> _Units:
        characters = sum(len(one) for one in base)
        sentence = characters / sum(len(one.cuts) + 1 for one in base)
        return cls(sentence if plan.replace else characters / sum(one.words for one in base), sentence)


def _outline(plan: Plan, counts: Mapping[str, int], units: _Units, power: float) -> _Outline:
    """Draw all sizes; the greater the power, the more of them crowd at the lower ends of their classes.

    How much of a document is plagiarised does not depend on its length, at first. If then there is not
    enough room for long cases, some and at last all of the larger shares go to the longer documents.
    """
    made = []
    for tied in (0.0, 0.25, 0.5, 0.75, 1.0):
        rng = default_rng([plan.seed, 1])
        # Most of a plagiarised document is not its own, so it costs the base less.
        drafts = _drafts(plan, counts["plagiarised"], power**0.5, tied, rng)
        quota = _plan_cases(plan, drafts, units.case, rng)
        made.append((quota.distance, drafts, quota))
        if not quota.differences(""):
            break
    _, drafts, quota = min(made, key=lambda one: one[0])
    rng = default_rng([plan.seed, 2])
    _choose_intrinsic(plan, drafts, rng)
    plain = [
        _drawn(band, rng, power) * plan.page
        for band in dealt(plan.length, counts["source"] + counts["clean"], rng)
    ]
    # Hosts must have their sentences, even if that makes them longer than their class.
    room = ROOMY * plan.host_sentences * units.sentence
    plain[counts["source"] :] = [max(size, room) for size in plain[counts["source"] :]]
    for draft in drafts:
        draft.size = max(draft.size, room)
    hidden = _hidden_sizes(drafts, plan.page, units.case)
    # Where sentences are replaced, cases are planned again when the sentences are known.
    unmet = [] if plan.replace else quota.differences("case length")
    return _Outline(plain, drafts, hidden, unmet, plan.replace)


def _drawn(band: Band, rng: Generator, power: float) -> float:
    """Return a size of a class: log-uniform where the power is 1."""
    return float(band.low * (band.high / band.low) ** (rng.random() ** power))


def _fitting_outline(plan: Plan, counts: Mapping[str, int], base: Sequence[BaseText]) -> _Outline:
    """Return the outline with the widest spread of lengths for which the base has enough text."""
    has = sum(len(one) for one in base)
    units = _Units.of(plan, base)
    # A plan of far more than there is must not be drawn to know it.
    least = sum(band.share * band.low for band in plan.length) * plan.page
    needs = least * (counts["source"] + counts["clean"])
    if needs > has:
        raise StemmataError(ErrorCode.BASE_TOO_SMALL, plan.base, has=has, needs=int(needs / FILLED))
    low, high = 1.0, 64.0
    best = _outline(plan, counts, units, low)
    if best.needs <= FILLED * has:
        return best
    best = _outline(plan, counts, units, high)
    if best.needs > FILLED * has:
        raise StemmataError(ErrorCode.BASE_TOO_SMALL, plan.base, has=has, needs=int(best.needs / FILLED))
    while high / low > 1.02:
        middle = (low * high) ** 0.5
        tried = _outline(plan, counts, units, middle)
        if tried.needs <= FILLED * has:
            best, high = tried, middle
        else:
            low = middle
    return best


def assign(plan: Plan, base: Sequence[BaseText]) -> Assignment:
    """Plan all documents and cases."""
    rng = default_rng([plan.seed, 0])
    kinds = ("source", "plagiarised", "clean")
    counts = dict(zip(kinds, apportion(plan.documents, [plan.purpose[kind] for kind in kinds]), strict=True))
    if not counts["source"]:
        reason = f"of {plan.documents} documents, purpose.source leaves none as a source"
        raise StemmataError(ErrorCode.BAD_PLAN, reason=reason)
    outline = _fitting_outline(plan, counts, base)
    plain, drafts, hosts, hidden = outline.plain, outline.drafts, outline.hosts, outline.hidden
    unmet = list(outline.unmet)
    sizes = [*plain, *hosts, *hidden]
    n = counts["source"]
    least = [0] * n + [plan.host_sentences] * (len(sizes) - n - len(hidden)) + [0] * len(hidden)
    slices = _cut(base, sizes, least, plan.language, rng)
    sources, clean = slices[:n], slices[n : len(plain)]
    mine, kept = slices[len(plain) : len(plain) + len(drafts)], slices[len(plain) + len(drafts) :]
    suspicious = [
        *zip(mine, drafts, strict=True),
        *((host, None) for host in clean),
    ]
    order = rng.permutation(len(suspicious))
    suspicious = [suspicious[i] for i in order]
    labels = topics_of(
        (one.text for one in [*sources, *(host for host, _ in suspicious), *kept]),
        plan.clusters,
        rng,
        plan.language,
    ).tolist()
    casting = (
        SentenceCasting(plan, sources, kept, labels, rng)
        if plan.replace
        else Casting(plan, sources, kept, labels, _Units.of(plan, base).case, rng)
    )
    documents = []
    intrinsic_clean = _intrinsic_clean(plan, suspicious, rng)
    for number, (host, draft) in enumerate(suspicious):
        topic = labels[len(sources) + number]
        cases = casting.cast(draft, topic, host) if draft else ()
        apart = draft.intrinsic if draft else number in intrinsic_clean
        documents.append(PlannedDocument(number, host, apart, tuple(cases)))
    unmet += casting.differences()
    unmet += _too_short(plan, [host for host, _ in suspicious])
    made = _hide(plan, documents, rng, unmet)
    return Assignment(
        tuple(PlannedDocument(number, host) for number, host in enumerate(sources)),
        tuple(made),
        tuple(kept),
        tuple(unmet),
    )


def _drafts(plan: Plan, number: int, power: float, tied: float, rng: Generator) -> list[Draft]:
    """Draw how long each plagiarised document is, and how much of it is plagiarised.

    Of a part of them, `tied`, the longer have the larger shares.
    """
    lengths, shares = dealt(plan.length, number, rng), dealt(plan.plagiarism, number, rng)
    sizes = np.array([plan.page * _drawn(length, rng, power) for length in lengths])
    some = np.sort(rng.permutation(number)[: round(tied * number)])
    ordered = sorted((shares[i] for i in some), key=lambda band: band.low)
    for i, band in zip(some[np.argsort(sizes[some], kind="stable")], ordered, strict=True):
        shares[i] = band
    drafts = []
    for length, share, size in zip(lengths, shares, sizes.tolist(), strict=True):
        margin = MARGIN * (share.high - share.low)
        part = rng.uniform(share.low + margin, share.high - margin)
        drafts.append(Draft(length, share, size, part * size))
    return drafts


def _plan_cases(plan: Plan, drafts: Sequence[Draft], unit: float, rng: Generator) -> Quota:
    """Fill each document with cases; what is too small for one becomes a little longer."""
    bands = {band.name: band for band in plan.case_length}
    quota = Quota({band.name: band.share for band in plan.case_length})
    least = min(band.low for band in plan.case_length) * unit
    # Documents that can hold any case come last: they make up for what the small ones could not take.
    for draft in sorted(drafts, key=lambda one: one.target):
        draft.cases = []
        width = MARGIN * (draft.share.high - draft.share.low)
        draft.size = max(draft.size, 1.1 * least / max(draft.share.high - width, 0.01))
        if draft.share.low > 0.2:
            # What is left when no more cases fit must not make it shorter than its class.
            draft.size = max(draft.size, draft.length.low * plan.page + 1.5 * least)
        draft.target = max(draft.target, least, (draft.share.low + width) * draft.size)
        left = draft.target
        while True:
            room = max(left, 0.0) if draft.cases else draft.most
            possible = [name for name, band in bands.items() if band.low * unit <= room]
            if not possible:
                break
            name = quota.next(possible)
            band = bands[name]
            most = min(band.high, room / unit)
            size = int(rng.integers(int(band.low), max(int(band.low), int(most)) + 1))
            draft.cases.append((name, size))
            left -= size * unit
        draft.target -= left
        _fit(draft, plan.page)
    return quota


def _fit(draft: Draft, page: int) -> None:
    """Make a document as long as its cases require, within its classes of length and of share."""
    band, share = draft.length, draft.share
    width = (SMALL_MARGIN if draft.target < SMALL else MARGIN) * (share.high - share.low)
    size = min(max(draft.size, band.low * page * 1.15), band.high * page * 0.97)
    draft.size = min(max(size, draft.target / (share.high - width)), draft.target / (share.low + width))


def _choose_intrinsic(plan: Plan, drafts: Sequence[Draft], rng: Generator) -> None:
    """Mark documents whose sources are left out: of documents and of cases the planned share."""
    documents = round(plan.intrinsic * len(drafts))
    cases = plan.intrinsic * sum(len(draft.cases or ()) for draft in drafts)
    order = [drafts[i] for i in rng.permutation(len(drafts))]
    # By number of cases, documents are taken so that the sum comes out: at even distances.
    order.sort(key=lambda draft: len(draft.cases or ()))
    chosen = [order[int(i)] for i in np.linspace(0, len(order) - 1, documents).round()] if documents else []
    for draft in chosen:
        draft.intrinsic = True
    _balance(order, cases)


def _balance(order: list[Draft], wanted: float) -> None:
    """Exchange intrinsic documents with others until their cases are as many as wanted."""
    for _ in range(len(order)):
        surplus = sum(len(one.cases or ()) for one in order if one.intrinsic) - wanted
        inside = [one for one in order if one.intrinsic]
        outside = [one for one in order if not one.intrinsic]
        best: tuple[float, Draft, Draft] | None = None
        sizes = np.array([len(one.cases or ()) for one in outside])
        for one in inside:
            if not len(sizes):
                break
            after = np.abs(surplus - len(one.cases or ()) + sizes)
            at = int(after.argmin())
            if after[at] < abs(surplus) and (best is None or after[at] < best[0]):
                best = (float(after[at]), one, outside[at])
        if best is None or abs(surplus) < 0.005 * max(1, wanted):
            return
        best[1].intrinsic, best[2].intrinsic = False, True


def _hidden_sizes(drafts: Sequence[Draft], page: int, unit: float) -> list[float]:
    """Return sizes of texts from which intrinsic cases can come: a few, each for many cases."""
    needed = [size * unit for draft in drafts if draft.intrinsic for _, size in draft.cases or ()]
    if not needed:
        return []
    each = max(2.5 * max(needed), 20 * page)
    # The same text may serve several documents, since none of it is in the corpus; but the document that
    # takes most must find as much, of either topic.
    most = max(
        sum(size * unit + 2 * APART for _, size in draft.cases or ()) for draft in drafts if draft.intrinsic
    )
    return [each] * max(2, min(40, round(sum(needed) / each / 2)), round(2.5 * most / each))


def _cut(
    base: Sequence[BaseText], sizes: Sequence[float], least: Sequence[int], language: str, rng: Generator
) -> list[Slice]:
    """Cut stretches of the given sizes out of the base, none of which overlap; the longest come first.

    A stretch of fewer sentences than it should have at the least is made longer, or cut elsewhere.
    """
    left = {i: one.start for i, one in enumerate(base)}
    room = np.array([len(one) for one in base], dtype=float)
    slices: list[Slice | None] = [None] * len(sizes)
    for number in np.argsort(-np.array(sizes), kind="stable").tolist():
        # Whoever takes almost all from others still has a sentence of their own.
        wanted = max(1.0, sizes[number])
        fits = np.flatnonzero(room >= wanted)
        # A text in which it fits, chosen by its room; else the longest rest that is left.
        at = int(rng.choice(fits, p=room[fits] / room[fits].sum())) if len(fits) else int(room.argmax())
        start, end = left[at], _end(base[at], left[at], wanted, least[number], language)
        if end is None:
            # The rests that are left, from the longest on.
            for at in np.argsort(-room, kind="stable").tolist():
                start, end = left[at], _end(base[at], left[at], wanted, least[number], language)
                if end is not None:
                    break
            else:
                at = int(room.argmax())
                start, end = left[at], base[at].cut_after(min(base[at].end, left[at] + int(wanted)))
        text = base[at]
        end = min(text.end, end)
        if end <= start:
            needs = int(sum(sizes))
            raise StemmataError(ErrorCode.BASE_TOO_SMALL, has=sum(map(len, base)), needs=needs)
        slices[number] = Slice(text.path, start, end)
        left[at] = end
        room[at] = text.end - end
    return [one for one in slices if one is not None]


def _end(text: BaseText, start: int, wanted: float, least: int, language: str) -> int | None:
    """Return where a stretch ends that has the size wanted and sentences enough; nothing if there is none."""
    end = min(text.end, text.cut_after(min(text.end, start + int(wanted))))
    while least and (found := len(find_sentences(Slice(text.path, start, end).text, language)[0])) < least:
        if end >= text.end:
            return None
        # By the length of its sentences so far; a little further each time.
        more = (end - start) / max(found, 1) * (least - found)
        end = min(text.end, text.cut_after(min(text.end, end + max(1, int(more)))))
    return end


def _too_short(plan: Plan, hosts: Sequence[Slice]) -> Iterator[str]:
    """Tell of hosts that have fewer sentences than planned."""
    if plan.host_sentences:
        short = sum(len(find_sentences(one.text, plan.language)[0]) < plan.host_sentences for one in hosts)
        if short:
            yield (
                f"{short} of {len(hosts)} hosts have fewer than {plan.host_sentences} sentences, as the base "
                "has no longer stretches"
            )


def _intrinsic_clean(
    plan: Plan, suspicious: Sequence[tuple[Slice, Draft | None]], rng: Generator
) -> set[int]:
    clean = [number for number, (_, draft) in enumerate(suspicious) if draft is None]
    return {clean[i] for i in rng.permutation(len(clean))[: round(plan.intrinsic * len(clean))]}


def _hide(
    plan: Plan, documents: Sequence[PlannedDocument], rng: Generator, unmet: list[str]
) -> list[PlannedDocument]:
    """Choose how each case is hidden; intrinsic ones are not."""
    plain = plan.obfuscation[0].name
    quota = Quota({one.name: one.share for one in plan.obfuscation})
    apart = [document for document in documents if document.intrinsic]
    quota.taken[plain] += sum(len(document.cases) for document in apart)
    expected = sum(len(document.cases) for document in documents)
    by_number = {document.number: document for document in apart}
    order = [documents[i] for i in rng.permutation(len(documents)) if not documents[i].intrinsic]
    if plan.one_kind:
        # Documents of many cases first: those of few make up for the difference.
        order.sort(key=lambda document: -len(document.cases))
    choose = _chooser(plan, quota, expected)
    for document in order:
        if plan.one_kind:
            lengths = {case.length for case in document.cases}
            kind = choose(lengths, len(document.cases)) if document.cases else plain
            names = [kind] * len(document.cases)
        else:
            names = [choose({case.length}, 1) for case in document.cases]
        by_number[document.number] = _with_kinds(document, names)
    for document in apart:
        by_number[document.number] = _with_kinds(document, [plain] * len(document.cases))
    unmet += quota.differences("obfuscation")
    return [by_number[document.number] for document in documents]


def _chooser(plan: Plan, quota: Quota, expected: int) -> Callable[[set[str], int], str]:
    """Return a function that chooses the obfuscation furthest from its part of the expected cases."""

    def suits(one: Obfuscation, lengths: set[str]) -> bool:
        return not one.cases or lengths <= set(one.cases)

    def choose(lengths: set[str], cases: int) -> str:
        lacking = {
            one.name: (one.share * expected - quota.taken[one.name]) / max(one.share * expected, 1e-9)
            for one in plan.obfuscation
            if one.share and suits(one, lengths)
        }
        # Where only restricted kinds are left wanting, the plain one takes the rest.
        chosen = max(lacking, key=lambda name: lacking[name]) if lacking else plan.obfuscation[0].name
        quota.taken[chosen] += cases
        return chosen

    return choose


def _with_kinds(document: PlannedDocument, names: Sequence[str]) -> PlannedDocument:
    cases = tuple(
        PlannedCase(case.source, case.place, case.size, case.length, name, case.topic)
        for case, name in zip(document.cases, names, strict=True)
    )
    return PlannedDocument(document.number, document.host, document.intrinsic, cases)
