"""What shells are told when a word is to be completed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from test_outputs import commands

from cranfield.cli import app
from cranfield.measures import parse_measure

AUDITS = {path.partition(" ")[2] for path in commands() if path.startswith("audit ")}
ROOT = Path(__file__).resolve().parents[2]


def completed(*words: str) -> list[str]:
    """The words that begin as the last one, as click's completion finds them."""
    *before, incomplete = words
    return [one.value for one in ShellComplete(app, {}, "cranfield", "_").get_completions(before, incomplete)]


def test_commands_and_options() -> None:
    assert completed("") == sorted(app.commands)
    assert completed("evaluate", "qrels.txt", "--keep-g") == ["--keep-going"]
    assert completed("evaluate", "qrels.txt", "x.run", "--ties", "tr") == ["trec", "trec9"]
    assert set(completed("protocol", "")) == {"init", "run"}


def test_subcommands_and_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results.csv").touch()
    assert completed("audit", "re") == ["reliability", "results.csv"]
    assert set(completed("audit", "")) == {*AUDITS, "results.csv"}
    assert completed("fuse", "he") == ["headroom"]
    assert completed("check", "lab") == ["labels"]
    assert completed("audit", "res") == completed("audit", "qrels.txt", "res") == ["res"], "the shell completes files"
    assert completed("audit", "reliability", "--targ") == ["--target"]
    assert completed("pool", "bu") == ["budget"]


def test_measures() -> None:
    assert completed("evaluate", "-m", "nD") == [
        "nDCG",
        "nDCG-IA",
        "NDCG_0",
        "NDCG_min",
        "NDCG_min_judged",
        "NDCG_org",
        "NDCG_org_judged",
        "ndcg_rel",
        "NDCG_std",
    ]
    assert completed("evaluate", "-m", "RR,AP") == ["RR,AP", "RR,AP-IA"]
    assert completed("evaluate", "-m", "nothing") == []
    assert completed("measures", "infA") == ["infAP"]


@pytest.mark.parametrize(
    "called",
    [
        name
        for name, one in commands().items()
        if any("-m" in p.opts for p in one.params) and name not in ("fuse", "trec_eval")
    ],
)
def test_every_option_of_measures_is_completed(called: str) -> None:
    assert "nDCG" in completed(*called.split(), "-m", "nD")


def test_every_name_is_a_measure() -> None:
    parameters = {"DCG", "P", "R", "IPrec", "Success", "Judged"}
    names = completed("evaluate", "-m", "")
    assert parameters <= set(names)
    for name in ("nDCG", "AP", "NDCG_std", "RBP"):
        assert parse_measure(name).name
    assert names == sorted(names, key=lambda name: (name.lower(), name))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_get_what_the_docs_say(shell: str) -> None:
    assert f"_CRANFIELD_COMPLETE={shell}_source cranfield" in (ROOT / "docs" / "command-line.md").read_text()
    ended = subprocess.run(
        [sys.executable, "-m", "cranfield"],
        env=os.environ | {"_CRANFIELD_COMPLETE": f"{shell}_source"},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    if shell == "bash" and "4.4" in ended.stderr:
        pytest.fail(ended.stderr)
    assert "_CRANFIELD_COMPLETE" in ended.stdout


def test_nothing_waits_for_numpy() -> None:
    script = (
        "import sys; from cranfield.cli import app; from click.shell_completion import ShellComplete; "
        "found = ShellComplete(app, {}, 'cranfield', '_').get_completions(['evaluate', '-m'], 'nD'); "
        "assert found; sys.exit('numpy' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


def test_the_program_itself(tmp_path: Path) -> None:
    words = {"COMP_WORDS": "cranfield compare -m RB", "COMP_CWORD": "3", "_CRANFIELD_COMPLETE": "bash_complete"}
    ended = subprocess.run(
        [Path(sys.executable).parent / "cranfield"],
        env=os.environ | words,
        capture_output=True,
        encoding="utf-8",
        cwd=tmp_path,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.splitlines() == ["plain,RBP", "plain,RBP-IA", "plain,RBPResidual", "plain,RBU"]
