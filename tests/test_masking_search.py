"""Searches find what they should, goals count as if anew, and constraints let nothing through."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest

from stemmata.masking.constraints import (
    Fluent,
    Grammatical,
    Kept,
    SameMeaning,
    SamePart,
    Sparing,
    allowed,
    faults,
)
from stemmata.masking.drafts import Draft
from stemmata.masking.goals import StyleGoal, VerifierGoal, shipped
from stemmata.masking.search import a_star, beam, genetic, greedy
from stemmata.masking.style import FAMILIES, Neighbourhoods, counted
from stemmata.model import Document, Problem
from stemmata.rewriting import Edit, rewritten
from stemmata.text.fluency import Fluency
from stemmata.text.meaning import Meaning

TEXT = (
    "It was late, and we did not go home. The old man, who was ill, told us that he would stay.\nSo we left!"
)


def edit(text: str, old: str, new: str, kind: str = "synonym") -> Edit:
    start = text.index(old)
    return Edit(start, start + len(old), new, kind)


EDITS = [
    edit(TEXT, "did not", "didn't", "contract"),
    edit(TEXT, ",", "", "comma"),
    edit(TEXT, ". The", "; the", "joint"),
    edit(TEXT, "old", "aged"),
    edit(TEXT, "told", "informed"),
    edit(TEXT, "!", ".", "exclamation"),
]


class TestGreedy:
    def test_the_best_comes_first_and_gains_are_brought_up_to_date(self) -> None:
        # Sets to cover 0..5: after {0,1,2,3} the second largest brings nothing new.
        sets = [{0, 1, 2, 3}, {1, 2, 3}, {4}, {4, 5}]
        covered: set[int] = set()

        def take(number: int) -> bool:
            covered.update(sets[number])
            return True

        gains = lambda numbers: np.array([float(len(sets[one] - covered)) for one in numbers])  # noqa: E731
        assert greedy(4, gains, take) == [0, 3]

    def test_what_is_refused_does_not_come_back(self) -> None:
        asked: list[int] = []

        def take(number: int) -> bool:
            asked.append(number)
            return number == 2

        assert greedy(3, lambda numbers: np.array([3.0, 2.0, 1.0])[list(numbers)], take) == [2]
        assert asked == [0, 1, 2]

    def test_it_stops_where_nothing_gains(self) -> None:
        gains = lambda numbers: np.array([3.0, 2.0, 0.0, -1.0])[list(numbers)]  # noqa: E731
        assert greedy(4, gains, lambda _: True) == [0, 1]
        assert greedy(0, gains, lambda _: True) == []

    def test_many_of_the_same_worth_are_looked_at_in_few_goes(self):
        # Whatever is taken makes all the rest worth a little less, as where a text repeats itself.
        goes, taken = [0], [0]

        def gains(numbers):
            goes[0] += 1
            return np.full(len(numbers), 1.0 - taken[0] / 1000)

        def take(_):
            taken[0] += 1
            return True

        assert greedy(400, gains, take) == list(range(400))
        assert goes[0] < 400 * 6


class TestOthers:
    def test_a_wider_beam_passes_a_trap(self) -> None:
        # The better first step leads nowhere.
        ways = {"": ["a", "b"], "a": ["aa"], "b": ["bb"]}
        worth = {"": 0.0, "a": 2.0, "b": 1.0, "aa": 1.5, "bb": 9.0}
        value = lambda states: np.array([worth[one] for one in states])  # noqa: E731
        found = [beam("", lambda one: ways.get(one, []), value, width) for width in (1, 2)]
        assert found == ["a", "bb"]

    def test_a_star_takes_the_cheap_way_round(self) -> None:
        roads = {"A": [("B", 1.0), ("D", 9.0)], "B": [("C", 1.0)], "C": [("D", 1.0)], "D": []}
        found = a_star("A", lambda one: roads[one], lambda *_: 0.0, lambda one: one == "D")
        assert (found.state, found.cost, found.reached) == ("D", 3.0, True)

    def test_a_star_that_may_not_go_on_says_how_far_it_came(self) -> None:
        found = a_star(0, lambda n: [(n + 1, 1.0)], lambda n, _: 100.0 - n, lambda n: n == 100, most=5)
        assert (found.reached, found.expanded, found.state) == (False, 5, 4)

    def test_the_fittest_is_never_lost_and_the_seed_decides(self) -> None:
        def run(seed: int) -> int:
            return genetic(
                [50],
                lambda n, rng: [int(rng.integers(0, 40))],
                lambda a, b, rng: [a],
                lambda ns: np.array(ns, float),
                np.random.default_rng(seed),
                generations=5,
            )

        assert run(1) == run(1) == 50

    def test_it_ends_when_it_is_enough(self) -> None:
        born: list[int] = []

        def mutants(n: int, rng: np.random.Generator) -> list[int]:
            born.append(n)
            return [n + 1]

        rng = np.random.default_rng(1)
        found = genetic(
            [0], mutants, lambda a, b, rng: [], lambda ns: np.array(ns, float), rng, enough=lambda n: n >= 3
        )
        assert found == 3
        assert max(born) == 2


class TestDraft:
    def test_edits_neither_overlap_nor_touch(self) -> None:
        draft = Draft(TEXT)
        draft.make(EDITS[0])
        tried = (Edit(27, 28, "", "touches"), Edit(28, 30, "x", "keeps apart"), EDITS[0])
        assert [draft.fits(one) for one in tried] == [False, True, False]
        draft.undo(EDITS[0])
        assert draft.fits(EDITS[0])
        assert draft.rewriting.text == TEXT

    def test_what_an_earlier_rewriting_wrote_is_not_changed_again(self) -> None:
        # "very" is gone, "big" was "large".
        before = rewritten("a very old and large house", [Edit(2, 7, "", "x"), Edit(15, 20, "big", "x")])
        assert before.text == "a old and big house"
        draft = Draft(before.text, before=before)
        for start, end, fits in (
            (0, 1, True),  # the article before what was left out
            (2, 5, True),  # the word behind it
            (0, 5, False),  # both, across it
            (9, 10, True),  # the blank before "big"
            (10, 13, False),
            (6, 11, False),
            (12, 13, False),
            (13, 14, True),
        ):
            assert draft.fits(Edit(start, end, "x", "x")) == fits, (start, end)
        assert draft.written["big"] == 1

    def test_nothing_is_put_in_where_something_was_left_out(self) -> None:
        before = rewritten("I still think so", [Edit(2, 8, "", "x")])
        assert before.text == "I think so"
        draft = Draft(before.text, before=before)
        assert not draft.fits(Edit(1, 2, " really ", "x"))
        assert not draft.fits(Edit(2, 2, "really ", "x"))
        assert draft.fits(Edit(7, 8, " really ", "x"))

    def test_a_joint_shows_both_sentences(self) -> None:
        variant = Draft(TEXT).variant(EDITS[2])
        assert variant.place == (0, 1)
        assert variant.new.startswith("It was late, and we did not go home; the old man")

    def test_an_edit_that_was_made_is_shown_as_it_stands(self) -> None:
        draft = Draft(TEXT)
        for one in EDITS[3:5]:
            draft.make(one)
        shown = draft.as_made(EDITS[3])
        assert draft.edits == EDITS[3:5]
        assert shown.original == "The old man, who was ill, told us that he would stay."
        assert shown.new == "The aged man, who was ill, informed us that he would stay."

    def test_contexts_of_neighbours_start_alike_and_go_on_as_the_text_does(self) -> None:
        text = " ".join(f"The {number}th man of the village did not go home at all." for number in range(60))
        draft = Draft(text)
        places = [found.start() for found in re.finditer("not ", text)]
        shown = draft.variants([Edit(at, at + 4, "", "x") for at in places])
        for one, other in pairwise(shown):
            both = f"{one.context}{one.original} "
            # Either the next sentence goes on behind this one, or it begins anew some way back.
            assert other.context == both or (len(other.context) <= 200 and both.endswith(other.context))
        assert sum(one.context == "" for one in shown) == 1
        assert max(len(one.context) for one in shown) < 1000
        assert len({text.index(one.context + one.original) for one in shown}) < len(shown) / 5

    def test_text_without_words_has_no_sentences_to_show(self) -> None:
        assert Draft("  ").variant(Edit(0, 1, "", "x")).new == " "


class TestStyle:
    @pytest.mark.parametrize("one", EDITS)
    def test_what_an_edit_changes_is_what_counting_anew_finds(self, one: Edit) -> None:
        text = "\n".join([TEXT] * 3)
        one = one._replace(start=one.start + len(TEXT) + 1, end=one.end + len(TEXT) + 1)
        before, after = counted(text), counted(rewritten(text, [one]).text)
        changes = Neighbourhoods(text).changes(one)
        for family in FAMILIES:
            expected = {
                term: after[family][term] - before[family][term]
                for term in {*before[family], *after[family]}
                if after[family][term] != before[family][term]
            }
            assert changes.get(family, {}) == expected, family

    def test_gains_are_those_of_the_texts(self) -> None:
        goal = StyleGoal(
            ["He did not know. We did not see him, and he did not care, so we left it there."], overlaps={}
        )
        likeness = goal.begin(TEXT, EDITS)
        before = goal.values([TEXT])[0]
        assert likeness.value == pytest.approx(before)
        texts = [rewritten(TEXT, [one]).text for one in EDITS]
        assert likeness.gains() == pytest.approx(goal.values(texts) - before, abs=1e-9)
        likeness.make(0)
        both = rewritten(TEXT, [EDITS[0], EDITS[4]]).text
        assert likeness.gains([4])[0] == pytest.approx(goal.values([both])[0] - likeness.value, abs=1e-9)

    def test_the_overlap_follows_edits(self) -> None:
        goal = StyleGoal([TEXT])
        likeness = goal.begin(TEXT, EDITS)
        likeness.make(3)
        assert likeness.value == pytest.approx(goal.values([rewritten(TEXT, [EDITS[3]]).text])[0], abs=1e-9)

    def test_what_is_usual_is_worth_as_much_as_is_said(self) -> None:
        text = "The lark, I fancy, is the queerest of birds; it doth sing till nightfall, I fancy."
        plain = Edit(text.index("I fancy"), text.index("I fancy") + 7, "I think", "x")
        odd = plain._replace(replacement="I opine")
        for contrast in (0.0, 1.0):
            goal = StyleGoal([text], cosines={}, contrast=contrast)
            likeness = goal.begin(text, [plain, odd])
            first, second = likeness.gains()
            # Both words are equally unlike the author's; one is like everybody's.
            assert (first > second) == bool(contrast)
            likeness.make(0)
            changed = rewritten(text, [plain]).text
            assert likeness.value == pytest.approx(goal.values([changed])[0], abs=1e-9)

    def test_a_text_is_most_like_itself(self) -> None:
        goal = StyleGoal([TEXT])
        assert goal.values([TEXT])[0] < goal.values(["Rain fell; nobody cared. Perhaps they never would?"])[0]

    def test_the_background_holds_frequencies_alone(self) -> None:
        for families in shipped().kinds.values():
            assert set(families) == set(FAMILIES)
            assert all(usual.mean.min() >= 0 and usual.spread.min() > 0 for usual in families.values())


class Doubter:
    def score(self, problems: list[Problem]) -> list[float]:
        return [0.9 if "we" in one.unknown.text else 0.1 for one in problems]


def test_verifiers_are_a_goal() -> None:
    goal = VerifierGoal(("us",), (Doubter(),), (Problem("x", (), Document("u", "")),))
    assert goal.values(["we", "they"]) == pytest.approx([0.1, 0.9])


class Letters(Fluency):
    """Finds long sentences unlikely."""

    def changes(self, original, variants, context="", ahead=-1):  # type: ignore[no-untyped-def]
        pairs = zip(original, variants, strict=True)
        return np.array([float(len(old) - len(new)) for old, new in pairs])


class Bags:
    def vectors(self, texts: list[str]) -> np.ndarray:
        rows = np.array(
            [[text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]
        )
        return (rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1)).astype(np.float32)


class TestConstraints:
    def kept(self, text: str, old: str, new: str, *constraints: object) -> bool:
        return bool(allowed(Draft(text), [edit(text, old, new)], constraints))  # type: ignore[arg-type]

    @pytest.mark.parametrize(
        ("old", "new", "may"),
        [
            ("not see", "see", False),
            ("did not", "didn't", True),
            ("12 men", "some men", False),
            ("12 men", "12 people", True),
            ("saw Ann", "saw her", False),
            ("saw Ann", "met Ann", True),
            ("Ann", "her", False),
            ("cannot", "can't", True),
            ("two", "some", False),
            ("two songs", "2 songs", True),
            ("hardly knows", "knows", False),
            ("hardly knows", "scarcely knows", True),
        ],
    )
    def test_numbers_names_and_negations_stay(self, old: str, new: str, may: bool) -> None:
        text = "She did not see 12 men. He saw Ann, who cannot sing. She hardly knows two songs."
        assert self.kept(text, old, new, Kept()) == may

    def test_quotations_stay_where_they_are_quotations(self) -> None:
        text = 'He wrote: "All men are mortal," and left.'
        assert self.kept(text, "men", "people", Kept())
        assert not self.kept(text, "men", "people", Kept(quotations=True))
        assert self.kept(text, "left", "went", Kept(quotations=True))

    @pytest.mark.parametrize(
        "text",
        [
            "He wrote: 'All men are mortal, and it's sad,' and left.",
            "He wrote: ‘All men are mortal, and it’s sad,’ and left.",
            'He wrote: "All men\nare mortal (p. 3), and\nit is sad," and left.',
            "He wrote: “All men\nare mortal,” and left.",
            "He wrote: «All men are mortal», and left.",
            "He wrote: „All men are mortal“, and left.",
            "He wrote:\n> All men are mortal.\nAnd left.",
            "He wrote 'All men are mortal in the rain', and the boys' dog left.",
        ],
        ids=[
            "straight",
            "curly",
            "straight-over-lines",
            "curly-over-lines",
            "guillemets",
            "low",
            "block",
            "no-lost-letter",
        ],
    )
    def test_quotations_have_many_marks(self, text: str) -> None:
        assert not self.kept(text, "men", "people", Kept(quotations=True))
        assert self.kept(text, "left", "went", Kept(quotations=True))

    @pytest.mark.parametrize("text", ["The boys' men left.", "Rock 'n' roll men left.", "'Tis men who left."])
    def test_an_apostrophe_is_no_quotation_mark(self, text: str) -> None:
        assert self.kept(text, "men", "people", Kept(quotations=True))

    def test_the_same_words_are_not_written_again_and_again(self) -> None:
        draft = Draft("a b c d e")
        for at in (0, 2):
            draft.make(Edit(at, at + 1, "yet", "x"))
        assert allowed(draft, [Edit(4, 5, "Yet", "x")], [Sparing(3)])
        assert not allowed(draft, [Edit(4, 5, "Yet", "x")], [Sparing(2)])

    @pytest.mark.parametrize(
        ("old", "new", "may"),
        [
            ("old", "aged", False),
            ("an old", "an aged", True),
            ("house", "house house", False),
            ("saw", "saw ,", False),
        ],
    )
    def test_no_new_fault_is_made(self, old: str, new: str, may: bool) -> None:
        text = "We saw a new house and an old house."
        new_text = {"old": "new"}.get(old, old)
        assert self.kept(text, new_text, new, Grammatical()) == may

    def test_faults_that_were_there_are_no_reason(self) -> None:
        assert faults("He had had a idea") == 2
        assert faults("A ukulele, an MBA, a US ship, a one-eyed man, an hour, an X-ray") == 0
        assert self.kept("He had had a idea", "idea", "aim", Grammatical())

    def test_a_word_stays_of_its_part_of_speech(self) -> None:
        text = "The old man slept quietly in his chair."
        assert self.kept(text, "slept", "rested", SamePart())
        assert not self.kept(text, "quietly", "quiet", SamePart())

    def test_fluency_and_meaning_look_at_all_edits_of_a_sentence(self) -> None:
        draft = Draft("We went home. They ran.")
        fluent = Fluent(most=3.0, fluency=Letters())
        assert allowed(draft, [edit(draft.text, "went", "walked")], [fluent])
        draft.make(edit(draft.text, "home", "inside"))
        assert not allowed(draft, [edit(draft.text, "went", "walked")], [fluent])
        assert allowed(draft, [edit(draft.text, "ran", "walk")], [fluent])
        same = SameMeaning(least=0.7, meaning=Meaning(Bags))
        assert allowed(draft, [edit(draft.text, "ran", "rang")], [same])
        assert not allowed(draft, [edit(draft.text, "They ran", "Zzzzzzzz")], [same])
