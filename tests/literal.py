"""The measures of text alignment written out as sets of characters: slow, literal and easy to check.

A character is a triple (side, document, index), so a set of them is what the papers write as s or r.
Every function follows a definition line by line; nothing here is shared with `stemmata.measures`, so the
two can be held against each other. "Subjects" are judged by the "objects" that detect them: cases by
detections for recall, detections by cases for precision.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from stemmata.model import Annotation, Passage

Character = tuple[str, str, int]
Lengths = Mapping[str, Mapping[str, int]]
Judge = Callable[[Annotation], float]

SUSPICIOUS, SOURCE = "suspicious", "source"
EPSILON = 1e-16


# --- Annotations as sets of characters


def passage_on(side: str, annotation: Annotation) -> Passage | None:
    return annotation.suspicious if side == SUSPICIOUS else annotation.source


def characters_on(side: str, annotation: Annotation) -> set[Character]:
    passage = passage_on(side, annotation)
    if passage is None:
        return set()
    return {(side, passage.document, i) for i in range(passage.offset, passage.offset + passage.length)}


def characters(annotation: Annotation) -> set[Character]:
    return characters_on(SUSPICIOUS, annotation) | characters_on(SOURCE, annotation)


def union(sets: Iterable[set[Character]]) -> set[Character]:
    return set().union(*sets)


def overlap(a: Passage, b: Passage) -> bool:
    """Strict overlap. Not a question about sets: a passage of no characters can lie inside another."""
    return a.document == b.document and a.offset < b.offset + b.length and b.offset < a.offset + a.length


def detects(a: Annotation, b: Annotation) -> bool:
    if a.source is not None and b.source is not None and not overlap(a.source, b.source):
        return False
    return overlap(a.suspicious, b.suspicious)


def detecting(subject: Annotation, objects: Sequence[Annotation]) -> list[Annotation]:
    return [other for other in objects if detects(other, subject)]


# --- One subject against all objects


def undefined(subject: Annotation, objects: Sequence[Annotation]) -> bool:
    """A subject of no characters is 0/0; it is merely missed where its document has no object at all."""
    documents = {other.suspicious.document for other in objects}
    return not characters(subject) and subject.suspicious.document in documents


def share(subject: Annotation, objects: Sequence[Annotation]) -> float:
    """Recall of a case or precision of a detection; NaN where it is 0/0."""
    if undefined(subject, objects):
        return math.nan
    found = union(characters(subject) & characters(other) for other in detecting(subject, objects))
    return len(found) / len(characters(subject)) if characters(subject) else 0.0


def normalized_share(subject: Annotation, objects: Sequence[Annotation], lengths: Lengths) -> float:
    """nrec of a case or nprec of a detection; NaN where it is 0/0."""
    if undefined(subject, objects):
        return math.nan
    above = below = 0.0
    for side in (SUSPICIOUS, SOURCE):
        passage = passage_on(side, subject)
        if passage is None:
            continue
        whole = union(characters_on(side, other) for other in detecting(subject, objects))
        own = characters_on(side, subject)
        d, r, s, x = lengths[side][passage.document], len(whole), len(own), len(own & whole)
        a, b = max(0, r + s - d), min(r, s)
        w = (b - a + EPSILON) / d
        above += (x - a) * w
        below += (s - a) * w
    return above / below if below > 0 else 1.0  # nothing is left that could be missed


# --- All subjects against all objects


def averaged(subjects: Sequence[Annotation], objects: Sequence[Annotation], judge: Judge) -> float:
    """The macro average."""
    if not subjects or not objects:
        return float(not subjects and not objects)
    return sum(judge(subject) for subject in subjects) / len(subjects)


def weighted(subjects: Sequence[Annotation], objects: Sequence[Annotation], judge: Judge) -> float:
    """The average in which every character of a subject counts alike."""
    if not subjects or not objects:
        return float(not subjects and not objects)
    sizes = [len(characters(subject)) for subject in subjects]
    above = sum(size * judge(subject) for size, subject in zip(sizes, subjects, strict=True))
    return above / max(1, sum(sizes))


def pooled(subjects: Sequence[Annotation], objects: Sequence[Annotation]) -> float:
    """The micro value: characters on which both agree over the characters of all subjects."""
    if not subjects or not objects:
        return float(not subjects and not objects)
    agreed = union(
        characters(subject) & characters(other)
        for subject in subjects
        for other in detecting(subject, objects)
    )
    everything = union(characters(subject) for subject in subjects)
    return len(agreed) / len(everything) if everything else 0.0


def reference_pooled(
    subjects: Sequence[Annotation], objects: Sequence[Annotation], lengths: Lengths
) -> float:
    """Micro nrec or nprec of the authors' program: per document, all its subjects taken together.

    Subjects in suspicious documents without any object are left out.
    """
    if not subjects or not objects:
        return float(not subjects and not objects)
    looked_at = {other.suspicious.document for other in objects}
    seen = [subject for subject in subjects if subject.suspicious.document in looked_at]
    hits = [(subject, other) for subject in seen for other in detecting(subject, objects)]
    above = below = 0.0
    all_covered = True
    for side in (SUSPICIOUS, SOURCE):
        mine = union(characters_on(side, subject) for subject in seen)
        theirs = union(
            characters_on(side, other) for subject, other in hits if passage_on(side, subject) is not None
        )
        for document, d in lengths[side].items():
            own = {character for character in mine if character[1] == document}
            whole = {character for character in theirs if character[1] == document}
            r, s, x = len(whole), len(own), len(own & whole)
            a, b = max(0, r + s - d), min(r, s)
            w = (b - a) / d
            above += (x - a) * w
            below += (s - a) * w
            all_covered = all_covered and (r == d or s == 0)
    if below > 0:
        return above / below
    return float(all_covered and bool(hits))


def granularity(cases: Sequence[Annotation], detections: Sequence[Annotation]) -> float:
    counts = [len(detecting(case, detections)) for case in cases]
    detected = [count for count in counts if count > 0]
    return sum(detected) / len(detected) if detected else 1.0


# --- PAN15: cases and pairs of documents instead of characters


def is_found(case: Annotation, detections: Sequence[Annotation], tau_recall: float) -> bool:
    """S': the recall test alone.

    The evaluator tests precision on the detection clipped to the case, where it is 1 by construction.
    """
    return share(case, detections) >= tau_recall


def is_right(
    detection: Annotation, cases: Sequence[Annotation], tau_recall: float, tau_precision: float
) -> bool:
    """R': precise enough, and one case is recalled well enough by this detection alone."""
    found_alone = any(
        len(characters(case) & characters(detection)) / len(characters(case)) >= tau_recall
        for case in detecting(detection, cases)
        if characters(case)
    )
    return share(detection, cases) >= tau_precision and found_alone


def pair_of(annotation: Annotation) -> tuple[str, str | None]:
    return annotation.suspicious.document, annotation.source.document if annotation.source else None


def pair_share(
    subjects: Sequence[Annotation],
    objects: Sequence[Annotation],
    judge: Callable[[Annotation], bool],
    listed: Iterable[tuple[str, str]] | None,
) -> float:
    """Pairs of documents with a good subject over pairs with a subject; with a list, good ones are on it."""
    if not subjects or not objects:
        return float(not subjects and not objects)
    good = {pair_of(subject) for subject in subjects if judge(subject)}
    if listed is not None:
        good &= set(listed)
    return len(good) / len({pair_of(subject) for subject in subjects})


# --- Everything together


def f_measure(precision: float, recall: float, alpha: float = 1.0) -> float:
    below = alpha**2 * precision + recall
    return (1 + alpha**2) * precision * recall / below if below != 0 else 0.0


def plagdet(precision: float, recall: float, granularity: float, alpha: float = 1.0) -> float:
    return f_measure(precision, recall, alpha) / math.log2(1 + granularity)


def all_measures(
    case_list: Iterable[Annotation],
    detection_list: Iterable[Annotation],
    lengths: Lengths | None = None,
    *,
    alpha: float = 1.0,
    tau_recall: float = 0.5,
    tau_precision: float = 0.5,
    pairs: Iterable[tuple[str, str]] | None = None,
) -> dict[str, float]:
    """Return every measure by the name of its formula; the normalised ones need the documents' lengths.

    NaN stands where a definition divides zero by zero.
    """
    cases, detections = list(dict.fromkeys(case_list)), list(dict.fromkeys(detection_list))

    def found(case: Annotation) -> bool:
        return is_found(case, detections, tau_recall)

    def right(detection: Annotation) -> bool:
        return is_right(detection, cases, tau_recall, tau_precision)

    values = {
        "granularity": granularity(cases, detections),
        "precision_macro": averaged(detections, cases, lambda r: share(r, cases)),
        "recall_macro": averaged(cases, detections, lambda s: share(s, detections)),
        "precision_micro": pooled(detections, cases),
        "recall_micro": pooled(cases, detections),
        "case_precision": averaged(detections, cases, right),
        "case_recall": averaged(cases, detections, found),
        "document_precision": pair_share(detections, cases, right, pairs),
        "document_recall": pair_share(cases, detections, found, pairs),
    }
    if lengths is not None:
        values |= {
            "normalized_precision_macro": averaged(
                detections, cases, lambda r: normalized_share(r, cases, lengths)
            ),
            "normalized_recall_macro": averaged(
                cases, detections, lambda s: normalized_share(s, detections, lengths)
            ),
            "normalized_precision_micro": weighted(
                detections, cases, lambda r: normalized_share(r, cases, lengths)
            ),
            "normalized_recall_micro": weighted(
                cases, detections, lambda s: normalized_share(s, detections, lengths)
            ),
            "reference_precision_micro": reference_pooled(detections, cases, lengths),
            "reference_recall_micro": reference_pooled(cases, detections, lengths),
        }
    return values | combined(values, alpha)


def combined(values: Mapping[str, float], alpha: float) -> dict[str, float]:
    """Return what is made of a precision and a recall: plagdet with alpha, F1 without."""
    made = {}
    for precision_name, precision in values.items():
        if "precision" not in precision_name:
            continue
        recall = values[precision_name.replace("precision", "recall")]
        if precision_name in ("case_precision", "document_precision"):
            made[precision_name.replace("precision", "f1")] = f_measure(precision, recall)
        else:
            name = precision_name.replace("precision", "plagdet").replace("normalized_", "norm")
            made[name] = plagdet(precision, recall, values["granularity"], alpha)
    return made
