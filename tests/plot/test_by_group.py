"""Charts by groups of topics: each panel is the chart of its topics alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xarray as xr

import cranfield
from cranfield import UsageError, plot
from figures import render

RNG = np.random.default_rng(2)
TOPICS = [f"t{number}" for number in range(30)]
SCORES = xr.DataArray(
    RNG.beta(2, 3, (30, 3)), {"topic": TOPICS, "system": ["a", "b", "c"]}, ("topic", "system"), name="AP"
)
GROUPS = {topic: "even" if number % 2 == 0 else "odd" for number, topic in enumerate(TOPICS)}


def numbers(spec: dict[str, Any]) -> list[list[dict[str, Any]]]:
    return sorted(spec["datasets"].values(), key=repr)


@pytest.mark.slow
def test_an_analysis() -> None:
    found = cranfield.repeat_by_group(cranfield.compare, SCORES, GROUPS, baseline="a", across_groups="holm")
    drawn = plot.by_group(plot.difference_intervals, found)
    alone = [plot.difference_intervals(found[group]).to_dict() for group in found]  # type: ignore[arg-type]
    assert set(map(repr, numbers(drawn.to_dict()))) == {repr(data) for one in alone for data in numbers(one)}
    panels = drawn.to_dict()["vconcat"]
    assert [panel["title"]["text"][0] for panel in panels] == ["even, 15 topics:", "odd, 15 topics:"]
    corrected = " ".join(panels[0]["title"]["subtitle"])
    assert "Holm's correction over all 4 comparisons of 2 groups" in corrected
    assert drawn.description.startswith("even: Differences from a by AP")
    assert render(drawn, ".svg", theme="dark").startswith(b"<svg")


def test_scores() -> None:
    drawn = plot.by_group(plot.mean_intervals, SCORES, GROUPS, level=0.9)
    even = plot.mean_intervals(SCORES.isel(topic=slice(0, None, 2)), level=0.9)
    assert all(data in numbers(drawn.to_dict()) for data in numbers(even.to_dict()))


def test_what_is_no_analysis_by_groups() -> None:
    said = "give an analysis by repeat_by_group, or scores and groups="
    with pytest.raises(UsageError, match=said):
        plot.by_group(plot.mean_intervals, SCORES)
    found = cranfield.repeat_by_group(cranfield.compare, SCORES, GROUPS, across_groups="holm")
    with pytest.raises(UsageError, match=said):
        plot.by_group(plot.difference_intervals, found, GROUPS)
