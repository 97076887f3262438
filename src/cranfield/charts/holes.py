"""The chart of scores with unjudged documents."""

from __future__ import annotations

from cranfield._text import counted, shown
from cranfield._validation import word
from cranfield.charts.form import Axis, Interval, Intervals
from cranfield.charts.sentences import find_largest, with_verb
from cranfield.holes.result import HoleScores


def chart_holes(result: HoleScores, measure: str | None = None) -> Intervals:
    """The estimate of every run, with what missing labels and other topics leave open; best first.

    Args:
        result: of ``estimate_holes(...).evaluate(...)``.
        measure: one of its measures; the first where None.

    Raises:
        UsageError: no such measure.
    """
    names = list(dict.fromkeys(result.table.index.get_level_values("measure")))
    chosen = names[0] if measure is None else measure
    word("measure", chosen, names)
    table = result.to_frame()
    table = table[table["measure"] == chosen].sort_values("estimate", ascending=False, kind="stable")
    columns = ("estimate", "lower", "upper", "topics_lower", "topics_upper", "zero")
    neighbours = result.neighbours[result.neighbours["measure"] == chosen]
    level = f"{result.settings['level']:.0%}"
    best = find_largest(table["system"].astype(str).tolist(), table["estimate"].tolist())
    sentence = (
        f"{with_verb(best, 'has', 'have')} the highest estimate, {table['estimate'].max():.4f}."
        if best
        else "No run has a higher estimate than another."
    )
    if len(neighbours):
        undecided = int(neighbours["open"].astype(bool).sum())
        sentence += (
            f" Unjudged documents leave the order open of {undecided:,} of {counted(len(neighbours), 'pair')} of "
            "neighbours."
        )
    return Intervals(
        title=f"Estimated {shown(chosen)} with unjudged documents, {result.settings['mode']} mode",
        sentence=sentence,
        counts=counted(len(table), "run"),
        notes=(
            *(f"{line[0].upper()}{line[1:]}." for line in result.caveats[:1]),
            f"Bars: {level} intervals of the missing labels; where they overlap, unjudged documents may decide the "
            "order.",
            f"Thin lines: {level} intervals over topics. Ticks: unjudged documents as not relevant.",
        ),
        x=Axis(f"mean {shown(chosen)}"),
        rows=tuple(
            Interval._make((str(row["system"]), *(float(row[name]) for name in columns), ""))
            for row in table.to_dict("records")
        ),
        value="estimate",
        interval="what missing labels leave open",
        outer="what other topics leave open",
        tick="unjudged documents as not relevant",
    )
