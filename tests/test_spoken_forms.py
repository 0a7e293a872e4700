"""Tests of spellings that imitate speech."""

from __future__ import annotations

import pytest

from stemmata.rewriting import rewritten, transformations
from stemmata.rewriting.spoken_forms import KIND, SpokenForms, tables


def written_out(text: str) -> str:
    return rewritten(text, SpokenForms().proposals(text)).text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("He was goin' home.", "He was going home."),
        ("Comin’ home, in the mornin’, for nothin’.", "Coming home, in the morning, for nothing."),
        ("SHOUTIN' IT", "SHOUTING IT"),
        ("She ain't here.", "She isn't here."),
        ("They ain’t late. I ain’t either.", "They aren’t late. I’m not either."),
        ("He ain't got any. We ain't seen it.", "He hasn't got any. We haven't seen it."),
        ("Bread an' cheese o' the best, an’ wine.", "Bread and cheese of the best, and wine."),
        ("“An’ dat’s it. ’Nuff said.”", "“And that’s it. Enough said.”"),
        ("Mebbe ye'd come, an' mebbe sumthin' else.", "Maybe you'd come, and maybe something else."),
        ("Get outta here!", "Get out of here!"),
    ],
)
def test_what_imitates_speech_is_written_out(text: str, plain: str) -> None:
    assert written_out(text) == plain
    assert {edit.kind for edit in SpokenForms().proposals(text)} == {KIND}


@pytest.mark.parametrize(
    "text",
    [
        "It is five o'clock, said will-o'-the-wisp.",
        "Ye gods, a dose of salts und so.",
        "The road was 'the road to ruin' for 'our cousin'.",
        "They call it 'a cabin' or 'the end of the line in' it.",
        "Dr. Feller met J. Feller, and Dat Nguyen.",
        "The word 'an' and the letter 'o' are read by Philip Larkin' s friends.",
        "He ain't said it, John and I ain't late, and it ain't done.",
        "Jack o' lantern and O' Brien.",
        "Ain't it so? The boys ain't.",
        "She wins the boys' game.",
    ],
)
def test_what_may_be_something_else_stays(text: str) -> None:
    assert written_out(text) == text


def test_nothing_is_written_that_would_be_written_out_again() -> None:
    for plain in tables()["plain"].values():
        assert written_out(f"and {plain} and") == f"and {plain} and"


def test_it_is_registered() -> None:
    assert isinstance(transformations["spoken-forms"](), SpokenForms)
