"""Retrievers against a small index of our own: what is found, in which order, and what is left alone."""

import resource
import time

import numpy as np
import pytest

from index_documents import documents, text
from stemmata.formats.collections import SourceDocument
from stemmata.model import Document, StemmataError
from stemmata.reuse import retrievers
from stemmata.reuse.index import Index, add, build, remove
from stemmata.reuse.retrieval.evidence import Candidates, SentenceEvidence
from stemmata.reuse.retrieval.running import open_retriever, retrieve_all

pytest.importorskip("tantivy")

ALL = ("stemmata", "bm25-chunks", "fingerprint", "zubarev-2014")
CAREFUL = ("stemmata", "fingerprint", "zubarev-2014")
"""Those that answer nothing rather than something."""

ENGLISH = {
    "lighthouse": (
        "The keeper of the lighthouse trimmed both lamps before the fog came in. Every ship that passed "
        "the northern reef that winter owed its crew to his patience. He wrote the names of the vessels "
        "into a ledger bound with sailcloth, and he never missed a night in thirty years."
    ),
    "bakery": (
        "A baker lights her oven at three in the morning, when the street is still asleep. Rye dough "
        "needs sour starter, warm water and a long rest under a linen towel. By six the first loaves "
        "stand on the wooden shelf, and the smell wakes the schoolchildren next door."
    ),
    "beetles": (
        "Bark beetles bore galleries under the skin of weakened spruces. A drought of two summers is "
        "enough to turn a healthy forest into a feast for their larvae. Foresters peel infected trunks "
        "and burn the bark before the young insects can fly."
    ),
    "bridge": (
        "Masons built the stone bridge with seven arches after the flood had carried off the ferry. Each "
        "pillar stands on oak piles that were driven deep into the gravel of the river. Tolls paid for "
        "the repairs until the railway took the carriages away."
    ),
    "clock": (
        "The town clock strikes thirteen once a year, because a drunken apprentice filed one tooth too "
        "many. Nobody has ever dared to mend the wheel. Visitors gather in the square to hear the extra "
        "stroke, and the mayor pours plum brandy for everyone."
    ),
    "glacier": (
        "Surveyors measured the tongue of the glacier every September with a steel tape. In the year of "
        "the great eruption it crept forward by eleven metres. Since then it has shrunk, and the painted "
        "marks on the boulders stand far away in the meadow."
    ),
}
RUSSIAN = {
    "пасека": (
        "Старый пасечник ставил ульи на южном склоне холма, где раньше всего зацветала липа. Он окуривал "
        "пчёл дымом от гнилушек и никогда не надевал перчаток. Мёд с этой пасеки возили на ярмарку в "
        "соседний город."
    ),
    "мельница": (
        "Мельница на излучине реки молола зерно для трёх деревень. Когда весенний паводок сорвал плотину, "
        "мельник заложил лошадь и уехал искать плотников. Колесо починили только к середине лета."
    ),
    "телескоп": (
        "Астроном шлифовал зеркало телескопа четыре месяца в сарае за домом. В первую ясную ночь он "
        "увидел кольца Сатурна и разбудил всю семью. Дневник его наблюдений хранится теперь в "
        "университете."
    ),
}
OWN = (
    "My cousin studies accounting and complains about every lecture. We met last Tuesday in a noisy "
    "cafeteria. She ordered soup, pushed the plate aside, and spoke of nothing but taxes."
)
OWN_RUSSIAN = (
    "Вчера мы обсуждали расписание экзаменов и спорили о стипендии. Декан обещал ответить студентам "
    "письменно. Никто ему, кажется, не поверил."
)
PARAPHRASED = {
    "lighthouse": (
        "Before the fog rolled in, the lighthouse keeper had trimmed the two lamps. Each ship passing the "
        "northern reef in that winter owed the lives of its crew to his patience. In a ledger bound with "
        "sailcloth he noted the vessels' names, and in thirty years he did not miss one night."
    ),
    "beetles": (
        "Under the skin of weakened spruces bark beetles bore their galleries. Two summers of drought "
        "suffice to turn a forest that was healthy into a feast for the larvae. Infected trunks are "
        "peeled by foresters, who burn the bark before young insects fly."
    ),
    "мельница": (
        "Для трёх деревень молола зерно мельница, стоявшая на излучине реки. Весенний паводок сорвал "
        "плотину, и мельник, заложив лошадь, поехал искать плотников. Лишь к середине лета починили "
        "колесо."
    ),
}


def sentences(name):
    return [f"{one.rstrip('.')}." for one in {**ENGLISH, **RUSSIAN}[name].split(". ")]


def around(*borrowed, own=OWN):
    """Give a text of one's own with what is borrowed in the middle."""
    head, tail = own.split(". ", 1)
    return " ".join([f"{head}.", *borrowed, tail])


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("retrieval") / "index"
    told = [SourceDocument(name, said) for name, said in {**ENGLISH, **RUSSIAN}.items()]
    build(folder, [*documents(300, vocabulary=3000), *told])
    return folder


@pytest.fixture(scope="module")
def index(path):
    return Index.open(path)


@pytest.fixture(params=ALL)
def retriever(request, index):
    return retrievers[request.param](index)


def names(retriever, said):
    return retriever.retrieve(Document("susp", said)).names


# --- What is found -------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", [*ENGLISH, *RUSSIAN])
def test_the_source_of_copied_sentences_comes_first(retriever, source):
    own = OWN_RUSSIAN if source in RUSSIAN else OWN
    assert names(retriever, around(*sentences(source)[:2], own=own))[0] == source


@pytest.mark.parametrize("source", PARAPHRASED)
@pytest.mark.parametrize("name", ["stemmata", "bm25-chunks", "zubarev-2014"])
def test_the_source_of_paraphrased_sentences_comes_first(index, name, source):
    own = OWN_RUSSIAN if source in RUSSIAN else OWN
    assert names(retrievers[name](index), around(PARAPHRASED[source], own=own))[0] == source


def test_sources_are_ranked_by_evidence(index):
    said = around(*sentences("lighthouse"), OWN, *sentences("bridge")[:2], OWN, sentences("clock")[0])
    ranking = retrievers["stemmata"](index).retrieve(Document("susp", said))
    assert ranking.names == ["lighthouse", "bridge", "clock"]
    scores = [score for _, score in ranking.sources]
    assert scores == sorted(scores, reverse=True)
    assert scores[-1] > 0


def test_every_retriever_ranks_by_its_scores(retriever):
    ranking = retriever.retrieve(Document("susp", around(*sentences("bakery"), *sentences("clock")[:2])))
    scores = [score for _, score in ranking.sources]
    assert ranking.names[:2] == ["bakery", "clock"]
    assert scores == sorted(scores, reverse=True)
    assert len(set(ranking.names)) == len(ranking.names)


def test_what_was_done_is_counted(index):
    said = Document("susp", around(*sentences("bakery")))
    ranking = {name: retrievers[name](index).retrieve(said) for name in ALL}
    # Two kinds of fingerprints and, as these name few documents, pieces of the text.
    assert ranking["stemmata"].queries > 2
    assert len(ranking["stemmata"].names) <= ranking["stemmata"].downloads
    assert (ranking["fingerprint"].queries, ranking["fingerprint"].downloads) == (1, 0)
    assert ranking["bm25-chunks"].downloads == 0
    assert ranking["zubarev-2014"].queries > ranking["zubarev-2014"].downloads > 0


def test_a_text_of_forty_sources_has_them_all(tmp_path):
    made = documents(400, vocabulary=5000)
    build(tmp_path / "index", made)
    own = iter(range(50_000, 60_000))
    said = " ".join(
        f"{text(next(own), 18, 5000)} {' '.join(one.text.split('. ')[1:4])}." for one in made[::10]
    )
    ranking = retrieve_all(tmp_path / "index", [Document("susp", said)])[0]
    assert sorted(ranking.names) == sorted(one.name for one in made[::10])


def test_both_scripts_in_one_text_are_looked_for(index):
    said = " ".join([OWN, *sentences("мельница")[:2], OWN, *sentences("clock")[:2], OWN])
    assert set(names(retrievers["stemmata"](index), said)) == {"мельница", "clock"}


# --- What is not a source ------------------------------------------------------------------------------


@pytest.mark.parametrize("said", [OWN, OWN_RUSSIAN], ids=["English", "Russian"])
@pytest.mark.parametrize("name", CAREFUL)
def test_a_text_of_one_s_own_has_no_sources(index, name, said):
    assert names(retrievers[name](index), said) == []


@pytest.mark.parametrize(
    "said",
    ["", " \n\t ", "?!… — 12:30 %%%", "The of and to.", "\N{GRINNING FACE}" * 50, "\x00\x01\x02\x1b[31m"],
    ids=["empty", "blank", "no words", "stop words", "pictures", "control characters"],
)
def test_a_text_without_words_of_content_has_no_sources(retriever, said):
    ranking = retriever.retrieve(Document("susp", said))
    assert (ranking.document, ranking.sources) == ("susp", ())


@pytest.mark.parametrize("name", CAREFUL)
@pytest.mark.parametrize(
    "said",
    [
        "Lighthouse",
        "мельница",
        "Die Müllerin fährt über die Brücke.",
        "灯台守は霧が来る前にランプを整えた。",
        "شرب القهوة في المقهى",
    ],
    ids=["one word", "one Russian word", "German", "Japanese", "Arabic"],
)
def test_a_word_or_a_strange_language_names_no_source(index, name, said):
    assert names(retrievers[name](index), said) == []


@pytest.mark.parametrize(
    "broken",
    [
        lambda said: said.replace(" ", "\x00 "),
        lambda said: f"\ud800{said}\udfff \ud83d ",
        lambda said: said.replace("e", "e\u0301").upper(),
        lambda said: "\u202e" + said.replace(". ", ".\u200b\u2028"),
        lambda said: "İ" * 1000 + " " + said,
        lambda said: "a" * 100_000 + " " + said,
    ],
    ids=["nulls", "surrogates", "accents", "directions", "growing letters", "a long word"],
)
def test_hostile_text_is_text_like_any_other(retriever, broken):
    ranking = retriever.retrieve(Document("susp", broken(around(*sentences("beetles"), own=OWN))))
    assert len(set(ranking.names)) == len(ranking.names)


def test_hidden_characters_do_not_hide_a_source(index):
    said = "\ud800 " + around(*sentences("beetles")).replace(". ", ".\x00 \u2028")
    assert names(retrievers["stemmata"](index), said) == ["beetles"]


# --- Always the same -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["stemmata", "zubarev-2014"])
def test_the_result_does_not_depend_on_the_number_of_processes(path, name):
    texts = [
        Document(f"susp-{number}", around(*sentences([*ENGLISH][number % 6])[: 1 + number % 3], text(number)))
        for number in range(20)
    ]
    done = []
    one = retrieve_all(path, texts, name, jobs=1, advance=done.append)
    assert sum(done) == 20
    assert [ranking.document for ranking in one] == [text.name for text in texts]
    assert retrieve_all(path, texts, name, jobs=2) == one


def test_a_text_s_sources_do_not_depend_on_other_texts(index, retriever):
    texts = [Document(name, around(*sentences(name))) for name in ENGLISH]
    together = [retriever.retrieve(one) for one in texts]
    alone = [type(retriever)(index).retrieve(one) for one in reversed(texts)]
    assert together == alone[::-1]


def test_no_texts_have_no_rankings(path):
    assert retrieve_all(path, [], jobs=2) == []


def test_parameters_reach_the_retriever(path):
    said = Document("susp", around(*sentences("bakery")))
    assert retrieve_all(path, [said], "fingerprint")[0].names == ["bakery"]
    assert retrieve_all(path, [said], "fingerprint", parameters={"shared": 1000.0})[0].names == []


# --- As the collection changes -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_removed_documents_are_not_returned(tmp_path, name):
    told = [SourceDocument(one, said) for one, said in ENGLISH.items()]
    build(tmp_path / "index", [*documents(60), *told, SourceDocument("twin", ENGLISH["glacier"])])
    said = Document("susp", around(*sentences("glacier")))
    before = open_retriever(tmp_path / "index", name).retrieve(said).names
    assert before[0] == "glacier"
    remove(tmp_path / "index", ["glacier"])
    after = open_retriever(tmp_path / "index", name).retrieve(said).names
    assert after[0] == "twin"
    assert "glacier" not in after
    remove(tmp_path / "index", ["twin"])
    assert {"glacier", "twin"}.isdisjoint(open_retriever(tmp_path / "index", name).retrieve(said).names)


def test_what_is_open_stays_as_it_was(tmp_path):
    build(tmp_path / "index", [SourceDocument("clock", ENGLISH["clock"]), *documents(60)])
    opened = open_retriever(tmp_path / "index", "stemmata")
    add(tmp_path / "index", [SourceDocument("bridge", ENGLISH["bridge"])])
    said = Document("susp", around(*sentences("bridge"), *sentences("clock")))
    assert opened.retrieve(said).names == ["clock"]
    assert set(open_retriever(tmp_path / "index", "stemmata").retrieve(said).names) == {"clock", "bridge"}


@pytest.mark.parametrize("name", ALL)
def test_a_collection_of_one_document_can_be_asked(tmp_path, name):
    build(tmp_path / "index", [SourceDocument("clock", ENGLISH["clock"])])
    said = Document("susp", around(*sentences("clock")))
    assert open_retriever(tmp_path / "index", name).retrieve(said).names == ["clock"]


@pytest.mark.parametrize("size", [3, 23, 24, 25, 99])
@pytest.mark.parametrize("name", CAREFUL)
def test_a_small_collection_is_asked_like_a_large_one(tmp_path, name, size):
    # With 24 documents, a fingerprint that half of 50 documents have would weigh nothing.
    told = SourceDocument("clock", ENGLISH["clock"])
    build(tmp_path / "index", [told, *documents(size - 1, vocabulary=3000)])
    retriever = open_retriever(tmp_path / "index", name)
    assert names(retriever, around(*sentences("clock"))) == ["clock"]
    assert names(retriever, OWN) == []


def test_what_does_not_exist_is_told(path, tmp_path):
    with pytest.raises(StemmataError, match="E770"):
        open_retriever(tmp_path / "nothing", "stemmata")
    with pytest.raises(StemmataError, match="did you mean 'stemmata'"):
        open_retriever(path, "stemata")


# --- Long texts ----------------------------------------------------------------------------------------


def made_of(generator, words, vocabulary):
    """Give a text in which, as in language, few words are frequent and many rare."""
    chosen = np.minimum(generator.zipf(1.3, words), vocabulary).tolist()
    return " ".join(f"w{number}x" + "." * (place % 15 == 14) for place, number in enumerate(chosen))


def test_long_candidates_take_seconds_and_little_memory(tmp_path):
    generator = np.random.default_rng(5)
    books = [SourceDocument(f"book{n}", made_of(generator, 100_000, 60_000)) for n in range(3)]
    build(tmp_path / "index", books)
    words = books[1].text.split()
    said = " ".join([*words[50_000:50_080], *made_of(generator, 900, 60_000).split()])
    retriever = open_retriever(tmp_path / "index", "stemmata")
    before, begin = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    ranking = retriever.retrieve(Document("susp", said))
    assert ranking.names[0] == "book1"
    assert time.process_time() - begin < 10
    # The peak in kilobytes; the texts of all candidates together have 2 MB.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 400_000


def test_a_long_text_takes_seconds_and_little_memory(index):
    said = " ".join(text(seed, 1000, 3000) for seed in range(30)) + around(*sentences("clock"))
    begin = time.process_time()
    assert "clock" in names(retrievers["stemmata"](index), said)
    assert time.process_time() - begin < 20


def test_words_said_again_and_again_do_not_fill_the_memory():
    from stemmata.reuse.index.word_hashes import hash_words
    from stemmata.reuse.retrieval.query import Query

    class Rare:
        words = 1 << 40

        def frequencies(self, places):
            return np.ones(len(places), np.int64)

    # Each of the text's sentences has each word, and the candidate has each a thousand times.
    cycle = [f"word{number}" for number in range(45)]
    query = Query.of(Document("susp", ". ".join(" ".join(cycle) for _ in range(400)) + "."))
    candidate = hash_words([" ".join(cycle * 1000)])
    evidence = SentenceEvidence(own=0.0)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    made = evidence.between(query, Candidates(candidate.hashes, candidate.counts), Rare())
    assert made.shape == (400, 1)
    assert np.ptp(made) < 1e-6
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1_000_000
