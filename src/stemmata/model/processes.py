"""Work in several processes: one mechanism for all that runs in parallel.

Which process does what, and in which order things are done, is up to chance; so whatever is run here
must not depend on it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import Pipe, connection, parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from signal import (
    SIG_BLOCK,
    SIG_IGN,
    SIG_SETMASK,
    SIGHUP,
    SIGINT,
    SIGTERM,
    SIGUSR1,
    getsignal,
    pthread_kill,
    pthread_sigmask,
    raise_signal,
    signal,
    sigwait,
)
from threading import Thread, current_thread, main_thread
from time import sleep
from types import TracebackType
from typing import Any, Self, TypeVar

from stemmata.model.errors import ErrorCode, StemmataError
from stemmata.model.executors import current_executor

T = TypeVar("T")
_LAST_WORDS = 3.0
"""Seconds that a process has to clear up when the one that started it is gone or has no more use for it."""

_ENDINGS: set[int] = {SIGINT, SIGTERM, SIGHUP}
"""What ends a program: its user, another program, or that its terminal is closed."""


class _Worker(SpawnProcess):
    """A process that ends without complaint when the one that began it has gone in the midst of a message."""

    def run(self) -> None:
        """Take work until there is none; what goes wrong in the work itself is sent back, not raised here."""
        with suppress(EOFError, OSError):
            super().run()


class _Context(SpawnContext):
    Process = _Worker


class Processes:
    """Some processes that stay until all work is done; with one job, there is only this one.

    Processes end with the one that started them, even if that is killed, and at once where the work is
    broken off by an error or by the user. Where another executor was put in charge
    (`stemmata.model.executors.work_on`), the work goes there.

    Parameters
    ----------
    jobs
        Number of processes.
    prepare, arguments
        Called once in each process, before the first piece of work.

    Examples
    --------
    >>> with Processes(1) as processes:
    ...     sorted(processes.completed(divmod, [(7, 2), (9, 4)]))
    [(0, (3, 1)), (1, (2, 1))]
    """

    def __init__(
        self, jobs: int, prepare: Callable[..., None] | None = None, arguments: tuple[Any, ...] = ()
    ) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._jobs = jobs
        self._executor = current_executor()
        self._preparation = (prepare, arguments)
        if self._executor is not None:
            return
        if jobs > 1:
            # They end when this end of the pipe is closed, by whatever closes it.
            lasts, self._lasts = Pipe(duplex=False)
            # Fresh processes inherit no locks or threads, whatever the caller has running.
            with _uninterrupted():
                self._pool = ProcessPoolExecutor(
                    jobs, _Context(), initializer=_start, initargs=(lasts, prepare, arguments)
                )
        elif prepare:
            prepare(*arguments)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=kind is None, cancel_futures=True)
            self._lasts.close()

    def completed(
        self,
        function: Callable[..., T],
        work: Sequence[tuple[Any, ...]],
        name: Callable[..., str] | None = None,
    ) -> Iterator[tuple[int, T]]:
        """Call a function with each of some arguments; yield number and result as they come.

        Parameters
        ----------
        function, work
            Both must be such that they can travel to another process.
        name
            Called with the arguments of a piece; says what it is about, should a process die of it.

        Raises
        ------
        StemmataError
            E675 if a process was killed; it names the pieces that were at work, of which one may be why.
        """
        if self._executor is not None:
            yield from self._executor.completed(function, work, *self._preparation)
            return
        if self._pool is None:
            for number, arguments in enumerate(work):
                yield number, function(*arguments)
            return
        left = dict(enumerate(work))
        try:
            with _uninterrupted():
                pending: dict[Future[T], int] = {
                    _submitted(self._pool, function, arguments): number
                    for number, arguments in enumerate(work)
                }
            while pending:
                done = wait(pending, return_when=FIRST_COMPLETED).done
                # What was done before another process died is not lost.
                for future in sorted(done, key=lambda one: one.exception() is not None):
                    result = future.result()
                    number = pending.pop(future)
                    del left[number]
                    yield number, result
        except BrokenProcessPool:
            # Pieces are begun in their order.
            begun = [name(*left[number]) for number in sorted(left)[: self._jobs]] if name else []
            at_work = f"; it was at work on {' or '.join(begun)}" if begun else ""
            raise StemmataError(ErrorCode.PROCESS_DIED, at_work=at_work) from None


def _submitted(
    pool: ProcessPoolExecutor, function: Callable[..., T], arguments: tuple[Any, ...]
) -> Future[T]:
    try:
        return pool.submit(function, *arguments)
    except OSError as error:
        # A pool whose processes die while it takes in work has closed its pipe already.
        if error.errno is None:
            raise BrokenProcessPool from None
        raise


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Put off what would end this process, and for good in all processes that are started here.

    A terminal interrupts all processes at once, and so may whoever ends a service; but it is for the first
    of them to end the others. A process that is started while its parent ends would complain of that.
    """
    mask = pthread_sigmask(SIG_BLOCK, _ENDINGS)
    came: list[int] = []
    handlers = {}
    # Where libraries have threads of their own, those do not block the signals.
    if current_thread() is main_thread():
        known = {number: getsignal(number) for number in _ENDINGS}
        handlers = {number: one for number, one in known.items() if one not in (None, SIG_IGN)}
    for number in handlers:
        signal(number, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal(number, handler)
        pthread_sigmask(SIG_SETMASK, mask)
        for number in came:
            raise_signal(number)


def _start(
    lasts: connection.Connection, prepare: Callable[..., None] | None, arguments: tuple[Any, ...]
) -> None:
    Thread(target=_end_with_parent, args=(lasts,), daemon=True).start()
    Thread(target=_end_when_asked, daemon=True).start()
    if prepare:
        prepare(*arguments)
    # Until here there is nothing to clear away, and the signal ends the process.
    signal(SIGUSR1, _leave)


def _end_with_parent(lasts: connection.Connection) -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel, lasts])
        _end()


def _end_when_asked() -> None:
    """End in the same way when another program wants this process to; it has inherited that it is put off."""
    sigwait({number for number in _ENDINGS - {SIGINT} if getsignal(number) != SIG_IGN})
    _end()


def _end() -> None:
    # What is half written is cleared away, unless that takes long.
    pthread_kill(main_thread().ident or 0, SIGUSR1)
    sleep(_LAST_WORDS)
    os._exit(1)


def _leave(number: int, frame: object) -> None:
    raise SystemExit(1)
