"""``board``: systems ranked by their scores on several tasks, and the ranks that each may have."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias, get_args

import numpy as np

from cranfield._message import setting
from cranfield._text import counted, every_one, join_first, quoted, warn
from cranfield._typing import Floats
from cranfield._validation import check_integer, list_names
from cranfield.boards.aggregation import (
    Aggregate,
    MissingCells,
    borda_points,
    find_constant,
    fitted_table,
    fitted_values,
    refuse_separate,
    standardize_tasks,
    strengths,
    task_weights,
)
from cranfield.boards.assembly import BoardTable, take_systems, take_tasks
from cranfield.boards.board_tables import EQUAL, list_adjacent, list_identical, list_pairs
from cranfield.boards.gaps import TaskScores, rank_with_gaps, score_fit, score_wins
from cranfield.boards.groups import average_groups, number_groups, read_groups, require_groups
from cranfield.boards.scales import find_unlike
from cranfield.boards.table import RowKind, compute_digest, read_board
from cranfield.boards.units import (
    LEAST_TASKS,
    MeanCovariance,
    Sampled,
    choose_of_one_task,
    covariance_from_errors,
    covariance_from_queries,
    refuse_few_tasks,
)
from cranfield.comparison.ranked_systems import RankedSystems
from cranfield.declarations.analysis import FromFiles, View, analysis
from cranfield.declarations.checks import GIVEN, UNSET, Rule
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import SeedOption
from cranfield.errors import InputError, UsageError
from cranfield.results.columns import Column
from cranfield.results.frames import tidy
from cranfield.results.result import Result, Tables, signed
from cranfield.statistics.rank_confidence_sets import Ranges, RankSets, compute_normal_rank_sets, rank_sets
from cranfield.statistics.resampling import is_exact
from cranfield.statistics.rounding import equalize

if TYPE_CHECKING:
    import pandas as pd

    from cranfield.scores.topic_groups import GroupsLike

FEW_TASKS = 20
"""Below, a fit to gaps errs in .08 to .09 of boards of equal systems where .05 is meant."""
ALLOWED: dict[str, tuple[str, ...]] = {
    "refuse": get_args(Aggregate),
    "complete": get_args(Aggregate),
    "fit": ("mean", "group-mean", "z"),
    "zero": ("borda",),
    "pairwise": ("wins",),
}
"""Treatments of missing cells -> the aggregations that they are for."""
MEANS = ("mean", "group-mean")
"""Aggregations that add scores of tasks as they are."""


@dataclass(frozen=True, eq=False, repr=False)
class Board(Result):
    """Systems by their value over tasks, with the ranks that each may have.

    Args:
        table: of each ``system`` (the index), best first.
        adjacent: of each ``rank``: the ``system`` there, the ``next`` one, whether it is ``separable`` from it, and
            whether the rank is a ``cut``: each system up to it is above each one below it.
        pairs: every pair, where queries are sampled; empty otherwise.
        pairs_separated: share of pairs of systems of which one is above the other.
        groups: the mean of each ``system`` (the index) over the tasks of each group, the columns, where groups are
            named; undefined where it lacks one of them.
        left_out: systems that are not ranked, since they lack cells.
        identical: groups of systems with the same score on every task.
        settings: the options; where queries are sampled also ``spread``: ``queries``, or ``errors``, which take systems
            as independent.
        signature: all that changes these numbers.
        ranked: the mean ranks with Friedman's and Nemenyi's tests, of ``mean-rank`` on complete scores.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "table": (
            Column("system"),
            Column("value", "over tasks"),
            Column("rank", "equal values share the smallest"),
            Column("low", "ranks that all systems together may have"),
            Column("high"),
            Column("marginal_low", "ranks of a single system that was chosen beforehand"),
            Column("marginal_high"),
            Column("tasks", "that the system has scores on"),
        ),
        "pairs": (
            Column("difference", "of their values"),
            Column("standard_error", "of the difference"),
            Column("df", "its degrees of freedom"),
            Column("p", "two-sided, not corrected for the number of pairs"),
        ),
    }
    table: pd.DataFrame
    adjacent: pd.DataFrame
    pairs: pd.DataFrame
    pairs_separated: float
    left_out: tuple[str, ...]
    identical: tuple[tuple[str, ...], ...]
    settings: dict[str, Any]
    signature: dict[str, Any]
    groups: pd.DataFrame | None = None
    ranked: RankedSystems | None = field(default=None, compare=False)

    @property
    def undrawn(self) -> tuple[str, ...]:
        """Mean ranks are drawn where systems are ranked by them."""
        return ("critical_difference",) if self.ranked is None else ()

    def _tables(self) -> Tables:
        tables = {"table": lambda: tidy(self.table), "adjacent": lambda: tidy(self.adjacent)}
        tables |= {"pairs": lambda: tidy(self.pairs)} if len(self.pairs) else {}
        return tables | ({} if self.groups is None else {"groups": lambda: tidy(self.groups)})

    def for_people(self, table: str, rows: pd.DataFrame) -> pd.DataFrame:
        """Without the number of tasks, where all systems have the same."""
        same = table == "table" and self.table["tasks"].nunique() == 1
        return rows.drop(columns="tasks") if same else rows

    def name_rows(self, table: str) -> str:
        """Systems, but for the table of pairs."""
        return "pairs" if table == "pairs" else "systems"

    def caption(self, table: str) -> str:
        """Who may be the best, and what the intervals are over."""
        from cranfield.boards.sentences import describe_board, describe_spread

        if table == "groups":
            return "means over the tasks of each group; --group NAME ranks by one of them, with intervals"
        if table != "pairs":
            return "\n".join(describe_board(self))
        pairs = counted(len(self.pairs), "pair")
        text = f"{self.settings['aggregate']}: {pairs}; p is two-sided, and not corrected for their number"
        return "\n".join([text, *describe_spread(self)])

    @property
    def cuts(self) -> list[int]:
        """Ranks k of which each of the first k systems is above each of the others."""
        return [int(rank) for rank in self.adjacent.index[self.adjacent["cut"]]]

    def among_best(self, count: int) -> list[str]:
        """Systems that may be among the ``count`` best: with the coverage asked for, all that are stand here.

        Args:
            count: at least 1.

        Raises:
            UsageError: it is less, or ranks were not estimated.
        """
        check_integer(1, count=count)
        if "low" not in self.table:
            raise UsageError("values_only=True leaves the ranks out")
        return list(self.table.index[self.table["low"] <= count])


TaskGroupsOption: TypeAlias = Annotated[
    "GroupsLike | None",
    Option("Lines of a task and its group, as MTEB's tasks.tsv, or FILE.csv#COLUMN.", metavar="FILE", recorded=False),
]


@analysis(
    "board",
    "Rank systems by their scores on several tasks, with rank intervals.",
    FromFiles("SCORES", read="cranfield.boards.table:read_board", reads=("rows", "tasks", "not_tasks", "add")),
    views=(
        View("ranks", "systems by rank.", pairs="by rank", table="table"),
        View(
            "pairs",
            "tests of two systems (--sampled queries).",
            pairs="in the order of the systems",
            unused=("marginal",),
            rules=(
                Rule({"sampled": "tasks"}, "tests of pairs are over queries: they need {sampled=queries}"),
                Rule({"values_only": True}, "{values_only} leaves the tests out, too: leave it out"),
            ),
        ),
        View(
            "groups",
            "means over --groups.",
            pairs="by rank",
            rules=(Rule({"groups": None}, "the table of groups needs {groups}"),),
        ),
    ),
    rules=(
        Rule(
            {
                "groups": GIVEN,
                "aggregate": ("mean", "borda", "mean-rank", "z", "wins"),
                "group": UNSET,
                "table": ("ranks", "pairs"),
            },
            "{groups} changes nothing of this table: it is for {aggregate=group-mean}, {group}, the table of groups, "
            "or a page",
        ),
        Rule({"group": GIVEN, "groups": None}, "{group} is one of {groups}: name their file"),
        Rule(
            {"standard_errors": GIVEN, "sampled": "tasks"},
            "{standard_errors} is for {sampled=queries}: with tasks, the spread of tasks holds it already",
        ),
        Rule(
            {"sampled": "queries", "aggregate": ("borda", "mean-rank", "z", "wins"), "values_only": False},
            "{sampled=queries} is for {aggregate=mean} and group-mean: no other is a mean of queries",
        ),
        *(
            Rule(
                {"values_only": True, name: GIVEN},
                f"{{values_only}} leaves the ranks out, which {{{name}}} is about: leave out one of them",
            )
            for name in ("sampled", "alpha", "marginal", "resamples", "seed", "standard_errors")
        ),
    ),
    examples=("mteb.csv --missing-cells complete", "scores.csv --aggregate borda,z -f csv -o board.csv"),
    guide="Rank systems by their scores on several tasks, with rank intervals.\n\nSCORES is a long table "
    "(system, task, score; perhaps query, error), a matrix whose first column is called model or task, HELM's "
    "groups/json/*.json, or a folder of MTEB's results or inspect_ai's logs in JSON.",
    each="aggregate",
    page="cranfield.reporting.board_page:write_board_page",
    formats=("latex", "markdown"),
)
def board(
    scores: Any,
    *,
    aggregate: Annotated[Aggregate, Option("How tasks become one value; several with commas.")] = "mean",
    groups: TaskGroupsOption = None,
    group: Annotated[str | Sequence[str], Option("Rank by the tasks of this group alone.", metavar="NAME")] = (),
    missing_cells: Annotated[
        MissingCells,
        Option(
            "Systems that lack a task: complete leaves them out; fit fills gaps (mean, group-mean, z); zero gives no "
            "points (borda), pairwise compares on shared tasks (wins)."
        ),
    ] = "refuse",
    sampled: Annotated[Sampled, Option("Intervals over tasks, or their queries.")] = "tasks",
    standard_errors: Annotated[Any, Option("For {sampled=queries}.", metavar="FILE", recorded=False)] = None,
    rows: Annotated[
        RowKind | None, Option("What rows of a matrix are.", default="as its first column says", recorded=False)
    ] = None,
    larger_is_better: Annotated[
        str | Sequence[str], Option("A task on which larger is better.", metavar="TASK", recorded=False)
    ] = (),
    smaller_is_better: Annotated[
        str | Sequence[str], Option("A task on which smaller is better.", metavar="TASK", recorded=False)
    ] = (),
    tasks: Annotated[
        str | Sequence[str], Option("What is a task, and nothing else.", metavar="NAME", recorded=False)
    ] = (),
    not_tasks: Annotated[str | Sequence[str], Option("What is not a task.", metavar="NAME", recorded=False)] = (),
    add: Annotated[Any, Option("Scores of new systems; says where they stand.", metavar="FILE", recorded=False)] = None,
    alpha: Annotated[float, Option("1 - coverage of the rank intervals.", low=0, high=1, open=True)] = 0.05,
    resamples: Annotated[int, Option("Sign flips, or normal samples.", low=1)] = 10_000,
    seed: SeedOption = 1,
    marginal: Annotated[bool, Option("Also ranks of each system by itself (slow).")] = False,
    values_only: Annotated[bool, Option("No rank intervals.")] = False,
    min_tasks: Annotated[
        int | None,
        Option("Leave out systems with fewer.", low=1, default="6; 1 for values, queries, or gaps as zero"),
    ] = None,
) -> Board:
    """Rank systems by their scores on several tasks, with the ranks that each may have.

    - ``mean``: over tasks. ``group-mean``: the mean of the groups' means.
    - ``borda``: N minus the rank on each task, summed (as MTEB); ``mean-rank``: minus the mean rank, the same order.
    - ``z``: the mean of (score - mean) / sd over tasks, mean and sd (n - 1) of the task over systems.
    - ``wins``: log strengths of Bradley and Terry from wins over tasks, less their mean.

    With ``sampled="tasks"`` the tasks are a sample of such tasks: ranks are confidence sets by sign flips of whole
    tasks, over all ordered pairs, step-down, and hold all true ranks together. What queries add to the noise of a
    task is in its score already. With ``sampled="queries"`` the tasks are these and no others, and the spread of
    their queries, or the error of each score, is what counts: signs of queries are flipped where a task has fewer than
    30, and values are normal otherwise, each pair by its own p.

    Columns that are summaries, ids, ranks, counts, sizes, errors or intervals are left out, with a warning, unless
    ``tasks`` are named. All 2^tasks sign flips are made where half of them are no more than ``resamples``.

    Args:
        scores: see ``read_board``: a file, a data frame, a mapping, an xarray, or a folder of MTEB's results.

    Raises:
        InputError: fewer than two systems or tasks, a cell twice, gaps that are refused, or systems without a common
            chain of tasks.
        UsageError: settings that do not go together.

    References:
        Mogstad, Romano, Shaikh & Wilhelm 2024, Inference for ranks with applications to mobility across neighbourhoods
        and academic achievement across countries. doi:10.1093/restud/rdad006
        Colombo et al. 2022, What are the best systems? New perspectives on NLP benchmarking. NeurIPS
        Muennighoff et al. 2023, MTEB: Massive text embedding benchmark. doi:10.18653/v1/2023.eacl-main.148

    >>> import cranfield
    >>> tasks = [f"task{n}" for n in range(1, 9)]
    >>> scores = {"a": dict.fromkeys(tasks, 0.9), "b": dict.fromkeys(tasks, 0.7), "c": dict.fromkeys(tasks, 0.5)}
    >>> cranfield.board(scores).to_frame()[["system", "value", "rank", "low", "high"]]
      system  value  rank  low  high
    0      a    0.9     1    1     1
    1      b    0.7     2    2     2
    2      c    0.5     3    3     3
    """
    _check(aggregate, missing_cells, has_groups=groups is not None)
    read = read_board(
        scores,
        rows=rows,
        standard_errors=standard_errors,
        larger_is_better=larger_is_better,
        smaller_is_better=smaller_is_better,
        tasks=tasks,
        not_tasks=not_tasks,
        add=add,
    )
    of_task = {} if groups is None else read_groups(read.tasks, groups)
    if chosen := require_groups(list_names(group=group), of_task):
        read = take_tasks(read, [at for at, task in enumerate(read.tasks) if of_task[task] in chosen])
    sampled, values_only = choose_of_one_task(read, aggregate, sampled, values_only=values_only)
    least = _least_tasks(sampled, missing_cells, values_only=values_only) if min_tasks is None else min_tasks
    if min_tasks is None and least == LEAST_TASKS:
        refuse_few_tasks(len(read.tasks), read.name, has_errors=read.standard_errors is not None or bool(read.queries))
    table, left_out = _without_few(read, least, missing_cells)
    names, codes = number_groups(table.tasks, of_task) if of_task else ([], None)
    weights = task_weights(codes if aggregate == "group-mean" else None, len(table.tasks))
    values, influence = _aggregate(table, aggregate, missing_cells, weights, with_table=not values_only)
    drawing = dict.fromkeys(("sampled", "resamples", "seed")) if values_only else {"sampled": sampled}
    settings = record_options(board, locals(), min_tasks=least, group=chosen, **drawing)
    settings |= read.describe_directions(list_names(larger_is_better=larger_is_better))
    unlike = []
    if aggregate in MEANS:
        named = bool(read.chosen.get("tasks"))
        unlike = find_unlike(table.scores, table.tasks, read.negated, read.name, named=named)
    settings |= {"other_units": unlike} if unlike else {}
    settings |= {"added": [name for name in read.systems if name in read.added]} if read.added else {}
    sets, covariance = None, None
    if not values_only:
        covariance = _covariance(table, weights) if sampled == "queries" else None
        sets = _rank_sets(values, influence, covariance, settings, marginal=marginal)
    inputs = _list_inputs(scores, read, has_errors=standard_errors is not None)
    if codes is not None:
        inputs["groups"] = {task: int(code) for task, code in zip(table.tasks, codes, strict=True)}
    result = _result(table, values, sets, covariance, left_out, settings, signed("board", settings, **inputs))
    if aggregate == "mean-rank" and not (values_only or np.isnan(table.scores).any()):
        result = replace(result, ranked=RankedSystems.of(table.systems, table.scores, alpha))
    return result if codes is None else replace(result, groups=average_groups(table, names, codes, result.table.index))


def _least_tasks(sampled: Sampled, missing_cells: MissingCells, *, values_only: bool) -> int:
    """The number of tasks that a system needs, where the caller names none."""
    return 1 if values_only or missing_cells == "zero" or sampled == "queries" else LEAST_TASKS


def _list_inputs(scores: Any, read: BoardTable, *, has_errors: bool) -> dict[str, Any]:
    """Return the entries of a board's signature on its inputs: scores, directions, columns chosen and errors."""
    inputs: dict[str, Any] = {"scores": _source(scores, read), "smaller_is_better": list(read.negated)}
    inputs |= {name: list(names) for name, names in read.chosen.items() if names}
    if has_errors:
        inputs["standard_errors"] = hashlib.sha256(np.ascontiguousarray(read.standard_errors).tobytes()).hexdigest()
    return inputs


def _source(scores: Any, read: BoardTable) -> Any:
    """The signature that scores in memory carry; otherwise the digest of what was read."""
    signature = getattr(scores, "attrs", {}).get("signature")
    if isinstance(signature, str):
        return json.loads(signature)
    return read.digest or compute_digest(read)


def _check(aggregate: Aggregate, missing_cells: MissingCells, *, has_groups: bool) -> None:
    if aggregate not in ALLOWED[missing_cells]:
        others = [name for name in ("pairwise", "fit", "zero", "complete") if aggregate in ALLOWED[name]]
        raise UsageError(
            f"{setting('missing_cells', missing_cells)} is for {every_one(ALLOWED[missing_cells])}; with {aggregate} "
            f"take {' or '.join(others)}"
        )
    if aggregate == "group-mean" and not has_groups:
        raise UsageError(f"group-mean needs groups: name them with {setting('groups')}, or take another")


def _without_few(table: BoardTable, least: int, missing_cells: MissingCells) -> tuple[BoardTable, tuple[str, ...]]:
    """The systems that are ranked, and the names of the others.

    Raises:
        InputError: gaps, where they are refused; fewer than two systems or tasks.
    """
    has = ~np.isnan(table.scores)
    kept = has.sum(axis=0) >= least
    if missing_cells == "complete":
        kept &= has.all(axis=0)
    left_out = tuple(name for name, keep in zip(table.systems, kept, strict=True) if not keep)
    chosen = take_systems(table, np.flatnonzero(kept).tolist())
    systems = chosen.systems
    if len(systems) < 2:
        text = f"a board needs two systems and a task: there are {counted(len(systems), 'system')} and "
        text += counted(len(table.tasks), "task")
        text += f" ({counted(len(left_out), 'system')} left out for want of scores)" if left_out else ""
        raise InputError(text, table.name, code="too-few")
    gaps = np.isnan(chosen.scores)
    if missing_cells == "refuse" and gaps.any():
        task, system = (int(at) for at in np.argwhere(gaps)[0])
        lacking = int(gaps.any(axis=0).sum())
        text = (
            f"{counted(lacking, 'system')} of {len(systems)} {'lacks' if lacking == 1 else 'lack'} scores (first: "
            f"{quoted(systems[system])} on {quoted(table.tasks[task])}): rank those with all tasks "
            f"({setting('missing_cells', 'complete')}), compare pairs on the tasks they share ("
            f"{setting('aggregate', 'wins')} with {setting('missing_cells', 'pairwise')}), or fill gaps by system + "
            f"task ({setting('missing_cells', 'fit')})"
        )
        raise InputError(text, table.name, code="missing-scores")
    is_constant = find_constant(np.apply_along_axis(equalize, 1, chosen.scores))
    constant = [quoted(task) for task, equal in zip(table.tasks, is_constant, strict=True) if equal]
    if constant:
        warn(f"all systems are equal on {join_first(constant, 3)}: nothing is learned there")
    return chosen, left_out


def _aggregate(
    table: BoardTable, aggregate: Aggregate, missing_cells: MissingCells, weights: Floats, *, with_table: bool
) -> tuple[Floats, Floats | TaskScores]:
    """The value of each system, [N], and the table whose column means have its spread, [T, N]; or what tasks say."""
    scores, tasks, has_gaps = table.scores, len(table.tasks), bool(np.isnan(table.scores).any())
    if aggregate not in MEANS:
        # Rounding must not decide who wins.
        scores = np.apply_along_axis(equalize, 1, scores)
    few = False
    if missing_cells in ("fit", "pairwise") and has_gaps:
        refuse_separate(scores, table.systems)
        few = with_table and _warn_of_few_own_tasks(table, aggregate)
    if aggregate == "wins" and few:
        found = score_wins(scores)
        return found.values, found
    if aggregate == "wins":
        theta, pseudo = strengths(scores)
        return theta - theta.mean(), pseudo
    if aggregate in ("borda", "mean-rank"):
        points = borda_points(scores)
        if missing_cells == "zero" and has_gaps:
            warn("a missing task counts as worse than last: systems with gaps fall below systems that they beat")
        return points.sum(axis=0) if aggregate == "borda" else points.mean(axis=0) - len(table.systems), points
    scaled = standardize_tasks(scores) if aggregate == "z" else scores
    if missing_cells != "fit" or not has_gaps:
        return scaled.T @ weights, scaled * (tasks * weights)[:, None]
    if few and aggregate != "group-mean":
        return fitted_values(scaled, weights), score_fit(scaled)
    if tasks < FEW_TASKS and with_table:
        warn(f"{tasks} tasks: gaps that are filled make ranks too certain below {FEW_TASKS} tasks (.08 to .09 for .05)")
    pseudo = fitted_table(scaled, weights, table.tasks) if with_table else scaled
    return fitted_values(scaled, weights), pseudo


def _warn_of_few_own_tasks(table: BoardTable, aggregate: Aggregate) -> bool:
    """Warn of systems with fewer tasks than a test by sign flips needs, where others fill or bridge their gaps.

    Returns:
        Whether there are any.
    """
    counts = (~np.isnan(table.scores)).sum(axis=0)
    few = np.flatnonzero(counts < LEAST_TASKS)
    if not len(few):
        return False
    first = f"{quoted(table.systems[few[0]])} has {counted(int(counts[few[0]]), 'task')}"
    more = f" and {len(few) - 1} more" if len(few) > 1 else ""
    fewer = f"systems with fewer than {LEAST_TASKS} tasks"
    text = f"{fewer} are not separated from others"
    if aggregate == "group-mean":
        text = f"ranks of {fewer} are too certain (errors of up to .24 for .05)"
    warn(f"{first}{more}: {text}; {setting('min_tasks')} can leave them out")
    return True


def _rank_sets(
    values: Floats,
    influence: Floats | TaskScores,
    covariance: MeanCovariance | None,
    settings: dict[str, Any],
    *,
    marginal: bool,
) -> RankSets:
    """Confidence sets over tasks, or over queries where there is a covariance; ``settings`` get what was used."""
    if covariance is None:
        return _ranks_over_tasks(influence, settings, marginal=marginal)
    settings["spread"] = "errors" if covariance.queries is None else "queries"
    return _ranks_over_queries(values, covariance, settings, marginal=marginal)


def _ranks_over_tasks(influence: Floats | TaskScores, settings: dict[str, Any], *, marginal: bool) -> RankSets:
    """Confidence sets by sign flips of tasks; where all flips are made, ``settings`` get their number and no seed.

    Raises:
        InputError: fewer than six tasks.
    """
    tasks = len(influence.seen if isinstance(influence, TaskScores) else influence)
    refuse_few_tasks(tasks, "the board")
    alpha, resamples, seed = (settings[name] for name in ("alpha", "resamples", "seed"))
    if isinstance(influence, TaskScores):
        sets = rank_with_gaps(influence, alpha, resamples, seed, marginal=marginal)
    else:
        drawn: dict[str, Any] = {"resamples": resamples, "rng": np.random.default_rng(seed), "marginal": marginal}
        sets = rank_sets(influence, alpha, method="flips", **drawn)
    if 2**tasks <= 2 * settings["resamples"]:
        settings |= {"resamples": 1 << tasks, "seed": None}
    return sets


def _ranks_over_queries(
    values: Floats, covariance: MeanCovariance, settings: dict[str, Any], *, marginal: bool
) -> RankSets:
    """Confidence sets by signs of queries where a task has few, or by normal samples; no pair beyond its own p."""
    p = covariance.pair_tests(values)[2]
    alpha, resamples = settings["alpha"], settings["resamples"]
    drawn: dict[str, Any] = {"rng": np.random.default_rng(settings["seed"]), "resamples": resamples}
    drawn["marginal"] = marginal
    if covariance.few and covariance.rows is not None:
        sets = rank_sets(covariance.rows, alpha, method="flips", **drawn)
        if is_exact(len(covariance.rows), resamples):
            settings |= {"resamples": 1 << len(covariance.rows), "seed": None}
    else:
        sets = compute_normal_rank_sets(values, covariance.covariance, alpha, p=p, **drawn)
    above = sets.above & ~np.isnan(p) & (np.nan_to_num(p) <= alpha)
    together = Ranges(1 + above.sum(axis=0), len(values) - above.sum(axis=1))
    return RankSets(together, sets.marginal, above)


def _covariance(table: BoardTable, weights: Floats) -> MeanCovariance:
    if table.queries:
        if table.standard_errors is not None:
            warn("both queries and standard errors are there: queries are taken, which are paired")
        return covariance_from_queries(table, weights)
    if table.standard_errors is None:
        text = f"{setting('sampled', 'queries')} needs a column query, or standard errors: there are none"
        raise InputError(text, table.name, code="layout")
    return covariance_from_errors(table, weights)


def _result(
    table: BoardTable,
    values: Floats,
    sets: RankSets | None,
    covariance: MeanCovariance | None,
    left_out: tuple[str, ...],
    settings: dict[str, Any],
    signature: dict[str, Any],
) -> Board:
    import pandas as pd

    slack = EQUAL * max(1.0, float(np.abs(values).max()))
    rank = 1 + len(values) - np.searchsorted(np.sort(values), values + slack, side="right")
    order = sorted(range(len(values)), key=lambda at: (int(rank[at]), table.systems[at]))
    columns: dict[str, Any] = {"value": values, "rank": rank}
    if sets is not None:
        columns |= {"low": sets.simultaneous.low, "high": sets.simultaneous.high}
        if sets.marginal is not None:
            columns |= {"marginal_low": sets.marginal.low, "marginal_high": sets.marginal.high}
    columns["tasks"] = (~np.isnan(table.scores)).sum(axis=0)
    names = [table.systems[at] for at in order]
    index = pd.Index(names, name="system", dtype=object)
    frame = pd.DataFrame({name: column[order] for name, column in columns.items()}, index=index)
    above = None if sets is None else sets.above[np.ix_(order, order)]
    count = len(names)
    separated = float(above.sum() / (count * (count - 1) / 2)) if above is not None else float("nan")
    return Board(
        frame,
        list_adjacent(names, above),
        list_pairs(table.systems, values, covariance),
        separated,
        left_out,
        list_identical(table),
        settings,
        signature,
    )
