"""Collections whose truth is known: the same seed gives the same bits, and the truth is found again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import kendalltau

import cranfield
from cranfield import CranfieldWarning, Qrels, Run, UsageError, evaluate, summarize
from cranfield.simulation import simulate_runs

SMALL = {"n_systems": 4, "n_topics": 3, "depth": 5}


def test_a_seed_fixes_every_bit() -> None:
    one, same, other = (simulate_runs(**SMALL, seed=seed) for seed in (5, 5, 6))
    assert one.qrels == same.qrels
    assert one.qrels.digest == same.qrels.digest
    assert one.runs == same.runs
    assert [run.name for run in one.runs] == [run.name for run in same.runs]
    assert one.quality == same.quality
    assert one.qrels != other.qrels
    assert one.runs != other.runs


def test_its_shape() -> None:
    made = simulate_runs(n_systems=11, n_topics=3, depth=5)
    assert [run.name for run in made.runs] == [f"system{number:02d}" for number in range(1, 12)]
    assert len(made.quality) == 11
    assert sorted(made.quality, reverse=True) == pytest.approx(np.linspace(0.9, 0.3, 11).tolist())
    assert made.qrels.topics == ("1", "2", "3")
    assert made.qrels.pool.size.tolist() == [10, 10, 10]
    assert set(made.qrels.grade.tolist()) <= {0, 1, 2, 3}
    for run in made.runs:
        assert run.topics == ("1", "2", "3")
        assert np.diff(run.starts).tolist() == [5, 5, 5]
        assert run.tag == run.name
        for found in run.to_dict().values():
            scores = list(found.values())
            assert scores == sorted(scores, reverse=True)


def test_names_do_not_give_the_truth_away() -> None:
    made = simulate_runs()
    assert list(made.quality) != sorted(made.quality, reverse=True)
    assert simulate_runs(seed=2).quality != made.quality


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_truth_is_found_again(seed: int) -> None:
    made = simulate_runs(seed=seed)
    found = summarize(evaluate(list(made.runs), made.qrels, ["nDCG@10", "AP"]))
    for measure in found.columns:
        assert kendalltau(found[measure].to_numpy(), made.quality).statistic > 0.8


def test_topics_differ_in_difficulty() -> None:
    made = simulate_runs()
    by_topic = evaluate(list(made.runs), made.qrels, "AP")["AP"].mean("system").to_numpy()
    assert by_topic.std() > 0.05


def test_one_of_everything() -> None:
    made = simulate_runs(n_systems=1, n_topics=1, depth=1)
    assert made.quality == (0.9,)
    assert made.runs[0].name == "system1"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"n_systems": 0}, "n_systems=0 should lie between 1 and 10000"),
        ({"n_topics": 0}, "n_topics=0 should lie between 1 and 100000"),
        ({"depth": -3}, "depth=-3 should lie between 1 and 100000"),
        ({"seed": -1}, "seed=-1 should be at least 0"),
    ],
)
def test_too_small(given: dict[str, int], message: str) -> None:
    with pytest.raises(UsageError) as refused:
        simulate_runs(**given)
    assert str(refused.value) == message


def test_files_hold_the_same(tmp_path: Path) -> None:
    made = simulate_runs(**SMALL)
    qrels, truth, runs = made.write_collection(tmp_path / "new" / "folder")
    assert cranfield.read_qrels(qrels) == made.qrels
    assert [path.name for path in runs] == [f"{run.name}.run" for run in made.runs]
    for path, run in zip(runs, made.runs, strict=True):
        again = cranfield.read_run(path)
        assert again.to_dict() == run.to_dict()
        assert (again.name, again.tag) == (run.name, run.tag)
    lines = truth.read_text().splitlines()
    assert lines[0] == "system\tquality"
    assert [line.split("\t")[0] for line in lines[1:]] == [run.name for run in made.runs]
    assert [float(line.split("\t")[1]) for line in lines[1:]] == pytest.approx(made.quality, abs=5e-7)


def test_writing_again_leaves_no_other_run(tmp_path: Path) -> None:
    simulate_runs(**SMALL).write_collection(tmp_path)
    with pytest.warns(CranfieldWarning, match="2 removed$"):
        _, _, runs = simulate_runs(**{**SMALL, "n_systems": 2}).write_collection(tmp_path)
    assert sorted((tmp_path / "runs").iterdir()) == sorted(runs), "runs of another collection would be scored too"


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", ["qrels.txt", "truth.tsv", "runs/system3.run", "simulated.sha256"])
def test_what_no_simulation_wrote_stays(tmp_path: Path, name: str) -> None:
    """Whether it was there before any simulation, or took the place of a simulated file."""
    for made_before in (False, True):
        if made_before:
            (tmp_path / name).unlink()
            simulate_runs(**SMALL).write_collection(tmp_path)
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"1 0 mine 1\n\xff")
        before = contents(tmp_path)
        with pytest.raises(cranfield.InputError) as refused:
            simulate_runs(**SMALL, seed=2).write_collection(tmp_path)
        assert str(refused.value) == (
            f"{tmp_path}/{name}: exists already and was not written by an earlier simulation: "
            "remove it, or name another folder"
        )
        assert contents(tmp_path) == before


def test_a_simulation_replaces_its_own(tmp_path: Path) -> None:
    simulate_runs(**SMALL).write_collection(tmp_path / "again")
    simulate_runs(**SMALL, seed=2).write_collection(tmp_path / "new")
    with pytest.warns(CranfieldWarning, match=r"again: 5 files of an earlier simulation replaced, 0 removed$"):
        simulate_runs(**SMALL, seed=2).write_collection(tmp_path / "again")
    assert contents(tmp_path / "again") == contents(tmp_path / "new")


def test_another_simulation_that_ends_meanwhile_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other, last = simulate_runs(**{**SMALL, "n_systems": 5}, seed=2), simulate_runs(**SMALL, seed=3)
    last.write_collection(tmp_path / "alone")
    simulate_runs(**SMALL).write_collection(tmp_path / "both")
    lines = cranfield.io.trec.trec_lines

    def interrupted(written: Qrels | Run) -> list[bytes]:
        if written is last.runs[0]:  # the judgments were compared with the first simulation
            other.write_collection(tmp_path / "both")
        return lines(written)

    monkeypatch.setattr("cranfield.simulation.runs.trec_lines", interrupted)
    with pytest.warns(CranfieldWarning, match="replaced"):
        last.write_collection(tmp_path / "both")
    assert contents(tmp_path / "both") == contents(tmp_path / "alone")


def test_equal_content_is_no_loss(tmp_path: Path) -> None:
    """As a simulation left it that was stopped before its checksums, or an earlier version."""
    made = simulate_runs(**SMALL)
    made.write_collection(tmp_path)
    before = contents(tmp_path)
    (tmp_path / "simulated.sha256").unlink()
    made.write_collection(tmp_path)
    assert contents(tmp_path) == before


def test_a_failure_leaves_an_earlier_simulation_whole(tmp_path: Path) -> None:
    simulate_runs(**SMALL).write_collection(tmp_path)
    before = contents(tmp_path)
    (tmp_path / "runs" / "system4.run").chmod(0o444)
    with pytest.raises(cranfield.InputError, match=r"system4.run: cannot be written: it is read-only"):
        simulate_runs(**SMALL, seed=2).write_collection(tmp_path)
    assert contents(tmp_path) == before


def test_checksums_lead_nowhere_else(tmp_path: Path) -> None:
    """Checksums are a file like any other, and may have come with a stranger's folder."""
    import hashlib

    (tmp_path / "mine.run").write_text("mine")
    simulate_runs(**SMALL).write_collection(tmp_path / "sim")
    digest = hashlib.sha256(b"mine").hexdigest()
    for name in ("../mine.run", "runs/../../mine.run", str(tmp_path / "mine.run")):
        sums = tmp_path / "sim" / "simulated.sha256"
        sums.write_text(sums.read_text() + f"{digest}  {name}\n")
        with pytest.raises(cranfield.InputError, match=r"simulated\.sha256: exists already"):
            simulate_runs(**SMALL).write_collection(tmp_path / "sim")
        sums.write_text(sums.read_text().replace(f"{digest}  {name}\n", ""))
    simulate_runs(**SMALL).write_collection(tmp_path / "sim")
    assert (tmp_path / "mine.run").read_text() == "mine"


def test_runs_of_other_systems_stay(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "mine.run").write_text("1 Q0 a 1 1 mine\n")
    for _ in range(2):
        simulate_runs(**SMALL).write_collection(tmp_path)
    assert (tmp_path / "runs" / "mine.run").exists()


def test_a_name_stays_in_the_folder(tmp_path: Path) -> None:
    """A collection may also be put together by hand, of systems called whatever they are."""
    made = simulate_runs(**SMALL)
    names = ("../../x", ".hidden", "a/b")
    run = made.runs[0]
    runs = tuple(Run(name, run.topics, run.starts, run.documents, run.score, tag="t") for name in names)
    _, _, paths = replace(made, runs=runs, quality=(0.9, 0.8, 0.7)).write_collection(tmp_path)
    assert [path.name for path in paths] == ["%2E.%2F..%2Fx.run", "%2Ehidden.run", "a%2Fb.run"]
    assert sorted(tmp_path.rglob("*.run")) == sorted(paths)
    assert sorted((tmp_path / "runs").iterdir()) == sorted(paths)


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(cranfield.InputError, match=r"runs: cannot be written: 'file' is a file; name another folder"):
        simulate_runs(**SMALL).write_collection(tmp_path / "file" / "x")
