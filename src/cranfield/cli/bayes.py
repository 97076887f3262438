"""``cranfield bayes``: how probable is it that one system is better than another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cranfield.cli._command import command_of_runs
from cranfield.cli._options import format_option, limit_option, output_option
from cranfield.cli._scores_input import ScoresInput, one_measure_input
from cranfield.cli._topic_groups import by_topic_groups

if TYPE_CHECKING:
    from cranfield.comparison.posterior import Posterior


@command_of_runs()
@one_measure_input
@by_topic_groups(several=False)
@click.option(
    "--prior",
    type=click.Choice(["flat", "shared"]),
    default="flat",
    show_default=True,
    help="flat: each pair by itself, any true difference as probable as any other. shared: the true means of all "
    "systems come from one normal distribution, which is learned from them; small differences shrink.",
)
@click.option(
    "--prior-topics",
    type=float,
    default=0.0,
    show_default=True,
    help="With the flat prior: add so many topics without a difference to what was seen.",
)
@click.option("--baseline", "baselines", multiple=True, metavar="NAME", help="Compare with this system only; repeat.")
@click.option(
    "--margin",
    type=float,
    help="Differences of less count as none in practice; above 0.  [default: none, and no such probabilities]",
)
@click.option("--level", type=float, default=0.95, show_default=True, help="Probability of the credible intervals.")
@limit_option
@format_option()
@output_option
def bayes(
    scores: ScoresInput,
    prior: Any,
    prior_topics: float,
    baselines: tuple[str, ...],
    margin: float | None,
    level: float,
    limit: int | None,
    format_: str,
    output: str | None,
) -> None:
    """Show how probable it is, after seeing the scores, that one system is truly better than another.

    prob_superior is the probability that the system's true mean is the better one; it is no p-value: near 1 is strong
    evidence for the system, near 0 for the other. With --margin: that it is better by more (prob_better), that both are
    as good in practice (prob_equivalent), that it is worse by more (prob_worse).
    """
    from cranfield.cli._comparison_text import direction_of
    from cranfield.cli._options import by_size, limited
    from cranfield.cli._output import check_place, present, warnings_to_stderr
    from cranfield.comparison.posterior import estimate_posterior
    from cranfield.results.sheet import Sheet

    check_place(output)
    with warnings_to_stderr() as gathered:
        array = scores.array(gathered)
        found = estimate_posterior(
            array,
            prior=prior,
            prior_topics=prior_topics,
            baselines=baselines,
            margin=margin,
            level=level,
        )
    rows, left_out = limited(by_size(found.pairs), limit, format_, "the largest differences first")
    caption = f"{left_out}\n{_caption(found, direction_of(array))}".lstrip()
    if format_ == "table" and rows["topics"].nunique() == 1:
        rows = rows.drop(columns="topics")
    present(Sheet.of_frame(rows, caption, found.signature), format_, output)


def _caption(found: Posterior, direction: str) -> str:
    from cranfield._text import counted, shown

    how, pairs = found.settings, found.pairs
    topics = (
        f"{pairs['topics'].min():,} topics" if pairs["topics"].nunique() == 1 else "topics that both of a pair have"
    )
    topics += f", {direction}" if direction else ""
    prior = {
        "flat": f"each pair by itself, {how['prior_topics']:g} prior topics",
        "shared": f"one normal distribution of true means, learned; differences multiplied by {found.kept:.3f}",
    }[how["prior"]]
    lines = [
        f"{shown(found.measure)}, {topics}, {counted(len(pairs), 'pair')}; prior={how['prior']}: {prior}",
        f"low to high: {100 * how['level']:.4g}% credible intervals of the true difference, of each pair by itself",
    ]
    sure = int(((pairs["prob_superior"] > how["level"]) | (pairs["prob_superior"] < 1 - how["level"])).sum())
    lines.append(f"in {counted(sure, 'pair')} one system is better with a probability above {how['level']:g}")
    if how["margin"] is not None:
        same = int((pairs["prob_equivalent"] > how["level"]).sum())
        lines[-1] += f"; in {same:,} they differ by less than {how['margin']:g} with such a probability"
    return "\n".join(lines)
