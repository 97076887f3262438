"""Section on measures: which to trust on this collection, and how far they agree."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from cranfield._text import counted, drawn, numeral, percent
from cranfield.agreement.ranking_agreement import Agreement
from cranfield.information.tau import InformationTaus
from cranfield.reporting.charts import Drawings, Mark, lines, matrix, strips
from cranfield.reporting.collection import Analyses
from cranfield.reporting.content import Column, Figure, Section, Table
from cranfield.reporting.leaders import of_largest, who
from cranfield.reporting.tables import kinds, listed_names, table_of
from cranfield.statistics._numeric import finite
from cranfield.statistics.ecdf import steps
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
"""Bits that are no difference."""
ASL = 0.2
"""Where the curves of significance levels end."""


def measuring(analyses: Analyses, empty: Section) -> Section:
    """The section of measures."""
    figures, answers = Drawings(analyses.public), analyses.by_scores
    figures.add(answers.reliability, "Reliability by number of topics", _reliability)
    figures.add(answers.stability, "Error rates by number of topics", _error_rates)
    figures.add(answers.sensitivity, "Discriminative power", _power)
    figures.add(answers.agreement, "Agreement of measures", lambda found: _agreement(found, "tau_b"))
    figures.add(answers.agreement, "Top-weighted agreement of measures", lambda found: _agreement(found, "tau_ap_b"))
    figures.add(answers.taus, "Conditional information tau", _taus)
    if len(analyses.measures) < 2:
        figures.leave_out("Agreement of measures", "there is only one measure to compare", warned=False)
    audit = answers.audit
    if audit.result is None:
        figures.leave_out("The audit", audit.reason or "")
        return figures.section(empty, _ties(analyses, figures))
    table = table_of("audit", "Audit of the measures", audit.result.table.reset_index(), KINDS, MEANING)
    readings = [(name, audit.result.readings[name]) for name in analyses.measures[1:]]
    others = Table(
        "readings",
        "The other measures in words",
        (Column("measure", "text"), Column("reading", "text")),
        tuple(readings),
    )
    words = [audit.result.readings[analyses.first], *_ties(analyses, figures)]
    return figures.section(empty, words, [table, *([others] if readings else [])])


def _ties(analyses: Analyses, figures: Drawings) -> list[str]:
    """What RR leaves open, and how much of it a preference between whole lists decides, in a sentence."""
    answer = analyses.by_rankings.ties
    if answer.reason is not None:
        figures.leave_out("Ties of RR", answer.reason, warned=False)
    found = answer.result
    if found is None or not found.comparisons:
        return []
    said = f"RR (labels of {found.rel:g} or more) ties in {percent(found.tied / found.comparisons)} of the comparisons"
    said += " of two systems on one topic"
    if not found.tied:
        return [f"{said}."]
    decided = f"{percent(found.broken / found.tied)} of these ties"
    return [f"{said}; recall-paired preference, which compares whole lists, breaks {decided}. See cranfield prefer."]


def _reliability(results: list[Reliability]) -> Figure:
    curves = {
        one.measure: list(zip(one.curve.index.tolist(), one.curve["Phi"].tolist(), strict=True)) for one in results
    }
    everything = [value for curve in curves.values() for _, value in curve]
    finite(everything, "reliability is", "systems have the same score on every topic")
    target = results[0].settings["target"]
    needed = {one.measure: one.needed["Phi"] for one in results}
    fewest = min((topics for topics in needed.values() if np.isfinite(topics)), default=None)
    names = [name for name, topics in needed.items() if topics == fewest]
    verb = "needs" if len(names) < 2 else "need"
    seen = f"By no measure would any number of topics reach a Phi of {target:g}."
    if fewest is not None:
        seen = f"{listed_names(names)} {verb} the fewest topics for a Phi of {target:g}: {numeral(fewest, ',.0f')}."
    marks: list[Mark] = [("y", target, f"target {target:g}")]
    form = lines("topics", "Phi", curves, marks=marks)
    return Figure("d-study", "Reliability of scores by number of topics (Phi)", seen, PHI, form)


def _error_rates(results: list[Stability]) -> Figure:
    curves = {
        one.measure: [
            (
                topics,
                row["error_rate"],
                row["error_rate"] - 2 * row["error_se"],
                row["error_rate"] + 2 * row["error_se"],
            )
            for topics, row in zip(one.rates.index.tolist(), one.rates.to_dict("records"), strict=True)
        ]
        for one in results
    }
    name, found = next(iter(curves.items()))
    half = min(found, key=lambda point: abs(point[0] - found[-1][0] / 2))
    settings = results[0].settings
    seen = f"In {percent(half[1])} of the comparisons by {name}, a sample of {half[0]} topics contradicts most others."
    notes = (
        "How often a sample of topics orders two systems in another way than most samples of its size: "
        f"{settings['subsets']:,} samples of each size, differences up to {settings['fuzziness']:.0%} counted as ties, "
        "bars of two standard errors. Rates fall towards 0 near the right end because large samples overlap: other "
        "topics may still disagree."
    )
    return Figure(
        "error-rates",
        "Error rate by number of topics",
        seen,
        notes,
        lines("topics", "error rate", curves, percent=True),
    )


def _power(result: Sensitivity) -> Figure:
    curves = {str(name): steps(result.asl[name].to_numpy(), ASL) for name in result.asl.columns}
    power = result.table["power"]
    how, alpha = result.settings, result.settings["alpha"]
    seen = _most_powerful([str(name) for name in power.index], power.tolist(), alpha)
    notes = (
        f"Share of the {counted(len(result.asl), 'pair')} of systems that are significantly different at each level "
        f"({how['test']} test{drawn(how)}, not corrected for their number). The height at the dashed line is "
        "discriminative power."
    )
    marks: list[Mark] = [("x", alpha, f"alpha {alpha:g}")]
    form = lines("significance level", "share of pairs", curves, marks=marks, step=True, percent=True)
    return Figure("asl-curves", "Pairs of systems distinguished, by significance level", seen, notes, form)


def _most_powerful(names: Sequence[str], power: Sequence[float], alpha: float) -> str:
    """Which measures distinguish the most pairs, a sentence."""
    best = of_largest(names, power)
    if best:
        share = f"the most pairs of systems: {max(power):.1%}"
        return f"{who(best, 'distinguishes', 'distinguish')} {share} at {alpha:g}."
    every = listed_names(names) if len(names) == 1 else "Each measure"
    return f"{every} distinguishes {f'{power[0]:.1%} of the pairs' if power[0] else 'no pair'} of systems at {alpha:g}."


def _agreement(result: Agreement, coefficient: str) -> Figure:
    names = [str(name) for name in result.tau_b.index]
    values = getattr(result, coefficient).to_numpy()
    pairs = [(values[a][b], a, b) for a in range(len(names)) for b in range(len(names)) if a != b]
    top = coefficient == "tau_ap_b"
    alone = "of every two sources, one gives all systems the same mean"
    finite([pair[0] for pair in pairs], f"{'tau_ap,b' if top else 'tau_b'} is", alone)
    defined = [pair for pair in pairs if np.isfinite(pair[0])]
    least, a, b = min(defined)
    lowest = numeral(least, "z.2f")
    seen = f"{names[a]} and {names[b]} agree least ({lowest})"
    most, a, b = max(defined, key=lambda pair: pair[0])
    seen += (
        f", {names[a]} and {names[b]} most ({numeral(most, 'z.2f')})." if most > least else ", as all other pairs do."
    )
    seen = seen if len(names) > 2 else f"{names[a]} and {names[b]} agree to {lowest}."
    notes = "Rank correlation of the orders of systems: 1 is the same order, 0 no relation, -1 the reverse."
    notes += " The top of the row's order has more weight." if top else ""
    title = f"Agreement of measures on the order of systems ({'tau_ap,b' if top else 'tau_b'})"
    return Figure("agreement-at-the-top" if top else "agreement-matrix", title, seen, notes, matrix(names, values))


def _taus(result: InformationTaus) -> Figure:
    names = [str(name) for name in result.value["measure"].values]
    givens = [str(name) for name in result.value["given"].values]
    values, low, high = (
        array.transpose("measure", "other", "given").values for array in (result.value, result.low, result.high)
    )
    kinds_of = ["(nothing)", *names]
    marks, rows = [], []
    nothing = givens.index("")
    order = sorted(
        combinations(range(len(names)), 2), key=lambda pair: -np.nan_to_num(values[(*pair, nothing)], nan=-1)
    )
    for row, (one, other) in enumerate(order):
        rows.append(f"{names[one]} · {names[other]}")
        for third, given in enumerate(givens):
            if given not in (names[one], names[other]):
                at = (one, other, third)
                ends = () if given else (low[at], high[at])
                marks.append((row, kinds_of.index(given) if given else 0, values[at], *ends))
    finite([values[(*pair, nothing)] for pair in order], "information tau is", TIED)
    alone = values[(*order[0], nothing)]
    first, second = (names[at] for at in order[0])
    equal = int(np.isclose([values[(*pair, nothing)] for pair in order], alone, rtol=0, atol=EQUAL).sum())
    most = f"{first} and {second} share the most" if equal < 2 else f"{equal:,} pairs of measures share the most"
    if 1 < equal == len(order):
        most = "Every two measures share the same"
    seen = f"{most} information about the order of systems: {numeral(alone, '.2f')} bits."
    notes = (
        f"In bits, with {result.settings['level']:.0%} intervals. The further left the mark of a third measure, the "
        "more of the agreement of the two it explains."
    )
    return Figure(
        "conditional-tau",
        "Information that two measures share, given a third",
        seen,
        notes,
        strips("information tau, bits", rows, kinds_of, marks),
    )
