"""Boards: values and ranks beside golden ones, laws, odd tables, and the command."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from hypothesis import given
from hypothesis import strategies as st

import cranfield
from cranfield.boards import Board, board, read_board
from cranfield.errors import CranfieldWarning, FormatError, InputError, UsageError
from cranfield.reporting import make_board_page
from data_sets import DATA, GOLDEN

BOARDS = GOLDEN / "boards"
MTEB = DATA / "mteb-eng-v2"
pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.CranfieldWarning")
needs_mteb = pytest.mark.data("data/mteb-eng-v2")
each_board = pytest.mark.parametrize("base", ["tiny", "tiny-gaps", pytest.param("mteb-eng-v2", marks=needs_mteb)])

TINY = pd.DataFrame(
    {
        "t1": [0.5, 0.4, 0.6], "t2": [0.7, 0.7, 0.5], "t3": [0.9, 0.8, 0.8],
        "t4": [0.9, 0.7, 0.6], "t5": [0.4, 0.3, 0.4], "t6": [0.6, 0.6, 0.5],
    },
    index=pd.Index(["a", "b", "c"], name="model"),
)  # fmt: skip


def source(data: str) -> tuple[Path, dict[str, str]]:
    base = data.split(maxsplit=1)[0]
    table = MTEB / "scores.csv" if base.startswith("mteb") else BOARDS / f"{base}.csv"
    groups = MTEB / "tasks.tsv" if base.startswith("mteb") else BOARDS / "tiny-groups.tsv"
    frame = pd.read_csv(groups, sep="\t", index_col=0)
    return table, frame.iloc[:, 0].to_dict()


def golden_rows(name: str, base: str) -> pd.DataFrame:
    """The rows of a golden table about one board, or about parts of it."""
    table = pd.read_csv(BOARDS / name, sep="\t")
    rows = table[table["data"].str.split().str[0] == base]
    assert len(rows)
    return rows


def ranked(data: str, aggregate: str, missing: str, **options: object) -> Board:
    table, groups = source(data)
    frame = pd.read_csv(table, index_col=0)
    if data.endswith("Retrieval"):
        frame = frame.dropna()[[task for task in frame.columns if groups[task] == "Retrieval"]]
    how = {"groups": groups} if aggregate == "group-mean" else {}
    return board(frame, aggregate=aggregate, missing_cells=missing, **how, **options)  # type: ignore[arg-type]


@each_board
def test_values_are_the_golden_ones(base: str) -> None:
    expected = golden_rows("expected.values.tsv", base)
    for (data, aggregate, missing), rows in expected.groupby(["data", "aggregation", "missing"]):
        table = ranked(data, aggregate, missing, values_only=True, min_tasks=1).table.loc[rows["system"]]
        tolerance = 1e-8 if aggregate == "wins" else 1e-9
        assert np.abs(table["value"].to_numpy() - rows["value"].to_numpy()).max() <= tolerance, (data, aggregate)
        assert table["rank"].tolist() == rows["rank"].tolist(), (data, aggregate, missing)


@each_board
def test_ranks_of_all_flips_are_the_golden_ones(base: str) -> None:
    expected = golden_rows("expected.ranks.tsv", base)
    separable = pd.read_csv(BOARDS / "expected.separable.tsv", sep="\t").set_index(["data", "aggregation"])
    exact = expected[expected["data"].isin(["tiny", "tiny-gaps", "mteb-eng-v2 Retrieval"])]
    for (data, named), rows in exact.groupby(["data", "aggregation"]):
        aggregate, _, fit = named.partition(", ")
        missing = fit or {"wins": "pairwise"}.get(aggregate, "complete")
        result = ranked(data, aggregate, missing)
        table = result.table.loc[rows["system"]]
        assert table[["rank", "low", "high"]].to_numpy().tolist() == rows[["rank", "low", "high"]].to_numpy().tolist()
        if (data, named) in separable.index:
            facts = separable.loc[(data, named)]
            assert result.pairs_separated == pytest.approx(facts["pairs_separated"], abs=1e-9)
            assert int(result.adjacent["separable"].sum()) == facts["adjacent_separated"]
            assert len(result.cuts) == facts["cuts"]


@pytest.mark.slow
@needs_mteb
@pytest.mark.parametrize("aggregate", ["mean", "borda", "z"])
def test_ranks_of_random_flips_are_near_the_golden_ones(aggregate: str) -> None:
    separable = pd.read_csv(BOARDS / "expected.separable.tsv", sep="\t").set_index(["data", "aggregation"])
    facts = separable.loc[("mteb-eng-v2 complete", aggregate)]
    expected = pd.read_csv(BOARDS / "expected.ranks.tsv", sep="\t")
    rows = expected[(expected["data"] == "mteb-eng-v2 complete") & (expected["aggregation"] == aggregate)]
    result = ranked("mteb-eng-v2 complete", aggregate, "complete", resamples=20_480)
    assert result.pairs_separated == pytest.approx(facts["pairs_separated"], abs=0.005)
    assert (result.table["high"] - result.table["low"] + 1).mean() == pytest.approx(facts["mean_width"], abs=0.5)
    assert len(result.cuts) == facts["cuts"]
    table = result.table.loc[rows["system"]]
    for end in ("low", "high"):
        off = np.abs(table[end].to_numpy() - rows[end].to_numpy())
        assert off.max() <= 3
        assert (off <= 1).mean() >= 0.97


def test_queries_and_errors_give_the_golden_tests() -> None:
    expected = pd.read_csv(BOARDS / "expected.units.tsv", sep="\t").set_index(["system", "other"])
    queries = board(str(BOARDS / "queries.tsv"), sampled="queries").pairs.loc[expected.index]
    for ours, theirs in {
        "difference": "difference",
        "standard_error": "se_queries",
        "df": "df_queries",
        "p": "p_queries",
    }.items():
        np.testing.assert_allclose(queries[ours], expected[theirs], rtol=1e-9)
    stated = board(
        str(BOARDS / "queries-means.csv"), sampled="queries", standard_errors=str(BOARDS / "queries-errors.csv")
    ).pairs
    np.testing.assert_allclose(stated.loc[expected.index, "standard_error"], expected["se_from_errors"], rtol=1e-9)
    np.testing.assert_allclose(stated.loc[expected.index, "p"], expected["p_from_errors"], rtol=1e-8)


@needs_mteb
def test_a_board_of_mteb_is_decided_as_the_specification_says() -> None:
    result = board(str(MTEB / "scores.csv"), missing_cells="complete")
    assert len(result.table) == 183
    assert len(result.left_out) == 141
    assert round(result.pairs_separated, 2) == 0.65
    assert int(result.adjacent["separable"].sum()) == 1
    assert len(result.among_best(1)) == 18
    assert tuple(result.table.iloc[0][["low", "high"]]) == (1, 21)


# ---- laws

COMPLETE = st.integers(0, 2**32 - 1).map(lambda seed: np.random.default_rng(seed).integers(0, 8, (6, 4)) / 8.0)


def framed(scores: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame(scores.T, index=pd.Index(list("abcd"), name="model"), columns=[f"t{n}" for n in range(6)])


@pytest.mark.slow
@given(COMPLETE)
def test_of_a_complete_board_wins_and_borda_and_mean_rank_agree(scores: np.ndarray) -> None:
    tables = {name: board(framed(scores), aggregate=name).table for name in ("borda", "mean-rank", "wins")}
    ranks = [table["rank"].sort_index().tolist() for table in tables.values()]
    assert ranks[0] == ranks[1]
    values = [table["value"].sort_index().to_numpy() for table in tables.values()]
    np.testing.assert_allclose(values[0], 24 + 6 * values[1], atol=1e-9)
    order = np.sign(np.round(values[0][:, None] - values[0], 9))
    assert (np.sign(np.round(values[2][:, None] - values[2], 7)) == order).all()


@pytest.mark.slow
@given(COMPLETE)
def test_fit_without_gaps_is_the_mean_and_one_group_too(scores: np.ndarray) -> None:
    mean = board(framed(scores))
    assert (mean.table["low"] <= mean.table["rank"]).all()
    assert (mean.table["rank"] <= mean.table["high"]).all()
    fit = board(framed(scores), missing_cells="fit")
    group = board(framed(scores), aggregate="group-mean", groups=dict.fromkeys((f"t{n}" for n in range(6)), "g"))
    for other in (fit, group):
        np.testing.assert_allclose(other.table["value"], mean.table["value"], atol=1e-12)
        assert other.table[["low", "high"]].equals(mean.table[["low", "high"]])


@pytest.mark.slow
@given(COMPLETE)
def test_ranks_by_the_mean_are_those_of_estimate_ranks(scores: np.ndarray) -> None:
    table = board(framed(scores)).table
    known = cranfield.comparison.estimate_ranks(framed(scores).T.rename_axis("topic"), marginal=False).table
    assert (
        table[["low", "high"]].sort_index().to_numpy().tolist()
        == known[["low", "high"]].sort_index().to_numpy().tolist()
    )


@pytest.mark.slow
@given(COMPLETE)
def test_strengths_are_those_of_pairwise_verdicts(scores: np.ndarray) -> None:
    """Fitted there from single comparisons, here from tables of wins: neither uses the other."""
    wins = board(framed(scores), aggregate="wins", values_only=True).table["value"]
    verdicts = cranfield.pairwise.convert_scores(framed(scores).T.rename_axis("topic"))
    strengths = cranfield.pairwise.estimate_strengths(verdicts, prior=1.0, resamples=200).table
    np.testing.assert_allclose(wins.sort_index(), strengths.set_index("system")["strength"].sort_index(), atol=1e-8)


def test_order_of_systems_and_tasks_changes_nothing() -> None:
    turned = TINY.iloc[::-1, ::-1]
    for aggregate in ("mean", "borda", "z", "wins"):
        left, right = board(TINY, aggregate=aggregate).table, board(turned, aggregate=aggregate).table
        np.testing.assert_allclose(left["value"], right["value"], atol=1e-12)
        assert left.drop(columns="value").equals(right.drop(columns="value"))


def test_a_constant_on_a_task_leaves_differences() -> None:
    shifted = TINY.assign(t1=TINY["t1"] + 5)
    for aggregate in ("borda", "z", "wins"):
        np.testing.assert_allclose(
            board(TINY, aggregate=aggregate).table["value"],
            board(shifted, aggregate=aggregate).table["value"],
            atol=1e-9,
        )


def test_queries_of_one_task_give_the_paired_t() -> None:
    rng = np.random.default_rng(3)
    scores = rng.random((12, 2))
    rows = [("t", f"q{q}", name, scores[q, s]) for q in range(12) for s, name in enumerate("ab")]
    rows += [("u", f"q{q}", name, 0.5) for q in range(2) for name in "ab"]
    long = pd.DataFrame(rows, columns=["task", "query", "system", "score"])
    pair = board(long, sampled="queries").pairs.iloc[0]
    known = cranfield.compare(
        pd.DataFrame(scores, columns=["a", "b"]).rename_axis("topic").rename(index=str)
    ).pairs.iloc[0]
    assert pair["p"] == pytest.approx(known["p"], rel=1e-9)
    assert pair["df"] == pytest.approx(11)


# ---- how tables are read


def test_every_shape_of_a_table_is_the_same_board(tmp_path: Path) -> None:
    long = TINY.stack().rename("score").rename_axis(["model", "task"]).reset_index()
    files = {"wide.csv": TINY.to_csv(), "tasks.tsv": TINY.T.rename_axis("task").to_csv(sep="\t")}
    files["long.csv"] = long.to_csv(index=False)
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    nested = {system: dict(row) for system, row in TINY.iterrows()}
    array = TINY.rename_axis("system", axis=0).rename_axis("task", axis=1).stack().to_xarray()
    sources = [TINY, TINY.T.rename_axis("task"), TINY.reset_index(), long, nested, array]
    sources += [str(tmp_path / name) for name in files]
    expected = board(TINY).table
    for number, scores in enumerate(sources):
        assert board(scores).table.round(12).equals(expected.round(12)), number


def test_a_folder_of_mteb_is_read(tmp_path: Path) -> None:
    for model, row in TINY.iterrows():
        folder = tmp_path / f"org__{model}" / "main"
        folder.mkdir(parents=True)
        (folder / "model_meta.json").write_text("{}")
        for task, score in row.items():
            entry = {"main_score": score, "hf_subset": "default", "languages": ["eng-Latn"]}
            (folder / f"{task}.json").write_text(json.dumps({"task_name": task, "scores": {"test": [entry]}}))
    table = board(str(tmp_path)).table
    assert table.index.tolist() == ["org/a", "org/b", "org/c"]
    assert table["value"].tolist() == pytest.approx(board(TINY).table["value"].tolist())


def logged(system: str, task: str, score: float, **more: object) -> str:
    """A log as inspect_ai writes it, without what is not read."""
    metrics = {"accuracy": {"name": "accuracy", "value": score}, "stderr": {"name": "stderr", "value": 0.01}}
    scorer = {"name": "match", "scorer": "match", "metrics": metrics}
    log = {"version": 2, "status": "success", "eval": {"task": task, "model": system}, "results": {"scores": [scorer]}}
    return json.dumps(log | more)


def test_a_folder_of_logs_of_inspect_is_read(tmp_path: Path) -> None:
    for system, row in TINY.iterrows():
        for task, score in row.items():
            (tmp_path / f"{system}_{task}.json").write_text(logged(f"org/{system}", str(task), score))
    (tmp_path / "stopped.json").write_text(logged("org/a", "t1", 0.0, status="cancelled"))
    with pytest.warns(CranfieldWarning, match=r"stopped.json: left out, as its evaluation ended with 'cancelled'"):
        table = board(str(tmp_path)).table
    assert table["value"].tolist() == pytest.approx(board(TINY).table["value"].tolist())
    read = read_board(str(tmp_path))
    assert read.standard_errors is not None
    assert (read.standard_errors == 0.01).all()
    assert len(board(str(tmp_path), sampled="queries").pairs) == 3


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("log.json", logged("a", "t", 1.0, version=1), "version 1 of a log of inspect_ai; version 2 is read"),
        ("log.json", logged("a", "t", 1.0, results=None), r"log.json: the file is not a log of inspect_ai"),
        ("log.eval", "PK", "write them as JSON by `inspect log convert --to json`"),
        ("other.txt", "", "the folder has no MODEL/REVISION/TASK.json"),
    ],
)
def test_other_folders_are_refused(name: str, text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=message):
        board(str(tmp_path))


@pytest.mark.slow
def test_ten_thousand_tasks_are_no_exponent() -> None:
    """All flips of few tasks are made; the number of those of 2,000 is larger than any double."""
    rng = np.random.default_rng(0)
    scores = pd.DataFrame(
        rng.random((2, 2_000)) + np.array([[0.0], [0.5]]), index=pd.Index(["worse", "better"], name="model")
    )
    result = board(scores.rename(columns=str), resamples=99)
    assert result.table["high"].tolist() == [1, 2]


def helm_table(title: str = "Accuracy") -> dict[str, object]:
    """A table as ``helm-summarize`` writes it: a win rate first, a column of counts, one of which less is better."""
    header = [
        {"value": "Model", "markdown": False, "metadata": {}},
        {"value": "Mean win rate", "lower_is_better": False},
    ]
    header += [{"value": str(task), "lower_is_better": False, "metadata": {"metric": "EM"}} for task in TINY]
    header += [{"value": "Toxicity", "lower_is_better": True}, {"value": "# eval"}]
    rows = [
        [{"value": name}, {"value": 0.5}, *({"value": score} for score in row), {"value": 0.25}, {"value": 100}]
        for name, row in TINY.iterrows()
    ]
    return {"title": title, "header": header, "rows": rows, "links": [], "name": "accuracy"}


def test_a_table_of_helm_is_read(tmp_path: Path) -> None:
    path = tmp_path / "core_accuracy.json"
    path.write_text(json.dumps(helm_table()))
    with pytest.warns(CranfieldWarning) as warned:
        table = read_board(str(path))
    assert [str(warning.message).partition(".json: ")[2] for warning in warned] == [
        "'Mean win rate' left out, which sums up other columns",
        "'# eval' left out, of which HELM says neither that more nor that less is better",
        "'Toxicity' negated, as less is better",
    ]
    assert table.tasks == [*map(str, TINY), "Toxicity"]
    expected = np.vstack([TINY.to_numpy().T, np.full(len(TINY), -0.25)])
    assert np.array_equal(table.scores, expected, equal_nan=True)
    path.write_text(json.dumps([helm_table(), helm_table("Bias")]))
    with pytest.warns(CranfieldWarning, match="2 tables; the first is taken, 'Accuracy'"):
        assert np.array_equal(read_board(str(path)).scores, expected, equal_nan=True)
    empty = helm_table()
    empty["rows"][0][2] = {"description": "no runs"}  # type: ignore[index]
    path.write_text(json.dumps(empty))
    with pytest.warns(CranfieldWarning):
        assert np.isnan(read_board(str(path)).scores[0, 0])


@pytest.mark.parametrize(
    "text", ["{}", "[]", '{"a": 1}', "[1, 2]", '{"title": "t", "header": 1, "rows": 2}'], ids=range(5)
)
def test_other_json_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    path.write_text(text)
    with pytest.raises(FormatError, match=r"the file is JSON, and not a table of HELM"):
        board(str(path))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100_000, "scores.json: is not JSON: maximum recursion"),
        ('{"rows": [], "rows": []}', "'rows' occurs twice"),
    ],
    ids=["deep", "twice"],
)
def test_deep_json_and_keys_that_occur_twice_are_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        board(str(path))


def test_what_the_rows_are_has_to_be_said(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text(TINY.rename_axis("thing").to_csv())
    with pytest.raises(InputError, match=r"the first column is called 'thing'.*rows='systems'"):
        board(str(path))
    assert board(str(path), rows="systems").table.equals(board(TINY).table)


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("model,t1,t2\na,0.5,x\nb,1,2\n", FormatError, r"scores.csv:2: 'x' is not a number"),
        ("model,t1,t2\na,0.5,inf\nb,1,2\n", FormatError, r"scores.csv:2: 'inf' is not finite"),
        (
            "model,t1,t2\na,0.5,1\na,1,2\n",
            InputError,
            r"scores.csv:3: 'a' on 't1' has a score already, at .*scores.csv:2",
        ),
        ("model,t1,t2\na,0.5\nb,1,2\n", FormatError, r"scores.csv:2: the line has 2 fields, the header 3"),
        ("model,t1,t2\na,,\nb,,NA\n", InputError, "the table holds no score"),
        ("model,t1,t2\na,1,2\n", InputError, "two systems and a task: there are 1 system and 2 tasks"),
        ("", InputError, "the file is empty"),
        ("model,t1,t2\n,1,2\nb,1,2\n", FormatError, r"scores.csv:2: the name is empty"),
    ],
)
def test_odd_tables_are_refused_with_line_and_value(
    text: str, error: type[Exception], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "scores.csv"
    path.write_text(text)
    with pytest.raises(error, match=message):
        board(str(path), values_only=True)


def test_gaps_are_refused_with_the_three_remedies() -> None:
    gaps = TINY.copy()
    gaps.loc["b", "t2"] = np.nan
    message = r"1 system of 3 lacks scores \(first: 'b' on 't2'\).*missing_cells='complete'.*pairwise.*fit"
    with pytest.raises(InputError, match=message):
        board(gaps, min_tasks=1)
    assert board(gaps, min_tasks=1, missing_cells="complete").left_out == ("b",)


def test_systems_without_a_common_task_are_named() -> None:
    gaps = TINY.copy()
    gaps.loc[["a", "b"], ["t4", "t5", "t6"]] = np.nan
    gaps.loc["c", ["t1", "t2", "t3"]] = np.nan
    with pytest.raises(InputError, match=r"2 groups without a common task \(a, b and others; c and others\)"):
        board(gaps, min_tasks=1, missing_cells="fit", values_only=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"aggregate": "borda", "missing_cells": "fit"}, "missing_cells='fit' is for mean, group-mean and z"),
        ({"aggregate": "wins", "missing_cells": "zero"}, "take pairwise or complete"),
        ({"aggregate": "group-mean"}, "group-mean needs groups"),
        ({"group": "g"}, "group= is one of groups="),
        ({"groups": {f"t{n}": "g" for n in range(1, 9)}, "group": "h"}, "no group is called 'h'; there are 'g'"),
        ({"sampled": "both"}, "sampled='both' is not one of tasks, queries"),
        ({"aggregate": "z", "sampled": "queries"}, "no other is a mean of queries"),
        ({"standard_errors": TINY}, "standard_errors= is for sampled='queries'"),
        ({"smaller_is_better": "t9"}, "has no task 't9'"),
    ],
)
def test_settings_that_do_not_go_together(options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        board(TINY, **options)  # type: ignore[arg-type]


def test_five_tasks_have_no_ranks_but_values() -> None:
    five = TINY.drop(columns="t6")
    for options in ({"min_tasks": 1}, {}):
        with pytest.raises(InputError, match=r"5 tasks allow no p below 0.0625: at least 6, or values without"):
            board(five, **options)
    assert board(five, values_only=True).table["rank"].tolist() == [1, 2, 2]


def test_what_is_missing_counts_as_worse_than_last_is_said() -> None:
    gaps = TINY.copy()
    gaps.loc["b", "t2"] = np.nan
    with pytest.warns(CranfieldWarning, match="worse than last"):
        board(gaps, aggregate="borda", missing_cells="zero")


def test_less_is_better_on_a_task() -> None:
    turned = TINY.assign(t1=-TINY["t1"])
    assert board(turned, smaller_is_better="t1").table.equals(board(TINY).table)


def test_the_result_keeps_the_contract() -> None:
    result = board(TINY)
    again = board(TINY)
    assert result == again
    assert hash(result) == hash(again)
    assert json.loads(result.to_json())["signature"]["analysis"] == "board"
    assert "pairs_separated" in repr(result)
    assert read_board(TINY).systems == ["a", "b", "c"]
    with pytest.raises(UsageError, match="values_only"):
        board(TINY, values_only=True).among_best(1)


def test_a_dataset_of_one_variable_is_read_and_of_several_refused() -> None:
    values = np.array([[0.1, 0.2, 0.3], [0.4, 0.6, 0.5], [0.2, 0.3, 0.9]])
    labels = {"task": ["t1", "t2", "t3"], "system": ["a", "b", "c"]}
    array = xr.DataArray(values, labels, ("task", "system"), name="score")
    table = read_board(array.to_dataset())
    np.testing.assert_array_equal(table.scores, read_board(array).scores)
    assert (table.tasks, table.systems) == (labels["task"], labels["system"])
    several = xr.Dataset({"AP": array, "RR": array})
    with pytest.raises(UsageError, match=r"the data set has 'AP', 'RR': choose one"):
        read_board(several)


GROUPS = {f"t{n}": "easy" if n <= 7 else "hard" for n in range(1, 15)}


def grouped_board() -> pd.DataFrame:
    rng = np.random.default_rng(8)
    values = rng.random((5, 14)) * 0.2 + np.linspace(0.3, 0.6, 5)[:, None]
    return pd.DataFrame(values, pd.Index([f"m{n}" for n in range(5)], name="model"), list(GROUPS))


def test_a_group_of_tasks_is_ranked_as_a_board_of_its_tasks_alone() -> None:
    frame = grouped_board()
    alone = cranfield.board(frame[[task for task, group in GROUPS.items() if group == "hard"]])
    of_group = cranfield.board(frame, groups=GROUPS, group="hard")
    pd.testing.assert_frame_equal(of_group.table, alone.table)
    assert of_group.settings["group"] == ["hard"]


def test_the_means_of_groups_are_the_means_of_their_tasks() -> None:
    frame = grouped_board()
    frame.iloc[0, 0] = np.nan
    result = cranfield.board(frame, groups=GROUPS, missing_cells="fit")
    assert result.groups is not None
    assert list(result.groups) == ["easy", "hard"]
    for name in ("m1", "m4"):
        assert result.groups.loc[name, "easy"] == pytest.approx(frame.loc[name].iloc[:7].mean())
        assert result.groups.loc[name, "hard"] == pytest.approx(frame.loc[name].iloc[7:].mean())
    assert np.isnan(result.groups.loc["m0", "easy"])  # it lacks a task of them
    assert list(result.groups.index) == list(result.table.index)


def test_that_larger_is_better_is_said_where_nothing_says_it() -> None:
    """Not of measures that are known, of names that say so, nor of a board that states it."""
    everywhere = {"directions": {"every task": "larger is better, as nothing says otherwise"}}
    for scores, said in (
        (TINY, everywhere),
        (TINY.set_axis(["nDCG@10", "accuracy", *TINY.columns[2:]], axis=1), everywhere),
        (TINY.set_axis(["nDCG@10", "accuracy", *(f"f1 of {task}" for task in TINY.columns[2:])], axis=1), {}),
    ):
        result = board(scores)
        told = {"directions": result.settings["directions"]} if "directions" in result.settings else {}
        assert told == said
        assert ("larger is better on every task, as nothing" in result.caption("table")) == bool(said)


def test_what_a_board_says_of_ranks_that_are_separated() -> None:
    """Where a line parts the systems is said once, and the last is named."""
    apart = pd.DataFrame({f"t{n}": [0.9, 0.9 + n / 90, 0.5, 0.5 + n / 90, 0.1] for n in range(9)}, index=list("abcde"))
    apart += np.random.default_rng(2).random(apart.shape) / 5
    result = board(apart.rename_axis("model"))
    assert result.cuts == [2, 4]
    best = result.table.index[0]
    assert result.caption("table").splitlines()[0].split("; ")[:4] == [
        f"by mean, {best} has the largest value, but 2 of 5 systems may be the best",
        "80% of pairs of systems are separated, and 2 of 4 pairs of adjacent ranks",
        "all systems down to rank 2 are better than all below",
        "the last, e, is worse than all others",
    ]
    noise = pd.DataFrame(np.random.default_rng(1).random((5, 9)), list("abcde"), [f"t{n}" for n in range(9)])
    answer = board(noise.rename_axis("model")).caption("table").splitlines()[0]
    assert "but any of 5 systems may be the best; no two systems are separated" in answer


@pytest.mark.parametrize("aggregate", ["mean", "borda", "mean-rank", "z", "wins"])
def test_naming_groups_ranks_by_the_groups_where_that_is_asked_for_alone(aggregate: Any) -> None:
    frame = grouped_board()
    groups = {task: "one" if task == "t1" else "rest" for task in frame}
    named = cranfield.board(frame, aggregate=aggregate, groups=groups, seed=3)
    pd.testing.assert_frame_equal(named.table, cranfield.board(frame, aggregate=aggregate, seed=3).table)
    both = cranfield.board(frame, aggregate=aggregate, groups=groups, group=["one", "rest"], seed=3)
    pd.testing.assert_frame_equal(both.table, named.table)


def test_naming_groups_leaves_means_over_queries() -> None:
    rows = [
        (system, f"t{task}", f"q{query}", (7 * task + 5 * query + 3 * number + task * query * number) % 11 / 10)
        for number, system in enumerate("abc")
        for task in range(1, 4)
        for query in range(6)
    ]
    frame = pd.DataFrame(rows, columns=["system", "task", "query", "score"])
    named = cranfield.board(frame, groups={"t1": "x", "t2": "y", "t3": "y"}, sampled="queries")
    pd.testing.assert_frame_equal(named.table, cranfield.board(frame, sampled="queries").table)
    means = frame.groupby("system")["score"].mean()
    np.testing.assert_allclose(named.table["value"], means[named.table.index])


def test_a_new_system_that_lacks_tasks_is_named_among_those_not_ranked() -> None:
    mine = pd.DataFrame([[0.5]], pd.Index(["mine"], name="model"), list(GROUPS)[:1])
    for options, lack in (({}, "has scores on fewer than 6 tasks"), ({"missing_cells": "complete"}, "lacks a score")):
        answer = cranfield.board(grouped_board(), add=mine, **options).caption("table").splitlines()[0]  # type: ignore[arg-type]
        assert answer.startswith(f"mine is not ranked, as it {lack}")


def test_a_new_system_is_ranked_as_if_its_row_were_in_the_table() -> None:
    frame = grouped_board()
    mine = pd.DataFrame([np.full(14, 0.52)], pd.Index(["mine"], name="model"), list(GROUPS))
    added, joined = cranfield.board(frame, add=mine), cranfield.board(pd.concat([frame, mine]))
    pd.testing.assert_frame_equal(added.table, joined.table)
    row = added.table.loc["mine"]
    answer = added.caption("table").splitlines()[0]
    assert answer.startswith(f"by mean, mine is at rank {row['rank']:.0f} of 6: with 95% confidence ")
    assert added.signature != joined.signature


@pytest.mark.parametrize(
    ("score", "told"),
    [
        (0.9, "none is better and 3 are worse"),
        (0.1, "3 are better and none is worse"),
        (0.65, "1 is better and 2 are worse"),
        (0.5, "1 is better, 1 is worse and 1 is neither"),
    ],
)
def test_a_new_system_is_told_how_many_are_better_and_worse(score: float, told: str) -> None:
    """Systems with the same score on every task, but for rounding, are named; a page begins with the answers."""
    rows = {name: [value + task / 100 for task in range(8)] for name, value in {"a": 0.7, "b": 0.5, "c": 0.3}.items()}
    table = read_board(
        pd.DataFrame.from_dict(rows, orient="index").rename_axis("model").rename(columns="t{}".format),
        add={"new": {f"t{task}": score + task / 100 + 1e-16 for task in range(8)}},
    )
    result = board(table)
    lines = result.caption("table").splitlines()
    assert f"with 95% confidence {told}, as far as these tasks show" in lines[0]
    assert ("the same score on every task: b = new" in lines) == (score == 0.5)
    page = make_board_page(table, [result], None, title="New").html
    for sentence in (lines[0].split(";")[0], lines[1].split(";")[0]):
        assert page.count(f"{sentence[0].upper()}{sentence[1:]}.") == 1


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({"m1": dict.fromkeys(GROUPS, 0.5)}, "the board has a system 'm1' already"),
        ({"mine": {"t1": 0.5, "T2": 0.4}}, "the board has no task 'T2'; did you mean 't2'?"),
    ],
)
def test_a_new_system_of_other_tasks_or_of_a_name_that_is_there_is_refused(rows: Any, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        cranfield.board(grouped_board(), add=rows)


@pytest.mark.parametrize(
    ("cell", "advice"),
    [
        ('"0,5"', "write a point, not a comma"),
        ('"1,234"', "write a point before decimals, and nothing between thousands"),
        ("99%", "write it without the sign, 99"),
    ],
)
def test_a_number_in_another_manner_is_refused_with_what_to_write(cell: str, advice: str, tmp_path: Path) -> None:
    path = tmp_path / "board.csv"
    path.write_text(f"model,t1,t2\na,{cell},0.5\nb,0.4,0.5\n")
    with pytest.raises(FormatError, match=re.escape(f"board.csv:2: {cell.strip(chr(34))!r}")) as refused:
        read_board(path)
    assert advice in str(refused.value)


def test_a_board_as_a_spreadsheet_writes_it_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path, groups = tmp_path / "board.csv", tmp_path / "groups.csv"
    path.write_text("model;t1;t2\na;0,5;0,5\nb;0,4;0,5\n")
    remedy = "; separate columns with commas, not semicolons, and write numbers with a point, as 0.25"
    for rows in (None, "systems"):
        with pytest.raises(InputError) as refused:
            read_board(path, rows=rows)  # type: ignore[arg-type]
        assert str(refused.value) == f"{path}: the header is one field, 'model;t1;t2'{remedy}"
    groups.write_text("task;group\nt1;x\n")
    with pytest.raises(FormatError, match=re.escape(remedy)):
        board(TINY, groups=groups)
    for folder, kind in (("xl/workbook.xml", "Excel"), ("content.xml", "OpenDocument")):
        with zipfile.ZipFile(path, "w") as made:
            made.writestr(folder, "")
            made.writestr("mimetype", "")
        with pytest.raises(InputError, match=f"is a workbook of {kind}, not lines of text; save its sheet as CSV"):
            read_board(path)
        with pytest.raises(InputError, match=f"is a workbook of {kind}"):
            board(TINY, groups=path)
    path.write_text("model,t1,t2\n", encoding="utf-16")
    with pytest.raises(InputError, match="the file is UTF-16, not UTF-8 text; convert it with `iconv"):
        read_board(path)


def test_a_task_whose_name_says_that_less_is_better() -> None:
    """By its name, unless the call says otherwise; the answer and the settings say it."""
    named = TINY.assign(t1=-TINY["t1"]).rename(columns={"t1": "latency_ms"})
    result = board(named)
    assert result.table.equals(board(TINY).table)
    said_of_others = ", larger on the others, as nothing says otherwise"
    answer = result.caption("table").splitlines()[0]
    assert answer.endswith(f"; smaller is better on latency_ms, by name{said_of_others}")
    others = {"every other task": "larger is better, as nothing says otherwise"}
    assert result.settings["directions"] == {"latency_ms": "smaller is better, by its name"} | others
    said = board(named, smaller_is_better="latency_ms")
    assert said.settings["directions"] == {"latency_ms": "smaller is better"} | others
    assert said.table.equals(result.table)
    turned = board(read_board(named), larger_is_better="latency_ms")
    assert turned.table.equals(board(named.rename(columns={"latency_ms": "t1"})).table)
    assert turned.settings["directions"] == {"latency_ms": "larger is better"} | others
    said = "; larger is better on latency_ms and on the others, as nothing says otherwise"
    assert turned.caption("table").splitlines()[0].endswith(said)
    with pytest.raises(UsageError, match="larger_is_better= and smaller_is_better= both name latency_ms"):
        board(named, larger_is_better="latency_ms", smaller_is_better="latency_ms")


@pytest.mark.parametrize(("cost", "names"), [("latency_ms", True), ("WER", True), ("speed", False)])
def test_a_mean_says_which_tasks_are_of_another_unit_or_direction(cost: str, names: bool) -> None:
    """Small costs decide no mean, and are in another unit all the same."""
    rng = np.random.default_rng(4)
    scores = pd.DataFrame(rng.random((7, 3)), [*(f"t{at}" for at in range(6)), cost], ["a", "b", "c"]).T
    scores.index.name = "model"
    given = {"smaller_is_better": "WER"} if cost == "WER" else {}
    said = f"mean adds {cost} to the other tasks as they are, though in another unit or direction"
    assert (said in board(scores, **given).caption("table")) == names
    assert "in another unit" not in board(scores, aggregate="z", **given).caption("table")
