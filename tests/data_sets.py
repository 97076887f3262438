"""Where golden values and real collections lie, and how values are compared with them.

    python tests/data_sets.py

says whether the files of the real collections are those that the tests expect.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import lzma
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OWN = ROOT / "tests" / "data"
"""What is part of the project."""
OUTSIDE = Path(os.environ.get("CRANFIELD_DATA") or ROOT.parent / "shared").resolve()
"""The folder of what is not; docs/data.md says what it holds."""

GOLDEN = OWN / "golden"
"""Values of independent tools that are part of the project."""
REAL_GOLDEN = OUTSIDE / "golden"
"""Those computed on real collections."""
INFORMATION = REAL_GOLDEN / "information"
"""Mutual information and more, of four real collections."""
DATA = OUTSIDE / "data"
"""The real collections."""


def is_missing(name: str) -> bool:
    """Whether ``data/...`` or ``golden/...``, as ``pytest.mark.data`` names it, is nowhere."""
    return not any((folder / name).exists() for folder in (OWN, OUTSIDE))


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


def hash_content(path: Path) -> str:
    """The SHA-256 of what a file holds when it is unpacked: programs pack the same content differently."""
    opened = {".gz": gzip.open, ".xz": lzma.open}.get(path.suffix, open)
    with opened(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_files(folder: Path, hashes: str) -> Iterator[tuple[str, str]]:
    """Each file that the tests read of the real collections, and whether it is ``as expected``."""
    for line in hashes.splitlines():
        digest, name = line.split(maxsplit=1)
        path = folder / name
        yield name, "missing" if not path.is_file() else "as expected" if hash_content(path) == digest else "different"


def main() -> int:
    """Say of each real collection whether its files are as expected."""
    counts: dict[str, Counter[str]] = {}
    for name, verdict in check_files(DATA, (OWN / "real_collections.sha256").read_text()):
        counts.setdefault(name.partition("/")[0], Counter())[verdict] += 1
        if verdict == "different":
            print(f"{DATA / name} holds something else than the tests expect")
    for collection, found in counts.items():
        print(f"{collection}: {', '.join(f'{count} files {verdict}' for verdict, count in sorted(found.items()))}")
    return int(any(set(found) - {"as expected"} for found in counts.values()))


if __name__ == "__main__":
    sys.exit(main())
