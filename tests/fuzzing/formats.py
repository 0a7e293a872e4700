"""Files of every format, damaged or replaced by something odd, and the commands that read them."""

from __future__ import annotations

from dataclasses import dataclass

from fuzzing.kinds import Draw, chosen, kind
from fuzzing.mutations import CONTENT, JSON, PACKED, Mutation, damaged
from fuzzing.places import odd_name, put_odd

_ALIGNED = (
    "score alignment alignment/truth {}",
    "score alignment {} {} --cases --detections -f csv",
    "score alignment alignment/truth {} --susp alignment/susp --src alignment/src --confidence 0.9",
    "compare alignment/truth alignment/run {} --permutations 50",
    "validate {}",
    "report alignment alignment {} -o ../out/report.html",
)
_READ = (
    "index build ../out/index {} -j 1",
    "index build ../out/index documents -j 1",
    "check {} --against documents/texts -o ../out/report.html -j 1",
    "retrieve made/index {} -o ../out/run -j 1",
    "check documents/texts --against {} -f json -j 1",
)
_ANSWERED = (
    "score verification verification/problems {}",
    "score verification {} verification/answers.txt",
    "validate {}",
    "score verification verification/truth.jsonl {} --confidence 0.9 --resamples 20 -f json",
)


@dataclass(frozen=True)
class Subject:
    """Files of one format: where they are, how they are damaged, what reads them, what else that needs."""

    files: tuple[str, ...]
    commands: tuple[str, ...]
    ways: tuple[Mutation, ...] = CONTENT
    needs: tuple[str, ...] = ()
    turns: int = 2

    def groups(self, file: str) -> tuple[str, ...]:
        return file.split("/", maxsplit=1)[0], *self.needs


SUBJECTS = {
    "PAN XML": Subject(("alignment/truth/s0-o0.xml", "alignment/run/s1-o1.xml"), _ALIGNED, turns=3),
    "annotations as JSONL": Subject(("alignment/run.jsonl",), _ALIGNED, JSON),
    "annotations as Parquet": Subject(("alignment/run.parquet",), _ALIGNED),
    "pairs and texts": Subject(
        ("alignment/pairs", "alignment/susp/s0.txt", "alignment/src/o1.txt"),
        (
            "detect alignment --with pan-baseline -o ../out/run -j 1",
            "detect alignment --with sanchez-perez-2014 -o ../out/run -j 1",
            "score alignment alignment/truth alignment/run --pairs alignment/pairs",
            "score alignment alignment/truth alignment/run --susp alignment/susp --src alignment/src",
            "corpus describe alignment",
            "corpus validate alignment",
            "validate alignment",
            "detect alignment --intrinsic -o ../out/run -j 1",
        ),
    ),
    "parameters": Subject(
        ("alignment/sanchez-perez-2014.json",),
        ("detect alignment --with sanchez-perez-2014 --parameters {} -o ../out/run -j 1",),
        JSON,
    ),
    "parameters of stemmata": Subject(
        ("alignment/stemmata.json",),
        (
            "detect alignment --parameters {} -o ../out/run -j 1",
            "check alignment/susp --against alignment/src --parameters {} -o ../out/r.html -j 1",
        ),
        JSON,
    ),
    "source retrieval": Subject(
        ("retrieval/truth/s1.json", "retrieval/run/s2.json"),
        ("score retrieval retrieval/truth retrieval/run", "validate retrieval/run", "validate {}"),
        JSON,
    ),
    "TREC": Subject(
        ("retrieval/qrels.txt", "retrieval/trec.txt"),
        (
            "score retrieval retrieval/qrels.txt retrieval/trec.txt --confidence 0.9 --resamples 20",
            "validate {}",
        ),
    ),
    "search logs": Subject(
        ("retrieval/log/suspicious-document1.log",),
        ("score retrieval retrieval/truth retrieval/run --log retrieval/log", "validate {}"),
    ),
    "prototext": Subject(("retrieval/evaluation.prototext",), ("validate {}",)),
    "verification answers": Subject(
        tuple(f"verification/answers.{ending}" for ending in ("txt", "csv", "json", "jsonl")),
        _ANSWERED,
        JSON,
        turns=3,
    ),
    "verification truth": Subject(
        ("verification/problems/truth.txt", "verification/truth.jsonl"),
        (
            "score verification {} verification/answers.txt",
            "score verification {} verification/answers.jsonl",
        ),
        JSON,
    ),
    "verification problems": Subject(
        ("verification/pairs/pairs.jsonl", "verification/problems/EN001/unknown.txt"),
        (
            "verify verification/pairs/pairs.jsonl --with vandam13 -o ../out/answers -j 1",
            "verify verification/problems --with kocher15,jankowska13 -o ../out/answers -j 1 --no-cache",
            "mask verification/pairs/pairs.jsonl --with castro-2017 -o ../out/masked -j 1",
            "validate verification/problems",
            "validate verification/pairs/pairs.jsonl",
        ),
        JSON,
    ),
    "model.json": Subject(
        ("made/verified/cng-2022/model.json",),
        ("verify verification/problems --with cng-2022 --model made/verified -o ../out/answers -j 1",),
        JSON,
        ("verification",),
    ),
    "safety scores": Subject(
        ("safety/pan13-truth.txt", "safety/pan13/ann.txt", "safety/pan13-obfuscationA/bob.txt"),
        ("score safety safety", "validate safety", "reproduce pan18 --data safety -o ../out/pan18 --seeds 2"),
    ),
    "obfuscation.json": Subject(
        ("quality/texts/gentle/letter/obfuscation.json",),
        ("score quality quality/texts --pieces 2", "validate quality/texts", "validate {}"),
        JSON,
    ),
    "judgements": Subject(
        ("quality/judgements.csv", "quality/judgements.jsonl"),
        ("score quality {} --no-automatic", "score quality {} -f csv --confidence 0.9 --resamples 20"),
        JSON,
    ),
    "plans": Subject(("plan/plan.toml",), ("corpus build {} -o ../out/corpus",), turns=4),
    "texts of plans": Subject(("plan/base/book-00.txt",), ("corpus build plan/plan.toml -o ../out/corpus",)),
    "documents": Subject(
        tuple(f"documents/good/a.{ending}" for ending in ("txt", "html", "rtf", "doc", "pdf")),
        _READ,
        needs=("made",),
        turns=4,
    ),
    "packed documents": Subject(
        ("documents/good/a.docx", "documents/good/a.odt"), _READ, PACKED, ("made",), turns=3
    ),
    "documents as JSONL": Subject(
        ("documents/good/a.jsonl",), (*_READ, "batch index {} -o ../out/shards -j 1"), JSON, ("made",)
    ),
    "documents as Parquet": Subject(("documents/good/a.parquet",), _READ, CONTENT, ("made",)),
    "essays": Subject(
        ("essay/essay/sources_list.xlsx", "essay/essay/sources/Маяк.html"),
        ("corpus import essay/essay -o ../out/corpus", "corpus import essay/essay -o ../out/corpus --force"),
        PACKED,
    ),
    "archives": Subject(
        tuple(f"archives/a.{ending}" for ending in ("zip", "tar", "tar.gz", "tar.bz2", "tar.xz")),
        (
            "index build ../out/index {} -j 1",
            "data add clough09 {}",
            "check {} --against {} -o ../out/r.html -j 1",
        ),
        PACKED,
        turns=3,
    ),
}


def _content(name: str, subject: Subject) -> None:
    @kind(name, subject.turns)
    def fill(draw: Draw) -> tuple[str, ...]:
        file = draw.rng.choice(subject.files)
        place = draw.take(*subject.groups(file)) / file
        content, story = damaged(draw.rng, place.read_bytes(), subject.ways)
        place.write_bytes(content)
        return f"{file}: {story}", *chosen(draw.rng, subject.commands, file)


for _name, _subject in SUBJECTS.items():
    _content(_name, _subject)


@kind("places", turns=6)
def _places(draw: Draw) -> tuple[str, ...]:
    """Something odd stands where a file should be, or in place of the folder it lies in."""
    subject = SUBJECTS[draw.rng.choice(list(SUBJECTS))]
    file = draw.rng.choice(subject.files)
    place = draw.take(*subject.groups(file)) / file
    story = put_odd(draw.rng, place)
    return f"{file}: {story}", *chosen(draw.rng, subject.commands, file)


@kind("names", turns=3)
def _names(draw: Draw) -> tuple[str, ...]:
    """A file has an odd name, in its folder or as an argument."""
    subject = SUBJECTS[draw.rng.choice(list(SUBJECTS))]
    file = draw.rng.choice(subject.files)
    place = draw.take(*subject.groups(file)) / file
    renamed = odd_name(draw.rng, place)
    path = str(renamed.relative_to(draw.room / "in"))
    return f"{file}: renamed to {path!r}", *chosen(draw.rng, subject.commands, path)
