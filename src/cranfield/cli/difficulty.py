"""``cranfield difficulty``: which topics are hard for these systems."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from cranfield._text import counted
from cranfield.cli._command import command_of_runs
from cranfield.cli._completion import complete_measures
from cranfield.cli._effects import refuse_without_effect
from cranfield.cli._options import file_options, names_option, policy_options
from cranfield.cli._output import add_remarks, prints_table, show_progress
from cranfield.cli._runs_input import RunsInput, runs_arguments, runs_input
from cranfield.cli._topic_groups import split_runs_by_group
from cranfield.collection.policy import REWRITING, Unjudged
from cranfield.errors import InputError, UsageError
from cranfield.results.sheet import Cell, Sheet

if TYPE_CHECKING:
    from cranfield.measures import Measure
    from cranfield.scoring import Evaluation
    from cranfield.topic_difficulty.ease import EaseTable

SIGNS_OF_HARDNESS = ("aslam_pavlu",)
"""Estimates that are larger for harder topics."""


def _policy_options(command: Any) -> Any:
    return policy_options(command, ("ties", "missing", "unjudged", "on_duplicate", *REWRITING), refused=("bounds",))


@command_of_runs(unset_by_protocol=("measures",))
@runs_arguments
@click.option("--cutoff", "-k", type=click.IntRange(1), default=20, show_default=True, help="Cutoff of NDCG_std.")
@click.option(
    "--depth",
    type=click.IntRange(1),
    help="Pool the judged documents in these first ranks of the runs, instead of all judged documents.",
)
@click.option(
    "--baseline", metavar="NAME", help="Add the share of systems above this one, and ease for a system of its ability."
)
@click.option("--by-system", is_flag=True, help="Add a column for NDCG_std of each system.")
@click.option(
    "--alternatives", is_flag=True, help="Add columns for earlier estimates of difficulty, from AP and from the runs."
)
@click.option(
    "--score-alternatives",
    is_flag=True,
    help="Instead, compare earlier difficulty estimates with ease (sMARE).",
)
@click.option("--rel", "-l", type=float, default=1, show_default=True, help="Smallest relevant label, for AP.")
@click.option(
    "--measure",
    "-m",
    "measures",
    multiple=True,
    metavar="MEASURE",
    shell_complete=complete_measures,
    help="Instead, print systems with their mean of this measure, plain and weighted by difficulty; repeat for more.",
)
@split_runs_by_group()
@_policy_options
@file_options
@names_option
@prints_table(by_format=True)
@runs_input
def difficulty(
    runs: RunsInput,
    cutoff: int,
    depth: int | None,
    baseline: str | None,
    by_system: bool,
    alternatives: bool,
    score_alternatives: bool,
    measures: tuple[str, ...],
    format_: str,
) -> Sheet:
    """Print how hard each topic is: the share of systems that beat a random order of its judged documents.

    ease is 1 where all of them do (easiest) and 0 where none does. mean is the mean label of the judged documents,
    random the expected nDCG of their random order. --unjudged applies to NDCG_std alone, here and with --measure;
    other measures take it as a parameter.

    With --baseline, above_baseline is the share of the other systems above NAME, and anchored_ease the probability that
    a system as good as NAME beats chance, from a model of topics and systems: comparable where NAME is the same.

    --score-alternatives prints sMARE, the mean distance between a topic's ranks by an estimate and by ease, divided by
    the number of topics: 0 for the same order, about 1/3 for a random one, 1/2 for the reverse. Estimates
    that rise with difficulty are negated. Topics without ease are left out.
    """
    from cranfield.scoring import read_measures
    from cranfield.topic_difficulty import earlier_estimates as earlier
    from cranfield.topic_difficulty.estimation import judged_ease, signature

    if baseline is not None and (measures or score_alternatives):
        raise UsageError("--baseline is about topics; --measure prints systems, --score-alternatives estimates")
    if not (alternatives or score_alternatives):
        refuse_without_effect(click.get_current_context(), ["rel"], "without --alternatives or --score-alternatives")
    alternatives = _needs_alternatives(bool(measures), score_alternatives, alternatives, by_system)
    requested = read_measures(measures) if measures else ()
    settings = cutoff, runs.reading.policy.unjudged, depth
    rel = runs.reading.rel  # for the earlier estimates alone
    reading = replace(runs.reading, unjudged="zero", rel=rel if alternatives else None)
    sources = earlier.read_once(runs.paths, runs.qrels, reading) if alternatives else runs.paths
    with show_progress("reading runs", len(runs.paths)) as progress:
        table, scores = judged_ease(
            sources, runs.qrels, *settings, measures=requested, progress=progress, reading=reading
        )
    add_remarks(scores.remarks)
    more = _compare_with_baseline(table, baseline) if baseline is not None else {}
    more |= earlier.alternatives(sources, runs.qrels, cutoff, reading)[0] if alternatives else {}
    signed = signature(scores, *settings, baseline) | ({"alternatives": {"rel": rel}} if alternatives else {})
    if score_alternatives:
        shown = _tabulate_estimates(table, more)
    elif requested:
        shown = _tabulate_systems(table, scores, requested)
    else:
        shown = _tabulate_topics(table, more, by_system, format_ == "table")
    caption = _write_caption(table, scores, *settings[1:])
    return Sheet(*shown, caption if baseline is None else f"{caption}; baseline {baseline}", signed)


def _needs_alternatives(select_systems: bool, of_estimates: bool, alternatives: bool, by_system: bool) -> bool:
    """Return whether the earlier estimates are needed."""
    if select_systems and (alternatives or by_system or of_estimates):
        raise UsageError("--measure prints systems; --alternatives and --by-system are about topics")
    if of_estimates and (alternatives or by_system):
        raise UsageError("--score-alternatives prints estimates; --alternatives and --by-system are about topics")
    return alternatives or of_estimates


def _compare_with_baseline(table: EaseTable, baseline: str) -> dict[str, Any]:
    """Return the columns that refer to a baseline."""
    from cranfield.topic_difficulty.baseline import ease_against

    against = ease_against(table.scores, table.systems, baseline)
    return {"above_baseline": against.above, "anchored_ease": against.anchored}


def _tabulate_estimates(table: EaseTable, more: dict[str, Any]) -> tuple[list[str], list[list[Cell]]]:
    """Tabulate the numeric estimates, the best first."""
    import numpy as np

    from cranfield.topic_difficulty.prediction_error import STATISTICS, statistics

    rows: list[list[Cell]] = []
    for name, values in more.items():
        if not isinstance(values, list):
            easier = -values if name in SIGNS_OF_HARDNESS else values
            both = ~np.isnan(table.ease) & ~np.isnan(easier)
            if both.sum() < 2:
                have = counted(int(both.sum()), "topic")
                raise InputError(f"{name} and ease have {have} in common: ranks need two or more", code="too-few")
            errors = statistics(easier[both], table.ease[both])
            rows.append([f"-{name}" if name in SIGNS_OF_HARDNESS else name, *errors.values(), int(both.sum())])
    return ["estimate", *STATISTICS, "topics"], sorted(rows, key=lambda row: row[1])


def _tabulate_topics(
    table: EaseTable, more: dict[str, Any], by_system: bool, easiest_first: bool
) -> tuple[list[str], list[list[Cell]]]:
    """Tabulate topics, in the order of the qrels or by ease."""
    import numpy as np

    columns = ["topic", "ease", "class", "judged", "mean", "random"]
    facts: list[Any] = [
        table.topics,
        table.ease.tolist(),
        table.classes,
        table.judged.tolist(),
        table.pool_mean.tolist(),
        table.random_ndcg.tolist(),
    ]
    for name, values in more.items():
        columns.append(name)
        facts.append(values if isinstance(values, list) else values.tolist())
    if by_system:
        columns += [f"{table.measure} {system}" for system in table.systems]
        facts += table.scores.T.tolist()
    rows = [list(row) for row in zip(*facts, strict=True)]
    order = (
        np.argsort(-np.nan_to_num(table.ease, nan=-1), kind="stable").tolist() if easiest_first else range(len(rows))
    )
    return columns, [rows[topic] for topic in order]


def _tabulate_systems(
    table: EaseTable, scores: Evaluation, requested: tuple[Measure, ...]
) -> tuple[list[str], list[list[Cell]]]:
    """Tabulate systems by measure."""
    from cranfield.topic_difficulty.weighting import both_means

    rows: list[list[Cell]] = []
    for number, system in enumerate(scores.systems):
        for measure in requested:
            block = scores.values[scores.measures.index(measure)].T[number : number + 1]
            plain, weighted = both_means(str(measure), measure.declaration.summary, block, table.ease)
            rows.append([system, str(measure), float(plain[0]), float(weighted[0])])
    return ["system", "measure", "mean", "weighted_mean"], rows


def _write_caption(table: EaseTable, scores: Evaluation, unjudged: Unjudged, depth: int | None) -> str:
    import numpy as np

    from cranfield._text import counted, shown
    from cranfield.topic_difficulty.ease import CLASSES, qualify_ease

    systems, topics = counted(len(table.systems), "system"), counted(len(table.topics), "topic")
    eases = table.ease[~np.isnan(table.ease)]
    mean = f"mean ease {eases.mean():.4f}" if len(eases) else "no topic has an ease"
    classes = ", ".join(f"{table.classes.count(name):,} {name}" for name in reversed(CLASSES))
    policy = [f"ties={scores.policy.ties}", f"unjudged={unjudged}"]
    policy += [f"missing={scores.policy.missing}"] if scores.policy.missing != "empty" else []
    policy += [] if depth is None else [f"depth={depth}"]
    left = len(table.ease) - len(eases)
    basis = f"{systems}, {topics} of {shown(scores.qrels.name, 200)}; {table.measure}, {', '.join(policy)}"
    caution = qualify_ease(table.random_ndcg, unjudged)
    return f"{basis}; {mean}: {classes}" + (f"; {left:,} without ease" if left else "") + f"; {caution}" * bool(caution)
