"""Floors for anything that reads runs: only reading the bytes of files, or only splitting their lines into fields."""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def main(what: str, paths: list[str]) -> None:
    """Do it, and print how many bytes, or lines and fields, there were."""
    from cranfield import _engine

    threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if what == "read":
        print(sum(_engine.count_bytes(path) for path in paths), "(sum of all bytes)")
    elif what == "tokenise":
        counts = [_engine.count_fields(path, threads) for path in paths]
        print(sum(lines for lines, _ in counts), "lines,", sum(fields for _, fields in counts), "fields")
    else:
        sys.exit(f"{what!r} is neither read nor tokenise")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
