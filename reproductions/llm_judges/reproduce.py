"""What an organiser would conclude from language-model judges: Deep Learning 2019 and 2023.

    python reproductions/llm_judges/reproduce.py

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

from real_collections import DATA, judges_of_2019, judges_of_2023  # noqa: E402

HUMAN = "human"


def main() -> None:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the collections")
    data = parser.parse_args().data
    text = deep_learning_2019(data) + deep_learning_2023(data)
    (HERE / "tables.md").write_text(text)
    print(text)


def deep_learning_2019(data: Path) -> str:
    """All runs under the official and eight other judgments, on the documents that all judged."""
    judges, relevant = judges_of_2019(HUMAN, data)
    # Each is judged eighteen times: read once, they are in memory.
    runs = [cranfield.read_run(path) for path in sorted((data / "trec-dl-2019-passage/runs").iterdir())]
    parts = []
    agreements = {
        measure: cranfield.agreement.compare_judges(runs, judges, measure, rel=relevant, common=True)
        for measure in ("nDCG@10", "AP")
    }
    for measure, agreement in agreements.items():
        table = agreement.systems.table.drop(columns=["unjudged", "unjudged_reference"]).reset_index()
        partial = agreement.favour[agreement.favour["p_adjusted"] < 0.05]
        for column, sign in (("favoured", 1), ("disfavoured", -1)):
            found = partial[sign * partial["favour"] > 0]
            table[column] = [int((found["judge"] == name).sum()) for name in table["source"]]
        phi = {
            name: float(cranfield.trust.estimate_reliability(scores, n_topics=[43]).curve["Phi"].iloc[0])
            for name, scores in agreement.scores.items()
        }
        table["Phi"] = [phi[name] for name in table["source"]]
        size = f"{len(agreement.systems.ranks)} systems, 43 topics, common documents"
        caption = f"{size}; Phi under the human labels {phi[HUMAN]:.4f}"
        parts.append(block(f"Deep Learning 2019, {measure}: systems", table, caption))
    first = agreements["nDCG@10"]
    parts.append(
        block("Deep Learning 2019: labels", first.labels.table.reset_index(), f"alpha of all {first.labels.alpha:.3f}")
    )
    moved = [first.systems.movers(name, 3).reset_index().assign(judge=name) for name in first.systems.table.index]
    parts.append(block("Deep Learning 2019, nDCG@10: biggest movers", pd.concat(moved), ""))
    worst = first.favour.sort_values("p_adjusted", kind="stable").head(12)
    parts.append(
        block("Deep Learning 2019, nDCG@10: the clearest favours", worst, "simultaneous intervals, sign flips")
    )
    intervals = pd.concat([first.intervals, first.labels.intervals], ignore_index=True)
    parts.append(block("Deep Learning 2019, nDCG@10: agreement, with intervals over topics", intervals, ""))
    return "".join(parts)


def deep_learning_2023(data: Path) -> str:
    """Thirty-three judges of the same pairs beside the human labels."""
    judges, relevant = judges_of_2023(HUMAN, data)
    agreement = cranfield.agreement.compare_labels(judges, rel=relevant)
    table = agreement.table.drop(columns=["judged"]).sort_values("kappa_quadratic", ascending=False).reset_index()
    spread = agreement.by_topic.mean(axis=1).sort_values()
    caption = (
        f"25 topics; alpha of all {agreement.alpha:.3f}; mean kappa (relevant or not) of a topic over judges from "
        f"{spread.iloc[0]:.2f} ({spread.index[0]}) to {spread.iloc[-1]:.2f} ({spread.index[-1]})"
    )
    quadratic = agreement.intervals[agreement.intervals["statistic"] == "kappa_quadratic"]
    quadratic = quadratic.sort_values("value", ascending=False, kind="stable")
    return block("Deep Learning 2023: labels", table, caption) + block(
        "Deep Learning 2023: quadratic kappa, with intervals over topics", quadratic, ""
    )


def block(title: str, table: pd.DataFrame, caption: str) -> str:
    """A table as text."""
    return f"## {title}\n\n```\n{as_text(table, caption)}```\n\n"


def as_text(table: pd.DataFrame, caption: str = "") -> str:
    """As the commands print it."""
    return Sheet.from_frame(table, caption, {}).text("table", plain=True)


if __name__ == "__main__":
    main()
