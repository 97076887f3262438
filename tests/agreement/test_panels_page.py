"""The numbers that the page on language-model judges prints about panels of real judges."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_panels import LEVELS, judges, panel

import cranfield
from cranfield.agreement import combine_labels
from data_sets import DATA

PAGE = Path(__file__).resolve().parents[2] / "docs/questions/can-i-trust-a-language-model-judge.md"
pytestmark = pytest.mark.data("data/llm-qrels-dl19-dl20", "data/llmjudge-dl23", "data/trec-dl-2019-passage")


def short(value: float, digits: int) -> str:
    """A number as the page prints it."""
    return f"{value:.{digits}f}"


@pytest.mark.parametrize("name", ["dl19", "dl23"])
def test_what_panels_are_worth(name: str) -> None:
    text = PAGE.read_text(encoding="utf-8")
    none, centred = (row for _, row in panel(name).effective.iterrows())
    members = panel(name).members.set_index("labels_of")
    cells = [
        "{} ({} to {})".format(*(short(row[column + end], digits) for end in ("", "_low", "_high")))
        for row, column, digits in (
            (none, "rho", 2),
            (none, "n_eff", 1),
            (centred, "n_eff", 1),
            (none, "participation", 1),
        )
    ]
    cells += [short(members.loc["majority", column], 3) for column in ("accuracy", "if_independent")]
    assert " | ".join(cells) in text
    for method in ("majority", "dawid-skene", "weighted"):
        assert f"{short(members.loc[method, 'kappa'], 3)}, " in text
        assert short(members.loc[method, "gain"], 3) in text


@pytest.mark.slow
def test_which_conclusions_change() -> None:
    text = PAGE.read_text(encoding="utf-8")
    every = judges("dl19")
    combined = {
        method: combine_labels(every, method, rel=LEVELS["dl19"], learn_from="reference").qrels  # type: ignore[arg-type]
        for method in ("majority", "weighted", "votes")
    }
    sources = {name: every[name] for name in ("reference", "HELM", "Sun_few")} | combined
    runs = sorted(str(path) for path in (DATA / "trec-dl-2019-passage/runs").iterdir())
    found = cranfield.agreement.compare_judges(runs, sources, "nDCG@10", resamples=20).systems.table
    for name, row in found.iterrows():
        line = next(line for line in text.splitlines() if line.startswith(f"| {name}") and line.endswith("% |"))
        numbers = f"| {short(row['tau_b'], 3)} | {100 * row['kept']:.0f}% | {100 * row['gained']:.0f}% |"
        assert line.endswith(numbers), (name, numbers)
