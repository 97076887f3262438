"""Where the real collections and the golden values lie, and how values are compared with them."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator
from pathlib import Path

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"
GOLDEN = SHARED / "golden"
DATA = SHARED / "data"
INFORMATION = GOLDEN / "information"


def rows(path: Path, delimiter: str = "\t") -> Iterator[dict[str, str]]:
    """Rows of a table with a header line, gzipped or not. Quotes mean nothing in tab-separated ones."""
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        if delimiter == "\t":
            yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        else:
            yield from csv.DictReader(lines, delimiter=delimiter)


class Tally:
    """Counts compared values and keeps those that differ by more than ``tolerance``; NaN equals nothing."""

    def __init__(self, tolerance: float = 1e-9) -> None:
        self.tolerance = tolerance
        self.compared = 0
        self.different: list[str] = []

    def add(self, where: object, ours: float, theirs: float) -> None:
        self.compared += 1
        if not abs(ours - theirs) <= self.tolerance:
            self.different.append(f"{where}: ours {ours!r}, theirs {theirs!r}")

    def add_text(self, where: object, ours: float, theirs: str) -> None:
        """Compare with a printed number at the digits it was printed with."""
        self.compared += 1
        decimals = len(theirs.partition(".")[2])
        if f"{ours:.{decimals}f}" != theirs:
            self.different.append(f"{where}: ours {ours!r}, theirs {theirs}")

    def check(self, at_least: int) -> None:
        shown = "\n".join(self.different[:20])
        assert not self.different, f"{len(self.different)} of {self.compared} values differ:\n{shown}"
        assert self.compared >= at_least, f"only {self.compared} values were compared, expected {at_least} or more"
