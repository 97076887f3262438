"""The estimates that came before the ease ratio, each by hand."""

from __future__ import annotations

from math import log2
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield
from cranfield import InputError, Run, UsageError
from cranfield.collection import Policy
from cranfield.topic_difficulty import estimate_difficulty_otherwise
from cranfield.topic_difficulty.earlier_estimates import COLUMNS, extremes, halves, largest_deviation, quarters, thirds
from cranfield.topic_difficulty.list_divergence import jensen_shannon, top_lists, weights

NAN = np.nan


def array(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float64)


def test_eguchi_and_carterette_three_classes_of_equal_size() -> None:
    assert thirds(array(0.1, 0.9, 0.5, 0.2, 0.8, 0.4)) == ["hard", "easy", "medium", "hard", "easy", "medium"]
    # the easier classes are larger where sizes cannot be equal, and equal values go in the order of the topics
    assert thirds(array(0.5, 0.5, 0.5, 0.5)) == ["easy", "easy", "medium", "hard"]
    assert thirds(array(0.1, 0.9)) == ["medium", "easy"]
    assert thirds(array(NAN, 0.1, 0.2, 0.3)) == ["", "hard", "medium", "easy"]


def test_damessie_two_of_each_end() -> None:
    assert extremes(array(0.1, 0.9, 0.5, 0.2, 0.8)) == ["hard", "easy", "", "hard", "easy"]
    assert extremes(array(0.1, 0.9, 0.5)) == ["", "", ""], "three topics have no two of each end"
    assert extremes(array(0.1, NAN, 0.9, 0.5, 0.2)) == ["hard", "", "easy", "easy", "hard"]


def test_grivolla_above_the_median_or_not() -> None:
    assert halves(array(0.1, 0.9, 0.5, NAN)) == ["hard", "easy", "hard", ""]
    assert halves(array(0.1, 0.2, 0.3, 0.4)) == ["hard", "hard", "easy", "easy"]
    assert halves(array(NAN, NAN)) == ["", ""]


def test_vercoustre_mean_and_standard_deviation() -> None:
    # mean 0.5, standard deviation 0.25: a value on a cut belongs to the harder class
    assert quarters(array(0.25, 0.75, 0.25, 0.75)) == ["hard", "moderately easy", "hard", "moderately easy"]
    # mean 0.5, standard deviation sqrt(0.02) = 0.1414: cuts at 0.359, 0.5, 0.641
    assert quarters(array(0.3, 0.4, 0.5, 0.6, 0.7)) == [
        *("hard", "moderately hard", "moderately hard", "moderately easy", "easy")
    ]
    assert quarters(array(NAN, 1.0)) == ["", "hard"]


# ---- from the lists


def test_weights_of_ranks() -> None:
    whole = 1 + 1 / log2(3) + 1 / 2
    assert weights(3).tolist() == pytest.approx([1 / whole, 1 / log2(3) / whole, 1 / 2 / whole])


def test_divergence_by_hand() -> None:
    assert jensen_shannon([{b"a": 1.0}, {b"b": 1.0}]) == 1
    assert jensen_shannon([{b"a": 1.0}] * 3) == 0
    assert jensen_shannon([{b"a": 0.5, b"b": 0.5}, {b"a": 0.5, b"c": 0.5}]) == pytest.approx(0.5)
    assert jensen_shannon([{name: 1.0} for name in (b"a", b"b", b"c", b"d")]) == 2
    assert np.isnan(jensen_shannon([]))
    assert np.isnan(jensen_shannon([{b"a": 1.0}]))


@given(st.lists(st.lists(st.sampled_from([b"a", b"b", b"c", b"d"]), min_size=1, unique=True), min_size=2, max_size=5))
def test_divergence_is_bounded_and_symmetric(lists: list[list[bytes]]) -> None:
    distributions = [dict(zip(found, weights(len(found)).tolist(), strict=True)) for found in lists]
    found = jensen_shannon(distributions)
    assert 0 <= found <= log2(len(lists)) + 1e-12
    assert found == pytest.approx(jensen_shannon(distributions[::-1]))
    # the mean Kullback-Leibler divergence from the mean distribution
    mean = {name: np.mean([each.get(name, 0) for each in distributions]) for name in (b"a", b"b", b"c", b"d")}
    terms = [[p * log2(p / mean[name]) for name, p in each.items()] for each in distributions]
    assert found == pytest.approx(float(np.mean([sum(each) for each in terms])), abs=1e-12)


QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 1}, "3": {"a": 1}, "4": {"z": 1}}
RUNS = {
    "one": {"1": {"a": 4.0, "b": 2.0}, "2": {"x": 3.0, "a": 1.0}, "3": {"a": 1.0}, "4": {"u": 2.0, "v": 2.0}},
    "two": {"1": {"b": 5.0, "a": 1.0}, "2": {"a": 2.0}, "3": {"a": 1.0, "y": 1.0}, "4": {"w": 1.0}},
}


def test_all_of_them_by_hand() -> None:
    found = estimate_difficulty_otherwise(RUNS, QRELS, cutoff=2)
    table = found.values
    assert tuple(table.columns) == COLUMNS
    assert table.index.tolist() == ["1", "2", "3", "4"]
    # AP: 1 and 1/2, 1/2 and 1, 1 and 1/2 (y stands first: equal scores, larger id), 0 and 0
    assert table["aap"].tolist() == table["median_ap"].tolist() == [0.75, 0.75, 0.75, 0]
    assert table["eguchi"].tolist() == table["carterette"].tolist() == ["easy", "easy", "medium", "hard"]
    assert table["damessie"].tolist() == ["easy", "easy", "hard", "hard"]
    assert table["grivolla"].tolist() == ["hard"] * 4, "none is above the median"
    assert table["vercoustre"].tolist() == ["moderately easy"] * 3 + ["hard"]
    # scores 4 2 and 5 1; 3 1 and 2; 1 and 1 1; 2 2 and 1
    assert table["shtok"].tolist() == pytest.approx([1.5, 0.5, 0, 0])
    assert table["perez_iglesias"].tolist() == pytest.approx([1.5, 0.5, 0, 0]), "no list is longer than the cutoff"
    first, second = weights(2).tolist()
    swapped = 1 - (-first * log2(first) - second * log2(second))
    assert table["aslam_pavlu"].tolist()[0] == pytest.approx(swapped)
    assert table["aslam_pavlu"].tolist()[3] == pytest.approx(1)
    assert found.settings == {"cutoff": 2, "rel": 1}
    assert found.signature["settings"] == found.settings


def test_only_the_first_ranks_count() -> None:
    table = estimate_difficulty_otherwise(RUNS, QRELS, cutoff=1).values
    assert table["shtok"].tolist() == [0] * 4
    assert table["perez_iglesias"].tolist() == pytest.approx([1.5, 0.5, 0, 0]), "which needs no cutoff"
    assert table["aslam_pavlu"].tolist() == [1] * 4


def test_perez_iglesias_the_largest_deviation_at_any_cutoff() -> None:
    # of the first 1, 2, 3, 4 scores: 0, 2, sqrt(14/3) = 2.16, and 2.05 with the flat end
    assert largest_deviation(array(9, 5, 4, 4)) == pytest.approx((14 / 3) ** 0.5)
    assert largest_deviation(array(3)) == 0
    assert largest_deviation(array(*[0.1] * 50)) == 0, "equal scores are not spread, whatever their last digits"


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=12))
def test_the_largest_deviation_by_trying_every_cutoff(scores: list[float]) -> None:
    every = [float(np.std(scores[:n])) for n in range(1, len(scores) + 1)]
    assert largest_deviation(array(*scores)) == pytest.approx(max(every), rel=1e-7, abs=1e-2)


def test_a_run_without_the_topic_has_no_scores_and_no_documents() -> None:
    runs = {"one": {"1": {"a": 4.0, "b": 2.0}}, "two": {"1": {"b": 5.0}, "2": {"a": 9.0, "b": 1.0}}}
    labels = {"1": {"a": 1}, "2": {"a": 1}, "3": {"a": 1}}
    with pytest.warns(cranfield.CranfieldWarning, match="missing from the run"):
        table = estimate_difficulty_otherwise(runs, labels).values
        skipped = estimate_difficulty_otherwise(runs, labels, missing="skip").values
    assert table["aap"].tolist() == [0.5, 0.5, 0]
    assert skipped["aap"].tolist() == pytest.approx([0.5, 1, NAN], nan_ok=True)
    assert skipped["carterette"].tolist() == ["medium", "easy", ""]
    assert table["shtok"].tolist() == pytest.approx([0.5, 4, NAN], nan_ok=True)
    assert table["aslam_pavlu"].isna().tolist() == [False, True, True]


@pytest.mark.parametrize("ties", ["trec", "trec9", "docid", "file"])
def test_lists_are_in_the_order_of_the_tie_policy(ties: str) -> None:
    run = Run.from_dict({"q": {"b": 1.0, "c": 1.00000001, "a": 1.0, "d": 0.5}})
    top = top_lists(run, 3, Policy(ties=ties))["q"]  # type: ignore[arg-type]
    documents, scores = top.documents, top.scores
    expected = {"trec": b"cba", "trec9": b"cba", "docid": b"cab", "file": b"bca"}[ties]
    assert b"".join(documents) == expected
    assert scores.tolist() == [run.to_dict()["q"][document.decode()] for document in documents]


def test_a_document_that_stands_twice_has_its_largest_score() -> None:
    import pandas as pd

    frame = pd.DataFrame({"qid": ["q"] * 4, "docno": list("abac"), "score": [1.0, 2.0, 3.0, 0.5]})
    run = Run.from_frame(frame)
    top = top_lists(run, 2, Policy(on_duplicate="first"))["q"]
    assert (top.documents, top.scores.tolist()) == ([b"a", b"b"], [3.0, 2.0])
    assert top.all_scores.tolist() == [3.0, 2.0, 0.5], "the whole list, beyond the first ranks"


def test_files_and_objects_agree(tmp_path: Path) -> None:
    made = cranfield.simulation.simulate_runs(n_systems=3, n_topics=4, depth=40, seed=5)
    qrels, _, paths = made.write_collection(tmp_path)
    from_files = estimate_difficulty_otherwise([str(path) for path in paths], qrels, 5, rel=2)
    assert from_files.values.equals(estimate_difficulty_otherwise(made.runs, made.qrels, 5, rel=2).values)
    ap = cranfield.evaluate(made.runs, made.qrels, "AP(rel=2)")["AP(rel=2)"]
    assert from_files.values["aap"].to_numpy() == pytest.approx(ap.mean("system").to_numpy())
    assert from_files.values["median_ap"].to_numpy() == pytest.approx(ap.median("system").to_numpy())


@pytest.mark.parametrize("cutoff", [0, 1.5, True])
def test_a_cutoff_that_is_none(cutoff: object) -> None:
    with pytest.raises(UsageError, match=r"should be (a whole number of )?at least 1"):
        estimate_difficulty_otherwise(RUNS, QRELS, cutoff)  # type: ignore[arg-type]


def test_a_run_that_cannot_be_read() -> None:
    with pytest.raises(InputError, match="nowhere"):
        estimate_difficulty_otherwise("nowhere.run", QRELS)
