"""``cranfield information tau``: how much of the agreement of two measures is left once others are known."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli.limit import limit_option
from cranfield.cli.options import format_option, output_option, seed_option
from cranfield.cli.scores_option import ScoresInput, effectiveness_of_default, scores_input
from cranfield.errors import UsageError
from cranfield.wording import counted

if TYPE_CHECKING:
    import xarray as xr

    from cranfield.wording import Said


@click.command(short_help="Information tau of every two measures, in bits.")
@scores_input
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
    import pandas as pd

    from cranfield.cli.limit import limited
    from cranfield.cli.streams import check_place, emit, warnings_to_stderr
    from cranfield.information.tau import compute_information_tau
    from cranfield.results.sheet import Sheet

    check_place(output)
    with warnings_to_stderr() as gathered:
        dataset, asked, fixed = _measures(scores, given, gathered)
        if len(asked) < 2:
            raise UsageError("information tau compares measures: name two or more with -m, or none")
        conditions = [(), *((name,) for name in fixed), *([tuple(fixed)] if len(fixed) > 1 else [])]
        universe = [dataset[name] for name in fixed]
        rows = []
        for measure, other in combinations(asked, 2):
            for condition in conditions:
                estimate = compute_information_tau(
                    dataset[measure],
                    dataset[other],
                    [dataset[name] for name in condition],
                    universe=universe,
                    ties=tie_policy,
                    **options,
                )
                topics = int(estimate.topics.notnull().sum())
                row = measure, other, ", ".join(condition), estimate.value, estimate.low, estimate.high, topics
                if permutations is not None:
                    how = {"ties": tie_policy, "tie_tol": options["tie_tol"], "seed": options["seed"]}
                    row += _by_chance(dataset, measure, other, condition, universe, permutations, how)
                rows.append(row)
    chance = () if permutations is None else ("null", "null_95", "p")
    table = pd.DataFrame(rows, columns=["measure", "other", "given", "tau", "low", "high", "topics", *chance])
    table, left_out = limited(table, limit, format_, "in the order of their measures")
    sizes = f"{counted(dataset.sizes['system'], 'system')}, {counted(dataset.sizes['topic'], 'topic')}"
    drawn = f"{options['level']:.0%} intervals, {options['resamples']:,} resamples, seed {options['seed']}"
    caption = f"{sizes}; {drawn if options['resamples'] else 'no intervals'}, ties={tie_policy}"
    caption = f"{left_out}\n{caption}" if left_out else caption
    if permutations is not None:
        caption += f"; null: {permutations:,} random orders of the second measure on each topic"
    signature = {**json.loads(dataset.attrs["signature"]), "ties_of_values": tie_policy, **options}
    signature["permutations"] = permutations
    emit(Sheet.of_frame(table, caption, signature).text(format_, plain=output is not None), output)


def _by_chance(
    scores: xr.Dataset,
    measure: str,
    other: str,
    condition: tuple[str, ...],
    universe: list[xr.DataArray],
    permutations: int,
    how: dict[str, Any],
) -> tuple[float, float, float]:
    """Mean and 95 % point of tau where the second order is random, and p."""
    from cranfield.information.tau_null import estimate_information_tau_null

    known = [scores[name] for name in condition]
    chance = estimate_information_tau_null(
        scores[measure], scores[other], known, universe=universe, permutations=permutations, **how
    )
    return chance.null, chance.null_95, chance.p


def _measures(
    scores: ScoresInput, given: tuple[str, ...], gathered: list[Said]
) -> tuple[xr.Dataset, list[str], list[str]]:
    """Scores by all measures, the names of those to compare, and of those that are given."""
    from cranfield.scoring import measures_of

    if scores.files:
        asked = [str(name) for name in scores.dataset(gathered).data_vars]
        fixed = [str(name) for name in replace(scores, measures=given).dataset([]).data_vars] if given else []
        whole = replace(scores, measures=(*scores.measures, *given)) if scores.measures else scores
        return whole.held(), [name for name in asked if scores.measures or name not in fixed], fixed
    compared = scores.measures or effectiveness_of_default()
    asked = [str(measure) for measure in measures_of(list(compared), scores.rel)]
    fixed = [str(measure) for measure in measures_of(list(given), scores.rel)] if given else []
    return replace(scores, measures=(*compared, *given)).dataset(gathered), asked, fixed
