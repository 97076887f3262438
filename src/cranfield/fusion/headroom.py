"""Headroom: what a fusion of these systems could reach, and which two to fuse.

The pairs of largest joint RIC are fused. Bounds come from lists that know the judgments: the retrieved documents sorted
by label, or by what systems prefer and then by label.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple, Self, Unpack, get_args

import numpy as np

from cranfield import engine
from cranfield._text import counted, shown, warn
from cranfield._typing import Floats, Ints
from cranfield._validation import list_names, word
from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import InputOptions, ReadingOptions
from cranfield.collection.run import Run
from cranfield.declarations.analysis import FromRuns, View, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import SeedOption
from cranfield.fusion.combination import Unweighted
from cranfield.fusion.condorcet import Cycles, Ranks, ordered
from cranfield.fusion.fusion_inputs import FusibleSystems
from cranfield.information.experiment import Experiment
from cranfield.information.joint import JointRIC, compute_joint_ric
from cranfield.information.pairwise_joint import compute_pairwise_joint
from cranfield.io.inputs import QrelsLike, RunsLike
from cranfield.results.columns import Column
from cranfield.results.frames import melted, tidy
from cranfield.results.result import Result, Tables, signed
from cranfield.scoring import Evaluation, MeasuresLike, Progress
from cranfield.statistics.contrasts import every_pair
from cranfield.statistics.kernels.majority_order import decided
from cranfield.statistics.numeric import sum_ascending
from cranfield.threads import beside

if TYPE_CHECKING:
    from concurrent.futures import Future

    import pandas as pd


MEASURES = ("nDCG@10", "AP", "RIC", "SRIC")
METHODS: tuple[Unweighted, ...] = ("rrf", "combsum", "combmnz", "condorcet")
CANDIDATES = 20
Abstain = Literal["fail", "ignore"]
BOUNDS = ("Naive", "Pareto", "Majoritarian")


@dataclass(frozen=True, eq=False, repr=False)
class Headroom(Result):
    """The effectiveness of a set of systems: each alone, fused, and reordered with knowledge of the judgments.

    Args:
        table: a row for each ``kind`` and ``name``: the ``best`` and the ``mean`` single system, each fusion, the
            bounds; a column for each measure, with its own best system; as tidy rows each ``measure`` and its
            ``value``.
        singles: a row for each ``system``, a column for each measure.
        pairs: the pairs of largest joint RIC; the largest ``fused`` first.
        held_out: mean of ``fused`` where the pair for each topic is chosen on the other topics: what choosing the best
            of that many pairs is worth on topics that had no part in the choice; NaN of a single topic.
        joint: joint RIC of all systems: beyond chance, reachable on topics that had no part in it, and its null.
        settings: fusions, the method of pairs, candidates.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "table": (
            Column("kind", "single systems, their fusions, or bounds, whose lists know the judgments"),
            Column("name"),
        ),
        "pairs": (
            Column("system"),
            Column("other"),
            Column("joint", "joint RIC of the two"),
            Column("difference", "their information difference"),
            Column("fused", "the two fused, by the first measure"),
            Column("better", "the better of them by itself"),
            Column("gain", "fused - better"),
        ),
    }
    table: pd.DataFrame
    singles: pd.DataFrame
    pairs: pd.DataFrame
    held_out: float
    joint: JointRIC
    settings: dict[str, Any]
    signature: dict[str, Any]

    @classmethod
    def of(
        cls,
        systems: FusibleSystems,
        methods: str | Sequence[str] = METHODS,
        pair_method: str = "rrf",
        candidates: int = CANDIDATES,
        permutations: int | None = None,
        seed: int = 1,
        progress: Progress | None = None,
        get_experiment: Callable[[], Experiment] | None = None,
        joint: Future[JointRIC] | None = None,
    ) -> Self:
        """``estimate_headroom`` of systems that are read already, and with their joint RIC where it is computed.

        ``get_experiment`` is called just before pairs are fused: elsewhere the experiment may be counting them already.
        """
        read, alone = len(systems.lists.names), systems.alone

        def step(done: int, _: int) -> None:
            if progress is not None:
                progress(read + done, read + len(systems.judgments.topics))

        if get_experiment is None or joint is None:
            experiment = systems.experiment()
            get_experiment = lambda: experiment  # noqa: E731
            joint = beside(lambda: compute_joint_ric(experiment, permutations=permutations, seed=seed, progress=step))
        methods = list_names(methods=methods)
        blocks = _fuse_all(systems, methods)
        pairs, held_out = fuse_pairs(systems, most_informative_pairs(get_experiment(), candidates), pair_method)
        joint_ric = joint.result()
        drawn = joint_ric.settings["permutations"]
        settings = record_options(estimate_headroom, locals(), permutations=drawn)
        return cls(
            _table(alone, blocks),
            _frame(alone),
            pairs,
            held_out,
            joint_ric,
            settings,
            alone.signature() | signed("headroom", settings) | settings | {"joint": joint_ric.settings},
        )

    def _tables(self) -> Tables:
        return {
            "table": lambda: melted(self.table, "measure", "value", ["kind", "name"]),
            "singles": lambda: melted(self.singles, "measure", "value"),
            "pairs": lambda: tidy(self.pairs),
            **self.joint.nested("joint"),
        }

    def printed_rows(self, table: str) -> pd.DataFrame:
        """Measures beside each other."""
        return self.table if table == "table" else self.to_frame(table)

    def caption(self, table: str) -> str:
        """The joint RIC, and the best pair to fuse."""
        systems = counted(len(self.singles), "system")
        lines = [f"information of {systems} together, beyond chance: {_describe_joint(self.joint)}"]
        if len(self.pairs):
            best = self.pairs.iloc[0]
            chosen = f"chosen on other topics: {self.held_out:.4f}"
            if math.isnan(self.held_out):
                chosen = "there are no other topics to choose it on"
            lines.append(
                f"best of {counted(len(self.pairs), 'pair')} fused by {self.settings['pair_method']}: "
                f"{shown(best['system'])} and {shown(best['other'])}, {self.table.columns[2]} {best['fused']:.4f}, "
                f"the better system alone {best['better']:.4f}; {chosen}"
            )
        return "\n".join(lines)


def _describe_joint(joint: JointRIC) -> str:
    """Describe the joint information of the systems beyond chance, as far as it is defined."""
    if math.isnan(joint.value):
        return "undefined, as no topic has two labels"
    reachable = "" if math.isnan(joint.reachable) else f"; learned on other topics: {joint.reachable:.4f}"
    if math.isnan(joint.null):
        return f"unknown without permutations{reachable}"
    normalized = (
        "unknown, as permuted labels give all of it" if math.isnan(joint.normalized) else f"{joint.normalized:.4f}"
    )
    estimate = f"joint RIC {joint.value:.4f}, estimator={joint.settings['estimator']}"
    return f"{normalized}{reachable} ({estimate}; with labels permuted {joint.null:.4f})"


@analysis(
    "fuse headroom",
    "Show what a fusion of these systems could reach.",
    FromRuns(MEASURES, progress="reading and fusing runs"),
    views=(
        View("table"),
        View(
            "pairs",
            "Instead, print the pairs that complement each other best, fused.",
            ("--pairs",),
            pairs="the best fused first",
            unused=("methods",),
        ),
    ),
    examples=("qrels.txt runs/*.run", "qrels.txt runs/*.run --pairs"),
)
def estimate_headroom(
    runs: RunsLike,
    qrels: QrelsLike,
    measures: MeasuresLike = MEASURES,
    *,
    methods: Annotated[
        Unweighted | Sequence[Unweighted],
        Option("A method of fusion, with its defaults.", flags=("--method",), default=", ".join(METHODS)),
    ] = METHODS,
    pair_method: Annotated[Unweighted, Option("How pairs are fused.")] = "rrf",
    candidates: Annotated[int, Option("Number of pairs to fuse.", low=0)] = CANDIDATES,
    permutations: Annotated[
        int | None,
        Option(
            "Permutations of the labels, for the null of the joint RIC.",
            low=0,
            default="20; 2 for more than ten systems",
        ),
    ] = None,
    seed: SeedOption = 1,
    reading: InputOptions | None = None,
    progress: Progress | None = None,
    **options: Unpack[ReadingOptions],
) -> Headroom:
    """Show what a fusion of these systems could reach, beside single systems and lists that know the judgments.

    Pairs are chosen by their joint RIC, fused, and compared by the first measure with the better of the two. Joint RIC
    is the logistic estimate here; that of the paper is printed by `information joint --estimator table`.

    The best single system is compared with fusions that do not use the judgments, and with three lists that do:
    Majoritarian, Pareto and Naive (see ``cranfield.fusion.headroom.compute_fusion_bounds``); the last is the best list
    that the retrieved documents allow. The joint RIC is on the scale of RIC, and stands beside what permuted labels
    give; ``joint.reachable`` is learned on other topics and predicts what a fusion reaches. Neither is a bound: on DL
    2019 the best fusion of ten systems passed ``reachable`` in most sets. Of all pairs, those of the largest joint RIC
    are fused.

    Args:
        runs, qrels, measures: as in ``evaluate``; pairs are compared by the first measure.
        reading: how files and runs are read, as one object; or word by word, as ``ties="docid"``: see ``InputOptions``.
        progress: called with how much is done, of how much: of the runs that are read, then of the topics too.

    Raises:
        InputError: a file is refused, runs and qrels do not fit together, or no run retrieves a judged document.
        UsageError: fewer than two runs, an argument outside its range, or a word that contradicts the object given.

    >>> import cranfield
    >>> runs = [{"q1": {"a": 3.0, "b": 2.0}}, {"q1": {"b": 3.0, "c": 2.0, "a": 1.0}}]
    >>> result = cranfield.estimate_headroom(runs, {"q1": {"a": 1, "c": 1}}, "AP", methods=("rrf",))
    >>> result.to_frame()
         kind          name measure     value
    0  single          best      AP  0.583333
    1  single          mean      AP  0.541667
    2  fusion           rrf      AP  0.583333
    3   bound         Naive      AP  1.000000
    4   bound        Pareto      AP  1.000000
    5   bound  Majoritarian      AP  1.000000
    """
    systems = FusibleSystems.read(runs, qrels, measures, InputOptions.of(reading, options), progress)
    return Headroom.of(systems, methods, pair_method, candidates, permutations, seed, progress)


def _fuse_all(systems: FusibleSystems, methods: Sequence[str]) -> list[tuple[str, Evaluation]]:
    """Scores of each fusion of all systems, and of the bounds where there are any, with their kind."""
    fusions = [systems.scored(run) for run in systems.fused_by_each(list(dict.fromkeys(methods)))]
    blocks = [("fusion", scores) for scores in fusions]
    if len(systems.rankings.document):
        oracles = compute_fusion_bounds(systems.rankings)
        blocks.append(("bound", systems.scored(oracle_runs(oracles, systems.judgments))))
    else:
        warn("no system retrieves a judged document, so that there is no bound of what a fusion could reach")
    return blocks


def _table(alone: Evaluation, blocks: list[tuple[str, Evaluation]]) -> pd.DataFrame:
    """Single systems, fusions and bounds in rows, measures in columns."""
    import pandas as pd

    best = [
        block.max() if measure.declaration.larger_is_better else block.min()
        for measure, block in zip(alone.measures, alone.summaries, strict=True)
    ]
    rows = [("single", "best", *best), ("single", "mean", *alone.summaries.mean(axis=1).tolist())]
    rows += [
        (kind, name, *values)
        for kind, block in blocks
        for name, values in zip(block.systems, block.summaries.T, strict=True)
    ]
    return pd.DataFrame(rows, columns=["kind", "name", *map(str, alone.measures)])


def _frame(alone: Evaluation) -> pd.DataFrame:
    """Systems in rows, measures in columns."""
    import pandas as pd

    index = pd.Index(alone.systems, name="system")
    return pd.DataFrame(alone.summaries.T, index=index, columns=[str(measure) for measure in alone.measures])


class InformativePair(NamedTuple):
    """Two systems by their numbers, their joint RIC and their information difference."""

    first: int
    second: int
    joint: float
    difference: float


def most_informative_pairs(experiment: Experiment, candidates: int) -> list[InformativePair]:
    """The pairs of systems with the largest joint RIC, the largest first."""
    if candidates == 0:
        return []
    joint, alone = compute_pairwise_joint(experiment)
    first, second = every_pair(len(joint))
    together = joint[first, second]
    largest = np.argsort(-np.nan_to_num(together, nan=-1.0), kind="stable")[:candidates]
    apart = (2 * joint - alone - alone.T)[first, second]
    columns = (first, second, together, apart)
    return [InformativePair(*row) for row in zip(*(column[largest].tolist() for column in columns), strict=True)]


def fuse_pairs(systems: FusibleSystems, chosen: list[InformativePair], method: str) -> tuple[pd.DataFrame, float]:
    """The chosen pairs fused, by the first measure; and what choosing among them is worth on topics held out."""
    import pandas as pd

    columns = ["system", "other", "joint", "difference", "fused", "better", "gain"]
    if not chosen:
        return pd.DataFrame(columns=columns), float("nan")
    alone, names = systems.alone, systems.lists.names
    sign = 1.0 if alone.measures[0].declaration.larger_is_better else -1.0
    runs: dict[str, Run] = {}
    for pair in chosen:
        runs |= systems.fused(method, f"{pair.first}+{pair.second}", [pair.first, pair.second])
    scores = systems.scored(runs)
    rows = []
    for number, pair in enumerate(chosen):
        fused = float(scores.summaries[0, number])
        better = sign * max(sign * alone.summaries[0, pair.first], sign * alone.summaries[0, pair.second])
        sides = names[pair.first], names[pair.second]
        rows.append((*sides, pair.joint, pair.difference, fused, better, fused - better))
    table = pd.DataFrame(rows, columns=columns)
    table = table.sort_values("fused", ascending=sign < 0, kind="stable", ignore_index=True)
    return table, _held_out(sign * np.ascontiguousarray(scores.values[0].T)) * sign


def _held_out(values: Floats) -> float:
    """Mean over topics of the value of the pair that is best on the other topics, [pairs, topics]; NaN is left out.

    NaN where no topic has others to choose on.
    """
    defined = ~np.isnan(values)
    filled = np.where(defined, values, 0.0)
    total, count = filled.sum(axis=1, keepdims=True) - filled, defined.sum(axis=1, keepdims=True) - defined
    elsewhere = np.divide(total, count, out=np.full(total.shape, -np.inf), where=count > 0)
    picked = values[elsewhere.argmax(axis=0), np.arange(values.shape[1])]
    picked = picked[np.isfinite(elsewhere).any(axis=0) & ~np.isnan(picked)]
    return float(picked.mean()) if len(picked) else float("nan")


def oracle_runs(oracles: Rankings, judgments: Qrels) -> dict[str, Run]:
    """The bounds as runs whose scores and ranks agree."""
    topics = len(judgments.topics)
    runs = {}
    for number, name in enumerate(BOUNDS):
        block = oracles.starts[number * topics : (number + 1) * topics + 1]
        rows = slice(block[0], block[-1])
        nonempty = np.flatnonzero(np.diff(block))
        starts = np.concatenate([[0], np.cumsum(np.diff(block)[nonempty])])
        ids = judgments.documents.take(oracles.document[rows])
        rank = oracles.rank[rows].copy()
        score_ = -rank.astype(np.float64)
        runs[name] = Run(name, [judgments.topics[topic] for topic in nonempty], starts, ids, score_, rank, tag=name)
    return runs


def compute_fusion_bounds(rankings: Rankings, *, abstain: Abstain = "fail", cycles: Cycles = "sort") -> Rankings:
    """Three lists a topic that no fusion makes, since each looks at the judgments; any measure can score them.

    They order the judged documents that any of the systems retrieves. **Naive**: by label. **Pareto**: one before the
    other if all systems have it so, else by label. **Majoritarian**: if at least half of the systems have it so and
    less than half the opposite, else by label.

    The last two are relations that can have cycles, and are sorted from an order that begins with the label, as
    Montague's are; so they read the judgments there too, and a start without the label moves them by up to 0.2 in mean
    RIC on TREC-COVID. The start is label, then sum of 1 / rank in the full lists, then id ascending.

    Args:
        rankings: the systems, judged.
        abstain: a system that retrieves neither document: with ``fail`` it is none of all systems that agree, as in the
            paper; with ``ignore`` the others decide (Pareto alone looks at this).
        cycles: ``sort`` or ``components``, see ``cranfield.fusion.condorcet.ordered``.

    Returns:
        Rankings of the three systems ``Naive``, ``Pareto`` and ``Majoritarian`` over the same judgments.

    Raises:
        UsageError: an argument outside its range, or the order of equal scores is open.

    Reference:
        Montague 2002, Metasearch: data fusion for document retrieval, PhD thesis, Dartmouth College; as in Golbus &
        Aslam 2013, doi:10.1145/2484028.2484073, section 6.
    """
    word("abstain", abstain, get_args(Abstain))
    word("cycles", cycles, get_args(Cycles))
    rankings.policy.check_order("sorting by what systems prefer")
    if rankings.policy.hides_negative:
        rankings = rankings.without_negatives
    pool, systems = rankings.pool, len(rankings.systems)
    kind = np.int16 if rankings.longest < np.iinfo(np.int16).max else np.int32
    table = np.full((len(pool.grade), systems), np.iinfo(kind).max, dtype=kind)
    table[rankings.document, rankings.segment // len(pool.size)] = rankings.rank
    retrieved = np.bincount(rankings.document, minlength=len(pool.grade)) > 0
    sizes = np.bincount(pool.topic[retrieved], minlength=len(pool.size))
    starts = np.concatenate([[0], np.cumsum(sizes)])
    # Summed from the largest rank on, so that the order of the runs does not move the last bit.
    heights = sum_ascending(rankings.document, 1.0 / rankings.rank, len(pool.grade))
    start = np.lexsort((-heights, -pool.grade, pool.topic))
    start = start[retrieved[start]]
    rank, grade = table[start], pool.grade[start]
    # All systems, or any where none says the opposite; and half of them.
    needed = systems if abstain == "fail" else 1, -(-systems // 2)
    orders = [np.arange(len(start)), *(_order(rank, starts, grade, votes, cycles) for votes in needed)]
    document = np.concatenate([start[order] for order in orders])
    ranks = np.arange(len(start)) - np.repeat(starts[:-1], sizes) + 1
    return replace(
        rankings,
        systems=BOUNDS,
        length=np.tile(sizes, len(BOUNDS)),
        starts=np.concatenate([[0], np.cumsum(np.tile(sizes, len(BOUNDS)))]),
        rank=np.tile(ranks, len(BOUNDS)),
        document=document,
        grade=pool.grade[document],
        first=None,
        last=None,
    )


def _order(rank: Ranks, starts: Ints, grade: Floats, need: int, cycles: Cycles) -> Ints:
    """Order the documents of every topic: by ``need`` votes where fewer systems prefer the opposite; else by label."""
    if cycles == "sort":
        return engine.current().order_by_votes(rank, starts, grade, need)
    return ordered(starts, lambda left, right: decided(rank, grade, need, left, right), cycles)
