"""Reading that begins before NumPy and the rest are imported, which takes longer than to read a small collection."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from cranfield.collection.policy import Policy
from cranfield.engine import before_numpy
from cranfield.memory import bytes_from_environment
from cranfield.threads import cpus

LAYOUTS = ("auto", "trec")
"""Formats by whose name a file is first read as TREC text."""


@contextmanager
def reading_ahead(
    qrels: str, runs: Sequence[str], policy: Policy, *, input_format: str, sign: bool, whole: bool = False
) -> Iterator[None]:
    """Have the compiled engine read judgments and the first runs while this process does something else.

    Whoever reads the same files in the same way inside waits for them, and gets what they hold or why they are refused.
    While runs are asked for, the next ones are read. Nothing is begun with what is no regular file, or is not read as
    TREC text first; then they are read as ever.

    Args:
        qrels: the file of judgments, or something else that stands for them.
        runs: the files of runs, in the order in which they will be asked for.
        policy: by which runs are judged.
        input_format: of the files.
        sign: whether runs are hashed.
        whole: whether runs are read as a whole, and not only seen through the judgments.
    """
    engine = before_numpy()
    if engine is None or input_format not in LAYOUTS or not _is_file(qrels):
        yield
        return
    limit, files = bytes_from_environment("CRANFIELD_MAX_UNPACKED") or 0, [run for run in runs if _is_file(run)]
    threads, workers = (1, cpus()) if len(runs) > 1 else (cpus(), 1)
    whole = whole or policy.rewrites
    engine.begin_reading(qrels, limit, files, policy.ties, policy.on_duplicate, threads, workers, sign, whole)
    try:
        yield
    finally:
        engine.end_reading()


def _is_file(path: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(path).st_mode)  # noqa: PTH116  (unlike Path, it answers for any name)
    except (OSError, ValueError):
        return False
