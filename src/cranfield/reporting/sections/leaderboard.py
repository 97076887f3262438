"""The leaderboard: means and ranks with intervals, and standardized scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from cranfield._text import counted, shown
from cranfield.charts.ranks import chart_ranks
from cranfield.charts.sentences import find_largest, join_names
from cranfield.charts.systems import chart_means
from cranfield.comparison.result import Comparison
from cranfield.comparison.risk import Risk
from cranfield.comparison.unbeaten import describe_unbeaten, find_unbeaten, weighs_costs
from cranfield.reporting.analyses import Analyses
from cranfield.reporting.charts import make_ranks, make_row_picture
from cranfield.reporting.content import (
    FilledColumns,
    Gap,
    PageColumn,
    Picture,
    Section,
    Table,
    join_columns,
    kinds,
    make_table,
)
from cranfield.reporting.entries import FACTS
from cranfield.reporting.inputs import PageScores, sort_systems
from cranfield.reporting.leaders import assign_groups
from cranfield.reporting.left_out import describe_left_out
from cranfield.reporting.page_sections import PageSection
from cranfield.scores.measure_scores import Scores
from cranfield.scores.opening import open_scores

if TYPE_CHECKING:
    import xarray as xr

LEVEL = 0.95
"""The confidence of intervals."""
GROUP_MEANING = "systems of a group may all have the rank of its first system"
PAIR_MEANINGS = {
    "system": "that is compared",
    "baseline": "that it is compared with",
    "difference": "mean of the system minus that of the baseline",
    "low": "lower end of the interval of the difference, for all pairs together",
    "high": "upper end of it",
    "p_adjusted": "p-value, corrected for the number of pairs",
    "significant": "whether the difference is",
    "wins": "topics on which the system is better",
    "ties": "topics on which both are equal",
    "losses": "topics on which the baseline is better",
}
"""Columns of pairs that are shown at once -> what they mean; a reader can choose the others."""


def _fill(analyses: Analyses, section: Section) -> Section:
    """Fill the section: systems by their means, with what to know about these."""
    bars = f"Bars show a {LEVEL:.0%} confidence interval (Student's t) for each mean"
    if analyses.from_scores.ranks.result is not None:
        bars += (
            f", and a {LEVEL:.0%} confidence interval for each rank, valid for all systems jointly (pairwise paired t, "
            "sign-flip max-T). All systems of a group may have the rank of its first system; systems of different "
            "groups may still not differ significantly"
        )
    paragraphs: tuple[str, ...] = (f"{bars}.",)
    inputs, outcomes = analyses.inputs, analyses.from_scores
    paragraphs += _describe_unbeaten(inputs)
    if inputs.main.has_gaps:
        uneven = "Systems have scores on different topics: the order of their means is not a ranking."
        paragraphs = (uneven, *paragraphs)
    left_out = describe_left_out(inputs.left_out, inputs.redact, public=analyses.request.options["public"])
    paragraphs = (*left_out, *paragraphs, *_describe_open_orders(analyses))
    paragraphs += (*_describe_groups(analyses), *map(describe_risk, outcomes.risks.result or ()))
    missing = [Gap(name, "it is undefined on every topic") for name in inputs.undefined]
    missing += [
        Gap(what, outcome.reason)
        for what, outcome in (
            ("Rank intervals", outcomes.ranks),
            ("Standardized scores", outcomes.standardized),
            ("Baselines", outcomes.baselines),
            ("Risk against the baselines", outcomes.risks),
        )
        if outcome.reason is not None
    ]
    tables = [_make_board(analyses), *_make_group_boards(analyses)]
    if outcomes.baselines.result is not None:
        tables.append(_make_baselines(outcomes.baselines.result, inputs.order))
    groups = 0 if analyses.groups is None else len(analyses.groups.scores)
    hint = f"{counted(groups, 'group')} of topics can be chosen above." if groups else ""
    return replace(section, paragraphs=paragraphs, hint=hint, tables=tuple(tables), missing=tuple(missing))


def _describe_unbeaten(inputs: PageScores) -> tuple[str, ...]:
    """Name the systems that no other beats by quality and cost at once, where there are measures of both."""
    rows = [inputs.table.names.index(name) for name in inputs.measures]
    directions = [inputs.table.scales[row].larger_is_better for row in rows]
    if not weighs_costs(directions):
        return ()
    unbeaten = find_unbeaten(inputs.table.summaries[rows].T, directions)
    return (describe_unbeaten([name for name, best in zip(inputs.table.systems, unbeaten, strict=True) if best]),)


def _describe_open_orders(analyses: Analyses) -> tuple[str, ...]:
    """Name neighbours whose order unjudged documents could reverse, as the file check found them."""
    findings = () if analyses.findings is None else analyses.findings.findings
    texts = [analyses.inputs.redact(finding.text) for finding in findings if finding.code == "open-order"]
    return tuple(f"{text[0].upper()}{text[1:]}." for text in texts)


def _describe_groups(analyses: Analyses) -> tuple[str, ...]:
    """Caution about ranks on groups of topics."""
    if analyses.groups is None:
        return ()
    remarks = "".join(f" {remark[0].upper()}{remark[1:]}." for remark in analyses.groups.remarks)
    return (f"Ranks within a group of topics also vary by chance.{remarks}",)


def describe_risk(risk: Risk) -> str:
    """Describe what the other systems risk against one baseline."""
    others = risk.systems[risk.systems["system"] != risk.settings["baseline"][0]]
    against = f"Against {shown(risk.baseline)}, with each loss counted twice (URisk, loss weight 1)"
    if others.empty or others["urisk"].isna().all():
        return f"{against}, no system can be compared."
    gaining = int((others["urisk"] > 0).sum())
    gain = f"{gaining:,} of {counted(len(others), 'system')} {'gains' if gaining == 1 else 'gain'} on average"
    largest = find_largest([str(name) for name in others["system"]], others["urisk"].tolist())
    best, urisk = others.loc[others["urisk"].idxmax()], f"{others['urisk'].max():.4f}"
    losses = f"{best['losses']:,} of {counted(int(best['topics']), 'topic')}"
    if len(largest) == 1 or len(others) == 1:
        extreme = (
            f"The largest URisk is that of {shown(best['system'])}: {urisk} ({LEVEL:.0%} interval {best['low']:.4f} to "
            f"{best['high']:.4f}), with losses on {losses}"
        )
    elif largest:
        extreme = f"The largest URisk, {urisk}, is that of {join_names(largest)}"
    else:
        extreme = f"Each URisk is {urisk}"
    return f"{against}, {gain}. {extreme}."


def _make_board(analyses: Analyses) -> Table:
    """Make the leaderboard of all topics."""
    inputs = analyses.inputs
    order, systems = inputs.order, inputs.main.leaderboard
    ranks = inputs.main.ranks[systems].tolist()
    means, picture = _make_means(inputs.main)
    columns: FilledColumns = [
        (PageColumn("rank", "whole"), ranks),
        (PageColumn("system", "system"), order),
        *_make_facts(analyses, order),
        *means,
    ]
    pictures = [picture]
    intervals = analyses.from_scores.ranks.result
    written: FilledColumns = []
    if intervals is not None:
        (_, best, worst), picture = make_ranks(chart_ranks(intervals, alone=False), order, hidden=True)
        pictures.append(picture)
        columns += [
            best,
            worst,
            (PageColumn("group", "whole", GROUP_MEANING), assign_groups(ranks, intervals.table["low"][order].tolist())),
        ]
        meaning = f"rank, and its {LEVEL:.0%} confidence interval, valid for all systems jointly"
        texts = intervals.written()[list(order)].tolist()
        written = [(PageColumn("rank interval", "text", meaning, hidden=True), texts)]
    columns += _make_type_ranks(analyses, order, ranks)
    columns += _make_other_means(analyses, inputs.scores, systems)
    columns += written
    columns += _make_standardized(analyses, systems, ranks)
    title = f"Systems by {inputs.main_measure}, means over {len(inputs.table.topics):,} topics"
    bands = "group" if len(pictures) > 1 else ""
    return join_columns("leaderboard", title, columns, pictures=tuple(pictures), bands=bands)


def _make_group_boards(analyses: Analyses) -> Iterator[Table]:
    """Make the leaderboard of each group of topics; none without groups."""
    groups, main_measure = analyses.groups, analyses.inputs.main_measure
    if groups is None:
        return
    overall = analyses.inputs.main.ranks
    for index, (name, scores) in enumerate(groups.scores.items(), 1):
        matrix = open_scores(scores[main_measure])
        order, systems = sort_systems(matrix), matrix.leaderboard
        means, picture = _make_means(matrix)
        columns: FilledColumns = [
            (PageColumn("rank", "whole", "on the topics of this group"), matrix.ranks[systems].tolist()),
            (PageColumn("system", "system"), order),
            *_make_facts(analyses, order),
            *means,
            (PageColumn("rank on all topics", "whole"), overall[systems].tolist()),
            *_make_other_means(analyses, scores, systems),
        ]
        title = (
            f"Systems by {main_measure}, means over {counted(len(matrix.topics), 'topic')} of the group {shown(name)}"
        )
        options = {"pictures": (picture,), "group": name, "note": groups.note(name)}
        yield join_columns(f"leaderboard-{index}", title, columns, **options)


def _make_means(matrix: Scores) -> tuple[FilledColumns, Picture]:
    """Make the columns of means with their intervals, best first, and their drawing."""
    systems, measure, form = matrix.leaderboard, matrix.measure, chart_means(matrix, LEVEL)
    ends = f"limit of the {LEVEL:.0%} confidence interval"
    columns: FilledColumns = [
        (PageColumn(measure), [row.value for row in form.rows]),
        (PageColumn("low", meaning=f"lower {ends}", hidden=True), [row.low for row in form.rows]),
        (PageColumn("high", meaning=f"upper {ends}", hidden=True), [row.high for row in form.rows]),
    ]
    if matrix.has_gaps:
        topics = (~np.isnan(matrix.values)).sum(axis=0)
        columns.append((PageColumn("topics", "whole", "over which the mean is"), topics[systems].tolist()))
    return columns, make_row_picture(form, (measure, "low", "high"))


def _make_other_means(analyses: Analyses, scores: xr.Dataset, systems: list[int]) -> FilledColumns:
    """Make the columns of means by the measures that do not order systems."""
    others = analyses.inputs.measures[1:]
    return [(PageColumn(name), open_scores(scores[name]).means[systems].tolist()) for name in others]


def _make_facts(analyses: Analyses, order: Sequence[str]) -> FilledColumns:
    """Make the columns of the facts that organisers supply about runs; none without any."""
    entries = analyses.inputs.entries
    return [
        (
            PageColumn(fact, "text", hidden=fact == "description"),
            [getattr(entries.by_system[name], fact) for name in order],
        )
        for fact in FACTS
        if entries.has(fact)
    ]


def _make_type_ranks(analyses: Analyses, order: Sequence[str], ranks: Sequence[int]) -> FilledColumns:
    """Make the column of ranks among runs of the same type; none where there is one type alone, or none."""
    types = [analyses.inputs.entries.by_system[name].type for name in order]
    if len(set(types)) < 2:
        return []
    of_type = {kind: [rank for rank, own in zip(ranks, types, strict=True) if own == kind] for kind in types}
    values = [
        1 + sum(other < rank for other in of_type[kind]) if kind else None
        for rank, kind in zip(ranks, types, strict=True)
    ]
    return [(PageColumn("rank in type", "whole", "rank among runs of the same type"), values)]


def _make_standardized(analyses: Analyses, systems: list[int], before: list[int]) -> FilledColumns:
    """Make the columns of standardized means, ranks by them, and ranks gained; none without standardized scores."""
    scaled = analyses.from_scores.standardized.result
    if scaled is None or analyses.inputs.main_measure not in scaled:
        return []
    matrix = open_scores(scaled[analyses.inputs.main_measure])
    after = matrix.ranks[systems].tolist()
    gained = [old - new for old, new in zip(before, after, strict=True)]
    scale = "the share of systems whose score on the same topic is no higher"
    if analyses.request.options["factors"] is not None:
        scale = "on the scale of the given factors"
    meaning = f"mean of standardized {analyses.inputs.main_measure}: {scale}"
    return [
        (
            PageColumn("standardized", meaning=meaning, hidden=True),
            matrix.means[systems].tolist(),
        ),
        (PageColumn("standardized rank", "whole", "rank by standardized scores", hidden=True), after),
        (PageColumn("moves", "whole", "ranks gained by standardization", hidden=True), gained),
    ]


def _make_baselines(comparison: Comparison, order: Sequence[str]) -> Table:
    """Make the table of each system and each baseline, in the order of the leaderboard."""
    index = {system: number for number, system in enumerate(order)}
    pairs = comparison.pairs.sort_values("system", key=lambda names: names.map(index), kind="stable")
    return make_table(
        "baselines",
        f"Systems compared with the baselines by {comparison.measure} (paired t-tests, Holm correction)",
        pairs.rename(columns={"other": "baseline"}),
        kinds("system", "system", "baseline")
        | kinds("p", "p", "p_adjusted")
        | kinds("truth", "significant")
        | kinds("whole", "wins", "ties", "losses", "topics"),
        PAIR_MEANINGS,
        PAIR_MEANINGS.keys() - {"low", "high"},
        (Picture("difference, interval", ("difference", "low", "high"), "low"),),
    )


SECTION = PageSection(
    title="Leaderboard",
    place=10,
    fill=_fill,
)
