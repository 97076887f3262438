"""Differences of mean scores with the intervals of the test that was made."""

from __future__ import annotations

import math
from typing import Any

import altair as alt

from cranfield._text import counted, numeral
from cranfield.comparison.paper_table import ALL_AT_ONCE, CORRECTIONS, TESTS, describe_scope
from cranfield.comparison.result import Comparison
from cranfield.errors import UsageError
from cranfield.plot._data import inline, row_axis, row_height
from cranfield.plot._names import label
from cranfield.plot._selection import choice, unless_chosen
from cranfield.plot._theme import INK, PALETTE, PAPER, QUIET, layered, styled
from cranfield.statistics._numeric import finite

WIDTH = 380
MOST = 250
"""Pairs that are drawn."""
INTERVALS = {
    "simultaneous": "intervals that hold together, so that those without 0 are significant",
    "bonferroni": "intervals that hold together",
    "t": "intervals of each pair by itself",
    "percentile": "intervals of each pair by itself",
    "bca": "intervals of each pair by itself",
}


def difference_intervals(result: Comparison) -> alt.LayerChart:
    """The mean difference of each pair of a comparison with its interval, the largest gain on top.

    Compared with one baseline, a row is a system and a difference is its mean less the baseline's. Filled points are
    significant, hollow ones are not.

    Args:
        result: of ``cranfield.compare``, best with ``baselines``.

    Raises:
        InputError: no difference is defined.
        UsageError: more pairs than can be read.
    """
    if len(result.pairs) > MOST:
        pairs = counted(len(result.pairs), "pair")
        raise UsageError(f"{pairs} cannot be read in one chart: compare with baselines, at most {MOST} pairs")
    baselines = result.settings["baselines"]
    finite(result.pairs["difference"], "differences are", "no pair has scores on the same topics")
    every = [_row(pair, baselines) for pair in result.pairs.to_dict("records")]
    rows = sorted((row for row in every if math.isfinite(row["difference"])), key=lambda row: -row["difference"])
    level, significant = f"{1 - result.settings['alpha']:.0%}", sum(row["significant"] for row in rows)
    against = f" from {label(baselines[0])}" if len(baselines) == 1 else ""
    title = f"Differences{against} by {label(result.measure)}"
    conclusion = f"{significant:,} of {counted(len(rows), 'difference')} significant"
    kind = INTERVALS[result.settings["interval"]]
    notes = [f"{conclusion} (filled points)", _test(result.settings), f"lines: {level} {kind}"]
    told = "; ".join(
        f"{row['pair']} {row['difference']:+.4f} ({numeral(row['low'], '+.4f')} to {numeral(row['high'], '+.4f')})"
        for row in rows[:5]
    )
    described = f"{title}: {conclusion}. The largest: {told}."
    return styled(_chart(rows), title, notes, described, width=WIDTH, height=row_height(len(rows)))


def _test(settings: dict[str, Any]) -> str:
    corrected = (
        "" if settings["test"] in ALL_AT_ONCE else f", {CORRECTIONS[settings['correction']]}{describe_scope(settings)}"
    )
    return f"{TESTS[settings['test']]}{corrected}"


def _row(pair: dict[Any, Any], baselines: list[str]) -> dict[str, Any]:
    """A pair as it is drawn: the baseline, where there is one, is what is subtracted."""
    swapped = len(baselines) > 0 and pair["system"] in baselines and pair["other"] not in baselines
    sign = -1.0 if swapped else 1.0
    system, other = (label(pair[name]) for name in (("other", "system") if swapped else ("system", "other")))
    ends = sorted((sign * pair["low"], sign * pair["high"]))
    return {
        "pair": system if len(baselines) == 1 else f"{system} - {other}",
        "system": system,
        "other": other,
        "difference": sign * pair["difference"],
        "low": ends[0],
        "high": ends[1],
        "p_adjusted": pair["p_adjusted"],
        "significant": bool(pair["significant"]),
    }


def _chart(rows: list[dict[str, Any]]) -> alt.LayerChart:
    system = choice("system")
    numbers = [alt.Tooltip(f"{name}:Q", format="+.4f") for name in ("difference", "low", "high")]
    base = alt.Chart(inline(rows)).encode(
        y=row_axis("pair", [row["pair"] for row in rows]),
        opacity=unless_chosen(system),
        tooltip=[
            alt.Tooltip("system:N"),
            alt.Tooltip("other:N"),
            *numbers,
            alt.Tooltip("p_adjusted:Q", format=".4f"),
            alt.Tooltip("significant:N"),
        ],
    )
    x = alt.X("low:Q", title="difference of means")
    fill: Any = alt.when("datum.significant").then(alt.value(PALETTE[0])).otherwise(alt.value(PAPER))
    zero = alt.Chart(inline([{"zero": 0}])).mark_rule(color=INK, strokeDash=[4, 2]).encode(x=alt.X("zero:Q"))
    return layered(
        zero,
        base.mark_rule(color=QUIET, strokeWidth=1.4).encode(x=x, x2=alt.X2("high:Q")).add_params(system),
        base.mark_point(stroke=PALETTE[0], filled=True, size=34, strokeWidth=1.2).encode(
            x=alt.X("difference:Q"), fill=fill
        ),
    )
