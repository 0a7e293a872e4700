"""Word vectors: pieces of words, the file they come from, and what they know of English."""

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from stemmata.model import StemmataError
from stemmata.text import vectors as module
from stemmata.text.vectors import PACKAGE, WordVectors, english_vectors, read_safetensor, read_vectors

Write = Callable[[str, str | bytes], Path]
PIECES = ["lamp", "cafe", "un", "##like", "##ly", "##lamp", "l"]
TABLE = np.random.default_rng(1).normal(size=(len(PIECES), 5)).astype(np.float32)
NAME = "embeddings.word_embeddings.weight"


@pytest.fixture
def vectors() -> WordVectors:
    return WordVectors(PIECES, TABLE)


@pytest.fixture
def english() -> WordVectors:
    try:
        return english_vectors()
    except StemmataError as error:
        pytest.skip(str(error))


def safetensors(header: object, data: bytes) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def entry(**changes: object) -> dict[str, object]:
    end = TABLE.nbytes
    return {NAME: {"dtype": "F32", "shape": list(TABLE.shape), "data_offsets": [0, end], **changes}}


def unit(vector: np.ndarray) -> np.ndarray:
    return vector / np.linalg.norm(vector)


def test_rows_are_unit_vectors_in_the_order_of_the_words(vectors: WordVectors) -> None:
    rows = vectors.rows(["cafe", "lamp", "cafe"])
    assert rows.dtype == np.float32
    assert np.allclose(rows, [unit(TABLE[1]), unit(TABLE[0]), unit(TABLE[1])])


def test_a_word_is_the_mean_of_its_longest_pieces(vectors: WordVectors) -> None:
    [row] = vectors.rows(["unlikely"])
    assert np.allclose(row, unit(TABLE[2] + TABLE[3] + TABLE[4]), atol=1e-6)
    [row] = vectors.rows(["unlamp"])
    assert np.allclose(row, unit(TABLE[2] + TABLE[5]), atol=1e-6)


def test_accents_are_left_off_where_the_table_has_none(vectors: WordVectors) -> None:
    assert np.allclose(*vectors.rows(["café", "cafe"]))


@pytest.mark.parametrize("word", ["", "lampx", "Ж", "l" * 65, "\x00", "##like?"])
def test_what_has_no_pieces_is_like_nothing(vectors: WordVectors, word: str) -> None:
    assert not vectors.rows([word, "lamp"])[0].any()


def test_no_words_have_no_rows(vectors: WordVectors) -> None:
    assert vectors.rows([]).shape == (0, vectors.dimensions)


def test_a_table_has_as_many_rows_as_pieces() -> None:
    with pytest.raises(StemmataError, match="one row for each of 3 pieces"):
        WordVectors(["a", "b", "c"], TABLE)


def test_vectors_are_read_from_the_files_of_a_model(write: Write) -> None:
    folder = write("model/vocab.txt", "\n".join(PIECES) + "\n").parent
    write("model/model.safetensors", safetensors(entry(), TABLE.tobytes()))
    assert np.array_equal(read_vectors(folder).rows(PIECES[:2]), WordVectors(PIECES, TABLE).rows(PIECES[:2]))
    write("model/vocab.txt", "lamp\n")
    with pytest.raises(StemmataError, match="vectors of 7 words, but its vocabulary has 1"):
        read_vectors(folder)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff" * 8,
        safetensors(b"no json", b""),
        safetensors(b"[" * 100_000, b""),
        safetensors({}, b""),
        safetensors([], b""),
        safetensors({NAME: 3}, b""),
        safetensors(entry(), TABLE.tobytes()[:-1]),
        safetensors(entry(dtype="F16"), TABLE.tobytes()),
        safetensors(entry(shape=[-1, -35]), TABLE.tobytes()),
        safetensors(entry(shape=["7", "5"]), TABLE.tobytes()),
        safetensors(entry(shape=[7.0, 5.0]), TABLE.tobytes()),
        safetensors(entry(shape=[7]), TABLE.tobytes()),
        safetensors(entry(data_offsets=[-4, TABLE.nbytes - 4]), TABLE.tobytes()),
        safetensors(entry(shape=[0, 5], data_offsets=[0, 0]), TABLE.tobytes()),
    ],
)
def test_a_damaged_file_is_refused(write: Write, content: bytes) -> None:
    with pytest.raises(StemmataError, match="no safetensors file"):
        read_safetensor(write("model.safetensors", content), NAME)


def test_a_folder_can_be_named_instead_of_the_extra(
    write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    load = english_vectors.__wrapped__
    monkeypatch.setenv("STEMMATA_MINILM", str(tmp_path / "model"))
    with pytest.raises(StemmataError, match=r"vocab\.txt"):
        load()
    write("model/vocab.txt", "\n".join(PIECES))
    write("model/model.safetensors", safetensors(entry(), TABLE.tobytes()))
    assert load().dimensions == TABLE.shape[1]


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STEMMATA_MINILM", raising=False)
    monkeypatch.setattr(module, "find_spec", lambda _: None)
    with pytest.raises(StemmataError, match=r"E502.*stemmata\[vectors\]"):
        english_vectors.__wrapped__()


def test_no_code_of_the_package_runs(english: WordVectors) -> None:
    import sys

    assert english.dimensions == 384
    assert PACKAGE not in sys.modules
    assert find_spec("torch") is None or "torch" not in sys.modules


def test_synonyms_are_nearer_than_other_words(english: WordVectors) -> None:
    near = [("car", "automobile"), ("physician", "doctor"), ("begin", "start"), ("huge", "enormous")]
    one, other = english.rows([a for a, _ in near]), english.rows([b for _, b in near])
    cosine = one @ other.T
    assert (cosine.argmax(axis=1) == np.arange(len(near))).all()
    assert cosine.diagonal().min() > 2 * cosine[~np.eye(len(near), dtype=bool)].max()
