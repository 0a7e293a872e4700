"""Paraphrase: each sentence as a small language model puts it, where that makes sense.

A model of 135 million weights often repeats the sentence, makes things up or talks about its task. So every
proposal is checked, and where none of some attempts is sound the sentence stays as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from numpy.random import Generator

from stemmata.model import ErrorCode, StemmataError
from stemmata.rewriting.edits import Edit, Rewriting, rewritten
from stemmata.rewriting.strategy import Scene
from stemmata.text.language_model import installed_model
from stemmata.text.languages import languages
from stemmata.text.sentences import find_sentences
from stemmata.text.stems import stems
from stemmata.text.words import find_words

PROMPT = "Rewrite this sentence in different words, with the same meaning:\n{sentence}"
LANGUAGE = "en"
_AT_ONCE = 8
"""Sentences written side by side: enough to keep the processor busy, few enough for its cache."""
_FEWEST_WORDS, _MOST_WORDS = 5, 60
_ABOUT_THE_TASK = re.compile(
    r"\b(?:re-?writ|re-?phras|paraphras|sentence|original|reword|version|meaning|synonym|revis)\w*",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[.!?…][\"'”’)\]]*$")
_NAME = re.compile(r"(?<=[\w,;] )[A-Z]\w+")


class Writer(Protocol):
    """What answers requests, as `LanguageModel` does."""

    def answer(
        self,
        requests: Sequence[str],
        system: str = "",
        most_tokens: int = 64,
        temperature: float = 0.0,
        rng: Generator | None = None,
    ) -> list[str]:
        """Return the answer to each request."""
        ...


class Outcome(NamedTuple):
    """What became of a sentence.

    Attributes
    ----------
    start, end
        Its offsets.
    proposal
        What the model wrote, the last time it was asked.
    fault
        Why the sentence stays as it is; empty where the proposal is taken.
    """

    start: int
    end: int
    proposal: str
    fault: str


@dataclass(frozen=True)
class Paraphrase:
    """Each sentence rewritten by a language model, or left as it is (extra ``language-model``).

    Attributes
    ----------
    attempts
        How often the model is asked for a sentence before the sentence is left.
    temperature
        How freely the model chooses its words; 0 is not at all, and it then mostly repeats the sentence.
    least_overlap
        Share of the sentence's content words that must occur again.
    least_ratio, most_ratio
        Bounds of the length in words, over that of the sentence.
    model
        Gives the model when it is first needed.
    """

    attempts: int = 3
    temperature: float = 0.7
    least_overlap: float = 0.4
    least_ratio: float = 0.6
    most_ratio: float = 1.6
    model: Callable[[], Writer] = field(default=installed_model, repr=False)

    def __post_init__(self) -> None:
        for name, value in (("attempts", self.attempts), ("temperature", self.temperature)):
            if not 0 <= value <= 100:
                raise StemmataError(
                    ErrorCode.BAD_PARAMETER, name=name, value=value, rule="it must be between 0 and 100"
                )

    def rewrite(self, text: str, scene: Scene) -> Rewriting:
        """Return the passage with an edit for each sentence that could be rewritten."""
        return rewritten(
            text,
            [
                Edit(one.start, one.end, one.proposal, "paraphrase")
                for one in self.outcomes(text, scene)
                if not one.fault
            ],
        )

    def outcomes(self, text: str, scene: Scene) -> list[Outcome]:
        """Return what became of each sentence, and where it was left, why."""
        if scene.language != LANGUAGE:
            raise StemmataError(
                ErrorCode.NOT_IN_LANGUAGE, what="paraphrase", language=scene.language, known=LANGUAGE
            )
        starts, ends = find_sentences(text, LANGUAGE)
        found: list[Outcome] = []
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            words = len(find_words(text[start:end]))
            fits = _FEWEST_WORDS <= words <= _MOST_WORDS
            found.append(Outcome(start, end, "", "not yet asked" if fits else "too short or too long"))
        open_ones = [i for i, one in enumerate(found) if one.fault == "not yet asked"]
        for _ in range(self.attempts):
            for at in range(0, len(open_ones), _AT_ONCE):
                some = open_ones[at : at + _AT_ONCE]
                sentences = [" ".join(text[found[i].start : found[i].end].split()) for i in some]
                for i, sentence, answer in zip(some, sentences, self._asked(sentences, scene), strict=True):
                    fault = self.fault_of(sentence, answer)
                    found[i] = found[i]._replace(proposal=answer, fault=fault)
            open_ones = [i for i in open_ones if found[i].fault]
            if not open_ones:
                break
        return found

    def _asked(self, sentences: list[str], scene: Scene) -> list[str]:
        most_tokens = int(max(len(sentence.split()) for sentence in sentences) * self.most_ratio * 1.5) + 8
        requests = [PROMPT.format(sentence=sentence) for sentence in sentences]
        answers = self.model().answer(
            requests, most_tokens=most_tokens, temperature=self.temperature, rng=scene.rng
        )
        return [answer.strip() for answer in answers]

    def fault_of(self, sentence: str, proposal: str) -> str:
        """Return what is wrong with a proposal for a sentence, or nothing."""
        old, new = find_words(sentence).forms, find_words(proposal).forms
        old_stems, new_stems = (_content(forms) for forms in (old, new))
        runs = Counter(zip(new, new[1:], new[2:], strict=False))
        numbers = [{form for form in forms if form[0].isdigit()} for forms in (old, new)]
        checks = [
            (not proposal or "\n" in proposal or not _ENDS.search(proposal), "not one finished sentence"),
            (old == new, "the same words"),
            (
                not self.least_ratio * len(old) <= len(new) <= self.most_ratio * len(old),
                "too short or too long",
            ),
            (max(runs.values(), default=0) > 2, "it repeats itself"),
            (bool(_told(proposal) - _told(sentence)), "it speaks of the task"),
            (numbers[0] != numbers[1], "other numbers"),
            (bool({*_NAME.findall(proposal)} - {*re.findall(r"\w+", sentence)}), "other names"),
            (len(old_stems & new_stems) < self.least_overlap * len(old_stems), "too little in common"),
        ]
        return next((fault for wrong, fault in checks if wrong), "")


def _content(forms: Sequence[str]) -> set[str]:
    stop_words = languages[LANGUAGE].stop_words
    return set(stems([form for form in forms if form not in stop_words], LANGUAGE))


def _told(text: str) -> set[str]:
    return {word.lower() for word in _ABOUT_THE_TASK.findall(text)}
