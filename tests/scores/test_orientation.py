"""Tables with systems in rows, as leaderboards of models have them."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import cranfield
from cranfield import CranfieldWarning, InputError, UsageError, read_scores

VALUES = [[50.0, 61.0, 70.0], [45.5, 59.0, 66.0]]
HEADS = (
    "model", "Model", "models", "Model Name", "model_name", "system", "System ID", "systems", "run", "run_id", "Runs",
    "name", "Name", "method", "retriever", "team", "tag",
)  # fmt: skip


def said(head: str) -> str:
    return f"read with systems in rows, as the column '{head}' says, and 3 topics in columns \\('T1', 'T2', 'T3'\\)"


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("separator", [",", "\t"])
def test_a_table_of_models_in_rows(tmp_path: Path, head: str, separator: str) -> None:
    lines = [[head, "T1", "T2", "T3"], ["A", "50", "61", "70"], ["B", "45.5", "59", "66"]]
    path = tmp_path / "m.csv"
    path.write_text("".join(separator.join(line) + "\n" for line in lines))
    with pytest.warns(CranfieldWarning, match=f"m.csv: {said(head)}"):
        found = read_scores(path)["m"]
    assert found["system"].values.tolist() == ["A", "B"]
    assert found["topic"].values.tolist() == ["T1", "T2", "T3"]
    assert found.transpose("system", "topic").values.tolist() == VALUES


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("as_index", [True, False])
def test_a_frame_of_models_in_rows(head: str, as_index: bool) -> None:
    frame = pd.DataFrame({head: ["A", "B"], "T1": [50, 45.5], "T2": [61, 59.0], "T3": [70, 66.0]})
    plain = frame.set_index(head).T.rename_axis(columns=None)
    with pytest.warns(CranfieldWarning, match=f"the data frame: {said(head)}"):
        found = cranfield.compare(frame.set_index(head) if as_index else frame)
    pd.testing.assert_frame_equal(found.pairs, cranfield.compare(plain).pairs)
    assert set(found.pairs["system"]) == {"A"}


def test_columns_that_sum_up_the_others_are_no_topics(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("model,Mean (Task),T1,T2,Average\nA,1,2,3,4\nB,5,6,7,8\n")
    with pytest.warns(CranfieldWarning, match=r"'Mean \(Task\)', 'Average' left out"):
        assert read_scores(tmp_path / "m.csv")["topic"].values.tolist() == ["T1", "T2"]


def test_columns_that_are_measures_are_refused(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("model,nDCG@10,AP\nA,.2,.3\nB,.4,.5\n")
    with pytest.raises(InputError, match="its columns are measures"):
        read_scores(tmp_path / "m.csv")
    with pytest.raises(UsageError, match="its columns are measures"):
        cranfield.compare(pd.read_csv(tmp_path / "m.csv"))


def test_a_system_may_be_called_so_too(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("run,other\n0.5,0.25\n0.75,0.5\n")
    assert read_scores(tmp_path / "m.csv")["system"].values.tolist() == ["run", "other"]
    (tmp_path / "m.csv").write_text("topic,run,model\n1,0.5,0.25\n2,0.75,0.5\n")
    assert read_scores(tmp_path / "m.csv")["system"].values.tolist() == ["run", "model"]


def test_other_heads_say_both_ways_out(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("embedding,T1,T2\nA,.2,.3\nB,.4,.5\n")
    with pytest.raises(
        InputError, match="if the first column holds topics, call it 'topic', and if it holds systems, 'sys"
    ):
        read_scores(tmp_path / "m.csv")
