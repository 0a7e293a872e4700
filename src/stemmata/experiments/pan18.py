"""The world ranking of author obfuscators (Potthast et al., PAN 2018) from the scores of its verifiers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from stemmata.experiments.attacks import ATTACKS, MOCKS, REDRAWN, Robustness, robustness
from stemmata.experiments.axioms import (
    add_ambiguous_problem,
    add_copy,
    add_ineffective_verifier,
    ambiguous_problem_weight,
)
from stemmata.experiments.pan18_figures import coverage_table, figures
from stemmata.experiments.pan18_published import Published, published
from stemmata.formats.safety import read_safety
from stemmata.measures.citations import PAN_18
from stemmata.measures.definition import signature
from stemmata.measures.safety import TAU, Impact, Safety
from stemmata.model.reproduction import Cell, Compared, ComparedTable, Note, Reproduction

IMPACT = ("ΔAUC", "Δc@1", "Δfinal", "Δacc", "Δrec", "Impact")
"""The columns of Table 5, of which the last three are in Table 3 too."""


@dataclass(frozen=True)
class Corpus:
    """A corpus by the paper's name, or, if it is not of the paper, by that of its folder."""

    name: str
    safety: Safety

    @cached_property
    def scores(self) -> dict[str, float]:
        """World ranking scores by obfuscator, best first."""
        scores = {name: self.safety.score(name) for name in self.safety.obfuscated}
        return dict(sorted(scores.items(), key=lambda item: (-item[1], item[0])))

    @cached_property
    def impacts(self) -> dict[str, Impact]:
        """Legacy measures by obfuscator, largest average impact first."""
        impacts = {name: self.safety.impact(name) for name in self.safety.obfuscated}
        return dict(sorted(impacts.items(), key=lambda item: (-item[1].average_impact, item[0])))


def reproduce(folder: str | Path, seeds: int, progress: Callable[[str], None]) -> Reproduction:
    """Compute all tables and figures of the paper from a folder of verifier scores.

    Parameters
    ----------
    folder
        ``CORPUS/``, ``CORPUS-obfuscationX/`` and ``CORPUS-truth.txt`` for each corpus.
    seeds
        How often each attack is repeated; the paper shows one draw.
    progress
        Is told what happens next, in a few words.
    """
    paper = published()
    progress("Reading the scores of the verifiers")
    corpora = read_corpora(folder, paper)
    progress("Scoring the obfuscators")
    tables = [
        corpora_table(corpora, paper),
        ranking_table(corpora, paper),
        legacy_table(corpora, paper),
        impact_table(corpora, paper),
    ]
    shown = next((one for one in corpora if one.name == paper.appendix_a.corpus), corpora[-1])
    tables.append(coverage_table(shown.name, shown.safety, paper))
    attacked = {}
    for corpus in corpora:
        progress(f"Attacking {corpus.name}, {seeds} seeds")
        for attack in ATTACKS:
            attacked[corpus.name, attack] = robustness(corpus.safety, attack, range(seeds))
    scores = scores_table(corpora, attacked, paper)
    tables += [scores, robustness_table(attacked, paper)]
    progress("Testing the axioms")
    tables.append(axioms_table(corpora, seeds))
    least, most = ambiguous_problem_weight(shown.safety)
    kept = sum(not cell.deviates for cell in _column(scores, "Score") if cell.published is not None)
    verifiers = {name for corpus in corpora for name in corpus.safety.original}
    return Reproduction(
        PAN_18.text,
        Path(folder).resolve().name,
        shown.name,
        {table.name: replace(table, notes=[*table.notes, *paper.notes(table)]) for table in tables},
        {figure.name: figure for figure in figures(shown.name, shown.safety)},
        "ranking",
        promised=paper.scores,
        kept=kept,
        facts={
            "obfuscators": len({name for corpus in corpora for name in corpus.scores}),
            "verifiers": len(verifiers),
            "corpora": len(corpora),
            "positives": sum(int(corpus.safety.truth.sum()) for corpus in corpora),
            "seeds": seeds,
            "mocks": MOCKS,
            "least_points": least,
            "most_points": most,
        },
        signature=signature(
            "safety", paper="pan18", tau=TAU, mocks=MOCKS, redrawn=REDRAWN, seeds=f"0-{seeds - 1}"
        ),
    )


def read_corpora(folder: str | Path, paper: Published) -> list[Corpus]:
    """Read all corpora of a folder: those of the paper in its order, then others by name."""
    corpora = [
        Corpus(
            paper.corpora.get(one.corpus, one.corpus),
            Safety(one.problems, one.truth, one.original, one.obfuscated),
        )
        for one in read_safety(folder)
    ]
    known = list(paper.corpora.values())
    place = {name: known.index(name) for name in known}
    return sorted(corpora, key=lambda one: (place.get(one.name, len(known)), one.name))


def corpora_table(corpora: Sequence[Corpus], paper: Published) -> ComparedTable:
    """Table 2: problems of each corpus, and the verifiers that ran on it."""
    rows: list[list[Cell]] = []
    for corpus in corpora:
        same, all_ = int(corpus.safety.truth.sum()), len(corpus.safety.truth)
        ours = (same, all_ - same, all_, len(corpus.safety.original))
        rows.append([corpus.name, *_beside(ours, paper.table2.get(corpus.name), digits=0)])
    columns = ("Corpus", "Same author", "Different author", "Problems", "Verifiers")
    return ComparedTable("corpora", "Table 2. Problems, and verifiers that ran", columns, rows)


def ranking_table(corpora: Sequence[Corpus], paper: Published) -> ComparedTable:
    """Table 3: world ranking scores over all corpora, and how much of a perfect obfuscator's they are."""
    totals: dict[str, float] = {}
    for corpus in corpora:
        for name, score in corpus.scores.items():
            totals[name] = totals.get(name, 0.0) + score
    perfect = sum(corpus.safety.perfect for corpus in corpora)
    complete = {one.name for one in corpora} >= {*paper.table4}

    def row(name: str, score: float, printed: float | None) -> list[Cell]:
        share = Compared(100 * score / perfect if perfect else 0.0, digits=1)
        return [name, Compared(score, printed if complete else None, 2), share]

    rows = [
        row(paper.obfuscators.get(name, name), totals[name], paper.table3.get(name, (None,))[-1])
        for name in sorted(totals, key=lambda name: (-totals[name], name))
    ]
    rows.append(row("a perfect obfuscator", perfect, paper.perfect))
    columns = ("Obfuscator", "Score", "Share of perfect, %")
    return ComparedTable("ranking", "Table 3. World ranking, all corpora", columns, rows)


def legacy_table(corpora: Sequence[Corpus], paper: Published) -> ComparedTable:
    """Table 3: the legacy measures beside the means of the paper's Table 5, and what it prints instead."""
    rows: list[tuple[float, list[Cell]]] = []
    complete = {one.name for one in corpora} >= {*paper.table5}
    for name in sorted({name for corpus in corpora for name in corpus.impacts}):
        impacts = [astuple(corpus.impacts[name])[-3:] for corpus in corpora if name in corpus.impacts]
        ours = np.mean(impacts, axis=0).tolist()
        row = [paper.obfuscators.get(name, name)]
        if complete and name in paper.table3:
            means = np.mean([table[name][-3:] for table in paper.table5.values()], axis=0)
            rows.append((ours[-1], [*row, *_beside(ours, means.tolist()), *paper.table3[name][:3]]))
        else:
            rows.append((ours[-1], [*row, *_beside(ours, None), "–", "–", "–"]))
    columns = ("Obfuscator", *IMPACT[-3:], *(f"{column}, printed" for column in IMPACT[-3:]))
    ranked = [row for _, row in sorted(rows, key=lambda pair: -pair[0])]
    return ComparedTable("legacy", "Table 3. Legacy measures, mean over corpora", columns, ranked)


def scores_table(
    corpora: Sequence[Corpus], attacked: Mapping[tuple[str, str], Robustness], paper: Published
) -> ComparedTable:
    """Table 4: world ranking scores by corpus, as they are and under both attacks."""
    rows: list[list[Cell]] = []
    for corpus in corpora:
        verifiers = Compared(len(corpus.safety.verifiers), paper.verifiers4.get(corpus.name), 0)
        for name, score in corpus.scores.items():
            printed = paper.table4.get(corpus.name, {}).get(name, (None,) * 3)
            draws = [
                Compared(found.mean[name], value, 2, found.spread[name])
                for found, value in zip(
                    (attacked[corpus.name, attack] for attack in ATTACKS), printed, strict=False
                )
            ]
            who = paper.obfuscators.get(name, name)
            positives = int(corpus.safety.truth.sum())
            rows.append([corpus.name, verifiers, positives, who, *draws, Compared(score, printed[-1], 2)])
    columns = ("Corpus", "Verifiers", "Positives", "Obfuscator", "Guessing", "Variation", "Score")
    return ComparedTable(
        "scores", "Table 4. World ranking by corpus, and under attack", columns, rows, groups=3
    )


def impact_table(corpora: Sequence[Corpus], paper: Published) -> ComparedTable:
    """Table 5: what obfuscation does to the usual measures of verification, averaged over verifiers."""
    rows: list[list[Cell]] = []
    for corpus in corpora:
        for name, impact in corpus.impacts.items():
            verifiers, *ours = astuple(impact)
            printed = paper.table5.get(corpus.name, {}).get(name)
            number = Compared(verifiers, paper.verifiers5.get(corpus.name), 0)
            rows.append([corpus.name, paper.obfuscators.get(name, name), number, *_beside(ours, printed)])
    columns = ("Corpus", "Obfuscator", "Verifiers", *IMPACT)
    return ComparedTable("impact", "Table 5. Measures of PAN and legacy measures", columns, rows, groups=1)


def robustness_table(attacked: Mapping[tuple[str, str], Robustness], paper: Published) -> ComparedTable:
    """How often the order of the obfuscators survives an attack."""
    rows: list[list[Cell]] = []
    for (corpus, attack), found in attacked.items():
        kept = paper.order_kept(corpus, [*ATTACKS].index(attack))
        moved = [found.mean[name] / score - 1 for name, score in found.before.items() if score]
        rows.append(
            [
                corpus,
                attack,
                Compared(100 * float(np.mean(moved)) if moved else 0.0, digits=1),
                Compared(100 * found.pairs_kept, digits=1),
                Compared(100 * found.order_kept, digits=0),
                "–" if kept is None else "kept" if kept else "changed",
            ]
        )
    columns = (
        "Corpus",
        "Attack",
        "Scores move by, %",
        "Pairs in order, %",
        "Draws in order, %",
        "Order in the paper",
    )
    return ComparedTable("robustness", "Under attack", columns, rows, groups=1)


def axioms_table(corpora: Sequence[Corpus], seeds: int) -> ComparedTable:
    """Test the three axioms: what one more verifier or problem does to the scores."""
    rows: list[list[Cell]] = []
    for corpus in corpora:
        safety = corpus.safety
        drawn = [np.random.default_rng(seed) for seed in range(seeds)]
        trials = {
            "1: a verifier that decides by chance": [add_ineffective_verifier(safety, rng) for rng in drawn],
            "2: a problem on which verifiers are split": [
                add_ambiguous_problem(safety, rng) for rng in drawn
            ],
            "3: a copy of a verifier, each in turn": [add_copy(safety, name) for name in safety.verifiers],
        }
        for what, shifts in trials.items():
            moved = [100 * shift.largest for shift in shifts]
            kept = 100 * float(np.mean([shift.order_kept for shift in shifts]))
            values = (float(np.mean(moved)), max(moved), kept)
            rows.append([corpus.name, what, len(shifts), *(Compared(value, digits=1) for value in values)])
    columns = ("Corpus", "Axiom and what is added", "Trials", "Mean change, %", "Worst, %", "In order, %")
    note = Note("Change: of the score that moves most, relative to the best score of the corpus.")
    return ComparedTable("axioms", "The three axioms", columns, rows, [note], groups=1)


def _beside(ours: Sequence[float], printed: Sequence[float] | None, digits: int = 4) -> list[Compared]:
    columns: Sequence[float | None] = [None] * len(ours) if printed is None else printed
    return [Compared(mine, theirs, digits) for mine, theirs in zip(ours, columns, strict=True)]


def _column(table: ComparedTable, column: str) -> list[Compared]:
    place = list(table.columns).index(column)
    return [cell for row in table.rows if isinstance(cell := row[place], Compared)]
