"""``cranfield reliability``: would other topics order the systems alike."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import click

from cranfield.cli.options import format_option, output_option
from cranfield.cli.scores_option import ScoresInput, scores_input

if TYPE_CHECKING:
    from cranfield.trust.reliability import Reliability


@click.command()
@scores_input
@click.option("--topics", "-n", "sizes", multiple=True, type=click.IntRange(1), help="A number of topics; repeat.")
@click.option("--drop", type=float, default=0.0, show_default=True, help="Share of the weakest systems to leave out.")
@click.option("--target", type=float, default=0.95, show_default=True, help="Coefficient to find the topics for.")
@click.option("--level", type=float, default=0.95, show_default=True, help="Coverage of the intervals.")
@click.option("--missing-scores", type=click.Choice(["error", "zero"]), default="error", show_default=True,
    help="A score that is missing: refused, or 0.",
)  # fmt: skip
@format_option()
@output_option
def reliability(
    scores: ScoresInput,
    sizes: tuple[int, ...],
    drop: float,
    target: float,
    level: float,
    missing_scores: str,
    format_: str,
    output: str | None,
) -> None:
    """Variance of systems, topics and the rest, and the reliability of means over any number of topics.

    Erho2 is about the order of systems, Phi about their scores. Prints both, with intervals, by number of topics.
    """
    import pandas as pd

    from cranfield.cli.sheet import Sheet
    from cranfield.cli.streams import check_place, emit, warnings_to_stderr
    from cranfield.trust.reliability import reliability as study

    check_place(output)
    tables, results = [], []
    with warnings_to_stderr() as gathered:
        dataset = scores.dataset(gathered, ["nDCG@10"])
        for name in dataset.data_vars:
            one = dataset[name].assign_attrs(dataset.attrs | dataset[name].attrs)
            found = study(one, topics=sizes or None, drop=drop, target=target, level=level, missing=missing_scores)  # type: ignore[arg-type]
            curve = found.curve.reset_index()
            curve.insert(0, "measure", found.measure)
            tables.append(curve)
            results.append(found)
    signature = results[0].signature | {"measure": [found.measure for found in results]}
    caption = "\n".join(_caption(found, target) for found in results)
    emit(Sheet.of_frame(pd.concat(tables), caption, signature).text(format_, plain=output is not None), output)


def _caption(found: Reliability, target: float) -> str:
    from cranfield.wording import shown

    shares = ", ".join(f"{name} {share:.1%}" for name, share in found.components["share"].items())
    needed = [
        f"{'no number of' if not math.isfinite(count) else f'{count:,.0f}'} topics for {which} {target:g}"
        for which, count in found.needed.items()
    ]
    return f"{shown(found.measure)}, {len(found.systems):,} systems: variance of {shares}; {', '.join(needed)}"
