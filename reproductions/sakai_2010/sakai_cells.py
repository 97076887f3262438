"""Cells of tables.md by systematic names: the three topics of section 4.3."""

from __future__ import annotations

from pathlib import Path

from prose import claim, fixed, read_tables, short

HERE = Path(__file__).resolve().parent
RUNS = ("MSDiv2", "MSRAACSF")


def compute_cells() -> dict[str, str]:
    """``topic.21.alpha-nDCG.MSDiv2``, to two digits on topic 21, of which three are printed on the others."""
    table = read_tables(HERE / "tables.md")["Section 4.3: the three topics"].reset_index()
    found = {}
    for _, row in table.iterrows():
        digits = 2 if row["topic"] == "21" else 3
        measure = row["measure"].removesuffix("@10")
        found |= {f"topic.{row['topic']}.{measure}.{run}": fixed(float(row[run]), digits) for run in RUNS}
    return found


def of_three_topics() -> dict[str, str]:
    """How far the runs are from each other where the paper calls a measure undecided but leaning."""
    table = (
        read_tables(HERE / "tables.md")["Section 4.3: the three topics"].reset_index().set_index(["topic", "measure"])
    )
    ia, alpha = table.loc[("28", "nDCG-IA@10")], table.loc[("38", "alpha-nDCG@10")]
    prefers = table["prefers"]
    as_printed = [
        prefers["21", "D#-nDCG@10"] == prefers["21", "nDCG-IA@10"] == "MSDiv2",
        prefers["21", "alpha-nDCG@10"] == "MSRAACSF",
    ]
    return {
        "leaning_ia": fixed(float(ia["MSRAACSF"]) - float(ia["MSDiv2"]), 3),
        "leaning_alpha": fixed(float(alpha["MSRAACSF"]) - float(alpha["MSDiv2"]), 3),
        "topic_21_as_printed": claim("as printed", all(as_printed)),
        "topic_28_leans": claim("leans as printed", ia["prefers"] == "MSRAACSF"),
        "topic_38_leans": claim("leans as printed", alpha["prefers"] == "MSRAACSF"),
        "tau_step": short(2 / 21),
        "one_pair": f"{100 / 21:.1f}%",
    }
