"""``python -m stemmata``: the command line, where its script is not on the path."""

from stemmata.cli import run

if __name__ == "__main__":
    run()
