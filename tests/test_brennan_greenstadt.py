"""People against verifiers: problems are fair, and what is counted is what it says."""

import numpy as np
import pytest

from stemmata.experiments.brennan_greenstadt import (
    KNOWN,
    Kind,
    resist,
    resistance,
    resistance_figure,
    resistance_table,
    rounds_of,
)
from stemmata.experiments.verifying import Chosen
from stemmata.formats.adversarial import HidingAuthor, Piece, read_hiding_authors
from stemmata.model import Document, ErrorCode, StemmataError


def author(name, pieces=10):
    own = tuple(
        Piece(Document(f"{name}-{i}", f"{name} own {i}"), frozenset({1 if i < KNOWN else 2 + i}))
        for i in range(pieces)
    )
    return HidingAuthor(
        name, own, (Document("o", f"{name} obfuscated"),), (Document("i", f"{name} imitating"),)
    )


AUTHORS = [author(f"author{i:02}") for i in range(12)]


def test_files_are_told_apart_by_their_names(tmp_path):
    for name in (
        "aa_02_1_2.txt",
        "aa_01_1.txt",
        "aa_obfuscation.txt",
        "aa_imitation_01.txt",
        "aa_demographics.txt",
    ):
        (tmp_path / "aa").mkdir(exist_ok=True)
        (tmp_path / "aa" / name).write_text(name, "utf-8")
    (tmp_path / "empty").mkdir()
    (one,) = read_hiding_authors(tmp_path)
    assert [(piece.text.text, piece.documents) for piece in one.own] == [
        ("aa_01_1.txt", {1}),
        ("aa_02_1_2.txt", {1, 2}),
    ]
    assert (one.obfuscated[0].text, one.imitating[0].text) == ("aa_obfuscation.txt", "aa_imitation_01.txt")


def test_a_folder_of_something_else_is_refused(tmp_path):
    with pytest.raises(StemmataError) as caught:
        read_hiding_authors(tmp_path)
    assert caught.value.finding.kind is ErrorCode.NO_HIDING_AUTHORS
    with pytest.raises(StemmataError) as caught:
        read_hiding_authors(tmp_path / "absent")
    assert caught.value.finding.kind is ErrorCode.NO_SUCH_PATH


def test_every_author_is_asked_about_once_and_texts_are_what_their_kind_says():
    rounds = rounds_of(AUTHORS)
    asked = [problem.known[0].text.split()[0] for one in rounds for problem in one.problems]
    assert sorted(set(asked)) == [one.name for one in AUTHORS]
    for one in rounds:
        for problem, kind in zip(one.problems, one.kinds, strict=True):
            writer, what, *_ = problem.unknown.text.split()
            assert (writer == problem.known[0].text.split()[0]) == (not kind.value.startswith("another"))
            assert what == (kind.value.split()[-1] if what != "own" else "own")
    assert rounds == rounds_of(AUTHORS)


def test_nobody_is_an_impostor_of_themselves_and_nothing_asked_about_was_learned_from():
    for one in rounds_of(AUTHORS):
        asked = {problem.known[0].text.split()[0] for problem in one.problems}
        unknown = {problem.unknown.text.split()[0] for problem in one.problems}
        taught = {problem.known[0].text.split()[0] for problem in one.lessons}
        assert not asked & (unknown - asked)
        assert not asked & taught
        for kind, problem in zip(one.kinds, one.problems, strict=True):
            if kind is Kind.OTHER:
                assert problem.unknown.text.split()[0] not in asked | taught
        texts = {problem.unknown.text for problem in one.problems}
        assert not texts & {problem.unknown.text for problem in one.lessons}


def test_known_texts_and_asked_ones_are_from_different_documents():
    mixed = HidingAuthor(
        "mixed",
        tuple(Piece(Document("", f"mixed own {i}"), frozenset({1, 2} if i % 2 else {1})) for i in range(20)),
        (Document("", "mixed obfuscated"),),
        (Document("", "mixed imitating"),),
    )
    assert rounds_of([*AUTHORS, mixed]) == rounds_of(AUTHORS)


def test_shares_are_those_above_the_threshold_of_the_other_rounds():
    kinds = np.array([Kind.OWN, Kind.OTHER, Kind.OBFUSCATED, Kind.OTHER_OBFUSCATED, Kind.IMITATING])
    kinds = np.append(kinds, Kind.OTHER_IMITATING)
    first, second = np.array([0.9, 0.1, 0.6, 0.2, 0.2, 0.3]), np.array([0.8, 0.2, 0.4, 0.5, 0.9, 0.1])
    found = resistance("x", [first, second], [kinds, kinds])
    assert found.recognised[Kind.OWN] == 1.0
    assert found.recognised[Kind.OTHER] == 0.0
    assert found.recognised[Kind.OBFUSCATED] == 0.5
    assert found.recognised[Kind.IMITATING] == 0.5
    assert found.auc == {Kind.OWN: 1.0, Kind.OBFUSCATED: 0.75, Kind.IMITATING: 0.75}


class Names:
    """Recognises whoever signs with their name, and nobody who hides."""

    def score(self, problems):
        return [
            0.9 if one.unknown.text.startswith(one.known[0].text.split()[0] + " own") else 0.1
            for one in problems
        ]


class Fails:
    """Fails."""

    def score(self, problems):
        raise StemmataError(ErrorCode.NOTHING_LEARNED, verifier="fails")


def test_those_who_hide_are_missed_and_the_table_and_figure_say_so(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found, failed = resist(rounds_of(AUTHORS), Chosen({"names": Names(), "fails": Fails()}))
    (one,) = found
    assert set(failed) == {"fails"}
    assert (one.recognised[Kind.OWN], one.recognised[Kind.OBFUSCATED], one.recognised[Kind.OTHER]) == (
        1,
        0,
        0,
    )
    assert one.auc == {Kind.OWN: 1.0, Kind.OBFUSCATED: 0.5, Kind.IMITATING: 0.5}
    assert resistance_table(found).rows[0][0] == "names"
    (panel,) = resistance_figure(found).rows[0]
    assert [(series.label, series.y.tolist()) for series in panel.series] == [
        ("own", [1.0]),
        ("obfuscated", [0.0]),
        ("imitating", [0.0]),
    ]


@pytest.mark.corpus
def test_the_corpus_has_45_authors():
    import os
    from pathlib import Path

    folder = (
        Path(os.environ.get("STEMMATA_DATA", "~/.cache/stemmata-data")).expanduser() / "brennan-greenstadt"
    )
    if not folder.is_dir():
        pytest.skip("the corpus is not here")
    authors = read_hiding_authors(folder)
    assert (len(authors), sum(len(one.own) for one in authors)) == (45, 699)
    assert sum(len(one.problems) for one in rounds_of(authors)) > 300
