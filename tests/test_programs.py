"""What a result was made by: whatever changes that is run again."""

from importlib import import_module

from stemmata.experiments import programs
from stemmata.experiments.programs import digest_of, made_by


def test_a_program_of_several_modules_is_known_by_all_of_them(tmp_path, monkeypatch):
    package = tmp_path / "plugged_in"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "mine.py").write_text("class Mine:\n    pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    mine = import_module("plugged_in.mine").Mine()
    found = []
    for text in ("one = 1\n", "two = 2\n"):
        (package / "words.py").write_text(text)
        digest_of.cache_clear()
        programs._files_of.cache_clear()
        found.append(made_by("obfuscator", "mine", mine, ()))
    assert found[0]["program"] != found[1]["program"]


def test_other_tables_of_words_make_other_results(tmp_path, monkeypatch):
    monkeypatch.setattr(programs, "wordnet_folder", lambda: tmp_path)
    found = set()
    for words in ("", "a row", "another"):
        if words:
            (tmp_path / "data.noun").write_text(words)
        digest_of.cache_clear()
        found.add(digest_of(()))
    digest_of.cache_clear()
    assert len(found) == 3
