"""Charts as files: formats, whole or not at all, and what happens where the extra is not installed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import cranfield
from cranfield import InputError, UsageError, plot
from figures import chart, result

STARTS = {".html": b"<!doctype html>", ".svg": b"<svg", ".png": b"\x89PNG", ".pdf": b"%PDF", ".json": b"{"}


@pytest.mark.parametrize("ending", STARTS)
def test_formats(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"figure{ending.upper()}"
    plot.save(chart("error_rates"), path)
    assert path.read_bytes().startswith(STARTS[ending])
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_the_same_chart_is_the_same_file(tmp_path: Path) -> None:
    for name in ("one.svg", "two.svg"):
        plot.save(plot.d_study(result("reliability")), tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_what_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"'\.gif' is not an ending of a chart's file: \.html, \.svg"):
        plot.save(chart("error_rates"), tmp_path / "figure.gif")
    with pytest.raises(InputError, match="cannot be written"):
        plot.save(chart("error_rates"), tmp_path / "no" / "figure.svg")
    assert not list(tmp_path.iterdir())


def test_widths(tmp_path: Path) -> None:
    def width(drawn: object, **options: int) -> int:
        plot.save(drawn, tmp_path / "chart.json", **options)
        spec = json.loads((tmp_path / "chart.json").read_text())
        return int((spec["vconcat"][-1] if "vconcat" in spec else spec)["width"])

    assert width(chart("error_rates")) == 520
    assert width(chart("error_rates"), width=300) == 300
    assert width(chart("error_rates").properties(width="container")) == 520
    assert width(chart("score_boxes"), width=300) == 300


def test_data_are_never_fetched(tmp_path: Path) -> None:
    import altair as alt

    drawn = alt.Chart(alt.UrlData(url="http://127.0.0.1:9/data.json")).mark_point()
    with pytest.raises(ValueError, match=r"(?i)url"):
        plot.save(drawn, tmp_path / "figure.svg")
    with pytest.raises(ValueError, match=r"(?i)url"):
        plot.save(drawn, tmp_path / "figure.png")


@pytest.mark.slow
@pytest.mark.parametrize("error", ["ImportError", "cranfield.CranfieldError"])
def test_without_the_extra(error: str) -> None:
    """All charts can be looked up and inspected, and raise where they are called."""
    script = f"""
import inspect, pydoc, sys, unittest.mock
sys.modules |= dict.fromkeys(("altair", "vl_convert"))
import cranfield
assert hasattr(cranfield, "plot")
assert pydoc.render_doc(cranfield) and pydoc.render_doc(cranfield.plot)
charts = dict(inspect.getmembers(cranfield.plot, inspect.isfunction))
assert set(charts) == set(cranfield.plot.__all__)
unittest.mock.create_autospec(cranfield).plot
unittest.mock.create_autospec(cranfield.plot).heat_map
collection = cranfield.load_cranfield()
scores = cranfield.evaluate(collection.runs, collection.qrels, "AP")
try:
    cranfield.plot.heat_map(scores["AP"])
except {error} as error:
    print(error)
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout == "a chart needs altair, which is not installed: pip install 'cranfield[plot]'\n"


def test_evaluation_and_help_import_no_charts() -> None:
    script = "import sys, cranfield.comparison.leaderboard\n"
    script += "print({'altair', 'vl_convert', 'cranfield.plot'} & set(sys.modules))"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ended.stdout == "set()\n"


def test_wrong_questions() -> None:
    with pytest.raises(UsageError, match="coefficient='x' is not one of Erho2, Phi"):
        plot.d_study(result("reliability"), coefficient="x")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="rate='x' is not one of error_rate, tie_rate"):
        plot.error_rates(result("stability"), rate="x")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="there is no result to show"):
        plot.d_study([])
    with pytest.raises(UsageError, match="two results are of the same measure"):
        plot.d_study([result("reliability")[0]] * 2)
    with pytest.raises(UsageError, match=r"up_to=0 should lie in \(0, 1\]"):
        plot.asl_curves(result("sensitivity"), up_to=0)
    with pytest.raises(UsageError, match="no source is called 'x'"):
        plot.rank_scatter(result("agreement"), "x")
    with pytest.raises(UsageError, match="there is no measure 'x'"):
        plot.headroom(result("headroom"), "x")
    with pytest.raises(UsageError, match="'x' has no scores here"):
        plot.measure_scatter(result("scores"), "AP", "x")
    with pytest.raises(UsageError, match="no pair of runs was compared"):
        plot.topic_differences(cranfield.comparison.map_diversity({"r": {"q": {"a": 1}}}, {"q": {"1": {"a": 1}}}))
