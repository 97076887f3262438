"""What a board is read from: lines, numbers, columns that are no tasks, queries, folders, errors."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from scipy.stats import norm

from cranfield.boards import board, read_board
from cranfield.errors import CranfieldWarning, FormatError, InputError, UsageError

HEAD = "model,t1,t2,t3\n"
LONG = "system,task,score\n"


def write(folder: Path, text: str, name: str = "scores.csv") -> str:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return str(path)


# ---- lines and numbers


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{HEAD}a,.5,.6,.7\nc,9,.1,.2,.3\n", r"scores.csv:3: the line has 5 fields, the header 4: a comma in a name"),
        (f"{LONG}a,t1,0,7\n", r"scores.csv:2: the line has 4 fields, the header 3"),
        (f"{LONG}a,t1\n", r"scores.csv:2: the line has 2 fields, the header 3"),
        ("model\tt1\tt2\na\t.5\t.6\t.7\n", r"scores.csv:2: the line has 4 fields, the header 3"),
        (f"{HEAD}a,1_0,.1,.2\nb,1,1,1\n", r"scores.csv:2: '1_0' is not a number.*column 't1', which not_tasks="),
        (f"{HEAD}a,٣,.1,.2\nb,1,1,1\n", r"scores.csv:2: '٣' is not a number"),
        (f"{HEAD}a,99%,.1,.2\nb,1,1,1\n", r"scores.csv:2: '99%' is not a number"),
        (f"{LONG}a,t1,1_0\n", r"scores.csv:2: '1_0' is not a number"),
        (f"{HEAD}a,1e999,.1,.2\nb,1,1,1\n", r"scores.csv:2: '1e999' is not finite"),
        ("model,t1,,t3\na,.1,.2,.3\nb,.1,.2,.3\n", r"scores.csv: column 3 has no name"),
        ("model,t1,t1,t3\na,.1,.2,.3\nb,.1,.2,.3\n", r"two columns are called 't1': leave one out"),
        ("system,model,task,score\na,b,t,.1\n", r"the columns 'system' and 'model' both hold the system"),
        (
            "system,task,measure,score\na,t,AP,.1\nb,t,RR,.2\n",
            r"scores.csv:3: task 't' has scores by 'AP' and by 'RR'",
        ),
    ],
)
def test_a_line_that_would_be_read_as_something_else_is_refused(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        board(write(tmp_path, text), values_only=True)


def test_numbers_of_data_frames_are_held_to_the_same() -> None:
    frame = pd.DataFrame({"model": ["a", "b"], "t1": [0.5, "1_0"], "t2": [0.5, pd.NA]})
    with pytest.raises(FormatError, match=r"the data frame: row 2: '1_0' is not a number"):
        read_board(frame)
    table = read_board(frame.assign(t1=[True, 0.5]).drop(columns="t1"))
    assert np.isnan(table.scores[0, 1])
    with pytest.raises(FormatError, match="'True' is not a number"):
        read_board(frame.assign(t1=[True, 0.5]))


def test_a_data_set_of_one_measure_is_read_and_of_several_refused() -> None:
    array = xr.DataArray([[0.5, 0.4], [0.3, 0.2]], {"topic": ["1", "2"], "system": ["a", "b"]}, ["topic", "system"])
    assert read_board(array.to_dataset(name="AP")).scores.tolist() == array.values.tolist()
    with pytest.raises(UsageError, match=r"'AP', 'RR': choose one, as in scores\['AP'\]"):
        read_board(xr.Dataset({"AP": array, "RR": array}))


# ---- what is no task


def rows_of(columns: dict[str, list[Any]]) -> str:
    return pd.DataFrame({"model": list("abcd"), **columns}).to_csv(index=False)


TASKS = {"t1": [0.5, 0.4, 0.3, 0.2], "t2": [0.6, 0.4, 0.2, 0.1]}


@pytest.mark.parametrize(
    ("name", "values", "reason"),
    [
        ("Number of Parameters (B)", [7.1, 13.0, 0.5, 70.0], "is a size by its name"),
        ("Model Size", ["7B", "13B", "", "70B"], "is a size by its name"),
        ("#params", [7e9, 13e9, 5e8, 7e10], "is a size by its name"),
        ("Embedding Dimensions", [768, 1024, 384, 4096], "is a size by its name"),
        ("Rank (Borda)", [1, 2, 3, 4], "is a rank by its name"),
        ("avg rank", [1.5, 2.5, 3, 3], "is a rank by its name"),
        ("id", [17, 4, 8, 9], "is an id by its name"),
        ("Unnamed: 0", [0, 1, 2, 3], "is an id by its name"),
        ("n_samples", [100, 100, 90, 100], "is a count by its name"),
        ("t1_stderr", [0.01, 0.01, 0.02, 0.01], "is an error or an interval by its name"),
        ("t1 CI lower", [0.4, 0.3, 0.2, 0.1], "is an error or an interval by its name"),
        ("CI", ["+5/-6", "+4/-4", "+1/-1", "+2/-2"], "is an error or an interval by its name"),
        ("Mean (TaskType)", [0.5, 0.4, 0.3, 0.2], "sums up others"),
        ("Average", [0.5, 0.4, 0.3, 0.2], "sums up others"),
        ("weights", [7_000_000, 13_000_000, 500, 70], "holds whole numbers up to 13,000,000"),
        ("standing", [2, 1, 4, 3], "holds each whole number from 1 to 4 once"),
    ],
)
def test_a_column_that_is_no_task_is_left_out_and_said(
    name: str, values: list[Any], reason: str, tmp_path: Path
) -> None:
    path = write(tmp_path, rows_of({**TASKS, name: values, "t3": [0.5, 0.5, 0.5, 0.25]}))
    with pytest.warns(CranfieldWarning) as caught:
        table = read_board(path)
    assert table.tasks == ["t1", "t2", "t3"]
    (message,) = [str(warning.message) for warning in caught]
    assert f"'{name}' left out, which {reason}" in message
    assert "tasks=" in message


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("object counting", [0.5, 0.4, 0.3, 0.2]),
        ("average precision", [0.5, 0.4, 0.3, 0.2]),
        ("Size", [0.5, 0.4, 0.3, 0.2]),
        ("STS12", [0.5, 0.4, 0.3, 0.2]),
        ("low", [0.5, 0.4, 0.3, 0.2]),
        ("id", [0.5, 0.4, 0.3, 0.2]),
        ("yes/no", [1, 0, 1, 0]),
        ("percent", [71, 65, 60, 60]),
    ],
)
def test_a_task_whose_name_is_near_is_a_task(name: str, values: list[Any], tmp_path: Path) -> None:
    assert read_board(write(tmp_path, rows_of({**TASKS, name: values}))).tasks == ["t1", "t2", name]


def test_the_caller_says_what_is_a_task(tmp_path: Path) -> None:
    path = write(tmp_path, rows_of({**TASKS, "licence": ["MIT"] * 4, "size": [1, 2, 3, 4]}))
    with (
        pytest.warns(CranfieldWarning, match="'size' left out, which is a size by its name"),
        pytest.raises(FormatError, match=r"scores.csv:2: 'MIT' is not a number.*column 'licence'"),
    ):
        read_board(path)
    assert read_board(path, tasks=["t1", "size"]).tasks == ["t1", "size"]
    assert read_board(path, not_tasks=["licence", "size"]).tasks == ["t1", "t2"]
    assert read_board(path, tasks=["t1", "t2"], not_tasks="t2").tasks == ["t1"]
    for option in ("tasks", "not_tasks"):
        with pytest.raises(UsageError, match=rf"name each task by itself: {option}='t1', then the next"):
            read_board(path, **{option: "t1,t2"})  # type: ignore[arg-type]
        with pytest.raises(UsageError, match=rf"{option}=: the board has no task 'x'"):
            read_board(write(tmp_path, rows_of(TASKS), "few.csv"), **{option: "x"})  # type: ignore[arg-type]
    long = write(tmp_path, LONG + "a,t1,.5\na,t2,.5\nb,t1,.4\nb,t2,.4\n", "long.csv")
    assert read_board(long, not_tasks="t2").tasks == ["t1"]
    chosen = [
        board(path, values_only=True, **options)
        for options in ({"tasks": ("t1", "t2")}, {"not_tasks": ("licence", "size")})
    ]  # type: ignore[arg-type]
    assert chosen[0].table.equals(chosen[1].table)
    assert chosen[0].signature["tasks"] == ["t1", "t2"]
    with pytest.raises(UsageError, match="said where the table is read"):
        board(read_board(path, tasks=["t1", "t2"]), tasks="t1", values_only=True)


def test_rows_that_sum_up_others_are_no_tasks(tmp_path: Path) -> None:
    tasks = "".join(f"t{number},.5,.4\n" for number in range(5))
    path = write(tmp_path, f"task,a,b\n{tasks}Average,.5,.4\n")
    with (
        pytest.warns(CranfieldWarning, match="'Average' left out, which sums up others"),
        pytest.raises(InputError, match="5 tasks allow no p"),
    ):
        board(path)


def test_our_own_scores_of_topics_are_their_topics(tmp_path: Path) -> None:
    rows = [f"{system},{topic},AP,.{topic}" for system in "ab" for topic in [*range(1, 226), "all"]]
    path = write(tmp_path, "\n".join(["system,topic,measure,value", *rows]).replace(".all", ".5"))
    with pytest.warns(CranfieldWarning, match="'all' left out, which sums up others"):
        assert len(read_board(path).tasks) == 225


def test_queries_that_sum_up_others_are_no_queries(tmp_path: Path) -> None:
    rows = [f"{task},{query},{system},.5" for task in "tu" for query in ("1", "2", "mean") for system in "ab"]
    path = write(tmp_path, "\n".join(["task,query,system,score", *rows]))
    with pytest.warns(CranfieldWarning, match="'mean' left out of the queries"):
        assert {len(values) for values in read_board(path).queries.values()} == {2}


def test_a_row_of_means_over_systems_is_no_system(tmp_path: Path) -> None:
    rows = HEAD + "a,.5,.6,.7\nb,.3,.4,.5\n"
    with pytest.warns(CranfieldWarning, match="'Average' left out, which holds the means of the systems"):
        assert read_board(write(tmp_path, f"{rows}Average,.4,.5,.6\n")).systems == ["a", "b"]
    assert read_board(write(tmp_path, f"{rows}average,.9,.5,.6\n")).systems == ["a", "b", "average"]


# ---- another scale


def test_a_system_in_percent_among_fractions_is_refused_with_its_line(tmp_path: Path) -> None:
    lines = "a,.70,.60,.5\nb,.71,.61,.5\nbig,65.0,51.0,49.0\n"
    message = (
        r"scores.csv:4: 'big' has 65 on 't1', where the median of the others is 0.705, and the like on 3 of 3 tasks"
    )
    for options in ({}, {"aggregate": "wins"}):
        with pytest.raises(InputError, match=message):
            board(write(tmp_path, HEAD + lines), values_only=True, **options)  # type: ignore[arg-type]
    long = [f"{name},t{at},{x}" for name, x in (("a", 0.5), ("b", 50)) for at in range(6)]
    with pytest.raises(InputError, match=r"long.csv:8: 'b' has 50 on 't0'"):
        board(write(tmp_path, "\n".join([LONG.strip(), *long]), "long.csv"))


def test_a_cell_in_percent_is_refused_and_a_system_in_fractions_said(tmp_path: Path) -> None:
    cell = write(tmp_path, HEAD + "a,.70,.60,.5\nb,71,.61,.5\nc,.7,.5,.4\n")
    with pytest.raises(
        InputError, match=r"scores.csv:3: 'b' has 71 on 't1', where .* in percent; write 0.71, or leave"
    ):
        read_board(cell)
    unlike = write(tmp_path, HEAD + "a,.70,.60,.5\nb,20,.61,.5\nc,.7,.5,.4\n")  # .2 is none of theirs
    with pytest.warns(CranfieldWarning, match=r"scores.csv:3: 20 of 'b' on 't1' is beside fractions of 1: is it in"):
        read_board(unlike)
    signed = write(tmp_path, HEAD + "a,.010,-.60,.5\nb,1.2,.61,.5\nc,.011,.5,.4\n")  # no board of fractions has these
    with pytest.warns(CranfieldWarning, match=r"scores.csv:3: 1.2 of 'b' on 't1' is beside fractions of 1: is it in"):
        read_board(signed)
    fractions = write(tmp_path, HEAD + "a,70,60,50\nb,.71,.61,.5\nc,70,50,40\n")
    with pytest.warns(CranfieldWarning, match=r"'b' has 0.71 on 't1'.*are its scores fractions of 1"):
        read_board(fractions)
    for all_alike in ("a,70,60,50\nb,71,61,.5\nc,70,50,40\n", "a,.7,.6,0\nb,.71,.61,1\nc,3.5,4,1\n"):
        read_board(write(tmp_path, HEAD + all_alike))


def test_a_task_on_another_scale_is_said_of_a_mean(tmp_path: Path) -> None:
    path = write(tmp_path, rows_of({**TASKS, "elo": [1200.5, 1100.5, 1000.5, 900.5]}))
    with pytest.warns(CranfieldWarning, match=r"'elo' \(1050\): the median score is far above that of the other tasks"):
        board(path, values_only=True)
    board(path, values_only=True, aggregate="borda")


def test_a_task_in_percent_among_fractions_is_refused_of_a_mean(tmp_path: Path) -> None:
    percents = {**TASKS, "pct": [71.5, 64.0, 66.0, 58.0]}
    path = write(tmp_path, rows_of(percents))
    message = r"scores.csv: 'pct' has scores such as 65, .* it seems to be in percent.*not_tasks='pct'"
    with pytest.raises(InputError, match=message):
        board(path, values_only=True)
    ranked = board(path, values_only=True, aggregate="borda").to_frame()
    as_fractions = write(tmp_path, rows_of({**TASKS, "pct": [score / 100 for score in percents["pct"]]}), "f.csv")
    columns = ["system", "value"]
    pd.testing.assert_frame_equal(
        ranked[columns], board(as_fractions, values_only=True, aggregate="borda").to_frame()[columns]
    )
    with pytest.warns(CranfieldWarning, match=r"'pct' \(65\): the median score is far above"):
        board(path, values_only=True, tasks=list(percents))
    half = write(tmp_path, rows_of({"t1": TASKS["t1"], "pct": percents["pct"]}), "half.csv")
    most = write(tmp_path, rows_of({"t1": TASKS["t1"], "pct": percents["pct"], "too": percents["pct"]}), "most.csv")
    with pytest.raises(InputError, match="in percent, and the others fractions of 1"):
        board(half, values_only=True)
    with pytest.warns(CranfieldWarning, match=r"no score is above 1, where the median of tasks is 65, so that a mean"):
        board(most, values_only=True)
    latency = write(tmp_path, rows_of({**TASKS, "latency_ms": percents["pct"]}), "latency.csv")
    with pytest.warns(CranfieldWarning, match=r"'latency_ms' \(65\): the median score is far above"):
        board(latency, values_only=True)


# ---- queries


def test_a_system_without_the_hard_queries_has_no_score(tmp_path: Path) -> None:
    rows = [
        f"{task},q{query},{system},{0.1 if query else 0.9}" for task in "tuvwxy" for query in (0, 1) for system in "ab"
    ]
    rows = [row for row in rows if not row.startswith("t,q1,b")]
    path = write(tmp_path, "\n".join(["task,query,system,score", *rows]))
    with pytest.warns(CranfieldWarning, match=r"'b' has 1 of the 2 queries of 't': a missing cell"):
        table = read_board(path)
    assert np.argwhere(np.isnan(table.scores)).tolist() == [[0, 1]]
    assert table.scores[0, 0] == 0.5
    with (
        pytest.warns(CranfieldWarning),
        pytest.raises(InputError, match=r"1 system of 2 lacks scores \(first: 'b' on 't'\)"),
    ):
        board(path, min_tasks=1)


# ---- folders


def mteb(folder: Path, model: str, task: str, scores: dict[str, dict[str, Any]]) -> None:
    splits = {
        split: [{"hf_subset": subset, "main_score": score} for subset, score in own.items()]
        for split, own in scores.items()
    }
    write(folder, json.dumps({"task_name": task, "scores": splits}), f"{model}/main/{task}.json")


def test_another_split_or_subset_of_mteb_is_a_missing_cell(tmp_path: Path) -> None:
    mteb(tmp_path, "a", "t", {"test": {"en": 0.5, "de": 0.1}, "dev": {"en": 0.9}})
    mteb(tmp_path, "b", "t", {"dev": {"en": 0.9}})
    mteb(tmp_path, "c", "t", {"test": {"de": 0.9}})
    mteb(tmp_path, "a", "u", {"test": {"fr": 0.5, "de": 0.1}})
    mteb(tmp_path, "b", "u", {"test": {"fr": 0.9}})
    mteb(tmp_path, "c", "u", {"test": {"de": 0.5, "fr": 0.9}})
    with pytest.warns(
        CranfieldWarning, match=r"b/main/t.json: a missing cell.*'test', subset 'en'.*'dev'.*2 other files"
    ):
        table = read_board(str(tmp_path))
    found = pd.DataFrame(table.scores, table.tasks, table.systems)
    assert found.loc["t", "a"] == 0.5
    assert found.loc["u", "a"] == 0.3
    assert found.loc["u", "c"] == 0.7
    assert found.isna().sum().to_dict() == {"a": 0, "b": 2, "c": 1}


def test_splits_of_mteb_without_a_test_are_refused(tmp_path: Path) -> None:
    mteb(tmp_path, "a", "t", {"dev": {"en": 0.5}})
    mteb(tmp_path, "b", "t", {"validation": {"en": 0.5}})
    message = (
        r"several splits of task 't' and none is test \('dev' in .*a/main/t.json, 'validation' in .*b/main/t.json\)"
    )
    with pytest.raises(InputError, match=message):
        read_board(str(tmp_path))


def test_a_subset_of_mteb_twice_is_refused(tmp_path: Path) -> None:
    entries = [{"hf_subset": "en", "main_score": score} for score in (0.5, 0.9)]
    write(tmp_path, json.dumps({"task_name": "t", "scores": {"test": entries}}), "a/main/t.json")
    with pytest.raises(InputError, match=r"t.json: split 'test' has two scores of the subset 'en'"):
        read_board(str(tmp_path))


def log(folder: Path, model: str, scorers: dict[str, dict[str, float]], samples: int = 100, version: int = 0) -> None:
    scores = [
        {"name": name, "metrics": {metric: {"value": value} for metric, value in metrics.items()}}
        for name, metrics in scorers.items()
    ]
    text = {"version": 2, "status": "success", "eval": {"task": "t", "model": model, "task_version": version}}
    write(folder, json.dumps({**text, "results": {"total_samples": samples, "scores": scores}}), f"{model}.json")


def test_the_metric_that_all_logs_have_is_taken_and_no_spread(tmp_path: Path) -> None:
    log(tmp_path, "a", {"match": {"bootstrap_stderr": 0.01, "count": 100, "accuracy": 0.5}})
    log(tmp_path, "b", {"other": {"mean": 0.9}, "match": {"accuracy": 0.25, "stderr": 0.02}})
    with pytest.warns(CranfieldWarning, match="2 scorers; 'accuracy' of 'match' is taken"):
        table = read_board(str(tmp_path))
    assert table.scores.tolist() == [[0.5, 0.25]]
    assert table.standard_errors is not None
    assert table.standard_errors.tolist() == [[0.01, 0.02]]


@pytest.mark.parametrize(
    ("other", "more", "message"),
    [
        ({"match": {"count": 100}}, {}, r"b.json: the log has no metric that is a score.*'count'"),
        (
            {"match": {"bootstrap_stderr": 0.1}},
            {},
            r"b.json: the log has no metric that is a score.*'bootstrap_stderr'",
        ),
        (
            {"model_graded": {"accuracy": 0.5}},
            {},
            r"b.json: task 't' is scored by 'accuracy' of 'model_graded' here, and by 'accuracy' of 'match' in ",
        ),
        ({"match": {"mean": 0.5}}, {}, r"b.json: task 't' is scored by 'mean' of 'match' here"),
        (
            {"match": {"accuracy": 0.5}},
            {"samples": 10},
            r"b.json: number of samples of 't': 10 here, and 100 in .*a.json",
        ),
        ({"match": {"accuracy": 0.5}}, {"version": 1}, r"b.json: version of the task of 't': 1 here, and 0"),
    ],
)
def test_logs_of_other_scores_are_refused(
    other: dict[str, dict[str, float]], more: dict[str, int], message: str, tmp_path: Path
) -> None:
    log(tmp_path, "a", {"match": {"accuracy": 0.5, "stderr": 0.01}})
    log(tmp_path, "b", other, **more)
    with pytest.raises(InputError, match=message):
        read_board(str(tmp_path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
@pytest.mark.parametrize("where", ["x.json", "a/main/t.json", "a/main/u.json"])
def test_a_pipe_in_a_folder_is_not_waited_for(where: str, tmp_path: Path) -> None:
    mteb(tmp_path, "a", "s", {"test": {"en": 0.5}}) if where.endswith("u.json") else None
    (tmp_path / where).parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(tmp_path / where)
    with pytest.raises(InputError, match=rf"{where}: is a named pipe, and files are read from disk alone"):
        read_board(str(tmp_path))


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="the system has no such device")
def test_a_device_in_a_folder_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "log.json").symlink_to("/dev/zero")
    with pytest.raises(InputError, match=r"log.json: is a device"):
        read_board(str(tmp_path))


# ---- errors


def test_errors_of_a_long_table_are_its_column_of_errors(tmp_path: Path) -> None:
    scores = write(tmp_path, "model,t,u\na,.5,.6\nb,.4,.3\n")
    rows = [f"{system},{task},.5,.0{at}" for at, (system, task) in enumerate(("at", "au", "bt", "bu"), 1)]
    long = write(tmp_path, "\n".join(["system,task,score,error", *rows]), "long.csv")
    table = read_board(scores, standard_errors=long)
    assert table.standard_errors is not None
    assert table.standard_errors.tolist() == [[0.01, 0.03], [0.02, 0.04]]
    bare = write(tmp_path, "system,task,stderr\na,t,.01\na,u,.02\nb,t,.03\nb,u,.04\n", "bare.csv")
    other = read_board(scores, standard_errors=bare)
    assert other.standard_errors is not None
    assert other.standard_errors.tolist() == table.standard_errors.tolist()
    signed = [
        board(scores, sampled="queries", standard_errors=path).signature["standard_errors"] for path in (long, bare)
    ]
    assert signed[0] == signed[1]


def test_scores_are_no_errors(tmp_path: Path) -> None:
    scores = write(tmp_path, "model,t,u\na,.5,.6\nb,.4,.3\n")
    long = write(tmp_path, LONG + "a,t,.5\na,u,.6\nb,t,.4\nb,u,.3\n", "long.csv")
    with pytest.raises(InputError, match=r"long.csv: the long table has no column of errors, such as 'error': it has"):
        read_board(scores, standard_errors=long)
    with pytest.raises(InputError, match="the errors are the scores themselves"):
        read_board(scores, standard_errors=scores)
    twice = write(tmp_path, "system,task,error\na,t,.1\na,t,.2\n", "twice.csv")
    with pytest.raises(InputError, match=r"twice.csv:3: 'a' on 't' has an error already, at .*twice.csv:2"):
        read_board(scores, standard_errors=twice)


def test_an_error_that_is_missing_is_refused_by_name(tmp_path: Path) -> None:
    scores = write(tmp_path, "model,t,u\na,.5,.6\nb,.4,.3\n")
    lacking = write(tmp_path, "model,t\na,.01\nb,.02\n", "lacking.csv")
    with pytest.raises(InputError, match="the error of 'a' on 'u' is missing or negative"):
        board(scores, sampled="queries", standard_errors=lacking)


def test_errors_of_zero_are_questioned(tmp_path: Path) -> None:
    scores = write(tmp_path, "model,t,u\na,.5,.6\nb,.4,.3\n")
    one = write(tmp_path, "model,t,u\na,0,.01\nb,.01,.01\n", "one.csv")
    with pytest.warns(CranfieldWarning, match=r"the error of 'a' on 't' is 0 beside a score of 0.5"):
        board(scores, sampled="queries", standard_errors=one)
    every = write(tmp_path, "model,t,u\na,0,0\nb,0,0\n", "every.csv")
    with pytest.raises(InputError, match="the error of every score is 0, so that nothing can be tested"):
        board(scores, sampled="queries", standard_errors=every)


def test_a_sign_is_turned_once_and_named_in_the_signature(tmp_path: Path) -> None:
    path = write(tmp_path, rows_of(TASKS))
    direct = board(path, smaller_is_better="t1", values_only=True)
    read = board(read_board(path, smaller_is_better="t1"), smaller_is_better=["t1"], values_only=True)
    assert direct.signature == read.signature
    assert direct.signature["smaller_is_better"] == ["t1"]
    assert direct.table.equals(read.table)


# ---- leaderboards of other projects

ARENA_HARD = """model,score,rating_q025,rating_q975,CI,avg_tokens,date,other
big,79.2,77.9,80.7,"(-1.7, +1.5)",696.0,2024-07-31,70
mid,72.0,70.2,73.5,"(-1.8, +1.5)",676.0,2024-07-31,71
small,64.1,61.9,66.1,"(-2.1, +2.0)",658.0,2024-07-31,60
"""
ALPACA_EVAL = """,win_rate,standard_error,n_wins,n_wins_base,n_draws,n_total,lc_winrate,lc_standard_error,avg_length
big,23.6,1.29,179,618,1,805,30.2,0.35,1365
mid,15.7,1.07,113,689,2,804,18.2,0.27,1096
small,8.2,0.86,57,743,2,802,10.9,0.30,1199
"""


@pytest.mark.filterwarnings("ignore:.*standard errors of 'win_rate'")
@pytest.mark.parametrize(
    ("text", "tasks"),
    [(ARENA_HARD, {"score", "other"}), (ALPACA_EVAL, {"win_rate", "lc_winrate"})],
)
def test_leaderboards_of_arena_hard_and_alpaca_eval(tmp_path: Path, text: str, tasks: set[str]) -> None:
    with pytest.warns(CranfieldWarning, match="left out, which is"):
        read = read_board(write(tmp_path, text))
    assert set(read.tasks) == tasks
    assert set(read.systems) == {"big", "mid", "small"}


def test_a_column_of_text_is_refused_by_its_name(tmp_path: Path) -> None:
    text = ALPACA_EVAL.replace("avg_length", "mode").replace("1365", "minimal")
    with pytest.warns(CranfieldWarning), pytest.raises(FormatError, match=r"'minimal' .* 'mode', which") as refused:
        read_board(write(tmp_path, text))
    assert refused.value.line == 2


@pytest.mark.filterwarnings("ignore:.*left out, which is|.*standard errors of|.*one task")
def test_ranks_of_one_task_are_by_the_errors_beside_it(tmp_path: Path) -> None:
    """As if its errors were given in another file; by position where the name is of no task, and never another's."""
    path = write(tmp_path, ALPACA_EVAL)
    for task, errors in {"win_rate": (1.29, 1.07, 0.86), "lc_winrate": (0.35, 0.27, 0.30)}.items():
        found = board(path, tasks=task)
        stated = "".join(f"{name},{error}\n" for name, error in zip(("big", "mid", "small"), errors, strict=True))
        given = write(tmp_path, f"model,{task}\n{stated}", "errors.csv")
        assert found.pairs.equals(board(path, tasks=task, sampled="queries", standard_errors=given).pairs)
        assert found.pairs["standard_error"].iloc[0] == pytest.approx(np.hypot(*errors[:2]))
        assert found.settings["sampled"] == "queries"
    with pytest.raises(InputError, match=r"2 tasks allow no p .*, or intervals over queries \(sampled='queries'\)"):
        board(path)


def test_quantiles_of_arena_hard_are_errors(tmp_path: Path) -> None:
    path = write(tmp_path, "\n".join(line.rpartition(",")[0] for line in ARENA_HARD.splitlines()))
    with pytest.warns(CranfieldWarning) as told:
        pairs = board(path).pairs
    assert any("'score' in 'rating_q025' and 'rating_q975'" in str(one.message) for one in told)
    assert pairs["standard_error"].iloc[0] == pytest.approx(np.hypot(2.8, 3.3) / (2 * norm.ppf(0.975)))


def test_one_task_without_errors_has_values_alone(tmp_path: Path) -> None:
    path = write(tmp_path, "model,Elo\na,1300\nb,1200\n")
    with pytest.warns(CranfieldWarning, match="one task, and neither queries nor standard errors: values without"):
        found = board(path)
    assert "low" not in found.table
    assert found.table["value"].tolist() == [1300, 1200]


@pytest.mark.parametrize("first", ["", "Rank* (UB)", "id"])
def test_systems_behind_an_index(tmp_path: Path, first: str) -> None:
    path = write(tmp_path, f"{first},Model,Arena Score,Other\n1,a,.5,.6\n2,b,.4,.2\n")
    with pytest.warns(CranfieldWarning, match="left out, which is"):
        read = read_board(path)
    assert (read.systems, read.tasks) == (["a", "b"], ["Arena Score", "Other"])
