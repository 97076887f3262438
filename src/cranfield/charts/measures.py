"""The charts of measures: how reliable they are, what they distinguish, and how far they agree."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from cranfield._text import counted, drawn, numeral, percent
from cranfield._typing import Floats
from cranfield.agreement.ranking_agreement import Agreement
from cranfield.charts.form import Axis, CurvePoint, Lines, Matrix, RuleLine
from cranfield.charts.sentences import find_largest, join_names, name_pairs, with_verb
from cranfield.statistics.ecdf import steps
from cranfield.statistics.numeric import finite
from cranfield.statistics.rounding import NOISE
from cranfield.trust.reliability import Reliability
from cranfield.trust.sensitivity import Sensitivity
from cranfield.trust.stability import Stability

COEFFICIENTS = {"tau_b": "tau_b", "tau_ap_b": "tau_ap,b"}


def chart_agreement(result: Agreement, coefficient: Literal["tau_b", "tau_ap_b"] = "tau_b") -> Matrix:
    """Rank correlation between the orders of systems by every two sources of scores.

    Raises:
        InputError: no two sources have one.
    """
    names = tuple(str(name) for name in result.tau_b.index)
    values, written = getattr(result, coefficient).to_numpy(), COEFFICIENTS[coefficient]
    notes = ["1 is the same order, 0 no relation, -1 the reverse."]
    if coefficient == "tau_ap_b":
        notes.append("The tops of both orders have more weight.")
    return Matrix(
        title=f"Agreement on the order of systems, {written}",
        sentence=_name_ends(names, values, written),
        counts=f"{counted(len(names), 'order')} of {counted(len(result.ranks), 'system')}",
        notes=tuple(notes),
        of=written,
        names=names,
        values=tuple(map(tuple, values.tolist())),
    )


def _name_ends(names: Sequence[str], values: Floats, written: str) -> str:
    """Name the pairs that agree least and most.

    Raises:
        InputError: no two of them have a coefficient.
    """
    pairs = [(names[b], names[a]) for a in range(len(names)) for b in range(len(names)) if a != b]
    found = np.array([values[a][b] for a in range(len(names)) for b in range(len(names)) if a != b])
    defined = finite(found, f"{written} is", "of every two sources, one gives all systems the same mean")
    least, most = defined.min(), defined.max()
    ends = [
        [pair for pair, value in zip(pairs, found, strict=True) if abs(value - end) <= NOISE] for end in (least, most)
    ]
    lowest, highest = (numeral(end, "z.2f") for end in (least, most))
    if len(names) == 2:
        return f"{join_names(names)} agree to {lowest}."
    if most - least <= NOISE:
        return f"Every two that can be compared agree to {lowest}."
    low, high = (name_pairs([pair[::-1] for pair in end]) for end in ends)
    return f"{low} agree least ({lowest}), {high} most ({highest})."


RELIABILITY = {"Erho2": "of the order of systems", "Phi": "of scores"}


def chart_reliability(results: Mapping[str, Reliability], coefficient: Literal["Erho2", "Phi"] = "Phi") -> Lines:
    """Reliability by number of topics: of one measure both coefficients with intervals, of several one of them.

    Args:
        results: by name, one or more.
        coefficient: of several results, and of which the sentence is.

    Raises:
        InputError: no coefficient is defined.
    """
    alone = len(results) == 1
    series: dict[str, tuple[CurvePoint, ...]] = {}
    for name, result in results.items():
        for which in RELIABILITY if alone else (coefficient,):
            columns = [which, *((f"{which}_low", f"{which}_high") if alone else ())]
            numbers = zip(
                result.curve.index.tolist(), *(result.curve[column].tolist() for column in columns), strict=True
            )
            series[which if alone else name] = tuple(CurvePoint(*row) for row in numbers)
    values = [point.y for points in series.values() for point in points]
    finite(values, "reliability is", "systems have the same score on every topic")
    first = next(iter(results.values()))
    target, level = first.settings["target"], first.settings["level"]
    whose = f"of {next(iter(results))}" if alone else RELIABILITY[coefficient]
    shown = RELIABILITY if alone else (coefficient,)
    notes = [f"{which} is the reliability {RELIABILITY[which]}, from 0 to 1." for which in shown]
    if alone:
        notes.append(f"Bands: {level:.0%} intervals.")
    return Lines(
        title=f"Reliability {whose} by number of topics" + ("" if alone else f", {coefficient}"),
        sentence=_name_fewest(
            {name: result.needed[coefficient] for name, result in results.items()}, coefficient, target
        ),
        counts=counted(len(first.systems), "system"),
        notes=tuple(notes),
        remarks=(
            "Phi is the share of the variance of mean scores that is due to systems rather than to the choice of "
            "topics, and says how well scores on these topics predict scores on other topics."
        ),
        x=Axis("topics"),
        y=Axis("reliability" if alone else coefficient),
        of="coefficient" if alone else "measure",
        series=series,
        rules=(RuleLine("y", target, f"target {target:g}"),),
        interval="band",
    )


def _name_fewest(needed: Mapping[str, float], coefficient: str, target: float) -> str:
    """Name the measures that need the fewest topics for a reliability."""
    fewest = min((topics for topics in needed.values() if math.isfinite(topics)), default=None)
    goal = f"a {coefficient} of {target:g}"
    if fewest is None:
        return f"By no measure would any number of topics reach {goal}."
    if len(needed) == 1:
        return f"{join_names(list(needed))} needs {counted(round(fewest), 'topic')} for {goal}."
    names = [name for name, topics in needed.items() if topics == fewest]
    return f"{with_verb(names, 'needs', 'need')} the fewest topics for {goal}: {numeral(fewest, ',.0f')}."


RATES = {"error_rate": ("error rate", "error_se"), "tie_rate": ("tie rate", "tie_se")}
MOST = 0.5
"""Largest overlap of subsets at which a rate is reliable."""


def chart_stability(results: Mapping[str, Stability], rate: Literal["error_rate", "tie_rate"] = "error_rate") -> Lines:
    """Error or tie rates by number of topics, with two standard errors of the simulation.

    Args:
        results: by name, one or more.
        rate: which of the two.
    """
    what, error = RATES[rate]
    series = {
        name: tuple(
            CurvePoint(topics, row[rate], row[rate] - 2 * row[error], row[rate] + 2 * row[error], row["overlap"] > MOST)
            for topics, row in zip(result.rates.index.tolist(), result.rates.to_dict("records"), strict=True)
        )
        for name, result in results.items()
    }
    first = next(iter(results.values()))
    settings, unit = first.settings, str(first.rates.index.name)
    whose = f" of {next(iter(results))}" if len(results) == 1 else ""
    return Lines(
        title=f"{what.capitalize()}{whose} by number of {unit}",
        sentence=_describe_rate(*next(iter(series.items())), rate, unit),
        counts=f"{settings['subsets']:,} subsets of each number of {unit}",
        notes=(
            f"Differences of up to {settings['fuzziness']:.0%} of the larger mean are ties.",
            "Bars: two standard errors; hollow: subsets overlap too much.",
        ),
        remarks=(
            "An error is a subset that orders two systems in another way than most subsets of its size. Rates fall "
            "towards 0 near the right end because large subsets overlap: other topics may still disagree. The swap "
            "rate in the audit is stricter: it compares two halves that share no topic, and only equal means tie."
        ),
        x=Axis(unit),
        y=Axis(what, share=True),
        of="measure",
        series=series,
    )


def _describe_rate(name: str, points: Sequence[CurvePoint], rate: str, unit: str) -> str:
    """State the rate of a measure for half of the topics, as nearly as one was estimated."""
    half = min(points, key=lambda point: abs(point.x - points[-1].x / 2))
    share = "an unknown share" if math.isnan(half.y) else percent(half.y)
    what = "ties them" if rate == "tie_rate" else "contradicts most other subsets of this size"
    return f"In {share} of the comparisons of two systems by {join_names([name])}, a subset of {half.x} {unit} {what}."


def chart_sensitivity(result: Sensitivity, up_to: float = 0.2) -> Lines:
    """Share of the pairs of systems that each measure distinguishes, by significance level up to one."""
    series = {
        str(name): tuple(CurvePoint(*point) for point in steps(result.asl[name].to_numpy(), up_to))
        for name in result.asl.columns
    }
    power, settings = result.table["power"], result.settings
    alpha = settings["alpha"]
    return Lines(
        title="Pairs of systems distinguished, by significance level",
        sentence=_name_most_powerful([str(name) for name in power.index], power.tolist(), alpha),
        counts=f"{counted(len(result.asl), 'pair')} of systems",
        notes=(
            f"By the {settings['test']} test{drawn(settings)}, not corrected for the number of pairs.",
            "The height of a curve at the dashed line is discriminative power.",
        ),
        x=Axis("significance level"),
        y=Axis("share of pairs", share=True),
        of="measure",
        series=series,
        rules=(RuleLine("x", alpha, f"alpha {alpha:g}"),),
        step=True,
    )


def _name_most_powerful(names: Sequence[str], power: Sequence[float], alpha: float) -> str:
    """Name the measures that distinguish the most pairs."""
    best = find_largest(names, power)
    if best:
        share = f"the most pairs of systems: {np.nanmax(power):.1%}"
        return f"{with_verb(best, 'distinguishes', 'distinguish')} {share} at {alpha:g}."
    subject = join_names(names) if len(names) == 1 else "Each measure"
    known = power[0] if power and not math.isnan(power[0]) else None
    share = "an unknown share of the pairs" if known is None else f"{known:.1%} of the pairs" if known else "no pair"
    return f"{subject} distinguishes {share} of systems at {alpha:g}."
