"""The page "Can I trust a language-model judge": which of eight judges orders the systems of DL 2019 as people do."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

import cranfield
from cranfield.cli import app
from data_sets import DATA

PAGE = Path(__file__).resolve().parents[2] / "docs" / "questions" / "can-i-trust-a-language-model-judge.md"
RUNS = DATA / "trec-dl-2019-passage"
JUDGES = DATA / "llm-qrels-dl19-dl20" / "dl19"


def rows(scores: pd.DataFrame) -> str:
    """A leaderboard as AutoJudge writes it, with the means of its systems."""
    said = [f"{system} nDCG@10 {topic} {value!r}" for (topic, system), value in scores.stack().items()]
    means = [f"{system} nDCG@10 all {value!r}" for system, value in scores.mean().items()]
    return "\n".join([*said, *means, ""])


@pytest.mark.heavy
@pytest.mark.data("data/trec-dl-2019-passage", "data/llm-qrels-dl19-dl20")
def test_every_number_is_printed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("judges").mkdir()
    files = {Path("truth.tot"): RUNS / "qrels.dl19-passage.txt.gz"}
    files |= {Path("judges") / f"{file.name.partition('.')[0]}.tot": file for file in JUDGES.iterdir()}
    for path, qrels in files.items():
        scores = cranfield.evaluate(runs=str(RUNS / "runs" / "*"), qrels=str(qrels), measures="nDCG@10")
        path.write_text(rows(scores["nDCG@10"].to_pandas()))
    call = ["judges", "--scores", "truth.tot", "--scores", "judges/*", "--top", "15", "-f", "csv", "-o"]
    for more in (["kept.csv"], ["all.csv", "--show", "correlations"]):
        CliRunner().invoke(app, [*call, *more], catch_exceptions=False)
    kept = pd.read_csv("kept.csv", index_col="source")
    found = pd.read_csv("all.csv", index_col=["judge", "statistic"])
    section = PAGE.read_text().split("### Which judge orders", 1)[1]
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in section.splitlines() if "|" in line][2:]
    assert len(lines) == 8
    for judge, *cells in lines:
        of = found.loc[f"{judge}.tot"].map(lambda value: f"{value:.2f}")
        wanted = [f"{of.value[name]} ({of.low[name]} to {of.high[name]})" for name in ("kendall", "kendall@15")]
        wanted[1:1] = [of.value[name] for name in ("spearman", "pearson", "tau_ap_b")]
        wanted += [f"{100 * kept.loc[f'{judge}.tot', name]:.0f}%" for name in ("kept", "gained")]
        assert cells == wanted, judge
