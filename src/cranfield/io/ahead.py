"""Reading that begins before NumPy is imported, which takes longer than to read a small collection."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from cranfield.collection.policy import Policy
from cranfield.compiled import before_numpy
from cranfield.memory import bytes_asked
from cranfield.threads import cpus

LAYOUTS = ("auto", "trec")
"""Formats by whose name a file is first read as TREC text."""


@contextmanager
def reading_ahead(qrels: str, runs: Sequence[str], policy: Policy, *, input_format: str, sign: bool) -> Iterator[None]:
    """Have the compiled engine read judgments, and the run if there is but one, while this process does something else.

    Whoever reads the same files in the same way inside waits for them, and gets what they hold or why they are refused.
    Nothing is begun with what is no regular file, or is not read as TREC text first; then they are read as ever.

    Args:
        qrels: the file of judgments, or something else that stands for them.
        runs: the files of runs.
        policy: by which runs are judged.
        input_format: of the files.
        sign: whether runs are hashed.
    """
    engine = before_numpy()
    if engine is None or input_format not in LAYOUTS or not _is_file(qrels):
        yield
        return
    run = runs[0] if len(runs) == 1 and _is_file(runs[0]) else None
    limit = bytes_asked("CRANFIELD_MAX_UNPACKED") or 0
    engine.begin_reading(qrels, limit, run, policy.ties, policy.on_duplicate, cpus(), sign)
    try:
        yield
    finally:
        engine.end_reading()


def _is_file(path: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(path).st_mode)  # noqa: PTH116  (unlike Path, it answers for any name)
    except (OSError, ValueError):
        return False
