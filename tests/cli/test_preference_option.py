"""``--preference`` of ``cranfield compare`` and ``cranfield audit``."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import cranfield, printed

import cranfield as package

MADE = package.simulation.simulate_runs(n_systems=3, n_topics=10, depth=20, seed=2)


@pytest.fixture(autouse=True)
def collection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    MADE.write_collection(tmp_path)
    (tmp_path / "scores.csv").write_text("topic,a,b\n1,0.5,0.25\n2,0.75,0.5\n")


def test_compare_says_whose_lists_are_preferred() -> None:
    text = printed("compare", "qrels.txt", "runs/*", "-m", "RR", "--preference", "lexiprecision")
    assert "p_preference" in text
    assert "preference, p_preference: lexiprecision, and its sign test, holm: " in text


def test_audit_has_a_row_for_each_preference() -> None:
    options = ("-m", "RR", "--preference", "lexiprecision", "--preference", "lexirecall", "--resamples", "20")
    rows = printed("audit", "qrels.txt", "runs/*", *options, "--subsets", "5", "-f", "csv").splitlines()
    assert [row.split(",")[0] for row in rows] == ["measure", "RR", "lexiprecision", "lexirecall"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("compare", "--scores", "scores.csv", "--preference", "rpp"), "--scores FILE has none: give QRELS RUN..."),
        (("audit", "--scores", "scores.csv", "--preference", "lexirecall"), "--scores FILE has none"),
        (("compare", "qrels.txt", "runs/*", "--preference", "rpp", "--groups"), "changes nothing with --groups"),
        (("compare", "qrels.txt", "runs/*", "--preference", "rpp", "--margin", "0.1"), "changes nothing with --margin"),
    ],
)
def test_where_it_means_nothing_it_is_refused(arguments: tuple[str, ...], said: str) -> None:
    ended = cranfield(*arguments)
    assert ended.status == 2
    assert said in ended.err
