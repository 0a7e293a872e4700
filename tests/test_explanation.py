"""Why our verifier answers so: the parts add up to the whole, and stand where the page marks them."""

from collections import Counter
from html.parser import HTMLParser

import numpy as np
import pytest

from stemmata.authorship.batch import Batch
from stemmata.authorship.families import Affixes, Characters, Distorted, WordGrams, WordLengths
from stemmata.authorship.statistical.comparison import NAMES, compare
from stemmata.authorship.statistical.explanation import TERMS, Explanation, Term, explain, title_of
from stemmata.authorship.statistical.places import located
from stemmata.authorship.statistical.spaces import FAMILIES, RESPECTS
from stemmata.authorship.statistical.verifier import StemmataVerifier, Weights
from stemmata.authorship.writings import Writing
from stemmata.model import Document, Problem, Span
from stemmata.reports.explanation import SHOWN, explanation_page, view_of, write_explanation

WORDS = ("the", "of", "and", "to", "in", "it", "was", "not", "very", "house", "River", "light", "winter")
MARKS = (". ", ", ", "; ", "!  ", " –\n")
WEIGHTS = Weights(tuple(0.1 + 0.01 * place for place in range(len(NAMES))), -0.3)


def written(author, text, words=240):
    habits = np.random.default_rng(author)
    favours, marks = habits.dirichlet(np.full(len(WORDS), 0.8)), habits.dirichlet(np.full(len(MARKS), 0.5))
    rng = np.random.default_rng([author, text])
    runs = (" ".join(rng.choice(WORDS, rng.integers(4, 12), p=favours)) for _ in range(words // 8))
    return "".join(run + str(rng.choice(MARKS, p=marks)) for run in runs)


def problem(name, known, unknown):
    documents = tuple(Document(f"known{i:02}.txt", text) for i, text in enumerate(known, 1))
    return Problem(name, documents, Document("unknown.txt", unknown))


@pytest.fixture(scope="module")
def batch():
    same = problem("same", [written(1, 1), written(1, 2)], written(1, 3))
    two = problem("two", [written(2, 1)], written(3, 1))
    others = [problem(f"other {i}", [written(i, 1)], written(i + 50, 1)) for i in range(10, 16)]
    return Batch.of([same, two, *others])


@pytest.fixture(scope="module")
def verifier():
    return StemmataVerifier(weights=WEIGHTS)


@pytest.fixture(scope="module")
def explained(batch, verifier):
    return explain(batch[0], batch, verifier)


def test_families_add_up_to_the_answer(batch, verifier, explained):
    assert explained.answer == verifier.score(batch)[0]
    total = explained.offset + sum(voice.pull for voice in explained.voices)
    assert 1 / (1 + np.exp(-total)) == pytest.approx(explained.answer)
    assert explained.offset == pytest.approx(WEIGHTS.offset)
    assert sorted(voice.number for voice in explained.voices) == pytest.approx(sorted(compare(batch)[0]))


@pytest.mark.parametrize("column", [4, len(RESPECTS) - 3])
@pytest.mark.parametrize("number", [0, 1])
def test_features_add_up_to_their_family(number, column, batch, monkeypatch):
    from stemmata.authorship.statistical import explanation

    monkeypatch.setattr(explanation, "TERMS", 100_000)
    weights = [0.0] * len(NAMES)
    weights[column] = 1.0
    told = explain(batch[number], batch, StemmataVerifier(weights=Weights(tuple(weights), 0.0)))
    value = compare(batch)[number, column]
    expected = value if abs(value) > 1 else np.sign(value) * value * value
    assert sum(term.pull for term in told.terms) == pytest.approx(expected)
    assert {term.family for term in told.terms} == {title_of(RESPECTS[column].family)}


def test_habits_shared_speak_for_and_those_of_one_alone_against():
    rare, plain = "albeit", "but"
    pairs = [("A", rare, rare), ("B", rare, plain), *((f"C{i}", plain, plain) for i in range(6))]

    def text(word, number):
        return " ".join(f"{word} it was {w}" for w in np.random.default_rng(number).permutation(WORDS))

    problems = [problem(name, [text(a, 2 * i)], text(b, 2 * i + 1)) for i, (name, a, b) in enumerate(pairs)]
    pulls = [
        sum(t.pull for t in explain(one, problems, StemmataVerifier(weights=WEIGHTS)).terms if t.term == rare)
        for one in problems[:2]
    ]
    assert pulls[0] > 0 > pulls[1]


def test_a_verifier_that_judges_alone_is_explained_too(batch):
    lessons = [problem(f"L{i}", [written(100 + i, 1)], written(100 + i + i % 2 * 30, 2)) for i in range(8)]
    alone = StemmataVerifier(alone=True).learn(lessons, [i % 2 == 0 for i in range(8)])
    told = explain(batch[0], [batch[0]], alone)
    assert told.answer == alone.score([batch[0]])[0]
    assert told.others >= 16
    assert told.terms


def test_without_texts_of_others_there_is_nothing_to_say(verifier):
    lonely = problem("lonely", ["a text of some words"], "another text")
    told = explain(lonely, [lonely], verifier)
    assert (told.answer, told.terms) == (0.5, ())
    assert "no answer" in explanation_page(told)


@pytest.mark.parametrize(
    "family",
    [*(family for family, _ in FAMILIES), WordGrams(2, stop=False), WordLengths(), Affixes(2, last=True)],
    ids=str,
)
@pytest.mark.parametrize(
    "text", ["  It's 12 o’clock;\n\nthe HOUSE – so\twhat? ", "", "word", written(4, 1), "?!"]
)
def test_places_are_those_of_what_is_counted(family, text):
    writing = Writing(text)
    found = list(located(family, writing))
    assert Counter(term for term, _ in found) == family.count(writing)
    assert all(0 <= span.start < span.end <= len(text) for _, spans in found for span in spans)


def test_places_name_what_stands_there():
    writing = Writing("The  house, the\nhouses.")
    by_family = {
        WordGrams(2): ("the house", ["The  house"]),
        Characters(5): ("e hou", ["e  hou", "e\nhou"]),
        Affixes(3, last=True): ("ses", ["ses"]),
        Distorted(3): ("e *", ["e  house", "e\nhouses"]),
    }
    for family, (wanted, expected) in by_family.items():
        spans = [span for term, several in located(family, writing) if term == wanted for span in several]
        assert [writing.text[start:end] for start, end in spans] == expected


def test_titles_say_what_is_counted():
    titles = [title_of(family) for family, _ in FAMILIES]
    assert len(set(titles)) == len(titles)


class Marks(HTMLParser):
    """The text of each pane, and what is marked in it."""

    def __init__(self):
        super().__init__()
        self.panes, self.marks, self.scripts = [], [], 0
        self._inside, self._mark = False, ""

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.scripts += tag == "script"
        if tag == "div" and values.get("class") == "text":
            self._inside = True
            self.panes.append("")
        self._mark = values["class"] if tag == "mark" else self._mark

    def handle_endtag(self, tag):
        self._inside = self._inside and tag != "div"
        self._mark = "" if tag == "mark" else self._mark

    def handle_data(self, data):
        if self._inside:
            self.panes[-1] += data
            if self._mark:
                self.marks.append((self._mark, data))


def test_the_page_holds_the_texts_unchanged_and_marks_both_sides(tmp_path, batch, verifier):
    path = tmp_path / "page.html"
    told = write_explanation(path, batch[0], batch, verifier)
    page = Marks()
    page.feed(path.read_text("utf-8"))
    assert page.panes == [one.text for one in (*batch[0].known, batch[0].unknown)]
    assert {side for side, _ in page.marks} == {"for", "against"}
    assert told.terms[0].term
    assert len(told.terms) <= 2 * TERMS


def test_nothing_of_a_text_becomes_markup(batch, verifier):
    evil = "<script>alert(\"x\")</script> & <b onclick='y'>the house</b> "
    asked = problem("<i>evil</i>", [evil * 20], evil * 15 + "of the")
    page = explanation_page(explain(asked, [asked, *batch], verifier))
    found = Marks()
    found.feed(page)
    assert found.scripts == 0
    assert found.panes[0] == evil * 20
    assert "<i>evil" not in page


def test_overlapping_marks_go_to_the_stronger_side_and_long_texts_are_cut():
    terms = [
        Term("words", "one two", 0.5, 0, 0, 0, ((Span(0, 7),),)),
        Term("words", "two", -0.2, 0, 0, 0, ((Span(4, 7),),)),
        Term("words", "three", -0.2, 0, 0, 0, ((Span(8, 13),),)),
    ]
    view = view_of("a", "one two three" + "." * SHOWN, 0, terms)
    assert [(part.text, part.side) for part in view.stretches[:3]] == [
        ("one two", "for"),
        (" ", ""),
        ("three", "against"),
    ]
    assert view.left_out == 13
    assert "“three” (words)" in view.stretches[2].about


def test_many_known_texts_and_no_features_are_shown():
    one = problem("A", ["a", "b", "c"], "d")
    page = explanation_page(Explanation(one, 0.5, 0.0, 0.0, (), (), 0))
    assert "the 3 known texts" in page
