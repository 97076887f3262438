"""Error and tie rates against the golden ones, and their laws."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from trust_goldens import COLLECTIONS, golden_scores, needs_scores

import cranfield
from cranfield import InputError, UsageError
from data_sets import REAL_GOLDEN, Tally
from labelled_scores import scores_of


@needs_scores()
def test_golden_rates() -> None:
    """The same generator draws the same subsets, so that all digits agree and not only their first."""
    tally = Tally(1e-9)
    for collection in COLLECTIONS:
        golden = json.loads((REAL_GOLDEN / f"information/{collection}.json").read_text())["bv_error_tie_m_half"]
        for name in ("ap", "ndcg", "ndcg10"):
            scores = golden_scores(collection, name)
            found = cranfield.trust.estimate_stability(
                scores, n_topics=[scores.sizes["topic"] // 2], seed=20130728
            ).rates.iloc[0]
            tally.add((collection, name, "error"), found["error_rate"], golden[name][0])
            tally.add((collection, name, "tie"), found["tie_rate"], golden[name][1])
    tally.check(18)


@pytest.fixture
def scores() -> object:
    rng = np.random.default_rng(3)
    return scores_of(rng.beta(1, 2, size=(40, 1)) * 0.6 + rng.beta(2, 3, size=(40, 10)) * 0.3 + np.linspace(0, 0.1, 10))


def test_rates_fall_with_topics_and_those_of_topics_do_not(scores: object) -> None:
    """Decisions become surer with more topics; how often single topics disagree does not change its sign."""
    of_subsets = cranfield.trust.estimate_stability(scores, n_topics=[3, 8, 20, 40], fuzziness=0.0).rates  # type: ignore[arg-type]
    assert of_subsets["error_rate"].is_monotonic_decreasing
    assert of_subsets["error_rate"].iloc[-1] == 0.0
    assert of_subsets["overlap"].tolist() == [size / 40 for size in of_subsets.index]
    of_topics = cranfield.trust.estimate_stability(scores, n_topics=[3, 8, 20, 40], fuzziness=0.0, unit="topic").rates  # type: ignore[arg-type]
    assert of_topics["error_rate"].is_monotonic_increasing
    swapped = cranfield.trust.estimate_stability(scores, n_topics=[3, 8, 20], disjoint=True).rates  # type: ignore[arg-type]
    assert swapped["error_rate"].is_monotonic_decreasing
    assert swapped["error_rate"].iloc[-1] > 0
    assert set(swapped["overlap"]) == {0.0}


def test_default_sizes_seed_and_settings(scores: object) -> None:
    one, two = (cranfield.trust.estimate_stability(scores, subsets=20, seed=5) for _ in range(2))  # type: ignore[arg-type]
    pd.testing.assert_frame_equal(one.rates, two.rates, check_exact=True)
    assert list(one.rates.index) == [5, 10, 15, 20, 25, 30, 35, 40]
    assert list(cranfield.trust.estimate_stability(scores, subsets=2, disjoint=True).rates.index) == [5, 10, 15, 20]  # type: ignore[arg-type]
    assert one.signature["settings"]["subsets"] == 20
    # Sizes are nested: asking for one alone changes nothing.
    alone = cranfield.trust.estimate_stability(scores, n_topics=[10], subsets=20, seed=5).rates  # type: ignore[arg-type]
    assert alone.loc[10].equals(one.rates.loc[10])


def test_identical_systems_tie_everywhere() -> None:
    base = np.random.default_rng(0).beta(1, 2, size=10)
    for unit in ("subset", "topic"):
        found = cranfield.trust.estimate_stability(
            scores_of(np.column_stack([base, base])), n_topics=[5], unit=unit
        ).rates.iloc[0]
        assert (found["error_rate"], found["tie_rate"], found["error_se"]) == (0.0, 1.0, 0.0)


def test_scores_below_zero() -> None:
    """The rule of the published notebook, X > Y (1 + f), would call -0.10 better than -0.09."""
    values = np.column_stack([np.full(6, -0.1), np.full(6, -0.09)])
    found = cranfield.trust.estimate_stability(scores_of(values), n_topics=[3], fuzziness=0.05).rates.iloc[0]
    assert (found["error_rate"], found["tie_rate"]) == (0.0, 0.0)
    found = cranfield.trust.estimate_stability(scores_of(values), n_topics=[3], fuzziness=0.2).rates.iloc[0]
    assert found["tie_rate"] == 1.0


def test_wrong_calls(scores: object) -> None:
    for options, message in (
        ({"n_topics": [41]}, "n_topics=41 should lie between 1 and 40"),
        ({"n_topics": [21], "disjoint": True}, r"n_topics=21 should lie between 1 and 20 \(half of them\)"),
        ({"fuzziness": -0.1}, "fuzziness=-0.1 should be a number of at least 0"),
        ({"subsets": 1}, "subsets=1 should be at least 2"),
        ({"unit": "pair"}, "unit='pair' is not one of subset, topic"),
        ({"unit": "topic", "disjoint": True}, "choose one"),
    ):
        with pytest.raises(UsageError, match=message):
            cranfield.trust.estimate_stability(scores, **options)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="stability needs every system's score"):
        cranfield.trust.estimate_stability(scores_of([[0.1, np.nan], [0.1, 0.2]]))
    with pytest.raises(InputError, match="stability needs 2 systems or more"):
        cranfield.trust.estimate_stability(scores_of([[0.1], [0.2]]))


@needs_scores("dl19", "robust03")
@pytest.mark.parametrize(("collection", "rate"), [("dl19", 0.114), ("robust03", 0.157)])
def test_the_swap_rate_of_real_collections(collection: str, rate: float) -> None:
    scores = golden_scores(collection, "ndcg10")
    row = cranfield.audit(scores, resamples=20).table.iloc[0]
    assert row["swap_rate"] == pytest.approx(rate, abs=3 * row["swap_se"])
    assert 0 < row["swap_se"] < 0.005
