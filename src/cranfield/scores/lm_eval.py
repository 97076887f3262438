"""Samples of lm-evaluation-harness: a JSON line a document, with the metrics that it lists."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Any

from cranfield._text import cut, quoted, warn
from cranfield._validation import is_number
from cranfield.errors import FormatError, InputError
from cranfield.findings.location import Location
from cranfield.io.system_names import stem
from cranfield.scores.labels import named
from cranfield.scores.rows import ReadRow

PREFIX = "samples_"
KEYS = {"doc_id", "metrics"}


def is_sample(content: object) -> bool:
    """Tell whether an object of JSON is a sample: a document with a list of the metrics beside it."""
    return isinstance(content, Mapping) and content.keys() >= KEYS and isinstance(content["metrics"], list)


def read_samples(file: Location, system: str, lines: Iterable[tuple[int, Any]]) -> list[ReadRow]:
    """Read the metrics of each document, whose topic is its ``doc_id``.

    The system is called by the folder of files ``samples_*``, as lm-evaluation-harness has one for each model, or else
    by the file. Where a file has several filters, metrics are called ``metric,filter``, as in its results. A metric of
    which no value is a number, as of those that are computed over all documents, is left out with a warning.

    Args:
        file: that is read.
        system: what is called by the file's name.
        lines: number and object of each line.

    Raises:
        FormatError: a line is not a sample, or a metric not a number.
        InputError: no metric has a number.
    """
    folder = PurePath(file.path).parent.name if file.path else ""
    called = folder if folder and PurePath(file.path).name.startswith(PREFIX) else stem(system, (".jsonl", ".json"))
    samples = [(file.at(line), content) for line, content in lines]
    for where, content in samples:
        _check(where, content)
    filters = {str(content.get("filter", "")) for _, content in samples}
    metrics = dict.fromkeys(metric for _, content in samples for metric in content["metrics"])
    lists = [name for name in metrics if not any(_is_value(content.get(name)) for _, content in samples)]
    if len(lists) == len(metrics):
        raise InputError("no metric of the samples has a number", file, code="empty")
    if lists:
        warn(f"{file}: {', '.join(map(quoted, lists))} left out: no number for a document")
    rows: list[ReadRow] = []
    for where, content in samples:
        topic = named(str(content["doc_id"]), "topic", where)
        for metric in content["metrics"]:
            if metric in lists:
                continue
            value = content.get(metric)
            if not _is_value(value):
                text = f"the metric {quoted(metric)} is {quoted(cut(str(value)))}, expected a finite number"
                raise FormatError(text, where, code="score", value=cut(str(value)))
            measure = metric if len(filters) < 2 else f"{metric},{content.get('filter', '')}"
            rows.append((where, named(called, "system", where), topic, measure, float(value)))
    return rows


def _is_value(value: object) -> bool:
    """Tell whether a value is a number, or true or false, that a float can hold."""
    if isinstance(value, bool):
        return True
    try:
        return is_number(value) and math.isfinite(float(value))  # type: ignore[arg-type]
    except OverflowError:
        return False


def _check(where: Location, content: Any) -> None:
    """Raises: FormatError: a line is not a sample."""
    if not is_sample(content):
        text = "expected a sample of lm-evaluation-harness: an object with doc_id and a list of metrics"
        raise FormatError(text, where, code="fields", value=cut(str(content)))
    if isinstance(content["doc_id"], bool) or not isinstance(content["doc_id"], (int, str)):
        text = f"the doc_id {quoted(cut(str(content['doc_id'])))} is neither a number nor text"
        raise FormatError(text, where, code="id", value=cut(str(content["doc_id"])))
    odd = next((name for name in content["metrics"] if not isinstance(name, str)), None)
    if odd is not None:
        text = f"the metric {quoted(cut(str(odd)))} is not text"
        raise FormatError(text, where, code="fields", value=cut(str(odd)))
