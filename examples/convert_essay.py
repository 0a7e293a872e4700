"""Turn essays of PlagEvalRus, as their writers handed them in, into a corpus in the layout of PAN13.

Run it with ``python examples/convert_essay.py ESSAY_FOLDER … CORPUS``. An essay's folder holds a workbook, a
row per sentence (the sentence, its original, the page it comes from, the kinds of change), and the pages as
HTML. Then::

    stemmata detect CORPUS --with stemmata -o RUN
    stemmata score alignment CORPUS/truth RUN --by obfuscation
"""

import sys
from pathlib import Path

from stemmata.formats.essays import read_essay, write_essay
from stemmata.model import StemmataError


def main(*arguments: str) -> int:
    """Convert, and say which rows of the tables could not be placed."""
    if len(arguments) < 2:
        print("usage: convert_essay.py ESSAY_FOLDER … CORPUS", file=sys.stderr)
        return 2
    *folders, corpus = arguments
    try:
        essays = [read_essay(folder) for folder in folders]
        write_essay(Path(corpus), *essays)
    except StemmataError as error:
        print(error, file=sys.stderr)
        return 2
    for essay in essays:
        print(f"{essay.document.name}: {len(essay.cases)} cases, {len(essay.sources)} sources")
        for finding in essay.not_found:
            print(f"  {finding}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
