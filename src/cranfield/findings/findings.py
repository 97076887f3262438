"""All findings of a check."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cranfield.findings.finding import Finding
from cranfield.findings.kind import SEVERITIES, Severity
from cranfield.wording import counted

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Findings:
    """All findings, errors first, then in the order of the files.

    Args:
        findings: what was found.
        runs: how many were looked at.
        refused: how many of them evaluation would refuse.
        signature: version, engine, settings, and SHA-256 of every file that could be read.
    """

    findings: tuple[Finding, ...]
    runs: int
    refused: int
    signature: dict[str, Any] = field(repr=False, compare=False)

    @property
    def passed(self) -> bool:
        """Whether everything may be evaluated: no finding is an error."""
        return not self.count("error")

    def count(self, severity: Severity) -> int:
        """How many are so grave."""
        return sum(finding.severity == severity for finding in self.findings)

    def __repr__(self) -> str:
        return f"Findings({self._sum()})"

    def to_text(self) -> str:
        """One line each, by severity, and what they add up to."""
        lines = [f"{finding.severity}: {finding} [{finding.code}]" for finding in self.findings]
        return "\n".join([*lines, self._sum()]) + "\n"

    def to_json(self) -> str:
        """``{"signature": ..., "rows": [...]}``; a row has severity, code, file, line, topic, document and text.

        Line, topic and document are null where a finding concerns no single one.
        """
        rows = [finding.row() for finding in self.findings]
        return json.dumps({"signature": self.signature, "rows": rows}, indent=1) + "\n"

    def to_frame(self) -> pd.DataFrame:
        """A pandas frame with the columns of the rows of ``to_json``."""
        import pandas as pd

        columns = ["severity", "code", "file", "line", "topic", "document", "text"]
        frame = pd.DataFrame([finding.row() for finding in self.findings], columns=columns)
        return frame.astype({"line": "Int64"})

    def _sum(self) -> str:
        said = ", ".join(counted(self.count(severity), severity) for severity in SEVERITIES)
        return f"{counted(self.runs, 'run')} checked, {self.refused:,} refused: {said}"


def in_order(findings: list[Finding]) -> tuple[Finding, ...]:
    """Errors, warnings, notes; of one severity as they were found."""
    return tuple(sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity)))
