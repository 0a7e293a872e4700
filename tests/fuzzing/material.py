"""Good files of every format that Stemmata reads, small and made on the spot, to be damaged afterwards.

Each folder of the material is a group of files that are used together; the commands that make some of them,
such as an index, run in a worker as all commands do.
"""

from __future__ import annotations

import io
import json
import shutil
import tarfile
from pathlib import Path

import rich_files
from base_texts import write_base
from class_of_essays import packed
from fuzzing.attempt import Attempt, make_room
from fuzzing.worker import Worker
from index_documents import documents, text
from workbooks import sheet_of, write_workbook

EXAMPLES = Path(__file__).parents[2] / "examples"
PLAN = """\
base = "base"
name = "small"
seed = 1
documents = 8
layout = "pan13"
page = 300
clusters = 2
intrinsic = 0
[length]
short = { share = 1.0, pages = [3, 8] }
[plagiarism]
some = { share = 1.0, of_document = [0.1, 0.4] }
[case_length]
short = { share = 1.0, words = [30, 80] }
[obfuscation]
none = { share = 0.5 }
shuffled = { share = 0.5, strategy = "random-operations", degree = "high" }
"""
ROOM = "room"
"""The name of the folder in which commands run, beside the material."""
HEAD = ["заимствованное предложение", "оригинальное предложение", "название", "тип - 1", "тип - 2"]
ROWS = [
    ["Маяк стоит на скале двести лет. ", "Старый маяк стоит на скале уже двести лет.", "Маяк.html", "DEL"],
    ["Никто не помнит почему.\n"],
    ["Построили его монахи.", "Его построили монахи - жители  острова.", "Маяк.html", "DEL", "LPR"],
]
PAGE = "<html><h1>Маяк</h1><p>Старый маяк стоит на скале уже двести лет. Его построили монахи.</p></html>"


def write_material(folder: Path, worker: Worker) -> Path:
    """Write good files of all formats, a folder for each group."""
    for group in (
        _alignment,
        _retrieval,
        _verification,
        _safety,
        _quality,
        _plan,
        _documents,
        _essay,
        _archives,
    ):
        group(folder / group.__name__.strip("_"))
    _made_by_commands(folder, worker)
    return folder


def _put(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def _alignment(folder: Path) -> None:
    sources = [text(number, 160) for number in (1, 2)]
    suspicious = [
        f"{text(10, 40)} {sources[0][100:500]} {text(11, 60)}",
        f"{text(12, 90)} {sources[1][:300]}",
    ]
    rows = []
    for number in (0, 1):
        _put(folder / "susp" / f"s{number}.txt", suspicious[number])
        _put(folder / "src" / f"o{number}.txt", sources[number])
        begin, source, size = (
            (suspicious[0].index(sources[0][100:500]), 100, 400),
            (suspicious[1].index(sources[1][:300]), 0, 300),
        )[number]
        row = {
            "reference": f"s{number}.txt",
            "this_offset": begin,
            "this_length": size,
            "source_reference": f"o{number}.txt",
            "source_offset": source,
            "source_length": size,
            "obfuscation": "none",
        }
        rows.append(row)
        for where, name in (("truth", "plagiarism"), ("run", "detected-plagiarism")):
            said = " ".join(f'{key}="{value}"' for key, value in row.items() if key != "reference")
            _put(
                folder / where / f"s{number}-o{number}.xml",
                f'<document reference="s{number}.txt">\n<feature name="{name}" {said} />\n</document>\n',
            )
    _put(folder / "pairs", "s0.txt o0.txt\ns1.txt o1.txt\n")
    _put(folder / "run.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        pass
    else:
        parquet.write_table(pyarrow.Table.from_pylist(rows), folder / "run.parquet")
    settings = {"detector": "sanchez-perez-2014", "parameters": {"gap": 4}}
    _put(folder / "sanchez-perez-2014.json", json.dumps(settings))
    _put(folder / "stemmata.json", json.dumps({"detector": "stemmata", "parameters": {"runs.gap_cost": 2}}))


def _retrieval(folder: Path) -> None:
    for where, name in (("truth", "plagiarism"), ("run", "detected-plagiarism")):
        for number in (1, 2):
            ids = [{"id": str(number + at)} for at in range(3)]
            record = {"suspicious-document": f"s{number}.txt", name: ids}
            _put(folder / where / f"s{number}.json", json.dumps(record))
    _put(folder / "qrels.txt", "s1.txt 0 1 1\ns1.txt 0 2 0\ns2.txt 0 3 1\n")
    _put(folder / "trec.txt", "s1.txt Q0 1 1 9.5 me\ns1.txt Q0 4 2 8e-1 me\ns2.txt Q0 3 1 1 me\n")
    _put(
        folder / "log" / "suspicious-document1.log",
        "1358326592 barack obama\n1358326600 http://a.example/1\n",
    )
    _put(
        folder / "evaluation.prototext",
        'measure {\n  key: "plagdet"\n  value: "0.884"\n}\nmeasure{key:"a" value:"1"}',
    )


def _verification(folder: Path) -> None:
    shutil.copytree(EXAMPLES / "verify" / "problems", folder / "problems")
    shutil.copytree(EXAMPLES / "verify" / "training", folder / "training")
    names = sorted(one.name for one in (folder / "problems").iterdir() if one.is_dir())
    scored = [(name, round(0.15 * number + 0.1, 3)) for number, name in enumerate(names)]
    _put(folder / "answers.txt", "".join(f"{name} {score}\n" for name, score in scored))
    _put(folder / "answers.csv", "".join(f"{name},{score}\n" for name, score in scored))
    _put(folder / "answers.json", json.dumps([{"id": name, "value": score} for name, score in scored]))
    _put(folder / "answers.jsonl", "".join(json.dumps({"id": n, "value": s}) + "\n" for n, s in scored))
    _put(folder / "truth.jsonl", "".join(json.dumps({"id": n, "same": s > 0.5}) + "\n" for n, s in scored))
    pairs = ({"id": f"p{n}", "fandoms": ["a", "b"], "pair": [text(n, 90), text(n + 9, 90)]} for n in range(4))
    _put(folder / "pairs" / "pairs.jsonl", "".join(json.dumps(one) + "\n" for one in pairs))


def _safety(folder: Path) -> None:
    names = [f"EN{number:03}" for number in range(1, 9)]
    _put(folder / "pan13-truth.txt", "".join(f"{name} {'NY'[at % 2]}\n" for at, name in enumerate(names)))
    for where, shift in (("pan13", 0.0), ("pan13-obfuscationA", 0.3), ("pan13-obfuscationB", 0.1)):
        for at, verifier in enumerate(("ann", "bob")):
            lines = (f"{name} {abs(n % 2 - shift) * 0.8 + 0.1 * at:.3f}\n" for n, name in enumerate(names))
            _put(folder / where / f"{verifier}.txt", "".join(lines))


def _quality(folder: Path) -> None:
    for system in ("gentle", "rough"):
        shutil.copytree(EXAMPLES / "quality" / system, folder / "texts" / system)
    head = ["item", "system", "assessor", "sensibleness", "soundness"]
    rows = [
        [item, system, who, 1 + (item + at) % 4, ("correct", "passable", "incorrect")[(item + at) % 3]]
        for item in range(4)
        for system in ("a", "b")
        for at, who in enumerate(("x", "y"))
    ]
    lines = [",".join(map(str, row)) for row in [head, *rows]]
    _put(folder / "judgements.csv", "\n".join(lines) + "\n")
    records = (dict(zip(head, row, strict=True)) for row in rows)
    _put(folder / "judgements.jsonl", "".join(json.dumps(one) + "\n" for one in records))


def _plan(folder: Path) -> None:
    write_base(folder / "base", texts=6, articles=6)
    _put(folder / "plan.toml", PLAN)


def _documents(folder: Path) -> None:
    texts = [text(number, 70) for number in (1, 2)]
    for kind in ("txt", "html", "rtf", "docx", "odt", "pdf"):
        _put(folder / "good" / f"a.{kind}", packed(kind, texts, "Title", "Author"))
    _put(folder / "good" / "a.doc", rich_files.doc([(texts[0], True), (texts[1], False)]))
    records = [{"id": f"r{n}", "text": text(n, 40), "metadata": {"year": 1999 + n}} for n in range(4)]
    _put(folder / "good" / "a.jsonl", "".join(json.dumps(one) + "\n" for one in records))
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        pass
    else:
        parquet.write_table(pyarrow.Table.from_pylist(records), folder / "good" / "a.parquet")
    _put(folder / "texts" / "b.txt", texts[0])


def _essay(folder: Path) -> None:
    write_workbook(folder / "essay" / "sources_list.xlsx", {"Лист1": sheet_of([HEAD, *ROWS])})
    _put(folder / "essay" / "sources" / "Маяк.html", PAGE)


def _archives(folder: Path) -> None:
    members = {f"d{number}.txt": text(number, 50).encode() for number in range(6)}
    members["deep/er/a.html"] = b"<p>A page of some words.</p>"
    _put(folder / "a.zip", rich_files.archive(members))
    for ending in ("", "gz", "bz2", "xz"):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode=f"w:{ending}") as made:
            for name, content in members.items():
                info = tarfile.TarInfo(name)
                info.size = len(content)
                made.addfile(info, io.BytesIO(content))
        _put(folder / f"a.tar{ending and '.'}{ending}", out.getvalue())


def _made_by_commands(folder: Path, worker: Worker) -> None:
    """Let commands make what only they can: an index, a model, cells, and work that was not finished."""
    texts = folder / "index" / "texts"
    for one in documents(12):
        _put(texts / one.name, one.text)
    _put(folder / "index" / "susp" / "s.txt", f"{text(3, 40)} {text(70, 60)}")
    # What is kept is known by where its input lies: here as in every room of a campaign.
    room = folder.parent / ROOM
    make_room(room)
    shutil.copytree(folder, room / "in", dirs_exist_ok=True)
    train = ("--train", "verification/training")
    verify = ("verify", "verification/problems", "--with", "vandam13,cng-2022", *train, "-j", "1")
    commands: dict[str, tuple[str, ...]] = {
        "index": ("index", "build", "../out/index", "index/texts", "-j", "1"),
        "verified": (*verify, "-o", "../out/verified"),
        "detected": ("detect", "alignment", "--with", "pan-baseline", "-o", "../out/detected", "-j", "1"),
        "reused": ("batch", "reuse", "index/texts", "index/susp", "-o", "../out/reused", "-j", "1"),
        "built": ("corpus", "build", "plan/plan.toml", "-o", "../out/built"),
    }
    for name, arguments in commands.items():
        ending = worker.run(Attempt("material", name, arguments, keeps=True), room)
        if ending.status != 0:
            raise RuntimeError(f"{name}: {(room / 'stderr').read_text()}")
        shutil.copytree(room / "out" / name, folder / "made" / name)
    for name in ("detected", "reused", "built"):
        shutil.copytree(room / "out" / f".{name}.unfinished", folder / "made" / f".{name}.unfinished")
    shutil.copytree(room / "cache", folder / "made" / "cache")
    shutil.rmtree(room)
