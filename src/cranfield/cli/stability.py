"""``cranfield stability``: how often fewer topics would lead to another conclusion."""

from __future__ import annotations

from typing import Any

import click

from cranfield.cli._command import command_of_runs
from cranfield.cli._options import (
    cluster_option,
    describe_units,
    seed_option,
    topic_clusters_options,
)
from cranfield.cli._output import prints_table
from cranfield.cli._scores_input import ScoresInput, ndcg_input
from cranfield.cli._topic_groups import split_scores_by_group
from cranfield.results.sheet import Sheet


@command_of_runs()
@ndcg_input
@split_scores_by_group(["nDCG@10"])
@click.option("--topics", "-n", "sizes", multiple=True, type=click.IntRange(1), help="A number of topics; repeat.")
@click.option("--subsets", type=click.IntRange(2), default=200, show_default=True, help="Random subsets of each size.")
@click.option(
    "--fuzziness", type=float, default=0.05, show_default=True, help="Largest relative difference that counts as a tie."
)
@click.option(
    "--unit",
    type=click.Choice(["subset", "topic"]),
    default="subset",
    show_default=True,
    help="Count decisions by subset, or by topic within a subset.",
)
@click.option("--disjoint", is_flag=True, help="Compare two subsets without a common topic (swap rate).")
@topic_clusters_options
@cluster_option
@seed_option
@prints_table()
def stability(
    scores: ScoresInput,
    sizes: tuple[int, ...],
    subsets: int,
    fuzziness: float,
    unit: str,
    disjoint: bool,
    cluster: str | None,
    seed: int,
    **clusters: Any,
) -> Sheet:
    """Print error and tie rates of Buckley and Voorhees by number of topics, with Monte Carlo errors.

    overlap is the mean share of topics that a subset has in common with another. Subsets that share topics agree by
    construction, so trust the rates up to an overlap of 0.5.
    """
    import pandas as pd

    from cranfield.trust.stability import estimate_stability as study

    tables, results = [], []
    dataset = scores.dataset(["nDCG@10"])
    for name in dataset.data_vars:
        array = dataset[name].assign_attrs(dataset.attrs | dataset[name].attrs)
        estimate = study(
            array,
            topics=sizes or None,
            subsets=subsets,
            fuzziness=fuzziness,
            unit=unit,  # type: ignore[arg-type]
            disjoint=disjoint,
            seed=seed,
            cluster=cluster,
            **clusters,
        )
        rates = estimate.rates.reset_index()
        rates.insert(0, "measure", estimate.measure)
        tables.append(rates)
        results.append(estimate)
    signature = results[0].signature | {"measure": [estimate.measure for estimate in results]}
    units = describe_units(results[0].settings)
    caption = f"{units}{subsets:,} subsets of each size, fuzziness {fuzziness:g}, unit={unit}, seed {seed}"
    return Sheet.from_frame(pd.concat(tables), caption, signature)
