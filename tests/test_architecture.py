"""The rules of the house, checked by reading the source without running it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from stemmata.experiments import grading, masking, verifying
from stemmata.model import ErrorCode

REPOSITORY = Path(__file__).parents[1]
SOURCE = REPOSITORY / "src" / "stemmata"
ERRORS = REPOSITORY / "docs" / "errors.md"

LAYERS = (
    ("model",),
    ("formats", "text", "measures"),
    ("rewriting",),
    ("reuse", "authorship", "masking", "corpora"),
    ("experiments", "reports"),
    ("service", "spark", "cli"),
    ("__main__",),
)
"""From the bottom up. A package imports from lower layers and from itself, never from its neighbours."""
LEVEL = {package: level for level, layer in enumerate(LAYERS) for package in layer}
ROOT = ""
"""The package stemmata itself, which lies below everything."""

VAGUE = {"utils", "util", "helpers", "helper", "manager", "managers", "misc", "common"}
UNSAFE_MODULES = {"pickle", "shelve", "marshal"}
UNSAFE_CALLS = {"eval", "exec"}


def trees(source: Path) -> Iterator[tuple[Path, ast.Module]]:
    """Give each module below a folder, by its relative path, with its syntax tree."""
    for path in sorted(source.rglob("*.py")):
        yield path.relative_to(source), ast.parse(path.read_text("utf-8"))


def imported_modules(node: ast.AST, path: Path) -> list[str]:
    """Give the full names of what an import statement may import; a name may be a module or not."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    base = [node.module] if node.module else []
    if node.level:
        folders = ["stemmata", *path.parent.parts]
        base = folders[: len(folders) - node.level + 1] + base
    return [".".join([*base, alias.name]) for alias in node.names]


def package_of(path: Path) -> str:
    return path.parts[0].removesuffix(".py").replace("__init__", ROOT)


def forbidden_imports(source: Path) -> list[str]:
    """Give every import that points up, sideways, or to or from a package without a layer."""
    packages = {package_of(path) for path, _ in trees(source)} | set(LEVEL)
    found = []
    for path, tree in trees(source):
        package = package_of(path)
        for node in ast.walk(tree):
            for name in imported_modules(node, path):
                top, *below = name.split(".")
                target = below[0] if below and below[0] in packages else ROOT
                if top != "stemmata" or target in (ROOT, package):
                    continue
                if package not in LEVEL or LEVEL.get(target, len(LAYERS)) >= LEVEL[package]:
                    found.append(f"{path}:{node.lineno} imports {target}")
    return found


def unsafe_code(source: Path) -> list[str]:
    """Give every use of code that runs what it reads."""
    found = []
    for path, tree in trees(source):
        for node in ast.walk(tree):
            unsafe = {name.split(".")[0] for name in imported_modules(node, path)} & UNSAFE_MODULES
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                unsafe |= {node.func.id} & UNSAFE_CALLS
            if isinstance(node, ast.keyword) and node.arg == "allow_pickle":
                unsafe |= set() if ast.unparse(node.value) == "False" else {"allow_pickle"}
            found += [f"{path}:{node.lineno} {name}" for name in sorted(unsafe)]
    return found


def test_imports_point_one_way():
    assert forbidden_imports(SOURCE) == []


def test_every_package_has_its_layer():
    assert {path.name for path in SOURCE.iterdir() if path.is_dir() and any(path.rglob("*.py"))} <= set(LEVEL)


def test_nothing_runs_what_it_reads():
    assert unsafe_code(SOURCE) == []


def test_no_file_is_over_600_lines():
    files = [path for part in ("src", "tests", "benchmarks") for path in (REPOSITORY / part).rglob("*.py")]
    assert [path.name for path in files if len(path.read_text("utf-8").splitlines()) > 600] == []


def test_every_module_is_named_after_what_it_holds():
    assert [path for path, _ in trees(SOURCE) if VAGUE & {path.stem, *path.parent.parts}] == []


def test_every_package_says_what_it_is_or_is_still_empty():
    folders = {path.parent for path in SOURCE.rglob("*.py")}
    assert [folder.name for folder in folders if not (folder / "__init__.py").exists()] == []
    openings = [(path, tree) for path, tree in trees(SOURCE) if path.name == "__init__.py"]
    assert [path for path, tree in openings if tree.body and not ast.get_docstring(tree)] == []


@pytest.mark.skipif(not ERRORS.exists(), reason="docs/errors.md is not in this distribution")
def test_every_error_is_documented():
    documented = ERRORS.read_text("utf-8")
    assert [kind.code for kind in ErrorCode if kind.code not in documented] == []


@pytest.mark.parametrize(
    ("packages", "beside"),
    [
        (masking.PACKAGES, {"model", "formats", "measures"}),
        (grading.PACKAGES, {"model", "formats", "measures"}),
        (verifying.PACKAGES, {"model", "formats"}),
    ],
    ids=["masking", "grading", "verifying"],
)
def test_results_are_kept_by_all_packages_that_they_are_made_with(packages, beside):
    inside = [(path, tree) for path, tree in trees(SOURCE) if package_of(path) in packages]
    names = {
        name for path, tree in inside for node in ast.walk(tree) for name in imported_modules(node, path)
    }
    used = {name.split(".")[1] for name in names if name.startswith("stemmata.")}
    assert used & set(LEVEL) <= {*packages, *beside}


class TestTheCheckItself:
    """A made-up source tree shows that what is forbidden is found, and only that."""

    @pytest.mark.parametrize(
        ("file", "statement", "target"),
        [
            ("model/spans.py", "from stemmata.formats import pan_xml", "formats"),
            ("measures/alignment.py", "import stemmata.formats.pan_xml", "formats"),
            ("reuse/align.py", "from stemmata.corpora.plan import Plan", "corpora"),
            ("reports/tables.py", "from stemmata import experiments", "experiments"),
            ("cli/serve.py", "import stemmata.service as web", "service"),
            ("formats/pan_xml.py", "from ..measures import plagdet", "measures"),
            ("formats/xml/pan.py", "from ...cli import run", "cli"),
            ("text/tokens.py", "from .. import reuse", "reuse"),
            ("model/spans.py", "def late():\n    from stemmata.cli import run", "cli"),
            ("model/spans.py", "if TYPE_CHECKING:\n    from stemmata.text import Token", "text"),
            ("__init__.py", "from stemmata.model import Span", "model"),
            ("plugins/own.py", "from stemmata.model import Span", "model"),
            ("cli/run.py", "from stemmata.plugins import own", "plugins"),
        ],
    )
    def test_an_import_that_points_up_or_sideways_is_found(self, write, tmp_path, file, statement, target):
        write("plugins/__init__.py", "")
        write(file, statement)
        line = len(statement.splitlines())
        assert forbidden_imports(tmp_path) == [f"{file}:{line} imports {target}"]

    @pytest.mark.parametrize(
        ("file", "statement"),
        [
            ("formats/pan_xml.py", "from stemmata.model import Span"),
            ("formats/pan_xml.py", "from stemmata.formats.files import decode"),
            ("formats/pan_xml.py", "from .files import decode"),
            ("formats/pan_xml.py", "from ..model.spans import Span"),
            ("rewriting/words.py", "from stemmata import text, formats"),
            ("cli/score.py", "import stemmata.measures, stemmata.reports"),
            ("model/spans.py", "from stemmata import __version__"),
            ("model/spans.py", "import numpy.formats\nfrom cli import run"),
        ],
    )
    def test_an_import_that_points_down_or_out_is_not(self, write, tmp_path, file, statement):
        write(file, statement)
        assert forbidden_imports(tmp_path) == []

    @pytest.mark.parametrize(
        ("statement", "what"),
        [
            ("import pickle", "pickle"),
            ("from pickle import loads", "pickle"),
            ("eval('1')", "eval"),
            ("x = [exec('1')]", "exec"),
            ("numpy.load(path, allow_pickle=True)", "allow_pickle"),
        ],
    )
    def test_code_that_runs_what_it_reads_is_found(self, write, tmp_path, statement, what):
        write("model/spans.py", statement)
        assert unsafe_code(tmp_path) == [f"model/spans.py:1 {what}"]

    @pytest.mark.parametrize(
        "statement", ["model.eval()", "retrieval('x')", "load(path, allow_pickle=False)"]
    )
    def test_what_only_looks_like_it_is_not(self, write, tmp_path, statement):
        write("model/spans.py", statement)
        assert unsafe_code(tmp_path) == []
