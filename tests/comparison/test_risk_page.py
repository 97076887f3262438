"""The page "What does a change risk": its table on DL 2019."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import cranfield
from cranfield.statistics import risk_against_all, risk_intervals, risk_of
from data_sets import DATA

PAGE = Path(__file__).resolve().parents[2] / "docs" / "questions" / "what-does-a-change-risk.md"


pytestmark = [
    pytest.mark.heavy,
    pytest.mark.data("data/trec-dl-2019-passage"),
    pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning"),
]


def lines_of(title: str) -> list[list[str]]:
    section = PAGE.read_text().split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]
    cells = [
        [cell.strip(" `") for cell in line.split("|")[1:-1]] for line in section.splitlines() if line.startswith("|")
    ]
    heads = {row for place, one in enumerate(cells) if one[0] == "---" for row in (place - 1, place)}
    return [row for place, row in enumerate(cells) if place not in heads]


@functools.cache
def scores() -> pd.DataFrame:
    """[topics, systems]."""
    folder = DATA / "trec-dl-2019-passage"
    found = cranfield.evaluate(str(folder / "runs" / "*"), folder / "qrels.dl19-passage.txt.gz", "nDCG@10")
    table: pd.DataFrame = found["nDCG@10"].transpose("topic", "system").to_pandas()
    return table


def test_every_number_of_the_table_is_found_again() -> None:
    lines = lines_of("Which loss weight")
    found = [
        cranfield.comparison.estimate_risk(scores(), "bm25base_p", loss_weight=alpha).systems.set_index("system")
        for alpha in (0, 1, 5)
    ]
    assert len(lines) == 6
    for system, wins, losses, *numbers in lines:
        assert [int(wins), int(losses)] == found[0].loc[system, ["wins", "losses"]].tolist()
        ours = [form for of in found for form in (f"{of.loc[system, 'urisk']:.3f}", f"{of.loc[system, 'trisk']:.2f}")]
        assert numbers == ours, system
    equal = f"{found[2].loc['bm25base_rm3_p', 'urisk_equal']:.3f}"
    assert f"-0.157 at w 5 is no worse than the {equal}" in " ".join(PAGE.read_text().split())


def test_intervals_among_all_systems() -> None:
    lines = [line for line in lines_of("Several baselines") if line[0] in scores().columns]
    found = cranfield.comparison.estimate_risk(scores(), "bm25base_p").systems.set_index("system")
    assert len(lines) == 6
    for system, *numbers in lines:
        row = found.loc[system]
        ours = [f"{row['mean']:.3f}", f"{row['zrisk']:.2f}", f"{row['zrisk_low']:.2f} to {row['zrisk_high']:.2f}"]
        ours += [f"{row['georisk']:.3f}", f"{row['georisk_low']:.3f} to {row['georisk_high']:.3f}"]
        assert numbers == ours, system
    assert found["zrisk"][[line[0] for line in lines]].nsmallest(2).index.tolist() == [
        "bm25base_ax_p",
        "bm25base_rm3_p",
    ]


def test_how_often_intervals_among_all_systems_hold_the_truth() -> None:
    population = scores().to_numpy()
    lines = [line for line in lines_of("Several baselines") if line[0].isdigit()]
    assert len(lines) == 9
    for topics, alpha, *numbers in lines:
        truth = risk_against_all(population, float(alpha))
        true = truth.zrisk / len(population) * int(topics), truth.georisk
        shares: list[str] = []
        for interval in ("percentile", "bca"):
            rng, inside = np.random.default_rng(1), []
            for seed in range(150):
                drawn = population[rng.integers(0, len(population), int(topics))]
                how: dict[str, Any] = {"interval": interval, "resamples": 500, "seed": seed}
                found = risk_intervals(drawn, float(alpha), **how)
                inside.append([((low <= v) & (v <= high)).mean() for (low, high), v in zip(found, true, strict=True)])
            shares += [f"{share:.2f}" for share in np.mean(inside, axis=0)]
        assert numbers == shares, (topics, alpha)


def test_what_trisk_and_intervals_promise() -> None:
    rng = np.random.default_rng(1)
    lines = lines_of("What a TRisk below -2 says")
    assert len(lines) == 9
    for system, alpha, *numbers in lines:
        d = (scores()[system] - scores()["bm25base_p"]).to_numpy()
        true = risk_of(d[:, None], float(alpha)).urisk
        few, many = (d[rng.integers(0, len(d), (topics, 4000))] for topics in (len(d), 200))
        below = [(risk_of(x * rng.choice([-1, 1], x.shape), float(alpha)).trisk < -2).mean() for x in (few, many)]
        interval = risk_of(few, float(alpha)).interval
        covered = ((interval.low <= true) & (true <= interval.high)).mean()
        assert numbers == [f"{share:.2f}" for share in (*below, covered)], (system, alpha)
