"""Leaderboards against the true one: AutoJudge's numbers, by hand, and what is refused."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from cranfield import CranfieldWarning, InputError, UsageError
from cranfield.agreement import compare_leaderboards
from cranfield.cli import app
from data_sets import GOLDEN

AUTOJUDGE = GOLDEN / "formats" / "autojudge" / "correlations.json"
TRUTH = np.array([[0.9, 0.5, 0.1, 0.4], [0.8, 0.6, 0.3, 0.2], [0.7, 0.2, 0.3, 0.1]])
JUDGE = np.array([[0.6, 0.5, 0.2, 0.9], [0.4, 0.6, 0.3, 0.1], [0.5, 0.4, 0.3, 0.2]])


def board(values: Any) -> pd.DataFrame:
    array = np.atleast_2d(np.asarray(values, dtype=float))
    return pd.DataFrame(array, columns=[f"s{number}" for number in range(array.shape[1])])


def correlations(**how: Any) -> pd.DataFrame:
    named = {"truth": board(TRUTH), "judge": board(JUDGE)}
    return compare_leaderboards(named, **{"resamples": 200, **how}).correlations.set_index("statistic")


def test_autojudge_prints_the_same() -> None:
    compared = 0
    for case in json.loads(AUTOJUDGE.read_text()):
        constant = len(set(case["truth"])) == 1 or len(set(case["judge"])) == 1
        if len(case["truth"]) < 3:
            continue
        named = {"truth": board(case["truth"]), "judge": board(case["judge"])}
        found = compare_leaderboards(named, top=[3, 5, 10]).correlations.set_index("statistic")["value"]
        for name, wanted in case.items():
            if name in ("name", "truth", "judge"):
                continue
            ours = found[name.replace("tauap_b", "tau_ap_b")]
            if name.startswith("tauap_b") and (constant or math.isnan(found[name.replace("tauap_b", "kendall")])):
                assert math.isnan(ours)  # where one side is constant AutoJudge gives a number, and there is none
                continue
            assert ours == pytest.approx(math.nan if wanted is None else wanted, abs=1e-12, nan_ok=True), case["name"]
            compared += 1
    assert compared > 50


def test_by_hand() -> None:
    # Means .8, .433, .233, .233 and .5, .5, .267, .4, each with a tie.
    found = correlations(top=3)
    # Pairs that neither ties: four of them, of which all agree; five that each list does not tie.
    assert found.loc["kendall", "value"] == pytest.approx(4 / 5)
    assert found.loc["kendall@3", "value"] == pytest.approx(2 / math.sqrt(3 * 2))
    assert found["systems"].to_dict()["pearson@3"] == 3
    means = [values.mean(axis=0) for values in (TRUTH, JUDGE)]
    assert found.loc["pearson", "value"] == pytest.approx(np.corrcoef(*means)[0, 1])


def test_intervals_are_percentiles_over_topics() -> None:
    found = correlations(level=0.8, seed=5)
    rng = np.random.default_rng(5)
    drawn = []
    for _ in range(200):
        picked = rng.integers(3, size=3)
        drawn.append(np.corrcoef(TRUTH[picked].mean(axis=0), JUDGE[picked].mean(axis=0))[0, 1])
    assert found.loc["pearson", ["low", "high"]].tolist() == pytest.approx(np.percentile(drawn, [10, 90]).tolist())
    assert (found["low"] <= found["high"]).all()


def test_a_judge_that_agrees_everywhere_has_correlation_1() -> None:
    named = {"truth": board(TRUTH), "judge": board(TRUTH * 2 + 1)}
    table = compare_leaderboards(named, resamples=50).correlations
    assert table[["value", "low", "high"]].to_numpy() == pytest.approx(1)


def test_topics_that_are_not_shared_have_no_part_in_the_intervals() -> None:
    judge = board(JUDGE)
    judge.index = pd.Index(["x", "y", "z"])
    table = compare_leaderboards({"truth": board(TRUTH), "judge": judge}, resamples=50).correlations
    assert table[["low", "high"]].isna().all(axis=None)
    assert table["value"].notna().all()


def test_circular_systems_are_left_out_too() -> None:
    with pytest.warns(CranfieldWarning, match="built with the model of 'judge': system s3; .* are circular"):
        found = correlations(same_model={"judge": ["s3"]})
    rest = compare_leaderboards({"truth": board(TRUTH[:, :3]), "judge": board(JUDGE[:, :3])}, resamples=2).correlations
    assert found["without"].tolist() == rest["value"].tolist()


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"top": 2}, "top"),
        ({"reference": "x"}, "no source is called 'x': reference is one of 'truth', 'judge'"),
        ({"same_model": {"truth": ["s1"]}}, "which is not a judge beside the reference"),
        ({"same_model": {"judge": ["s9"]}}, "no system is called so"),
        ({"level": 1}, "level"),
    ],
)
def test_odd_calls_are_refused(how: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        correlations(**how)


def test_two_systems_are_refused() -> None:
    named = {"truth": board(TRUTH[:, :2]), "judge": board(JUDGE[:, :2])}
    with pytest.raises(InputError, match="correlation of leaderboards needs 3 systems or more, and the scores have 2"):
        compare_leaderboards(named)


def test_the_command_reads_leaderboards_by_a_glob(tmp_path: Path) -> None:
    for name, values in (("truth", TRUTH), ("a", JUDGE), ("b", TRUTH)):
        rows = [f"s{s} GRADE t{t} {value}\n" for (t, s), value in np.ndenumerate(values)]
        means = [f"s{s} GRADE all {value}\n" for s, value in enumerate(values.mean(axis=0))]
        folder = tmp_path if name == "truth" else tmp_path / "judges"
        folder.mkdir(exist_ok=True)
        (folder / f"{name}.tot").write_text("".join(rows + means))
    call = [
        "judges",
        "--scores",
        str(tmp_path / "truth.tot"),
        "--scores",
        str(tmp_path / "judges" / "*"),
        "--top",
        "3",
    ]
    shown = CliRunner().invoke(app, [*call, "--show", "correlations", "-f", "tsv"], catch_exceptions=False).stdout
    rows = [line.split("\t") for line in shown.splitlines()]
    assert rows[0] == ["judge", "statistic", "systems", "value", "low", "high"]
    assert [row[0] for row in rows[1:]] == ["a.tot"] * 8 + ["b.tot"] * 8
    assert float(rows[1][3]) == pytest.approx(4 / 5)
    assert {row[3] for row in rows[9:]} == {"1.0"}
    kept = CliRunner().invoke(app, [*call, "-f", "tsv"], catch_exceptions=False).stdout
    assert kept.splitlines()[0].endswith("top_kept\ttop_lost\ttop_reversed\ttop_gained")


def test_the_command_wants_leaderboards(tmp_path: Path) -> None:
    for text in ("truth.tot", "judge.tot"):
        (tmp_path / text).write_text("")
    result = CliRunner().invoke(app, ["judges", "a.txt", "b.txt", "-r", "x.run", "--show", "correlations"])
    assert "--show correlations needs " in str(result.exception) + result.output
