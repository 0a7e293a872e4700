"""PlagEvalRus (Smirnov et al., Dialogue 2017) on a small scale: its corpora, and its tracks of alignment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from stemmata.experiments.plagevalrus_corpus import (
    COPY,
    TEXTS,
    Collection,
    Shape,
    collect_essays,
    make,
    paraphrase_for,
    plan_for,
    shapes,
)
from stemmata.experiments.plagevalrus_material import Material, find_material, is_first_set
from stemmata.experiments.plagevalrus_published import MEASURES, SCORES, SIZES
from stemmata.measures.citations import PLAGEVALRUS
from stemmata.measures.definition import signature
from stemmata.measures.evaluation import score_alignment
from stemmata.model import Annotations, Detection, StemmataError
from stemmata.model.reproduction import Cell, Compared, ComparedTable, Note, Reproduction
from stemmata.reuse.parameters import make_aligner
from stemmata.text.languages import RUSSIAN, languages

BASELINE, PARTICIPANT = "pan-baseline", "zubarev-2017"
DETECTORS = (BASELINE, PARTICIPANT, "sanchez-perez-2014", "stemmata")
"""The two that the workshop printed scores of, and two more."""
SEED = 1
SAMPLE = 5_000
"""Characters on which ways to paraphrase are tried."""
KINDS = {
    "copy": "Copied",
    "generated": "Generated paraphrase",
    "manual": "Manual paraphrase",
    "first": "Manual paraphrase, set 1 (moderate)",
    "second": "Manual paraphrase, set 2 (heavy)",
    "all": "All kinds",
}
TRACKS = {
    "track-2": ("Track 2: copied plagiarism (Table 5)", ("copy",)),
    "track-3": (
        "Track 3: paraphrased plagiarism (Tables 6 and 7)",
        ("generated", "manual", "first", "second"),
    ),
    "both-tracks": ("Both tracks together (Table 8)", ("all",)),
}
Values = Mapping[str, float]
Progress = Callable[[str], None]


@dataclass
class Results:
    """What was made, detected and scored so far.

    Attributes
    ----------
    scores
        By kind and detector, the measures of each draw; of essays, which are not drawn, once.
    texts, pairs, cases
        Of each kind, in all draws.
    shapes
        Of the generated texts, by kind.
    failed
        Pairs that a detector could not align.
    """

    scores: dict[str, dict[str, list[Values]]] = field(default_factory=dict)
    texts: dict[str, int] = field(default_factory=dict)
    pairs: dict[str, int] = field(default_factory=dict)
    cases: dict[str, int] = field(default_factory=dict)
    shapes: dict[str, list[Shape]] = field(default_factory=dict)
    failed: dict[str, int] = field(default_factory=dict)

    def count(self, kind: str, made: Collection) -> None:
        """Count what is in a collection."""
        for counts, number in (
            (self.texts, len(made.texts)),
            (self.pairs, len(made.pairs)),
            (self.cases, len(made.cases)),
        ):
            counts[kind] = counts.get(kind, 0) + number

    def score(self, kind: str, made: Collection, detections: Mapping[str, Sequence[Detection]]) -> None:
        """Score what was detected in a collection."""
        cases = Annotations.of(made.cases)
        for detector, found in detections.items():
            values = score_alignment(cases, Annotations.of(found)).scores.values
            self.scores.setdefault(kind, {}).setdefault(detector, []).append(values)

    def detect(self, made: Collection) -> dict[str, list[Detection]]:
        """Run all detectors on a collection."""
        found: dict[str, list[Detection]] = {}
        for detector in DETECTORS:
            aligner = make_aligner(detector)
            found[detector] = []
            for pair in made.pairs:
                try:
                    found[detector] += aligner.align(pair)
                except StemmataError:
                    self.failed[detector] = self.failed.get(detector, 0) + 1
        return found

    def mean(self, kind: str, detector: str, measure: str) -> float:
        """Return the mean of a measure over draws."""
        return float(np.mean([values[measure] for values in self.scores[kind][detector]]))


def reproduce(folder: str | Path, seeds: int, progress: Progress) -> Reproduction:
    """Make small corpora of the workshop's kinds, and run and score detectors on them.

    Parameters
    ----------
    folder
        Holds plain texts, anywhere, and folders of essays, each with its table of sentences.
    seeds
        How often texts are drawn, fragments chosen and paraphrased.
    progress
        Is told what happens next, in a few words.
    """
    results = Results()
    with TemporaryDirectory(prefix="stemmata-") as room:
        progress("Looking for texts and essays")
        (Path(room) / "texts").mkdir()
        material = find_material(Path(folder), Path(room) / "texts")
        remarks = list(material.remarks)
        essays = _score_essays(material, results, progress)
        if material.is_enough:
            remarks += _score_generated(material, seeds, essays, results, Path(room), progress)
    remarks += [f"{count} pairs could not be aligned by {name}." for name, count in results.failed.items()]
    tables = [sizes_table(results, remarks), summary_table(results)]
    for name, (title, kinds) in TRACKS.items():
        if shown := [kind for kind in kinds if kind in results.scores]:
            tables.append(track_table(name, title, shown, results))
    tables.append(findings_table(results))
    held = [row[-1] == "yes" for row in tables[-1].rows]
    return Reproduction(
        PLAGEVALRUS.text,
        Path(folder).resolve().name,
        languages[material.language].name if material.is_enough else RUSSIAN.name,
        {table.name: table for table in tables},
        {},
        "alignment",
        promised=len(held),
        kept=sum(held),
        facts={
            "texts": sum(results.texts.get(kind, 0) for kind in ("copy", "generated", "manual")),
            "cases": sum(results.cases.get(kind, 0) for kind in ("copy", "generated", "manual")),
            "essays": len(material.essays),
            "base": len(material.texts),
            "detectors": len(DETECTORS),
            "seeds": seeds,
            "per_draw": results.texts.get("copy", 0) / seeds,
        },
        signature=signature(
            "alignment",
            paper="plagevalrus",
            language=material.language,
            texts=TEXTS,
            seeds=f"{SEED}-{SEED + seeds - 1}",
        ),
    )


Found = tuple[Collection, dict[str, list[Detection]]]


def _score_essays(material: Material, results: Results, progress: Progress) -> Found | None:
    """Score detectors on the essays, on all and on either set if there are both."""
    if not material.essays:
        return None
    progress(f"Detecting in {len(material.essays)} essays")
    made = collect_essays(material.essays)
    found = results.detect(made)
    results.count("manual", made)
    results.score("manual", made, found)
    first = {text.name: is_first_set(essay) for text, essay in zip(made.texts, material.essays, strict=True)}
    if len(set(first.values())) > 1:
        for kind, is_first in (("first", True), ("second", False)):
            names = frozenset(name for name, one in first.items() if one is is_first)
            part, inside = _part_of((made, found), names)
            results.count(kind, part)
            results.score(kind, part, inside)
    return made, found


def _part_of(whole: Found, names: frozenset[str]) -> Found:
    """Return what is of some suspicious documents."""
    made, found = whole
    return (
        Collection(
            tuple(pair for pair in made.pairs if pair.suspicious.name in names),
            tuple(case for case in made.cases if case.suspicious.document in names),
        ),
        {
            name: [one for one in detections if one.suspicious.document in names]
            for name, detections in found.items()
        },
    )


def _score_generated(
    material: Material,
    seeds: int,
    essays: Found | None,
    results: Results,
    room: Path,
    progress: Progress,
) -> list[str]:
    """Score detectors on generated texts, draw by draw; return remarks on how they were made."""
    sample = material.texts[0].path.read_text(encoding="utf-8")[:SAMPLE]
    way, remarks = paraphrase_for(material.language, sample)
    ways = {"copy": COPY, "generated": way}
    for seed in range(SEED, SEED + seeds):
        progress(f"Making texts and detecting, draw {seed} of {seeds}")
        plan = plan_for(material, seed)
        parts = [] if essays is None else [essays]
        for kind, obfuscation in ways.items():
            made = make(plan, obfuscation, room)
            found = results.detect(made)
            results.count(kind, made)
            results.score(kind, made, found)
            results.shapes.setdefault(kind, []).extend(shapes(plan, made))
            parts.append((made, found))
        if essays is not None:
            results.score("all", *_joined(parts))
    return remarks


def _joined(parts: Iterable[Found]) -> Found:
    together = list(parts)
    return (
        Collection(
            tuple(pair for made, _ in together for pair in made.pairs),
            tuple(case for made, _ in together for case in made.cases),
        ),
        {name: [one for _, found in together for one in found[name]] for name in DETECTORS},
    )


def sizes_table(results: Results, remarks: Sequence[str]) -> ComparedTable:
    """Table 1: what was made of each kind, beside the workshop's test data."""
    rows: list[list[Cell]] = []
    for kind, title in KINDS.items():
        size = SIZES.get(kind)
        if kind in results.texts or size:
            counts = [counted.get(kind, 0) for counted in (results.texts, results.pairs, results.cases)]
            rows.append([title, *counts, *(size or ("", ""))])
    columns = ("Kind", "Texts", "Pairs", "Cases", "Texts, workshop", "Pairs, workshop")
    title = "Table 1. What was made, and the test data of the workshop"
    return ComparedTable("corpora", title, columns, rows, [Note(one) for one in remarks])


def _compared(results: Results, kind: str, detector: str, column: str) -> Compared:
    drawn = [values[MEASURES[column]] for values in results.scores[kind][detector]]
    printed = SCORES.get(kind, {}).get(detector)
    return Compared(
        float(np.mean(drawn)),
        printed[list(MEASURES).index(column)] if printed else None,
        spread=float(np.std(drawn, ddof=1)) if len(drawn) > 1 else None,
    )


def track_table(name: str, title: str, kinds: Sequence[str], results: Results) -> ComparedTable:
    """Return the table of a track: each detector on each of its kinds."""
    rows: list[list[Cell]] = [
        [KINDS[kind], detector, *(_compared(results, kind, detector, column) for column in MEASURES)]
        for kind in kinds
        for detector in DETECTORS
    ]
    return ComparedTable(name, title, ("Kind", "Detector", *MEASURES), rows, groups=1)


def summary_table(results: Results) -> ComparedTable:
    """Return the two tracks in one table narrow enough for a terminal: plagdet, and what it is made of."""
    plain = ("Granularity", "Macro precision", "Macro recall")
    rows: list[list[Cell]] = []
    for name, (_, kinds) in TRACKS.items():
        for kind in (one for one in kinds if one in results.scores):
            for detector in DETECTORS:
                mean = [Compared(results.mean(kind, detector, MEASURES[column])) for column in plain]
                plagdet = _compared(results, kind, detector, "Macro plagdet")
                rows.append([name.removeprefix("track-"), KINDS[kind], detector, *mean, plagdet])
    columns = ("Track", "Kind", "Detector", *plain, "Macro plagdet")
    return ComparedTable("alignment", "The tracks of text alignment", columns, rows, groups=2)


def findings_table(results: Results) -> ComparedTable:
    """Tell what the workshop found and ruled, and whether it holds here."""
    rows = [["Found by the workshop", *one] for one in _findings(results)]
    rows += [["Rule of the workshop", *one] for one in _rules(results)]
    columns = ("Of", "Expected", "Found", "Holds")
    cells: list[list[Cell]] = [list(row) for row in rows]
    return ComparedTable("findings", "What the workshop found and ruled", columns, cells, groups=1)


def _findings(results: Results) -> Iterable[tuple[str, str, str]]:
    """Yield what section 4.3 says of the scores, as far as there are scores to see it by."""
    plagdet = {
        kind: {one: results.mean(kind, one, "macro.plagdet") for one in (BASELINE, PARTICIPANT)}
        for kind in results.scores
    }
    for kind, better, worse in (
        ("copy", BASELINE, PARTICIPANT),
        ("generated", PARTICIPANT, BASELINE),
        ("manual", PARTICIPANT, BASELINE),
        ("all", PARTICIPANT, BASELINE),
    ):
        if kind in plagdet:
            mine, theirs = plagdet[kind][better], plagdet[kind][worse]
            expected = f"{KINDS[kind].lower()}: {better} has the higher plagdet than {worse}"
            yield expected, f"{mine:.4f} and {theirs:.4f}", _yes(mine > theirs)
    order = [kind for kind in ("copy", "generated", "manual") if kind in plagdet]
    if len(order) > 1:
        falling = [plagdet[kind][BASELINE] for kind in order]
        expected = f"plagdet of {BASELINE} falls: {', '.join(KINDS[kind].lower() for kind in order)}"
        holds = all(before > after for before, after in pairwise(falling))
        yield expected, ", ".join(f"{one:.4f}" for one in falling), _yes(holds)
    if {"copy", "generated"} <= plagdet.keys():
        copied, rewritten = (results.mean(kind, BASELINE, "granularity") for kind in ("copy", "generated"))
        expected = f"paraphrase breaks what {BASELINE} finds into pieces: granularity rises"
        yield expected, f"from {copied:.4f} to {rewritten:.4f}", _yes(rewritten > copied)
    if plagdet:
        differences = [
            results.mean(kind, one, "micro.plagdet") - values[one]
            for kind, values in plagdet.items()
            for one in values
        ]
        said = f"least difference {min(differences):+.4f}"
        yield "plagdet is higher in micro than in macro average", said, _yes(min(differences) > 0)


def _rules(results: Results) -> Iterable[tuple[str, str, str]]:
    """Yield the rules by which texts are generated, and how many texts keep to them."""
    made = [one for some in results.shapes.values() for one in some]
    if not made:
        return
    plan = made[0].plan
    copied, rewritten = ([one.is_in_class for one in results.shapes[kind]] for kind in ("copy", "generated"))
    # What is borrowed is counted before it is paraphrased, since rewriting may join or drop sentences.
    yield (
        "7–13%, 22–28%, 47–53% or 77–83% of the sentences are borrowed",
        f"{sum(copied)} of {len(copied)} texts; once paraphrased, {sum(rewritten)} of {len(rewritten)}",
        _yes(all(copied)),
    )
    for expected, kept in (
        (f"hosts have more than {plan.host_sentences - 1} sentences", [one.is_long_enough for one in made]),
        (f"texts have 1 to {plan.most_sources} sources", [one.has_few_sources for one in made]),
        (
            f"fragments have at least {plan.passage_words} tokens without stop words",
            [one.has_words_enough for one in made],
        ),
    ):
        yield expected, f"{sum(kept)} of {len(made)} texts", _yes(all(kept))


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"
