"""What a world ranking is made on: corpora of problems with their truth, and obfuscations made elsewhere."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from zlib import crc32

import numpy as np

from stemmata.experiments.masking import Masked
from stemmata.experiments.problem_sets import (
    MOST_CHARACTERS,
    ProblemSet,
    TrainingSet,
    content_of,
    truth_of,
)
from stemmata.formats.files import is_folder
from stemmata.formats.folders import folders_in
from stemmata.formats.obfuscation import FILE as PIECES
from stemmata.formats.obfuscation import read_obfuscation
from stemmata.formats.verification import check_line_ids, is_problem, match_ids, read_truth
from stemmata.model import Document, ErrorCode, Problem, StemmataError

FOLDS = 5
"""Parts of a set that verifiers are cross-validated on."""
MARK, TRUTH = "-obfuscation", "-truth.txt"
"""What follows the name of a corpus in those of its folders and files."""
TEXTS, PROBLEMS, ADVERSARY, FILE, PAGE = "texts", "problem-sets", "adversary", "ranking.json", "ranking.html"
"""What else a ranking writes into its folder."""
_is_name = re.compile(r"[^\W_][\w.-]{0,99}").fullmatch

Note = Callable[[str], None]
"""Is told what a user should know."""


def checked_name(name: str, what: str) -> str:
    """Return a name if a folder can be called after it."""
    if not _is_name(name) or MARK in name:
        raise StemmataError(ErrorCode.BAD_SYSTEM_NAME, name=name[:80], what=what)
    return name


def _checked_corpus(name: str) -> str:
    """Return the name of a corpus if nothing else in the folder of a ranking is called so."""
    low = checked_name(name, "a corpus").casefold()
    if low in (TEXTS, PROBLEMS, ADVERSARY, FILE, PAGE) or low.endswith(TRUTH):
        raise StemmataError(ErrorCode.RESERVED_NAME, name=name)
    return name


def variant_name(corpus: str, variant: str) -> str:
    """Return what the folder of a corpus is called, as it was or as an obfuscator left it."""
    return f"{corpus}{MARK}{variant}" if variant else corpus


@dataclass(frozen=True)
class RankedCorpus:
    """Problems whose truth is known.

    Attributes
    ----------
    problems
        Those that have texts on both sides and a truth, sorted by id.
    truth
        Whether each is by the same author.
    """

    name: str
    problems: tuple[Problem, ...] = field(repr=False)
    truth: tuple[bool, ...] = field(repr=False)
    notes: tuple[str, ...] = ()

    @classmethod
    def read(cls, path: Path, most_characters: int = MOST_CHARACTERS) -> RankedCorpus:
        """Read problems and their truth; what has no text on both sides, or no truth, is left out.

        Raises
        ------
        StemmataError
            E880 if there is no truth, E621 for an id that answers cannot name, E884 and E889 for a corpus
            that no folder can be called after, or that is called as something else is.
        """
        file = truth_of(path)
        if file is None:
            raise StemmataError(ErrorCode.NO_TRUTH, path)
        given, said = ProblemSet.read(path, most_characters), read_truth(file)
        renamed = match_ids(said, [one.id for one in given.problems], file)
        kept = [one for one in given.problems if one.id in renamed]
        notes = list(given.notes)
        if left := len(given.ids) - len(kept):
            notes.append(f"{left:,} problem{'s' * (left > 1)} left out, without text or truth")
        check_line_ids((one.id for one in kept), path)
        name = _checked_corpus(given.name if is_folder(path) else path.resolve().stem)
        truth = tuple(said[renamed[one.id]] for one in kept)
        return cls(name, tuple(kept), truth, tuple(f"{name}: {note}" for note in notes))

    @cached_property
    def positives(self) -> tuple[Problem, ...]:
        """The problems by the same author, whose unknown texts are to be hidden."""
        return tuple(one for one, same in zip(self.problems, self.truth, strict=True) if same)

    @property
    def content(self) -> list[str]:
        """All that makes the corpus: ids, truth and texts."""
        answers = "".join("NY"[same] for same in self.truth)
        return [answers, *(text for one in self.problems for text in content_of(one))]

    @property
    def said(self) -> dict[str, bool]:
        """The truth by problem."""
        return dict(zip((one.id for one in self.problems), self.truth, strict=True))

    @property
    def units(self) -> dict[str, object]:
        """The unknown text of each problem: problems that share it stand or fall together."""
        return {one.id: one.unknown.text for one in self.problems}

    def variant(self, texts: Mapping[str, str]) -> ProblemSet:
        """Return the whole set with some unknown texts in place of the original ones.

        All problems are shown to verifiers, since some compare each with the others; so did PAN18.
        """
        changed = tuple(_with_text(one, texts.get(one.id)) for one in self.problems)
        empty = {one.id: "the obfuscated text is empty" for one in changed if not one.unknown.text.strip()}
        return ProblemSet(self.name, tuple(one for one in changed if one.id not in empty), empty)

    @cached_property
    def folds(self) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
        """Places of problems to score, and of those to learn from, which share no text with them.

        A fold goes by the first known text, so that the problems of an author mostly stay together.
        """
        fold = [crc32(one.known[0].text.encode("utf-8", "surrogatepass")) % FOLDS for one in self.problems]
        texts = [{*map(_bare, texts_of(one))} for one in self.problems]
        parts = []
        for number in sorted(set(fold)):
            scored = tuple(place for place, one in enumerate(fold) if one == number)
            seen = set[str]().union(*(texts[place] for place in scored))
            apart = tuple(place for place, some in enumerate(texts) if seen.isdisjoint(some))
            parts.append((scored, apart))
        return tuple(parts)


def texts_of(problem: Problem) -> list[str]:
    """Return all texts of a problem."""
    return [*(one.text for one in problem.known), problem.unknown.text]


def _with_text(problem: Problem, text: str | None) -> Problem:
    return problem if text is None else replace(problem, unknown=Document(problem.unknown.name, text))


def read_corpora(path: Path, most_characters: int = MOST_CHARACTERS) -> list[RankedCorpus]:
    """Read one set of problems, or each set of a folder of several.

    Raises
    ------
    StemmataError
        E880 if no set has a truth, E881 if no problem is by the same author, E883 if two have one name.
    """
    paths = [path]
    if is_folder(path) and truth_of(path) is None and not is_problem(path):
        inside = [one for one in folders_in(path) if truth_of(one)]
        paths = inside or paths
    corpora = [RankedCorpus.read(one, most_characters) for one in paths]
    hidden = [one for one in corpora if one.positives]
    names = [one.name.casefold() for one in hidden]
    if twice := next((one.name for one in hidden if names.count(one.name.casefold()) > 1), ""):
        raise StemmataError(ErrorCode.NAME_TAKEN, path, families="corpora", name=twice)
    if not hidden:
        raise StemmataError(ErrorCode.NOTHING_TO_HIDE, path)
    return hidden


def lessons_apart(training: TrainingSet, corpora: Sequence[RankedCorpus]) -> TrainingSet:
    """Return the problems to learn from that share no text with any problem of the corpora, and say so.

    Raises
    ------
    StemmataError
        E893 if those that are left have not both answers.
    """
    seen = {_bare(text) for corpus in corpora for one in corpus.problems for text in texts_of(one)}
    both = list(zip(training.problems, training.truth, strict=True))
    apart = [(one, same) for one, same in both if seen.isdisjoint(map(_bare, texts_of(one)))]
    if len(apart) == len(both):
        return training
    shared = {"shared": len(both) - len(apart), "problems": len(both)}
    if len({same for _, same in apart}) < 2:
        raise StemmataError(ErrorCode.NOTHING_APART, None, **shared)
    note = "{shared:,} of {problems:,} problems to learn from left out, which share texts with ranked ones"
    return TrainingSet(
        tuple(one for one, _ in apart),
        tuple(same for _, same in apart),
        (*training.notes, note.format(**shared)),
    )


def _bare(text: str) -> str:
    return " ".join(text.replace("\ufeff", " ").split())


def lessons_of(
    corpus: RankedCorpus, apart: Sequence[int], texts: Mapping[str, str] | None = None
) -> TrainingSet | None:
    """Return problems of a corpus to learn from, or None if they have not both answers.

    Parameters
    ----------
    apart
        Places of the problems.
    texts
        Obfuscated texts by problem. Each is learned from twice more: beside the author's own texts, and
        beside those of somebody else; otherwise "obfuscated" itself would come to mean "the same author".
    """
    problems = [corpus.problems[place] for place in apart]
    truth = [corpus.truth[place] for place in apart]
    if len(set(truth)) < 2:
        return None
    more, answers = obfuscated_lessons(problems, truth, texts or {})
    return TrainingSet((*problems, *more), (*truth, *answers))


def obfuscated_lessons(
    problems: Sequence[Problem], truth: Sequence[bool], texts: Mapping[str, str]
) -> tuple[list[Problem], list[bool]]:
    """Return obfuscated texts beside known ones of their authors, and of others, with the answers."""
    hidden = [
        _with_text(one, texts[one.id])
        for one, same in zip(problems, truth, strict=True)
        if same and texts.get(one.id, "").strip()
    ]
    original = {one.id: one for one in problems}
    # By text, everything known to be by its author.
    own: dict[str, set[str]] = defaultdict(set)
    for one, same in zip(problems, truth, strict=True):
        if same:
            own[one.unknown.text].update(texts_of(one))
    made: list[Problem] = []
    answers: list[bool] = []
    for place, one in enumerate(hidden):
        made.append(replace(one, id=f"{one.id}/obfuscated"))
        answers.append(True)
        mine = own[original[one.id].unknown.text]
        # Half a round away, so that no neighbour of a sorted set, which may be alike, is taken first.
        turn = [hidden[(place + len(hidden) // 2 + step) % len(hidden)] for step in range(len(hidden))]
        other = next((two for two in turn if mine.isdisjoint(one.text for one in two.known)), None)
        if other is not None:
            made.append(replace(one, id=f"{one.id}/other", known=other.known))
            answers.append(False)
    return made, answers


@dataclass(frozen=True)
class GivenRun:
    """Obfuscations made elsewhere: a folder with a folder per problem, each with obfuscation.json."""

    name: str
    folder: Path

    def masked(self, corpus: RankedCorpus, note: Note = lambda _: None) -> dict[str, Masked]:
        """Return what became of the texts to hide, by problem.

        A problem is found by its id, below a folder of the corpus if there is one; or else by its text, which
        is that of the originals of the pieces, or nearly. Problems that share a text get theirs in turn.
        `note` is told of folders that are called after a problem and hold another text.

        Raises
        ------
        StemmataError
            E885 if a problem has none, E892 if what is in its folder is of another text.
        """
        root = self.folder / corpus.name
        root = root if root.is_dir() else self.folder
        found: dict[str, Masked] = {}
        turns: dict[int, int] = defaultdict(int)
        other: list[str] = []
        for problem in corpus.positives:
            grams = _grams(problem.unknown.text)
            if (root / problem.id / PIECES).is_file():
                masked = _read(root / problem.id)
                if _alike(grams, _grams(masked.original)) >= ALIKE:
                    found[problem.id] = masked
                    continue
                if masked.original.strip():
                    other.append(problem.id)
            groups = self._by_text
            if not groups:
                continue
            best = max(range(len(groups)), key=lambda place: _alike(grams, groups[place][0]))
            if _alike(grams, groups[best][0]) >= ALIKE:
                folders = groups[best][1]
                found[problem.id] = _read(folders[turns[best] % len(folders)])
                turns[best] += 1
        named = {"name": self.name, "corpus": corpus.name}
        if wrong := [one for one in other if one not in found]:
            place = root / wrong[0]
            raise StemmataError(
                ErrorCode.RUN_OF_OTHER_TEXT, place, **named, problem=wrong[0], count=len(wrong)
            )
        if left := [one.id for one in corpus.positives if one.id not in found]:
            details = {"count": len(left), "problems": len(corpus.positives), "problem": left[0]}
            raise StemmataError(ErrorCode.RUN_INCOMPLETE, self.folder, **named, **details)
        if other:
            count = f"{len(other):,} problem{'s' * (len(other) > 1)}"
            note(
                f"{self.name}: {count} of {corpus.name} found by text, since the folder called so "
                f"is of another text, such as {other[0]}"
            )
        return found

    @cached_property
    def _by_text(self) -> list[tuple[frozenset[str], list[Path]]]:
        """All folders with an obfuscation, those of the same text together."""
        made: dict[frozenset[str], list[Path]] = defaultdict(list)
        inside = folders_in(self.folder)
        for folder in [*inside, *(deep for one in inside for deep in folders_in(one))]:
            if (folder / PIECES).is_file():
                made[_grams(_read(folder).original)].append(folder)
        return list(made.items())


ALIKE = 0.8
"""Share of runs of letters that two copies of a text have in common; some systems drop or repeat a little."""
_RUN, _EVERY = 12, 8


def _grams(text: str) -> frozenset[str]:
    """Return runs of letters of a text, white space aside: about one in eight, of a short text all.

    Where they start is decided by the letters there, so that two copies of a text agree on them.
    """
    words = "".join(text.replace("\ufeff", " ").split())
    codes = np.frombuffer(words.encode("utf-32-le", "surrogatepass"), np.uint32)
    places = np.flatnonzero((codes[:-1] * 31 + codes[1:]) % _EVERY == 0).tolist()
    return frozenset(words[at : at + _RUN] for at in places or range(len(words)))


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))


def _read(folder: Path) -> Masked:
    return Masked(tuple(read_obfuscation(folder, numbered=False)))
