"""In words: what was evaluated, whether topics suffice, and what is wrong with the data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from cranfield._text import condensed, counted, percent, shown
from cranfield.checking.result import Findings
from cranfield.findings.declaration import SEVERITIES
from cranfield.measures import summary
from cranfield.reporting.analyses import Analyses
from cranfield.reporting.comparable import JUDGED
from cranfield.reporting.content import Column, Head, Section, Table
from cranfield.reporting.publishing import Published
from cranfield.reporting.tabling import listed_names
from cranfield.reporting.verdict import verdict

OF_RUNS = (
    "This page is made of scores. What needs judgments and runs is left out: how hard topics are, which documents were "
    "retrieved, which systems carry the same information, what fusing them could gain, and diversity. To have them: "
    "cranfield report QRELS RUN..."
)


def head(analyses: Analyses) -> Head:
    """What stands above everything else."""
    table, question, origin = analyses.table, analyses.question, analyses.origin
    teams = len({entry.team for entry in analyses.entries.by_system.values() if entry.team})
    systems = counted(len(table.systems), "system") + (f" of {counted(teams, 'team')}" if teams else "")
    topics = counted(len(table.topics), "topic")
    size = f"{systems} and {topics}"
    if origin.judgments is not None:
        size = f"{systems}, {topics} and {counted(origin.judgments, 'judgment')}"
    line = f"{size} ({shown(analyses.public(origin.name), 200)}), ranked by {shown(analyses.first)}."
    return Head(question.track, question.date, line, verdict(analyses), tuple(_notices(analyses)))


def opening(analyses: Analyses, empty: Section) -> Section:
    """What to know before using the ranking."""
    return replace(empty, words=tuple(_words(analyses)))


def checks(analyses: Analyses, empty: Section) -> Section:
    """What was found in the files, and remarked while they were scored."""
    checked, public = analyses.checked, analyses.public
    origin = analyses.origin
    noticed = map(public, [*condensed(origin.remarks), *origin.said])
    remarks = list(dict.fromkeys([*noticed, *analyses.remarks]))
    tables = []
    if checked is not None and checked.findings:
        tables.append(_findings(checked, public))
    if remarks:
        rows = tuple((shown(line, 500),) for line in remarks)
        tables.append(Table("remarks", "Remarks of scoring and analyses", (Column("remark", "text"),), rows))
    said = _files(checked, len(remarks), given=origin.judgments is None)
    return replace(empty, words=(said,), tables=tuple(tables))


def _notices(analyses: Analyses) -> Iterator[str]:
    """What could change the ranking, each kind in a clause."""
    if analyses.checked is not None:
        serious = [finding for finding in analyses.checked.findings if finding.severity != "note"]
        for code in dict.fromkeys(finding.code for finding in serious):
            files = len({finding.place.path for finding in serious if finding.code == code})
            yield f"{code.replace('-', ' ')} ({counted(files, 'file')})"
    same = sum(pair.identical for pair in analyses.alike)
    if same:
        yield f"{counted(same, 'pair')} of runs with the same scores"


def _findings(checked: Findings, public: Published) -> Table:
    """Every kind of finding once: how often, in how many files, the first of them, and what to do."""
    rows = []
    for one in checked.by_kind:
        first = one.findings[0]
        example = f"{shown(public(first.where), 200)}: {shown(public(first.text), 300)}"
        rows.append((first.severity, one.kind.meaning, float(one.files), example, one.kind.remedy))
    columns = (
        Column("severity", "text"),
        Column("finding", "text"),
        Column("files", "whole", "number of files in which it occurs"),
        Column("first", "text", "where it occurs first"),
        Column("what to do", "text"),
    )
    return Table("findings", "Findings of the file check", columns, tuple(rows))


def _words(analyses: Analyses) -> Iterator[str]:
    audit = analyses.by_scores.audit
    if audit.result is not None:
        yield f"Are there enough topics? {audit.result.readings[analyses.first].split('. ')[0].removesuffix('.')}."
    else:
        yield f"Whether there are enough topics could not be determined: {audit.reason}."
    difficulty = analyses.by_rankings.difficulty.result
    if difficulty is not None:
        topics, classes = (difficulty.values[name].values.tolist() for name in ("topic", "class"))
        hard = [str(topic) for topic, name in zip(topics, classes, strict=True) if name == "hard"]
        yield _hard(hard, defined=sum(map(bool, classes)), topics=len(topics))
    shares = analyses.scores[JUDGED].values if JUDGED in analyses.scores else np.full(1, np.nan)
    unjudged = 1 - float(summary("mean", shares.reshape(1, -1))[0])
    if np.isfinite(unjudged):
        part, verb = ("none", "is") if unjudged == 0 else (percent(unjudged), "are")
        yield f"On average over systems and topics, {part} of the top 10 retrieved documents {verb} unjudged."
    if analyses.origin.judgments is None:
        yield OF_RUNS


def _hard(hard: list[str], *, defined: int, topics: int) -> str:
    """Topics on which most systems fail, where the ease of any topic is defined."""
    if not defined:
        return "Topic difficulty is undefined: on no topic do the labels of the judged documents differ."
    scope = "on every topic" if defined == topics else f"on each of the {counted(defined, 'topic')} with a defined ease"
    if not hard:
        beaten = "more than a quarter of the systems beat a random ranking of the judged documents"
        return f"No topic is hard: {scope}, {beaten}."
    return (
        f"On {counted(len(hard), 'topic')}, at most a quarter of the systems beat a random ranking of the judged "
        f"documents: {listed_names(hard)}."
    )


def _files(checked: Findings | None, remarks: int, *, given: bool) -> str:
    """What is wrong with the data."""
    if given:
        noticed = f"{counted(remarks, 'remark')} on the scores are listed below" if remarks else "There are no remarks"
        return f"{noticed}; judgments and runs, which these scores were made of, were not there to be checked."
    if checked is None:
        noticed = (
            f"{counted(remarks, 'remark')} on the data are listed below" if remarks else "Scoring raised no remarks"
        )
        return f"{noticed}; only files on disk are checked further."
    counts = [checked.count(severity) for severity in SEVERITIES]
    if not any(counts):
        return "The file check found no problems."
    numbers = ", ".join(counted(number, word) for number, word in zip(counts, SEVERITIES, strict=True))
    return f"The file check found {numbers}: see below."
