"""``cranfield audit reliability``: whether other topics would order the systems in the same way."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any

import click

from cranfield._text import shown
from cranfield.cli._command import command_of_runs
from cranfield.cli._effects import refuse_for_table
from cranfield.cli._options import replicates_option, seed_option, topic_clusters_option
from cranfield.cli._output import prints_table
from cranfield.cli._scores_input import MISSING_SCORES, NDCG, ZERO, ScoresInput, scores_input
from cranfield.cli._topic_groups import split_scores_by_group
from cranfield.results.sheet import Sheet

TABLES = ("curve", "components", "needed")
INTEGERS = ("topics", "low", "high", "boot_low", "boot_high")
"""Columns of integers, which may be infinite."""

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd
    import xarray as xr

    from cranfield.streaming.scores import StreamedScores
    from cranfield.trust.reliability import Reliability


@command_of_runs()
@functools.partial(scores_input, default=NDCG, missing=(*MISSING_SCORES, ZERO))
@split_scores_by_group(["nDCG@10"])
@click.option("--topics", "-n", "sizes", multiple=True, type=click.IntRange(1), help="A number of topics; repeat.")
@click.option(
    "--drop",
    type=float,
    default=0.0,
    show_default=True,
    help="Share of the weakest systems to leave out.",
)
@click.option(
    "--target", type=float, default=0.95, show_default=True, help="Coefficient that the topics needed should reach."
)
@click.option("--level", type=float, default=0.95, show_default=True, help="Coverage of the intervals.")
@click.option(
    "--resample", type=click.Choice(["both", "topics"]), default="both", show_default=True,
    help="Resample topics and systems, or topics alone.",
)  # fmt: skip
@click.option("--resamples", type=click.IntRange(2), default=1000, show_default=True, help="Bootstrap samples.")
@seed_option
@topic_clusters_option
@replicates_option
@click.option(
    "--clusters", multiple=True, type=click.IntRange(1), help="With --topic-clusters: a number of clusters; repeat."
)
@click.option(
    "--cluster-cost",
    type=float,
    default=1.0,
    show_default=True,
    help="With --topic-clusters: cost of a cluster, in topics.",
)
@click.option(
    "--show",
    type=click.Choice(TABLES),
    default="curve",
    show_default=True,
    help="curve: coefficients by number of topics. components: variances. needed: topics for the target.",
)
@prints_table()
def reliability(
    scores: ScoresInput,
    sizes: tuple[int, ...],
    drop: float,
    target: float,
    level: float,
    show: str,
    **options: Any,
) -> Sheet:
    """Split the variance of scores into systems, topics and residual, and estimate the reliability of means.

    Erho2 is the reliability of the order of systems, Phi that of their scores. Both are printed by number of topics,
    with intervals by analysis of variance (low, high), which assume normal effects, and by bootstrap (boot_low,
    boot_high). With --topic-clusters or --replicates, clusters or runs have a variance too: would more of them help
    more than more topics?
    """
    import pandas as pd

    from cranfield.cli._reliability_units import refuse_options, tabulate_units
    from cranfield.trust.reliability import estimate_reliability as study

    units = {name: options[name] for name in ("topic_clusters", "replicates", "clusters", "cluster_cost")}
    bootstrap: dict[str, Any] = {name: options[name] for name in ("resample", "resamples", "seed")}
    context = click.get_current_context()
    refuse_options(context, show)
    refuse_for_table(context, {"sizes": ("curve",)}, show, "--show")
    tables, results = [], []
    if units["topic_clusters"] is not None or units["replicates"] is not None:
        measures = _iterate_measures(scores)
        return tabulate_units(measures, show, sizes, level=level, **units, **bootstrap)
    for array in _iterate_measures(scores):
        estimate = study(
            array,
            n_topics=sizes or None,
            drop=drop,
            target=target,
            level=level,
            missing="zero" if scores.missing_scores == ZERO else "error",
            **bootstrap,
        )
        table = _select_table(estimate, show)
        table.insert(0, "measure", estimate.measure)
        tables.append(table)
        results.append(estimate)
    signature = results[0].signature | {"measure": [estimate.measure for estimate in results]}
    caption = "\n".join([*(_write_caption(estimate, target) for estimate in results), _describe_bootstrap(results[0])])
    return Sheet.from_frame(pd.concat(tables), caption, signature, integers=INTEGERS)


def _iterate_measures(scores: ScoresInput) -> Iterator[xr.DataArray | StreamedScores]:
    """Yield the scores by each measure; those of very many topics are read in blocks."""
    streamed = scores.streamed_scores()
    if streamed is not None:
        yield from streamed
        return
    dataset = scores.dataset(["nDCG@10"])
    for name in dataset.data_vars:
        yield dataset[name].assign_attrs(dataset.attrs | dataset[name].attrs)


def _describe_bootstrap(estimate: Reliability) -> str:
    settings = estimate.settings
    drawn = "topics and systems" if settings["resample"] == "both" else "topics"
    at_a_time = settings.get("drawn_at_a_time")
    boot = f"boot: {settings['resamples']:,} resamples of {drawn}, seed {settings['seed']}"
    return boot + (f", {at_a_time:,} topics drawn at a time" if at_a_time else "")


def _select_table(estimate: Reliability, show: str) -> pd.DataFrame:
    if show == "curve":
        return estimate.curve.reset_index()
    if show == "components":
        return estimate.components.reset_index()
    needed = estimate.to_frame("needed")
    needed.insert(1, "target", estimate.settings["target"])
    return needed


def _write_caption(estimate: Reliability, target: float) -> str:

    what = f"{shown(estimate.measure)}, {len(estimate.systems):,} systems"
    if estimate.components["share"].isna().all():
        return f"{what}: all scores are equal"
    shares = ", ".join(f"{name} {share:.1%}" for name, share in estimate.components["share"].items())
    needed = [
        f"{_format_topics(count)} for {which} {target:g}{_format_interval(estimate, which)}"
        for which, count in estimate.needed.items()
        if not math.isnan(count)
    ]
    by_name = (
        f"; left out by name, of equal means: {', '.join(map(shown, estimate.by_name))}" if estimate.by_name else ""
    )
    return f"{what}: variance of {shares}; {', '.join(needed)}{by_name}"


def _format_topics(count: float) -> str:
    return "no number of topics" if math.isinf(count) else f"{count:,.0f} topics"


def _format_interval(estimate: Reliability, which: str) -> str:
    """Format the interval of a needed number of topics, in brackets; nothing where that is infinite."""
    if math.isinf(estimate.needed[which]):
        return ""
    low, high = estimate.needed_within["low"][which], estimate.needed_within["high"][which]
    return f" ({low:,.0f} to {'any number' if math.isinf(high) else f'{high:,.0f}'})"
