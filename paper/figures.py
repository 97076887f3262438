"""Draw the figures of the paper: ``python paper/figures.py``, from the project's root.

``rates.png`` shows tables of two reproductions. ``board.png`` shows the first models of a real board, whose ranks are
in ``board.tsv``; they are computed anew where the collection is there (``--data FOLDER``, otherwise
the folder of docs/data.md).
"""

from __future__ import annotations

import csv
import io
import re
import sys
import tempfile
from pathlib import Path

import altair as alt
from PIL import Image

import cranfield
from cranfield import plot

HERE = Path(__file__).resolve().parent
REPRODUCTIONS = HERE.parent / "reproductions"
sys.path.insert(0, str(REPRODUCTIONS))

from real_collections import DATA  # noqa: E402

SHOWN = 20
"""Models of the real board that its figure shows."""
NOTHING, CLUSTERS = "topics as exchangeable, t", "**CR2, Bell-McCaffrey df**"
NAMES = {NOTHING: "topics as independent", CLUSTERS: "clusters, CR2"}
COLOURS = ["#D55E00", "#0072B2"]
COLOURS_OF_FILE = 32
FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"


def main(arguments: list[str]) -> None:
    """Write both figures, and the ranks of the real board."""
    board = (Path(arguments[1]) if arguments[:1] == ["--data"] else DATA) / "mteb-eng-v2" / "scores.csv"
    ranks = HERE / "board.tsv"
    if board.is_file():
        ranks.write_text(make_ranks(board), encoding="utf-8", newline="\n")
    else:
        print(f"{board} is not there: {ranks.name} stays as it is", file=sys.stderr)
    save(draw_rates(), "rates.png")
    save(draw_board(ranks.read_text(encoding="utf-8")), "board.png")


def read_tables(text: str) -> list[list[list[str]]]:
    """Cells of each Markdown table of a page, the header first."""
    tables = re.findall(r"(?:^\|.*\|$\n?)+", text, re.MULTILINE)
    return [
        [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines() if "---" not in line]
        for table in tables
    ]


def board_rates() -> list[dict[str, str | float]]:
    """Share of simulated boards whose true ranks all lie within the intervals, by size and kind of interval."""
    (header, *rows), _ = read_tables((REPRODUCTIONS / "boards" / "tables.md").read_text(encoding="utf-8"))
    columns = {"bootstrapped ranks": header.index("bootstrap, mean"), "cranfield": header.index("mean")}
    return [
        {"board": row[0], "intervals": name, "share": float(row[column].partition(",")[0])}
        for row in rows
        for name, column in columns.items()
    ]


def cluster_rates() -> list[dict[str, str | float]]:
    """Share of pairs of equal systems that a test at .05 calls different, by correlation inside clusters of topics."""
    header, *rows = read_tables((REPRODUCTIONS / "nested" / "tables.md").read_text(encoding="utf-8"))[0]
    column = header.index("20 unequal")
    return [
        {"test": NAMES[row[0]], "correlation": correlation, "share": float(share)}
        for row in rows
        if row[0] in NAMES
        for correlation, share in zip((0.0, 0.2, 0.5), row[column].split("/"), strict=True)
    ]


def draw_rates() -> alt.HConcatChart:
    """Draw what goes wrong without a method for the design, and what its error is with one."""
    share = alt.Axis(format="%", tickCount=5)
    boards = (
        alt.Chart(alt.Data(values=board_rates()), title="a. Boards whose true ranks all lie within the intervals")
        .mark_bar()
        .encode(
            x=alt.X("board:N", title="systems x tasks", sort=None, axis=alt.Axis(labelAngle=0)),
            xOffset=alt.XOffset("intervals:N"),
            y=alt.Y("share:Q", title=None, axis=share, scale=alt.Scale(domain=[0, 1])),
            color=alt.Color("intervals:N", title=None, scale=alt.Scale(range=COLOURS)),
        )
    )
    meant = alt.Chart(alt.Data(values=[{"share": 0.95}])).mark_rule(strokeDash=[4, 3]).encode(y="share:Q")
    clusters = (
        alt.Chart(alt.Data(values=cluster_rates()), title="b. Pairs of equal systems that are called different")
        .mark_line(point=True)
        .encode(
            x=alt.X("correlation:Q", title="correlation inside 20 clusters of topics"),
            y=alt.Y("share:Q", title=None, axis=share, scale=alt.Scale(domain=[0, 0.7])),
            color=alt.Color("test:N", title=None, scale=alt.Scale(domain=list(NAMES.values()), range=COLOURS)),
            strokeDash=alt.StrokeDash("test:N", legend=None, scale=alt.Scale(domain=list(NAMES.values()))),
        )
    )
    level = alt.Chart(alt.Data(values=[{"share": 0.05}])).mark_rule(strokeDash=[4, 3]).encode(y="share:Q")
    panels = [(boards + meant).properties(width=270, height=190), (clusters + level).properties(width=270, height=190)]
    return alt.hconcat(*panels).resolve_scale(color="independent").configure(**look())


def make_ranks(scores: Path) -> str:
    """Compute the ranks of the models of a board that have all tasks: a row for each, tab-separated."""
    table = cranfield.board(str(scores), missing_cells="complete").table
    rows = ["\t".join([name, *map(str, places)]) for name, *places in table[["rank", "low", "high"]].itertuples()]
    return "\n".join(["system\trank\tlow\thigh", *rows, ""])


def draw_board(ranks: str) -> alt.LayerChart:
    """Draw between which ranks each of the first models may lie."""
    rows = [
        {"system": row["system"], **{name: int(row[name]) for name in ("rank", "low", "high")}}
        for row in csv.DictReader(io.StringIO(ranks), delimiter="\t")
    ][:SHOWN]
    names = alt.Y("system:N", sort=[row["system"] for row in rows], title=None, axis=alt.Axis(labelLimit=260))
    scale = alt.Scale(domain=[0, max(row["high"] for row in rows)], nice=True)
    base = alt.Chart(alt.Data(values=rows)).encode(y=names)
    lines = base.mark_rule(color="#6b6b6b").encode(
        x=alt.X("low:Q", title="rank, 1 is the best", scale=scale), x2="high:Q"
    )
    points = base.mark_point(color=COLOURS[1], filled=True, size=30, opacity=1).encode(x="rank:Q")
    return (lines + points).properties(width=360, height=13 * len(rows)).configure(**look())


def save(chart: alt.TopLevelMixin, name: str) -> None:
    """Write a figure with few colours, which a page of text and lines does not miss: a fifth of the size."""
    with tempfile.TemporaryDirectory() as folder:
        plot.save(chart, f"{folder}/{name}", pixel_ratio=3)
        with Image.open(f"{folder}/{name}") as drawn:
            drawn.convert("RGB").quantize(COLOURS_OF_FILE).save(HERE / name, optimize=True)


def look() -> dict[str, object]:
    """Fonts, sizes and a light ground for all figures."""
    text = {"labelFont": FONT, "titleFont": FONT, "labelFontSize": 10, "titleFontSize": 11, "titleFontWeight": "normal"}
    title = {"font": FONT, "fontSize": 11, "fontWeight": "normal", "anchor": "start"}
    return {"background": "#ffffff", "axis": text, "legend": text | {"orient": "bottom"}, "title": title}


if __name__ == "__main__":
    main(sys.argv[1:])
