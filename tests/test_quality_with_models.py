"""Automatic quality with its real models: published vectors, good text and bad, labels of people."""

import json

import numpy as np
import pytest

from dictionaries import require_judges
from stemmata.masking.quality import Quality
from stemmata.masking.quality.labelled import sensibleness_labels
from stemmata.model import StemmataError
from stemmata.text.sentence_encoder import SentenceEncoder

SENTENCE = "The old man walked slowly to the harbour, and nobody saw him go."
BROKEN = "the old the of man, walk slow to harbour and it be nobody him saw saw"


@pytest.fixture(scope="module")
def real():
    """The judge with its real models; without them the test is skipped."""
    require_judges()
    return Quality()


class TestRealModels:
    def test_sentence_vectors_are_those_of_the_published_model(self, real):
        # The first numbers that sentence-transformers gives for the examples of the model's page.
        rows = real.meaning.vectors(["This is an example sentence", "Each sentence is converted"])
        assert np.allclose(rows[:, :3], [[0.0676, 0.0635, 0.0487], [0.0864, 0.1028, 0.0054]], atol=2e-4)

    def test_good_text_is_graded_good_and_bad_text_bad(self, real):
        shuffled = "him slowly nobody the saw walked harbour, The old go. man and to"
        apart = SENTENCE.replace(",", " ,").replace(".", " .")
        texts = [SENTENCE, apart, SENTENCE.replace("walked slowly", "went slowly"), BROKEN, shuffled]
        same, also, near, broken, mixed = real.judge([SENTENCE] * 5, texts)
        assert same.sensibleness > 1.8
        assert also.sensibleness == pytest.approx(same.sensibleness)
        assert near.sensibleness > 1.6
        assert max(broken.sensibleness, mixed.sensibleness) < 1.0
        assert same.soundness > near.soundness > broken.soundness

    def test_other_tables_are_refused(self, real, write, tmp_path):
        table = np.zeros((3, 24), np.float32)
        header = {
            "embeddings.word_embeddings.weight": {"dtype": "F32", "shape": [3, 24], "data_offsets": [0, 288]}
        }
        text = json.dumps(header).encode()
        write("model.safetensors", len(text).to_bytes(8, "little") + text + table.tobytes())
        write("vocab.txt", "[CLS]\n[SEP]\n[UNK]\n")
        with pytest.raises(StemmataError, match="E102"):
            SentenceEncoder(tmp_path)


@pytest.mark.corpus
def test_on_pan16_s_labels_grades_agree_with_people_and_order_the_systems(corpus, real):
    labels = sensibleness_labels(corpus("pan16-masking"))
    some = [labels[at] for at in range(0, len(labels), 6)]
    judged = real.judge([one.original for one in some], [one.obfuscated for one in some])
    made = np.array([one.sensibleness for one in judged])
    means = {kind: made[[one.system == kind for one in some]].mean() for kind in "ABC"}
    # These labels were learned from: what would break this is a change of the figures or of the models.
    assert np.corrcoef(made, [one.grade for one in some])[0, 1] > 0.75
    assert means["A"] > means["C"] > means["B"]
