"""Files given to a command that wants another format: made ones, and real ones where a campaign has them."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

from fuzzing.kinds import Draw, chosen, kind
from fuzzing.mutations import JSON, PACKED, damaged

REAL = "real"
"""The folder of the material in which real files are."""
_EACH = 10
_LARGEST = 200_000
_COMMANDS = (
    "validate {}",
    "score alignment {} {}",
    "score alignment alignment/truth {}",
    "score retrieval {} {}",
    "score verification {} {}",
    "score verification verification/problems {}",
    "score safety {}",
    "score quality {} --no-automatic",
    "index build ../out/index {} -j 1",
    "index info {}",
    "check {} --against documents/texts -f json -j 1",
    "check documents/texts --against {} -f json -j 1",
    "verify {} --with vandam13 -o ../out/answers -j 1",
    "verify verification/problems --with cng-2022 --train {} -o ../out/answers -j 1",
    "mask {} --with castro-2017 -o ../out/masked -j 1",
    "detect {} --with pan-baseline -o ../out/run -j 1",
    "detect alignment --parameters {} -o ../out/run -j 1",
    "corpus build {} -o ../out/corpus",
    "corpus describe {}",
    "corpus import {} -o ../out/corpus",
    "batch reuse {} {} -o ../out/reuse -j 1",
    "data add auto {}",
)


def take_real_files(folder: Path, material: Path) -> int:
    """Copy some small files of each ending from a folder into the material, and return how many."""
    endings: Counter[str] = Counter()
    place = material / REAL
    place.mkdir()
    for file in sorted(folder.rglob("*")):
        ending = file.suffix.lower()
        if endings[ending] < _EACH and file.is_file() and file.stat().st_size <= _LARGEST:
            endings[ending] += 1
            shutil.copyfile(file, place / f"{endings.total()}{ending}")
    return endings.total()


@kind("mistaken files", turns=4)
def _mistaken(draw: Draw) -> tuple[str, ...]:
    rng = draw.rng
    pool = draw.material / (REAL if (draw.material / REAL).is_dir() and rng.random() < 0.7 else "")
    file = rng.choice(sorted(one for one in pool.rglob("*") if one.is_file()))
    folder = draw.take("alignment", "documents", "verification") / "mistaken"
    folder.mkdir()
    content, story = file.read_bytes(), "as it is"
    if rng.random() < 0.6:
        content, story = damaged(rng, content, PACKED if content[:2] == b"PK" else JSON)
    (folder / file.name).write_bytes(content)
    path = rng.choice((f"mistaken/{file.name}", f"mistaken/{file.name}", "mistaken"))
    return f"{file.relative_to(draw.material)}: {story}", *chosen(rng, _COMMANDS, path)
