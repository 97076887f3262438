"""The charts of the information that measures and systems share, and of fusion."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from cranfield._text import counted, numeral, quoted, shown
from cranfield.charts.form import Axis, StripMark, Strips
from cranfield.charts.sentences import find_largest, join_names
from cranfield.errors import UsageError
from cranfield.fusion.headroom import Headroom
from cranfield.information.tau import InformationTaus
from cranfield.statistics.numeric import finite

TIED = "on every topic, every pair of systems is tied by one of the measures"
EQUAL = 1e-9
"""The largest difference that counts as none."""


def chart_taus(result: InformationTaus) -> Strips:
    """Information that every two measures share, alone with its interval, and given every third measure.

    Raises:
        InputError: no information tau is defined.
    """
    names = [str(name) for name in result.value["measure"].values]
    conditions = [str(name) for name in result.value["given"].values]
    values, low, high = (
        array.transpose("measure", "other", "given").values for array in (result.value, result.low, result.high)
    )
    alone = conditions.index("")
    pairs = list(combinations(range(len(names)), 2))
    bits = [float(values[(*pair, alone)]) for pair in pairs]
    finite(bits, "information tau is", TIED)
    order = [
        pair for _, pair in sorted(zip(bits, pairs, strict=True), key=lambda row: -np.nan_to_num(row[0], nan=-9.0))
    ]
    kinds = ["", *names]
    marks = [
        _mark(row, kinds.index(given), *(float(array[a, b, third]) for array in (values, low, high)))
        for row, (a, b) in enumerate(order)
        for third, given in enumerate(conditions)
        if given not in (names[a], names[b])
    ]
    return Strips(
        title="Information that two measures share, given a third",
        sentence=_name_sharing([(names[a], names[b]) for a, b in order], [values[(*pair, alone)] for pair in order]),
        counts=f"{counted(result.topics.sizes['topic'], 'topic')}, {counted(len(names), 'measure')}",
        notes=(
            f"Bars: {result.settings['level']:.0%} intervals, given nothing.",
            "The further left a third measure, the more of the agreement it explains.",
        ),
        x=Axis("information tau", "bits"),
        rows=tuple((names[a], names[b]) for a, b in order),
        kinds=("given nothing", *(f"given {name}" for name in names)),
        marks=tuple(marks),
    )


def _mark(row: int, kind: int, value: float, low: float, high: float) -> StripMark:
    """Return a mark with its interval where it is of the first kind: bars of all kinds would hide each other."""
    return StripMark(row, kind, value) if kind else StripMark(row, kind, value, low, high)


def _name_sharing(pairs: Sequence[tuple[str, str]], bits: Sequence[float]) -> str:
    """Name the two measures that share the most information; the pairs are in that order."""
    equal = int(np.isclose(bits, bits[0], rtol=0, atol=EQUAL).sum())
    most = f"{join_names(pairs[0])} share the most" if equal < 2 else f"{equal:,} pairs of measures share the most"
    if 1 < equal == len(pairs):
        most = "Every two measures share the same"
    return f"{most} information about the order of systems: {numeral(bits[0], '.2f')} bits."


KINDS = {"single": "single system", "fusion": "fusion", "bound": "bound (uses judgments)"}
BOUNDS = (
    "Bounds are lists made with the judgments, which no system can make. Naive orders the judged documents that these "
    "systems retrieve by their labels. Pareto puts one document before another where all systems have it so, otherwise "
    "by label. Majoritarian follows the majority of the systems and uses the labels only where there is none: where "
    "the majority is wrong, it can be below the best single system."
)


def chart_headroom(result: Headroom, measure: str | None = None) -> Strips:
    """Scores of single systems on one line; the best and the mean of them, fusions and bounds on lines of their own.

    Args:
        result: of ``cranfield.estimate_headroom``.
        measure: one of its measures; the first where None.

    Raises:
        UsageError: a measure that is not in it.
        InputError: no system has a score by it.
    """
    chosen = str(result.singles.columns[0]) if measure is None else measure
    if chosen not in result.singles.columns:
        there = ", ".join(map(str, result.singles.columns))
        raise UsageError(f"there is no measure {quoted(chosen)} in the result: {there}")
    single, table = result.singles[chosen], result.table
    finite([*single, *table[chosen]], f"{shown(chosen)} is", "no system has a score")
    rows = [
        (f"{name} single" if kind == "single" else str(name),)
        for kind, name in zip(table["kind"], table["name"], strict=True)
    ]
    marks = [StripMark(0, 0, float(value), system=str(name)) for name, value in single.items()]
    for row, (kind, value) in enumerate(zip(table["kind"], table[chosen], strict=True), 1):
        marks.append(StripMark(row, list(KINDS).index(str(kind)), float(value)))
    fused = table[table["kind"] == "fusion"]
    gains = (fused[chosen] - single.max()).tolist()
    joint = result.joint
    return Strips(
        title=f"What fusing the systems could gain, by {shown(chosen)}",
        sentence=describe_best_fusion([str(name) for name in fused["name"]], gains),
        counts=f"{counted(len(single), 'single system')}, {counted(joint.topics.sizes['topic'], 'topic')}",
        notes=("First line: all single systems.",),
        remarks=BOUNDS,
        x=Axis(chosen),
        rows=(("all systems",), *rows),
        kinds=tuple(KINDS.values()),
        marks=tuple(marks),
        numbered=True,
    )


def describe_best_fusion(names: Sequence[str], gains: Sequence[float]) -> str:
    """State how far the best fusion is from the best single system."""
    known = [gain for gain in gains if not math.isnan(gain)]
    if not known:
        return "No fusion has a score."
    gain = max(known)
    if abs(gain) <= EQUAL:
        return "No fusion is better than every single system."
    best, side = find_largest(names, gains), "above" if gain > 0 else "below"
    distance = f"{abs(gain):.4f} {side} the best single system."
    if not best and len(names) > 1:
        return f"Each fusion is {distance}"
    if len(best) < 2:
        return f"The best fusion, {join_names(best or names)}, is {distance}"
    return f"The best fusions, {join_names(best)}, are {distance}"
