"""Work that may fail, of which a run must learn why, and go on."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from typing import TypeVar

from stemmata.model import ErrorCode, StemmataError

T = TypeVar("T")
_LONGEST = 200


def guarded(work: Callable[[], T], failed: Callable[[str], StemmataError]) -> T | str:
    """Return what comes of work, or in words why nothing does.

    With STEMMATA_DEBUG set, warnings are shown, and what nobody foresaw is raised.

    Parameters
    ----------
    work
        What to do.
    failed
        The error for what nobody foresaw, given the reason.

    Examples
    --------
    >>> guarded(lambda: 1 / 0, lambda why: StemmataError(ErrorCode.VERIFIER_FAILED, verifier="x", reason=why))
    'E823 x failed: ZeroDivisionError: division by zero (leave it out, or tell whoever offers it)'
    """
    debug = bool(os.environ.get("STEMMATA_DEBUG"))
    try:
        with warnings.catch_warnings():
            if not debug:
                warnings.simplefilter("ignore")
            return work()
    except StemmataError as error:
        return str(error)
    except MemoryError:
        return str(StemmataError(ErrorCode.OUT_OF_MEMORY))
    except Exception as error:
        if debug:
            raise
        return str(failed(" ".join(f"{type(error).__name__}: {error}".split())[:_LONGEST]))
