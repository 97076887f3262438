"""Numbers in the prose of this folder and of pages that cite it, from tables.md."""

from __future__ import annotations

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from prose import claim, read_tables, short  # noqa: E402

TRACKS = {"trec_8": "TREC 8, AP", "web_2011": "Web 2011, nDCG@20", "web_2012": "Web 2012, nDCG@20"}
TOPICS = ("159", "174", "177", "194", "195")
COLUMNS = ("lowest", "q1", "median", "q3", "highest")


def compute_values() -> dict[str, str]:
    """Values that are used each: name -> text."""
    tables = read_tables(HERE / "tables.md")
    ease = tables["Ease of Web 2012 from nDCG@20 and the judgments"]
    scores = {(topic, column): float(ease.loc[topic, column]) for topic in TOPICS for column in COLUMNS}
    without = tables["Without the lowest run"]
    group = without["lowest"] == without["next"]
    moved = {
        topic: re.findall(r"rank (\d+) -> (\d+)", without.loc[topic, "mean above chance"])[0] for topic in group.index
    }
    fixed_ease = all(_ranks(cell)[0] == _ranks(cell)[1] for cell in without["ease"])
    return {
        "not_above_all": claim("is not above all runs on 174", scores["159", "median"] <= scores["174", "highest"]),
        "quarter_as_printed": claim("as printed", scores["194", "q1"] < 0),
        "quarter_below": claim("as printed of its quarter", scores["194", "q1"] < 0),
        "group_not_outlier": claim("a group with one score", group.all()),
        "ease_stays": claim("the ease stays where it is", fixed_ease),
        "moved_177": " to ".join(moved["177"]),
        "moved_195": " to ".join(moved["195"]),
        "steps_177": str(abs(int(moved["177"][0]) - int(moved["177"][1]))),
        "steps_195": str(abs(int(moved["195"][0]) - int(moved["195"][1]))),
        "median_rank_194": ease.loc["194", "rank by median"],
    }


def compute_cells() -> dict[str, str]:
    """``power.trec_8``, ``phi.web_2011``, ``published_formula.web_2011``; ``ease.159``, ``median.159``, ..."""
    tables = read_tables(HERE / "tables.md")
    table = tables["Discriminative power and reliability"]
    columns = {"power": "power", "phi": "Phi", "published_formula": "Phi by the published formula"}
    found = {
        f"{name}.{track}": short(float(table.loc[words, column]))
        for name, column in columns.items()
        for track, words in TRACKS.items()
    }
    ease = tables["Ease of Web 2012 from nDCG@20 and the judgments"]
    for topic in TOPICS:
        found[f"ease.{topic}"] = short(float(ease.loc[topic, "ease"]), 2)
        found |= {f"{column}.{topic}": short(float(ease.loc[topic, column])) for column in COLUMNS}
    return found


def _ranks(cell: str) -> list[str]:
    return re.findall(r"\d+", cell.partition("rank ")[2])


if __name__ == "__main__":
    for name, value in compute_values().items():
        print(name, "=", value)
