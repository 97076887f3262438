"""In words: what was evaluated, whether topics suffice, and what is wrong with the data.

In words: which system is best, and how certain that is; among equal systems none is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield._text import condensed, counted, percent, shown
from cranfield.checking.result import Findings
from cranfield.findings.declaration import SEVERITIES
from cranfield.measures import summary
from cranfield.reporting.collection import Analyses
from cranfield.reporting.content import Column, Head, Section, Table
from cranfield.reporting.inputs import JUDGED
from cranfield.reporting.leaders import Leading
from cranfield.reporting.redaction import PathRedactor
from cranfield.reporting.tables import listed_names
from cranfield.scores.matrix import Matrix, matrix_of
from cranfield.scores.missing_scores import gaps_in_words, gaps_of

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


def _findings(checked: Findings, public: PathRedactor) -> Table:
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


def verdict(analyses: Analyses) -> str:
    """Which system leads, and whether its lead over the next is significant."""
    matrix = matrix_of(analyses.scores[analyses.first])
    leading = Leading.of(matrix)
    if len(matrix.systems) == 1:
        return f"The only system is {_with_mean(matrix, leading.best)}, so there is nothing to compare it with."
    if leading.following is None:
        return f"{_all(matrix)} have the same scores on every topic ({_mean(matrix, 0)}): none is better than another."
    gaps = gaps_of(matrix.values)
    lead = _uneven(matrix, leading, gaps) if gaps.any() else _lead(matrix, leading)
    leaders = analyses.by_scores.leaders
    if leaders.result is None:
        return f"{lead} Whether they differ significantly could not be determined: {leaders.reason}."
    together = _together(analyses, matrix, leading)
    return f"{lead} {_tested(analyses, matrix, leading)}" + (
        f" With all pairs tested together, {together}." if together else ""
    )


def tested_pairs(analyses: Analyses) -> dict[str, Any]:
    """What tests of every two systems say, for the comparison of two: plain data, or the reason why there is none."""
    answer = analyses.by_scores.pairs
    if answer.result is None:
        return {"reason": shown(answer.reason, 1000)} if answer.reason else {}
    found, settings = answer.result.pairs, answer.result.settings
    number = {name: at for at, name in enumerate(analyses.table.systems)}
    columns = (
        [number[name] for name in found["system"]],
        [number[name] for name in found["other"]],
        *(
            [_plain(value) for value in found[name].tolist()]
            for name in ("difference", "low", "high", "p", "p_adjusted")
        ),
        found["significant"].tolist(),
        found["topics"].tolist(),
        np.isinf(found["d_pair"].to_numpy()).tolist(),
    )
    return {
        "measure": shown(answer.result.measure),
        "level": f"{settings['level']:.0%}",
        "alpha": f"{settings['alpha']:g}",
        "rows": [list(row) for row in zip(*columns, strict=True)],
    }


def _plain(value: float) -> float | None:
    """A number that JSON has; None for the others."""
    return float(f"{value:.6g}") if math.isfinite(value) else None


def _lead(matrix: Matrix, leading: Leading) -> str:
    """The best and the next."""
    assert leading.following is not None
    best, following = leading.best, leading.following
    if following in leading.level:
        every = len(leading.level) == len(matrix.systems)
        who = f"{_all(matrix)} have the same" if every else f"{_named(matrix, leading.level)} have the best"
        return f"{who} mean ({_mean(matrix, best[0])}), but not the same scores on every topic."
    after = f"followed by {shown(matrix.systems[following])} ({_number(matrix, following)})."
    if len(best) == 1:
        return f"{_with_mean(matrix, best)} is the best system, {after}"
    return f"{_with_mean(matrix, best)} have the same scores on every topic and are the best systems, {after}"


def _uneven(matrix: Matrix, leading: Leading, gaps: NDArray[np.bool_]) -> str:
    """The first two by their means, where these are over different topics."""
    assert leading.following is not None
    first = leading.best[:1]
    return (
        "Systems have scores on different topics, so that their means do not rank them, and none is the best: "
        f"{gaps_in_words(gaps, matrix.topics, matrix.systems)}. First by its mean comes {_with_mean(matrix, first)}, "
        f"followed by {shown(matrix.systems[leading.following])} ({_number(matrix, leading.following)})."
    )


def _tested(analyses: Analyses, matrix: Matrix, leading: Leading) -> str:
    """What a test says of the best and the next, on the topics that both have."""
    leaders = analyses.by_scores.leaders.result
    assert leaders is not None
    assert leading.following is not None
    pair, settings = leaders.pairs.iloc[0], leaders.settings
    difference = float(pair["difference"])
    verdict = "is" if pair["significant"] else "is not"
    chosen = f", not corrected for choosing these two among {count:,}" if (count := len(matrix.systems)) > 2 else ""
    spread = (
        f"The difference of {difference:.4f} is the same on every topic, which leaves no spread to judge by: it has no "
        "interval and no p, and whether it is more than chance is unknown."
    )
    said = (
        spread
        if math.isnan(pair["p"])
        else f"The difference of {difference:.4f} {verdict} significant at {settings['alpha']:g} (95% interval "
        f"{pair['low']:.4f} to {pair['high']:.4f}; paired t-test, p = {pair['p']:.3g}{chosen})."
    )
    if int(pair["topics"]) < max(_topics(matrix, at) for at in (leading.best[0], leading.following)):
        both = f"On the {counted(int(pair['topics']), 'topic')} that both have"
        ahead = difference if matrix.larger_is_better else -difference
        whose = f", {shown(pair['other'])} is ahead: t" if ahead < 0 else ", t"
        said = f"{both}{whose}{said[1:]}"
    return said


def _together(analyses: Analyses, matrix: Matrix, leading: Leading) -> str:
    """What tests of all pairs say, a clause; nothing of two systems."""
    ranks = analyses.by_scores.ranks.result
    if ranks is None or len(matrix.systems) == 2:
        return ""
    candidates, best = ranks.among_best(1), [matrix.systems[at] for at in leading.best]
    if not set(candidates) <= set(best):
        return f"any of {counted(len(candidates), 'system')} may be the best"
    them = f"{shown(best[0])} is" if len(best) == 1 else "they are"
    return f"{them} significantly better than every other system"


def _all(matrix: Matrix) -> str:
    count = len(matrix.systems)
    return "Both systems" if count == 2 else f"All {count:,} systems"


def _named(matrix: Matrix, places: Sequence[int]) -> str:
    return listed_names([matrix.systems[at] for at in places])


def _with_mean(matrix: Matrix, places: Sequence[int]) -> str:
    return f"{_named(matrix, places)} ({_mean(matrix, places[0])})"


def _mean(matrix: Matrix, place: int) -> str:
    return f"{matrix.measure} {_number(matrix, place)}"


def _number(matrix: Matrix, place: int) -> str:
    """A mean, and over how many topics it is where systems have different ones."""
    over = f" over {counted(_topics(matrix, place), 'topic')}" if np.isnan(matrix.values).any() else ""
    return f"{matrix.exact_means[place]:.4f}{over}"


def _topics(matrix: Matrix, place: int) -> int:
    """On how many topics a system has a score."""
    return int((~np.isnan(matrix.values[:, place])).sum())
