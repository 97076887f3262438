"""Testing the tests: every trial is what ``compare`` says of it, and what is known of the tests shows."""

from __future__ import annotations

import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from test_compare import scores_of

import cranfield
from cranfield import CranfieldWarning, InputError, UsageError
from cranfield.comparison.study import (
    BLOCK,
    DEFAULT,
    CorrectedTest,
    StudyTrials,
    counted,
    find_significant,
    list_methods,
)
from cranfield.scores.opening import open_scores
from cranfield.simulation.fitted import FittedScores
from cranfield.statistics.copulas import correlation

EVERY = (
    *DEFAULT,
    CorrectedTest("t", "bh"),
    CorrectedTest("t", "bonferroni"),
    CorrectedTest("welch", "holm"),
    CorrectedTest("permutation", "none"),
    CorrectedTest("permutation", "max-t-step-down"),
    CorrectedTest("permutation", "holm"),
    CorrectedTest("bootstrap", "bonferroni"),
    CorrectedTest("bootstrap", "max-t-step-down"),
)


def pilot(topics: int = 20, systems: int = 5, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    values = rng.beta(1.5, 2, size=(topics, 1)) * 0.5 + rng.beta(2, 3, size=(topics, systems)) * 0.5
    return scores_of(values)


def study(scores: Any = None, **options: Any) -> Any:
    usual: dict[str, Any] = {"trials": 20, "resamples": 99, "effects": 0.1}
    return cranfield.comparison.study_tests(pilot() if scores is None else scores, **usual | options)


def trials_of(resamples: int = 299) -> StudyTrials:
    imitation = FittedScores.fit(open_scores(pilot()), "a test")
    low, high, both = (imitation.with_means([mean] * 5) for mean in (0.3, 0.5, 0.4))
    return StudyTrials(both, ((low, high),), EVERY, 0.05, resamples, 7)


# ---- by brute force


def significant(
    table: NDArray[np.float64], method: CorrectedTest, resamples: int, seed: int
) -> dict[tuple[int, int], float]:
    """Significant pairs by ``compare``, with the sign of the difference between the first system and the second."""
    drawn = {"resamples": resamples} if method.test in ("permutation", "bootstrap", "randomized-tukey") else {}
    names = [f"s{at}" for at in range(table.shape[1])]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)
        found = cranfield.compare(
            scores_of(table).assign_coords(system=names),
            test=method.test,
            correction=method.correction,
            seed=seed,
            **drawn,  # type: ignore[arg-type]
        ).pairs
    out = {}
    for row in found[found["significant"]].itertuples():
        one, other = names.index(row.system), names.index(row.other)
        out[min(one, other), max(one, other)] = np.sign(row.difference) * (1 if one < other else -1)
    return out


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(EVERY)), ids=[" ".join(method) for method in EVERY])
def test_a_trial_is_what_compare_says_of_it(number: int) -> None:
    work = trials_of()
    block = (20, 3, 3 + 6)
    counts = work(block)
    pairs = list(combinations(range(5), 2))
    seen = 0
    for effect, (tables, truth) in enumerate(work.drawn(block)):
        assert tables.shape == (6, 20, 5)
        for trial, table in enumerate(tables):
            found = significant(table, EVERY[number], 299, work.derive_seed(20, 3 + trial))
            true = {pair: np.sign(truth[trial, pair[0]] - truth[trial, pair[1]]) for pair in pairs}
            equal = [pair for pair in pairs if true[pair] == 0]
            apart = [pair for pair in pairs if true[pair] != 0]
            assert len(apart) == (6 if effect else 0), "two systems against three"
            expected = [
                sum(pair in found for pair in equal) / len(equal),
                float(any(pair in found for pair in equal)),
                sum(found.get(pair) == -true[pair] for pair in apart) / len(apart) if apart else np.nan,
                sum(found.get(pair) == true[pair] for pair in apart) / len(apart) if apart else np.nan,
            ]
            assert counts[effect, :, number, trial] == pytest.approx(expected, nan_ok=True)
            seen += len(found)
    assert seen > 0, "some pair is found, or nothing would be compared"


def test_wrong_directions_are_counted_as_such() -> None:
    rng = np.random.default_rng(0)
    table = rng.normal(scale=0.1, size=(1, 30, 3)) + np.array([0.0, 2.0, 4.0])
    found = find_significant([CorrectedTest("t", "none")], table, 0.05, 9, [1])
    assert found.all()
    assert [float(share[0, 0]) for share in counted(found, table, np.array([[2, 2, 0]]))] == [1.0, 1.0, 1.0, 0.0]
    assert [float(share[0, 0]) for share in counted(found, table, np.array([[0, 1, 0]]))] == [1.0, 1.0, 0.5, 0.5]


def test_the_answer_states_power_on_the_most_topics() -> None:
    found = study(tests="t", corrections=["holm"], trials=10, effects=(0.05, 0.2), n_topics=(25, 6))
    power = found.rates.set_index(["topics", "difference"])["power"]
    assert power[6, 0.05] != power[25, 0.05]
    stated = f"its power is {power[25, 0.05]:.3f} for a difference of 0.05 on 25 topics"
    assert found.answer("rates").endswith(f"{stated}.")


def test_rates_are_means_over_trials_with_their_standard_errors() -> None:
    found = study(tests="t", corrections=["none"], trials=40, effects=(0.05, 0.2), n_topics=(10, 25)).rates
    assert list(found["topics"]) == [10] * 3 + [25] * 3
    assert list(found["difference"]) == [0, 0.05, 0.2] * 2
    imitation = FittedScores.fit(open_scores(pilot()), "a test")
    mean = float(pilot().mean())
    sides = [tuple(imitation.with_means([mean + way * effect] * 5) for way in (-0.5, 0.5)) for effect in (0.05, 0.2)]
    work = StudyTrials(imitation.with_means([mean] * 5), sides, (CorrectedTest("t", "none"),), 0.05, 99, 1)  # type: ignore[arg-type]
    for n, rows in found.groupby("topics"):
        blocks = [(n, 0, BLOCK), (n, BLOCK, 2 * BLOCK), (n, 2 * BLOCK, 40)]
        counts = np.concatenate([work(block) for block in blocks], axis=-1)[:, :, 0]
        for at, name in enumerate(("type_1", "family_wise", "type_3", "power")):
            assert rows[name].to_numpy() == pytest.approx(counts[:, at].mean(axis=-1), nan_ok=True)
            error = counts[:, at].std(axis=-1, ddof=1) / np.sqrt(40)
            assert rows[f"{name}_standard_error"].to_numpy() == pytest.approx(error, nan_ok=True)


# ---- what is known


def test_a_t_test_errs_as_often_as_it_says_on_normal_scores() -> None:
    trials = 4000
    tables = np.random.default_rng(5).normal(size=(trials, 12, 2)) + np.random.default_rng(6).normal(
        size=(trials, 12, 1)
    )
    found = find_significant(
        [CorrectedTest("t", "none"), CorrectedTest("tukey", "none")], tables, 0.05, 9, range(trials)
    )
    counts = counted(found, tables, np.zeros((trials, 2), dtype=np.int64))
    assert counts.false.mean(axis=1) == pytest.approx([0.05, 0.05], abs=3.5 * np.sqrt(0.05 * 0.95 / trials))
    assert np.isnan(counts.right).all()


def test_max_t_holds_all_pairs_together_where_some_differ() -> None:
    """Half of five normal systems lies far above: whatever is found among the others is wrong."""
    trials = 400
    rng = np.random.default_rng(8)
    truth = np.tile(np.array([0, 0, 0, 1, 1]), (trials, 1))
    tables = rng.normal(size=(trials, 15, 5)) + 3.0 * truth[:, None]
    methods = [
        CorrectedTest("permutation", "max-t"),
        CorrectedTest("permutation", "max-t-step-down"),
        CorrectedTest("t", "none"),
    ]
    counts = counted(find_significant(methods, tables, 0.05, 99, range(trials)), tables, truth)
    rates = counts.any_false.mean(axis=1)
    bound = 0.05 + 3.5 * np.sqrt(0.05 * 0.95 / trials)
    assert rates[0] <= rates[1] <= bound
    assert rates[2] > bound
    assert counts.right.mean(axis=1) == pytest.approx([1, 1, 1], abs=0.01)


def test_the_scores_are_those_of_the_collection_with_equal_means() -> None:
    work = trials_of()
    (null, _), (apart, truth) = work.drawn((2000, 0, 4))
    assert null.mean(axis=(0, 1)) == pytest.approx(np.full(5, 0.4), abs=0.01)
    assert np.abs(correlation(null.reshape(-1, 5)) - correlation(pilot().to_numpy())).max() < 0.05
    assert apart.mean(axis=1) == pytest.approx(np.where(truth == 1, 0.5, 0.3), abs=0.03)
    assert truth.sum(axis=1).tolist() == [2] * 4
    assert len({tuple(row) for row in work.drawn((4, 0, 16))[1][1].tolist()}) > 1, "another half in each trial"


def test_exchangeable_systems_share_the_mean_correlation_of_pairs() -> None:
    matrix = open_scores(
        scores_of(np.random.default_rng(3).beta(2, 3, size=(30, 1)) ** np.array([[1.0, 1.5, 0.7, 2.0]]))
    )
    pairs = correlation(matrix.values)[np.triu_indices(4, 1)]
    assert pairs.mean() > 0.5
    assert FittedScores.fit(matrix, "a test", exchangeable=True).shared == pytest.approx(pairs.mean(), rel=1e-12)


def test_exchangeable_systems_have_one_distribution() -> None:
    scores = pilot()
    scores[:, 0] = scores[:, 0] ** 4
    imitation = FittedScores.fit(open_scores(scores), "a test", exchangeable=True).with_means([0.4] * 5)
    values = imitation.scores(imitation.uniform(50_000, np.random.default_rng(1)))
    assert np.ptp(values.std(axis=0)) < 0.005
    assert (
        np.ptp(
            FittedScores.fit(open_scores(scores), "a test")
            .with_means([0.4] * 5)
            .scores(np.random.default_rng(1).random((50_000, 5)))
            .std(axis=0)
        )
        > 0.02
    )
    own, shared = (study(scores, null=null).rates for null in ("means", "exchangeable"))
    assert not own.equals(shared)


# ---- seeds, executors, and what is refused


@pytest.mark.slow
def test_the_same_bits_with_any_executor() -> None:
    usual = study(trials=2 * BLOCK + 3)
    for pool in (ThreadPoolExecutor(3), ProcessPoolExecutor(2)):
        with pool as executor:
            assert study(trials=2 * BLOCK + 3, executor=executor) == usual
    assert study(trials=2 * BLOCK + 3, seed=2) != usual


def test_progress() -> None:
    steps: list[tuple[int, int]] = []
    study(trials=2 * BLOCK + 3, n_topics=[5, 6], tests="t", progress=lambda done, of: steps.append((done, of)))
    ends = [BLOCK, 2 * BLOCK, 2 * BLOCK + 3]
    assert steps == [(done, 4 * BLOCK + 6) for done in [*ends, *(ends[-1] + end for end in ends)]]


@pytest.mark.slow
def test_systems_are_drawn_at_random_where_there_are_many() -> None:
    scores = pilot(systems=45)
    found = study(scores, tests="t", trials=2)
    assert len(found.systems) == found.settings["n_systems"] == 40
    assert found.systems != tuple(scores["system"].to_numpy()[:40])
    few = study(scores, tests="t", trials=2, n_systems=3)
    assert len(set(few.systems)) == 3
    assert study(scores, tests="t", trials=2, n_systems=3, seed=9).systems != few.systems
    assert study(scores, tests="t", trials=2, n_systems=45).systems == tuple(scores["system"].to_numpy())


def test_two_systems_have_no_pair_without_a_difference_once_they_differ() -> None:
    rates = study(pilot(systems=2), tests="t").rates.set_index("difference")
    assert np.isnan(rates.loc[0.1, ["type_1", "family_wise"]].astype(float)).all()
    assert rates.loc[0.0, "type_1"] == rates.loc[0.0, "family_wise"]


def test_which_methods() -> None:
    assert list_methods(None, None) == DEFAULT
    assert list_methods("bootstrap", None) == (("bootstrap", "max-t"),)
    assert list_methods(["t", "tukey"], ["holm", "none"]) == (("t", "holm"), ("t", "none"), ("tukey", "none"))
    assert list_methods(["t", "permutation"], ["max-t", "bh"]) == (
        *(("t", "bh"), ("permutation", "max-t"), ("permutation", "bh")),
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tests": "dunnett"}, "tests='dunnett' is not one of t, wilcoxon"),
        ({"tests": []}, "name at least one test"),
        ({"corrections": "sidak"}, "corrections='sidak' is not one of max-t"),
        ({"tests": "t", "corrections": "max-t"}, "'max-t' belongs to none of the tests t"),
        ({"tests": ["t", "permutation"], "corrections": "max-t"}, "'t' has none of the corrections max-t"),
        ({"tests": "permutation", "corrections": "holm"}, "no p of 99 resamples passes holm over 10 pairs at 0.05"),
        ({"effects": 0}, "effects=0 should be a number above 0"),
        ({"effects": 0.95}, "the mean of these scores is"),
        ({"n_topics": 1}, "n_topics=1 should be at least 2"),
        ({"n_topics": []}, r"n_topics=\[\]"),
        ({"n_systems": 6}, "n_systems=6 should be at most 5"),
        ({"null": "sharp"}, "null='sharp' is not one of means, exchangeable"),
        ({"trials": 0}, "trials=0"),
        ({"executor": 2}, "executor=2 is not an executor"),
    ],
    ids=str,
)
def test_wrong_calls(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        study(**options)


def test_scores_that_cannot_be_imitated() -> None:
    with pytest.raises(InputError, match=r"testing the tests needs \[0, 1\]"):
        study(pilot() * 3)
    with pytest.raises(InputError, match="testing the tests needs 2 systems or more"):
        study(pilot(systems=1))
