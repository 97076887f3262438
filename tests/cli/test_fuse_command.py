"""``cranfield fuse`` and ``cranfield fuse headroom``."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from command import cranfield, printed

import cranfield as package


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), delimiter="\t"))


def test_fused_runs_are_runs(folder: Path) -> None:
    assert printed("fuse", "best.run", "late.run", "-o", "fused.run") == ""
    text = (folder / "fused.run").read_text()
    assert text == printed("fuse", "best.run", "late.run")
    assert package.read_run("fused.run").to_dict() == package.fuse(["best.run", "late.run"]).to_dict()
    assert text.splitlines()[0].split()[-1] == "rrf"
    assert printed("evaluate", "qrels.txt", "fused.run", "-m", "RR", "-f", "tsv").endswith("fused\tall\tRR\t1.0\n")


def test_parameters(folder: Path) -> None:
    both = ["best.run", "late.run"]
    cases: dict[tuple[str, ...], dict[str, object]] = {
        ("--method", "rrf", "--rrf-k", "5"): {"method": "rrf", "k": 5},
        ("--method", "rbc", "-p", "0.5", "--tag", "mine"): {"method": "rbc", "p": 0.5},
        ("--method", "linear", "-w", "0.25", "-w", "0.75"): {"method": "linear", "weights": [0.25, 0.75]},
        ("--method", "combanz", "--normalization", "z"): {"method": "combanz", "normalization": "z"},
        ("--method", "condorcet", "--cycles", "components"): {"method": "condorcet", "cycles": "components"},
        ("--method", "isr", "--depth", "1"): {"method": "isr", "depth": 1},
        ("--method", "borda", "--ties", "docid"): {
            "method": "borda",
            "ties": "docid",
        },
    }
    for arguments, keywords in cases.items():
        printed("fuse", *both, *arguments, "-o", "fused.run")
        assert package.read_run("fused.run").to_dict() == package.fuse(both, **keywords).to_dict(), arguments  # type: ignore[arg-type]
    assert printed("fuse", *both, "--tag", "mine").splitlines()[0].split()[-1] == "mine"


def lists(topics: str, documents: str) -> str:
    return "".join(f"{t} Q0 {d} {at} {-at} x\n" for t in topics for at, d in enumerate(documents, 1))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (lists("78", "abcde"), "the run shares no topic with the others; it has '7'"),
        (lists("12", "ABCDE"), "none of its documents is in another run; are they named as there? It has 'A'"),
        (lists("1", "abcde"), "topic 2 of the other runs missing from the run, counted as an empty list"),
        (
            lists("12", "ab").replace("a 1", "a 2").replace("b 2", "b 1"),
            "ranks contradict scores in 2 topics (first '1')",
        ),
    ],
)
@pytest.mark.parametrize("rows", [1, 1 << 19], ids=["in parts", "at once"])
def test_odd_runs_are_warned_of(folder: Path, text: str, said: str, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line each, whether topics are fused all at once or one by one; sound runs beside them without a word."""
    monkeypatch.setattr("cranfield.fusion.chunked.ROWS", rows)
    (folder / "odd.run").write_text(text)
    for name in ("one", "two"):
        (folder / f"{name}.run").write_text(lists("12", "abcde"))
    assert cranfield("fuse", "one.run", "two.run").err == ""
    ended = cranfield("fuse", "one.run", "odd.run", "two.run", "-o", "fused.run")
    assert ended.status == 0
    (line,) = ended.err.splitlines()
    assert line.startswith(f"cranfield: warning: odd.run: {said}")
    assert cranfield("fuse", "odd.run").err.count("warning") == ("contradict" in said)


def test_a_run_from_standard_input(folder: Path) -> None:
    given = (folder / "late.run").read_bytes()
    assert printed("fuse", "best.run", "-", input=given) == printed("fuse", "best.run", "late.run")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["fuse"], 2, "Missing argument 'RUN...'"),
        (["fuse", "best.run", "late.run", "--method", "sum"], 2, "--method sum is not one of"),
        (["fuse", "best.run", "late.run", "--method", "linear"], 2, "linear needs weights, one for each run"),
        (["fuse", "best.run", "late.run", "--ties", "bounds"], 2, "fusion needs the documents in one order"),
        (
            ["fuse", "headroom", "qrels.txt", "best.run", "late.run", "--ties", "expected"],
            2,
            "fusion needs the documents in",
        ),
        (["fuse", "best.run", "late.run", "-w", "1"], 2, "should be one finite number for each of 2 runs"),
        (["fuse", "best.run", "late.run", "--method", "linear", "-w", "1"], 2, "one finite number for each of 2 runs"),
        (["fuse", "best.run", "late.run", "--normalization", "z"], 2, "rrf looks at ranks alone"),
        (["fuse", "best.run", "late.run", "-m", "AP"], 2, "fusion takes none: name the method with --method"),
        (["fuse", "best.run", "late.run", "-m", "combsum"], 2, "name the method with --method (see `cranfield fuse"),
        (["fuse", "best.run", "absent.run"], 1, "absent.run"),
        (["fuse", "best.run", "best.run"], 1, "given twice"),
        (["fuse", "best.run", "qrels.txt"], 1, "qrels.txt:1:"),
        (["fuse", "best.run", "late.run", "-o", "no/where.run"], 1, "there is no such folder"),
        (["fuse", "best.run", "late.run", "--tag", "a tag"], 1, "cannot stand in TREC text"),
        (["fuse", "headroom", "qrels.txt"], 2, "Missing argument 'RUN...'"),
        (["fuse", "headroom", "qrels.txt", "best.run"], 2, "two runs or more"),
        (["fuse", "headroom", "qrels.txt", "best.run", "late.run", "-m", "nope"], 2, "nope"),
        (
            ["fuse", "headroom", "qrels.txt", "best.run", "late.run", "--method", "linear"],
            2,
            "--method linear is not one of",
        ),
    ],
)
def test_refusals(folder: Path, arguments: list[str], status: int, message: str) -> None:
    ended = cranfield(*arguments)
    assert (ended.status, ended.out) == (status, "")
    assert message in ended.err
    assert "Traceback" not in ended.err


def test_missing_topics_are_refused_where_that_is_asked(folder: Path) -> None:
    (folder / "part.run").write_text("1 Q0 a 1 3 x\n")
    assert cranfield("fuse", "best.run", "part.run").status == 0
    ended = cranfield("fuse", "best.run", "part.run", "--missing", "error")
    assert ended.status == 1
    assert ended.err == "cranfield: error: part.run: 1 of the 2 topics of the runs is missing: 2 (--missing error)\n"


# ---- headroom


RUNS = ("best.run", "late.run", "none.run")


def test_headroom(folder: Path) -> None:
    found = json.loads(printed("fuse", "headroom", "qrels.txt", *RUNS, "-m", "AP", "-m", "RIC", "-f", "json"))
    expected = package.estimate_headroom(list(RUNS), "qrels.txt", ["AP", "RIC"])
    assert found["rows"] == expected.table.to_dict(orient="records")
    assert found["signature"]["joint"] == {"estimator": "logistic", "permutations": 20, "seed": 1}
    text = printed("fuse", "headroom", "qrels.txt", *RUNS, "-m", "AP")
    assert text.splitlines()[0].split() == ["kind", "name", "AP"]
    assert "information of 3 systems together, beyond chance: " in text
    assert ", estimator=logistic; with labels permuted " in text
    assert "best of 3 pairs fused by rrf: best and " in text


def test_headroom_pairs(folder: Path) -> None:
    arguments = ("--pairs", "--pair-method", "combsum", "--candidates", "2", "--permutations", "0", "-f", "tsv")
    found = table(printed("fuse", "headroom", "qrels.txt", *RUNS, "-m", "AP", *arguments))
    expected = package.estimate_headroom(
        list(RUNS), "qrels.txt", "AP", pair_method="combsum", candidates=2, permutations=0
    ).pairs
    assert [row["system"] for row in found] == expected["system"].tolist()
    assert [float(row["fused"]) for row in found] == expected["fused"].tolist()


def test_headroom_of_some_methods(folder: Path) -> None:
    found = table(printed("fuse", "headroom", "qrels.txt", *RUNS, "--method", "isr", "--method", "rbc", "-f", "tsv"))
    assert [row["name"] for row in found] == ["best", "mean", "isr", "rbc", "Naive", "Pareto", "Majoritarian"]
    assert list(found[0]) == ["kind", "name", "nDCG@10", "AP", "RIC", "SRIC"]
