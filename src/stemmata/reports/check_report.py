"""Checking documents and writing the report that is wanted: nothing is left half-written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from stemmata.formats.outputs import OutputFile, OutputFolder
from stemmata.formats.records import Making, names_of
from stemmata.reports.browser import find_browser, print_pdf
from stemmata.reports.check import CheckResult, DocumentResult, Summary, check_result, merge_evidence
from stemmata.reports.check_page import overview_page, pages_folder
from stemmata.reports.evidence_page import Frame, evidence_page
from stemmata.reuse.checking import Checked, check, no_stage
from stemmata.reuse.checking_among import Stage
from stemmata.reuse.checking_documents import Documents
from stemmata.reuse.checking_examination import Settings
from stemmata.reuse.index import is_index


def report_check(
    paths: Sequence[Path],
    against: Path | None = None,
    among: bool = False,
    settings: Settings | None = None,
    out: Path | None = None,
    anonymous: bool = False,
    jobs: int = 1,
    stage: Stage = no_stage,
    overwrite: bool = False,
) -> CheckResult:
    """Check documents and write the report: of one a page, of several an overview and a page for each.

    Parameters
    ----------
    paths
        Files, folders or archives of documents.
    against
        An index, or a folder, archive or file of documents.
    out
        The file to write; its ending is its form: ``.html``, ``.pdf`` or ``.json``.
    anonymous
        Whether the names of documents are left out.
    overwrite
        Whether a report on other documents, or made in another way, is replaced.
    """
    settings = settings or Settings()
    documents = Documents(tuple(paths), jobs)
    collection: Path | Documents | None = against
    if against is not None and not is_index(against):
        collection = Documents((against,), jobs)
    form = out.suffix.lower() if out else ""
    inputs = {} if anonymous else {"documents": names_of(*paths), "against": names_of(against)}
    made = {"settings": str(settings), "among": among, "anonymous": anonymous}
    making = Making("check report", made, inputs)
    given = [one for one in (*paths, against) if one]
    claimed = OutputFile.claim(out, making, (".html", ".pdf", ".json"), overwrite, given) if out else None
    if form == ".pdf":
        find_browser()
    single = len(documents) == 1

    def run(summary: Summary) -> Checked[DocumentResult]:
        return check(documents, collection, among, settings, jobs, stage, summary)

    said = str(settings)
    if out is None or claimed is None or form == ".json":
        result = check_result(run(Summary(said, anonymous)), among, said, anonymous)
        if claimed:
            claimed.write_json(result.as_json())
        return result
    if form == ".pdf" or single:
        result = check_result(run(Summary(said, anonymous, keep=True)), among, said, anonymous)
        _write_in_one(claimed, result, form == ".pdf")
        return result
    # The pages take their place first: an overview never leads to pages that are not there.
    pages = OutputFolder.claim(pages_folder(out), replace(making, kind="check pages"), overwrite, given)
    with claimed.filled() as part, pages.filled() as folder:
        checked = run(Summary(said, anonymous, folder, f"../{quote(out.name)}"))
        result = check_result(checked, among, said, anonymous)
        part.write_text(overview_page(result, pages_folder(out).name), encoding="utf-8", newline="\n")
    return result


def _write_in_one(out: OutputFile, result: CheckResult, as_pdf: bool) -> None:
    """Write the evidence of all documents as one page, or on paper."""
    parts = [one.evidence for one in result.documents if one.evidence]
    failed = [f"Could not be checked: {result.reason(failure)}" for failure in result.failures]
    if len(parts) == 1:
        evidence = replace(parts[0], notes=[*parts[0].notes, *failed])
        page = evidence_page(evidence, result.anonymous, Frame())
    else:
        evidence = replace(merge_evidence(parts, result.signature), notes=failed)
        page = evidence_page(evidence, result.anonymous)
    if as_pdf:
        print_pdf(page, out)
    else:
        out.write_text(page)
