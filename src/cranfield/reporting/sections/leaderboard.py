"""The leaderboard: means and ranks with intervals, and standardized scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from cranfield._text import counted, shown
from cranfield._typing import Floats
from cranfield.comparison.result import Comparison
from cranfield.comparison.risk import Risk
from cranfield.reporting.collection import Analyses
from cranfield.reporting.content import Column, Gap, Picture, Section, Table
from cranfield.reporting.entries import FACTS
from cranfield.reporting.inputs import best_first
from cranfield.reporting.leaders import of_largest
from cranfield.reporting.tables import kinds, listed_names, rows_of, table_of
from cranfield.scores.matrix import matrix_of
from cranfield.scores.missing_scores import gaps_of
from cranfield.statistics.intervals import t_interval

if TYPE_CHECKING:
    import xarray as xr

LEVEL = 0.95
OF_PAIRS = {
    "system": "that is compared",
    "baseline": "that it is compared with",
    "difference": "mean of the system less that of the baseline",
    "low": "lower end of the interval of the difference, for all pairs together",
    "high": "upper end of it",
    "p_adjusted": "p-value, corrected for the number of pairs",
    "significant": "whether the difference is",
    "wins": "topics on which the system is better",
    "ties": "topics on which both are equal",
    "losses": "topics on which the baseline is better",
}
"""Columns that are shown of pairs, and what they mean; others can be chosen."""


def leaderboard(analyses: Analyses, empty: Section) -> Section:
    """The section of systems by their means."""
    scale = "A standardized score is the share of systems whose score on the same topic is no higher"
    if analyses.question.factors is not None:
        scale = "Standardized scores are on the scale of the given factors"
    words: tuple[str, ...] = (
        f"Lines show Student's {LEVEL:.0%} confidence interval of each mean over topics, and the ranks between which "
        f"each system truly lies, for all systems together with {LEVEL:.0%} confidence (paired t of every two systems, "
        f"sign flips, max-T over all pairs in both directions). {scale}; “moves” counts the ranks that a system gains "
        "by standardization.",
    )
    answers = analyses.by_scores
    scales = [(scale.name, scale.direction) for scale in analyses.table.scales if scale.name in analyses.measures]
    if unknown := "; ".join(f"{shown(name)}: {direction}" for name, direction in scales if direction):
        words = (*words, f"{unknown}.")
    if _uneven(analyses.scores[analyses.first]):
        words = ("Systems have scores on different topics: the order of their means is no ranking.", *words)
    words += (*_groups(analyses), *map(_risk, answers.risks.result or ()))
    missing = [Gap(name, "it is undefined on every topic") for name in analyses.undefined]
    missing += [
        Gap(what, answer.reason)
        for what, answer in (
            ("Rank intervals", answers.ranks),
            ("Standardized scores", answers.standardized),
            ("Baselines", answers.baselines),
            ("Risk against the baselines", answers.risks),
        )
        if answer.reason is not None
    ]
    tables = [_board(analyses), *_boards_of_groups(analyses)]
    if answers.baselines.result is not None:
        tables.append(_baselines(answers.baselines.result, best_first(analyses.scores[analyses.first])))
    groups = 0 if analyses.grouped is None else len(analyses.grouped.scores)
    act = f"{counted(groups, 'group')} of topics can be chosen above." if groups else ""
    return replace(empty, words=words, act=act, tables=tuple(tables), missing=tuple(missing))


def _uneven(scores: xr.DataArray) -> bool:
    """Whether means are over different topics."""
    return bool(gaps_of(matrix_of(scores).values).any())


def _groups(analyses: Analyses) -> tuple[str, ...]:
    """What to know of groups of topics."""
    if analyses.grouped is None:
        return ()
    remarks = "".join(f" {remark[0].upper()}{remark[1:]}." for remark in analyses.grouped.remarks)
    return (f"Ranks on a part of the topics differ by chance too.{remarks}",)


def _risk(found: Risk) -> str:
    """What systems risk against one baseline, in a sentence; of itself it risks nothing."""
    others = found.systems[found.systems["system"] != found.settings["baselines"][0]]
    against = f"Against {shown(found.baseline)}, with each loss counted twice (URisk at alpha 1)"
    if others.empty or others["urisk"].isna().all():
        return f"{against}, no system can be compared."
    gaining = int((others["urisk"] > 0).sum())
    gain = f"{gaining:,} of {counted(len(others), 'system')} {'gains' if gaining == 1 else 'gain'} on average"
    largest = of_largest([str(name) for name in others["system"]], others["urisk"].tolist())
    best, urisk = others.loc[others["urisk"].idxmax()], f"{others['urisk'].max():.4f}"
    losses = f"{best['losses']:,} of {counted(int(best['topics']), 'topic')}"
    if len(largest) == 1 or len(others) == 1:
        most = (
            f"The largest URisk is that of {shown(best['system'])}: {urisk} ({LEVEL:.0%} interval {best['low']:.4f} to "
        )
        most += f"{best['high']:.4f}), with losses on {losses}"
    else:
        most = (
            f"The largest URisk, {urisk}, is that of {listed_names(largest)}" if largest else f"Each URisk is {urisk}"
        )
    return f"{against}, {gain}. {most}. For all systems: cranfield risk --baseline {shown(found.baseline)}."


def _board(analyses: Analyses) -> Table:
    order = best_first(analyses.scores[analyses.first])
    number = {system: row for row, system in enumerate(analyses.table.systems)}
    systems = [number[name] for name in order]
    matrix = matrix_of(analyses.scores[analyses.first])
    ranks = matrix.ranks[systems].tolist()
    means, picture = _means(analyses.first, analyses.scores[analyses.first], systems)
    columns: list[tuple[Column, Sequence[object]]] = [
        (Column("rank", "whole"), ranks),
        (Column("system", "system"), order),
        *_facts(analyses, order),
        *means,
    ]
    pictures = [picture]
    ranked = _ranks(analyses, order)
    columns += ranked[:2]
    if analyses.by_scores.ranks.result is not None:
        pictures.append(Picture("rank, interval", ("rank", "best rank", "worst rank"), "best rank"))
    others = analyses.measures[1:]
    columns += [(Column(name), matrix_of(analyses.scores[name]).means[systems].tolist()) for name in others]
    columns += ranked[2:]
    columns += _standardized(analyses, systems, ranks)
    return Table(
        "leaderboard",
        f"Systems by {analyses.first}, means over {len(analyses.table.topics):,} topics",
        tuple(column for column, _ in columns),
        rows_of(values for _, values in columns),
        tuple(pictures),
    )


def _boards_of_groups(analyses: Analyses) -> Iterator[Table]:
    """The leaderboard of each group of topics; none where no groups are asked for."""
    grouped, number = analyses.grouped, {system: row for row, system in enumerate(analyses.table.systems)}
    if grouped is None:
        return
    whole = matrix_of(analyses.scores[analyses.first]).ranks
    for at, (name, scores) in enumerate(grouped.scores.items(), 1):
        order = best_first(scores[analyses.first])
        systems = [number[system] for system in order]
        means, picture = _means(analyses.first, scores[analyses.first], systems)
        columns: list[tuple[Column, Sequence[object]]] = [
            (
                Column("rank", "whole", "on the topics of this group"),
                matrix_of(scores[analyses.first]).ranks[systems].tolist(),
            ),
            (Column("system", "system"), order),
            *_facts(analyses, order),
            *means,
            (Column("rank on all topics", "whole"), whole[systems].tolist()),
            *((Column(other), matrix_of(scores[other]).means[systems].tolist()) for other in analyses.measures[1:]),
        ]
        topics = counted(scores.sizes["topic"], "topic")
        yield Table(
            f"leaderboard-{at}",
            f"Systems by {analyses.first}, means over {topics} of the group {shown(name)}",
            tuple(column for column, _ in columns),
            rows_of(values for _, values in columns),
            (picture,),
            name,
            grouped.note(name),
        )


def _means(
    measure: str, scores: xr.DataArray, systems: list[int]
) -> tuple[list[tuple[Column, Sequence[object]]], Picture]:
    """Means with their intervals, and what is drawn of them."""
    matrix = matrix_of(scores)
    low, high = _interval(matrix.values)
    ends = f"limit of the {LEVEL:.0%} confidence interval"
    columns: list[tuple[Column, Sequence[object]]] = [
        (Column(measure), matrix.means[systems].tolist()),
        (Column("low", meaning=f"lower {ends}", hidden=True), low[systems].tolist()),
        (Column("high", meaning=f"upper {ends}", hidden=True), high[systems].tolist()),
    ]
    if _uneven(scores):
        topics = (~np.isnan(matrix.values)).sum(axis=0)
        columns.append((Column("topics", "whole", "over which the mean is"), topics[systems].tolist()))
    return columns, Picture(f"{measure}, {LEVEL:.0%} interval", (measure, "low", "high"), "low")


def _facts(analyses: Analyses, order: Sequence[str]) -> list[tuple[Column, Sequence[object]]]:
    """What organisers say of the runs; nothing where they say nothing."""
    entries = analyses.entries
    return [
        (Column(fact, "text", hidden=fact == "description"), [getattr(entries.by_system[name], fact) for name in order])
        for fact in FACTS
        if entries.any(fact)
    ]


def _ranks(analyses: Analyses, order: Sequence[str]) -> list[tuple[Column, Sequence[object]]]:
    """Between which ranks systems lie; nothing where that is unknown."""
    found = analyses.by_scores.ranks.result
    if found is None:
        return []
    meaning = f"rank, and between which ranks the system truly lies ({LEVEL:.0%}, all systems together)"
    table = found.table.loc[list(order)]
    return [
        (Column("best rank", "whole", "upper end of the rank interval", hidden=True), table["low"].tolist()),
        (Column("worst rank", "whole", "lower end of the rank interval", hidden=True), table["high"].tolist()),
        (Column("rank interval", "text", meaning), found.written()[list(order)].tolist()),
    ]


def _standardized(analyses: Analyses, systems: list[int], before: list[int]) -> list[tuple[Column, Sequence[object]]]:
    """Standardized means, ranks by them, and ranks gained; nothing where there are none."""
    scaled = analyses.by_scores.standardized.result
    if scaled is None or analyses.first not in scaled:
        return []
    matrix = matrix_of(scaled[analyses.first])
    after = matrix.ranks[systems].tolist()
    gained = [old - new for old, new in zip(before, after, strict=True)]
    return [
        (
            Column("standardized", meaning=f"mean of standardized {analyses.first}", hidden=True),
            matrix.means[systems].tolist(),
        ),
        (Column("standardized rank", "whole", "rank by standardized scores", hidden=True), after),
        (Column("moves", "whole", "ranks gained by standardization", hidden=True), gained),
    ]


def _interval(values: Floats) -> tuple[Floats, Floats]:
    """Student's interval of each mean over the topics that have a score, [systems]; NaN for one topic."""
    topics = (~np.isnan(values)).sum(axis=0)
    many = topics > 1
    low, high = np.full((2, values.shape[1]), np.nan)
    if many.any():
        some = values[:, many]
        error = np.nanstd(some, axis=0, ddof=1) / np.sqrt(topics[many])
        interval = t_interval(np.nanmean(some, axis=0), error, topics[many] - 1.0, LEVEL)
        low[many], high[many] = interval.low, interval.high
    return low, high


def _baselines(comparison: Comparison, order: Sequence[str]) -> Table:
    """Each system and each baseline, in the order of the leaderboard."""
    place = {system: at for at, system in enumerate(order)}
    pairs = comparison.pairs.sort_values("system", key=lambda names: names.map(place), kind="stable")
    return table_of(
        "baselines",
        f"Systems compared with the baselines by {comparison.measure} (paired t-tests, Holm correction)",
        pairs.rename(columns={"other": "baseline"}),
        kinds("system", "system", "baseline")
        | kinds("p", "p", "p_adjusted")
        | kinds("truth", "significant")
        | kinds("whole", "wins", "ties", "losses", "topics"),
        OF_PAIRS,
        OF_PAIRS,
    )
