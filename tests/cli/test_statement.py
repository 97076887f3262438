"""``--statement``: what the in-toto statements of pages and verdicts name, and where they are refused."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from command import Ended, cranfield, printed

import cranfield as package
from cranfield.comparison import gate as gate_scores
from cranfield.errors import UsageError
from cranfield.results import NamedFile

TEST_RESULT = "https://in-toto.io/attestation/test-result/v0.1"
TOPICS = [str(topic) for topic in range(1, 11)]
POLICIES = {"ties": "trec", "missing": "empty", "unjudged": "zero", "on_duplicate": "error"}


@pytest.fixture(autouse=True)
def collection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Ten topics: a good run, its copy with another tag, one that loses everywhere, one that loses on one topic."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text("".join(f"{topic} 0 a 1\n{topic} 0 b 0\n" for topic in TOPICS))
    good = [f"{topic} Q0 a 1 3 x\n" for topic in TOPICS]
    (tmp_path / "main.run").write_text("".join(good))
    (tmp_path / "same.run").write_text("".join(good).replace(" x\n", " y\n"))
    below = "".join(f"{topic} Q0 b 1 3 x\n{topic} Q0 a 2 2 x\n" for topic in TOPICS[:-1])
    (tmp_path / "bad.run").write_text(below + "10 Q0 b 1 3 x\n10 Q0 v 2 2 x\n10 Q0 a 3 1 x\n")
    (tmp_path / "shaky.run").write_text("".join(good[:-1]) + "10 Q0 b 1 3 x\n10 Q0 a 2 2 x\n")
    (tmp_path / "groups.txt").write_text("".join(f"{topic} {'ab'[int(topic) % 2]}\n" for topic in TOPICS))
    return tmp_path


def sha256(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def read(path: str = "s.json") -> dict[str, Any]:
    statement: dict[str, Any] = json.loads(Path(path).read_text())
    assert list(statement) == ["_type", "subject", "predicateType", "predicate"]
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    return statement


def subjects(statement: dict[str, Any]) -> dict[str, str]:
    """Name of each subject -> its hash."""
    return {subject["name"]: subject["digest"]["sha256"] for subject in statement["subject"]}


def evaluation(statement: dict[str, Any]) -> dict[str, Any]:
    """Our part of a predicate."""
    predicate = statement["predicate"]
    found: dict[str, Any] = predicate.get("cranfield_evaluation", predicate)
    assert found["cranfield"] == package.__version__
    return found


def inputs(statement: dict[str, Any]) -> list[tuple[str, str]]:
    """Role and hash of each input."""
    return [(file["annotations"]["role"], file["digest"]["sha256"]) for file in evaluation(statement)["inputs"]]


def state_page(*arguments: str) -> dict[str, Any]:
    ended = cranfield("report", *arguments, "--statement", "s.json")
    assert ended.status == 0, ended.err
    return read()


def state_gate(*arguments: str) -> tuple[Ended, dict[str, Any]]:
    ended = cranfield("gate", *arguments, "--statement", "s.json")
    assert Path("s.json").exists(), ended.err
    return ended, read()


def outcome(statement: dict[str, Any]) -> tuple[str, list[str], list[str], list[str]]:
    predicate = statement["predicate"]
    assert statement["predicateType"] == TEST_RESULT
    return predicate["result"], *(predicate[f"{kind}Tests"] for kind in ("passed", "warned", "failed"))


def test_a_page_and_its_inputs() -> None:
    statement = state_page("qrels.txt", "main.run", "bad.run", "-m", "AP", "-o", "page.html")
    assert subjects(statement) == {"page.html": sha256("page.html")}
    assert statement["predicateType"].endswith("/statements/report/v0.1")
    found = evaluation(statement)
    assert inputs(statement) == [
        ("qrels", sha256("qrels.txt")),
        ("run", sha256("main.run")),
        ("run", sha256("bad.run")),
    ]
    assert (found["measures"][0], found["settings"]) == ("AP", {"max_rel": 1.0, "seed": 1})
    assert POLICIES.items() <= found["policies"].items()
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', Path("page.html").read_text())
    assert data is not None
    assert json.loads(json.loads(data[1])["signature"]) == found["signature"], "as it is inside"


def test_every_file_that_a_page_is_made_from() -> None:
    printed("protocol", "init", "evaluate", "qrels.txt", "main.run", "-m", "AP", "-o", "p.toml")
    Path("other.txt").write_text(Path("qrels.txt").read_text() + "1 0 c 1\n")
    Path("runs.tsv").write_text("system\tteam\nmain\tus\nbad\tthem\n")
    Path("topics.tsv").write_text("".join(f"{topic}\ttext {topic}\n" for topic in TOPICS))
    options = ("--judge", "other.txt", "--runs", "runs.tsv", "--topics", "topics.tsv", "--topic-groups", "groups.txt")
    ended = cranfield(
        *("report", "--protocol", "p.toml", "main.run", "bad.run", *options, "-o", "page.html.gz"),
        *("--statement", "s.json"),
    )
    assert ended.status == 0, ended.err
    named = {
        "qrels": "qrels.txt",
        "topic groups": "groups.txt",
        "judge": "other.txt",
        "descriptions of runs": "runs.tsv",
        "topics": "topics.tsv",
        "protocol": "p.toml",
    }
    found = inputs(read())
    assert {(role, sha256(path)) for role, path in named.items()} <= set(found)
    assert len(found) == len(named) + 2, "and two runs"
    assert subjects(read()) == {"page.html.gz": sha256("page.html.gz")}, "the bytes of the file, compressed"
    assert gzip.decompress(Path("page.html.gz").read_bytes()).startswith(b"<!doctype html>")


def test_a_sheet_names_no_run_of_another_team() -> None:
    Path("runs.tsv").write_text("system\tteam\nmain\tus\nbad\tthem\n")
    arguments = ("qrels.txt", "main.run", "bad.run", "--runs", "runs.tsv")
    state_page(*arguments, "--participant", "us", "-o", "us.html")
    assert sha256("bad.run") not in Path("s.json").read_text()
    refused = cranfield("report", *arguments, "--participants", "sheets", "--statement", "other.json")
    assert (refused.status, refused.err) == (2, "cranfield: error: --statement is about the page: name it with -o\n")
    assert not Path("sheets").exists()


def test_a_page_of_scores() -> None:
    printed("evaluate", "qrels.txt", "main.run", "bad.run", "-m", "AP", "-q", "-o", "scores.csv")
    statement = state_page("--scores", "scores.csv", "-o", "page.html")
    assert inputs(statement) == [("scores", sha256("scores.csv"))]
    assert evaluation(statement)["policies"] == {}, "nobody has checked what a file of scores says of itself"


@pytest.mark.parametrize(
    ("arguments", "status", "expected"),
    [
        (("same.run",), 0, ("PASSED", ["AP of same"], [], [])),
        (("bad.run",), 3, ("FAILED", [], [], ["AP of bad"])),
        (("same.run", "bad.run"), 3, ("FAILED", ["AP of same"], [], ["AP of bad"])),
        (("shaky.run",), 4, ("FAILED", [], [], ["AP of shaky"])),
        (("shaky.run", "--cannot-tell", "fail"), 3, ("FAILED", [], [], ["AP of shaky"])),
        (("shaky.run", "--cannot-tell", "pass"), 0, ("WARNED", [], ["AP of shaky"], [])),
    ],
    ids=str,
)
def test_a_verdict(arguments: tuple[str, ...], status: int, expected: tuple[object, ...]) -> None:
    ended, statement = state_gate("qrels.txt", "main.run", *arguments, "-m", "AP")
    assert (ended.status, outcome(statement)) == (status, expected)
    runs = [name for name in arguments if name.endswith(".run")]
    assert subjects(statement) == {name.removesuffix(".run"): sha256(name) for name in runs}
    others = [("qrels", sha256("qrels.txt")), ("baseline", sha256("main.run"))]
    assert inputs(statement) == [*others, *(("run", sha256(name)) for name in runs)]
    stated = statement["predicate"]["configuration"]
    assert [(file["annotations"]["role"], file["digest"]["sha256"]) for file in stated] == others
    found = evaluation(statement)
    assert (found["measures"], found["settings"]["margin"]) == (["AP"], {"AP": 0.01})
    assert POLICIES.items() <= found["policies"].items()
    printed_json = json.loads(cranfield("gate", "qrels.txt", "main.run", *arguments, "-m", "AP", "-f", "json").out)
    assert found["signature"] == printed_json["signature"]


def test_a_verdict_against_stored_scores() -> None:
    printed("evaluate", "qrels.txt", "main.run", "-m", "AP", "-q", "-f", "json", "-o", "main.json")
    printed("protocol", "init", "evaluate", "qrels.txt", "main.run", "-m", "AP", "-o", "p.toml")
    _, statement = state_gate("--protocol", "p.toml", "same.run", "--against", "main.json")
    assert subjects(statement) == {"same": sha256("same.run")}
    assert set(inputs(statement)) == {
        ("qrels", sha256("qrels.txt")),
        ("run", sha256("same.run")),
        ("baseline", sha256("main.json")),
        ("protocol", sha256("p.toml")),
    }


def test_a_verdict_on_files_of_scores() -> None:
    printed("evaluate", "qrels.txt", "main.run", "same.run", "-m", "AP", "-q", "-o", "scores.csv")
    _, statement = state_gate("--scores", "scores.csv")
    assert subjects(statement) == {"scores.csv": sha256("scores.csv")}
    assert statement["predicate"]["configuration"] == []


# Five equal losses have p 1/32 by their signs, which Holm doubles for two groups.
@pytest.mark.parametrize("across", [(), ("--across-groups", "holm", "--alpha", "0.1")], ids=str)
def test_groups_of_topics_share_a_statement(across: tuple[str, ...]) -> None:
    ended, statement = state_gate(
        "qrels.txt", "main.run", "bad.run", "-m", "AP", "--topic-groups", "groups.txt", *across
    )
    assert ended.status == 3
    assert outcome(statement) == ("FAILED", [], [], ["AP of bad in b", "AP of bad in a"])
    assert ("topic groups", sha256("groups.txt")) in inputs(statement)
    assert list(evaluation(statement)["signature"]) == ["cranfield", "topic_groups", "groups"]
    ended, statement = state_gate(
        "qrels.txt", "main.run", "same.run", "-m", "AP", "--topic-groups", "groups.txt", *across
    )
    assert (ended.status, statement["predicate"]["result"]) == (0, "PASSED")


def test_runs_of_the_baseline_are_not_judged() -> None:
    """Of systems with several runs, those of the new systems are the subjects."""
    Path("seeds.txt").write_text("main old\nshaky old\nsame new\nbad new\n")
    runs = ("main.run", "same.run", "shaky.run", "bad.run")
    _, statement = state_gate("qrels.txt", *runs, "-m", "AP", "--replicates", "seeds.txt")
    assert subjects(statement) == {"same": sha256("same.run"), "bad": sha256("bad.run")}
    assert {("baseline", sha256("main.run")), ("baseline", sha256("shaky.run"))} <= set(inputs(statement))
    assert ("replicates", sha256("seeds.txt")) in inputs(statement)


def test_estimated_labels_have_their_policies() -> None:
    ended, statement = state_gate("qrels.txt", "main.run", "bad.run", "-m", "P@2", "--unjudged", "estimate")
    assert subjects(statement) == {"bad": sha256("bad.run")}, ended.err
    assert ("qrels", sha256("qrels.txt")) in inputs(statement)
    found = evaluation(statement)
    assert (found["policies"]["ties"], found["settings"]["holes"]["seed"]) == ("trec", 1)
    fitted = package.estimate_holes(["main.run", "bad.run"], "qrels.txt", depth=2)
    Path("python.json").write_text(fitted.gate("main", "P@2").to_statement())
    python = read("python.json")
    assert subjects(python) == subjects(statement)
    assert {**evaluation(python), "inputs": []} == {**found, "inputs": []}


def test_a_run_that_was_left_out_is_a_failure() -> None:
    Path("broken.run").write_text("1 Q0\n")
    ended, statement = state_gate("qrels.txt", "main.run", "same.run", "broken.run", "-m", "AP", "--keep-going")
    assert ended.status == 5
    assert outcome(statement) == ("FAILED", ["AP of same"], [], ["broken"])
    assert subjects(statement) == {"same": sha256("same.run")}


@pytest.mark.parametrize("changed", ["qrels.txt", "main.run", "same.run"])
def test_the_same_inputs_give_the_same_bytes(changed: str) -> None:
    state_gate("qrels.txt", "main.run", "same.run", "-m", "AP")
    before = Path("s.json").read_bytes()
    state_gate("qrels.txt", "main.run", "same.run", "-m", "AP")
    assert Path("s.json").read_bytes() == before
    old = sha256(changed)
    Path(changed).write_bytes(Path(changed).read_bytes()[:-1] + b" \n")
    state_gate("qrels.txt", "main.run", "same.run", "-m", "AP")
    after = Path("s.json").read_text()
    assert (old in before.decode(), old in after, sha256(changed) in after) == (True, False, True)


def test_engines_state_the_same(compiled: Any, reference: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """But for the name of the engine, which the signature has."""
    stated = []
    for each in (compiled, reference):
        monkeypatch.setattr("cranfield.engine.current", lambda each=each: each)
        state_gate("qrels.txt", "main.run", "bad.run", "-m", "AP")
        stated.append(Path("s.json").read_text())
    assert stated[0] != stated[1].replace('"engine": "reference"', "")
    assert stated[0] == stated[1].replace('"engine": "reference"', '"engine": "compiled"')


def test_standard_output() -> None:
    out = printed("gate", "qrels.txt", "main.run", "same.run", "--statement", "-", "-o", "verdict.txt")
    assert json.loads(out)["predicateType"] == TEST_RESULT
    runs = ("qrels.txt", "main.run", "bad.run", "-m", "AP")
    out = cranfield("report", *runs, "-o", "p.html", "--statement", "-").out
    assert subjects(json.loads(out)) == {"p.html": sha256("p.html")}
    assert "name" not in state_page(*runs, "-o", "-")["subject"][0], "a page without a file"


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("qrels.txt", 1, "qrels.txt: cannot be written: this command reads it; name another file"),
        ("main.run", 1, "main.run: cannot be written: this command reads it; name another file"),
        ("none/s.json", 1, "none/s.json: cannot be written: there is no such folder"),
        (".", 1, ".: cannot be written: it is a folder"),
        ("out.html", 1, "out.html: cannot be written: two outputs would go there; name another file"),
        ("", 1, "'': cannot be written: the name is empty"),
    ],
)
def test_refused(path: str, status: int, said: str, collection: Path) -> None:
    before = {file: file.read_bytes() for file in collection.iterdir()}
    for command in ("gate", "report"):
        ended = cranfield(command, "qrels.txt", "main.run", "bad.run", "-o", "out.html", "--statement", path)
        if command == "report":
            assert (ended.status, ended.out, ended.err) == (status, "", f"cranfield: error: {said}\n")
        assert ended.status in (status, 2)
        assert {file: file.read_bytes() for file in collection.iterdir()} == before


@pytest.mark.parametrize("command", [("gate",), ("report", "-o", "-")], ids=str)
def test_two_outputs_on_standard_output_are_refused(command: tuple[str, ...]) -> None:
    ended = cranfield(*command, "qrels.txt", "main.run", "bad.run", "--statement", "-")
    said = "--statement - and the output of this command would both go to standard output: name a file"
    assert (ended.status, ended.out, ended.err) == (2, "", f"cranfield: error: {said}\n")


def test_nothing_is_stated_of_what_is_refused() -> None:
    ended = cranfield("gate", "qrels.txt", "main.run", "none.run", "--statement", "s.json")
    assert ended.status == 1
    assert not Path("s.json").exists()


def test_in_python() -> None:
    page = package.report(["main.run", "bad.run"], "qrels.txt", "AP", sections="topics")
    page.write("page.html.gz")
    Path("s.json").write_text(page.to_statement("page.html.gz", [NamedFile.read("topics", "groups.txt")]))
    assert subjects(read()) == {"page.html.gz": sha256("page.html.gz")}
    assert inputs(read())[-1] == ("topics", sha256("groups.txt"))
    scores = package.evaluate(["main.run", "same.run"], "qrels.txt", ["AP"])
    Path("python.json").write_text(gate_scores(scores).to_statement())
    state_gate("qrels.txt", "main.run", "same.run", "-m", "AP")
    assert read("python.json") == read()
    with pytest.raises(UsageError, match="cannot_tell='maybe' is not one of None, fail, pass"):
        gate_scores(scores).to_statement("maybe")  # type: ignore[arg-type]
    frame = scores["AP"].to_pandas()
    with pytest.raises(UsageError, match="these scores have none: they come from memory"):
        gate_scores(frame).to_statement()


@pytest.mark.parametrize(
    "call",
    [
        ("qrels.txt", "main.run", "broken.run"),
        ("qrels.txt", "main.run"),
        ("qrels.txt", "main.run", "same.run", "--margin", "0"),
        ("qrels.txt", "same.run", "--against", "nothing.json"),
        ("qrels.txt", "main.run", "same.run", "--topic-groups", "nothing.txt"),
        ("qrels.txt", "main.run", "same.run", "--unjudged", "estimate"),
    ],
    ids=str,
)
def test_a_gate_that_is_refused_leaves_no_earlier_verdict(call: tuple[str, ...]) -> None:
    """A step that always runs would sign it."""
    Path("broken.run").write_text("1 Q0 a\n")
    Path("link.json").symlink_to("s.json")
    for named in ("s.json", "link.json"):
        first = cranfield("gate", "qrels.txt", "main.run", "same.run", "--statement", named, "-o", "v.txt")
        assert (first.status, read()["predicate"]["result"]) == (0, "PASSED")
        ended = cranfield("gate", *call, "--statement", named, "-o", "v.txt")
        assert ended.status in (1, 2), ended.err
        assert not Path("s.json").exists() and not Path("v.txt").exists()
        assert Path("link.json").is_symlink()


def test_an_output_that_is_an_input_is_refused_and_stays() -> None:
    kept = Path("qrels.txt").read_bytes()
    for how in (("--statement", "qrels.txt"), ("-o", "qrels.txt"), ("--statement", "main.run")):
        assert cranfield("gate", "qrels.txt", "main.run", "same.run", *how).status == 1
    assert Path("qrels.txt").read_bytes() == kept and Path("main.run").exists()


def test_runs_that_made_the_pool_are_contributors() -> None:
    printed("simulate", "runs", "--n-systems", "7", "--n-topics", "20", "--output", "made")
    runs = [f"made/runs/system{number}.run" for number in range(1, 8)]
    more = [word for run in runs[2:] for word in ("--contributors", run)]
    ended, statement = state_gate("made/qrels.txt", *runs[:2], "--unjudged", "estimate", "--draws", "200", *more)
    assert ended.status in (0, 3, 4), ended.err
    assert subjects(statement) == {"system2": sha256(runs[1])}
    by_role = {role: {digest for found, digest in inputs(statement) if found == role} for role, _ in inputs(statement)}
    assert by_role["baseline"] == {sha256(runs[0])}
    assert by_role["contributor"] == set(map(sha256, runs[2:]))
    assert by_role["run"] == {sha256(runs[1])}
