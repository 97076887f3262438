"""One thing found in data."""

from __future__ import annotations

from typing import Any

from cranfield._sanitize import message
from cranfield.errors import InputError
from cranfield.findings.kind import Severity
from cranfield.findings.place import Place
from cranfield.findings.table import TABLE
from cranfield.records import record


@record(frozen=True, slots=True)
class Finding:
    """One thing found, printed as ``PLACE: TEXT``.

    Args:
        code: its kind, a key of ``cranfield.findings.table.TABLE``.
        place: where it is.
        text: what was found.
        degree: how much of it there is, to find the worst of its kind.
    """

    code: str
    place: Place
    text: str
    degree: float = 0

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"

    @property
    def severity(self) -> Severity:
        """error, warning or note."""
        return TABLE[self.code].severity

    @property
    def where(self) -> str:
        """``FILE`` or ``FILE:LINE``, safe to print."""
        return str(self.place)

    def row(self) -> dict[str, Any]:
        """Its columns, as json has them; None where it concerns no single line, topic or document."""
        return {
            "severity": self.severity,
            "code": self.code,
            "file": self.place.file,
            "line": self.place.line,
            "topic": self.place.topic or None,
            "document": self.place.document or None,
            "text": self.text,
        }


def finding(code: str, place: Place, **facts: Any) -> Finding:
    """A finding worded by its declaration.

    Args:
        code: its kind.
        place: of the file or the data.
        facts: what its sentence is made of; ``topic`` and ``document`` are part of its place too, and ``line`` is
            nothing else.
    """
    line = facts.pop("line", None)
    part = place.at(line, facts.get("topic", ""), facts.get("document", ""))
    kind = TABLE[code]
    return Finding(code, part, message(kind.sentence(**facts)), kind.how_much(facts))


def refused(code: str, place: Place, error: InputError) -> Finding:
    """A refusal of a file as a finding of it: the error's own text, and its line."""
    return Finding(code, place.at(error.line), error.text)
