"""The packages that obfuscators are known to need are those they ask for."""

import subprocess
import sys

import pytest

ASKING = """
import sys
from stemmata.masking import _PACKAGES, obfuscators
from stemmata.model import Document, Problem

asked = set()


class Watch:
    def find_spec(self, name, path=None, target=None):
        asked.add(name.partition(".")[0])


sys.meta_path.insert(0, Watch())
name, text = sys.argv[1:]
try:
    obfuscators[name]().mask(Problem("x", (Document("k", text),), Document("u", text)))
finally:
    optional = {"HanTa", "lemminflect", "simplemma", "threadpoolctl", "sklearn", "pyppmd"}
    assert asked & optional <= set(_PACKAGES.get(name, ())), asked & optional
"""


@pytest.mark.parametrize("name", ["castro-2017", "kocher-savoy-2018", "mihaylova-2016"])
def test_the_packages_an_obfuscator_asks_for_are_those_it_is_known_to_need(name):
    text = "I don't know what the small dog was doing in the house, but it went away quickly. " * 3
    done = subprocess.run(
        [sys.executable, "-c", ASKING, name, text], capture_output=True, text=True, check=False
    )
    assert "AssertionError" not in done.stderr
