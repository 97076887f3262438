"""RIC, joint RIC and information difference: worked examples, and all ordered pairs counted one by one."""

from __future__ import annotations

import math
import warnings
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from ordered_pairs import Drawn, conditional, drawn, geometric, joint_table, mean, per_topic, places

import cranfield
from cranfield import RIC, CranfieldWarning, InputError, InputOptions, UsageError
from cranfield.engine import Engine
from cranfield.information import Experiment
from cranfield.information import pairs as pairs_module
from cranfield.information.outcome_counts import OutcomeCells, sampled
from cranfield.information.pairs import Pairs, SmallInts
from cranfield.measures import values
from cranfield.statistics.kernels.sign_codes import pack_signs
from effort import examples

# Topics without pairs, and topics that a run lacks, are drawn too.
pytestmark = pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")

QRELS = {"1": {"a": 2, "b": 1, "c": 0, "d": 0, "e": 1}}
S1 = {"1": {"c": 5.0, "a": 4, "u": 3, "b": 2, "d": 1}}
S2 = {"1": {"a": 3.0, "e": 2, "c": 1}}


def joint(runs: object, qrels: object, **options: object) -> float:
    return cranfield.information.compute_joint_ric(
        runs, qrels, **{"permutations": 0, "estimator": "table", **options}
    ).value  # type: ignore[arg-type]


def test_worked_example() -> None:
    scores = cranfield.information.compute_ric({"S1": S1, "S2": S2}, QRELS).sel(topic="1")
    assert scores["RIC"].values == pytest.approx([0.0129254, 0.75], abs=5e-8)
    assert {name: scores[name].values.tolist() for name in "CDZ"} == {"C": [4, 6], "D": [3, 0], "Z": [1, 2]}
    assert joint({"S1": S1, "S2": S2}, QRELS) == pytest.approx(0.75, abs=1e-12)
    found = cranfield.information.compute_information_difference({"S1": S1, "S2": S2}, QRELS).between("S1", "S2")
    assert found.difference == pytest.approx(0.7370746, abs=5e-8)
    assert (found.only_system, found.only_other) == pytest.approx((0, 0.7370746), abs=5e-8)
    assert found.shared == pytest.approx(0.0129254, abs=5e-8)
    assert joint({"S": {"1": {"a": 2, "c": 1}}}, {"1": {"a": 1, "b": 1, "c": 0}}) == pytest.approx(0.5)


def test_the_worst_list_tells_as_much_as_the_best() -> None:
    qrels = {"1": {"a": 1, "b": 0, "c": 0}}
    scores = cranfield.information.compute_ric({"worst": {"1": {"b": 3, "c": 2, "a": 1}}}, qrels)
    assert scores["RIC"].item() == 1.0
    assert scores["RIC_signed"].item() == -1.0


@examples(60)
@given(case=drawn(systems=1), rel=st.sampled_from([0.0, 1.0, 2.0]), p=st.sampled_from([None, 0.5, 0.9]))
def test_ric_is_the_measure(case: Drawn, rel: float, p: float | None) -> None:
    """Two implementations: pairs compared one with the other, and counting by rank and label."""
    options = {} if p is None else {"pair_weight": "geometric", "p": p}
    scores = cranfield.information.compute_ric(case.runs, case.judgments, rel=rel, **options)  # type: ignore[arg-type]
    for signed, name in ((False, "RIC"), (True, "RIC_signed")):
        measure = RIC(rel=rel, signed=signed, **options)
        expected = values(measure, cranfield.evaluation.make_rankings(case.runs, case.judgments))
        assert scores[name].values.ravel() == pytest.approx(expected, abs=1e-12, nan_ok=True)


@examples(80)
@given(case=drawn(systems=3), rel=st.sampled_from([1.0, 2.0]), p=st.sampled_from([None, 0.6]), few=st.booleans())
def test_joint_ric_counts_all_ordered_pairs(case: Drawn, rel: float, p: float | None, few: bool) -> None:
    options = {} if p is None else {"pair_weight": "geometric", "p": p}
    with pytest.MonkeyPatch.context() as patch:
        if few:
            patch.setattr(pairs_module, "BLOCKS", 1)  # pairs by name, as where labels are many
        found = cranfield.information.compute_joint_ric(
            case.runs, case.judgments, permutations=0, rel=rel, estimator="table", **options
        )  # type: ignore[arg-type]
    weight = (lambda _, __: 1.0) if p is None else geometric(p)
    expected = per_topic(case, list(case.runs), weight, rel)
    assert found.topics["joint"].values == pytest.approx(expected, abs=1e-12, nan_ok=True)
    if p is None:
        for name in case.runs:
            alone = mean(per_topic(case, [name], rel=rel))
            others = mean(per_topic(case, [other for other in case.runs if other != name], rel=rel))
            row = found.systems.loc[name]
            assert row["RIC"] == pytest.approx(alone, abs=1e-12, nan_ok=True)
            assert row["contribution"] == pytest.approx(found.value - others, abs=1e-12, nan_ok=True)


@examples(60)
@given(case=drawn(systems=3), p=st.sampled_from([None, 0.6]))
def test_information_difference_counts_all_ordered_pairs(case: Drawn, p: float | None) -> None:
    names = ["s0", "s1"]
    two = Drawn(case.qrels, {name: case.runs[name] for name in names})
    options = {} if p is None else {"pair_weight": "geometric", "p": p}
    weight = (lambda _, __: 1.0) if p is None else geometric(p)
    found = cranfield.information.compute_information_difference(two.runs, case.judgments, **options)  # type: ignore[arg-type]
    parts: dict[bool, list[float]] = {False: [], True: []}
    for topic, labels in case.qrels.items():
        of_systems = [places(two.runs[name], topic, labels) for name in names]
        for turned in (False, True):
            table = joint_table(labels, of_systems[::-1] if turned else of_systems, weight)
            parts[turned].append(conditional(table) if len(set(labels.values())) > 1 else math.nan)
    pair = found.between("s0", "s1")
    assert pair.only_system == pytest.approx(mean(parts[False]), abs=1e-12, nan_ok=True)
    assert pair.only_other == pytest.approx(mean(parts[True]), abs=1e-12, nan_ok=True)
    together, one, other = (joint(case_of(two, some), case.judgments) for some in (names, ["s0"], ["s1"]))
    if p is None and not math.isnan(together):
        assert pair.difference == pytest.approx(2 * together - one - other, abs=1e-12)
        assert pair.shared == pytest.approx(one + other - together, abs=1e-12)


def case_of(case: Drawn, names: list[str]) -> dict[str, object]:
    return {name: case.runs[name] for name in names}


# ---- what must hold of any set


@examples(30)
@given(drawn(systems=4))
def test_more_systems_never_tell_less(case: Drawn) -> None:
    names = list(case.runs)
    before = 0.0
    for size in range(1, 5):
        found = cranfield.information.compute_joint_ric(
            case_of(case, names[:size]), case.judgments, permutations=0, estimator="table"
        )  # type: ignore[arg-type]
        if math.isnan(found.value):
            return
        assert before - 1e-12 <= found.value
        told = 1 - found.topics["silent"].values
        here = found.topics["joint"].values
        assert (here[~np.isnan(here)] <= told[~np.isnan(here)] + 1e-12).all()
        before = found.value


@examples(20)
@given(drawn(systems=3), st.permutations([0, 1, 2]))
def test_order_and_repetition_change_nothing(case: Drawn, order: list[int]) -> None:
    runs = list(case.runs.values())
    value = joint(case.runs, case.judgments)
    moved = {f"r{number}": runs[number] for number in order}
    again = {**moved, "copy": runs[0], "copy2": runs[1]}
    assert joint(moved, case.judgments) == pytest.approx(value, abs=1e-12, nan_ok=True)
    assert joint(again, case.judgments) == pytest.approx(value, abs=1e-12, nan_ok=True)
    assert joint(again, case.judgments, pair_weight="geometric") == pytest.approx(
        joint(moved, case.judgments, pair_weight="geometric"), abs=1e-12, nan_ok=True
    )


@examples(15)
@given(drawn(systems=1))
def test_the_table_for_many_systems_is_the_table_for_few(case: Drawn) -> None:
    """Beyond ten systems outcomes are sorted, beyond forty they are longer than a word."""
    run = case.runs["s0"]
    reverse = {topic: {d: -s for d, s in found.items()} for topic, found in run.items()}
    expected = joint({"a": run, "b": reverse}, case.judgments)
    for size in (6, 8, 24):
        many = {f"{number}{name}": each for number in range(size) for name, each in (("a", run), ("b", reverse))}
        found = cranfield.information.compute_joint_ric(many, case.judgments, permutations=0, estimator="table")  # type: ignore[arg-type]
        assert found.value == pytest.approx(expected, abs=1e-12, nan_ok=True)
        if not math.isnan(expected):
            assert found.systems["contribution"].to_numpy() == pytest.approx(np.zeros(2 * size), abs=1e-12)


@examples(40)
@given(drawn(systems=4))
def test_differences(case: Drawn) -> None:
    found = cranfield.information.compute_information_difference(
        {**case.runs, "again": case.runs["s0"]}, case.judgments
    )
    table = found.difference.values
    if np.isnan(table).any():
        return
    assert (table == table.T).all()
    assert (np.diag(table) == 0).all()
    assert found.between("s0", "again").difference == pytest.approx(0, abs=1e-12)
    assert (table >= -1e-12).all()
    assert (table <= 2).all()
    ric = found.ric.values
    assert (table >= np.abs(ric[:, None] - ric) - 1e-9).all()
    assert found.shared.values == pytest.approx(found.shared.values.T, abs=1e-12)
    listed = found.pairs()
    assert len(listed) == 10
    assert (np.diff(listed["difference"]) >= 0).all()


@examples(40)
@given(case=drawn(systems=1), tail=st.lists(st.sampled_from("uvw"), unique=True, max_size=3))
def test_unjudged_documents_and_the_tail_do_not_matter(case: Drawn, tail: list[str]) -> None:
    before = joint(case.runs, case.judgments)
    longer = {
        topic: {**found, **{document: -1.0 - at for at, document in enumerate(tail)}, "first": 99.0}
        for topic, found in case.runs["s0"].items()
    }
    assert joint({"s": longer}, case.judgments) == pytest.approx(before, abs=1e-12, nan_ok=True)


# ---- topics without an answer


def test_topics_without_pairs_are_left_out() -> None:
    qrels = {"1": QRELS["1"], "2": {"a": 1, "b": 1}, "3": {"a": 0, "b": -1}}
    run = {**S2, "2": {"a": 1}, "3": {"a": 2, "b": 1}}
    found = cranfield.information.compute_ric({"S": run}, qrels)["RIC"].values.ravel()
    assert found[0] == pytest.approx(0.75)
    assert math.isnan(found[1])
    assert found[2] == 0  # nothing relevant: the list ends before it begins, and all pairs are open
    assert joint({"S": run}, qrels) == pytest.approx(0.375)
    with pytest.warns(CranfieldWarning, match="RIC has no value in topic 2, left out of its mean"):
        scores = cranfield.evaluate({"S": run}, qrels, "RIC")
    assert cranfield.summarize(scores)["RIC"].item() == pytest.approx(0.375)


def test_a_careful_reader_is_told_what_evaluate_tells() -> None:
    qrels = {"1": QRELS["1"], "2": {"a": 1, "b": 1}}
    for ask in (cranfield.information.prepare_experiment, lambda *given: cranfield.evaluate(*given, "RIC")):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            ask({"S": S2}, qrels)
        assert {str(warning.message) for warning in told} == {
            "qrels: RIC has no value in topic 2, left out of its mean",
            "run 'S': judged topic 2 missing from the run, counted as an empty ranking",
        }


def test_systems_may_be_called_by_their_tags(tmp_path: Path) -> None:
    (tmp_path / "file.run").write_text("1 Q0 a 1 1 mine\n")
    asked = cranfield.information.prepare_experiment(tmp_path / "file.run", QRELS, names="tag")
    assert asked.systems == ("mine",)
    assert asked.signature["runs"][0]["tag"] == "mine"


def test_missing_topics() -> None:
    qrels = {"1": QRELS["1"], "2": {"a": 1, "b": 0}}
    runs = {"both": {**S2, "2": {"a": 1}}, "one": S2}
    skip = InputOptions(missing="skip")
    assert joint(runs, qrels) == pytest.approx((0.75 + 1) / 2)
    assert joint(runs, qrels, reading=skip) == pytest.approx(0.75)
    found = cranfield.information.compute_ric(runs, qrels, reading=skip).sel(system="one")
    assert math.isnan(found["RIC"].sel(topic="2").item())
    assert cranfield.information.compute_information_difference(runs, qrels).between(
        "both", "one"
    ).difference == pytest.approx(0.5)
    assert (
        cranfield.information.compute_information_difference(runs, qrels, reading=skip)
        .between("both", "one")
        .difference
        == 0
    )
    with pytest.raises(InputError, match="missing"):
        joint(runs, qrels, missing="error")


def test_negative_labels_are_labels_but_for_trec_eval() -> None:
    qrels = {"1": {"a": 1, "b": 0, "c": -2}}
    run = {"S": {"1": {"a": 2, "c": 1}}}
    scores = cranfield.information.compute_ric(run, qrels)
    assert scores["C"].item() == 2
    assert scores["Z"].item() == 1
    hidden = cranfield.information.compute_ric(run, qrels, compat="trec_eval")
    assert (hidden["C"].item(), hidden["Z"].item()) == (1, 0)


# ---- weights


def test_a_weight_by_any_function() -> None:
    def top(better: np.ndarray, worse: np.ndarray) -> np.ndarray:
        return (np.minimum(better, worse) <= 2) * 1.0

    # places c1 a2 b3: of the pairs with a place up to 2, a>b a>d a>e are in order, c<a c<b c<e are not
    scores = cranfield.information.compute_ric({"S1": S1}, QRELS, pair_weight=top)
    assert (scores["C"].item(), scores["D"].item(), scores["Z"].item()) == (3, 3, 0)
    assert scores["RIC"].item() == pytest.approx(0, abs=1e-15)
    calls: list[tuple[float, ...]] = []

    def seen(better: np.ndarray, worse: np.ndarray) -> np.ndarray:
        calls.append((better.min(), better.max(), worse.min(), worse.max()))
        return np.ones(len(better))

    assert joint({"S1": S1, "S2": S2}, QRELS, pair_weight=seen) == pytest.approx(0.75)
    assert calls[0] == (2, math.inf, 1, math.inf)


def test_a_weight_of_several_systems_is_that_of_the_one_that_looks_most() -> None:
    by_function = joint(
        {"S1": S1, "S2": S2},
        QRELS,
        pair_weight=lambda better, worse: np.where(
            np.isinf(np.minimum(better, worse)), 0.0, 0.5 ** (np.minimum(better, worse) - 1)
        ),
    )
    # numpy warns of 0.5 ** (inf - 1) nowhere: it is 0
    assert joint({"S1": S1, "S2": S2}, QRELS, pair_weight="geometric", p=0.5) == pytest.approx(by_function, abs=1e-12)


@pytest.mark.parametrize(
    "weight",
    [
        lambda better, worse: 1.0,
        lambda better, worse: -np.ones(len(better)),
        lambda better, worse: better,
        lambda better, worse: np.ones((len(better), 2)),
    ],
)
def test_weights_that_are_none(weight: object) -> None:
    with pytest.raises(UsageError, match="pair_weight should give one finite number of at least 0 for each pair"):
        joint({"S1": S1}, QRELS, pair_weight=weight)


def test_a_weight_of_nothing_tells_nothing() -> None:
    for runs in ({"S1": S1}, {"S1": S1, "S2": S2}):
        assert joint(runs, QRELS, pair_weight=lambda better, worse: np.zeros(len(better))) == 0
    found = cranfield.information.compute_information_difference(
        {"S1": S1, "S2": S2}, QRELS, pair_weight=lambda better, worse: np.zeros(len(better))
    )
    assert found.difference.values.tolist() == [[0, 0], [0, 0]]


# ---- experiments


def test_an_experiment_is_read_once() -> None:
    asked = cranfield.information.prepare_experiment({"S1": S1, "S2": S2}, QRELS)
    assert isinstance(asked, Experiment)
    assert repr(asked) == "Experiment(2 systems x 1 topics, 8 pairs)"
    assert cranfield.information.compute_joint_ric(
        asked, systems=["S2"], permutations=0, estimator="table"
    ).value == pytest.approx(0.75)
    assert cranfield.information.compute_information_difference(asked, systems=["S2", "S1"]).ric[
        "system"
    ].values.tolist() == [
        "S2",
        "S1",
    ]
    signature = cranfield.information.compute_joint_ric(
        asked, systems=["S2"], permutations=0, estimator="table"
    ).signature
    assert [run["name"] for run in signature["runs"]] == ["S2"]
    assert signature["pair_weight"] == "uniform"


def test_rankings_can_be_asked_too() -> None:
    rankings = cranfield.evaluation.make_rankings({"S1": S1, "S2": S2}, QRELS)
    assert joint(rankings, QRELS) == pytest.approx(0.75)
    with pytest.raises(UsageError, match="were not judged by"):
        joint(rankings, {"1": {"a": 1, "b": 0}})
    with pytest.raises(UsageError, match="policy of their own"):
        joint(rankings, QRELS, ties="trec")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rel": "1"}, "rel='1' should be a number"),
        ({"rel": math.nan}, "rel=nan should be a number"),
        ({"cutoff": 0}, "cutoff=0 should be at least 1"),
        ({"pair_weight": "linear"}, "pair_weight='linear' is not one of uniform, geometric"),
        ({"p": 1}, "p=1 should lie between 0 and 1"),
        ({"relevance": 1}, "there is no option 'relevance'; there are input_format, columns, names"),
        ({"input_format": "xls"}, "input_format='xls'"),
        ({"systems": ["S9"]}, "there is no system 'S9'; there are S1"),
        ({"systems": []}, r"systems=\[\] should be a list of different names"),
        ({"systems": ["S1", "S1"]}, "should be a list of different names"),
        ({"estimator": "best"}, "estimator='best' is not one of logistic, table"),
        ({"permutations": -1}, "permutations=-1"),
        ({"seed": 0.5}, "seed=0.5"),
    ],
)
def test_refusals(options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        cranfield.information.compute_joint_ric({"S1": S1}, QRELS, **options)  # type: ignore[arg-type]


def test_an_experiment_takes_nothing_more() -> None:
    asked = cranfield.information.prepare_experiment({"S1": S1}, QRELS)
    with pytest.raises(UsageError, match="an Experiment has its own judgments"):
        cranfield.information.compute_joint_ric(asked, QRELS)
    with pytest.raises(UsageError, match="judgments are missing"):
        cranfield.information.compute_joint_ric({"S1": S1})


# ---- samples of pairs


SYSTEMS, DOCUMENTS = 12, 60


def random_pairs(known: int, seed: int) -> tuple[Pairs, SmallInts]:
    """Lists that hold some of the first documents, with labels 0, 1 and 2 throughout."""
    rng = np.random.default_rng(seed)
    places = np.full((SYSTEMS, DOCUMENTS), np.iinfo(np.int16).max, dtype=np.int16)
    for place in places:
        listed = rng.permutation(known)[: rng.integers(0, known + 1)]
        place[listed] = np.arange(len(listed))
    return Pairs.from_labels(rng.integers(0, 3, DOCUMENTS).astype(np.float64)), places


def one_by_one(pairs: Pairs, places: SmallInts, weight: NDArray[np.float64] | None) -> dict[tuple[int, ...], float]:
    """What the systems say of each pair, and how much such pairs count."""
    assert pairs.order is not None
    better, worse = (np.concatenate([side.ravel() for side in sides]) for sides in zip(*_sides(pairs), strict=True))
    counted: dict[tuple[int, ...], float] = defaultdict(float)
    for number, (one, other) in enumerate(zip(better, worse, strict=True)):
        said = tuple(int(np.sign(int(place[other]) - int(place[one]))) for place in places)
        counted[said] += 1.0 if weight is None else weight[number]
    return counted


def _sides(pairs: Pairs) -> list[tuple[np.ndarray, np.ndarray]]:
    sides = pairs.sides(np.arange(DOCUMENTS))
    return [tuple(np.broadcast_arrays(*side)) for side in sides]  # type: ignore[misc]


@pytest.mark.parametrize("known", [0, 1, 7, DOCUMENTS - 1, DOCUMENTS])
@pytest.mark.parametrize("weighted", [False, True])
def test_no_pair_is_lost_and_none_is_counted_twice(known: int, weighted: bool) -> None:
    pairs, places = random_pairs(known, known)
    weight = np.random.default_rng(1).integers(1, 9, pairs.size) / 8 if weighted else None
    cells = sampled(pairs, places, weight, pairs.size)
    found: dict[tuple[int, ...], float] = defaultdict(float)
    for said, counted in zip(cells.outcome.tolist(), cells.toward.tolist(), strict=True):
        found[tuple(said)] += counted
    assert found == one_by_one(pairs, places, weight)
    assert not cells.against.any()
    assert cells.silent == found[(0,) * SYSTEMS]


def test_pairs_that_differ_in_a_document_nobody_has_are_one() -> None:
    pairs, places = random_pairs(7, 2)
    cells = sampled(pairs, places, None, pairs.size)
    # Pairs of two of the seven, one of them with any other in either role, and two others.
    assert len(cells.toward) <= 7 * 6 // 2 + 7 * 2 + 1 < pairs.size
    assert (~cells.spoken).sum() <= 1


@pytest.mark.parametrize("seed", range(3))
def test_they_tell_what_all_pairs_tell_one_by_one(seed: int) -> None:
    pairs, places = random_pairs(25, seed)
    cells = sampled(pairs, places, None, pairs.size)
    said = one_by_one(pairs, places, None)
    each = np.repeat(np.array(list(said), dtype=np.int8), [int(count) for count in said.values()], axis=0)
    nothing, ones = np.zeros(len(each), dtype=np.int64), np.ones(len(each))
    alone = OutcomeCells(
        each.any(axis=1), nothing, ones, np.zeros(len(each)), SYSTEMS, lambda: each, lambda: pack_signs(each)
    )
    assert alone.total == cells.total == pairs.size
    assert cells.information("logistic") == pytest.approx(alone.information("logistic"), abs=1e-4)
    assert cells.information("table") <= 1.0


def test_a_sample_is_of_as_many_pairs_as_are_asked_for(each_engine: Engine) -> None:
    pairs, places = random_pairs(20, 5)
    cells, every = sampled(pairs, places, None, 300), one_by_one(pairs, places, None)
    assert cells.toward.sum() == 300 < pairs.size
    assert cells.codes.tolist() == pack_signs(cells.outcome).tolist()
    found: dict[tuple[int, ...], float] = defaultdict(float)
    for said, counted in zip(cells.outcome.tolist(), cells.toward.tolist(), strict=True):
        found[tuple(said)] += counted
    assert all(counted <= every[said] for said, counted in found.items())
