"""What tests of transformations share: sentences, odd texts, and what a proposal makes of a text."""

from collections.abc import Iterable

from hypothesis import strategies as st

from stemmata.rewriting import Edit, Transformation

STORY = (
    "It wasn't late, but we didn't stay. However, my uncle, a doctor from Leeds, had to go (by train) in "
    "order to see his friends. He said he would've come; nobody believed him! In 1990, they bought bread, "
    "milk and a lot of eggs. “Don't you think so?” she asked. I do not know who he is, and I've never tried "
    "to find out. The colour of the theatre was gray - very gray. We'd seen it before, and it's not good for "
    "us."
)

odd_texts = st.one_of(
    st.text(max_size=80),
    st.text(alphabet="aI .,;:!?'\"’“”()—-–\n\t\u0301é东\x00\ud800", max_size=80),
    st.lists(
        st.sampled_from(
            [
                *STORY.split(), "it's", "He'd", "don't", ",", ";", "(", ")", "—", "\n", "\n\n", "!", "…",
                "  ", "I", "İt", "IS NOT", "a", "an", "very", "and", "but", "However,", "colour", "Organize",
                "in order to",
            ]
        ),
        max_size=40,
    ).map(" ".join),
)  # fmt: skip
"""Texts of any characters, of punctuation for the most part, and of words that tables know in any order."""


def made(text: str, edit: Edit) -> str:
    """Return a text with one edit made."""
    return text[: edit.start] + edit.replacement + text[edit.end :]


def versions(transformation: Transformation, text: str, kinds: Iterable[str] = ()) -> list[str]:
    """Return the text with each proposal made by itself, those of some kinds or all."""
    wanted = tuple(kinds)
    edits = transformation.proposals(text)
    return [made(text, edit) for edit in edits if not wanted or edit.kind in wanted]
