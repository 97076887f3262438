"""The first sentence of a page names a best system where there is one, and says what its test was of."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
import pytest
import xarray as xr

import cranfield
from cranfield import CranfieldWarning
from reading_pages import data_of

NAN = float("nan")
BEST, NEXT, LAST = [0.9, 0.8, 0.7, 0.9, 0.6], [0.8, 0.6, 0.7, 0.5, 0.6], [0.2, 0.3, 0.1, 0.2, 0.3]


def scored(**systems: Sequence[float]) -> xr.DataArray:
    values = np.array(list(systems.values())).T
    labels = {"topic": [str(at) for at in range(len(values))], "system": list(systems)}
    return xr.DataArray(values, labels, ("topic", "system"), "AP")


def verdict(**systems: Sequence[float]) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)  # of few topics and of equal scores
        text: str = data_of(cranfield.report_scores(scored(**systems)).html)["head"]["verdict"]
        return text


def test_a_run_that_was_sent_twice_is_compared_with_the_next_that_differs() -> None:
    pair = cranfield.compare(scored(b=BEST, c=NEXT)).pairs.iloc[0]
    text = verdict(c=NEXT, b=BEST, a=BEST, d=LAST)
    lead = "a and b (AP 0.7800) have the same scores on every topic and the best mean, followed by c (0.6400). "
    assert text.startswith(f"{lead}The difference of {pair['difference']:.4f} is not significant")
    assert f"p = {pair['p']:.3g}, not corrected for choosing these two among 4)" in text
    assert "any of 4 systems may be the best" in text
    twice = verdict(a=BEST * 2, b=BEST * 2, d=LAST * 2)
    assert twice.endswith("they are significantly better than every other system.")


@pytest.mark.parametrize(
    ("systems", "start"),
    [
        (
            {"a": BEST, "b": BEST, "c": BEST},
            "All 3 systems have the same scores on every topic (AP 0.7800): none is better than another.",
        ),
        (
            {"a": [0.0] * 5, "b": [0.0] * 5, "c": [0.0] * 5},
            "All 3 systems have the same scores on every topic (AP 0.0000): none is better than another.",
        ),
        (
            {"a": BEST, "b": BEST[::-1], "c": LAST},
            "a and b have the best mean (AP 0.7800), but not the same scores on every topic. The difference of 0.0000 "
            "is not significant",
        ),
        (
            {"a": BEST, "b": BEST[::-1]},
            "Both systems have the same mean (AP 0.7800), but not the same scores on every topic. ",
        ),
        ({"a": BEST}, "The only system is a (AP 0.7800), so there is nothing to compare it with."),
    ],
)
def test_among_equal_systems_none_is_the_best(systems: dict[str, list[float]], start: str) -> None:
    text = verdict(**systems)
    assert text.startswith(start)
    assert text == start or not start.endswith((": none is better than another.", "compare it with."))


def test_the_topics_of_the_difference_are_named_where_systems_have_different_ones() -> None:
    shared = [NAN, 0.6, 0.7, 0.7, 0.6]
    with pytest.warns(CranfieldWarning, match="'b' has no score on 1 of 5 topics"):
        pair = cranfield.compare(scored(a=BEST, b=shared)).pairs.iloc[0]
    text = verdict(a=BEST, b=shared)
    assert text.startswith(
        "Systems have scores on different topics, so that their means do not rank them, and none is the best: 'b' has "
        "no score on 1 of 5 topics ("
    )
    assert (
        "First by its mean comes a (AP 0.7800 over 5 topics), followed by b (0.6500 over 4 topics). "
        f"On the 4 topics that both have, the difference of {pair['difference']:.4f} is not significant at 0.05"
    ) in text
    # The best mean is over more topics; on those that both have, the other one is better.
    text = verdict(a=[1.0, 1.0, 0.5, 0.6, 0.4], b=[NAN, NAN, 0.6, 0.9, 0.5])
    assert "First by its mean comes a (AP 0.7000 over 5 topics), followed by b (0.6667 over 3 topics). " in text
    assert "On the 3 topics that both have, b is ahead: the difference of -0.1667 is not significant" in text
    assert "topics that both have" not in verdict(a=BEST, b=NEXT)


def test_a_difference_that_is_the_same_on_every_topic_has_no_test() -> None:
    assert verdict(a=BEST, b=[score - 0.125 for score in BEST]).endswith(
        "The difference of 0.1250 is the same on every topic, which leaves a t-test no spread to judge by: it has no "
        "interval and no p."
    )
    assert "the same on every topic" not in verdict(a=BEST, b=NEXT)
