"""What a user gives as runs and judgments in many files."""

from __future__ import annotations

import glob
import os
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from cranfield.collection.qrels import Qrels
from cranfield.collection.reading import Reading
from cranfield.errors import InputError
from cranfield.io.inputs import PathLike, QrelsLike, qrels_of
from cranfield.partitions.dataset import ENDINGS, Dataset
from cranfield.partitions.text_judgments import read_together

RunLike: TypeAlias = "Dataset | PathLike"
RunsLike: TypeAlias = "RunLike | Sequence[RunLike] | Mapping[str, RunLike]"


def datasets_of(runs: RunsLike, how: Reading, options: Mapping[str, Any] | None) -> list[Dataset]:
    """Every run that was given, as a data set.

    Raises:
        InputError: two of one name, or none.
    """
    columns = dict(how.columns or {})
    if isinstance(runs, Mapping):
        pairs = [(str(name), data) for name, data in runs.items()]
    else:
        many = runs if isinstance(runs, Sequence) and not isinstance(runs, str) else [runs]
        pairs = [("", data) for data in many]
    found = []
    for name, data in pairs:
        one = data if isinstance(data, Dataset) else Dataset(data, columns=columns, storage_options=options)
        found.append(one if not name else one.named(name))
    if not found:
        raise InputError("no run was given", code="empty")
    repeated = [one.name for number, one in enumerate(found) if one.name in [two.name for two in found[:number]]]
    if repeated:
        text = f"two runs are called {repeated[0]!r}; give them names: {{name: Dataset(...), ...}}"
        raise InputError(text, code="equal-names", value=repeated[0])
    return found


def judgments_of(qrels: QrelsLike | Dataset, how: Reading, options: Mapping[str, Any] | None) -> Dataset | Qrels:
    """Judgments in many files, or judgments that are read now.

    Raises:
        InputError: they cannot be read.
    """
    many = isinstance(qrels, (str, os.PathLike)) and is_many(str(qrels))
    judged = Dataset(qrels, columns=dict(how.columns or {}), storage_options=options) if many else qrels
    if not isinstance(judged, Dataset):
        return qrels_of(judged, **how.of_files)
    if not judged.is_text:
        return judged
    return read_together([path for path, _ in judged.files], judged.path, judged.name, how.of_files)


def is_many(path: str) -> bool:
    """Whether a path is read as a data set: a folder, a glob, an address, or a file of columns."""
    columns = path.lower().endswith(tuple(ENDINGS))
    return columns or "://" in path or glob.has_magic(path) or os.path.isdir(path)  # noqa: PTH112 (any name is answered)
