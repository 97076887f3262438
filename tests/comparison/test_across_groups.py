"""Groups of topics are many looks: how often a gate and a risk err without a correction across them, and with it.

``python tests/comparison/test_across_groups.py`` prints what docs/how-to/topic-groups.md says.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xarray as xr
from numpy.typing import NDArray
from scipy import stats

import cranfield
from corrections import multipletests
from cranfield.comparison import estimate_risk, gate
from cranfield.comparison.regression_gate import FAILED, PASSED, GateTests, judge, judge_together
from cranfield.statistics import adjust, risk_of
from effort import thorough

GROUPS, SYSTEMS, TOPICS, ALPHA, MARGIN = 4, 3, 12, 0.05, 0.02


def differences(seed: int, loss: float = 0.0) -> NDArray[np.float64]:
    """Of three systems from one baseline whose mean is larger by so much, [groups, topics, systems]."""
    noise = 0.1 * np.random.default_rng(seed).standard_normal((GROUPS, TOPICS, SYSTEMS + 1))
    made: NDArray[np.float64] = noise[..., 1:] - noise[..., :1] - loss
    return made


def gates_of(groups: NDArray[np.float64]) -> list[GateTests]:
    shape = (SYSTEMS, 1)
    return [
        GateTests(
            one.mean(axis=0).reshape(shape),
            one.std(axis=0, ddof=1).reshape(shape) / np.sqrt(TOPICS),
            np.full(shape, TOPICS - 1.0),
            np.array([MARGIN]),
            np.ones(shape),
            np.zeros(1),
        )
        for one in groups
    ]


def wrong_gates(trials: int, verdict: str) -> tuple[float, float]:
    """Shares of collections in which any system of any group gets the verdict by chance: apart, and together.

    The true loss is the margin itself, where either verdict is wrong most often.
    """
    apart = together = 0
    for seed in range(trials):
        groups = gates_of(differences(seed, MARGIN))
        apart += any((judge(one, ALPHA).verdicts == verdict).any() for one in groups)
        together += any((one.verdicts == verdict).any() for one in judge_together(groups, ALPHA))
    return apart / trials, together / trials


def wrong_risks(trials: int) -> tuple[float, float]:
    """Shares of collections in which TRisk at alpha 0 finds any of twelve equal systems different."""
    apart = together = 0
    for seed in range(trials):
        p = np.concatenate([risk_of(one, 0).p for one in differences(seed)])
        apart += (p < ALPHA).any()
        together += (adjust(p, "holm") < ALPHA).any()
    return apart / trials, together / trials


def holds(share: float, trials: int) -> bool:
    """Not significantly above alpha."""
    return bool(stats.binom.sf(round(share * trials) - 1, trials, ALPHA) > 1e-4)


@pytest.mark.parametrize("verdict", [PASSED, FAILED])
def test_gates_of_groups_err_together_as_often_as_one(verdict: str) -> None:
    trials = 4000 if thorough() else 300
    apart, together = wrong_gates(trials, verdict)
    assert holds(together, trials)
    assert not holds(apart, trials), "without a correction across groups they do not"


def test_risks_of_groups_err_together_as_often_as_one() -> None:
    trials = 4000 if thorough() else 200
    apart, together = wrong_risks(trials)
    assert holds(together, trials)
    assert not holds(apart, trials)


def labelled(seed: int, *measures: str) -> xr.Dataset:
    """Four systems on 24 topics."""
    rng, ability = np.random.default_rng(seed), np.array([0, 0.2, 0.05, -0.2])
    labels = {"topic": [str(topic) for topic in range(24)], "system": list("abcd")}
    tables = {name: rng.uniform(0, 1, (24, 1)) + ability + rng.normal(0, 0.1, (24, 4)) for name in measures}
    return xr.Dataset({name: (("topic", "system"), table) for name, table in tables.items()}, labels)


KINDS = {str(topic): "xyz"[topic % 3] for topic in range(24)}


def grouped(analysis: Any, scores: Any, across: Any = "holm", **options: Any) -> Any:
    return cranfield.repeat_by_group(analysis, scores, KINDS, across_groups=across, **options)


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
@pytest.mark.parametrize("seed", [1, 2])
def test_a_gate_of_groups_is_holms_method_of_statsmodels(seed: int) -> None:
    """Over systems, by the measure that speaks least for each, for no regression; over rows for regression."""
    found = grouped(gate, labelled(seed, "AP", "RR"), margin=0.05).to_frame("rows")
    raw = grouped(lambda part: gate(part, margin=0.05, alpha=0.05), labelled(seed, "AP", "RR"), "none")
    p = [one.basis.tests.p() for one in raw.results.values()]
    superior, inferior = (np.stack([some[side] for some in p]) for side in (0, 1))
    passed, adjusted, *_ = multipletests(superior.max(axis=2).ravel(), 0.05, "holm")
    failed, of_rows, *_ = multipletests(inferior.ravel(), 0.05, "holm")
    ours = found["p_no_regression"].to_numpy().reshape(superior.shape).max(axis=2).ravel()
    assert ours == pytest.approx(adjusted, rel=1e-9)
    assert found["p_regression"].to_numpy() == pytest.approx(of_rows, rel=1e-9)
    by_system = found.groupby(["group", "system"])["verdict"].agg(lambda some: (some == PASSED).all())
    assert by_system.to_numpy().tolist() == passed.tolist()
    assert (found["verdict"] == FAILED).tolist() == failed.tolist()
    assert ((found["low"] > -0.05) == (found["verdict"] == PASSED)).all(), "limits agree with verdicts"
    assert ((found["high"] < -0.05) == failed).all()
    assert ((found["p_no_regression"] < 0.05) == (found["verdict"] == PASSED)).all()


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_risk_of_groups_is_holms_method_of_statsmodels() -> None:
    scores = labelled(3, "AP")
    found = grouped(estimate_risk, scores, baseline="a")
    rows = found.to_frame("systems")
    known = rows["p"].notna()
    assert known.sum() == 9, "a baseline has no p"
    assert rows["p_adjusted"][known].to_numpy() == pytest.approx(multipletests(rows["p"][known], method="holm")[1])
    assert rows["p_adjusted"][~known].isna().all()
    assert found["x"].settings["across_groups"] == {"groups": 3, "comparisons": 9}
    assert found["x"].signature["settings"] == found["x"].settings
    alone = estimate_risk(scores, "a", correction="holm").systems
    expected = multipletests(alone["p"].dropna(), method="holm")[1]
    assert alone["p_adjusted"].dropna().to_numpy() == pytest.approx(expected)
    none = estimate_risk(scores, "a").systems
    assert none["p_adjusted"].equals(none["p"].rename("p_adjusted"))


if __name__ == "__main__":
    for kind in (PASSED, FAILED):
        print(kind, wrong_gates(4000, kind))
    print("risk", wrong_risks(4000))
