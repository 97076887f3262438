"""Measures: which to trust on this collection, and how far they agree."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from cranfield._text import counted, drawn, numeral, percent
from cranfield.agreement.ranking_agreement import Agreement
from cranfield.information.tau import InformationTaus
from cranfield.reporting.analyses import Analyses
from cranfield.reporting.charts import Mark, SectionCharts, lines, matrix, strips
from cranfield.reporting.content import Column, Figure, Section, Table, kinds, make_table
from cranfield.reporting.leaders import find_largest, join_names, with_verb
from cranfield.statistics.ecdf import steps
from cranfield.statistics.numeric import finite
from cranfield.trust.measure_audit import MEANING, WHOLE
from cranfield.trust.reliability import Reliability
from cranfield.trust.sensitivity import Sensitivity
from cranfield.trust.stability import Stability

KINDS = (
    kinds("text", "measure") | kinds("whole", *WHOLE) | kinds("share", "swap_rate", "swap_se", "power", "used", "tied")
)
PHI = (
    "Phi is the reliability of mean scores, from 0 to 1: the share of their variance that is due to systems rather "
    "than to the choice of topics. It says how well scores on these topics predict scores on other topics."
)
TIED = "on every topic, every pair of systems is tied by one of the measures"
EQUAL = 1e-9
"""The largest difference in bits that counts as none."""
MAX_LEVEL = 0.2
"""The end of the curves of significance levels."""


def fill_measures(analyses: Analyses, section: Section) -> Section:
    """Fill the section; on a public page, only with what readers of the ranking need."""
    charts, outcomes = SectionCharts(analyses.inputs.redact), analyses.from_scores
    charts.add(outcomes.reliability, "Reliability by number of topics", draw_reliability)
    public = analyses.request.public
    if not public:
        charts.add(outcomes.stability, "Error rates by number of topics", _draw_error_rates)
        charts.add(outcomes.sensitivity, "Discriminative power", draw_power)
    charts.add(outcomes.agreement, "Agreement of measures", lambda result: draw_agreement(result, "tau_b"))
    if public:
        return charts.complete(section)
    charts.add(
        outcomes.agreement, "Top-weighted agreement of measures", lambda result: draw_agreement(result, "tau_ap_b")
    )
    charts.add(outcomes.taus, "Conditional information tau", _draw_taus)
    if len(analyses.inputs.measures) < 2:
        charts.omit("Agreement of measures", "there is only one measure to compare", warned=False)
    audit = outcomes.audit
    if audit.result is None:
        charts.omit("The audit", audit.reason or "")
        return charts.complete(section, _describe_ties(analyses, charts))
    table = make_table("audit", "Audit of the measures", audit.result.table.reset_index(), KINDS, MEANING)
    readings = [(name, audit.result.readings[name]) for name in analyses.inputs.measures[1:]]
    other_readings = Table(
        "readings",
        "The other measures in words",
        (Column("measure", "text"), Column("reading", "text")),
        tuple(readings),
    )
    reading = audit.result.readings[analyses.inputs.main_measure]
    if "summary" in analyses.request.shown_sections:  # it has the first sentence, about the number of topics
        reading = f"{analyses.inputs.main_measure}: {reading.partition('. ')[2]}"
    paragraphs = [reading, *_describe_ties(analyses, charts)]
    return charts.complete(section, paragraphs, [table, *([other_readings] if readings else [])])


def _describe_ties(analyses: Analyses, charts: SectionCharts) -> list[str]:
    """State how many comparisons RR leaves undecided, and how many of these a preference between lists decides."""
    outcome = analyses.from_rankings.ties
    if outcome.reason is not None:
        charts.omit("Ties of RR", outcome.reason, warned=False)
    ties = outcome.result
    if ties is None or not ties.comparisons:
        return []
    clause = f"RR cannot separate two systems in {percent(ties.tied / ties.comparisons)} of per-topic comparisons"
    if not ties.tied:
        return [f"{clause}."]
    decided = percent(ties.broken / ties.tied)
    return [f"{clause}; recall-paired preference, which compares complete lists, decides {decided} of those."]


def draw_reliability(results: list[Reliability]) -> Figure:
    """Draw Phi by the number of topics."""
    curves = {
        result.measure: list(zip(result.curve.index.tolist(), result.curve["Phi"].tolist(), strict=True))
        for result in results
    }
    values = [value for curve in curves.values() for _, value in curve]
    finite(values, "reliability is", "systems have the same score on every topic")
    target = results[0].settings["target"]
    needed = {result.measure: result.needed["Phi"] for result in results}
    fewest = min((topics for topics in needed.values() if np.isfinite(topics)), default=None)
    names = [name for name, topics in needed.items() if topics == fewest]
    verb = "needs" if len(names) < 2 else "need"
    observation = f"By no measure would any number of topics reach a Phi of {target:g}."
    if fewest is not None:
        observation = (
            f"{join_names(names)} {verb} the fewest topics for a Phi of {target:g}: {numeral(fewest, ',.0f')}."
        )
    marks: list[Mark] = [("y", target, f"target {target:g}")]
    form = lines("topics", "Phi", curves, marks=marks)
    return Figure("d-study", "Reliability of scores by number of topics (Phi)", observation, PHI, form)


def _draw_error_rates(results: list[Stability]) -> Figure:
    """Draw error rates by the number of topics."""
    curves = {
        result.measure: [
            (
                topics,
                row["error_rate"],
                row["error_rate"] - 2 * row["error_se"],
                row["error_rate"] + 2 * row["error_se"],
            )
            for topics, row in zip(result.rates.index.tolist(), result.rates.to_dict("records"), strict=True)
        ]
        for result in results
    }
    name, curve = next(iter(curves.items()))
    half = min(curve, key=lambda point: abs(point[0] - curve[-1][0] / 2))
    settings = results[0].settings
    observation = (
        f"In {percent(half[1])} of the comparisons of two systems by {name}, a sample of {half[0]} topics contradicts "
        "most other samples of this size."
    )
    notes = (
        "How often a sample of topics orders two systems in another way than most samples of its size: "
        f"{settings['subsets']:,} samples of each size, bars of two standard errors. Differences of up to "
        f"{settings['fuzziness']:.0%} of the larger mean count as ties. Rates fall towards 0 near the right end "
        "because large samples overlap: other topics may still disagree. The swap rate in the audit is stricter: it "
        "compares two halves that share no topic, and only equal means tie."
    )
    return Figure(
        "error-rates",
        "Error rate by number of topics",
        observation,
        notes,
        lines("topics", "error rate", curves, percent=True),
    )


def draw_power(result: Sensitivity) -> Figure:
    """Draw the share of pairs that each measure distinguishes at each significance level."""
    curves = {str(name): steps(result.asl[name].to_numpy(), MAX_LEVEL) for name in result.asl.columns}
    power = result.table["power"]
    settings, alpha = result.settings, result.settings["alpha"]
    observation = _name_most_powerful([str(name) for name in power.index], power.tolist(), alpha)
    notes = (
        f"Share of the {counted(len(result.asl), 'pair')} of systems that are significantly different at each level "
        f"({settings['test']} test{drawn(settings)}, not corrected for their number). The height at the dashed line is "
        "discriminative power."
    )
    marks: list[Mark] = [("x", alpha, f"alpha {alpha:g}")]
    form = lines("significance level", "share of pairs", curves, marks=marks, step=True, percent=True)
    return Figure("asl-curves", "Pairs of systems distinguished, by significance level", observation, notes, form)


def _name_most_powerful(names: Sequence[str], power: Sequence[float], alpha: float) -> str:
    """Name the measures that distinguish the most pairs."""
    best = find_largest(names, power)
    if best:
        share = f"the most pairs of systems: {max(power):.1%}"
        return f"{with_verb(best, 'distinguishes', 'distinguish')} {share} at {alpha:g}."
    subject = join_names(names) if len(names) == 1 else "Each measure"
    return (
        f"{subject} distinguishes {f'{power[0]:.1%} of the pairs' if power[0] else 'no pair'} of systems at {alpha:g}."
    )


def draw_agreement(result: Agreement, coefficient: str) -> Figure:
    """Draw the rank correlations of measures."""
    names = [str(name) for name in result.tau_b.index]
    values = getattr(result, coefficient).to_numpy()
    pairs = [(values[a][b], a, b) for a in range(len(names)) for b in range(len(names)) if a != b]
    top_weighted = coefficient == "tau_ap_b"
    written = "tau_ap,b" if top_weighted else "tau_b"
    undefined = "of every two sources, one gives all systems the same mean"
    finite([pair[0] for pair in pairs], f"{written} is", undefined)
    defined = [pair for pair in pairs if np.isfinite(pair[0])]
    least, a, b = min(defined)
    lowest = numeral(least, "z.2f")
    observation = f"{names[a]} and {names[b]} agree least ({lowest})"
    most, a, b = max(defined, key=lambda pair: pair[0])
    observation += (
        f", {names[a]} and {names[b]} most ({numeral(most, 'z.2f')})." if most > least else ", as all other pairs do."
    )
    observation = observation if len(names) > 2 else f"{names[a]} and {names[b]} agree to {lowest}."
    notes = "Rank correlation of the orders of systems: 1 is the same order, 0 no relation, -1 the reverse."
    notes += " The tops of both orders have more weight." if top_weighted else ""
    title = f"Agreement of measures on the order of systems ({written})"
    return Figure(
        "agreement-at-the-top" if top_weighted else "agreement-matrix", title, observation, notes, matrix(names, values)
    )


def _draw_taus(result: InformationTaus) -> Figure:
    """Draw the information that two measures share, alone and with each third measure known."""
    names = [str(name) for name in result.value["measure"].values]
    conditions = [str(name) for name in result.value["given"].values]
    values, low, high = (
        array.transpose("measure", "other", "given").values for array in (result.value, result.low, result.high)
    )
    mark_kinds = ["(nothing)", *names]
    marks, rows = [], []
    nothing = conditions.index("")
    order = sorted(
        combinations(range(len(names)), 2), key=lambda pair: -np.nan_to_num(values[(*pair, nothing)], nan=-1)
    )
    for row, (a, b) in enumerate(order):
        rows.append(f"{names[a]} · {names[b]}")
        for third, condition in enumerate(conditions):
            if condition not in (names[a], names[b]):
                ends = () if condition else (low[a, b, third], high[a, b, third])
                kind = mark_kinds.index(condition) if condition else 0
                marks.append((row, kind, values[a, b, third], *ends))
    finite([values[(*pair, nothing)] for pair in order], "information tau is", TIED)
    largest = values[(*order[0], nothing)]
    first, second = (names[measure] for measure in order[0])
    equal = int(np.isclose([values[(*pair, nothing)] for pair in order], largest, rtol=0, atol=EQUAL).sum())
    most = f"{first} and {second} share the most" if equal < 2 else f"{equal:,} pairs of measures share the most"
    if 1 < equal == len(order):
        most = "Every two measures share the same"
    observation = f"{most} information about the order of systems: {numeral(largest, '.2f')} bits."
    notes = (
        f"In bits, with {result.settings['level']:.0%} intervals. The further left the mark of a third measure, the "
        "more of the agreement of the two it explains."
    )
    return Figure(
        "conditional-tau",
        "Information that two measures share, given a third",
        observation,
        notes,
        strips("information tau, bits", rows, mark_kinds, marks),
    )
