"""``evaluate --flat``: names that trackers of experiments take, values of the table, and collisions."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command import cranfield, printed

from cranfield.measures import describe, registry

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


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_every_measure_has_a_name_of_its_own(folder: Path) -> None:
    (folder / "intents.txt").write_text("1 1 a 2\n1 2 c 1\n2 1 a 1\n2 2 b 1\n")
    measures = [word for known in registry.values() for word in ("-m", str(describe.example(known)))]
    ended = cranfield("evaluate", "intents.txt", "late.run", *measures, "--flat")
    assert ended.status == 0
    flat = json.loads(ended.out)
    assert all(ACCEPTED.fullmatch(name) for name in flat)
    assert len(flat) == len(registry)


def test_marks_and_numbers(folder: Path) -> None:
    def flat(measure: str) -> set[str]:
        return set(json.loads(cranfield("evaluate", "qrels.txt", "late.run", "-m", measure, "--flat").out))

    assert flat("AP(rel=2)") == {"ap_rel_2"}
    assert flat("11pt") == {"m_11pt"}
    gains = flat("NDCG(gains={0:0,1:1,2:1})"), flat("NDCG(gains={0:0,1:1,2:-1})")
    assert gains[0] != gains[1]
    for name in ("...", "模型"):
        (folder / f"{name}.run").write_text((folder / "best.run").read_text())
        several = json.loads(cranfield("evaluate", "qrels.txt", f"{name}.run", "late.run", "-m", "AP", "--flat").out)
        assert len(several) == 2
        assert all(ACCEPTED.fullmatch(part) for key in several for part in key.split("/"))


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
    assert "--flat changes nothing " in ended.err
