"""Section on measures: which to trust on this collection, and how far they agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.reporting.analyses import Analyses
from cranfield.reporting.content import Section
from cranfield.reporting.drawing import Drawings
from cranfield.reporting.tabling import kinds, table_of
from cranfield.synthesis.measure_audit import MEANING, WHOLE
from cranfield.synthesis.ranking_agreement import Agreement

if TYPE_CHECKING:
    import altair as alt

KINDS = (
    kinds("text", "measure") | kinds("whole", *WHOLE) | kinds("share", "swap_rate", "swap_se", "power", "used", "tied")
)


def _top_weighted(agreement: Agreement) -> alt.LayerChart:
    from cranfield import plot

    return plot.agreement_matrix(agreement, "tau_ap_b")


def measuring(analyses: Analyses, empty: Section) -> Section:
    """The section of measures."""
    from cranfield import plot

    drawn = Drawings(analyses.public)
    answers = analyses.by_scores
    drawn.add("d-study", answers.reliability, "Reliability by number of topics", plot.d_study)
    drawn.add("error-rates", answers.stability, "Error rates by number of topics", plot.error_rates)
    drawn.add("asl-curves", answers.sensitivity, "Discriminative power", plot.asl_curves)
    drawn.add("agreement-matrix", answers.agreement, "Agreement of measures", plot.agreement_matrix)
    drawn.add("agreement-at-the-top", answers.agreement, "Top-weighted agreement of measures", _top_weighted)
    drawn.add("conditional-tau", answers.taus, "Conditional information tau", plot.conditional_tau)
    if len(analyses.measures) < 2:
        drawn.leave_out("Agreement of measures", "there is only one measure to compare", warned=False)
    audit = answers.audit
    if audit.result is None:
        drawn.leave_out("The audit", audit.reason or "")
        return drawn.section(empty)
    table = table_of("audit", "Audit of the measures", audit.result.table.reset_index(), KINDS, MEANING)
    return drawn.section(empty, [audit.result.readings[name] for name in analyses.measures], [table])
