"""Errors say what, where and what to do; a registry finds things by name and loads them when asked."""

import ast
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from string import Formatter

import pytest

import stemmata
from stemmata.model import ErrorCode, Finding, Place, Registry, StemmataError, registry

SOURCE = Path(stemmata.__file__).parent
every_error = pytest.mark.parametrize("kind", ErrorCode, ids=lambda kind: kind.code)


def placeholders(kind: ErrorCode) -> set[str]:
    """Give the names of the details that an error's words ask for."""
    parts = [*Formatter().parse(kind.message), *Formatter().parse(kind.remedy)]
    return {name for _, name, _, _ in parts if name is not None}


def uses() -> list[tuple[str, ErrorCode, set[str]]]:
    """Give each call in the source that names an error outright, with the details it is handed."""
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(call, ast.Call) or not call.args or any(k.arg is None for k in call.keywords):
                continue
            kind = call.args[0]
            if isinstance(kind, ast.Attribute) and ast.unparse(kind.value) == "ErrorCode":
                details = {keyword.arg for keyword in call.keywords}
                found.append((f"{path.name}:{call.lineno}", ErrorCode[kind.attr], details))
    return found


class TestCatalogue:
    def test_no_code_is_given_twice(self):
        codes = [kind.value[0] for kind in ErrorCode.__members__.values()]
        assert sorted(set(codes)) == sorted(codes)

    def test_no_error_is_another_ones_alias(self):
        assert len(ErrorCode) == len(ErrorCode.__members__)

    @every_error
    def test_a_code_is_a_letter_and_three_digits(self, kind):
        assert kind.code[0] == "E"
        assert kind.code[1:].isdigit()
        assert len(kind.code) == 4

    @every_error
    def test_its_words_are_there_and_start_and_end_as_parts_of_a_sentence(self, kind):
        for words in (kind.message, kind.remedy):
            assert words == words.strip()
            assert words[-1] not in ".!"

    @every_error
    def test_all_its_details_have_a_name_and_can_be_filled(self, kind):
        assert all(name.isidentifier() for name in placeholders(kind))
        finding = Finding.of(kind, **dict.fromkeys(placeholders(kind), 1234567))
        assert finding.message.replace(",", "").count("1234567") == kind.message.count("{")
        assert finding.remedy.replace(",", "").count("1234567") == kind.remedy.count("{")

    def test_every_use_hands_over_all_the_details(self):
        assert len(uses()) > 20
        assert [(where, kind.name) for where, kind, details in uses() if placeholders(kind) - details] == []


class TestError:
    def test_it_reads_code_place_message_remedy(self):
        error = StemmataError(
            ErrorCode.NEGATIVE, Place("a.xml", feature=3), attribute="this_offset", value=-1
        )
        assert str(error) == (
            "E205 a.xml, feature 3: this_offset=-1 is negative (offsets and lengths start at 0)"
        )

    def test_without_a_place_it_names_none(self):
        assert str(StemmataError(ErrorCode.NEEDS_TWO_RUNS)) == (
            "E403 a comparison needs two runs or more (name another run)"
        )

    def test_a_place_may_be_a_path(self):
        assert StemmataError(ErrorCode.NO_XML, Path("truth")).finding.place == Place("truth")

    @pytest.mark.parametrize(
        ("place", "text"),
        [
            (Place("a.xml"), "a.xml"),
            (Place("pairs", line=2), "pairs, line 2"),
            (Place("a.xml", feature=3), "a.xml, feature 3"),
            (Place("a.xml", line=2, feature=3), "a.xml, line 2, feature 3"),
        ],
    )
    def test_a_place_names_what_is_known_of_it(self, place, text):
        assert str(place) == text

    def test_details_are_shown_as_they_are(self):
        error = StemmataError(ErrorCode.BAD_PAIR, text="{name} {0} %s")
        assert "'{name} {0} %s' is not a pair" in str(error)

    def test_a_finding_says_the_same_as_the_error(self):
        assert str(Finding.of(ErrorCode.NO_XML, "truth")) == str(StemmataError(ErrorCode.NO_XML, "truth"))


@pytest.fixture
def module(write, tmp_path, monkeypatch) -> Iterator[str]:
    """Give the name of a module that can be imported but has not been."""
    write("lazily_loaded_detector.py", "class Detector: ...\nEXACT = Detector()\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield "lazily_loaded_detector"
    sys.modules.pop("lazily_loaded_detector", None)


class TestRegistry:
    def test_names_are_listed_in_order(self):
        known = Registry("detector", {"b": "x:y", "a": "x:z"})
        known.add("c", object())
        assert list(known) == ["a", "b", "c"]

    def test_listing_and_asking_for_a_name_import_nothing(self, module):
        known = Registry("detector", {"exact": f"{module}:EXACT"})
        assert list(known) == ["exact"]
        assert "exact" in known
        assert module not in sys.modules

    def test_using_a_name_imports_its_module(self, module):
        exact = Registry("detector", {"exact": f"{module}:EXACT"})["exact"]
        assert exact is sys.modules[module].EXACT

    def test_a_name_is_resolved_once(self, module):
        known = Registry("detector", {"exact": f"{module}:EXACT"})
        first = known["exact"]
        del sys.modules[module]
        assert known["exact"] is first

    def test_a_target_can_be_added_by_its_address(self, module):
        known = Registry("detector")
        known.add("exact", f"{module}:EXACT")
        assert type(known["exact"]).__name__ == "Detector"

    def test_an_object_can_be_added_itself(self):
        known, exact = Registry("detector"), object()
        known.add("exact", exact)
        assert known["exact"] is exact

    def test_the_targets_given_are_not_changed_by_adding(self):
        targets = {"a": "x:y"}
        Registry("detector", targets).add("b", "x:z")
        assert targets == {"a": "x:y"}

    def test_an_unknown_name_is_an_error_that_says_where_to_look(self):
        with pytest.raises(StemmataError) as caught:
            Registry("detector", {"exact": "x:y"})["wholly-different"]
        assert str(caught.value) == (
            "E501 there is no detector called 'wholly-different' (see: stemmata list detectors)"
        )

    def test_a_name_nearly_right_is_answered_with_the_right_one(self):
        with pytest.raises(StemmataError, match="did you mean 'sanchez-perez-2014'"):
            Registry("detector", {"pan-baseline": "x:y", "sanchez-perez-2014": "x:z"})["sanchez-perez-2015"]

    def test_a_family_may_have_a_plural_of_its_own(self):
        with pytest.raises(StemmataError, match="stemmata list strategies"):
            Registry("strategy", families="strategies")["gone"]


class TestPlugins:
    @pytest.fixture
    def asked(self, module, monkeypatch) -> list[str]:
        """Install a plug-in for detectors; give the list of groups that are asked for."""
        groups: list[str] = []
        installed = [EntryPoint("exact", f"{module}:EXACT", "stemmata.detectors")]

        def entry_points(group: str) -> list[EntryPoint]:
            groups.append(group)
            return [point for point in installed if point.group == group]

        monkeypatch.setattr(registry, "entry_points", entry_points)
        return groups

    def test_other_packages_add_names_by_entry_points(self, asked):
        assert type(Registry("detector")["exact"]).__name__ == "Detector"

    def test_they_are_listed_without_being_imported(self, asked, module):
        assert list(Registry("detector", {"ours": "x:y"})) == ["exact", "ours"]
        assert module not in sys.modules

    def test_they_join_their_own_family_only(self, asked):
        assert list(Registry("verifier")) == []

    def test_they_do_not_displace_what_is_there(self, asked):
        assert Registry("detector", {"exact": "fractions:Fraction"})["exact"].__name__ == "Fraction"

    def test_they_are_looked_for_once(self, asked):
        known = Registry("detector")
        list(known)
        list(known)
        assert asked == ["stemmata.detectors"]

    def test_they_are_suggested_too(self, asked):
        with pytest.raises(StemmataError, match="did you mean 'exact'"):
            Registry("detector")["exakt"]
