"""Write docs/errors.md from the catalogue of errors: python scripts/write_error_list.py."""

from pathlib import Path

from stemmata.model import ErrorCode

HEAD = """# Errors

Every error is one line: its code, the place, what is wrong, and in brackets what to do. The exit status is
2 for bad input or usage, 1 when a command found something (an invalid corpus), 0 otherwise. This page is
made by `scripts/write_error_list.py`.

| code | what is wrong | what to do |
|---|---|---|
| E001 | wrong usage of a command | see its `--help` |
| E002 | out of memory | work in parts, or on a larger machine |
| E003 | an internal error | please report it |
"""


def error_list() -> str:
    """Return the page."""
    rows = "".join(f"| {e.code} | {e.message} | {e.remedy} |\n" for e in ErrorCode)
    return HEAD + rows.replace("!r}", "}").replace(":,}", "}")


if __name__ == "__main__":
    Path(__file__).parents[1].joinpath("docs", "errors.md").write_text(error_list(), encoding="utf-8")
