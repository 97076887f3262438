"""Which documents of a topic came, went and moved between two runs."""

from __future__ import annotations

import math
from typing import Any

import altair as alt

from cranfield._text import counted, numeral, quoted
from cranfield.comparison.run_difference import RunDifference
from cranfield.errors import InputError, UsageError
from cranfield.plot._data import inline
from cranfield.plot._names import SLACK, join_equals, label
from cranfield.plot._theme import layered, series, styled

DEPTH = 20
"""Ranks that are shown where the result has more."""
WIDTH, STEP = 300, 17
"""Pixels from the old list to the new one, and from a rank to the next."""
LETTER, NAMES = 5.5, 170
"""Pixels of a letter of a document's id, and of the longest id."""
UNJUDGED = "unjudged"


def rank_slopes(result: RunDifference, topic: str | None = None, *, depth: int | None = None) -> alt.LayerChart:
    """A line for each document that came, went or moved, from its rank in the old run to that in the new one.

    Lines are coloured by label, which is written beside the document too. A document that is below the ranks shown, or
    not retrieved, has its end below them. Documents at the same rank in both runs are not drawn.

    Args:
        result: of ``cranfield.diff``.
        topic: which one; that of the largest difference where None.
        depth: ranks that are shown; as many as the result looks at, at most 20, where None.

    Raises:
        InputError: nothing changed.
        UsageError: nothing changed on this topic, or it is unknown.
    """
    row = _row(result, topic)
    shown = depth or min(result.settings["depth"], DEPTH)
    changed = result.documents[result.documents["topic"] == row["topic"]].to_dict("records")
    rows = [row for row in changed if row["change"] != "stayed" and _is_within(row, shown)]
    ends = [_end(row, side, shown) for row in rows for side in ("old", "new")]
    title = f"{label(result.measure)} on topic {label(row['topic'])}: {_values(row)}"
    notes = [f"from {label(result.old)} (left) to {label(result.new)} (right), first {shown:,} ranks"]
    notes += [label(row["query"])] if row.get("query") else []
    others = [] if topic is not None else _largest([*result.topics.to_dict("records")], "difference")[1:]
    notes += [f"{counted(len(others), 'other topic')} with as large a difference"] if others else []
    notes += [f"{row['came']:,} came, {row['went']:,} went, {row['moved']:,} moved; behind each document its label"]
    largest = _largest([row for row in rows if math.isfinite(row["share"])], "share")
    described = f"{title}. {counted(len(rows), 'document')} with other ranks."
    if largest:
        owners = join_equals([label(row["document"]) for row in largest])
        size = " or ".join(dict.fromkeys(f"{row['share']:+.4f}" for row in largest))
        described += f" The largest share, {size}, is that of {owners}."
    return styled(_chart(ends, shown), title, notes, described, width=WIDTH, height=STEP * (shown + 2))


def _row(result: RunDifference, topic: str | None) -> dict[str, Any]:
    """The topic that is drawn.

    Raises:
        InputError: nothing changed.
        UsageError: nothing changed on this topic, or it is unknown.
    """
    rows: list[dict[str, Any]] = [*result.topics.to_dict("records")]  # type: ignore[list-item]
    if not rows:
        raise InputError("nothing changed between these runs, so there is nothing to draw", code="empty")
    if topic is None:
        return _largest(rows, "difference")[0]
    for row in rows:
        if row["topic"] == topic:
            return row
    raise UsageError(f"nothing changed on a topic {quoted(topic)}: it is none of {len(rows):,} topics with changes")


def _largest(rows: list[Any], name: str) -> list[dict[str, Any]]:
    """The rows of the largest number of a name, whatever its sign; those that are equal to it, in their order."""
    sizes = [0.0 if math.isnan(row[name]) else abs(row[name]) for row in rows]
    return [row for row, size in zip(rows, sizes, strict=True) if size >= max(sizes) - SLACK]


def _values(row: dict[str, Any]) -> str:
    return f"{numeral(row['old'], '.4f')} to {numeral(row['new'], '.4f')}"


def _is_within(document: dict[str, Any], depth: int) -> bool:
    return any(0 < document[side] <= depth for side in ("rank_old", "rank_new"))


def _end(document: dict[str, Any], side: str, depth: int) -> dict[str, Any]:
    """One end of a line; below the ranks shown where the document is there, or nowhere."""
    rank, grade = document[f"rank_{side}"], document["label"]
    judged = UNJUDGED if math.isnan(grade) else f"{grade:g}"
    within = 0 < rank <= depth
    return {
        "document": label(document["document"]),
        "label": judged,
        "change": document["change"],
        "share": document["share"],
        "rank_old": document["rank_old"],
        "rank_new": document["rank_new"],
        "side": side,
        "place": rank if within else depth + 1.5,
        "text": f"{label(document['document'])} ({judged})" if within else "",
    }


def _chart(ends: list[dict[str, Any]], depth: int) -> alt.LayerChart:
    grades = sorted({end["label"] for end in ends} - {UNJUDGED}, key=float, reverse=True)
    unjudged = any(end["label"] == UNJUDGED for end in ends)
    look = series("label", [*grades, *([UNJUDGED] if unjudged else [])], "label", points=False)
    longest = max((len(end["text"]) for end in ends if end["side"] == "old"), default=0)
    axis = alt.Axis(
        offset=min(LETTER * longest, NAMES) + 12,
        values=[*range(1, depth + 1), depth + 1.5],
        labelExpr=f"datum.value > {depth} ? 'below or absent' : datum.value",
        labelOverlap=False,
        grid=False,
    )
    scale = alt.Scale(domain=[0.5, depth + 2], reverse=True, nice=False)
    x = alt.X(
        "side:N",
        sort=["old", "new"],
        title=None,
        axis=alt.Axis(labelAngle=0),
        scale=alt.Scale(type="point", padding=0),
    )
    base = alt.Chart(inline(ends)).encode(
        x=x,
        y=alt.Y("place:Q", title="rank", scale=scale, axis=axis),
        detail=alt.Detail("document:N"),
        tooltip=[
            *(f"{name}:N" for name in ("document", "label", "change")),
            *(f"{name}:Q" for name in ("rank_old", "rank_new")),
            alt.Tooltip("share:Q", format="+.4f"),
        ],
    )
    look_of_text: dict[str, Any] = {"fontSize": 9.5, "limit": NAMES}
    left = base.transform_filter("datum.side === 'old'").mark_text(align="right", dx=-6, **look_of_text)
    right = base.transform_filter("datum.side === 'new'").mark_text(align="left", dx=6, **look_of_text)
    return layered(
        base.mark_line(strokeWidth=1.6).encode(color=look.color, strokeDash=look.dash),
        base.mark_point(filled=True, size=26).encode(color=look.color),
        left.encode(text=alt.Text("text:N")),
        right.encode(text=alt.Text("text:N")),
    )
