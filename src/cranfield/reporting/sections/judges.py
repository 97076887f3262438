"""Judges: what would be concluded from the labels of other judges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cranfield._message import setting
from cranfield._text import counted, numeral, shown
from cranfield.agreement.judge_agreement import JudgeAgreement, compare_judges
from cranfield.agreement.panel import Panel, estimate_panel
from cranfield.charts.judges import chart_error_correlations, chart_judge_agreement
from cranfield.collection.reading import InputOptions
from cranfield.reporting.analyses import NOT_REQUESTED, Analyses
from cranfield.reporting.charts import SectionCharts, make_figure
from cranfield.reporting.content import Section, Table, kinds, make_table
from cranfield.reporting.inputs import ScoredRuns
from cranfield.reporting.page_sections import PageSection
from cranfield.reporting.request import RunsRequest
from cranfield.reporting.runner import AnalysisOutcome, AnalysisRunner

PANEL_RESAMPLES = 500
"""Draws of topics for intervals on the members of a panel: a quarter of the usual."""
LABEL_MEANINGS = {
    "judge": "whose labels are compared with the reference",
    "documents": "that both judged",
    "judged": "documents that this judge judged",
    "equal": "share of the documents of both with the same label",
    "kappa": "Cohen's: agreement beyond chance; 1 is perfect, 0 is chance",
    "kappa_linear": "where labels far apart count more, by their difference",
    "kappa_quadratic": "where they count by the square of their difference",
    "kappa_binary": "of relevant or not",
    "alpha": "Krippendorff's, of labels in their order; 1 is perfect, 0 is chance",
    "relevant": "share of the documents of both that are relevant by this judge",
    "relevant_reference": "share that are relevant by the reference",
}
SYSTEM_MEANINGS = {
    "judge": "by whose labels systems are ordered",
    "tau_b": "rank correlation of the two orders: 1 is the same order, -1 the reverse",
    "tau_ap,b": "the same, where the tops of both orders have more weight",
    "RBO": "rank-biased overlap of the two orders, 1 where they are the same",
    "kept": "share of the significant pairs of the reference that are significant the same way",
    "lost": "share of them that are not significant",
    "reversed": "share of them that are significant the other way",
    "gained": "share of all other pairs that are significant by this judge alone",
    "largest_move": "of a system, in ranks",
    "unjudged": "share of the first documents of runs that this judge did not judge",
    "unjudged_reference": "share of them that the reference did not judge",
}
MOVER_MEANINGS = {
    "rank_by_reference": "with the labels of the reference",
    "rank_by_judge": "with the labels of this judge",
    "ranks_gained": "with the labels of this judge, or lost, below 0",
}
"""Column -> what it means."""

PANEL_MEANINGS = {
    "given": "reference: errors are centred within its classes; none: they are not",
    "rho": "mean correlation of two judges' errors",
    "n_eff": "independent judges that they are worth, m / (1 + (m - 1) rho)",
    "limit": "what it tends to with ever more such judges",
    "participation": "number of directions that errors have",
    "n_variance": "judges of mean variance that their mean is worth",
}
MEMBER_MEANINGS = {
    "labels_of": "a judge, or a way of combining all of them",
    "kappa": "agreement with the reference beyond chance, of relevant or not",
    "accuracy": "share of equal labels",
    "relevant": "share that is relevant",
    "gain": "what kappa exceeds the best judge's by, with its interval over topics",
}
"""Column -> what it means."""
PAIRS = (
    "This page leaves out judges who compare two answers instead of labelling each: cranfield judges pairs evaluates "
    "their verdicts."
)


@dataclass(frozen=True)
class _Judged:
    """The analyses of other judges.

    Args:
        agreement: the same runs with their labels.
        panel: what two or more of them are worth together; not requested for fewer.
    """

    agreement: AnalysisOutcome[JudgeAgreement] = NOT_REQUESTED
    panel: AnalysisOutcome[Panel] = NOT_REQUESTED


def _analyse(runner: AnalysisRunner, inputs: ScoredRuns, request: RunsRequest) -> _Judged:
    """Score the same runs by other labels, and estimate how many independent judges the others are worth."""
    table, reading, seed = inputs.table, request.reading, request.options["seed"]
    judges = [table.qrels, *request.loaded_judges]
    if len(judges) < 2:
        return _Judged()
    runs = {run.name: run.data for run in table.runs}
    # Judges use the report's level of relevance; weights of intents belong to the first judgments.
    unweighted = InputOptions(**reading.policy.as_dict(), **reading.judgment_options)
    agreement = runner.run(
        "comparing judges",
        lambda: compare_judges(runs, judges, inputs.main_measure, reading=unweighted, seed=seed),
    )
    if len(judges) < 3:
        return _Judged(agreement)
    panel = runner.run(
        "correlating errors of judges",
        lambda: estimate_panel(judges, rel=reading.level, resamples=PANEL_RESAMPLES, seed=seed),
    )
    return _Judged(agreement, panel)


def _fill(analyses: Analyses, section: Section) -> Section | None:
    """Fill the section; None without other judges."""
    judged: _Judged = analyses.own.get("judges", _Judged())
    outcome, panel = judged.agreement, judged.panel
    if not outcome.requested:
        return None
    charts = SectionCharts(analyses.inputs.redact)
    charts.add(
        outcome, "Agreement of judges", lambda found: make_figure("judge-agreement", chart_judge_agreement(found))
    )
    charts.add(
        panel,
        "Correlated errors of judges",
        lambda found: make_figure("error-correlations", chart_error_correlations(found)),
    )
    agreement = outcome.result
    if agreement is None:
        return charts.complete(section)
    paragraphs = [
        f"The same runs scored by {analyses.inputs.main_measure} with each judge's labels, compared with the labels of "
        f"{shown(agreement.systems.reference)}."
    ]
    paragraphs += [f"{line[0].upper()}{line[1:]}." for line in agreement.unjudged.sentences(common=False)]
    tables = list(_make_tables(agreement))
    if panel.result is not None:
        paragraphs.append(_describe_panel(panel.result))
        tables += _make_panel_tables(panel.result)
    if not analyses.request.options["public"]:
        paragraphs.append(PAIRS)
    return charts.complete(section, paragraphs, tables)


def _describe_panel(panel: Panel) -> str:
    """State how many independent judges the panel is worth, and what must be known to read that."""
    facts = panel.effective.iloc[0]
    worth = f"{numeral(facts['n_eff'], '.1f')} independent judges"
    ends = " to ".join(numeral(facts[end], ".1f") for end in ("n_eff_low", "n_eff_high"))
    return (
        f"Together the {counted(int(facts['judges']), 'other judge')} are worth {worth} ({ends}): their errors against "
        f"{shown(panel.settings['reference'])} have a mean correlation of {numeral(facts['rho'], '.2f')}. "
        f"{panel.note[0].upper()}{panel.note[1:]}."
    )


def _make_panel_tables(panel: Panel) -> list[Table]:
    """Make the tables of the panel's worth, and of its members and their combined labels."""
    effective = make_table(
        "panel",
        "What the other judges are worth together",
        panel.effective.reset_index(drop=True),
        kinds("text", "given") | kinds("whole", "judges", "documents", "topics"),
        PANEL_MEANINGS,
    )
    members = make_table(
        "panel-members",
        "Each judge and combined labels against the reference",
        panel.members[["labels_of", "kappa", "accuracy", "relevant", "gain", "gain_low", "gain_high"]],
        kinds("text", "labels_of"),
        MEMBER_MEANINGS,
    )
    return [effective, members]


def _make_tables(agreement: JudgeAgreement) -> Iterator[Table]:
    """Make the tables of labels, of systems, and of the systems whose rank changes most under each judge."""
    labels, systems = agreement.labels.table.reset_index(), agreement.printed_rows("systems.table")
    yield make_table(
        "labels",
        "Agreement of labels with the reference",
        labels,
        kinds("text", "judge") | kinds("whole", "documents", "judged"),
        LABEL_MEANINGS,
    )
    yield make_table(
        "judge-systems",
        "Agreement on systems with the reference",
        systems.rename(columns={"source": "judge", "tau_ap_b": "tau_ap,b", "rbo": "RBO"}),
        kinds("text", "judge") | kinds("whole", "largest_move"),
        SYSTEM_MEANINGS,
    )
    for number, source in enumerate(agreement.systems.table.index, 1):
        yield make_table(
            f"movers-{number}",
            f"Systems whose rank changes most under {shown(str(source))}",
            agreement.systems.movers(source).reset_index().set_axis(["system", *MOVER_MEANINGS], axis="columns"),
            kinds("system", "system") | kinds("whole", *MOVER_MEANINGS),
            MOVER_MEANINGS,
        )


SECTION = PageSection(
    title="Judges",
    place=90,
    fill=_fill,
    needs=f"it needs judgments of others: name them by {setting('judges')}",
    of_rankings=_analyse,
)
