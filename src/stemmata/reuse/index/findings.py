"""What was wrong with documents: how often, and the first of it, in memory that does not grow with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from stemmata.model import Finding

KEPT = 2000
"""Findings that are kept; of others only their number is known."""


class Findings:
    """The first findings, and the number of all.

    Examples
    --------
    >>> from stemmata.model import ErrorCode
    >>> findings = Findings(most=1)
    >>> for name in ("a", "b", "c"):
    ...     findings.append(Finding.of(ErrorCode.REPEATED_NAME, name=name))
    >>> len(findings), len(list(findings)), findings.untold
    (3, 1, 2)
    """

    def __init__(self, most: int = KEPT) -> None:
        self._most = most
        self._first: list[Finding] = []
        self._count = 0

    def append(self, finding: Finding) -> None:
        """Take one more."""
        self._count += 1
        if len(self._first) < self._most:
            self._first.append(finding)

    def extend(self, others: Findings | Iterable[Finding]) -> None:
        """Take those of others, and count those that these did not keep."""
        for finding in others:
            self.append(finding)
        if isinstance(others, Findings):
            self._count += others.untold

    @property
    def untold(self) -> int:
        """How many were not kept."""
        return self._count - len(self._first)

    def __len__(self) -> int:
        """Return how many there were, kept or not."""
        return self._count

    def __iter__(self) -> Iterator[Finding]:
        """Go through those that were kept."""
        return iter(self._first)
