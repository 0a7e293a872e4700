"""What a built corpus says of its own plan, in ``plan.json``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from stemmata.corpora.building.plan import SIZES, Band, Obfuscation, Plan
from stemmata.formats.json_text import read_json
from stemmata.model import ErrorCode, StemmataError

RECORD = "plan.json"
PAN_PC_10 = "pan-pc-10"
"""The name under which the proportions of PAN-PC-10 are known."""


def read_plan_record(path: Path) -> Plan:
    """Read the plan of a corpus from the record that lies in it; where its base lay is not known."""
    said = read_json(path)
    if not isinstance(said, dict):
        raise _refused(path, "it holds no object")
    try:
        return _plan(said)
    except StemmataError as error:
        raise _refused(path, error.finding.message) from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _refused(path, f"{type(error).__name__}: {error}"[:120]) from None


def pan_pc_10() -> Plan:
    """Return the proportions of PAN-PC-10 (COLING 2010, Table 5)."""
    return Plan(base=Path())


def _plan(said: Mapping[str, Any]) -> Plan:
    values: dict[str, Any] = {"base": Path(str(said.get("base", "")))}
    for one in fields(Plan):
        if one.name not in said or one.name == "base":
            continue
        value = said[one.name]
        if one.name in SIZES:
            value = tuple(
                Band(str(name), float(band["share"]), float(band["from"]), float(band["to"]))
                for name, band in value.items()
            )
        elif one.name == "obfuscation":
            value = tuple(
                Obfuscation(
                    str(name), float(way["share"]), str(way["strategy"]), (), tuple(map(str, way["cases"]))
                )
                for name, way in value.items()
            )
        elif one.name == "purpose":
            value = {str(name): float(share) for name, share in value.items()}
        elif one.name in ("intrinsic", "intra"):
            value = float(value)
        elif type(value) is not type(one.default):
            raise ValueError(one.name)
        values[one.name] = value
    return Plan(**values)


def _refused(path: Path, reason: str) -> StemmataError:
    return StemmataError(ErrorCode.BAD_PLAN_RECORD, path, reason=reason)
