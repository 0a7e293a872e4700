"""Building: documents made in parallel and kept as they are done, then laid out as a corpus."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from stemmata import __version__
from stemmata.corpora.building.assignment import Assignment, PlannedDocument, assign
from stemmata.corpora.building.base import BaseText, read_base
from stemmata.corpora.building.construction import MadeDocument, Workshop, make_strategy
from stemmata.corpora.building.layouts import Layout, Record, layout_of, text_digest
from stemmata.corpora.building.plan import Plan
from stemmata.formats.outputs import OutputFolder
from stemmata.formats.records import Making
from stemmata.formats.sealed import read_sealed, write_sealed
from stemmata.model import ErrorCode, StemmataError
from stemmata.model.processes import Processes
from stemmata.rewriting import Scene

Advance = Callable[[int], None]


TRIAL = {
    "en": "The quick brown fox jumps over the lazy dog.",
    "ru": "Быстрая рыжая лиса прыгает через ленивую собаку.",
    "de": "Der schnelle braune Fuchs springt über den faulen Hund.",
    "es": "El rápido zorro marrón salta sobre el perro perezoso.",
}
"""A sentence on which strategies are tried before the work begins."""


@dataclass(frozen=True)
class Built:
    """What was built: the numbers, and what of the plan could not be met."""

    folder: Path
    sources: int
    suspicious: int
    cases: int
    unmet: tuple[str, ...]


def build(plan: Plan, out: Path, jobs: int = 1, advance: Advance = lambda _: None) -> Built:
    """Build a corpus in a folder, which appears when everything is done.

    What is finished is kept beside it until then, so that a build that was stopped goes on where it was.
    The same plan gives the same bytes, whatever the number of jobs.

    Parameters
    ----------
    advance
        Is told how many more of the plan's documents are made.
    """
    claimed = OutputFolder.claim(out, Making("corpus"), given=[plan.base], final=True)
    _try_strategies(plan)
    base = read_base(plan.base)
    with claimed.unfinished() as part:
        _begin(part, plan, base)
        assignment = assign(plan, base)
        layout = layout_of(plan, part / "corpus", assignment)
        for document in assignment.sources:
            layout.write_source(document.number, document.host.text)
        advance(len(assignment.sources))
        _make_all(Workshop(plan, assignment), layout, part / "made", jobs, advance)
        cases, unmet = layout.finish(_records(part / "made", assignment))
        claimed.take(part / "corpus")
    return Built(out, len(assignment.sources), len(assignment.suspicious), cases, unmet)


def _try_strategies(plan: Plan) -> None:
    """Fail before the work rather than in its midst where a strategy or what it needs is missing."""
    for one in plan.obfuscation:
        if one.share:
            strategy = make_strategy(one)
            strategy.rewrite(TRIAL.get(plan.language, TRIAL["en"]), Scene(language=plan.language))


def _begin(part: Path, plan: Plan, base: Sequence[BaseText]) -> None:
    """Make the folder of an unfinished build, or see that one there is of this plan and these texts."""
    said: list[Any] = [__version__, repr(plan), [(one.name, one.digest) for one in base]]
    digest = hashlib.sha256(json.dumps(said).encode()).hexdigest()
    mark = part / "plan.json"
    before = read_sealed(mark)
    if before is None:
        # Nothing there, or nothing that can be gone on with.
        for folder in ("made", "corpus"):
            shutil.rmtree(part / folder, ignore_errors=True)
    elif before.get("digest") != digest:
        raise StemmataError(ErrorCode.PLAN_CHANGED, part)
    (part / "made").mkdir(parents=True, exist_ok=True)
    write_sealed(mark, json.dumps({"digest": digest}))


def _make_all(workshop: Workshop, layout: Layout, made: Path, jobs: int, advance: Advance) -> None:
    missing = [
        document for document in workshop.assignment.suspicious if not _is_made(layout, made, document.number)
    ]
    advance(len(workshop.assignment.suspicious) - len(missing))
    # Long documents first, so that no process is left alone with one at the end.
    missing.sort(key=lambda document: -len(document.host) - sum(case.size * 6 for case in document.cases))
    with Processes(min(jobs, len(missing)), _prepare, (workshop, layout, made)) as processes:
        for _ in processes.completed(_make, [(document,) for document in missing]):
            advance(1)


_tools: list[tuple[Workshop, Layout, Path]] = []


def _prepare(workshop: Workshop, layout: Layout, made: Path) -> None:
    _tools[:] = [(workshop, layout, made)]


def _make(planned: PlannedDocument) -> None:
    workshop, layout, made = _tools[0]
    document = workshop.make(planned)
    layout.write_suspicious(document.number, document.text)
    # Last, since it says that the document is done.
    write_sealed(_record_path(made, document.number), json.dumps(_as_json(document)))


def _is_made(layout: Layout, made: Path, number: int) -> bool:
    """Tell whether a document is there as it was made; what is damaged is made anew."""
    record = read_sealed(_record_path(made, number))
    return record is not None and layout.has_suspicious(number, record["text"])


def _record_path(made: Path, number: int) -> Path:
    return made / f"{number:07}.json"


def _as_json(document: MadeDocument) -> dict[str, Any]:
    cases = [
        {
            **asdict(case.planned),
            "this": list(case.suspicious),
            "that": list(case.source),
            "words": case.words,
        }
        for case in document.cases
    ]
    return {
        "text": text_digest(document.text),
        "length": len(document.text),
        "sentences": document.sentences,
        "left_out": document.left_out,
        "cases": cases,
    }


def _records(made: Path, assignment: Assignment) -> Iterator[Record]:
    """Yield what is known of each suspicious document, one at a time."""
    for document in assignment.suspicious:
        path = _record_path(made, document.number)
        said = read_sealed(path)
        if said is None:
            raise StemmataError(ErrorCode.UNREADABLE, path, reason="it was changed during the build")
        yield Record(
            document.number,
            document.intrinsic,
            said["length"],
            said["sentences"],
            said["left_out"],
            said["cases"],
        )
