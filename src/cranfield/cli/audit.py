"""``cranfield audit``: which measure to trust, and whether there are enough topics."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from cranfield.cli._command import command_of_runs
from cranfield.cli._options import format_option, output_option, seed_option
from cranfield.cli._preference import ORDERED, compute_preferences
from cranfield.cli._scores_input import ScoresInput, scores_input
from cranfield.cli._topic_groups import split_scores_by_group

if TYPE_CHECKING:
    import xarray as xr

    from cranfield.results.sheet import Sheet
    from cranfield.trust.measure_audit import Audit

FOR_A_SCREEN = ("measure", "Erho2", "order_needed", "order_low", "order_high", "swap_rate", "power", "tied")
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
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of significance.")
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
    help="Also audit a preference between lists; repeat.",
)
@seed_option
@format_option()
@output_option
def audit(
    scores: ScoresInput,
    target: float,
    alpha: float,
    resamples: int,
    subsets: int,
    preferences: tuple[str, ...],
    seed: int,
    format_: str,
    output: str | None,
) -> None:
    """Audit each measure: is it reliable here, and are there enough topics?

    One row per measure: reliability of the order of systems (Erho2), topics needed for it, swap rate, discriminative
    power and ties; csv, tsv and json have all columns. The text below the table explains each row.
    Time and memory grow with the pairs of systems: 2,000 systems take half a minute, and more than about 4,400 are
    refused.
    """
    from cranfield.cli._output import check_output_path, present, show_progress_of_pairs, warnings_to_stderr

    check_output_path(output)
    with warnings_to_stderr() as gathered:
        dataset = scores.dataset(gathered)
        # The libraries that these need were imported while files were read.
        from cranfield.trust.measure_audit import audit as study

        for preference in dict.fromkeys(preferences):
            dataset = dataset.assign({preference: compute_preferences(scores, preference).scores})
        with show_progress_of_pairs(dataset.sizes["system"]) as progress:
            audited = study(
                dataset,
                target=target,
                alpha=alpha,
                resamples=resamples,
                subsets=subsets,
                seed=seed,
                progress=progress,
            )
    present(_tabulate(audited, dataset, format_), format_, output)


def _tabulate(audited: Audit, dataset: xr.Dataset, format_: str) -> Sheet:
    """Tabulate measures: all columns for programs; for people the answer, a few columns, and what they mean."""
    from cranfield._text import in_full, shown
    from cranfield.results.sheet import Sheet
    from cranfield.scores.scale import Scale
    from cranfield.trust.measure_audit import MEANING, WHOLE, recommend

    rows, settings = audited.table.reset_index(), audited.settings
    if format_ != "table":
        return Sheet.from_frame(rows, "", audited.signature, integers=WHOLE)
    columns = "\n".join(f"{name}: {MEANING[name]}" for name in ("Erho2", "order_needed", "swap_rate", "power", "tied"))
    readings = "\n".join(f"- {in_full(reading)}" for reading in audited.readings.values())
    known = [(name, Scale(name, dataset[name].attrs).direction) for name in audited.readings]
    directions = "".join(f"\n{shown(name)}: {direction}" for name, direction in known if direction)
    drawn = (
        f"{settings['resamples']:,} resamples, {settings['subsets']:,} halvings of the topics, seed {settings['seed']}"
    )
    caption = f"{readings}{directions}\n\n{columns}\n\n{drawn}; 95% intervals; csv and json have all columns"
    sheet = Sheet.from_frame(rows[list(FOR_A_SCREEN)], caption, audited.signature, integers=WHOLE)
    return replace(sheet, answer=recommend(audited, dataset.sizes["topic"], dataset.sizes["system"]))
