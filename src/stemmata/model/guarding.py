"""Work of systems that others may have written: what it raises is one error that names the system."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from typing import TypeVar

from stemmata.model.errors import ErrorCode, StemmataError

T = TypeVar("T")
_LONGEST = 200


def attempt(work: Callable[[], T], failed: Callable[[str], StemmataError]) -> T:
    """Return what comes of work; whatever it raises becomes an error with a code.

    With STEMMATA_DEBUG set, warnings are shown, and what nobody foresaw is raised as it is.

    Parameters
    ----------
    work
        What to do.
    failed
        The error for what nobody foresaw, given the reason.
    """
    debug = bool(os.environ.get("STEMMATA_DEBUG"))
    try:
        with warnings.catch_warnings():
            if not debug:
                warnings.simplefilter("ignore")
            return work()
    except (StemmataError, KeyboardInterrupt, GeneratorExit):
        raise
    except MemoryError:
        raise StemmataError(ErrorCode.OUT_OF_MEMORY) from None
    # Some libraries raise what is no Exception, and a system may call sys.exit.
    except BaseException as error:
        if debug:
            raise
        raise failed(reason_of(error)) from error


def reason_of(error: BaseException) -> str:
    r"""Return in one short line what an exception says.

    Examples
    --------
    >>> reason_of(ValueError("two\nlines")), reason_of(RuntimeError())
    ('ValueError: two lines', 'RuntimeError')
    """
    return " ".join(f"{type(error).__name__}: {error}".split())[:_LONGEST].removesuffix(":")


def guarded(work: Callable[[], T], failed: Callable[[str], StemmataError]) -> T | str:
    """Return what comes of work, or in words why nothing does, as `attempt` has it.

    Examples
    --------
    >>> guarded(lambda: 1 / 0, lambda why: StemmataError(ErrorCode.VERIFIER_FAILED, verifier="x", reason=why))
    'E823 x failed: ZeroDivisionError: division by zero (leave it out, or tell whoever offers it)'
    """
    try:
        return attempt(work, failed)
    except StemmataError as error:
        return str(error)
