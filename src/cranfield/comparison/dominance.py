"""``compare_dominance``: verdicts between systems that no consistent measure can reverse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias

import numpy as np

from cranfield._text import condensed, counted, warn
from cranfield._typing import Floats, Ints, Mask, NDArray
from cranfield.collection.policy import REWRITING
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import InputOptions
from cranfield.declarations.analysis import FromRuns, Groups, View, analysis
from cranfield.declarations.checks import Rule
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.errors import InputError, UsageError
from cranfield.io.inputs import QrelsLike, RunsLike
from cranfield.measures import MeasuresLike
from cranfield.pooling.pools import Pools
from cranfield.results.columns import Column
from cranfield.results.frames import tidy, unrolled
from cranfield.results.result import Result, Tables, signed
from cranfield.scoring import Evaluation, Progress, score
from cranfield.statistics.dominance import (
    convex_dominance,
    counts_by_rank,
    dominance,
    dominance_whatever_unjudged,
    positions,
)
from cranfield.statistics.paired_tests import signs_tested

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

UnjudgedLabel: TypeAlias = Literal["zero", "any", "drop"]
DiscountShape: TypeAlias = Literal["any", "convex"]
UnjudgedOption: TypeAlias = Annotated[
    UnjudgedLabel,
    Option(
        "Unjudged documents: not relevant (zero); the verdict for every label that a judgment of any topic has (any); "
        "left out of the lists, so that verdicts say nothing about measures that keep them (drop).",
        heading="Options",
    ),
]
DiscountOption: TypeAlias = Annotated[
    DiscountShape, Option("convex: only measures whose discount is convex, such as DCG and RBP, and not P@k.")
]
AllTestsAlphaOption: TypeAlias = Annotated[
    float, Option("Significance level of all tests.", low=0, high=1, open=True, heading="Test", below=("table",))
]
RULES = (
    Rule(
        {"unjudged": "any", "discount": "convex"},
        "{unjudged=any} takes every discount: leave {discount=convex} out",
    ),
)
POLICIES = ("ties", "missing", "on_duplicate", *REWRITING)
"""Policies that matter where lists are compared by all measures at once."""
CLEAREST = "the clearest verdicts first"
CHANCES = (
    Column("won", "topics on which every consistent measure prefers the system"),
    Column("lost", "on which every one prefers the other"),
    Column("equal", "on which every one finds them equal"),
    Column("undecided", "on which two consistent measures contradict each other"),
    Column("p", "exact two-sided sign test on won and lost"),
    Column(
        "p_worst",
        "that test with all undecided topics given to the side that has fewer: a bound for the sign test of every "
        "strictly consistent measure",
    ),
)
VerdictCodes: TypeAlias = NDArray[np.int8]
"""Verdicts, [topics, pairs]: ``BETTER``, ``WORSE``, ``EQUAL`` or ``UNDECIDED``."""
UNDECIDED, BETTER, WORSE, EQUAL = range(4)
ORDERS = np.array(["undecided", "better", "worse", "equal"], dtype=object)
"""Code of a verdict -> its word."""


@dataclass(frozen=True, eq=False, repr=False)
class DominanceVerdicts(Result):
    """Verdicts between two lists of one topic that every consistent measure gives.

    Args:
        pairs: a row a pair.
        topics: the ``verdict`` of each pair on each ``topic``, 1 better, -1 worse, 0 equal, NaN undecided; dims
            (``topic``, ``pair``).
        decided: share of all comparisons with a verdict better or worse.
        equal: share of those that are equal.
        undecided: share of those that are undecided.
        settings: the options.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "pairs": (
            Column("system"),
            Column("other"),
            *CHANCES,
            Column(
                "mean_order",
                "whether the system's mean is better, worse or equal by every additive measure that has the same gains "
                "and discount on all topics and is not normalised (DCG, RBP, P; not nDCG or AP), else undecided; "
                "unknown where unjudged documents may have any label",
            ),
        )
    }
    on_request = ("topics",)
    pairs: pd.DataFrame
    topics: xr.DataArray
    decided: float
    equal: float
    undecided: float
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {"pairs": lambda: tidy(self.pairs), "topics": partial(unrolled, self.topics, "verdict")}

    def printed_rows(self, table: str) -> pd.DataFrame:
        """The clearest verdicts first."""
        return sort_by_clarity(self.to_frame(table)) if table == "pairs" else self.to_frame(table)

    def caption(self, table: str) -> str:
        """Count the comparisons with a winner, and the verdicts that no strictly consistent measure can reverse."""
        if table != "pairs":
            return ""
        alpha, firm = self.settings["alpha"], int((self.pairs["p_worst"] < self.settings["alpha"]).sum())
        return (
            f"{self.decided:.1%} of all comparisons on one topic have the same winner by every consistent measure that "
            f"reads {describe_depth(self.settings['cutoff'])}, {self.equal:.1%} are equal, and {self.undecided:.1%} "
            "depend on the measure\n"
            f"verdicts that no strictly consistent measure can reverse: {firm:,} of {counted(len(self.pairs), 'pair')} "
            f"(p_worst < {alpha:g}, not corrected for the number of pairs)"
        )


def sort_by_clarity(pairs: pd.DataFrame) -> pd.DataFrame:
    """The pairs with the clearest verdicts first."""
    return pairs.sort_values(["p_worst", "p"], kind="stable", ignore_index=True)


def describe_depth(cutoff: int | None) -> str:
    """Describe how much of a list measures read."""
    return "whole lists" if cutoff is None else f"the first {cutoff} ranks"


@analysis(
    "compare dominance",
    "Count verdicts that no consistent measure can reverse.",
    FromRuns(measures="none", policies=POLICIES, rel=None),
    views=(View("pairs", pairs=CLEAREST),),
    rules=RULES,
    groups=Groups(tested=True),
    examples=("qrels.txt runs/*.run -k 10", "qrels.txt bm25.run neural.run -k 10 --unjudged any"),
    guide="Count the topics on which every consistent measure prefers the same one of two systems.\n\n"
    "A measure is consistent if neither a more relevant document at a rank, nor moving it up, ever lowers the value. "
    "Undecided: two consistent measures contradict each other. p: sign test on topics won and lost. p_worst: the same "
    "with all undecided topics against the winner; below .05, no strictly consistent measure can reverse the verdict.",
)
def compare_dominance(
    runs: RunsLike,
    qrels: QrelsLike,
    *,
    cutoff: Annotated[
        int | None,
        Option("Ranks that measures read: a part of the claim.", low=1, flags=("-k",), default="whole lists"),
    ] = None,
    rel: Annotated[
        float | None,
        Option(
            "Take labels from here on as relevant, and the others as not.",
            flags=("-l",),
            default="graded labels",
            heading="Options",
        ),
    ] = None,
    unjudged: UnjudgedOption = "zero",
    discount: DiscountOption = "any",
    alpha: AllTestsAlphaOption = 0.05,
    reading: InputOptions | None = None,
) -> DominanceVerdicts:
    """Compare every two lists of a topic by what all consistent measures say.

    A measure is consistent if no replacement (a document gives way to one with a higher label at the same rank) and no
    upward swap ever lowers it. One list dominates another if every consistent measure gives it at least
    the other's value, and some give it more: exactly where C(t, r), its documents with label >= t in the first r ranks,
    is at least the other's for all levels t and ranks r. Labels below 0 count as 0; a list that ends is padded with 0.

    The sign test on won and lost topics is Moffat and Mackenzie's; swaps of any two ranks, ``p_worst``, ``any`` and
    ``convex`` are not in their abstract, all that we could read of the article.

    Args:
        runs: two or more.
        qrels: their judgments.
        reading: how files are read.

    Raises:
        UsageError: a cutoff below 1, labels below 0 that are to be kept, weights of intents, or an unknown word.
        InputError: fewer than two runs, preferences instead of labels, or a file that cannot be read.

    References:
        Moffat & Mackenzie 2024, How much freedom does an effectiveness metric really have? JASIST 75(6).
        arXiv:2309.09477
        Ferrante, Ferro & Maistro 2015, Towards a formal framework for utility-oriented measurements of retrieval
        effectiveness. doi:10.1145/2808194.2809452
    """
    evaluation = read_lists(runs, qrels, "AP", reading)
    unknown = None
    if unjudged == "any":
        unknown = rank_unjudged(runs, qrels, cutoff, reading or InputOptions(), evaluation.topics)
    rankings = select_lists(evaluation, unjudged, cutoff)
    codes = encode_verdicts(rankings, cutoff, rel, discount, unknown)
    means = None if unknown is not None else _order_means(rankings, cutoff, rel, discount)
    settings = record_options(compare_dominance, locals())
    signature = signed("dominance", settings, scores=evaluation.source)
    return _result(evaluation, codes, means, settings, signature)


def read_lists(
    runs: RunsLike,
    qrels: QrelsLike,
    measures: MeasuresLike,
    reading: InputOptions | None,
    progress: Progress | None = None,
) -> Evaluation:
    """Read the lists that are compared, and score them."""
    chosen = reading or InputOptions()
    if chosen.policy.negative == "keep":
        raise UsageError(
            "a list that ends would be better than one with a label below 0: negative=keep has no verdicts"
        )
    if chosen.intent_weights is not None:
        raise UsageError("verdicts that no measure can reverse are on one label a document: leave intent_weights out")
    chosen.policy.check_order("dominance")
    evaluation = score(runs, qrels, measures, reading=chosen, progress=progress, keep_rankings=True)
    for line in condensed(evaluation.remarks):
        warn(line)
    if len(evaluation.systems) < 2:
        raise InputError("verdicts need two runs: there is one", "the runs", code="too-few")
    return evaluation


def select_lists(evaluation: Evaluation, unjudged: UnjudgedLabel, cutoff: int | None) -> Rankings:
    """The lists of an evaluation as verdicts see them."""
    rankings = evaluation.rankings
    assert rankings is not None, "they were kept"
    return rankings.view(judged_only=unjudged == "drop", cutoff=cutoff)


def encode_verdicts(
    rankings: Rankings, cutoff: int | None, rel: float | None, discount: DiscountShape, unjudged: Sequence[Ints] | None
) -> VerdictCodes:
    """The verdict of every two systems on every topic.

    Args:
        rankings: the lists, cut.
        cutoff: where they were cut.
        rel: the smallest relevant label; None compares by all labels of a topic.
        discount: of the measures.
        unjudged: by topic the ranks of unjudged documents that may have any label; None where they have the label 0.
    """
    systems, topics = len(rankings.systems), len(rankings.pool.topics)
    left, right = np.triu_indices(systems, 1)
    codes = np.empty((topics, len(left)), dtype=np.int8)
    # A document without a label may have one that no judged document of its topic has.
    possible = _choose_levels(rankings.pool.grade, rel)
    for topic in range(topics):
        system, rank, grade, judged = _select_topic(rankings, topic)
        levels = _choose_levels(judged, rel) if unjudged is None else possible
        if unjudged is None and discount == "any":
            good = dominance(positions(system, rank, grade, levels, systems))
        else:
            depth = cutoff or int(rankings.length[topic::topics].max(initial=1))
            counts = counts_by_rank(system, rank, grade, levels, systems, depth)
            ranks = None if unjudged is None else unjudged[topic]
            good = convex_dominance(counts) if ranks is None else dominance_whatever_unjudged(counts, ranks)
        codes[topic] = good[left, right] + 2 * good[right, left]
    return codes


def _select_topic(rankings: Rankings, topic: int) -> tuple[Ints, Ints, Floats, Floats]:
    """System, rank and grade of the judged documents in the lists of a topic, and all labels of that topic."""
    systems, count = len(rankings.systems), len(rankings.pool.topics)
    rows = [slice(*rankings.starts[at : at + 2]) for at in range(topic, systems * count, count)]
    system = np.repeat(np.arange(systems), [own.stop - own.start for own in rows])
    rank = np.concatenate([rankings.rank[own] for own in rows])
    grade = np.concatenate([rankings.grade[own] for own in rows])
    return system, rank, grade, rankings.pool.grade[slice(*rankings.pool.starts[topic : topic + 2])]


def _choose_levels(labels: Floats, rel: float | None) -> Floats:
    return np.unique(labels[labels > 0]) if rel is None else np.array([float(rel)])


def _order_means(rankings: Rankings, cutoff: int | None, rel: float | None, discount: DiscountShape) -> VerdictCodes:
    """The order of every two means by all additive measures that are the same on all topics, [pairs]."""
    systems, depth = len(rankings.systems), cutoff or int(rankings.length.max(initial=1))
    levels = _choose_levels(rankings.pool.grade, rel)
    counts = np.zeros((systems, len(levels), depth), dtype=np.int64)
    system = rankings.segment // len(rankings.pool.topics)
    for number, level in enumerate(levels):
        reaches = rankings.grade >= level
        cells = system[reaches] * depth + rankings.rank[reaches] - 1
        counts[:, number] = np.cumsum(np.bincount(cells, minlength=systems * depth).reshape(systems, depth), axis=1)
    good = (
        convex_dominance(counts) if discount == "convex" else dominance(-counts.reshape(systems, -1).astype(np.int32))
    )
    left, right = np.triu_indices(systems, 1)
    return (good[left, right] + 2 * good[right, left]).astype(np.int8)


def rank_unjudged(
    runs: RunsLike, qrels: QrelsLike, cutoff: int | None, reading: InputOptions, topics: tuple[str, ...]
) -> list[Ints]:
    """Look up the rank of every unjudged document in every list, by topic; the largest integer where it is absent."""
    pools = Pools.read(runs, qrels, cutoff or np.iinfo(np.int32).max, reading)
    rankings, systems, count = pools.rankings, len(pools.systems), len(pools.topics)
    known = {name: at for at, name in enumerate(pools.topics)}
    result = []
    for topic in topics:
        if topic not in known:
            result.append(np.zeros((systems, 0), dtype=np.int64))
            continue
        at = known[topic]
        first, last = (int(end) for end in rankings.pool.starts[at : at + 2])
        table = np.full((systems, last - first), np.iinfo(np.int32).max, dtype=np.int64)
        for system in range(systems):
            rows = slice(*rankings.starts[system * count + at : system * count + at + 2])
            table[system, rankings.document[rows] - first] = rankings.rank[rows]
        result.append(table[:, np.isnan(pools.label[first:last])])
    return result


def _result(
    evaluation: Evaluation,
    codes: VerdictCodes,
    means: VerdictCodes | None,
    settings: dict[str, Any],
    signature: dict[str, Any],
) -> DominanceVerdicts:
    import pandas as pd
    import xarray as xr

    table = count_verdicts(evaluation.systems, codes)
    table["mean_order"] = "unknown" if means is None else ORDERS[means]
    pairs = [f"{system} {other}" for system, other in zip(table["system"], table["other"], strict=True)]
    verdict = np.array([np.nan, 1.0, -1.0, 0.0])[codes]
    array = xr.DataArray(verdict, dims=("topic", "pair"), coords={"topic": list(evaluation.topics), "pair": pairs})
    decided, equal, undecided = shares(codes)
    return DominanceVerdicts(pd.DataFrame(table), array, decided, equal, undecided, settings, signature)


def shares(codes: VerdictCodes) -> tuple[float, float, float]:
    """The shares of all comparisons that are decided, equal and undecided."""
    total = max(1, codes.size)
    equal, undecided = (float((codes == code).sum() / total) for code in (EQUAL, UNDECIDED))
    return float(((codes == BETTER) | (codes == WORSE)).sum() / total), equal, undecided


def count_verdicts(systems: Sequence[str], codes: VerdictCodes) -> dict[str, Any]:
    """The columns of a table of pairs: names, counts of topics, and tests on these."""
    left, right = np.triu_indices(len(systems), 1)
    won, lost, equal, undecided = ((codes == code).sum(axis=0) for code in (BETTER, WORSE, EQUAL, UNDECIDED))
    return {
        "system": [systems[int(at)] for at in left],
        "other": [systems[int(at)] for at in right],
        "won": won,
        "lost": lost,
        "equal": equal,
        "undecided": undecided,
        "p": signs_tested(won, lost).p,
        "p_worst": worst_p(won, lost, undecided),
    }


def worst_p(won: Ints, lost: Ints, undecided: Ints) -> Floats:
    """p of the sign test if every undecided topic went to the side with fewer; 1 where that then has as many."""
    fewer = np.minimum(won, lost) + undecided
    more = np.maximum(won, lost)
    p = signs_tested(more, fewer).p
    opposite: Mask = fewer >= more
    p[opposite] = 1.0
    return p
