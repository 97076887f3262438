"""``measure_order_effect``: how often a verdict changes when left and right are swapped, beside mere repetition."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np

from cranfield._text import counted, shown
from cranfield.declarations.analysis import FromVerdicts, View, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.pairwise.options import REPEATS, CoverageOption
from cranfield.pairwise.verdicts import VerdictsLike, as_verdicts
from cranfield.results.columns import Column
from cranfield.results.result import Result, signed
from cranfield.statistics.intervals import share_interval
from cranfield.statistics.order_effects import Ratio, Repeats, order_statistics, tabulate_orders
from cranfield.statistics.rounding import NOISE

if TYPE_CHECKING:
    import pandas as pd

DESCRIBED = 6
"""The most judges that a caption describes."""


@dataclass(frozen=True, eq=False, repr=False)
class OrderEffect(Result):
    """Dependence of verdicts on what is shown first.

    Args:
        table: one row a ``judge`` and ``statistic``. Over the ``pairs`` of a topic that a judge judged in both orders:
            ``changed``, of which ``reversed`` (another winner; ``first_both``: what was first won both times,
            ``second_both``) and ``to_or_from_tie``; ``first``, the share of wins of what is first, a tie counting half;
            ``ties``; ``changed_by_chance`` by a coin with that many ties; ``consistency`` = 1 - changed /
            changed_by_chance. Over the same pairs in the same order, judged again: ``repeat``, the share of pairs of
            verdicts that differ; and ``excess`` = changed - repeat.
        settings: the options.
        signature: all that changes these numbers.
    """

    absent = "none"
    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "table": (
            Column("value"),
            Column("se", "standard error over topics; NaN where these do not differ, as the interval"),
            Column(
                "low",
                "lower end of the interval (Wilson's, by t; a share of 0 or 1 has the exact one of as many topics)",
            ),
            Column("high", "its upper end"),
            Column("topics", "how many have such pairs", integer=True),
        )
    }
    table: pd.DataFrame
    settings: dict[str, Any]
    signature: dict[str, Any]

    def caption(self, table: str) -> str:
        """Describe the results of each judge, where any judged a pair in both orders."""
        pairs = self.table.loc[self.table["statistic"] == "pairs", "value"]
        if len(pairs) > 1 and not pairs.any():
            return (
                f"none of the {len(pairs):,} judges judged a pair in both orders, so that the effect of order cannot "
                "be told from quality by judge: count them as one (pooled)"
            )
        return "\n".join(map(self.describe, self.table["judge"].drop_duplicates().head(DESCRIBED)))

    def printed_rows(self, table: str) -> pd.DataFrame:
        """The statistics, of which numbers of pairs are integers."""
        rows = self.to_frame(table)
        values = rows["value"].astype(object)
        counts = rows["statistic"] == "pairs"
        values[counts] = [int(value) for value in values[counts]]
        return rows.assign(value=values)

    def describe(self, judge: str) -> str:
        """Describe the results of a judge in a sentence."""
        name = shown(judge)
        value = {row["statistic"]: row for row in self.table[self.table["judge"] == judge].to_dict("records")}
        if not value["pairs"]["value"]:
            return f"{name}: no pair was judged in both orders, so that the effect of order cannot be told from quality"
        changed, repeat, excess = value["changed"]["value"], value["repeat"]["value"], value["excess"]
        text = f"{name}: swapping left and right changes {changed:.1%} of verdicts on "
        text += counted(int(value["pairs"]["value"]), "pair")
        if math.isnan(repeat):
            return f"{text}; no verdict was repeated, so that this may be chance"
        text += f"; asking again in the same order, {repeat:.1%}"
        topics = int(excess["topics"])
        if 2.0 ** (1 - topics) > self.settings["alpha"]:
            return (
                f"{text}. {counted(topics, 'topic')} cannot tell whether the excess of {excess['value']:.1%} is chance"
            )
        # Where topics do not differ, all have the same sign, and these are enough for a sign test.
        if excess["low"] > 0 or (math.isnan(excess["low"]) and excess["value"] > NOISE):
            return f"{text}. The excess of {excess['value']:.1%} is an effect of order"
        return f"{text}. The excess of {excess['value']:.1%} may be chance"


@analysis(
    "judges pairs",
    "Check pairwise verdicts: order effect, circles, strengths, agreement.",
    FromVerdicts(),
    views=(View("order", "changes when swapped.", table="table"),),
    examples=("verdicts.tsv", "verdicts.tsv --show strengths --judge gpt"),
    guide="""Show whether pairwise verdicts can be trusted, and rank systems by them.

FILE has columns topic, left, right, verdict (left, right, tie, A>>B or the winner's name) and perhaps judge; or those
of arena battles, arena-hard, CrowdRAG-25 or AutoJudge. Look at order first. Intervals are over topics.""",
)
def measure_order_effect(
    verdicts: VerdictsLike,
    *,
    repeats: Annotated[
        Repeats,
        Option(REPEATS),
    ] = "mean",
    alpha: CoverageOption = 0.05,
) -> OrderEffect:
    """Measure how verdicts depend on what is shown first, judge by judge.

    Each statistic is a ratio of sums over topics, p = sum y_q / sum n_q, with the error sqrt(G / (G - 1) sum (y_q -
    p n_q)^2) / sum n_q, G the topics that have such pairs. A change on swapping means nothing without the change on
    mere repetition: see ``excess``.

    Of several verdicts in one order, ``mean`` counts every combination of one from each order, weighing 1 together; the
    others count the first or the last in the file.

    Args:
        verdicts: of one or several judges.

    Raises:
        UsageError: an unknown word, or alpha outside (0, 1).

    References:
        Gienapp et al. 2025, The viability of crowdsourcing for RAG evaluation. arXiv:2504.15689
    """
    import pandas as pd

    verdicts = as_verdicts(verdicts)
    rows = []
    for judge, own in verdicts.by_judge():
        table = tabulate_orders(own.topic, own.left, own.right, own.outcome, len(own.systems), repeats)
        for name, ratio in order_statistics(table, len(own.topics)).items():
            topics = float("nan") if math.isnan(ratio.error) and not ratio.df else ratio.df + 1
            described = (_describe_difference if name == "excess" else describe_ratio)(ratio, alpha)
            rows.append({"judge": judge, "statistic": name} | described | {"topics": topics})
    settings = record_options(measure_order_effect, locals())
    return OrderEffect(
        pd.DataFrame(rows),
        settings,
        signed("order effect", settings, verdicts={"sha256": verdicts.digest}),
    )


def describe_ratio(ratio: Ratio, alpha: float) -> dict[str, float]:
    """A share's ``value``, ``se``, ``low`` and ``high``; all but the value are NaN where topics do not differ.

    A share of 0 or 1 has an interval nevertheless: that of as many topics which all agree.
    """
    # Rounding must not decide whether topics differ.
    value = (
        round(ratio.value) if ratio.error <= NOISE and abs(ratio.value - round(ratio.value)) <= NOISE else ratio.value
    )
    error = float("nan") if ratio.error <= NOISE else ratio.error
    low, high = share_interval(float(value), error, ratio.df, 1 - alpha)
    return {"value": ratio.value, "se": error, "low": low, "high": high}


def _describe_difference(ratio: Ratio, alpha: float) -> dict[str, float]:
    """A difference of shares, as ``describe_ratio``, with an interval by t that ends at -1 and 1."""
    if ratio.error <= NOISE:
        return {"value": ratio.value} | dict.fromkeys(("se", "low", "high"), float("nan"))
    margin = compute_margin(ratio.df, alpha) * ratio.error
    low, high = max(ratio.value - margin, -1.0), min(ratio.value + margin, 1.0)
    if np.isnan(margin):
        low = high = float("nan")
    return {"value": ratio.value, "se": ratio.error, "low": low, "high": high}


def compute_margin(df: int, alpha: float) -> float:
    """Return the half-width of an interval in standard errors; NaN without degrees of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(df, 1 - alpha / 2)) if df > 0 else float("nan")
