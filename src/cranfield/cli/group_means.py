"""Means of each group of topics with their intervals, as ``cranfield evaluate --topic-groups`` prints them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.cli.streams import present
from cranfield.cli.topic_groups import print_by_group
from cranfield.errors import UsageError
from cranfield.results.sheet import Cell, Sheet, mark_of

if TYPE_CHECKING:
    from cranfield.comparison.means import Means
    from cranfield.scoring import Evaluation

LONG = ("tsv", "csv", "json")
"""Formats for programs, of which a row holds one mean."""


def refuse_what_groups_lack(format_: str, *, by_topic: bool) -> None:
    """Raises: UsageError: a format, or topics, that means of groups have not."""
    if by_topic:
        raise UsageError("--by-topic prints topics, and --topic-groups the means of groups: leave one of them out")
    if format_ in ("trec", "flat"):
        raise UsageError(f"{'--flat' if format_ == 'flat' else '--format trec'} has no room for groups of topics")


def print_means(table: Evaluation, topic_groups: str, format_: str, output: str | None) -> None:
    """Print the means of each group: a section for each, or rows with a column ``group``.

    Raises:
        InputError: the groups are refused.
    """
    from cranfield.comparison.means import estimate_means
    from cranfield.evaluation import to_dataset
    from cranfield.scores.topic_groups import TopicGroups

    def printing(group: str) -> None:
        found = estimate_means(parts[group])
        made = Sheet.of_frame(found.rows, "", found.signature) if format_ in LONG else _leaderboard(found, format_)
        present(made, format_, output)

    groups = TopicGroups.of(topic_groups)
    parts = groups.split(to_dataset(table))
    print_by_group(groups, {name: part.sizes["topic"] for name, part in parts.items()}, printing)


def _leaderboard(found: Means, format_: str) -> Sheet:
    """A row a system; the interval behind each mean."""
    measures = list(dict.fromkeys(found.rows["measure"]))
    rows: dict[str, list[Cell]] = {}
    for row in found.rows.to_dict("records"):
        rows.setdefault(row["system"], [row["system"]]).extend([float(row[end]) for end in ("mean", "low", "high")])
    columns = ["system", *(name for measure in measures for name in (measure, "low", "high"))]
    said = f"low to high: {found.settings['level']:.0%} t intervals of each mean by itself, over topics like these"
    caption = said if format_ == "table" else f"{said}; {mark_of(found.signature)}"
    return Sheet(columns, list(rows.values()), caption, found.signature)
