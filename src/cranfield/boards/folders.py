"""Scores as evaluation tools leave them: folders of MTEB and inspect_ai, and tables of HELM."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from cranfield._text import counted, quoted, warn
from cranfield.errors import FormatError, InputError
from cranfield.findings.location import Location

SPREADS = ("stderr", "std", "var")
"""Metrics of inspect_ai that state the spread of scores, and are not scores."""


def read_folder(folder: Path) -> Iterator[Cell]:
    """The scores in a folder of MTEB's results, or of logs of inspect_ai in JSON.

    Raises:
        InputError: the folder has neither.
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
    """Whether a file begins as a log of inspect_ai does."""
    with path.open("rb") as file:
        start = file.read(400)
    return start.lstrip().startswith(b"{") and b'"version"' in start and b'"status"' in start


def _read_mteb(files: Sequence[Path]) -> Iterator[Cell]:
    """The main scores of ``MODEL/REVISION/TASK.json``, as embeddings-benchmark/results has them (mteb 1.x and 2.x).

    Of each task the split ``test`` (else the only one), and of its subsets ``default`` or the English one, else the
    mean of all.

    Raises:
        FormatError: a file is not a result.
        InputError: several splits without a test.
    """
    for path in files:
        place = Location(str(path))
        try:
            content = json.loads(path.read_bytes())
            task, splits = str(content["task_name"]), content["scores"]
            chosen = splits["test"] if "test" in splits else next(iter(splits.values()))
            if "test" not in splits and len(splits) > 1:
                raise InputError(f"several splits and none is test: {', '.join(splits)}", place, code="layout")
            scores = {str(entry.get("hf_subset", "default")): float(entry["main_score"]) for entry in chosen}
        except (KeyError, TypeError, ValueError, AttributeError, StopIteration) as error:
            raise FormatError(f"the file is not a result of MTEB ({error!r})", place, code="layout") from None
        single = next((scores[name] for name in ("default", "en", "en-en") if name in scores), None)
        score = sum(scores.values()) / len(scores) if single is None else single
        yield place, path.parent.parent.name.replace("__", "/"), task, "", parse_score(score, place), math.nan


def _read_inspect(files: Sequence[Path]) -> Iterator[Cell]:
    """The score of each log (version 2, inspect_ai 0.3): its first metric that is not a spread, with its ``stderr``.

    Logs of evaluations that were not finished are left out, with a warning.

    Raises:
        FormatError: a file is not a log of this version.
    """
    for path in files:
        place = Location(str(path))
        try:
            content = json.loads(path.read_bytes())
            if content["version"] != 2:
                text = f"version {content['version']} of a log of inspect_ai; version 2 is read"
                raise InputError(text, place, code="layout", value=str(content["version"]))
            if content["status"] != "success":
                warn(f"{place}: left out, as its evaluation ended with {quoted(str(content['status']))}")
                continue
            task, system = str(content["eval"]["task"]), str(content["eval"]["model"])
            scores: list[dict[str, Any]] = content["results"]["scores"]
            metrics = scores[0]["metrics"]
            name = next(name for name in metrics if name not in SPREADS)
            score = parse_score(metrics[name]["value"], place)
            error = parse_score(metrics["stderr"]["value"], place) if "stderr" in metrics else math.nan
        except (KeyError, TypeError, ValueError, IndexError, StopIteration) as error_:
            raise FormatError(f"the file is not a log of inspect_ai ({error_!r})", place, code="layout") from None
        if len(scores) > 1:
            warn(f"{place}: {len(scores)} scorers; the first is taken, {quoted(str(scores[0].get('name')))}")
        yield place, system, task, "", score, error


# ---- Tables of HELM's results: models in rows, scenarios in columns, as ``helm-summarize`` writes them in JSON.


SUMMARIES = ("win rate", "Mean score")
"""The ends of names of columns that sum up the others of a table."""


def read_helm(place: Location, text: str) -> Iterator[Cell]:
    """The scores of ``groups/json/GROUP_METRICS.json`` (one table), or of ``groups/GROUP.json`` (the first of several).

    crfm-helm 0.2 to 0.5 writes ``{title, header: [{value, lower_is_better}, ...], rows: [[{value}, ...], ...]}``; the
    first column names models. Columns that sum up others, and such as are not compared, are left out; where less is
    better, the sign is turned. A warning names them.

    Raises:
        FormatError: it is not such a table.
    """
    try:
        content = json.loads(text)
        tables = content if isinstance(content, list) else [content]
        table, titles = tables[0], [str(table["title"]) for table in tables]
        header, rows = table["header"], table["rows"]
        names = [str(cell["value"]) for cell in header]
        lower = [cell.get("lower_is_better") for cell in header]
        values = [[cell.get("value") for cell in row] for row in rows]
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError) as error:
        text = f"the file is JSON, and not a table of HELM ({error!r}); expected title, header and rows"
        raise FormatError(text, place, code="layout") from None
    if len(titles) > 1:
        warn(f"{place}: {counted(len(titles), 'table')}; the first is taken, {quoted(titles[0])}")
    columns = _choose_columns(place, names, lower)
    for number, row in enumerate(values, 1):
        where = place.within(f"row {number}")
        if len(row) != len(names):
            text = f"the row has {counted(len(row), 'cell')}, the header {len(names)}"
            raise FormatError(text, where, code="fields")
        for at in columns:
            score = parse_score(row[at], where)
            yield where, str(row[0]), names[at], "", -score if lower[at] else score, math.nan


def _choose_columns(place: Location, names: list[str], lower: list[Any]) -> list[int]:
    """The columns that are tasks."""
    columns = range(1, len(names))
    summing = [at for at in columns if names[at].endswith(SUMMARIES)]
    neither = [at for at in columns if at not in summing and not isinstance(lower[at], bool)]
    turned = [at for at in columns if at not in summing and lower[at] is True]
    for chosen, reason in (
        (summing, "left out, which sums up other columns"),
        (neither, "left out, of which HELM says neither that more nor that less is better"),
        (turned, "turned in sign, of which less is better"),
    ):
        if chosen:
            warn(f"{place}: {', '.join(quoted(names[at]) for at in chosen)} {reason}")
    return [at for at in columns if at not in summing and at not in neither]


# ---- One cell of a board, as readers pass it on, and the number that stands in it.


Cell: TypeAlias = tuple[Location, str, str, str, float, float]
"""Where it stands, system, task, query (empty: the task as a whole), score and its standard error (NaN: not stated)."""
MISSING = ("", "nan", "na", "n/a", "null", "none", "-")
"""How an empty cell is written, in small letters."""


def parse_score(value: Any, where: Location) -> float:
    """A score; NaN where the cell is empty.

    Raises:
        FormatError: it is not a number, or infinite.
    """
    if value is None or (isinstance(value, str) and value.strip().lower() in MISSING):
        return math.nan
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise FormatError(f"{quoted(str(value))} is not a number such as 0.25", where, code="score") from None
    if math.isinf(number):
        raise FormatError(f"{quoted(str(value))} is not finite", where, code="score", value=str(value))
    return number
