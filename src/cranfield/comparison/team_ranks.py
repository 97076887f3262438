"""A leaderboard of teams, each by its best run: ``estimate_team_ranks`` and its result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cranfield._message import setting
from cranfield._text import counted, join_first, quoted, shown
from cranfield._typing import Ints
from cranfield.comparison.ranks import RESAMPLES, describe_few, require_resamples
from cranfield.declarations.analysis import FromScores, Groups, View, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import AlphaOption, MissingScoresOption, SeedOption
from cranfield.errors import InputError, UsageError
from cranfield.pooling.reusability import TeamsLike, TeamsOption, assign_teams
from cranfield.results.columns import Column
from cranfield.results.result import Result
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.measure_scores import Scores
from cranfield.scores.missing_scores import BOARD
from cranfield.scores.opening import Needs, open_scores
from cranfield.scores.signature import evaluations_in
from cranfield.statistics.rank_confidence_sets import Ranges, rank_sets
from cranfield.statistics.resampling import is_exact

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class TeamRanks(Result):
    """The ranks that each team may have by its best run, on all topics like these.

    Args:
        table: a row a team, the best first.
        measure: what runs are ranked by.
        topics: how many there are.
        settings: the options; ``seed``, None where all sign flips were made.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "table": (
            Column("team"),
            Column("best_run", "the run of the team with the best mean"),
            Column("runs", "of the team", integer=True),
            Column("mean", "of the best run"),
            Column("rank", "among teams, on these topics; equal means share the smallest", integer=True),
            Column("low", "the interval of its rank over all such topics, for all teams jointly", integer=True),
            Column("high", integer=True),
        )
    }
    table: pd.DataFrame
    measure: str
    topics: int
    settings: dict[str, Any]
    signature: dict[str, Any]

    def caption(self, table: str) -> str:
        """Describe how teams are ranked, and which may be the first."""
        settings, first = self.settings, self.among_best(1)
        seed = f", seed {settings['seed']}" if settings["seed"] is not None else " (all there are)"
        kind = f" of type {shown(settings['run_type'])}" if settings["run_type"] else ""
        names = join_first([shown(team) for team in first])
        return "\n".join(
            [
                f"{shown(self.measure)}, {counted(self.topics, 'topic')}; {settings['resamples']:,} sign flips{seed}",
                f"each team by its best run{kind}; low to high: the interval of its rank over all such topics "
                f"(coverage {1 - settings['alpha']:.4g} for all teams jointly, whichever run is the best one)",
                *filter(None, [describe_few(self.topics, settings["alpha"])]),
                f"the first may be {'any of ' if len(first) > 1 else ''}{names}",
            ]
        )

    def among_best(self, count: int) -> list[str]:
        """Return the teams that may be among the ``count`` best: with the coverage asked for, all that are."""
        return [str(team) for team in self.table.index[self.table["low"] <= count]]


@analysis(
    "compare teams",
    "Rank teams by their best runs, with an interval of each rank.",
    FromScores(directed=True),
    views=(View("table"),),
    groups=Groups(tested=True),
    examples=("qrels.txt runs/*.run --teams runs.tsv", "--scores s.csv --teams runs.tsv --run-type manual"),
    formats=("latex", "markdown"),
)
def estimate_team_ranks(
    scores: ScoresLike,
    *,
    teams: TeamsOption = None,
    run_type: Annotated[
        str | None,
        Option("Only runs of this type, as the column type of {teams} says.", metavar="TYPE", default="all runs"),
    ] = None,
    alpha: AlphaOption = 0.05,
    resamples: Annotated[
        int,
        Option("Sign flips; all 2^topics where half of them are no more.", low=1),
    ] = RESAMPLES["flips"],
    seed: SeedOption = 1,
    missing_scores: MissingScoresOption = None,
) -> TeamRanks:
    """Rank teams by their best runs, and estimate between which ranks each team lies.

    Every two runs are tested as ``estimate_ranks`` tests them. A team is above another one where one of its runs is
    significantly better than each run of the other. The interval of a team's rank reaches from 1 + the teams above it
    to the number of teams minus those below it. It covers the rank of the team by its run that is truly best, for all
    teams jointly, although the best run of each was chosen by these scores.

    Args:
        scores: of one measure, dims (topic, system), complete.

    Raises:
        InputError: a run without a team, or one team alone; fewer than two topics, a missing score, or a file that
            cannot be read.
        UsageError: numbers outside their range, no run of this type, or too few resamples for any significant test.

    References:
        Mogstad, Romano, Shaikh & Wilhelm 2024, Inference for ranks with applications to mobility across neighbourhoods
        and academic achievement across countries. doi:10.1093/restud/rdad006

    >>> import cranfield
    >>> made = cranfield.simulation.simulate_runs(n_systems=4, n_topics=20)
    >>> scores = cranfield.evaluate(made.runs, made.qrels, "AP")["AP"]
    >>> systems = [str(name) for name in scores["system"].values]
    >>> found = cranfield.comparison.estimate_team_ranks(scores, teams=dict(zip(systems, "aabb")))
    >>> found.table[["runs", "rank"]].values.tolist()
    [[2, 1], [2, 2]]
    """
    if run_type is not None and (teams is None or isinstance(teams, Mapping)):
        raise UsageError(f"{setting('run_type', run_type)} needs teams in a file or a data frame with the column type")
    matrix = open_scores(scores, Needs("ranks of teams", topics=2, systems=2), missing_scores=missing_scores)
    assigned = assign_teams(matrix.systems, teams, at_least_two=run_type is None)
    if run_type is not None:
        matrix, assigned = _select_type(matrix, assigned, teams, run_type)
    matrix.require_complete("an interval of ranks", "" if evaluations_in(matrix.source) else BOARD)
    exact = is_exact(matrix.topic_count, resamples)
    require_resamples(matrix, matrix.topic_count, resamples, alpha, exact=exact)
    sets = rank_sets(
        matrix.values if matrix.larger_is_better else -matrix.values,
        alpha,
        method="flips",
        resamples=resamples,
        rng=np.random.default_rng(seed),
        marginal=False,
    )
    drawn = {"resamples": 1 << matrix.topic_count, "seed": None} if exact else {}
    settings = record_options(estimate_team_ranks, locals(), **drawn)
    by_run = dict(zip(matrix.systems, assigned, strict=True))
    return TeamRanks(
        _make_table(matrix, assigned, sets.above),
        matrix.measure,
        len(matrix.topics),
        settings,
        matrix.signature("team ranks", **settings, teams=by_run),
    )


def _select_type(
    matrix: Scores, assigned: Sequence[str], teams: TeamsLike | None, run_type: str
) -> tuple[Scores, tuple[str, ...]]:
    """Select the runs of a type, and their teams.

    Raises:
        InputError: a run has no type, or all runs of the type are of one team.
        UsageError: no run of this type.
    """
    types = assign_teams(matrix.systems, teams, at_least_two=False, fact="type")
    kept = [number for number, of in enumerate(types) if of == run_type]
    if not kept:
        known = ", ".join(map(quoted, sorted(set(types))))
        raise UsageError(f"no run is of the type {quoted(run_type)}: types are {known}")
    teams_left = tuple(assigned[number] for number in kept)
    if len(set(teams_left)) < 2:
        raise InputError(f"all runs of the type {quoted(run_type)} are of the team {quoted(teams_left[0])}")
    return open_scores(matrix.labelled().isel(system=kept)), teams_left


def _make_table(matrix: Scores, assigned: Sequence[str], above: NDArray[np.bool_]) -> pd.DataFrame:
    """Make a row for each team, the best first."""
    import pandas as pd

    order = matrix.leaderboard
    best_run: dict[str, int] = {}
    for system in order:
        best_run.setdefault(assigned[system], system)
    names, best = list(best_run), np.array(list(best_run.values()))
    sets = find_team_ranges(above, np.array([names.index(team) for team in assigned]))
    ranks = matrix.ranks[best]
    return pd.DataFrame(
        {
            "best_run": [matrix.systems[system] for system in best],
            "runs": [assigned.count(team) for team in names],
            "mean": matrix.means[best],
            "rank": [int((ranks < rank).sum()) + 1 for rank in ranks],
            "low": sets.low,
            "high": sets.high,
        },
        index=pd.Index(names, name="team", dtype=object),
    )


def find_team_ranges(above: NDArray[np.bool_], team: Ints) -> Ranges:
    """Find the ranks that tests of all runs leave to each team.

    Args:
        above: [j, k]: the mean of run j is above that of run k.
        team: of each run, numbers from 0, [runs].

    >>> above = np.array([[0, 0, 1], [0, 0, 0], [0, 0, 0]], dtype=bool)
    >>> ranges = find_team_ranges(above, np.array([0, 1, 1]))
    >>> ranges.low.tolist(), ranges.high.tolist()
    ([1, 1], [2, 2])
    >>> ranges = find_team_ranges(above, np.array([0, 0, 1]))
    >>> ranges.low.tolist(), ranges.high.tolist()
    ([1, 2], [1, 2])
    """
    count = int(team.max()) + 1
    over = np.stack([above[:, team == other].all(axis=1) for other in range(count)], axis=1)
    wins = np.stack([over[team == own].any(axis=0) for own in range(count)])
    np.fill_diagonal(wins, val=False)
    return Ranges(1 + wins.sum(axis=0), count - wins.sum(axis=1))
