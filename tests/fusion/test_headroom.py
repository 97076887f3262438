"""What a fusion could reach: every number of the table is one that can be had elsewhere."""

from __future__ import annotations

import hashlib
import math
from pathlib import Path

import numpy as np
import pytest

import cranfield
from cranfield import InputError, UsageError, engine
from cranfield.collection import Policy
from cranfield.fusion import compute_fusion_bounds
from cranfield.fusion.lists import UnionLists
from cranfield.io.inputs import NamedRun
from cranfield.io.judging import build_index, judge_run
from cranfield.measures import values
from cranfield.simulation import simulate_runs

MADE = simulate_runs(n_systems=5, n_topics=6, depth=20, seed=3)
RUNS = {run.name: run for run in MADE.runs}
MEASURES = ["nDCG@10", "AP", "RIC"]


@pytest.fixture(scope="module")
def found() -> cranfield.fusion.headroom.Headroom:
    return cranfield.estimate_headroom(RUNS, MADE.qrels, MEASURES, permutations=3)


def test_single_systems(found: cranfield.fusion.headroom.Headroom) -> None:
    alone = cranfield.summarize(cranfield.evaluate(RUNS, MADE.qrels, MEASURES))
    assert found.singles.equals(alone.rename_axis("system"))
    table = found.table.set_index("name")
    assert table.loc["best", MEASURES].tolist() == alone.max().tolist()
    assert table.loc["mean", MEASURES].tolist() == pytest.approx(alone.mean().tolist())


def test_fusions(found: cranfield.fusion.headroom.Headroom) -> None:
    table = found.table.set_index("name")
    for method in ("rrf", "combsum", "combmnz", "condorcet"):
        fused = cranfield.fuse(RUNS, method)
        expected = cranfield.summarize(cranfield.evaluate(fused, MADE.qrels, MEASURES))
        assert table.loc[method, MEASURES].tolist() == pytest.approx(expected.iloc[0].tolist(), abs=1e-15)


def test_bounds(found: cranfield.fusion.headroom.Headroom) -> None:
    table = found.table.set_index("name")
    oracles = compute_fusion_bounds(cranfield.evaluation.make_rankings(RUNS, MADE.qrels))
    for measure in MEASURES:
        means = values(cranfield.parse_measure(measure), oracles).reshape(3, -1).mean(axis=1)
        assert table.loc[list(oracles.systems), measure].tolist() == pytest.approx(means.tolist(), abs=1e-15)
    assert found.table["kind"].tolist() == ["single"] * 2 + ["fusion"] * 4 + ["bound"] * 3
    assert (table.loc["Naive", MEASURES] >= table.loc[["best", "rrf", "combsum"], MEASURES].max()).all()


def test_joint_ric(found: cranfield.fusion.headroom.Headroom) -> None:
    expected = cranfield.information.compute_joint_ric(RUNS, MADE.qrels, permutations=3)
    assert (found.joint.value, found.joint.null) == (expected.value, expected.null)


def test_pairs(found: cranfield.fusion.headroom.Headroom) -> None:
    assert len(found.pairs) == 10
    differences = cranfield.information.compute_information_difference(RUNS, MADE.qrels)
    values_of = {}
    for row in found.pairs.itertuples():
        pair = {name: RUNS[name] for name in (row.system, row.other)}
        fused = cranfield.evaluate(cranfield.fuse(pair, "rrf"), MADE.qrels, "nDCG@10")["nDCG@10"]
        assert row.fused == pytest.approx(fused.mean().item(), abs=1e-15)
        assert row.better == found.singles.loc[list(pair), "nDCG@10"].max()
        assert row.gain == pytest.approx(row.fused - row.better)
        assert row.joint == pytest.approx(
            cranfield.information.compute_joint_ric(pair, MADE.qrels, permutations=0, estimator="table").value,
            abs=1e-12,
        )
        assert row.difference == pytest.approx(differences.between(*pair).difference, abs=1e-12)
        values_of[row.system, row.other] = fused.values.ravel()
    assert (np.diff(found.pairs["fused"]) <= 0).all()
    expected = []
    for topic in range(6):
        best = max(values_of, key=lambda pair: np.delete(values_of[pair], topic).mean())
        expected.append(values_of[best][topic])
    assert found.held_out == pytest.approx(np.mean(expected), abs=1e-12)


def test_candidates_are_the_pairs_of_largest_joint_ric(found: cranfield.fusion.headroom.Headroom) -> None:
    few = cranfield.estimate_headroom(RUNS, MADE.qrels, "AP", methods=[], candidates=3, permutations=0)
    largest = sorted(found.pairs["joint"], reverse=True)[:3]
    assert sorted(few.pairs["joint"], reverse=True) == pytest.approx(largest)
    assert few.table["kind"].tolist() == ["single"] * 2 + ["bound"] * 3
    none = cranfield.estimate_headroom(RUNS, MADE.qrels, "AP", methods=[], candidates=0, permutations=0)
    assert len(none.pairs) == 0
    assert math.isnan(none.held_out)


def test_smaller_can_be_better() -> None:
    few = cranfield.estimate_headroom(RUNS, MADE.qrels, "NumNonRelJudgedRet", methods=[], candidates=4, permutations=0)
    alone = few.singles["NumNonRelJudgedRet"]
    assert few.table.set_index("name").loc["best", "NumNonRelJudgedRet"] == alone.min()
    assert (np.diff(few.pairs["fused"]) >= 0).all()
    assert (few.pairs["better"] <= alone.max()).all()


@pytest.mark.parametrize("ties", ["trec9", "docid", "rank", "file"])
def test_any_policy(ties: str) -> None:
    runs = {name: cranfield.Run.from_frame(ranked(run), name=name) for name, run in list(RUNS.items())[:3]}
    one = cranfield.estimate_headroom(runs, MADE.qrels, "AP", permutations=0, candidates=1, ties=ties)  # type: ignore[arg-type]
    usual = cranfield.estimate_headroom(runs, MADE.qrels, "AP", permutations=0, candidates=1)
    assert one.table["AP"].tolist() == pytest.approx(usual.table["AP"].tolist(), abs=0.02)
    assert one.signature["ties"] == ties


def ranked(run: cranfield.Run) -> object:
    frame = run.to_frame()
    ordered = frame.sort_values(["query_id", "score", "doc_id"], ascending=[True, False, False])
    return ordered.assign(rank=ordered.groupby("query_id").cumcount() + 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"methods": ["linear"]}, "methods='linear' is not one of"),
        ({"methods": ["sum"]}, "methods='sum' is not one of"),
        ({"pair_method": "x"}, "pair_method='x' is not one of"),
        ({"candidates": -1}, "candidates=-1"),
        ({"permutations": -1}, "permutations=-1"),
        ({"measures": "nope"}, "nope"),
    ],
)
def test_refusals(options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        cranfield.estimate_headroom(RUNS, MADE.qrels, **options)  # type: ignore[arg-type]


def test_one_run_has_no_headroom() -> None:
    with pytest.raises(UsageError, match="two runs or more"):
        cranfield.estimate_headroom(MADE.runs[0], MADE.qrels)


def test_systems_may_be_called_by_their_tags(tmp_path: Path) -> None:
    paths = []
    for name, run in RUNS.items():
        cranfield.write(cranfield.Run.from_dict(run.to_dict(), name=f"tag-{name}"), tmp_path / f"{name}.run")
        paths.append(tmp_path / f"{name}.run")
    by_tag = cranfield.estimate_headroom(paths, MADE.qrels, "AP", names="tag", permutations=0)
    assert [str(name) for name in by_tag.singles.index] == [f"tag-{name}" for name in RUNS]
    with pytest.raises(InputError, match="is also that of"):
        cranfield.estimate_headroom([paths[0], _copy(paths[0], "other.run")], MADE.qrels, "AP", names="tag")


def _copy(path: Path, name: str) -> Path:
    other = path.with_name(name)
    other.write_bytes(path.read_bytes())
    return other


def test_every_run_is_read_and_judged_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is made of the runs, fusions and bounds, is judged besides, each once."""
    paths = []
    for name, run in RUNS.items():
        cranfield.write(run, tmp_path / f"{name}.run")
        paths.append(tmp_path / f"{name}.run")
    usual = cranfield.estimate_headroom(paths, MADE.qrels, "AP", candidates=2, permutations=0)
    calls: list[str] = []
    inside = engine.current()

    class Counting:
        NAME = inside.NAME

        def __getattr__(self, name: str) -> object:
            calls.append(name)
            return getattr(inside, name)

    monkeypatch.setattr(engine, "current", Counting)
    found = cranfield.estimate_headroom(paths, MADE.qrels, "AP", candidates=2, permutations=0)
    made = 4 + 2 + 3  # fusions of all, fused pairs, bounds
    assert (calls.count("read_run"), calls.count("judge_file")) == (len(paths), 0)
    # once more for what the documents of all runs are in the judgments
    assert calls.count("judge_run") == made + 1
    assert calls.count("order_lists") == len(paths)
    assert found.table.equals(usual.table)


def test_runs_are_seen_through_the_judgments_as_if_judged_by_them(tmp_path: Path) -> None:
    """Topics in another order, some of them unknown on either side, and documents that nobody judged."""
    labels = MADE.qrels.to_dict()
    topics = sorted(labels, reverse=True)
    fewer = {topic: dict(list(labels[topic].items())[::2]) for topic in topics[:-1]} | {"beyond": {"x": 1}}
    qrels = cranfield.Qrels.from_dict(fewer)
    given = list(RUNS.items())
    seen = UnionLists.from_runs(given, Policy()).judged_by(qrels)
    for name, run in given:
        ours, theirs = seen(NamedRun(name, run)), judge_run(NamedRun(name, run), qrels, build_index(qrels), Policy())
        for field in ("length", "starts", "rank", "document", "grade"):
            found, expected = getattr(ours.rankings, field), getattr(theirs.rankings, field)
            assert found.dtype == expected.dtype
            assert found.tolist() == expected.tolist(), field
        assert ours.facts["noticed"]["extra-topics"] == theirs.facts["noticed"]["extra-topics"]
        assert ours.facts["noticed"]["extra-topics"]["count"] == 1


def test_progress_counts_runs_and_then_topics() -> None:
    told: list[tuple[int, int]] = []
    cranfield.estimate_headroom(
        RUNS, MADE.qrels, "AP", permutations=1, progress=lambda done, of: told.append((done, of))
    )
    assert told == [(n, 5) for n in range(1, 6)] + [(n, 11) for n in range(6, 12)]


def test_files_are_signed_with_the_bytes_that_were_read(tmp_path: Path) -> None:
    (tmp_path / "q").write_text("1 0 a 1\n1 0 b 0\n2 0 a 1\n2 0 b 0\n")
    paths = [tmp_path / "one.run", tmp_path / "two.run"]
    for path, first in zip(paths, "ab", strict=True):
        path.write_text(f"1 Q0 {first} 1 2 t\n1 Q0 c 2 1 t\n2 Q0 a 1 2 t\n")
    found = cranfield.estimate_headroom([str(path) for path in paths], str(tmp_path / "q"), permutations=1)
    hashes = [run["sha256"] for run in found.signature["runs"]]
    assert hashes == [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths]


def test_more_runs_than_memory_are_refused_before_they_become_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRANFIELD_MEMORY", "10000")
    with pytest.raises(InputError, match=r"5 runs of [\d,]+ lines together would take .* of memory.*: give fewer runs"):
        cranfield.estimate_headroom(RUNS, MADE.qrels, "AP")
