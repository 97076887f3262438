"""All findings of a check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cranfield.findings.finding import Finding
from cranfield.findings.kind import SEVERITIES, Severity
from cranfield.results.result import Result, Tables
from cranfield.wording import counted

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("severity", "code", "file", "line", "topic", "document", "text")


@dataclass(frozen=True, eq=False, repr=False)
class Findings(Result):
    """All findings, errors first, then in the order of the files.

    In rows a finding is its ``severity``, ``code``, ``file``, ``line``, ``topic``, ``document`` and ``text``; line,
    topic and document are missing where it concerns no single one.

    Args:
        findings: what was found.
        runs: how many were looked at.
        refused: how many of them evaluation would refuse.
        settings: format of the files, most documents of a topic, and how many ids of documents were known.
        signature: version, engine, settings, and SHA-256 of every file that could be read.
    """

    findings: tuple[Finding, ...]
    runs: int
    refused: int
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {"findings": self._rows}

    @property
    def passed(self) -> bool:
        """Whether everything may be evaluated: no finding is an error."""
        return not self.count("error")

    def count(self, severity: Severity) -> int:
        """How many are so grave."""
        return sum(finding.severity == severity for finding in self.findings)

    def to_text(self) -> str:
        """One line each, by severity, and what they add up to."""
        lines = [f"{finding.severity}: {finding} [{finding.code}]" for finding in self.findings]
        grave = ", ".join(counted(self.count(severity), severity) for severity in SEVERITIES)
        return "\n".join([*lines, f"{counted(self.runs, 'run')} checked, {self.refused:,} refused: {grave}"]) + "\n"

    def _rows(self) -> pd.DataFrame:
        import pandas as pd

        frame = pd.DataFrame([finding.row() for finding in self.findings], columns=list(COLUMNS))
        return frame.astype({"line": "Int64"})


def in_order(findings: list[Finding]) -> tuple[Finding, ...]:
    """Errors, warnings, notes; of one severity as they were found."""
    return tuple(sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity)))
