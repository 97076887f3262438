"""``count_wins``: how often each system wins against each other one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from cranfield._typing import Floats
from cranfield.declarations.analysis import FromVerdicts, View, analysis
from cranfield.pairwise.options import IN_FILE_ORDER, Weights, WeightsOption
from cranfield.pairwise.verdicts import PairOutcomes, VerdictsLike, as_verdicts, pair_outcomes
from cranfield.results.columns import Column
from cranfield.results.result import Result, signed

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class WinMatrix(Result):
    """Wins of systems over each other.

    Args:
        table: one row a ``judge`` and pair of systems that were compared, ``system`` and ``other``.
        settings: ``weights``.
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
        """How a tie counts."""
        return "a tie is half a win and half a loss"


@analysis(
    "judges pairs",
    "",
    FromVerdicts(),
    views=(View("wins", "of each pair.", pairs=IN_FILE_ORDER, table="table"),),
)
def count_wins(verdicts: VerdictsLike, *, weights: WeightsOption = "pairs") -> WinMatrix:
    """Count wins and losses of every two systems, judge by judge.

    By ``pairs``, each pair of a topic weighs 1, which its verdicts share.

    Args:
        verdicts: of one or several judges.
    """
    import pandas as pd

    verdicts = as_verdicts(verdicts)
    frames = []
    for judge, own in verdicts.by_judge():
        pairs, systems = pair_outcomes(own), len(own.systems)
        weight = pairs.count if weights == "verdicts" else np.ones(len(pairs.count))
        cells, inverse = np.unique(pairs.low * systems + pairs.high, return_inverse=True)
        wins = np.bincount(inverse, weight * (pairs.mean + 1) / 2, len(cells))
        total = np.bincount(inverse, weight, len(cells))
        columns: dict[str, Any] = {"judge": judge, "system": [own.systems[at] for at in cells // systems]}
        columns |= {"other": [own.systems[at] for at in cells % systems], "wins": wins, "losses": total - wins}
        frames.append(pd.DataFrame(columns | {"topics": np.bincount(inverse), "share": wins / total}))
    settings = {"weights": weights}
    table = pd.concat(frames, ignore_index=True)
    return WinMatrix(
        table,
        settings,
        signed("win matrix", settings, verdicts={"sha256": verdicts.digest}),
    )


def weigh(pairs: PairOutcomes, weights: Weights) -> Floats:
    """The weight of each verdict, [verdicts]."""
    return np.asarray(1.0 / pairs.count[pairs.pair] if weights == "pairs" else np.ones(len(pairs.pair)))
