"""Headroom: what a fusion of these systems could reach, and which two to fuse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self, Unpack

from cranfield._text import warn
from cranfield._validation import whole
from cranfield.collection.policy import Policy
from cranfield.collection.reading import Reading, ReadingWords
from cranfield.fusion.bounds import compute_fusion_bounds
from cranfield.fusion.combination import check
from cranfield.information.experiment import Experiment
from cranfield.information.joint import JointRIC, compute_joint_ric
from cranfield.io.inputs import QrelsLike, RunsLike
from cranfield.results.frames import melted, tidy
from cranfield.results.result import Result, Tables, signed
from cranfield.scoring import Evaluation, MeasuresLike, Progress
from cranfield.synthesis.fusible import FusibleSystems
from cranfield.synthesis.oracle_runs import oracle_runs
from cranfield.synthesis.pair_fusion import fuse_pairs, most_informative_pairs
from cranfield.threads import beside

if TYPE_CHECKING:
    from concurrent.futures import Future

    import pandas as pd

MEASURES = ("nDCG@10", "AP", "RIC", "SRIC")
METHODS = ("rrf", "combsum", "combmnz", "condorcet")
CANDIDATES = 20


@dataclass(frozen=True, eq=False, repr=False)
class Headroom(Result):
    """What a set of systems achieves: each alone, fused, and reordered with knowledge of the judgments.

    Args:
        table: a row for each ``kind`` and ``name``: the ``best`` and the ``mean`` single system, each fusion, the
            bounds; a column for each measure, with its own best system; as tidy rows each ``measure`` and its
            ``value``.
        singles: a row for each ``system``, a column for each measure.
        pairs: the pairs of largest joint RIC: ``system``, ``other``, ``joint`` (their joint RIC), ``difference`` (their
            information difference), ``fused`` and ``better`` (the fused two and the better of them, by the first
            measure), ``gain`` = fused - better; the largest ``fused`` first.
        held_out: mean of ``fused`` where the pair for each topic is chosen on the other topics: what choosing the best
            of so many pairs is worth on topics that had no part in the choice; NaN of a single topic.
        joint: joint RIC of all systems: beyond chance, reachable on topics that had no part in it, and its null.
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

    @classmethod
    def of(
        cls,
        systems: FusibleSystems,
        methods: Sequence[str] = METHODS,
        pair_method: str = "rrf",
        candidates: int = CANDIDATES,
        permutations: int | None = None,
        seed: int = 1,
        progress: Progress | None = None,
        asked: Callable[[], Experiment] | None = None,
        joint: Future[JointRIC] | None = None,
    ) -> Self:
        """``estimate_headroom`` of systems that are read already, and with their joint RIC where it is computed.

        ``asked`` is waited for before pairs are fused: what it gives may have counted the pairs of systems already.
        """
        read, alone = len(systems.lists.names), systems.alone

        def step(done: int, _: int) -> None:
            if progress is not None:
                progress(read + done, read + len(systems.judgments.topics))

        if asked is None or joint is None:
            experiment = systems.experiment()
            asked = lambda: experiment  # noqa: E731
            joint = beside(lambda: compute_joint_ric(experiment, permutations=permutations, seed=seed, progress=step))
        blocks = _lists_of_all(systems, methods)
        pairs, held_out = fuse_pairs(systems, most_informative_pairs(asked(), candidates), pair_method)
        told = joint.result()
        settings = {"methods": list(methods), "pair_method": pair_method, "candidates": candidates}
        settings |= {"permutations": told.settings["permutations"], "seed": seed}
        return cls(
            _table(alone, blocks),
            _frame(alone),
            pairs,
            held_out,
            told,
            settings,
            alone.signature() | signed("headroom", settings),
        )

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
    permutations: int | None = None,
    seed: int = 1,
    reading: Reading | None = None,
    policy: Policy | None = None,
    progress: Progress | None = None,
    **words: Unpack[ReadingWords],
) -> Headroom:
    """What a fusion of these systems could reach, and which two to fuse.

    The best single system is compared with fusions that do not use the judgments, and with three lists that do:
    Majoritarian, Pareto and Naive (see ``cranfield.fusion.bounds.compute_fusion_bounds``); the last is the best list
    that the retrieved documents allow. The joint RIC is on the scale of RIC, and stands beside what permuted labels
    give; ``joint.reachable`` is learned on other topics and predicts what a fusion reaches. Neither is a bound: on DL
    2019 the best fusion of ten systems passed ``reachable`` in most sets. Of all pairs, those of the largest joint RIC
    are fused.

    Args:
        runs, qrels, measures: as in ``evaluate``; pairs are compared by the first measure.
        methods: of fusion, with their defaults; not ``linear``, which needs weights.
        pair_method: how pairs are fused.
        candidates: pairs that are fused; 0 for none.
        permutations, seed: of the null of the joint RIC; see ``compute_joint_ric``.
        reading: how files and runs are read, as one object, see ``Reading``.
        policy: its policies alone, see ``Policy``.
        progress: called with how much is done, of how much: of the runs that are read, then of the topics too.
        words: the reading one by one: those of ``Policy``, ``input_format``, ``names``, ``rel``, ``intent_weights``,
            ``weight_sum`` and ``keep_empty_intents``.

    Raises:
        InputError: a file is refused, runs and qrels do not fit together, or no run retrieves a judged document.
        UsageError: fewer than two runs, an argument outside its range, or a word that contradicts the object given.
    """
    for method in (*methods, pair_method):
        check(method, None, {})
    whole(0, candidates=candidates)
    systems = FusibleSystems.read(runs, qrels, measures, Reading.of(reading, policy, words), progress)
    return Headroom.of(systems, methods, pair_method, candidates, permutations, seed, progress)


def _lists_of_all(systems: FusibleSystems, methods: Sequence[str]) -> list[tuple[str, Evaluation]]:
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

    rows = [("single", name, *values) for name, values in _singles(alone)]
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


def _singles(alone: Evaluation) -> list[tuple[str, list[float]]]:
    """The best and the mean value of the single systems, measure by measure."""
    best = [
        block.max() if measure.declaration.larger_is_better else block.min()
        for measure, block in zip(alone.measures, alone.summaries, strict=True)
    ]
    return [("best", best), ("mean", alone.summaries.mean(axis=1).tolist())]
