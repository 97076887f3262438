"""The topics that section 5 of Gienapp, Stein, Hagen & Potthast 2020 names, on systems whose runs are public.

    python reproductions/gienapp_2020_topic_difficulty/section_5.py

writes ``section_5.md`` beside this file; README.md says what follows.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import cranfield
from cranfield.scoring import score
from cranfield.topic_difficulty.ease import classify_ease

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from real_collections import DATA  # noqa: E402

QRELS = "trec-web/2012/qrels.adhoc.txt.gz"
REFUSED = "indri-lemur-baseline"  # three of its lines are two lines glued together
TOPICS = ("159", "174", "177", "194", "195")

Floats = NDArray[np.float64]


def main() -> None:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the collections")
    text = tables(parser.parse_args().data)
    (HERE / "section_5.md").write_text(text)
    print(text)


def tables(data: Path) -> str:
    """For the baselines alone, and with the diversification systems."""
    baselines = sorted(str(path) for path in (data / "trec-web-2012-baseline-runs").iterdir())
    folder = data / "trec-web-diversity-runs"
    diversity = sorted(str(path) for path in folder.iterdir() if not path.name.startswith(REFUSED))
    names, first = scores(baselines, data, "trec")
    _, more = scores(diversity, data, "rank")
    parts = []
    for title, values in (("8 baselines", first), ("15 systems", np.concatenate([first, more], axis=1))):
        parts += [f"## NDCG_std@20 of {title} of Web 2012", distributions(names, values)]
        parts += [f"## {title}: without the lowest of them", without_the_lowest(names, values)]
    parts += ["## Topics 159 and 174 compared", compared(names, np.concatenate([first, more], axis=1))]
    return "\n\n".join(parts) + "\n"


def scores(runs: list[str], data: Path, ties: str) -> tuple[tuple[str, ...], Floats]:
    """Topics, and NDCG_std@20 [topics, systems]."""
    table = score(runs, str(data / QRELS), ["NDCG_std@20"], ties=ties)  # type: ignore[arg-type]
    return table.topics, table.values[0]


def distributions(names: Sequence[str], values: Floats) -> str:
    """What the figure shows of these topics, and where they stand among all."""
    ease, median = (values > 1e-12).mean(axis=1), np.median(values, axis=1)
    rows = []
    for name in TOPICS:
        topic = names.index(name)
        quartiles = [f"{value:.3f}" for value in np.quantile(values[topic], [0, 0.25, 0.5, 0.75, 1])]
        places = [f"{1 + int((of > of[topic]).sum())} of {len(of)}" for of in (ease, median)]
        rows.append([name, f"{ease[topic]:.2f}", classify_ease(float(ease[topic])), *quartiles, *places])
    head = ["topic", "ease", "class", "lowest", "q1", "median", "q3", "highest", "rank by ease", "rank by median"]
    return markdown(head, rows)


def without_the_lowest(names: Sequence[str], values: Floats) -> str:
    """What one run at the lower end does to three summaries, in places among the topics."""
    rows = []
    for name in TOPICS:
        topic = names.index(name)
        row = values[topic]
        rest = np.delete(row, int(np.argmin(row)))
        gap = np.sort(row)[1] - row.min()
        cells = [f"{row.min():.3f}", f"{gap:.3f}"]
        for summary in (share_above, np.mean, np.median):
            before, after = float(summary(row)), float(summary(rest))
            others = np.array([summary(of) for at, of in enumerate(values) if at != topic])
            ranks = [1 + int((others > value).sum()) for value in (before, after)]
            cells.append(f"{before:.3f} -> {after:.3f} (rank {ranks[0]} -> {ranks[1]})")
        rows.append([name, *cells])
    return markdown(["topic", "lowest", "next, higher by", "ease", "mean", "median"], rows)


def share_above(row: Floats) -> float:
    """The ease of a topic with these scores."""
    return float((row > 1e-12).mean())


def compared(names: Sequence[str], values: Floats) -> str:
    """Whether the upper half of the systems on 159 is above all systems on 174."""
    one, other = (values[names.index(name)] for name in ("159", "174"))
    return markdown(
        ["median on 159", "highest on 174", "systems on 159 above it", "of"],
        [[f"{np.median(one):.3f}", f"{other.max():.3f}", str(int((one > other.max()).sum())), str(len(one))]],
    )


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    warnings.simplefilter("ignore", cranfield.CranfieldWarning)
    main()
