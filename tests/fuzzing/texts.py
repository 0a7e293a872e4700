"""Texts that are hard to look at: endless repetition, no words, odd letters, marks without partners."""

from __future__ import annotations

from collections.abc import Callable

from fuzzing.kinds import Draw, chosen, kind

WORDS = "Some words of a plain English text, which nobody will remember. "
SIZES = (20_000, 60_000, 300_000)

REPEATED = {
    "one letter": "a",
    "one word": "word ",
    "two words": "a b ",
    "stop words": "the of and to ",
    "contractions": "I'm don't can't won't it's ",
    "headings": "References\n",
    "sentences": "It is. ",
    "stops": ". ",
    "dots": ".",
    "ellipses": "… ",
    "question marks": "?! ",
    "abbreviations": "Dr. e.g. i.e. U.S. ",
    "initials": "A. B. C. ",
    "commas": ", ",
    "hyphens": "-",
    "hyphenated": "so-",
    "dashes": " — ",
    "quotation marks": '"',
    "opened quotations": "“He ",
    "apostrophes": "'",
    "brackets": "(",
    "pairs of brackets": "() ",
    "closed brackets": ")",
    "footnotes": "[1] ",
    "citations": "(Smith, 2001) ",
    "addresses": "http://a.example/b?c=d ",
    "mails": "a@b.example ",
    "digits": "1234567890",
    "numbers": "1 2 3 ",
    "decimals": "1.2.3.4 ",
    "slashes": "/",
    "backslashes": "\\",
    "underscores": "_",
    "tabs": "\t",
    "blanks": " ",
    "line ends": "\n",
    "carriage returns": "\r",
    "form feeds": "\f",
    "next lines": "\x85",
    "zero width": "\u200b",
    "joiners": "\u200d",
    "soft hyphens": "wo\xadrd ",
    "no-break spaces": "word\xa0",
    "accents": "e\u0301",
    "many accents": "e" + "\u0301" * 50,
    "dotted capitals": "İ",
    "sharp s": "ß",
    "ligatures": "ﬁ ﬄ ",
    "full width": "ｗｏｒｄ ",
    "mixed scripts": "wоrd ",
    "Cyrillic": "слово ",
    "Chinese": "漢字",
    "Arabic": "كلمة ",
    "right to left": "\u202eabc\u202c ",
    "emoji": "👩‍👩‍👧‍👦",
    "private": "\ue000",
    "outer planes": "𝒜𝒷 ",
    "non-characters": "\uffff",
    "null": "\0",
    "markup": "<b>a</b> ",
    "entities": "&amp;",
    "capitals": "WORD ",
    "alternating case": "wOrD ",
    "long words": "x" * 5000 + " ",
    "plain": WORDS,
}
"""What is repeated until the text is long."""

_MADE: dict[str, Callable[[str, int], str]] = {
    "repeated": lambda part, size: part * (size // len(part)),
    "repeated in a text": lambda part, size: WORDS * 40 + part * (size // 4 // len(part)) + WORDS * 40,
    "between words": lambda part, size: part.join(WORDS.split() * (size // 300)),
    "in growing runs": lambda part, size: " ".join(part * length for length in range(1, 160)),
    "a few": lambda part, size: WORDS + part * 3,
    "one": lambda part, size: part,
}
_COMMANDS = (
    "check a.txt --against documents/texts -o ../out/report.html -j 1",
    "check a.txt --against b.txt -o ../out/report.html -j 1",
    "index build ../out/index a.txt b.txt -j 1",
    "retrieve made/index a.txt -o ../out/run -j 1",
    "verify problems --with vandam13,kocher15 -o ../out/answers -j 1",
    "detect corpus --with pan-baseline -o ../out/run -j 1",
    "detect corpus --with sanchez-perez-2014 -o ../out/run -j 1",
    "detect corpus -o ../out/run -j 1",
    "detect corpus --intrinsic -o ../out/run -j 1",
    "corpus describe corpus",
    "corpus validate corpus",
)
_MASKING = ("mask short.txt --with castro-2017 -o ../out/masked", "mask short.txt -o ../out/masked")
MASKED = 1500


@kind("texts", turns=8)
def _texts(draw: Draw) -> tuple[str, ...]:
    rng = draw.rng
    folder = draw.take("documents", "made")
    name, way = rng.choice(list(REPEATED)), rng.choice(list(_MADE))
    size = rng.choice(SIZES)
    text = _MADE[way](REPEATED[name], size)
    other = text if rng.random() < 0.4 else WORDS * 50
    for path, content in (
        *(("a.txt", text), ("b.txt", other), ("short.txt", text[:MASKED])),
        *(("corpus/susp/s.txt", text), ("corpus/src/o.txt", other), ("corpus/pairs", "s.txt o.txt\n")),
        *(("problems/EN001/unknown.txt", text), ("problems/EN001/known01.txt", other)),
        *(("problems/EN002/unknown.txt", WORDS * 9), ("problems/EN002/known01.txt", text)),
    ):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content.encode(errors="surrogatepass"))
    commands = _MASKING if rng.random() < 0.15 else _COMMANDS
    return f"{name}, {way}, {size:,}", *chosen(rng, commands, "")
