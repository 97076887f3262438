"""All findings of a check."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from cranfield._message import Message, for_sentence, join_lines, message, setting
from cranfield._text import counted, in_full, quoted
from cranfield.declarations.option import Option
from cranfield.errors import UsageError
from cranfield.findings.catalogue import TABLE
from cranfield.findings.declaration import SEVERITIES, FindingKind, Severity
from cranfield.findings.finding import Finding
from cranfield.io.redaction import PathRedactor
from cranfield.io.system_names import system_names
from cranfield.results.columns import Column
from cranfield.results.result import Result, Tables
from cranfield.results.sheet import Sheet

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

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
class FindingsOfKind:
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
    def severity(self) -> Severity:
        """That of all of them."""
        return self.findings[0].severity

    @property
    def files(self) -> int:
        """The number of files that they are in."""
        return len({finding.location.path for finding in self.findings})

    @property
    def is_graded(self) -> bool:
        """Return whether the findings differ in degree."""
        return len({finding.degree for finding in self.findings}) > 1

    @property
    def worst(self) -> Finding:
        """The finding of the largest degree; the first of several."""
        return max(self.findings, key=lambda finding: finding.degree)

    def lines(self) -> list[str]:
        """As ``cranfield check`` prints them: errors one by one, several others by the worst, or the first of them."""
        severity = self.severity
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
    statuses: ClassVar[Mapping[int, str]] = {
        1: "a finding is an error; with --strict, a file is not there or one of yours cannot be read",
        3: "with --strict, a run is refused or breaks a rule",
    }
    findings: tuple[Finding, ...]
    runs: int
    refused: int
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {"findings": self._rows, "kinds": self._kinds}

    @property
    def passed(self) -> bool:
        """Return whether everything may be evaluated: no finding is an error."""
        return not self.count("error")

    def count(self, severity: Severity) -> int:
        """The number of findings of this severity."""
        return sum(finding.severity == severity for finding in self.findings)

    @property
    def by_kind(self) -> tuple[FindingsOfKind, ...]:
        """The findings of each kind together, in the order of the first of each."""
        codes = dict.fromkeys(finding.code for finding in self.findings)
        return tuple(
            FindingsOfKind(code, tuple(finding for finding in self.findings if finding.code == code)) for code in codes
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
        participant: Annotated[
            str | None,
            Option(
                "Only what concerns the runs of this team of {teams}, naming no run of others.",
                metavar="TEAM",
                heading="Output",
            ),
        ] = None,
        teams: Annotated[
            str | None,
            Option(
                "With {participant}: lines of a run and its team, or the file of `report --runs`.",
                metavar="FILE",
                heading="Output",
            ),
        ] = None,
    ) -> str:
        """Write findings so that they can be sent to others: of the names of files, no private folder is left."""
        if participant is not None or teams is not None:
            return self._select_participant(participant, teams).own_text(format, table, plain=plain, every=every)
        files = [self.signature["qrels"], *self.signature["runs"]]
        published = PathRedactor([file["name"] for file in files])
        if format == "table":
            more = ["--all prints each finding"] if self.condensed and not every else []
            return join_lines([*map(published, make_lines(self, every=every)), *more])
        rows = self._rows()
        rows = rows.assign(**{column: rows[column].map(published) for column in ("file", "text")})
        qrels, *runs = ({**file, "name": published(file["name"])} for file in files)
        return Sheet.from_frame(rows, "", {**self.signature, "qrels": qrels, "runs": runs}).text(format)

    def select_runs(self, systems: Collection[str]) -> Findings:
        """The findings on some runs and on the judgments; those of copies only where both runs are selected.

        Args:
            systems: names of the runs, as they are evaluated.
        """
        runs = [run for run in self.signature["runs"] if system_names([run["name"]])[0] in systems]
        files = {run["name"] for run in runs}
        judgments = self.signature["qrels"]["name"]
        kept = tuple(one for one in self.findings if one.location.file in files and one.other in (*files, ""))
        on_judgments = tuple(one for one in self.findings if one.location.file == judgments and not one.other)
        refused = {one.location.file for one in kept if TABLE[one.code].refuses}
        signature = {**self.signature, "runs": runs}
        return replace(
            self, findings=in_order([*on_judgments, *kept]), runs=len(runs), refused=len(refused), signature=signature
        )

    def _select_participant(self, participant: str | None, teams: str | None) -> Findings:
        """The findings on the runs of a team.

        Raises:
            UsageError: the team, or the file of teams, is not named, or no run is of this team.
        """
        from cranfield.pooling.reusability import read_teams

        if participant is None or teams is None:
            given, lacked = ("participant", "teams") if teams is None else ("teams", "participant")
            raise UsageError(f"{setting(given)} needs {setting(lacked)}")
        team_of = read_teams(teams)
        found = self.select_runs([run for run, team in team_of.items() if team == participant])
        if not found.runs:
            raise UsageError(f"no run here is of a team {quoted(participant)} in {in_full(teams)}")
        return found

    def exit_status(self, **shape: Any) -> int:
        """1 where a finding is an error; in a strict check 3, unless whoever makes the call has to mend a file.

        That is where the judgments cannot be read, or a run is not there or cannot be opened.
        """
        if shape.get("participant") is not None:
            return self._select_participant(shape["participant"], shape["teams"]).exit_status()
        if self.passed:
            return 0
        judgments = self.signature["qrels"]["name"]
        own = any(
            one.code == "not-opened" or (one.code == "unreadable" and one.location.file == judgments)
            for one in self.findings
        )
        return 3 if self.settings.get("strict") and not own else 1

    @property
    def condensed(self) -> bool:
        """Return whether ``to_text`` leaves findings out."""
        return any(len(kind.lines()) > 1 and kind.severity != "error" for kind in self.by_kind)

    def _rows(self) -> pd.DataFrame:
        import pandas as pd

        frame = pd.DataFrame([finding.row() for finding in self.findings], columns=[column.name for column in COLUMNS])
        return frame.astype({"line": "Int64"})

    def _kinds(self) -> pd.DataFrame:
        import pandas as pd

        rows = [
            [
                gathered.severity,
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
    kinds = [FindingsOfKind(finding.code, (finding,)) for finding in findings.findings] if every else findings.by_kind
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
