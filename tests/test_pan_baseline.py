"""The PAN baseline, against a literal version that walks character by character."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stemmata.formats import DocumentFolder, read_pairs
from stemmata.model import Document, Pair
from stemmata.reuse import detectors
from stemmata.reuse.published.pan_baseline import PanBaseline

IGNORED = set(string.punctuation + string.whitespace)


def literal(suspicious, source, window):
    """Do what the published program does, in its order: (offset, end, source offset, source end)."""
    known = {}
    kept = []
    for i, character in enumerate(suspicious):
        if character not in IGNORED:
            kept.append(i)
        if len(kept) == window:
            known.setdefault("".join(suspicious[k].lower() for k in kept), []).append((kept[0], kept[-1]))
            kept = kept[1:]
    found = []
    skip_to, kept = -1, []
    for i, character in enumerate(source):
        if i <= skip_to:
            continue
        if character not in IGNORED:
            kept.append(i)
        if len(kept) < window:
            continue
        places = known.get("".join(source[k].lower() for k in kept))
        if places is None:
            kept = kept[1:]
            continue
        begin, end = kept[0], kept[-1]
        mine = places[0]
        for start, _ in places:
            a, b = start, begin
            while a < len(suspicious) and b < len(source) and suspicious[a] == source[b]:
                a, b = a + 1, b + 1
                while a < len(suspicious) and suspicious[a] in IGNORED:
                    a += 1
                while b < len(source) and source[b] in IGNORED:
                    b += 1
            if b - 1 - begin > end - begin:
                end, mine = b, (start, a)
        found.append((*mine, begin, end))
        skip_to = end
        if skip_to >= len(source):
            break
        kept = [skip_to]
    return found


def detect(suspicious, source, window=50):
    pair = Pair(Document("s", suspicious), Document("o", source))
    return [
        (d.suspicious.offset, d.suspicious.end, d.source.offset, d.source.end)
        for d in PanBaseline(window).align(pair)
    ]


TEXT = st.lists(
    st.sampled_from(["ab", "abc", "AB", "b a", "c, ", ".", " ", "abab", "ßİ", "\n"]), max_size=25
).map("".join)


@given(TEXT, TEXT, st.integers(2, 6))
def test_detections_equal_those_of_the_literal_program(suspicious, source, window):
    assert detect(suspicious, source, window) == literal(suspicious, source, window)


def test_spacing_and_punctuation_do_not_matter_and_case_ends_a_run():
    words = "The quick brown fox jumps over the lazy dog and runs away from all the hounds of the county"
    changed = words.replace(" ", ",\n ").replace("county", "County")
    (found,) = detect("Before. " + words, changed)
    assert found == (8, 8 + words.index("county"), 0, changed.index("County"))


def test_short_texts_have_no_window():
    assert detect("short", "short") == []
    assert detect("", "") == []


def test_the_detector_is_known_by_its_name():
    assert detectors["pan-baseline"]() == PanBaseline()


@pytest.mark.corpus
def test_the_literal_program_agrees_on_real_pairs(corpus):
    folder = corpus("pan13-alignment-train")
    suspicious, source = DocumentFolder(folder / "susp"), DocumentFolder(folder / "src")
    pairs = read_pairs(folder / "pairs")[::26]
    assert len(pairs) == 200
    for mine, theirs in pairs:
        a, b = suspicious[mine].text, source[theirs].text
        assert detect(a, b) == literal(a, b, 50), (mine, theirs)
