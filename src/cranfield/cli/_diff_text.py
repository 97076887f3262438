"""What changed between two runs, for people: topics by loss and gain, and the documents of some."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cranfield._text import counted, in_full, numeral, shown
from cranfield.results import table_text
from cranfield.results.table_text import Grid, wrapped

if TYPE_CHECKING:
    import pandas as pd

    from cranfield.comparison.run_difference import RunDifference

MOST = 10
"""Documents of a topic that are shown where several topics are."""
QUERY = 60
"""Letters of a query."""


def for_screen(found: RunDifference, details: int, *, plain: bool) -> str:
    """Topics by loss and gain; below, the documents of those that lose and gain most, or of the only one.

    Args:
        found: what changed.
        details: topics that lose most, and as many that gain most, whose documents are shown.
        plain: for a file: no colours, and no width.
    """
    if not len(found.topics):
        where = "" if found.settings["topic"] is None else f" of topic {shown(found.settings['topic'])}"
        return f"no document{where} came, went or moved: {_names(found)}\n"
    alone = found.settings["topic"] is not None
    parts = [_topics(found).page("", plain=plain)]
    numbers = _chosen(found, details)
    parts += [_documents(found, number, plain=plain, most=None if alone else MOST) for number in numbers]
    caption = wrapped("\n".join(_caption(found, len(numbers))), None if plain else table_text.columns())
    return "\n".join([*parts, caption]) + "\n"


def _chosen(found: RunDifference, details: int) -> list[int]:
    """Rows of the topics whose documents are shown: the largest losses, then the largest gains."""
    many = len(found.topics)
    if found.settings["topic"] is not None:
        return list(range(many)) if details else []
    sign = _sign(found)
    gain = [sign * value for value in found.topics["difference"].tolist()]
    losses = [row for row in range(many) if gain[row] < 0][:details]
    gains = [row for row in reversed(range(many)) if gain[row] > 0][:details]
    return losses + gains


def _sign(found: RunDifference) -> int:
    from cranfield.measures import parse_measure

    return 1 if parse_measure(found.measure).declaration.larger_is_better else -1


def _names(found: RunDifference) -> str:
    return f"old {in_full(found.old)}, new {in_full(found.new)}"


def _topics(found: RunDifference) -> Grid:
    texts = ["query"] if "query" in found.topics else []
    open_ = bool(found.topics["unjudged"].any()) and not found.unbounded
    head = [("topic", False), *((name, False) for name in texts)]
    head += [(name, True) for name in ("old", "new", "difference", "came", "went", "moved", "unjudged")]
    grid = Grid([*head, *([("new if judged", True)] if open_ else [])])
    for row in found.topics.to_dict("records"):
        cells = [shown(row["topic"]), *(shown(row[name], QUERY) for name in texts)]
        cells += [f"{row['old']:.4f}", f"{row['new']:.4f}", f"{row['difference']:+.4f}"]
        cells += [f"{row[name]:,}" for name in ("came", "went", "moved", "unjudged")]
        ends = f"{row['low']:.4f} to {row['high']:.4f}" if row["unjudged"] else ""
        grid.add(*cells, *([ends] if open_ else []))
    return grid


def _documents(found: RunDifference, number: int, *, plain: bool, most: int | None) -> str:
    """The documents of one topic below a line that says which."""
    topic = found.topics.iloc[number]
    rows = found.documents[found.documents["topic"] == topic["topic"]]
    query = f" ({shown(topic['query'], QUERY)})" if topic.get("query") else ""
    said = f"topic {shown(topic['topic'])}{query}: {topic['old']:.4f} to {topic['new']:.4f}, {topic['difference']:+.4f}"
    pairs = [] if found.exact else ["new without", "old with"]
    grid = Grid(
        [("document", False), ("change", False)]
        + [(name, True) for name in ("label", "rank old", "rank new", "share", *pairs)]
    )
    for cells in _cells(rows.head(most) if most else rows, exact=found.exact):
        grid.add(*cells)
    left = len(rows) - (most or len(rows))
    more = f"{counted(left, 'more document')}: --topic {shown(topic['topic'])} shows all" if left > 0 else ""
    return f"{said}\n{grid.page(more, plain=plain)}"


def _cells(rows: pd.DataFrame, *, exact: bool) -> Iterator[list[str]]:
    for row in rows.to_dict("records"):
        label = "unjudged" if math.isnan(row["label"]) else f"{row['label']:g}"
        ranks = [f"{row[name]:,}" if row[name] else "-" for name in ("rank_old", "rank_new")]
        values = [] if exact else [numeral(row[name], ".4f") for name in ("new_without", "old_with")]
        yield [in_full(row["document"]), row["change"], label, *ranks, f"{row['share']:+.4f}", *values]


def _caption(found: RunDifference, details: int) -> list[str]:
    settings: dict[str, Any] = found.settings
    lines = [
        f"{found.measure} over all topics, {_names(found)}: {found.mean_old:.4f} to {found.mean_new:.4f}, "
        f"{found.mean_new - found.mean_old:+.4f}"
    ]
    if settings["topic"] is None:
        lines[0] += f"; {counted(found.better, 'topic')} better, {found.worse:,} worse"
    if details and found.exact:
        lines.append("shares of a topic's documents add up to its difference")
    elif details:
        lines.append(
            f"{found.measure} is no sum over documents, so shares need not add up to the difference: each is the mean "
            "of what the new list loses without this change alone (new - new without) and of what the old list gains "
            "with it alone (old with - old)"
        )
    if found.topics["unjudged"].any():
        lines.append(
            f"no interval of the new value if unjudged documents were judged: {found.unbounded}"
            if found.unbounded
            else "unjudged: documents that came without a judgment; new if judged: between which values new lies, "
            "whatever their labels are"
        )
    return lines
