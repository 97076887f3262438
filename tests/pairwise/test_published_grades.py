"""The published grades of CrowdRAG-25 follow from its gold labels, by the authors' model."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from scipy.special import expit
from sources import CRITERIA, CROWDRAG, PAIRWISE, needs_crowdrag, verdicts

from data_sets import Tally

pytestmark = [
    needs_crowdrag,
    pytest.mark.filterwarnings("ignore::cranfield.errors.CranfieldWarning"),
]
TIE, PRIOR = 0.05, 0.2
Codes = NDArray[np.int64]


def fit_merits(count: int, left: Codes, right: Codes, outcome: Codes) -> NDArray[np.float64]:
    """Rao and Kupper: P(left) = s(d - t); a win and a loss of weight .2 against merit 1; Newton's method."""
    merit = np.zeros(count)
    for _ in range(100):
        d = merit[left] - merit[right]
        up, down = expit(TIE - d) * (outcome >= 0), expit(TIE + d) * (outcome <= 0)
        spread = up * (1 - expit(TIE - d)) + down * (1 - expit(TIE + d))
        design = np.eye(count)[left] - np.eye(count)[right]
        p = expit(merit - 1)
        gradient = design.T @ (up - down) + PRIOR * (1 - 2 * p)
        information = design.T @ (spread[:, None] * design) + np.diag(2 * PRIOR * p * (1 - p))
        step = np.linalg.solve(information, gradient)
        merit = merit + step * min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-300))
        if np.abs(step).max() < 1e-13:
            break
    return merit


@pytest.mark.slow
def test_grades_are_ranks_of_merits() -> None:
    grades = pd.read_csv(CROWDRAG / "grades.tsv.gz", sep="\t").set_index(["topic", "system"])
    golden = pd.read_csv(PAIRWISE / "expected.grades.tsv.gz", sep="\t").set_index(["dimension", "topic", "system"])
    tally, strict, tied = Tally(1e-9), 0, 0
    for criterion in CRITERIA:
        own = verdicts(f"crowdrag:{criterion}", "gold")
        for number, topic in enumerate(own.topics):
            rows = own.topic == number
            merit = fit_merits(len(own.systems), own.left[rows], own.right[rows], own.outcome[rows])
            ranks = pd.Series(merit.round(9), own.systems).rank(method="min")
            last = pd.Series(merit.round(9), own.systems).rank(method="max")
            for system, value in zip(own.systems, merit, strict=True):
                if (criterion, topic, system) in golden.index:
                    tally.add((criterion, topic, system), value, golden.loc[(criterion, topic, system), "merit"])
                published = grades.loc[(topic, system), criterion]
                strict += ranks[system] == last[system] == published
                tied += ranks[system] < last[system] and ranks[system] <= published <= last[system]
    assert (tally.compared, tally.different) == (2087, [])
    # Fifteen pairs have equal merits, which the rounding of the authors' optimiser orders.
    assert (strict, tied) == (2700, 30)
