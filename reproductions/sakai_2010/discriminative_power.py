"""Table 5 of Sakai et al. 2010 (discriminative power of diversity measures) on systems whose runs are public.

    python reproductions/sakai_2010/discriminative_power.py

writes ``discriminative_power_tables.md`` beside this file; discriminative_power.md says what to make of it.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

import pandas as pd

import cranfield
from cranfield.results.sheet import Sheet

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from real_collections import DATA  # noqa: E402

YEARS = {
    "2009": "trec-web/2009",
    "2010": "trec-web/2010",
    "2011": "trec-web/2011",
    "2012": "trec-web/2012",
}
MEASURES = ["D#-Q@10", "D#-nDCG@10", "alpha-nDCG@10", "I-rec@10", "nDCG-IA@10", "D-nDCG@10", "D-Q@10"]
WEIGHTS = {"simulated": "paper's P", "uniform": "equal P"}
"""P(i|q) as the paper simulates it, 2^(n-j+1) over its sum, and all intents equally likely; what each is called."""
REFUSED = "indri-lemur-baseline"  # three of its lines are two lines glued together


def main() -> None:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the collections")
    text = tables(parser.parse_args().data)
    (HERE / "discriminative_power_tables.md").write_text(text)
    print(text)


def tables(data: Path) -> str:
    """Power and required difference of each measure, year by year."""
    runs = sorted(p for p in (data / "trec-web-diversity-runs").iterdir() if not p.name.startswith(REFUSED))
    parts = []
    for year, folder in YEARS.items():
        qrels = next(path for path in sorted((data / folder).iterdir()) if "div" in path.name)
        table = pd.DataFrame(index=pd.Index(MEASURES, name="measure"))
        for weights, short in WEIGHTS.items():
            scores = cranfield.evaluate(runs, qrels, MEASURES, ties="rank", intent_weights=weights)
            found = cranfield.trust.estimate_sensitivity(scores).table.loc[MEASURES]
            for column, name in (("significant", "pairs"), ("power", "power"), ("required_difference", "required")):
                table[f"{name}, {short}"] = found[column]
            pairs = found["pairs"].iloc[0]
        table = table.sort_values("power, paper's P", ascending=False, kind="stable").reset_index()
        caption = f"{scores.sizes['system']} systems, {scores.sizes['topic']} topics, {pairs} pairs"
        parts.append(f"## Web Track {year}\n\n```\n{as_text(table, caption)}```\n")
    return "\n".join(parts)


def as_text(table: pd.DataFrame, caption: str = "") -> str:
    """As the commands print it."""
    return Sheet.from_frame(table, caption, {}).text("table", plain=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore", cranfield.CranfieldWarning)
    main()
