"""Plans and parameter files that are well formed, but whose values are out of all reason."""

from __future__ import annotations

import json
import math
import re
from random import Random

from fuzzing.kinds import Draw, kind
from fuzzing.material import PLAN
from fuzzing.mutations import MANY_DIGITS, STRINGS

_NUMBERS = (
    *("inf", "-inf", "nan", "0", "-1", "1", "0.5", "1e-9", "1e308", "9e9999", "1e-320", "9" * 30, "9" * 400),
    *(MANY_DIGITS, "true", "1979-05-27"),
)
_RANGES = (
    *(
        "[inf, inf]",
        "[8, inf]",
        "[8, 1e18]",
        "[1e-9, 1e-8]",
        "[9, 3]",
        "[nan, nan]",
        "[0, 0]",
        "[1, 2, 3]",
        "[]",
    ),
    *("[-3, 8]", "[0.0, 1.0]", "[1, 1]", '["a", "b"]', "[" * 5000 + "]" * 5000, "[[3, 8], [3, 8]]"),
)
_TEXTS = (
    *(
        '""',
        '"../../outside"',
        '"/proc"',
        '"a\\u0000"',
        '"link"',
        f'"{"x" * 5000}"',
        '"\\u001b[2J"',
        '"pan-pc-10"',
    ),
    *(
        '"/../../../../outside/folder"',
        '"none"',
        '"pos-shuffle"',
        '"translation"',
        '"low"',
        "{}",
        "{ share = 1.0 }",
    ),
)
_KINDS = {"[": _RANGES, '"': _TEXTS}
_NAMES = (
    "/../../../../outside/folder",
    "..",
    "",
    "a\\u0000",
    "x" * 300,
    "a b",
    "\\u001b[2J",
    "-",
    ".hidden",
    "a/b",
)
_KEYS = (
    *(
        "intra",
        "one_kind",
        "purpose",
        "language",
        "replace",
        "most_sources",
        "host_sentences",
        "passage_words",
    ),
    "unknown",
)
_DETECTORS = ("sanchez-perez-2014", "stemmata", "pan-baseline", "shingles", "brlek-2016", "zubarev-2017")
_INTRINSIC = ("stemmata-intrinsic", "stamatatos-2009", "oberreuter-2011")
_VALUES = (
    *(0, -1, 1, 2, 0.5, 1e308, -1e308, 1e-320, 10**30, 10**11, 10**400, math.inf, math.nan, True, None),
    *("1", [], {}),
)


def _value(rng: Random, value: str) -> str:
    """Return another value for a key of a plan, mostly of the same type."""
    kinds = _KINDS.get(value[0], _NUMBERS) if rng.random() < 0.8 else (*_NUMBERS, *_RANGES, *_TEXTS)
    return rng.choice(kinds)


def _line(rng: Random, line: str) -> str:
    """Return a line of a plan with another value or another name, well formed."""
    key, value = line.split(" = ", 1)
    if rng.random() < 0.2:
        return f'"{rng.choice(_NAMES)}" = {value}'
    if value[0] != "{":
        return f"{key} = {_value(rng, value)}"
    found = list(re.finditer(r"(?<= = )(\[.*?\]|[^\s,]+)(?=,| })", value))
    one = rng.choice(found)
    return f"{key} = {value[: one.start()]}{_value(rng, one[0])}{value[one.end() :]}"


@kind("crafted plans", turns=4)
def _plans(draw: Draw) -> tuple[str, ...]:
    rng = draw.rng
    folder = draw.take("plan") / "plan"
    (folder / "link").symlink_to("link")
    lines = PLAN.splitlines()
    stories = []
    for _ in range(rng.choice((1, 1, 2))):
        place = rng.choice([at for at, line in enumerate(lines) if " = " in line])
        act = rng.random()
        if act < 0.15:
            lines.insert(0, f"{rng.choice(_KEYS)} = {rng.choice((*_NUMBERS, *_RANGES, *_TEXTS))}")
            place = 0
        elif act < 0.3:
            lines.insert(place + 1, f'"{rng.choice(_NAMES)}" = {lines[place].split(" = ", 1)[1]}')
            place += 1
        else:
            lines[place] = _line(rng, lines[place])
        stories.append(lines[place][:60])
    (folder / "plan.toml").write_text("\n".join(lines))
    return "; ".join(stories), "corpus", "build", "plan/plan.toml", "-o", "../out/corpus"


@kind("crafted parameters", turns=3)
def _parameters(draw: Draw) -> tuple[str, ...]:
    """Values out of range for the parameters that a detector declares."""
    from stemmata.model.parameters import declared
    from stemmata.reuse import detectors, intrinsic_detectors

    rng = draw.rng
    draw.take("alignment")
    name = rng.choice((*_DETECTORS, *_INTRINSIC))
    ranges = declared((intrinsic_detectors if name in _INTRINSIC else detectors).make(name))
    chosen = {
        key: rng.choice((ranges[key].low, ranges[key].high, *_VALUES))
        for key in rng.sample(sorted(ranges), min(len(ranges), rng.choice((1, 1, 3))))
    }
    if rng.random() < 0.1:
        chosen[rng.choice(STRINGS)] = rng.choice(_VALUES)
    file = draw.room / "in" / "alignment" / "x.json"
    file.write_text(json.dumps({"detector": name, "parameters": chosen}))
    story = f"{name}: {str(chosen)[:150]}"
    alone = ("--intrinsic",) if name in _INTRINSIC else ()
    return (
        story,
        *f"detect alignment --with {name} --parameters alignment/x.json -o ../out/r -j 1".split(),
        *alone,
    )
