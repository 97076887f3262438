"""Checks: findings of the file check, and remarks of scoring and analyses."""

from __future__ import annotations

from dataclasses import replace

from cranfield._text import condensed, counted, shown
from cranfield.checking.result import Findings
from cranfield.findings.declaration import SEVERITIES
from cranfield.io.redaction import PathRedactor
from cranfield.reporting.analyses import Analyses
from cranfield.reporting.content import PageColumn, Section, Table
from cranfield.reporting.page_sections import PageSection


def _fill(analyses: Analyses, section: Section) -> Section:
    """Fill the section: findings of the file check, and remarks of scoring and analyses."""
    findings, redact = analyses.findings, analyses.inputs.redact
    origin = analyses.inputs.origin
    scoring = map(redact, [*condensed(origin.remarks), *origin.warnings])
    remarks = list(dict.fromkeys([*scoring, *analyses.remarks]))
    tables = []
    if findings is not None and findings.findings:
        tables.append(_make_findings(findings, redact))
    if remarks:
        rows = tuple((shown(line, 500),) for line in remarks)
        tables.append(Table("remarks", "Remarks of scoring and analyses", (PageColumn("remark", "text"),), rows))
    overview = _describe_checks(findings, len(remarks), scores_alone=origin.judgments is None)
    return replace(section, paragraphs=(overview,), tables=tuple(tables))


def _make_findings(findings: Findings, redact: PathRedactor) -> Table:
    """Make a table of each kind of finding: its number of files, the first finding, and what to do."""
    rows = []
    for group in findings.by_kind:
        first = group.findings[0]
        example = f"{shown(redact(first.where), 200)}: {shown(redact(first.text), 500)}"
        rows.append(
            (
                first.severity,
                group.kind.meaning.replace("`", ""),
                float(group.files),
                example,
                group.kind.remedy.replace("`", ""),
            )
        )
    columns = (
        PageColumn("severity", "text"),
        PageColumn("finding", "text"),
        PageColumn("files", "whole", "number of files in which it occurs"),
        PageColumn("first", "text", "where it occurs first"),
        PageColumn("what to do", "text"),
    )
    return Table("findings", "Findings of the file check", columns, tuple(rows))


def _describe_checks(findings: Findings | None, remarks: int, *, scores_alone: bool) -> str:
    """Count the findings of the file check, or the remarks where files cannot be checked."""
    if scores_alone:
        noticed = f"{counted(remarks, 'remark')} on the scores are listed below" if remarks else "There are no remarks"
        return f"{noticed}; judgments and runs, which these scores were made of, were not there to be checked."
    if findings is None:
        noticed = (
            f"{counted(remarks, 'remark')} on the data are listed below" if remarks else "Scoring raised no remarks"
        )
        return f"{noticed}; only files on disk are checked further."
    counts = [findings.count(severity) for severity in SEVERITIES]
    if not any(counts):
        return "The file check found no problems."
    numbers = ", ".join(counted(number, word) for number, word in zip(counts, SEVERITIES, strict=True))
    return f"The file check found {numbers}: see below."


SECTION = PageSection("Checks and remarks", 100, _fill, appendix=True, organisers=True)
