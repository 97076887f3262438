"""The first lines of the page: what was evaluated, which system is best and how certain that is, and what to notice."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield._text import counted, shown
from cranfield.charts.sentences import join_names
from cranfield.comparison.result import Comparison
from cranfield.reporting.analyses import Analyses
from cranfield.reporting.content import Head
from cranfield.reporting.inputs import PageScores
from cranfield.reporting.leaders import Leaders
from cranfield.reporting.left_out import notice_left_out
from cranfield.scores.measure_scores import Scores
from cranfield.scores.missing_scores import find_gaps, gaps_in_words
from cranfield.scores.premises import describe_premises

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
    return Head(
        request.options["track"],
        request.options["date"],
        line,
        _state_verdict(analyses),
        (*list_premises(inputs, table.source), *_list_open_ranks(analyses)),
        tuple(_list_notices(analyses)),
        request.options["footer"],
    )


def list_premises(inputs: PageScores, source: Any) -> tuple[str, ...]:
    """List what the scores rest on as sentences: directions that no name tells, and see ``describe_premises``.

    Args:
        inputs: the scores.
        source: the signature of those runs that may be named.
    """
    scales = [(scale.name, scale.direction) for scale in inputs.table.scales if scale.name in inputs.measures]
    unknown = "; ".join(f"{shown(name)}: {direction}" for name, direction in scales if direction)
    premises = describe_premises({"measures": list(inputs.measures), "scores": source})
    sentences = [unknown, *(inputs.redact(premise.as_sentence()) for premise in premises)]
    return tuple(f"{sentence}." for sentence in sentences if sentence)


def _list_open_ranks(analyses: Analyses) -> Iterator[str]:
    """Say where topics are too few for rank intervals that tell anything."""
    ranks = analyses.from_scores.ranks.result
    yield from (f"Rank intervals: {line}." for line in (ranks.few if ranks is not None else ()))


def _list_notices(analyses: Analyses) -> Iterator[str]:
    """Name the runs that are left out by their number, and each kind of finding that may affect the results."""
    if analyses.inputs.left_out:
        yield notice_left_out(analyses.inputs.left_out)
    if analyses.findings is not None:
        ranking = ("", analyses.inputs.main_measure)
        found = analyses.findings.findings
        serious = [finding for finding in found if finding.severity != "note" and finding.measure in ranking]
        for code in dict.fromkeys(finding.code for finding in serious):
            files = len({finding.location.path for finding in serious if finding.code == code})
            notice, unit = NOTICES.get(code, (code.replace("-", " "), "file"))
            yield f"{notice} in {counted(files, unit)}"
    identical = sum(pair.identical for pair in analyses.duplicates)
    if identical:
        measures = analyses.inputs.measures
        scores = f"the same {shown(measures[0])}" if len(measures) == 1 else "the same scores"
        yield f"{counted(identical, 'pair')} of runs with {scores} on every topic"


def _state_verdict(analyses: Analyses) -> str:
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
            f"The difference of {difference:.4f} is the same on every topic, which leaves a t-test no spread to judge "
            "by: it has no interval and no p."
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
