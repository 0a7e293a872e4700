"""A small collection of made-up sentences, and texts that borrow some of them."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

SYLLABLES = ("ba", "ko", "ri", "tem", "sul", "pan", "dor", "vex", "lim", "gra", "hes", "non", "quil", "mur")
COMMON = ("the", "of", "and", "to", "in", "a", "is", "that", "it", "was", "for", "on")
DOCUMENTS = 300
TEXTS = 10
SOURCES = 2


@dataclass(frozen=True)
class MadeCollection:
    """Where documents are, texts that borrow from them, and both in one; which text borrows from which."""

    documents: Path
    texts: Path
    all: Path
    names: list[str]
    sources: dict[str, set[str]]

    @property
    def borrowings(self) -> int:
        return sum(map(len, self.sources.values()))


def make_collection(folder: Path, seed: int = 3) -> MadeCollection:
    rng = np.random.default_rng(seed)
    words = sorted({"".join(rng.choice(SYLLABLES, rng.integers(2, 5))) for _ in range(4000)})
    chance = 1 / np.arange(1, len(words) + 1)
    chance /= chance.sum()

    def sentence() -> str:
        made = rng.choice(words, int(rng.integers(8, 20)), p=chance).tolist()
        for place in range(0, len(made), 2):
            made.insert(place, COMMON[int(rng.integers(len(COMMON)))])
        return " ".join(made).capitalize() + "."

    documents = [[sentence() for _ in range(int(rng.integers(4, 9)))] for _ in range(DOCUMENTS)]
    names = [f"doc-{number:03}" for number in range(DOCUMENTS)]
    records = [{"id": name, "text": " ".join(said)} for name, said in zip(names, documents, strict=True)]
    texts, sources = [], {}
    for number in range(TEXTS):
        own = [sentence() for _ in range(6)]
        chosen = sorted(rng.choice(DOCUMENTS, SOURCES, replace=False).tolist())
        for source in chosen:
            own[2:2] = documents[source][1:4]
        texts.append({"id": f"text-{number}", "text": " ".join(own)})
        sources[f"text-{number}"] = {names[source] for source in chosen}
    made = MadeCollection(folder / "c.jsonl", folder / "t.jsonl", folder / "all.jsonl", names, sources)
    write_lines(made.documents, records)
    write_lines(made.texts, texts)
    write_lines(made.all, records + texts)
    return made


def write_lines(path: Path, records: list[dict[str, str]]) -> None:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")


def content(folder: Path) -> dict[str, bytes]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
