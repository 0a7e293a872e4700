"""Write a detector of your own and score it on the demonstration corpus.

Run it with ``python examples/score_my_detector.py``. A detector is any object with a method
``align(pair) -> list[Detection]``; nothing has to be inherited or registered.
"""

import tempfile
from difflib import SequenceMatcher
from pathlib import Path

from stemmata.corpora.demo import build_demo_corpus
from stemmata.formats import DocumentFolder, read_cases, read_pairs
from stemmata.measures.evaluation import Confidence, score_alignment
from stemmata.model import Annotations, Detection, Document, Pair, Passage


class LongestBlocks:
    """Reports blocks of words that stand unchanged in both documents."""

    def __init__(self, min_words: int = 12) -> None:
        self.min_words = min_words

    def align(self, pair: Pair) -> list[Detection]:
        """Return one detection per block of at least `min_words` words."""
        left, right = _words(pair.suspicious.text), _words(pair.source.text)
        blocks = SequenceMatcher(None, [w for w, _ in left], [w for w, _ in right], autojunk=False)
        found = []
        for a, b, size in blocks.get_matching_blocks():
            if size >= self.min_words:
                mine = _passage(pair.suspicious, left[a : a + size])
                found.append(Detection(mine, _passage(pair.source, right[b : b + size])))
        return found


def _passage(document: Document, words: list[tuple[str, int]]) -> Passage:
    (_, start), (last, end) = words[0], words[-1]
    return Passage(document.name, start, end + len(last) - start)


def _words(text: str) -> list[tuple[str, int]]:
    words, offset = [], 0
    for word in text.split():
        offset = text.index(word, offset)
        words.append((word, offset))
        offset += len(word)
    return words


def main() -> None:
    """Build the corpus, detect, score, and print what came out."""
    with tempfile.TemporaryDirectory() as name:
        corpus = Path(name) / "corpus"
        build_demo_corpus(corpus)
        truth = read_cases(corpus)
        suspicious, source = DocumentFolder(corpus / "susp"), DocumentFolder(corpus / "src")
        detector = LongestBlocks()
        detections = [
            detection
            for mine, theirs in read_pairs(corpus / "pairs")
            for detection in detector.align(Pair(suspicious[mine], source[theirs]))
        ]
    result = score_alignment(
        truth.annotations, Annotations.of(detections), by="obfuscation", confidence=Confidence(0.95)
    )
    plagdet, interval = result.scores.values["macro.plagdet"], result.scores.intervals["macro.plagdet"]
    print(f"plagdet {plagdet:.3f} [{interval.low:.3f}, {interval.high:.3f}]")
    for kind, scores in (result.by or {}).items():
        recall, precision = scores.values["macro.recall"], scores.values["macro.precision"]
        print(f"  {kind:8} recall {recall:.3f}  precision {precision:.3f}")
    print(result.signature)


if __name__ == "__main__":
    main()
