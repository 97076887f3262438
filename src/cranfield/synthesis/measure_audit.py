"""Which measure to trust on a collection, and whether it has enough topics: one table over measures."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.arguments import share, whole
from cranfield.arrays import Floats
from cranfield.errors import CranfieldWarning, MeasureError, UsageError
from cranfield.measures import parse_measures
from cranfield.results.frames import tidy
from cranfield.results.result import Result, Tables
from cranfield.scores.labelled import ScoresLike
from cranfield.scores.matrix import Matrix, is_effectiveness, matrices_of
from cranfield.statistics.rank_correlation import tau_b
from cranfield.trust.reliability import estimate_reliability
from cranfield.trust.sensitivity import estimate_sensitivity
from cranfield.trust.stability import estimate_stability
from cranfield.wording import warn

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

MEANING = {
    "Phi": "share of the variance of these mean scores that is the systems' own, Phi at all topics: 1 is perfect",
    "Phi_low": "lower end of its interval",
    "Phi_high": "upper end of its interval",
    "topics_needed": "fewest topics for the target of Phi",
    "error_rate": "share of decisions between two systems that another half of the topics reverses",
    "power": "share of pairs of systems that are significantly different, uncorrected",
    "required_low": "a difference of means that is significant in 95% of the pairs: from here,",
    "required_high": "to here, as the resamples fall",
    "agreement": "mean tau_b with the order of systems by each other measure",
    "used": "share of the measure's scale that lies between the smallest and the largest mean of a system",
    "tied": "share of all comparisons of two systems on one topic that end in a tie",
}
"""Column -> what it means, in one clause."""


@dataclass(frozen=True, eq=False, repr=False)
class Audit(Result):
    """How far each measure can be trusted on a collection.

    Args:
        table: of each ``measure`` (the index) ``Phi`` with its interval ``Phi_low`` to ``Phi_high``, ``topics_needed``,
            ``error_rate``, ``power``, ``required_low``, ``required_high``, ``agreement``, ``used`` and ``tied``, which
            ``MEANING`` explains.
        readings: measure -> its ``reading``, sentences that say what its row means.
        settings: of the analysis.
        signature: all that changes these numbers.
    """

    table: pd.DataFrame
    readings: dict[str, str]
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {"table": lambda: tidy(self.table), "readings": self._sentences}

    def _sentences(self) -> pd.DataFrame:
        import pandas as pd

        return pd.DataFrame(list(self.readings.items()), columns=["measure", "reading"])


def audit(
    scores: ScoresLike,
    *,
    target: float = 0.95,
    alpha: float = 0.05,
    level: float = 0.95,
    resamples: int = 1000,
    subsets: int = 200,
    seed: int = 1,
) -> Audit:
    """Which measure should I trust here, and do I have enough topics?

    Of each measure: reliability Phi at all topics with its interval, and the topics needed for ``target``
    (``estimate_reliability``); the error rate of half of the topics (``estimate_stability``); discriminative power, and
    the difference required for 95% of the pairs with its Monte-Carlo error, under the paired bootstrap
    (``estimate_sensitivity``), all measures on the same resamples; mean tau_b with the other measures' orders of
    systems (NaN for one measure); the part of its scale that systems' means spread over (from 0 to 1 for a measure that
    is not ours; NaN where it has no ends); and the share of ties.

    Args:
        scores: of one or several measures, dims (topic, system), complete. Measures that say nothing of how good a list
            is, such as Judged, are left out with a warning.
        target: of Phi, in (0, 1).
        alpha: level of significance, in (0, 1).
        level: coverage of the interval of Phi, in (0, 1).
        resamples: of the bootstrap.
        subsets: of topics, for the error rate.
        seed: the same seed gives the same bits.

    Raises:
        InputError: fewer than two systems or four topics, or a missing score.
        UsageError: numbers outside their range, or no measure of effectiveness.
    """
    import pandas as pd

    share(target=target, alpha=alpha, level=level)
    whole(1, resamples=resamples)
    whole(2, subsets=subsets)
    whole(0, seed=seed)
    matrices = _of_effectiveness(scores)
    for matrix in matrices:
        matrix.at_least(4, 2, "an audit")
        matrix.complete("an audit", "leave the topic out, or evaluate with missing='empty'")
    arrays = [matrix.labelled() for matrix in matrices]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)  # no interval of power is shown
        sensitive = estimate_sensitivity(_dataset(arrays), alpha=alpha, resamples=resamples, seed=seed).table
    orders = np.stack([matrix.comparable_means for matrix in matrices])
    rows = {}
    for at, (matrix, array) in enumerate(zip(matrices, arrays, strict=True)):
        rows[matrix.measure] = {
            **_reliability(array, len(matrix.topics), target, level),
            "error_rate": _error_rate(array, len(matrix.topics) // 2, subsets, seed),
            "power": float(sensitive["power"].iloc[at]),
            **{name: float(sensitive[name].iloc[at]) for name in ("required_low", "required_high")},
            "agreement": _agreement(orders, at),
            "used": float(np.ptp(matrix.means)) / _scale(matrix),
            "tied": _tied(matrix.values),
        }
    settings = {"target": target, "alpha": alpha, "level": level, "resamples": resamples}
    settings |= {"subsets": subsets, "seed": seed}
    signature = matrices[0].signature("audit", **settings) | {"measure": [matrix.measure for matrix in matrices]}
    table = pd.DataFrame.from_dict(rows, orient="index")[list(MEANING)].rename_axis("measure")
    topics, pairs = len(matrices[0].topics), len(matrices[0].systems) * (len(matrices[0].systems) - 1) // 2
    readings = {name: _reading(name, row, topics, pairs, target, alpha) for name, row in rows.items()}
    return Audit(table, readings, settings, signature)


def _of_effectiveness(scores: ScoresLike) -> list[Matrix]:
    """Scores of the measures that an audit can judge.

    Raises:
        UsageError: there is none.
    """
    found = matrices_of(scores)
    others = [matrix for matrix in found if not is_effectiveness(matrix.measure)]
    if not others:
        return found
    names, one = ", ".join(matrix.called for matrix in others), len(others) == 1
    said = f"{names} {'is no measure' if one else 'are no measures'} of effectiveness"
    if len(others) == len(found):
        raise UsageError(f"{said}, and an audit says how far one can be trusted: give one")
    warn(f"{said} and left out of the audit")
    return [matrix for matrix in found if is_effectiveness(matrix.measure)]


def _dataset(arrays: Sequence[xr.DataArray]) -> xr.Dataset:
    import xarray as xr

    return xr.Dataset({str(array.name): array for array in arrays})


def _reliability(array: xr.DataArray, topics: int, target: float, level: float) -> dict[str, float]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)  # the reading says what is undefined
        found = estimate_reliability(array, topics=[topics], target=target, level=level)
    row = found.curve.iloc[0]
    return {
        "Phi": float(row["Phi"]),
        "Phi_low": float(row["Phi_low"]),
        "Phi_high": float(row["Phi_high"]),
        "topics_needed": found.needed["Phi"],
    }


def _error_rate(array: xr.DataArray, half: int, subsets: int, seed: int) -> float:
    return float(estimate_stability(array, topics=[half], subsets=subsets, seed=seed).rates["error_rate"].iloc[0])


def _agreement(orders: Floats, at: int) -> float:
    others = np.delete(orders, at, axis=0)
    if not len(others):
        return math.nan
    found = tau_b(others, orders[at])
    known = found[~np.isnan(found)]
    return float(known.mean()) if len(known) else math.nan


def _scale(matrix: Matrix) -> float:
    """From the smallest to the largest value that a measure can have; NaN where there is no such value."""
    usual, widest = (0.0, 1.0), (-math.inf, math.inf)
    try:
        [measure] = parse_measures(matrix.measure)
        usual, widest = measure.declaration.usual_range, measure.range
    except (MeasureError, ValueError):
        pass
    inside = usual[0] <= matrix.values.min() and matrix.values.max() <= usual[1]
    low, high = usual if inside else widest
    return high - low if math.isfinite(high - low) else math.nan


def _tied(table: Floats) -> float:
    """Share of ties among all pairs of systems on all topics."""
    n, systems = table.shape
    ordered = np.sort(table, axis=1)
    slack = 1e-12 * np.abs(table).max()
    fresh = np.concatenate([np.ones((n, 1), dtype=bool), np.diff(ordered, axis=1) > slack], axis=1)
    group = np.cumsum(fresh.ravel())
    sizes = np.bincount(group)
    return float((sizes * (sizes - 1)).sum() / (n * systems * (systems - 1)))


def _reading(name: str, row: dict[str, float], topics: int, pairs: int, target: float, alpha: float) -> str:
    """What a row means, in plain sentences."""
    if math.isnan(row["Phi"]):
        return f"{name} gives every system the same score on every topic: it says nothing here."
    needed = row["topics_needed"]
    if math.isinf(needed):
        enough = f"No number of topics would make {name} reliable: it does not distinguish systems"
    elif needed <= topics:
        enough = f"{name} has enough topics: {needed:,.0f} of these {topics:,} would do for Phi = {target:g}"
    else:
        enough = f"{name} needs {needed:,.0f} topics for Phi = {target:g}, and has {topics:,}"
    found = round(row["power"] * pairs)
    parts = [
        f"{enough} (now {row['Phi']:.3f}, between {row['Phi_low']:.3f} and {row['Phi_high']:.3f}).",
        f"On half of the topics, {row['error_rate']:.1%} of all decisions between two systems go the other way.",
        f"It distinguishes {found:,} of {pairs:,} pairs at {alpha:g} ({row['power']:.1%}); "
        f"{_enough(row['required_low'], row['required_high'])}.",
    ]
    if not math.isnan(row["agreement"]):
        parts.append(
            f"Its order of systems agrees with the other measures' by tau_b = {row['agreement']:.2f} on average."
        )
    if not math.isnan(row["used"]):
        parts.append(f"Systems' means spread over {row['used']:.1%} of its scale.")
    parts.append(f"{row['tied']:.1%} of comparisons of two systems on one topic tie.")
    return " ".join(parts)


def _enough(low: float, high: float) -> str:
    """How far means have to lie apart, to the digit that the width of the range leaves, and one digit at least."""
    middle, width = (low + high) / 2, high - low
    if math.isnan(middle):
        return "too few resamples were drawn to say how far means have to lie apart"
    first = -math.floor(math.log10(middle)) if middle else 0
    places = max(first, min(first + 2, math.floor(-math.log10(width)))) if width else first + 2
    return f"for 95% of the pairs, means {round(middle, places):.{max(0, places)}f} apart are far enough"
