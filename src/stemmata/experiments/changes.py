"""How much obfuscators change: words kept, length, pieces, and edits by kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from stemmata.experiments.masking import Masked
from stemmata.text.word_order import common_words


@dataclass(frozen=True)
class Change:
    """How much of texts was changed.

    Attributes
    ----------
    kept
        Share of the words that are still there, in their order.
    length
        Words after over words before.
    pieces
        Share of the pieces in which anything was changed.
    kinds
        Edits by kind, the most frequent first.
    """

    kept: float
    length: float
    pieces: float
    kinds: Mapping[str, int] = field(default_factory=dict)


def change_of(masked: Sequence[Masked]) -> Change:
    """Return how much an obfuscator changed."""
    kept = before = after = pieces = changed = 0
    kinds: Counter[str] = Counter()
    for one in masked:
        for piece in one.pieces:
            old, new = piece.original.split(), piece.obfuscation.split()
            before, after, pieces = before + len(old), after + len(new), pieces + 1
            if old == new:
                kept += len(old)
                continue
            changed += 1
            kept += common_words(old, new)
        kinds.update(one.counts or {})
    ranked = dict(sorted(kinds.items(), key=lambda item: (-item[1], item[0])))
    return Change(kept / max(before, 1), after / max(before, 1), changed / max(pieces, 1), ranked)
