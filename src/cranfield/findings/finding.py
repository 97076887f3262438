"""Findings: oddities that were noticed while data were read, as sentences with a location."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cranfield._message import message
from cranfield._text import warn
from cranfield.errors import InputError
from cranfield.findings.catalogue import TABLE
from cranfield.findings.declaration import Severity
from cranfield.findings.location import Location

if TYPE_CHECKING:
    from cranfield.engine.protocol import Facts


@dataclass(frozen=True, slots=True)
class Finding:
    """An oddity of the data, printed as ``PLACE: TEXT``.

    Args:
        code: its kind, a key of ``cranfield.findings.catalogue.TABLE``.
        location: where it is.
        text: the sentence.
        degree: how much of it there is, to find the worst of its kind.
        graver: its severity where it is graver than its kind is.
        measure: the measure whose mean it changes; empty where it is not about one.
        other: another file that it names, as that of a run of others; empty where it names none.
    """

    code: str
    location: Location
    text: str
    degree: float = 0
    graver: Severity | None = None
    measure: str = ""
    other: str = ""

    def __str__(self) -> str:
        return f"{self.location}: {self.text}"

    @property
    def severity(self) -> Severity:
        """error, warning or note."""
        return self.graver or TABLE[self.code].severity

    @property
    def where(self) -> str:
        """``FILE`` or ``FILE:LINE``, safe to print."""
        return str(self.location)

    @property
    def condensable(self) -> bool:
        """Tell if several with the same text may be counted after the first: each run that was left out is named."""
        return self.code != "left-out"

    def row(self) -> dict[str, Any]:
        """The finding as a row of a table; None where it concerns no single line, topic or document."""
        return {
            "severity": self.severity,
            "code": self.code,
            "file": self.location.file,
            "line": self.location.line,
            "topic": self.location.topic or None,
            "document": self.location.document or None,
            "text": self.text,
        }


def finding(code: str, location: Location, **facts: Any) -> Finding:
    """A finding worded by its declaration.

    Args:
        code: its kind.
        location: of the file or the data.
        facts: what its sentence is made of; ``topic`` and ``document`` are part of its location too, and ``line`` is
            nothing else.
    """
    line = facts.pop("line", None)
    part = location.at(line, facts.get("topic", ""), facts.get("document", ""))
    kind = TABLE[code]
    sentence = message(kind.sentence(**facts))
    return Finding(code, part, sentence, kind.how_much(facts), other=str(facts.get("other", "")))


def refused(code: str, location: Location, error: InputError) -> Finding:
    """A refusal of a file as a finding of it: the error's own text, and its line."""
    return Finding(code, location.at(error.line), error.text)


def notice(facts: Facts, code: str, times: int = 1, **parts: Any) -> None:
    """Note a fact: it is counted, and the parts of the first one of its kind are kept.

    Args:
        facts: receive it.
        code: of the finding that it is.
        times: how often it is so.
        parts: what the finding's sentence is made of, beside the count.
    """
    fact: Any = facts.setdefault("noticed", {}).setdefault(code, {"count": 0, **parts})  # type: ignore[typeddict-item]
    fact["count"] += times


def notice_all(facts: Facts, more: Facts, first: int = 0) -> None:
    """Add the notices of other rows of the same data, the first of which is row ``first`` of these."""
    for code, fact in more.get("noticed", {}).items():
        parts: dict[str, Any] = {name: value for name, value in fact.items() if name != "count"}
        if "line" in parts:
            parts["line"] += first
        if "count" in fact:
            notice(facts, code, fact["count"], **parts)
        else:
            facts.setdefault("noticed", {}).setdefault(code, parts)  # type: ignore[arg-type]


def notice_tag(facts: Facts, tag: str) -> None:
    """Note the tag of some rows, and whether it is another one than that of rows before them."""
    first = facts.setdefault("tag", tag)
    if first != tag:
        facts.setdefault("noticed", {}).setdefault("mixed-tags", {"value": tag, "first": first})


def noticed(facts: Facts, location: Location) -> Iterator[Finding]:
    """All findings that a reader noticed, in the order of their table.

    Args:
        facts: of an engine.
        location: the file, or the data in memory.
    """
    codes = facts.get("noticed", {})
    yield from (finding(code, location, **codes[code]) for code in TABLE if code in codes)


def remarks(facts: Facts, location: Location) -> Iterator[Finding]:
    """The findings that a careful user is told of without asking: all but the notes."""
    return (finding_ for finding_ in noticed(facts, location) if finding_.severity != "note")


def warn_of(facts: Facts, location: Location, *, unless: Collection[str] = ()) -> None:
    """Warn of everything that a careful user should know, but of nothing whose code is in ``unless``."""
    for remark in remarks(facts, location):
        if remark.code not in unless:
            warn(str(remark))
