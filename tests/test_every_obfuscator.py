"""What holds for every registered obfuscator: what it never touches, and which texts it leaves alone."""

import pytest

from stemmata.formats.obfuscation import check_pieces, obfuscated_text
from stemmata.masking import obfuscators
from stemmata.model import Document, ErrorCode, Problem, StemmataError

TEXT = (
    "However, the <b title='However, it is not the big car.'>children don't walk</b> to the old house in the "
    "evening, and it isn't big. Call `the big man is not here` when the big car does not stop & go! See "
    "https://example.org/do-not/a-big/car for the error, or write to the.old.man@example.org about it, as "
    "nobody knows what it's worth. The old man walked slowly through the town, and nobody saw him there."
)
KEPT = (
    "<b title='However, it is not the big car.'>",
    "</b>",
    "`the big man is not here`",
    "https://example.org/do-not/a-big/car",
    "the.old.man@example.org",
)
ABSENT = {
    ErrorCode.MISSING_EXTRA,
    ErrorCode.MISSING_DATA,
    ErrorCode.NO_LANGUAGE_MODEL,
    ErrorCode.NO_TRANSLATOR,
}


def masked(name, text, *known):
    samples = tuple(Document(f"known{number}", one) for number, one in enumerate(known))
    try:
        pieces = obfuscators[name]().mask(Problem("p", samples, Document("unknown", text)))
    except StemmataError as error:
        if error.finding.kind in ABSENT:
            pytest.skip(str(error))
        raise
    check_pieces(pieces, text, "here")
    assert "".join(piece.original for piece in pieces) == text
    return obfuscated_text(pieces)


every = pytest.mark.parametrize("name", sorted(obfuscators))


@every
def test_markup_code_and_addresses_stay(name):
    now = masked(name, TEXT, TEXT)
    assert [one for one in KEPT if one in now] == list(KEPT)
    assert now != TEXT


@every
@pytest.mark.parametrize("text", ["", " \n "], ids=["empty", "blank"])
def test_a_text_without_words_stays(name, text):
    assert masked(name, text, TEXT) == text


@every
@pytest.mark.parametrize(
    "text",
    [
        "Das ist nicht von mir, und ich weiß auch nicht, von wem es ist; niemand hat es mir gesagt.",
        "Это не моё, и я не знаю, чьё оно; никто мне этого не говорил.",
        "Nie wiem, dlaczego ten dom jest taki duży, ale to nie jest dobry pomysł, żeby zaczynać teraz.",
        "Non so perché la casa sia così grande – ma non è una buona idea, dice il mio amico, andare lì.",
        "Je ne sais pas pourquoi la maison est si grande, mais ce n'est pas une bonne idée…",
        "我不认为我们明天可以回家，因为天气不好。“我们等一等吧”，他说。",
        'Δεν ξέρω γιατί το σπίτι είναι τόσο μεγάλο – αλλά ο καιρός είναι "καλός".',
    ],
    ids=["German", "Russian", "Polish", "Italian", "French", "Chinese", "Greek"],
)
def test_a_text_in_another_language_stays(name, text):
    assert masked(name, text, text) == text


@every
def test_no_samples_are_needed(name):
    assert masked(name, TEXT) != TEXT
