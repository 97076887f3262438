"""``--keep-going``: broken runs are left out and named, the others are as if they had been given alone."""

from __future__ import annotations

import json
import lzma
import re
from pathlib import Path

import pytest
from command import cranfield
from test_outputs import CALLS, commands

import cranfield as package
from cranfield import CranfieldWarning, InputError
from data_sets import DATA

LEFT_OUT = 5
"""The status of a call that left runs out."""
BROKEN = "1 Q0 a 1 high x\n"
REASON = "left out: the score 'high' is not a number such as 12.5 or 1e-3; if the line is a header, remove it"
WHOLE = {"check", "diff", "pool settle", "reproduce"}
"""Commands that leave no run out: one names all that is wrong, three are about these very runs."""
OF_RUNS = {name: call for name, call in CALLS.items() if "best.run" in call and name not in WHOLE | {"protocol init"}}
pytestmark = pytest.mark.usefixtures("each_engine")


@pytest.fixture(autouse=True)
def broken(folder: Path) -> Path:
    (folder / "broken.run").write_text(BROKEN)
    judged = (folder / "qrels.txt").read_text()
    (folder / "other.txt").write_text(judged)
    rows = [
        f"{topic} {field} {document} 1 {label}\n"
        for topic, field, document, label in map(str.split, judged.splitlines())
    ]
    (folder / "sampled.prels").write_text("".join([*rows, "1 0 u 1 -1\n"]))
    return folder


def test_every_command_that_reads_runs_can_go_on() -> None:
    reading = {name for name, one in commands().items() if any(option.name == "protocol" for option in one.params)}
    assert OF_RUNS.keys() | WHOLE < reading
    assert {name for name in CALLS if "--scores" in CALLS[name]} < reading
    assert {name for name, one in commands().items() if any(option.name == "keep_going" for option in one.params)} == (
        reading - WHOLE
    )


@pytest.mark.parametrize("called", [name for name in OF_RUNS if name not in ("report",)])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_others_are_as_if_alone(called: str) -> None:
    call = (*called.split(), *OF_RUNS[called])
    alone = cranfield(*call)
    more = ("-r", "broken.run") if called == "judges" else ("broken.run",)
    refused = cranfield(*call, *more)
    assert (refused.status, refused.out) == (1, "")
    assert "broken.run:1: the score 'high' is not a number" in refused.err
    going = cranfield(*call, *more, "--keep-going")
    assert (alone.status, going.status) == (0, LEFT_OUT)
    out = going.out.replace(f"broken.run:1: {REASON}\n", "") if called == "gate" else going.out
    assert re.sub(r"signature \w+", "", out) == re.sub(r"signature \w+", "", alone.out)
    assert f"cranfield: warning: broken.run:1: {REASON}\n" in going.err


def test_json_names_it() -> None:
    for command in (
        ("evaluate",),
        ("compare",),
        ("table",),
        (
            "fuse",
            "headroom",
        ),
        ("information", "ric"),
    ):
        ended = cranfield(*command, "qrels.txt", "best.run", "broken.run", "late.run", "--keep-going", "-f", "json")
        assert ended.status == LEFT_OUT
        said = f'"left_out": [{{"name": "broken", "code": "score", "reason": "{REASON.removeprefix("left out: ")}"}}]'
        assert said in json.dumps(json.loads(ended.out)["signature"])


def test_nothing_left_is_an_error(folder: Path) -> None:
    (folder / "worse.run").write_text("1 Q0 a\n")
    ended = cranfield("evaluate", "qrels.txt", "broken.run", "worse.run", "--keep-going")
    assert (ended.status, ended.out) == (1, "")
    assert ended.err == f"cranfield: error: broken.run:1: {REASON.removeprefix('left out: ')}\n"


def test_nothing_left_out_ends_with_0() -> None:
    ended = cranfield("evaluate", "qrels.txt", "best.run", "--keep-going")
    assert (ended.status, ended.err) == (0, "")


def test_a_run_that_shares_no_topic_or_is_not_there() -> None:
    Path("foreign.run").write_text("9 Q0 a 1 1 x\n")
    runs = "foreign.run", "best.run", "absent.run"
    ended = cranfield("evaluate", "qrels.txt", *runs, "--keep-going", "-f", "json")
    assert ended.status == LEFT_OUT
    codes = [one["code"] for one in json.loads(ended.out)["signature"]["left_out"]]
    assert codes == ["no-shared-topic", "missing-file"]


def test_each_run_left_out_for_the_same_reason_is_named() -> None:
    Path("first.run").touch()
    Path("second.run").touch()
    ended = cranfield("evaluate", "qrels.txt", "first.run", "best.run", "second.run", "--keep-going")
    assert ended.status == LEFT_OUT
    for name in ("first.run", "second.run"):
        assert f"cranfield: warning: {name}: left out: the file holds no rows" in ended.err


def test_judgments_are_never_left_out() -> None:
    Path("broken.qrels").write_text("1 0 a high\n")
    assert cranfield("evaluate", "broken.qrels", "best.run", "--keep-going").status == 1


def test_a_regression_is_one_without_the_broken_run() -> None:
    call = "gate", "qrels.txt", "best.run", "late.run", "broken.run", "--keep-going"
    assert cranfield(*call, "--cannot-tell", "fail").status == 3
    assert cranfield(*call, "--margin", "2").status == LEFT_OUT


WITH_BASELINE = {
    name
    for name, command in commands().items()
    if any("--baseline" in option.opts for option in command.params) and name in OF_RUNS
}


@pytest.mark.parametrize("called", sorted(WITH_BASELINE))
def test_a_baseline_is_never_left_out(called: str) -> None:
    """Nothing else may take its place, and the reason is the file's own."""
    more = ("-o", "page.html") if called == "report" else ()
    runs = "best.run", "broken.run", "late.run"
    ended = cranfield(called, "qrels.txt", *runs, "--keep-going", "--baseline", "broken", *more)
    assert (ended.status, ended.out) == (1, "")
    said = f"broken.run:1: the baseline 'broken' is refused, and is never left out: {REASON.removeprefix('left out: ')}"
    assert f"cranfield: error: {said}\n" in ended.err


def test_commands_with_a_baseline() -> None:
    assert {"compare", "gate", "compare prefer", "report", "table"} <= WITH_BASELINE


def test_the_first_run_of_a_gate_is_its_baseline() -> None:
    call = "gate", "qrels.txt", "broken.run", "best.run", "late.run", "--keep-going", "--cannot-tell", "pass"
    ended = cranfield(*call)
    assert (ended.status, ended.out) == (1, "")
    assert "broken.run:1: the baseline 'broken' is refused, and is never left out: the score 'high'" in ended.err
    assert cranfield(*call, "--baseline", "best", "--margin", "2").status == LEFT_OUT
    cranfield("evaluate", "qrels.txt", "best.run", "-q", "-m", "nDCG@10", "-f", "json", "-o", "best.json")
    stored = cranfield(*call, "--against", "best.json", "--margin", "2")
    assert stored.status == LEFT_OUT, "all runs are new ones"


def test_in_python() -> None:
    runs = ["best.run", "broken.run", "late.run"]
    with pytest.raises(InputError, match="the score 'high'"):
        package.evaluate(runs, "qrels.txt", "RR")
    with pytest.warns(CranfieldWarning, match=r"broken.run:1: left out: the score 'high'"):
        scores = package.evaluate(runs, "qrels.txt", "RR", keep_going=True)
    alone = package.evaluate(["best.run", "late.run"], "qrels.txt", "RR")
    assert scores.drop_attrs().identical(alone.drop_attrs())
    assert json.loads(scores.attrs["signature"])["left_out"][0]["name"] == "broken"


def test_the_page_goes_on_and_names_it(folder: Path) -> None:
    ended = cranfield("report", *CALLS["report"], "broken.run", "--keep-going", "-o", "page.html")
    assert (ended.status, ended.out) == (LEFT_OUT, "")
    assert f"broken.run:1: {REASON}" in ended.err
    assert f"broken.run:1: {REASON}" in (folder / "page.html").read_text()


@pytest.mark.slow
@pytest.mark.data("data/trec-covid-round5")
def test_one_of_a_track(folder: Path) -> None:
    """A run whose file is cut off among the runs of TREC-COVID: the others have the scores that they have alone."""
    shared = DATA / "trec-covid-round5"
    runs = sorted((shared / "runs").iterdir())[:4]
    data = lzma.decompress(runs[0].read_bytes())
    (folder / "cut.run").write_bytes(data[: len(data) // 3])
    call = "evaluate", shared / "qrels.covid-complete.txt.gz", *runs[1:], "-m", "nDCG@10", "-f", "tsv"
    ended = cranfield(*call, "cut.run", "--keep-going")
    assert (ended.status, ended.out) == (LEFT_OUT, cranfield(*call).out)
    assert "cut.run:" in ended.err
