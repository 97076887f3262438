"""False verdicts of boards: groups without a common task, rounding, no spread, settings without effect, memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from cranfield.boards import board, read_board
from cranfield.errors import CranfieldWarning, InputError, UsageError

TASKS = [f"t{number}" for number in range(7)]


def framed(**systems: list[float]) -> pd.DataFrame:
    names = [f"t{number}" for number in range(len(next(iter(systems.values()))))]
    return pd.DataFrame(list(systems.values()), index=pd.Index(list(systems), name="model"), columns=names)


# ---- gaps

NONE = float("nan")


@pytest.mark.parametrize(("aggregate", "missing"), [("wins", "pairwise"), ("mean", "fit"), ("z", "fit")])
def test_groups_without_a_common_task_are_refused(aggregate: Any, missing: Any) -> None:
    first, second = [0.5] * 6 + [NONE] * 6, [NONE] * 6 + [0.5] * 6
    scores = framed(a=first, b=[x + 0.1 for x in first], c=second, d=[x + 0.2 for x in second])
    for values_only in (False, True):
        with pytest.raises(InputError, match=r"2 groups without a common task \(a, b and others; c, d and others\)"):
            board(scores, aggregate=aggregate, missing_cells=missing, values_only=values_only)
    scores.loc["c", "t0"] = 0.7
    assert len(board(scores, aggregate=aggregate, missing_cells=missing, values_only=True).table) == 4


@pytest.mark.parametrize(("aggregate", "missing"), [("wins", "pairwise"), ("z", "fit")])
def test_systems_with_few_tasks_of_their_own_are_not_separated(aggregate: Any, missing: Any) -> None:
    rng = np.random.default_rng(1)
    scores = pd.DataFrame(rng.random((3, 25)), index=pd.Index(list("abc"), name="model")).rename(columns=str)
    scores.loc["b", [str(at) for at in range(23)]] = NONE
    with pytest.warns(
        CranfieldWarning, match=r"'b' has 2 tasks: systems with fewer than 6 tasks are not separated from others"
    ):
        found = board(scores, aggregate=aggregate, missing_cells=missing, min_tasks=1)
    assert found.table.loc["b", ["low", "high"]].tolist() == [1, 3]
    board(scores, aggregate=aggregate, missing_cells=missing, min_tasks=1, values_only=True)


# ---- rounding


@pytest.mark.parametrize("aggregate", ["mean", "z", "borda", "mean-rank", "wins"])
def test_rounding_does_not_decide_who_is_better(aggregate: Any) -> None:
    scores = framed(b=[0.1 + 0.2] * 7, a=[0.3] * 7, c=[0.1] * 7)
    assert scores.loc["b", "t0"] != scores.loc["a", "t0"]
    result = board(scores, aggregate=aggregate)
    assert result.table.index.tolist() == ["a", "b", "c"]
    assert result.table["rank"].tolist() == [1, 1, 3]
    assert result.table["low"].tolist() == [1, 1, 3]
    assert not result.adjacent["separable"].tolist()[0]


def test_a_task_on_which_systems_differ_by_rounding_teaches_nothing() -> None:
    scores = framed(a=[0.1 + 0.2, *[0.5] * 6], b=[0.3, *[0.4] * 6])
    with pytest.warns(CranfieldWarning, match="all systems are equal on 't0': nothing is learned there"):
        assert board(scores, aggregate="z").table["value"].tolist() == pytest.approx(
            [6 / 7 * 0.5**0.5, -6 / 7 * 0.5**0.5]
        )


@pytest.mark.parametrize(("tasks", "words"), [(3, "'t2': nothing"), (4, "'t2' and 1 more: nothing")])
def test_tasks_that_teach_nothing_are_named_up_to_three(tasks: int, words: str) -> None:
    scores = framed(a=[*[0.3] * tasks, *[0.5] * 6], b=[*[0.3] * tasks, *[0.4] * 6])
    with pytest.warns(CranfieldWarning, match=f"all systems are equal on 't0', 't1', {words}"):
        board(scores)


# ---- no spread


def by_query(first: list[float], other: list[float], queries: int = 9) -> pd.DataFrame:
    """Two systems whose difference is the same on every query of a task, and a third one."""
    rng = np.random.default_rng(0)
    noise = rng.random((len(first), queries))
    rows = [
        (task, f"q{query}", system, noise[at, query] + shift)
        for at, task in enumerate("tuvw"[: len(first)])
        for query in range(queries)
        for system, shift in (("a", first[at]), ("b", other[at]), ("c", 0.1 * rng.random()))
    ]
    return pd.DataFrame(rows, columns=["task", "query", "system", "score"])


@pytest.mark.parametrize(("queries", "ranks"), [(2, [[1, 3], [1, 3]]), (9, [[1, 1], [2, 2]]), (40, [[1, 1], [2, 2]])])
def test_a_difference_without_spread_over_queries_has_the_p_of_signs(queries: int, ranks: list[list[int]]) -> None:
    result = board(by_query([0.3, 0.3], [0.2, 0.25], queries), sampled="queries")
    pair = result.pairs.loc[("a", "b")]
    assert pair["standard_error"] == 0
    assert pair["p"] == pytest.approx(2.0 ** (1 - 2 * queries))
    assert result.table.loc[["a", "b"], ["low", "high"]].to_numpy().tolist() == ranks
    assert result.pairs["p"].notna().all()


def test_a_difference_without_spread_whose_sign_differs_is_no_certainty() -> None:
    with pytest.warns(CranfieldWarning, match=r"1 of 3 pairs without spread \(first: 'a' and 'b'\)"):
        result = board(by_query([0.5, 0.2], [0.2, 0.3]), sampled="queries")
    pair = result.pairs.loc[("a", "b")]
    assert pair["standard_error"] == 0
    assert np.isnan(pair["p"])
    assert result.table.loc[["a", "b"], ["low", "high"]].to_numpy().tolist() == [[1, 2], [1, 2]]
    assert result.pairs["p"].notna().sum() == 2


# ---- settings without effect


@pytest.mark.parametrize(
    "options",
    [{"sampled": "queries"}, {"alpha": 0.1}, {"marginal": True}, {"resamples": 99}, {"seed": 7}],
    ids=lambda options: next(iter(options)),
)
def test_values_alone_refuse_what_is_about_ranks(options: dict[str, Any]) -> None:
    message = f"values_only= leaves the ranks out, which {next(iter(options))}= is about"
    with pytest.raises(UsageError, match=message):
        board(framed(a=[0.5, 0.4], b=[0.3, 0.2]), values_only=True, **options)


def test_the_least_number_of_tasks_is_at_least_one() -> None:
    scores = framed(a=[0.5, 0.4], b=[0.3, NONE], c=[0.3, 0.1])
    assert board(scores, values_only=True, min_tasks=2).left_out == ("b",)
    with pytest.raises(UsageError, match="min_tasks=0"):
        board(scores, values_only=True, min_tasks=0)


# ---- memory


def test_what_does_not_fit_is_refused_before_it_is_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRANFIELD_MEMORY", "4000000")
    path = tmp_path / "sparse.csv"
    path.write_text("system,task,score\n" + "".join(f"s{at},t{at},.5\n" for at in range(400)))
    with pytest.raises(
        InputError, match=r"sparse.csv: a table of 400 systems by 400 tasks would take 7.7 MB of memory"
    ):
        read_board(path)
    queries = tmp_path / "queries.csv"
    queries.write_text("system,task,query,score\n" + "".join(f"s{at},t,q{at},.5\n" for at in range(600)))
    with pytest.raises(InputError, match=r"queries.csv: scores of 600 systems on 600 queries would take 5.8 MB"):
        read_board(queries)
    rng = np.random.default_rng(0)
    wide = pd.DataFrame(rng.random((300, 6)), index=pd.Index(range(300), name="model")).rename(columns=str)
    with pytest.raises(InputError, match=r"strengths of 300 systems would take 11.5 MB.*rank them by borda"):
        board(wide, aggregate="wins", values_only=True)
    assert len(board(wide, values_only=True).table) == 300
    with pytest.raises(InputError, match=r"a fit to 400 tasks would take 6.4 MB"):
        scores = pd.DataFrame(rng.random((3, 400)), index=pd.Index(list("abc"), name="model")).rename(columns=str)
        scores.iloc[0, 0] = NONE
        board(scores, missing_cells="fit", values_only=True)


def test_a_file_of_more_scores_than_fit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "many.csv"
    path.write_text(
        "model,"
        + ",".join(f"t{at}" for at in range(700))
        + "\n"
        + "".join(f"m{at}{',.5' * 700}\n" for at in range(100))
    )
    monkeypatch.setenv("CRANFIELD_MEMORY", "20000000")
    with pytest.raises(InputError, match=r"many.csv: a board of 65,536 scores would take 22.9 MB of memory"):
        read_board(path)


# ---- clean cuts


def test_cuts_are_those_of_the_definition() -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        level = np.sort(rng.integers(0, 4, 6))[::-1, None]
        scores = pd.DataFrame(level + rng.random((6, 9)), index=pd.Index(list("abcdef"), name="model")).rename(
            columns=str
        )
        result = board(scores)
        high, low = result.table["high"].to_numpy(), result.table["low"].to_numpy()
        by_ranks = [place for place in range(1, 6) if high[:place].max() <= place and low[place:].min() > place]
        assert result.cuts == by_ranks
