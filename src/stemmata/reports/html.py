"""Reports as one HTML file each: everything inline, everything escaped, nothing fetched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from stemmata.formats.files import write_atomically
from stemmata.model.wording import tally
from stemmata.reports.passages import Pane


@dataclass(frozen=True)
class Estimate:
    """A value and, where known, its confidence interval."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class RunRow:
    """A run in the ranking; `about` says in a few words how it was made."""

    name: str
    about: str
    detections: int
    plagdet: Estimate
    precision: Estimate
    recall: Estimate
    granularity: Estimate
    normplagdet: Estimate


@dataclass(frozen=True)
class ComparisonRow:
    """Two runs, their difference in plagdet, and its p-value before and after correction."""

    first: str
    second: str
    difference: float
    p: float
    p_holm: float


@dataclass(frozen=True)
class BreakdownCell:
    """One run on one part of the corpus."""

    detections: int
    plagdet: float
    precision: float
    recall: float
    best: bool = False


@dataclass(frozen=True)
class BreakdownRow:
    """A part of the corpus: one cell per run, in the order of the ranking."""

    part: str
    cases: int
    cells: tuple[BreakdownCell, ...]


@dataclass(frozen=True)
class PassageView:
    """A pair of documents side by side."""

    title: str
    suspicious: Pane
    source: Pane
    recall: float


@dataclass(frozen=True)
class Commands:
    """What to type to get the same figures again."""

    everything: str
    ranking: str
    comparisons: str


@dataclass(frozen=True)
class DemoReport:
    """All that the demonstration report shows, best run first."""

    suspicious: int
    sources: int
    pairs: int
    cases: int
    runs: Sequence[RunRow]
    comparisons: Sequence[ComparisonRow]
    breakdown: Sequence[BreakdownRow]
    passages: Sequence[PassageView]
    commands: Commands
    signature: str
    comparison_signature: str


def write_demo_report(path: Path, report: DemoReport) -> None:
    """Write the demonstration report as one file that needs no network."""
    text = render_page("demo.html.j2", report=report)
    with write_atomically(path) as part:
        part.write_text(text, encoding="utf-8", newline="\n")


def render_page(template: str, **content: object) -> str:
    """Fill a template of this package; everything that comes from outside is escaped.

    Names of files may hold bytes that no encoding explains; they are shown as question marks.
    """
    page = _environment().get_template(template).render(content)
    return page.encode("utf-8", "replace").decode("utf-8")


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("stemmata.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"p_value": _p_value, "signed": _signed, "percent": _percent, "fixed": _fixed}
    environment.filters["tally"] = tally
    return environment


def _p_value(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _signed(value: float, digits: int = 3) -> str:
    return f"{value:+z.{digits}f}".replace("-", "−")


def _fixed(value: float, digits: int) -> str:
    """Return a number with a real minus sign; what is undefined is a dash."""
    return f"{value:z.{digits}f}".replace("-", "−") if isfinite(value) else "–"


def _percent(value: float) -> str:
    """Return a share as a length in the chart."""
    return f"{100 * min(max(value, 0), 1):.2f}%"
