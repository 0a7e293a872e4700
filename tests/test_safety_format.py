"""PAN18's folders of verifiers' scores, before and after obfuscation."""

import time

import numpy as np
import pytest

from stemmata.formats.safety import read_safety, skipped_folders
from stemmata.model import StemmataError

RUN = "authorship-verification-{}-run-{}.txt"


@pytest.fixture
def lay_out(write, tmp_path):
    """Write a sound corpus of two problems with the given files over it; None removes a file."""

    def put(files):
        sound = {
            "corpus-truth.txt": "EN1 Y\nEN2 N\n",
            f"corpus/{RUN.format('kocher15', '2016-06-15-12-46-06')}": "EN1 0.9\nEN2 0.2\n",
            "corpus-obfuscationA/kocher15.txt": "EN2 0.1\nEN1 0.4\n",
        }
        for name, text in {**sound, **files}.items():
            if text is not None:
                write(name, text)
        return tmp_path

    return put


def refusal(path):
    with pytest.raises(StemmataError) as caught:
        read_safety(path)
    return caught.value.code, str(caught.value)


def test_scores_are_aligned_with_the_sorted_problems(lay_out):
    (scores,) = read_safety(lay_out({}))
    assert (scores.corpus, scores.problems, scores.truth.tolist()) == (
        "corpus",
        ("EN1", "EN2"),
        [True, False],
    )
    assert {name: row.tolist() for name, row in scores.original.items()} == {"kocher15": [0.9, 0.2]}
    assert scores.obfuscated["A"]["kocher15"].tolist() == [0.4, 0.1]
    assert scores.ignored == 0


def test_a_problem_without_answer_is_nan(lay_out):
    (scores,) = read_safety(lay_out({"corpus/bobicev13.txt": "EN1\nEN2 0.5\n"}))
    np.testing.assert_array_equal(scores.original["bobicev13"], [np.nan, 0.5])


def test_scores_may_lie_outside_the_unit_interval(lay_out):
    (scores,) = read_safety(lay_out({"corpus/bobicev13.txt": "EN1 -0.17\nEN2 3\n"}))
    assert scores.original["bobicev13"].tolist() == [-0.17, 3]


def test_of_two_runs_of_a_verifier_the_latest_counts(lay_out):
    runs = {
        f"corpus/{RUN.format('castro15', '2016-01-01-00-00-00')}": "EN1 0.1\nEN2 0.1\n",
        f"corpus/{RUN.format('castro15', '2016-11-01-00-00-00')}": "EN1 0.3\nEN2 0.3\n",
        f"corpus/{RUN.format('castro15', '2015-12-31-00-00-00')}": "EN1 0.2\nEN2 0.2\n",
    }
    (scores,) = read_safety(lay_out(runs))
    assert sorted(scores.original) == ["castro15", "kocher15"]
    assert scores.original["castro15"].tolist() == [0.3, 0.3]


def test_a_verifier_may_number_the_problems_under_another_letter(lay_out):
    (scores,) = read_safety(lay_out({"corpus/vandam13.txt": "EE2 0.2\nEE1 0.1\n"}))
    assert scores.original["vandam13"].tolist() == [0.1, 0.2]


def test_answers_to_unknown_problems_are_counted_and_ignored(lay_out):
    (scores,) = read_safety(lay_out({"corpus/vandam13.txt": "EN1 0.1\nEN7 0.2\nEN8 0.2\n"}))
    assert scores.ignored == 2
    np.testing.assert_array_equal(scores.original["vandam13"], [0.1, np.nan])


def test_a_line_may_stand_twice_if_it_says_the_same(lay_out):
    (scores,) = read_safety(lay_out({"corpus/nissim15.txt": "EN1 0.1\nEN1 0.1\n"}))
    assert scores.original["nissim15"][0] == 0.1


def test_an_obfuscator_is_called_by_what_follows_the_last_obfuscation(lay_out):
    (scores,) = read_safety(lay_out({"corpus-obfuscation-of-mine/kocher15.txt": "EN1 0.1\n"}))
    assert sorted(scores.obfuscated) == ["-of-mine", "A"]


def test_folders_without_truth_or_obfuscation_are_passed_over_and_named(lay_out):
    path = lay_out(
        {
            "training/kocher15.txt": "X1 0.5",
            "plain-truth.txt": "X1 Y",
            "plain/kocher15.txt": "X1 0.5",
            "blind/kocher15.txt": "X1 0.5",
            "blind-obfuscationA/kocher15.txt": "",
            ".hidden/kocher15.txt": "",
        }
    )
    assert [scores.corpus for scores in read_safety(path)] == ["corpus"]
    assert skipped_folders(path) == {"blind": "truth", "plain": "obfuscation", "training": "truth"}


@pytest.mark.parametrize(
    ("files", "code", "place"),
    [
        ({"corpus-truth.txt": None}, "E612", ""),
        ({"other-obfuscationA/kocher15.txt": "EN1 0.5"}, "E613", "other-obfuscationA"),
        ({"corpus-obfuscationB/readme.md": "nothing"}, "E614", "corpus-obfuscationB"),
        ({"corpus/vandam13.txt": "DE7 0.5\n"}, "E611", "corpus/vandam13.txt"),
        ({"corpus/vandam13.txt": "EN1 0.5\nEN2 x\n"}, "E608", "corpus/vandam13.txt, line 2"),
        ({"corpus/vandam13.txt": ""}, "E610", "corpus/vandam13.txt"),
        ({"corpus-truth.txt": "EN1 Y\nEN2 ?\n"}, "E606", "corpus-truth.txt, line 2"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(tmp_path, lay_out, files, code, place):
    found, message = refusal(lay_out(files))
    assert found == code
    assert f"{code} {tmp_path}{'/' if place else ''}{place}: " in message


def test_an_empty_folder_and_a_file_hold_no_corpus(tmp_path, write):
    assert refusal(tmp_path)[0] == "E612"
    assert refusal(write("file.txt", "x"))[0] == "E612"


def test_faulty_files_can_be_reported_while_the_others_are_read(lay_out):
    findings = []
    path = lay_out(
        {
            "corpus/a.txt": "EN1 x",
            "corpus-obfuscationB/readme.md": "",
            "lost-obfuscationA/a.txt": "EN1 1",
            "corpus-obfuscationC/b.txt": "DE9 1",
        }
    )
    (scores,) = read_safety(path, findings.append)
    assert sorted(finding.kind.code for finding in findings) == ["E608", "E611", "E613", "E614"]
    assert list(scores.original) == ["kocher15"]
    assert sorted(scores.obfuscated) == ["A", "B", "C"]


@pytest.fixture(scope="module")
def pan18(corpus):
    """Read all of PAN18 once; return its corpora by name, and the seconds that took."""
    begin = time.process_time()
    scores = read_safety(corpus("pan18-safety"))
    return {one.corpus: one for one in scores}, time.process_time() - begin


@pytest.mark.corpus
class TestPan18:
    @pytest.mark.parametrize(
        ("name", "problems", "same", "verifiers", "obfuscated"),
        [
            ("pan13-test-dataset", 30, 14, 41, [41, 41, 41, 42, 41, 41, 37]),
            ("pan14-test-dataset-essays", 200, 100, 38, [38, 38, 38, 40, 39, 38, 36]),
            ("pan14-test-dataset-novels", 200, 100, 39, [39, 39, 39, 38, 38, 38, 37]),
            ("pan15-test-dataset", 500, 250, 40, [40, 40, 40, 42, 42, 43, 41]),
        ],
    )
    def test_four_corpora_are_read(self, pan18, name, problems, same, verifiers, obfuscated):
        scores = pan18[0][name]
        assert (len(scores.problems), scores.truth.sum(), len(scores.original)) == (problems, same, verifiers)
        assert "".join(scores.obfuscated) == "ABCDEFG"
        assert [len(verifiers) for verifiers in scores.obfuscated.values()] == obfuscated
        assert scores.ignored == 0

    def test_verifiers_that_renamed_the_essays_are_matched(self, pan18):
        assert np.isfinite(pan18[0]["pan14-test-dataset-essays"].original["vandam13"]).all()

    def test_three_training_folders_are_passed_over(self, corpus):
        assert skipped_folders(corpus("pan18-safety")) == {
            "pan14-training-dataset-essays": "truth",
            "pan14-training-dataset-novels": "truth",
            "pan15-training-dataset": "obfuscation",
        }

    def test_all_is_read_in_a_second_and_a_half(self, pan18):
        assert pan18[1] < 1.5
