"""The number of judgments that would have ordered these systems alike, by simulating orders of judging."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Unpack, get_args

import numpy as np

from cranfield._message import setting
from cranfield._text import counted
from cranfield._typing import Floats, Ints
from cranfield._validation import list_names
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import InputOptions, ReadingOptions
from cranfield.declarations.analysis import FromRuns, View, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import SeedOption
from cranfield.errors import InputError, UsageError
from cranfield.io.inputs import QrelsLike, RunsLike, named_runs, refuse_exchanged
from cranfield.pooling.pools import DEPTH, pooled_lists
from cranfield.pooling.rescoring import agreement, judged_once, means_with
from cranfield.pooling.selection_orders import ORDERS, OrderName, Pooled
from cranfield.results.columns import Column
from cranfield.results.result import Result, signed
from cranfield.scoring import Evaluation, MeasuresLike, Progress

if TYPE_CHECKING:
    import pandas as pd

MEASURES = ("AP", "nDCG@10")
TRIALS, TARGET = 3, 0.9
EVERY_ORDER: tuple[OrderName, ...] = get_args(OrderName)
STEPS = (10, 20, 50)
"""Budgets by default, and ten, a hundred times them, up to the largest pool."""


@dataclass(frozen=True, eq=False, repr=False)
class Budget(Result):
    """Agreement of the order of systems by fewer judgments with that by all, in several orders of judging.

    Args:
        needed: a row for each ``measure`` and ``order``; NaN where no budget is enough.
        curve: a row for each ``measure``, ``order`` and ``budget``; means over trials where they differ.
        judged: judged documents of all topics.
        relevant: the relevant ones.
        outside: judged documents that no run has in the pool, which no budget reaches.
        settings: orders, budgets, the depth of the pool, trials, target, rel and seed.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "needed": (
            Column("budget", "judgments of each topic from which on tau stays at the target or above", integer=True),
            Column("judgments", "of all topics that it comes to", integer=True),
            Column("share", "of all judgments"),
        ),
        "curve": (
            Column("budget", integer=True),
            Column("judgments", integer=True),
            Column("found", "share of the relevant documents that are among them"),
            Column("tau", "mean over trials of tau_b of the means of all systems with those by all judgments"),
            Column("least", "its smallest"),
            Column("bias", "mean over systems of the mean score by fewer judgments minus that by all"),
        ),
    }
    needed: pd.DataFrame
    curve: pd.DataFrame
    judged: int
    relevant: int
    outside: int
    settings: dict[str, Any]
    signature: dict[str, Any]

    def caption(self, table: str) -> str:
        """Describe the judgments and the settings of the repeated judging."""
        settings = self.settings
        return (
            f"{counted(self.judged, 'judged document')}, {self.relevant:,} relevant; {self.outside:,} in no run's "
            f"first {settings['depth']:,}; tau of {settings['target']:g} is enough; "
            f"{counted(settings['trials'], 'trial')}, seed {settings['seed']}"
        )


@analysis(
    "pool budget",
    "Find how many judgments per topic order systems as all do.",
    FromRuns(MEASURES, progress="reading and judging"),
    views=(
        View("needed", "the smallest budget from which tau stays at or above the target."),
        View("curve", "every budget."),
    ),
    steps=lambda options: len(options.get("orders") or ORDERS) * options["trials"],
    examples=("qrels.txt runs/*.run", "qrels.txt runs/*.run --order depth --show curve"),
)
def estimate_budget(
    runs: RunsLike,
    qrels: QrelsLike,
    measures: MeasuresLike = MEASURES,
    *,
    orders: Annotated[
        OrderName | Sequence[OrderName],
        Option("The order in which documents are judged.", flags=("--order",), default="all"),
    ] = EVERY_ORDER,
    budgets: Annotated[
        Sequence[int] | None,
        Option(
            "Judgments per topic.",
            low=1,
            flags=("--budget",),
            default="10, 20, 50, 100, ... up to the largest pool",
        ),
    ] = None,
    depth: Annotated[int, Option("Documents of each run that are pooled.", low=1)] = DEPTH,
    target: Annotated[float, Option("Sufficient tau_b.", low=0, high=1, open=True)] = TARGET,
    trials: Annotated[int, Option("Repetitions of each order.", low=1)] = TRIALS,
    seed: SeedOption = 1,
    reading: InputOptions | None = None,
    progress: Progress | None = None,
    **options: Unpack[ReadingOptions],
) -> Budget:
    """Estimate how many judgments per topic suffice to order these systems as all judgments do.

    The pool of a topic is what runs have among their first ``depth`` documents and the qrels judge. An order picks one
    document after the other, and sees the labels of those it picked; the first ``budget`` of them are kept, every other
    document becomes unjudged, and all systems are scored anew. ``random`` and ``depth`` do not look at labels.
    ``mtf`` (move to front) stays with a run until a document of it is not relevant. The others take a run for an arm of
    a bandit whose share of relevant documents has a Beta distribution: ``thompson`` draws from it, ``max-mean`` takes
    the largest mean, and ``max-mean-ns`` that of the last document alone. Runs of equal worth are tried at random.

    The labels that these runs were judged by are taken as the truth, and documents that nobody judged cost nothing
    here.

    Args:
        runs, qrels, measures: as in ``evaluate``; at least two runs.
        reading: how files and runs are read, as one object; or word by word, as ``ties="docid"``: see ``InputOptions``.
        progress: called with how much is done, of how much: of the runs that are read, then of the trials too.

    Raises:
        InputError: a file is refused, runs and qrels do not fit together, or no run has a judged document in the pool.
        UsageError: fewer than two runs, an unknown order, or a number outside its range.

    References:
        Cormack, Palmer & Clarke 1998, Efficient construction of large test collections. doi:10.1145/290941.291009
        Losada, Parapar & Barreiro 2016, Feeling lucky? Multi-armed bandits for ordering judgements in pooling-based
        evaluation. doi:10.1145/2851613.2851692
    """
    chosen = tuple(dict.fromkeys(list_names(orders=orders)))
    if not chosen:
        raise UsageError(f"{setting('orders', [])} names no order: choose from {', '.join(ORDERS)}")
    reading = InputOptions.of(reading, options)
    refuse_exchanged(runs, qrels)
    inputs = named_runs(runs, reading.names, reading.columns)
    if len(inputs) < 2:
        raise UsageError("a budget needs two runs or more, whose order it is about")

    def step(done: int, _: int) -> None:
        if progress is not None:
            progress(done, len(inputs) + len(chosen) * trials)

    scores, rankings = judged_once(inputs, qrels, measures, reading, step)
    rel = 1.0 if reading.rel is None else float(reading.rel)
    pools = list(pooled_lists(rankings, depth, rankings.pool.grade >= rel))
    largest = max(len(np.unique(np.concatenate(pool.lists))) for _, pool in pools)
    if not largest:
        text = f"no run has a judged document among its first {depth:,}: there is nothing to pool"
        raise InputError(text, scores.qrels.location, code="empty")
    sizes = sorted(set(budgets)) if budgets else _sizes(largest)
    simulation = _Simulation(scores, rankings, pools, sizes, rel)
    rows: list[dict[str, Any]] = []
    for number, order in enumerate(chosen, 1):
        rows += simulation.curve_rows(order, trials, seed)
        step(len(inputs) + number * trials, 0)
    settings = record_options(estimate_budget, locals(), orders=list(chosen), budgets=sizes, rel=rel)
    return _result(scores, rows, simulation, settings)


def _sizes(largest: int) -> list[int]:
    """The usual budgets below the largest pool, and that."""
    sizes = [step * 10**power for power in range(len(str(largest))) for step in STEPS]
    return [*(size for size in sizes if size < largest), largest]


class _Simulation:
    """Judge documents again that were judged, fewer of them.

    Args:
        scores: by all judgments.
        rankings: of the same runs.
        pools: of all topics, see ``pooled_lists``.
        sizes: budgets, ascending.
        rel: smallest label of a relevant document.
    """

    def __init__(
        self,
        scores: Evaluation,
        rankings: Rankings,
        pools: Sequence[tuple[int, Pooled]],
        sizes: Sequence[int],
        rel: float,
    ) -> None:
        self.scores, self.rankings, self.pools, self.sizes = scores, rankings, pools, sizes
        self.relevant = rankings.pool.grade >= rel

    @property
    def outside(self) -> int:
        """Judged documents that no run has in the pool."""
        inside = np.zeros(len(self.relevant), dtype=bool)
        for first, pool in self.pools:
            inside[first + np.concatenate(pool.lists)] = True
        return int((~inside).sum())

    def curve_rows(self, order: str, trials: int, seed: int) -> list[dict[str, Any]]:
        """The curve of one order: means over trials, for each budget and measure."""
        tries = [self._try(order, [seed, trial]) for trial in range(trials)]
        judged, found_shares, taus, biases = (np.stack(fact) for fact in zip(*tries, strict=True))
        rows = []
        for number, size in enumerate(self.sizes):
            spent = float(judged[:, number].mean())
            same = {"order": order, "budget": size, "judgments": spent, "share": spent / len(self.relevant)}
            same["found"] = float(found_shares[:, number].mean())
            for index, measure in enumerate(self.scores.measures):
                tau = taus[:, number, index]
                facts = {"tau": float(tau.mean()), "least": float(tau.min())}
                rows.append({"measure": str(measure), **same, **facts, "bias": float(biases[:, number, index].mean())})
        return rows

    def _try(self, order: str, seeds: list[int]) -> tuple[Floats, Floats, Floats, Floats]:
        """Judgments and share of relevant documents [budgets], tau and bias [budgets, measures] of one trial."""
        # Numbers of a topic's own, so that a budget picks the same documents whatever other budgets there are.
        rngs = [np.random.default_rng([*seeds, topic]) for topic in range(len(self.pools))]
        drawn = zip(self.pools, rngs, strict=True)
        picked = [first + ORDERS[order](pool, self.sizes[-1], rng) for (first, pool), rng in drawn]
        full, total = self.scores.summaries, max(int(self.relevant.sum()), 1)
        judged, found_shares = np.zeros((2, len(self.sizes)))
        taus, biases = np.zeros((2, len(self.sizes), len(full)))
        for number, size in enumerate(self.sizes):
            rows: Ints = np.concatenate([documents[:size] for documents in picked])
            keep = np.zeros(len(self.relevant), dtype=bool)
            keep[rows] = True
            means = means_with(self.scores, self.rankings, keep)
            judged[number], found_shares[number] = len(rows), self.relevant[rows].sum() / total
            for index, (fewer, all_) in enumerate(zip(means, full, strict=True)):
                taus[number, index] = agreement(fewer, all_)
                biases[number, index] = np.mean(fewer - all_)
        return judged, found_shares, taus, biases


def _result(
    scores: Evaluation, rows: list[dict[str, Any]], simulation: _Simulation, settings: dict[str, Any]
) -> Budget:
    import pandas as pd

    curve = pd.DataFrame(rows)
    names = [str(measure) for measure in scores.measures]
    position = curve["measure"].map({name: number for number, name in enumerate(names)})
    curve = curve.iloc[np.argsort(position.to_numpy(), kind="stable")].reset_index(drop=True)
    needed = []
    for (measure, order), part in curve.groupby(["measure", "order"], sort=False):
        short = np.flatnonzero(~(part["tau"].to_numpy() >= settings["target"]))
        first = int(short[-1]) + 1 if len(short) else 0
        enough = part.iloc[first] if first < len(part) else dict.fromkeys(("budget", "judgments", "share"), np.nan)
        row = {"measure": measure, "order": order}
        needed.append(row | {name: float(enough[name]) for name in ("budget", "judgments", "share")})
    return Budget(
        pd.DataFrame(needed),
        curve,
        judged=len(simulation.relevant),
        relevant=int(simulation.relevant.sum()),
        outside=simulation.outside,
        settings=settings,
        signature=scores.signature() | signed("budget", settings),
    )
