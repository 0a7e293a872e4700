"""Spellings that imitate speech, written out: *goin'* as *going*, *dat* as *that*. English.

How a writer spells what people say is a habit that tells much. Only the plain word is ever written for it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from stemmata.rewriting.agreement import inflected
from stemmata.rewriting.edits import Edit
from stemmata.rewriting.reading import cased_like
from stemmata.rewriting.spelling_variety import written_as_name
from stemmata.rewriting.transformation import in_order
from stemmata.text.wordnet import wordnet

KIND = "spoken"
_FOREIGN = {"dem", "ye", "und", "vas", "ter", "ef", "ez", "iss", "haf", "dere", "dese"}
"""Forms that are words of other languages, too …"""
_FEWEST = 3
"""… and how many of the others a text must have to be sure that they imitate speech."""
_DROPPED = re.compile(
    r"(?<![\w'’-])(?=[a-z]{0,20}[aeiouy][a-z]{0,20}in['’])[a-z]{1,40}['’](?!\w)", re.IGNORECASE
)
"""A word of two syllables or more that ends in *-in'*."""
_AINT = re.compile(
    r"(?<![\w'’-])(?<!\band )(?<!\bor )(?<!\bnor )(?<!\b(?:of|to|by|in|on) )(?<!\bfor )"
    r"(?<!\b(?:like|with|from) )(?<!\babout )"
    r"(?P<who>I|you|he|she|it|we|they|that|this|there) (?P<aint>ain['’]t)(?= (?P<next>[A-Za-z]+))",
    re.IGNORECASE,
)
_HAD = {"got", "been", "had", "seen", "gone", "come", "gotten"}
"""Words before which *ain't* is *haven't* …"""
_EITHER = {
    "never", "done", "always", "ever", "even", "yet", "just", "only", "already", "hardly", "said", "told",
    "slept", "met", "found", "left", "made", "took", "taken", "given", "heard", "lost", "paid", "sent",
    "spoke", "spoken", "thought", "brought", "bought", "kept", "felt", "read", "eaten", "forgot",
    "forgotten", "known", "knowed", "put", "set", "cut", "hit", "let", "run", "begun", "built", "caught",
    "drunk", "fell", "fallen", "grown", "held", "hurt", "laid", "led", "meant", "sold", "stood", "struck",
    "sung", "taught", "tried", "won", "written", "wrote", "worn",
}  # fmt: skip
"""… and those before which it may be the one or the other."""
_TOKEN = re.compile(r"(?<![\w'’-])['’]?[A-Za-z]+(?:['’][A-Za-z]+)*['’]?(?![\w-])")
_CLITICS = ("'s", "'ll", "'d", "'re", "'ve", "'m")
_FIXED = re.compile(r" (?:lantern|nine|the wisp|clock|groats|shanter)", re.IGNORECASE)


@cache
def tables() -> dict[str, dict[str, str]]:
    """Return the plain words by form: of the whole table, and of words in *-in'* that are no verbs."""
    said = tomllib.loads((files("stemmata.rewriting") / "data" / "spoken_forms.toml").read_text("utf-8"))
    return {name: dict(said[name]) for name in ("plain", "named")}


@dataclass(frozen=True)
class SpokenForms:
    """Propose the plain spelling of what imitates speech.

    Examples
    --------
    >>> text = "He ain't goin' with 'em, an' dat's a fact."
    >>> [(text[edit.start : edit.end], edit.replacement) for edit in SpokenForms().proposals(text)]
    [("ain't", "isn't"), ("goin'", 'going'), ("an'", 'and'), ('dat', 'that')]
    """

    def proposals(self, text: str) -> list[Edit]:
        """Return edits of the kind ``spoken``."""
        edits = [*_dropped(text), *_aint(text), *_listed(text)]
        return in_order(edits, text)


def _dropped(text: str) -> Iterator[Edit]:
    """Yield *-ing* for *-in'*, where that makes a word."""
    named = tables()["named"]
    for found in _DROPPED.finditer(text):
        word = found[0][:-1]
        low = word.lower()
        if not written_as_name(text, found.start(), word) and (low in named or _is_word(f"{low}g")):
            yield Edit(found.start(), found.end(), cased_like(word, named.get(low, f"{low}g")), KIND)


def _is_word(form: str) -> bool:
    verbs, nouns = (wordnet().lemmas(form, part) for part in ("VERB", "NOUN"))
    # "The road to ruin" may end a quotation.
    ends = wordnet().synsets(form[:-1], "NOUN") or wordnet().synsets(form[:-1], "VERB")
    return not ends and (form in nouns or any(inflected(lemma, "VVG") == form for lemma in verbs))


def _aint(text: str) -> Iterator[Edit]:
    """Yield what *ain't* stands for behind a pronoun."""
    for found in _AINT.finditer(text):
        who, mark, following = found["who"].lower(), found["aint"][3], found["next"].lower()
        if following in _EITHER or following.endswith("ed"):
            continue
        one = who in ("he", "she", "it", "that", "this", "there")
        if who == "i" and following not in _HAD:
            # There is no short form of the verb.
            yield Edit(found.end("who"), found.end("aint"), cased_like(found["aint"], f"{mark}m not"), KIND)
            continue
        verb = ("hasn" if one else "haven") if following in _HAD else "isn" if one else "aren"
        yield Edit(*found.span("aint"), cased_like(found["aint"], f"{verb}{mark}t"), KIND)


def _listed(text: str) -> Iterator[Edit]:
    plain, found = tables()["plain"], list(_forms(text))
    sure = sum(phrase not in _FOREIGN for *_, phrase in found) + len(_DROPPED.findall(text))
    for start, end, phrase in found:
        bare = text[start:end].lstrip("'’")
        if phrase in _FOREIGN and sure < _FEWEST:
            continue
        # "Nuttin'" is of the rule, "Jack o' lantern" and "Mr. Feller" are names.
        ruled = phrase.endswith("in") and text[end : end + 1] in ("'", "’")
        fixed = phrase == "o'" and (bare[0].isupper() or _FIXED.match(text, end))
        if not ruled and not fixed and not written_as_name(text, start, bare):
            yield Edit(start, end, cased_like(bare, plain[phrase]), KIND)


def _forms(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the forms of the table; an apostrophe belongs to a word only where the table says so."""
    plain = tables()["plain"]
    for found in _TOKEN.finditer(text):
        form = found[0].lower().replace("’", "'")
        cuts = [
            (begin, len(form) - len(ending))
            for begin in (0, 1)[: 1 + form.startswith("'")]
            for ending in ("", "'", *_CLITICS)
            if form.endswith(ending)
        ]
        # "The word 'an' is short": these are quotes.
        if len(form) > 1 and form[0] == form[-1] == "'":
            cuts = [(1, len(form) - 1)]
        cut = next((cut for cut in cuts if form[slice(*cut)] in plain), None)
        if cut is not None:
            yield found.start() + cut[0], found.start() + cut[1], form[slice(*cut)]
