"""``count_triads``: how often verdicts go in a circle, beside what coins would do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from cranfield._text import counted
from cranfield.declarations.analysis import FromVerdicts, View, analysis
from cranfield.declarations.settings import record_options
from cranfield.memory import analysed, require
from cranfield.pairwise.options import CoverageOption
from cranfield.pairwise.order_effect import describe_ratio
from cranfield.pairwise.verdicts import PairOutcomes, VerdictsLike, as_verdicts, pair_outcomes
from cranfield.results.columns import Column
from cranfield.results.result import Result, signed
from cranfield.statistics.order_effects import Sums, TriadCounts, count_topic_triads, estimate_ratio
from cranfield.statistics.order_effects import count_triads as count_triads_of_table

if TYPE_CHECKING:
    import pandas as pd

CHANCE = 0.25
"""Share of cyclic triads by fair coins."""
BYTES_PER_PAIR, BYTES_PER_VERDICT = 70, 110
"""Bytes for each two systems (tables of their verdicts), and for a verdict, at the most."""


@dataclass(frozen=True, eq=False, repr=False)
class Triads(Result):
    """Triads of systems whose three pairs were judged.

    Args:
        table: one row a ``judge``.
        settings: the options.
        signature: all that changes these numbers.
    """

    absent = "none"
    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "table": (
            Column("triads", "of a topic, without a tie"),
            Column("cyclic", "how many of them go in a circle"),
            Column("share", "of cyclic triads"),
            Column("se", "its standard error over topics; NaN where these do not differ, as the interval"),
            Column("low", "lower end of its interval over topics"),
            Column("high", "upper end"),
            Column("z", "how far they are from a quarter, which fair coins give"),
            Column("triads_with_ties", "which are not counted"),
            Column(
                "cyclic_among_systems",
                "cyclic triads by the majority of topics, which occur without any inconsistent verdict",
            ),
        )
    }
    table: pd.DataFrame
    settings: dict[str, Any]
    signature: dict[str, Any]

    def caption(self, table: str) -> str:
        """Describe what is counted, and what it is tested against."""
        return "triads of a topic without ties; z: against fair coins, which make 25% cyclic"


@analysis("judges pairs", "", FromVerdicts(), views=(View("triads", "circles of three.", table="table"),))
def count_triads(verdicts: VerdictsLike, *, alpha: CoverageOption = 0.05) -> Triads:
    """Count cyclic triads (i above j, j above k, k above i) by topic, judge by judge.

    The outcome of a pair is the sign of the sum of its verdicts. Of T triads without ties, fair coins make T/4 cyclic,
    with variance 3T/16 for any set of triads: z = (cyclic - T/4) / sqrt(3T/16).

    Args:
        verdicts: of one or several judges.

    Raises:
        InputError: tables of all pairs of systems need more memory than allowed.
        UsageError: alpha outside (0, 1).

    References:
        Kendall & Babington Smith 1940, On the method of paired comparisons. doi:10.1093/biomet/31.3-4.324
    """
    import pandas as pd

    verdicts = as_verdicts(verdicts)
    systems = len(verdicts.systems)
    needed = BYTES_PER_PAIR * systems**2 + BYTES_PER_VERDICT * len(verdicts)
    require(needed, analysed(counted(systems, "system")), "choose fewer systems")
    rows = []
    for judge, own in verdicts.by_judge():
        pairs = pair_outcomes(own)
        counts = np.array(
            count_topic_triads(pairs.topic, pairs.low, pairs.high, pairs.sign.astype(float), len(own.topics))
        )
        judged, decided, cyclic = counts.sum(axis=0)
        ratio = describe_ratio(estimate_ratio(Sums(counts[:, 2], counts[:, 1])), alpha)
        ratio["share"] = ratio.pop("value")
        row = {"judge": judge, "triads": int(decided), "cyclic": int(cyclic)}
        row |= {name: ratio[name] for name in ("share", "se", "low", "high")}
        spread = np.sqrt(CHANCE * (1 - CHANCE) * decided)
        row |= {"z": float((cyclic - CHANCE * decided) / spread) if decided else float("nan")}
        among = _count_among_systems(pairs, len(own.systems))
        rows.append(row | {"triads_with_ties": int(judged - decided), "cyclic_among_systems": int(among.cyclic)})
    settings = record_options(count_triads, locals())
    return Triads(
        pd.DataFrame(rows),
        settings,
        signed("triads", settings, verdicts={"sha256": verdicts.digest}),
    )


def _count_among_systems(pairs: PairOutcomes, systems: int) -> TriadCounts:
    """Triads by the majority of the topics that decide a pair."""
    cell = pairs.low * systems + pairs.high
    total = np.bincount(cell, pairs.sign, systems**2).reshape(systems, systems)
    judged = np.bincount(cell, minlength=systems**2).reshape(systems, systems)
    sign = np.where(judged + judged.T > 0, np.sign(total - total.T), np.nan)
    return count_triads_of_table(sign)
