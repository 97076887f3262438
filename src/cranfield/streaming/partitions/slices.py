"""Slices of the topics, such as segments of users: by a column of the data, or by a table beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cranfield._optional import pa, pc
from cranfield._text import cut, listed, quoted, shown, warn
from cranfield._typing import Ints
from cranfield.collection.frames import read_table
from cranfield.collection.qrels import Qrels
from cranfield.errors import InputError
from cranfield.scores.scale import Scale
from cranfield.scores.topic_groups import FEW, TopicGroups
from cranfield.scoring.partial_sums import PartTotals, compute_totals, sum_moments
from cranfield.streaming.partitions.batches import IntegerIds, read_ids, readable, record_batches
from cranfield.streaming.partitions.dataset import Dataset
from cranfield.streaming.partitions.footers import column_names
from cranfield.streaming.partitions.fragment import Fragment
from cranfield.streaming.partitions.plan import ROWS
from cranfield.streaming.partitions.topic_scores import TopicScores, arrow_ids

if TYPE_CHECKING:
    from cranfield.scores.topic_groups import GroupsLike

    SlicesLike: TypeAlias = str | GroupsLike
TOPIC, SLICE = "topic", "slice"


@dataclass(frozen=True)
class Slices:
    """The slice of each topic.

    Args:
        table: PyArrow's, with columns ``topic`` and ``slice``; every topic once.
        names: of the slices, in their order.
        facts: what a signature says of them.
    """

    table: Any
    names: tuple[str, ...]
    facts: dict[str, Any]

    def scores(self, scales: Sequence[Scale], scores: TopicScores, *, tell: bool) -> dict[str, PartTotals]:
        """Return the sums of each slice, over its topics.

        Args:
            scales: of the measures.
            scores: of one run.
            tell: whether to warn of topics that are in no slice, and of small slices.
        """
        ids, known = arrow_ids(scores.topics), self.table[TOPIC].combine_chunks()
        row = pc.index_in(ids.cast(known.type), value_set=known)
        codes = pc.index_in(self.table[SLICE].combine_chunks().take(row), value_set=pa.array(self.names))
        number = codes.fill_null(-1).to_numpy(zero_copy_only=False)
        kinds = [scale.summary for scale in scales]
        out: dict[str, PartTotals] = {}
        for at, name in enumerate(self.names):
            rows = np.flatnonzero(number == at)
            if len(rows):
                out[name] = compute_totals(scales, sum_moments(kinds, scores.values[:, rows]), len(rows), 0)
        if tell:
            self._tell(ids, np.flatnonzero(number < 0), out)
        return out

    def _tell(self, ids: Any, without: Ints, totals: Mapping[str, PartTotals]) -> None:
        """Warn of topics without a slice or scores."""
        if len(without):
            names = [str(ids[number].as_py()) for number in without[:5].tolist()]
            verb = "has no slice and counts" if len(without) == 1 else "have no slice and count"
            warn(f"{listed([*names, *[''] * (len(without) - len(names))])} {verb} in none")
        few = [f"{quoted(name)} {total.topics}" for name, total in totals.items() if total.topics < FEW]
        if few:
            warn(f"slices with fewer than {FEW} topics ({', '.join(few[:5])}): their means are uncertain")


def read_slices(
    slices: SlicesLike | None, qrels: Dataset | Qrels, runs: Sequence[Dataset], kinds: IntegerIds, rows: int = ROWS
) -> Slices | None:
    """The slices of a request.

    Args:
        slices: the name of a column of the judgments or of a run; or topic -> slice, as ``TopicGroups`` takes it.
        qrels: the judgments; their column comes first.
        runs: the first one that has the column is read.
        kinds: of the ids.
        rows: read at a time.

    Raises:
        InputError: no data set has the column, a topic is in two slices, or no topic is in one.
        UsageError: something that is neither a column nor a table.
    """
    if slices is None:
        return None
    if not isinstance(slices, str):
        groups = TopicGroups.from_source(slices)
        table = pa.table({TOPIC: pa.array(groups.of_topic.keys(), pa.string()), SLICE: list(groups.of_topic.values())})
        return Slices(table, groups.names, groups.signature())
    sets: list[tuple[Dataset, Any]] = [(qrels, "label")] if isinstance(qrels, Dataset) else []
    seen: dict[str, None] = {}
    for data, kind in [*sets, *((run, "score") for run in runs)]:
        fragments = data.fragments(kind)
        names = column_names(fragments[0])
        if slices in names:
            table = _table(data, fragments, slices, kinds, rows)
            tables = sorted(set(table[SLICE].to_pylist()))
            return Slices(table, tuple(tables), {"column": slices, "of": data.facts()})
        seen |= dict.fromkeys(names)
    there = f"there are {', '.join(map(shown, seen))}" if seen else "files of text have none"
    text = f"no data set has a column {quoted(slices)} for slices, {there}; or give topic -> slice"
    raise InputError(text, runs[0].location, code="column", value=cut(slices))


def _table(data: Dataset, fragments: Sequence[Fragment], column: str, kinds: IntegerIds, rows: int) -> Any:
    """Every topic with its slice; topics that have none are left out.

    Raises:
        InputError: a topic is in two, a file lacks the column, or no topic has a slice.
    """
    parts = [_read_file(fragment, column, kinds, rows) for fragment in fragments]
    every = pa.concat_tables(parts).group_by([TOPIC, SLICE], use_threads=False).aggregate([])
    every = every.filter(pc.is_valid(every[SLICE]))
    if not every.num_rows:
        raise InputError(f"the column {quoted(column)} holds nothing", data.location, code="empty", value=cut(column))
    counts = every.group_by(TOPIC, use_threads=False).aggregate([(SLICE, "count")])
    twice = counts.filter(pc.greater(counts[f"{SLICE}_count"], 1))
    if twice.num_rows:
        topic = twice[TOPIC][0]
        first, second = every.filter(pc.equal(every[TOPIC], topic))[SLICE].to_pylist()[:2]
        columns = (
            f"topic {quoted(str(topic))} is in two slices, {quoted(first)} and {quoted(second)} (column "
            f"{quoted(column)}); a topic has one"
        )
        raise InputError(columns, data.location, code="conflict", value=cut(str(topic)))
    return every


def _read_file(fragment: Fragment, column: str, kinds: IntegerIds, rows: int) -> Any:
    if column not in column_names(fragment):
        text = f"has no column {quoted(column)}, which the first file has; write all files with one schema"
        raise InputError(text, fragment.location, code="schema", value=cut(column))
    ids = pa.int64() if kinds.topic else pa.large_string()
    parts = [pa.schema([(TOPIC, ids), (SLICE, pa.string())]).empty_table()]
    with readable(fragment):
        for first, batch in record_batches(fragment, [fragment.roles["topic"], column], rows):
            count = batch.num_rows
            topics = arrow_ids(read_ids(read_table(batch), "topic", fragment, kinds, first, count))
            if column in fragment.constants:
                columns = pa.array([str(fragment.constants[column])] * count)
            else:
                columns = batch.column(column).cast(pa.string())
            part = pa.table({TOPIC: topics, SLICE: columns})
            parts.append(part.group_by([TOPIC, SLICE], use_threads=False).aggregate([]))
    return pa.concat_tables(parts)
