"""Boards from stated errors beside what fractions and the error function give."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from cranfield.boards import board

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::cranfield.errors.CranfieldWarning")]
SAMPLES = 40_000
NEAR = 0.02
"""A p this near to alpha may be on either side of it: two samples of normal numbers are compared."""


class Case:
    """A board of fractions: tasks of either direction, in groups, with some errors of 0."""

    def __init__(self, rng: random.Random) -> None:
        self.systems, tasks = range(rng.randint(2, 5)), range(rng.randint(1, 6))
        scores = [[Fraction(rng.randint(0, 40), 40) for _ in self.systems] for _ in tasks]
        errors = [[Fraction(rng.choice([0, 1, 2, 5, 8, 10]), 100) for _ in self.systems] for _ in tasks]
        errors[0][0] = Fraction(3, 100)  # where all are 0, nothing is tested
        signs, groups = [rng.choice([1, 1, -1]) for _ in tasks], [rng.choice("xyz") for _ in tasks]
        self.alpha, aggregate = rng.choice([0.05, 0.1, 0.2]), rng.choice(["mean", "group-mean"])
        by_group = aggregate == "group-mean"
        counts = {group: groups.count(group) for group in groups}
        weights = [
            Fraction(1, len(counts) * counts[group]) if by_group else Fraction(1, len(tasks)) for group in groups
        ]
        self.values = [sum(weights[t] * signs[t] * scores[t][s] for t in tasks) for s in self.systems]
        self.variances = [sum(weights[t] ** 2 * errors[t][s] ** 2 for t in tasks) for s in self.systems]
        rows = [(f"s{s}", f"task{t}", float(scores[t][s]), float(errors[t][s])) for t in tasks for s in self.systems]
        rng.shuffle(rows)
        self.result = board(
            pd.DataFrame(rows, columns=["system", "task", "score", "error"]),
            sampled="queries",
            aggregate=aggregate,
            groups={f"task{t}": groups[t] for t in tasks} if by_group else None,
            smaller_is_better=[f"task{t}" for t in tasks if signs[t] < 0],
            alpha=self.alpha,
            resamples=4_000,
            marginal=True,
        )

    def p(self, left: int, right: int) -> float:
        variance = self.variances[left] + self.variances[right]
        difference = abs(self.values[left] - self.values[right])
        return math.erfc(difference / math.sqrt(2 * variance)) if variance else math.nan

    def separate(self, pairs: list[tuple[int, int]], rng: np.random.Generator) -> set[tuple[int, int]] | None:
        """Pairs of which the first system is above the second, step by step; None where a p is too near to alpha."""
        draws = rng.standard_normal((SAMPLES, len(self.systems))) * np.sqrt(np.array(self.variances, dtype=float))
        above: set[tuple[int, int]] = set()
        while True:
            largest = np.zeros(SAMPLES)
            for left, right in set(pairs) - above:
                if variance := self.variances[left] + self.variances[right]:
                    largest = np.maximum(largest, (draws[:, left] - draws[:, right]) / math.sqrt(variance))
            found = set()
            for left, right in set(pairs) - above:
                variance = self.variances[left] + self.variances[right]
                if variance and self.values[left] > self.values[right]:
                    z = (self.values[left] - self.values[right]) / math.sqrt(variance)
                    adjusted = float((largest >= z).mean())
                    if abs(adjusted - self.alpha) < NEAR:
                        return None
                    found |= {(left, right)} if adjusted <= self.alpha else set()
            if not found:
                return above
            above |= found


def test_values_pairs_and_ranks_are_those_of_fractions() -> None:
    rng, compared = random.Random(7), 0
    for number in range(40):
        case = Case(rng)
        table, normal = case.result.table, np.random.default_rng(number)
        for s in case.systems:
            assert table.loc[f"s{s}", "value"] == pytest.approx(float(case.values[s]), abs=1e-12)
            assert table.loc[f"s{s}", "rank"] == 1 + sum(value > case.values[s] for value in case.values)
        for (left, right), row in case.result.pairs.iterrows():
            i, j = int(left[1:]), int(right[1:])
            assert row["difference"] == pytest.approx(float(case.values[i] - case.values[j]), abs=1e-12)
            assert row["standard_error"] == pytest.approx(math.sqrt(case.variances[i] + case.variances[j]), rel=1e-9)
            assert row["p"] == pytest.approx(case.p(i, j), rel=1e-8, nan_ok=True)
        pairs = [(i, j) for i in case.systems for j in case.systems if i != j]
        families = {"": (pairs, case.systems)}
        families |= {f"marginal_ {s}": ([pair for pair in pairs if s in pair], [s]) for s in case.systems}
        for name, (family, systems) in families.items():
            above = case.separate(family, normal)
            for s in systems if above is not None else ():
                low = 1 + sum((other, s) in above for other in case.systems)
                high = len(case.systems) - sum((s, other) in above for other in case.systems)
                prefix = name.split(" ")[0]
                assert tuple(table.loc[f"s{s}", [f"{prefix}low", f"{prefix}high"]]) == (low, high)
                compared += 1
    assert compared > 100
