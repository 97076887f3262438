"""``cranfield audit``: which measure to trust here, and whether there are enough topics."""

from __future__ import annotations

import click

from cranfield.cli._command import command_of_runs
from cranfield.cli._options import format_option, output_option, seed_option
from cranfield.cli._preference import ORDERED, preferences_of
from cranfield.cli._scores_input import ScoresInput, scores_input
from cranfield.cli._topic_groups import by_topic_groups


@command_of_runs()
@scores_input
@by_topic_groups()
@click.option("--target", type=float, default=0.95, show_default=True, help="Reliability to find the topics for.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of significance.")
@click.option(
    "--resamples", type=click.IntRange(20), default=1000, show_default=True, help="Resamples of the paired bootstrap."
)
@click.option(
    "--subsets",
    type=click.IntRange(2),
    default=200,
    show_default=True,
    help="Random halvings of the topics, for the swap rate.",
)
@click.option(
    "--preference",
    "preferences",
    type=click.Choice(ORDERED),
    multiple=True,
    help="Also audit a preference between lists, by each system's mean preference over the others; repeat.",
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
    """Which measure should I trust here, and do I have enough topics?

    One row a measure: reliability of the order and of the scores, topics needed for each, swap rate, discriminative
    power, agreement with the other measures, range and ties; below the table, what each row means. Time and memory grow
    with the pairs of systems: 2,000 systems take half a minute, and more than about 4,400 are refused.
    """
    from cranfield.cli._output import check_place, present, progress_of_pairs, warnings_to_stderr

    check_place(output)
    with warnings_to_stderr() as gathered:
        dataset = scores.dataset(gathered)
        # What libraries they need was imported while files were read.
        from cranfield._text import in_full, shown
        from cranfield.cli._comparison_text import direction_of
        from cranfield.results.sheet import Sheet
        from cranfield.trust.measure_audit import MEANING, WHOLE
        from cranfield.trust.measure_audit import audit as study

        for preference in dict.fromkeys(preferences):
            dataset = dataset.assign({preference: preferences_of(scores, preference).scores})
        with progress_of_pairs(dataset.sizes["system"]) as progress:
            audited = study(
                dataset,
                target=target,
                alpha=alpha,
                resamples=resamples,
                subsets=subsets,
                seed=seed,
                progress=progress,
            )
    columns = "\n".join(f"{column}: {meaning}" for column, meaning in MEANING.items())
    readings = "\n".join(f"- {in_full(reading)}" for reading in audited.readings.values())
    known = [(name, direction_of(dataset[name])) for name in audited.readings]
    directions = "".join(f"\n{shown(name)}: {direction}" for name, direction in known if direction)
    drawn = f"{resamples:,} resamples, {subsets:,} halvings of the topics, seed {seed}"
    caption = f"{readings}{directions}\n\n{columns}\n\n{drawn}"
    sheet = Sheet.of_frame(audited.table.reset_index(), caption, audited.signature, integers=WHOLE)
    present(sheet, format_, output)
