"""`make fuzz`: try hostile inputs for some minutes, or one again that failed."""

import argparse
import sys
import tempfile
from pathlib import Path

from fuzzing.attempt import Attempt, Ending
from fuzzing.campaign import again, campaign
from fuzzing.material import write_material
from fuzzing.mistaken import take_real_files
from fuzzing.worker import Worker


def main() -> int:
    """Return 1 if anything failed."""
    parser = argparse.ArgumentParser(prog="python -m fuzzing", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first input")
    parser.add_argument("--kind", default="", help="only kinds whose name begins so")
    parser.add_argument("--keep", type=Path, default=Path("fuzzing-failures"), help="where failures go")
    parser.add_argument("--real", type=Path, help="a folder whose small files are tried too")
    parser.add_argument("--show", action="store_true", help="print a line for each input")
    parser.add_argument("--again", type=Path, help="run a kept input again")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fuzzing-") as folder, Worker() as worker:
        workshop = Path(folder)
        if wanted.again:
            attempt, ending, faults, printed = again(wanted.again, workshop, worker)
            print(
                f"{attempt.kind}: {attempt.story}\nstemmata {' '.join(attempt.arguments)}\n{printed[:4000]}"
            )
            print(f"{ending}\n{'; '.join(faults) or 'as it should be'}")
            return int(bool(faults))
        material = write_material(workshop / "material", worker)
        if wanted.real and wanted.real.is_dir():
            print(f"{take_real_files(wanted.real, material)} real files from {wanted.real}")
        tally = campaign(
            material,
            wanted.keep.absolute(),
            worker,
            seed=wanted.seed,
            seconds=wanted.seconds,
            only=wanted.kind,
            first=wanted.first,
            report=lambda failure: print(failure, flush=True),
            watch=show if wanted.show else lambda *_: None,
        )
    print(tally)
    return int(bool(tally.failures))


def show(number: int, attempt: Attempt, ending: Ending) -> None:
    """Print what was tried, and what it took."""
    words = " ".join(attempt.arguments)
    cost = f"{ending.seconds:6.2f} s {ending.megabytes:5.0f} MB"
    print(
        f"{number:6} {ending.status:3} {cost}  {attempt.kind}: {attempt.story[:60]!r}: {words[:90]!r}",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
