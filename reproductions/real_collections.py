"""Where the real collections are that the scripts read; docs/data.md says what they are and where they are had."""

from __future__ import annotations

import os
from pathlib import Path

import pandas as pd

OUTSIDE = Path(os.environ.get("CRANFIELD_DATA") or Path(__file__).resolve().parents[2] / "shared").resolve()
DATA = OUTSIDE / "data"


def as_markdown(table: pd.DataFrame, digits: int) -> str:
    """A table of Markdown, its fractions to so many digits."""
    cells = table.map(lambda cell: f"{cell:.{digits}f}" if isinstance(cell, float) else str(cell))
    lines = [list(cells.columns), ["---"] * cells.shape[1], *cells.to_numpy().tolist()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"
