"""Cells of tables.md by systematic names: the three topics of section 4.3."""

from __future__ import annotations

import re
from pathlib import Path

from prose import claim, fixed, read_tables, short, verdict

HERE = Path(__file__).resolve().parent
RUNS = ("MSDiv2", "MSRAACSF")


def compute_cells() -> dict[str, str]:
    """``files.topics``, ``paper.topics`` (table 1); ``topic.21.alpha-nDCG.MSDiv2``: as many digits as are needed."""
    tables = read_tables(HERE / "tables.md")
    table = tables["Section 4.3: the three topics"].reset_index()
    counts = tables["Table 1: the test collection"].astype(int)
    found = {
        f"{side}.{re.sub(r'[^a-z0-9]+', '_', words.partition(' (')[0])}": f"{count:,}"
        for side, column in (("files", "the files"), ("paper", "the paper"))
        for words, count in counts[column].items()
    }
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
    counts = read_tables(HERE / "tables.md")["Table 1: the test collection"]
    other = counts.drop(index="relevant documents of 199 intents")
    same = (other["the files"] == other["the paper"]).all()
    return {
        "other_counts": claim("Its other counts match.", same),
        "all_else": claim("all else agrees", same),
        "leaning_ia": fixed(float(ia["MSRAACSF"]) - float(ia["MSDiv2"]), 3),
        "leaning_alpha": fixed(float(alpha["MSRAACSF"]) - float(alpha["MSDiv2"]), 3),
        "topic_21_as_printed": claim("as printed", all(as_printed)),
        "topic_28_leans": claim("leans as printed", ia["prefers"] == "MSRAACSF"),
        "topic_38_leans": claim("leans as printed", alpha["prefers"] == "MSRAACSF"),
        "tau_step": short(2 / 21),
        "one_pair": f"{100 / 21:.1f}%",
    }


def compute_verdicts() -> dict[str, str]:
    """Words of the page of all reproductions about the collection and the three topics, by rules over the tables."""
    tables = read_tables(HERE / "tables.md")
    counts = tables["Table 1: the test collection"].astype(int)
    same = counts["the files"] == counts["the paper"]
    prefers = tables["Section 4.3: the three topics"].reset_index().set_index(["topic", "measure"])["prefers"]
    topic_21 = [
        prefers["21", "D#-nDCG@10"] == "MSDiv2",
        prefers["21", "nDCG-IA@10"] == "MSDiv2",
        prefers["21", "alpha-nDCG@10"] == "MSRAACSF",
    ]
    most = tables["Section 3.3: the largest Idiv-nDCG@10"].astype(int)
    return {
        "collection_verdict": verdict(same),
        "few_verdict": verdict([same["intents with fewer than ten"]]),
        "one_verdict": verdict([same["intents with one relevant document"]]),
        "topic_21_verdict": verdict(topic_21),
        "topic_28_verdict": verdict([prefers["28", "nDCG-IA@10"] == "MSRAACSF"]),
        "topic_38_verdict": verdict([prefers["38", "alpha-nDCG@10"] == "MSRAACSF"]),
        "idiv_q_verdict": verdict(
            prefers[topic, "D#-Q@10"] == prefers[topic, "D#-nDCG@10"] for topic in ("21", "28", "38")
        ),
        "range_verdict": verdict([True, *(most["no list has 1"] == 0)]),  # 0 and 1 bound it by its definition
    }
