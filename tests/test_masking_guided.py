"""Our obfuscator hides a text and keeps it: the limits hold, whatever it is given."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from stemmata.masking import obfuscators
from stemmata.masking.constraints import Kept, allowed
from stemmata.masking.drafts import Draft
from stemmata.masking.goals import StyleGoal
from stemmata.masking.guided.choosing import Limits, Scorers, choose
from stemmata.masking.guided.habits import habits
from stemmata.masking.guided.masker import Stemmata, layout, limits_at, parts_of, proposals
from stemmata.masking.guided.training import background, stretches
from stemmata.model import Document, Obfuscator, Problem, StemmataError
from stemmata.rewriting import Edit, Rewriting
from stemmata.text.fluency import Fluency
from stemmata.text.meaning import Meaning
from stemmata.text.words import find_words

KNOWN = (
    "I do not think that it is a good idea. However, we did not have many other things to do, and I was very "
    "tired. It is hard to say what he wanted; perhaps he did not know. I do not believe it was his fault. "
)
TEXT = (
    "I do not know what they were looking for. However, it was a very cold morning, and we did not want to "
    "wait. She said that it was not far; perhaps it was true. We walked for many hours, but nobody came. "
    "In the end we did not find the house of Mr. Brown, who had left in 1912. It is a long way home! "
)

PERHAPS, MANY = TEXT.index("perhaps"), TEXT.index("many")
WORDS = (Edit(PERHAPS, PERHAPS + 7, "maybe", "synonym"), Edit(MANY, MANY + 4, "numerous", "small-word"))


class Easy(Fluency):
    """Finds everything as likely as it was, but for words it was told to mind."""

    def __init__(self, *minded: str, nats: float = 9.0) -> None:
        super().__init__()
        self.minded, self.nats = minded, nats
        self.asked = 0

    def changes(self, original, variants, context="", ahead=-1):  # type: ignore[no-untyped-def]
        self.asked += len(variants)
        return np.array([-self.nats * sum(word in one for word in self.minded) for one in variants])


class Flat:
    """Takes all texts for the same."""

    def vectors(self, texts: list[str]) -> np.ndarray:
        return np.ones((len(texts), 1), np.float32)


class Goal:
    """Gains so much by each edit, whatever else is made."""

    def __init__(self, gains: list[float]) -> None:
        self._gains = np.array(gains)

    def begin(self, text: str, edits: list[Edit]) -> Goal:
        return self

    def gains(self, numbers=None):  # type: ignore[no-untyped-def]
        return self._gains if numbers is None else self._gains[list(numbers)]

    def make(self, number: int) -> None:
        pass


def problem(text: str = TEXT, known: str = KNOWN) -> Problem:
    samples = (Document("known", known),) if known else ()
    return Problem("one", samples, Document("unknown", text))


def check_edits(hidden: Rewriting) -> bool:
    """Tell whether edits lie in order and change what they replace."""
    pairs = zip(hidden.edits, hidden.edits[1:], strict=False)
    return all(one.end <= other.start for one, other in pairs) and all(
        hidden.original[one.start : one.end] != one.replacement for one in hidden.edits
    )


def masker(strength: float = 0.5, *minded: str) -> Stemmata:
    return Stemmata(strength=strength, scorers=lambda: Scorers(Easy(*minded, nats=99.0), Meaning(Flat)))


class TestStemmata:
    def test_it_is_registered_and_is_an_obfuscator(self) -> None:
        assert isinstance(obfuscators["stemmata"](), Obfuscator)

    def test_pieces_make_up_both_texts_and_the_style_moves_away(self) -> None:
        pieces = masker(1.0).mask(problem())
        hidden = "".join(piece.obfuscation for piece in pieces)
        assert "".join(piece.original for piece in pieces) == TEXT
        goal = StyleGoal([KNOWN])
        before, after = goal.values([TEXT, hidden])
        assert after > before + 0.1

    def test_who_was_asked_of_one_text_judges_no_other(self) -> None:
        asked: list[Easy] = []

        def counted() -> Scorers:
            asked.append(Easy())
            return Scorers(asked[-1], Meaning(Flat))

        twice = Stemmata(scorers=counted)
        assert twice.rewriting(problem()) == twice.rewriting(problem())
        assert len(asked) == 2
        assert asked[0].asked == asked[1].asked > 0

    def test_numbers_and_names_stay(self) -> None:
        hidden = masker(1.0).rewriting(problem()).text
        assert {"Brown", "1912"} <= set(re.findall(r"(?<=Mr )Brown|(?<=Mr\. )Brown|1912", hidden))

    def test_negations_are_as_many(self) -> None:
        count = lambda text: len(re.findall(r"\bnot\b|n['’]t\b|nobody|\bno one\b", text))  # noqa: E731
        assert count(masker(1.0).rewriting(problem()).text) == count(TEXT)

    def test_what_the_language_model_finds_odd_is_refused(self) -> None:
        text = TEXT * 3
        free = masker(0.5).rewriting(problem(text))
        [word] = [
            new
            for new, _ in Counter(
                one.replacement for one in free.edits if one.replacement.isalpha()
            ).most_common(1)
        ]
        minded = masker(0.5, word).rewriting(problem(text))
        assert all(one.replacement != word for one in minded.edits)

    def test_more_strength_changes_more(self) -> None:
        counts = [len(masker(one).rewriting(problem(TEXT * 4)).edits) for one in (0.0, 0.5, 1.0)]
        assert counts[0] < counts[1] <= counts[2]

    def test_the_same_text_is_masked_alike(self) -> None:
        assert masker().mask(problem()) == masker().mask(problem())

    def test_without_samples_it_leaves_its_own_style(self) -> None:
        assert masker().rewriting(problem(known="")).edits

    @pytest.mark.parametrize(
        "text",
        [
            "",
            " \n",
            "Hello",
            "...",
            "Это не моё, и я не знаю, что с этим делать.",
            "a\x00b \x07 c",
            "\ufeffIt is.",
        ],
    )
    def test_odd_texts_survive(self, text: str) -> None:
        pieces = masker(1.0).mask(problem(text))
        assert "".join(piece.original for piece in pieces) == text

    def test_markup_and_code_stay(self) -> None:
        text = "We do not know. See <a href='do-not'>it</a> and `it is not` at https://do.not/is-not now."
        hidden = masker(1.0).rewriting(problem(text)).text
        assert all(one in hidden for one in ("<a href='do-not'>", "`it is not`", "https://do.not/is-not"))

    def test_neither_letters_of_other_scripts_nor_hidden_ones_appear(self) -> None:
        new = set(masker(1.0).rewriting(problem(TEXT * 2)).text) - set(TEXT)
        assert all(one.isascii() or one in "’‘“”–—…" for one in new)

    def test_what_others_said_stays(self) -> None:
        quoted = ("do not think that it is a very good idea", "It is not what we did not want.")
        text = f'As Smith writes, they "{quoted[0]}", and Brown: "{quoted[1]}" {TEXT}'
        hidden = masker(1.0).rewriting(problem(text)).text
        assert all(one in hidden for one in quoted)
        assert "don't" in hidden

    def test_strength_outside_its_range_is_refused(self) -> None:
        with pytest.raises(StemmataError, match="strength"):
            Stemmata(strength=1.5)

    def test_a_long_text_is_done_in_parts(self) -> None:
        text = TEXT * 120
        parts = parts_of(text)
        assert len(parts) > 1
        assert "".join(text[start:end] for start, end in parts) == text
        assert all(text[end - 1].isspace() for _, end in parts[:-1])

    def test_parts_put_together_are_the_text(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("stemmata.masking.guided.masker.PART", 40)
        long = problem("So it was.   " + TEXT * 2)
        ours = masker(1.0)
        parts = ours.parts(long)
        assert len(parts) > 2
        hidden = ours.rewriting(long)
        assert hidden == ours.rewriting_from(long, [ours.rewrite_part(part) for part in parts])
        assert check_edits(hidden)
        assert "don't" in hidden.text
        assert "  " not in hidden.text

    def test_it_reads_a_text_twice_and_changes_nothing_twice(self, monkeypatch: pytest.MonkeyPatch) -> None:
        passes: list[tuple[Rewriting, Rewriting]] = []

        def spied(text, *others):  # type: ignore[no-untyped-def]
            passes.append((others[-1], choose(text, *others)))
            return passes[-1][1]

        monkeypatch.setattr("stemmata.masking.guided.masker.choose", spied)
        hidden = masker(1.0).rewrite_part(problem())
        (start, once), (before, twice) = passes
        assert start.text == TEXT
        assert (before, twice.original) == (once, once.text)
        assert hidden.text == twice.text != once.text
        for edit in twice.edits:
            for one in once.written:
                assert edit.end <= one.start or one.end <= edit.start


class TestChoosing:
    EDITS = (
        Edit(2, 8, "don't", "contract"),
        Edit(43, 50, "But", "marker"),
    )

    def test_limits_hold(self) -> None:
        goal = StyleGoal([KNOWN])
        scorers = Scorers(Easy(), Meaning(Flat))
        few = choose(TEXT, proposals(TEXT), goal, Limits(words=0.05, price=0), scorers)
        assert sum(max(1, len(TEXT[one.start : one.end].split())) for one in few.edits) <= 0.05 * len(
            TEXT.split()
        )
        once = choose(TEXT * 6, proposals(TEXT * 6), goal, Limits(words=0.5, price=0, repeated=1), scorers)
        words = [
            one.replacement.lower()
            for one in once.edits
            if find_words(one.replacement).forms
            not in ((), find_words((TEXT * 6)[one.start : one.end]).forms)
        ]
        assert max(Counter(words).values()) == 1
        assert not choose(TEXT, proposals(TEXT), goal, Limits(price=1e6), scorers).edits

    def test_what_hides_only_when_another_edit_is_made_is_looked_at_again(self) -> None:
        class Growing(Goal):
            """Nothing is gained by the second edit before the first is made."""

            def __init__(self) -> None:
                self.made: list[int] = []

            def gains(self, numbers=None):  # type: ignore[no-untyped-def]
                now = np.array([1.0, 1.0 if self.made else -1.0])
                return now if numbers is None else now[list(numbers)]

            def make(self, number: int) -> None:
                self.made.append(number)

        easy = Easy()
        hidden = choose(TEXT, WORDS, Growing(), Limits(price=0), Scorers(easy, Meaning(Flat)))  # type: ignore[arg-type]
        assert [edit.replacement for edit in hidden.edits] == ["maybe", "numerous"]
        assert easy.asked == 2

    @pytest.mark.parametrize(
        ("minded", "taken", "asked"),
        [((), "possibly", 1), (("possibly",), "maybe", 2), (("possibly", "maybe"), "it may be", 3)],
    )
    def test_another_edit_of_a_place_is_asked_for_only_where_the_first_will_not_do(
        self, minded: tuple[str, ...], taken: str, asked: int
    ) -> None:
        others = [WORDS[0]._replace(replacement=word) for word in ("maybe", "possibly", "it may be")]
        easy = Easy(*minded, nats=99.0)
        limits = Limits(price=0, words=0.5)
        hidden = choose(TEXT, others, Goal([2.0, 3.0, 1.0]), limits, Scorers(easy, Meaning(Flat)))  # type: ignore[arg-type]
        assert [edit.replacement for edit in hidden.edits] == [taken]
        assert easy.asked == asked

    @pytest.mark.parametrize(("apart", "made", "asked"), [(0.001, 2, 0), (0.07, 1, 1)])
    def test_what_edits_mean_together_is_asked_only_where_it_may_be_too_much(
        self, apart: float, made: int, asked: int
    ) -> None:
        """Each edit moves the sentence's vector a little, and all of them together too far, or not."""
        text = "Perhaps we saw many birds there."
        words = [Edit(0, 7, "Maybe", "synonym"), Edit(15, 19, "numerous", "synonym")]
        both = []

        class Minding:
            def vectors(self, texts: list[str]) -> np.ndarray:
                counts = [sum(word in one for word in ("Maybe", "numerous")) for one in texts]
                both.extend(count for count in counts if count == 2)
                cosines = np.cos(np.array(counts) * np.arccos(1 - apart))
                return np.stack([cosines, np.sqrt(1 - cosines**2)], axis=1).astype(np.float32)

        limits = Limits(price=0, meaning_price=0.1, cosine=0.9, words=0.9, checks=1)
        hidden = choose(text, words, Goal([2.0, 1.0]), limits, Scorers(Easy(), Meaning(Minding)))  # type: ignore[arg-type]
        assert len(hidden.edits) == made
        assert len(both) == asked

    def test_sentences_whose_edits_cost_next_to_nothing_are_not_read_again(self) -> None:
        text = "Perhaps we saw many birds there."
        words = [Edit(0, 7, "Maybe", "synonym"), Edit(15, 19, "numerous", "synonym")]
        for bears, asked in ((30.0, 2), (4.0, 3)):
            easy = Easy()
            limits = Limits(price=0, words=0.9, checks=1, sentence_nats=bears)
            choose(text, words, Goal([2.0, 1.0]), limits, Scorers(easy, Meaning(Flat)))  # type: ignore[arg-type]
            assert easy.asked == asked

    def test_another_word_may_cost_less_than_what_a_rule_allows(self) -> None:
        goal = StyleGoal([KNOWN])
        # Every edit costs nine nats.
        dear = Scorers(Easy(""), Meaning(Flat))
        limits = Limits(nats=9, word_nats=1, sentence_nats=99, words=0.9, price=-1e6, nat_price=0, checks=9)
        kinds = {edit.kind for edit in choose(TEXT, WORDS, goal, limits, dear).edits}
        assert kinds == {"small-word"}
        limits = replace(limits, word_nats=9)
        kinds = {edit.kind for edit in choose(TEXT, WORDS, goal, limits, dear).edits}
        assert kinds == {"synonym", "small-word"}

    def test_what_is_taken_from_the_meaning_has_its_price(self) -> None:
        class Minding:
            def vectors(self, texts: list[str]) -> np.ndarray:
                return np.array([(0.8, 0.6) if "numerous" in one else (1, 0) for one in texts], np.float32)

        free = Limits(cosine=0.5, price=0)
        for limits, made in ((free, 2), (replace(free, meaning_price=1e6), 1)):
            hidden = choose(TEXT, WORDS, StyleGoal([KNOWN]), limits, Scorers(Easy(), Meaning(Minding)))
            assert [edit.replacement for edit in hidden.edits] == ["maybe", "numerous"][:made]

    def test_marks_are_not_counted_as_words_that_come_again(self) -> None:
        text = "We left. I slept. We ate. I read. We came. I saw."
        joints = [Edit(at, at + 3, "; I", "joint") for at in (7, 24, 41)]
        assert {text[one.start : one.end] for one in joints} == {". I"}
        limits = Limits(words=0.9, price=-1e6, repeated=1, checks=9)
        goal, scorers = StyleGoal([text * 3]), Scorers(Easy(), Meaning(Flat))
        assert len(choose(text, joints, goal, limits, scorers).edits) == 3
        others = [one._replace(replacement="; we") for one in joints]
        assert len(choose(text, others, goal, limits, scorers).edits) == 1

    def test_no_sentence_comes_to_hold_two_semicolons(self) -> None:
        text = "She was angry, for we had missed the train. We stayed. It rained; we left."
        marks = [
            Edit(text.index(old), text.index(old) + len(old), new, "joint")
            for old, new in ((", for", "; for"), (". We", "; we"))
        ]
        limits = Limits(words=0.9, price=-1e6)
        goal, scorers = StyleGoal([KNOWN]), Scorers(Easy(), Meaning(Flat))
        assert choose(text, marks, goal, limits, scorers).text.count(";") == 2
        assert choose(text, marks[:1], goal, limits, scorers).text.count(";") == 2
        assert choose(text, marks[1:], goal, limits, scorers).text.count(";") == 2

    def test_the_language_model_is_asked_no_more_than_it_may(self) -> None:
        easy = Easy()
        choose(
            TEXT,
            proposals(TEXT),
            StyleGoal([KNOWN]),
            Limits(checks=0.1, words=0.01),
            Scorers(easy, Meaning(Flat)),
        )
        assert easy.asked <= 0.1 * len(TEXT.split()) + 1

    def test_limits_widen_with_strength(self) -> None:
        low, high = limits_at(0.0), limits_at(1.0)
        assert low.nats < high.nats
        assert low.words < high.words
        assert low.price > high.price


def test_habits_of_typing_are_changed_throughout_or_not_at_all() -> None:
    known = "It's 'so' -- isn't it? I'd say it's -- well -- odd, and it isn't his; he's odd. " * 4
    text = "He's late -- isn't he? I don't -- we don't -- know."
    hidden = layout(text, StyleGoal([known])).text
    assert hidden.count("'") in (0, text.count("'"))
    assert hidden.count("--") in (0, text.count("--"))


def test_no_clause_comes_to_end_in_a_word_that_wants_another() -> None:
    within = habits("Before noon he stood near (the door).")
    at_the_end = habits("It was so the night before. He came near, and was there before\n\nthe rain.")
    assert {"Prior to", "close to"} <= {edit.replacement for edit in within}
    assert not {"prior to", "close to"} & {edit.replacement for edit in at_the_end}


def test_habits_propose_in_order_what_changes_something() -> None:
    found = habits(TEXT)
    assert found == sorted(found)
    assert all(TEXT[one.start : one.end] != one.replacement for one in found)
    assert {"small-word", "comma", "joint"} <= {one.kind for one in found}


def test_a_background_holds_what_is_usual_in_each_kind() -> None:
    made = background({"mine": [KNOWN * 20], "yours": [TEXT * 20]})
    terms = bytes(made["function-words.terms"]).decode().split("\n")
    mine, yours = made["function-words.mean"][:, terms.index("it")]
    assert mine > 0
    assert yours > 0
    assert made["function-words.mean"].sum(axis=1) == pytest.approx(1.0, abs=1e-3)
    assert stretches("short") == []


def test_commas_of_relative_clauses_stay_and_that_follows_none() -> None:
    text = "My neighbour, who is old, used to come here, and I know it. The party, which was grand, was late."
    made = [edit for edit in habits(text) if edit.kind in ("comma", "small-word")]
    assert [edit.start for edit in made if edit.kind == "comma"] == [text.index(", and")]
    assert "that" not in {edit.replacement for edit in made}


def test_spelling_is_changed_throughout_or_not_at_all_and_never_in_quotations() -> None:
    known = "The colour of the harbour is grey, and I honour the labour of my neighbour. " * 5
    text = 'The colour was grey. Her favourite colours were in the harbour, the "colour of honour", he wrote.'
    spelled = layout(text, StyleGoal([known])).text
    assert "color was gray" in spelled
    assert "favorite colors were in the harbor" in spelled
    assert "colour of honour" in spelled


def test_words_of_others_keep_their_stops_and_signs() -> None:
    known = "Some 5 percent met Mr. Smith, 6 percent met Mrs. Brown, and 7 percent met Dr. Jones. " * 5
    text = 'Some 9 percent met Mr. Smith. He wrote: "Some 8 percent met Mr. Brown."'
    hidden = layout(text, StyleGoal([known])).text
    assert hidden.startswith("Some 9% met Mr Smith.")
    assert "Some 8 percent met Mr. Brown" in hidden


def test_code_keeps_its_quotes() -> None:
    known = "It's \"so\", isn't it? I'd say it's \"odd\", and it isn't his; he's \"odd\". " * 4
    text = 'He says it\'s "late", and it isn\'t:\n\n```\nprint("it\'s late")\n```\n\nSo it\'s "late".'
    assert 'print("it\'s late")' in layout(text, StyleGoal([known])).text


def test_a_dictionary_is_not_asked_about_words_of_the_table_of_equivalents_up_to_half_strength() -> None:
    # The table has other words for "large", but none of a person.
    def made(strength: float) -> set[str]:
        return {edit.replacement for edit in proposals("He was very large and very bad.", strength)}

    assert "big" not in made(0.5)
    assert "big" in made(1.0)


def test_words_of_utmost_degree_have_none_before_them() -> None:
    def made(text: str) -> set[str]:
        return {edit.replacement for edit in proposals(text)}

    assert {"vast", "immense"} <= made("We saw the huge crowd.")
    assert made("We saw the rather huge crowd.").isdisjoint({"vast", "immense"})


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("From what is fire made?", "what's"),
        ("The shorter the cable is, the stronger signal it will have.", ";"),
        ("Some 44 percent of them agree.", "percentage"),
        ("I haven't nearly done with you.", "almost"),
        ("We divide and conquer.", "conquer and divide"),
        ("He drank brandy and water.", "water and brandy"),
        ("The documents needed to present are here.", "had"),
        ("She broke apart from him.", "aside"),
        ("He gave us a widely used aid to navigation.", "assistance"),
        ("The farm feeds all animals.", "creatures"),
    ],
)
def test_what_a_reader_would_stumble_over_is_not_proposed(text: str, part: str) -> None:
    assert all(part not in edit.replacement for edit in proposals(text))


def test_the_comma_of_a_correction_stays() -> None:
    text = "She was not a hard woman, only a woman."
    assert (",", "") not in {(text[edit.start : edit.end], edit.replacement) for edit in proposals(text)}


def test_small_words_of_names_and_between_names_stay() -> None:
    text = "They wrote their best work, Your Money or Your Life, in Spain on the Ebro."
    edits = [
        Edit(text.index(" or"), text.index(" or") + 1, ", ", "comma"),
        Edit(text.index(", in"), text.index(" in"), "", "comma"),
    ]
    edits.append(Edit(text.index(" on the") + 1, text.index(" the Ebro"), "upon", "small-words"))
    edits.append(Edit(text.index("wrote"), text.index(" their"), "penned", "synonym"))
    assert [edit.replacement for edit in allowed(Draft(text), edits, [Kept()])] == ["", "penned"]
