"""Where the real collections are that the scripts read; docs/data.md says what they are and where they are had."""

from __future__ import annotations

import os
from pathlib import Path

import pandas as pd

OUTSIDE = Path(os.environ.get("CRANFIELD_DATA") or Path(__file__).resolve().parents[2] / "shared").resolve()
DATA = OUTSIDE / "data"

RATED_TO_5 = ("NuggetSelfRatedPrompt", "QuestionSelfRatedUnanswerablePromptWithChoices")
"""Models of ``judges_of_2019`` that rate from 0 to 5, not to 3."""


def judges_of_2019(people: str, data: Path = DATA) -> tuple[dict[str, Path], dict[str, float]]:
    """Judgments of Deep Learning 2019 by people, under this name, and models; and the least relevant label of each."""
    paths = {people: data / "trec-dl-2019-passage/qrels.dl19-passage.txt.gz"}
    paths |= {path.name.partition(".")[0]: path for path in sorted((data / "llm-qrels-dl19-dl20/dl19").iterdir())}
    return paths, {name: 2.0 if name == people else 4.0 if name in RATED_TO_5 else 1.0 for name in paths}


def judges_of_2023(people: str, data: Path = DATA) -> tuple[dict[str, Path], dict[str, float]]:
    """Judgments of Deep Learning 2023, as ``judges_of_2019`` has those of 2019."""
    folder = data / "llmjudge-dl23"
    paths = {people: folder / "data/llmjudge_test_qrel_idx.txt"}
    paths |= {path.stem: path for path in sorted((folder / "submissions/scores").glob("*.txt"))}
    return paths, dict.fromkeys(paths, 2.0)


def as_markdown(table: pd.DataFrame, digits: int) -> str:
    """A table of Markdown, its fractions to so many digits."""
    cells = table.map(lambda cell: f"{cell:.{digits}f}" if isinstance(cell, float) else str(cell))
    lines = [list(cells.columns), ["---"] * cells.shape[1], *cells.to_numpy().tolist()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"
