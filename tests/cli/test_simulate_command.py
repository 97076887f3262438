"""``cranfield simulate runs``: the same seed, the same files, whose truth is found again."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import cranfield, printed
from scipy.stats import kendalltau


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_seed_fixes_every_byte(tmp_path: Path) -> None:
    options = ("--n-systems", "3", "--n-topics", "2", "--depth", "5")
    for name, seed in {"one": "7", "same": "7", "other": "8"}.items():
        printed("simulate", "runs", "-o", tmp_path / name, *options, "--seed", seed)
    one = contents(tmp_path / "one")
    assert sorted(one) == [
        "qrels.txt",
        "runs/system1.run",
        "runs/system2.run",
        "runs/system3.run",
        "simulated.sha256",
        "truth.tsv",
    ]
    assert contents(tmp_path / "same") == one
    other = contents(tmp_path / "other")
    assert all(other[name] != text for name, text in one.items())


def test_it_says_what_it_wrote(tmp_path: Path) -> None:
    out = printed("simulate", "runs", "-o", tmp_path, "--n-systems", "3", "--n-topics", "2", "--depth", "5")
    assert out == f"{tmp_path}/qrels.txt\n{tmp_path}/truth.tsv\n{tmp_path}/runs (3 runs)\n"


def test_it_says_what_it_replaced(tmp_path: Path) -> None:
    call = ("simulate", "runs", "-o", tmp_path, "--n-topics", "2", "--depth", "5")
    printed(*call, "--n-systems", "3")
    again = cranfield(*call, "--n-systems", "3")
    assert (again.status, again.err) == (0, "")
    fewer = cranfield(*call, "--n-systems", "2", "--seed", "2")
    assert fewer.status == 0
    assert fewer.err == f"cranfield: warning: {tmp_path}: 4 files of an earlier simulation replaced, 1 removed\n"


def test_the_truth_is_found_again(tmp_path: Path) -> None:
    printed("simulate", "runs", "-o", tmp_path)
    truth = dict(line.split("\t") for line in (tmp_path / "truth.tsv").read_text().splitlines()[1:])
    out = printed("evaluate", tmp_path / "qrels.txt", f"{tmp_path}/runs/*.run", "-m", "nDCG@10", "-f", "tsv")
    found = {run: float(value) for run, _, _, value in (line.split("\t") for line in out.splitlines()[1:])}
    assert len(found) == 12
    assert found.keys() == truth.keys()
    assert kendalltau([found[name] for name in truth], [float(quality) for quality in truth.values()]).statistic > 0.8


@pytest.mark.parametrize("where", ["file", "file/below"])
def test_a_folder_that_cannot_be_made(tmp_path: Path, where: str) -> None:
    (tmp_path / "file").write_text("")
    ended = cranfield("simulate", "runs", "-o", tmp_path / where, "--n-systems", "1", "--n-topics", "1", "--depth", "1")
    assert (ended.status, ended.out) == (1, "")
    assert ended.err.startswith(f"cranfield: error: {tmp_path}/{where}")
