"""``cranfield information``: the four commands, their formats and their refusals."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from command import cranfield, printed

import cranfield as package

QRELS = "1 0 a 2\n1 0 b 1\n1 0 c 0\n1 0 d 0\n1 0 e 1\n2 0 a 1\n2 0 b 0\n"
S1 = "1 Q0 c 1 5 x\n1 Q0 a 2 4 x\n1 Q0 u 3 3 x\n1 Q0 b 4 2 x\n2 Q0 a 1 1 x\n"
S2 = "1 Q0 a 1 3 y\n1 Q0 e 2 2 y\n1 Q0 c 3 1 y\n2 Q0 b 1 2 y\n2 Q0 a 2 1 y\n"
S3 = "1 Q0 b 1 3 z\n2 Q0 a 1 2 z\n"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("qrels.txt", QRELS), ("s1.run", S1), ("s2.run", S2), ("s3.run", S3)):
        (tmp_path / name).write_text(text)
    return tmp_path


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), delimiter="\t"))


ARGUMENTS = ("qrels.txt", "s1.run", "s2.run", "s3.run")


def test_ric(place: Path) -> None:
    found = table(printed("information", "ric", *ARGUMENTS, "-f", "tsv"))
    by_name = {row["system"]: row for row in found}
    scores = package.information.compute_ric([str(place / name) for name in ARGUMENTS[1:]], "qrels.txt")
    for name, row in by_name.items():
        own = scores.sel(system=name)
        assert float(row["RIC"]) == own["RIC"].mean().item()
        assert float(row["RIC_signed"]) == own["RIC_signed"].mean().item()
        assert [int(row[count]) for count in "CDZ"] == [own[count].sum().item() for count in "CDZ"]
    assert [float(row["RIC"]) for row in found] == sorted((float(row["RIC"]) for row in found), reverse=True)
    shown = printed("information", "ric", *ARGUMENTS)
    assert shown.splitlines()[0].split() == ["system", "RIC", "RIC_signed", "SRIC", "SRIC_signed", "C", "D", "Z"]
    assert "3 systems, 2 topics" in shown.splitlines()


def test_ric_by_topic_is_what_evaluate_gives(place: Path) -> None:
    found = table(printed("information", "ric", *ARGUMENTS, "-q", "-f", "tsv"))
    evaluated = table(
        printed(
            "evaluate", *ARGUMENTS, "-m", "RIC", "-m", "RIC(signed=True)", "-m", "SRIC", "-q", "-f", "tsv", "--summary"
        )
    )
    values = {(row["system"], row["topic"], row["measure"]): float(row["value"]) for row in evaluated}
    for row in found:
        assert float(row["SRIC"]) == pytest.approx(values[row["system"], row["topic"], "SRIC"], abs=1e-15)
        assert float(row["RIC"]) == pytest.approx(values[row["system"], row["topic"], "RIC"], abs=1e-15)
        signed = values[row["system"], row["topic"], "RIC(signed=True)"]
        assert float(row["RIC_signed"]) == pytest.approx(signed, abs=1e-15)
    assert len(found) == 6


def test_joint(place: Path) -> None:
    found = json.loads(printed("information", "joint", *ARGUMENTS, "-f", "json", "--permutations", "4", "--seed", "7"))
    expected = package.information.compute_joint_ric(list(ARGUMENTS[1:]), "qrels.txt", permutations=4, seed=7)
    assert found["rows"][0] == {
        "system": "all",
        "normalized": expected.normalized,
        "reachable": expected.reachable,
        "RIC": expected.value,
        "null": expected.null,
        "contribution": None,
    }
    assert [row["system"] for row in found["rows"][1:]] == ["s1", "s2", "s3"]
    assert found["signature"] == json.loads(json.dumps(expected.signature))
    assert found["signature"]["runs"][0]["sha256"]
    text = printed("information", "joint", *ARGUMENTS)
    assert "no system retrieves either document\nestimator=logistic, permutations=20, seed=1\n" in text
    assert text.splitlines()[2].split()[-1] == text.splitlines()[3].split()[1] == "none"
    assert "nan" not in text


def test_select(place: Path) -> None:
    found = table(printed("information", "select", *ARGUMENTS, "-n", "2", "--estimator", "logistic", "-f", "tsv"))
    expected = package.information.select_systems(
        list(ARGUMENTS[1:]), "qrels.txt", n_systems=2, estimator="logistic"
    ).steps
    assert [row["system"] for row in found] == expected["system"].tolist()
    assert [float(row["joint"]) for row in found] == expected["joint"].tolist()


def test_difference(place: Path) -> None:
    found = table(printed("information", "difference", *ARGUMENTS, "-f", "csv").replace(",", "\t"))
    expected = package.information.compute_information_difference(list(ARGUMENTS[1:]), "qrels.txt")
    assert [float(row["difference"]) for row in found] == expected.pairs()["difference"].tolist()
    assert len(table(printed("information", "difference", *ARGUMENTS, "--limit", "1", "-f", "tsv"))) == 1
    assert "3 systems; 3 pairs" in printed("information", "difference", *ARGUMENTS)
    assert "differences in bits, from 0 (the same information) to 2; of these pairs " in printed(
        "information", "difference", *ARGUMENTS
    )
    assert "name more runs to see where" in printed("information", "difference", *ARGUMENTS[:3])
    few = printed("information", "difference", *ARGUMENTS, "--limit", "2")
    assert "2 of 3 pairs, the closest first; --limit 0 shows all\n3 systems; 3 pairs\n" in few


def test_difference_families_and_map(place: Path) -> None:
    (place / "again.run").write_text(S2)
    runs = (*ARGUMENTS, "again.run")
    families = table(printed("information", "difference", *runs, "--families", "0.01", "-f", "tsv"))
    assert families == [{"family": "1", "system": "s2"}, {"family": "1", "system": "again"}]
    points = table(printed("information", "difference", *runs, "--map", "-f", "tsv"))
    assert [row["system"] for row in points] == ["s1", "s2", "s3", "again"]
    assert float(points[1]["axis1"]) == pytest.approx(float(points[3]["axis1"]))


def test_options_of_an_experiment(place: Path) -> None:
    (place / "prefs.txt").write_text("1 a e\n1 e b\n")
    options = {
        ("--rel", "2"): {"rel": 2.0},
        ("--cutoff", "2"): {"cutoff": 2},
        ("--pair-weight", "geometric", "-p", "0.5"): {"pair_weight": "geometric", "p": 0.5},
        ("--ties", "docid"): {"ties": "docid"},
    }
    for arguments, keywords in options.items():
        found = table(printed("information", "ric", *ARGUMENTS, *arguments, "-f", "tsv", "-q"))
        scores = package.information.compute_ric(list(ARGUMENTS[1:]), "qrels.txt", **keywords)
        for row in found:
            expected = scores["RIC"].sel(system=row["system"], topic=row["topic"]).item()
            assert float(row["RIC"]) == expected, arguments
    found = table(
        printed(
            "information", "ric", *ARGUMENTS, "--preferences", "prefs.txt", "--reference-ranking", "s3.run", "-f", "tsv"
        )
    )
    sources = (
        package.read_qrels("qrels.txt"),
        package.io.read_preferences("prefs.txt"),
        package.read_run("s3.run"),
    )
    expected = package.information.compute_ric(list(ARGUMENTS[1:]), package.information.Evidence(*sources))["RIC"].mean(
        "topic"
    )
    assert {row["system"]: float(row["RIC"]) for row in found} == expected.to_series().to_dict()


def test_tau(place: Path) -> None:
    arguments = (*ARGUMENTS, "-m", "AP", "-m", "nDCG", "-m", "RR", "--given", "P@1", "--given", "RIC")
    found = table(printed("information", "tau", *arguments, "-f", "tsv", "--resamples", "50"))
    scores = package.evaluate(list(ARGUMENTS[1:]), "qrels.txt", ["AP", "nDCG", "RR", "P@1", "RIC"])
    assert len(found) == 3 * 4
    assert [row["given"] for row in found[:4]] == ["", "P@1", "RIC", "P@1, RIC"]
    for row in found:
        known = [scores[name] for name in row["given"].split(", ") if name]
        universe = [scores["P@1"], scores["RIC"]]
        expected = package.information.compute_information_tau(
            scores[row["measure"]], scores[row["other"]], known, universe=universe, resamples=50
        )
        assert [row["information_tau"], row["low"], row["high"]] == [
            str(expected.value),
            str(expected.low),
            str(expected.high),
        ]
        assert int(row["topics"]) == int(expected.topics.notnull().sum())


def test_tau_of_score_files(place: Path) -> None:
    (place / "one.csv").write_text("topic,a,b,c,d\n1,4,3,2,1\n2,4,3,2,1\n")
    (place / "two.csv").write_text("topic,a,b,c,d\n1,4,3,1,2\n2,4,3,1,2\n")
    (place / "three.csv").write_text("topic,a,b,c,d\n1,4,2,3,1\n2,4,2,3,1\n")
    files = [word for name in ("one", "two", "three") for word in ("--scores", f"{name}.csv")]
    found = table(printed("information", "tau", *files, "--given", "three", "--tau-ties", "drop", "-f", "tsv"))
    assert [(row["measure"], row["other"], row["given"]) for row in found] == [
        ("one", "two", ""),
        ("one", "two", "three"),
    ]
    assert [float(row["information_tau"]) for row in found] == pytest.approx([0.349978, 0.316689], abs=5e-7)
    chosen = table(printed("information", "tau", *files, "-m", "one", "-m", "three", "-f", "tsv"))
    assert [(row["measure"], row["other"]) for row in chosen] == [("one", "three")]


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["ric", "qrels.txt"], 2, "Missing argument 'RUN...'"),
        (["ric"], 2, "Missing argument 'QRELS'"),
        (["ric", "nothing.txt", "s1.run"], 1, "nothing.txt"),
        (["ric", *ARGUMENTS, "--ties", "expected"], 2, "which --ties expected leaves open"),
        (["ric", *ARGUMENTS, "-p", "2", "--pair-weight", "geometric"], 2, "-p 2.0 should lie between 0 and 1"),
        (["ric", *ARGUMENTS, "--preferences", "qrels.txt"], 1, "qrels.txt:1: '1 0 a 2' is not three fields"),
        (["select", *ARGUMENTS, "-n", "9"], 2, "--n-systems 9 should lie between 1 and 3"),
        (["joint", *ARGUMENTS, "--preferences", "p.txt", "--estimator", "logistic"], 2, "is for one source"),
        (["difference", "qrels.txt", "s1.run"], 2, "needs two runs or more"),
        (["difference", *ARGUMENTS, "--map", "--limit", "3"], 2, "this table has none: leave --map out"),
        (["difference", *ARGUMENTS, "--families", "0"], 2, "--families 0.0 should be a number above 0"),
        (["tau", *ARGUMENTS, "-m", "AP"], 2, "name two or more with --measure"),
        (["tau", *ARGUMENTS, "-m", "AP", "-m", "RR", "--level", "2"], 2, "--level 2.0 should lie"),
        (["tau", *ARGUMENTS, "-m", "AP", "-m", "RR", "--given", "nope"], 2, "nope"),
        (["ric", *ARGUMENTS, "-o", "no/folder.tsv"], 1, "there is no such folder"),
    ],
)
def test_refusals(place: Path, arguments: list[str], status: int, message: str) -> None:
    (place / "p.txt").write_text("1 a e\n")
    ended = cranfield("information", *arguments)
    assert (ended.status, ended.out) == (status, "")
    assert message in ended.err
    assert "Traceback" not in ended.err


def test_what_is_written_goes_to_the_file(place: Path) -> None:
    assert printed("information", "joint", *ARGUMENTS, "-o", "joint.txt") == ""
    assert (place / "joint.txt").read_text() == printed("information", "joint", *ARGUMENTS)
