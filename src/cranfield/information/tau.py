"""Information tau of measures: how much of their agreement remains given other measures.

Scores of two measures, or of all, are compared topic by topic. Means over topics have bootstrap intervals, and for two
measures a null distribution by permutations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args, overload

import numpy as np
from numpy.typing import ArrayLike

from cranfield._message import setting
from cranfield._text import quoted, shown
from cranfield._typing import Floats
from cranfield._validation import check_integer, share, word
from cranfield.errors import InputError, UsageError
from cranfield.results.frames import unrolled
from cranfield.results.result import Result, Tables, signed
from cranfield.scores.signature import signature_in
from cranfield.statistics.concordance import items_above
from cranfield.statistics.entropy import Estimate
from cranfield.statistics.information_tau import (
    TauTies,
    all_triples,
    check_orders,
    compute_informations,
    order_information,
)
from cranfield.statistics.test_names import INTERVAL_RESAMPLES

if TYPE_CHECKING:
    import xarray as xr

BLOCK = 1 << 22
"""Numbers of a resample that are held at a time."""
PERMUTATIONS = 200
"""The fewest that say much of a mean: its Monte-Carlo error is then a fourteenth of the spread over permutations."""


def check_interval(level: float, resamples: int, seed: int) -> None:
    """Raises: UsageError: an argument outside its range."""
    share(level=level)
    check_integer(0, resamples=resamples, seed=seed)


def average(values: Floats) -> Floats:
    """Mean of the topics that have a value, [topics, columns] -> [columns]."""
    defined = ~np.isnan(values)
    count = defined.sum(axis=0)
    total = np.where(defined, values, 0.0).sum(axis=0)
    means: Floats = np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0)
    return means


def interval(values: Floats, level: float, resamples: int, seed: int) -> tuple[Floats, Floats]:
    """Percentile bootstrap interval of the mean over topics, [topics, columns] -> [columns] twice.

    All columns share the resampled topics; a topic without a value can be drawn and contributes nothing. NaN where
    fewer than two topics have a value.
    """
    topics, columns = values.shape
    low, high = np.full(columns, np.nan), np.full(columns, np.nan)
    defined = ~np.isnan(values)
    usable = np.flatnonzero(defined.sum(axis=0) > 1)
    if resamples == 0 or not len(usable):
        return low, high
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(topics, np.full(topics, 1 / topics), size=resamples).astype(np.float64)
    step = max(1, BLOCK // resamples)
    for first in range(0, len(usable), step):
        block = usable[first : first + step]
        count = drawn @ defined[:, block].astype(np.float64)
        total = drawn @ np.where(defined[:, block], values[:, block], 0.0)
        means = np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0)
        low[block], high[block] = np.nanquantile(means, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return low, high


@dataclass(frozen=True, eq=False, repr=False)
class InformationTau(Result):
    """Information tau of two measures, topic by topic and on average.

    Args:
        value: mean over topics, in bits; NaN where no topic has a value.
        low, high: percentile bootstrap interval of the mean over topics; NaN where fewer than two topics have a value.
        topics: the ``information_tau`` of each ``topic``, dims (topic); NaN where no pair of systems is left.
        settings: names, conditions, tau_ties, estimator, level, resamples, seed.
        signature: all that changes these numbers.
    """

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
    first: xr.DataArray,
    second: xr.DataArray,
    given: Sequence[xr.DataArray] = ...,
    *,
    tau_ties: TauTies = ...,
    tau_tolerance: float = ...,
    universe: Sequence[xr.DataArray] = ...,
    estimator: Estimate = ...,
    level: float = ...,
    resamples: int = ...,
    seed: int = ...,
) -> InformationTau: ...
@overload
def compute_information_tau(
    first: ArrayLike,
    second: ArrayLike,
    given: Sequence[ArrayLike] = ...,
    *,
    tau_ties: TauTies = ...,
    tau_tolerance: float = ...,
    universe: Sequence[ArrayLike] = ...,
    estimator: Estimate = ...,
) -> float: ...
def compute_information_tau(
    first: Any,
    second: Any,
    given: Sequence[Any] = (),
    *,
    tau_ties: TauTies = "drop",
    tau_tolerance: float = 0.0,
    universe: Sequence[Any] = (),
    estimator: Estimate = "plug-in",
    level: float = 0.95,
    resamples: int = INTERVAL_RESAMPLES,
    seed: int = 1,
) -> float | InformationTau:
    """Measure the information that the order of systems by one measure gives about that by another, given other orders.

    tau_I(R, S | T_1 ... T_k) = I(X_R; X_S | X_T1, ..., X_Tk) over ordered pairs of systems, X = 1 if the first is
    better and -1 if it is worse, in bits. Without ties and conditions tau_I = 1 - h((1 - t)/2), t Kendall's tau and
    h(x) = -x log2 x - (1 - x) log2(1 - x). It is 1 for the same and for the reversed order, and above 0 by chance: see
    ``estimate_information_tau_null``. Conditioning can raise the value as well as lower it, so that
    tau_I(R, S) - tau_I(R, S | T) may be negative.

    Args:
        first, second: R and S: values of the same systems, larger is better: vectors [n], or scores of one measure
            each, dims (topic, system), as ``evaluate(...)[name]``, of which the value of every topic is taken and their
            mean.
        given: T_1 to T_k, likewise.
        tau_ties: ``drop`` leaves out pairs that are tied in R, S or any of ``given``, so that values lie in [0, 1];
            ``ternary`` makes a tie an outcome, and values lie in [0, log2 3].
        tau_tolerance: values that differ by no more are tied; at least 0, in units of the measures.
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
    arrays = [first, second, *given, *universe]
    options: dict[str, Any] = {"tau_ties": tau_ties, "tau_tolerance": tau_tolerance, "estimator": estimator}
    if not any(hasattr(values, "dims") for values in arrays):
        return order_information(first, second, given, universe=universe, **options)
    for values in arrays:
        if not hasattr(values, "dims"):
            raise UsageError("scores and plain numbers cannot be mixed: give scores of one measure for each order")
    check_interval(level, resamples, seed)
    tables = aligned(arrays)
    conditions = 2 + len(given)
    taus = np.full(len(arrays[0]["topic"]), np.nan)
    for topic, rows in topic_rows(tables, arrays):
        orders = rows[0], rows[1], rows[2:conditions]
        taus[topic] = order_information(*orders, universe=rows[conditions:], **options)
    low, high = interval(taus[:, None], level, resamples, seed)
    settings = {"measure": str(first.name), "other": str(second.name), **condition_names(given, universe), **options}
    settings |= {"level": level, "resamples": resamples, "seed": seed}
    topics = arrays[0][:, 0] if arrays[0].dims[0] == "topic" else arrays[0][0]
    topics = topics.reset_coords(drop=True).copy(data=taus).rename("information_tau")
    topics.attrs = {}
    signature = make_signature("information tau", settings, arrays)
    return InformationTau(float(average(taus[:, None])[0]), float(low[0]), float(high[0]), topics, settings, signature)


@dataclass(frozen=True, eq=False, repr=False)
class InformationTaus(Result):
    """Information tau of every two measures, alone and given every third.

    Args:
        value: means over topics, in bits, dims (``measure``, ``other``, ``given``); the first ``given`` is ``""``:
            nothing.
        low, high: percentile bootstrap intervals of the means over topics.
        topics: dims (``topic``, measure, other, given).
        settings: tau_ties, common, estimator, level, resamples, seed.
        signature: all that changes these numbers.
    """

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
    tau_ties: TauTies = "drop",
    tau_tolerance: float = 0.0,
    common: bool = True,
    estimator: Estimate = "plug-in",
    level: float = 0.95,
    resamples: int = INTERVAL_RESAMPLES,
    seed: int = 1,
) -> InformationTaus:
    """Information tau of every two measures, alone and given every third; see ``compute_information_tau``.

    Args:
        scores: from ``evaluate``, at least two measures, dims (topic, system).
        tau_ties, tau_tolerance: see ``compute_information_tau``.
        common: leave out pairs of systems that any of the measures ties, so that all values are over the same pairs;
            else only those that one of the two or three measures in question ties. Of ``tau_ties="drop"`` only.
        estimator, level, resamples, seed: see ``compute_information_tau``.

    Raises:
        InputError: a NaN among the values; a topic of which a measure has no value at all is left out.
        UsageError: fewer than two measures, other dims, or an argument outside its range.

    Reference:
        Golbus & Aslam 2013, doi:10.1145/2484028.2484073, section 4.
    """
    import xarray as xr

    if not hasattr(scores, "data_vars") or len(scores.data_vars) < 2:
        raise UsageError("compute_information_taus takes a Dataset of two measures or more")
    check_interval(level, resamples, seed)
    word("estimator", estimator, get_args(Estimate))
    names = [str(name) for name in scores.data_vars]
    arrays = [scores[name] for name in scores.data_vars]
    tables = aligned(arrays)
    size = len(names)
    taus = np.full((scores.sizes["topic"], size, size, size + 1), np.nan)
    check_orders([[0.0]], tau_ties, tau_tolerance)
    for topic, rows in topic_rows(tables, arrays):
        taus[topic] = all_triples(
            rows, tau_ties=tau_ties, tau_tolerance=tau_tolerance, common=common, estimator=estimator
        )
    flat = taus.reshape(len(taus), -1)
    low, high = interval(flat, level, resamples, seed)
    labels = {"measure": names, "other": names, "given": ["", *names]}

    def labelled(values: Floats) -> xr.DataArray:
        return xr.DataArray(values.reshape(taus.shape[1:]), labels, tuple(labels))

    settings = {"tau_ties": tau_ties, "tau_tolerance": tau_tolerance, "common": common, "estimator": estimator}
    settings |= {"level": level, "resamples": resamples, "seed": seed}
    topics = xr.DataArray(taus, {"topic": scores["topic"].values, **labels}, ("topic", *labels))
    signature = make_signature("information taus", settings, [scores])
    return InformationTaus(labelled(average(flat)), labelled(low), labelled(high), topics, settings, signature)


def make_signature(
    analysis: str, settings: dict[str, Any], scores: Sequence[xr.DataArray] | Sequence[xr.Dataset]
) -> dict[str, Any]:
    """The signature of an analysis, with those of its scores: of a Dataset, or of each measure."""
    names = [shown(str(getattr(table, "name", "the scores"))) for table in scores]
    sources = [signature_in(table.attrs, name) for table, name in zip(scores, names, strict=True)]
    return signed(analysis, settings, scores=sources[0] if len(sources) == 1 else sources)


def aligned(arrays: Sequence[xr.DataArray]) -> Floats:
    """Values of the measures over the same topics and systems, [measures, topics, systems].

    Raises:
        UsageError: other dims than topic and system, or other labels than the first one's.
    """
    for values in arrays:
        if not hasattr(values, "dims") or set(values.dims) != {"topic", "system"}:
            raise UsageError(f"{values.name} has the dims {values.dims}, expected (topic, system)")
        for dim in ("topic", "system"):
            if values[dim].values.tolist() != arrays[0][dim].values.tolist():
                raise UsageError(f"{values.name} and {arrays[0].name} have different labels of the dim {dim}")
    return np.stack([values.transpose("topic", "system").values.astype(np.float64) for values in arrays])


def topic_rows(tables: Floats, arrays: Sequence[xr.DataArray]) -> Iterator[tuple[int, list[Floats]]]:
    """(number, values of each measure) of every topic of which each measure has values.

    Raises:
        InputError: a measure has values of some systems only.
    """
    unknown = np.isnan(tables)
    undefined = unknown.all(axis=2).any(axis=0)
    partly = unknown.any(axis=2) & ~unknown.all(axis=2)
    if partly.any():
        measure, topic = np.argwhere(partly)[0]
        system = int(unknown[measure, topic].argmax())
        values = arrays[measure]
        raise InputError(
            f"{values.name} of system {quoted(str(values['system'].values[system]))} on topic "
            f"{quoted(str(values['topic'].values[topic]))} is missing: leave the topic or the system out, or evaluate "
            f"with {setting('missing', 'empty')}"
        )
    for topic in np.flatnonzero(~undefined):
        yield int(topic), list(tables[:, topic])


def condition_names(given: Sequence[xr.DataArray], universe: Sequence[xr.DataArray]) -> dict[str, list[str]]:
    """Names of the conditions and of the universe, as settings hold them."""
    return {"given": [str(values.name) for values in given], "universe": [str(values.name) for values in universe]}


@dataclass(frozen=True, eq=False, repr=False)
class InformationTauNull(Result):
    """Information tau beside its value by chance, which is above 0: the orders of few systems agree by accident.

    Args:
        value: mean over topics, in bits; as ``compute_information_tau`` gives it.
        null: mean of the same over permutations of the second order, in bits.
        null_95: what 95% of the permutations do not exceed.
        p: (permutations that reach ``value`` + 1) / (permutations + 1); NaN where there is no value.
        settings: names, conditions, tau_ties, estimator, resamples, seed.
        signature: all that changes these numbers.
    """

    value: float
    null: float
    null_95: float
    p: float
    settings: dict[str, Any]
    signature: dict[str, Any]


def estimate_information_tau_null(
    first: xr.DataArray,
    second: xr.DataArray,
    given: Sequence[xr.DataArray] = (),
    *,
    tau_ties: TauTies = "drop",
    tau_tolerance: float = 0.0,
    universe: Sequence[xr.DataArray] = (),
    estimator: Estimate = "plug-in",
    resamples: int = PERMUTATIONS,
    seed: int = 1,
) -> InformationTauNull:
    """Compare information tau of two measures with its value by chance.

    p = (hits + 1) / (resamples + 1), with hits the permutations whose mean over topics is no less. In every
    permutation the systems of ``second`` change places, on each topic in another way, while ``first``, the conditions
    and the universe stay as they are.

    Args:
        first, second: scores of one measure each, dims (topic, system).
        given: T_1 to T_k, likewise.
        tau_ties, tau_tolerance, universe, estimator: as in ``compute_information_tau``.
        resamples: permutations of the second order, at least 200.
        seed: at least 0; the same seed gives the same bits.

    Raises:
        InputError: a NaN among the values; a topic of which a measure has no value at all is left out.
        UsageError: plain numbers, values that do not belong to the same systems, or an argument outside its range.

    References:
        Golbus & Aslam 2013, A mutual information-based framework for the analysis of information retrieval systems.
        doi:10.1145/2484028.2484073
        Phipson & Smyth 2010, Permutation p-values should never be zero. doi:10.2202/1544-6115.1585
    """
    check_integer(PERMUTATIONS, resamples=resamples)
    check_integer(0, seed=seed)
    word("estimator", estimator, get_args(Estimate))
    arrays = [first, second, *given, *universe]
    if not all(hasattr(values, "dims") for values in arrays):
        raise UsageError("a null is of scores: give those of one measure for each order, dims (topic, system)")
    conditions, rng = 2 + len(given), np.random.default_rng(seed)
    rows = [check_orders(values, tau_ties, tau_tolerance) for _, values in topic_rows(aligned(arrays), arrays)]

    def taus(values: Sequence[Floats], seconds: Floats) -> Floats:
        known, left = values[2:conditions], values[conditions:]
        return compute_informations(values[0], seconds, known, left, tau_ties, tau_tolerance, estimator)

    observed = np.array([taus(values, values[1][None]) for values in rows]).reshape(-1, 1)
    # Where equal values alone are tied, ranks in the order say as much as the values, in one byte or two.
    seconds = (values[1] if tau_tolerance else ~items_above(values[1][None])[0] for values in rows)
    permuted = (rng.permuted(np.tile(second, (resamples, 1)), axis=1) for second in seconds)
    drawn = np.array([taus(*each) for each in zip(rows, permuted, strict=True)]).reshape(-1, resamples)
    value, by_chance = float(average(observed)[0]), average(drawn)
    by_chance = by_chance[~np.isnan(by_chance)]
    settings = {
        **{"measure": str(first.name), "other": str(second.name), **condition_names(given, universe)},
        **{"tau_ties": tau_ties, "tau_tolerance": tau_tolerance, "estimator": estimator},
        **{"resamples": resamples, "seed": seed},
    }
    signature = make_signature("information tau by chance", settings, arrays)
    if np.isnan(value) or not len(by_chance):
        return InformationTauNull(value, np.nan, np.nan, np.nan, settings, signature)
    hits = int((by_chance >= value - 1e-12).sum())
    p = (hits + 1) / (len(by_chance) + 1)
    null, null_95 = float(by_chance.mean()), float(np.quantile(by_chance, 0.95))
    return InformationTauNull(value, null, null_95, p, settings, signature)
