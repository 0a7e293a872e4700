"""Spellings that imitate speech, written out: *goin'* as *going*, *ain't* as *isn't*, *dat* as *that*.

English.
How a writer spells what people say is a habit that tells much. Only the plain word is ever written for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from stemmata.rewriting.agreement import inflected
from stemmata.rewriting.edits import Edit
from stemmata.rewriting.reading import cased_like
from stemmata.rewriting.transformation import in_order
from stemmata.text.wordnet import wordnet

KIND = "spoken"
PLAIN = {
    # Letters that are left out.
    "an'": "and", "o'": "of", "th'": "the", "wi'": "with", "ol'": "old", "jus'": "just", "mus'": "must",
    "las'": "last", "'bout": "about", "'til": "until", "'nuff": "enough",
    "'neath": "beneath", "'nother": "another",
    "ev'ry": "every", "ev'rybody": "everybody", "ev'rything": "everything",
    "o'er": "over", "ne'er": "never", "e'er": "ever", "e'en": "even", "int'rest": "interest",
    "s'pose": "suppose", "t'other": "the other", "s'posed": "supposed", "p'raps": "perhaps",
    "p'rhaps": "perhaps", "'spose": "suppose", "mem'ry": "memory", "fav'rite": "favorite",
    # Words run together.
    "outta": "out of", "oughta": "ought to", "hafta": "have to", "shoulda": "should have",
    "coulda": "could have", "woulda": "would have", "mighta": "might have", "musta": "must have",
    "whaddya": "what do you",
    # Sounds.
    "ye": "you", "yez": "you", "youse": "you", "fer": "for", "ter": "to",
    "tuh": "to", "dat": "that", "dem": "them", "dere": "there", "dese": "these",
    "wid": "with", "hev": "have", "hez": "has", "ez": "as", "ef": "if",
    "thet": "that", "sech": "such", "wuz": "was", "sez": "says",
    "wos": "was", "wich": "which", "arter": "after", "afore": "before", "mebbe": "maybe",
    "mebby": "maybe", "feller": "fellow", "fellers": "fellows", "fella": "fellow", "fellas": "fellows",
    "hisself": "himself", "theirselves": "themselves",
    "thru": "through", "tho": "though", "tho'": "though",
    "altho": "although", "nuff": "enough", "yestiddy": "yesterday", "purty": "pretty", "allus": "always",
    "suthin": "something", "sumthin": "something", "nuthin": "nothing", "nuttin": "nothing",
    "ketch": "catch", "ketched": "caught",
    "drownded": "drowned", "heerd": "heard", "onct": "once", "twict": "twice", "acrost": "across",
    "anyways": "anyway", "somewheres": "somewhere", "nowheres": "nowhere", "anywheres": "anywhere",
    "iss": "is", "vas": "was", "vill": "will", "haf": "have", "und": "and",
}  # fmt: skip
"""The plain word for spellings that are nothing else."""
_FOREIGN = {"dem", "ye", "und", "vas", "ter", "ef", "ez", "iss", "haf", "dere", "dese"}
"""Words of which a text must have others beside them to be sure that they imitate speech."""
_FEWEST = 3
_DROPPED = re.compile(
    r"(?<![\w'’-])(?=[a-z]{0,20}[aeiouy][a-z]{0,20}in['’])[a-z]{1,40}['’](?!\w)", re.IGNORECASE
)
"""A word of two syllables or more that ends in *-in'*."""
_NAMED_SO = {"nothin": "nothing", "somethin": "something", "anythin": "anything", "everythin": "everything",
             "mornin": "morning", "evenin": "evening", "suthin": "something", "nuthin": "nothing",
             "nuttin": "nothing", "sumthin": "something", "durin": "during"}  # fmt: skip
_AINT = re.compile(
    r"(?<![\w'’-])(?<!\band )(?<!\bor )(?<!\bnor )(?<!\b(?:of|to|by|in|on) )(?<!\bfor )"
    r"(?<!\b(?:like|with|from) )(?<!\babout )"
    r"(?P<who>I|you|he|she|it|we|they|that|this|there) (?P<aint>ain['’]t)(?= (?P<next>[A-Za-z]+))",
    re.IGNORECASE,
)
_HAD = {"got", "been", "had", "seen", "gone", "come", "gotten"}
"""Words before which *ain't* is *haven't*, and those before which it is the one or the other."""
_EITHER = {
    "never",
    "done",
    "always",
    "ever",
    "even",
    "yet",
    "just",
    "only",
    "already",
    "hardly",
    "said",
    "told",
    "slept",
    "met",
    "found",
    "left",
    "made",
    "took",
    "taken",
    "given",
    "heard",
    "lost",
    "paid",
    "sent",
    "spoke",
    "spoken",
    "thought",
    "brought",
    "bought",
    "kept",
    "felt",
    "read",
    "eaten",
    "forgot",
    "forgotten",
    "known",
    "knowed",
    "put",
    "set",
    "cut",
    "hit",
    "let",
    "run",
    "begun",
    "built",
    "caught",
    "drunk",
    "fell",
    "fallen",
    "grown",
    "held",
    "hurt",
    "laid",
    "led",
    "meant",
    "sold",
    "stood",
    "struck",
    "sung",
    "taught",
    "tried",
    "won",
    "written",
    "wrote",
    "worn",
}
_TOKEN = re.compile(r"(?<![\w'’-])['’]?[A-Za-z]+(?:['’][A-Za-z]+)*['’]?(?![\w-])")
_CLITICS = ("'s", "'ll", "'d", "'re", "'ve", "'m")
_BEGINS = re.compile(
    r"(?:\A|(?<!Mr)(?<!Mrs)(?<!Ms)(?<!Dr)(?<!St)(?<!\b[A-Z])[.]|[!?:—\"“”\n])[\s\"“]*['‘]?\Z|['‘]\Z"
)
_FIXED = re.compile(r" (?:lantern|nine|the wisp|clock|groats|shanter)", re.IGNORECASE)
_HAD = {"got", "been", "had", "done", "seen", "gone", "never", "come", "gotten"}
"""Words before which *ain't* is *haven't*."""


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
    for found in _DROPPED.finditer(text):
        word = found[0][:-1]
        if _is_named(text, found.start(), word):
            continue
        plain = _NAMED_SO.get(word.lower())
        if plain is None and _is_word(f"{word.lower()}g"):
            plain = f"{word.lower()}g"
        if plain is not None:
            yield Edit(found.start(), found.end(), cased_like(word, plain), KIND)


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


def _is_named(text: str, start: int, word: str) -> bool:
    """Return whether a word has a capital where none begins a sentence: it is a name's."""
    return word[:1].isupper() and not word.isupper() and not _BEGINS.search(text, max(0, start - 8), start)


def _listed(text: str) -> Iterator[Edit]:
    found = list(_forms(text))
    sure = sum(phrase not in _FOREIGN for *_, phrase in found) + len(_DROPPED.findall(text))
    for start, end, phrase in found:
        bare = text[start:end].lstrip("'’")
        if phrase in _FOREIGN and sure < _FEWEST:
            continue
        # "Nuttin'" is of the rule, "Jack o' lantern" and "Mr. Feller" are names.
        ruled = phrase.endswith("in") and text[end : end + 1] in ("'", "’")
        fixed = phrase == "o'" and (bare[0].isupper() or _FIXED.match(text, end))
        if not ruled and not fixed and not _is_named(text, start, bare):
            yield Edit(start, end, cased_like(bare, PLAIN[phrase]), KIND)


def _forms(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the forms of the table; an apostrophe belongs to a word only where the table says so."""
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
        cut = next((cut for cut in cuts if form[slice(*cut)] in PLAIN), None)
        if cut is not None:
            yield found.start() + cut[0], found.start() + cut[1], form[slice(*cut)]
