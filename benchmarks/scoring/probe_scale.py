"""A run and judgments in many files of Parquet, by ours, or read and nothing else, in a process of its own.

    python benchmarks/scoring/probe_scale.py ours|reading RUN QRELS [--topics WAY] [--threads N] [--dask N]

prints one line of JSON: the mean of each measure, or the rows that were read.
"""

import argparse
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

MEASURES = ("nDCG@10", "AP", "RR", "R@100", "P@10")
BATCH = 131_072


def reading(folders: Sequence[Path]) -> dict[str, Any]:
    """All columns of all files, batch by batch, as PyArrow decodes them."""
    import pyarrow.parquet as pq

    rows = 0
    for folder in folders:
        for path in sorted(folder.glob("*.parquet")):
            with pq.ParquetFile(path) as file:
                rows += sum(batch.num_rows for batch in file.iter_batches(BATCH, use_threads=False))
    return {"rows": rows}


def ours(arguments: argparse.Namespace) -> dict[str, Any]:
    """The means of the five measures."""
    from cranfield.partitions import evaluate_partitions

    with ExitStack() as stack:
        how: dict[str, Any] = {"topic_layout": arguments.topics}
        if arguments.memory:
            how["memory"] = arguments.memory
        if arguments.threads:
            how["executor"] = stack.enter_context(ThreadPoolExecutor(arguments.threads))
        if arguments.dask:
            how["executor"] = stack.enter_context(_cluster(arguments.dask))
        (run,) = arguments.runs
        found = evaluate_partitions(run, arguments.qrels, MEASURES, **how)
    (total,) = found.totals.values()
    return {"means": total.means, "topics": total.topics}


def _cluster(workers: int) -> Any:
    from distributed import LocalCluster

    return LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=50)


def main() -> None:
    """Measure nothing: that is for whoever starts this."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", choices=("ours", "reading"))
    parser.add_argument("runs", type=Path, nargs=1, metavar="RUN")
    parser.add_argument("qrels", type=Path)
    parser.add_argument("--topics", default="auto")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--dask", type=int, default=0, help="workers")
    parser.add_argument("--memory", default="")
    arguments = parser.parse_args()
    found = reading([*arguments.runs, arguments.qrels]) if arguments.tool == "reading" else ours(arguments)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
