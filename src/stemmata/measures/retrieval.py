"""Source retrieval: which documents a text was taken from, how well they are ranked, at what cost.

As in text alignment, every measure is a formula over sums. `Retrieval` and `Workload` hold the summands
per suspicious document; totals of resampled documents give confidence intervals by the same formulas.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from stemmata.measures.alignment import f_measure
from stemmata.measures.citations import HAGEN_15, PLAGEVALRUS
from stemmata.measures.definition import Measure, Parameter, nest, signature
from stemmata.measures.evaluation import Confidence
from stemmata.measures.matching import Floats
from stemmata.measures.significance import Interval, bootstrap, value_of
from stemmata.model import ErrorCode, StemmataError, document_key

Sources = Mapping[str, Sequence[str]]
"""The ids of source documents by suspicious document; in a run the most promising first."""


@dataclass(frozen=True)
class RetrievalOptions:
    """What a user may choose about the measures.

    Attributes
    ----------
    map_definition
        ``"script"`` divides the average precision of a document by the number of its sources, as the
        public script of PlagEvalRus does; ``"paper"`` by the number of those retrieved, as the paper
        says, so that a source never found costs nothing.
    """

    map_definition: str = "script"

    def __post_init__(self) -> None:
        if self.map_definition not in ("script", "paper"):
            raise StemmataError(
                ErrorCode.BAD_PARAMETER,
                name="map",
                value=self.map_definition,
                rule="it is 'script' or 'paper'",
            )


class Retrieval:
    """The true sources and the retrieved ones, compared per suspicious document.

    Names are the same with and without ``.txt``. Documents of the run that the truth does not know are
    ignored; documents that the run does not answer count, with nothing retrieved.

    Parameters
    ----------
    truth, run
        The true sources, and the retrieved ones in ranked order. A true source named twice counts once;
        retrieving one twice is an error, for it would count twice and recall could exceed 1.
    duplicates
        Beside the suspicious document itself, which is in the collection where sources are looked for,
        further ids that are as good as it. Retrieving one is right, but finds no source.

    Examples
    --------
    >>> one = Retrieval({"a.txt": ["x", "y"]}, {"a.txt": ["a", "x", "z"]})
    >>> one.statistic("precision"), one.statistic("recall")
    (array([0.66666667]), array([0.5]))
    """

    def __init__(
        self,
        truth: Sources,
        run: Sources,
        duplicates: Mapping[str, Collection[str]] | None = None,
        options: RetrievalOptions | None = None,
    ) -> None:
        self.options = options or RetrievalOptions()
        true, ranked, equal = _by_key(truth), _by_key(run), _by_key(duplicates or {})
        _refuse_repeated(ranked)
        self.documents = _documents(true)
        self.ignored = len(ranked.keys() - true.keys())
        answers = [ranked.get(name, []) for name in self.documents]
        relevant = [frozenset(true[name]) for name in self.documents]
        harmless = [{name, *equal.get(name, ())} for name in self.documents]
        total = sum(map(len, answers))
        hit = np.fromiter(
            (one in those for ids, those in zip(answers, relevant, strict=True) for one in ids), bool, total
        )
        duplicate = np.fromiter(
            (one in those for ids, those in zip(answers, harmless, strict=True) for one in ids), bool, total
        )
        self._statistics = _summands(
            np.array([len(ids) for ids in answers], dtype=np.int64),
            np.array([len(ids) for ids in relevant], dtype=np.int64),
            hit,
            hit | duplicate,
            self.options.map_definition,
        )

    def statistic(self, name: str) -> Floats:
        """Return one summand of the measures, per suspicious document."""
        return self._statistics[name]


def _by_key(lists: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Return the lists with all names in the form in which they are matched."""
    made: dict[str, list[str]] = {}
    for name, ids in lists.items():
        key = document_key(name)
        if key in made:
            raise StemmataError(ErrorCode.REPEATED_DOCUMENT, document=name, first=f"{key} or {key}.txt")
        made[key] = [document_key(one) for one in ids]
    return made


def _refuse_repeated(rankings: Mapping[str, Sequence[str]]) -> None:
    for name, ids in rankings.items():
        if len(set(ids)) < len(ids):
            twice = next(one for n, one in enumerate(ids) if one in ids[:n])
            raise StemmataError(ErrorCode.REPEATED_SOURCE, document=name, source=twice)


def _documents(truth: Mapping[str, Sequence[str]]) -> list[str]:
    if not any(truth.values()):
        raise StemmataError(ErrorCode.NOTHING_TO_RETRIEVE)
    return sorted(truth)


def _summands(returned: Any, sources: Any, hit: Any, right: Any, map_definition: str) -> dict[str, Floats]:
    """Return all summands per document; `hit` and `right` (hit or duplicate) are per retrieved id."""
    n = len(returned)
    document = np.repeat(np.arange(n), returned)
    before = np.cumsum(returned) - returned
    rank = np.arange(len(hit)) - before[document] + 1
    counted = np.concatenate([[0], np.cumsum(right)])
    precision_at_rank = (counted[1:] - counted[before[document]]) / rank

    def per_document(values: Any) -> Floats:
        return np.bincount(document, values, minlength=n).astype(np.float64)

    hits, rights = per_document(hit), per_document(right)
    first = per_document(right & (rank <= sources[document]))
    relevant = sources if map_definition == "script" else hits
    return {
        "documents": np.ones(n),
        "with_sources": (sources > 0).astype(np.float64),
        "answered": (returned > 0).astype(np.float64),
        "with_precision": ((sources > 0) | (returned > 0)).astype(np.float64),
        "sources": sources.astype(np.float64),
        "returned": returned.astype(np.float64),
        "hits": hits,
        "right": rights,
        "precision": rights / np.maximum(returned, 1),
        "recall": hits / np.maximum(sources, 1),
        "average_precision": per_document(hit * precision_at_rank) / np.maximum(relevant, 1),
        "r_precision": first / np.maximum(np.minimum(returned, sources), 1),
    }


class Sums(Protocol):
    """Totals of the summands, as attributes; numbers, or arrays with one entry per resample."""

    def __getattr__(self, name: str) -> Any: ...


def _mean(total: Any, count: Any) -> Any:
    """Return total / count; undefined (NaN) where there is nothing to average."""
    return np.where(count > 0, total / np.where(count > 0, count, 1), np.nan)


def _f(precision: Any, recall: Any, beta: float) -> Any:
    return np.where(np.isnan(precision + recall), np.nan, f_measure(precision, recall, beta))


def mean_average_precision(t: Sums) -> Any:
    """Mean over documents with sources of average precision (section 4.2.1).

    ``AP = sum of P@k over the ranks k of true sources / number of sources``, where ``P@k`` counts the
    document itself and its duplicates as right. By ``map_definition`` the sum is divided by the number
    of true sources (``script``) or of retrieved ones (``paper``).
    """
    return _mean(t.average_precision, t.with_sources)


def precision(t: Sums) -> Any:
    """Mean over documents of ``(TP + DUP) / returned`` (section 4.2.1); no answer counts 0.

    TP are retrieved sources, DUP is the document itself or a declared duplicate of it. A document
    without sources for which nothing was returned has no precision and is left out.
    """
    return _mean(t.precision, t.with_precision)


def recall(t: Sums) -> Any:
    """Mean over documents with sources of ``TP / sources`` (section 4.2.1)."""
    return _mean(t.recall, t.with_sources)


def f1(t: Sums) -> Any:
    """``2 P R / (P + R)`` of the averaged precision and recall (section 4.2.1)."""
    return _f(precision(t), recall(t), 1.0)


def f2(t: Sums) -> Any:
    """``5 P R / (4 P + R)`` of the averaged values: recall weighs more, as the next stage can filter."""
    return _f(precision(t), recall(t), 2.0)


def r_precision(t: Sums) -> Any:
    """Mean over documents with sources of the precision of the first ``|sources|`` retrieved.

    Where fewer were returned, it is the precision of those.
    """
    return _mean(t.r_precision, t.with_sources)


def precision_micro(t: Sums) -> Any:
    """``(TP + DUP) / returned`` over all documents together; 0 where nothing was returned."""
    return np.where((t.returned == 0) & (t.sources > 0), 0.0, _mean(t.right, t.returned))


def recall_micro(t: Sums) -> Any:
    """``TP / sources`` over all documents together."""
    return _mean(t.hits, t.sources)


def f1_micro(t: Sums) -> Any:
    """F1 of the micro values."""
    return _f(precision_micro(t), recall_micro(t), 1.0)


def f2_micro(t: Sums) -> Any:
    """F2 of the micro values."""
    return _f(precision_micro(t), recall_micro(t), 2.0)


# --- Workload: what it cost to find the sources ----------------------------------------------------------

QUERY, DOWNLOAD = "query", "download"
Events = Mapping[str, Sequence[tuple[str, str]]]
"""What a system did for each document, in order: (``query``, words) or (``download``, id)."""


class Workload:
    """What a system did, per suspicious document, until and after it first had a true source.

    Documents of the truth for which nothing is recorded count with no work and no detection.

    Examples
    --------
    >>> done = [("query", "first words"), ("download", "z"), ("query", "others"), ("download", "x")]
    >>> one = Workload({"a": ["x"]}, {"a": done})
    >>> one.statistic("queries_to_first"), one.statistic("downloads_to_first")
    (array([2.]), array([2.]))
    """

    def __init__(self, truth: Sources, events: Events) -> None:
        self.options = None
        true = _by_key(truth)
        done = {document_key(name): list(steps) for name, steps in events.items()}
        self.documents = _documents(true)
        rows = [_steps(done.get(name, []), frozenset(true[name])) for name in self.documents]
        columns = np.array(rows, dtype=np.float64).T
        names = ("queries", "downloads", "detected", "queries_to_first", "downloads_to_first")
        self._statistics: dict[str, Floats] = dict(zip(names, columns, strict=True))
        self._statistics["documents"] = np.ones(len(rows))
        self._statistics["with_sources"] = np.array([float(bool(true[name])) for name in self.documents])

    def statistic(self, name: str) -> Floats:
        """Return one summand of the measures, per suspicious document."""
        return self._statistics[name]


def _steps(steps: Sequence[tuple[str, str]], sources: frozenset[str]) -> tuple[int, int, int, int, int]:
    """Return queries, downloads, whether a source was downloaded, and both counts until then."""
    done = {QUERY: 0, DOWNLOAD: 0}
    first: tuple[int, int, int] = (0, 0, 0)
    for kind, what in steps:
        if kind not in done:
            rule = f"it is {QUERY!r} or {DOWNLOAD!r}"
            raise StemmataError(ErrorCode.BAD_PARAMETER, name="event", value=repr(kind), rule=rule)
        done[kind] += 1
        if kind == DOWNLOAD and not first[0] and document_key(what) in sources:
            first = (1, done[QUERY], done[DOWNLOAD])
    return (done[QUERY], done[DOWNLOAD], *first)


def queries(t: Sums) -> Any:
    """Mean number of queries per document (PAN13 to 15, measure 1)."""
    return _mean(t.queries, t.documents)


def downloads(t: Sums) -> Any:
    """Mean number of downloads per document (PAN13 to 15, measure 2)."""
    return _mean(t.downloads, t.documents)


def queries_to_first(t: Sums) -> Any:
    """Mean number of queries until a true source was first downloaded, where one ever was (measure 4)."""
    return _mean(t.queries_to_first, t.detected)


def downloads_to_first(t: Sums) -> Any:
    """Mean number of downloads up to the first true source, where there ever was one (measure 5)."""
    return _mean(t.downloads_to_first, t.detected)


def no_detection(t: Sums) -> Any:
    """How many documents have sources none of which was ever downloaded."""
    return t.with_sources - t.detected


# --- Declarations ----------------------------------------------------------------------------------------

_MAP = Parameter("map_definition", str, "script", "'paper' divides by the retrieved sources alone")

_RANKED = (
    ("map", "MAP", mean_average_precision, (_MAP,)),
    ("precision", "Precision", precision, ()),
    ("recall", "Recall", recall, ()),
    ("f1", "F1", f1, ()),
    ("f2", "F2", f2, ()),
    ("r_precision", "R-precision", r_precision, ()),
    ("micro.precision", "Precision (micro)", precision_micro, ()),
    ("micro.recall", "Recall (micro)", recall_micro, ()),
    ("micro.f1", "F1 (micro)", f1_micro, ()),
    ("micro.f2", "F2 (micro)", f2_micro, ()),
)
_COST = (
    ("workload.queries", "Queries", queries),
    ("workload.downloads", "Downloads", downloads),
    ("workload.queries_to_first", "Queries to first detection", queries_to_first),
    ("workload.downloads_to_first", "Downloads to first detection", downloads_to_first),
    ("workload.no_detection", "No detection", no_detection),
)

RANKING = tuple(
    Measure(key, title, "retrieval", formula, PLAGEVALRUS, parameters)
    for key, title, formula, parameters in _RANKED
)
WORKLOAD = tuple(
    Measure(key, title, "retrieval", formula, HAGEN_15, lower_is_better=True) for key, title, formula in _COST
)
MEASURES = (*RANKING, *WORKLOAD)


# --- Scoring ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RetrievalResult:
    """What ``stemmata score retrieval`` knows of a run.

    `without_sources` documents are left out of recall, MAP and R-precision; `unanswered` ones have
    sources and nothing returned; `ignored` ones are in the run alone.
    """

    signature: str
    values: Mapping[str, float]
    documents: int
    without_sources: int
    unanswered: int
    ignored: int
    intervals: Mapping[str, Interval] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``--format json`` prints; a measure that is undefined is null."""
        made: dict[str, Any] = {
            "signature": self.signature,
            **nest({key: None if np.isnan(value) else value for key, value in self.values.items()}),
            "documents": self.documents,
            "without_sources": self.without_sources,
            "unanswered": self.unanswered,
            "ignored": self.ignored,
        }
        if self.intervals:
            made["confidence"] = nest({key: [i.low, i.high] for key, i in self.intervals.items()})
        return made


def score_retrieval(
    truth: Sources,
    run: Sources,
    *,
    duplicates: Mapping[str, Collection[str]] | None = None,
    events: Events | None = None,
    confidence: Confidence | None = None,
    options: RetrievalOptions | None = None,
) -> RetrievalResult:
    """Score a run of source retrieval against a truth.

    Parameters
    ----------
    duplicates
        Ids that are as good as the document itself; see `Retrieval`.
    events
        What the system did in which order; with it the workload is measured too.
    """
    options = options or RetrievalOptions()
    compared = Retrieval(truth, run, duplicates, options)
    parts: list[tuple[Retrieval | Workload, tuple[Measure, ...]]] = [(compared, RANKING)]
    if events is not None:
        parts.append((Workload(truth, events), WORKLOAD))
    values = {measure.key: value_of(measure, one) for one, measures in parts for measure in measures}
    intervals: dict[str, Interval] = {}
    if confidence is not None:
        for one, measures in parts:
            rng = np.random.default_rng(confidence.seed)
            intervals |= bootstrap(one, measures, rng, confidence.level, confidence.resamples)
    sourced = compared.statistic("with_sources") > 0
    signed = signature(
        "retrieval",
        map=options.map_definition,
        duplicates="self" if duplicates is None else "declared",
        confidence="none"
        if confidence is None
        else f"{confidence.level:g}/bootstrap-{confidence.resamples}/seed-{confidence.seed}",
    )
    return RetrievalResult(
        signed,
        values,
        documents=len(compared.documents),
        without_sources=int((~sourced).sum()),
        unanswered=int((sourced & (compared.statistic("answered") == 0)).sum()),
        ignored=compared.ignored,
        intervals=intervals,
    )
