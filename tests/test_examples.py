"""The examples run as they stand, and print what their readers expect."""

import runpy
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_a_detector_of_one_s_own_is_scored(capsys):
    runpy.run_path(str(EXAMPLES / "score_my_detector.py"), run_name="__main__")
    out = capsys.readouterr().out
    assert out.startswith("plagdet 0.")
    assert "none     recall 0.875" in out
    assert "stemmata:" in out
