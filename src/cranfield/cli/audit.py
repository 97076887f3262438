"""``cranfield audit``: which measure to trust, and whether there are enough topics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cranfield.cli._command import command_of_runs
from cranfield.cli._options import (
    describe_units,
    format_option,
    output_option,
    seed_option,
    topic_clusters_options,
)
from cranfield.cli._preference import ORDERED, compute_preferences
from cranfield.cli._scores_input import ScoresInput, scores_input
from cranfield.cli._topic_groups import split_scores_by_group

if TYPE_CHECKING:
    import xarray as xr

    from cranfield._text import Remark
    from cranfield.comparison import InnateShares

MOST_SYSTEMS = 200
"""Systems whose lists are compared with each other, beside their scores."""


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
    metavar="NAME",
    help="Also audit a preference, lexiprecision or lexirecall; repeat.",
)
@topic_clusters_options
@seed_option
@format_option()
@output_option
def audit(
    scores: ScoresInput,
    preferences: tuple[str, ...],
    format_: str,
    output: str | None,
    **options: Any,
) -> None:
    """Audit each measure: is it reliable here, and are there enough topics?

    One row per measure: reliability of the order and of the scores, topics needed for each, swap rate, discriminative
    power, agreement with the other measures, range and ties; of runs, also how much holds whatever the measure. The
    text below the table explains each row.
    Time and memory grow with the pairs of systems: 2,000 systems take half a minute, and more than about 4,400 are
    refused.
    """
    from cranfield.cli._output import check_output_path, present, show_progress_of_pairs, warnings_to_stderr

    check_output_path(output)
    with warnings_to_stderr() as gathered:
        dataset, innate = _read_scores(scores, gathered, options["alpha"])
        # The libraries that these need were imported while files were read.
        from cranfield._text import in_full, shown
        from cranfield.results.sheet import Sheet
        from cranfield.scores.scale import Scale
        from cranfield.trust.measure_audit import MEANING, WHOLE
        from cranfield.trust.measure_audit import audit as study

        for preference in dict.fromkeys(preferences):
            dataset = dataset.assign({preference: compute_preferences(scores, preference).scores})
        with show_progress_of_pairs(dataset.sizes["system"]) as progress:
            audited = study(dataset, innate=innate, progress=progress, **options)
    meanings = {column: meaning for column, meaning in MEANING.items() if column in audited.table}
    columns = "\n".join(f"{column}: {meaning}" for column, meaning in meanings.items())
    readings = "\n".join(f"- {in_full(reading)}" for reading in audited.readings.values())
    known = [(name, Scale(name, dataset[name].attrs).direction) for name in audited.readings]
    directions = "".join(f"\n{shown(name)}: {direction}" for name, direction in known if direction)
    units = describe_units(audited.settings)
    halved = "clusters, which are what is counted as topics above" if units else "topics"
    draws = f"{options['resamples']:,} resamples, {options['subsets']:,} halvings"
    drawn = f"{units}{draws} of the {halved}, seed {options['seed']}"
    caption = f"{readings}{directions}\n\n{columns}\n\n{drawn}"
    sheet = Sheet.from_frame(audited.table.reset_index(), caption, audited.signature, integers=WHOLE)
    present(sheet, format_, output)


def _read_scores(scores: ScoresInput, gathered: list[Remark], alpha: float) -> tuple[xr.Dataset, InnateShares | None]:
    """Read scores; where they are those of runs, also count which of their differences hold whatever the measure."""
    policy = scores.runs.reading.policy
    if scores.files or scores.group_scores is not None or policy.weighs_ties or policy.negative == "keep":
        return scores.dataset(gathered), None
    if len(scores.runs.paths) > MOST_SYSTEMS:
        return scores.dataset(gathered), None
    table = scores.evaluate_runs(gathered, None, keep_rankings=True)
    from cranfield.comparison.innate_shares import InnateShares
    from cranfield.evaluation import to_dataset

    innate = InnateShares.of_evaluation(table, alpha=alpha) if len(table.systems) > 1 else None
    return scores.fill_missing(to_dataset(table)), innate
