"""What all obfuscators have in common: pieces, protected stretches, and texts that stay as they are."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import Generator

from stemmata.formats.obfuscation import check_pieces, obfuscated_text
from stemmata.masking import obfuscators
from stemmata.masking.pieces import pieces_of
from stemmata.masking.protected import protected_spans
from stemmata.masking.recipe import Recipe
from stemmata.model import Document, Problem
from stemmata.rewriting import Edit, Rewriting, rewritten


@dataclass(frozen=True)
class Shouting(Recipe):
    """Writes every word in capitals, for tests."""

    def rewrite(self, problem: Problem, rng: Generator) -> Rewriting:
        text = problem.unknown.text
        words = [(at, word) for at, word in _words(text)]
        return rewritten(text, [Edit(at, at + len(word), word.upper(), "loud") for at, word in words])


def _words(text: str) -> list[tuple[int, str]]:
    found, at = [], 0
    for word in text.split():
        at = text.index(word, at)
        found.append((at, word))
        at += len(word)
    return found


def masked(text: str) -> str:
    pieces = Shouting().mask(Problem("p", (), Document("unknown", text)))
    return obfuscated_text(pieces)


SENTENCES = "It was late. The rain had stopped, and we went home. Nobody spoke."


def test_pieces_are_whole_sentences_and_join_to_both_texts() -> None:
    rewriting = Rewriting(SENTENCES, (Edit(3, 6, "grew", "x"), Edit(53, 59, "No one", "x")))
    pieces = pieces_of(rewriting, most_words=12)
    assert "".join(piece.original for piece in pieces) == SENTENCES
    assert "".join(piece.obfuscation for piece in pieces) == rewriting.text
    assert [piece.original.strip()[-1] for piece in pieces] == [".", "."]
    check_pieces(pieces, SENTENCES, "here")


def test_a_piece_does_not_end_inside_an_edit() -> None:
    start = SENTENCES.index(". The")
    rewriting = Rewriting(SENTENCES, (Edit(start, start + 5, ", and the", "merge"),))
    pieces = pieces_of(rewriting, most_words=1)
    assert [piece.obfuscation for piece in pieces] == [
        "It was late, and the rain had stopped, and we went home. ",
        "Nobody spoke.",
    ]


words = st.text(alphabet="ab .\n'é", max_size=60)


@given(words, st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60), words), max_size=6))
def test_pieces_always_join_to_both_texts(text: str, drawn: list[tuple[int, int, str]]) -> None:
    edits: list[Edit] = []
    for start, end, new in sorted(drawn):
        if start <= end <= len(text) and (not edits or start >= edits[-1].end):
            edits.append(Edit(start, end, new, "x"))
    rewriting = rewritten(text, edits)
    pieces = pieces_of(rewriting, most_words=3)
    assert "".join(piece.original for piece in pieces) == text
    assert "".join(piece.obfuscation for piece in pieces) == (rewriting.text if text else "")
    assert obfuscated_text(pieces) == (rewriting.text if text else "")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("We saw <b class='x'>it</b> there.", "<b class='x'>"),
        ("Look at https://example.org/a?b=c for more.", "https://example.org/a?b=c"),
        ("Write to jane.doe@example.org about it.", "jane.doe@example.org"),
        ("Look at https://example.org/a?b=don't&c=it's for more.", "https://example.org/a?b=don't&c=it's"),
        ("Look at [it](http://x.org/don't) for more.", "http://x.org/don't"),
        ("Look at example.org/it's-here for more.", "example.org/it's-here"),
        ("Write to john.o'neil@example.org about it.", "john.o'neil@example.org"),
        ("It is in C:\\Users\\don't\\it's.txt for now.", "C:\\Users\\don't\\it's.txt"),
        ("It is in ~/notes/don't.txt for now.", "~/notes/don't.txt"),
        ("As this shows:\n~~~\nit's big\n~~~\nand that is all.", "it's big"),
        ("As this shows:\n~~~ python\nit's big\n~~~\nand that is all.", "it's big"),
        ("As \\begin{verbatim}it's so\\end{verbatim} shows us.", "it's so"),
        ("Let $x^2 + it's = 3$ be what we have.", "$x^2 + it's = 3$"),
        ("Let it be E = mc^2 as they say.", "E = mc^2"),
        ("Let it be f(x) = 2x + 1 as they say.", "f(x) = 2x + 1"),
        ("Where a + b <= c it is so.", "a + b <= c"),
        ("As x^2 it is large.", "x^2"),
        ("Let it be e^{-x} = x^(n-1) + a^-1 as they say.", "e^{-x} = x^(n-1) + a^-1"),
        ("It is $5 + it's$ as they say.", "$5 + it's$"),
        ('It is a <b class="it\'s">tag</b> here.', '<b class="it\'s">'),
        ("Call `print(x)` and then go on.", "`print(x)`"),
        ("As this shows:\n```\nfor x in y: go(x)\n```\nand that is all.", "for x in y: go(x)"),
        ("As \\emph{nobody} has shown before me.", "\\emph{nobody}"),
        ("This is how:\n    total = run(x, y)\nand that is all.", "    total = run(x, y)"),
        (
            "This is how:\n    for word in words:\n        return words\nand that is all.",
            "    for word in words:",
        ),
        (
            "This is how:\n    for word in words:\n        return words\nand that is all.",
            "        return words",
        ),
    ],
)
def test_markup_code_and_addresses_stay(text: str, kept: str) -> None:
    loud = masked(text)
    assert kept in loud
    assert loud != text


@pytest.mark.parametrize(
    "line",
    [
        "    She said (softly) that it was late; nobody heard.",
        "\tO wild (west) wind; thou breath of autumn",
        "    Return to me, my love, and go",
        "    if it were so; and I",
        "It was $5 then, and it's $6 and/or $7-$9 now ~~~ so it goes.",
        "It cost $5 in all, and they paid the rest in US$ later.",
        "\n~~~\n\nHe walked home.\n\n~~~\n\nShe waited.",
        "~~~\nHe walked home.",
    ],
)
def test_indented_prose_and_verse_are_no_code(line: str) -> None:
    assert protected_spans(f"It was so.\n{line}\nAnd so on.") == []


@pytest.mark.parametrize(
    "begun",
    [
        "<",
        "a@",
        "<!--",
        "<pre>",
        "\\ab{",
        "http:/",
        "<a ",
        "a.",
        "/a",
        "$a",
        "\\begin{math}",
        "\\[",
        "@",
        "a-",
        "a +",
        "f(x)*",
        "a^",
        "a^a-b-c-",
        "~~~\n",
        "    ",
    ],
)
def test_what_only_begins_is_read_once(begun: str) -> None:
    spans = protected_spans(begun * (400_000 // len(begun)))
    assert len(spans) <= 400_000 // len(begun)


@pytest.mark.parametrize("text", ["", " \n ", "Das ist nicht von mir, und es ist auch nicht schön."])
def test_empty_and_foreign_text_stays_as_it_is(text: str) -> None:
    assert masked(text) == text


def test_randomness_comes_from_seed_and_text_alone() -> None:
    @dataclass(frozen=True)
    class Numbered(Recipe):
        def rewrite(self, problem: Problem, rng: Generator) -> Rewriting:
            return rewritten(problem.unknown.text, [Edit(0, 2, str(rng.integers(1 << 30)), "x")])

    one = Problem("a", (), Document("unknown", SENTENCES))
    again = Problem("b", (Document("known", "Other words of theirs."),), Document("u", SENTENCES))
    assert Numbered().rewriting(one).text == Numbered().rewriting(again).text
    assert Numbered().rewriting(one).text != Numbered(seed=2).rewriting(one).text


@pytest.mark.parametrize("name", ["kocher-savoy-2018", "mansoorizadeh-2016"])
def test_a_hundred_thousand_words_are_masked_in_exact_pieces(name: str) -> None:
    pytest.importorskip("lemminflect")
    said = "However, we did not go there, and the old house {} was very quiet in the evening. "
    text = "".join(said.format(number) for number in range(6_000))
    assert len(text.split()) >= 100_000
    pieces = obfuscators[name]().mask(Problem("long", (), Document("unknown", text)))
    check_pieces(pieces, text, "here")
    assert "".join(piece.original for piece in pieces) == text
    assert obfuscated_text(pieces) != text
