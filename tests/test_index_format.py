"""An index is read only by those who hash as it was hashed."""

from hashlib import blake2b

from stemmata.reuse.index.fingerprints import fingerprint
from stemmata.reuse.index.manifest import FORMAT

TEXTS = [
    "The miller ground the last corn slowly while a storm tore down the northern bridge.",
    "Мельник медленно молол последнее зерно, пока буря сносила северный мост.",
    "Der Müller mahlte langsam das letzte Korn, während ein Sturm die Brücke zerriss.",
]


def test_whoever_changes_hashes_raises_the_format():
    made = fingerprint(TEXTS)
    data = made.hashes.tobytes() + made.runs.tobytes() + made.skips.tobytes()
    # An index of other hashes would open and find nothing, so both numbers change together.
    assert (FORMAT, blake2b(data, digest_size=8).hexdigest()) == (2, "a36c9e86a9de4554")
