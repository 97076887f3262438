"""ranx as its users run it: `from_file` for qrels and runs, then `evaluate`; it has no ERR.

ranx compiles itself with numba and keeps the result on disk. A plain call finds that cache filled by an earlier call;
`--first-use` starts from an empty cache, as the first call after an installation does.
"""

import os
import sys
import tempfile
from pathlib import Path

MEASURES = {"nDCG@10": "ndcg@10", "AP": "map", "RR@10": "mrr@10", "P@10": "precision@10", "R@100": "recall@100"}


def main(*arguments: str) -> None:
    """Evaluate with the cache on disk, or with an empty one that is thrown away."""
    if arguments[0] != "--first-use":
        evaluate(*arguments)
        return
    with tempfile.TemporaryDirectory() as cache:
        os.environ["NUMBA_CACHE_DIR"] = cache  # read when numba is imported, hence the late import below
        evaluate(*arguments[1:])


def evaluate(qrels_path: str, *run_paths: str) -> None:
    """Print the mean of every measure for every run, as tab-separated lines."""
    import ranx  # type: ignore[import, unused-ignore]

    qrels = ranx.Qrels.from_file(qrels_path, kind="trec")
    print("system", "topic", "measure", "value", sep="\t")
    for path in run_paths:
        run = ranx.Run.from_file(path, kind="trec")
        means = ranx.evaluate(qrels, run, list(MEASURES.values()))
        for name, theirs in MEASURES.items():
            print(Path(path).stem, "all", name, repr(float(means[theirs])), sep="\t")


if __name__ == "__main__":
    main(*sys.argv[1:])
