"""Matrix products in one thread: the same sums in the same order, and no waiting on a busy machine."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from stemmata.text.extras import require


@cache
def _controller() -> Any:
    # Imported after numpy has loaded its library of matrix products, which is then found.
    return require("threadpoolctl", "a model computed by numpy", "language-model").ThreadpoolController()


def one_thread() -> AbstractContextManager[Any]:
    """Return a context in which numpy computes in one thread."""
    context: AbstractContextManager[Any] = _controller().limit(limits=1, user_api="blas")
    return context
