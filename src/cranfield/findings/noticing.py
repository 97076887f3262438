"""From what is noticed while data are read to findings."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from cranfield._text import warn
from cranfield.findings.finding import Finding, finding
from cranfield.findings.place import Place
from cranfield.findings.table import TABLE

if TYPE_CHECKING:
    from cranfield.engine.protocol import Facts


def notice(facts: Facts, code: str, times: int = 1, **parts: Any) -> None:
    """Note a fact: it is counted, and the parts of the first one of its kind are kept.

    Args:
        facts: receive it.
        code: of the finding that it is.
        times: how often it is so.
        parts: what the finding's sentence is made of, beside the count.
    """
    kept: Any = facts.setdefault("noticed", {}).setdefault(code, {"count": 0, **parts})  # type: ignore[typeddict-item]
    kept["count"] += times


def notice_all(facts: Facts, more: Facts, first: int = 0) -> None:
    """Note what was noticed in other rows of the same data, of which the first is row ``first`` of theirs."""
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


def noticed(facts: Facts, place: Place) -> Iterator[Finding]:
    """Everything that a reader noticed, in the order of the table of findings.

    Args:
        facts: of an engine.
        place: the file, or the data in memory.
    """
    codes = facts.get("noticed", {})
    yield from (finding(code, place, **codes[code]) for code in TABLE if code in codes)


def remarks(facts: Facts, place: Place) -> Iterator[Finding]:
    """Those of them that a careful user is told of without asking: all but the notes."""
    return (one for one in noticed(facts, place) if one.severity != "note")


def warn_of(facts: Facts, place: Place, *, unless: Collection[str] = ()) -> None:
    """Warn of everything that a careful user should know, but of nothing whose code is in ``unless``."""
    for one in remarks(facts, place):
        if one.code not in unless:
            warn(str(one))
