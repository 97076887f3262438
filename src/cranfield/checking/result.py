"""All findings of a check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from cranfield._message import Message, for_sentence, join_lines, message
from cranfield._text import counted
from cranfield.declarations.option import Option
from cranfield.findings.catalogue import TABLE
from cranfield.findings.declaration import SEVERITIES, FindingKind, Severity
from cranfield.findings.finding import Finding
from cranfield.io.redaction import PathRedactor
from cranfield.results.columns import Column
from cranfield.results.result import Result, Tables
from cranfield.results.sheet import Sheet

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

COLUMNS = (
    Column("severity", "error, warning or note"),
    Column("code", "the kind of finding"),
    Column("file"),
    Column("line", "missing where it concerns no single one, as topic and document", integer=True),
    Column("topic"),
    Column("document"),
    Column("text", "the sentence"),
)
KIND_COLUMNS = (
    Column("severity", "error, warning or note"),
    Column("code", "the kind of finding"),
    Column("findings", "how many there are of it"),
    Column("files", "in how many files"),
    Column("first", "the first of them"),
    Column("meaning", "for an evaluation"),
    Column("remedy", "what to do"),
)


@dataclass(frozen=True)
class Gathered:
    """All findings of one kind.

    Args:
        code: their kind.
        findings: in the order of the files.
    """

    code: str
    findings: tuple[Finding, ...]

    @property
    def kind(self) -> FindingKind:
        """The declaration of their kind."""
        return TABLE[self.code]

    @property
    def files(self) -> int:
        """The number of files that they are in."""
        return len({finding.location.path for finding in self.findings})

    @property
    def is_graded(self) -> bool:
        """Whether there is more of it in some findings than in others."""
        return len({finding.degree for finding in self.findings}) > 1

    @property
    def worst(self) -> Finding:
        """The finding of the largest degree; the first of several."""
        return max(self.findings, key=lambda finding: finding.degree)

    def lines(self) -> list[str]:
        """As ``cranfield check`` prints them: errors one by one, several others by the worst, or the first of them."""
        severity = self.kind.severity
        if len(self.findings) == 1 or severity == "error":
            return [_line(finding) for finding in self.findings]
        return [
            f"{severity}: {counted(self.files, 'file')}: {self.kind.meaning} [{self.code}]",
            f"    {'worst' if self.is_graded else 'first'}: {_sentence(self.worst)}",
            f"    what to do: {self.kind.remedy}",
        ]


@dataclass(frozen=True, eq=False, repr=False)
class Findings(Result):
    """All findings, errors first, then in the order of the files.

    Args:
        findings: in the order described above.
        runs: how many were looked at.
        refused: how many of them evaluation would refuse.
        settings: format of the files, most documents of a topic, and how many ids of documents were known.
        signature: version, engine, settings, and SHA-256 of every file that could be read.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {"findings": COLUMNS, "kinds": KIND_COLUMNS}
    statuses: ClassVar[Mapping[int, str]] = {1: "a finding is an error"}
    findings: tuple[Finding, ...]
    runs: int
    refused: int
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {"findings": self._rows, "kinds": self._kinds}

    @property
    def passed(self) -> bool:
        """Whether everything may be evaluated: no finding is an error."""
        return not self.count("error")

    def count(self, severity: Severity) -> int:
        """The number of findings of this severity."""
        return sum(finding.severity == severity for finding in self.findings)

    @property
    def by_kind(self) -> tuple[Gathered, ...]:
        """The findings of each kind together, in the order of the first of each."""
        codes = dict.fromkeys(finding.code for finding in self.findings)
        return tuple(
            Gathered(code, tuple(finding for finding in self.findings if finding.code == code)) for code in codes
        )

    def to_text(self, *, every: bool = False) -> str:
        """Errors, and then each kind of warning and note once, with the worst of it; and what they add up to.

        Args:
            every: each finding in a line of its own.
        """
        return "".join(f"{line}\n" for line in make_lines(self, every=every))

    def own_text(
        self,
        format: str,
        table: str,
        *,
        plain: bool,
        every: Annotated[
            bool, Option("Print every warning and note, not only one of each kind.", flags=("--all",), heading="Output")
        ] = False,
    ) -> str:
        """Write findings so that they can be sent to others: of the names of files, no private folder is left."""
        files = [self.signature["qrels"], *self.signature["runs"]]
        published = PathRedactor([file["name"] for file in files])
        if format == "table":
            more = ["--all prints each finding"] if self.condensed and not every else []
            return join_lines([*map(published, make_lines(self, every=every)), *more])
        rows = self._rows()
        rows = rows.assign(**{column: rows[column].map(published) for column in ("file", "text")})
        qrels, *runs = ({**file, "name": published(file["name"])} for file in files)
        return Sheet.from_frame(rows, "", {**self.signature, "qrels": qrels, "runs": runs}).text(format)

    def exit_status(self, **shape: Any) -> int:
        """1 where a finding is an error."""
        return 0 if self.passed else 1

    @property
    def condensed(self) -> bool:
        """Whether ``to_text`` leaves findings out."""
        return any(len(kind.lines()) > 1 and kind.kind.severity != "error" for kind in self.by_kind)

    def _rows(self) -> pd.DataFrame:
        import pandas as pd

        frame = pd.DataFrame([finding.row() for finding in self.findings], columns=[column.name for column in COLUMNS])
        return frame.astype({"line": "Int64"})

    def _kinds(self) -> pd.DataFrame:
        import pandas as pd

        rows = [
            [
                kind.severity,
                gathered.code,
                len(gathered.findings),
                gathered.files,
                str(gathered.findings[0]),
                kind.meaning,
                kind.remedy,
            ]
            for gathered in self.by_kind
            for kind in [gathered.kind]
        ]
        return pd.DataFrame(rows, columns=[column.name for column in KIND_COLUMNS])


def make_lines(findings: Findings, *, every: bool) -> list[Message]:
    """The lines of ``Findings.to_text``, each as a message of its own."""
    kinds = [Gathered(finding.code, (finding,)) for finding in findings.findings] if every else findings.by_kind
    grave = ", ".join(counted(findings.count(severity), severity) for severity in SEVERITIES)
    total = f"{counted(findings.runs, 'run')} checked, {findings.refused:,} refused: {grave}"
    return [*(message(line) for kind in kinds for line in kind.lines()), message(total)]


def _line(finding: Finding) -> str:
    return f"{finding.severity}: {_sentence(finding)} [{finding.code}]"


def _sentence(finding: Finding) -> str:
    return f"{finding.location}: {for_sentence(finding.text)}"


def in_order(findings: list[Finding]) -> tuple[Finding, ...]:
    """Errors, warnings, notes; of one severity as they were found."""
    return tuple(sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity)))
