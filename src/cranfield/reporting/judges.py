"""Section on judges: what would be concluded from other labels, where some are given."""

from __future__ import annotations

from collections.abc import Iterator

from cranfield.reporting.analyses import Analyses
from cranfield.reporting.content import Section, Table
from cranfield.reporting.drawing import Drawings
from cranfield.reporting.tabling import kinds, table_of
from cranfield.synthesis.judge_agreement import JudgeAgreement
from cranfield.wording import shown


def judges(analyses: Analyses, empty: Section) -> Section | None:
    """Agreement of judges; no section where no other judges are given."""
    from cranfield import plot

    answer = analyses.by_rankings.judges
    if not answer.asked:
        return None
    drawn = Drawings(analyses.public)
    drawn.add("judge-agreement", answer, "Agreement of judges", plot.judge_agreement)
    agreement = answer.result
    if agreement is None:
        return drawn.section(empty)
    words = [
        f"The same runs scored by {analyses.first} with each judge's labels, compared with the labels of "
        f"{shown(agreement.systems.reference)}."
    ]
    return drawn.section(empty, words, list(_tables(agreement)))


def _tables(agreement: JudgeAgreement) -> Iterator[Table]:
    labels, systems = agreement.labels.table.reset_index(), agreement.systems.table.reset_index()
    yield table_of(
        "labels",
        "Agreement of labels with the reference",
        labels,
        kinds("text", "judge") | kinds("whole", "documents", "judged"),
    )
    yield table_of(
        "judge-systems",
        "Agreement on systems with the reference",
        systems,
        kinds("text", "source") | kinds("whole", "largest_move"),
    )
    for number, source in enumerate(agreement.systems.table.index, 1):
        yield table_of(
            f"movers-{number}",
            f"Systems whose rank changes most under {shown(str(source))}",
            agreement.systems.movers(source).reset_index(),
            kinds("system", "system") | kinds("whole", "reference", "rank", "gained"),
        )
