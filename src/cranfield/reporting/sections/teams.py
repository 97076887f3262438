"""Teams: each by its best run, which may be the first, and the same within a type of runs."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping

from cranfield._message import setting
from cranfield._text import counted, shown
from cranfield.charts.ranks import chart_ranks
from cranfield.charts.sentences import join_names
from cranfield.comparison.team_ranks import TeamRanks, estimate_team_ranks
from cranfield.reporting.analyses import MAX_RANKED, Analyses
from cranfield.reporting.charts import make_ranks
from cranfield.reporting.content import FilledColumns, Gap, PageColumn, Section, Table, join_columns
from cranfield.reporting.inputs import PageScores
from cranfield.reporting.page_sections import PageSection
from cranfield.reporting.request import Request
from cranfield.reporting.runner import AnalysisOutcome, AnalysisRunner

HOW = (
    "Each team is ranked by its best run. The interval of its rank holds for all teams jointly, whichever of its runs "
    "is truly the best: a team is above another where one of its runs is significantly better than each run of the "
    "other, with all pairs of runs tested together (sign-flip max-T)."
)


def _rank_teams(runner: AnalysisRunner, inputs: PageScores, request: Request) -> dict[str, AnalysisOutcome[TeamRanks]]:
    """Rank the teams by all their runs, and by those of each type that several teams have where there are types.

    Returns:
        Type of runs, empty for all -> ranks of teams; none where fewer than two teams are known.
    """
    entries = {name: entry for name, entry in inputs.entries.by_system.items() if entry.team}
    types = sorted({entry.type for entry in entries.values() if entry.type})
    outcomes = {}
    for kind in ["", *(types if len(types) > 1 else [])]:
        teams = {name: entry.team for name, entry in entries.items() if kind in ("", entry.type)}
        if len(set(teams.values())) < 2:
            continue
        scores = inputs.scores[inputs.main_measure].sel(system=list(teams))
        rank = functools.partial(estimate_team_ranks, scores, teams=teams, seed=request.options["seed"])
        ranked = runner.limit_pairs(len(teams), 1, MAX_RANKED, rank, "compare teams")
        outcomes[kind] = runner.run("ranking teams", ranked)
    return outcomes


def _fill(analyses: Analyses, section: Section) -> Section | None:
    """Fill the section; None where fewer than two teams are known."""
    outcomes: Mapping[str, AnalysisOutcome[TeamRanks]] = analyses.own["teams"]
    if not outcomes:
        return None
    paragraphs, tables, missing = [], [], []
    for number, (kind, outcome) in enumerate(outcomes.items()):
        if outcome.result is None:
            missing.append(
                Gap(f"Ranks of teams by runs of type {shown(kind)}" if kind else "Ranks of teams", outcome.reason or "")
            )
            continue
        paragraphs.append(_describe_first(outcome.result, kind))
        tables.append(_make_table(outcome.result, kind, number))
    if tables:
        paragraphs += [HOW, *_describe_others(analyses)]
    return Section(
        section.id, section.title, tuple(paragraphs), tables=tuple(tables), missing=tuple(missing), hint=section.hint
    )


def _describe_first(result: TeamRanks, kind: str) -> str:
    """State which teams may be the first, with the best one and its run."""
    best, candidates = result.table.iloc[0], result.among_best(1)
    leader = f"{shown(result.table.index[0])} ({shown(best['best_run'])}, {result.measure} {best['mean']:.4f})"
    scope = f"Among runs of type {shown(kind)}, " if kind else ""
    start = f"{scope}{leader} is first of {counted(len(result.table), 'team')}"
    if len(candidates) == 1:
        return f"{start}, and no other team may be." if candidates == [result.table.index[0]] else f"{start}."
    choice = "either of two teams" if len(candidates) == 2 else f"any of {counted(len(candidates), 'team')}"
    return f"{start}; {choice} may be: {join_names(candidates)}."


def _describe_others(analyses: Analyses) -> Iterator[str]:
    """State how many runs have no team, and are left out of the ranks."""
    without = [name for name, entry in analyses.inputs.entries.by_system.items() if not entry.team]
    if without:
        verb = "has no team and is" if len(without) == 1 else "have no team and are"
        yield f"{counted(len(without), 'run')} {verb} left out here."


def _make_table(result: TeamRanks, kind: str, number: int) -> Table:
    """Make the leaderboard of teams."""
    frame = result.table
    names = [str(name) for name in frame.index]
    (rank, *ends), picture = make_ranks(chart_ranks(result), names, hidden=True)
    columns: FilledColumns = [
        rank,
        (PageColumn("team", "text"), names),
        (PageColumn("best run", "system", "the run of the team with the best mean"), frame["best_run"].tolist()),
        (PageColumn("runs", "whole", "of the team"), frame["runs"].tolist()),
        (PageColumn(result.measure, "number", "mean of the best run"), frame["mean"].tolist()),
        *ends,
    ]
    title = f"Teams by {result.measure} of their best runs" + (f" of type {shown(kind)}" if kind else "")
    return join_columns("teams" if not kind else f"teams-{number}", title, columns, pictures=(picture,))


SECTION = PageSection(
    title="Teams",
    place=20,
    fill=_fill,
    needs=f"no two teams of the runs are known: name them by {setting('entries')}",
    of_scores=_rank_teams,
)
