"""Draw the curves of docs/how-far.md from its table into docs/how-far.svg: `python benchmarks/draw_scale.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import altair as alt

from cranfield import plot
from cranfield.plot.theme import layered, series, styled

PAGE = Path(__file__).resolve().parents[1] / "docs" / "how-far.md"
HEAD = "| rows | what | CPU s | peak MB |"
COSTS = (("CPU s", "CPU seconds"), ("peak MB", "Peak memory, MB"))


def table(page: str) -> list[dict[str, Any]]:
    """The rows of the table of curves."""
    lines = iter(page[page.index(HEAD) :].splitlines()[2:])
    found = []
    for line in lines:
        if not line.startswith("|"):
            break
        rows, what, seconds, megabytes = (cell.strip().replace(",", "") for cell in line.strip("|").split("|"))
        found.append({"rows": float(rows), "what": what, "CPU s": float(seconds), "peak MB": float(megabytes)})
    return found


def curves(rows: list[dict[str, Any]]) -> alt.HConcatChart:
    """Time and memory beside each other, both axes logarithmic."""
    look = series("what", list(dict.fromkeys(row["what"] for row in rows)), "", points=True)
    panels = [_panel(rows, cost, title, look) for cost, title in COSTS]
    chart: alt.HConcatChart = alt.hconcat(*panels)
    return styled(
        chart,
        "Rows of Parquet to the means of five measures",
        ["100 rows and 10 judgments a topic; both axes are logarithmic"],
        "Two panels of lines: CPU seconds and peak memory by rows, of reading, cranfield, Polars and DuckDB.",
    )


def _panel(rows: list[dict[str, Any]], cost: str, title: str, look: Any) -> alt.LayerChart:
    logarithmic = alt.Scale(type="log", nice=False)
    base = alt.Chart(alt.Data(values=rows)).encode(
        alt.X("rows:Q", title="Rows", scale=logarithmic, axis=alt.Axis(format=".0e", values=[1e6, 1e7, 1e8, 4e8])),
        alt.Y(f"{cost}:Q", title=title, scale=alt.Scale(type="log")),
        look.color,
    )
    lines = base.mark_line().encode(look.dash)
    return layered(lines, base.mark_point(filled=True, size=45, opacity=1).encode(look.shape)).properties(
        width=230, height=240
    )


def main() -> None:
    """Write the picture."""
    plot.save(curves(table(PAGE.read_text())), PAGE.with_suffix(".svg"))


if __name__ == "__main__":
    main()
