"""``cranfield bayes``: how probable it is that one system is better than another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cranfield._text import counted, shown
from cranfield.cli._command import command_of_runs
from cranfield.cli._options import limit_option, limit_rows, sort_by_size
from cranfield.cli._output import prints_table
from cranfield.cli._scores_input import ScoresInput, one_measure_input
from cranfield.cli._topic_groups import split_scores_by_group
from cranfield.results.sheet import Sheet

if TYPE_CHECKING:
    from cranfield.comparison.posterior import Posterior


@command_of_runs()
@one_measure_input
@split_scores_by_group(several=False)
@click.option(
    "--prior",
    type=click.Choice(["flat", "shared"]),
    default="flat",
    show_default=True,
    help="flat: each pair alone, every true difference equally probable. shared: one normal distribution of true "
    "means, which shrinks small differences.",
)
@click.option(
    "--prior-topics",
    type=float,
    default=0.0,
    show_default=True,
    help="Topics without a difference to add (flat prior).",
)
@click.option("--baseline", "baselines", multiple=True, metavar="NAME", help="Compare with this system only; repeat.")
@click.option(
    "--margin",
    type=float,
    help="Differences up to this size do not matter in practice (> 0).  [default: none]",
)
@click.option("--level", type=float, default=0.95, show_default=True, help="Probability of the credible intervals.")
@limit_option
@prints_table(by_format=True)
def bayes(
    scores: ScoresInput,
    prior: Any,
    prior_topics: float,
    baselines: tuple[str, ...],
    margin: float | None,
    level: float,
    limit: int | None,
    format_: str,
) -> Sheet:
    """Estimate how probable it is, given the scores, that the true mean of one system is better than that of another.

    prob_superior is the probability that the first system's true mean is better. It is not a p-value: values near 1
    favour the first system, values near 0 the second. With --margin, also the probabilities that it is better by more
    than the margin (prob_better), within the margin (prob_equivalent), and worse by more (prob_worse).
    """
    from cranfield.comparison.posterior import estimate_posterior
    from cranfield.scores.scale import Scale

    array = scores.array()
    posterior = estimate_posterior(
        array,
        prior=prior,
        prior_topics=prior_topics,
        baselines=baselines,
        margin=margin,
        level=level,
    )
    rows, left_out = limit_rows(sort_by_size(posterior.pairs), limit, format_, "the largest differences first")
    caption = f"{left_out}\n{_write_caption(posterior, Scale(str(array.name), array.attrs).direction)}".lstrip()
    if format_ == "table" and rows["topics"].nunique() == 1:
        rows = rows.drop(columns="topics")
    return Sheet.from_frame(rows, caption, posterior.signature)


def _write_caption(posterior: Posterior, direction: str) -> str:

    settings, pairs = posterior.settings, posterior.pairs
    topics = (
        f"{pairs['topics'].min():,} topics"
        if pairs["topics"].nunique() == 1
        else "topics that both systems of a pair have"
    )
    topics += f", {direction}" if direction else ""
    prior = {
        "flat": f"each pair by itself, {settings['prior_topics']:g} prior topics",
        "shared": f"one normal distribution of true means, estimated; differences multiplied by {posterior.kept:.3f}",
    }[settings["prior"]]
    lines = [
        f"{shown(posterior.measure)}, {topics}, {counted(len(pairs), 'pair')}; prior={settings['prior']}: {prior}",
        f"interval: {100 * settings['level']:.4g}% credible intervals of the true difference, of each pair by itself",
    ]
    sure = int(((pairs["prob_superior"] > settings["level"]) | (pairs["prob_superior"] < 1 - settings["level"])).sum())
    lines.append(f"in {counted(sure, 'pair')} one system is better with a probability above {settings['level']:g}")
    if settings["margin"] is not None:
        same = int((pairs["prob_equivalent"] > settings["level"]).sum())
        lines[-1] += f"; in {same:,} the difference is below {settings['margin']:g} with such a probability"
    return "\n".join(lines)
