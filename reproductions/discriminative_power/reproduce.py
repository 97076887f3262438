"""Which of AP, nDCG@10, RBP and ERR tells most pairs of systems apart, on three collections and under three tests.

    python reproductions/discriminative_power/reproduce.py

writes ``tables.md`` beside this file; README.md says what to make of it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import pandas as pd

import cranfield
from cranfield.results.sheet import Sheet

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from real_collections import DATA  # noqa: E402

COLLECTIONS = {
    "TREC-COVID round 5": ("trec-covid-round5/runs", "trec-covid-round5/qrels.covid-round5.txt.gz", 1),
    "Deep Learning 2019": ("trec-dl-2019-passage/runs", "trec-dl-2019-passage/qrels.dl19-passage.txt.gz", 2),
    "Robust 2003": ("trec-robust-2003/runs", "trec-robust-2003/qrels.txt.gz", 1),
}
TESTS = ("bootstrap", "permutation", "randomized-tukey")


def main() -> None:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the collections")
    data = parser.parse_args().data
    parts = []
    for name, (runs, qrels, rel) in COLLECTIONS.items():
        paths = sorted((data / runs).iterdir())
        scores = cranfield.evaluate(paths, data / qrels, ["AP", "nDCG@10", "RBP", "ERR"], rel=rel)
        sensitivities = {test: cranfield.trust.estimate_sensitivity(scores, test=test) for test in TESTS}  # type: ignore[arg-type]
        columns = {}
        for test, one in sensitivities.items():
            columns[f"power, {test}"] = one.table["power"]
            columns[f"required, {test}"] = one.table["required_difference"]
        table = pd.DataFrame(columns).reset_index()
        title = f"{name}: {scores.sizes['system']} systems, {scores.sizes['topic']} topics"
        parts.append(f"## {title}\n\n```\n{as_text(table)}\n")
        parts.append("Differences of power under the bootstrap, with intervals over systems:\n\n")
        parts.append(as_text(sensitivities["bootstrap"].differences) + "```\n\n")
    text = "".join(parts)
    (HERE / "tables.md").write_text(text)
    print(text)


def as_text(table: pd.DataFrame, caption: str = "") -> str:
    """As the commands print it."""
    return Sheet.from_frame(table, caption, {}).text("table", plain=True)


if __name__ == "__main__":
    main()
