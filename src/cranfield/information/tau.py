"""Information tau of two measures: how much of their agreement is left given other measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, overload

import numpy as np
from numpy.typing import ArrayLike

from cranfield.errors import UsageError
from cranfield.information.measure_scores import aligned, names_of, signature_of, topic_rows
from cranfield.information.topic_means import RESAMPLES, average, check_interval, interval
from cranfield.results.frames import unrolled
from cranfield.results.result import Result, Tables
from cranfield.statistics.entropy import Estimate
from cranfield.statistics.order_information import Ties, order_information

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True, eq=False, repr=False)
class InformationTau(Result):
    """Information tau of two measures, topic by topic and on average.

    Args:
        value: mean over topics, in bits; NaN where no topic has a value.
        low, high: percentile bootstrap interval of the mean over topics; NaN where fewer than two topics have a value.
        topics: the ``information_tau`` of each ``topic``, dims (topic); NaN where no pair of systems is left.
        settings: names, conditions, ties, estimator, level, resamples, seed.
        signature: all that changes these numbers.
    """

    charts: ClassVar[tuple[str, ...]] = ("topic_tau",)
    value: float
    low: float
    high: float
    topics: xr.DataArray
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {"values": self._values, "topics": lambda: unrolled(self.topics)}

    def __float__(self) -> float:
        return self.value


@overload
def compute_information_tau(
    r: xr.DataArray,
    s: xr.DataArray,
    given: Sequence[xr.DataArray] = ...,
    *,
    ties: Ties = ...,
    tie_tol: float = ...,
    universe: Sequence[xr.DataArray] = ...,
    estimator: Estimate = ...,
    level: float = ...,
    resamples: int = ...,
    seed: int = ...,
) -> InformationTau: ...
@overload
def compute_information_tau(
    r: ArrayLike,
    s: ArrayLike,
    given: Sequence[ArrayLike] = ...,
    *,
    ties: Ties = ...,
    tie_tol: float = ...,
    universe: Sequence[ArrayLike] = ...,
    estimator: Estimate = ...,
) -> float: ...
def compute_information_tau(
    r: Any,
    s: Any,
    given: Sequence[Any] = (),
    *,
    ties: Ties = "drop",
    tie_tol: float = 0.0,
    universe: Sequence[Any] = (),
    estimator: Estimate = "plug-in",
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 1,
) -> float | InformationTau:
    """The information that the order of systems by one measure gives about their order by another, given other orders.

    tau_I(R, S | T_1 ... T_k) = I(X_R; X_S | X_T1, ..., X_Tk) over ordered pairs of systems, X = 1 if the first is
    better and -1 if it is worse, in bits. Without ties and conditions tau_I = 1 - h((1 - t)/2), t Kendall's tau and
    h(x) = -x log2 x - (1 - x) log2(1 - x). It is 1 for the same and for the reversed order, and above 0 by chance: see
    ``estimate_information_tau_null``. Conditioning can raise the value as well as lower it, so that
    tau_I(R, S) - tau_I(R, S | T) may be negative.

    Args:
        r, s: values of the same systems, larger is better: vectors [n], or scores of one measure each, dims (topic,
            system), as ``evaluate(...)[name]``, of which the value of every topic is taken and their mean.
        given: T_1 to T_k, as r and s.
        ties: ``drop`` leaves out pairs that are tied in r, s or any of ``given``, so that values lie in [0, 1];
            ``ternary`` makes a tie an outcome, and values lie in [0, log2 3].
        tie_tol: values that differ by no more are tied; at least 0, in units of the measures.
        universe: further orders whose tied pairs are left out. Name in it whatever is given elsewhere, to compare
            values over the same pairs.
        estimator: ``plug-in``, from frequencies as they are; ``miller-madow`` or ``shrinkage``, corrected for what
            chance adds, as if pairs of systems were drawn one by one: both correct too little, as pairs share systems.
            By ``miller-madow`` a value may be below 0.
        level: coverage of the interval over topics, in (0, 1); of scores only.
        resamples: number of bootstrap samples of topics, 0 for no interval; of scores only.
        seed: of the draws, at least 0.

    Returns:
        A number for vectors, NaN where no pair is left; ``InformationTau`` for scores.

    Raises:
        InputError: a NaN among the values; a topic of which a measure has no value at all is left out.
        UsageError: values that do not belong to the same systems, or an argument outside its range.

    Reference:
        Golbus & Aslam 2013, doi:10.1145/2484028.2484073, section 4; ties after its footnote 2.

    >>> from cranfield.information import compute_information_tau
    >>> r, s, t = [4, 3, 2, 1], [4, 3, 1, 2], [4, 2, 3, 1]
    >>> round(compute_information_tau(r, s), 6), round(compute_information_tau(r, s, given=[t]), 6)
    (0.349978, 0.316689)
    """
    several = [r, s, *given, *universe]
    if not any(hasattr(values, "dims") for values in several):
        return order_information(r, s, given, ties=ties, tie_tol=tie_tol, universe=universe, estimator=estimator)
    for values in several:
        if not hasattr(values, "dims"):
            raise UsageError("scores and plain numbers cannot be mixed: give scores of one measure for each order")
    check_interval(level, resamples, seed)
    tables = aligned(several)
    conditions = 2 + len(given)
    taus = np.full(len(several[0]["topic"]), np.nan)
    for topic, rows in topic_rows(tables, several):
        orders = rows[0], rows[1], rows[2:conditions]
        how: Any = {"ties": ties, "tie_tol": tie_tol, "estimator": estimator}
        taus[topic] = order_information(*orders, universe=rows[conditions:], **how)
    low, high = interval(taus[:, None], level, resamples, seed)
    settings = {
        **{"measure": str(r.name), "other": str(s.name), **names_of(given, universe)},
        **{
            "ties": ties,
            "tie_tol": tie_tol,
            "estimator": estimator,
            "level": level,
            "resamples": resamples,
            "seed": seed,
        },
    }
    topics = several[0][:, 0] if several[0].dims[0] == "topic" else several[0][0]
    topics = topics.reset_coords(drop=True).copy(data=taus).rename("information_tau")
    topics.attrs = {}
    signature = signature_of("information tau", settings, several)
    return InformationTau(float(average(taus[:, None])[0]), float(low[0]), float(high[0]), topics, settings, signature)
