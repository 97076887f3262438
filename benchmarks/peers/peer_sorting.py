"""A run whose topics lie over many files, sorted by another engine and then scored by ours in one pass.

    python benchmarks/peers/peer_sorting.py duckdb|polars RUN QRELS

prints the mean of each measure. DuckDB may take as much memory as `evaluate_partitions` allows it by default.
"""

import json
import sys
import tempfile
from pathlib import Path

MEASURES = ("nDCG@10", "AP", "RR", "R@100", "P@10")


def sort_by_duckdb(files: str, target: Path) -> None:
    """COPY in the order of topics."""
    import duckdb

    with duckdb.connect(config={"memory_limit": "250MB", "temp_directory": str(target.parent)}) as database:
        database.execute(f"COPY (FROM read_parquet('{files}') ORDER BY topic) TO '{target}' (FORMAT parquet)")


def sort_by_polars(files: str, target: Path) -> None:
    """The streaming engine, from files to a file."""
    import polars as pl

    pl.scan_parquet(files).sort("topic").sink_parquet(target)


def main() -> None:
    """Sort run and judgments, then score."""
    from cranfield.partitions import evaluate_partitions

    tool, *folders = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        copies = [Path(folder, f"{name}.parquet") for name in ("run", "qrels")]
        for source, copy in zip(folders, copies, strict=True):
            {"duckdb": sort_by_duckdb, "polars": sort_by_polars}[tool](f"{source}/*.parquet", copy)
        (total,) = evaluate_partitions(*copies, MEASURES).totals.values()
    print(json.dumps({"means": total.means}))


if __name__ == "__main__":
    main()
