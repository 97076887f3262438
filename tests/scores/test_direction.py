"""Whether larger or smaller scores are better: what names say, and what they do not."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

import cranfield
from cranfield import InputError, UsageError
from cranfield.cli import app
from cranfield.comparison import gate


def table(name: str) -> pd.DataFrame:
    frame = pd.DataFrame({"a": range(100, 112), "b": [120 + 1.3 * at for at in range(12)]}, dtype=float)
    frame.index = pd.Index([f"t{at}" for at in range(12)])
    frame.attrs["measure"] = name
    return frame


@pytest.mark.parametrize(
    ("verdict", "names"),
    [
        ("regression", "latency latency_ms p95.latency LatencyMs cost costUSD total-tokens price error_rate val_loss"),
        ("regression", "perplexity ppl L2_distance hallucination hallucinations ms seconds wall_time RMSE wer loss"),
        ("no regression", "accuracy acc f1 F1 micro-F1 contextPrecision answer_relevancy Faithfulness exact_match"),
        ("no regression", "score scores mean_score strict_vital_score hit_rate map_at_10 semantic_similarity ndcg.x"),
        (
            "refused",
            "x mine satisfaction times tokens_per_second accuracy_loss error_free error-reduction 1-error -loss",
        ),
        (
            "refused",
            "recall_std cost_score latency_score number judgement items seconds_saved no_error rank toxicity_f1",
        ),
    ],
)
def test_what_a_name_says(verdict: str, names: str) -> None:
    """The second system has larger scores on every topic."""
    found = {}
    for name in names.split():
        try:
            found[name] = gate(table(name)).verdict
        except InputError as error:
            found[name] = "refused" if error.code == "no-direction" else str(error)
    assert found == dict.fromkeys(names.split(), verdict)


@pytest.mark.parametrize(
    ("name", "best", "said"),
    [
        ("latency_ms", "a", "smaller is better, by its name"),
        ("judge_score", "b", "larger is better, as nothing says otherwise"),
        ("x", "b", "larger is better, as nothing says otherwise"),
        ("score", "b", "larger is better, by its name"),
        ("faithfulness", "b", "larger is better, by its name"),
        ("error_free", "b", "larger is better, as nothing says otherwise"),
    ],
)
def test_comparisons_and_tables_go_by_the_name_and_say_so(name: str, best: str, said: str, tmp_path: Path) -> None:
    """In the answer, the caption and the settings, which JSON has."""
    comparison = cranfield.compare(table(name))
    assert comparison.means.index[0] == best
    table(name).to_csv(tmp_path / f"{name}.csv", index_label="topic")
    printed = CliRunner().invoke(app, ["compare", "--scores", str(tmp_path / f"{name}.csv")]).stdout
    assert f"({said})" in printed.splitlines()[0]
    assert f"{name}, 12 topics, {said}: 1 of 1 pair significant" in printed
    assert comparison.settings["directions"] == {name: said}
    paper = cranfield.comparison.compare_measures(table(name))
    assert paper.rows["system"].iloc[0] == best
    assert f"{name}: {said}." in CliRunner().invoke(app, ["table", "--scores", str(tmp_path / f"{name}.csv")]).stdout
    assert "directions" not in cranfield.compare(table("nDCG@10")).settings


def test_measures_of_this_package_are_facts_and_what_is_said_comes_before_a_name() -> None:
    assert gate(table("NumNonRelJudgedRet")).verdict == "regression", "fewer of them are better"
    assert "directions" not in gate(table("NumNonRelJudgedRet")).settings
    assert gate(table("nDCG@10")).verdict == "no regression"
    assert gate(table("latency")).settings["directions"] == {"latency": "smaller is better, by its name"}
    turned = gate(table("latency"), larger_is_better="latency")
    assert (turned.verdict, turned.settings["directions"]) == ("no regression", {"latency": "larger is better"})


def test_what_a_file_says_of_a_measure_that_it_names_holds(tmp_path: Path) -> None:
    """Attributes of Parquet and netCDF are kept; a matrix and rows say nothing."""
    scores = cranfield.read_scores(written(tmp_path, "mine"))
    with pytest.raises(InputError, match=r"nothing says so of mine: give each .* larger_is_better= or smaller_is_"):
        gate(scores)
    said = scores.assign(mine=scores["mine"].assign_attrs(larger_is_better=0))
    for name in ("s.nc", "s.parquet"):
        cranfield.write_scores(said, tmp_path / name)
        found = gate(cranfield.read_scores(tmp_path / name))
        assert (found.verdict, found.settings["directions"]) == ("regression", {"mine": "smaller is better"})
        cranfield.write_scores(scores, tmp_path / f"unsaid-{name}")
        with pytest.raises(InputError, match="nothing says so of mine"):
            gate(cranfield.read_scores(tmp_path / f"unsaid-{name}"))


def test_frames_say_it_by_their_name_or_by_the_call() -> None:
    assert gate(table("latency")).verdict == "regression"
    assert gate(table("mine"), smaller_is_better="mine").verdict == "regression"
    assert gate(table("mine"), larger_is_better=["mine"]).verdict == "no regression"
    seeds = {"a": "A", "c": "A", "b": "B", "d": "B"}
    frame = table("latency").assign(c=lambda f: f["a"] + 1, d=lambda f: f["b"] + 1)
    assert gate(frame, replicates=pd.Series(seeds)).verdict == "regression"


def written(folder: Path, name: str) -> Path:
    path = folder / f"{name}.csv"
    table(name).to_csv(path, index_label="topic")
    return path


def test_a_comparison_and_a_table_go_by_what_the_call_says(tmp_path: Path) -> None:
    path = str(tmp_path / "mine.csv")
    table("mine").to_csv(path, index_label="topic")
    said = {"directions": {"mine": "smaller is better"}}
    read = cranfield.read_scores(path, smaller_is_better="mine")
    for comparison in (
        cranfield.compare(table("mine"), smaller_is_better="mine"),
        cranfield.compare(read),
        cranfield.comparison.compare_measures(table("mine"), smaller_is_better=["mine"]),
    ):
        assert comparison.settings["directions"] == said["directions"]
    assert cranfield.compare(read).means.index[0] == "a"
    assert cranfield.compare(read, larger_is_better="mine").means.index[0] == "b"
    printed = CliRunner().invoke(app, ["table", "--scores", path, "--smaller-is-better", "mine"]).stdout
    assert printed.splitlines()[0] == "mine: smaller is better."
    assert printed.count("smaller is better") == 1
    printed = CliRunner().invoke(app, ["compare", "--scores", path, "--smaller-is-better", "mine"]).stdout
    assert "(smaller is better)" in printed.splitlines()[0]
    for names in ((["--smaller-is-better", "other"]), (["--smaller-is-better", "mine", "--larger-is-better", "mine"])):
        refused = CliRunner().invoke(app, ["compare", "--scores", path, *names])
        assert isinstance(refused.exception, UsageError)


def test_a_measure_of_runs_is_told_no_direction(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="smaller_is_better=: AP is a measure of which larger is better"):
        cranfield.compare(table("AP"), smaller_is_better="AP")
    ended = CliRunner().invoke(app, ["compare", "qrels", "a", "b", "--smaller-is-better", "AP"])
    assert isinstance(ended.exception, UsageError)
