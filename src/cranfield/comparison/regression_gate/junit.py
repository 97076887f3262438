"""A gate as JUnit XML, which CI systems read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cranfield import escaping
from cranfield.comparison.regression_gate.statement import choose_outcome
from cranfield.comparison.regression_gate.text import (
    JudgedSystems,
    describe_gate,
    describe_row,
    worst_topic,
    worst_topics_by_row,
)
from cranfield.io.skipped_runs import LeftOut
from cranfield.results.sheet import shorten_signature

LONGEST = 4096
"""The most characters of a text in XML."""
SUITE = "cranfield gate"
ELEMENTS = {"passed": "", "failed": "failure", "skipped": "skipped", "error": "error"}
"""Outcomes of a test -> the elements that say so."""
COUNTED = {"failures": "failure", "errors": "error", "skipped": "skipped"}
"""Attribute of a suite -> the element that it counts."""


def format_junit(gate: JudgedSystems, cannot_tell: str | None, left: Sequence[LeftOut] = ()) -> str:
    """Format a suite with a test for each system and measure: failed, passed, or an error where topics are too few.

    With ``cannot_tell``, such a test is skipped (``pass``, unless some topics have a score of one side only) or failed
    (``fail``). Each run that was ``left`` out is one more test, an error.
    """
    rows = gate.rows
    kinds = [ELEMENTS[choose_outcome(row, cannot_tell)] for row in rows.to_dict("records")]
    every = [*kinds, *["error"] * len(left)]
    counts = " ".join([f'tests="{len(every)}"', *(f'{name}="{every.count(kind)}"' for name, kind in COUNTED.items())])
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="{SUITE}" {counts}>',
        f'  <testsuite name="{SUITE}" {counts}>',
        "    <properties>",
        f'      <property name="tests" value="{_escape(describe_gate(gate))}"/>',
        f'      <property name="signature" value="{_escape(shorten_signature(gate.signature))}"/>',
        "    </properties>",
    ]
    worst = worst_topics_by_row(gate)
    for row, kind in zip(rows.to_dict("records"), kinds, strict=True):
        lines += _format_case(row, kind, worst.get((row["system"], row["measure"]), []))
    for run in left:
        lines += [
            f'    <testcase classname="{SUITE}" name="{_escape(run.name)}">',
            f'      <error message="{_escape(str(run.finding()))}" type="left out"></error>',
            "    </testcase>",
        ]
    return "\n".join([*lines, "  </testsuite>", "</testsuites>"]) + "\n"


def join_junit(texts: Mapping[str, str]) -> str:
    """Join the XML of groups of topics: a suite for each, which its name ends with."""
    from xml.etree import ElementTree  # written by us, a moment ago

    joined = ElementTree.Element("testsuites", name=SUITE)
    suites = {name: ElementTree.fromstring(text)[0] for name, text in texts.items()}
    for count in ("tests", *COUNTED):
        joined.set(count, str(sum(int(suite.get(count, "0")) for suite in suites.values())))
    for name, suite in suites.items():
        suite.set("name", f"{SUITE}, {name}")
        joined.append(suite)
    text = ElementTree.tostring(joined, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _format_case(row: Mapping[Any, Any], kind: str, topics: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    named = f'classname="{_escape(row["measure"])}" name="{_escape(row["system"])}"'
    if not kind:
        yield f"    <testcase {named}/>"
        return
    message = describe_row(row["system"], row["measure"], row["verdict"], row["reason"])
    worst = [f"topic {worst_topic(topic)}" for topic in topics]
    typed = "" if kind == "skipped" else f' type="{row["verdict"]}"'
    yield f"    <testcase {named}>"
    yield f'      <{kind} message="{_escape(message)}"{typed}>{"&#10;".join(map(_escape, worst))}</{kind}>'
    yield "    </testcase>"


def _escape(text: str) -> str:
    """Escape text for XML; control characters, which XML cannot hold, are written out."""
    return escaping.html(text, LONGEST)
