"""The summary: what was evaluated, which system is best and how certain that is, whether topics suffice, and checks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield._text import condensed, counted, percent, shown
from cranfield._typing import Floats
from cranfield.charts.sentences import join_names
from cranfield.checking.result import Findings
from cranfield.comparison.dominance_shares import DominanceShares
from cranfield.comparison.pairwise import compare
from cranfield.comparison.result import Comparison
from cranfield.declarations.analysis import find_declaration
from cranfield.findings.declaration import SEVERITIES
from cranfield.io.redaction import PathRedactor
from cranfield.measures import summary
from cranfield.reporting.analyses import Analyses
from cranfield.reporting.content import Column, Head, Section, Table
from cranfield.reporting.inputs import Scored
from cranfield.reporting.leaders import Leaders
from cranfield.reporting.left_out import notice_left_out
from cranfield.reporting.sections.certainty import describe_first, describe_topics
from cranfield.scores.measure_scores import Scores
from cranfield.scores.missing_scores import find_gaps, gaps_in_words
from cranfield.scores.scale import comparable
from cranfield.topic_difficulty.earlier_estimates import quarters
from cranfield.topic_difficulty.ease import qualify_ease

SCORES_ALONE = (
    "This page is made from scores alone. It leaves out what needs judgments and runs: the difficulty of topics, "
    "retrieved documents, systems that carry the same information, fusion, and diversity. To include them, use "
    "cranfield report QRELS RUN..."
)
"""What organisers are told of a page of scores."""


NOTICES = {
    "ties": ("tied scores", "run"),
    "rank-contradicts-score": ("rank column contradicting the scores", "run"),
}
"""Code of a finding -> the finding as the first screen calls it, and the unit in which it is counted."""


def make_head(analyses: Analyses) -> Head:
    """Make the first lines of the page."""
    inputs, request = analyses.inputs, analyses.request
    table, origin, teams = inputs.table, inputs.origin, len(inputs.entries.teams)
    systems = counted(len(table.systems), "system") + (f" of {counted(teams, 'team')}" if teams else "")
    topics = counted(len(table.topics), "topic")
    size = f"{systems} and {topics}"
    if origin.judgments is not None:
        size = f"{systems}, {topics} and {counted(origin.judgments, 'judgment')}"
    line = f"{size} ({shown(inputs.redact(origin.name), 200)}), ranked by {shown(inputs.main_measure)}."
    return Head(request.track, request.date, line, state_verdict(analyses), tuple(_list_notices(analyses)))


def fill_summary(analyses: Analyses, section: Section) -> Section:
    """Fill the section: what to know before using the ranking."""
    return replace(section, paragraphs=tuple(_summarize(analyses)))


def fill_checks(analyses: Analyses, section: Section) -> Section:
    """Fill the section: findings of the file check, and remarks of scoring and analyses."""
    findings, redact = analyses.findings, analyses.inputs.redact
    origin = analyses.inputs.origin
    scoring = map(redact, [*condensed(origin.remarks), *origin.warnings])
    remarks = list(dict.fromkeys([*scoring, *analyses.remarks]))
    tables = []
    if findings is not None and findings.findings:
        tables.append(_make_findings(findings, redact))
    if remarks:
        rows = tuple((shown(line, 500),) for line in remarks)
        tables.append(Table("remarks", "Remarks of scoring and analyses", (Column("remark", "text"),), rows))
    overview = _describe_checks(findings, len(remarks), scores_alone=origin.judgments is None)
    return replace(section, paragraphs=(overview,), tables=tuple(tables))


def _list_notices(analyses: Analyses) -> Iterator[str]:
    """Name the runs that are left out by their number, and each kind of finding that could change the ranking."""
    if analyses.inputs.left_out:
        yield notice_left_out(analyses.inputs.left_out)
    if analyses.findings is not None:
        serious = [finding for finding in analyses.findings.findings if finding.severity != "note"]
        for code in dict.fromkeys(finding.code for finding in serious):
            files = len({finding.location.path for finding in serious if finding.code == code})
            notice, unit = NOTICES.get(code, (code.replace("-", " "), "file"))
            yield f"{notice} in {counted(files, unit)}"
    identical = sum(pair.identical for pair in analyses.duplicates)
    if identical:
        measures = analyses.inputs.measures
        scores = f"the same {shown(measures[0])}" if len(measures) == 1 else "the same scores"
        yield f"{counted(identical, 'pair')} of runs with {scores} on every topic"


def _make_findings(findings: Findings, redact: PathRedactor) -> Table:
    """Make a table of each kind of finding: its number of files, the first finding, and what to do."""
    rows = []
    for group in findings.by_kind:
        first = group.findings[0]
        example = f"{shown(redact(first.where), 200)}: {shown(redact(first.text), 500)}"
        rows.append(
            (
                first.severity,
                group.kind.meaning.replace("`", ""),
                float(group.files),
                example,
                group.kind.remedy.replace("`", ""),
            )
        )
    columns = (
        Column("severity", "text"),
        Column("finding", "text"),
        Column("files", "whole", "number of files in which it occurs"),
        Column("first", "text", "where it occurs first"),
        Column("what to do", "text"),
    )
    return Table("findings", "Findings of the file check", columns, tuple(rows))


def _summarize(analyses: Analyses) -> Iterator[str]:
    """Answer who may be first, which differences hold and whether topics suffice; then what is hard or unjudged."""
    yield from describe_first(analyses)
    yield from describe_topics(analyses)
    dominance = analyses.from_rankings.dominance.result
    if dominance is not None:
        yield from _describe_dominance(dominance)
    difficulty = analyses.from_rankings.difficulty.result
    if difficulty is not None and find_caution(analyses):
        yield _name_hard_by_mean(analyses)
    elif difficulty is not None:
        topics, classes = (difficulty.values[name].values.tolist() for name in ("topic", "class"))
        hard = [str(topic) for topic, name in zip(topics, classes, strict=True) if name == "hard"]
        yield _describe_hard_topics(hard, defined=sum(map(bool, classes)), topics=len(topics))
    yield from _describe_unjudged(analyses.inputs)
    if analyses.inputs.origin.judgments is None and not analyses.request.public:
        yield SCORES_ALONE


def _find_unjudged(inputs: Scored) -> float:
    """Find the share of unjudged documents among those that the measure reads which orders systems; NaN if unknown."""
    if inputs.judged is None:
        return math.nan
    return 1 - float(summary("mean", inputs.scores[inputs.judged[0]].values.reshape(1, -1))[0])


def _describe_unjudged(inputs: Scored) -> Iterator[str]:
    """State this share."""
    unjudged = _find_unjudged(inputs)
    if inputs.judged is not None and np.isfinite(unjudged):
        _, depth = inputs.judged
        share = "none" if unjudged == 0 else percent(unjudged)
        verb = "is" if unjudged == 0 or depth == 1 else "are"
        yield f"On average over systems and topics, {share} of the {name_top(depth)} {verb} unjudged."


def name_top(depth: int) -> str:
    """The first documents of lists."""
    return "top retrieved documents of lists" if depth == 1 else f"top {depth:,} retrieved documents"


def _describe_dominance(dominance: DominanceShares) -> Iterator[str]:
    """State how many significant differences hold whatever the measure; nothing where there are none."""
    [row] = dominance.table.to_dict("records")
    if not row["significant"]:
        return
    ranks = "whole lists" if np.isnan(row["cutoff"]) else f"{row['cutoff']:.0f} ranks"
    firm = percent(row["robust"] / row["significant"])
    yield (
        f"Of {counted(row['significant'], 'significant difference')} by {shown(row['measure'])} (paired t-test, not "
        f"corrected), {row['robust']:,} ({firm}) hold whatever the measure: no strictly consistent measure that "
        f"reads {ranks} can reverse them. On single topics, every consistent measure must give "
        f"{percent(row['dominated'])} of its differences."
    )


def _describe_hard_topics(hard: list[str], *, defined: int, topics: int) -> str:
    """Name the topics on which most systems fail, where the ease of any topic is defined."""
    if not defined:
        return "Topic difficulty is undefined: on no topic do the labels of the judged documents differ."
    scope = "on every topic" if defined == topics else f"on each of the {counted(defined, 'topic')} with a defined ease"
    if not hard:
        beaten = "more than a quarter of the systems beat a random ranking of the judged documents"
        start = f"{scope[0].upper()}{scope[1:]}"
        return f"{start}, {beaten}, so none is classed as hard. The class does not depend on how high the scores are."
    return (
        f"On {counted(len(hard), 'topic')}, at most a quarter of the systems beat a random ranking of the judged "
        f"documents: {join_names(hard)}."
    )


def find_caution(analyses: Analyses) -> str:
    """Say why ease tells little on this collection, in a clause; empty where it does, and where it is not known.

    Lists without unjudged documents can be told from a random order whatever the labels.
    """
    difficulty, unjudged = analyses.from_rankings.difficulty.result, _find_unjudged(analyses.inputs)
    if difficulty is None or not unjudged > 0:
        return ""
    return qualify_ease(difficulty.values["random_ndcg"].values, difficulty.settings["unjudged"])


def compute_topic_means(values: Floats) -> Floats:
    """Return the mean over the systems that have a value, [topics]; NaN without any."""
    defined = ~np.isnan(values)
    total = np.where(defined, values, 0).sum(axis=1)
    means: Floats = np.divide(total, defined.sum(axis=1), out=np.full(len(values), np.nan), where=defined.any(axis=1))
    return means


def classify_means(matrix: Scores) -> list[str]:
    """Put topics into the four classes of Vercoustre et al., by their means over systems."""
    return quarters(comparable(compute_topic_means(matrix.values), matrix.larger_is_better))


def describe_mean_classes(analyses: Analyses) -> str:
    """Say how topics are classed where their ease tells little."""
    return (
        f"Topics are classed by their mean {shown(analyses.inputs.main_measure)} over systems: easy and hard ones are "
        "more than a standard deviation of all topics away from the mean of all (Vercoustre et al.). Low scores may "
        "also come from missing judgments."
    )


def _name_hard_by_mean(analyses: Analyses) -> str:
    """Name the topics that are hard by their mean scores."""
    matrix = analyses.inputs.main
    hard = [topic for topic, name in zip(matrix.topics, classify_means(matrix), strict=True) if name == "hard"]
    if not hard:
        return f"No topic is hard by its mean {shown(matrix.measure)} over systems: see Topics."
    verb = "is" if len(hard) == 1 else "are"
    mean = f"mean {shown(matrix.measure)} over systems"
    return f"{counted(len(hard), 'topic')} {verb} hard by the {mean}: {join_names(hard)}."


def _describe_checks(findings: Findings | None, remarks: int, *, scores_alone: bool) -> str:
    """Count the findings of the file check, or the remarks where files cannot be checked."""
    if scores_alone:
        noticed = f"{counted(remarks, 'remark')} on the scores are listed below" if remarks else "There are no remarks"
        return f"{noticed}; judgments and runs, which these scores were made of, were not there to be checked."
    if findings is None:
        noticed = (
            f"{counted(remarks, 'remark')} on the data are listed below" if remarks else "Scoring raised no remarks"
        )
        return f"{noticed}; only files on disk are checked further."
    counts = [findings.count(severity) for severity in SEVERITIES]
    if not any(counts):
        return "The file check found no problems."
    numbers = ", ".join(counted(number, word) for number, word in zip(counts, SEVERITIES, strict=True))
    return f"The file check found {numbers}: see below."


def state_verdict(analyses: Analyses) -> str:
    """State which system leads, and whether its lead over the next is significant."""
    matrix = analyses.inputs.main
    leaders = Leaders.find(matrix)
    if len(matrix.systems) == 1:
        return f"The only system is {_name_with_mean(matrix, leaders.best)}, so there is nothing to compare it with."
    if leaders.runner_up is None:
        mean = _write_mean(matrix, 0)
        return f"{_name_all(matrix)} have the same scores on every topic ({mean}): none is better than another."
    gaps = find_gaps(matrix.values)
    lead = _describe_uneven_lead(matrix, leaders, gaps) if gaps.any() else _describe_lead(matrix, leaders)
    outcome = analyses.from_scores.leaders
    if outcome.result is None:
        return f"{lead} Whether they differ significantly could not be determined: {outcome.reason}."
    lead = f"{lead} {_describe_test(outcome.result, matrix, leaders)}"
    together = _describe_all_tests(analyses, matrix, leaders)
    return f"{lead} With all pairs tested together, {together}." if together else lead


def list_pair_tests(analyses: Analyses) -> dict[str, Any]:
    """Return the tests of every two systems, for the comparison of two, as plain data.

    Where they were not computed, as for very many systems, the page's script tests the two from the scores that it has.
    """
    outcome = analyses.from_scores.pairs
    if outcome.result is None:
        declared = find_declaration(compare)
        assert declared is not None, "it is an analysis"
        alpha = declared.options["alpha"].default
        levels = {"level": f"{1 - alpha:.0%}", "alpha": f"{alpha:g}"}
        return {"measure": shown(analyses.inputs.main_measure), **levels} if outcome.reason else {}
    pairs, settings = outcome.result.pairs, outcome.result.settings
    numbers = analyses.inputs.numbers
    columns = (
        [numbers[name] for name in pairs["system"]],
        [numbers[name] for name in pairs["other"]],
        *(
            [_round(value) for value in pairs[name].tolist()]
            for name in ("difference", "low", "high", "p", "p_adjusted")
        ),
        pairs["significant"].tolist(),
        pairs["topics"].tolist(),
        np.isinf(pairs["d_pair"].to_numpy()).tolist(),
    )
    return {
        "measure": shown(outcome.result.measure),
        "level": f"{settings['level']:.0%}",
        "alpha": f"{settings['alpha']:g}",
        "rows": [list(row) for row in zip(*columns, strict=True)],
    }


def _round(value: float) -> float | None:
    """Round a number for JSON, which has no infinite numbers: these are None."""
    return float(f"{value:.6g}") if math.isfinite(value) else None


def _describe_lead(matrix: Scores, leaders: Leaders) -> str:
    """Name the best systems and the next."""
    assert leaders.runner_up is not None
    best, runner_up = leaders.best, leaders.runner_up
    if runner_up in leaders.tied:
        if len(leaders.tied) == len(matrix.systems):
            subject = f"{_name_all(matrix)} have the same"
        else:
            subject = f"{_name(matrix, leaders.tied)} have the best"
        return f"{subject} mean ({_write_mean(matrix, best[0])}), but not the same scores on every topic."
    second = f"followed by {shown(matrix.systems[runner_up])} ({_write_number(matrix, runner_up)})."
    if len(best) == 1:
        return f"{_name_with_mean(matrix, best)} has the best mean, {second}"
    return f"{_name_with_mean(matrix, best)} have the same scores on every topic and the best mean, {second}"


def _describe_uneven_lead(matrix: Scores, leaders: Leaders, gaps: NDArray[np.bool_]) -> str:
    """Name the first two systems by their means, where these are over different topics."""
    assert leaders.runner_up is not None
    first = leaders.best[:1]
    return (
        "Systems have scores on different topics, so that their means do not rank them, and none is the best: "
        f"{gaps_in_words(gaps, matrix.topics, matrix.systems)}. First by its mean comes "
        f"{_name_with_mean(matrix, first)}, followed by {shown(matrix.systems[leaders.runner_up])} "
        f"({_write_number(matrix, leaders.runner_up)})."
    )


def _describe_test(test: Comparison, matrix: Scores, leaders: Leaders) -> str:
    """State whether the best and the next differ significantly, on the topics that both have."""
    assert leaders.runner_up is not None
    pair, settings = test.pairs.iloc[0], test.settings
    difference = float(pair["difference"])
    verb = "is" if pair["significant"] else "is not"
    chosen = f", not corrected for choosing these two among {count:,}" if (count := len(matrix.systems)) > 2 else ""
    sentence = (
        f"The difference of {difference:.4f} {verb} significant at {settings['alpha']:g} (95% interval "
        f"{pair['low']:.4f} to {pair['high']:.4f}; paired t-test, p = {pair['p']:.3g}{chosen})."
    )
    if math.isnan(pair["p"]):
        sentence = (
            f"The difference of {difference:.4f} is the same on every topic, which leaves no spread to judge by: it "
            "has no interval and no p, and whether it is more than chance is unknown."
        )
    if int(pair["topics"]) < max(_count_topics(matrix, system) for system in (leaders.best[0], leaders.runner_up)):
        scope = f"On the {counted(int(pair['topics']), 'topic')} that both have"
        lead = difference if matrix.larger_is_better else -difference
        start = f", {shown(pair['other'])} is ahead: t" if lead < 0 else ", t"
        sentence = f"{scope}{start}{sentence[1:]}"
    return sentence


def _describe_all_tests(analyses: Analyses, matrix: Scores, leaders: Leaders) -> str:
    """State in a clause which systems may be the best by tests of all pairs; empty for two systems."""
    ranks = analyses.from_scores.ranks.result
    if ranks is None or len(matrix.systems) == 2:
        return ""
    candidates, best = ranks.among_best(1), [matrix.systems[system] for system in leaders.best]
    if not set(candidates) <= set(best):
        choice = "either of two systems" if len(candidates) == 2 else f"any of {counted(len(candidates), 'system')}"
        return f"{choice} may be the best"
    subject = f"{shown(best[0])} is" if len(best) == 1 else "they are"
    return f"{subject} significantly better than every other system"


def _name_all(matrix: Scores) -> str:
    count = len(matrix.systems)
    return "Both systems" if count == 2 else f"All {count:,} systems"


def _name(matrix: Scores, systems: Sequence[int]) -> str:
    return join_names([matrix.systems[system] for system in systems])


def _name_with_mean(matrix: Scores, systems: Sequence[int]) -> str:
    return f"{_name(matrix, systems)} ({_write_mean(matrix, systems[0])})"


def _write_mean(matrix: Scores, system: int) -> str:
    return f"{matrix.measure} {_write_number(matrix, system)}"


def _write_number(matrix: Scores, system: int) -> str:
    """Write a mean, with its number of topics where systems have different ones."""
    over = f" over {counted(_count_topics(matrix, system), 'topic')}" if np.isnan(matrix.values).any() else ""
    return f"{matrix.exact_means[system]:.4f}{over}"


def _count_topics(matrix: Scores, system: int) -> int:
    """Count the topics on which a system has a score."""
    return int((~np.isnan(matrix.values[:, system])).sum())
