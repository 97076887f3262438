"""``estimate_ranks``: its table, its words, and what it refuses; its numbers are those of ``rank_sets``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from click.testing import CliRunner

from cranfield import CranfieldWarning, InputError, UsageError, engine, plot, reference_engine, write_scores
from cranfield.cli import app
from cranfield.comparison import estimate_ranks
from cranfield.statistics import rank_sets


def scores_of(values: Any, name: str = "AP", **attributes: Any) -> xr.DataArray:
    values = np.asarray(values, dtype=np.float64)
    topics, systems = (f"q{at}" for at in range(len(values))), (chr(97 + at) for at in range(values.shape[1]))
    labels = {"topic": list(topics), "system": list(systems)}
    return xr.DataArray(values, labels, ("topic", "system"), name=name, attrs=attributes)


@pytest.fixture
def scores() -> xr.DataArray:
    rng = np.random.default_rng(3)
    return scores_of(rng.random((20, 1)) + 0.3 * rng.random((20, 5)) + np.array([0.1, 0.3, 0.0, 0.12, 0.3]))


def test_table_holds_the_sets_best_first(scores: xr.DataArray) -> None:
    found = estimate_ranks(scores)
    sets = rank_sets(scores.to_numpy(), 0.05, method="flips", resamples=10_000, rng=np.random.default_rng(1))
    means = scores.mean("topic").to_series()
    assert list(found.table.index) == list(means.sort_values(ascending=False).index)
    assert found.table["rank"].tolist() == [1, 2, 3, 4, 5]
    for at, system in enumerate("abcde"):
        row = found.table.loc[system]
        assert row["mean"] == pytest.approx(means[system], rel=1e-12)
        assert (row["low"], row["high"]) == (sets.simultaneous.low[at], sets.simultaneous.high[at])
        assert sets.marginal is not None
        assert (row["marginal_low"], row["marginal_high"]) == (sets.marginal.low[at], sets.marginal.high[at])
    assert found.written().tolist() == ["1 (1-2)", "2 (1-2)", "3 (3-4)", "4 (3-4)", "5 (5-5)"]
    assert found.among_best(1) == found.among_best(2) == list(found.table.index[:2])
    assert found.among_best(3) == list(found.table.index[:4])
    drawing = {"procedure": "flips", "resamples": 10_000, "stepdown": True, "marginal": True, "seed": 1}
    assert found.settings == {"alpha": 0.05, **drawing}


def test_ranks_of_each_system_alone_are_left_out_where_nobody_asks(scores: xr.DataArray) -> None:
    whole, some = estimate_ranks(scores), estimate_ranks(scores, marginal=False)
    assert some.table.equals(whole.table.drop(columns=["marginal_low", "marginal_high"]))
    assert "all systems together" in str(plot.rank_intervals(some).to_dict()["title"])


def test_where_small_is_good_the_smallest_mean_is_first(scores: xr.DataArray) -> None:
    turned = estimate_ranks((1 - scores).assign_attrs(larger_is_better=0))
    assert turned.table.drop(columns="mean").equals(estimate_ranks(scores).table.drop(columns="mean"))


@pytest.mark.parametrize("method", ["normal", "bootstrap", "flips"])
def test_both_engines_rank_alike(scores: xr.DataArray, method: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    found = estimate_ranks(scores, procedure=method, resamples=200)
    monkeypatch.setattr(engine, "current", lambda: reference_engine)
    assert estimate_ranks(scores, procedure=method, resamples=200).table.equals(found.table)


def test_all_flips_of_few_topics_need_no_seed(scores: xr.DataArray) -> None:
    few = scores[:8]
    assert estimate_ranks(few).settings["resamples"] == 256
    assert estimate_ranks(few).settings["seed"] is None
    assert estimate_ranks(few, seed=2).table.equals(estimate_ranks(few).table)
    assert estimate_ranks(few, procedure="normal").settings["seed"] == 1


def test_too_few_flips_or_resamples_are_said(scores: xr.DataArray) -> None:
    with pytest.warns(CranfieldWarning, match=r"AP: 5 topics have too few sign flips for any p-value up to 0.05"):
        found = estimate_ranks(scores[:5])
    assert (found.table["low"] == 1).all() and (found.table["high"] == 5).all()
    estimate_ranks(scores[:6])
    with pytest.raises(UsageError, match=r"^resamples=18 are too few for alpha=0.05: take 19 or more$"):
        estimate_ranks(scores, resamples=18)
    estimate_ranks(scores, resamples=19)
    with pytest.raises(UsageError, match="take 99 or more"):
        estimate_ranks(scores, procedure="bootstrap", alpha=0.01, resamples=98)


def test_what_is_refused(scores: xr.DataArray) -> None:
    with pytest.raises(UsageError, match="procedure='t' is not one of normal, bootstrap, flips"):
        estimate_ranks(scores, procedure="t")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="ranks with intervals needs 2 systems or more"):
        estimate_ranks(scores[:, :1])
    with pytest.raises(InputError, match="'b' has none on topic 'q3'"):
        estimate_ranks(scores.where((scores["topic"] != "q3") | (scores["system"] != "b")))
    with pytest.raises(UsageError, match="count=0 should be at least 1"):
        estimate_ranks(scores).among_best(0)


def test_people_read_one_column_and_programs_the_ends(scores: xr.DataArray, tmp_path: Path) -> None:
    def shown(format_: str, scores: xr.DataArray = scores) -> list[str]:
        write_scores(scores.to_dataset(), tmp_path / "scores.csv")
        call = ["compare", "--scores", str(tmp_path / "scores.csv"), "--ranks", "-f", format_]
        return CliRunner().invoke(app, call, catch_exceptions=False, env={"COLUMNS": "120"}).stdout.splitlines()

    best = list(estimate_ranks(scores).table.index)
    table = [line.rstrip() for line in shown("table")]
    assert table[0].split() == ["system", "mean", "rank", "alone"]
    assert table[2].split()[2:] == ["1", "(1-2)", "1-2"]
    assert table[-4:] == [
        "AP, 20 topics; 10,000 sign flips, seed 1",
        "rank: on these topics; in brackets, the interval of its rank over all such topics (coverage 0.95 for all "
        "systems jointly)",
        "alone: the same for a single system that was chosen before looking at the scores",
        f"the best may be any of {best[0]}, {best[1]}",
    ]
    assert shown("tsv")[0].split("\t") == ["system", "mean", "rank", "low", "high", "marginal_low", "marginal_high"]
    assert "signature" in "".join(shown("latex"))
    assert "256 sign flips (all there are)" in " ".join(shown("table", scores[:8]))
