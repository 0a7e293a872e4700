"""The evidence report in a real browser: what a reader clicks, types and sees."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stemmata.formats import read_cases, read_detections
from stemmata.formats.outputs import OutputFile
from stemmata.formats.records import Making
from stemmata.measures.statistics import Alignment
from stemmata.reports.browser import print_pdf
from stemmata.reports.evidence import gather_evidence
from stemmata.reports.evidence_page import evidence_page

Open = Callable[..., Any]
FILLER = "This sentence is my own and stands alone here, number {}. "
COPIED = "The quick brown fox number {} jumps over a lazy dog that sleeps beside the old mill. "


def feature(name: str, *position: int) -> str:
    keys = ("this_offset", "this_length", "source_offset", "source_length")
    said = " ".join(f'{key}="{value}"' for key, value in zip(keys, position, strict=True))
    return f'<feature name="{name}" source_reference="o.txt" {said}/>'


def write_corpus(folder: Path, suspicious: str, source: str, found: list, true: list | None = None) -> None:
    for name, text in (("susp/s.txt", suspicious), ("src/o.txt", source)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="")
    kinds = [("run", "detected-plagiarism", found)] + ([("truth", "plagiarism", true)] if true else [])
    for part, name, positions in kinds:
        (folder / part).mkdir(exist_ok=True)
        rows = "".join(feature(name, *position) for position in positions)
        (folder / part / "s-o.xml").write_text(f'<document reference="s.txt">{rows}</document>')


def write_report(folder: Path, anonymous: bool = False) -> Path:
    truth = read_cases(folder / "truth") if (folder / "truth").exists() else None
    made = gather_evidence(folder, read_detections(folder / "run"), truth)
    (folder / "report.html").write_text(evidence_page(made, anonymous), encoding="utf-8")
    return folder / "report.html"


def long_pair() -> tuple[str, str, list[tuple[int, int, int, int]]]:
    """Give two texts of many screens that share five passages, in another order in the source."""
    own = "".join(FILLER.format(n) for n in range(120)) + "\n\n"
    suspicious, source = "", ""
    places: dict[int, int] = {}
    for n in (3, 1, 4, 0, 2):
        source += "".join(FILLER.format(1000 * n + m) for m in range(150)) + "\n\n"
        places[n] = len(source)
        source += COPIED.format(n) * (n + 1)
    found = []
    for n in range(5):
        suspicious += own
        copied = COPIED.format(n) * (n + 1)
        found.append((len(suspicious), len(copied), places[n], len(copied)))
        suspicious += copied
    return suspicious, source, found


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    suspicious, source, found = long_pair()
    # The first case is longer than it was found, one is not found at all, and the last detection is false.
    offset, length, origin, origin_length = found[0]
    true = [(offset, length + 40, origin, origin_length + 30), *found[1:4], (10, 100, 20, 90)]
    write_corpus(folder, suspicious, source, found, true)
    return write_report(folder)


def in_sight(page: Any, side: str, number: int) -> bool:
    """Tell whether the start of a passage is inside its pane."""
    return page.evaluate(
        """([side, number]) => {
          const view = document.querySelector(`#${side} .scroll`).getBoundingClientRect();
          const mark = document.querySelector(`#${side} mark[data-number="${number}"]`);
          const top = mark ? mark.getBoundingClientRect().top : -1;
          return top >= view.top && top < view.bottom;
        }""",
        [side, number],
    )


def both_in_sight(page: Any, number: int) -> bool:
    return in_sight(page, "suspicious", number) and in_sight(page, "source", number)


def share(page: Any) -> float:
    return float(page.inner_text("#reader-share").split("%")[0])


def test_the_keys_j_and_k_move_both_panes(opened, report):
    page = opened(report, "#pair-0")
    for number in (1, 2, 3, 4, 5, 5):
        page.keyboard.press("j")
        assert both_in_sight(page, number)
        assert page.inner_text("#step") == f"{number} of 5"
    page.keyboard.press("k")
    assert both_in_sight(page, 4)
    assert not in_sight(page, "suspicious", 5)


@pytest.mark.parametrize(("clicked", "follows"), [("suspicious", "source"), ("source", "suspicious")])
def test_a_click_in_one_pane_moves_the_other(opened, report, clicked, follows):
    page = opened(report, "#pair-0-passage-3")
    page.evaluate(f"document.querySelector('#{follows} .scroll').scrollTop = 0")
    page.wait_for_selector(f"#{follows} mark[data-number='3']", state="detached")
    page.click(f"#{clicked} mark[data-passage='2']")
    assert both_in_sight(page, 3)
    assert page.evaluate("location.hash") == "#pair-0-passage-3"


def test_a_link_opens_one_passage(opened, report):
    page = opened(report, "#pair-0-passage-4")
    assert both_in_sight(page, 4)
    assert "Passage 4" in page.inner_text("#passage")
    assert "verbatim" in page.inner_text("#passage")
    page.evaluate("location.hash = '#pair-0-passage-2'")
    page.wait_for_selector("#step:text-is('2 of 5')")
    assert both_in_sight(page, 2)


def test_filters_recompute_the_share_at_once(opened, report):
    suspicious, _, found = long_pair()
    page = opened(report, "#pair-0")
    assert share(page) == pytest.approx(100 * sum(f[1] for f in found) / len(suspicious), abs=0.06)
    page.fill("#min", "40")
    kept = [f for f in found if f[1] > 3 * 80]
    assert page.inner_text("#step").endswith(f"of {len(kept)}")
    assert share(page) == pytest.approx(100 * sum(f[1] for f in kept) / len(suspicious), abs=0.06)
    page.fill("#min", "9999")
    assert share(page) == 0


def test_the_overview_says_how_much_was_taken_word_for_word(opened, tmp_path):
    text, origin = (
        COPIED.format(1) + COPIED.format(2),
        COPIED.format(1) + COPIED.format(2).replace("old", "new"),
    )
    half = len(COPIED.format(1))
    found = [(0, half, 0, half), (half, half, half, half)]
    write_corpus(tmp_path, text, origin, found)
    page = opened(write_report(tmp_path))
    cell = page.locator("#documents tbody td[data-title='Word for word']")
    words = len(text.split())
    assert cell.inner_text() == f"{100 * (words - 1) / words:.1f}%"


def test_quotations_and_references_can_be_left_out(opened, tmp_path):
    quoted = '"These words are quoted as they were written."'
    listed = "References\nA. Author (1999) A title.\nB. Author (2001) Another title.\n"
    text = "My own words. " * 10 + quoted + " More words.\n" + listed
    source = quoted + "\n" + listed
    found = [
        (text.index(quoted), len(quoted), 0, len(quoted)),
        (text.index(listed), len(listed), source.index(listed), len(listed)),
    ]
    write_corpus(tmp_path, text, source, found)
    page = opened(write_report(tmp_path), "#pair-0")
    assert share(page) == pytest.approx(100 * (len(quoted) + len(listed)) / len(text), abs=0.06)
    page.check("#quotations")
    assert share(page) == pytest.approx(100 * len(listed) / len(text), abs=0.06)
    page.check("#bibliography")
    assert share(page) == 0


def test_the_counts_of_the_overlay_are_those_of_the_scores(opened, report):
    cases, made = read_cases(report.parent / "truth"), read_detections(report.parent / "run")
    scores = Alignment(cases.annotations, made.annotations)
    found, true, claimed = (
        int(scores.statistic(f"{what}_characters").sum()) for what in ("true", "case", "detection")
    )
    page = opened(report, "#pair-0")
    page.check("#overlay")
    shown = {
        name: int(page.inner_text(f"[data-truth={name}]").replace(",", ""))
        for name in ("hit", "missed", "false")
    }
    assert shown == {"hit": found, "missed": true - found, "false": claimed - found}
    assert page.locator("#suspicious mark.truth-hit").count()


def test_beside_the_truth_the_keys_also_halt_at_missed_cases(opened, report):
    page = opened(report, "#pair-0")
    page.check("#overlay")
    page.keyboard.press("j")
    assert page.inner_text("#step") == "1 of 6"
    assert "does not report" in page.inner_text("#passage")
    for side in ("suspicious", "source"):
        assert page.locator(f"#{side} mark.truth-missed").count()
    page.keyboard.press("j")
    assert both_in_sight(page, 1)


def test_the_overview_is_searched_sorted_and_opened(opened, report):
    page = opened(report)
    assert page.locator("#documents tbody tr").count() == 1
    page.keyboard.press("/")
    page.keyboard.type("nowhere")
    assert page.locator("#documents tbody tr").count() == 0
    page.fill("#search", "o")
    page.click("#documents thead button >> nth=0")
    assert page.get_attribute("#documents thead th >> nth=0", "aria-sort") == "ascending"
    page.click("#documents tbody a")
    page.wait_for_selector("#reader:not([hidden])")
    page.keyboard.press("Escape")
    page.wait_for_selector("#overview:not([hidden])")


def test_names_disappear_when_anonymous(opened, report, tmp_path):
    page = opened(report, "#pair-0")
    assert page.inner_text("#suspicious .name") == "s"
    page.keyboard.press("a")
    assert page.inner_text("#suspicious .name") == "Document 1"
    assert page.inner_text("#source .name") == "Source 1"


def test_hostile_text_is_shown_as_text_and_never_run(opened, tmp_path):
    attack = "</script><script>document.title='owned'</script><img src=x onerror=alert(1)><!-- "
    attack += "\u202etxt.exe\u202c "
    text = attack * 20 + "p\u0430per with a Cyrillic letter"
    write_corpus(tmp_path, text, text, [(0, len(attack), 0, len(attack))])
    page = opened(write_report(tmp_path), "#pair-0-passage-1")
    assert "owned" not in page.title()
    assert page.locator("#reader img, #reader script").count() == 0
    assert page.text_content("#suspicious .sheet") == text
    assert page.locator("#passage .warning").count() == 4
    assert page.locator(".unseen-sign[data-sign='U+202E']").count()


def test_a_line_of_ten_megabytes_opens_and_scrolls(opened, tmp_path):
    line = "".join(COPIED.format(n) for n in range(10_000_000 // len(COPIED)))
    at = len(line) - 5000
    write_corpus(tmp_path, line, "x" * 100_000 + line[at : at + 500], [(at, 500, 100_000, 500)])
    page = opened(write_report(tmp_path), "#pair-0-passage-1")
    assert both_in_sight(page, 1)
    assert page.locator("#suspicious .block").count() < 20
    page.evaluate("document.querySelector('#suspicious .scroll').scrollTop = 1e6")
    page.wait_for_selector("#suspicious .selected", state="detached")
    assert page.locator("#suspicious .block").count() < 20


def test_characters_beyond_the_first_plane_count_once(opened, tmp_path):
    text = "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𝄞 first. " * 400 + "These words were copied. " + "😀 last. " * 400
    at = text.index("These")
    write_corpus(tmp_path, text, text, [(at, 24, at, 24)])
    page = opened(write_report(tmp_path), "#pair-0-passage-1")
    for side in ("suspicious", "source"):
        assert page.text_content(f"#{side} .selected") == "These words were copied."


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_nothing_reaches_beyond_the_screen(opened, report, scheme):
    page = opened(report, "#pair-0-passage-2", color_scheme=scheme)
    page.set_viewport_size({"width": 360, "height": 740})
    for address in ("#pair-0-passage-2", "#"):
        page.evaluate(f"location.hash = '{address}'")
        page.wait_for_timeout(50)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_on_paper_each_passage_stands_beside_its_source(opened, report):
    page = opened(report)
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".printed").count() == 5
    first = page.locator(".printed >> nth=0").locator(".printed-text")
    assert first.count() == 2
    assert first.nth(0).text_content() == first.nth(1).text_content()


def test_a_committee_gets_a_pdf(browser, report, tmp_path):
    made = gather_evidence(report.parent, read_detections(report.parent / "run"))
    print_pdf(evidence_page(made), OutputFile.claim(tmp_path / "report.pdf", Making("report")))
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")
    assert [path.name for path in tmp_path.iterdir()] == ["report.pdf"]
