"""Habits of small words, commas and joints: what must not be proposed, and what still is."""

import re
import tomllib
from importlib.resources import files
from itertools import permutations

import pytest

from stemmata.masking.guided.habits import habits

TABLE = tomllib.loads((files("stemmata.masking.guided") / "small_words.toml").read_text("utf-8"))
ASKED = ("tag", "before", "behind", "not-before", "not-behind", "not-with", "not-later", "no-clause")
PAIRS = [
    *((one, other) for row in TABLE["groups"] for one, other in permutations(row.split(" / "), 2)),
    *((one, other) for one, others in TABLE["one-way"].items() for other in others),
]


def made(text: str, kind: str) -> set[str]:
    """Return a text with each of the edits of a kind in turn."""
    return {
        text[: edit.start] + edit.replacement + text[edit.end :] for edit in habits(text) if edit.kind == kind
    }


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("She drank some water and ate some cheese and bread.", "a few"),
        ("They should be the same, shouldn't they?", "ought"),
        ("She lives on her own.", "upon"),
        ("He left before the war began.", "prior"),
        ("He slept after the storm had gone.", "following"),
        ("He ate fruit. Such as apples.", "Including"),
        ("The man who came was tall.", "that came"),
        ("I can see the hill.", "am able"),
        ("If you must know it, he left.", "have to"),
        ("On one hand it is old, on the other it is cheap.", "upon"),
        ("He thought of the house as a home.", "about"),
        ("He did it as easily.", "with ease"),
        ("She knew every reason for it.", "each reason"),
        ("They got on the bus.", "upon"),
        ("It stands on a firm basis.", "upon"),
        ("It is good for certain people.", "for sure"),
        ("We did it merely because he asked.", "since"),
        ("While they are few, they are strong.", "When"),
        ("While they are few, they are strong.", "As they"),
        ("He must think that it is late.", "has"),
        ("It was strange that he should be known.", "ought"),
        ("A guitar is a kind of instrument.", "some kind"),
        ("He solved the problem.", "issue"),
        ("They got good scores.", "became"),
        ("If you will be so good, come.", "going"),
        ("It is more difficult to see.", "more hard"),
        ("Stick close to your mother.", "near"),
        ("Books which her father read, and which she loved, were there.", "Books that"),
        ("Why did he go? Because he was ill.", "Since"),
        ("They made clear that they would go.", "evident"),
        ("It was soon known.", "shortly"),
        ("The children that you may all be.", "all might"),
        ("It was dark. Also the door was shut.", "dark. The"),
        ("There were sores about the throats of the men.", "regarding"),
        ("After a week I was not afraid.", "Following"),
        ("Every now and then he came home.", "Each now"),
        ("He left because of the rain.", "since of"),
        ("He told her because he knew.", "due to he"),
        ("He has gone home.", "has got gone"),
        ("He must leave now.", "have to"),
        ("We must leave now.", "has to"),
        ("He must be tired.", "has to be"),
        ("What do I have to say?", "do I must"),
        ("She can see the hill.", "are able"),
        ("They could see the hill.", "was able"),
        ("It was, I mean, late.", ", That"),
        ("It was late, I suppose.", "Apparently"),
        ("She became a teacher.", "received"),
        ("He becomes a man.", "obtains"),
        ("He answered him at once.", "replied him"),
        ("Her answer was long.", "Her respond"),
        ("People came to see it.", "Persons"),
        ("People came to see it.", "Folk"),
        ('"No," said he.', "remarked"),
        ("She said it again.", "stated it"),
        ("He will never come again.", "once more"),
        ("He did not stay because he was ill.", "since he"),
        ("They were due to leave at noon.", "because of leave"),
        ("It was late, though.", "although"),
        ("It was a very good day.", "a excellent"),
        ("It was a slightly longer way.", "a a "),
        ("All of us went home.", "Us all"),
        ("In May we went home.", "Might"),
        ("He was the very man.", "the extremely"),
        ("He was not quite dead.", "not dead"),
        ("The others were mostly at least ten years old.", "at any rate ten"),
        ("He knew it as well as I did.", "it and I"),
        ("It was going to London.", "about to London"),
        ("The old man was going to leave.", "on the point of"),
        ("The people who left were tired.", "The those who"),
        ("I know what happened to him.", "chanced"),
        ("It had a little red door.", "slightly"),
        ("He works as hard as he can.", "difficult"),
        ("He asked the Chief Justice.", "Main"),
        ("She gave a lot of money away.", "many money"),
        ("He knew the fact that was hidden.", "the fact who"),
        ("His attempt to escape was in vain.", "His try"),
        ("I wish he were here.", "I want"),
        ("The king ordered a beer.", "commanded"),
        ("He is used to the noise.", "would the"),
        ("He pulled up at the door.", "drew"),
        ("Such as it is, the house is ours.", "Including"),
        ("He sat still so as to hear.", "sat however"),
        ("They stayed rather than run.", "as opposed to run"),
        ("A lack of rules can cause harm.", "rules are able"),
    ],
)
def test_no_small_word_is_put_where_it_breaks_the_sentence(text: str, part: str) -> None:
    assert [one for one in made(text, "small-word") if part in one] == []


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("He must leave now.", "He has to leave now."),
        ("He told a story about the war.", "He told a story regarding the war."),
        ("After the war, he left.", "Following the war, he left."),
        ("We have to leave now.", "We must leave now."),
        ("I can help the man.", "I am able to help the man."),
        ("They were able to see it.", "They could see it."),
        ("A few men came.", "Some men came."),
        ("He saw a few stones.", "He saw some stones."),
        ("He left because of the rain.", "He left owing to the rain."),
        ("Every now and then he came home.", "From time to time he came home."),
        ("He replied at once.", "He answered at once."),
        ("He answered that it was late.", "He replied that it was late."),
        ("He replied to him at once.", "He answered him at once."),
        ("It was a very good day.", "It was an excellent day."),
        ("It was an extremely cold day.", "It was a very cold day."),
        ("The book that was lost is here.", "The book which was lost is here."),
        ("It seems that he is late.", "It appears that he is late."),
        ("He said that it was late.", "He stated that it was late."),
        ("He told me that it was late.", "He informed me that it was late."),
        ("He tried to sleep.", "He attempted to sleep."),
        ("The news was received, and we obtained a house.", "The news was received, and we got a house."),
        ("He got angry.", "He became angry."),
        ("Then he went home.", "After that he went home."),
        ("He went on talking.", "He continued talking."),
        ("It was hard to see.", "It was difficult to see."),
        ("A little boy came.", "A small boy came."),
        ("It was, I think, late.", "It was, I believe, late."),
        ("He and everyone else knew it.", "He and everybody else knew it."),
        ("She looked at the sea as if she knew it.", "She looked at the sea as though she knew it."),
        ("He had lots of friends.", "He had many friends."),
        ("I want to sleep.", "I wish to sleep."),
        ("There was enough money.", "There was sufficient money."),
        ("He chose the sea rather than the hills.", "He chose the sea as opposed to the hills."),
        ("Rules can cause harm.", "Rules are able to cause harm."),
        ("He left before lunch at noon.", "He left prior to lunch at noon."),
        ("He sat upon his horse.", "He sat on his horse."),
        ("We met the people that came late.", "We met the people who came late."),
        ("Books which her father read were there.", "Books that her father read were there."),
    ],
)
def test_small_words_are_put_where_they_fit(text: str, new: str) -> None:
    assert new in made(text, "small-word")


@pytest.mark.parametrize("phrase", TABLE["fixed"])
def test_no_word_is_taken_out_of_a_fixed_phrase(phrase: str) -> None:
    text = f"We saw it {phrase} there."
    assert all(phrase in one for one in made(text, "small-word"))


@pytest.mark.parametrize(
    "text",
    [
        "He left in the end.\n\nShe stayed at home.",
        "He left in the end.\n    She stayed at home.",
        "The film was good. YouTube is full of it.",
        "He left the house. Theodore stayed at home.",
        "He saw cats, dogs etc. They ran away.",
        "He asked Mr. The man was old.",
        'He said, "It is late." She stayed at home.',
        "Did he leave? She stayed at home.",
        "A good day. It rained.",
        f"He left the house. She stayed {'and waited ' * 14}at home.",
        "He bought apples; pears; plums.",
        "He wrote two books. In Cold Blood is the best.",
        "He will come. When he can.",
        "He left her. Since he had no money he walked.",
        "We compare groups. A is larger than the other.",
        "He was here. Yet another man came.",
        "He spoke up. Her Majesty was pleased.",
        "He read two books. Old Men is the best of them.",
        "The sound of wheels had died, the loud ring, and the open door told her that.",
        f"He left the house{' and waited' * 20}. She stayed at home all the long day.",
        "He liked the house. Americans were tired of it.",
        "He found it there: gold, silver, and much that was new. Iron was rare.",
        "He left, and when the man was gone, and the king had left, they slept.",
        "It was late, he thought.",
        "They call it the, and I quote, best of all houses.",
        "I am ill, I told myself, this is the end.",
        "In the house that he had, he slept all day.",
        "He knew if they stayed, they were lost.",
        "The more he had, the more he wanted to have.",
        "They came and above all, they stayed here.",
        "I have been here for nine years and thinking of it now, it is a blur.",
        "He lay on the floor, his face covered.",
        "We saw many people, some of them meant to stay.",
        "He had all he wanted, all he needed was there.",
        "He has something new, something you cannot buy.",
        "As the editor argues, they must leave.",
        "Had he known it, he would have left.",
    ],
)
def test_no_sentences_are_joined_or_split_that_belong_apart_or_together(text: str) -> None:
    assert made(text, "joint") == set()


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("He left the house. She stayed at home.", "He left the house; she stayed at home."),
        ("He left the house. She stayed at home.", "He left the house, and she stayed at home."),
        ("He left the house. I stayed at home.", "He left the house; I stayed at home."),
        ("He left the house. But she stayed at home.", "He left the house, but she stayed at home."),
        ("He left the house. Then she came home.", "He left the house, and then she came home."),
        (
            "He left the house. When it was late, she slept.",
            "He left the house; when it was late, she slept.",
        ),
        ("He left the house. In the end she slept.", "He left the house; in the end she slept."),
        (
            "I saw Anna. He left, and Anna slept. Anna woke.",
            "I saw Anna. He left, and Anna slept; Anna woke.",
        ),
        ("He left the house; she stayed at home.", "He left the house. She stayed at home."),
        ("He left the house, and she stayed at home.", "He left the house. And she stayed at home."),
        ("He left the house, but the man stayed.", "He left the house; but the man stayed."),
        ("He left the house; but the man stayed.", "He left the house. But the man stayed."),
        ("He left the house; and the man stayed.", "He left the house, and the man stayed."),
        ("He left the house, and his old friend stayed.", "He left the house. And his old friend stayed."),
        ("He liked the house. Old trees stood there.", "He liked the house; old trees stood there."),
        ("He went to bed, he was very tired.", "He went to bed. He was very tired."),
        ("He went to bed, he was very tired.", "He went to bed; he was very tired."),
        ("He went to bed, that's all of it.", "He went to bed. That's all of it."),
        ("And then he went home, the king was dead.", "And then he went home. The king was dead."),
        ("They fired, but nothing hit him, the dog bit a man.", "but nothing hit him. The dog bit a man."),
        ("When it rained, they all slept, I had to work.", "they all slept. I had to work."),
        ("She was sad, for he had left her.", "She was sad; for he had left her."),
    ],
)
def test_sentences_are_joined_and_split(text: str, new: str) -> None:
    assert any(one.endswith(new) for one in made(text, "joint"))


@pytest.mark.parametrize(
    "text",
    [
        '"No," said the king.',
        '"No," said he was the word.',
        "She saw his face.",
        "He knew the house.",
        "They showed the people a house.",
        "He said the words aloud.",
        "He told her the story.",
        "The thought he had was old.",
        "He was lucky in that he was old.",
        "It was more than that he was old.",
        "He was so tired that he fell asleep.",
        "It was such a day that we stayed at home.",
        "The fact that he was old is known.",
        "He would come now that she was here, provided that they paid.",
        "Nothing was known except that he was old.",
        "It was at night that he came.",
    ],
)
def test_that_is_neither_put_nor_dropped_where_it_is_wrong(text: str) -> None:
    assert made(text, "that") == set()


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("I think he came.", "I think that he came."),
        ("I know she was here.", "I know that she was here."),
        ("I hope the man is well.", "I hope that the man is well."),
        ("He told me she was here.", "He told me that she was here."),
        ("I am sure there is a way.", "I am sure that there is a way."),
        ("She said that it was not far.", "She said it was not far."),
        ("He told me that she was here.", "He told me she was here."),
        ("The book that he read was long.", "The book he read was long."),
    ],
)
def test_that_is_put_and_dropped(text: str, new: str) -> None:
    assert new in made(text, "that")


@pytest.mark.parametrize(
    "text",
    [
        "He bought apples, pears and plums.",
        "He bought apples, pears, a book, and went.",
        "He said, as he always did, that it was late.",
        "He was not tired, as I thought, but ill.",
        "He did not leave, because she had asked him to stay.",
        "He waited until Nancy and Harry were gone.",
        "He went to the house, where his friend lived.",
        "Although there are some things I miss, I stay.",
        "Come here, my friend.",
        "It was a long, dark, cold night.",
        "My brother, a doctor, and his wife came home.",
        "My brother, a doctor, came home.",
        "The king, and his son, left the house.",
        "The house, as they called it, was old.",
        "He saw the dog and the cat.",
        "He was tired but happy.",
        "He knew that you and the king were tired.",
        "He ate nothing but bread.",
        "He spoke as though he knew it.",
        "He came even though he was ill.",
        "He did not come because he was ill.",
        "He left just because he was ill.",
        "All the men the king knew were there.",
        "Some of the men he knew were there.",
        "When he told her the truth was out.",
        "After he left the house was empty.",
        "Though this was clearly said, it was wrong.",
        "It is my fault if you and Mr. Brown are late.",
        "However, it was late.",
        "It is late, I think, but we stay.",
        "It was late, he said, and they left.",
        "Still, he came.",
        "He could but wait.",
    ],
)
def test_commas_stay_where_they_are_needed_and_out_where_they_are_not(text: str) -> None:
    assert made(text, "comma") == set()


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("We left, because it was late.", "We left because it was late."),
        ("We left because it was late.", "We left, because it was late."),
        ("He came home, and she left.", "He came home and she left."),
        ("He came home and she left.", "He came home, and she left."),
        ("He was tired so he left.", "He was tired, so he left."),
        ("He tried it but failed.", "He tried it, but failed."),
        ("He came home, too.", "He came home too."),
        ("He knew it too.", "He knew it, too."),
        ("After the war the king came home.", "After the war, the king came home."),
        ("After the war, the king came home.", "After the war the king came home."),
        ("When it rained all day we stayed at home.", "When it rained all day, we stayed at home."),
        ("When it rained, we stayed at home.", "When it rained we stayed at home."),
        ("Suddenly, he saw it.", "Suddenly he saw it."),
        ("The following day, he left.", "The following day he left."),
        ("Almost immediately, it rained.", "Almost immediately it rained."),
        ("It was a long, dark night.", "It was a long dark night."),
        ("He bought apples, pears, and plums.", "He bought apples, pears and plums."),
        ("He rose, took his hat, and left.", "He rose, took his hat and left."),
        ("By noon he had his hat, and left.", "By noon he had his hat and left."),
        ("He left, while the king slept, and rode home.", "He left while the king slept, and rode home."),
        ("He was, perhaps, tired.", "He was perhaps tired."),
        ("He rose and, in the end, he left.", "He rose and in the end he left."),
        ("I know that, when he came, she left.", "I know that when he came, she left."),
        ("She came home, he was ill, and she left.", "She came home, he was ill and she left."),
        (
            "He sat down, and wrote a letter, which he burnt.",
            "He sat down and wrote a letter, which he burnt.",
        ),
        ("After the war, he came home, and sat down.", "After the war, he came home and sat down."),
        ("He left the house, with his hat in his hand.", "He left the house with his hat in his hand."),
        (
            "When we came in sight of the house on the hill, I stopped.",
            "When we came in sight of the house on the hill I stopped.",
        ),
        (
            "On the edge of the old and dark wood, they had stopped.",
            "On the edge of the old and dark wood they had stopped.",
        ),
        ('"In the morning, we left," he said.', '"In the morning we left," he said.'),
        ("It was a long, dark night.", "It was a long and dark night."),
        ("He was not at the table, but in the garden.", "He was not at the table but in the garden."),
        ("She looked at us, as if we were mad.", "She looked at us as if we were mad."),
        ("He came near it, only to be sent back.", "He came near it only to be sent back."),
        ("The trees of the old forest belts seem large, and they grow.", "seem large and they grow."),
        ("There was a table, a chair, and a lamp.", "There was a table, a chair and a lamp."),
    ],
)
def test_commas_are_put_and_dropped(text: str, new: str) -> None:
    assert any(one.endswith(new) for one in made(text, "comma"))


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("Looking around the room, I saw a book.", "Looking around the room I saw a book."),
        ("If it had been theirs, the dog was gone.", "If it had been theirs the dog was gone."),
        ("But if you come, he will stay.", "But if you come he will stay."),
        ("I like it, because of the light.", "I like it because of the light."),
        ("She rose, went out, and as it rained she ran.", "She rose, went out and as it rained she ran."),
        ("Yet, we were bound to her.", "Yet we were bound to her."),
        ("Unfortunately, the house is empty.", "Unfortunately the house is empty."),
        ("Of course, there are exceptions.", "Of course there are exceptions."),
        ("Startled by the noise, he rose.", "Startled by the noise he rose."),
        ("Just as it began to rain, we left.", "Just as it began to rain we left."),
        ("It was late, but after the rain, he went out.", "It was late, but after the rain he went out."),
        ("I know that if it were true, we should stay.", "I know that if it were true we should stay."),
        ("They use small letters, such as these.", "They use small letters such as these."),
        ("He ran into the night, howling at the moon.", "He ran into the night howling at the moon."),
        ("She spoke of the smell, and of the noise.", "She spoke of the smell and of the noise."),
        ("He found running, shouting, and laughing men.", "He found running, shouting and laughing men."),
        ("He held it in his pale, groping hands.", "He held it in his pale groping hands."),
        ("It was, in the end, a failure.", "It was in the end a failure."),
        ("I will, in the next part, give an answer.", "I will in the next part give an answer."),
    ],
)
def test_loose_commas_are_left_to_the_language_model(text: str, new: str) -> None:
    assert new in made(text, "loose-comma")


@pytest.mark.parametrize(
    "text",
    [
        "Well, you know it.",
        "In the end, Harold came.",
        "But the dog barked all night, he left.",
        "The man, who was old, and his wife came home.",
        "He did not come, because it rained.",
        "I think so, he said, but we stay.",
        "He said, as you know, nothing.",
        "He bought apples, pears, and plums.",
        "He bought apples, pears, plums and bread.",
        "In 1916, 12 men came.",
        "Some people sit in chairs, in the hall there is a cage.",
        "Well that's not true, I tried it.",
        "When he ate, the dog barked.",
        "As we went along, the road rose.",
        "However, he left.",
        "And no, he was not there.",
        "They seemed alive, so real.",
        "She is not old, like him.",
        "He rose and, as it was late, left.",
        "All wars, some excluded, begin like this.",
        "He met his brother, carrying a bag.",
        "I saw the house, which he had sold.",
        "I, for one, his wife and his son came.",
    ],
)
def test_commas_of_names_pairs_lists_and_meaning_are_not_loose(text: str) -> None:
    assert made(text, "loose-comma") == set()


def test_the_second_of_two_loose_commas_does_not_go_alone() -> None:
    assert "He rose, with a smile and left." not in made("He rose, with a smile, and left.", "loose-comma")


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("My brother, a doctor, came home.", "My brother – a doctor – came home."),
        ("My brother, a doctor, came home.", "My brother (a doctor) came home."),
        ("The king, with a loud cry, sat down.", "The king – with a loud cry – sat down."),
        ("She took it, in great haste, and left.", "She took it (in great haste) and left."),
        ("It rained—he, in the end, came home. The man, an old one, left.", "The man—an old one—left."),
        ("He went home at once, leaving her alone.", "He went home at once – leaving her alone."),
        ("He spoke to the king, who was very ill.", "He spoke to the king – who was very ill."),
        ("He spoke to the king, who was very ill.", "He spoke to the king (who was very ill)."),
        ("It is often too cold, especially in the morning.", "too cold – especially in the morning."),
        ("The men, who called him king, had a house.", "The men (who called him king) had a house."),
        ("He walked down the long hall, supported by his son.", "long hall – supported by his son."),
        ("He sat still for a while, thinking of what he had heard.", "a while – thinking of what he had"),
        ("She stood there all day, her arms still on her chest.", "all day with her arms still on"),
        ("They found her at the door, her chin in her hand.", "at the door with her chin in her hand."),
        ("The men, huddled together in the hall, did not move.", "men (huddled together in the hall) did"),
        ("Old Smith, having read the diary, knew of it.", "Old Smith – having read the diary – knew of it."),
        ("The staff, seemingly alive, fell down.", "The staff – seemingly alive – fell down."),
        ("The man, unable to move, was silent.", "The man – unable to move – was silent."),
        ("The house, half hidden by trees, was cold.", "The house (half hidden by trees) was cold."),
        ("We all went there in May, a great surprise to him.", "in May – a great surprise to him."),
        ("It was a dull story, full of strange words.", "a dull story – full of strange words."),
        ("Robert looked up at her, a thin smile on his face.", "up at her with a thin smile on his face."),
        ("We went on and on, the wind howling around us.", "on and on with the wind howling around us."),
        ("They sat by the fire, his wife sitting beside him.", "the fire with his wife sitting beside him."),
    ],
)
def test_what_interrupts_is_set_off(text: str, new: str) -> None:
    assert any(new in one for one in made(text, "aside"))


@pytest.mark.parametrize(
    "text",
    [
        "He bought apples, the pears, and the plums.",
        "My brother, a doctor, and his wife came home.",
        "The man, said the king, was old.",
        "The king, the queen, and the bishop came.",
        "My brother (the old one), a doctor, came home.",
        "When he saw the house, in the end, he left.",
        "The grass, the old trees, the flowing river, were green.",
        "One thing, in particular, was new.",
        "Even though he has a dog in his yard, pulling a cart, do come.",
        "He sat there all day, smoking and reading.",
        '"Come here," I said, looking at him.',
        "None of it has done him harm, according to them.",
        "I will say how it is done, which way it goes.",
        "He was neither glad of it, nor of us all.",
        "The dog (an old one) slept all day, making no noise.",
        "Did he go home at once, leaving her alone?",
        "I saw my brother there, his friend from school.",
        "She looked at his hat, his eyes were closed.",
        "He saw the house, her hands, and the dog.",
        "Secondly, the use of such words, is wrong.",
        "Oh, for goodness' sake, are you there?",
        "He had with him a hat, a coat and a stick.",
        "There was no help for it, no way out of there.",
        "They all went home early, the dog was ill.",
        "The old men stood there, used to the cold of the hills.",
        "The old men, from beyond and, of course, below the hills and, were cold.",
    ],
)
def test_what_does_not_interrupt_keeps_its_commas(text: str) -> None:
    assert made(text, "aside") == set()


def test_no_pair_is_said_twice() -> None:
    assert len(PAIRS) == len(set(PAIRS))
    assert all(one != other for one, other in PAIRS)


@pytest.mark.parametrize(
    "pair", [("has", "have"), ("is", "are"), ("was", "were"), ("was", "are"), ("am", "is")]
)
def test_no_pair_has_forms_of_different_number(pair: tuple[str, str]) -> None:
    one, other = (re.compile(rf"\b{form}\b") for form in pair)
    assert [two for two in PAIRS for a, b in [two, two[::-1]] if one.search(a) and other.search(b)] == []


def test_pairs_keep_the_pronouns_they_begin_with() -> None:
    pronoun = re.compile(r"(I|he|she|we|you|they) (?!who)")
    for one, other in PAIRS:
        found = pronoun.match(one)
        assert found is None or other.startswith(found[0]), (one, other)


def test_every_phrase_is_in_lower_case_with_single_blanks() -> None:
    phrases = {phrase for pair in PAIRS for phrase in pair} | set(TABLE["fixed"])
    for phrase in phrases:
        assert re.fullmatch(r"(?:(?:I|[a-z]+(?:'[a-z]+)?)(?: (?!$)|$))*", phrase), phrase


def test_what_is_asked_is_asked_of_phrases_of_the_table() -> None:
    phrases = {phrase for pair in PAIRS for phrase in pair}
    for key, asked in TABLE["asks"].items():
        assert set(asked) <= set(ASKED), key
        olds, turned, news = f"{key} ".partition(" > ")
        lefts = [one.strip() for one in olds.split(" / ")]
        assert set(lefts) <= phrases, key
        if turned:
            for new in news.split("/"):
                assert any((old, new.strip()) in PAIRS for old in lefts), key
            for old in lefts:
                assert any((old, new.strip()) in PAIRS for new in news.split("/")), key


@pytest.mark.parametrize(
    "text", ["", " ", "x", "I", "a very", "An", "that ", ", and", "\n\n.", "’s very", "in fact"]
)
def test_scraps_are_read_without_harm(text: str) -> None:
    assert all(0 <= edit.start <= edit.end <= len(text) for edit in habits(text))
