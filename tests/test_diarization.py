"""Author diarization as PAN16 lays it out: who wrote which characters, and what of it is plagiarism."""

import json

import pytest

from stemmata.formats import read_cases
from stemmata.formats.diarization import read_diarizations, write_diarizations
from stemmata.model import StemmataError

TEXT = "Mine, all mine.\nHers.\nHis.\nMine again.\n"
"""Segments: 0–15 and 27–38 mine, 16–21 hers, 22–26 his."""


@pytest.fixture
def problem(write):
    def put(authors, text=TEXT, number=1):
        write(f"pan16/problem-{number}.txt", text)
        said = [[{"from": start, "to": end} for start, end in spans] for spans in authors]
        return write(f"pan16/problem-{number}.truth", json.dumps({"authors": said})).parent

    return put


def texts(one):
    return [one.document[case.suspicious] for case in one.cases]


def test_the_last_offset_belongs_to_its_segment(problem):
    [one] = read_diarizations(problem([[(0, 15), (22, 38)], [(16, 21)]]))
    assert texts(one) == ["Hers.\n"]


def test_all_but_the_author_of_most_characters_are_cases_in_the_order_of_the_text(problem):
    [one] = read_diarizations(problem([[(22, 26)], [(16, 21)], [(27, 38), (0, 15)]]))
    assert one.main == 2
    assert texts(one) == ["Hers.\n", "His.\n"]
    assert [case.attributes["author"] for case in one.cases] == ["2", "1"]
    assert all(case.intrinsic for case in one.cases)


def test_segments_of_one_author_that_touch_are_one_case(problem):
    [one] = read_diarizations(problem([[(0, 15), (27, 38)], [(22, 26), (16, 21)]]))
    assert texts(one) == ["Hers.\nHis.\n"]


def test_problems_come_by_their_numbers(problem):
    for number in (10, 9, 1):
        folder = problem([[(0, 38)]], number=number)
    assert [one.document.name for one in read_diarizations(folder)] == [
        "problem-1.txt",
        "problem-9.txt",
        "problem-10.txt",
    ]


def test_line_ends_and_signs_beyond_ascii_count_one_each(problem):
    [one] = read_diarizations(problem([[(0, 8)], [(9, 13)]], text="Größe\r\n\r“Mine”"))
    assert texts(one) == ["Mine”"]


def test_written_as_a_corpus_the_cases_are_the_same(problem, tmp_path):
    problems = read_diarizations(problem([[(0, 15), (27, 38)], [(16, 21)], [(22, 26)]]))
    clean = read_diarizations(problem([[(0, 38)]], number=2))
    write_diarizations(tmp_path / "corpus", [*problems, clean[1]])
    truth = read_cases(tmp_path / "corpus" / "truth")
    assert list(truth.annotations.cases) == problems[0].cases
    assert truth.documents == {"problem-1.txt", "problem-2.txt"}
    assert (tmp_path / "corpus" / "susp" / "problem-1.txt").read_bytes().decode() == TEXT


@pytest.mark.parametrize(
    ("truth", "says"),
    [
        ("[]", "no list 'authors'"),
        ('{"authors": []}', "no list 'authors'"),
        ('{"authors": [{}]}', "no list of segments"),
        ('{"authors": [[3]]}', "is no segment"),
        ('{"authors": [[{"from": 0}]]}', "is no segment"),
        ('{"authors": [[{"from": true, "to": 4}]]}', "is no segment"),
        ('{"authors": [[{"from": 5, "to": 3}]]}', "5 to 3 is not in the 39 characters"),
        ('{"authors": [[{"from": -1, "to": 3}]]}', "-1 to 3 is not in"),
        ('{"authors": [[{"from": 0, "to": 39}]]}', "0 to 39 is not in"),
        ('{"authors": [[{"from": 0, "to": 9}], [{"from": 9, "to": 12}]]}', "share the character 9"),
    ],
)
def test_a_truth_that_makes_no_sense_is_refused_with_its_place(problem, write, truth, says):
    folder = problem([[(0, 38)]])
    write("pan16/problem-1.truth", truth)
    with pytest.raises(StemmataError, match=r"E741.*problem-1\.truth") as error:
        read_diarizations(folder)
    assert says in str(error.value)


def test_broken_json_and_missing_texts_are_told(problem, write):
    folder = problem([[(0, 38)]])
    write("pan16/problem-2.truth", "{")
    with pytest.raises(StemmataError, match=r"problem-2\.txt"):
        read_diarizations(folder)
    write("pan16/problem-2.txt", "x")
    with pytest.raises(StemmataError, match="E600"):
        read_diarizations(folder)


def test_a_folder_without_problems_is_told(tmp_path):
    with pytest.raises(StemmataError, match="E742"):
        read_diarizations(tmp_path)


@pytest.mark.corpus
def test_the_training_problems_of_task_a(corpus):
    [task] = sorted(corpus("pan16-diarization").glob("**/*problem-a-*"))
    problems = read_diarizations(task)
    assert len(problems) == 71
    assert all(len(one.authors) == 2 and one.main == 0 for one in problems)
    shares = [sum(case.suspicious.length for case in one.cases) / len(one.document) for one in problems]
    assert 0 < min(shares) < max(shares) < 0.3
