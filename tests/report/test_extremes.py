"""What is first or last is named with all that share the rank, and not at all among equals."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

import cranfield
from cranfield import CranfieldWarning
from reading_pages import data_of, observations, section

LABELS = "1 0 a 2\n1 0 b 0\n2 0 a 1\n2 0 b 0\n3 0 a 1\n3 0 b 0\n4 0 a 1\n4 0 b 0\n"


def page(folder: Path, *orders: str, baseline: tuple[str, ...] = ()) -> Any:
    """A page on runs that rank the same documents on each topic but the first, where all begin with ``a``."""
    (folder / "qrels.txt").write_text(LABELS)
    runs = []
    for number, order in enumerate(orders):
        runs.append(folder / f"s{number}.run")
        ranked = [(topic, "ab" if topic == 1 else order) for topic in range(1, 5)]
        lines = [f"{topic} Q0 {name} 1 {-at} s\n" for topic, names in ranked for at, name in enumerate(names)]
        runs[-1].write_text("".join(lines))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)
        return data_of(cranfield.report(list(map(str, runs)), folder / "qrels.txt", baseline=baseline).html)


def test_equal_systems_have_no_best_and_equal_topics_no_hardest(tmp_path: Path) -> None:
    seen = observations(page(tmp_path, "ab", "ab", "ab"))
    assert seen["topic-difficulty"] == "4 easy; the ease of all is 1.00."
    assert seen["heat-map"] == "No system has a better mean than another; no topic has a worse mean than another."
    assert seen["asl-curves"] == "Each measure distinguishes no pair of systems at 0.05."
    assert seen["system-map"] == "Every two systems are 0.000 bits apart."
    assert seen["headroom"] == "No fusion is better than every single system."


def test_all_of_the_same_mean_are_named(tmp_path: Path) -> None:
    seen = observations(page(tmp_path, "ab", "ab", "ba"))
    assert seen["topic-difficulty"].endswith("; the hardest are 2, 3 and 4, the easiest 1.")
    assert seen["heat-map"] == (
        "s0 and s1 have the best mean over topics; topics 2, 3 and 4 have the worst mean over systems."
    )


@pytest.mark.parametrize(
    ("orders", "clause"),
    [
        (("ba", "ab", "ab"), "Each URisk is 0.2768."),
        (
            ("ab", "ba", "ab"),
            "The largest URisk is that of s2: 0.0000 (95% interval 0.0000 to 0.0000), with losses on",
        ),
        (("ba", "ab", "ab", "ba"), "The largest URisk, 0.2768, is that of s1 and s2."),
    ],
)
def test_the_largest_risk(orders: tuple[str, ...], clause: str, tmp_path: Path) -> None:
    data = page(tmp_path, *orders, baseline=("s0",))
    assert clause in section(data, "leaderboard")["words"][-1]
