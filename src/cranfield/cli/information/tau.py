"""``cranfield information tau``: how much of the agreement of two measures is left once others are known."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import click

from cranfield._text import counted
from cranfield.cli.command import command_of_runs
from cranfield.cli.information.estimator_option import estimator_option
from cranfield.cli.limit import limit_option
from cranfield.cli.options import format_option, output_option, seed_option
from cranfield.cli.scores_option import ScoresInput, effectiveness_of_default, scores_input
from cranfield.cli.topic_groups import by_groups_of_topics
from cranfield.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from cranfield._text import Said


@command_of_runs(short_help="Information tau of every two measures, in bits.")
@scores_input
@by_groups_of_topics()
@click.option(
    "--given", multiple=True, metavar="MEASURE", help="What is known: nothing, this, and all of them; repeat."
)
@click.option(
    "--tie-policy",
    type=click.Choice(["drop", "ternary"]),
    default="drop",
    show_default=True,
    help="Pairs of systems that a measure ties: left out, or an outcome of their own.",
)
@estimator_option
@click.option("--tie-tol", type=click.FloatRange(0), default=0.0, show_default=True, help="Values this close are tied.")
@click.option("--level", type=float, default=0.95, show_default=True, help="Coverage of the intervals over topics.")
@click.option(
    "--resamples",
    type=click.IntRange(0),
    default=2000,
    show_default=True,
    help="Bootstrap resamples of the topics; 0 for no intervals.",
)
@click.option(
    "--null",
    "permutations",
    type=click.IntRange(200),
    metavar="N",
    help="Also tau where the second order is random, its 95% point and p, from N permutations, 200 or more.",
)
@limit_option
@seed_option
@format_option()
@output_option
def tau(
    scores: ScoresInput,
    given: tuple[str, ...],
    tie_policy: Any,
    permutations: int | None,
    limit: int | None,
    format_: str,
    output: str | None,
    **options: Any,
) -> None:
    """Information tau of every two measures, in bits: how much one order of systems says about the other.

    With --given, what is left of it once other measures are known, over the same pairs of systems: those that none of
    the measures ties. Topic by topic, then averaged.
    """
    from cranfield.cli.limit import limited
    from cranfield.cli.streams import check_place, present, warnings_to_stderr
    from cranfield.results.sheet import Sheet

    check_place(output)
    with warnings_to_stderr() as gathered:
        dataset, asked, fixed = _measures(scores, given, gathered)
        if len(asked) < 2:
            raise UsageError("information tau compares measures: name two or more with -m, or none")
        table = _table(dataset, asked, fixed, permutations, options | {"ties": tie_policy})
    table, left_out = limited(table, limit, format_, "in the order of their measures")
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
    present(Sheet.of_frame(table, caption, signature), format_, output)


def _table(
    scores: xr.Dataset, asked: list[str], fixed: list[str], permutations: int | None, options: dict[str, Any]
) -> pd.DataFrame:
    """One row a pair of measures and condition; with what chance gives, where ``permutations`` are asked for."""
    import pandas as pd

    from cranfield.information.tau import compute_information_tau
    from cranfield.information.tau_null import estimate_information_tau_null

    conditions = [(), *((name,) for name in fixed), *([tuple(fixed)] if len(fixed) > 1 else [])]
    universe = [scores[name] for name in fixed]
    rows = []
    for (measure, other), condition in product(combinations(asked, 2), conditions):
        orders = scores[measure], scores[other], [scores[name] for name in condition]
        estimate = compute_information_tau(*orders, universe=universe, **options)
        row: dict[str, Any] = {"measure": measure, "other": other, "given": ", ".join(condition)}
        row |= {"tau": estimate.value, "low": estimate.low, "high": estimate.high}
        row["topics"] = int(estimate.topics.notnull().sum())
        if permutations is not None:
            how = {name: options[name] for name in ("ties", "tie_tol", "estimator", "seed")}
            chance = estimate_information_tau_null(*orders, universe=universe, permutations=permutations, **how)
            row |= {"null": chance.null, "null_95": chance.null_95, "p": chance.p}
        rows.append(row)
    return pd.DataFrame(rows)


def _measures(
    scores: ScoresInput, given: tuple[str, ...], gathered: list[Said]
) -> tuple[xr.Dataset, list[str], list[str]]:
    """Scores by all measures, the names of those to compare, and of those that are given."""
    from cranfield.scoring import measures_of

    if scores.files:
        asked = [str(name) for name in scores.dataset(gathered).data_vars]
        fixed = [str(name) for name in replace(scores, measures=given).dataset([]).data_vars] if given else []
        whole = replace(scores, measures=(*scores.measures, *given)) if scores.measures else scores
        return whole.filled(whole.held()), [name for name in asked if scores.measures or name not in fixed], fixed
    compared = scores.measures or effectiveness_of_default()
    asked = [str(measure) for measure in measures_of(list(compared), scores.rel)]
    fixed = [str(measure) for measure in measures_of(list(given), scores.rel)] if given else []
    return replace(scores, measures=(*compared, *given)).dataset(gathered), asked, fixed
