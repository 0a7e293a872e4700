"""The report of `stemmata check` in a real browser: the overview, the pages, and the way between them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from class_of_essays import paragraphs, write
from stemmata.reports.check_page import share_text
from stemmata.reports.check_report import report_check
from stemmata.reuse.checking_examination import Settings

Open = Callable[..., Any]
BOOK, OTHER, MINE, YOURS, THEIRS = (paragraphs(seed) for seed in (501, 502, 503, 504, 505))
HOSTILE = "<img src=x onerror=alert(1)> & \u202eco"
FAST = Settings(aligner="shingles")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class of six and three books: one with pages, one with an address that must not be a link."""
    folder = tmp_path_factory.mktemp("check")
    essays, library = folder / "essays", folder / "library"
    write(essays / "anna.pdf", [*MINE[:3], BOOK[1], OTHER[3]])
    write(essays / "bert.docx", [*YOURS[:2], MINE[1], *YOURS[2:]])
    write(essays / "cleo.rtf", [THEIRS[0], f"So it is said: “{BOOK[3]}” Thus.", *THEIRS[1:]])
    write(essays / "dora.txt", paragraphs(506))
    write(essays / f"{HOSTILE}.txt", [*paragraphs(507)[:3], "</script><script>alert(1)</script>", BOOK[1]])
    (essays / "empty.txt").write_text("")
    write(library / "book.pdf", BOOK, "The Book")
    rows = [
        {"id": "other", "text": "\n\n".join(OTHER), "title": "Another", "url": "javascript:alert(1)"},
        {"id": "third", "text": "\n\n".join(MINE[2:4]), "url": "https://example.org/third", "date": "1999"},
    ]
    (library / "more.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


@pytest.fixture(scope="module")
def report(folder: Path) -> tuple[Path, dict[str, Any]]:
    result = report_check(
        [folder / "essays"], folder / "library", among=True, settings=FAST, out=folder / "report.html"
    )
    return folder / "report.html", {one.name: one for one in result.documents}


def shown(page: Any) -> list[str]:
    return [name.strip() for name in page.locator("#documents tbody tr:visible th a").all_inner_texts()]


def test_the_overview_lists_documents_by_their_share(opened, report):
    path, documents = report
    page = opened(path)
    listed = shown(page)
    assert sorted(listed) == sorted(documents)
    shares = [documents[name].share for name in listed]
    assert shares == sorted(shares, reverse=True)
    row = page.locator("#documents tbody tr", has_text="cleo.rtf").inner_text()
    assert share_text(documents["cleo.rtf"].share) in row
    assert "book.pdf" in row
    assert "empty" in page.locator("#documents tbody tr", has_text="empty.txt").inner_text()


def test_it_is_sorted_searched_and_filtered(opened, report):
    path, documents = report
    page = opened(path)
    page.click("#documents thead button >> nth=0")
    assert shown(page)[1:] == ["anna.pdf", "bert.docx", "cleo.rtf", "dora.txt", "empty.txt"]
    assert page.get_attribute("#documents thead th >> nth=0", "aria-sort") == "ascending"
    page.click("#documents thead button >> nth=0")
    assert shown(page)[0] == "empty.txt"
    page.keyboard.press("/")
    page.keyboard.type("ANOTHER")
    assert shown(page) == ["anna.pdf"]
    assert page.inner_text("#listed") == "1 of 6 documents"
    page.fill("#search", "")
    page.click("#histogram .bin >> nth=0")
    assert sorted(shown(page)) == sorted(name for name, one in documents.items() if not one.share)
    page.click("#histogram .bin >> nth=0")
    assert len(shown(page)) == 6


def test_a_document_opens_and_leads_back(opened, report):
    path, documents = report
    page = opened(path)
    page.click("#documents tbody a:text-is('anna.pdf')")
    page.wait_for_selector("#whose:has-text('anna.pdf')")
    facts = page.inner_text("#facts")
    assert share_text(documents["anna.pdf"].share) in facts
    assert page.locator("#sources tbody tr").count() == len(documents["anna.pdf"].sources)
    page.click(".home a")
    page.wait_for_selector("#documents")


def test_shares_are_those_of_the_json(opened, report):
    path, documents = report
    cleo = documents["cleo.rtf"]
    page = opened(path.parent / "report_files" / cleo.page)
    facts = [one.inner_text() for one in page.locator("#facts dd").all()]
    assert facts[:2] == [share_text(cleo.share), share_text(cleo.share_without_quotations)]
    assert cleo.share_without_quotations < 0.02 < cleo.share
    page.check("#quotations")
    assert page.locator("#facts dd >> nth=0").inner_text() == share_text(cleo.share_without_quotations)
    anna = documents["anna.pdf"]
    page = opened(path.parent / "report_files" / anna.page)
    for row, source in zip(page.locator("#sources tbody tr").all(), anna.sources, strict=True):
        cells = row.locator("td .v").all_inner_texts()
        assert cells[:2] == [share_text(source.share), share_text(source.adds) if source.adds else "–"]


def test_a_source_opens_beside_the_document_with_its_page_numbers(opened, report):
    path, documents = report
    page = opened(path.parent / "report_files" / documents["anna.pdf"].page)
    page.click("#sources a:text-is('book.pdf')")
    page.wait_for_selector("#reader:not([hidden])")
    page.keyboard.press("j")
    said = page.inner_text("#passage")
    assert "Page 4 here, page 2 of the source." in said
    assert "The Book" in page.inner_text("#source .name")
    page.keyboard.press("Escape")
    page.wait_for_selector("#overview:not([hidden])")


def test_the_whole_document_shows_the_passages_of_all_sources(opened, report):
    path, documents = report
    anna = documents["anna.pdf"]
    page = opened(path.parent / "report_files" / anna.page)
    page.click("#whole + figcaption a")
    page.wait_for_selector("#reader:not([hidden])")
    assert not page.locator("#source").is_visible()
    passages = sum(len(source.detections) for source in anna.sources)
    numbers = {
        number
        for mark in page.locator("#suspicious mark[data-number]").all()
        for number in mark.get_attribute("data-number").split()
    }
    assert numbers == {str(number) for number in range(1, passages + 1)}
    page.click("#suspicious mark[data-passage] >> nth=-1")
    page.wait_for_selector("#source:visible")
    assert page.locator("#source mark.selected").count()
    page.select_option("#reader-source", "all")
    page.wait_for_selector("#source", state="hidden")


def test_only_addresses_of_the_web_are_links(opened, report):
    path, documents = report
    page = opened(path.parent / "report_files" / documents["anna.pdf"].page)
    assert page.locator("#sources", has_text="javascript:alert(1)").count() == 1
    assert page.locator("a[href^='javascript']").count() == 0
    link = page.locator("#sources a[href='https://example.org/third']")
    assert link.get_attribute("rel") == "noopener noreferrer"
    page.check("#anonymous")
    assert "javascript" not in page.inner_text("#sources")
    assert page.inner_text("#whose").strip() == documents_alias(documents, "anna.pdf")


def documents_alias(documents, name):
    return f"Document {documents[name].number + 1}"


def test_hostile_names_and_texts_are_shown_and_never_run(opened, report):
    path, documents = report
    page = opened(path)
    assert f"{HOSTILE}.txt" in shown(page)
    assert page.locator("img").count() == 0
    hostile = documents[f"{HOSTILE}.txt"]
    page = opened(path.parent / "report_files" / hostile.page, "#pair-0-passage-1")
    assert page.locator("img").count() == 0
    assert "<script>alert(1)</script>" in page.text_content("#suspicious .sheet")


def test_a_line_of_the_graph_opens_both_documents(opened, report):
    path, documents = report
    page = opened(path)
    ends = {documents[name].number for name in ("anna.pdf", "bert.docx")}
    edge = page.locator(f".edge[data-ends='{min(ends)} {max(ends)}']")
    assert "characters" in edge.locator("title").text_content()
    address = edge.get_attribute("href")
    assert page.locator(f"#pairs a[href='{address}']").count() == 1
    page.goto(f"{path.parent.as_uri()}/{address}")
    page.wait_for_selector("#reader:not([hidden])")
    names = [page.inner_text(f"#{side} .name") for side in ("suspicious", "source")]
    assert sorted(name.split(" · ")[0] for name in names) == ["anna.pdf", "bert.docx"]


def test_near_a_document_only_its_own_lines_are_seen(opened, report):
    path, documents = report
    page = opened(path)
    page.locator(f".node[data-node='{documents['bert.docx'].number}']").focus()
    dim = page.locator(".edge.dim").count()
    assert dim == page.locator(".edge").count() - 1
    page.locator("#search").focus()
    assert page.locator(".dim").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_nothing_reaches_beyond_the_screen(opened, report, scheme):
    path, documents = report
    for place in (path, path.parent / "report_files" / documents["anna.pdf"].page):
        page = opened(place, color_scheme=scheme)
        page.set_viewport_size({"width": 360, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_on_paper_passages_stand_beside_their_sources(opened, report):
    path, documents = report
    page = opened(path.parent / "report_files" / documents["anna.pdf"].page)
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".printed").count() == sum(
        len(one.detections) for one in documents["anna.pdf"].sources
    )
    assert "page 2 of the source" in page.inner_text("#paper")


@pytest.mark.parametrize("names", [["anna.pdf"], ["anna.pdf", "bert.docx", "cleo.rtf"]])
def test_a_committee_gets_a_pdf(browser, folder, tmp_path, names):
    paths = [folder / "essays" / name for name in names]
    report_check(paths, folder / "library", settings=FAST, out=tmp_path / "report.pdf")
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")
    assert [path.name for path in tmp_path.iterdir()] == ["report.pdf"]


def test_a_document_without_sources_is_not_called_original(opened, folder, tmp_path):
    report_check([folder / "essays" / "dora.txt"], folder / "library", settings=FAST, out=tmp_path / "r.html")
    page = opened(tmp_path / "r.html")
    assert "does not prove it original" in page.inner_text("#no-sources")
    assert not page.locator("#sources").is_visible()
    assert page.locator(".home").count() == 0
