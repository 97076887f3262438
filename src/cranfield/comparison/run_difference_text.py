"""The text in which people read the difference of two runs: topics, and documents of those that changed most."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cranfield._text import counted, in_full, numeral, shown
from cranfield.measures import parse_measure
from cranfield.results import table_text
from cranfield.results.table_text import Grid, wrapped

if TYPE_CHECKING:
    import pandas as pd

    from cranfield.comparison.run_difference import RunDifference

DETAILS = 3
"""The number of topics that lose most, and of those that gain most, whose documents a table shows."""
MOST = 10
"""The most documents shown of a topic, where several topics are shown."""
QUERY = 60
"""The most characters shown of a query."""


def write_table(difference: RunDifference, details: int, *, plain: bool) -> str:
    """Format topics by loss and gain, then the documents of those that lose and gain most, or of the only one.

    Args:
        difference: what changed.
        details: the number of topics that lose most, and of those that gain most, whose documents are shown.
        plain: for a file, without colours and without a width.
    """
    if not len(difference.topics):
        where = "" if difference.settings["topic"] is None else f" of topic {shown(difference.settings['topic'])}"
        return f"no document{where} came, went or moved: {_describe_runs(difference)}\n"
    alone = difference.settings["topic"] is not None
    parts = [_tabulate_topics(difference).page("", plain=plain)]
    numbers = _choose_topics(difference, details)
    parts += [_tabulate_documents(difference, number, plain=plain, most=None if alone else MOST) for number in numbers]
    caption = wrapped(
        "\n".join(write_caption(difference, documents=bool(numbers))), None if plain else table_text.columns()
    )
    return "\n".join([*parts, caption]) + "\n"


def _choose_topics(difference: RunDifference, details: int) -> list[int]:
    """Return the rows of topics whose documents are shown: the largest losses, then the largest gains."""
    count = len(difference.topics)
    if difference.settings["topic"] is not None:
        return list(range(count)) if details else []
    sign = 1 if parse_measure(difference.measure).declaration.larger_is_better else -1
    gain = [sign * value for value in difference.topics["difference"].tolist()]
    losses = [row for row in range(count) if gain[row] < 0][:details]
    gains = [row for row in reversed(range(count)) if gain[row] > 0][:details]
    return losses + gains


def _describe_runs(difference: RunDifference) -> str:
    return f"old {in_full(difference.old)}, new {in_full(difference.new)}"


def _tabulate_topics(difference: RunDifference) -> Grid:
    texts = ["query"] if "query" in difference.topics else []
    open_ = bool(difference.topics["unjudged"].any()) and not difference.unbounded
    head = [("topic", False), *((name, False) for name in texts)]
    head += [(name, True) for name in ("old", "new", "difference", "came", "went", "moved", "unjudged")]
    grid = Grid([*head, *([("new if judged", True)] if open_ else [])])
    for row in difference.topics.to_dict("records"):
        cells = [shown(row["topic"]), *(shown(row[name], QUERY) for name in texts)]
        cells += [f"{row['old']:.4f}", f"{row['new']:.4f}", f"{row['difference']:+.4f}"]
        cells += [f"{row[name]:,}" for name in ("came", "went", "moved", "unjudged")]
        ends = f"{row['low']:.4f} to {row['high']:.4f}" if row["unjudged"] else ""
        grid.add(*cells, *([ends] if open_ else []))
    return grid


def _tabulate_documents(difference: RunDifference, number: int, *, plain: bool, most: int | None) -> str:
    """Tabulate the documents of one topic below a heading."""
    topic = difference.topics.iloc[number]
    rows = difference.documents[difference.documents["topic"] == topic["topic"]]
    query = f" ({shown(topic['query'], QUERY)})" if topic.get("query") else ""
    heading = (
        f"topic {shown(topic['topic'])}{query}: {topic['old']:.4f} to {topic['new']:.4f}, {topic['difference']:+.4f}"
    )
    pairs = [] if difference.exact else ["new without", "old with"]
    grid = Grid(
        [("document", False), ("change", False)]
        + [(name, True) for name in ("label", "rank old", "rank new", "share", *pairs)]
    )
    for cells in _format_documents(rows.head(most) if most else rows, exact=difference.exact):
        grid.add(*cells)
    left = len(rows) - (most or len(rows))
    more = f"{counted(left, 'more document')}: --topic {shown(topic['topic'])} shows all" if left > 0 else ""
    return f"{heading}\n{grid.page(more, plain=plain)}"


def _format_documents(rows: pd.DataFrame, *, exact: bool) -> Iterator[list[str]]:
    for row in rows.to_dict("records"):
        label = "unjudged" if math.isnan(row["label"]) else f"{row['label']:g}"
        ranks = [f"{row[name]:,}" if row[name] else "-" for name in ("rank_old", "rank_new")]
        values = [] if exact else [numeral(row[name], ".4f") for name in ("new_without", "old_with")]
        yield [in_full(row["document"]), row["change"], label, *ranks, f"{row['share']:+.4f}", *values]


def write_caption(difference: RunDifference, *, documents: bool) -> list[str]:
    """Write the lines below the tables.

    Args:
        difference: what changed.
        documents: whether documents are shown, of whose shares a line is.
    """
    settings: dict[str, Any] = difference.settings
    lines = [
        f"{difference.measure} over all topics, {_describe_runs(difference)}: {difference.mean_old:.4f} to "
        f"{difference.mean_new:.4f}, {difference.mean_new - difference.mean_old:+.4f}"
    ]
    if settings["topic"] is None:
        lines[0] += f"; {counted(difference.better, 'topic')} better, {difference.worse:,} worse"
    if documents and difference.exact:
        lines.append("shares of a topic's documents add up to its difference")
    elif documents:
        lines.append(
            f"{difference.measure} is not a sum over documents, so shares need not add up to the difference: each is "
            "the mean of what the new list loses without this change alone (new - new without) and of what the old "
            "list gains with it alone (old with - old)"
        )
    if difference.topics["unjudged"].any():
        lines.append(
            f"new if judged is not shown: {difference.unbounded}"
            if difference.unbounded
            else "unjudged: documents that came without a judgment; new if judged: the range of new over all labels "
            "that they could have"
        )
    return lines
