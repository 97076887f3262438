"""``cranfield information``: RIC, joint information, information difference and information tau."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import click

from cranfield._text import counted, percent
from cranfield.cli._command import command_of_runs
from cranfield.cli._effects import refuse_without_effect
from cranfield.cli._options import (
    OPEN_TIES,
    file_options,
    limit_option,
    limit_rows,
    names_option,
    policy_options,
    refuse_limit,
    seed_option,
)
from cranfield.cli._output import prints_table
from cranfield.cli._runs_input import RunsInput, take_runs
from cranfield.cli._scores_input import ScoresInput, list_default_measures, scores_input
from cranfield.cli._topic_groups import split_runs_by_group
from cranfield.collection.policy import REWRITING
from cranfield.errors import UsageError
from cranfield.results.frames import unrolled
from cranfield.results.sheet import Sheet

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from cranfield.information.experiment import Experiment


POLICIES = ("ties", "missing", "compat", "on_duplicate", *REWRITING)
"""Policies that apply where labels are only compared."""


@dataclass(frozen=True)
class ExperimentInput:
    """The source of an experiment: runs, and judgments of several kinds."""

    runs: RunsInput
    preferences: Sequence[str]
    references: Sequence[str]
    options: dict[str, Any]
    """How pairs of documents are drawn and weighted."""

    def experiment(self) -> Experiment:
        """Read all files.

        Raises:
            InputError: a file is refused, or runs and judgments do not match.
        """
        from cranfield.information.experiment import prepare_experiment
        from cranfield.information.judgment_sources import Evidence, Source
        from cranfield.io.preferences import read_preferences
        from cranfield.io.trec import read_qrels, read_run

        runs, reading, judgments = self.runs.paths, self.runs.reading, self.runs.qrels
        if not self.preferences and not self.references:
            return prepare_experiment(runs, judgments, reading=reading, **self.options)
        sources: list[Source] = [
            read_qrels(judgments, **reading.of_files),
            *map(read_preferences, self.preferences),
            *(read_run(path, **reading.of_files) for path in self.references),
        ]
        evidence = Evidence(*sources, rel=reading.level)
        return prepare_experiment(runs, evidence, reading=replace(reading, rel=None), **self.options)


OPTIONS: tuple[Callable[[Any], Any], ...] = (
    names_option,
    file_options,
    functools.partial(policy_options, names=POLICIES, refused=tuple(OPEN_TIES)),
    click.option(
        "--reference-ranking",
        "references",
        multiple=True,
        metavar="RUN",
        help="Use a reference ranking as one more judge; repeat.",
    ),
    click.option(
        "--preferences",
        multiple=True,
        metavar="FILE",
        help="Use preference judgments as one more judge, lines `topic better worse`; repeat.",
    ),
    click.option(
        "--persistence",
        type=float,
        metavar="P",
        help="Probability that a user continues to the next rank, as in SRIC.  [default: users read the complete list]",
    ),
    click.option("-p", type=float, default=0.8, show_default=True, help="p of the geometric weight: p^(rank - 1)."),
    click.option(
        "--pair-weight",
        type=click.Choice(["uniform", "geometric"]),
        default="uniform",
        show_default=True,
        help="Weight pairs of documents equally, or by the better rank that a system gives to either document.",
    ),
    click.option("--cutoff", "-k", type=click.IntRange(1), help="Cut lists after this rank.  [default: none]"),
    click.option(
        "--rel",
        "-l",
        type=float,
        default=1,
        show_default=True,
        help="Cut lists after their last document with this label or a larger one.",
    ),
    click.argument("runs", metavar="RUN...", nargs=-1, required=True),
    click.argument("qrels", metavar="QRELS"),
)
"""Decorators for files and options, in reverse order."""


def experiment_input(command: Callable[..., Any]) -> Callable[..., Any]:
    """Pass ``QRELS RUN...`` and the options of reading to a command as one argument ``source``."""

    @functools.wraps(command)
    def wrapped(preferences: tuple[str, ...], references: tuple[str, ...], **options: Any) -> Any:
        if options["pair_weight"] == "uniform":
            refuse_without_effect(click.get_current_context(), ["p"], "without --pair-weight geometric")
        runs, remaining = take_runs(options)
        drawing = {name: remaining.pop(name) for name in ("cutoff", "pair_weight", "p", "persistence")}
        return command(source=ExperimentInput(runs, preferences, references, drawing), **remaining)

    for option in OPTIONS:
        wrapped = option(wrapped)
    return wrapped


estimator_option = click.option(
    "--estimator",
    type=click.Choice(["plug-in", "miller-madow", "shrinkage"]),
    default="plug-in",
    show_default=True,
    help="Estimate from raw frequencies, or with one of two bias corrections, which both correct too little.",
)


@command_of_runs(short_help="RIC: the information of each ranking about relevance.")
@experiment_input
@split_runs_by_group()
@click.option("--by-topic", "-q", is_flag=True, help="Print every topic, not only the summary.")
@estimator_option
@prints_table()
def ric(source: ExperimentInput, by_topic: bool, estimator: Any) -> Sheet:
    """Measure the information of each ranking about which of two documents is more relevant (RIC), in bits.

    SRIC is the information for a user who stops at a random rank, as a share of that of the ideal list. RIC, SRIC and
    their signed forms are means over topics. C, D and Z count, over all topics, pairs in the order of their labels,
    pairs against it, and pairs of which neither document is retrieved. A corrected estimator has no SRIC.
    """
    import pandas as pd

    from cranfield.evaluation import summarize
    from cranfield.information.ric import COUNTS, compute_ric

    experiment = source.experiment()
    scores = compute_ric(experiment, estimator=estimator)
    table = summarize(scores).rename_axis("system").reset_index()
    table = table.sort_values("RIC", ascending=False, kind="stable")
    if by_topic:
        rows = unrolled(scores.transpose("system", "topic"))
        table = pd.concat([rows, table.assign(topic="all")])[["system", "topic", *scores.data_vars]]
    if experiment.pair_weight == "uniform":
        table = table.astype(dict.fromkeys(COUNTS, "Int64"))
    caption = f"{counted(len(experiment.systems), 'system')}, {counted(len(experiment.topics), 'topic')}"
    signature = experiment.signature
    if estimator != "plug-in":
        caption, signature = f"{caption}; estimator={estimator}", signature | {"estimator": estimator}
    return Sheet.from_frame(table, caption, signature)


@command_of_runs(short_help="Joint RIC: the joint information of the systems about relevance.")
@experiment_input
@split_runs_by_group()
@click.option("--select", type=click.IntRange(1), metavar="N", help="Choose N systems that complement each other.")
@click.option(
    "--estimator",
    type=click.Choice(["logistic", "table", "miller-madow", "shrinkage"]),
    help="Estimate from the best weighted sum of the outcomes (logistic), from the table of joint outcomes (the "
    "paper's; overfits far more), or from the table with a correction.  [default: logistic; table with several judges]",
)
@click.option(
    "--permutations",
    type=click.IntRange(0),
    help="Permutations of the labels, for the null.  [default: 20; 2 for more than ten systems]",
)
@seed_option
@prints_table()
def joint(source: ExperimentInput, select: int | None, **options: Any) -> Sheet:
    """Measure the joint information of the systems about relevance (joint RIC), in bits, and compare it with chance.

    The row `all` has the information beyond chance, (joint - null) / (1 - null); what a weighted sum of the outcomes
    reaches on topics from which its weights were not learned; the joint RIC itself; and its null, with permuted labels.
    The row of a system has its own RIC, and what the joint RIC loses without the system. With --select, each row is a
    step of a greedy selection.
    """
    import pandas as pd

    from cranfield.information.joint import compute_joint_ric
    from cranfield.information.system_selection import select_systems

    experiment = source.experiment()
    if select is not None:
        chosen = select_systems(experiment, size=select, **options)
        table, settings = chosen.steps, chosen.settings
        caption = "each row: the joint RIC of its system and all above"
    else:
        joint_ric = compute_joint_ric(experiment, **options)
        table, settings = joint_ric.systems.reset_index(), joint_ric.settings
        all_systems = {
            "system": "all",
            "normalized": joint_ric.normalized,
            "reachable": joint_ric.reachable,
            "RIC": joint_ric.value,
            "null": joint_ric.null,
        }
        table = pd.concat([pd.DataFrame([all_systems]), table])[[*all_systems, "contribution"]]
        silent = float(joint_ric.topics["silent"].mean())
        caption = (
            "no topic has two labels, so there is no information about relevance"
            if math.isnan(silent)
            else f"in {percent(silent)} of the pairs, no system retrieves either document"
        )
    used = {name: settings[name] for name in options}
    used_text = ", ".join(f"{name}={value}" for name, value in used.items())
    sizes = f"{counted(len(experiment.systems), 'system')}, {counted(len(experiment.topics), 'topic')}"
    caption = f"{sizes}; {caption}\n{used_text}"
    sheet = Sheet.from_frame(table, caption, {**experiment.signature, **used})
    return replace(sheet, absent="none")


@command_of_runs(short_help="Information difference of every two systems, in bits.")
@experiment_input
@split_runs_by_group()
@click.option(
    "--families", type=float, metavar="BITS", help="Print groups of systems linked by differences below BITS."
)
@click.option("--map", "map_", is_flag=True, help="Print coordinates of a map of the systems.")
@estimator_option
@limit_option
@prints_table(by_format=True)
def difference(
    source: ExperimentInput,
    families: float | None,
    map_: bool,
    estimator: Any,
    limit: int | None,
    format_: str,
) -> Sheet:
    """Measure how far the information of every two systems about relevance differs, in bits.

    The closest pairs come first, such as runs of one system with other parameters. difference = only_system +
    only_other: information that one system has and the other lacks, from 0 bits (the same) to 2; shared: information
    that both have. What is near depends on the collection: compare with the other pairs.
    """
    import pandas as pd

    from cranfield.information.difference import compute_information_difference

    if families is not None and map_:
        raise UsageError("--families and --map are two tables: choose one")
    if families is not None or map_:
        refuse_limit(limit, "leave --families and --map out")
    if len(source.runs.paths) < 2:
        raise UsageError("a difference needs two runs or more")
    apart = compute_information_difference(source.experiment(), estimator=estimator)
    size = len(apart.ric)
    caption = counted(size, "system") + ("" if estimator == "plug-in" else f", estimator={estimator}")
    if families is not None:
        groups = apart.families(families)
        rows = [(number, name) for number, names in enumerate(groups, 1) for name in names]
        table = pd.DataFrame(rows, columns=["family", "system"])
        caption += f"; {counted(len(groups), 'family')} linked by differences below {families:g} bits"
    elif map_:
        table = apart.map().reset_index()
        caption += "; distances approximate information differences"
    else:
        pairs = apart.pairs()
        table, left_out = limit_rows(pairs, limit, format_, "the closest first")
        caption += f"; {left_out or counted(len(table), 'pair')}\n{_describe_scale(pairs)}"
    return Sheet.from_frame(table, caption, apart.signature)


def _describe_scale(pairs: pd.DataFrame) -> str:
    """Describe the unit of differences, and which of them are usual among these systems."""
    known = pairs["difference"].dropna()
    text = "differences in bits, from 0 (the same information) to 2"
    if len(known) < 2:
        return f"{text}; name more runs to see where this one stands among their pairs"
    low, middle, high = known.min(), known.median(), known.max()
    return f"{text}; of these pairs {low:.4f} to {high:.4f}, median {middle:.4f}"


@command_of_runs(short_help="Information tau of every two measures, in bits.")
@scores_input
@split_runs_by_group()
@click.option(
    "--given",
    "conditions",
    multiple=True,
    metavar="MEASURE",
    help="Also condition on this measure, and on all of them; repeat.",
)
@click.option(
    "--tie-policy",
    type=click.Choice(["drop", "ternary"]),
    default="drop",
    show_default=True,
    help="Tied pairs of systems: leave out, or count as a third outcome.",
)
@estimator_option
@click.option(
    "--tie-tol",
    type=click.FloatRange(0),
    default=0.0,
    show_default=True,
    help="Largest difference between tied values.",
)
@click.option("--level", type=float, default=0.95, show_default=True, help="Coverage of the intervals over topics.")
@click.option(
    "--resamples",
    type=click.IntRange(0),
    default=2000,
    show_default=True,
    help="Bootstrap samples of topics; 0 for no intervals.",
)
@click.option(
    "--null",
    "permutations",
    type=click.IntRange(200),
    metavar="N",
    help="Also print that of a random second order, its 95% point and p, from N >= 200 permutations.",
)
@limit_option
@seed_option
@prints_table(by_format=True)
def tau(
    scores: ScoresInput,
    conditions: tuple[str, ...],
    tie_policy: Any,
    permutations: int | None,
    limit: int | None,
    format_: str,
    **options: Any,
) -> Sheet:
    """Measure how much the order of systems by one measure says about that by another (information tau), in bits.

    With --given, information tau is conditional on other measures, over the same pairs of systems: those that none of
    the measures ties. It is computed topic by topic and averaged.
    """
    dataset, compared, fixed = _read_measures(scores, conditions)
    if len(compared) < 2:
        raise UsageError("information tau compares measures: name two or more with -m, or none")
    table = _tabulate(dataset, compared, fixed, permutations, options | {"ties": tie_policy})
    table, left_out = limit_rows(table, limit, format_, "in the order of their measures")
    sizes = f"{counted(dataset.sizes['system'], 'system')}, {counted(dataset.sizes['topic'], 'topic')}"
    drawn = f"{options['level']:.0%} intervals, {options['resamples']:,} resamples, seed {options['seed']}"
    caption = f"{sizes}; {drawn if options['resamples'] else 'no intervals'}, ties={tie_policy}"
    if options["estimator"] != "plug-in":
        caption += f", estimator={options['estimator']}"
    caption = f"{left_out}\n{caption}" if left_out else caption
    if permutations is not None:
        caption += f"; null: {permutations:,} random orders of the second measure on each topic"
    signature = {**json.loads(dataset.attrs["signature"]), "ties_of_values": tie_policy, **options}
    signature["permutations"] = permutations
    return Sheet.from_frame(table, caption, signature)


def _tabulate(
    scores: xr.Dataset, compared: list[str], fixed: list[str], permutations: int | None, options: dict[str, Any]
) -> pd.DataFrame:
    """Tabulate pairs of measures by condition, with the null where ``permutations`` are requested."""
    import pandas as pd

    from cranfield.information.tau import compute_information_tau, estimate_information_tau_null

    conditions = [(), *((name,) for name in fixed), *([tuple(fixed)] if len(fixed) > 1 else [])]
    universe = [scores[name] for name in fixed]
    rows = []
    for (measure, second), condition in product(combinations(compared, 2), conditions):
        orders = scores[measure], scores[second], [scores[name] for name in condition]
        estimate = compute_information_tau(*orders, universe=universe, **options)
        row: dict[str, Any] = {"measure": measure, "other": second, "given": ", ".join(condition)}
        row |= {"information_tau": estimate.value, "low": estimate.low, "high": estimate.high}
        row["topics"] = int(estimate.topics.notnull().sum())
        if permutations is not None:
            shared = {name: options[name] for name in ("ties", "tie_tol", "estimator", "seed")}
            chance = estimate_information_tau_null(*orders, universe=universe, permutations=permutations, **shared)
            row |= {"null": chance.null, "null_95": chance.null_95, "p": chance.p}
        rows.append(row)
    return pd.DataFrame(rows)


def _read_measures(scores: ScoresInput, conditions: tuple[str, ...]) -> tuple[xr.Dataset, list[str], list[str]]:
    """Read scores by all measures; return them, the names to compare, and the names to condition on."""
    from cranfield.scoring import read_measures

    if scores.files:
        names = [str(name) for name in scores.dataset().data_vars]
        fixed = [str(name) for name in replace(scores, measures=conditions).dataset([]).data_vars] if conditions else []
        wanted = replace(scores, measures=(*scores.measures, *conditions)) if scores.measures else scores
        return (
            wanted.fill_missing(wanted.read_files()),
            [name for name in names if scores.measures or name not in fixed],
            fixed,
        )
    compared = scores.measures or list_default_measures()
    names = [str(measure) for measure in read_measures(list(compared), scores.runs.reading.rel)]
    fixed = [str(measure) for measure in read_measures(list(conditions), scores.runs.reading.rel)] if conditions else []
    return replace(scores, measures=(*compared, *conditions)).dataset(), names, fixed


@click.group()
def information() -> None:
    """Measure the information of systems about relevance, alone and jointly, and of measures about each other."""


for _command in (ric, joint, difference, tau):
    information.add_command(_command)
