"""Charts of judges, and of strengths from pairwise verdicts."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield._text import counted, numeral, quoted
from cranfield.agreement.judge_agreement import JudgeAgreement
from cranfield.agreement.panel import Panel
from cranfield.charts.judges import chart_error_correlations, chart_judge_agreement
from cranfield.errors import UsageError
from cranfield.pairwise.strengths import Strengths
from cranfield.plot._altair import alt
from cranfield.plot._data import hover, inline, row_axis, row_height
from cranfield.plot._forms import draw_matrix, draw_strips
from cranfield.plot._names import label
from cranfield.plot._theme import INK, PALETTE, PANEL_WIDTH, QUIET, layered, styled
from cranfield.statistics.numeric import finite

# ---- What would be concluded from each judge: agreement on labels, on the order of systems and on significant pairs.


def judge_agreement(result: JudgeAgreement) -> alt.LayerChart:
    """A line for each judge: agreement with the reference on systems, on significant pairs and on labels.

    Args:
        result: of ``cranfield.agreement.compare_judges``.

    Raises:
        InputError: no agreement is defined.
    """
    return draw_strips(chart_judge_agreement(result), alt.Scale(zero=True))


# ---- How the errors of several judges go together, and how many independent judges that leaves.


def error_correlations(result: Panel) -> alt.LayerChart:
    """Correlation of the errors of every two judges: as they are below the diagonal, given the reference above it.

    Args:
        result: of ``cranfield.agreement.estimate_panel``.

    Raises:
        InputError: no correlation is defined.
    """
    return draw_matrix(chart_error_correlations(result))


# ---- Strengths of systems by pairwise verdicts, with intervals over topics.


def strength_intervals(result: Strengths, judge: str | None = None) -> alt.LayerChart:
    """The strength of each system by one judge with its interval over topics, the strongest on top.

    Args:
        result: of ``cranfield.pairwise.estimate_strengths``.
        judge: whose; the first one, where None.

    Raises:
        InputError: no strength is defined.
        UsageError: there is no such judge.
    """
    judges = list(dict.fromkeys(result.table["judge"]))
    chosen = judges[0] if judge is None else judge
    if chosen not in judges:
        raise UsageError(f"no judge is called {quoted(chosen)}")
    table = result.table[result.table["judge"] == chosen]
    finite(table["strength"], "strengths are", "they are not finite")
    rows: list[dict[str, Any]] = [
        {"system": label(row["system"]), "ranks": _describe_ranks(row["rank_low"], row["rank_high"])}
        | {name: row[name] for name in ("strength", "low", "high", "rank")}
        for row in table.to_dict("records")
    ]
    title = f"Strengths of {counted(len(rows), 'system')} by the verdicts of {label(chosen)}"
    level = f"{1 - result.settings['alpha']:.0%}"
    notes = [
        f"log odds by Bradley and Terry, where 1 more wins 73% of comparisons; lines: {level} over topics",
        f"right: the ranks that each may have, {level} for all systems together",
    ]
    examples = "; ".join(
        f"{row['system']} {numeral(row['strength'], '+.2f')} ({numeral(row['low'], '+.2f')} to "
        f"{numeral(row['high'], '+.2f')}), rank {row['ranks']}"
        for row in rows[:10]
    )
    chart = _draw_strength_intervals(_end_lines(rows))
    return styled(chart, title, notes, f"{title}: {examples}.", width=PANEL_WIDTH, height=row_height(len(rows)))


def _describe_ranks(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low} to {high}"


def _end_lines(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows with lines that end a log odd beyond all other numbers where an interval has no end."""
    numbers = np.array([[row[name] for name in ("strength", "low", "high")] for row in rows], dtype=float)
    numbers = numbers[np.isfinite(numbers)]
    edges = numbers.min() - 1.0, numbers.max() + 1.0
    return [row | {name: float(np.clip(row[name], *edges)) for name in ("low", "high")} for row in rows]


def _draw_strength_intervals(rows: list[dict[str, Any]]) -> alt.LayerChart:
    numbers = hover("strength:Q", "low:Q", "high:Q", form="+.3f")
    base = alt.Chart(inline(rows)).encode(
        y=row_axis("system", [row["system"] for row in rows]),
        tooltip=[*hover("system:N"), *numbers, *hover("rank:Q", "ranks:N")],
    )
    line = base.mark_rule(color=QUIET, strokeWidth=1.4).encode(x=alt.X("low:Q", title="strength"), x2=alt.X2("high:Q"))
    points = base.mark_point(color=PALETTE[0], filled=True, size=36).encode(x=alt.X("strength:Q"))
    # Outside the frame, where no line crosses them.
    ranks = base.mark_text(align="left", dx=6, fontSize=9).encode(x=alt.value("width"), text=alt.Text("ranks:N"))
    zero = alt.Chart(inline([{"zero": 0}])).mark_rule(color=INK, strokeDash=[4, 2]).encode(x=alt.X("zero:Q"))
    return layered(zero, line, points, ranks)
