"""Automatic quality: scorers, hard checks, grades, and what `stemmata score quality` says of runs."""

import json
import time
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stemmata.cli import status_of
from stemmata.formats.obfuscation_runs import find_runs
from stemmata.masking.quality import Quality, grading
from stemmata.masking.quality.alignment import aligned_pieces
from stemmata.masking.quality.checks import checks_of
from stemmata.masking.quality.features import SENSIBLENESS, SOUNDNESS, order_kept
from stemmata.masking.quality.grading import Deductions, Grader, fitted_graders
from stemmata.masking.quality.grammar import RULES, faults_of
from stemmata.masking.quality.judging import TextQuality
from stemmata.masking.quality.lexical import overlap
from stemmata.masking.quality.runs import _shares, judge_runs, scales_of
from stemmata.masking.quality.scales import school_grade, school_grade_label, soundness_word
from stemmata.masking.quality.spacing import rejoined, set_apart
from stemmata.measures.evaluation import Confidence
from stemmata.model import Piece, StemmataError
from stemmata.text.fluency import CONTEXT, STRETCH, Fluency
from stemmata.text.meaning import Meaning
from stemmata.text.sentence_encoder import installed_encoder
from stemmata.text.wordnet import wordnet
from stemmata.text.words import find_words

any_text = st.text(st.characters(codec="utf-8"), max_size=60)
SENTENCE = "The old man walked slowly to the harbour, and nobody saw him go."
BROKEN = "the old the of man, walk slow to harbour and it be nobody him saw saw"


class Tokens:
    """A stand-in for the language model: a word is a token, and likely after the word it usually follows."""

    def __init__(self):
        self.numbers = {}
        self.asked = []

    def encode(self, text):
        return [self.numbers.setdefault(word, len(self.numbers)) for word in text.split()]

    def continuations(self, rows):
        self.asked += rows
        usual = set(pairwise(self.encode(SENTENCE)))
        return [
            np.array(
                [-1.0 if pair in usual else -5.0 for pair in pairwise([-1, *before, *rest])][len(before) :]
            )
            for before, rest in rows
        ]


class Counts:
    """A stand-in for the sentence encoder: vectors of letters."""

    def __init__(self):
        self.asked = []

    def vectors(self, texts):
        self.asked += texts
        rows = np.array([[text.lower().count(chr(97 + n)) for n in range(26)] for text in texts], np.float32)
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


@pytest.fixture
def tokens():
    return Tokens()


@pytest.fixture
def quality(tokens):
    """The judge with stand-ins for both models; WordNet is small enough to be real."""
    try:
        wordnet()
    except StemmataError as error:
        pytest.skip(str(error))
    counts = Counts()
    return Quality(Fluency(lambda: tokens), Meaning(lambda: counts))


class TestFluency:
    def test_the_logarithm_is_shared_by_the_words(self, tokens):
        [whole] = Fluency(lambda: tokens).readings([SENTENCE])
        words = len(find_words(SENTENCE))
        assert whole.log_probability == -5.0 - (words - 1)
        assert whole.per_word == whole.log_probability / words
        assert whole.least == -5.0

    def test_a_change_is_told_in_nats_against_the_original(self, tokens):
        changed = SENTENCE.replace("slowly", "fast")
        assert Fluency(lambda: tokens).changes(SENTENCE, [changed, SENTENCE]).tolist() == [-8.0, 0.0]

    def test_looking_ahead_a_little_leaves_out_only_what_is_the_same(self, tokens):
        fluency = Fluency(lambda: tokens)
        variants = [
            SENTENCE.replace("slowly", "fast"),
            SENTENCE.replace("The old", "One"),
            SENTENCE + " Home.",
        ]
        full, asked = fluency.changes(SENTENCE, variants), len(tokens.asked)
        assert fluency.changes(SENTENCE, variants, ahead=1).tolist() == full.tolist()
        assert all(len(rest) <= 3 for _, rest in tokens.asked[asked:])

    def test_each_variant_may_have_an_original_and_a_context_of_its_own(self, tokens):
        fluency = Fluency(lambda: tokens)
        old, new = [SENTENCE, "He left."], [SENTENCE.replace("slowly", "fast"), "He went."]
        alone = [fluency.changes(*pair, ahead=2) for pair in ((old[0], new[:1], "So."), (old[1], new[1:]))]
        assert fluency.changes(old, new, ["So.", ""], 2).tolist() == np.concatenate(alone).tolist()

    def test_what_was_asked_before_is_not_computed_again(self, tokens):
        fluency = Fluency(lambda: tokens)
        first = fluency.per_word([SENTENCE, SENTENCE + " So."], "He left.")
        asked = len(tokens.asked)
        again = fluency.per_word([SENTENCE + " So.", "  " + SENTENCE], "He left.")
        assert again.tolist() == first[::-1].tolist()
        assert (asked, len(tokens.asked)) == (2, 2)

    def test_a_context_is_cut_and_a_long_sentence_read_in_stretches(self, tokens):
        [reading] = Fluency(lambda: tokens).readings(["word " * 1000], "before " * 100)
        assert len(reading.tokens) == reading.words == 1000
        assert [len(before) for before, _ in tokens.asked] == [CONTEXT] * 4
        assert max(len(rest) for _, rest in tokens.asked) == STRETCH

    def test_nothing_is_as_likely_as_can_be(self, tokens):
        fluency = Fluency(lambda: tokens)
        assert [one.per_word for one in fluency.readings(["", " "], "Before.")] == [0.0, 0.0]
        assert fluency.readings([]) == []


class TestMeaning:
    def test_vectors_are_computed_once_for_each_text(self):
        counts = Counts()
        meaning = Meaning(lambda: counts)
        one, other = meaning.similarities("abc", ["abc", "xyz"])
        assert (round(one, 6), other) == (1.0, 0.0)
        meaning.similarities(" abc", ["xyz"])
        assert counts.asked == ["abc", "xyz"]

    def test_texts_without_words_mean_the_same_as_each_other_only(self):
        assert Meaning(Counts).pair_similarities(["", ""], ["", "abc"]).tolist() == [1.0, 0.0]
        assert Meaning(Counts).pair_similarities([], []).tolist() == []


class TestChecks:
    @pytest.mark.parametrize(
        ("original", "obfuscated"),
        [
            ("It cost 1,200 pounds.", "The price was 1200 pounds."),
            ("Twelve men came.", "There came 12 men."),
            ("23 dogs and 200 cats.", "Twenty-three dogs and two hundred cats."),
            ("205 or 220,000 men.", "Two hundred and five or two hundred and twenty thousand men."),
            ("It was in 1993.", "It was in one thousand, nine hundred ninety three."),
            ("From 100 and 200 to 2.5 million.", "From one hundred and two hundred to 2500000."),
            ("On the 21st, 1 man came.", "On the twenty-first, one man came."),
            ("One of them came first.", "A man came early."),
            ("We met Ann's friend Bob.", "Bob, a friend of ANN, was met."),
            ("He did not go.", "He didn't go."),
            ("He never goes.", "He does not go."),
            ("They were not happy.", "They were unhappy."),
            ("I think I know.", "I believe that I know."),
            ("Yes. No name here.", "No. Yes, no name here."),
        ],
    )
    def test_what_is_only_said_otherwise_is_kept(self, original, obfuscated):
        checks = checks_of(original, obfuscated)
        assert not checks.numbers
        assert not checks.names
        assert not checks.negations or obfuscated.startswith("No.")

    @pytest.mark.parametrize(
        ("original", "obfuscated", "kind", "told"),
        [
            ("In 1916 it rained.", "In 1961 it rained.", "numbers", [("lost", "1916"), ("added", "1961")]),
            ("Two of 3 left.", "Some of 3 left.", "numbers", [("lost", "Two")]),
            ("Of 21 men.", "Of twenty-two.", "numbers", [("lost", "21"), ("added", "twenty-two")]),
            (
                "A hundred and six.",
                "A hundred.",
                "numbers",
                [("lost", "hundred and six"), ("added", "hundred")],
            ),
            ("She saw Paris.", "She saw London.", "names", [("lost", "Paris"), ("added", "London")]),
            ("He did not go.", "He did go.", "negations", [("lost", "not")]),
            ("He can go, they say.", "He cannot go, they say.", "negations", [("added", "cannot")]),
            ("He was happy.", "He was unhappy.", "negations", [("added", "unhappy")]),
        ],
    )
    def test_what_is_lost_or_added_is_told_with_its_place(self, original, obfuscated, kind, told):
        found = getattr(checks_of(original, obfuscated), kind)
        assert [(one.change, one.text) for one in found] == told
        for one in found:
            text = original if one.change == "lost" else obfuscated
            assert text[one.start : one.end] == one.text

    @given(any_text, any_text)
    def test_any_text(self, original, obfuscated):
        assert not checks_of(original, original)
        for kind in checks_of(original, obfuscated).as_json().values():
            for one in kind:
                text = original if one["change"] == "lost" else obfuscated
                assert text[one["start"] : one["end"]] == one["text"]


class TestSurface:
    def test_blanks_of_a_tokenizer_change_nothing(self):
        written = "He said, \"I don't know (yet).\" It's the dog's; isn't it?"
        apart = "He said , `` I do n't know ( yet ) . '' It 's the dog 's ; is n't it ?"
        assert rejoined(apart) == rejoined(written)
        assert set_apart(written) == 0
        assert set_apart(apart) >= 6

    @pytest.mark.parametrize("rule", [*RULES, "small letter at the start", "small i"])
    def test_each_rule_finds_its_fault(self, rule):
        example = {
            "a before a vowel": "It was a orange.",
            "an before a consonant": "It was an big orange.",
            "word twice": "It was an an end to it.",
            "two determiners": "He took the his hat.",
            "determiner before a mark": "He took the, and left.",
            "determiner before a function word": "He saw the of them.",
            "preposition before a mark": "He stood between, and waited.",
            "two prepositions": "It fell from of it.",
            "modal without its verb": "We must and the house.",
            "bare be": "They said it be far.",
            "base form after a singular": "Then he have it.",
            "to before no verb": "He wanted to was there.",
            "object as a subject": "Here, myself would like it.",
            "marks in a row": "He came,; and left.",
            "mark at the start": ", he came.",
            "mark inside a frame": "It is of, the house.",
            "odd contraction": "They ca not come.",
            "end without a word": "He went to the.",
            "small letter at the start": "he came.",
            "small i": "Then i came.",
        }[rule]
        assert rule in {fault.rule for fault in faults_of(example)}

    @pytest.mark.parametrize(
        "text",
        [
            "It is an hour since he had had a university lunch, and that that man saw.",
            "The book I looked at, and the one I thought of, are a one-off and a European matter.",
            "He must have gone to it; she is the best of them. “It may be,” he said...",
            "An MBA and an FBI man saw a US ship, a ukulele, an heir and a utopia of an historic kind.",
        ],
    )
    def test_what_writers_write_has_no_fault(self, text):
        assert faults_of(rejoined(text)) == []

    @given(any_text)
    def test_rejoining_is_done_once(self, text):
        assert rejoined(rejoined(text)).split() == rejoined(rejoined(rejoined(text))).split()

    @pytest.mark.parametrize("unit", ["a ", "` ", "( ", '" ', "the , ", "i "])
    def test_long_texts_take_no_longer_than_they_must(self, unit):
        text = unit * 20_000
        before = time.process_time()
        faults_of(rejoined(text))
        assert time.process_time() - before < 2


class TestWordsInCommon:
    def test_identical_words_count_whole_and_synonyms_half(self, quality):
        kept, grounded = overlap("The physician drove his car.", "The doctor drove his car.")
        assert kept == grounded == (1 + 1 + 0.5) / 3
        assert overlap("He ran.", "The car stopped.") == (0.0, 0.0)

    def test_order_is_the_longest_common_sequence(self):
        assert order_kept("a b c d", "a b c d") == 1.0
        assert order_kept("a b c d", "d c b a") == 0.25
        assert order_kept("a b c d", "a c x d") == 0.75
        assert (order_kept("", ""), order_kept("a", "")) == (1.0, 0.0)

    @given(st.lists(st.sampled_from("abc"), max_size=9), st.lists(st.sampled_from("abc"), max_size=9))
    def test_order_is_what_the_usual_table_gives(self, old, new):
        table = np.zeros((len(old) + 1, len(new) + 1), int)
        for row, one in enumerate(old):
            for column, other in enumerate(new):
                best = max(table[row, column + 1], table[row + 1, column])
                table[row + 1, column + 1] = table[row, column] + 1 if one == other else best
        expected = 2 * table[-1, -1] / (len(old) + len(new)) if old and new else float(old == new)
        assert order_kept(" ".join(old), " ".join(new)) == expected


class TestGrader:
    def fitted(self, noise=0.1):
        rng = np.random.default_rng(1)
        figures = {"cosine": rng.random(200), "faults": rng.random(200), "kept": rng.random(200)}
        truth = 1 / (1 + np.exp(-4 * (figures["cosine"] - figures["faults"])))
        grades = 2 * np.clip(truth + rng.normal(0, noise, 200), 0, 1)
        return figures, grades, Grader.fitted(figures, tuple(figures), grades, 2.0, np.ones(200))

    def test_it_learns_the_direction_and_the_scale_of_grades(self):
        figures, grades, grader = self.fitted()
        made = grader.grades(figures)
        assert np.corrcoef(made, grades)[0, 1] > 0.9
        assert abs(made.mean() - grades.mean()) < 0.03
        assert abs(np.polyfit(made, grades, 1)[0] - 1) < 0.1

    def test_a_figure_never_counts_against_its_sense(self):
        figures, grades, _ = self.fitted()
        against = Grader.fitted(figures, tuple(figures), 2 - grades, 2.0, np.ones(200))
        weights = dict(zip(against.names, against.weights, strict=True))
        assert weights["cosine"] >= 0 >= weights["faults"]

    def test_what_is_kept_says_the_same(self):
        figures, _, grader = self.fitted()
        again = Grader.from_json(json.loads(json.dumps(grader.as_json())))
        assert again.grades(figures).tolist() == grader.grades(figures).tolist()

    def test_beyond_what_was_seen_nothing_counts_more(self):
        _, _, grader = self.fitted()
        far = {"cosine": np.array([1.0, 99.0]), "faults": np.array([0.0, -99.0]), "kept": np.ones(2)}
        near = {**far, "cosine": np.array([1.0, 1.0]), "faults": np.zeros(2)}
        assert np.allclose(grader.grades(far), grader.grades(near), atol=0.02)

    def test_deductions_are_learned_and_kept(self):
        rng = np.random.default_rng(1)
        figures = {"cosine": rng.random(200), "kept": rng.random(200)}
        grades = 5 - 1.5 * (1 - figures["kept"]) - 2 * (1 - figures["cosine"]) ** 2
        fitted = Deductions.fitted(figures, tuple(figures), grades, 5.0, np.ones(200))
        again = Deductions.from_json(json.loads(json.dumps(fitted.as_json())))
        assert np.allclose(again.once, (0, 1.5), atol=1e-4)
        assert np.allclose(again.squared, (2, 0), atol=1e-4)
        assert again.grades({"cosine": np.ones(1), "kept": np.ones(1)}).tolist() == [5.0]

    def test_the_package_brings_graders_of_both_kinds(self):
        graders = fitted_graders()
        assert graders["sensibleness"].names == SENSIBLENESS
        assert graders["soundness"].names == SOUNDNESS
        assert (graders["sensibleness"].top, graders["soundness"].top) == (2.0, 5.0)

    def test_damaged_weights_are_refused(self, monkeypatch):
        monkeypatch.setattr(grading, "FITTED", "grading.py")
        with pytest.raises(StemmataError, match="E851"):
            fitted_graders.__wrapped__()


def test_grades_of_pan18_are_read_off_the_systems_graded_twice():
    assert [school_grade(value) for value in (2.0, 1.94, 1.2, 0.57, 0.0)] == [1.0, 2.0, 4.0, 5.0, 5.0]
    assert [soundness_word(value) for value in (5.0, 4.7, 4.48, 4.04)] == [
        "correct",
        "passable",
        "incorrect",
        "incorrect",
    ]


class TestAlignment:
    def test_sentences_split_merged_and_lost_find_their_originals(self):
        original = (
            "It rained all day. We stayed in and read two books. Nobody came to us. At night the moon shone."
        )
        obfuscated = (
            "It rained all day, they say. We stayed in. Two books were read. At night there shone the moon."
        )
        pieces = aligned_pieces(original, obfuscated)
        assert [(piece.original, piece.obfuscation) for piece in pieces] == [
            ("It rained all day.", "It rained all day, they say."),
            ("We stayed in and read two books.", "We stayed in. Two books were read."),
            ("Nobody came to us.", ""),
            ("At night the moon shone.", "At night there shone the moon."),
        ]

    @given(any_text, any_text)
    def test_pieces_are_where_they_say(self, original, obfuscated):
        for piece in aligned_pieces(original, obfuscated):
            assert original[piece.start : piece.end] == piece.original


class TestJudging:
    def test_broken_text_reads_worse_than_whole(self, quality):
        whole, broken = quality.judge([SENTENCE] * 2, [SENTENCE, BROKEN])
        assert 0 <= broken.sensibleness < whole.sensibleness <= 2
        assert 0 <= broken.soundness < whole.soundness <= 5
        assert not whole.faults
        assert len(broken.faults) >= 3

    def test_nothing_left_is_worth_nothing_and_nothing_to_begin_with_has_no_grade(self, quality):
        gone, never = quality.judge([SENTENCE, "..."], ["", "—"])
        assert (gone.sensibleness, gone.soundness) == (0.0, 0.0)
        assert not never.is_graded
        assert quality.judge([], []) == []

    def test_a_text_is_the_mean_of_its_pieces_by_words(self, quality):
        pieces = [
            Piece(1, SENTENCE, 0, 0, SENTENCE),
            Piece(2, "He left.", 0, 0, BROKEN),
            Piece(3, "", 0, 0, ""),
        ]
        text = quality.judge_pieces(pieces)
        whole, broken = text.pieces
        assert text.sensibleness == pytest.approx((13 * whole.sensibleness + 2 * broken.sensibleness) / 15)
        assert text.numbers == (0, 1)

    def test_a_long_text_is_graded_by_a_sample_and_checked_in_full(self, quality):
        pieces = [Piece(n, f"He saw {n} men go.", 0, 0, "He saw some men go.") for n in range(1000)]
        text = quality.judge_pieces(pieces, most=20)
        assert text.graded == 20
        assert text.note == "graded by a sample of 20 of 1,000 pieces"
        assert text.count("numbers", "lost") == 1000
        assert quality.judge_pieces(pieces, most=20).sensibleness == text.sensibleness

    def test_another_language_is_checked_for_numbers_only(self, quality):
        old = "Das ist nicht die Frau, die wir 1916 in der Stadt gesehen haben."
        text = quality.judge_pieces([Piece(1, old, 0, 0, "Das ist die Frau, die wir 1961 gesehen haben.")])
        assert np.isnan(text.sensibleness)
        assert "another language (de)" in text.note
        assert text.count("numbers", "lost") == 1
        assert text.as_json()["checks"]["negations"] == {"lost": 0, "added": 0}
        assert text.as_json()["sensibleness"] is None

    def test_an_empty_text_has_no_grade(self, quality):
        assert quality.judge_pieces([]).as_json()["sensibleness"] is None
        assert np.isnan(quality.judge_text("", "").soundness)

    def test_without_pieces_sentences_are_aligned_first(self, quality):
        text = quality.judge_text(SENTENCE + " It was late.", SENTENCE + " It was 3 o'clock.")
        assert len(text.pieces) == 2
        assert text.count("numbers", "added") == 1


def obfuscation(*pairs):
    return json.dumps(
        [
            {
                "original": old,
                "original-start-charpos": 0,
                "original-end-charpos": len(old),
                "obfuscation": new,
                "obfuscation-id": number,
            }
            for number, (old, new) in enumerate(pairs, start=1)
        ]
    )


class TestRuns:
    @pytest.fixture
    def runs(self, write, tmp_path, monkeypatch):
        for problem in ("p1", "p2"):
            write(f"runs/kind/{problem}/obfuscation.json", obfuscation((SENTENCE, SENTENCE)))
            lost = "In 1916 " + SENTENCE
            write(
                f"runs/rough/{problem}/obfuscation.json", obfuscation((lost, BROKEN), ("So he did.", "So."))
            )
        monkeypatch.chdir(tmp_path)
        return tmp_path / "runs"

    @pytest.fixture
    def said(self, quality, monkeypatch, capsys):
        """Run the command with stand-ins for the models."""
        monkeypatch.setattr("stemmata.masking.quality.Quality", lambda: quality)

        def score(*arguments):
            status = status_of(["score", "quality", *arguments])
            out, err = capsys.readouterr()
            return status, out, err

        return score

    def test_one_file_is_judged_as_its_folder_is(self, runs, said):
        told = said("runs/rough/p1/obfuscation.json", "-f", "json")
        assert told == said("runs/rough/p1", "-f", "json")
        assert (told[0], list(json.loads(told[1])["automatic"]["systems"])) == (0, ["p1"])

    def test_pieces_are_shared_out_evenly(self):
        rng = np.random.default_rng(1)
        assert _shares([5, 1, 5], 7, rng) == [3, 1, 3]
        assert _shares([2, 0], 100, rng) == [2, 0]
        assert sorted(_shares([5] * 5, 2, rng)) == [0, 0, 0, 1, 1]

    def test_a_system_with_more_texts_than_pieces_to_grade_is_graded_by_some(self, write, tmp_path, quality):
        for number in range(6):
            write(f"many/p{number}/obfuscation.json", obfuscation((SENTENCE, SENTENCE)))
        write("many/german/obfuscation.json", obfuscation(("Das ist nicht von mir.", "Das ist von mir.")))
        result = judge_runs(find_runs(tmp_path / "many"), quality, most=3).as_json()
        assert result["sensibleness"]["pooled"]["items"] <= 3
        notes = result["systems"]["many"]["notes"]
        assert notes[0] == "1 text not graded, since it is not in English: german"
        assert notes[1] == "graded by a sample of 2 of 6 pieces"
        every = judge_runs(find_runs(tmp_path / "many"), quality).as_json()["systems"]["many"]["notes"]
        assert every == notes[:1]

    def test_systems_are_graded_with_intervals_and_places(self, runs, quality):
        result = judge_runs(find_runs(runs), quality, confidence=Confidence(0.95, 100, 1)).as_json()
        kind, rough = (result["sensibleness"]["systems"][name] for name in ("kind", "rough"))
        assert kind["mean"] > rough["mean"]
        assert set(rough["confidence"]) == {"mean", "alpha"} or "mean" in rough["confidence"]
        checks = result["systems"]["rough"]
        assert checks["checks"]["numbers"] == {"lost": 2, "added": 0}
        place = checks["places"][0]
        assert (place["item"], place["piece"], place["kind"], place["text"]) == ("p1", 1, "numbers", "1916")
        assert result["systems"]["kind"]["school_grade"] in ("1", "1-2", "2", "2-3", "3")

    def test_a_system_s_grade_is_that_of_the_mean_of_its_texts(self, write, tmp_path, quality):
        long, short = " ".join([SENTENCE] * 40), "So did he."
        write("one/p1/obfuscation.json", obfuscation((long, long)))
        write("one/p2/obfuscation.json", obfuscation((short, BROKEN)))
        found = judge_runs(find_runs(tmp_path / "one"), quality)
        said = found.as_json()
        grade = school_grade_label(said["sensibleness"]["systems"]["one"]["mean"])
        assert said["systems"]["one"]["school_grade"] == scales_of(found, "one")[0] == grade
        texts = found.systems["one"].texts.values()
        pooled = TextQuality(tuple(piece for text in texts for piece in text.pieces))
        assert school_grade_label(pooled.sensibleness) != grade

    def test_pieces_may_be_numbered_oddly(self, write, tmp_path, quality):
        said = obfuscation((SENTENCE, SENTENCE)).replace('"obfuscation-id": 1', '"obfuscation-id": 0')
        write("odd/p1/obfuscation.json", said)
        result = judge_runs(find_runs(tmp_path / "odd"), quality).as_json()
        assert result["systems"]["odd"]["places"] == []
        assert result["systems"]["odd"]["graded"] == 1

    def test_json_has_the_automatic_grades_beside_those_of_people(self, runs, write, said):
        status, out, _ = said("runs", "-f", "json")
        assert status == 0
        assert list(json.loads(out)) == ["automatic"]
        write("runs/people.csv", "item,system,assessor,sensibleness\np1,kind,anna,1\n")
        status, out, _ = said("runs", "-f", "json")
        assert list(json.loads(out)) == ["signature", "sensibleness", "automatic"]
        status, out, _ = said("runs", "-f", "json", "--no-automatic")
        assert list(json.loads(out)) == ["signature", "sensibleness"]

    def test_tables_tell_grades_checks_and_how_they_were_made(self, runs, said):
        status, out, _ = said("runs", "--pieces", "2", "--confidence", "0.9")
        assert status == 0
        assert "Automatic grades" in out
        assert "Checks of all pieces" in out
        assert "rough: graded by a sample of 2 of 4 pieces" in out
        assert "assessor:automatic|pieces:2|seed:1" in out

    def test_obfuscations_without_words_are_refused(self, write, tmp_path, monkeypatch, said):
        write("runs/a/p1/obfuscation.json", obfuscation(("...", "!")))
        monkeypatch.chdir(tmp_path)
        status, _, err = said("runs")
        assert status != 0
        assert "E850" in err

    def test_without_models_the_error_names_what_to_install(self, runs, write, monkeypatch, capsys):
        def missing():
            installed_encoder.__wrapped__()

        monkeypatch.setattr("stemmata.text.vectors.find_spec", lambda _: None)
        monkeypatch.delenv("STEMMATA_MINILM", raising=False)
        bare = Quality(Fluency(Tokens), Meaning(missing))
        monkeypatch.setattr("stemmata.masking.quality.Quality", lambda: bare)
        assert status_of(["score", "quality", "runs"]) != 0
        assert "stemmata[vectors]" in capsys.readouterr().err
        write("runs/people.csv", "item,system,assessor,sensibleness\np1,kind,anna,1\n")
        assert status_of(["score", "quality", "runs"]) == 0
        assert "no automatic grades: E502" in capsys.readouterr().out
