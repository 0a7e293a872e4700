"""Where work is done if not in processes of this machine: on a cluster, for instance.

Code that has much to do hands it to `stemmata.model.processes.Processes`. Whoever calls that code may say
that, meanwhile, all of it goes elsewhere; the code itself knows nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any, Protocol, TypeVar

from stemmata.model.registry import Registry

T = TypeVar("T")


class Executor(Protocol):
    """Does pieces of work in whatever order, each once or, if a machine is lost, again.

    So a piece must give the same result each time. Results come back to where the work was given; what is
    written goes to storage that all machines share.
    """

    def completed(
        self,
        function: Callable[..., T],
        work: Sequence[tuple[Any, ...]],
        prepare: Callable[..., None] | None = None,
        arguments: tuple[Any, ...] = (),
    ) -> Iterator[tuple[int, T]]:
        """Call a function with each of some arguments; yield number and result as they come.

        Each process that takes part calls ``prepare(*arguments)`` before its first piece.
        """
        ...


executors: Registry[Callable[[str], AbstractContextManager[Executor]]] = Registry(
    "executor", {"spark": "stemmata.spark.executor:SparkExecutor"}
)
"""Executors by name; calling one with an address and entering it makes it ready."""

_current: ContextVar[Executor | None] = ContextVar("executor", default=None)


def current_executor() -> Executor | None:
    """Return who does the work at present; None stands for processes of this machine."""
    return _current.get()


@contextmanager
def work_on(executor: Executor | None) -> Iterator[None]:
    """Have all work that comes up meanwhile done by an executor; None stands for this machine."""
    token = _current.set(executor)
    try:
        yield
    finally:
        _current.reset(token)


@contextmanager
def work_on_spark(url: str | None) -> Iterator[None]:
    """Have all work that comes up meanwhile done on a Spark cluster; without an address, on this machine."""
    if url is None:
        yield
        return
    with executors["spark"](url) as executor, work_on(executor):
        yield
