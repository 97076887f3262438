"""Topics in the order in which their ease recommends them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, Union

import numpy as np

from cranfield._text import listed, quoted
from cranfield.errors import InputError, UsageError

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

EaseLike: TypeAlias = Union[Mapping[str, float], "pd.Series[float]", "xr.DataArray"]


def by_ease(topics: Sequence[str], ease: EaseLike) -> list[int]:
    """Places of the topics, those of middle ease first; equally near ones as they come, those without ease last.

    The share e of the systems that beat chance has the variance e (1 - e) over systems, which is largest at 1/2: on a
    topic that all systems beat, or none, that outcome says nothing of them.

    Raises:
        InputError: a topic has no entry, or an ease is not in [0, 1].
        UsageError: the ease is not given by topic.
    """
    known = _by_topic(ease)
    missing = [topic for topic in topics if topic not in known]
    if missing:
        text = f"{listed(missing)}: no ease is given; estimate it with the same qrels"
        raise InputError(text, code="missing-score", value=missing[0])
    values = np.array([known[topic] for topic in topics], dtype=np.float64)
    for topic, value in zip(topics, values.tolist(), strict=True):
        if not (math.isnan(value) or 0 <= value <= 1):
            raise InputError(f"the ease {value:g} of topic {quoted(topic)} should lie in [0, 1]", code="score")
    # Rounded, so that 0.3 and 0.7 are equally near in spite of their last bits.
    order: list[int] = np.argsort(np.round(np.abs(values - 0.5), 12), kind="stable").tolist()
    return order


def _by_topic(ease: Any) -> dict[str, float]:
    if hasattr(ease, "dims"):
        if ease.dims != ("topic",):
            raise UsageError(f"the ease has the dims {ease.dims}, and needs (topic,), as estimate_difficulty gives")
        ease = ease.to_series()
    if not hasattr(ease, "items"):
        raise UsageError(f"the ease is a {type(ease).__name__}: give numbers by topic")
    return {str(topic): float(value) for topic, value in ease.items()}
