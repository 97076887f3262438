"""``--drop-own-document``, ``--passages`` and ``--exclude``: the same numbers as in Python, in every command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import cranfield as shell
from command import printed

import cranfield
from cranfield import Qrels, Run

RUN = {
    "t1": {"t1#1": 9.0, "d1#1": 2.0, "d2#1": 4.0, "d1#2": 8.0, "d3#1": 7.0},
    "t2": {"t2#1": 9.0, "d2#1": 8.0, "d1#1": 3.0, "d4#7": 5.0},
}
OTHER = {"t1": {"d3#1": 3.0, "d1#2": 2.0}, "t2": {"d1#9": 3.0, "d2#1": 2.0}}
QRELS = {"t1": {"d1": 1, "d2": 1, "d3": 0}, "t2": {"d1": 2, "d4": 1}}
EARLIER = {"t1": {"d3": 0, "d2": 1}, "t2": {"d2": 0}}
OPTIONS = ("--passages", "#", "--drop-own-document", "--exclude", "earlier.txt")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cranfield.write(Run.from_dict(RUN), "a.run")
    cranfield.write(Run.from_dict(OTHER), "b.run")
    cranfield.write(Qrels.from_dict(QRELS), "qrels.txt")
    cranfield.write(Qrels.from_dict(EARLIER), "earlier.txt")


def test_the_numbers_are_those_of_a_run_rewritten_by_hand() -> None:
    rows = json.loads(printed("evaluate", "qrels.txt", "a.run", "-m", "AP", "-q", "-f", "json", *OPTIONS))["rows"]
    # t1: d1 is left of the list, the only one that is relevant; t2: d4 before d1.
    assert {row["topic"]: row["value"] for row in rows} == {"t1": 1.0, "t2": 1.0, "all": 1.0}
    plain = json.loads(printed("evaluate", "qrels.txt", "a.run", "-m", "AP", "-f", "json", *OPTIONS[:2]))["rows"]
    # t1: t1 d1 d3 d2; t2: t2 d2 d4 d1.
    assert plain[0]["value"] == ((1 / 2 + 2 / 4) / 2 + (1 / 3 + 2 / 4) / 2) / 2


@pytest.mark.parametrize("command", ["table", "compare", "gate", "compare bayes", "standardize"])
def test_commands_that_read_runs_take_them(command: str) -> None:
    ended = shell(*command.split(), "qrels.txt", "b.run", "a.run", "-m", "P@1", *OPTIONS)
    assert ended.status in (0, 3, 4), ended.err
    assert "no such option" not in ended.err.lower()


@pytest.mark.parametrize("command", [("fuse",), ("pool", "order")])
def test_commands_without_judgments_take_the_others(command: tuple[str, ...]) -> None:
    text = printed(*command, "a.run", *OPTIONS[:3])
    assert "#" not in text
    assert "t1 Q0 t1 " not in text


def test_data_sets_and_scores_refuse_them_by_name() -> None:
    refused = shell("evaluate", "qrels.txt", "a.run", "--dataset", "--drop-own-document")
    assert "--drop-own-document rewrites whole runs" in refused.err
    refused = shell("evaluate", "qrels.txt", "a.run", "--dataset", "--exclude", "earlier.txt")
    assert "--exclude rewrites whole runs" in refused.err
    for option in (["--drop-own-document"], ["--passages", "#"], ["--exclude", "earlier.txt"]):
        refused = shell("compare", "--scores", "qrels.txt", *option)
        assert f"{option[0]} says how runs are read" in refused.err


def test_fused_lists_refuse_judgments_that_exclude_documents() -> None:
    residual = Qrels.from_dict(QRELS).excluding(Qrels.from_dict(EARLIER))
    with pytest.raises(cranfield.UsageError, match="still hold the documents"):
        cranfield.fusion.estimate_headroom([RUN, OTHER], residual, "AP", passages="#")


def test_a_protocol_says_it() -> None:
    options = ("--drop-own-document", "--passages", "#")
    printed("protocol", "init", "-o", "track.toml", "evaluate", "qrels.txt", "-m", "RR", *options)
    assert 'own_document = "drop"' in Path("track.toml").read_text()
    by_protocol = printed("evaluate", "a.run", "--protocol", "track.toml", "-f", "tsv")
    assert by_protocol == printed("evaluate", "qrels.txt", "a.run", "-m", "RR", "-f", "tsv", *options)
