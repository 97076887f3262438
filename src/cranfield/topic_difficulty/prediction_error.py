"""Errors of predicted difficulty: how far the predicted order of topics is from the observed one."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, Union

import numpy as np

from cranfield._text import listed, quoted
from cranfield._typing import Floats
from cranfield.errors import InputError, UsageError
from cranfield.results.frames import unrolled
from cranfield.results.result import Result, Tables, signed
from cranfield.statistics.concordance import mid_ranks
from cranfield.statistics.rank_correlation import pearson, spearman, tau_b

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

ByTopic: TypeAlias = Union[
    Mapping[str, float], Mapping[str, Mapping[str, float]], "pd.Series[float]", "pd.DataFrame", "xr.DataArray"
]
"""A number for each topic, or several under names: columns of a frame, a dict of dicts, dims (topic, system)."""
STATISTICS = ("smare", "pearson", "tau_b", "spearman")


@dataclass(frozen=True, eq=False, repr=False)
class PredictionErrors(Result):
    """Errors of predictors: how far their order of topics is from the order by effectiveness.

    Args:
        sare: scaled absolute rank error, dims (``predictor``, ``system``, ``topic``), in [0, 1 - 1/n] for n topics.
        summary: of each ``predictor`` and ``system``: ``smare``, the mean of ``sare``; ``pearson``, ``tau_b`` and
            ``spearman`` of the same numbers, NaN where either is constant; and ``topics``.
        means: of each ``predictor`` (the index) the mean of each statistic over systems.
        settings: predictors and systems.
        signature: all that changes these numbers.
    """

    sare: xr.DataArray
    summary: pd.DataFrame
    means: pd.DataFrame
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {
            "means": self.means.reset_index,
            "summary": lambda: self.summary,
            "sare": lambda: unrolled(self.sare, "sare"),
        }


def compute_prediction_errors(predictions: ByTopic, effectiveness: ByTopic) -> PredictionErrors:
    """Compare the order of topics that was predicted with the order that was observed, topic by topic.

    sARE(q) = |rank of the prediction - rank of the effectiveness| / n over n topics, where ties share their mean rank;
    sMARE is its mean over topics. It is 0 for the same order; 1/2 for the reversed one (for odd n, (n^2 - 1) / (2
    n^2)); about 1/3 for a random one, and 1/4 for a constant prediction. Smaller is better. Unlike a correlation it has
    a value for each topic, by which predictors can be compared in a paired test.

    Args:
        predictions: larger is easier: a number for each topic, or several predictors under their names.
        effectiveness: of the same topics: the ease, or the scores of one system or several.

    Raises:
        InputError: a topic is missing on either side or occurs twice, a value is not a finite number, or there are
            fewer than two topics.
        UsageError: what is given has no topics.

    References:
        Faggioli, Zendel, Culpepper, Ferro & Scholer 2022, sMARE: a new paradigm to evaluate and understand query
        performance prediction methods. doi:10.1007/s10791-022-09407-w

    >>> found = compute_prediction_errors({"a": 3, "b": 3, "c": 2, "d": 1}, {"a": 0.9, "b": 0.1, "c": 0.5, "d": 0.3})
    >>> found.summary["smare"].item(), found.sare.values.ravel().tolist()
    (0.3125, [0.125, 0.625, 0.25, 0.25])
    """
    import pandas as pd
    import xarray as xr

    predicted, observed = _columns(predictions, "predictions"), _columns(effectiveness, "effectiveness")
    topics = _shared(predicted, observed)
    p, e = _numbers(predicted, topics), _numbers(observed, topics)
    errors = scaled_rank_errors(p[:, None], e[None])
    labels = {"predictor": list(predicted), "system": list(observed), "topic": topics}
    pairs = [(a, b) for a in range(len(p)) for b in range(len(e))]
    rows = [
        (labels["predictor"][a], labels["system"][b], *statistics(p[a], e[b]).values(), len(topics)) for a, b in pairs
    ]
    summary = pd.DataFrame(rows, columns=["predictor", "system", *STATISTICS, "topics"])
    means = summary.groupby("predictor", sort=False)[list(STATISTICS)].mean()
    settings = {"predictors": labels["predictor"], "systems": labels["system"]}
    digest = hashlib.sha256(p.tobytes() + e.tobytes()).hexdigest()
    signature = signed("predictions of difficulty", settings, topics=topics, numbers={"sha256": digest})
    coordinates = {name: np.array(values, dtype=object) for name, values in labels.items()}
    sare = xr.DataArray(errors, coordinates, ("predictor", "system", "topic"), name="sare")
    return PredictionErrors(sare, summary, means, settings, signature)


def scaled_rank_errors(predicted: Floats, observed: Floats) -> Floats:
    """sARE of each topic, [..., n] and [..., n], whose leading axes are broadcast, -> [..., n]."""
    n = predicted.shape[-1]
    p, e = (mid_ranks(values.reshape(-1, n)).reshape(values.shape) for values in (predicted, observed))
    errors: Floats = np.abs(p - e) / n
    return errors


def statistics(predicted: Floats, observed: Floats) -> dict[str, float]:
    """sMARE and the correlations of one predictor, [n] and [n], by ``STATISTICS``."""
    values = (
        scaled_rank_errors(predicted, observed).mean(),
        *(correlate(predicted, observed) for correlate in (pearson, tau_b, spearman)),
    )
    return dict(zip(STATISTICS, map(float, values), strict=True))


def _numbers(columns: Mapping[str, pd.Series[float]], topics: Sequence[str]) -> Floats:
    """[names, topics]."""
    return np.array([column.loc[list(topics)].tolist() for column in columns.values()], dtype=np.float64)


def _columns(source: Any, what: str) -> dict[str, pd.Series[float]]:
    """Numbers by topic under each name; checked."""
    import pandas as pd

    if hasattr(source, "dims"):
        if "topic" not in source.dims or not set(source.dims) <= {"topic", "system"}:
            raise UsageError(f"{what} has the dims {source.dims}: give dims (topic,) or (topic, system)")
        source = source.transpose("topic", ...).to_pandas()
    if isinstance(source, Mapping):
        nested = source and all(isinstance(value, Mapping) for value in source.values())
        source = pd.DataFrame(source) if nested else pd.Series(source)
    if not isinstance(source, (pd.Series, pd.DataFrame)):
        raise UsageError(f"{what} is a {type(source).__name__}: give numbers by topic, in a dict, a series or a frame")
    if isinstance(source, pd.Series):
        source = source.to_frame(what if source.name is None else str(source.name))
    frame = source.set_axis(source.index.map(str), axis=0)
    if len(frame) < 2 or not len(frame.columns):
        raise InputError(f"{what}: ranks need two topics or more, and there are {len(frame)}", code="too-few")
    columns = {str(name): pd.to_numeric(frame[name], errors="coerce") for name in frame}
    for name, values in columns.items():
        _check(values, f"{what} {quoted(name)}")
    return columns


def _check(values: pd.Series[float], called: str) -> None:
    repeated = values.index[values.index.duplicated()].tolist()
    if repeated:
        raise InputError(f"{called}: topic {quoted(repeated[0])} occurs twice", code="duplicate", value=repeated[0])
    wrong = values.index[~np.isfinite(values.to_numpy(np.float64))].tolist()
    if wrong:
        text = f"{called} has no number for {listed(wrong)}: leave out what cannot be ranked, on both sides"
        raise InputError(text, code="missing-score", value=wrong[0])


def _shared(predicted: Mapping[str, pd.Series[float]], observed: Mapping[str, pd.Series[float]]) -> list[str]:
    """Topics of both sides, in the order of what was observed."""
    ours, theirs = (next(iter(columns.values())).index.tolist() for columns in (predicted, observed))
    for have, need, what in ((ours, theirs, "no prediction"), (theirs, ours, "no effectiveness")):
        missing = [topic for topic in need if topic not in set(have)]
        if missing:
            text = f"{listed(missing)}: topics with {what}; compare the same topics on both sides"
            raise InputError(text, code="missing-score", value=missing[0])
    return list(theirs)
