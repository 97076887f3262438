"""Headroom: what a fusion of these systems could reach, and which two to fuse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np

from cranfield.arguments import whole
from cranfield.arrays import Floats
from cranfield.collection.policy import Policy
from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import Reading, ReadingWords
from cranfield.collection.run import Run
from cranfield.errors import UsageError
from cranfield.fusion.bounds import BOUNDS, compute_fusion_bounds
from cranfield.fusion.combination import check
from cranfield.fusion.combination import fused as fused_scores
from cranfield.fusion.lists import Lists, loaded_runs, ties_of_scores
from cranfield.information.difference import joint_of_pairs
from cranfield.information.experiment import Experiment, prepare_experiment
from cranfield.information.joint import PERMUTATIONS, JointRIC, compute_joint_ric
from cranfield.io.exchange import refuse_exchanged
from cranfield.io.intents import with_intents
from cranfield.io.runs import QrelsLike, RunsLike, qrels_of
from cranfield.results.frames import melted, tidy
from cranfield.results.result import Result, Tables
from cranfield.results.signing import signed
from cranfield.scoring import Evaluation, MeasuresLike, Progress, score
from cranfield.wording import condensed, warn

if TYPE_CHECKING:
    import pandas as pd

MEASURES = ("nDCG@10", "AP", "RIC")
METHODS = ("rrf", "combsum", "combmnz", "condorcet")
CANDIDATES = 20


@dataclass(frozen=True, eq=False, repr=False)
class Headroom(Result):
    """What a set of systems reaches alone, fused, and sorted by one who knows the judgments.

    Args:
        table: in rows ``kind`` and ``name``: the ``best`` and the ``mean`` single system, each fusion, the bounds; a
            column for each measure; as tidy rows each ``measure`` and its ``value``. Each has its own best system.
        singles: every ``system``, in columns the measures.
        pairs: the pairs of largest joint RIC: ``system``, ``other``, ``joint`` (their joint RIC), ``difference`` (their
            information difference), ``fused`` and ``better`` (the fused two and the better of them, by the first
            measure), ``gain`` = fused - better; the largest ``fused`` first.
        held_out: mean of ``fused`` where the pair of each topic is chosen on the other topics: what the choice of the
            best of so many pairs is worth on topics that it was not made on.
        joint: joint RIC of all systems beside its null.
        settings: fusions, the method of pairs, candidates.
        signature: all that changes these numbers.
    """

    charts: ClassVar[tuple[str, ...]] = ("headroom", "fused_pairs")
    table: pd.DataFrame
    singles: pd.DataFrame
    pairs: pd.DataFrame
    held_out: float
    joint: JointRIC
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {
            "table": lambda: melted(self.table, "measure", "value", ["kind", "name"]),
            "singles": lambda: melted(self.singles, "measure", "value"),
            "pairs": lambda: tidy(self.pairs),
            **self.joint.nested("joint"),
        }


def estimate_headroom(
    runs: RunsLike,
    qrels: QrelsLike,
    measures: MeasuresLike = MEASURES,
    *,
    methods: Sequence[str] = METHODS,
    pair_method: str = "rrf",
    candidates: int = CANDIDATES,
    permutations: int = PERMUTATIONS,
    seed: int = 1,
    reading: Reading | None = None,
    policy: Policy | None = None,
    progress: Progress | None = None,
    **words: Unpack[ReadingWords],
) -> Headroom:
    """What a fusion of these systems could reach, and which two to fuse.

    Beside the best single system stand fusions that know nothing of the judgments, and three lists that do:
    Majoritarian, Pareto and Naive (see ``cranfield.fusion.bounds.compute_fusion_bounds``), of which the last is the
    best that retrieving the same documents allows. The joint RIC is on the scale of RIC: it exceeded every fusion
    without judgments in what was studied, and is no bound on lists that know them. Of all pairs, those of the largest
    joint RIC are fused.

    Args:
        runs, qrels, measures: as in ``evaluate``; pairs are compared by the first measure.
        methods: of fusion, with their defaults; not ``linear``, which needs weights.
        pair_method: how pairs are fused.
        candidates: pairs that are fused; 0 for none.
        permutations, seed: of the null of the joint RIC.
        reading: how files and runs are read, as one object, see ``Reading``.
        policy: its policies alone, see ``Policy``.
        progress: called with how much is done, of how much: of the runs that are read, then of the topics too.
        words: the reading one by one: those of ``Policy``, ``input_format``, ``names``, ``rel``, ``intent_weights``,
            ``weight_sum`` and ``keep_empty_intents``.

    Raises:
        InputError: a file is refused, runs and qrels do not fit together, or no run retrieves a judged document.
        UsageError: fewer than two runs, an argument outside its range, or a word that contradicts the object given.
    """
    import pandas as pd

    for method in (*methods, pair_method):
        check(method, None, {})
    whole(0, candidates=candidates)
    how = Reading.of(reading, policy, words)
    decided = how.policy
    decided.check_order("fusion")
    refuse_exchanged(runs, qrels)
    weighing = how.intent_weights, how.weight_sum, how.keep_empty_intents
    judgments = with_intents(qrels_of(qrels, how.input_format), *weighing)
    given = loaded_runs(runs, how, progress)
    if len(given) < 2:
        raise UsageError("headroom needs two runs or more")
    read = len(given)
    # The lists are enough: what the files hold is given up while they are made.
    where: dict[str, str | Run] = {name: run.path or run for name, run in given}
    lists = Lists.of((given.pop(0) for _ in range(read)), decided)

    def step(done: int, _: int) -> None:
        if progress is not None:
            progress(read + done, read + len(judgments.topics))

    def scored(some: dict[str, Run]) -> Evaluation:
        alike = replace(decided, ties=ties_of_scores(decided))
        return score(some, judgments, measures, policy=alike, rel=how.rel, sign=False)

    seen = lists.judged_by(judgments)
    alone = score(where, judgments, measures, policy=decided, rel=how.rel, keep_rankings=True, judge=seen)
    for line in condensed(alone.remarks):
        warn(line)
    rankings = alone.rankings
    assert rankings is not None
    fusions = [
        scored({method: lists.unordered(*fused_scores(lists, method, None, {}), method)})
        for method in dict.fromkeys(methods)
    ]
    blocks = [("fusion", fused) for fused in fusions]
    if len(rankings.document):
        blocks.append(("bound", scored(as_runs(compute_fusion_bounds(rankings), judgments))))
    else:
        warn("no system retrieves a judged document, so that there is no bound of what a fusion could reach")
    asked = prepare_experiment(rankings, judgments, rel=how.rel)
    joint = compute_joint_ric(asked, permutations=permutations, seed=seed, progress=step)
    first = _best_pairs(asked, candidates)
    pairs, held_out = _fused_pairs(lists, first, alone, scored, pair_method)
    columns = [str(measure) for measure in alone.measures]
    rows = [("single", name, *values) for name, values in _singles(alone)]
    rows += [
        (kind, name, *values)
        for kind, block in blocks
        for name, values in zip(block.systems, block.summaries.T, strict=True)
    ]
    settings = {"methods": list(methods), "pair_method": pair_method, "candidates": candidates}
    settings |= {"permutations": permutations, "seed": seed}
    return Headroom(
        pd.DataFrame(rows, columns=["kind", "name", *columns]),
        pd.DataFrame(alone.summaries.T, index=pd.Index(alone.systems, name="system"), columns=columns),
        pairs,
        held_out,
        joint,
        settings,
        alone.signature() | signed("headroom", settings),
    )


def as_runs(oracles: Rankings, judgments: Qrels) -> dict[str, Run]:
    """Bounds as runs, of which scores and ranks say the same."""
    topics = len(judgments.topics)
    found = {}
    for number, name in enumerate(BOUNDS):
        block = oracles.starts[number * topics : (number + 1) * topics + 1]
        rows = slice(block[0], block[-1])
        kept = np.flatnonzero(np.diff(block))
        starts = np.concatenate([[0], np.cumsum(np.diff(block)[kept])])
        ids = judgments.documents.take(oracles.document[rows])
        rank = oracles.rank[rows].copy()
        score_ = -rank.astype(np.float64)
        found[name] = Run(name, [judgments.topics[topic] for topic in kept], starts, ids, score_, rank, tag=name)
    return found


def _singles(alone: Evaluation) -> list[tuple[str, list[float]]]:
    best = [
        block.max() if measure.declaration.larger_is_better else block.min()
        for measure, block in zip(alone.measures, alone.summaries, strict=True)
    ]
    return [("best", best), ("mean", alone.summaries.mean(axis=1).tolist())]


def _best_pairs(asked: Experiment, candidates: int) -> list[tuple[int, int, float, float]]:
    """The pairs of largest joint RIC: two numbers, joint RIC, information difference."""
    if candidates == 0:
        return []
    joint, alone = joint_of_pairs(asked)
    one, other = np.triu_indices(len(joint), 1)
    together = joint[one, other]
    order = np.argsort(-np.nan_to_num(together, nan=-1.0), kind="stable")[:candidates]
    apart = 2 * joint - alone - alone.T
    return [(int(one[at]), int(other[at]), float(together[at]), float(apart[one[at], other[at]])) for at in order]


def _fused_pairs(
    lists: Lists, chosen: list[tuple[int, int, float, float]], alone: Evaluation, scored: Any, method: str
) -> tuple[pd.DataFrame, float]:
    """The chosen pairs fused, by the first measure; and what choosing among them is worth on topics held out."""
    import pandas as pd

    columns = ["system", "other", "joint", "difference", "fused", "better", "gain"]
    if not chosen:
        return pd.DataFrame(columns=columns), float("nan")
    sign = 1.0 if alone.measures[0].declaration.larger_is_better else -1.0
    runs = {
        f"{one}+{other}": lists.unordered(*fused_scores(lists, method, None, {}, [one, other]), f"{one}+{other}")
        for one, other, _, _ in chosen
    }
    found = scored(runs)
    rows = []
    for number, (one, other, joint, apart) in enumerate(chosen):
        fused = float(found.summaries[0, number])
        better = sign * max(sign * alone.summaries[0, one], sign * alone.summaries[0, other])
        rows.append((lists.names[one], lists.names[other], joint, apart, fused, better, fused - better))
    table = pd.DataFrame(rows, columns=columns)
    table = table.sort_values("fused", ascending=sign < 0, kind="stable", ignore_index=True)
    return table, _held_out(sign * np.ascontiguousarray(found.values[0].T)) * sign


def _held_out(values: Floats) -> float:
    """Mean over topics of the value of the pair that is best on the other topics, [pairs, topics]; NaN is left out."""
    known = ~np.isnan(values)
    filled = np.where(known, values, 0.0)
    total, count = filled.sum(axis=1, keepdims=True) - filled, known.sum(axis=1, keepdims=True) - known
    elsewhere = np.divide(total, count, out=np.full(total.shape, -np.inf), where=count > 0)
    picked = values[elsewhere.argmax(axis=0), np.arange(values.shape[1])]
    picked = picked[~np.isnan(picked)]
    return float(picked.mean()) if len(picked) else float("nan")
