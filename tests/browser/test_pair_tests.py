"""Two systems that no test was stored of are tested by the page itself: its numbers are those of ``compare``."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from chromium import go, place_of
from playwright.sync_api import Browser

import cranfield
from cranfield.reporting import Column, Content, Section, Table, render_page

SYSTEMS = tuple(f"s{number}" for number in range(12))


@pytest.mark.parametrize("topics", [2, 3, 6, 25, 50])
def test_the_page_tests_two_systems_as_compare_does(topics: int, browser: Browser, tmp_path: Path) -> None:
    rng = np.random.default_rng(topics)
    values = np.round(rng.random((topics, 1)) * 0.5 + rng.random((topics, len(SYSTEMS))) * np.linspace(0.1, 0.5, 12), 6)
    names = [str(topic) for topic in range(topics)]
    scores = xr.DataArray(values, {"topic": names, "system": list(SYSTEMS)}, ("topic", "system"), name="AP")
    columns = (Column("rank", "whole"), Column("system", "system"))
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
    result = cranfield.comparison.compare(scores, test="t", correction="holm")
    for row in result.to_frame().iloc[:: max(1, len(result.to_frame()) // 7)].to_dict("records"):
        go(page, place_of("compare", row["system"], row["other"]))
        text = page.locator(".tested").text_content() or ""
        assert f"is {row['difference']:+.4f} on {topics} topics" in text
        assert f"95% interval {row['low']:+.4f} to {row['high']:+.4f} for all pairs together, by Bonferroni" in text
        p, corrected = (
            f"\u00a0=\u00a0{row[name]:.4f}" if row[name] >= 5e-5 else "\u00a0<\u00a00.0001"
            for name in ("p", "p_adjusted")
        )
        assert f"Paired t-test: p{p}; corrected for all 66 pairs of systems (Holm), p{corrected}." in text
        assert f"The difference is {'' if row['significant'] else 'not '}significant at 0.05." in text
    page.close()


def test_a_difference_that_is_the_same_everywhere_has_no_test(browser: Browser, tmp_path: Path) -> None:
    scores = {"a": [0.5, 0.6, 0.7], "b": [0.4, 0.5, 0.6], "c": [0.1, 0.9, 0.3]}
    columns = (Column("rank", "whole"), Column("system", "system"))
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
    assert "It is the same on every topic" in text
    page.close()
