"""Reusability of a collection: leave one team out, and see whether its runs are still judged fairly.

A file of teams says who submitted each run, and so who contributed each judged document to the pool.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias, Unpack

import numpy as np

from cranfield._text import counted, cut, hearing, listed, quoted
from cranfield._typing import Floats, Ints
from cranfield._validation import first_repeated
from cranfield.collection.frames import is_frame
from cranfield.collection.ids import refuse_equal_keys
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import InputOptions, ReadingOptions
from cranfield.declarations.analysis import FromRuns, View, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.errors import FormatError, InputError, UsageError
from cranfield.findings.location import STDIN, Location
from cranfield.io.delimited import BLANKS
from cranfield.io.inputs import QrelsLike, RunsLike, named_runs, refuse_exchanged
from cranfield.io.source import as_text, read_numbered
from cranfield.io.system_names import by_run, warn_of_unused
from cranfield.pooling.rescoring import agreement, judged_once, means_with
from cranfield.results.columns import Column
from cranfield.results.result import Result, signed
from cranfield.scores.labels import named
from cranfield.scores.scale import ranks
from cranfield.scores.topic_groups import TopicGroups
from cranfield.scoring import Evaluation, MeasuresLike, Progress
from cranfield.statistics.numeric import ratio

if TYPE_CHECKING:
    import pandas as pd
    from narwhals.typing import IntoFrame


MEASURES = ("nDCG@20", "AP", "P@20", "bpref")
DEPTH = 20
SHARED, OUTSIDE = -1, -2
"""Documents of several teams, and of none."""
TeamsLike: TypeAlias = "str | os.PathLike[str] | Mapping[str, str] | IntoFrame"
TeamsOption: TypeAlias = Annotated[
    "TeamsLike | None",
    Option(
        "Lines of a run and its team, with a tab or comma between them, or the file of `report --runs`; from Python "
        "also run -> team, or a data frame.",
        metavar="FILE",
        default="every run is its own team",
        recorded=False,
    ),
]
RunFact: TypeAlias = Literal["team", "type"]
"""Facts that a file may hold of each run."""
RUN_COLUMNS = ("system", "run", "tag")
"""Names of the column of runs in a file of teams; the other column is called team."""


@dataclass(frozen=True, eq=False, repr=False)
class Reusability(Result):
    """Losses of each team's runs if the documents that only this team contributed had not been judged.

    A drop is above 0 where a run looks worse than it is, and a fall counts the ranks that it loses among all runs.

    Args:
        measures: a row a ``measure``.
        teams: a row for each ``measure`` and ``team``.
        runs: a row for each ``measure``, ``team`` and ``run``.
        judged: judged documents of all topics.
        unique: those that a single team contributed.
        shared: those that several teams contributed.
        outside: those that no run has in the pool; where they are many, the pool was another one.
        settings: the depth of the pool, and rel.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "measures": (
            Column("mean_drop", "mean over runs of the decrease in score"),
            Column("mean_relative_drop", "mean over runs of drop / score"),
            Column("max_drop", "the largest decrease"),
            Column("mean_fall", "mean over runs of the positions lost in the ranking of all runs"),
            Column("max_fall", "the most positions lost"),
            Column("mean_tau", "mean of tau over teams"),
        ),
        "teams": (
            Column("runs"),
            Column("unique_judged", "judged documents that only this team contributed"),
            Column("unique_relevant", "the relevant ones among them"),
            Column("tau", "tau_b of the means of all runs before and after"),
            Column("mean_drop"),
            Column("max_drop"),
            Column("max_fall"),
        ),
        "runs": (
            Column("score"),
            Column("score_without", "the score without the documents that only its team contributed"),
            Column("drop", "score - score_without, above 0 where a run looks worse than it is"),
            Column("relative_drop", "drop / score"),
            Column("rank", "among all runs, 1 for the best"),
            Column("rank_without"),
        ),
    }
    measures: pd.DataFrame
    teams: pd.DataFrame
    runs: pd.DataFrame
    judged: int
    unique: int
    shared: int
    outside: int
    settings: dict[str, Any]
    signature: dict[str, Any]

    def caption(self, table: str) -> str:
        """Count the judged documents that one team, several teams and no team contributed to the pool."""
        runs, teams = self.runs["run"].nunique(), self.runs["team"].nunique()
        return (
            f"{counted(self.judged, 'judged document')}; in the first {self.settings['depth']:,} of "
            f"{counted(runs, 'run')} by {counted(teams, 'team')}: {self.unique:,} of one team only, "
            f"{self.shared:,} of several, {self.outside:,} of none"
        )


@analysis(
    "pool reusability",
    "Leave each team out of the pool: what would its runs lose?",
    FromRuns(MEASURES),
    views=(
        View("measures", "one row per measure."),
        View("teams", "per team and measure."),
        View("runs", "per run and measure."),
    ),
    words=("leave_one_out",),
    examples=("qrels.txt runs/*.run", "qrels.txt runs/*.run --teams teams.csv"),
)
def estimate_reusability(
    runs: RunsLike,
    qrels: QrelsLike,
    measures: MeasuresLike = MEASURES,
    *,
    teams: TeamsOption = None,
    depth: Annotated[int, Option("Documents of each run that were pooled.", low=1)] = DEPTH,
    reading: InputOptions | None = None,
    progress: Progress | None = None,
    **options: Unpack[ReadingOptions],
) -> Reusability:
    """Score each team's runs as if it had not taken part in the pool: leave one team out.

    Small drops, even for unusual runs, suggest that the collection can evaluate a new system fairly.

    A team contributes a judged document where one of its runs has it among the first ``depth``. The documents that only
    one team contributed become unjudged (they do not get the label 0), all runs are scored again, and the team's own
    are compared with what they score by all judgments. Small drops, also for runs that are unlike the others, say that
    the pool can judge a new system; they are a lower bound for a new kind of system, since all that were pooled may
    miss the same documents. A whole team is left out since its runs find the same documents.

    Args:
        runs, qrels, measures: as in ``evaluate``.
        reading: how files and runs are read, as one object; or word by word, as ``ties="docid"``: see ``InputOptions``.
        progress: called with how much is done, of how much: of the runs that are read.

    Raises:
        InputError: a file is refused, runs and qrels do not fit together, a run has no team, the teams name a run that
            is not given, or one team has all the runs.
        UsageError: a depth below 1, an unknown measure, or a word that contradicts the object given.

    References:
        Zobel 1998, How reliable are the results of large-scale information retrieval experiments?
        doi:10.1145/290941.291014
        Buckley, Dimmick, Soboroff & Voorhees 2007, Bias and the limits of pooling for large collections.
        doi:10.1007/s10791-007-9032-x
        Voorhees 2018, On building fair and reusable test collections using bandit techniques.
        doi:10.1145/3269206.3271766

    >>> runs = {"A": {"1": {"a": 2, "b": 1}}, "B": {"1": {"b": 2, "c": 1}}, "C": {"1": {"b": 2, "d": 1}}}
    >>> found = estimate_reusability(runs, {"1": {"a": 1, "b": 1, "c": 0, "d": 0, "e": 1}}, ["P@2", "AP"], depth=2)
    >>> found.runs["score_without"].tolist()
    [0.5, 0.5, 0.5, 0.25, 0.3333333333333333, 0.3333333333333333]
    """
    reading = InputOptions.of(reading, options)
    refuse_exchanged(runs, qrels)
    if isinstance(teams, str) and teams == STDIN:
        teams = read_teams(STDIN)  # standard input can be read once
    inputs = named_runs(runs, reading.names, reading.columns)
    if reading.names == "file":
        with hearing():  # warnings come below; errors now, before anything is read
            assign_teams([run.name for run in inputs], teams)
    scores, rankings = judged_once(inputs, qrels, measures, reading, progress)
    settings = record_options(estimate_reusability, locals(), rel=1.0 if reading.rel is None else float(reading.rel))
    return _left_out(scores, rankings, assign_teams(scores.systems, teams), settings)


def _left_out(
    scores: Evaluation, rankings: Rankings, team_of_run: tuple[str, ...], settings: dict[str, Any]
) -> Reusability:
    """Leave each team out, of runs that are already scored.

    Args:
        scores: by all judgments.
        rankings: of the same runs.
        team_of_run: of each run.
        settings: with the depth of the pool, and the smallest label of the relevant documents that are counted.
    """
    names = tuple(dict.fromkeys(team_of_run))
    team = np.array([names.index(name) for name in team_of_run])
    sole = sole_contributors(rankings, team, settings["depth"])
    without = np.stack([means_with(scores, rankings, sole != number) for number in range(len(names))])
    every = [_compare_runs(scores, number, names, team, without[:, number]) for number in range(len(scores.measures))]
    facts = _documents(sole, rankings.pool.grade >= settings["rel"], len(names))
    by_run = dict(zip(scores.systems, team_of_run, strict=True))
    return Reusability(
        *_make_tables([str(measure) for measure in scores.measures], names, every, facts),
        judged=len(sole),
        unique=int((sole >= 0).sum()),
        shared=int((sole == SHARED).sum()),
        outside=int((sole == OUTSIDE).sum()),
        settings=settings,
        signature=scores.signature() | signed("reusability", settings, teams=by_run),
    )


def _documents(sole: Ints, relevant: Any, teams: int) -> dict[str, Ints]:
    """Documents that only each team contributed, and the relevant ones, int64 [teams] each."""
    own, relevant_own = sole[sole >= 0], sole[(sole >= 0) & relevant]
    return {
        "unique_judged": np.bincount(own, minlength=teams),
        "unique_relevant": np.bincount(relevant_own, minlength=teams),
    }


def _compare_runs(
    scores: Evaluation, measure: int, names: tuple[str, ...], team: Ints, without: Floats
) -> tuple[pd.DataFrame, Floats]:
    """Every run with and without its team's own documents, by team, and tau_b of all means [teams].

    Args:
        scores: by all judgments.
        measure: which of them.
        names: of the teams.
        team: of each run.
        without: means of all runs without each team's own documents, [teams, systems].
    """
    import pandas as pd

    full, better = scores.summaries[measure], scores.scales[measure].larger_is_better
    order = np.argsort(team, kind="stable")
    reduced = without[team, np.arange(len(team))]
    drop = (full - reduced) if better else (reduced - full)
    after = np.stack([ranks(means, better) for means in without])[team, np.arange(len(team))]
    table = {
        "team": [names[number] for number in team[order]],
        "run": [scores.systems[number] for number in order],
        "score": full[order],
        "score_without": reduced[order],
        "drop": drop[order],
        "relative_drop": ratio(drop, full)[order],
        "rank": ranks(full, better)[order],
        "rank_without": after[order],
    }
    return pd.DataFrame(table), agreement(without, full)


def _make_tables(
    measures: list[str], names: tuple[str, ...], every: list[tuple[pd.DataFrame, Floats]], facts: dict[str, Ints]
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Tables of measures, of teams and of runs."""
    import pandas as pd

    by_measure, by_team, by_run = [], [], []
    for measure, (runs, taus) in zip(measures, every, strict=True):
        fall = runs["rank_without"] - runs["rank"]
        by_run.append(runs.assign(measure=measure))
        grouped = runs.assign(fall=fall).groupby("team", sort=False)
        teams = {"measure": measure, "team": list(names), "runs": grouped.size().to_numpy(), **facts, "tau": taus}
        teams |= {"mean_drop": grouped["drop"].mean().to_numpy(), "max_drop": grouped["drop"].max().to_numpy()}
        by_team.append(pd.DataFrame(teams | {"max_fall": grouped["fall"].max().to_numpy()}))
        summary = {"measure": measure, "mean_drop": runs["drop"].mean()}
        summary |= {"mean_relative_drop": runs["relative_drop"].mean(), "max_drop": runs["drop"].max()}
        defined = taus[~np.isnan(taus)]
        summary |= {"mean_fall": fall.mean(), "max_fall": int(fall.max())}
        by_measure.append(summary | {"mean_tau": float(defined.mean()) if len(defined) else float("nan")})
    runs = pd.concat(by_run, ignore_index=True)
    return (
        pd.DataFrame(by_measure),
        pd.concat(by_team, ignore_index=True),
        runs[["measure", *(name for name in runs.columns if name != "measure")]],
    )


def sole_contributors(rankings: Rankings, team: Ints, depth: int) -> Ints:
    """The only team with each judged document among the first ``depth`` of one of its runs, int64 [pool rows].

    ``SHARED`` where there are several, ``OUTSIDE`` where there is none.

    Args:
        rankings: of all runs.
        team: of each run, numbers from 0, int64 [systems].
        depth: of the pool, at least 1.
    """
    teams = int(team.max()) + 1
    pooled = rankings.rank <= depth
    system = rankings.segment[pooled] // len(rankings.pool.size)
    pairs = np.unique(rankings.document[pooled] * teams + team[system])
    document, contributor = pairs // teams, pairs % teams
    contributors = np.bincount(document, minlength=len(rankings.pool.grade))
    sole = np.where(contributors == 0, OUTSIDE, SHARED)
    alone = contributors[document] == 1
    sole[document[alone]] = contributor[alone]
    return sole


def read_teams(path: str | os.PathLike[str], fact: RunFact = "team") -> dict[str, str]:
    """Run -> team, from a file with a line for each run: two columns with a tab, or a comma, between them.

    Or run -> type, from the column of this name, which only a header names.

    A first line ``run team`` or ``system team`` is a header. It may name more columns, as the file of runs does that
    ``cranfield.report`` takes (``entries``), and as TREC's leaderboards do; these are not used. Lines that begin with
    ``#`` are skipped; a comment with two fields is warned of, because a run may begin with ``#``. ``"-"`` is standard
    input.

    Raises:
        FormatError: a line is not two fields, a name is empty, or a run occurs twice.
        InputError: the file cannot be read, names no run, or has no column of types.
    """
    source = as_text(path)
    file = Location(source)
    teams: dict[str, str] = {}
    columns: list[int] = []
    width = 0
    for number, row in read_numbered(source, lambda comment: len(_cells(comment)) == 2):
        line = file.at(number)
        cells = _cells(row)
        if not teams and not columns:
            columns = _find_columns(cells, line, fact)
            if columns:
                width = len(cells)
                continue
            if fact != "team":
                raise InputError(f"has no column called {fact}: its first line should name the columns", line)
        if columns:
            if len(cells) > width:
                text = f"{counted(len(cells), 'field')}, expected {width} as in the header: {quoted(row)}"
                raise FormatError(text, line, code="fields", value=cut(row))
            cells += [""] * (max(columns) + 1 - len(cells))
            cells = [cells[column] for column in columns]
        if len(cells) != 2:
            text = f"{quoted(row)} is not two fields: a run and its team, with a tab or a comma between them"
            raise FormatError(text, line, code="fields", value=cut(row))
        run, team = named(cells[0], "run", line), named(cells[1], fact, line)
        if run in teams:
            text = f"run {quoted(run)} occurs twice, here with {fact} {quoted(team)}: keep one line for each run"
            raise FormatError(text, line, code="duplicate", value=cut(run))
        teams[run] = team
    if not teams:
        raise InputError("names no runs: each line should be a run and its team", file, code="empty")
    return teams


def _cells(row: str) -> list[str]:
    if "\t" in row:
        cells = row.split("\t")
    else:
        try:
            cells = next(csv.reader([row], strict=True))
        except csv.Error:
            cells = row.split(",")
    return [cell.strip(BLANKS) for cell in cells]


def _find_columns(header: Sequence[str], where: Location, fact: RunFact) -> list[int]:
    """Return the positions of runs and teams, or types, in a header; none where this is not one."""
    names = [name.lower() for name in header]
    if fact == "type" and "type" not in names:
        names = ["type" if name == "runtype" else name for name in names]
    twice = first_repeated([name for name in names if name])
    if twice is not None and fact in names:
        text = f"has two columns called {quoted(twice)}: rename one, or leave it out"
        raise FormatError(text, where, code="column", value=cut(twice))
    found = [names.index(name) for name in RUN_COLUMNS if name in names]
    return [found[0], names.index(fact)] if found and fact in names else []


def assign_teams(
    runs: Sequence[str], source: TeamsLike | None, *, at_least_two: bool = True, fact: RunFact = "team"
) -> tuple[str, ...]:
    """The team of each run; every run is its own team if there is no source. Runs are named as in tables, or by files.

    Or the type of each run, from a file or a data frame that has them.

    Args:
        runs: their names.
        source: see above.
        at_least_two: whether there should be two teams or more.
        fact: what is asked for.

    Raises:
        InputError: a run has no team, or a single team has all the runs.
        UsageError: something else than a file or a mapping.
    """
    if source is None:
        teams, where = {run: run for run in runs}, "the runs"
    elif isinstance(source, Mapping):
        refuse_equal_keys(source, "teams", "run")
        teams, where = {str(run): str(team) for run, team in source.items()}, "teams"
    elif isinstance(source, (str, os.PathLike)):
        teams, where = read_teams(source, fact), str(Location(as_text(source)))
    elif is_frame(source):
        teams, where = dict(TopicGroups.from_source(source, fact, "run").of_topic), "teams"
    else:
        raise UsageError(f"teams are a file, run -> team, or a data frame, not the type {type(source).__name__}")
    teams = by_run(teams, set(runs))
    lacking = [run for run in runs if run not in teams]
    if lacking:
        text = f"there is no {fact} for {listed(lacking, 'run')}: add a line for each, with the name as shown here"
        raise InputError(text, where, code="no-team", value=cut(lacking[0]))
    warn_of_unused(sorted(set(teams) - set(runs)), where)
    assigned = tuple(teams[run] for run in runs)
    if at_least_two and len(set(assigned)) == 1:
        text = (
            f"all runs are of the team {quoted(assigned[0])}: without it nothing is left to judge by; give other runs"
        )
        raise InputError(text, where, code="one-team", value=cut(assigned[0]))
    return assigned
