"""An index is read only by those who hash as it was hashed."""

from hashlib import blake2b

import numpy as np
import pytest

from stemmata.reuse.index import fingerprints, word_hashes
from stemmata.reuse.index.fingerprints import SKETCH, Fingerprints, fingerprint
from stemmata.reuse.index.manifest import FORMAT

TEXTS = [
    "The miller ground the last corn slowly while a storm tore down the northern bridge.",
    "Мельник медленно молол последнее зерно, пока буря сносила северный мост.",
    "Der Müller mahlte langsam das letzte Korn, während ein Sturm die Brücke zerriss.",
]


def test_whoever_changes_hashes_raises_the_format():
    made = fingerprint(TEXTS)
    data = made.hashes.tobytes() + made.runs.tobytes() + made.skips.tobytes()
    # An index of other hashes would open and find nothing, so both numbers change together.
    assert (FORMAT, blake2b(data, digest_size=8).hexdigest()) == (3, "a36c9e86a9de4554")


def test_the_hashes_of_a_text_do_not_depend_on_what_stands_beside_it():
    texts = [
        *TEXTS,
        "A naïve miller’s bridge, ba 愀愀 and ab 慢.",
        "Words of other planes: \U00010400\U00010401 beside ba and ab.",
        f"{'long' * 2500} and {'я' * 5000} are no words but tell apart what follows",
        "",
        "one two three four five",
        "two " * 300,
        " ".join(f"w{number}" for number in range(400)),
    ]
    together = fingerprint(texts)
    alone = [fingerprint([text]) for text in texts]
    assert together.languages == [one.languages[0] for one in alone]
    for column in ("words", "hashes", "runs", "sketches"):
        assert np.array_equal(
            getattr(together, column), np.concatenate([getattr(one, column) for one in alone])
        )
    kept = [np.sort(one.skips) for one in alone]
    for number, skips in enumerate(kept):
        assert np.array_equal(np.sort(together.skips[together.skip_documents == number]), skips)
    # Two bytes a letter are no two letters.
    words = dict(zip(["ba", "愀愀", "ab", "慢"], fingerprint(["ba 愀愀 ab 慢"]).hashes.tolist(), strict=True))
    assert len(set(words.values())) == 4


def test_a_sketch_holds_the_smallest_runs():
    made = fingerprint([" ".join(f"w{number}" for number in range(size)) for size in (3, 8, 40, 2000)])
    for number, row in enumerate(made.sketches):
        smallest = np.unique(made.runs[made.run_documents == number])[:SKETCH]
        assert np.array_equal(row[: len(smallest)], smallest)
        assert np.all(row[len(smallest) :] == np.iinfo(np.uint64).max)


LONG = [
    "one two three",
    " ".join(f"w{number % 37} the" for number in range(300)),
    "x " * 500,
    "Мельник медленно молол зерно. " * 40,
    f"{' ' * 300}{'Das ist ein langer Satz und die Wörter sind deutsch. ' * 40}",
    f"{'q' * 700} and ΑΣ.ΒΣ again ba 愀愀 " * 3,
    "a b c d",
]


def postings(made: Fingerprints) -> list[list[tuple[int, int]]]:
    kinds = ((made.runs, made.run_documents), (made.skips, made.skip_documents))
    return [sorted({*zip(of.tolist(), hashes.tolist(), strict=True)}) for hashes, of in kinds]


@pytest.mark.parametrize("size", [64, 100, 257])
def test_long_documents_have_the_fingerprints_that_they_have_as_a_whole(monkeypatch, size):
    whole = fingerprint(LONG)
    places = word_hashes.hash_words(LONG)
    monkeypatch.setattr(fingerprints, "AT_ONCE", size)
    monkeypatch.setattr(word_hashes, "AT_ONCE", size)
    monkeypatch.setattr(word_hashes, "ENOUGH", 20)
    parts = fingerprint(LONG)
    assert parts.languages == whole.languages == ["en", "en", "en", "ru", "de", "en", "en"]
    for column in ("words", "hashes", "sketches", "content"):
        assert np.array_equal(getattr(parts, column), getattr(whole, column))
    assert postings(parts) == postings(whole)
    again = word_hashes.hash_words(LONG)
    assert np.array_equal(again.start, places.start)
    assert np.array_equal(again.end, places.end)


def test_of_a_long_document_that_repeats_a_word_each_fingerprint_is_kept_once(monkeypatch):
    monkeypatch.setattr(fingerprints, "AT_ONCE", 1000)
    made = fingerprint(["word " * 20_000])
    assert (len(made.runs), len(made.skips) <= 3) == (1, True)
