"""The pool of several runs: its documents, what is known of their labels, and the order in which to judge them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias, Unpack
from zlib import crc32

import numpy as np

from cranfield._text import counted, cut, quoted
from cranfield._typing import Floats, Ints, Mask
from cranfield.collection.policy import REWRITING
from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import InputOptions, ReadingOptions
from cranfield.declarations.analysis import FromRuns, Groups, View, analysis
from cranfield.declarations.checks import Idle
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import SeedOption
from cranfield.errors import InputError
from cranfield.io.inputs import NamedRun, QrelsLike, RunsLike, convert_qrels
from cranfield.io.judging import build_index, judge_run, united
from cranfield.io.loading import loaded_runs
from cranfield.pooling.reusability import TeamsOption, assign_teams
from cranfield.pooling.selection_orders import ORDERS, OrderName, Pooled
from cranfield.results.columns import Column
from cranfield.results.result import Result, signed

if TYPE_CHECKING:
    import pandas as pd

DEPTH = 100
POOL_POLICIES = ("ties", "on_duplicate", *REWRITING)
"""Policies that change the pool."""
NO_GROUPS = Groups(refused="the pool of a topic does not depend on other topics: select the lines of its topics")
QrelsOption: TypeAlias = Annotated["QrelsLike | None", Option("Existing judgments.", metavar="QRELS", recorded=False)]


@dataclass(frozen=True, eq=False)
class Pools:
    """The pools of all topics.

    Args:
        systems: names of the runs.
        hashes: SHA-256 of the file of each, or of its content where it is in memory.
        rankings: the first documents of each list, seen through the documents of all lists.
        documents: id of each row of these.
        label: of each, NaN where it is not judged, float64 [documents].
        qrels: SHA-256 of the labels; None where there are none.
        rewriting: how runs were rewritten, see ``Policy.rewriting``.
    """

    systems: tuple[str, ...]
    hashes: tuple[str, ...]
    rankings: Rankings
    documents: list[str]
    label: Floats
    qrels: str | None
    rewriting: dict[str, str]

    @classmethod
    def read(
        cls, runs: RunsLike, qrels: QrelsLike | None, depth: int, reading: InputOptions, first: Iterable[str] = ()
    ) -> Pools:
        """Pools of the first ``depth`` documents of each run; topics in the order of ``first``, then of the runs.

        Raises:
            InputError: a file cannot be read, or the judgments have no topic of the runs.
        """
        loaded = loaded_runs(runs, reading, what="a pool")
        everything, _ = united([run for _, run in loaded], first)
        index, policy = build_index(everything), replace(reading.policy, missing="empty")
        lists = [judge_run(NamedRun(name, run), everything, index, policy).rankings.top(depth) for name, run in loaded]
        names = tuple(name for name, _ in loaded)
        hashes = tuple(run.sha256 or run.digest for _, run in loaded)
        judgments = None if qrels is None else convert_qrels(qrels, **reading.judgment_options)
        label = np.full(len(everything.grade), np.nan) if judgments is None else _labels(everything, judgments)
        signature = None if judgments is None else judgments.sha256 or judgments.digest
        together = Rankings.concatenate(lists)
        return cls(names, hashes, together, everything.documents.tolist(), label, signature, reading.policy.rewriting)

    @property
    def topics(self) -> tuple[str, ...]:
        """Ids of the topics."""
        return self.rankings.pool.topics

    def inputs(self) -> dict[str, Any]:
        """Runs and labels as signatures name them."""
        pairs = zip(self.systems, self.hashes, strict=True)
        runs = [{"name": name, "sha256": digest} for name, digest in pairs]
        return {"runs": runs, "qrels": None if self.qrels is None else {"sha256": self.qrels}, **self.rewriting}

    def best_rank(self) -> Ints:
        """The smallest rank of each document in any list, 0 where it is in no pool, int64 [documents]."""
        best = np.full(len(self.label), np.iinfo(np.int64).max)
        np.minimum.at(best, self.rankings.document, self.rankings.rank)
        best[best == np.iinfo(np.int64).max] = 0
        return best

    def holders(self, group: Ints) -> Ints:
        """The number of groups of runs that have each document in the pool, int64 [documents].

        Args:
            group: of each run, from 0.
        """
        groups = int(group.max()) + 1
        row_group = group[self.rankings.segment // len(self.topics)]
        pairs = np.unique(self.rankings.document * groups + row_group)
        return np.bincount(pairs // groups, minlength=len(self.label))

    def topic_rows(self, topic: int) -> slice:
        """The documents of a topic."""
        return slice(*self.rankings.pool.starts[topic : topic + 2].tolist())


def pooled_lists(rankings: Rankings, depth: int, relevant: Mask) -> Iterator[tuple[int, Pooled]]:
    """The first pool row of each topic, and its pool.

    Args:
        rankings: of all runs.
        depth: documents of each run that are pooled.
        relevant: of each pool row.
    """
    topics, starts = len(rankings.pool.size), rankings.pool.starts
    top = rankings.top(depth)
    for topic in range(topics):
        lists, ranks = [], []
        for system in range(len(rankings.systems)):
            rows = slice(top.starts[system * topics + topic], top.starts[system * topics + topic + 1])
            lists.append(top.document[rows] - starts[topic])
            ranks.append(top.rank[rows])
        yield int(starts[topic]), Pooled(lists, ranks, relevant[starts[topic] : starts[topic + 1]])


def _labels(everything: Qrels, qrels: Qrels) -> Floats:
    """The label of each document, NaN where it has none.

    Raises:
        InputError: the judgments have no topic of the runs.
    """
    known, label = qrels.to_dict(), np.full(len(everything.grade), np.nan)
    if known.keys().isdisjoint(everything.topics):
        topic = everything.topics[0]
        text = f"no topic of the runs is judged, of which the first is {quoted(topic)}: are these their judgments?"
        raise InputError(text, qrels.location, code="no-shared-topic", value=cut(topic))
    ids, bounds = everything.documents.tolist(), everything.starts.tolist()
    for number, topic in enumerate(everything.topics):
        topic_labels = known.get(topic, {})
        for row in range(bounds[number], bounds[number + 1]):
            label[row] = topic_labels.get(ids[row], np.nan)
    return label


@dataclass(frozen=True, eq=False, repr=False)
class JudgingList(Result):
    """The documents to judge, in order.

    Args:
        documents: a row for each ``topic`` and ``document`` of its pool.
        topics: a row for each ``topic``.
        settings: order, depth, budget, rel and seed.
        signature: all that changes this list.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "documents": (
            Column("order", "in the order, from 1"),
            Column("document"),
            Column("rank", "the smallest that a run gives it"),
            Column("runs", "how many have it in the pool"),
            Column("teams", "how many of them have"),
            Column("label", "of the judgments, NaN where there is none yet", label=True),
        ),
        "topics": (
            Column("pooled", "documents of the pool"),
            Column("listed", "how many of them are listed"),
            Column("judged", "how many of these have a label"),
        ),
    }
    documents: pd.DataFrame
    topics: pd.DataFrame
    settings: dict[str, Any]
    signature: dict[str, Any]

    def printed_rows(self, table: str) -> pd.DataFrame:
        """A table, without labels where there are no judgments."""
        return drop_unknown_labels(self.to_frame(table), self.signature)

    def caption(self, table: str) -> str:
        """Count the documents listed, pooled and judged already, and name the order of the list."""
        listed, judged, pooled = (int(self.topics[name].sum()) for name in ("listed", "judged", "pooled"))
        settings = self.settings
        return (
            f"{counted(listed, 'document')} of {pooled:,} pooled, {judged:,} of them judged already; order "
            f"{settings['order']}, depth {settings['depth']:,}, seed {settings['seed']}"
        )


def drop_unknown_labels(rows: pd.DataFrame, signature: Mapping[str, Any]) -> pd.DataFrame:
    """Leave the labels out of a table where no judgments were given."""
    return rows if signature["qrels"] is not None else rows.drop(columns="label", errors="ignore")


@analysis(
    "pool order",
    "List a pool in the order to judge it.",
    FromRuns(measures="none", policies=POOL_POLICIES, judged=False),
    views=(
        View("documents", "those to judge, in order."),
        View("topics", "the number of documents of each topic.", unused=("teams",)),
    ),
    idle=(
        Idle(("rel",), {"qrels": None}, "without {qrels} and an order that follows its labels, such as mtf"),
        Idle(("rel",), {"order": ("depth", "random")}, "with {order}, which does not look at labels"),
        Idle(("seed",), {"table": "topics", "qrels": None}, "with --show topics, whose numbers do not depend on it"),
        Idle(("seed",), {"table": "topics", "order": "depth"}, "with --show topics, whose numbers do not depend on it"),
    ),
    groups=NO_GROUPS,
    guide="List the documents of each topic in the order to judge them.\n\nThe first --depth documents of each run are "
    "pooled. All orders but depth and random use the labels in --qrels, where a document without one counts as not "
    "relevant: judge what is listed, then call again with the labels and a larger --budget.",
    examples=("runs/*.run --depth 20", "runs/*.run --qrels qrels.txt --budget 50"),
)
def list_documents(
    runs: RunsLike,
    *,
    order: Annotated[OrderName, Option("The order in which they are judged.")] = "depth",
    depth: Annotated[int, Option("Documents of each run that are pooled.", low=1)] = DEPTH,
    budget: Annotated[int | None, Option("Documents per topic.", low=1, default="the complete pool")] = None,
    qrels: QrelsOption = None,
    teams: TeamsOption = None,
    seed: SeedOption = 1,
    reading: InputOptions | None = None,
    **options: Unpack[ReadingOptions],
) -> JudgingList:
    """List the documents of the pool of several runs in the order to judge them.

    A pool of depth k has what runs have among their first k documents, and ``order`` says which is judged first, see
    ``estimate_budget``, which simulates these orders on a collection that is judged. Orders other than ``depth`` and
    ``random`` look at labels, those in ``qrels``; a document that has none yet counts as not relevant. So give the
    labels as they come, and ask again with a larger budget.

    Args:
        runs: as in ``evaluate``.
        reading: how files and runs are read, as one object; or word by word, as ``ties="docid"``: see ``InputOptions``.

    Raises:
        InputError: a file is refused, a run has no team, or no topic of the runs is judged.
        UsageError: an unknown order, or a number outside its range.

    References:
        Cormack, Palmer & Clarke 1998, Efficient construction of large test collections. doi:10.1145/290941.291009

    >>> runs = {"A": {"1": {"a": 3, "b": 2, "c": 1}}, "B": {"1": {"b": 3, "d": 2, "a": 1}}}
    >>> list_documents(runs, depth=2).documents[["document", "rank", "runs"]].values.tolist()
    [['b', 1, 2], ['a', 1, 1], ['d', 2, 1]]
    """
    reading = InputOptions.of(reading, options)
    pools = Pools.read(runs, qrels, depth, reading)
    run_teams = assign_teams(pools.systems, teams, at_least_two=False)
    settings = record_options(list_documents, locals(), rel=float(reading.level))
    picked = []
    relevant = np.nan_to_num(pools.label, nan=-np.inf) >= reading.level
    for topic, (first, pool) in zip(pools.topics, pooled_lists(pools.rankings, depth, relevant), strict=True):
        most = len(np.unique(np.concatenate(pool.lists)))
        rng = np.random.default_rng([seed, crc32(topic.encode())])
        picked.append((first + ORDERS[order](pool, most, rng), most))
    signature = signed(
        "judging list", settings, teams=dict(zip(pools.systems, run_teams, strict=True)), **pools.inputs()
    )
    return _listed(pools, picked, run_teams, settings, signature)


def _listed(
    pools: Pools, picked: list[tuple[Ints, int]], teams: tuple[str, ...], settings: dict[str, Any], signed_: Any
) -> JudgingList:
    """The first documents of each order as rows."""
    import pandas as pd

    listed = [rows[: settings["budget"]] for rows, _ in picked]
    rows = np.concatenate(listed)
    sizes = [len(documents_of_topic) for documents_of_topic in listed]
    names = list(dict.fromkeys(teams))
    team = np.array([names.index(documents_of_topic) for documents_of_topic in teams])
    facts = {
        "topic": np.repeat(np.array(pools.topics, dtype=object), sizes),
        "order": np.concatenate([np.arange(1, size + 1) for size in sizes]),
        "document": [pools.documents[row] for row in rows.tolist()],
        "rank": pools.best_rank()[rows],
        "runs": pools.holders(np.arange(len(pools.systems)))[rows],
        "teams": pools.holders(team)[rows],
        "label": pools.label[rows],
    }
    known = [int((~np.isnan(pools.label[documents_of_topic])).sum()) for documents_of_topic in listed]
    topics = {"topic": list(pools.topics), "pooled": [most for _, most in picked], "listed": sizes, "judged": known}
    return JudgingList(pd.DataFrame(facts), pd.DataFrame(topics), settings, signed_)
