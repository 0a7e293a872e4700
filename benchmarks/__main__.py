"""Run the benchmarks by name, or all but the longest."""

from __future__ import annotations

import argparse

from benchmarks import (
    ablation,
    aligning,
    clough,
    composed,
    corpora,
    detecting,
    end_to_end,
    essay,
    hiding,
    imitation,
    indexing,
    intrinsic,
    likeness,
    peer,
    quality,
    ranking,
    reading,
    retrieving,
    rewriting,
    safety,
    scoring,
    spark,
    startup,
    unseen,
    verifying,
    views,
)

BENCHMARKS = {
    "scoring": scoring.run,
    "peer": peer.run,
    "reading": reading.run,
    "aligning": aligning.run,
    "detecting": detecting.run,
    "clough": clough.run,
    "essay": essay.run,
    "unseen": unseen.run,
    "composed": composed.run,
    "ablation": ablation.run,
    "intrinsic": intrinsic.run,
    "rewriting": rewriting.run,
    "corpora": corpora.run,
    "indexing": indexing.run,
    "retrieving": retrieving.run,
    "retrieving-million": retrieving.run_million,
    "safety": safety.run,
    "verifying": verifying.run,
    "likeness": likeness.run,
    "quality": quality.run,
    "ranking": ranking.run,
    "hiding": hiding.run,
    "views": views.run,
    "imitation": imitation.run,
    "spark": spark.run,
    "help": startup.run,
    "end-to-end": end_to_end.run,
}
ONLY_IF_ASKED = {
    "composed", "end-to-end", "hiding", "views", "imitation", "likeness", "quality", "ranking", "retrieving",
    "retrieving-million", "verifying",
}  # fmt: skip


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Print the benchmark tables.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of: {', '.join(BENCHMARKS)}")
    parser.add_argument("--quick", action="store_true", help="small sizes, done in under a minute")
    parser.add_argument(
        "--full",
        action="store_true",
        help="also the longest: 5 million annotations end to end, and retrieving",
    )
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"there is no benchmark called {unknown[0]!r}; choose among {', '.join(BENCHMARKS)}")
    usual = [name for name in BENCHMARKS if arguments.full or name not in ONLY_IF_ASKED]
    for name in arguments.names or usual:
        BENCHMARKS[name](arguments.quick)


if __name__ == "__main__":
    main()
