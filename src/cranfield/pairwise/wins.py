"""``count_wins``: how often each system wins against each other one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from cranfield._typing import Floats
from cranfield.declarations.analysis import FromVerdicts, View, analysis
from cranfield.declarations.settings import record_options
from cranfield.pairwise.options import IN_FILE_ORDER, OrdersOption, StrongWeightOption, VerdictWeights, WeightsOption
from cranfield.pairwise.verdicts import PairOutcomes, VerdictsLike, as_verdicts, choose_verdicts, pair_outcomes
from cranfield.results.columns import Column
from cranfield.results.result import Result, signed

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class WinMatrix(Result):
    """Wins of systems over each other.

    Args:
        table: one row a ``judge`` and pair of systems that were compared, ``system`` and ``other``.
        settings: the options.
        signature: all that changes these numbers.
    """

    absent = "none"
    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "table": (
            Column("wins", "of the system; a tie is half a win and half a loss"),
            Column("losses", "of the system"),
            Column("topics", "on which the two were compared", integer=True),
            Column("share", "of wins"),
        )
    }
    table: pd.DataFrame
    settings: dict[str, Any]
    signature: dict[str, Any]

    def caption(self, table: str) -> str:
        """Describe how a tie counts."""
        return "a tie is half a win and half a loss"


@analysis(
    "judges pairs",
    "",
    FromVerdicts(),
    views=(View("wins", "of each pair.", pairs=IN_FILE_ORDER, table="table"),),
)
def count_wins(
    verdicts: VerdictsLike,
    *,
    weights: WeightsOption = "pairs",
    strong_weight: StrongWeightOption = 1.0,
    repeats: OrdersOption = "mean",
) -> WinMatrix:
    """Count wins and losses of every two systems, judge by judge.

    By ``pairs``, each pair of a topic weighs 1, which its verdicts share. ``strong_weight`` says how often ``A>>B`` and
    ``B>>A`` count (arena-hard has 3). With ``repeats="both"``, who wins in both orders wins, and other pairs that were
    judged in both are ties.

    Args:
        verdicts: of one or several judges.

    Raises:
        InputError: no pair was judged in both orders, and both count.
        UsageError: strong verdicts are to weigh more, and there is none.
    """
    import pandas as pd

    verdicts = as_verdicts(verdicts)
    frames = []
    for judge, own in choose_verdicts(verdicts, strong_weight, repeats).by_judge():
        pairs, systems = pair_outcomes(own, strong_weight), len(own.systems)
        weight = pairs.count if weights == "verdicts" else np.ones(len(pairs.count))
        cells, inverse = np.unique(pairs.low * systems + pairs.high, return_inverse=True)
        wins = np.bincount(inverse, weight * (pairs.mean + 1) / 2, len(cells))
        total = np.bincount(inverse, weight, len(cells))
        columns: dict[str, Any] = {"judge": judge, "system": [own.systems[at] for at in cells // systems]}
        columns |= {"other": [own.systems[at] for at in cells % systems], "wins": wins, "losses": total - wins}
        frames.append(pd.DataFrame(columns | {"topics": np.bincount(inverse), "share": wins / total}))
    settings = record_options(count_wins, locals())
    table = pd.concat(frames, ignore_index=True)
    return WinMatrix(
        table,
        settings,
        signed("win matrix", settings, verdicts={"sha256": verdicts.digest}),
    )


def weigh(pairs: PairOutcomes, weights: VerdictWeights) -> Floats:
    """The weight of each verdict, [verdicts]."""
    weight = pairs.weight.astype(float)
    return np.asarray(weight / pairs.count[pairs.pair] if weights == "pairs" else weight)
