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

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from sakai_tables import REFUSED, markdown_of, read_years  # noqa: E402

from real_collections import DATA  # noqa: E402

MEASURES = ["D#-Q@10", "D#-nDCG@10", "alpha-nDCG@10", "I-rec@10", "nDCG-IA@10", "D-nDCG@10", "D-Q@10"]
WEIGHTS = {"simulated": "paper's P", "uniform": "equal P"}
"""P(i|q) as the paper simulates it, 2^(n-j+1) over its sum, and all intents equally likely; what each is called."""


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
    for year, gains, qrels in read_years(data):
        table = pd.DataFrame(index=pd.Index(MEASURES, name="measure"))
        for weights, short in WEIGHTS.items():
            scores = cranfield.evaluate(runs, qrels, MEASURES, ties="rank", intent_weights=weights)
            found = cranfield.trust.estimate_sensitivity(scores).table.loc[MEASURES]
            for column, name in (("significant", "pairs"), ("power", "power"), ("required_difference", "required")):
                table[f"{name}, {short}"] = found[column]
            pairs = found["pairs"].iloc[0]
        table = table.sort_values("power, paper's P", ascending=False, kind="stable").reset_index()
        caption = f"{scores.sizes['system']} systems, {scores.sizes['topic']} topics, {pairs} pairs"
        rows = table.map(lambda value: f"{value:.4f}" if isinstance(value, float) else str(value))
        parts.append(f"## Web Track {year}, {gains} gains\n\n{markdown_of(rows)}\n{caption}.\n")
    return "\n".join(parts)


if __name__ == "__main__":
    warnings.simplefilter("ignore", cranfield.CranfieldWarning)
    main()
