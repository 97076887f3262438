"""Draw the curves of docs/how-far.md from its table: `python benchmarks/draw_scale.py`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import altair as alt

from cranfield import plot
from cranfield.plot._theme import layered, series, styled

DOCS = Path(__file__).resolve().parents[1] / "docs"
HEAD = "| rows | what | CPU s | peak MB |"
COSTS = (("CPU s", "CPU seconds"), ("peak MB", "Peak memory, MB"))


@dataclass(frozen=True)
class Picture:
    """The table of a page, which begins with `HEAD`, as a file beside the page; `ticks` are those of its rows."""

    page: str
    file: str
    title: str
    subtitle: str
    axis: str
    ticks: Sequence[float]
    shown: str
    """What is drawn, for whom does not see it."""


PICTURES = (
    Picture(
        page="how-far.md",
        file="how-far.svg",
        title="Rows of Parquet to the means of five measures",
        subtitle="100 rows and 10 judgments a topic; both axes are logarithmic",
        axis="Rows",
        ticks=(1e6, 1e7, 1e8, 4e8),
        shown="CPU seconds and peak memory by rows, of reading, cranfield, Polars and DuckDB.",
    ),
)


def table(page: str) -> list[dict[str, Any]]:
    """The rows of the table of curves."""
    lines = iter(page[page.index(HEAD) :].splitlines()[2:])
    found = []
    for line in lines:
        if not line.startswith("|"):
            break
        rows, what, seconds, megabytes = (cell.strip() for cell in line.strip("|").split("|"))
        size = float(rows.replace(",", ""))
        found.append({"rows": size, "what": what, "CPU s": float(seconds), "peak MB": float(megabytes)})
    return found


def curves(rows: list[dict[str, Any]], picture: Picture) -> alt.HConcatChart:
    """Time and memory beside each other, both axes logarithmic."""
    look = series("what", list(dict.fromkeys(row["what"] for row in rows)), "", points=True)
    panels = [_panel(rows, cost, title, look, picture) for cost, title in COSTS]
    chart: alt.HConcatChart = alt.hconcat(*panels)
    return styled(chart, picture.title, [picture.subtitle], f"Two panels of lines: {picture.shown}")


def _panel(rows: list[dict[str, Any]], cost: str, title: str, look: Any, picture: Picture) -> alt.LayerChart:
    axis = alt.Axis(format=".0e", values=list(picture.ticks))
    base = alt.Chart(alt.Data(values=rows)).encode(
        alt.X("rows:Q", title=picture.axis, scale=alt.Scale(type="log", nice=False), axis=axis),
        alt.Y(f"{cost}:Q", title=title, scale=alt.Scale(type="log")),
        look.color,
    )
    lines = base.mark_line().encode(look.dash)
    return layered(lines, base.mark_point(filled=True, size=45, opacity=1).encode(look.shape)).properties(
        width=230, height=240
    )


def main() -> None:
    """Write the pictures."""
    for picture in PICTURES:
        plot.save(curves(table((DOCS / picture.page).read_text()), picture), DOCS / picture.file)


if __name__ == "__main__":
    main()
