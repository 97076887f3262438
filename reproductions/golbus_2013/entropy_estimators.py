"""Estimates of the joint RIC of ten simulated systems whose joint RIC is known.

    python reproductions/golbus_2013/entropy_estimators.py

writes ``entropy_estimators.md`` beside this file. System j scores a document by s_j relevant + sqrt(rho) common noise +
sqrt(1 - rho) noise of its own, s from .3 to 1 in equal steps; where it is not additive, relevant documents have
1.5 sin(3 noise) more.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import cranfield
from cranfield.information.outcome_counts import Estimator
from cranfield.statistics.entropy import sign_table_information

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from golbus_tables import markdown  # noqa: E402

SEED, SYSTEMS, TOPICS, PERMUTATIONS = 2009, 10, 12, 5
PAIRS, BLOCK = 3_000_000, 500_000
SIZES = ((20, 180), (60, 600))
CASES = {"independent": (0.0, False), "correlated": (0.5, False), "not additive": (0.0, True), "nothing": (None, False)}
ESTIMATORS: tuple[Estimator, ...] = ("table", "miller-madow", "shrinkage", "logistic")

Floats = NDArray[np.float64]


def scores(rng: np.random.Generator, relevant: bool, size: int, case: str) -> Floats:
    """Scores of documents, [documents, systems]."""
    rho, bent = CASES[case]
    own, common = rng.normal(size=(size, SYSTEMS)), rng.normal(size=(size, 1))
    found: Floats = np.sqrt(rho or 0.0) * common + np.sqrt(1 - (rho or 0.0)) * own
    if relevant and rho is not None:
        found = found + np.linspace(0.3, 1.0, SYSTEMS) + (1.5 * np.sin(3 * own) if bent else 0.0)
    return found


def truth(case: str) -> float:
    """Joint RIC of documents without end, from many pairs."""
    if CASES[case][0] is None:
        return 0.0
    rng, often = np.random.default_rng(SEED), np.zeros(2**SYSTEMS)
    for _ in range(PAIRS // BLOCK):
        first = scores(rng, True, BLOCK, case) > scores(rng, False, BLOCK, case)
        often += np.bincount(first @ 2 ** np.arange(SYSTEMS), minlength=len(often))
    half = len(often) // 2
    return sign_table_information(often[half:], often[:half][::-1], 0.0, 3.0**SYSTEMS, "miller-madow")


def simulated(case: str, sizes: tuple[int, int]) -> tuple[dict[str, object], dict[str, dict[str, float]]]:
    """Runs and judgments; every run retrieves every document."""
    rng = np.random.default_rng([SEED, *sizes, list(CASES).index(case)])
    runs: dict[str, dict[str, dict[str, float]]] = {f"s{system}": {} for system in range(SYSTEMS)}
    qrels = {}
    names = [f"d{number:03d}" for number in range(sum(sizes))]
    for topic in map(str, range(TOPICS)):
        both = np.concatenate([scores(rng, kind, size, case) for kind, size in zip((True, False), sizes, strict=True)])
        qrels[topic] = {name: float(number < sizes[0]) for number, name in enumerate(names)}
        for system, column in enumerate(both.T):
            runs[f"s{system}"][topic] = dict(zip(names, column.tolist(), strict=True))
    return dict(runs), qrels


def row(case: str, sizes: tuple[int, int], true: float) -> list[str]:
    """All estimates of one size: as they are, and as a share of what their null leaves."""
    asked = cranfield.information.prepare_experiment(*simulated(case, sizes))  # type: ignore[arg-type]
    cells = []
    for estimator in ESTIMATORS:
        found = cranfield.information.compute_joint_ric(asked, estimator=estimator, permutations=PERMUTATIONS)
        cells.append(f"{found.value:.3f} / {found.normalized:.3f}")
    return [case, f"{true:.3f}", f"{sizes[0]} + {sizes[1]}", *cells]


def tables() -> str:
    """Everything that is held."""
    rows = [row(case, sizes, true) for case, true in ((case, truth(case)) for case in CASES) for sizes in SIZES]
    head = ["systems", "truth", "documents", *ESTIMATORS]
    return "## Joint RIC of ten simulated systems: estimate / share beyond its null\n\n" + markdown(head, rows) + "\n"


def main() -> None:
    """Write the table."""
    argparse.ArgumentParser(description=__doc__.partition("\n")[0]).parse_args()
    (HERE / "entropy_estimators.md").write_text(tables())


if __name__ == "__main__":
    main()
