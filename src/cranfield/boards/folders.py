"""Scores as evaluation tools leave them in folders: results of MTEB, and logs of inspect_ai."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cranfield._text import counted, cut, quoted, warn
from cranfield.boards.cells import BoardCell, parse_score
from cranfield.errors import FormatError, InputError
from cranfield.findings.location import Location
from cranfield.io.source import check_regular, read_whole
from cranfield.io.strict_json import parse_json

SPREADS = ("stderr", "bootstrap_stderr", "std", "var", "ci", "confidence_interval")
"""Metrics of inspect_ai that state the spread of scores, and are not scores."""
ERRORS = ("stderr", "bootstrap_stderr")
"""The metrics among them that are standard errors."""
COUNTS = ("count", "total", "n")
"""Metrics that say how many samples there are."""


def read_folder(folder: Path) -> list[BoardCell]:
    """The scores in a folder of MTEB's results, or of logs of inspect_ai in JSON.

    Raises:
        InputError: the folder has neither, or a file in it is a pipe or a device.
        FormatError: a file is not as its tool writes it.
    """
    results = sorted(path for path in folder.glob("*/*/*.json") if path.name != "model_meta.json")
    if any(_is_log(path) for path in results[:1]):
        results = []
    if results:
        return _read_mteb(results)
    logs = sorted(path for path in folder.rglob("*.json") if _is_log(path))
    if logs:
        return _read_inspect(logs)
    place = Location(str(folder))
    if any(folder.rglob("*.eval")):
        text = (
            "the folder has logs of inspect_ai in its own format: write them as JSON by `inspect log convert --to json`"
        )
        raise InputError(text, place, code="layout")
    text = "the folder has no MODEL/REVISION/TASK.json as MTEB writes them, and no log of inspect_ai in JSON"
    raise InputError(text, place, code="empty")


def _is_log(path: Path) -> bool:
    """True if the first 400 bytes of a file look like a log of inspect_ai; False for a folder.

    Raises:
        InputError: it is a pipe or a device, which may keep its reader waiting for ever, or cannot be read.
    """
    try:
        check_regular(str(path))
        with path.open("rb") as file:
            start = file.read(400)
    except IsADirectoryError:
        return False
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", Location(str(path)), code="unreadable") from None
    return start.lstrip().startswith(b"{") and b'"version"' in start and b'"status"' in start


def _read_object(path: Path) -> Any:
    """Raises: InputError: the file cannot be read, or is not JSON."""
    return parse_json(Location(str(path)), read_whole(str(path), "run")[0], constants=True)


# ---- MTEB


class _TaskResult(NamedTuple):
    """The main scores of a model on a task, by split and subset."""

    where: Location
    model: str
    task: str
    scores: Mapping[str, Mapping[str, float]]


def _read_mteb(files: Sequence[Path]) -> list[BoardCell]:
    """The main scores of ``MODEL/REVISION/TASK.json``, as embeddings-benchmark/results has them (mteb 1.x and 2.x).

    Of each task one split and the same subsets for all models: the split ``test`` (else the only one that any model
    has), and of its subsets ``default`` or the English one, else the mean of all that any model has. Whoever lacks them
    has no score on the task, which a warning says.

    Raises:
        FormatError: a file is not a result.
        InputError: a task has several splits without a test.
    """
    by_task: dict[str, list[_TaskResult]] = {}
    for path in files:
        result = _read_result(path)
        by_task.setdefault(result.task, []).append(result)
    cells, lacking = [], []
    for results in by_task.values():
        split = _choose_split(results)
        subsets = _choose_subsets(results, split)
        for where, model, task, scores in results:
            own = scores.get(split, {})
            missing = [name for name in subsets if name not in own]
            if missing:
                lacking.append((where, f"split {quoted(split)}, subset {quoted(missing[0])}", scores))
            score = math.nan if missing else sum(own[name] for name in subsets) / len(subsets)
            cells.append(BoardCell(where, model, task, "", score, math.nan))
    _say_lacking(lacking)
    return sorted(cells, key=lambda cell: cell.where.path)


def _read_result(path: Path) -> _TaskResult:
    """Raises: FormatError: the file is not a result, or names a subset twice."""
    place = Location(str(path))
    content = _read_object(path)
    scores: dict[str, dict[str, float]] = {}
    try:
        task = str(content["task_name"])
        for split, entries in content["scores"].items():
            scores[split] = own = {}
            for entry in entries:
                subset = str(entry.get("hf_subset", "default"))
                if subset in own:
                    text = f"split {quoted(split)} has two scores of the subset {quoted(subset)}: keep one of them"
                    raise FormatError(text, place, code="duplicate", value=cut(subset))
                own[subset] = parse_score(entry["main_score"], place)
    except (KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"the file is not a result of MTEB ({error!r})", place, code="layout") from None
    if not any(scores.values()):
        raise FormatError("the file is not a result of MTEB: it has no score", place, code="layout")
    return _TaskResult(place, path.parent.parent.name.replace("__", "/"), task, scores)


def _choose_split(results: Sequence[_TaskResult]) -> str:
    """Raises: InputError: the models have several splits of the task, and none is a test."""
    first = {split: result.where for result in reversed(results) for split in result.scores if result.scores[split]}
    if "test" in first or len(first) == 1:
        return "test" if "test" in first else next(iter(first))
    named = ", ".join(f"{quoted(split)} in {where}" for split, where in sorted(first.items()))
    text = f"several splits of task {quoted(results[0].task)} and none is test ({named}): keep the results of one split"
    raise InputError(text, results[0].where, code="layout")


def _choose_subsets(results: Sequence[_TaskResult], split: str) -> list[str]:
    names = dict.fromkeys(name for result in results for name in result.scores.get(split, {}))
    single = next((name for name in ("default", "en", "en-en") if name in names), None)
    return list(names) if single is None else [single]


def _say_lacking(lacking: Sequence[tuple[Location, str, Mapping[str, Mapping[str, float]]]]) -> None:
    if lacking:
        where, what, scores = lacking[0]
        own = ", ".join(f"{quoted(split)} ({', '.join(map(quoted, list(own)[:3]))})" for split, own in scores.items())
        more = f"; so {counted(len(lacking) - 1, 'other file')}" if len(lacking) > 1 else ""
        warn(f"{where}: a missing cell, as the task is compared by {what}, and the file has {own}{more}")


# ---- inspect_ai


class _Log(NamedTuple):
    """A finished evaluation: of each scorer its metrics, and what was evaluated."""

    where: Location
    task: str
    model: str
    scores: Mapping[tuple[str, str], float]
    """Scorer and metric -> score."""
    errors: Mapping[str, float]
    """Scorer -> standard error."""
    evaluated: Mapping[str, Any]
    """Facts that have to be the same of all models: version of the task, number of samples."""


def _read_inspect(files: Sequence[Path]) -> list[BoardCell]:
    """The score of each log (version 2, inspect_ai 0.3), with its standard error.

    Of each task the same metric of the same scorer for all models, the first that all have and that is neither a spread
    nor a count. Logs of evaluations that were not finished are left out, with a warning.

    Raises:
        FormatError: a file is not a log of this version.
        InputError: the models of a task have no metric in common, or were evaluated on other samples.
    """
    by_task: dict[str, list[_Log]] = {}
    for path in files:
        log = _read_log(path)
        if log is not None:
            by_task.setdefault(log.task, []).append(log)
    cells = []
    for logs in by_task.values():
        _refuse_other_samples(logs)
        scorer, metric = _choose_metric(logs)
        for log in logs:
            score, error = log.scores[scorer, metric], log.errors.get(scorer, math.nan)
            cells.append(BoardCell(log.where, log.model, log.task, "", score, error))
        several = [log.where for log in logs if len({name for name, _ in log.scores}) > 1]
        if several:
            count = len({name for log in logs for name, _ in log.scores})
            more = f" and in {len(several) - 1} more" if len(several) > 1 else ""
            warn(f"{several[0]}{more}: {count} scorers; {quoted(metric)} of {quoted(scorer)} is taken")
    return sorted(cells, key=lambda cell: cell.where.path)


def _read_log(path: Path) -> _Log | None:
    """A log; None where the evaluation was not finished.

    Raises:
        FormatError: the file is not a log of this version, or has no metric that is a score.
    """
    place = Location(str(path))
    content = _read_object(path)
    try:
        if content["version"] != 2:
            text = f"version {content['version']} of a log of inspect_ai; version 2 is read"
            raise FormatError(text, place, code="layout", value=str(content["version"]))
        if content["status"] != "success":
            warn(f"{place}: left out, as its evaluation ended with {quoted(str(content['status']))}")
            return None
        task, model = str(content["eval"]["task"]), str(content["eval"]["model"])
        scores: dict[tuple[str, str], float] = {}
        errors: dict[str, float] = {}
        others: dict[str, None] = {}
        for entry in content["results"]["scores"]:
            scorer = str(entry.get("name"))
            for name, metric in entry["metrics"].items():
                value = parse_score(metric["value"], place)
                if name in ERRORS:
                    errors.setdefault(scorer, value)
                if name in SPREADS + COUNTS:
                    others[name] = None
                else:
                    scores[scorer, name] = value
        evaluated = {"version of the task": content["eval"].get("task_version")}
        evaluated["number of samples"] = content["results"].get("total_samples")
    except (KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"the file is not a log of inspect_ai ({error!r})", place, code="layout") from None
    if not scores:
        named = ", ".join(map(quoted, others)) or "none"
        text = f"the log has no metric that is a score, only spreads and counts ({named}): leave the file out"
        raise FormatError(text, place, code="layout")
    return _Log(place, task, model, scores, errors, evaluated)


def _choose_metric(logs: Sequence[_Log]) -> tuple[str, str]:
    """Raises: InputError: no metric of a scorer is in all logs of the task."""
    held = Counter(key for log in logs for key in log.scores)
    shared = next((key for key in logs[0].scores if held[key] == len(logs)), None)
    if shared is not None:
        return shared
    first = next(iter(logs[0].scores))
    other = next(log for log in logs if first not in log.scores)
    scorer, metric = next(iter(other.scores))
    text = (
        f"task {quoted(logs[0].task)} is scored by {quoted(metric)} of {quoted(scorer)} here, and by "
        f"{quoted(first[1])} of {quoted(first[0])} in {logs[0].where}: keep the logs of one scorer and metric"
    )
    raise InputError(text, other.where, code="layout", value=cut(metric))


def _refuse_other_samples(logs: Sequence[_Log]) -> None:
    """Raises: InputError: two logs of a task are of another version of it, or of another number of samples."""
    for what in logs[0].evaluated:
        stated = {log.evaluated[what]: log for log in reversed(logs) if log.evaluated[what] is not None}
        if len(stated) > 1:
            (left, first), (right, other) = sorted(stated.items(), key=lambda item: item[1].where.path)[:2]
            text = (
                f"{what} of {quoted(logs[0].task)}: {right} here, and {left} in {first.where}: scores on other samples "
                "are not compared, keep the logs of one evaluation"
            )
            raise InputError(text, other.where, code="layout", value=cut(str(right)))
