"""``evaluate --flat``: names that trackers of experiments take, values of the table, and collisions."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command import cranfield, printed

from cranfield.cli._render import flatten_name
from cranfield.measures import registry

ACCEPTED = re.compile(r"[a-z][a-z0-9_]*")
"""Within what MLflow (letters, digits, _ - . : / and spaces), W&B (identifiers) and DVC (no points) take."""


def test_one_run_and_several(folder: Path) -> None:
    asked = ("-m", "nDCG@2,AP,RBP(p=0.9)")
    flat = json.loads(printed("evaluate", "qrels.txt", "late.run", *asked, "--flat"))
    rows = json.loads(printed("evaluate", "qrels.txt", "late.run", *asked, "-f", "json"))["rows"]
    assert list(flat) == ["ndcg_2", "ap", "rbp_p_0_9"]
    assert list(flat.values()) == [row["value"] for row in rows]
    both = json.loads(printed("evaluate", "qrels.txt", "best.run", "late.run", *asked, "--flat"))
    assert {name: both[f"late/{name}"] for name in flat} == flat
    assert len(both) == 6
    bounds = json.loads(printed("evaluate", "qrels.txt", "late.run", "-m", "AP", "--flat", "--bounds"))
    assert list(bounds) == ["ap", "ap_lower", "ap_upper"]


def test_every_measure_has_a_name_of_its_own() -> None:
    names = {declaration.name: flatten_name(declaration.name) for declaration in registry.values()}
    assert all(ACCEPTED.fullmatch(name) for name in names.values())
    assert len(set(names.values())) == len(names)


def test_marks_and_numbers() -> None:
    assert flatten_name("AP(rel=2)") == "ap_rel_2"
    assert flatten_name("11pt@5") == "m_11pt_5"
    assert flatten_name("NDCG(gains={-1:0})") != flatten_name("NDCG(gains={1:0})")
    assert ACCEPTED.fullmatch(flatten_name("..."))
    assert ACCEPTED.fullmatch(flatten_name("模型"))


def test_two_names_that_become_one(folder: Path) -> None:
    for name in ("a b.run", "a-b.run"):
        (folder / name).write_text((folder / "best.run").read_text())
    ended = cranfield("evaluate", "qrels.txt", "a b.run", "a-b.run", "-m", "AP", "--flat")
    assert (ended.status, ended.out) == (1, "")
    assert "'a b, AP' and 'a-b, AP' are both called 'a_b/ap' in a flat object: request one of them" in ended.err


@pytest.mark.parametrize("more", [("-q",), ("-f", "csv"), ("-f", "trec")])
def test_what_a_flat_object_is_not(folder: Path, more: tuple[str, ...]) -> None:
    ended = cranfield("evaluate", "qrels.txt", "best.run", "--flat", *more)
    assert (ended.status, ended.out) == (2, "")
    assert "--flat prints JSON of summaries: leave" in ended.err
