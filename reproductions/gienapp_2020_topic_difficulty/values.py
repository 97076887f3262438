"""Numbers and verdicts in the prose of this folder, from the tables of its scripts."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from prose import listed, read_tables, verdict  # noqa: E402

SELECTED = "Phi of nDCG@10 on the half of the systems that did not choose, means of 20 divisions"


def compute_values() -> dict[str, str]:
    """Compute every value: name -> text."""
    table = read_tables(HERE / "predictors.md")[SELECTED].reset_index()
    ease, greedy, mean = (table[name].astype(float) for name in ("by ease", "greedy by Phi", "random"))
    most = table["random, 2.5% to 97.5%"].str.split(" to ").str[1].astype(float)
    return {
        "ease_verdict": verdict([*(ease > mean), *(ease > most), *(ease >= greedy)]),
        "ease_above_mean": f"{(ease > mean).sum()} of {len(table)}",
        "ease_above_range": f"{(ease > most).sum()} of {len(table)}",
        "greedy_better": listed(dict.fromkeys(table["collection"][greedy > ease])),
    }
