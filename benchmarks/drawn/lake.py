"""Data sets of Parquet for `scale`: how many rows, in what order, and where their files lie.

Nothing here imports NumPy, see `catalogue.py`. `generate_lake.py` writes the files.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from drawn.catalogue import DATA

FORMAT = 1  # to be raised whenever other bytes are written for the same lake
DEPTH, JUDGED = 100, 10
ROWS_OF_FILE = 2_500_000
SHARDS = 8

RUNS = ("integers", "text", "permuted", "split")
JUDGMENTS = ("qrels", "qrels-text", "qrels-scattered")
BYTES_OF_ROW = {"integers": 15, "text": 19, "permuted": 22, "split": 15}
BYTES_OF_JUDGMENT = {"qrels": 6, "qrels-text": 8, "qrels-scattered": 13}


@dataclass(frozen=True)
class Lake:
    """One run of so many rows, or its judgments, in several files.

    `integers`: ids are whole numbers, topics in order, 25,000 in a file. `text`: the same with text. `permuted`: the
    rows of each file in random order. `split`: the rows of each topic over eight files, those in a file together.
    `qrels` and `qrels-text` are cut into files by topics as the runs are, `qrels-scattered` as `split` is.
    """

    shape: str
    rows: int
    seed: int = 17

    @property
    def topics(self) -> int:
        return self.rows // DEPTH

    @property
    def topics_of_file(self) -> int:
        return min(self.topics, ROWS_OF_FILE // DEPTH)

    @property
    def judgments(self) -> int:
        return self.topics * JUDGED

    @property
    def bytes(self) -> int:
        """What the files will take, roughly."""
        if self.shape in BYTES_OF_ROW:
            return self.rows * BYTES_OF_ROW[self.shape]
        return self.judgments * BYTES_OF_JUDGMENT[self.shape]

    @property
    def folder(self) -> Path:
        return DATA / "lake" / f"rows-{self.rows}" / self.shape

    @property
    def manifest(self) -> Path:
        """Written last; its name begins with a mark that data sets leave out."""
        return self.folder / "_manifest.json"

    def manifest_text(self) -> str:
        return json.dumps({"format": FORMAT, **asdict(self)}) + "\n"

    def is_present(self) -> bool:
        return self.manifest.is_file() and self.manifest.read_text() == self.manifest_text()
