"""``cranfield audit``: which measure to trust, and whether there are enough topics."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from cranfield._text import in_full, shown
from cranfield.cli._command import command_of_runs
from cranfield.cli._options import (
    seed_option,
    topic_clusters_options,
)
from cranfield.cli._output import prints_table, show_progress_of_pairs
from cranfield.cli._preference import ORDERED, compute_preferences
from cranfield.cli._scores_input import ScoresInput, scores_input
from cranfield.cli._topic_groups import split_scores_by_group
from cranfield.results.sheet import Sheet

if TYPE_CHECKING:
    import xarray as xr

    from cranfield.comparison import InnateShares
    from cranfield.trust.measure_audit import Audit

MOST_SYSTEMS = 200
"""Systems whose lists are compared with each other, beside their scores."""
FOR_A_SCREEN = (
    "measure",
    "Erho2",
    "order_needed",
    "order_low",
    "order_high",
    "swap_rate",
    "power",
    "tied",
    "unturnable",
)
"""Columns that tell whether a measure can be trusted; the others are in csv and json."""


@command_of_runs()
@scores_input
@split_scores_by_group()
@click.option(
    "--target",
    type=float,
    default=0.95,
    show_default=True,
    help="Reliability that the number of topics needed should reach.",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Significance level.")
@click.option("--resamples", type=click.IntRange(20), default=1000, show_default=True, help="Bootstrap samples.")
@click.option(
    "--subsets",
    type=click.IntRange(2),
    default=200,
    show_default=True,
    help="Random halvings of the topics.",
)
@click.option(
    "--preference",
    "preferences",
    type=click.Choice(ORDERED),
    multiple=True,
    metavar="NAME",
    help="Also audit a preference, lexiprecision or lexirecall; repeat.",
)
@topic_clusters_options
@seed_option
@prints_table(by_format=True)
def audit(
    scores: ScoresInput,
    preferences: tuple[str, ...],
    format_: str,
    **options: Any,
) -> Sheet:
    """Audit each measure: is it reliable here, and are there enough topics?

    One row per measure: reliability of the order of systems (Erho2), topics needed for it, swap rate, discriminative
    power and ties; csv, tsv and json have all columns. The text below the table explains each row.
    Time and memory grow with the pairs of systems: 2,000 systems take half a minute, and more than about 4,400 are
    refused.
    """
    dataset, innate = _read_scores(scores, options["alpha"])
    # The libraries that these need were imported while files were read.
    from cranfield.trust.measure_audit import audit as study

    for preference in dict.fromkeys(preferences):
        dataset = dataset.assign({preference: compute_preferences(scores, preference).scores})
    with show_progress_of_pairs(dataset.sizes["system"]) as progress:
        audited = study(dataset, innate=innate, progress=progress, **options)
    return _tabulate(audited, dataset, format_)


def _tabulate(audited: Audit, dataset: xr.Dataset, format_: str) -> Sheet:
    """Tabulate measures: all columns for programs; for people the answer, a few columns, and what they mean."""
    from cranfield.scores.scale import Scale
    from cranfield.scores.topic_clusters import describe_units
    from cranfield.trust.measure_audit import MEANING, WHOLE, recommend

    rows, settings = audited.table.reset_index(), audited.settings
    if format_ != "table":
        return Sheet.from_frame(rows, "", audited.signature, integers=WHOLE)
    meant = [name for name in ("Erho2", "order_needed", "swap_rate", "power", "tied", "unturnable") if name in rows]
    columns = "\n".join(f"{name}: {MEANING[name]}" for name in meant)
    readings = "\n".join(f"- {in_full(reading)}" for reading in audited.readings.values())
    known = [(name, Scale(name, dataset[name].attrs).direction) for name in audited.readings]
    directions = "".join(f"\n{shown(name)}: {direction}" for name, direction in known if direction)
    units = describe_units(settings)
    halved = "clusters, which are what is counted as topics above" if units else "topics"
    draws = f"{settings['resamples']:,} resamples, {settings['subsets']:,} halvings"
    drawn = f"{units}{draws} of the {halved}, seed {settings['seed']}"
    caption = f"{readings}{directions}\n\n{columns}\n\n{drawn}; 95% intervals; csv and json have all columns"
    sheet = Sheet.from_frame(
        rows[[name for name in FOR_A_SCREEN if name in rows]], caption, audited.signature, integers=WHOLE
    )
    return replace(sheet, answer=recommend(audited, dataset.sizes["topic"], dataset.sizes["system"]))


def _read_scores(scores: ScoresInput, alpha: float) -> tuple[xr.Dataset, InnateShares | None]:
    """Read scores; where they are those of runs, also count which of their differences hold whatever the measure."""
    policy = scores.runs.reading.policy
    if scores.files or scores.group_scores is not None or policy.weighs_ties or policy.negative == "keep":
        return scores.dataset(), None
    if len(scores.runs.paths) > MOST_SYSTEMS:
        return scores.dataset(), None
    table = scores.evaluate_runs(None, keep_rankings=True)
    from cranfield.comparison.innate_shares import InnateShares
    from cranfield.evaluation import to_dataset

    innate = InnateShares.from_evaluation(table, alpha=alpha) if len(table.systems) > 1 else None
    return scores.fill_missing(to_dataset(table)), innate
