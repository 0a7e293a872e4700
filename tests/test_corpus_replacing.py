"""Corpora as PlagEvalRus made them: sentences for sentences, by rules that the builder keeps or tells of."""

from collections import defaultdict
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from tests.base_texts import write_base

from stemmata.cli import status_of
from stemmata.corpora.building.assignment import assign
from stemmata.corpora.building.base import read_base
from stemmata.corpora.building.build import build
from stemmata.corpora.building.construction import Workshop
from stemmata.corpora.building.plan import Band, parse_plan
from stemmata.corpora.building.sentences import Sentences, significant_words
from stemmata.formats import read_cases
from stemmata.model import StemmataError
from stemmata.rewriting import Rewriting
from stemmata.text.sentences import find_sentences

COPIED = {"copy": {"share": 0.5, "strategy": "none"}}
SAID = {
    "layout": "plagevalrus",
    "documents": 48,
    "obfuscation": COPIED | {"generated": {"share": 0.5, "strategy": "random-operations", "degree": "low"}},
}


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    return write_base(tmp_path_factory.mktemp("base") / "books")


@pytest.fixture(scope="module")
def plan(base):
    return parse_plan({"base": str(base), **SAID})


@pytest.fixture(scope="module")
def corpus(plan, tmp_path_factory):
    folder = tmp_path_factory.mktemp("replaced") / "corpus"
    return folder, build(plan, folder)


def counted(text):
    return len(find_sentences(text)[0])


def test_the_layout_brings_the_figures_of_the_workshop(plan):
    assert (plan.replace, plan.most_sources, plan.host_sentences, plan.passage_words) == (True, 5, 31, 5)
    assert [(band.low, band.high) for band in plan.plagiarism] == [
        (0.07, 0.13),
        (0.22, 0.28),
        (0.47, 0.53),
        (0.77, 0.83),
    ]
    assert [(band.low, band.high) for band in plan.case_length] == [(1, 10)]
    russian = parse_plan({"base": ".", "layout": "plagevalrus", "language": "ru"})
    assert [one.strategy for one in russian.obfuscation] == ["none", "russian"]


def test_what_a_plan_says_itself_comes_first():
    said = {"base": ".", "layout": "plagevalrus", "host_sentences": 12, "intra": 0.5, "clusters": 3}
    plan = parse_plan(said)
    assert (plan.host_sentences, plan.passage_words, plan.intra, plan.clusters) == (12, 5, 0.5, 3)
    # Words cannot take the place of sentences: only the layout is that of the workshop.
    words = parse_plan({**said, "case_length": {"short": {"share": 1, "words": [30, 60]}}})
    assert (words.replace, words.most_sources, words.passage_words) == (False, 0, 0)


@pytest.mark.parametrize("name", ["host_sentences", "passage_words", "most_sources"])
def test_a_rule_below_nothing_is_refused(name):
    with pytest.raises(StemmataError, match=f"E723 .*{name}"):
        parse_plan({"base": ".", name: -1})


def test_the_rules_of_the_workshop_hold(plan, corpus):
    folder, built = corpus
    assert built.unmet == ()
    hosts = [document.host.text for document in assign(plan, read_base(plan.base)).suspicious]
    assert min(map(counted, hosts)) > 30
    by_document = defaultdict(list)
    for case in read_cases(folder / "truth").annotations.cases:
        by_document[case.suspicious.document].append(case)
    assert len(by_document) == 24
    several = set()
    for name, cases in by_document.items():
        text = (folder / "susp" / name).read_text("utf-8")
        several.add(len({case.source.document for case in cases}))
        borrowed = 0
        for case in cases:
            source = (folder / "src" / case.source.document).read_text("utf-8")
            passages = (
                text[case.suspicious.offset : case.suspicious.end],
                source[case.source.offset : case.source.end],
            )
            assert min(significant_words(one, "en") for one in passages) >= 5
            assert 1 <= counted(passages[1]) <= 10
            borrowed += counted(passages[1])
        share = borrowed / counted(hosts[int(name[-9:-4]) - 1])
        assert any(band.low <= share <= band.high for band in plan.plagiarism)
    assert several <= {1, 2, 3, 4, 5}
    assert len(several) > 2


def test_no_sentence_of_a_source_is_taken_twice_for_one_host(corpus):
    spans = defaultdict(list)
    for case in read_cases(corpus[0] / "truth").annotations.cases:
        spans[case.suspicious.document, case.source.document].append((case.source.offset, case.source.end))
    assert any(len(some) > 1 for some in spans.values())
    for some in spans.values():
        assert all(before[1] <= after[0] for before, after in pairwise(sorted(some)))


def test_host_and_source_are_of_different_texts(plan):
    assignment = assign(plan, read_base(plan.base))
    for document in assignment.suspicious:
        for case in document.cases:
            assert assignment.sources[case.source].host.path != document.host.path


def test_the_corpus_is_what_was_planned_for_those_who_look_at_it(corpus, capsys):
    assert status_of(["corpus", "validate", str(corpus[0])]) == 0
    capsys.readouterr()
    assert status_of(["corpus", "describe", str(corpus[0])]) == 0
    assert "Plagiarism per document (sentences)" in capsys.readouterr().out


def test_however_they_are_rewritten_passages_stand_in_the_same_places(plan):
    texts = []
    for way in ("none", "random-operations"):
        one = parse_plan(
            {"base": str(plan.base), **SAID, "obfuscation": {"all": {"share": 1.0, "strategy": way}}}
        )
        assignment = assign(one, read_base(one.base))
        made = Workshop(one, assignment).make(assignment.suspicious[3])
        rest, at = "", 0
        for case in made.cases:
            rest += made.text[at : case.suspicious.start]
            at = case.suspicious.end
        texts.append((rest + made.text[at:], [case.source for case in made.cases]))
    assert texts[0] == texts[1]


def test_passages_of_few_words_are_passed_over(base, tmp_path):
    for path in sorted(base.iterdir())[:4]:
        text = path.read_text("utf-8").replace(". ", ". He did so. Yes. ")
        (tmp_path / path.name).write_text(text, encoding="utf-8")
    plan = parse_plan({"base": str(tmp_path), **SAID, "documents": 12})
    short = replace(plan, case_length=(Band("one", 1.0, 1, 2),))
    assignment = assign(short, read_base(tmp_path))
    cases = [(document, case) for document in assignment.suspicious for case in document.cases]
    for _, case in cases:
        sentences = Sentences.of(assignment.sources[case.source].host.text, "en")
        first = int(case.place)
        assert sentences.words[first : first + case.size].sum() >= 5
    assert len(cases) > 60


def test_hosts_have_their_sentences_though_they_be_longer_than_planned_and_that_is_told(plan, tmp_path):
    short = replace(plan, length=(Band("all", 1.0, 1, 1.5),))
    hosts = [document.host.text for document in assign(short, read_base(plan.base)).suspicious]
    assert min(map(counted, hosts)) > 30
    unmet = build(short, tmp_path / "corpus").unmet
    assert any(one.startswith("length of suspicious documents, all: 0%") for one in unmet)


def test_hosts_that_are_too_short_are_told(tmp_path):
    write_base(tmp_path / "books", texts=12, articles=2)
    plan = parse_plan({"base": str(tmp_path / "books"), **SAID, "documents": 12, "host_sentences": 90})
    unmet = assign(replace(plan, length=(Band("all", 1.0, 1, 8),)), read_base(plan.base)).unmet
    assert any("hosts have fewer than 90 sentences" in one for one in unmet)


def test_sources_that_have_no_passage_are_told(plan):
    unmet = assign(replace(plan, passage_words=5_000), read_base(plan.base)).unmet
    assert "24 documents borrow less than planned, as the sources have no more" in unmet


def test_a_passage_that_loses_its_words_is_left_out_and_told(plan, tmp_path, monkeypatch):
    class Loser:
        def rewrite(self, text, scene):
            return Rewriting("Of the.")

    real = Workshop._strategy
    monkeypatch.setattr(
        Workshop, "_strategy", lambda self, name: Loser() if name == "generated" else real(self, name)
    )
    built = build(plan, tmp_path / "corpus")
    cases = list(read_cases(tmp_path / "corpus" / "truth").annotations.cases)
    assert {case.attributes["obfuscation"] for case in cases} == {"copy"}
    assert built.cases == len(cases)
    assert any("fewer than 5 words besides stop words" in one for one in built.unmet)


def test_words_that_tell_something_are_counted_by_sentence():
    text = "The fox and the dog ran. — It rained.\n\nEnd"
    found = Sentences.of(text, "en")
    assert found.words.sum() == significant_words(text, "en") == 5
    assert np.all(found.start < found.end)


def test_duplicates_in_the_base_are_left_out(base, tmp_path):
    text = next(iter(base.iterdir())).read_text("utf-8")
    for name, one in (("a", text), ("b", text.upper().replace(" ", "  ")), ("c", text + "More.")):
        (tmp_path / f"{name}.txt").write_text(one, encoding="utf-8")
    assert [one.name for one in read_base(tmp_path)] == ["a.txt", "c.txt"]
