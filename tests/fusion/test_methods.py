"""Methods of fusion: each against a second hand in plain Python, by hand, and against ranx's values."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import cranfield
from cranfield import InputError, InputOptions, UsageError
from cranfield.cli import app
from cranfield.errors import TopicError
from cranfield.fusion import fuse
from effort import examples

Run = dict[str, float]

# ---- a second hand


def ranks(run: Run) -> dict[str, int]:
    return {d: rank for rank, d in enumerate(sorted(run, key=lambda d: (run[d], d), reverse=True), 1)}


def min_max(run: Run) -> Run:
    low, high = min(run.values()), max(run.values())
    return {d: (s - low) / (high - low) if high > low else 1.0 for d, s in run.items()}


def z(run: Run) -> Run:
    mean = math.fsum(run.values()) / len(run)
    spread = math.sqrt(math.fsum((s - mean) ** 2 for s in run.values()) / len(run))
    return {d: (s - mean) / spread if len(set(run.values())) > 1 else 0.0 for d, s in run.items()}


def by_rank(run: Run) -> Run:
    return {d: 1 - (rank - 1) / len(run) for d, rank in ranks(run).items()}


def by_sum(run: Run) -> Run:
    low = min(run.values())
    total = math.fsum(s - low for s in run.values())
    return {d: (s - low) / total if total else 1 / len(run) for d, s in run.items()}


NORMALIZED = {"min-max": min_max, "z": z, "rank": by_rank, "sum": by_sum, "none": dict}


def median(values: Sequence[float]) -> float:
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


OF_SCORES: dict[str, Callable[[list[float]], float]] = {
    "combsum": math.fsum,
    "combmnz": lambda scores: math.fsum(scores) * len(scores),
    "combanz": lambda scores: math.fsum(scores) / len(scores),
    "combmax": max,
    "combmin": min,
    "combmed": median,
}


SECOND_HAND = sorted([*OF_SCORES, "linear", "rrf", "isr", "rbc", "borda"])
METHODS = sorted([*SECOND_HAND, "condorcet"])


def second_hand(runs: list[Run], method: str, normalization: str, **parameters: object) -> Run:
    """The fused scores of one topic."""
    documents = sorted({d for run in runs for d in run})
    scored = [NORMALIZED[normalization](run) if run else {} for run in runs]
    ranked = [ranks(run) for run in runs]
    found = {}
    for d in documents:
        here = [rank[d] for rank in ranked if d in rank]
        if method in OF_SCORES:
            found[d] = OF_SCORES[method]([scores[d] for scores in scored if d in scores])
        elif method == "linear":
            weights = parameters["weights"]
            found[d] = math.fsum(w * scores.get(d, 0.0) for w, scores in zip(weights, scored, strict=True))  # type: ignore[call-overload]
        elif method == "rrf":
            found[d] = math.fsum(1 / (parameters.get("k", 60) + rank) for rank in here)  # type: ignore[operator]
        elif method == "isr":
            found[d] = math.fsum(1 / rank**2 for rank in here) * len(here)
        elif method == "rbc":
            p: float = parameters.get("p", 0.8)  # type: ignore[assignment]
            found[d] = math.fsum((1 - p) * p ** (rank - 1) for rank in here)
        elif method == "borda":
            n = len(documents)
            found[d] = math.fsum(n + 1 - rank[d] if d in rank else (n - len(rank) + 1) / 2 for rank in ranked)
    return found


RUNS = st.lists(
    st.dictionaries(
        st.sampled_from("abcdefg"), st.sampled_from([0.0, 1.0, 2.5, -3.0, 7.0, 1e-3]), min_size=1, max_size=7
    ),
    min_size=1,
    max_size=4,
)


@pytest.mark.slow
@pytest.mark.parametrize("method", SECOND_HAND)
@examples(40)
@given(data=st.data(), runs=RUNS, normalization=st.sampled_from(sorted(NORMALIZED)))
def test_scores_are_those_of_the_second_hand(
    method: str, data: st.DataObject, runs: list[Run], normalization: str
) -> None:
    parameters: dict[str, object] = {}
    if method == "linear":
        numbers = st.sampled_from([0.0, 0.3, 1.0, -2.0])
        parameters["weights"] = data.draw(st.lists(numbers, min_size=len(runs), max_size=len(runs)))
    if method == "rrf":
        parameters["k"] = data.draw(st.sampled_from([0, 10, 60]))
    if method == "rbc":
        parameters["p"] = data.draw(st.sampled_from([0.5, 0.95]))
    uses_scores = method in OF_SCORES or method == "linear"
    found = fuse(
        [{"q": run} for run in runs], method, normalization=normalization if uses_scores else None, **parameters
    ).to_dict()["q"]
    expected = second_hand(runs, method, normalization, **parameters)
    assert found.keys() == expected.keys()
    for document, value in expected.items():
        assert found[document] == pytest.approx(value, rel=1e-12, abs=1e-12)


def test_every_method_and_normalization_is_tested() -> None:
    run, every = [{"q": {"a": 1.0}}], ", ".join([*(name for name in METHODS if name != "linear"), "linear"])
    with pytest.raises(UsageError, match=f"^method='best' is not one of {every}$"):
        fuse(run, "best")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=f"^normalization='best' is not one of {', '.join(NORMALIZED)}$"):
        fuse(run, "combsum", normalization="best")  # type: ignore[arg-type]
    shown = CliRunner().invoke(app, ["fuse", "--help"], catch_exceptions=False).stdout
    assert f"Fusion method: {every.replace(', linear', ' or linear')}." in " ".join(shown.split())


@pytest.mark.slow
@pytest.mark.parametrize("method", [name for name in METHODS if name != "linear"])
@examples(25)
@given(runs=RUNS, data=st.data())
def test_the_order_of_the_runs_changes_nothing_to_the_last_bit(
    method: str, runs: list[Run], data: st.DataObject
) -> None:
    moved = data.draw(st.permutations(runs))
    one, other = (fuse([{"q": run} for run in order], method).to_dict() for order in (runs, moved))
    assert one == other


@pytest.mark.parametrize("method", [name for name in METHODS if name != "linear"])
@examples(25)
@given(scores=st.lists(st.integers(-9, 9), unique=True, min_size=1, max_size=7))
def test_one_run_keeps_its_order(method: str, scores: list[int]) -> None:
    run = dict(zip("abcdefg", map(float, scores), strict=False))
    found = fuse({"only": {"q": run}}, method).to_dict()["q"]
    assert list(found) == sorted(run, key=run.__getitem__, reverse=True)


def test_where_all_retrieve_all_three_methods_agree() -> None:
    runs = [{"q": {"a": 3.0, "b": 1.0, "c": 2.0}}, {"q": {"a": 1.0, "b": 2.0, "c": 5.0}}]
    orders = {tuple(fuse(runs, method).to_dict()["q"]) for method in ("combsum", "combmnz", "combanz")}
    assert orders == {("c", "a", "b")}


# ---- a peer


FROZEN = Path(__file__).parent / "ranx.json"


def test_ranx_gives_the_same_on_untied_input() -> None:
    """Values of ranx 0.3.21, written by benchmarks/peers/peer_ranx_fusion.py."""
    frozen = json.loads(FROZEN.read_text())
    runs = list(frozen["runs"].values())
    compared = 0
    for case in frozen["cases"]:
        topics = case["fused"].keys()
        here = [{topic: run[topic] for topic in run if topic in topics} for run in runs]
        found = fuse(here, case["method"], normalization=case["normalization"], **case["parameters"]).to_dict()
        assert found.keys() == topics
        for topic, scores in case["fused"].items():
            if case["method"] == "condorcet":
                assert sorted(found[topic], key=found[topic].__getitem__) == sorted(scores, key=scores.__getitem__)
            else:
                assert found[topic] == pytest.approx(scores, rel=1e-9, abs=1e-12)
            compared += len(scores)
    assert {case["method"] for case in frozen["cases"]} == set(METHODS)
    assert compared == 2525


# ---- ties, missing topics, what is written


def test_runs_are_ordered_by_the_policy() -> None:
    tied, other = {"q": {"a": 1.0, "b": 1.0}}, {"q": {"x": 1.0}}
    for ties, first in (("trec", "b"), ("docid", "a"), ("file", "a")):
        found = fuse([tied, other], "rrf", k=0, ties=ties).to_dict()["q"]  # type: ignore[arg-type]
        assert found[first] == 1.0
        assert found["x"] == 1.0


def test_fused_ties_are_ordered_by_the_policy_where_they_are_cut() -> None:
    runs = [{"q": {"a": 1.0}}, {"q": {"b": 1.0}}, {"q": {"c": 1.0}}]
    assert list(fuse(runs, depth=2).to_dict()["q"]) == ["c", "b"]
    assert list(fuse(runs, depth=2, ties="docid").to_dict()["q"]) == ["a", "b"]
    assert list(fuse(runs, depth=5).to_dict()["q"]) == ["c", "b", "a"]


@examples(60)
@given(
    st.dictionaries(
        st.text("abcdé", min_size=1, max_size=3),
        st.sampled_from([0.0, -0.0, 1.0, 1.0 + 1e-12, -3.0, 1e300, 2e300, 5e-324]),
        min_size=1,
        max_size=9,
    ),
    st.sampled_from(["trec", "trec9", "docid"]),
)
def test_a_fused_run_is_in_the_order_in_which_it_is_read(row: dict[str, float], ties: Any) -> None:
    reading = InputOptions(ties=ties)
    fused = fuse([{"q": row}], "combsum", normalization="none", reading=reading)
    seen = cranfield.evaluation.make_rankings(fused, {"q": dict.fromkeys(row, 1)}, reading=reading)
    ids = sorted(row, key=str.encode)
    assert list(fused.to_dict()["q"]) == [ids[place] for place in seen.document]


def test_topics_that_a_run_lacks() -> None:
    one, other = {"1": {"a": 2.0, "b": 1.0}}, {"2": {"c": 1.0}, "1": {"b": 1.0}}
    found = fuse([one, other], "combsum").to_dict()
    assert found == {"1": {"b": 1.0, "a": 1.0}, "2": {"c": 1.0}}
    assert list(found) == ["1", "2"]
    # of 2 documents a has 2 points from one, and half of what the other leaves: 1.5 - and b 1 + 2
    assert fuse([{"1": {"a": 2.0, "b": 1.0}}, {"1": {"b": 9.0}}], "borda").to_dict() == {"1": {"b": 3.0, "a": 3.0}}
    with pytest.raises(TopicError, match="2"):
        fuse([one, other], missing="error")


def test_a_fused_run_is_written_and_read_again(tmp_path: Path) -> None:
    runs = [{"2": {"a": 9.0, "b": 1.0}, "1": {"x": 1.0}}, {"1": {"x": 3.0, "y": 2.0}}]
    fused = fuse(runs, "rrf", name="both")
    assert (fused.name, fused.tag) == ("both", "both")
    path = tmp_path / "both.run"
    cranfield.write(fused, path)
    assert cranfield.read_run(path).to_dict() == fused.to_dict()
    assert path.read_text().splitlines()[0] == "2 Q0 a 1 0.01639344262295082 both"


def test_duplicates_count_once_with_their_better_score() -> None:
    import pandas as pd

    frame = pd.DataFrame({"qid": ["q"] * 3, "docno": ["a", "b", "a"], "score": [1.0, 2.0, 3.0]})
    assert fuse([frame], "combsum", normalization="none", on_duplicate="first").to_dict() == {"q": {"a": 3.0, "b": 2.0}}
    with pytest.raises(InputError, match="occurs twice"):
        fuse([frame])


def test_constant_scores() -> None:
    runs = [{"q": {"a": 5.0, "b": 5.0}}, {"q": {"c": -1.0}}]
    for normalization, value in (("min-max", 1.0), ("z", 0.0), ("sum", 0.5), ("none", 5.0)):
        found = fuse(runs, "combsum", normalization=normalization).to_dict()["q"]
        assert found["a"] == found["b"] == value
    assert fuse(runs, "combsum", normalization="sum").to_dict()["q"]["c"] == 1.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "sum"}, "method='sum' is not one of borda, combanz"),
        ({"method": "rrf", "normalization": "z"}, "rrf looks at ranks alone"),
        ({"method": "combsum", "normalization": "minmax"}, "normalization='minmax' is not one of min-max"),
        ({"method": "combsum", "k": 60}, "combsum has no parameter k=; it takes no parameters"),
        ({"method": "rrf", "p": 0.5}, "rrf has no parameter p=; it takes k, weights"),
        ({"method": "rrf", "k": -1}, "k=-1 should be a number above -1"),
        ({"method": "rbc", "p": 1}, "p=1 should lie between 0 and 1"),
        ({"method": "linear"}, "linear needs weights"),
        ({"method": "linear", "weights": [1]}, "should be one finite number for each of 2 runs"),
        ({"method": "linear", "weights": [1, math.nan]}, "weights=nan should be a number"),
        ({"method": "condorcet", "cycles": "no"}, "cycles='no' is not one of sort, components"),
        ({"depth": 0}, "depth=0 should be at least 1"),
    ],
)
def test_refusals(options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        fuse([{"q": {"a": 1.0}}, {"q": {"b": 1.0}}], **options)  # type: ignore[arg-type]


def test_scores_too_far_apart() -> None:
    run = {"q": {"a": 1.7e308, "b": -1.7e308}}
    with pytest.raises(UsageError, match="lie too far apart for normalization='min-max': use 'rank'"):
        fuse([run], "combsum")
    assert fuse([run], "combsum", normalization="rank").to_dict() == {"q": {"a": 1.0, "b": 0.5}}


def test_weighted_reciprocal_ranks_are_the_sum_over_runs() -> None:
    """As Elasticsearch's and OpenSearch's: sum over runs of weight / (k + rank); a run without the topic gives none."""
    runs = [{"q": {"a": 3.0, "b": 2.0, "c": 1.0}}, {"q": {"c": 9.0, "d": 8.0}}, {"other": {"a": 1.0}}]
    weights = [0.5, 2.0, 7.0]
    found = fuse(runs, "rrf", k=10, weights=weights).to_dict()
    wanted: dict[str, dict[str, float]] = {}
    for run, weight in zip(runs, weights, strict=True):
        for topic, scores in run.items():
            for rank, document in enumerate(sorted(scores, key=scores.__getitem__, reverse=True), 1):
                of_topic = wanted.setdefault(topic, {})
                of_topic[document] = of_topic.get(document, 0) + weight / (10 + rank)
    assert found.keys() == wanted.keys()
    for topic, scores in wanted.items():
        assert found[topic] == pytest.approx(scores, rel=1e-15)
    assert fuse(runs, "rrf", weights=[1, 1, 1]).to_dict() == fuse(runs, "rrf").to_dict()
    with pytest.raises(UsageError, match="one finite number for each of 3 runs"):
        fuse(runs, "rrf", weights=[1, 2])
