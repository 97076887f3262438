"""``cranfield judges panel``, ``judges combine`` and ``judges --combine``."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import numpy as np
import pytest
from command import cranfield as run
from command import printed

import cranfield


@pytest.fixture
def files(tmp_path: Path) -> Path:
    made = cranfield.simulation.simulate_runs(n_systems=4, n_topics=16, depth=20)
    made.write_collection(tmp_path)
    rng = np.random.default_rng(1)
    labels = made.qrels.to_dict()
    for name in ("a", "b", "c"):
        lines = [
            f"{topic} 0 {document} {int(max(0, label - (rng.random() < 0.3)))}\n"
            for topic, pool in labels.items()
            for document, label in pool.items()
        ]
        (tmp_path / f"{name}.txt").write_text("".join(lines[1:] if name == "c" else lines))
    return tmp_path


def paths(files: Path) -> list[Path]:
    return [files / f"{name}.txt" for name in ("qrels", "a", "b", "c")]


@pytest.mark.parametrize(
    ("show", "column", "rows"),
    [("effective", "n_eff", 2), ("errors", "correlation", 3), ("bias", "over", 6), ("members", "gain", 6),
     ("drop", "kappa_change", 3), ("path", "held_out", 3)],
)  # fmt: skip
def test_every_table_of_a_panel(files: Path, show: str, column: str, rows: int) -> None:
    call = ("judges", "panel", *paths(files), "-l", "2", "--show", show)
    found = json.loads(printed(*call, "-f", "json"))
    assert len(found["rows"]) == rows
    assert column in found["rows"][0]
    assert found["signature"]["settings"]["rel"] == dict.fromkeys(("qrels", "a", "b", "c"), 2.0)
    out = printed(*call)
    assert "about two effective votes is what perfectly independent judges show" in out
    assert "1 left out that not all judged" in out
    says = {
        "effective": "participation: number of directions",
        "drop": "kappa is not significantly higher without any of the judges",
        "bias": "     1   ",
    }
    assert says.get(show, "") in out


def test_combined_judgments_are_read_by_other_commands(files: Path) -> None:
    combined = files / "combined.txt"
    ended = run("judges", "combine", *paths(files)[1:], "-l", "2", "-o", combined)
    assert (ended.status, ended.out) == (0, "")
    assert ended.err == (
        "cranfield: warning: 1 of 640 documents left out, which not all judged; those left are of 16 topics\n"
    )
    same = cranfield.agreement.combine_labels([str(path) for path in paths(files)[1:]], rel=2).qrels
    assert cranfield.read_qrels(combined).to_dict() == same.to_dict()
    scored = run("evaluate", combined, f"{files}/runs/*.run", "-m", "AP")
    assert (scored.status, "AP" in scored.out) == (0, True), scored.err


def test_methods_and_their_tables(files: Path) -> None:
    combine = ("judges", "combine", *paths(files), "-l", "2")
    weights = json.loads(
        printed(*combine, "--combine-by", "weighted", "--learn-from", "qrels", "--show", "judges", "-f", "json")
    )
    assert sum(row["weight"] for row in weights["rows"]) == pytest.approx(1.0)
    model = printed(*combine, "--combine-by", "dawid-skene", "--show", "classes")
    assert "is not a probability" in model
    labels = json.loads(printed(*combine[:-2], "--combine-by", "mean", "--show", "labels", "-f", "json"))["rows"]
    assert set(labels[0]) == {"topic", "document", "label", "score"}


def test_combined_judges_stand_beside_the_others(files: Path) -> None:
    call = ("judges", *paths(files), "-l", "2", "--combine-by", "majority", "--combine-by", "votes", "-f", "json")
    labels = json.loads(printed(*call, "--show", "labels"))["rows"]
    assert [row["judge"] for row in labels] == ["a", "b", "c", "majority", "votes"]
    assert labels[3]["kappa_binary"] == pytest.approx(labels[4]["kappa_binary"])
    compared = run(*call, "-r", f"{files}/runs/*.run")
    assert compared.status == 0, compared.err
    systems = json.loads(compared.out)["rows"]
    assert [row["source"] for row in systems] == ["a", "b", "c", "majority", "votes"]


@pytest.mark.parametrize(
    ("call", "status", "text"),
    [
        (("panel", "qrels.txt", "a.txt"), 2, "at least two judges beside the reference"),
        (("panel", "qrels.txt", "a.txt", "b.txt", "--second-reference", "a"), 2, "--error-kind grade"),
        (("panel", "qrels.txt", "a.txt", "b.txt", "-l", "x"), 2, "is not a number"),
        (
            ("combine", "a.txt", "b.txt", "--combine-by", "weighted"),
            2,
            "weighted learns weights from a judge: name it by --learn-from\n",
        ),
        (("combine", "a.txt", "b.txt", "-f", "json"), 2, "--show qrels is TREC text"),
        (("combine", "a.txt", "missing.txt"), 1, "missing.txt"),
        (("qrels.txt", "a.txt", "--show", "labels", "--combine-by", "majority"), 2, "two or more judges beside"),
        (("qrels.txt", "a.txt", "majority.txt", "--show", "labels", "--combine-by", "majority"), 1, "rename it"),
    ],
)
def test_refusals(files: Path, monkeypatch: pytest.MonkeyPatch, call: tuple[str, ...], status: int, text: str) -> None:
    monkeypatch.chdir(files)
    (files / "majority.txt").write_bytes((files / "a.txt").read_bytes())
    ended = run("judges", *call)
    assert ended.status == status
    assert text in ended.err
    assert ended.out == ""


def test_labels_beyond_the_scale_name_the_option(files: Path) -> None:
    (files / "c.txt").write_text((files / "c.txt").read_text().replace(" 0\n", " 9\n"))
    ended = run("judges", "panel", *paths(files), "--error-kind", "grade")
    assert ended.status == 1
    assert "uses the label 9" in ended.err
    assert "--error-kind relevant" in ended.err


def test_the_examples_of_judges_run(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(files)
    for name, source in (("people.txt", "qrels.txt"), ("model.txt", "a.txt")):
        Path(name).write_bytes(Path(source).read_bytes())
    examples = (
        printed("judges", "--help").partition("Examples:")[2].partition("Exit status")[0].split("cranfield judges")
    )
    assert len(examples) == 3
    for call in examples[1:]:
        assert run("judges", *shlex.split(call)).status == 0
