"""Packages that only some languages need, imported when they are first used."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any

from stemmata.model import ErrorCode, StemmataError


def require(module: str, what: str, extra: str) -> Any:
    """Import a module of an optional package, or say which extra brings it."""
    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise StemmataError(ErrorCode.MISSING_EXTRA, what=what, package=package, extra=extra) from None


def no_tool(tool: str, language: str, known: Iterable[str]) -> StemmataError:
    """Return the error for a language that lacks a tool, with those that have one."""
    choices = ", ".join(known)
    return StemmataError(
        ErrorCode.UNKNOWN_NAME,
        family=f"{tool} for the language",
        name=language,
        guess="",
        remedy=f"choose among the languages {choices}",
    )
