"""Intrinsic detectors: a stranger's chapter is found, one hand is left alone, and nothing breaks them."""

import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hands import hand
from stemmata.cli import status_of
from stemmata.formats import read_detections
from stemmata.formats.diarization import read_diarizations
from stemmata.measures.evaluation import score_alignment
from stemmata.model import (
    Annotations,
    Case,
    Detection,
    Document,
    IntrinsicDetector,
    Passage,
    SpanSet,
    StemmataError,
)
from stemmata.model.parameters import declared, parameters_of, with_parameters
from stemmata.reuse import detection, intrinsic_detectors
from stemmata.reuse.intrinsic import surprise
from stemmata.reuse.intrinsic.evidence import FEATURES, gather, parts
from stemmata.reuse.intrinsic.neighbourhood import Occurrences, fold, surprises
from stemmata.reuse.intrinsic.oberreuter import Oberreuter2011, deviation
from stemmata.reuse.intrinsic.segmentation import best_runs
from stemmata.reuse.intrinsic.stamatatos import Stamatatos2009, letter_grams, style_change
from stemmata.reuse.intrinsic.surprise import Opinion, StemmataIntrinsic
from stemmata.reuse.intrinsic.training import Example, adapt, fit
from stemmata.text.sentences import find_sentences

NAMES = ("oberreuter-2011", "stamatatos-2009", "stemmata-intrinsic")


@pytest.fixture(scope="module")
def mine():
    return hand(1, "ba len tor mi sun ka der fo", 40_000)


@pytest.fixture(scope="module")
def stranger():
    return hand(2, "zhu wy xop qui vrae jlo psy gno", 5_000, mean=30)


@pytest.fixture(scope="module")
def mixed(mine, stranger):
    place = mine.index(". ", 18_000) + 2
    return Document("mixed.txt", mine[:place] + stranger + mine[place:]), place, place + len(stranger)


@pytest.mark.parametrize("name", NAMES)
def test_a_strangers_chapter_in_the_middle_is_found(name, mixed):
    document, start, end = mixed
    detector = intrinsic_detectors[name]()
    assert isinstance(detector, IntrinsicDetector)
    found = SpanSet((one.suspicious.offset, one.suspicious.end) for one in detector.find(document))
    common = len(found & SpanSet([(start, end)]))
    assert common / len(found) > 0.6
    assert common / (end - start) > 0.7


@pytest.mark.parametrize("name", NAMES)
def test_detections_name_no_source_and_do_not_overlap(name, mixed):
    document, _, _ = mixed
    found = intrinsic_detectors[name]().find(document)
    assert all(isinstance(one, Detection) and one.intrinsic for one in found)
    assert all(one.suspicious.document == "mixed.txt" for one in found)
    spans = sorted(one.suspicious.span for one in found)
    assert all(before.end < after.start for before, after in pairwise(spans))


@pytest.mark.parametrize("name", ["stamatatos-2009", "stemmata-intrinsic"])
def test_one_hand_throughout_gives_nothing(name, mine):
    assert intrinsic_detectors[name]().find(Document("mine.txt", mine)) == []


def test_ours_starts_and_ends_with_sentences(mixed):
    document, _, _ = mixed
    starts, ends = find_sentences(document.text, rules=True)
    for one in StemmataIntrinsic().find(document):
        assert one.suspicious.offset in starts
        assert one.suspicious.end in ends


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t ",
        "Word",
        "One sentence.",
        "Two. Sentences.",
        "\0\ufffd\x01" * 4000,
        "?!…—" * 3000,
        "x" * 20_000,
        "ΑΒΓΔ αβγδ εζηθ. " * 900,
        "Он сказал: «Нет». Она ушла. " * 400,
        "天地玄黄宇宙洪荒。" * 1500,
        "مرحبا بالعالم. " * 800,
        "İI" * 5000,
        "word " * 6000,
    ],
    ids=lambda text: ascii(text[:8]),
)
def test_any_text_is_taken(name, text):
    document = Document("odd.txt", text)
    for one in intrinsic_detectors[name]().find(document):
        assert 0 <= one.suspicious.offset < one.suspicious.end <= len(text)


@pytest.mark.parametrize("name", NAMES)
@given(text=st.text(max_size=400), times=st.integers(1, 12))
def test_detections_lie_inside_whatever_the_text(name, text, times):
    document = Document("any.txt", text * times)
    for one in intrinsic_detectors[name]().find(document):
        assert 0 <= one.suspicious.offset < one.suspicious.end <= len(document)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_text_gives_the_same_detections(name, mixed):
    document, _, _ = mixed
    assert intrinsic_detectors[name]().find(document) == intrinsic_detectors[name]().find(document)


@pytest.mark.parametrize("name", NAMES)
def test_parameters_are_declared_and_defaults_lie_in_their_ranges(name):
    detector = intrinsic_detectors[name]()
    values = parameters_of(detector)
    assert values
    assert all(low <= values[key] <= high for key, (low, high) in declared(detector).items())
    assert with_parameters(detector, values) == detector


@pytest.mark.parametrize("make", [lambda: Stamatatos2009(step=0), lambda: Oberreuter2011(window=0)])
def test_windows_of_nothing_are_refused(make):
    with pytest.raises(StemmataError, match="E405"):
        make()


def test_style_change_is_nd1_of_the_paper():
    grams = np.array([0, 1, 0, 2, 0, 0])
    window, whole = {0: 2 / 3, 1: 1 / 3}, {0: 4 / 6, 1: 1 / 6}
    terms = [(2 * (window[g] - whole[g]) / (window[g] + whole[g])) ** 2 for g in window]
    assert style_change(grams, np.array([0]), 3) == pytest.approx([sum(terms) / (4 * len(window))])


def test_trigrams_without_a_letter_are_dropped_and_case_is_folded():
    grams, at = letter_grams("aB1 2 34aB1", 3)
    assert at.tolist() == [0, 1, 6, 7, 8]
    assert grams[0] == grams[-1]


def test_words_that_a_segment_has_to_itself_lower_its_score():
    forms = np.array([0, 1, 0, 1, 2, 2])
    assert deviation(forms, np.array([0, 2, 4]), 2).tolist() == [1 / 3, 1 / 3, 0]


@given(st.lists(st.integers(0, 4), min_size=1, max_size=60), st.integers(1, 70))
def test_counts_near_and_far_are_those_of_counting(values, reach):
    far, near = Occurrences.of(np.array(values)).apart(reach)
    for i, value in enumerate(values):
        begin = min(max(i - reach, 0), max(0, len(values) - 2 * reach - 1))
        close = values[begin : begin + 2 * reach + 1].count(value)
        assert (near[i], far[i]) == (close - 1, values.count(value) - close)


def test_typography_is_folded_and_offsets_are_kept():
    plain, _ = fold('"a" - it\'s 7 b')
    fancy, at = fold("“A”  — it’s  8\r\nb")
    assert plain.tolist() == fancy.tolist()
    assert at.tolist() == [0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 13, 14, 16]


def test_what_stands_elsewhere_surprises_less_than_what_does_not():
    characters, _ = fold("abcdefgh " * 400 + "hgfedcba " * 30 + "abcdefgh " * 400)
    [said] = surprises(characters, (300,))
    odd = slice(3600, 3860)
    assert said.far[odd].mean() > 3 * said.far[:3500].mean()
    assert said.gain[odd].mean() > 0.5 > abs(said.gain[:3500].mean())


@given(st.lists(st.floats(-5, 5), max_size=12), st.floats(0, 4))
def test_runs_gain_as_much_as_any_choice_could(gain, cost):
    def value(states):
        starts = sum(b and not a for a, b in pairwise([0, *states]))
        return sum(g for g, s in zip(gain, states, strict=True) if s) - cost * starts

    runs = best_runs(np.array(gain, dtype=float), cost)
    chosen = [any(first <= i < last for first, last in runs) for i in range(len(gain))]
    every = [[bits >> i & 1 for i in range(len(gain))] for bits in range(2 ** len(gain))]
    assert value(chosen) == pytest.approx(max(map(value, every)))


def test_an_opinion_learns_what_marks_the_stranger(mixed, mine):
    document, start, end = mixed
    case = Case(Passage("mixed.txt", start, end - start))
    opinion = fit([[Example.of(gather(document.text), [case])], [Example.of(gather(mine), [])]])
    found = StemmataIntrinsic(opinion=opinion).find(document)
    assert SpanSet((one.suspicious.offset, one.suspicious.end) for one in found) & SpanSet([(start, end)])


def test_an_opinion_stays_the_nearer_to_the_one_it_had_the_less_it_sees(mixed):
    document, start, end = mixed
    example = Example.of(gather(document.text), [Case(Passage("mixed.txt", start, end - start))])
    before = StemmataIntrinsic().opinion
    assert adapt(before, []) == before

    def moved(opinion):
        return np.abs(np.array(opinion.weights) - before.weights).sum()

    assert 0 < moved(adapt(before, [example])) < moved(adapt(before, [example] * 40))


def test_a_sentence_is_foreign_as_far_as_cases_cover_it():
    evidence = gather("One two. Three four. Five six.")
    cases = [Case(Passage("", 9, 6)), Case(Passage("", 12, 3)), Case(Passage("", 21, 9))]
    assert Example.of(evidence, cases).foreign.tolist() == [0, 6 / 11, 1]


def test_a_fit_is_taken_from_its_file_and_refused_if_of_something_else():
    weights = dict.fromkeys(FEATURES, 0.5)
    fitted = StemmataIntrinsic().with_fit({"weights": weights, "bias": -1})
    assert fitted.opinion == Opinion((0.5,) * len(FEATURES), -1.0)
    assert repr(fitted) != repr(StemmataIntrinsic())
    for wrong in ({}, {"weights": {}, "bias": 0}, {"weights": weights, "bias": "x"}):
        with pytest.raises(StemmataError, match="E510"):
            StemmataIntrinsic().with_fit(wrong)


def test_evidence_has_a_row_per_sentence_with_median_nothing(mixed):
    evidence = gather(mixed[0].text)
    assert evidence.features.shape == (len(evidence.start), len(FEATURES))
    assert np.allclose(np.median(evidence.features[:, :-1], axis=0), 0)


@given(st.text("ab \n", max_size=80), st.integers(4, 30))
def test_parts_of_a_long_text_leave_nothing_out(text, most):
    cuts = parts(text, most)
    assert "".join(text[start:end] for start, end in cuts) == text
    assert all(end - start <= most for start, end in cuts)


def test_a_document_too_long_for_one_look_is_examined_in_parts(mixed, mine, monkeypatch):
    document, start, end = mixed
    monkeypatch.setattr(surprise, "MOST_CHARACTERS", 50_000)
    long = Document("mixed.txt", document.text + mine)
    assert len(long) > 80_000
    found = SpanSet((one.suspicious.offset, one.suspicious.end) for one in StemmataIntrinsic().find(long))
    assert len(found & SpanSet([(start, end)])) / (end - start) > 0.7


@pytest.fixture
def detect(tmp_path, capsys):
    def call(corpus, *options, out=tmp_path / "run"):
        command = ["detect", str(corpus), "--intrinsic", "-o", str(out), "--format", "json", *options]
        status = status_of(command)
        text, err = capsys.readouterr()
        return status, (json.loads(text) if text else None), err

    return call


@pytest.mark.parametrize(
    "folder",
    ["susp", "suspicious-documents/part1", "intrinsic-detection-corpus/suspicious-documents/part2", ""],
)
def test_detect_examines_each_document_alone_wherever_they_lie(folder, detect, write, tmp_path, mixed, mine):
    write(f"corpus/{folder}/mixed.txt", mixed[0].text)
    write(f"corpus/{folder}/mine.txt", mine)
    status, result, _ = detect(tmp_path / "corpus", "--jobs", "1")
    run = read_detections(tmp_path / "run")
    assert (status, result["documents"], result["failures"]) == (0, 2, [])
    assert sorted(path.name for path in (tmp_path / "run").glob("*.xml")) == ["mine.xml", "mixed.xml"]
    assert run.documents == {"mine.txt", "mixed.txt"}
    assert list(run.annotations.detections) == StemmataIntrinsic().find(mixed[0])


def test_detect_tells_what_it_could_not_read_and_goes_on(detect, write, tmp_path, mixed):
    write("corpus/susp/bad.txt", b"\xff\xfe broken")
    write("corpus/susp/mixed.txt", mixed[0].text)
    status, result, _ = detect(tmp_path / "corpus", "--with", "stamatatos-2009", "--jobs", "1")
    assert status == 1
    [failure] = result["failures"]
    assert failure["document"] == "bad.txt"
    assert "E105" in failure["reason"]
    assert [path.name for path in (tmp_path / "run").glob("*.xml")] == ["mixed.xml"]


def test_detect_goes_on_where_it_was_and_in_two_processes_writes_the_same(
    detect, write, tmp_path, mine, monkeypatch
):
    for i in range(5):
        write(f"corpus/susp/{i}.txt", mine[i * 4000 : i * 4000 + 9000])
    monkeypatch.setattr(detection, "DOCUMENTS_PER_CHUNK", 2)
    options = ("--with", "oberreuter-2011")
    detect(tmp_path / "corpus", *options, "--jobs", "2", out=tmp_path / "two")
    real, seen = detection.align_pairs, []

    def stop_at_the_third(task, pairs):
        if len(seen) == 2:
            raise KeyboardInterrupt
        seen.append(pairs)
        return real(task, pairs)

    monkeypatch.setattr(detection, "align_pairs", stop_at_the_third)
    assert detect(tmp_path / "corpus", *options, "--jobs", "1")[0] == 130
    monkeypatch.setattr(detection, "align_pairs", lambda task, pairs: seen.append(pairs) or real(task, pairs))
    assert detect(tmp_path / "corpus", *options, "--jobs", "1")[0] == 0
    assert sum(map(len, seen)) == 5
    runs = [{path.name: path.read_bytes() for path in (tmp_path / run).iterdir()} for run in ("run", "two")]
    assert runs[0] == runs[1]


def test_detect_takes_parameters_and_refuses_those_of_others(detect, write, tmp_path, mixed):
    write("corpus/mixed.txt", mixed[0].text)
    said = {"detector": "stamatatos-2009", "parameters": {"window": 4000}}
    path = write("tuned.json", json.dumps(said))
    options = ("--jobs", "1", "--parameters", str(path))
    status, result, _ = detect(tmp_path / "corpus", "--with", "stamatatos-2009", *options)
    assert (status, result["detections"]) == (0, 0)
    status, _, err = detect(tmp_path / "corpus", *options)
    assert status == 2
    assert "E511" in err


def test_detect_without_texts_or_with_an_aligner_is_told(detect, write, tmp_path):
    (tmp_path / "empty").mkdir()
    assert "E743" in detect(tmp_path / "empty")[2]
    assert "E101" in detect(tmp_path / "nowhere")[2]
    write("corpus/a.txt", "A.")
    assert "E508" in detect(tmp_path / "corpus", "--with", "shingles")[2]


def test_intrinsic_detectors_are_listed(capsys):
    assert status_of(["list", "detectors", "--format", "json"]) == 0
    listed = {row["name"]: row["task"] for row in json.loads(capsys.readouterr().out)}
    assert {listed[name] for name in NAMES} == {"intrinsic"}
    assert listed["shingles"] == "alignment"


@pytest.mark.corpus
def test_ours_beats_the_published_ones_on_problems_it_was_not_fitted_to(corpus):
    [task] = sorted(corpus("pan16-diarization").glob("**/*problem-a-*"))
    problems = read_diarizations(task)[1::2]
    cases = Annotations.of(case for one in problems for case in one.cases)
    scores = {}
    for name in NAMES:
        detector = intrinsic_detectors[name]()
        found = Annotations.of(one for problem in problems for one in detector.find(problem.document))
        values = score_alignment(cases, found).scores.values
        scores[name] = values["micro.plagdet"], values["macro.plagdet"]
    ours = scores.pop("stemmata-intrinsic")
    assert ours[0] > 0.3
    assert all(ours[i] > theirs[i] for theirs in scores.values() for i in range(2))
