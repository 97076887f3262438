"""The random experiment behind RIC: draw a pair of documents of which one is better, and see which one systems prefer.

Its options say how pairs are drawn, and what part of the lists is seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeAlias, Unpack

import numpy as np

from cranfield import engine
from cranfield._frozen import Caching, Frozen
from cranfield._message import name_value, setting
from cranfield._text import condensed, in_full, listed, warn
from cranfield._typing import Floats, Ints
from cranfield._validation import list_names
from cranfield._version import package_version
from cranfield.collection.policy import CHOICES, REWRITING
from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import InputOptions, LevelOptions
from cranfield.declarations.analysis import FromRuns, with_options
from cranfield.declarations.checks import GIVEN, Rule
from cranfield.declarations.option import Option
from cranfield.errors import UsageError
from cranfield.findings.catalogue import DEPTH
from cranfield.information.judgment_sources import Evidence
from cranfield.information.outcome_counts import OutcomeCells, count
from cranfield.information.pairs import Pairs, PairWeight, Positions, SmallInts
from cranfield.information.stopping_user import StoppingUser, Told
from cranfield.io.inputs import QrelsLike, RunsLike, convert_qrels, refuse_exchanged
from cranfield.io.skipped_runs import signed_left_out
from cranfield.measures import parse_measure
from cranfield.scores.signature import sign_qrels
from cranfield.scoring import score
from cranfield.scoring.evaluation import sign_premises
from cranfield.scoring.unjudged_shares import sign_shares

WHAT = "an experiment on pairs of documents"
JudgmentsLike: TypeAlias = "QrelsLike | Evidence"
CutoffOption: TypeAlias = Annotated[
    int | None,
    Option(
        "Cut lists after this rank, before unjudged documents are dropped.",
        low=1,
        default="none",
        flags=("-k",),
        recorded=False,
    ),
]
PairWeightOption: TypeAlias = Annotated[
    PairWeight,
    Option(
        "Weight pairs of documents equally, or by p^(i - 1), i the better rank that a system gives to either document; "
        "from Python also by a function of both ranks.",
        recorded=False,
    ),
]
PairDecayOption: TypeAlias = Annotated[
    float, Option("p of {pair_weight=geometric}, as of RBP.", low=0, high=1, open=True, flags=("-p",), recorded=False)
]
PersistenceOption: TypeAlias = Annotated[
    float | None,
    Option(
        "Probability that a user continues to the next rank, as in SRIC.",
        low=0,
        high=1,
        open=True,
        default="users read the complete list",
        recorded=False,
    ),
]
DRAWING_RULES = (
    Rule({"p": GIVEN, "pair_weight": "uniform"}, "{p} changes nothing without {pair_weight=geometric}: leave it out"),
    Rule(
        {"persistence": GIVEN, "pair_weight": GIVEN},
        "{persistence} and {pair_weight} are two kinds of attention: give one of them",
    ),
)
FROM_JUDGED_RUNS = FromRuns(
    measures="none",
    progress="comparing documents",
    policies=("ties", "missing", "compat", "on_duplicate", *REWRITING),
    rel="Cut lists after their last document with this label or a larger one.  [default: 1]",
    evidence=True,
)
"""The inputs of all analyses that draw pairs of documents; other policies change nothing where labels are compared."""


class Experiment(Caching, Frozen):
    """Pairs of documents, and the preferences of systems between them: the input of I(R; Q) and all that follows.

    Drawn from all ordered pairs of judged documents of a topic with different labels, uniformly or weighted. Q = 1 if
    the first has the larger label, else 0. R_S = 1 if S puts the first before the second, -1 if after, 0 if it
    retrieves neither; unjudged documents are dropped, lists end after their last relevant document, and a retrieved
    document ranks before all others (Golbus & Aslam 2013, doi:10.1145/2484028.2484073).

    Make one with ``cranfield.information.prepare_experiment``, once, and give it to several analyses in place of runs
    and judgments. It is what they are made from, as ``Rankings`` are, and no ``Result``: it has no table, and is equal
    to itself alone. Its ``signature`` and ``settings`` stand in theirs.
    """

    def __init__(
        self,
        positions: Positions,
        topics: tuple[str, ...],
        pairs: tuple[Pairs, ...],
        pair_weight: PairWeight,
        p: float,
        stopping: StoppingUser | None,
        signature: dict[str, Any],
    ) -> None:
        self.positions = positions
        self.topics = topics
        self.pairs = pairs
        self.pair_weight = pair_weight
        self.p = p
        self.stopping = stopping
        self.signature = signature
        self._freeze()

    def __repr__(self) -> str:
        size = sum(pairs.size for pairs in self.pairs)
        return f"Experiment({len(self.systems)} systems x {len(self.topics)} topics, {size:,} pairs)"

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""
        return self.positions.systems

    @property
    def settings(self) -> dict[str, Any]:
        """The options of the experiment that change its numbers; see ``prepare_experiment``."""
        names = ("rel", "cutoff", "pair_weight", "p", "persistence")
        return {name: self.signature[name] for name in names if name in self.signature}

    def of_systems(self, systems: str | Sequence[str]) -> Experiment:
        """The experiment with a subset of the systems. A weight by places is then that of these systems.

        Args:
            systems: their names, in the order wanted.

        Raises:
            UsageError: an unknown system, one twice, or none.
        """
        return self._select(self.numbers(systems))

    def numbers(self, systems: str | Sequence[str]) -> list[int]:
        """The positions of these systems in ``systems``.

        Raises:
            UsageError: an unknown system, one twice, or none.
        """
        numbers = {name: number for number, name in enumerate(self.systems)}
        chosen = list_names(systems=systems)
        if not chosen or len(set(chosen)) < len(chosen):
            raise UsageError(f"{setting('systems', systems)} should be a list of different names")
        for name in chosen:
            if name not in numbers:
                raise UsageError(f"there is no system {name_value(name)}; there are {', '.join(self.systems[:10])}")
        return [numbers[name] for name in chosen]

    def _select(self, chosen: list[int]) -> Experiment:
        runs = self.signature["runs"]
        signature = {**self.signature, "runs": [runs[number] for number in chosen]}
        return Experiment(
            self.positions.select_systems(chosen),
            self.topics,
            self.pairs,
            self.pair_weight,
            self.p,
            self.stopping,
            signature,
        )

    @property
    def of_labels(self) -> bool:
        """Return whether labels alone decide which of two documents is better."""
        return all("kind" not in source for source in self.signature["judgments"])

    @property
    def counted(self) -> Floats:
        """1 for topics that have a pair, NaN for those without, which have no value; float64 [topics].

        A user who stops needs a topic whose ideal list tells something.
        """
        has_pairs = np.array([pairs.size > 0 for pairs in self.pairs], dtype=np.bool_)
        return np.where(has_pairs if self.stopping is None else has_pairs & (self.stopping.ideal > 0), 1.0, np.nan)

    def looks(self, topic: int, order: Ints | None = None) -> tuple[SmallInts, Floats | None]:
        """Positions [systems, documents] of a topic, and weights of pairs; see ``Positions.ended`` for ``order``."""
        positions = self.positions.ended(topic, order)
        return positions, self.pairs[topic].weights(positions, self.pair_weight, self.p)

    def expect(
        self, topic: int, compute: Callable[[SmallInts, Floats | None], Told], order: Ints | None = None
    ) -> Told:
        """Compute a value of a topic from complete lists, or its mean over the ranks at which the user stops.

        Args:
            topic: its number.
            compute: from ranks and weights, as of ``looks``, to numbers.
            order: see ``Positions.ended``.
        """
        if self.stopping is None:
            return compute(*self.looks(topic, order))
        return self.stopping.mean(self.positions, topic, lambda positions: compute(positions, None), order)

    def cells(self, topic: int, order: Ints | None = None) -> OutcomeCells:
        """Joint outcomes of all systems over the pairs of a topic."""
        positions, weight = self.looks(topic, order)
        return count(self.pairs[topic], positions, weight)


@with_options(*DRAWING_RULES)
def prepare_experiment(
    runs: RunsLike | Rankings | Experiment,
    qrels: JudgmentsLike | None = None,
    *,
    cutoff: CutoffOption = None,
    pair_weight: PairWeightOption = "uniform",
    p: PairDecayOption = 0.8,
    persistence: PersistenceOption = None,
    reading: InputOptions | None = None,
    **options: Unpack[LevelOptions],
) -> Experiment:
    """Read runs and judgments once, for all analyses of pairs of documents.

    Ranks that weigh pairs are those among the judged documents. A function is given the ranks of the better and of the
    worse document (arrays from 1; inf where one is not retrieved), and the largest of its values over systems counts:
    all systems of an experiment are compared on the same pairs. No systems should be ranked by geometric weights: a
    list that ends after its first relevant document is perfect by them, and joint RIC may fall when a system is added
    (docs/information.md).

    With ``persistence``, a value is the mean over the ranks at which the user may stop, divided by that of the ideal
    list, as of the measure ``SRIC``.

    Args:
        runs: as in ``evaluate``; or Rankings that were judged by the same qrels; or an Experiment, which is returned.
        qrels: as in ``evaluate``; or Evidence of several sources, which has no ideal list, and so takes no
            ``persistence``.
        reading: how files and runs are read, as one object; or word by word, as ``ties="docid"``: see ``InputOptions``.
            A list ends after its last document of label ``rel`` or more, 1 by default.

    Raises:
        InputError: a file is refused, or runs and judgments do not fit together.
        UsageError: an option that does not exist or lies outside its range, or something beside an Experiment.

    Reference:
        Golbus & Aslam 2013, doi:10.1145/2484028.2484073.
    """
    return take_experiment(runs, qrels, cutoff, pair_weight, p, persistence, reading, options)


def take_experiment(
    runs: RunsLike | Rankings | Experiment,
    qrels: JudgmentsLike | None,
    cutoff: int | None,
    pair_weight: PairWeight,
    p: float,
    persistence: float | None,
    reading: InputOptions | None,
    options: LevelOptions,
) -> Experiment:
    """``prepare_experiment`` for functions that take the same arguments, and have checked them."""
    if isinstance(runs, Experiment):
        drawn = (cutoff, pair_weight, p, persistence) != (None, "uniform", 0.8, None)
        if drawn or options or any(given is not None for given in (qrels, reading)):
            raise UsageError("an Experiment has its own judgments and options: give nothing else")
        return runs
    if qrels is None:
        raise UsageError("judgments are missing: give qrels, or Evidence")
    refuse_exchanged(runs, qrels)
    differs = reading is not None and isinstance(runs, Rankings) and reading.policy != runs.policy
    if isinstance(runs, Rankings) and (differs or any(word in CHOICES for word in options)):
        raise UsageError("rankings were judged under a policy of their own: give none")
    how = InputOptions.of(reading, options, LevelOptions)
    return _experiment(runs, qrels, how, cutoff, pair_weight, p, persistence)


def _experiment(
    runs: RunsLike | Rankings,
    qrels: JudgmentsLike,
    reading: InputOptions,
    cutoff: int | None,
    pair_weight: PairWeight,
    p: float,
    persistence: float | None,
) -> Experiment:
    rel = reading.level
    evidence = qrels if isinstance(qrels, Evidence) else None
    if evidence is not None and persistence is not None:
        raise UsageError(
            f"{setting('persistence')} compares with the ideal list, which needs labels: give qrels, not Evidence"
        )
    judged = evidence.qrels if evidence is not None else convert_qrels(qrels, **reading.judgment_options)  # type: ignore[arg-type]
    if isinstance(runs, Rankings):
        runs.policy.check_order(WHAT)
        rankings, described = _fitting(runs, judged), [{"name": name} for name in runs.systems]
    else:
        reading.policy.check_order(WHAT)
        rankings, described = _judge(runs, judged, reading)
    systems = tuple(run["name"] for run in described)
    positions = Positions.from_rankings(rankings, systems, 1 if evidence is not None else rel, cutoff)
    if evidence is not None:
        pairs = evidence.pairs
    else:
        pairs = tuple(Pairs.from_labels(positions.labels(topic)) for topic in range(len(judged.topics)))
    empty = [topic for topic, topic_pairs in zip(judged.topics, pairs, strict=True) if not topic_pairs.size]
    if empty:
        warn(f"{in_full(judged.path or judged.name)}: RIC has no value in {listed(empty)}, left out of its mean")
    sources = evidence.digest if evidence is not None else [sign_qrels(judged)]
    # By these names results say which documents are relevant, and how many are left out as nobody judged them.
    measure = parse_measure(f"RIC(rel={rel!r})" if cutoff is None else f"RIC(rel={rel!r})@{cutoff}")
    premises = rankings.policy.as_dict() if evidence is not None else sign_premises([measure], judged, rankings.policy)
    signature = {
        "cranfield": package_version(),
        "engine": engine.current().NAME,
        **premises,
        "rel": evidence.rel if evidence is not None else rel,
        "cutoff": cutoff,
        "pair_weight": pair_weight if isinstance(pair_weight, str) else getattr(pair_weight, "__name__", "function"),
        **({"p": p} if pair_weight == "geometric" else {}),
        **({} if persistence is None else {"persistence": persistence}),
        "judgments": sources,
        "runs": sign_shares(described, rankings, min(cutoff or DEPTH, DEPTH)),
        **signed_left_out(),
    }
    stopping = (
        None if persistence is None else StoppingUser.make(positions.pool, rankings.policy, rel, persistence, cutoff)
    )
    return Experiment(positions, judged.topics, pairs, pair_weight, p, stopping, signature)


def _judge(runs: RunsLike, qrels: Qrels, reading: InputOptions) -> tuple[Rankings, list[dict[str, str]]]:
    """Runs seen through qrels, and what the signature says of them; what a careful reader should know is warned of."""
    table = score(runs, qrels, "NumRet", reading=reading, keep_rankings=True)
    for line in condensed(table.remarks):
        warn(line)
    assert table.rankings is not None
    return table.rankings, table.signature()["runs"]


def _fitting(rankings: Rankings, qrels: Qrels) -> Rankings:
    """Rankings over this pool.

    Raises:
        UsageError: they were judged by other qrels.
    """
    pool = rankings.pool
    same = np.array_equal(pool.starts, qrels.pool.starts) and np.array_equal(pool.grade, qrels.pool.grade)
    if not same:
        raise UsageError(f"these rankings were not judged by {qrels.name}: judge them by the qrels given here")
    return rankings
