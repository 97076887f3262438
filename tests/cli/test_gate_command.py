"""``cranfield gate``: exit statuses, stored baselines, and the formats that CI systems read."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from command import Ended, cranfield, printed

from cranfield.escaping import markdown

TOPICS = [str(topic) for topic in range(1, 11)]
BELOW = [f"{topic} Q0 u{topic} 1 3 x\n{topic} Q0 a 2 2 x\n" for topic in TOPICS[:-1]]
SHIFTED = "".join(BELOW) + "10 Q0 u10 1 3 x\n10 Q0 v 2 2 x\n10 Q0 a 3 1 x\n"


@pytest.fixture(autouse=True)
def collection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Ten topics: a good run, one that loses on every topic and most on the last, one that loses on that alone."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text("".join(f"{topic} 0 a 1\n{topic} 0 b 0\n" for topic in TOPICS))
    good = [f"{topic} Q0 a 1 3 x\n" for topic in TOPICS]
    (tmp_path / "main.run").write_text("".join(good))
    (tmp_path / "bad.run").write_text(SHIFTED)
    (tmp_path / "shaky.run").write_text("".join(good[:-1]) + "10 Q0 b 1 3 x\n10 Q0 a 2 2 x\n")
    return tmp_path


def gate(*arguments: str) -> Ended:
    return cranfield("gate", *arguments)


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("main.run", "./main.run"), 1, "given twice"),
        (("main.run", "bad.run"), 3, "regression: bad compared with main"),
        (("bad.run", "main.run"), 0, "no regression: 1 system compared with bad"),
        (("main.run", "shaky.run"), 4, "cannot tell: shaky compared with main"),
        (("main.run", "shaky.run", "--cannot-tell", "pass"), 0, "cannot tell: shaky compared with main"),
        (("main.run", "shaky.run", "--cannot-tell", "fail"), 3, "cannot tell: shaky compared with main"),
        (("main.run", "shaky.run", "--margin", "0.5"), 0, "no regression"),
        (("main.run", "shaky.run", "--margin", "0.5", "--worst-topic", "0.3"), 3, "topic 10 loses 0.3691, more than"),
        (("main.run", "shaky.run", "bad.run"), 3, "regression: 1 of 2 systems compared with main"),
        (("bad.run", "main.run", "shaky.run", "--baseline", "main"), 3, "regression: 1 of 2 systems"),
        (("main.run", "shaky.run", "-m", "AP", "-m", "RR", "--margin", "RR=1", "--margin", "AP=2"), 0, "no regression"),
        (("main.run",), 2, "a gate needs judgments, a baseline and a new run: QRELS BASELINE NEW..., or "),
        (("main.run", "bad.run", "--margin", "0"), 2, "--margin 0.0 should be a number above 0"),
        (("main.run", "bad.run", "--ties", "bounds"), 2, "--ties bounds gives a range"),
    ],
    ids=str,
)  # fmt: skip
def test_exit_statuses(arguments: tuple[str, ...], status: int, said: str) -> None:
    ended = gate("qrels.txt", *arguments)
    assert ended.status == status, ended.err
    assert said in ended.out + ended.err


VAIN = "the margin of nDCG@10 is {}, and its values lie between 0 and 1: no mean loses more, so that none can be a "


@pytest.mark.parametrize(("margin", "warned"), [("5", True), ("1", True), ("0.99", False), ("nDCG@10=1", True)])
def test_a_margin_that_nothing_can_lose(margin: str, warned: bool) -> None:
    ended = gate("qrels.txt", "main.run", "bad.run", "--margin", margin)
    assert ended.status == 0, "it is the margin that was asked for"
    assert (VAIN.format(margin.removeprefix("nDCG@10=")) in ended.err) == warned


def test_a_margin_of_scores_on_another_scale() -> None:
    """Percentages of nDCG@10, and a measure that nobody knows."""
    Path("scores.csv").write_text("topic,main,new\n1,50,49\n2,60,59.5\n3,55,54\n")
    assert gate("--scores", "scores.csv", "--margin", "5").err == ""
    rows = "".join(f"{system} {topic} nDCG@10 {40 + topic}\n" for system in ("main", "new") for topic in range(5))
    Path("percent.txt").write_text(rows)
    ended = gate("--scores", "percent.txt", "--margin", "5")
    assert (ended.status, "its values lie between" in ended.err) == (0, False), ended.err


def test_a_glob_is_as_many_runs_as_it_stands_for() -> None:
    """As in other commands, and as where the shell opens it."""
    alike = gate("qrels.txt", "bad.run", "main.run", "shaky.run", "--baseline", "main")
    assert gate("qrels.txt", "*.run", "--baseline", "main") == alike
    assert gate("qrels.txt", "[bm]a*.run").status == 0, "the first of them is the baseline"
    assert "a gate needs judgments, a baseline and a new run: " in gate("qrels.txt", "m*.run").err
    nothing = gate("qrels.txt", "x*.run")
    assert (nothing.status, nothing.err) == (1, "cranfield: error: x*.run: no file matches\n")


def test_from_a_stored_baseline() -> None:
    printed("evaluate", "qrels.txt", "main.run", "-q", "-m", "nDCG@10,AP", "-f", "json", "-o", "main.json")
    assert gate("qrels.txt", "bad.run", "--against", "main.json").status == 3
    assert gate("qrels.txt", "main.run", "--against", "main.json", "-m", "nDCG@10,AP").status == 0
    ended = gate("qrels.txt", "bad.run", "--against", "main.json", "-m", "RR")
    assert (ended.status, ended.out) == (1, "")
    assert "the stored baseline holds no scores by RR, but by nDCG@10, AP" in ended.err
    Path("qrels.txt").write_text(Path("qrels.txt").read_text() + "1 0 c 1\n")
    ended = gate("qrels.txt", "main.run", "--against", "main.json")
    assert (ended.status, ended.out) == (1, "")
    assert "the stored baseline was scored otherwise than the new runs: qrels ('qrels' with SHA-256 " in ended.err


def test_a_stored_baseline_of_other_measures_names_the_option() -> None:
    printed("evaluate", "qrels.txt", "main.run", "-q", "-f", "json", "-m", "RR", "-o", "main.json")
    assert "choose one of these with --measure, or" in gate("qrels.txt", "bad.run", "--against", "main.json").err


def test_a_baseline_without_topics_is_refused() -> None:
    printed("evaluate", "qrels.txt", "main.run", "-f", "json", "-o", "main.json")
    ended = gate("qrels.txt", "bad.run", "--against", "main.json")
    assert (ended.status, ended.out) == (1, "")
    assert "write scores with --by-topic" in ended.err


def test_two_score_files_of_one_measure_are_two_systems() -> None:
    for name in ("main", "bad"):
        Path(name).mkdir()
        Path(name, "bm25.run").write_text(Path(f"{name}.run").read_text())
        printed("evaluate", "qrels.txt", f"{name}/bm25.run", "-q", "-m", "nDCG@10", "-f", "tsv", "-o", f"{name}.tsv")
    files = ("--scores", "main.tsv", "--scores", "bad.tsv")
    assert gate(*files).status == 3
    rows = json.loads(cranfield("compare", *files, "-f", "json").out)["rows"]
    assert [(row["system"], row["other"]) for row in rows] == [("main/bm25", "bad/bm25")]


def test_json_names_the_worst_topics() -> None:
    whole = json.loads(gate("qrels.txt", "main.run", "shaky.run", "-f", "json").out)
    (row,) = whole["rows"]
    assert row["verdict"] == "cannot tell"
    (topic,) = row["worst_topics"]
    assert (topic["topic"], topic["score_baseline"]) == ("10", 1.0)
    assert whole["signature"]["settings"]["margin"] == {"nDCG@10": 0.01}


def test_compare_says_on_how_many_topics() -> None:
    rows = "".join(f"t{number},{'.5' if number < 5 else ''},.5\n" for number in range(30))
    Path("holes.csv").write_text(f"topic,base,new\n{rows}")
    ended = cranfield("compare", "--scores", "holes.csv")
    assert "holes, 5 of 30 topics, larger is better, as nothing says otherwise: 0 of 1 pair significant" in ended.out
    assert "'base' and 'new' have the same scores on every topic that both have" in " ".join(ended.err.split())
    Path("holes.csv").write_text(
        "topic,a,b,c\n" + "".join(f"t{n},.{n},.5,{f'.{n}2' if n < 4 else ''}\n" for n in range(9))
    )
    assert "holes, 4 to 9 of 9 topics, " in cranfield("compare", "--scores", "holes.csv").out


def test_a_baseline_that_was_cut_passes_nothing() -> None:
    """Where the stored scores lack the topics on which the new run loses, nobody knows whether it does."""
    cranfield("evaluate", "qrels.txt", "main.run", "--by-topic", "-f", "json", "-o", "main.json")
    stored = json.loads(Path("main.json").read_text())
    kept = [row for row in stored["rows"] if row["topic"] in ("1", "2", "3", "all")]
    assert len(kept) < len(stored["rows"])
    Path("cut.json").write_text(json.dumps(unsealed(stored) | {"rows": kept}))
    for options, status in (((), 4), (("--cannot-tell", "pass"), 4), (("--cannot-tell", "fail"), 3)):
        ended = gate("qrels.txt", "shaky.run", "--against", "cut.json", "-m", "nDCG@10", *options)
        assert ended.status == status, ended.out + ended.err
        assert "the baseline has no score on 7 topics (4, 5, 6, 7, 8, ...)" in ended.out
    rows = json.loads(gate("qrels.txt", "shaky.run", "--against", "cut.json", "-f", "json").out)["rows"]
    assert [(row["topics"], row["missing"], row["missing_baseline"]) for row in rows] == [(3, 0, 7)]
    found = ElementTree.fromstring(
        gate("qrels.txt", "shaky.run", "--against", "cut.json", "--cannot-tell", "pass", "-f", "junit").out
    ).find("testsuite")
    assert found is not None and found.get("errors") == "1"


def unsealed(stored: dict[str, Any]) -> dict[str, Any]:
    """What an earlier version stored."""
    return {key: value for key, value in stored.items() if key != "seal"}


def altered(stored: dict[str, Any], how: str) -> dict[str, Any]:
    """A stored baseline after somebody changed it, in the range of the measure."""
    rows, signature = [dict(row) for row in stored["rows"]], dict(stored["signature"])
    if how == "a value":
        rows[0]["value"] = 0.25
    elif how == "a summary":
        rows[-1]["value"] = 0.25
    elif how == "the measures":
        signature["measures"] = ["AP"]
    elif how == "a topic less":
        del rows[0]
    elif how == "the seal":
        return stored | {"seal": "0" * 64}
    elif how == "a seal that is none":
        return stored | {"seal": 7}
    return stored | {"rows": rows, "signature": signature}


@pytest.mark.parametrize(
    "how", ["a value", "a summary", "the measures", "a topic less", "the seal", "a seal that is none"]
)
def test_a_stored_baseline_that_was_altered_is_refused(how: str) -> None:
    cranfield("evaluate", "qrels.txt", "main.run", "--by-topic", "-f", "json", "-m", "AP,RR", "-o", "main.json")
    stored = json.loads(Path("main.json").read_text())
    Path("altered.json").write_text(json.dumps(altered(stored, how)))
    for command in (
        ("gate", "qrels.txt", "bad.run", "--against", "altered.json"),
        ("audit", "--scores", "altered.json"),
    ):
        ended = cranfield(*command, "-m", "AP")
        assert (ended.status, ended.out) == (1, "")
        assert "altered.json: was changed since it was written: its seal" in ended.err
    Path("altered.json").write_text(json.dumps(altered(unsealed(stored), "")))
    ended = gate("qrels.txt", "bad.run", "--against", "altered.json", "-m", "AP")
    assert ended.status == 3
    assert "the stored baseline altered.json has no seal, so that nobody can tell whether" in ended.err


@pytest.mark.parametrize("measures", ["AP,RR", "nDCG@10"])
def test_a_seal_survives_another_layout_of_the_same_values(measures: str) -> None:
    cranfield("evaluate", "qrels.txt", "main.run", "bad.run", "-q", "-f", "json", "-m", measures, "-o", "main.json")
    stored = json.loads(
        Path("main.json").read_text(), parse_float=lambda text: int(float(text)) if text[-2:] == ".0" else float(text)
    )
    Path("other.json").write_text(json.dumps(stored, indent=3, sort_keys=True))
    ended = gate("qrels.txt", "shaky.run", "--against", "other.json", "--baseline", "main", "-m", measures)
    assert ended.status == 4, ended.err
    assert "seal" not in ended.err


def suite(*arguments: str) -> ElementTree.Element:
    found = ElementTree.fromstring(gate("qrels.txt", *arguments, "-f", "junit").out).find("testsuite")
    assert found is not None
    return found


def test_junit() -> None:
    """As CI systems read it: counts in attributes, a test a system and measure, classes named by measures."""
    found = suite("main.run", "bad.run", "shaky.run", "-m", "AP,RR")
    counted = {name: found.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert counted == {"tests": "4", "failures": "2", "errors": "2", "skipped": "0"}
    cases = {(case.get("classname"), case.get("name")): case for case in found.iter("testcase")}
    assert set(cases) == {(measure, system) for measure in ("AP", "RR") for system in ("bad", "shaky")}
    failure = cases["AP", "bad"].find("failure")
    assert failure is not None
    assert failure.get("type") == "regression"
    assert "bad, AP: regression: the mean drops by 0.5167, significantly more than the margin of 0.01" in failure.get(
        "message", ""
    )
    assert (failure.text or "").splitlines()[:2] == ["topic 10 (1.0000 to 0.3333)", "topic 1 (1.0000 to 0.5000)"]
    error = cases["AP", "shaky"].find("error")
    assert error is not None
    assert error.get("type") == "cannot tell"
    for how, kind in (("pass", "skipped"), ("fail", "failure")):
        assert suite("main.run", "shaky.run", "--cannot-tell", how).find(f"testcase/{kind}") is not None
    assert list(suite("bad.run", "main.run").find("testcase") or ()) == []


def test_one_call_writes_several_formats() -> None:
    """Each as a call of its own writes it."""
    call = ("qrels.txt", "main.run", "bad.run")
    ended = gate(*call, "--also", "g.md", "--also", "g.xml", "--also", "g.json", "--also", "g.csv.gz")
    assert (ended.status, ended.out) == (3, gate(*call).out)
    for name, format_ in (("g.md", "markdown"), ("g.xml", "junit"), ("g.json", "json")):
        assert Path(name).read_text() == gate(*call, "-f", format_).out
    assert gzip.decompress(Path("g.csv.gz").read_bytes()).decode() == gate(*call, "-f", "csv").out
    assert gate(*call[:2], "none.run", "--also", "g.md").status == 1
    assert not Path("g.md").exists(), "a verdict of an earlier call"
    assert "let the name end in .tsv, .csv, .json, .md or .xml" in gate(*call, "--also", "g.txt").err
    assert "two outputs would go there" in gate(*call, "--also", "g.md", "-o", "g.md").err
    Path("q.csv").write_text("qid,docno,label\n1,a,1\n")
    assert "this command reads it" in gate("q.csv", *call[1:], "--also", "q.csv").err


def test_groups_are_suites_of_their_own(tmp_path: Path) -> None:
    halves = [f"{topic}\t{'first' if int(topic) <= 5 else 'second'}\n" for topic in TOPICS]
    Path("groups.tsv").write_text("".join(halves))
    ended = gate(
        "qrels.txt", "main.run", "bad.run", "--topic-groups", "groups.tsv", "--also", "g.xml", "--also", "g.md"
    )
    assert ended.status == 3
    suites = ElementTree.parse(tmp_path / "g.xml").getroot()
    assert [one.get("name", "").split(": ")[0] for one in suites] == ["cranfield gate, first", "cranfield gate, second"]
    assert (suites.get("tests"), suites.get("failures")) == ("2", "2")
    assert Path("g.md").read_text().count("**regression") == 2


def test_a_run_that_was_left_out_is_named() -> None:
    """In what CI systems show, where nobody reads standard error."""
    Path('<b>"&\x07.run').write_text("1 Q0 a 1 <i>&\x07 x\n")
    call = "qrels.txt", "main.run", '<b>"&\x07.run', "shaky.run", "--margin", "0.5", "--keep-going"
    why = ": the score '<i>&\\x07' is not a number such as 12.5 or 1e-3"
    said = f'<b>"&\\x07.run:1: left out{why}'
    for options in ((), ("--cannot-tell", "pass")):
        found = suite(*call[1:], *options)
        counted = {name: found.get(name) for name in ("tests", "failures", "errors", "skipped")}
        assert counted == {"tests": "2", "failures": "0", "errors": "1", "skipped": "0"}
        (case,) = (case for case in found.iter("testcase") if case.get("name") != "shaky")
        (error,) = case
        assert (case.get("classname"), case.get("name")) == ("cranfield gate", '<b>"&\\x07')
        assert (error.tag, error.get("type"), error.get("message")) == ("error", "left out", said)
    table = gate(*call)
    assert (table.status, said in table.out.splitlines()) == (5, True)
    assert f"\n- {markdown(said, 4096)}\n" in gate(*call, "-f", "markdown").out


def test_no_name_is_a_command_of_a_workflow() -> None:
    names = "::add-mask::x", "##[error]x", " ::warning::y", "x ::stop-commands::z"
    for name in names:
        Path(f"{name}.run").write_text(SHIFTED)
    for form in ("table", "markdown", "csv", "tsv"):
        ended = gate("qrels.txt", "main.run", *(f"./{name}.run" for name in names), "-f", form)
        for line in (ended.out + ended.err).splitlines():
            assert not line.lstrip().startswith("::") and "##[" not in line, (form, line)


def test_untrusted_names_in_xml_and_markdown() -> None:
    Path('<b>"&\x07.run').write_text(SHIFTED)
    found = suite("main.run", '<b>"&\x07.run')
    (case,) = found.iter("testcase")
    assert case.get("name") == '<b>"&\\x07'
    out = gate("qrels.txt", "main.run", '<b>"&\x07.run', "-f", "markdown").out
    assert out.startswith('**regression: \\<b\\>"\\&\\\\x07 compared with main**\n\n| system |')
    assert "\n- \\<b\\>" in out


def test_a_stored_score_that_the_measure_cannot_give_is_refused() -> None:
    cranfield("evaluate", "qrels.txt", "main.run", "-m", "AP", "--by-topic", "-f", "json", "-o", "main.json")
    stored = json.loads(Path("main.json").read_text())
    for value in (-5.0, 1.5):
        edited = [row | {"value": value} if row["topic"] == "4" else row for row in stored["rows"]]
        Path("edited.json").write_text(json.dumps(unsealed(stored) | {"rows": edited}))
        ended = gate("qrels.txt", "bad.run", "--against", "edited.json", "-m", "AP")
        assert ended.status == 1
        assert f"says {value:g} by AP of main on topic 4".replace("main", "'main'") in ended.err


def test_the_direction_of_an_unknown_measure_is_said(tmp_path: Path) -> None:
    """Nobody but the user knows whether more of it is better; of AP it is known, and nothing is said."""
    rows = "topic,a,b\n" + "".join(f"t{at},0.{at + 10},0.{(at * 7) % 20 + 10}\n" for at in range(12))
    for name in ("Satisfaction", "AP"):
        (tmp_path / f"{name}.csv").write_text(rows)
    said = ("--larger-is-better", "Satisfaction")
    for command in ("gate", "audit", "compare bayes"):
        for format_ in ("table", "json") if command == "gate" else ("table",):
            more = said if command == "gate" else ()
            unknown = cranfield(*command.split(), "--scores", tmp_path / "Satisfaction.csv", "-f", format_, *more)
            known = cranfield(*command.split(), "--scores", tmp_path / "AP.csv", "-f", format_)
            assert "larger is better" in unknown.out
            assert "is better" not in known.out.replace("system is better with", "")
    assert (
        "- Satisfaction: larger is better"
        in cranfield("gate", "--scores", tmp_path / "Satisfaction.csv", "-f", "markdown", *said).out
    )


@pytest.mark.parametrize("name", ["latency", "p95_latency_ms", "costUsd", "answer tokens", "response time"])
def test_a_name_that_says_that_smaller_is_better(name: str, tmp_path: Path) -> None:
    """A latency that rises by a fifth is a regression."""
    rows = "".join(f"t{at},{100 + at},{120 + 1.3 * at}\n" for at in range(12))
    (tmp_path / f"{name}.csv").write_text("topic,main,new\n" + rows)
    ended = gate("--scores", f"{name}.csv")
    assert ended.status == 3, ended.err
    assert f"{name}: smaller is better, by its name" in ended.out
    assert f"new, {name}: regression: the mean rises by 21.6500, significantly more" in ended.out
    assert "if even the better limit is a loss of more" in ended.out
    turned = gate("--scores", f"{name}.csv", "--larger-is-better", name)
    assert turned.status == 0
    assert f"{name}: larger is better\n" in turned.out


@pytest.mark.parametrize("name", ["Satisfaction", "accuracy_loss", "tokens_per_second", "hallucination_score", "x"])
def test_a_gate_does_not_guess_a_direction(name: str, tmp_path: Path) -> None:
    rows = "".join(f"t{at},{100 + at},{120 + 1.3 * at}\n" for at in range(12))
    (tmp_path / f"{name}.csv").write_text("topic,main,new\n" + rows)
    ended = gate("--scores", f"{name}.csv")
    assert (ended.status, ended.out) == (1, "")
    assert f"nothing says so of {name}: give each of these names with --larger-is-better or" in ended.err
    assert gate("--scores", f"{name}.csv", "--smaller-is-better", name).status == 3
    assert gate("--scores", f"{name}.csv", "--larger-is-better", name).status == 0
    both = gate("--scores", f"{name}.csv", "--larger-is-better", name, "--smaller-is-better", name)
    assert (both.status, both.out) == (2, "")
    assert f"--larger-is-better and --smaller-is-better both name {name}" in both.err


def test_a_direction_that_contradicts_a_measure_or_names_none_is_refused() -> None:
    for option, name, said in (
        ("--smaller-is-better", "AP", "AP is a measure of which larger is better"),
        ("--larger-is-better", "RR", "'RR' is none of the measures AP"),
    ):
        ended = gate("qrels.txt", "main.run", "bad.run", "-m", "AP", option, name)
        assert (ended.status, ended.out) == (2, "")
        assert f"{option}: {said}" in ended.err
    assert gate("qrels.txt", "main.run", "bad.run", "-m", "AP", "--larger-is-better", "AP").status == 3


def test_the_same_difference_on_every_topic_has_no_interval() -> None:
    """No spread, no limits: none for people, null in JSON. Ten topics of one sign decide all the same."""
    Path("below.run").write_text("".join(f"{topic} Q0 b 1 3 x\n{topic} Q0 a 2 2 x\n" for topic in TOPICS))
    call = ("qrels.txt", "main.run", "below.run", "-m", "AP")
    assert gate(*call).out.splitlines()[2].split()[-3:] == ["none", "0.0100", "10"]
    assert "| -0.5000 | none | 0.0100 | 10 |" in gate(*call, "-f", "markdown").out
    row = json.loads(gate(*call, "-f", "json").out)["rows"][0]
    assert (row["verdict"], row["low"], row["high"], row["p_regression"]) == ("regression", None, None, 2.0**-10)


def test_many_unjudged_documents_are_a_warning() -> None:
    """Each new run has one unjudged document on each topic: of two on nine topics, and of three on the last."""
    ended = gate("qrels.txt", "main.run", "bad.run", "-m", "nDCG@10", "-m", "AP", "-m", "P@1", "-f", "json")
    assert [line for line in ended.err.splitlines() if "unjudged" in line] == [
        f"cranfield: warning: many of the {first} are not judged, and count as not relevant "
        f"(bad {share}, main 0.0%): estimate their labels with "
        "`cranfield gate QRELS BASELINE NEW --unjudged estimate`"
        for first, share in (("first 10 documents", "51.7%"), ("first documents", "100.0%"))
    ]
    stored = printed("evaluate", "qrels.txt", "main.run", "-q", "-f", "json", "-m", "nDCG@10", "-o", "main.json")
    assert not stored
    assert "(bad 51.7%): estimate" in gate("qrels.txt", "bad.run", "--against", "main.json").err
    deep = gate("qrels.txt", "main.run", "bad.run", "-m", "R@1000").err
    assert "many of the first 10 documents" in deep
    for measure in ("bpref", "Judged@10", "NumRet", "alpha_nDCG@10"):
        assert "unjudged" not in gate("qrels.txt", "main.run", "bad.run", "-m", measure).err
    for more in ((), ("--unjudged", "condense")):
        assert "unjudged" not in gate("qrels.txt", "main.run", "shaky.run", *more).err


@pytest.mark.parametrize("how", [("--unjudged", "condense"), ("-m", "nDCG(judged_only=True)@10")], ids=str)
def test_lists_without_unjudged_documents_are_warned_of(how: tuple[str, ...]) -> None:
    """A pool that one of two systems made: the other cannot fail where what it finds is left out."""
    pool = "".join(f"{topic} 0 m{at} {at % 2}\n" for topic in TOPICS for at in range(10))
    Path("pool.txt").write_text(pool)
    Path("own.run").write_text("".join(f"{topic} Q0 m{at} 1 {-at} x\n" for topic in TOPICS for at in range(10)))
    listed = [f"n{at}" for at in range(5)] + [f"m{at}" for at in (1, 3, 5, 7, 9)]
    other = (f"{topic} Q0 {name} 1 {-at} x\n" for topic in TOPICS for at, name in enumerate(listed))
    Path("other.run").write_text("".join(other))
    ended = gate("pool.txt", "own.run", "other.run", *how)
    assert ended.status == 0
    said = (
        "many of the first 10 documents are not judged, and are left out, so that a run is judged by what other runs "
        "found, whatever else it finds (other 50.0%, own 0.0%): estimate their labels with "
        "`cranfield gate QRELS BASELINE NEW --unjudged estimate`"
    )
    assert f"cranfield: warning: {said}" in ended.err
    Path("relevant.txt").write_text("".join(f"{topic} 0 m1 1\n" for topic in TOPICS))
    relevant = gate("relevant.txt", "own.run", "other.run", *how).err
    instead = "choose --unjudged zero" if how[0] == "--unjudged" else "leave judged_only out of the measure"
    assert "are left out, so that" in relevant
    assert (
        "90.0%): 100.0% of the judgments are of relevant documents, from which labels of others "
        f"cannot be learnt: {instead}, by which unjudged documents count as not relevant"
    ) in relevant
    assert "not judged" not in gate("relevant.txt", "own.run", "other.run").err, "nearly every document is unjudged"
