"""Measures: which to trust here, and how far they agree."""

from __future__ import annotations

from typing import Any

from cranfield.reporting.analyses import Analyses
from cranfield.reporting.content import Section
from cranfield.reporting.drawing import Drawings
from cranfield.reporting.tabling import table_of
from cranfield.synthesis.measure_audit import MEANING, WHOLE
from cranfield.synthesis.ranking_agreement import Agreement


def _at_the_top(result: Agreement) -> Any:
    from cranfield import plot

    return plot.agreement_matrix(result, "tau_ap_b")


def measuring(of: Analyses, empty: Section) -> Section:
    """The section of measures."""
    from cranfield import plot

    drawn = Drawings(of)
    drawn.add("d-study", "reliability", "Reliability by number of topics", plot.d_study)
    drawn.add("error-rates", "stability", "Error rates by number of topics", plot.error_rates)
    drawn.add("asl-curves", "sensitivity", "Discriminative power", plot.asl_curves)
    drawn.add("agreement-matrix", "agreement", "Agreement of measures", plot.agreement_matrix)
    drawn.add("agreement-at-the-top", "agreement", "Agreement of measures at the top", _at_the_top)
    drawn.add("conditional-tau", "taus", "Conditional information tau", plot.conditional_tau)
    if len(of.measures) < 2:
        drawn.leave_out("Agreement of measures", "there is one measure: ask for more with -m", warned=False)
    found = of.get("audit")
    if found is None:
        drawn.leave_out("The audit", of.refused.get("audit", ""))
        return drawn.section(empty)
    frame = found.table.reset_index()
    shares = dict.fromkeys(("swap_rate", "swap_se", "power", "used", "tied"), "share")
    kinds = {"measure": "text", **dict.fromkeys(WHOLE, "whole"), **shares}
    table = table_of("audit", "Audit of the measures", frame, kinds, MEANING)  # type: ignore[arg-type]
    return drawn.section(empty, [found.readings[name] for name in of.measures], [table])
