"""The examples run as they stand, and print what their readers expect."""

import re
import runpy
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_a_detector_of_one_s_own_is_scored(capsys):
    runpy.run_path(str(EXAMPLES / "score_my_detector.py"), run_name="__main__")
    out = capsys.readouterr().out
    assert out.startswith("plagdet 0.")
    assert "none     recall 0.708" in out
    assert "stemmata:" in out


def test_an_obfuscator_of_one_s_own_hides_its_texts_from_verifiers(capsys):
    runpy.run_path(str(EXAMPLES / "my_obfuscator.py"), run_name="__main__")
    said = re.findall(r"doubts (\d\.\d+) before, (\d\.\d+) after", capsys.readouterr().out)
    assert len(said) == 3
    assert all(float(after) > float(before) for before, after in said)
