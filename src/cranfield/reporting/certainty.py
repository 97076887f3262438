"""The certainty of a ranking: who may be first, which differences hold, and how many topics that would need."""

from __future__ import annotations

from collections.abc import Iterator

from cranfield._text import counted, percent, shown
from cranfield.charts.sentences import join_names
from cranfield.reporting.analyses import Analyses

MOST_TOPICS = 1_000_000
"""Topics above which their number is no longer told."""


def describe_first(analyses: Analyses) -> Iterator[str]:
    """State who may be first, which differences hold, and how many topics the lead would need."""
    ranks, pairs = analyses.from_scores.ranks.result, analyses.from_scores.pairs.result
    if ranks is not None:
        candidates = ranks.among_best(1)
        if len(candidates) == 1:
            yield f"Who may be first? {shown(candidates[0])} alone: it is significantly better than every other system."
        else:
            those = "Either of two systems" if len(candidates) == 2 else f"Any of {len(candidates):,} systems"
            yield f"Who may be first? {those}, with all pairs tested together: {join_names(candidates)}."
    if pairs is not None and len(pairs.pairs) > 1:
        held, count = int(pairs.pairs["significant"].sum()), len(pairs.pairs)
        order = f"; the order of the other {count - held:,} is open" if held < count else ""
        yield (
            f"Which differences hold? Of {counted(count, 'pair')} of systems, {held:,} ({percent(held / count)}) "
            f"differ significantly by {shown(analyses.inputs.main_measure)}, corrected for all pairs (paired t-test, "
            f"Holm){order}."
        )
    yield from _describe_lead(analyses)


def _describe_lead(analyses: Analyses) -> Iterator[str]:
    """State how many topics would find the lead of the best system over the next."""
    plan, leaders = analyses.from_scores.topics_needed.result, analyses.from_scores.leaders.result
    if plan is None or leaders is None:
        return
    [pair] = leaders.pairs.to_dict("records")
    count = f"about {plan.topics:,}" if plan.topics <= MOST_TOPICS else f"more than {MOST_TOPICS:,}"
    topics = len(analyses.inputs.table.topics)
    yield (
        f"How many topics would the top need? A lead as small as that of {shown(pair['system'])} over "
        f"{shown(pair['other'])}, {abs(pair['difference']):.4f}, is found with probability "
        f"{plan.settings['power']:g} on {count} topics like these (paired t-test at {plan.settings['alpha']:g}); "
        f"there are {topics:,}."
    )


def describe_topics(analyses: Analyses) -> Iterator[str]:
    """State whether there are enough topics for the ranking as a whole, and what that does not say."""
    audit = analyses.from_scores.audit
    if audit.result is None:
        yield f"Whether there are enough topics could not be determined: {audit.reason}."
        return
    measure = analyses.inputs.main_measure
    reading = audit.result.readings[measure].split(". ")[0].removesuffix(".")
    text = f"Are there enough topics for the ranking as a whole? {reading}."
    ranks = analyses.from_scores.ranks.result
    row = audit.result.table.loc[measure]
    if ranks is not None and len(ranks.among_best(1)) > 1 and row["order_needed"] <= audit.result.n_topics:
        text += (
            " This is about all systems, from the best to the worst, most of which lie far apart: it does not tell "
            "which of those that may be first is best."
        )
    yield text
