"""The null, the logistic estimator, and the greedy choice."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

import cranfield
from cranfield import UsageError
from cranfield.information import outcome_counts
from cranfield.simulation import simulate_runs
from cranfield.statistics import sign_information
from cranfield.statistics.kernels.sign_codes import distinct


def random_lists(systems: int, judged: int, relevant: int, depth: int, seed: int) -> tuple[dict[str, object], object]:
    """Lists that know nothing."""
    rng = np.random.default_rng(seed)
    names = [f"d{number:04d}" for number in range(judged)]
    qrels = {"1": {name: float(number < relevant) for number, name in enumerate(names)}}
    runs = {
        f"random{system}": {"1": {names[at]: -float(rank) for rank, at in enumerate(rng.permutation(judged)[:depth])}}
        for system in range(systems)
    }
    return runs, qrels


def test_the_table_overfits_and_the_null_says_so() -> None:
    """Ten lists drawn at random tell almost nothing one by one, and 0.7 bits together."""
    runs, qrels = random_lists(10, 1700, 90, 600, seed=1)
    found = cranfield.information.compute_joint_ric(runs, qrels, estimator="table")  # type: ignore[arg-type]
    assert found.value == pytest.approx(0.713, abs=0.03)
    assert found.systems["RIC"].mean() < 0.006
    assert found.null == pytest.approx(found.value, abs=0.02)
    assert abs(found.normalized) < 0.06
    logistic = cranfield.information.compute_joint_ric(runs, qrels, estimator="logistic", permutations=5)  # type: ignore[arg-type]
    assert logistic.value < 0.1
    assert logistic.null < 0.1


def test_the_null_is_repeated_by_its_seed() -> None:
    runs, qrels = random_lists(3, 60, 10, 40, seed=2)
    first, again, other = (
        cranfield.information.compute_joint_ric(runs, qrels, permutations=5, seed=seed).null  # type: ignore[arg-type]
        for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def test_the_null_is_the_mean_over_orders_of_the_labels() -> None:
    """Of two documents and one list every order can be written down."""
    runs = {"S": {"1": {"a": 2.0, "b": 1.0}}}
    qrels = {"1": {"a": 1, "b": 0}}
    # either order decides the one pair: the list ends after its relevant document and puts one document first
    found = cranfield.information.compute_joint_ric(runs, qrels, permutations=7, estimator="table")
    assert found.null == found.value == 1.0
    assert math.isnan(found.normalized)


def test_no_permutations_no_null() -> None:
    runs, qrels = random_lists(2, 30, 5, 20, seed=3)
    found = cranfield.information.compute_joint_ric(runs, qrels, permutations=0, estimator="table")  # type: ignore[arg-type]
    assert math.isnan(found.null)
    assert math.isnan(found.normalized)


def test_of_one_system_both_estimators_say_the_same() -> None:
    made = simulate_runs(n_systems=1, n_topics=3, depth=20)
    table, logistic = (
        cranfield.information.compute_joint_ric(made.runs, made.qrels, permutations=0, estimator=estimator).value
        for estimator in ("table", "logistic")
    )
    assert logistic == pytest.approx(table, abs=1e-9)


def test_the_logistic_estimate_lies_between_the_best_system_and_the_table() -> None:
    made = simulate_runs(n_systems=5, n_topics=3, depth=20)
    table, logistic = (
        cranfield.information.compute_joint_ric(made.runs, made.qrels, permutations=0, estimator=estimator)
        for estimator in ("table", "logistic")
    )
    topics = cranfield.information.compute_ric(made.runs, made.qrels)["RIC"].max("system").values
    assert (logistic.topics["joint"].values >= topics - 1e-9).all()
    assert (logistic.topics["joint"].values <= table.topics["joint"].values + 1e-9).all()


def test_silence_and_cells() -> None:
    qrels = {"1": {"a": 1, "b": 0, "c": 1, "d": 0}}
    runs = {"one": {"1": {"a": 1.0}}, "two": {"1": {"b": 2.0, "a": 1.0}}}
    found = cranfield.information.compute_joint_ric(runs, qrels, permutations=0, estimator="table").topics.sel(
        topic="1"
    )
    # a>b: one says +, two -; a>d: both +; c>b: one 0, two -; c>d: nobody
    assert found["pairs"].item() == 4
    assert found["cells"].item() == 3
    assert found["silent"].item() == 1 / 4
    assert found["joint"].item() == 3 / 4


# ---- choice


def test_the_first_choice_is_the_best_and_the_second_completes_it() -> None:
    qrels = {"1": {"a": 1, "b": 0, "c": 1, "d": 0}, "2": {"a": 1, "b": 0}}
    right, half = {"a": 3.0, "c": 2.0}, {"a": 1.0}
    runs = {
        "half": {"1": half, "2": {"x": 1.0}},  # RIC 1/2 and 0
        "best": {"1": right, "2": {"x": 1.0}},  # 1 and 0
        "copy": {"1": right, "2": {"x": 1.0}},
        "elsewhere": {"1": {"x": 1.0}, "2": {"a": 1.0}},  # 0 and 1
    }
    found = cranfield.information.select_systems(runs, qrels, n_systems=3, permutations=2, estimator="table")
    assert found.systems == ["best", "elsewhere", "half"]
    assert found.steps["joint"].tolist() == [0.5, 1.0, 1.0]
    assert found.steps["gain"].tolist() == [0.5, 0.5, 0.0]
    begun = cranfield.information.select_systems(
        runs, qrels, n_systems=2, start=["half"], permutations=0, estimator="table"
    )
    assert begun.systems == ["half", "elsewhere"]
    assert begun.steps["joint"].tolist() == [0.25, 0.75]


def test_each_step_is_the_joint_ric_of_what_was_chosen() -> None:
    made = simulate_runs(n_systems=5, n_topics=2, depth=15)
    found = cranfield.information.select_systems(made.runs, made.qrels, n_systems=4, permutations=3)
    for size in range(1, 5):
        chosen = cranfield.information.compute_joint_ric(
            made.runs, made.qrels, systems=found.systems[:size], permutations=3
        )
        row = found.steps.iloc[size - 1]
        assert (row["joint"], row["null"], row["normalized"]) == (chosen.value, chosen.null, chosen.normalized)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_systems": 0}, "n_systems=0 should be at least 1"),
        ({"n_systems": 3}, "n_systems=3 should lie between 1 and 2"),
        ({"n_systems": 1, "start": ["a", "b"]}, "between 2 and 2"),
        ({"n_systems": 1, "start": ["c"]}, "there is no system 'c'"),
        ({"n_systems": 1, "estimator": "x"}, "estimator='x'"),
        ({"n_systems": 1, "estimator": "shrinkage", "pair_weight": "geometric"}, "'shrinkage' needs numbers of pairs"),
    ],
)
def test_refusals(options: dict[str, object], message: str) -> None:
    runs = {"a": {"1": {"a": 1.0}}, "b": {"1": {"b": 1.0}}}
    with pytest.raises(UsageError, match=message):
        cranfield.information.select_systems(runs, {"1": {"a": 1, "b": 0}}, **options)  # type: ignore[arg-type]


def test_sign_information_is_ric_of_a_list_that_retrieves_all() -> None:
    run = {"1": {"a": 3.0, "b": 2.0, "c": 1.0}}
    found = cranfield.information.compute_joint_ric(
        {"S": run}, {"1": {"a": 1, "b": 0, "c": 1}}, permutations=0, estimator="table"
    )
    assert found.value == pytest.approx(float(sign_information(1, 1)))


@given(
    rows=st.integers(1, 40),
    columns=st.integers(1, 20),
    kinds=st.integers(1, 3),
    seed=st.integers(0, 1000),
)
def test_outcomes_are_grouped_as_whole_rows_are(rows: int, columns: int, kinds: int, seed: int) -> None:
    """Of any number of bytes, however late two rows differ."""
    rng = np.random.default_rng(seed)
    table = rng.integers(0, kinds, (rows, columns)).astype(np.uint8) * (rng.random(columns) < 0.4).astype(np.uint8)
    chosen, same = distinct(list(table.T))
    kinds_of = sorted({tuple(row) for row in table.tolist()})
    assert [tuple(row) for row in table[chosen].tolist()] == kinds_of
    assert [kinds_of[number] for number in same] == [tuple(row) for row in table.tolist()]


def test_what_each_of_many_systems_adds_is_what_is_lost_without_it() -> None:
    """Of more than ten systems each is left out by the curvature; here it is left out of the experiment."""
    made = simulate_runs(n_systems=12, n_topics=2, depth=30, seed=9)
    asked = cranfield.information.prepare_experiment(made.runs, made.qrels)
    found = cranfield.information.compute_joint_ric(asked, permutations=0)
    for system in asked.systems[:3]:
        rest = [name for name in asked.systems if name != system]
        without = cranfield.information.compute_joint_ric(asked, systems=rest, permutations=0).value
        assert found.systems.loc[system, "contribution"] == pytest.approx(found.value - without, abs=5e-4)


def test_corrected_tables_lie_below_the_table() -> None:
    """Miller and Madow's correction is that of the cells that occur, topic by topic."""
    runs, qrels = random_lists(4, 60, 10, 40, seed=7)
    table, corrected, shrunk = (
        cranfield.information.compute_joint_ric(runs, qrels, permutations=0, estimator=estimator)  # type: ignore[arg-type]
        for estimator in ("table", "miller-madow", "shrinkage")
    )
    cells, pairs = table.topics["cells"].item(), table.topics["pairs"].item()
    assert corrected.value == pytest.approx(table.value - cells / (2 * pairs * math.log(2)))
    assert 0 < shrunk.value < table.value
    step = cranfield.information.select_systems(
        runs,
        qrels,
        n_systems=4,
        estimator="shrinkage",
        permutations=0,  # type: ignore[arg-type]
    )
    assert step.steps["joint"].iloc[-1] == pytest.approx(shrunk.value)


def test_corrections_are_for_one_source_of_judgments() -> None:
    qrels = cranfield.Qrels.from_dict({"q": {"a": 1, "b": 0}})
    evidence = cranfield.information.Evidence(qrels, cranfield.collection.Preferences.of([("q", "a", "b")]))
    with pytest.raises(UsageError, match="'miller-madow' is for one source of judgments; use 'table'"):
        cranfield.information.compute_joint_ric({"s": {"q": {"a": 1}}}, evidence, estimator="miller-madow")


# ---- what a fusion may reach


def by_hand(asked: cranfield.information.Experiment, seed: int) -> float:
    """All pairs of all topics one by one, and a general minimizer."""
    tables = []
    for topic, pairs in enumerate(asked.pairs):
        better, worse = (
            np.concatenate(side, axis=1) for side in zip(*_flat(pairs, asked.positions.ended(topic)), strict=True)
        )
        tables.append(np.sign(worse.astype(float) - better).T)
    fold = np.random.default_rng(seed).permutation(len(tables)) % 5
    told = []
    for number, x in enumerate(tables):
        learned = [other for other, own in zip(tables, fold, strict=True) if own != fold[number]]

        def loss(b: np.ndarray, learned: list[np.ndarray] = learned) -> float:  # type: ignore[type-arg]
            return float(sum(np.logaddexp(0, -one @ b).mean() for one in learned))

        b = minimize(loss, np.zeros(x.shape[1]), method="BFGS").x
        told.append(1 - np.logaddexp(0, -x @ b).mean() / math.log(2))
    return float(np.mean(told))


def _flat(pairs: cranfield.information.pairs.Pairs, places: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:  # type: ignore[type-arg]
    blocks = (np.broadcast_arrays(*block) for block in pairs.sides(places))
    return [(one.reshape(len(places), -1), other.reshape(len(places), -1)) for one, other in blocks]


def test_it_is_learned_on_the_topics_of_other_folds() -> None:
    made = simulate_runs(n_systems=3, n_topics=7, depth=15, seed=3)
    asked = cranfield.information.prepare_experiment(made.runs, made.qrels)
    found = cranfield.information.compute_joint_ric(asked, permutations=0, seed=4)
    assert found.reachable == pytest.approx(by_hand(asked, 4), abs=2e-3)
    assert found.reachable < found.value


def test_lists_that_know_nothing_reach_nothing() -> None:
    """The table of ten random lists gives much, its null as much; on other topics they tell nothing."""
    rng, names = np.random.default_rng(5), [f"d{number:03d}" for number in range(60)]
    qrels = {str(topic): {name: float(number < 10) for number, name in enumerate(names)} for topic in range(10)}
    runs = {
        f"s{system}": {
            topic: {names[at]: -float(rank) for rank, at in enumerate(rng.permutation(60)[:30])} for topic in qrels
        }
        for system in range(4)
    }
    found = cranfield.information.compute_joint_ric(runs, qrels, permutations=5)
    assert abs(found.normalized) < 0.05
    assert -0.1 < found.reachable < 0.05


def test_many_systems_are_asked_about_a_sample_of_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    made = simulate_runs(n_systems=12, n_topics=4, depth=20, seed=6)
    asked = cranfield.information.prepare_experiment(made.runs, made.qrels)
    whole = cranfield.information.compute_joint_ric(asked, permutations=0)
    assert whole.settings["permutations"] == 0
    size = min(pairs.size for pairs in asked.pairs)
    monkeypatch.setattr(outcome_counts, "NUMBERS", 12 * (size // 2))
    some = cranfield.information.compute_joint_ric(asked)
    assert some.settings["permutations"] == 2
    assert some.value == pytest.approx(whole.value, abs=0.1)
    assert some.value != whole.value


def test_numbered_pairs_are_those_of_their_blocks() -> None:
    labels = np.array([2.0, 0.0, 1.0, 0.0, 1.0, 2.0, 0.0])
    pairs = cranfield.information.pairs.Pairs.from_labels(labels)
    numbers = np.arange(labels.size)
    blocks = [np.broadcast_arrays(*block) for block in pairs.sides(numbers)]
    every = [(int(x), int(y)) for one, other in blocks for x, y in zip(one.ravel(), other.ravel(), strict=True)]
    assert len(every) == pairs.size
    assert all(labels[x] > labels[y] for x, y in every)
    chosen = pairs.chosen(np.arange(pairs.size))
    assert chosen.named is not None
    assert list(zip(*(side.tolist() for side in chosen.named), strict=True)) == every


def test_of_two_topics_each_is_learned_on_the_other() -> None:
    """One system that orders every pair of both topics well: weights learned on one reach much on the other."""
    qrels = {topic: {"a": 1, "b": 0, "c": 0} for topic in ("1", "2")}
    runs = {"S": {topic: {"a": 3.0, "b": 2.0, "c": 1.0} for topic in qrels}}
    assert cranfield.information.compute_joint_ric(runs, qrels, permutations=0).reachable > 0.5


def test_one_topic_has_no_other() -> None:
    found = cranfield.information.compute_joint_ric({"S": {"1": {"a": 1.0}}}, {"1": {"a": 1, "b": 0}}, permutations=0)
    assert math.isnan(found.reachable)
