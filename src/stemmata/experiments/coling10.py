"""The corpus of the evaluation framework (Potthast et al., COLING 2010): Table 5 and Figure 1, anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from stemmata.corpora.building.build import build
from stemmata.corpora.building.construction import make_strategy
from stemmata.corpora.building.plan import Obfuscation, Plan
from stemmata.corpora.inspection.boxes import similarity_figure
from stemmata.corpora.inspection.description import TOLERANCE, Description, describe, tolerance
from stemmata.corpora.inspection.opening import Corpus, open_corpus
from stemmata.corpora.inspection.plan_record import pan_pc_10
from stemmata.corpora.inspection.similarity import LONGEST, SAMPLED, Group, compare_corpora
from stemmata.formats.folders import folders_in
from stemmata.measures.citations import PAN_PC_10
from stemmata.measures.definition import signature
from stemmata.model import ErrorCode, StemmataError
from stemmata.model.reproduction import Cell, Compared, ComparedTable, Note, Reproduction
from stemmata.rewriting import Scene

OURS = "stemmata"
"""The name of the corpus that is built where none is given."""
DOCUMENTS = 200
"""Its size."""
SEED = 1
STAND_INS = {
    "simulated": "word-variation",
    "translation": "word-variation",
    "artificial": "random-operations",
}
"""What takes the place of a strategy that is not at hand: nobody writes by hand for a reproduction."""
SHUFFLED = ("random", "high")
"""Kinds made by random operations on words, in PAN13 and in a corpus of ours."""
FEWEST_WORDS = 3
"""The fall of similarities is measured from single words to runs of so many."""
UNCHANGED = 0.99
RISE = 0.02
"""What a median may rise with n by the chance of the sample."""
FEWEST_TEXTS = 10
"""Texts in a folder without which nothing is built from it."""


@dataclass(frozen=True)
class Material:
    """Corpora that were found, that of ours, and remarks on how it was made."""

    corpora: tuple[Corpus, ...]
    ours: Corpus | None
    remarks: tuple[str, ...] = ()


def reproduce(folder: str | Path, seeds: int, progress: Callable[[str], None]) -> Reproduction:
    """Describe a corpus of ours as Table 5 does, and compare it with others as Figure 1 does.

    Parameters
    ----------
    folder
        Holds corpora of any layout, a folder each, or is one. One that was built by a plan is taken for
        ours; where there is none, a small one is built from the largest folder of plain texts.
    seeds
        How often cases are sampled; the figure shows the first sample, the checks hold for the mean.
    progress
        Is told what happens next, in a few words.
    """
    with TemporaryDirectory(prefix="stemmata-") as room:
        material = _material(Path(folder), Path(room), progress)
        tables, printed = [], []
        if material.ours is not None:
            progress(f"Describing {material.ours.name}")
            described = describe(material.ours, pan_pc_10())
            tables.append(corpus_table(described, material.remarks))
            printed = _within(described)
        samples = []
        for seed in range(SEED, SEED + seeds):
            progress(f"Comparing passages, sample {seed} of {seeds}")
            samples.append(compare_corpora(material.corpora, seed=seed))
    tables += [similarity_table(samples), shape_table(samples)]
    checks = [row[-1] == "yes" for row in tables[-1].rows]
    return Reproduction(
        PAN_PC_10.text,
        Path(folder).resolve().name,
        material.ours.name if material.ours else "",
        {table.name: table for table in tables},
        {"figure-1": similarity_figure(samples[0])},
        tables[0].name,
        promised=len(checks) + len(printed),
        kept=sum(checks) + sum(printed),
        facts={
            "corpora": len(material.corpora),
            "kinds": len(samples[0]),
            "cases": sum(group.cases for group in samples[0]),
            "documents": len(material.ours.suspicious) + len(material.ours.sources) if material.ours else 0,
            "seeds": seeds,
            "sampled": SAMPLED,
            "tolerance": 100 * TOLERANCE,
        },
        signature=signature(
            "corpora", paper="coling10", n=f"1-{LONGEST}", sampled=SAMPLED, seeds=f"{SEED}-{SEED + seeds - 1}"
        ),
    )


def _material(folder: Path, room: Path, progress: Callable[[str], None]) -> Material:
    corpora = _corpora(folder)
    ours = next((one for one in corpora if one.plan is not None), None)
    remarks: tuple[str, ...] = ()
    if ours is None and (base := _base(folder)) is not None:
        progress(f"Building a corpus of {DOCUMENTS} documents")
        plan, remarks = small_plan(base)
        built = build(plan, room / OURS)
        remarks = (*remarks, *(f"The plan was not met in: {one}." for one in built.unmet))
        ours = open_corpus(built.folder)
        corpora.append(ours)
    with_cases = [one for one in corpora if any(name in one.sources for name in one.cases.source.values)]
    if not with_cases:
        raise StemmataError(ErrorCode.NOTHING_TO_COMPARE, folder)
    return Material(tuple(with_cases), ours, remarks)


def _corpora(folder: Path) -> list[Corpus]:
    """Open the folder, or every corpus in it."""
    found = []
    for one in (folder, *folders_in(folder)):
        try:
            found.append(open_corpus(one))
        except StemmataError as error:
            if error.finding.kind is not ErrorCode.NOT_A_CORPUS:
                raise
        if found and one == folder:
            break
    return found


def _base(folder: Path) -> Path | None:
    """Return the folder of texts that has most to build from."""
    sizes = {}
    for one in (folder, *folders_in(folder)):
        texts = [path for path in one.glob("*.txt") if path.is_file()]
        if len(texts) >= FEWEST_TEXTS:
            sizes[one] = sum(path.stat().st_size for path in texts)
    return max(sizes, key=lambda one: sizes[one]) if sizes else None


def small_plan(base: Path, documents: int = DOCUMENTS) -> tuple[Plan, tuple[str, ...]]:
    """Return a plan in the proportions of PAN-PC-10, and remarks on what stands in for what is missing."""
    plan = replace(pan_pc_10(), base=base, name=OURS, documents=documents, seed=SEED)
    ways, remarks = [], []
    for one in plan.obfuscation:
        if _works(one):
            ways.append(one)
            continue
        stand_in = STAND_INS.get(one.strategy, "none")
        ways.append(Obfuscation(one.name, one.share, stand_in, (), one.cases))
        remarks.append(f"Cases called {one.name} were made by {stand_in}; {one.strategy} is not at hand.")
    return replace(plan, obfuscation=tuple(ways)), tuple(remarks)


def _works(one: Obfuscation) -> bool:
    try:
        make_strategy(one).rewrite("The quick brown fox jumps over the lazy dog.", Scene())
    except (StemmataError, TypeError):
        return False
    return True


def corpus_table(described: Description, remarks: Sequence[str]) -> ComparedTable:
    """Table 5: shares of a corpus of ours beside those of PAN-PC-10."""
    rows: list[list[Cell]] = [
        [
            section.title,
            one.name,
            one.count,
            Compared(100 * one.share, None if one.planned is None else 100 * one.planned, 0),
        ]
        for section in described.sections
        for one in section.shares
    ]
    title = f"Table 5. {described.suspicious + described.sources:,} documents, {described.cases:,} cases"
    columns = ("Statistic", "Class", "Count", "Share, %")
    return ComparedTable("corpus", title, columns, rows, [Note(one) for one in remarks], groups=1)


def _within(described: Description) -> list[bool]:
    return [
        abs(one.share - one.planned) <= tolerance(section.total) + 1e-9
        for section in described.sections
        for one in section.shares
        if one.planned
    ]


def _mean_median(
    samples: Sequence[Sequence[Group]], number: int
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    mean: np.ndarray[tuple[int], np.dtype[np.float64]] = np.mean(
        [one[number].median for one in samples], axis=0
    )
    return mean


def similarity_table(samples: Sequence[Sequence[Group]]) -> ComparedTable:
    """Figure 1 in numbers: the median similarity by n, as a mean over samples."""
    rows: list[list[Cell]] = [
        [
            *(group.corpus, group.kind, group.cases),
            *(Compared(float(value), digits=3) for value in _mean_median(samples, number)),
        ]
        for number, group in enumerate(samples[0])
    ]
    columns = ("Corpus", "Kind", "Cases", *(f"n={n}" for n in range(1, LONGEST + 1)))
    return ComparedTable(
        "figure-1", "Figure 1. Median similarity under n-gram models", columns, rows, groups=1
    )


def shape_table(samples: Sequence[Sequence[Group]]) -> ComparedTable:
    """Tell what Figure 1 must look like, and whether it does, corpus by corpus."""
    rows: list[list[Cell]] = []
    medians = {
        (group.corpus, group.kind): _mean_median(samples, number) for number, group in enumerate(samples[0])
    }
    for corpus in dict.fromkeys(corpus for corpus, _ in medians):
        mine = {kind: values for (name, kind), values in medians.items() if name == corpus}
        rise = max(float(np.nanmax(np.diff(values), initial=0.0)) for values in mine.values())
        rows.append([corpus, "similarity falls with n", f"largest rise {rise:.3f}", _yes(rise <= RISE)])
        if "none" in mine:
            least = float(np.nanmin(mine["none"]))
            rows.append(
                [
                    corpus,
                    "what is not obfuscated stays near 1",
                    f"least {least:.3f}",
                    _yes(least >= UNCHANGED),
                ]
            )
        falls = {kind: float(values[0] - values[FEWEST_WORDS - 1]) for kind, values in mine.items()}
        shuffled = next((kind for kind in SHUFFLED if kind in falls), None)
        if shuffled is not None and len(falls) > 1:
            others = {kind: fall for kind, fall in falls.items() if kind != shuffled}
            second = max(others, key=lambda kind: others[kind])
            said = f"{shuffled} by {falls[shuffled]:.3f}, {second} by {others[second]:.3f}"
            fact = f"random operations fall fastest, from n = 1 to {FEWEST_WORDS}"
            rows.append([corpus, fact, said, _yes(falls[shuffled] >= others[second])])
    return ComparedTable(
        "shape", "The shape of Figure 1", ("Corpus", "Expected", "Found", "Holds"), rows, groups=1
    )


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"
