"""No chart draws or says a number that there is not: fed with what is undefined, it shows the rest or says why not."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from altair.utils import schemapi

from cranfield import CranfieldError
from figures import CHARTS, MEASURES, Figures, collection, render

NO_NUMBER = re.compile(r"(?<![\w.])[-+]?(nan|inf|infinity)(?![\w.])", re.IGNORECASE)
Rule = Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]
"""Which of some numbers become NaN."""


def holed(found: Any, rule: Rule) -> Any:
    """A result some of whose numbers are not there; counts and settings stay."""
    if isinstance(found, xr.Dataset):
        return found.map(lambda one: holed(one, rule), keep_attrs=True)
    if isinstance(found, xr.DataArray):
        return found.copy(data=holed(found.to_numpy(), rule))
    if isinstance(found, pd.DataFrame):
        return found.apply(lambda column: pd.Series(holed(column.to_numpy(), rule), column.index))
    if isinstance(found, np.ndarray):
        return np.where(rule(found), np.nan, found) if found.dtype.kind == "f" else found
    if isinstance(found, float):
        return float(holed(np.array([found]), rule)[0])
    if isinstance(found, (list, tuple)):
        return type(found)(holed(one, rule) for one in found)
    if isinstance(found, dict):
        return {key: holed(one, rule) for key, one in found.items()}
    if is_dataclass(found) and not isinstance(found, type):
        kept = {"settings", "signature", "seed", "measure"}
        changed = {one.name: holed(getattr(found, one.name), rule) for one in fields(found) if one.name not in kept}
        return replace(found, **changed)
    return found


def some(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Half of them, always the same."""
    return np.random.default_rng(values.size).random(values.shape) < 0.5


def plain() -> tuple[dict[str, Any], dict[str, Any]]:
    """The runs and judgments of the other charts by names without harm."""
    runs, qrels = collection()
    topics = {topic: f"t{number}" for number, topic in enumerate(qrels)}
    judged = {topics[topic]: pool for topic, pool in qrels.items()}
    renamed = ({topics[topic]: ranking for topic, ranking in run.items()} for run in runs.values())
    return {f"s{number}": run for number, run in enumerate(renamed)}, judged


def equal() -> Figures:
    runs, qrels = plain()
    return Figures(dict.fromkeys(("s0", "s1", "s2", "s3"), runs["s0"]), qrels)


def two_equal() -> Figures:
    runs, qrels = plain()
    return Figures(dict.fromkeys(("s0", "s1"), runs["s0"]), qrels)


def one_label() -> Figures:
    runs, qrels = plain()
    return Figures(runs, {topic: dict.fromkeys(pool, 1) for topic, pool in qrels.items()})


def only_negatives() -> Figures:
    runs, qrels = plain()
    return Figures(runs, {topic: dict.fromkeys(pool, 0) for topic, pool in qrels.items()})


def nothing_judged() -> Figures:
    runs, qrels = plain()
    return Figures(runs, {topic: {"unseen": 1, "hidden": 0} for topic in qrels})


def one_topic() -> Figures:
    runs, qrels = plain()
    return Figures(runs, {"t0": qrels["t0"]})


def one_system() -> Figures:
    runs, qrels = plain()
    return Figures({"s0": runs["s0"]}, qrels)


ODD: dict[str, Callable[[], Figures]] = {
    "nothing known": lambda: Figures(*plain(), lambda found: holed(found, lambda values: np.ones(values.shape, bool))),
    "half known": lambda: Figures(*plain(), lambda found: holed(found, some)),
    "equal systems": equal,
    "two equal systems": two_equal,
    "one label": one_label,
    "only negatives": only_negatives,
    "no judged document retrieved": nothing_judged,
    "one topic": one_topic,
    "one system": one_system,
}


@functools.cache
def odd(kind: str) -> Figures:
    return ODD[kind]()


def chart(kind: str, name: str) -> Any:
    """A chart that is held to the schema as a whole, when it is asked for, and not part by part while it is made."""
    with schemapi.debug_mode(False):
        return odd(kind).chart(name)


class Made(NamedTuple):
    """A chart whose specification is known."""

    spec: dict[str, Any]

    def to_dict(self, validate: bool = True) -> dict[str, Any]:
        return self.spec


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


@pytest.mark.filterwarnings("ignore:.*(one reference score|reference scores are equal):cranfield.CranfieldWarning")
@pytest.mark.slow
@pytest.mark.parametrize("kind", ODD)
@pytest.mark.parametrize("name", CHARTS)
def test_no_chart_draws_what_is_undefined(name: str, kind: str) -> None:
    try:
        drawn = chart(kind, name)
    except CranfieldError as error:
        assert not NO_NUMBER.search(str(error))
        return
    spec = drawn.to_dict(validate=True)
    json.dumps(spec, allow_nan=False)
    assert not [line for line in strings(spec) if NO_NUMBER.search(line)]
    assert "NaN" not in render(Made(spec), ".svg").decode()


@pytest.mark.filterwarnings("ignore:.*(one reference score|reference scores are equal):cranfield.CranfieldWarning")
@pytest.mark.slow
@pytest.mark.parametrize("kind", ODD)
def test_some_charts_are_drawn_of_every_odd_collection(kind: str) -> None:
    drawn = 0
    for name in CHARTS:
        try:
            chart(kind, name)
            drawn += 1
        except CranfieldError:
            pass
    assert drawn >= 3


def test_holes_are_made() -> None:
    scores = odd("half known").shown("scores")
    assert 0 < int(scores[MEASURES[0]].isnull().sum()) < scores[MEASURES[0]].size
    assert np.isnan(odd("nothing known").shown("headroom").joint.value)
