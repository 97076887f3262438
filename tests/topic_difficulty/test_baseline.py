"""Ease against a named baseline: by hand, against a known truth, and what is refused."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

import cranfield
from cranfield.cli import app
from cranfield.errors import InputError, UsageError
from cranfield.topic_difficulty.baseline import anchored_ease, ease_against
from effort import examples

SCORES = np.array([[0.5, 0.3, -0.2], [0.2, 0.2, 0.1], [-0.4, 0.0, -0.6]])


def test_by_hand() -> None:
    found = ease_against(SCORES, ["a", "b", "c"], "b")
    assert found.above.tolist() == [0.5, 0.0, 0.0], "equal scores are not above"
    mean = SCORES.mean()
    errors = [
        SCORES[t, s] - SCORES[t].mean() - SCORES[:, s].mean() + mean for t, s in product(range(3), range(3))
    ]  # fmt: skip
    spread = np.sqrt(sum(error**2 for error in errors) / 4)
    expected = [SCORES[t].mean() + SCORES[:, 1].mean() - mean for t in range(3)]
    np.testing.assert_allclose(found.anchored, norm.cdf(np.array(expected) / spread), rtol=1e-12)


@pytest.mark.slow
@examples(60)
@given(
    scores=st.lists(st.lists(st.integers(-8, 8), min_size=4, max_size=4), min_size=2, max_size=6),
    shift=st.integers(-4, 4),
)
def test_better_companions_change_nothing_for_the_same_baseline(scores: list[list[int]], shift: int) -> None:
    """Where each of the other systems is better by a constant, the anchored ease is the same; ease is not."""
    before = np.array(scores) / 8
    after = before + np.array([0, shift, shift, shift]) / 8
    np.testing.assert_allclose(anchored_ease(after, 0), anchored_ease(before, 0), atol=1e-9)


def test_a_planted_ease_is_found_by_two_sets_of_other_systems() -> None:
    rng = np.random.default_rng(1)
    topics, base, noise = rng.normal(0.2, 0.3, 60), 0.1, 0.25
    truth = norm.cdf((topics + base) / noise)
    gaps = []
    for ability in (-0.3, 0.3):
        systems = np.append(rng.normal(ability, 0.1, 60), base)
        scores = topics[:, None] + systems + rng.normal(0, noise, (60, 61))
        assert np.abs(anchored_ease(scores, 60) - truth).mean() < 0.04
        gaps.append((scores > 0).mean(axis=1))
    assert np.abs(gaps[0] - gaps[1]).mean() > 0.3, "the ease of the two differs"


def test_nothing_varies_beyond_the_two_effects() -> None:
    assert np.isnan(anchored_ease(np.array([[0.1, 0.2], [0.3, 0.4]]), 0)).all()
    assert np.isnan(anchored_ease(np.array([[0.1, 0.2]]), 0)).all()


def test_a_topic_without_ease_stays_without() -> None:
    found = ease_against(np.vstack([SCORES, np.full(3, np.nan)]), ["a", "b", "c"], "b")
    whole = ease_against(SCORES, ["a", "b", "c"], "b")
    np.testing.assert_array_equal(found.anchored, [*whole.anchored, np.nan])
    np.testing.assert_array_equal(found.above, [*whole.above, np.nan])


def test_refusals() -> None:
    with pytest.raises(UsageError, match=r"there is no system 'x'; there are a, b, c"):
        ease_against(SCORES, ["a", "b", "c"], "x")
    with pytest.raises(UsageError, match="needs another system"):
        ease_against(SCORES[:, :1], ["a"], "a")
    gap = SCORES.copy()
    gap[1, 2] = np.nan
    with pytest.raises(InputError, match="missing='skip'"):
        ease_against(gap, ["a", "b", "c"], "a")


def test_both_entrances_and_the_command_agree(tmp_path: Path) -> None:
    made = cranfield.simulation.simulate_runs(n_systems=5, n_topics=6, seed=3)
    name = made.runs[2].name
    found = cranfield.estimate_difficulty(made.runs, made.qrels, 10, baseline=name)
    rankings = cranfield.evaluation.make_rankings(made.runs, made.qrels)
    again = cranfield.topic_difficulty.compute_difficulty(rankings, 10, baseline=name)
    assert found.settings["baseline"] == name
    assert cranfield.estimate_difficulty(made.runs, made.qrels, 10).settings["baseline"] is None
    for column in ("above_baseline", "anchored_ease"):
        np.testing.assert_array_equal(found.values[column], again.values[column])
        assert ((found.values[column] >= 0) & (found.values[column] <= 1)).all()
    cranfield.write(made.qrels, tmp_path / "qrels.txt")
    paths = []
    for run in made.runs:
        paths.append(str(tmp_path / f"{run.name}.run"))
        cranfield.write(run, paths[-1])
    command = ["difficulty", str(tmp_path / "qrels.txt"), *paths, "-k", "10", "--baseline", name]
    printed = CliRunner().invoke(app, [*command, "-f", "json"])
    assert printed.exit_code == 0, printed.output
    assert "anchored_ease" in printed.stdout
    assert json.loads(printed.stdout)
    refused = CliRunner().invoke(app, [*command, "-m", "AP"])
    assert "--baseline changes nothing with --measure" in str(refused.exception)
