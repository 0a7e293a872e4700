"""Habits of punctuation: marks that may stand or not, and marks that can stand for others. English.

Habits in `TOGETHER` are of the whole text: half of its quotes straight, half of them curly is nobody's style.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from stemmata.model import ErrorCode, StemmataError
from stemmata.rewriting.edits import Edit
from stemmata.rewriting.reading import Reading, read
from stemmata.rewriting.sentence_joints import Clauses, begins_clause, has_clause
from stemmata.rewriting.transformation import in_order

_DASH = re.compile(
    r" ?— ?| – | -- |(?<=\w)--(?=\w)| - "
    r"|(?<=[a-z]{2})-(?=(?:the|an?|and|but|or|which|who|where|when|that|though|however|it|he|she|they|we|my|his|her|our"
    r"|their|your|was|is|were|I) )"
)
"""Dashes, and hyphens that are typed for them: "the beach-our beach"."""
_LISTED = re.compile(r"(?<=[^\W\d_]), ((?:[^\W\d_]+ ){0,2}[^\W\d_]+)(?P<comma>,?) (?:and|or) (?=[^\W\d_])")
_LAST_ITEM = re.compile(r"(?:[^\W\d_]+ ){0,3}[^\W\d_]+ ?(?:[.,;:!?)]|\Z)")
_JOINT = re.compile(r"(?<=[^\W\d_])(?P<comma>,?) (?P<word>and|but|so|yet) (?=[^\W\d_])")
_DEPENDING = re.compile(r"\b(?:that|which|who|if|when|what|how|why|because|whether)\b")
_SHORT = 7
"""Words of a clause that is short enough to do without a comma."""
_OPENERS = re.compile(
    r"(?:(?:today|yesterday|tomorrow|nowadays|recently|finally|eventually|suddenly|sometimes|usually|afterwards|later"
    r"|at first|at last|at times|these days|last (?:year|week|month|night)|this (?:year|week|month|morning)"
    r"|in the end|in the beginning|after that|every (?:day|year|week)|one day|in recent years"
    r"|(?:in|by|since) (?:1\d|20)\d\d|in (?:january|february|march|april|may|june|july|august|september"
    r"|october|november|december))(?P<comma>,?)) (?=[^\W\d_])",
    re.IGNORECASE,
)
_EXCLAMATIONS = re.compile(r"(?<=[\w)])!+(?=(?P<quote>[\"'”’)]*)(?P<gap>\s+|\Z)(?P<next>\S?))")
_GO_ON = ("-", "–", "—", "…", ",", ";", ":", "&")
"""Marks behind which a sentence goes on."""
_STRAIGHT = {"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'"}
_QUOTES = re.compile("[“”„‘’]")
_PLAIN_QUOTES = re.compile("[\"']")
_LOST_LETTERS = re.compile(r"'(?:n'|(?:em|tis|twas|cause|\d\d)\b(?!['’]))", re.IGNORECASE)
_CLOSED = re.compile(r"(?<=[^\s'])'(?!\w)")
_LONGEST = 1000
"""The longest quotation in single quotes."""
_BLANKS = re.compile(r"(?<=\S)  +(?=\S)")
_DOUBLE = re.compile('["“”]')
SINGLY_QUOTED = re.compile(r"(?<![^\s(\[—–-])(?:‘[^‘’“”\n]+’|'[^'\"\n]+')(?!\w)")
_SINGLE = re.compile("['‘’]")
_OPENED = re.compile(r"(?<![^\s(\[“\"—–-])['‘](?=[^\s'’])")
_INCHES = re.compile(r"\d\"")
_APOSTROPHE = re.compile(
    r"(?<=\w)['’](?=\w)|['‘’](?:n['’]|(?:em|tis|twas|cause|bout|round|till?|neath|fore|cept|im|er|e|ere|ome|ouse|ow|ave|ad"
    r"|nuff|nother|\d\ds?)\b)|\b(?:an|th|o|wi|ol|jus"
    r"|(?!(?:\w{0,20}ain|within|begin|cabin|chin|coin|cousin|join|margin|origin|ruin|skin|thin|twin|virgin|win)['’])"
    r"\w{2,20}in)['’](?!\w)",
    re.IGNORECASE,
)
"""No quote, inside a word, before one that lost its first letters, or behind one that lost its last."""
_TITLE = re.compile(
    r"\b(?:Mr|Mrs|Ms|Dr)(?P<stop>\.?)(?=\s+\w)"
    r"(?! (?:He|She|It|We|They|You|The|This|That|Then|There|But|And|In|His|Her|My|Please|When|If)\b| [AI] )"
)
_PER_CENT = re.compile(r"(?<=\d)(?: ?(?P<sign>%)(?![\w+]| ?\d)| per ?cent\b(?!\. ?[a-z0-9]))")
_FRAGMENT = re.compile(
    r"(?<![^\s(])(?<![,:.!?—] )(?P<open>[\"“])(?P<words>[a-z][^\"“”.,\n]{0,60})(?<![?!…;:—–-])"
    r"(?P<in>,?|\.(?=[\"”](?:\s+[\"“(]?[A-Z]|\s*\Z)))(?P<close>[\"”])(?P<out>[,.]?)(?=\s|\Z)"
)
"""Some words in quotes, no speech, with the comma or stop inside them or behind."""
_PARENTHESIS = re.compile(
    r"(?<=[^\W\d_]) \((?P<inner>[a-z][^()\n ]* [^()\n]*[^\W\d_])\)(?: (?=[a-z])|(?P<end>[.;]))"
)
_ASIDE = re.compile(
    r", (?P<inner>(?:which|who|whose|where) [^,;:()\n]+), (?P<end>)"
    r"(?!(?:and|or|which|who|whose|where)\b)(?=[a-z])"
)
_ASKED = re.compile(r"\b(?:who|what|which|where|how|why|whose|when)\b", re.IGNORECASE)

_SEMICOLON = re.compile(r"(?<=[a-z]); (?=[^\W\d_])")
SET_OFF = re.compile(r"[()\[\]—–]|--| - ")
"""Brackets and dashes: where one stands in a sentence, nothing more is set off there."""

Habit = Callable[[Reading], Iterator[Edit]]


@dataclass(frozen=True)
class PunctuationHabits:
    """Propose other punctuation.

    Parameters
    ----------
    habits
        Which of `HABITS` to propose; none named: all.

    Examples
    --------
    >>> text = "We bought bread, milk and eggs! It was late, but we sang."
    >>> [(edit.start, edit.replacement, edit.kind) for edit in PunctuationHabits().proposals(text)]
    [(21, ',', 'serial-comma'), (30, '.', 'exclamation-to-stop'), (43, '', 'no-joint-comma')]
    """

    habits: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        unknown = [habit for habit in self.habits if habit not in HABITS]
        if unknown:
            rule = f"known are {', '.join(HABITS)}"
            raise StemmataError(ErrorCode.BAD_PARAMETER, name="habits", value=unknown[0], rule=rule)

    def proposals(self, text: str) -> list[Edit]:
        """Return edits whose kinds are the names of habits."""
        reading = read(text)
        edits = [
            edit._replace(kind=habit) for habit in self.habits or HABITS for edit in _PROPOSED[habit](reading)
        ]
        return in_order(edits, text)


def _serial(reading: Reading, wanted: bool) -> Iterator[Edit]:
    """Yield the comma before the last item of a list, put or left out."""
    text, at = reading.text, 0
    verbs: dict[int, int] = {}
    while found := _LISTED.search(text, at):
        at = found.end(1)
        if bool(found["comma"]) != wanted and _is_list(reading, found, verbs):
            yield _comma(found, wanted)


def _comma(found: re.Match[str], wanted: bool) -> Edit:
    """Return the edit that puts a comma where it may stand, or leaves it out."""
    return Edit(found.start("comma"), found.end("comma"), "," if wanted else "", "")


def _is_list(reading: Reading, found: re.Match[str], verbs: dict[int, int]) -> bool:
    """Return whether words around commas are items: of one kind, behind a verb, and no clauses.

    The first verbs of sentences are kept by where these start.
    """
    start, end = reading.sentence_at(found.start())
    kinds = {_kind(reading.tag_before(found.start())), _kind(reading.tag_before(found.end(1)))}
    if len(kinds) > 1 or kinds == {""} or found.end() > end:
        return False
    numbers = range(reading.word_from(found.start(1)), reading.word_from(found.end(1)))
    if any(reading.tags[number].tag.startswith(("V", "PN", "CJ", "AV", "PR")) for number in numbers):
        return False
    if reading.tag_from(start).startswith(("CJ", "PRP", "AV", "VVG", "VVN", "TO0", "PRF")):
        return False
    if start not in verbs:
        verbs[start] = _first_verb(reading, start, end)
    behind_verb = verbs[start] < reading.word_from(found.start()) - 1
    last = {_kind(reading.tags[number].tag) for number in _next(reading, found.end(), 3)}
    # What goes on behind the last item may be the verb of two subjects, or the noun of two adjectives.
    ends = _LAST_ITEM.match(reading.text, found.end()) is not None
    return behind_verb and ends and bool(kinds & last) and not begins_clause(reading, found.end(), end)


def _first_verb(reading: Reading, start: int, end: int) -> int:
    numbers = range(reading.word_from(start), reading.word_from(end))
    found = (number for number in numbers if reading.tags[number].tag.startswith("V"))
    return next(found, len(reading.tags))


def _kind(tag: str) -> str:
    return next((kind for kind in ("NN", "NP0", "AJ0", "VVG") if tag.startswith(kind)), "")


def _next(reading: Reading, offset: int, count: int) -> range:
    first = reading.word_from(offset)
    return range(first, min(first + count, len(reading.tags)))


def _opener(reading: Reading, wanted: bool) -> Iterator[Edit]:
    """Yield the comma behind a short adverbial that begins a sentence, put or left out."""
    for start, end in reading.sentences:
        found = _OPENERS.match(reading.text, start, end)
        # "One day that summer we left": without a comma, the adverbial may go on.
        subjects = ("PNP", "AT0", "DPS", "EX0") if wanted else ("PNP", "AT0", "DPS", "DT0", "EX0")
        if found and bool(found["comma"]) != wanted and reading.tag_from(found.end()) in subjects:
            yield _comma(found, wanted)


def _joint(reading: Reading, wanted: bool) -> Iterator[Edit]:
    """Yield the comma between two clauses, put, or left out where they are short."""
    text = reading.text
    for start, end in reading.sentences:
        comma, depending = text.find(",", start, end), _DEPENDING.search(text, start, end)
        # Behind a clause that depends on another, the next may belong to it.
        last = min(comma if comma >= 0 else end, depending.end() - 1 if depending else end)
        clauses, words = None, 0
        for found in _JOINT.finditer(text, start, end):
            if found.start() > last:
                break
            if clauses is None:
                clauses, words = Clauses(reading, start, end), len(text[start:end].split())
            if bool(found["comma"]) == wanted or (wanted and found["word"] == "so"):
                continue
            if not begins_clause(reading, found.end(), end) or not clauses.within(start, found.start()):
                continue
            if wanted:
                fits = reading.tag_from(found.end()) == "PNP"
            else:
                before = len(text[start : found.start()].split()) if words <= 2 * _SHORT + 1 else words
                fits = max(before, words - 1 - before) <= _SHORT
            if fits:
                yield _comma(found, wanted)


def dash_of(text: str) -> str:
    """Return the dash that a text uses, with blanks around it where it has none."""
    return "—" if "—" in text else " – "


def _dashes(reading: Reading, to: str) -> Iterator[Edit]:
    """Yield the only dash of a sentence as another mark, or two of them as commas."""
    for start, end in reading.sentences:
        found = list(_DASH.finditer(reading.text, start, end))
        behind = reading.text[found[-1].end() : end] if found else ""
        if len(found) == 1 and behind[:1].islower() and found[0].start() > start:
            clause = has_clause(reading, start, found[0].start())
            clause = clause and begins_clause(reading, found[0].end(), end)
            asked = reading.text[end - 1] == "?"
            fits = {",": not clause and not asked, ";": clause, ":": clause or behind[:2] in ("a ", "th")}[to]
            if fits and not (to == "," and reading.text[found[0].start() - 1] in ",.;:!?"):
                yield Edit(found[0].start(), found[0].end(), f"{to} ", "")
        elif len(found) == 2 and to == ",":
            inner = reading.text[found[0].end() : found[1].start()]
            if len(inner.split()) <= 2 * _SHORT and behind[:1].islower() and inner[-1:].isalnum():
                yield Edit(found[0].start(), found[1].end(), f", {inner}, ", "")


def _semicolons(reading: Reading) -> Iterator[Edit]:
    for found in re.finditer(r";(?= (?:and|but|or|so|yet) )", reading.text):
        yield Edit(found.start(), found.end(), ",", "")


def _colons(reading: Reading) -> Iterator[Edit]:
    """Yield the colon before an explanation as a dash, in the form the text uses."""
    dash = dash_of(reading.text)
    for start, end in reading.sentences:
        found = re.compile(r"(?<=[a-z]): (?=[a-z])").search(reading.text, start, end)
        if found and begins_clause(reading, found.end(), end) and not _DASH.search(reading.text, start, end):
            yield Edit(found.start(), found.end(), dash, "")


def _semicolons_as_dashes(reading: Reading) -> Iterator[Edit]:
    """Yield the only semicolon of a sentence as a dash, in the form the text uses."""
    dash = dash_of(reading.text)
    for start, end in reading.sentences:
        found = list(_SEMICOLON.finditer(reading.text, start, end))
        if len(found) == 1 and not SET_OFF.search(reading.text, start, end):
            yield Edit(*found[0].span(), dash, "")


def _exclamations(reading: Reading) -> Iterator[Edit]:
    for found in _EXCLAMATIONS.finditer(reading.text):
        # "Stop!" he said.
        goes_on = found["next"].islower() or (found["next"] in _GO_ON and "\n" not in found["gap"])
        quoted = found["next"].islower() and found["quote"] and ")" not in found["quote"]
        if quoted or not goes_on:
            yield Edit(found.start(), found.end(), "," if quoted else ".", "")


def _straight(reading: Reading) -> Iterator[Edit]:
    for found in _QUOTES.finditer(reading.text):
        yield Edit(found.start(), found.end(), _STRAIGHT[found[0]], "")


def _curly(reading: Reading) -> Iterator[Edit]:
    """Yield straight quotes as curly ones, opening or closing by what stands before them."""
    text = reading.text
    for found in _PLAIN_QUOTES.finditer(text):
        before, behind = text[max(found.start() - 1, 0) : found.start()], text[found.end() : found.end() + 1]
        opens = (not before or before in " \t\n\r([{—–-“‘\"'") and bool(behind.strip())
        if found[0] == '"':
            new = "“" if opens else "”"
        else:
            # "On the 'phone": what opens must be closed.
            opens = opens and not _LOST_LETTERS.match(text, found.start())
            closed = opens and _CLOSED.search(text, found.end(), found.end() + _LONGEST) is not None
            new = "‘" if closed else "’"
        # Feet and inches.
        near = text[max(found.start() - 40, 0) : found.start()]
        if not (before.isdigit() and not behind.isalpha() and found[0] not in near):
            yield Edit(found.start(), found.end(), new, "")


def _dash_form(reading: Reading) -> Iterator[Edit]:
    """Yield dashes without blanks as dashes with blanks, and the other way round where most have them."""
    found = [one for one in _DASH.finditer(reading.text) if one.start() and one.end() < len(reading.text)]
    closed = sum(not one[0].startswith(" ") for one in found)
    new = " – " if closed * 2 > len(found) else "—"
    for one in found:
        before, behind = reading.text[one.start() - 1], reading.text[one.end()]
        if (before.isalnum() or before in ')]”’"') and (behind.isalpha() or behind in '([“‘"'):
            yield Edit(one.start(), one.end(), new, "")


def _ellipses(reading: Reading) -> Iterator[Edit]:
    dots = "…" not in reading.text
    for found in re.finditer(r"(?<!\.)\.\.\.(?!\.)" if dots else "…", reading.text):
        yield Edit(found.start(), found.end(), "…" if dots else "...", "")


def _single_space(reading: Reading) -> Iterator[Edit]:
    for found in _BLANKS.finditer(reading.text):
        yield Edit(found.start(), found.end(), " ", "")


def _single_quotes(reading: Reading) -> Iterator[Edit]:
    """Yield double quotes as single ones, if there are no quotations within quotations."""
    single = {"“": "‘", "”": "’", '"': "'"}
    text = without_apostrophes(reading.text)
    if not _OPENED.search(text) and not _INCHES.search(text) and "„" not in text:
        for found in _DOUBLE.finditer(reading.text):
            yield Edit(found.start(), found.end(), single[found[0]], "")


def _double_quotes(reading: Reading) -> Iterator[Edit]:
    """Yield single quotes around quotations as double ones, if it is sure of each what it is."""
    text, double = without_apostrophes(reading.text), {"‘": "“", "’": "”", "'": '"'}
    found = [at for one in SINGLY_QUOTED.finditer(text) for at in (one.start(), one.end() - 1)]
    # "The boys' dog": the end of a word, or of a quotation?
    if not _DOUBLE.search(text) and len(_SINGLE.findall(text)) == len(found):
        yield from (Edit(at, at + 1, double[text[at]], "") for at in found)


def without_apostrophes(text: str) -> str:
    """Return a text of the same length in which single quotes are quotes."""
    return _APOSTROPHE.sub(lambda found: "x" * len(found[0]), text)


def _titles(reading: Reading) -> Iterator[Edit]:
    """Yield titles without the stop behind them, or with it where most have none."""
    found = list(_TITLE.finditer(reading.text))
    stopped = 2 * sum(bool(one["stop"]) for one in found) >= len(found)
    for one in found:
        if bool(one["stop"]) == stopped:
            yield Edit(one.start("stop"), one.end("stop"), "" if stopped else ".", "")


def _per_cent(reading: Reading) -> Iterator[Edit]:
    """Yield the sign for parts of a hundred as a word, or the word as a sign where most are words."""
    found = list(_PER_CENT.finditer(reading.text))
    signs = 2 * sum(bool(one["sign"]) for one in found) >= len(found)
    for one in found:
        if bool(one["sign"]) == signs:
            yield Edit(one.start(), one.end(), " percent" if signs else "%", "")


def _quoted_marks(reading: Reading) -> Iterator[Edit]:
    """Yield the commas and stops at the end of quoted words behind the quotes, or inside them."""
    found = [one for one in _FRAGMENT.finditer(reading.text) if bool(one["in"]) != bool(one["out"])]
    inside = 2 * sum(bool(one["in"]) for one in found) >= len(found)
    for one in found:
        if bool(one["in"]) == inside:
            new = f"{one['close']}{one['in']}" if inside else f"{one['out']}{one['close']}"
            yield Edit(one.start("in"), one.end("out"), new, "")


def _parentheses(reading: Reading) -> Iterator[Edit]:
    """Yield what is put in parentheses between dashes, in the form the text uses."""
    yield from _between_dashes(reading, _PARENTHESIS)


def _asides(reading: Reading) -> Iterator[Edit]:
    """Yield a clause between the only two commas of a sentence between dashes."""
    for edit in _between_dashes(reading, _ASIDE, commas=2):
        # "I wonder what he did, where he went, and how."
        if not _ASKED.search(reading.text, reading.sentence_at(edit.start)[0], edit.start):
            yield edit


def _between_dashes(reading: Reading, pattern: re.Pattern[str], commas: int | None = None) -> Iterator[Edit]:
    text = reading.text
    dash = dash_of(text)
    for start, end in reading.sentences:
        found = pattern.search(text, start, end)
        if found is None or _DASH.search(text, start, end) or len(found["inner"].split()) > 2 * _SHORT:
            continue
        if commas is None or text.count(",", start, end) == commas:
            yield Edit(*found.span(), f"{dash}{found['inner']}{found['end'] or dash}", "")


_PROPOSED: dict[str, Habit] = {
    "serial-comma": lambda reading: _serial(reading, True),
    "no-serial-comma": lambda reading: _serial(reading, False),
    "opener-comma": lambda reading: _opener(reading, True),
    "no-opener-comma": lambda reading: _opener(reading, False),
    "joint-comma": lambda reading: _joint(reading, True),
    "no-joint-comma": lambda reading: _joint(reading, False),
    "dash-to-comma": lambda reading: _dashes(reading, ","),
    "dash-to-semicolon": lambda reading: _dashes(reading, ";"),
    "dash-to-colon": lambda reading: _dashes(reading, ":"),
    "colon-to-dash": _colons,
    "semicolon-to-comma": _semicolons,
    "semicolon-to-dash": _semicolons_as_dashes,
    "exclamation-to-stop": _exclamations,
    "parentheses-to-dashes": _parentheses,
    "asides-to-dashes": _asides,
    "single-quotes": _single_quotes,
    "double-quotes": _double_quotes,
    "title-stops": _titles,
    "percent-form": _per_cent,
    "quoted-marks": _quoted_marks,
    "straight-quotes": _straight,
    "curly-quotes": _curly,
    "dash-form": _dash_form,
    "ellipsis-form": _ellipses,
    "single-space": _single_space,
}
HABITS = tuple(_PROPOSED)
"""All habits by name."""
TOGETHER = (
    "single-quotes", "double-quotes", "straight-quotes", "curly-quotes", "title-stops", "percent-form",
    "quoted-marks", "dash-form", "ellipsis-form", "single-space",
)  # fmt: skip
"""Habits whose edits are taken all or none."""
OF_WORDS = ("title-stops", "percent-form")
"""Those among them that change how a word is written."""
