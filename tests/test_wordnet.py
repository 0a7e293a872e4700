"""The reader of WordNet's files: on a database of a few words of our own, and on the real one."""

import time

import pytest

from stemmata.model import StemmataError
from stemmata.text.wordnet import PARTS, WordNet, wordnet

HEAD = "  1 A licence stands at the top of the real files.  \n"

# key: part, words, pointers (symbol, key, numbers of the words), gloss
MEANINGS = {
    "animal": ("n", ["animal", "living_thing"], [("~", "dog", "0000")], "what is alive"),
    "dog": ("n", ["dog", "Canis_familiaris"], [("@", "animal", "0000")], "it barks | and bites"),
    "rogue": ("n", ["rogue", "dog"], [("@", "animal", "0000")], "a bad one"),
    "run": ("v", ["run"], [], "move fast"),
    "good": ("a", ["good(a)", "fine"], [("!", "bad", "0101"), ("&", "sound", "0000")], "not bad"),
    "bad": ("a", ["ill", "bad"], [("!", "good", "0201")], "not good"),
    "sound": ("s", ["sound"], [("&", "good", "0000")], "in good order"),
    "well": ("r", ["well"], [], "in a good way"),
}
SENSES = {"dog": ["dog", "rogue"]}
KINDS = {"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}


def offsets():
    """Lay the synsets out one after another; all lines of a file are as long as the longest."""
    found, rows = {}, dict.fromkeys(PARTS.values(), 0)
    for key, (part, *_) in MEANINGS.items():
        found[key] = len(HEAD) + 300 * rows[KINDS[part]]
        rows[KINDS[part]] += 1
    return found


def data_line(key):
    part, words, pointers, gloss = MEANINGS[key]
    at = offsets()
    named = " ".join(f"{word} 0" for word in words)
    near = " ".join(f"{symbol} {at[to]:08d} {MEANINGS[to][0]} {ends}" for symbol, to, ends in pointers)
    line = f"{at[key]:08d} 03 {part} {len(words):02x} {named} {len(pointers):03d} {near} | {gloss}"
    return line.ljust(299) + "\n"


@pytest.fixture
def folder(tmp_path):
    """A folder with all the files of a database of eight meanings."""
    at = offsets()
    for file in PARTS.values():
        mine = [key for key, (part, *_) in MEANINGS.items() if KINDS[part] == file]
        (tmp_path / f"data.{file}").write_text(HEAD + "".join(map(data_line, mine)))
        words = {}
        for key in mine:
            for word in MEANINGS[key][1]:
                words.setdefault(word.partition("(")[0].lower(), []).append(key)
        words |= {word: keys for word, keys in SENSES.items() if word in words}
        lines = [
            f"{word} {file[0]} {len(keys)} 2 @ ~ {len(keys)} {int(word == 'dog')} "
            + " ".join(f"{at[key]:08d}" for key in keys)
            for word, keys in sorted(words.items())
        ]
        (tmp_path / f"index.{file}").write_text(HEAD + "\n".join(lines) + "\n")
        (tmp_path / f"{file}.exc").write_text("ran run\n" if file == "verb" else "")
    return tmp_path


def test_meanings_come_in_the_order_of_the_index(folder):
    first, second = WordNet(folder).synsets("Dog", "NOUN")
    assert first.words == ("dog", "Canis familiaris")
    assert second.words == ("rogue", "dog")
    assert first.gloss == "it barks | and bites"


def test_words_of_several_parts_are_found_with_blanks_or_without(folder):
    lexicon = WordNet(folder)
    assert lexicon.synsets("living thing", "NOUN") == lexicon.synsets("living_thing", "NOUN") != ()


def test_meanings_lead_to_more_general_and_more_special_ones(folder):
    lexicon = WordNet(folder)
    (animal,), (dog, _) = lexicon.synsets("animal", "NOUN"), lexicon.synsets("dog", "NOUN")
    assert lexicon.hypernyms(dog) == (animal,)
    assert lexicon.hyponyms(animal) == (dog,)
    assert lexicon.hypernyms(animal) == ()


def test_antonyms_belong_to_a_word_and_not_to_its_meaning(folder):
    lexicon = WordNet(folder)
    (good,) = lexicon.synsets("good", "ADJ")
    assert lexicon.antonyms("good", good) == ("ill",)
    assert lexicon.antonyms("fine", good) == ()
    assert good.words == ("good", "fine")


def test_similar_adjectives_are_found_both_ways(folder):
    lexicon = WordNet(folder)
    (good,), (sound,) = lexicon.synsets("good", "ADJ"), lexicon.synsets("sound", "ADJ")
    assert lexicon.similar(good) == (sound,)
    assert lexicon.similar(sound) == (good,)


@pytest.mark.parametrize(
    ("form", "part", "lemmas"),
    [
        ("dogs", "NOUN", ("dog",)),
        ("ran", "VERB", ("run",)),
        ("running", "VERB", ()),
        ("finest", "ADJ", ("fine",)),
        ("Dog", "NOUN", ("dog",)),
        ("s", "NOUN", ()),
    ],
)
def test_forms_lead_to_listed_words(folder, form, part, lemmas):
    assert WordNet(folder).lemmas(form, part) == lemmas


@pytest.mark.parametrize(
    "word", ["", " ", "cat", "do", "dogs", "dog\n", "dog 1", "Hund", "собака", "\0", "x" * 999]
)
def test_a_word_that_is_not_listed_has_no_meaning(folder, word):
    assert WordNet(folder).synsets(word, "NOUN") == ()
    assert not WordNet(folder).is_common(word, "NOUN")


def test_common_is_what_was_annotated(folder):
    assert WordNet(folder).is_common("dog", "NOUN")
    assert not WordNet(folder).is_common("animal", "NOUN")


def test_meanings_are_near_by_what_is_above_both(folder):
    lexicon = WordNet(folder)
    (animal,), (dog, rogue) = lexicon.synsets("animal", "NOUN"), lexicon.synsets("dog", "NOUN")
    # The animal is one meaning from the top, the others are two.
    assert lexicon.similarity(dog, dog) == 1
    assert lexicon.similarity(dog, animal) == lexicon.similarity(animal, dog) == pytest.approx(2 / 3)
    assert lexicon.similarity(dog, rogue) == pytest.approx(2 / 4)


def test_verbs_meet_at_a_thought_top_and_adjectives_at_the_head_of_their_cluster(folder):
    lexicon = WordNet(folder)
    (run,), (well,) = lexicon.synsets("run", "VERB"), lexicon.synsets("well", "ADV")
    good, bad, sound = (lexicon.synsets(word, "ADJ")[0] for word in ("good", "bad", "sound"))
    other = run._replace(offset=0)
    assert lexicon.similarity(run, run) == lexicon.similarity(well, well) == 1
    assert lexicon.similarity(run, other) == pytest.approx(2 / 3)
    assert lexicon.similarity(good, sound) == pytest.approx(2 / 3)
    assert lexicon.similarity(good, bad) == 0
    assert lexicon.similarity(run, well) == 0


def test_a_circle_in_the_files_ends(folder):
    path = folder / "data.noun"
    animal, dog = offsets()["animal"], offsets()["dog"]
    path.write_text(path.read_text().replace(f"~ {dog:08d}", f"@ {dog:08d}"))
    lexicon = WordNet(folder)
    first, second = lexicon.synset("NOUN", animal), lexicon.synset("NOUN", dog)
    assert lexicon.hypernyms(first) == (second,)
    assert 0 < lexicon.similarity(first, second) < 1


def test_occurrences_are_counted_by_meaning(folder):
    assert WordNet(folder).counts("dog", "NOUN") == (1, 0)
    (folder / "cntlist.rev").write_text(
        "dog%1:05:00:: 1 42\ndog%1:18:00:: 2 7\ndog%1:18:01:: 9 3\ndog%2:38:00:: 1 2\ndoge%1:18:00:: 1 1\n"
    )
    assert WordNet(folder).counts("Dog", "NOUN") == (42, 7)
    assert WordNet(folder).counts("animal", "NOUN") == (0,)
    assert WordNet(folder).counts("cat", "NOUN") == ()


@pytest.mark.parametrize("content", ["dog%1:05:00:: one 42\n", "dog%1:\n", "dog%1:05:00:: 1 2 3\n"])
def test_counts_that_are_none_are_refused(folder, content):
    (folder / "cntlist.rev").write_text(content)
    with pytest.raises(StemmataError, match="E701"):
        WordNet(folder).counts("dog", "NOUN")


def test_expressions_are_the_words_of_several_parts(folder):
    assert WordNet(folder).expressions == {"living thing", "canis familiaris"}


def test_a_definition_is_the_gloss_without_examples(folder):
    (run,) = WordNet(folder).synsets("run", "VERB")
    assert run._replace(gloss='move fast; "he ran"; "run!"').definition == "move fast"
    assert run.definition == "move fast"


def test_frames_belong_to_all_words_or_to_one(folder):
    path = folder / "data.verb"
    path.write_text(path.read_text().replace("run 0 000  |", "run 0 000 02 + 01 00 + 08 02 |"))
    (run,) = WordNet(folder).synsets("run", "VERB")
    assert run.frames == ((1, 0), (8, 2))
    assert run.frames_of("run") == {1}
    assert run._replace(words=("go", "run")).frames_of("Run") == {1, 8}


def test_missing_files_are_told_with_their_package(tmp_path, monkeypatch):
    monkeypatch.setenv("STEMMATA_WORDNET", str(tmp_path))
    with pytest.raises(StemmataError, match=r"E504 .*wordnet-base.*STEMMATA_WORDNET"):
        wordnet()


def test_the_variable_names_the_folder(folder, monkeypatch):
    monkeypatch.setenv("STEMMATA_WORDNET", str(folder))
    assert wordnet() is wordnet()
    assert len(wordnet().synsets("dog", "NOUN")) == 2


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("index.noun", "dog n 2 2", "dog n 9 2"),
        ("index.noun", "dog n 2 2", "dog n x 2"),
        ("index.noun", "dog n 2 2 @ ~ 2 1 0", "dog n 2 2 @ ~ 2 1 9"),
        ("data.noun", "03 n 02 dog", "03 n zz dog"),
        ("data.noun", "03 n 02 dog", "03 n ff dog"),
        ("data.noun", "001 @", "999 @"),
        ("data.noun", " n 0000", " q 0000"),
    ],
)
def test_broken_files_are_told_and_not_believed(folder, file, old, new):
    path = folder / file
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(StemmataError, match="E701"):
        WordNet(folder).synsets("dog", "NOUN")


@pytest.mark.parametrize("content", [b"", b"\n", b"\xff\xfe\x00" * 9999, b" " * 20_000, b"\n" * 20_000])
def test_files_of_anything_hold_no_word(folder, content):
    (folder / "index.noun").write_bytes(content)
    assert WordNet(folder).synsets("dog", "NOUN") == ()


@pytest.mark.parametrize("content", [b"dog", b"dog n\n" * 9999, b"dog " + b"1 " * 9999])
def test_a_line_that_is_no_entry_is_refused(folder, content):
    (folder / "index.noun").write_bytes(content)
    with pytest.raises(StemmataError, match="E701"):
        WordNet(folder).synsets("dog", "NOUN")


class TestTheRealOne:
    """WordNet 3 as it is installed."""

    @pytest.fixture(autouse=True)
    def _installed(self):
        try:
            wordnet()
        except StemmataError:
            pytest.skip("WordNet is not installed")

    def test_every_word_of_the_index_is_found(self):
        for part, file in PARTS.items():
            lines = (wordnet().folder / f"index.{file}").read_text().splitlines()
            words = [line.split(" ", 1)[0] for line in lines if not line.startswith(" ")]
            for word in [*words[:20], *words[::997], *words[-20:]]:
                meanings = wordnet().synsets(word, part)
                assert meanings
                for meaning in meanings:
                    assert word in {one.lower().replace(" ", "_") for one in meaning.words}

    def test_dogs_are_canines_and_puppies_are_dogs(self):
        dog = wordnet().synsets("dog", "NOUN")[0]
        assert "canine" in wordnet().hypernyms(dog)[0].words
        assert any("puppy" in one.words for one in wordnet().hyponyms(dog))
        assert "leap" in wordnet().synsets("jump", "VERB")[0].words
        assert wordnet().antonyms("good", wordnet().synsets("good", "ADJ")[0]) == ("bad",)
        assert wordnet().lemmas("geese", "NOUN") == ("goose",)

    def test_the_first_word_is_quick_and_the_second_time_quicker(self):
        begin = time.process_time()
        WordNet(wordnet().folder).synsets("dog", "NOUN")
        assert time.process_time() - begin < 0.05
        wordnet().synsets("dog", "NOUN")
        begin = time.process_time()
        for _ in range(1000):
            wordnet().synsets("dog", "NOUN")
        assert time.process_time() - begin < 0.05

    def test_similarities_are_those_of_the_literature(self):
        dog, cat = (wordnet().synsets(word, "NOUN")[0] for word in ("dog", "cat"))
        assert wordnet().similarity(dog, cat) == pytest.approx(6 / 7)
        run, eat = (wordnet().synsets(word, "VERB")[0] for word in ("run", "eat"))
        assert 0 < wordnet().similarity(run, eat) < 0.5

    def test_counts_are_those_of_the_list(self):
        lines = (wordnet().folder / "cntlist.rev").read_text().splitlines()
        kinds = {"1": "NOUN", "2": "VERB", "3": "ADJ", "4": "ADV", "5": "ADJ"}
        for line in [*lines[:20], *lines[::499], *lines[-20:]]:
            key, number, count = line.split()
            lemma, _, rest = key.partition("%")
            counts = wordnet().counts(lemma, kinds[rest[0]])
            if int(number) <= len(counts):
                assert counts[int(number) - 1] == int(count)
