"""Work on a Spark cluster: one task for each piece, and results as they come.

Spark decides where a piece is done, and does it again if a machine is lost. Results reach the driver through
an accumulator, which Spark adds to exactly once for each task that succeeds.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from threading import Thread
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar
from uuid import uuid4
from zipimport import zipimporter

import stemmata
from stemmata.model import ErrorCode, StemmataError
from stemmata.spark.session import spark_session

if TYPE_CHECKING:
    from pyspark import Accumulator, Broadcast
    from pyspark.sql import SparkSession

T = TypeVar("T")
Answer = tuple[int, Any, StemmataError | None]
"""The number of a piece, its result, and what went wrong."""

MOST_TASKS = 100_000
"""More pieces than this share tasks: the driver keeps a record of each."""
_LOOK_SECONDS = 0.1

if isinstance(stemmata.__loader__, zipimporter):
    # Executors are given the package as a/./b.zip, and templates are looked for in a/b.zip.
    stemmata.__path__ = [os.path.normpath(path) for path in stemmata.__path__]


class SparkExecutor:
    """Does work on a Spark cluster; see `stemmata.model.executors.Executor`.

    Parameters
    ----------
    url
        Of the cluster, such as ``spark://host:7077`` or ``local[2]``.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self._stack = ExitStack()
        self._session: SparkSession | None = None

    def __enter__(self) -> Self:
        self._session = self._stack.enter_context(spark_session(self.url))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._session = None
        self._stack.__exit__(kind, error, trace)

    @property
    def session(self) -> SparkSession:
        """The session, for work that is Spark's own."""
        if self._session is None:
            raise RuntimeError("the executor has not been entered")
        return self._session

    def completed(
        self,
        function: Callable[..., T],
        work: Sequence[tuple[Any, ...]],
        prepare: Callable[..., None] | None = None,
        arguments: tuple[Any, ...] = (),
    ) -> Iterator[tuple[int, T]]:
        """Call a function with each of some arguments; yield number and result as they come.

        Raises
        ------
        StemmataError
            That of the piece that failed first, or E803 if it failed otherwise.
        """
        if not work:
            return
        from pyspark import AccumulatorParam, InheritableThread

        class Joined(AccumulatorParam[list[Answer]]):
            def zero(self, value: list[Answer]) -> list[Answer]:
                return []

            def addInPlace(self, value1: list[Answer], value2: list[Answer]) -> list[Answer]:  # noqa: N802
                value1.extend(value2)
                return value1

        context = self.session.sparkContext
        group = uuid4().hex
        answers: Accumulator[list[Answer]] = context.accumulator([], Joined())
        shared = context.broadcast((function, prepare, arguments))
        pieces = context.parallelize(list(enumerate(work)), min(len(work), MOST_TASKS))
        failed: list[Exception] = []

        def run() -> None:
            context.setJobGroup(group, "stemmata", interruptOnCancel=True)
            try:
                pieces.foreach(_Call(group, shared, answers))
            except Exception as error:
                failed.append(error)

        thread: Thread = InheritableThread(target=run, daemon=True)
        thread.start()
        seen = 0
        try:
            while True:
                ended = not thread.is_alive()
                value = answers.value
                for number, result, error in value[seen:]:
                    seen += 1
                    if error is not None:
                        raise error
                    yield number, result
                if ended:
                    break
                thread.join(_LOOK_SECONDS)
            if failed or seen < len(work):
                raise _explained(self.url, failed)
        finally:
            if thread.is_alive():
                context.cancelJobGroup(group)
                thread.join()
            shared.unpersist()


@dataclass(frozen=True)
class _Call:
    """What executors do with a piece."""

    group: str
    shared: Broadcast[tuple[Callable[..., Any], Callable[..., None] | None, tuple[Any, ...]]]
    answers: Accumulator[list[Answer]]

    def __call__(self, piece: tuple[int, tuple[Any, ...]]) -> None:
        number, arguments = piece
        function, prepare, preparation = self.shared.value
        try:
            if prepare is not None and self.group not in _prepared:
                prepare(*preparation)
                _prepared.add(self.group)
            answer: Answer = (number, function(*arguments), None)
        except StemmataError as error:
            # An exception would arrive as text, and only after several attempts.
            answer = (number, None, error)
        self.answers.add([answer])


_prepared: set[str] = set()
"""In a Python process of an executor: the work it has been prepared for."""


def _explained(url: str, failed: list[Exception]) -> StemmataError:
    """Return the error for work that failed: the last line of a traceback, or else what Spark says first."""
    said = str(failed[0]) if failed else "some results did not arrive"
    found = re.search(r"Traceback \(most recent call last\):\n(?:[ \t].*\n)+(\S.*)", said) or re.search(
        r"(?:failure|SparkException|Exception): *(\S.*)", said
    )
    reason = found[1] if found else said.strip().partition("\n")[0]
    return StemmataError(ErrorCode.CLUSTER_FAILED, url, reason=reason[:300])
