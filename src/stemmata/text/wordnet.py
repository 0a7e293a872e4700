"""WordNet: words of a meaning, and meanings near by, read from the files of the database itself.

The files are those of WordNet 3, as Debian's package wordnet-base installs them; their format is told in
the manual pages ``wndb(5)`` and ``morphy(7)``. They are mapped into memory, and only the first word of every
block is read before a word is looked up.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache, cached_property, lru_cache
from mmap import mmap
from pathlib import Path
from typing import NamedTuple

from stemmata.model import ErrorCode, StemmataError
from stemmata.text.mapped import map_file

VARIABLE = "STEMMATA_WORDNET"
"""The environment variable that names another folder of database files."""
_USUAL = Path("/usr/share/wordnet")
_PACKAGE = "wordnet-base"
_KEPT = 1 << 16
_BLOCK = 1 << 13
_LONGEST = 128
"""No word of WordNet is longer."""

PARTS = {"NOUN": "noun", "VERB": "verb", "ADJ": "adj", "ADV": "adv"}
"""Parts of speech by their universal names, and the files of each."""
_EXPRESSION = re.compile(r"^[^\s_]+_\S*", re.MULTILINE)
_COUNTS = "cntlist.rev"
_KINDS = {"NOUN": "1", "VERB": "2", "ADJ": "35", "ADV": "4"}
"""Numbers of the parts of speech in the keys of senses; adjectives have two."""
_DEEPEST = 64
"""More steps than any way up has: what has more goes in a circle."""
_PART_OF = {"n": "NOUN", "v": "VERB", "a": "ADJ", "s": "ADJ", "r": "ADV"}

# The endings that morphy(7) takes off, with what it puts there instead.
_ENDINGS: dict[str, tuple[tuple[str, str], ...]] = {
    "NOUN": (("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
             ("men", "man"), ("ies", "y")),
    "VERB": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"),
             ("ing", "")),
    "ADJ": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "ADV": (),
}  # fmt: skip


class Pointer(NamedTuple):
    """A relation to another synset.

    Attributes
    ----------
    symbol
        Such as ``"@"`` for a hypernym.
    part, offset
        The synset it points to.
    source, target
        Numbers of the words that are related, from 1; 0 where the meanings are, not the words.
    """

    symbol: str
    part: str
    offset: int
    source: int
    target: int


class Synset(NamedTuple):
    """The words of one meaning.

    Attributes
    ----------
    part, offset
        Part of speech, and the place in its data file, which make the synset's name.
    words
        As they are written, such as ``"domestic dog"``.
    pointers
        Relations to other synsets.
    gloss
        What it means, and examples.
    frames
        Of a verb, the sentences it goes into, by their numbers in ``wninput(5)``, each with the number of
        the word it is told of, from 1, or 0 for all words.
    """

    part: str
    offset: int
    words: tuple[str, ...]
    pointers: tuple[Pointer, ...]
    gloss: str
    frames: tuple[tuple[int, int], ...] = ()

    @property
    def definition(self) -> str:
        """The gloss without its examples."""
        return self.gloss.partition('; "')[0].strip(" ;")

    def frames_of(self, word: str) -> frozenset[int]:
        """Return the numbers of the sentences that a word of a verb's meaning goes into."""
        shown = word.replace("_", " ").lower()
        numbers = {0, *(n for n, one in enumerate(self.words, 1) if one.lower() == shown)}
        return frozenset(frame for frame, number in self.frames if number in numbers)


class _Senses(NamedTuple):
    """What the index says of a word: how many of its senses were annotated, and where they all are."""

    annotated: int
    offsets: tuple[int, ...]


class _SortedLines:
    """Lines in the order of their first words, found by the first line of each block."""

    def __init__(self, file: mmap | bytes) -> None:
        self._file = file
        self._starts: list[int] = []
        self._keys: list[bytes] = []
        start = 0
        while start < len(file):
            self._starts.append(start)
            self._keys.append(file[start : start + _LONGEST].partition(b" ")[0])
            end = file.find(b"\n", start + _BLOCK)
            start = end + 1 if end >= 0 else len(file)

    def line(self, key: bytes) -> bytes | None:
        """Return the line that begins with a key, or None."""
        block = bisect_right(self._keys, key) - 1
        if block < 0:
            return None
        if self._keys[block] == key:
            start = self._starts[block]
        else:
            after = self._starts[block + 1] if block + 1 < len(self._starts) else len(self._file)
            start = self._file.find(b"\n" + key + b" ", self._starts[block], after) + 1
            if not start:
                return None
        end = self._file.find(b"\n", start)
        return self._file[start : end if end >= 0 else len(self._file)]

    def lines(self, prefix: bytes) -> list[bytes]:
        """Return the lines that begin so, if they begin within a block of where they are looked for."""
        block = max(bisect_right(self._keys, prefix) - 1, 0)
        if not self._keys:
            return []
        start = self._starts[block]
        after = self._starts[block + 2] if block + 2 < len(self._starts) else len(self._file)
        if self._file[start : start + len(prefix)] != prefix:
            start = self._file.find(b"\n" + prefix, start, after) + 1
            if not start:
                return []
        found = []
        while self._file[start : start + len(prefix)] == prefix:
            end = self._file.find(b"\n", start)
            end = end if end >= 0 else len(self._file)
            found.append(self._file[start:end])
            start = end + 1
        return found


class WordNet:
    """The database in a folder.

    Parameters
    ----------
    folder
        Where the files are; without it that of Debian, or the one named by ``STEMMATA_WORDNET``.
        See `wordnet` for one that is kept.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or wordnet_folder()
        for part in PARTS.values():
            for name in (f"index.{part}", f"data.{part}", f"{part}.exc"):
                if not (self.folder / name).is_file():
                    raise StemmataError(
                        ErrorCode.MISSING_DATA,
                        self.folder / name,
                        what="WordNet",
                        package=_PACKAGE,
                        variable=VARIABLE,
                    )
        self._file = cache(lambda name: map_file(folder / name))
        self._sorted = cache(self._lines)
        self._index = lru_cache(_KEPT)(self._read_index)
        self._synset = lru_cache(_KEPT)(self._read_synset)
        self._count = lru_cache(_KEPT)(self._read_counts)
        self._ways = lru_cache(_KEPT)(self._find_ways)
        self._depth = lru_cache(_KEPT)(self._find_depth)

    def synsets(self, lemma: str, part: str) -> tuple[Synset, ...]:
        """Return the meanings of a word, the most frequent first; none for a word that is not listed.

        Parameters
        ----------
        lemma
            The word as a dictionary lists it, in any case.
        part
            ``"NOUN"``, ``"VERB"``, ``"ADJ"`` or ``"ADV"``.
        """
        return tuple(self.synset(part, offset) for offset in self._senses(lemma, part).offsets)

    def is_common(self, lemma: str, part: str) -> bool:
        """Return whether some meaning of a word occurs in the texts that WordNet's makers annotated."""
        return self._senses(lemma, part).annotated > 0

    def counts(self, lemma: str, part: str) -> tuple[int, ...]:
        """Return how often each meaning of a word occurs in the annotated texts, in the order of `synsets`.

        The numbers are in ``cntlist.rev``, see ``cntlist(5)``; where there is no such file, an annotated
        meaning counts once.
        """
        return self._count(lemma.lower().replace(" ", "_"), part)

    def synset(self, part: str, offset: int) -> Synset:
        """Return the synset at a place of a part of speech's data file."""
        return self._synset(part, offset)

    def antonyms(self, lemma: str, synset: Synset) -> tuple[str, ...]:
        """Return the words that mean the opposite of a word in one of its meanings."""
        shown = lemma.replace("_", " ").lower()
        numbers = {n for n, word in enumerate(synset.words, 1) if word.lower() == shown}
        found = []
        for pointer in synset.pointers:
            if pointer.symbol == "!" and pointer.source in numbers:
                words = self.synset(pointer.part, pointer.offset).words
                found += list(words[pointer.target - 1 : pointer.target])
        return tuple(found)

    def hypernyms(self, synset: Synset) -> tuple[Synset, ...]:
        """Return the next more general meanings."""
        return tuple(self._related(synset, "@"))

    def hyponyms(self, synset: Synset) -> tuple[Synset, ...]:
        """Return the next more special meanings; those of verbs are called troponyms."""
        return tuple(self._related(synset, "~"))

    def similar(self, synset: Synset) -> tuple[Synset, ...]:
        """Return the meanings near an adjective's."""
        return tuple(self._related(synset, "&"))

    def similarity(self, one: Synset, other: Synset) -> float:
        r"""Return how near two meanings are in the hierarchy, after Wu and Palmer: 1 is the same, 0 nothing.

        .. math:: \max_c 2 d(c) / (l(a, c) + l(b, c) + 2 d(c))

        over the meanings c above both (a meaning is above itself), where l counts the steps up on the
        shortest way, and d the meanings on the longest way from c to a top, both ends included. Nouns have
        one top, *entity*; verbs have hundreds, and one more is thought above them all.
        Adjectives have no hierarchy: the head of a cluster stands one step above those similar to it, and
        nothing above a head. Adverbs are like themselves only, and so are different parts of speech unlike.
        A circle in the files is measured by the shortest way up.

        Wu and Palmer: Verb Semantics and Lexical Selection, ACL 1994, section 4.2.
        """
        if one.part != other.part:
            return 0.0
        first, second = self._ways(one.part, one.offset), self._ways(one.part, other.offset)
        found = [
            2 * depth / (first[offset] + second[offset] + 2 * depth)
            for offset in first.keys() & second.keys()
            for depth in [self._depth(one.part, offset)]
        ]
        return max(found, default=0.0)

    @cached_property
    def expressions(self) -> frozenset[str]:
        """All listed words of more than one part, such as ``"take place"``, in lower case."""
        found: set[str] = set()
        for part in PARTS.values():
            keys = _EXPRESSION.findall(bytes(self._file(f"index.{part}")).decode("ascii", "replace"))
            found.update(key.replace("_", " ") for key in keys)
        return frozenset(found)

    def lemmas(self, form: str, part: str) -> tuple[str, ...]:
        """Return the listed words of which this is a form, as WordNet's morphy finds them."""
        form = form.lower()
        exceptions = self._entry(f"{PARTS[part]}.exc", form)
        if exceptions:
            return tuple(word.replace("_", " ") for word in exceptions[1:])
        stems = [form[: -len(end)] + new for end, new in _ENDINGS[part] if form.endswith(end)]
        found = [word for word in [form, *stems] if self._senses(word, part).offsets]
        return tuple(dict.fromkeys(found))

    def _above(self, part: str, offset: int) -> list[int]:
        """Return the meanings one step up; the thought top of the verbs is 0, where no synset is."""
        if not offset:
            return []
        pointers = self.synset(part, offset).pointers
        if part == "ADJ":
            # Of two that are similar the head is the one with antonyms, and has many similar to it.
            near = [pointer.offset for pointer in pointers if pointer.symbol == "&"]
            return near if len(near) == 1 and not any(one.symbol == "!" for one in pointers) else []
        above = [one.offset for one in pointers if one.symbol in ("@", "@i") and one.part == part]
        return above or ([0] if part == "VERB" else [])

    def _find_ways(self, part: str, offset: int) -> dict[int, int]:
        """Return the meanings above one, itself included, with the steps to each."""
        found = {offset: 0}
        row = [offset]
        while row:
            row = [above for below in row for above in self._above(part, below) if above not in found]
            found |= dict.fromkeys(row, max(found.values()) + 1)
        return found

    def _find_depth(self, part: str, offset: int) -> int:
        """Return how many meanings are on the longest way up to a top."""
        depth, row = 0, {offset}
        while row and depth < _DEEPEST:
            depth += 1
            row = {above for below in row for above in self._above(part, below)}
        return depth if not row else max(self._ways(part, offset).values()) + 1

    def _read_counts(self, key: str, part: str) -> tuple[int, ...]:
        senses = self._senses(key, part)
        if not (self.folder / _COUNTS).is_file():
            return tuple(int(n < senses.annotated) for n in range(len(senses.offsets)))
        counts = [0] * len(senses.offsets)
        for kind in _KINDS[part] if counts else ():
            for line in self._sorted(_COUNTS).lines(f"{key}%{kind}:".encode()):
                try:
                    _, number, count = line.split()
                    # The list tells of some meanings that the index has no more.
                    if 0 < int(number) <= len(counts):
                        counts[int(number) - 1] = int(count)
                except ValueError:
                    reason = f"bad entry of {key!r}"
                    path = self.folder / _COUNTS
                    raise StemmataError(ErrorCode.BAD_WORDNET, path, reason=reason) from None
        return tuple(counts)

    def _related(self, synset: Synset, symbol: str) -> Iterator[Synset]:
        for pointer in synset.pointers:
            if pointer.symbol == symbol:
                yield self.synset(pointer.part, pointer.offset)

    def _senses(self, lemma: str, part: str) -> _Senses:
        return self._index(lemma.lower().replace(" ", "_"), part)

    def _read_index(self, key: str, part: str) -> _Senses:
        name = f"index.{PARTS[part]}"
        entry = self._entry(name, key)
        if entry is None:
            return _Senses(0, ())
        try:
            # lemma, part, senses, pointer symbols, senses again, how many were annotated, offsets
            senses, symbols = int(entry[2]), int(entry[3])
            if senses < 1 or len(entry) != 6 + symbols + senses:
                raise ValueError
            return _Senses(int(entry[5 + symbols]), tuple(map(int, entry[-senses:])))
        except (ValueError, IndexError):
            reason = f"bad entry of {key!r}"
            raise StemmataError(ErrorCode.BAD_WORDNET, self.folder / name, reason=reason) from None

    def _entry(self, name: str, key: str) -> tuple[str, ...] | None:
        """Return the fields of the line that begins with a key."""
        if not key.isascii() or not 0 < len(key) <= _LONGEST or not key.isprintable() or " " in key:
            return None
        line = self._sorted(name).line(key.encode())
        return None if line is None else tuple(line.decode("ascii", "replace").split())

    def _lines(self, name: str) -> _SortedLines:
        return _SortedLines(self._file(name))

    def _read_synset(self, part: str, offset: int) -> Synset:
        name = f"data.{PARTS[part]}"
        file = self._file(name)
        end = file.find(b"\n", offset) if offset >= 0 else offset
        line = file[offset : end if end >= 0 else len(file)].decode("ascii", "replace")
        numbers, _, gloss = line.partition("|")
        fields = numbers.split()
        try:
            if int(fields[0]) != offset:
                raise ValueError
            # The number of words is hexadecimal, that of pointers decimal.
            words = int(fields[3], 16)
            first = 5 + 2 * words
            pointers = [
                Pointer(symbol, _PART_OF[kind], int(at), int(ends[:2], 16), int(ends[2:], 16))
                for symbol, at, kind, ends in (
                    fields[n : n + 4] for n in range(first, first + 4 * int(fields[first - 1]), 4)
                )
            ]
            # "+ frame word" each, behind their number
            told = fields[first + 4 * len(pointers) + 1 :]
            frames = tuple((int(told[n + 1]), int(told[n + 2], 16)) for n in range(0, len(told), 3))
        except (ValueError, IndexError, KeyError):
            reason = f"no synset at {offset}"
            raise StemmataError(ErrorCode.BAD_WORDNET, self.folder / name, reason=reason) from None
        shown = [word.partition("(")[0].replace("_", " ") for word in fields[4 : first - 1 : 2]]
        return Synset(part, offset, tuple(shown), tuple(pointers), gloss.strip(), frames)


def wordnet_folder() -> Path:
    """Return where it is looked for."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else _USUAL


@cache
def _kept(folder: Path) -> WordNet:
    return WordNet(folder)


def wordnet() -> WordNet:
    """Return the installed WordNet, the same one each time.

    Raises
    ------
    StemmataError
        E504 where it is not installed.

    Examples
    --------
    >>> dog = wordnet().synsets("dog", "NOUN")[0]  # doctest: +SKIP
    >>> dog.words, wordnet().hypernyms(dog)[0].words  # doctest: +SKIP
    (('dog', 'domestic dog', 'Canis familiaris'), ('canine', 'canid'))
    """
    return _kept(wordnet_folder())
