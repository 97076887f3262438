"""Posterior probabilities are right as often as they say, where truth comes from the prior.

Of probabilities of superiority and of practical equivalence, in five classes of what was said: the share of cases in
which it is so. docs/questions/how-probable-is-it.md has what ``python tests/comparison/test_posterior_calibration.py``
prints.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from cranfield.statistics import StudentMixture, paired_posterior, shared_posterior
from effort import thorough

MARGIN, PRIOR_TOPICS, TOPICS = 0.3, 4.0, 12
CLASSES = np.linspace(0, 1, 6)


class Remark(NamedTuple):
    """Of independent pairs: their probabilities, and whether it is so."""

    superior: NDArray[np.float64]
    is_superior: NDArray[np.float64]
    equivalent: NDArray[np.float64]
    is_equivalent: NDArray[np.float64]


def said_of(found: StudentMixture, true: NDArray[np.float64]) -> Remark:
    equivalent = 1 - found.above(MARGIN) - found.below(-MARGIN)
    return Remark(found.above(0.0), true > 0, equivalent, np.abs(true) < MARGIN)


def pairs_by_prior_topics(pairs: int, prior_topics: float, seed: int = 1) -> Remark:
    """True means as the conjugate prior has them, their spread of any size; the posterior may think otherwise."""
    rng = np.random.default_rng(seed)
    spread = np.exp(rng.uniform(-4, 4, pairs))
    true = spread / np.sqrt(PRIOR_TOPICS) * rng.standard_normal(pairs)
    z = true + spread * rng.standard_normal((TOPICS, pairs))
    error = z.std(axis=0, ddof=1) / np.sqrt(TOPICS)
    return said_of(paired_posterior(z.mean(axis=0), error, np.full(pairs, float(TOPICS)), prior_topics), true)


def pairs_by_shared_prior(collections: int, prior: str, seed: int = 1) -> Remark:
    """The first two of six systems, whose means have one spread and whose residuals another, both of many sizes."""
    rng = np.random.default_rng(seed)
    held = []
    for _ in range(collections):
        spread, residual = rng.uniform(0, 3), np.exp(rng.uniform(-1.5, 1.5))
        system = spread * rng.standard_normal(6)
        table = system + rng.standard_normal((TOPICS, 1)) + residual * rng.standard_normal((TOPICS, 6))
        z, true = table[:, :1] - table[:, 1:2], system[:1] - system[1:2]
        if prior == "shared":
            found = shared_posterior(table, z.mean(axis=0))[0]
        else:
            found = paired_posterior(z.mean(axis=0), z.std(axis=0, ddof=1) / np.sqrt(TOPICS), np.array([float(TOPICS)]))
        held.append(said_of(found, true))
    return Remark(*(np.concatenate(some) for some in zip(*held, strict=True)))


def classes(said: NDArray[np.float64], so: NDArray[np.float64]) -> list[tuple[int, float, float]]:
    """Of each class its number, the mean of what was said, and the share in which it is so."""
    which = np.digitize(said, CLASSES[1:-1])
    some = [which == number for number in range(len(CLASSES) - 1)]
    return [(int(one.sum()), float(said[one].mean()), float(so[one].mean())) for one in some if one.any()]


def miscalibration(said: NDArray[np.float64], so: NDArray[np.float64]) -> float:
    """p of the hypothesis that what was said is right in every class: the sum of squared standard scores."""
    rows = classes(said, so)
    z = [(share - mean) / np.sqrt(mean * (1 - mean) / count) for count, mean, share in rows if 0 < mean < 1]
    return float(stats.chi2.sf(sum(one * one for one in z), len(z)))


def test_the_conjugate_prior_is_right_as_often_as_it_says() -> None:
    pairs = 200_000 if thorough() else 40_000
    found = pairs_by_prior_topics(pairs, PRIOR_TOPICS)
    assert miscalibration(found.superior, found.is_superior) > 1e-3
    assert miscalibration(found.equivalent, found.is_equivalent) > 1e-3
    assert min(count for count, *_ in classes(found.equivalent, found.is_equivalent)) > 500
    # Another prior than that of the truth is found out.
    for prior_topics in (0.0, 2.0, 12.0):
        wrong = pairs_by_prior_topics(pairs, prior_topics)
        assert miscalibration(wrong.superior, wrong.is_superior) < 1e-6
        assert miscalibration(wrong.equivalent, wrong.is_equivalent) < 1e-6


def test_the_shared_prior_is_right_as_often_as_it_says() -> None:
    collections = 8000 if thorough() else 500
    found = pairs_by_shared_prior(collections, "shared")
    assert miscalibration(found.superior, found.is_superior) > 1e-3
    assert miscalibration(found.equivalent, found.is_equivalent) > 1e-3


@pytest.mark.heavy
def test_the_flat_prior_is_found_out_where_systems_share_one() -> None:
    wrong = pairs_by_shared_prior(8000, "flat")
    assert miscalibration(wrong.equivalent, wrong.is_equivalent) < 1e-6


if __name__ == "__main__":
    for name, found in {
        "conjugate": pairs_by_prior_topics(200_000, PRIOR_TOPICS),
        "flat instead": pairs_by_prior_topics(200_000, 0),
        "shared": pairs_by_shared_prior(8000, "shared"),
        "flat instead of shared": pairs_by_shared_prior(8000, "flat"),
    }.items():
        for what, said, so in (
            ("superior", found.superior, found.is_superior),
            ("equivalent", found.equivalent, found.is_equivalent),
        ):
            cells = ", ".join(f"{mean:.2f} {share:.2f}" for _, mean, share in classes(said, so))
            print(f"{name}, {what}: {cells}; p {miscalibration(said, so):.2g}")
