"""The summary in plain words: what was evaluated, who is best, whether that can be said, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from cranfield.findings.findings import Findings
from cranfield.findings.kind import SEVERITIES
from cranfield.findings.table import TABLE
from cranfield.reporting.analyses import JUDGED, Analyses, best_first
from cranfield.reporting.content import Column, Gap, Section, Table
from cranfield.reporting.publishing import Published
from cranfield.reporting.tabling import listed_names
from cranfield.wording import condensed, counted, shown


def opening(of: Analyses, empty: Section) -> Section:
    """The first section."""
    remarks = list(dict.fromkeys(map(of.public, condensed(of.table.remarks))))
    rows = tuple((shown(line, 500),) for line in remarks)
    tables = [_findings(of.checked, of.public)] if of.checked is not None and of.checked.findings else []
    tables += (
        [Table("remarks", "What was noticed while scores were made", (Column("remark", "text"),), rows)] if rows else []
    )
    return replace(empty, words=tuple(_words(of, len(remarks))), tables=tuple(tables), missing=_unchecked(of))


def _unchecked(of: Analyses) -> tuple[Gap, ...]:
    return (Gap("The check of the files", of.refused["checked"]),) if "checked" in of.refused else ()


def _findings(checked: Findings, public: Published) -> Table:
    """Every kind of finding once: how often, in how many files, the first of them, and what to do."""
    rows = []
    for code in dict.fromkeys(finding.code for finding in checked.findings):
        of_kind = [finding for finding in checked.findings if finding.code == code]
        first = of_kind[0]
        files = len({finding.place.path for finding in of_kind})
        example = f"{shown(public(first.where), 200)}: {shown(public(first.text), 300)}"
        rows.append((first.severity, TABLE[code].meaning, float(files), example, TABLE[code].remedy))
    columns = (
        Column("severity", "text"),
        Column("finding", "text"),
        Column("files", "whole", "how many it was found in"),
        Column("first", "text"),
        Column("what to do", "text"),
    )
    return Table("findings", "What a check of the files found", columns, tuple(rows))


def _words(of: Analyses, remarks: int) -> Iterator[str]:
    table = of.table
    yield (
        f"{counted(len(table.systems), 'system')}, {counted(len(table.topics), 'topic')} and "
        f"{counted(len(table.qrels.grade), 'judgment')} of {shown(table.qrels.name, 200)}. "
        f"Systems are ordered by {of.first}."
    )
    yield _best(of)
    if "audit" in of.refused:
        yield f"Whether topics suffice cannot be said: {of.refused['audit']}."
    elif of.get("audit") is not None:
        yield f"Do topics suffice? {of.get('audit').readings[of.first].split('. ')[0].removesuffix('.')}."
    difficulty = of.get("difficulty")
    if difficulty is not None:
        topics, classes = (difficulty.values[name].values.tolist() for name in ("topic", "class"))
        yield _hard([str(topic) for topic, name in zip(topics, classes, strict=True) if name == "hard"], any(classes))
    unjudged = 1 - float(of.scores[JUDGED].mean())
    if np.isfinite(unjudged):
        yield f"{unjudged:.1%} of the first 10 retrieved documents are not judged, on average over systems and topics."
    if "checked" not in of.refused:
        yield _files(of.checked, remarks)


def _hard(topics: list[str], known: bool) -> str:
    """Topics on which systems fail, where any topic's ease is known."""
    if not known:
        return "How hard topics are cannot be said: on none do judged documents differ in their labels."
    if not topics:
        return (
            "No topic is hard: on each, more than a quarter of the systems beat a random order of the judged documents."
        )
    return (
        f"On {counted(len(topics), 'topic')} no more than a quarter of the systems beat a random order of the judged "
        f"documents: {listed_names(topics)}."
    )


def _files(checked: Findings | None, remarks: int) -> str:
    """What is wrong with the data."""
    if checked is None:
        noticed = f"{counted(remarks, 'remark')} on the files stand below" if remarks else "Nothing odd was noticed"
        return f"{noticed}; what comes from standard input is not checked further."
    grave = [checked.count(severity) for severity in SEVERITIES]
    if not any(grave):
        return "A check of the files found nothing wrong."
    said = ", ".join(counted(number, word) for number, word in zip(grave, SEVERITIES, strict=True))
    return f"A check of the files found {said}: see below."


def _best(of: Analyses) -> str:
    """Who leads, and whether it can be told from the next."""
    first = of.scores[of.first]
    order = best_first(first)
    name, mean = shown(order[0]), float(first.sel(system=order[0]).mean())
    if len(order) == 1:
        return f"The only system is {name}, {of.first} {mean:.4f}: there is nothing to compare it with."
    lead = f"Best is {name}, {of.first} {mean:.4f}, before {shown(order[1])}"
    pair = of.get("leaders")
    if pair is None:
        return f"{lead}. Whether that is more than chance cannot be said: {of.refused['leaders']}."
    row = pair.pairs.iloc[0]
    can = "can" if row["significant"] else "cannot"
    said = (
        f"{lead} by {row['difference']:.4f} (95% interval {row['low']:.4f} to {row['high']:.4f}): the two {can} be "
        f"told apart by a paired t-test, p = {row['p']:.3g}."
    )
    ranks = of.get("ranks")
    if ranks is None:
        return said
    best = ranks.among_best(1)
    if len(best) == 1:
        return f"{said} With all pairs tested together, it is better than every other system."
    return f"{said} With all pairs tested together, any of {counted(len(best), 'system')} may be the best."
