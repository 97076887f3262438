"""What information tau would be by chance: between two orders of which one is permuted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from cranfield._text import shown
from cranfield._typing import Floats
from cranfield._validation import whole, word
from cranfield.errors import UsageError
from cranfield.information.tau import aligned, average, names_of, topic_rows
from cranfield.results.result import Result, Tables, signed
from cranfield.scores.signature import signature_in
from cranfield.statistics._concordance import items_above
from cranfield.statistics.entropy import Estimate
from cranfield.statistics.information_tau import Ties, check_orders, information_of_seconds

if TYPE_CHECKING:
    import xarray as xr

PERMUTATIONS = 200
"""The fewest that say much of a mean: its Monte-Carlo error is then a fourteenth of the spread over permutations."""


@dataclass(frozen=True, eq=False, repr=False)
class InformationTauNull(Result):
    """Information tau beside its value by chance, which is above 0: the orders of few systems agree by accident.

    Args:
        value: mean over topics, in bits; as ``compute_information_tau`` gives it.
        null: mean of the same over permutations of the second order, in bits.
        null_95: what 95% of the permutations do not exceed.
        p: (permutations that reach ``value`` + 1) / (permutations + 1); NaN where there is no value.
        settings: names, conditions, ties, estimator, permutations, seed.
        signature: all that changes these numbers.
    """

    value: float
    null: float
    null_95: float
    p: float
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {"values": self._values}


def estimate_information_tau_null(
    r: xr.DataArray,
    s: xr.DataArray,
    given: Sequence[xr.DataArray] = (),
    *,
    ties: Ties = "drop",
    tie_tol: float = 0.0,
    universe: Sequence[xr.DataArray] = (),
    estimator: Estimate = "plug-in",
    permutations: int = PERMUTATIONS,
    seed: int = 1,
) -> InformationTauNull:
    """Is information tau of two measures more than chance?

    p = (hits + 1) / (permutations + 1), with hits the permutations whose mean over topics is no less. In every
    permutation the systems of ``s`` change places, on each topic in another way, while r, the conditions and the
    universe stay as they are.

    Args:
        r, s: scores of one measure each, dims (topic, system).
        given: T_1 to T_k, likewise.
        ties, tie_tol, universe, estimator: as in ``compute_information_tau``.
        permutations: at least 200.
        seed: at least 0; the same seed gives the same bits.

    Raises:
        InputError: a NaN among the values; a topic of which a measure has no value at all is left out.
        UsageError: plain numbers, values that do not belong to the same systems, or an argument outside its range.

    References:
        Golbus & Aslam 2013, A mutual information-based framework for the analysis of information retrieval systems.
        doi:10.1145/2484028.2484073
        Phipson & Smyth 2010, Permutation p-values should never be zero. doi:10.2202/1544-6115.1585
    """
    whole(PERMUTATIONS, permutations=permutations)
    whole(0, seed=seed)
    word("estimator", estimator, get_args(Estimate))
    several = [r, s, *given, *universe]
    if not all(hasattr(values, "dims") for values in several):
        raise UsageError("a null is of scores: give those of one measure for each order, dims (topic, system)")
    conditions, rng = 2 + len(given), np.random.default_rng(seed)
    rows = [check_orders(values, ties, tie_tol) for _, values in topic_rows(aligned(several), several)]

    def taus(values: Sequence[Floats], seconds: Floats) -> Floats:
        known, left = values[2:conditions], values[conditions:]
        return information_of_seconds(values[0], seconds, known, left, ties, tie_tol, estimator)

    observed = np.array([taus(values, values[1][None]) for values in rows]).reshape(-1, 1)
    # Where equal values alone are tied, places in the order say as much as the values, in one byte or two.
    seconds = (values[1] if tie_tol else ~items_above(values[1][None])[0] for values in rows)
    permuted = (rng.permuted(np.tile(second, (permutations, 1)), axis=1) for second in seconds)
    drawn = np.array([taus(*each) for each in zip(rows, permuted, strict=True)]).reshape(-1, permutations)
    value, by_chance = float(average(observed)[0]), average(drawn)
    by_chance = by_chance[~np.isnan(by_chance)]
    settings = {
        **{"first": str(r.name), "second": str(s.name), **names_of(given, universe)},
        **{"ties": ties, "tie_tol": tie_tol, "estimator": estimator, "permutations": permutations, "seed": seed},
    }
    sources = [signature_in(values.attrs, shown(str(values.name))) for values in several]
    signature = signed("information tau by chance", settings, scores=sources)
    if np.isnan(value) or not len(by_chance):
        return InformationTauNull(value, np.nan, np.nan, np.nan, settings, signature)
    hits = int((by_chance >= value - 1e-12).sum())
    p = (hits + 1) / (len(by_chance) + 1)
    null, null_95 = float(by_chance.mean()), float(np.quantile(by_chance, 0.95))
    return InformationTauNull(value, null, null_95, p, settings, signature)
