"""The summary in words: what was evaluated, which system is best, how certain that is, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from cranfield.checking.findings import Findings
from cranfield.findings.kind import SEVERITIES
from cranfield.reporting.analyses import Analyses
from cranfield.reporting.comparable import JUDGED, best_first
from cranfield.reporting.content import Column, Gap, Section, Table
from cranfield.reporting.publishing import Published
from cranfield.reporting.tabling import listed_names
from cranfield.wording import condensed, counted, shown


def opening(analyses: Analyses, empty: Section) -> Section:
    """The first section."""
    checked, public = analyses.checked, analyses.public
    remarks = list(dict.fromkeys(map(public, condensed(analyses.table.remarks))))
    tables = []
    if checked.result is not None and checked.result.findings:
        tables.append(_findings(checked.result, public))
    if remarks:
        rows = tuple((shown(line, 500),) for line in remarks)
        tables.append(Table("remarks", "Remarks made while scoring", (Column("remark", "text"),), rows))
    missing = (Gap("The file check", checked.reason),) if checked.reason is not None else ()
    return replace(empty, words=tuple(_words(analyses, len(remarks))), tables=tuple(tables), missing=missing)


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


def _words(analyses: Analyses, remarks: int) -> Iterator[str]:
    table = analyses.table
    yield (
        f"{counted(len(table.systems), 'system')}, {counted(len(table.topics), 'topic')} and "
        f"{counted(len(table.qrels.grade), 'judgment')} ({shown(table.qrels.name, 200)}). "
        f"Systems are ranked by {analyses.first}."
    )
    yield _best(analyses)
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
    unjudged = 1 - float(analyses.scores[JUDGED].mean())
    if np.isfinite(unjudged):
        yield f"On average over systems and topics, {unjudged:.1%} of the top 10 retrieved documents are unjudged."
    if analyses.checked.reason is None:
        yield _files(analyses.checked.result, remarks)


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


def _files(checked: Findings | None, remarks: int) -> str:
    """What is wrong with the data."""
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


def _best(analyses: Analyses) -> str:
    """Which system leads, and whether its lead over the next is significant."""
    first = analyses.scores[analyses.first]
    order = best_first(first)
    best = shown(order[0])
    means = [float(first.sel(system=name).mean()) for name in order[:2]]
    if len(order) == 1:
        return f"The only system is {best} ({analyses.first} {means[0]:.4f}), so there is nothing to compare it with."
    lead = (
        f"The best system is {best} ({analyses.first} {means[0]:.4f}), followed by {shown(order[1])} ({means[1]:.4f})."
    )
    leaders = analyses.by_scores.leaders
    if leaders.result is None:
        return f"{lead} Whether they differ significantly could not be determined: {leaders.reason}."
    pair, settings = leaders.result.pairs.iloc[0], leaders.result.settings
    verdict = "is" if pair["significant"] else "is not"
    chosen = f"; not corrected for choosing these two among {len(order):,}" if len(order) > 2 else ""
    tested = (
        f"{lead} The difference of {pair['difference']:.4f} (95% confidence interval {pair['low']:.4f} to "
        f"{pair['high']:.4f}) {verdict} statistically significant at {settings['alpha']:g} (paired t-test, "
        f"p = {pair['p']:.3g}{chosen})."
    )
    ranks = analyses.by_scores.ranks.result
    if ranks is None or len(order) == 2:
        return tested
    candidates = ranks.among_best(1)
    if len(candidates) == 1:
        return f"{tested} With all pairs tested together, {best} is significantly better than every other system."
    return f"{tested} With all pairs tested together, any of {counted(len(candidates), 'system')} may be the best."
