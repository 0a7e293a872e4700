"""Many small matrix products: in one thread, since several would only wait for one another."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from stemmata.model import StemmataError
from stemmata.text.one_thread import one_thread


def small_matrices() -> AbstractContextManager[Any]:
    """Return a context in which numpy computes in one thread, if that can be had here.

    A product of some dozen rows takes less time than it takes to wake a second thread, and that thread is
    another process's when verifiers run side by side.
    """
    try:
        return one_thread()
    except StemmataError:
        return nullcontext()
