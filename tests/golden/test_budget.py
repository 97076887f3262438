"""The table of the page on judgments, from TREC Deep Learning 2019."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield import engine
from cranfield.engine import Engine
from cranfield.pooling import estimate_budget
from data_sets import DATA

PASSAGE = DATA / "trec-dl-2019-passage"
PAGE = Path(__file__).resolve().parents[2] / "docs" / "questions" / "how-many-judgments.md"
BUDGETS = [10, 20, 50, 100]


@pytest.mark.slow
@pytest.mark.data("data/trec-dl-2019-passage")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_the_numbers_of_the_page(compiled: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "current", lambda: compiled)  # plain Python reads the same lists, in ten times the time
    runs, qrels = str(PASSAGE / "runs" / "*"), str(PASSAGE / "qrels.dl19-passage.txt.gz")
    found = estimate_budget(runs, qrels, ["nDCG@10"], budgets=BUDGETS, rel=2)
    taus = found.curve.pivot(index="order", columns="budget", values="tau")
    text = PAGE.read_text()
    assert set(taus.index) == {"random", "depth", "mtf", "thompson", "max-mean", "max-mean-ns"}
    for order in taus.index:
        assert f"| `{order}` | {' | '.join(f'{tau:.3f}' for tau in taus.loc[order])} |" in text
    needed = found.needed.set_index("order")
    assert needed["budget"].to_dict() == dict.fromkeys(taus.index, 50.0) | {"random": 100.0}
    assert f"50 judgments of a topic, {needed['share']['mtf']:.0%}" in text
    at_100 = found.curve[found.curve["budget"] == 100].set_index("order")
    assert f"finds the most relevant documents, {at_100['found'].max():.0%}" in " ".join(text.split())
    assert (at_100["found"].idxmax(), at_100["tau"].drop("random").idxmin()) == ("max-mean", "max-mean")
    assert f"{found.judged:,} judgments" in text
