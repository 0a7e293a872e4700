"""The plan of a corpus: a TOML file of proportions, with those of PAN-PC-10 wherever it is silent."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from dataclasses import replace as dataclass_replace
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from stemmata.formats.files import read_text
from stemmata.formats.folders import folder_name_fault
from stemmata.model import ErrorCode, StemmataError
from stemmata.model.errors import located
from stemmata.model.parameters import Number, Range, shown
from stemmata.model.registry import did_you_mean

T = TypeVar("T")
LAYOUTS = ("pan-pc-10", "pan13", "plagevalrus")
PURPOSES = ("source", "plagiarised", "clean")
LIMITS = {
    "documents": Range(4, 1_000_000),
    "page": Range(100, 100_000),
    "seed": Range(0, 2**63 - 1),
    "clusters": Range(1, 10_000),
    "most_sources": Range(0, 100_000),
    "host_sentences": Range(0, 100_000),
    "passage_words": Range(0, 100_000),
    "intra": Range(0.0, 1.0),
    "intrinsic": Range(0.0, 0.99),
    "share": Range(0.0, 1.0),
    "pages": Range(0.01, 100_000.0),
    "of_document": Range(0.0001, 1.0),
    "words": Range(1.0, 1_000_000.0),
}
"""What the numbers of a plan can be; sizes of cases, in words or sentences, are `words`."""
MOST_CHARACTERS = 10_000_000
"""No document of a plan is longer: detectors take no longer ones."""
MOST_CLASSES = 1000
MOST_NAME_BYTES = 200
"""Names become parts of names of files."""


@dataclass(frozen=True)
class Band:
    """A class of sizes: how many of all fall into it, and its least and greatest size."""

    name: str
    share: float
    low: float
    high: float


@dataclass(frozen=True)
class Obfuscation:
    """A way to hide cases.

    Attributes
    ----------
    share
        Of all cases.
    strategy, options
        Name in the registry of rewriting, and its parameters.
    cases
        Classes of case length it is for; all where none is named.
    """

    name: str
    share: float
    strategy: str
    options: tuple[tuple[str, Any], ...] = ()
    cases: tuple[str, ...] = ()


def _bands(*rows: tuple[str, float, float, float]) -> tuple[Band, ...]:
    return tuple(Band(*row) for row in rows)


@dataclass(frozen=True)
class Plan:
    """Everything that decides a corpus. The defaults are the figures of PAN-PC-10.

    Potthast, Stein, Barrón-Cedeño and Rosso, "An Evaluation Framework for Plagiarism Detection",
    COLING 2010, Table 5.

    Attributes
    ----------
    base
        Folder of the texts to build from.
    documents
        Number of documents in all.
    page
        Characters of a page, by which documents are measured.
    purpose
        Shares of documents: ``source``, ``plagiarised``, ``clean``.
    intrinsic
        Share of suspicious documents whose sources are left out of the corpus.
    length
        Classes of document length, in pages.
    plagiarism
        Classes of plagiarised documents, by the share of them that is plagiarised.
    case_length
        Classes of case length, in words or, with `replace`, in sentences.
    obfuscation
        How cases are hidden; intrinsic cases never are, and count as the first one.
    clusters, intra
        Number of topics, and share of cases within one topic.
    one_kind
        Whether all cases of a document are hidden in the same way, as in PAN13.
    replace
        Whether passages take the place of sentences of their host, as in PlagEvalRus. Then `plagiarism` is a
        share of sentences.
    most_sources
        Sources of one suspicious document, at most; 0 sets no limit.
    host_sentences
        Sentences of a suspicious document before anything is put into it, at least.
    passage_words
        Words of a passage that are no stop words, at least, before and after it is rewritten.
    """

    base: Path
    name: str = "corpus"
    seed: int = 1
    documents: int = 2000
    language: str = "en"
    layout: str = "pan-pc-10"
    page: int = 1500
    purpose: Mapping[str, float] = field(
        default_factory=lambda: {"source": 0.5, "plagiarised": 0.25, "clean": 0.25}
    )
    intrinsic: float = 0.3
    length: tuple[Band, ...] = _bands(
        ("short", 0.5, 1, 10), ("medium", 0.35, 10, 100), ("long", 0.15, 100, 1000)
    )
    plagiarism: tuple[Band, ...] = _bands(
        ("hardly", 0.45, 0.05, 0.2),
        ("medium", 0.15, 0.2, 0.5),
        ("much", 0.25, 0.5, 0.8),
        ("entirely", 0.15, 0.8, 1.0),
    )
    case_length: tuple[Band, ...] = _bands(
        ("short", 0.34, 50, 150), ("medium", 0.33, 300, 500), ("long", 0.33, 3000, 5000)
    )
    obfuscation: tuple[Obfuscation, ...] = (
        Obfuscation("none", 0.40, "none"),
        Obfuscation("low", 0.20, "artificial", (("degree", "low"),)),
        Obfuscation("high", 0.20, "artificial", (("degree", "high"),)),
        Obfuscation("simulated", 0.06, "simulated", (), ("short", "medium")),
        Obfuscation("translated", 0.14, "translation", (("route", "en-es-en"),)),
    )
    clusters: int = 30
    intra: float = 0.5
    one_kind: bool = False
    replace: bool = False
    most_sources: int = 0
    host_sentences: int = 0
    passage_words: int = 0

    def __post_init__(self) -> None:
        _check(self)


def plagevalrus(language: str) -> dict[str, Any]:
    """Return what a plan says if it is to build as PlagEvalRus did, where it does not say otherwise.

    Smirnov et al., "Evaluation Tracks on Plagiarism Detection Algorithms for the Russian Language", Dialogue
    2017, section 3.2. The paper does not say how long its texts are, and has no topics.
    """
    paraphrase: tuple[str, tuple[tuple[str, Any], ...]] = ("artificial", (("degree", "low"),))
    if language == "ru":
        paraphrase = "russian", ()
    return {
        "purpose": {"source": 0.5, "plagiarised": 0.5, "clean": 0.0},
        "intrinsic": 0.0,
        "length": _bands(("all", 1.0, 3, 20)),
        "plagiarism": _bands(
            ("10%", 0.25, 0.07, 0.13),
            ("25%", 0.25, 0.22, 0.28),
            ("50%", 0.25, 0.47, 0.53),
            ("80%", 0.25, 0.77, 0.83),
        ),
        "case_length": _bands(("fragment", 1.0, 1, 10)),
        "obfuscation": (
            Obfuscation("copy", 0.5, "none"),
            Obfuscation("generated", 0.5, *paraphrase),
        ),
        "clusters": 1,
        "intra": 1.0,
        "replace": True,
        "most_sources": 5,
        "host_sentences": 31,
        "passage_words": 5,
    }


SIZES = {"length": "pages", "plagiarism": "of_document", "case_length": "words"}
"""How the sizes of each kind of class are called in a plan."""


def read_plan(path: str | Path) -> Plan:
    """Read a plan; a base folder that is no absolute path is looked for beside the file."""
    file = Path(path)
    try:
        said = tomllib.loads(read_text(file))
    except RecursionError:
        raise StemmataError(ErrorCode.BAD_PLAN, file, reason="it is nested too deeply") from None
    except tomllib.TOMLDecodeError as error:
        raise StemmataError(ErrorCode.BAD_PLAN, file, reason=f"it is not TOML: {str(error)[:200]}") from None
    except ValueError:
        # All else that Python refuses.
        raise StemmataError(ErrorCode.BAD_PLAN, file, reason="it has a number of too many digits") from None
    with located(file):
        return parse_plan(said, file.parent)


def parse_plan(said: Mapping[str, Any], beside: Path = Path()) -> Plan:
    """Make a plan of what a TOML file says."""
    known = {one.name for one in fields(Plan)}
    for name in said:
        if name not in known:
            _refuse(f"there is no {name!r}{did_you_mean(name, known)}")
    if "base" not in said:
        _refuse("it names no base, the folder of texts to build from")
    values: dict[str, Any] = {}
    if said.get("layout", LAYOUTS[0]) != LAYOUTS[0]:
        # Only PAN-PC-10 has documents whose sources are left out, and PAN13 parts them by kind.
        values |= {"intrinsic": 0.0, "one_kind": said["layout"] == "pan13"}
    if said.get("layout") == "plagevalrus" and not _counts_words(said):
        values |= plagevalrus(str(said.get("language", "en")))
    for name, value in said.items():
        if name == "base":
            values[name] = _base(beside, _typed(value, str, name))
        elif name in SIZES:
            values[name] = tuple(_band(name, key, one) for key, one in _typed(value, dict, name).items())
        elif name == "obfuscation":
            values[name] = tuple(_obfuscation(key, one) for key, one in _typed(value, dict, name).items())
        elif name == "purpose":
            values[name] = {
                key: _number(one, f"purpose.{key}") for key, one in _typed(value, dict, name).items()
            }
        else:
            usual = Plan.__dataclass_fields__[name].default
            kind = type(usual)
            values[name] = _number(value, name) if kind is float else _typed(value, kind, name)
    if "case_length" in said and "obfuscation" not in said:
        # What is for some classes of cases by default is for those of them that there are.
        classes = {band.name for band in values["case_length"]}
        values["obfuscation"] = tuple(
            dataclass_replace(one, cases=tuple(name for name in one.cases if name in classes))
            for one in values.get("obfuscation", Plan.obfuscation)
        )
    return Plan(**values)


def _base(beside: Path, said: str) -> Path:
    try:
        return (beside / said).resolve()
    except (OSError, ValueError, RuntimeError):
        # A NUL, a name that is too long, a link that leads to itself.
        _refuse(f"base names no folder: {said[:80]!r}")


def _counts_words(said: Mapping[str, Any]) -> bool:
    """Tell whether a plan measures cases in words, which cannot take the place of sentences."""
    classes = said.get("case_length", {})
    some = classes.values() if isinstance(classes, dict) else ()
    return any(isinstance(one, dict) and SIZES["case_length"] in one for one in some)


def _band(kind: str, name: str, said: Any) -> Band:
    where = f"{kind}.{name}"
    said = dict(_typed(said, dict, where))
    share = _number(said.pop("share", None), f"{where}.share")
    size = said.pop(SIZES[kind], None)
    if kind == "case_length" and size is None:
        size = said.pop("sentences", None)
    if not isinstance(size, list) or len(size) != 2:
        _refuse(f"{where} needs {SIZES[kind]} = [least, greatest]")
    if said:
        _refuse(f"{where} has a {next(iter(said))!r}, which means nothing")
    low, high = (_number(end, f"{where}.{SIZES[kind]}") for end in size)
    return Band(name, share, low, high)


def _obfuscation(name: str, said: Any) -> Obfuscation:
    where = f"obfuscation.{name}"
    said = dict(_typed(said, dict, where))
    share = _number(said.pop("share", None), f"{where}.share")
    strategy = _typed(said.pop("strategy", name), str, f"{where}.strategy")
    cases = tuple(map(str, _typed(said.pop("cases", []), list, f"{where}.cases")))
    for key, value in said.items():
        if not isinstance(value, str | int | float | bool):
            _refuse(f"{where}.{key} is neither text nor number")
        if isinstance(value, int) and value.bit_length() > 63:
            _refuse(f"{where}.{key} = {shown(value)} is too large")
    return Obfuscation(name, share, strategy, tuple(said.items()), cases)


def _check(plan: Plan) -> None:
    """Refuse a plan that cannot be met, or whose names could lead anywhere: they become names of files."""
    for name, value in _numbers(plan):
        bounds = LIMITS[name.rpartition(".")[2]]
        if not bounds.holds(value):
            _refuse(f"{name} = {shown(value)}: {bounds.rule}")
    for where, name in _names(plan):
        fault = folder_name_fault(name)
        if not fault and len(name.encode(errors="replace")) > MOST_NAME_BYTES:
            fault = f"it is longer than {MOST_NAME_BYTES} bytes"
        if fault:
            _refuse(f"{where} has the name {name[:40]!r}: {fault}")
    _check_rules(plan)


def _numbers(plan: Plan) -> Iterator[tuple[str, Number]]:
    """Yield all numbers of a plan; the last part of each name is that of its limits."""
    yield from ((name, getattr(plan, name)) for name in LIMITS if name in Plan.__dataclass_fields__)
    yield from ((f"purpose.{name}.share", share) for name, share in plan.purpose.items())
    for kind, size in SIZES.items():
        for band in getattr(plan, kind):
            yield f"{kind}.{band.name[:40]}.share", band.share
            yield f"{kind}.{band.name[:40]}.{size}", band.low
            yield f"{kind}.{band.name[:40]}.{size}", band.high
    yield from ((f"obfuscation.{one.name[:40]}.share", one.share) for one in plan.obfuscation)


def _names(plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield the names that people choose, and where they stand."""
    yield from (("the corpus", plan.name), ("its language", plan.language))
    for kind in (*SIZES, "obfuscation"):
        yield from ((kind, one.name) for one in getattr(plan, kind))


def _check_rules(plan: Plan) -> None:
    def must(holds: bool, rule: str) -> None:
        if not holds:
            _refuse(rule)

    must(plan.layout in LAYOUTS, f"layout must be one of {', '.join(LAYOUTS)}")
    must(set(plan.purpose) == set(PURPOSES), f"purpose must have {', '.join(PURPOSES)}, and no other")
    must(plan.purpose["source"] > 0, "purpose.source must be above 0, for passages come from sources")
    groups = {
        "purpose": list(plan.purpose.values()),
        **{name: [band.share for band in getattr(plan, name)] for name in SIZES},
        "obfuscation": [one.share for one in plan.obfuscation],
    }
    for name, shares in groups.items():
        must(0 < len(shares) <= MOST_CLASSES, f"{name} must have between 1 and {MOST_CLASSES:,} classes")
        must(abs(sum(shares) - 1) < 0.001, f"the shares of {name} sum to {sum(shares):g}, not to 1")
    for name in SIZES:
        for band in getattr(plan, name):
            must(band.low <= band.high, f"{name}.{band.name} must go from less to more")
    for band in plan.plagiarism:
        must(
            plan.replace or band.low < 1,
            f"plagiarism.{band.name}.of_document must begin below 1, such as [0.9, 1]: passages are put into "
            "text of the document's own",
        )
    longest = max(band.high for band in plan.length) * plan.page
    must(
        longest <= MOST_CHARACTERS,
        f"documents would have up to {longest:,.0f} characters, the most is "
        f"{MOST_CHARACTERS:,}: make length or page smaller",
    )
    classes = {band.name for band in plan.case_length}
    for one in plan.obfuscation:
        strange = set(one.cases) - classes
        must(not strange, f"obfuscation.{one.name}.cases names {sorted(strange)}, no class of case_length")
    must(plan.intrinsic == 0 or plan.layout == LAYOUTS[0], f"layout {plan.layout} has no intrinsic cases")
    must(
        plan.intrinsic == 0 or plan.obfuscation[0].strategy == "none",
        "intrinsic cases are not hidden, so the first obfuscation must have the strategy 'none'",
    )


def _typed(value: Any, kind: type[T], where: str) -> T:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        names = {dict: "a table", list: "a list", str: "text", int: "a whole number", bool: "true or false"}
        _refuse(f"{where} must be {names.get(kind, kind.__name__)}")
    return value


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        _refuse(f"{where} must be a number")
    try:
        return float(value)
    except OverflowError:
        _refuse(f"{where} = {shown(value)}: no class is as large")


def _refuse(reason: str) -> NoReturn:
    raise StemmataError(ErrorCode.BAD_PLAN, reason=reason)
