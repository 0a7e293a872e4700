"""What Stemmata has kept and reads again: indexes, cells, work that was not finished, records of runs."""

from __future__ import annotations

import shutil
from pathlib import Path

from fuzzing.kinds import Draw, chosen, kind
from fuzzing.mutations import CONTENT, JSON, damaged
from fuzzing.places import put_odd

_USING = {
    "index": (
        "index info ../out/index",
        "index add ../out/index documents/texts -j 1",
        "index remove ../out/index doc0003.txt",
        "retrieve ../out/index index/susp -o ../out/run -j 1",
        "check index/susp --against ../out/index -o ../out/report.html -j 1",
    ),
    "detected": ("detect alignment --with pan-baseline -o ../out/detected -j 1",),
    "reused": ("batch reuse index/texts index/susp -o ../out/reused -j 1",),
    "built": ("corpus build plan/plan.toml -o ../out/built",),
    "verified": (
        "verify verification/problems --with vandam13,cng-2022 --train verification/training "
        "-o ../out/verified -j 1",
    ),
}


def _damage(draw: Draw, folder: Path) -> str:
    """Damage one file or some below a folder, or take it away."""
    rng = draw.rng
    files = sorted(one for one in folder.rglob("*") if one.is_file())
    stories = []
    for file in rng.sample(files, min(len(files), rng.choice((1, 1, 1, 3)))):
        act = rng.random()
        if act < 0.1:
            file.unlink()
            story = "taken away"
        elif act < 0.2:
            story = put_odd(rng, file)
        else:
            content, story = damaged(rng, file.read_bytes(), JSON if file.suffix == ".json" else CONTENT)
            file.write_bytes(content)
        stories.append(f"{file.relative_to(folder)}: {story}")
    return "; ".join(stories)


@kind("indexes", turns=6)
def _indexes(draw: Draw) -> tuple[str, ...]:
    draw.take("index", "documents")
    shutil.copytree(draw.material / "made" / "index", draw.room / "out" / "index")
    story = _damage(draw, draw.room / "out" / "index")
    return story, *chosen(draw.rng, _USING["index"], "")


@kind("kept work", turns=4)
def _kept_work(draw: Draw) -> tuple[str, ...]:
    draw.take("alignment", "index", "plan")
    name = draw.rng.choice(("detected", "reused", "built"))
    shutil.copytree(draw.material / "made" / f".{name}.unfinished", draw.room / "out" / f".{name}.unfinished")
    story = _damage(draw, draw.room / "out" / f".{name}.unfinished")
    return f".{name}.unfinished/{story}", *chosen(draw.rng, _USING[name], "")


@kind("finished runs", turns=2)
def _finished_runs(draw: Draw) -> tuple[str, ...]:
    draw.take("alignment", "index", "plan", "verification")
    name = draw.rng.choice(("detected", "reused", "built", "verified"))
    shutil.copytree(draw.material / "made" / name, draw.room / "out" / name)
    story = _damage(draw, draw.room / "out" / name)
    overwrite = ("--overwrite",) if name != "built" and draw.rng.random() < 0.3 else ()
    return f"{name}/{story}", *chosen(draw.rng, _USING[name], ""), *overwrite


@kind("cells", turns=2)
def _cells(draw: Draw) -> tuple[str, ...]:
    draw.take("verification")
    shutil.copytree(draw.material / "made" / "cache", draw.room / "cache", dirs_exist_ok=True)
    story = _damage(draw, draw.room / "cache")
    commands = (*_USING["verified"], "cache info", "cache clear")
    return f"cache/{story}", *chosen(draw.rng, commands, "")
