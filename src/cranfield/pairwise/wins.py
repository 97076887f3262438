"""``count_wins``: how often each system wins against each other one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from cranfield._typing import Floats
from cranfield._validation import word
from cranfield.pairwise.verdicts import PairOutcomes, VerdictsLike, as_verdicts, pair_outcomes
from cranfield.results.result import Result, signed

if TYPE_CHECKING:
    import pandas as pd

Weights: TypeAlias = Literal["pairs", "verdicts"]


@dataclass(frozen=True, eq=False, repr=False)
class WinMatrix(Result):
    """Wins of systems over each other.

    Args:
        table: one row a ``judge`` and pair of systems that were compared: ``system``, ``other``, ``wins`` and
            ``losses`` of the first (a tie is half of each), on how many ``topics``, and the ``share`` of wins.
        settings: ``weights``.
        signature: all that changes these numbers.
    """

    table: pd.DataFrame
    settings: dict[str, Any]
    signature: dict[str, Any]


def count_wins(verdicts: VerdictsLike, *, weights: Weights = "pairs") -> WinMatrix:
    """Count wins and losses of every two systems, judge by judge.

    Args:
        verdicts: of one or several judges.
        weights: ``pairs``: each pair of a topic weighs 1, which its verdicts share; ``verdicts``: each verdict 1.

    Raises:
        UsageError: an unknown word.
    """
    import pandas as pd

    verdicts = as_verdicts(verdicts)
    word("weights", weights, get_args(Weights))
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
