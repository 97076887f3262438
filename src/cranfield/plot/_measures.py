"""Charts of measures beside each other, and of the orders that they put systems into."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from cranfield._text import counted, numeral, quoted
from cranfield._validation import word
from cranfield.agreement.ranking_agreement import Agreement
from cranfield.charts.measures import COEFFICIENTS, chart_agreement
from cranfield.charts.systems import chart_families
from cranfield.comparison.dominance_shares import DominanceShares
from cranfield.comparison.unbeaten import describe_unbeaten, find_unbeaten, weighs_costs
from cranfield.errors import InputError, UsageError
from cranfield.information.difference import InformationDifference
from cranfield.plot._altair import alt
from cranfield.plot._data import hover, inline, row_axis, row_height
from cranfield.plot._forms import draw_matrix, draw_tree
from cranfield.plot._names import label
from cranfield.plot._scatter import SIDE, draw_diagonal, draw_points, frame_axis, join_points
from cranfield.plot._theme import PALETTE, PANEL_WIDTH, layered, styled
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.opening import open_measures
from cranfield.statistics.rank_correlation import tau_b
from cranfield.trust.interval_scale import ScaleComparison

# ---- Figure 2 of Golbus & Aslam 2013: systems by two measures.


def measure_scatter(scores: ScoresLike, across: str, up: str) -> alt.LayerChart:
    """A point for each system, named where there is room: its mean by one measure across, by another up.

    tau_b is in the subtitle. Where larger is better by one and smaller by the other, as of quality and cost, the
    systems that no other beats by both are filled, joined and named first.

    Args:
        scores: of both measures, dims (topic, system).
        across: name of one.
        up: name of the other.

    Raises:
        InputError: no system has a mean.
        UsageError: a measure that is not there.
    """
    matrices = {matrix.measure: matrix for matrix in open_measures(scores)}
    for name in (across, up):
        if name not in matrices:
            raise UsageError(f"{quoted(name)} has no scores here; these have: {', '.join(map(label, matrices))}")
    x_matrix, y_matrix = matrices[across], matrices[up]
    columns = {system: row for row, system in enumerate(y_matrix.systems)}
    order = [columns[system] for system in x_matrix.systems]
    xs, ys = x_matrix.means, y_matrix.means[order]
    rows = [{"system": label(name), "x": x, "y": y} for name, x, y in zip(x_matrix.systems, xs, ys, strict=True)]
    tau = float(tau_b(x_matrix.comparable_means, y_matrix.comparable_means[order]))
    title = f"{label(up)} against {label(across)}"
    notes = [f"{counted(len(rows), 'system')}, {counted(len(x_matrix.topics), 'topic')}; tau_b = {numeral(tau, '.3f')}"]
    directions = [x_matrix.larger_is_better, y_matrix.larger_is_better]
    means = np.column_stack([xs, ys])
    unbeaten = np.isfinite(means).all(axis=1) & weighs_costs(directions)
    if unbeaten.any():
        unbeaten &= find_unbeaten(means, directions)
        notes.append(describe_unbeaten([name for name, at in zip(x_matrix.systems, unbeaten, strict=True) if at]))
    frame = [frame_axis(column) for column in (xs, ys)]
    x = alt.X("x:Q", title=f"mean {label(across)}", scale=alt.Scale(domain=frame[0], nice=False))
    y = alt.Y("y:Q", title=f"mean {label(up)}", scale=alt.Scale(domain=frame[1], nice=False))
    numbers = [alt.Tooltip(f"{field}:Q", title=label(name), format=".4f") for field, name in (("x", across), ("y", up))]
    points = draw_points("system", rows, x, y, numbers)
    described = " ".join([f"{title}: a point for each system; tau_b {numeral(tau, '.3f')}.", *notes[1:]])
    named = join_points("system", rows, np.flatnonzero(unbeaten).tolist(), x, y, frame)
    return styled(layered(*named, points), title, notes, described, width=SIDE, height=SIDE)


# ---- Figure 2c of Gienapp et al. 2020 on negative labels: the rank of each system by one source against another.


def rank_scatter(result: Agreement, source: str) -> alt.LayerChart:
    """A point for each system: its rank by the reference across, by another source up; 1 is best.

    Args:
        result: of ``cranfield.compare_rankings``.
        source: one of its sources.

    Raises:
        UsageError: an unknown source.
    """
    if source not in result.ranks.columns:
        raise UsageError(f"no source is called {quoted(source)}")
    ours, theirs = result.ranks[result.reference], result.ranks[source]
    rows = [
        {"system": label(name), "reference": before, "rank": after, "moved": before - after}
        for name, before, after in zip(result.ranks.index, ours, theirs, strict=True)
    ]
    reference_name, source_name = label(result.reference), label(source)
    tau = float(result.tau_b[source][result.reference])
    moved = max(rows, key=lambda row: abs(row["moved"]))
    title = f"Ranks by {source_name} against {reference_name}"
    notes = [
        f"{counted(len(rows), 'system')}; tau_b = {numeral(tau, '.3f')}",
        f"largest change: {moved['system']}, {moved['moved']:+d}" if moved["moved"] else "no system changes its rank",
    ]
    scale = alt.Scale(domain=[1, len(rows)], reverse=True, nice=False, padding=6)
    x = alt.X("reference:Q", title=f"rank by {reference_name}", scale=scale)
    y = alt.Y("rank:Q", title=f"rank by {source_name}", scale=scale)
    chart = layered(
        draw_diagonal(1, len(rows)), draw_points("system", rows, x, y, hover("reference:Q", "rank:Q", "moved:Q"))
    )
    change = f"{moved['system']} changes most, by {moved['moved']:+d} ranks" if moved["moved"] else notes[1]
    described = f"{title}: tau_b {numeral(tau, '.3f')}; {change}."
    return styled(chart, title, notes, described, width=SIDE, height=SIDE)


# ---- Means of systems by the values of a measure, and by the ranks of these among all attainable ones.


def scale_scatter(result: ScaleComparison, measure: str | None = None) -> alt.Chart:
    """A point for each system: its mean by a measure's values across, by their ranks up.

    Where all points rise to the right, both order the systems alike; where one lies lower than another on its left, the
    scale decides which of the two is better.

    Args:
        result: of ``cranfield.trust.compare_scales``.
        measure: which; the first, where None.

    Raises:
        UsageError: there is no such measure.
        InputError: no system has both means.
    """
    facts = {str(row["measure"]): row for row in result.measures.to_dict("records")}
    chosen = next(iter(facts)) if measure is None else measure
    if chosen not in facts:
        raise UsageError(f"no measure is called {quoted(chosen)}, only {', '.join(map(quoted, facts))}")
    systems = result.systems[result.systems["measure"] == chosen].to_dict("records")
    rows = [
        {"system": label(row["system"])} | {name: row[name] for name in ("mean", "mean_ranked")}
        for row in systems
        if math.isfinite(row["mean"]) and math.isfinite(row["mean_ranked"])
    ]
    if not rows:
        raise InputError(f"no system has a mean by {quoted(chosen)} and by its ranks")
    row, name = facts[chosen], label(chosen)
    title = f"{name} by its values and by their ranks"
    size = f"{row['fewest']:,}" if row["fewest"] == row["most"] else f"{row['fewest']:,} to {row['most']:,}"
    reversed_ = f"{row['reversed']:,} of {counted(row['pairs'], 'pair')}"
    notes = [
        f"{counted(len(rows), 'system')}; {size} values on a topic",
        f"tau_b {numeral(row['tau_b'], '.3f')}; in opposite order: {reversed_}",
    ]
    described = f"{title}: tau_b {numeral(row['tau_b'], '.3f')}, {reversed_} in opposite order."
    scale = alt.Scale(zero=False, nice=True, padding=6)
    x = alt.X("mean:Q", title=f"mean {name}", scale=scale)
    y = alt.Y("mean_ranked:Q", title="mean rank among attainable values, 0 to 1", scale=scale)
    points = draw_points("system", rows, x, y, hover("mean:Q", "mean_ranked:Q", form=".4f"))
    return styled(points, title, notes, described, width=SIDE, height=SIDE)


# ---- Do measures, schemes or judges order the systems alike: tau_b or tau_ap,b between every two.


def agreement_matrix(result: Agreement, coefficient: Literal["tau_b", "tau_ap_b"] = "tau_b") -> alt.LayerChart:
    """Rank correlation between the orders of systems by every two sources of scores.

    Args:
        result: of ``cranfield.compare_rankings``.
        coefficient: ``tau_b``, or ``tau_ap_b``, weighted to the tops of both orders.

    Raises:
        UsageError: another coefficient.
        InputError: no two sources have one.
    """
    word("coefficient", coefficient, COEFFICIENTS)
    return draw_matrix(chart_agreement(result, coefficient))


# ---- Families of systems: a tree that joins them at their information difference.


def dendrogram(result: InformationDifference, *, linkage: str = "average") -> alt.LayerChart:
    """Systems as leaves of a tree; each join lies at the information difference of its parts, in bits.

    Args:
        result: of ``cranfield.information.compute_information_difference``, two systems or more.
        linkage: average, complete or single.

    Raises:
        UsageError: another linkage, or one system.
    """
    return draw_tree(chart_families(result, linkage))


# ---- Which significant differences of a measure hold whatever the measure.


CONCLUSIONS = {
    "robust": "no measure can reverse it",
    "supported": "supported by dominance",
    "own": "the measure's own",
    "opposed": "opposed by dominance",
}


def dominance_shares(result: DominanceShares) -> alt.Chart:
    """A bar for each measure: its significant differences, by what every consistent measure says of them.

    Args:
        result: of ``cranfield.comparison.compute_dominance_shares``.

    Raises:
        InputError: no measure has a significant difference.
    """
    counts = result.pairs.groupby(["measure", "conclusion"]).size()
    rows: list[dict[str, Any]] = [
        {
            "measure": label(measure),
            "conclusion": words,
            "pairs": int(counts.get((measure, conclusion), 0)),
            "part": part,
        }
        for measure in result.table["measure"]
        for part, (conclusion, words) in enumerate(CONCLUSIONS.items())
    ]
    if not any(row["pairs"] for row in rows):
        raise InputError("no measure has a significant difference between two systems", code="no-scores")
    facts = result.table.to_dict("records")
    title = "Differences that hold whatever the measure"
    notes = [
        f"significant differences of {counted(int(facts[0]['pairs']), 'pair')} of systems: paired t-test, "
        f"alpha={result.settings['alpha']:g}, not corrected",
        "each measure beside all consistent ones that read as many ranks",
    ]
    examples = "; ".join(
        f"{label(row['measure'])} {row['robust']:,} of {row['significant']:,}, "
        f"dominated {numeral(row['dominated'], '.2f')}"
        for row in facts[:10]
    )
    described = f"{title}. Measure, differences that no measure can reverse, of all significant ones: {examples}."
    return styled(
        _draw_dominance_shares(rows), title, notes, described, width=PANEL_WIDTH, height=row_height(len(facts))
    )


def _draw_dominance_shares(rows: list[dict[str, Any]]) -> alt.Chart:
    domain = list(CONCLUSIONS.values())
    scale = alt.Scale(domain=domain, range=[PALETTE[0], PALETTE[5], "#d0d0d0", PALETTE[1]])
    chart: alt.Chart = (
        alt.Chart(inline(rows))
        .mark_bar(stroke="white", strokeWidth=0.6)
        .encode(
            x=alt.X("pairs:Q", title="pairs of systems"),
            y=row_axis("measure", list(dict.fromkeys(row["measure"] for row in rows))),
            color=alt.Color("conclusion:N", title=None, scale=scale),
            order=alt.Order("part:Q"),
            tooltip=[*hover("measure:N", "conclusion:N"), *hover("pairs:Q", form=",")],
        )
    )
    return chart
