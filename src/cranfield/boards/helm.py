"""Tables of HELM's results: models in rows, scenarios in columns, as ``helm-summarize`` writes them in JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from cranfield._text import counted, quoted, warn
from cranfield.boards.cells import BoardCell, parse_score
from cranfield.errors import FormatError
from cranfield.findings.location import Location
from cranfield.io.strict_json import parse_json

SUMMARIES = ("win rate", "Mean score")
"""The ends of names of columns that sum up the others of a table."""


def read_helm(place: Location, text: str) -> Iterator[BoardCell]:
    """The scores of ``groups/json/GROUP_METRICS.json`` (one table), or of ``groups/GROUP.json`` (the first of several).

    crfm-helm 0.2 to 0.5 writes ``{title, header: [{value, lower_is_better}, ...], rows: [[{value}, ...], ...]}``; the
    first column names models. Columns that sum up others, and such as are not compared, are left out; where less is
    better, the sign is reversed. A warning names them.

    Raises:
        FormatError: it is not such a table.
        InputError: it is not JSON.
    """
    content = parse_json(place, text, constants=True)
    try:
        tables = content if isinstance(content, list) else [content]
        table, titles = tables[0], [str(table["title"]) for table in tables]
        header, rows = table["header"], table["rows"]
        names = [str(cell["value"]) for cell in header]
        lower = [cell.get("lower_is_better") for cell in header]
        values = [[cell.get("value") for cell in row] for row in rows]
    except (KeyError, TypeError, IndexError, AttributeError) as error:
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
            yield BoardCell(where, str(row[0]), names[at], "", -score if lower[at] else score, math.nan)


def _choose_columns(place: Location, names: list[str], lower: list[Any]) -> list[int]:
    """The columns that are tasks."""
    columns = range(1, len(names))
    summing = [at for at in columns if names[at].endswith(SUMMARIES)]
    neither = [at for at in columns if at not in summing and not isinstance(lower[at], bool)]
    negated = [at for at in columns if at not in summing and lower[at] is True]
    for chosen, reason in (
        (summing, "left out, which sums up other columns"),
        (neither, "left out, of which HELM says neither that more nor that less is better"),
        (negated, "negated, as less is better"),
    ):
        if chosen:
            warn(f"{place}: {', '.join(quoted(names[at]) for at in chosen)} {reason}")
    return [at for at in columns if at not in summing and at not in neither]
