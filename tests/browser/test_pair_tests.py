"""Two systems that no test was stored of are tested by the page itself: its numbers are those of ``compare``."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from chromium import go, place_of
from playwright.sync_api import Browser

import cranfield
from cranfield import CranfieldWarning
from cranfield.reporting import Content, PageColumn, Section, Table, render_page
from reading_pages import packed

SYSTEMS = tuple(f"s{number}" for number in range(12))


@pytest.mark.parametrize("topics", [2, 3, 6, 25, 50])
def test_the_page_tests_two_systems_as_compare_does(topics: int, browser: Browser, tmp_path: Path) -> None:
    rng = np.random.default_rng(topics)
    values = np.round(rng.random((topics, 1)) * 0.5 + rng.random((topics, len(SYSTEMS))) * np.linspace(0.1, 0.5, 12), 6)
    values[:, 11] = values[:, 10]  # a pair without spread, which has a p of 1 and is one of those corrected for
    values[:, 0] += 5.0  # whose p on many topics is below what 1 less a number can tell from 0
    names = [str(topic) for topic in range(topics)]
    scores = xr.DataArray(values, {"topic": names, "system": list(SYSTEMS)}, ("topic", "system"), name="AP")
    columns = (PageColumn("rank", "whole"), PageColumn("system", "system"))
    leaderboard = Table("leaderboard", "Systems", columns, tuple((at + 1, name) for at, name in enumerate(SYSTEMS)))
    content = Content(
        "Twelve",
        (Section("leaderboard", "Leaderboard", tables=(leaderboard,)),),
        SYSTEMS,
        tuple(names),
        ("AP",),
        [values.T.tolist()],
        {},
        pair_tests={"measure": "AP", "level": "95%", "alpha": "0.05"},
    )
    path = tmp_path / "page.html"
    path.write_text(render_page(content), encoding="utf-8")
    page = browser.new_page(offline=True)
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready=yes]")
    with pytest.warns(CranfieldWarning, match="'s10' and 's11' have the same scores on every topic"):
        pairs = cranfield.comparison.compare(scores, test="t", correction="holm").to_frame()
    assert pairs["p_adjusted"].max() == 1
    for row in [*pairs.iloc[:: len(pairs) // 7].to_dict("records"), *pairs[pairs["p"] == 1].to_dict("records")]:
        go(page, place_of("compare", row["system"], row["other"]))
        text = page.locator(".tested").text_content() or ""
        difference, low, high = (
            f"{row[name]:+.4f}".replace("+0.0000", "0.0000") for name in ("difference", "low", "high")
        )
        assert f"is {difference} on {topics} topics" in text
        assert f"95% interval {low} to {high} for all pairs together, by Bonferroni" in text
        p, corrected = (
            f"\u00a0=\u00a0{row[name]:.4f}" if row[name] >= 5e-5 else "\u00a0<\u00a00.0001"
            for name in ("p", "p_adjusted")
        )
        assert f"Paired t-test: p{p}; corrected for all 66 pairs of systems (Holm), p{corrected}." in text
        assert f"The difference is {'' if row['significant'] else 'not '}significant at 0.05." in text
    page.close()


def test_a_difference_that_is_the_same_everywhere_has_no_test(browser: Browser, tmp_path: Path) -> None:
    scores = {"a": [0.5, 0.6, 0.7], "b": [0.4, 0.5, 0.6], "c": [0.1, 0.9, 0.3]}
    columns = (PageColumn("rank", "whole"), PageColumn("system", "system"))
    leaderboard = Table("leaderboard", "Systems", columns, tuple((at + 1, name) for at, name in enumerate(scores)))
    content = Content(
        "Three",
        (Section("leaderboard", "Leaderboard", tables=(leaderboard,)),),
        tuple(scores),
        ("1", "2", "3"),
        ("AP",),
        [list(scores.values())],  # type: ignore[list-item]
        {},
        pair_tests={"measure": "AP", "level": "95%", "alpha": "0.05"},
    )
    path = tmp_path / "page.html"
    path.write_text(render_page(content), encoding="utf-8")
    page = browser.new_page(offline=True)
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready=yes]")
    go(page, place_of("compare", "b", "a"))
    text = page.locator(".tested").text_content() or ""
    assert "is -0.1000 on 3 topics (no interval)" in text
    assert "It is the same on every topic, which leaves the test no spread to judge by, so that it cannot tell" in text
    assert "not significant" not in text
    page.close()


def test_stored_numbers_are_rounded_once() -> None:
    scores = xr.DataArray(
        [[0.0, 0.0647498], [0.0, 0.1647498], [0.0, 0.2647498]],
        {"topic": ["1", "2", "3"], "system": ["a", "b"]},
        ("topic", "system"),
        name="AP",
    )
    pairs = cranfield.comparison.compare(scores).to_frame()
    [stored] = packed(cranfield.report_scores(scores, sections=["provenance"]).html)["tested"]["rows"]
    assert abs(stored[2]) == 0.1647, "0.16475, its six digits, would become 0.1648"
    assert f"{abs(pairs['difference'][0]):.4f}" == "0.1647"
