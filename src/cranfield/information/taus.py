"""Information tau of every two measures, alone and given every third."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, get_args

import numpy as np

from cranfield._typing import Floats
from cranfield._validation import word
from cranfield.errors import UsageError
from cranfield.information.measure_scores import aligned, signature_of, topic_rows
from cranfield.information.topic_means import RESAMPLES, average, check_interval, interval
from cranfield.results.frames import unrolled
from cranfield.results.result import Result, Tables
from cranfield.scores.dataset import labelled_array
from cranfield.statistics.entropy import Estimate
from cranfield.statistics.order_information import Ties, all_triples, check_orders

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True, eq=False, repr=False)
class InformationTaus(Result):
    """Information tau of every two measures, alone and given every third.

    Args:
        value: means over topics, in bits, dims (``measure``, ``other``, ``given``); the first ``given`` is ``""``:
            nothing.
        low, high: percentile bootstrap intervals of the means over topics.
        topics: dims (``topic``, measure, other, given).
        settings: ties, common, estimator, level, resamples, seed.
        signature: all that changes these numbers.
    """

    charts: ClassVar[tuple[str, ...]] = ("conditional_tau",)
    value: xr.DataArray
    low: xr.DataArray
    high: xr.DataArray
    topics: xr.DataArray
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        import xarray as xr

        means = {"value": self.value, "low": self.low, "high": self.high}
        return {"taus": lambda: unrolled(xr.Dataset(means)), "topics": lambda: unrolled(self.topics, "value")}


def compute_information_taus(
    scores: xr.Dataset,
    *,
    ties: Ties = "drop",
    tie_tol: float = 0.0,
    common: bool = True,
    estimator: Estimate = "plug-in",
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 1,
) -> InformationTaus:
    """Information tau of every two measures, alone and given every third; see ``compute_information_tau``.

    Args:
        scores: from ``evaluate``, at least two measures, dims (topic, system).
        ties, tie_tol: see ``compute_information_tau``.
        common: leave out pairs of systems that any of the measures ties, so that all values are over the same pairs;
            else only those that one of the two or three measures in question ties. Of ``ties="drop"`` only.
        estimator, level, resamples, seed: see ``compute_information_tau``.

    Raises:
        InputError: a NaN among the values; a topic of which a measure has no value at all is left out.
        UsageError: fewer than two measures, other dims, or an argument outside its range.

    Reference:
        Golbus & Aslam 2013, doi:10.1145/2484028.2484073, section 4.
    """
    if not hasattr(scores, "data_vars") or len(scores.data_vars) < 2:
        raise UsageError("compute_information_taus takes a Dataset of two measures or more")
    check_interval(level, resamples, seed)
    word("estimator", estimator, get_args(Estimate))
    names = [str(name) for name in scores.data_vars]
    arrays = [scores[name] for name in scores.data_vars]
    tables = aligned(arrays)
    size = len(names)
    taus = np.full((scores.sizes["topic"], size, size, size + 1), np.nan)
    check_orders([[0.0]], ties, tie_tol)
    for topic, rows in topic_rows(tables, arrays):
        taus[topic] = all_triples(rows, ties=ties, tie_tol=tie_tol, common=common, estimator=estimator)
    flat = taus.reshape(len(taus), -1)
    low, high = interval(flat, level, resamples, seed)
    labels = {"measure": names, "other": names, "given": ["", *names]}

    def labelled(values: Floats) -> xr.DataArray:
        return labelled_array(values.reshape(taus.shape[1:]), labels)

    settings = {"ties": ties, "tie_tol": tie_tol, "common": common, "estimator": estimator}
    settings |= {"level": level, "resamples": resamples, "seed": seed}
    topics = labelled_array(taus, {"topic": scores["topic"].values, **labels})
    signature = signature_of("information taus", settings, [scores])
    return InformationTaus(labelled(average(flat)), labelled(low), labelled(high), topics, settings, signature)
