"""Corpora by plan: proportions, exact offsets, the same bytes however they are built."""

import hashlib
import json
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.base_texts import write_base

from stemmata.corpora.building import build as building
from stemmata.corpora.building.assignment import assign
from stemmata.corpora.building.base import read_base, text_proper
from stemmata.corpora.building.build import build
from stemmata.corpora.building.plan import Band, Obfuscation, Plan, parse_plan, read_plan
from stemmata.corpora.building.quotas import Quota, apportion
from stemmata.corpora.building.topics import bisect, document_vectors
from stemmata.formats import read_cases
from stemmata.formats.retrieval import read_sources
from stemmata.model import StemmataError
from stemmata.reuse.detection import Corpus

PLAIN = (
    Obfuscation("none", 0.5, "none"),
    Obfuscation("random", 0.5, "random-operations", (("degree", "low"),)),
)
SHORT = (Band("short", 0.5, 20, 40), Band("long", 0.5, 80, 120))
LENGTHS = (Band("short", 0.6, 2, 4), Band("long", 0.4, 4, 10))


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    return write_base(tmp_path_factory.mktemp("base") / "books")


@pytest.fixture
def plan(base):
    return Plan(
        base=base, documents=60, page=500, length=LENGTHS, case_length=SHORT, obfuscation=PLAIN, clusters=4
    )


def digest(folder):
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    said = [(path.relative_to(folder).as_posix(), path.read_bytes()) for path in files]
    return hashlib.sha256(repr(said).encode()).hexdigest(), len(said)


def cases_of(folder):
    return [
        case
        for path in sorted(folder.rglob("suspicious-documents"))
        for case in read_cases(path).annotations.cases
    ]


def texts_of(folder):
    return {path.name: path.read_text("utf-8") for path in folder.rglob("*.txt")}


# --- The documents -------------------------------------------------------------------------------------


def test_every_case_lies_where_the_truth_says_and_plain_ones_are_equal(plan, tmp_path):
    built = build(plan, tmp_path / "corpus")
    cases, texts = cases_of(tmp_path / "corpus"), texts_of(tmp_path / "corpus")
    assert (built.sources, built.suspicious, built.cases) == (30, 30, len(cases))
    external = [case for case in cases if case.source]
    for case in external:
        mine = texts[case.suspicious.document][case.suspicious.offset : case.suspicious.end]
        theirs = texts[case.source.document][case.source.offset : case.source.end]
        assert mine == mine.strip() != ""
        assert theirs == theirs.strip() != ""
        if case.attributes["obfuscation"] == "none":
            assert mine == theirs
        else:
            common = set(mine.lower().split()) & set(theirs.lower().split())
            assert len(common) > 0.3 * len(set(theirs.split()))
    assert {case.attributes["obfuscation"] for case in external} == {"none", "random"}


def test_cases_do_not_overlap_and_hosts_are_whole_around_them(plan, tmp_path):
    build(plan, tmp_path / "corpus")
    texts = texts_of(tmp_path / "corpus")
    hosts = {}
    for number, document in enumerate(assign(plan, read_base(plan.base)).suspicious):
        hosts[f"suspicious-document{number + 1:05}.txt"] = document.host.text
    by_document = {}
    for case in cases_of(tmp_path / "corpus"):
        by_document.setdefault(case.suspicious.document, []).append(case.suspicious)
    for name, passages in by_document.items():
        at, rest = 0, []
        for passage in sorted(passages):
            assert passage.offset >= at
            rest.append(texts[name][at : passage.offset])
            at = passage.end
        rest.append(texts[name][at:])
        assert "".join("".join(rest).split()) == "".join(hosts[name].split())


def test_source_texts_of_intrinsic_cases_are_not_in_the_corpus(plan, tmp_path):
    build(plan, tmp_path / "corpus")
    texts = texts_of(tmp_path / "corpus")
    intrinsic = [case for case in cases_of(tmp_path / "corpus") if case.source is None]
    assert intrinsic
    sources = [text for name, text in texts.items() if name.startswith("source")]
    for case in intrinsic[:20]:
        passage = texts[case.suspicious.document][case.suspicious.offset : case.suspicious.end]
        assert not any(passage in text for text in sources)


def test_no_document_has_the_same_passage_twice(plan, tmp_path):
    build(plan, tmp_path / "corpus")
    texts = texts_of(tmp_path / "corpus")
    by_document = {}
    for case in cases_of(tmp_path / "corpus"):
        if case.attributes["obfuscation"] == "none":
            passage = texts[case.suspicious.document][case.suspicious.offset : case.suspicious.end]
            by_document.setdefault(case.suspicious.document, []).append(passage)
    assert any(len(passages) > 2 for passages in by_document.values())
    repeated = sum(len(passages) - len(set(passages)) for passages in by_document.values())
    assert repeated == 0


def test_sources_and_hosts_never_overlap_in_their_base(plan):
    assignment = assign(plan, read_base(plan.base))
    slices = [one.host for one in (*assignment.sources, *assignment.suspicious)] + list(assignment.hidden)
    for path in {one.path for one in slices}:
        ends = sorted((one.start, one.end) for one in slices if one.path == path)
        assert all(before[1] <= after[0] for before, after in pairwise(ends))


# --- Proportions ---------------------------------------------------------------------------------------


def test_proportions_are_within_two_points_of_the_plan(base):
    plan = Plan(
        base=base, documents=400, page=150, length=LENGTHS, clusters=4, obfuscation=PLAIN,
        case_length=(Band("short", 0.34, 10, 20), Band("medium", 0.33, 25, 40), Band("long", 0.33, 60, 90)),
    )  # fmt: skip
    assignment = assign(plan, read_base(base))
    assert assignment.unmet == ()
    cases = [case for document in assignment.suspicious for case in document.cases]
    shares = {
        key: {
            name: count / len(cases) for name, count in Counter(getattr(case, key) for case in cases).items()
        }
        for key in ("length", "obfuscation", "topic")
    }
    assert shares["length"] == pytest.approx({"short": 0.34, "medium": 0.33, "long": 0.33}, abs=0.02)
    assert shares["obfuscation"] == pytest.approx({"none": 0.5, "random": 0.5}, abs=0.02)
    assert shares["topic"] == pytest.approx({"intra": 0.5, "inter": 0.5}, abs=0.02)
    apart = [document for document in assignment.suspicious if document.intrinsic]
    assert len(apart) / len(assignment.suspicious) == pytest.approx(0.3, abs=0.02)
    assert sum(len(one.cases) for one in apart) / len(cases) == pytest.approx(0.3, abs=0.02)


def test_what_cannot_be_met_is_told(plan):
    restricted = (
        Obfuscation("none", 0.1, "none"),
        Obfuscation("random", 0.9, "random-operations", (), ("long",)),
    )
    unmet = assign(replace(plan, obfuscation=restricted, intrinsic=0.0), read_base(plan.base)).unmet
    assert any("obfuscation random" in one for one in unmet)


def test_a_base_that_is_too_small_is_refused_with_the_numbers(plan):
    with pytest.raises(StemmataError, match=r"E724 .*characters"):
        assign(replace(plan, documents=4000), read_base(plan.base))


def test_a_document_that_is_almost_all_plagiarised_still_has_a_sentence_of_its_own(plan):
    almost = (Band("almost", 1.0, 0.9999, 1.0),)
    assignment = assign(replace(plan, plagiarism=almost, intrinsic=0.0), read_base(plan.base))
    assert min(len(one.host) for one in assignment.suspicious) > 0


@given(st.integers(0, 500), st.lists(st.floats(0.01, 1), min_size=1, max_size=6))
def test_apportioned_numbers_sum_up_and_are_off_by_less_than_one(number, shares):
    parts = apportion(number, shares)
    assert sum(parts) == number
    for part, share in zip(parts, shares, strict=True):
        assert abs(part - number * share / sum(shares)) < 1 + 1e-9


def test_a_quota_makes_up_for_what_was_not_possible():
    quota = Quota({"a": 0.5, "b": 0.5})
    for _ in range(10):
        quota.next(["a"])
    for _ in range(10):
        assert quota.next(["a", "b"]) == "b"
    assert quota.differences("kind") == []


def test_topics_part_texts_by_their_words():
    texts = [f"iron forge hammer anvil {'smith steel ' * 3}"] * 6 + ["bread dough oven flour yeast " * 3] * 6
    labels = bisect(document_vectors(texts, "en"), 2, np.random.default_rng(1))
    assert len(set(labels[:6])) == len(set(labels[6:])) == 1
    assert labels[0] != labels[-1]


# --- The same bytes ------------------------------------------------------------------------------------


def test_two_processes_and_a_second_time_give_the_same_bytes(plan, tmp_path):
    for name, jobs in (("one", 1), ("two", 2), ("again", 1)):
        build(plan, tmp_path / name, jobs)
    made = {name: digest(tmp_path / name) for name in ("one", "two", "again")}
    assert made["one"] == made["two"] == made["again"]
    build(replace(plan, seed=2), tmp_path / "other")
    assert digest(tmp_path / "other") != made["one"]


def test_a_build_that_was_stopped_goes_on(plan, tmp_path, monkeypatch):
    build(plan, tmp_path / "whole")
    made = []
    real = building._make

    def stop(document):
        if len(made) == 9:
            raise KeyboardInterrupt
        made.append(document.number)
        real(document)

    monkeypatch.setattr(building, "_make", stop)
    with pytest.raises(KeyboardInterrupt):
        build(plan, tmp_path / "corpus")
    assert not (tmp_path / "corpus").exists()
    monkeypatch.setattr(building, "_make", lambda document: made.append(document.number) or real(document))
    build(plan, tmp_path / "corpus")
    assert sorted(made) == list(range(30))
    assert digest(tmp_path / "corpus") == digest(tmp_path / "whole")
    assert not (tmp_path / ".corpus.unfinished").exists()


def test_another_plan_does_not_go_on_with_an_unfinished_corpus(plan, tmp_path, monkeypatch):
    monkeypatch.setattr(building, "_make", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        build(plan, tmp_path / "corpus")
    with pytest.raises(StemmataError, match="E726"):
        build(replace(plan, seed=9), tmp_path / "corpus")


def build_and_stop(plan, out, monkeypatch, after):
    """Build, but stop as if it was interrupted after so many documents."""
    made, real = [], building._make

    def stop(document):
        if len(made) == after:
            raise KeyboardInterrupt
        made.append(document.number)
        real(document)

    with monkeypatch.context() as patch:
        patch.setattr(building, "_make", stop)
        with pytest.raises(KeyboardInterrupt):
            build(plan, out)


def test_a_build_does_not_go_on_over_texts_that_have_changed_at_the_same_length(plan, tmp_path, monkeypatch):
    shutil.copytree(plan.base, tmp_path / "books")
    plan = replace(plan, base=tmp_path / "books")
    build_and_stop(plan, tmp_path / "corpus", monkeypatch, after=5)
    text = next((tmp_path / "books").iterdir())
    text.write_text(text.read_text("utf-8").swapcase(), encoding="utf-8")
    with pytest.raises(StemmataError, match=r"E726 .*texts that have changed"):
        build(plan, tmp_path / "corpus")


@pytest.mark.parametrize("damage", [b"", b"x", b"{}", b'{"length": 1e999}'])
def test_kept_work_of_a_build_that_was_damaged_is_made_anew(plan, tmp_path, monkeypatch, damage):
    build(plan, tmp_path / "whole")
    build_and_stop(plan, tmp_path / "corpus", monkeypatch, after=9)
    part = tmp_path / ".corpus.unfinished"
    kept = [sorted(part.rglob(pattern)) for pattern in ("source*.txt", "suspicious*.txt", "made/*.json")]
    assert all(len(found) > 3 for found in kept)
    for found in kept:
        found[0].write_bytes(damage)
        data = bytearray(found[1].read_bytes())
        data[len(data) // 2] ^= 1
        found[1].write_bytes(data)
    build(plan, tmp_path / "corpus")
    assert digest(tmp_path / "corpus") == digest(tmp_path / "whole")


def test_an_unfinished_corpus_whose_plan_cannot_be_read_is_begun_anew(plan, tmp_path, monkeypatch):
    build_and_stop(plan, tmp_path / "corpus", monkeypatch, after=9)
    (tmp_path / ".corpus.unfinished" / "plan.json").write_bytes(b"\xff")
    build(plan, tmp_path / "corpus")
    build(plan, tmp_path / "whole")
    assert digest(tmp_path / "corpus") == digest(tmp_path / "whole")


def test_a_killed_build_goes_on(plan, tmp_path):
    build(plan, tmp_path / "whole")
    (tmp_path / "plan.py").write_text(
        "import sys; from pathlib import Path; from tests import test_corpus_building as t\n"
        "from stemmata.corpora.building.build import build; from stemmata.corpora.building.plan import Plan\n"
        "if __name__ == '__main__':\n"
        "    build(Plan(base=Path(sys.argv[1]), documents=60, page=500, length=t.LENGTHS,"
        " case_length=t.SHORT, obfuscation=t.PLAIN, clusters=4), Path(sys.argv[2]), 2)\n"
    )
    command = [sys.executable, str(tmp_path / "plan.py"), str(plan.base), str(tmp_path / "corpus")]
    with subprocess.Popen(command, env={"PYTHONPATH": ".", "PATH": ""}, start_new_session=True) as process:
        made = tmp_path / ".corpus.unfinished" / "made"
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and process.poll() is None:
            if made.is_dir() and len(list(made.glob("*.json"))) > 3:
                break
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    if not (tmp_path / "corpus").exists():
        build(plan, tmp_path / "corpus", 2)
    assert digest(tmp_path / "corpus") == digest(tmp_path / "whole")


# --- Layouts -------------------------------------------------------------------------------------------


def test_the_layout_of_pan13_can_be_detected_and_scored(plan, tmp_path):
    build(replace(plan, layout="pan13", intrinsic=0.0, one_kind=True), tmp_path / "corpus")
    corpus = Corpus.open(tmp_path / "corpus")
    truth = read_cases(tmp_path / "corpus")
    folders = {folder: pairs for folder, pairs in truth.pairs.items() if folder}
    assert set(folders) == {"01-no-plagiarism", "02-none", "03-random"}
    assert set(corpus.pairs) == {pair for pairs in folders.values() for pair in pairs}
    for mine, theirs in corpus.pairs:
        assert (corpus.suspicious / mine).is_file()
        assert (corpus.source / theirs).is_file()
    kinds = {}
    for case in truth.annotations.cases:
        kinds.setdefault(case.suspicious.document, set()).add(case.attributes["obfuscation"])
    assert all(len(some) == 1 for some in kinds.values())


def test_the_layout_of_plagevalrus_replaces_sentences_and_ranks_sources(base, tmp_path):
    plan = Plan(
        base=base, documents=40, page=500, layout="plagevalrus", intrinsic=0.0, replace=True, clusters=4,
        length=(Band("all", 1.0, 6, 12),), obfuscation=PLAIN, most_sources=5,
        case_length=(Band("few", 0.5, 1, 3), Band("more", 0.5, 4, 8)),
        plagiarism=(Band("some", 0.5, 0.15, 0.3), Band("half", 0.5, 0.4, 0.6)),
    )  # fmt: skip
    build(plan, tmp_path / "corpus")
    truth = read_sources(tmp_path / "corpus" / "sources")
    cases = list(read_cases(tmp_path / "corpus" / "truth").annotations.cases)
    volume = {}
    for case in cases:
        key = case.suspicious.document.removesuffix(".txt")
        volume.setdefault(key, Counter())[case.source.document.removesuffix(".txt")] += case.suspicious.length
    assert {name: ranked for name, ranked in truth.items() if ranked}.keys() == volume.keys()
    for name, counted in volume.items():
        assert len(counted) <= 5
        assert [counted[source] for source in truth[name]] == sorted(counted.values(), reverse=True)
    assert all(path.stem.isdigit() for path in (tmp_path / "corpus" / "src").iterdir())


def test_the_papers_in_the_corpus_tell_what_it_is(plan, tmp_path):
    build(plan, tmp_path / "corpus")
    page = (tmp_path / "corpus" / "README.md").read_text("utf-8")
    assert "| source documents | 30 |" in page
    assert json.loads((tmp_path / "corpus" / "plan.json").read_text())["seed"] == 1


# --- Plans ---------------------------------------------------------------------------------------------


def test_a_plan_in_toml_is_read_and_the_rest_is_pan_pc_10(tmp_path):
    (tmp_path / "books").mkdir()
    (tmp_path / "plan.toml").write_text(
        'base = "books"\ndocuments = 200\n[purpose]\nsource = 0.4\nplagiarised = 0.4\nclean = 0.2\n'
        '[obfuscation.none]\nshare = 0.7\n[obfuscation.hard]\nshare = 0.3\nstrategy = "artificial"\n'
        'degree = "high"\ncases = ["short"]\n[case_length.short]\nshare = 1\nwords = [50, 150]\n'
    )
    plan = read_plan(tmp_path / "plan.toml")
    assert plan.base == (tmp_path / "books").resolve()
    assert plan.obfuscation[1] == Obfuscation("hard", 0.3, "artificial", (("degree", "high"),), ("short",))
    assert plan.case_length == (Band("short", 1.0, 50.0, 150.0),)
    assert plan.length == Plan(base=tmp_path).length


def test_classes_of_cases_can_be_named_without_saying_how_cases_are_hidden():
    plan = parse_plan({"base": ".", "case_length": {"short": {"share": 1, "words": [50, 150]}}})
    assert {one.name: one.cases for one in plan.obfuscation}["simulated"] == ("short",)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({}, "names no base"),
        ({"base": "x", "document": 3}, "did you mean 'documents'"),
        ({"base": "x", "documents": "many"}, "whole number"),
        ({"base": "x", "documents": 2}, "from 4 to 1,000,000"),
        ({"base": "x", "layout": "pan14"}, "layout must be"),
        ({"base": "x", "purpose": {"source": 1.0}}, "purpose must have"),
        ({"base": "x", "length": {"a": {"share": 0.5, "pages": [1, 2]}}}, "sum to 0.5"),
        ({"base": "x", "length": {"a": {"share": 1, "pages": [2, 1]}}}, "from less to more"),
        ({"base": "x", "length": {"a": {"share": 1, "words": [1, 2]}}}, "needs pages"),
        ({"base": "x", "plagiarism": {"a": {"share": 1, "of_document": [1, 1]}}}, "must begin below 1"),
        ({"base": "x", "obfuscation": {"a": {"share": 1, "strategy": "none", "cases": ["x"]}}}, "no class"),
        ({"base": "x", "obfuscation": {"a": {"share": 1, "strategy": "random-operations"}}}, "not hidden"),
    ],
)
def test_a_plan_that_does_not_hold_says_why(said, reason):
    with pytest.raises(StemmataError, match=f"E723 .*{reason}"):
        parse_plan(said)


@pytest.mark.parametrize(
    ("strategy", "options", "code"),
    [("nonsense", (), "E501"), ("random-operations", (("shares", 3),), "E723 .*did you mean 'share'")],
)
def test_a_strategy_that_is_not_there_stops_the_build_before_it_begins(
    plan, tmp_path, strategy, options, code
):
    bad = (Obfuscation("none", 0.5, "none"), Obfuscation("x", 0.5, strategy, options))
    with pytest.raises(StemmataError, match=code):
        build(replace(plan, obfuscation=bad), tmp_path / "corpus")
    assert list(tmp_path.iterdir()) == []


BOUNDED = {
    "length": ("pages", (2.0, 4.0)),
    "plagiarism": ("of_document", (0.1, 0.4)),
    "case_length": ("words", (20.0, 40.0)),
}


@pytest.mark.parametrize("value", [float("inf"), float("nan"), 1e308, 1e18, -1.0, 10**400])
@pytest.mark.parametrize("where", [*BOUNDED, "page", "documents", "seed", "intra", "share"])
def test_a_number_beyond_all_bounds_is_refused_with_its_key_before_anything_is_drawn(where, value):
    said = {"base": "x", where: value}
    key = where
    if where in BOUNDED:
        key, (low, _) = BOUNDED[where]
        said[where] = {"a": {"share": 1.0, key: [low, value]}}
    elif where == "share":
        said = {"base": "x", "obfuscation": {"none": {"share": value}}}
    with pytest.raises(StemmataError, match=f"E723 .*{key}") as error:
        parse_plan(said)
    assert len(str(error.value)) < 300


HOSTILE_NAMES = ["/../../victim", "..", "a/b", "a\0b", "x" * 300, "é" * 120, "a\x1b[2J", "\ufffe", "", ".a"]


@pytest.mark.parametrize("name", HOSTILE_NAMES)
@pytest.mark.parametrize("kind", ["length", "plagiarism", "case_length", "obfuscation", "name", "language"])
def test_no_name_in_a_plan_can_lead_out_of_the_corpus(kind, name):
    rows = {
        "length": (Band(name, 1.0, 2, 4),),
        "plagiarism": (Band(name, 1.0, 0.1, 0.4),),
        "case_length": (Band(name, 1.0, 20, 40),),
        "obfuscation": (Obfuscation(name, 1.0, "none"),),
        "name": name,
        "language": name,
    }
    with pytest.raises(StemmataError, match=r"E723 .*has the name"):
        Plan(base=".", **{"obfuscation": PLAIN, "case_length": SHORT} | {kind: rows[kind]})


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "[" * 5000,
        "seed = " + "9" * 5000,
        "seed = " + "9" * 30,
        "intra = " + "9" * 400,
        'base = "a\\u0000"',
        'base = "itself"',
        "[purpose]\nsource = 0.0\nplagiarised = 0.5\nclean = 0.5",
    ],
)
def test_a_hostile_plan_is_refused_in_one_line_that_names_the_file(tmp_path, text):
    (tmp_path / "itself").symlink_to(tmp_path / "itself")
    file = tmp_path / "plan.toml"
    file.write_text(text if text.startswith("base") else f'base = "."\n{text}\n')
    with pytest.raises(StemmataError, match=r"E723 .*plan.toml: ") as error:
        read_plan(file)
    assert len(str(error.value)) < 400


@pytest.mark.parametrize("name", ["a" * 5000, "no folder"])
def test_a_base_that_is_no_folder_is_a_coded_error(tmp_path, name):
    (tmp_path / "no folder").write_text("a file")
    with pytest.raises(StemmataError, match="E102"):
        read_base(tmp_path / name)


def test_a_plan_of_far_more_than_the_base_has_is_refused_without_drawing_it(plan, monkeypatch):
    monkeypatch.setattr("stemmata.corpora.building.assignment._outline", None)
    with pytest.raises(StemmataError, match="E724"):
        assign(replace(plan, documents=1_000_000), read_base(plan.base))


def test_the_frame_of_project_gutenberg_is_left_out():
    text = (
        "The Project Gutenberg EBook of X\n\n*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n\n\nChapter 1."
        "\n\nText.\n\n*** END OF THIS PROJECT GUTENBERG EBOOK X ***\nLicence."
    )
    assert text[slice(*text_proper(text))] == "Chapter 1.\n\nText."
    assert text_proper("No frame here.") == (0, 14)


def test_a_base_without_text_is_refused(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(StemmataError, match="E725"):
        read_base(tmp_path / "empty")
    with pytest.raises(StemmataError, match="E101"):
        read_base(tmp_path / "nowhere")


def test_xml_of_a_document_without_cases_is_there(plan, tmp_path):
    build(plan, tmp_path / "corpus")
    files = list((tmp_path / "corpus").rglob("suspicious-document*.xml"))
    assert len(files) == 30
