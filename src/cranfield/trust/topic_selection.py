"""Which few topics would do: greedy subsets, checked on systems that did not choose them, and topics by ease."""

from __future__ import annotations

import math
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias, Union

import numpy as np

from cranfield._message import setting
from cranfield._text import cut, listed, quoted, shown
from cranfield._typing import Floats, Ints
from cranfield._validation import between
from cranfield.declarations.analysis import Derived, FromScores, analysis
from cranfield.declarations.checks import GIVEN, Rule
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import MissingScoresOption, SeedOption
from cranfield.errors import InputError, UsageError
from cranfield.results.columns import Column
from cranfield.results.frames import tidy
from cranfield.results.result import Result, Tables
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.opening import Needs, open_scores
from cranfield.scores.scale import comparable
from cranfield.scores.topic_groups import TopicGroups
from cranfield.statistics.numeric import CELLS
from cranfield.statistics.rank_correlation import tau_b

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr


Objective = Literal["Phi", "tau_b", "ease"]


@dataclass(frozen=True, eq=False, repr=False)
class TopicSelection(Result):
    """A greedy subset of topics.

    Args:
        topics: each ``topic`` in the ``order`` in which they were chosen.
        curve: of each number of ``topics``, from 2 on (the index).
        choosing: the systems that chose; as tidy rows each ``system`` and whether it ``chose``.
        held_out: the others.
        measure: whose scores.
        settings: of the analysis.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "curve": (
            Column("chosen_by", "the objective for the systems that chose"),
            Column("held_out", "for the others"),
            Column("random", "mean over random subsets, for the others"),
            Column("random_low", "to random_high, 95% of these"),
            Column("random_high"),
        )
    }
    topics: tuple[str, ...]
    curve: pd.DataFrame
    choosing: tuple[str, ...]
    held_out: tuple[str, ...]
    measure: str
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        import pandas as pd

        halves = [(name, True) for name in self.choosing] + [(name, False) for name in self.held_out]
        return {
            "curve": lambda: tidy(self.curve),
            "topics": lambda: pd.DataFrame({"order": range(1, len(self.topics) + 1), "topic": self.topics}),
            "systems": lambda: pd.DataFrame(halves, columns=["system", "chose"]),
        }

    def printed_rows(self, table: str) -> pd.DataFrame:
        """The curve from one topic on, which has no value by itself, with the topic that each row adds."""
        if table != "curve":
            return self.to_frame(table)
        rows = self.curve.reindex(range(1, len(self.topics) + 1)).rename_axis("topics").reset_index()
        rows.insert(1, "topic", list(self.topics))
        return rows

    def caption(self, table: str) -> str:
        """Which systems chose, by what, and which checked."""
        objective, choosing, checking = self.settings["objective"], len(self.choosing), len(self.held_out)
        halves = f"{choosing:,} and {checking:,} systems check the choice by ease, with Phi"
        if objective != "ease":
            halves = f"{choosing:,} systems chose by {objective}, {checking:,} checked"
        return f"{shown(self.measure)}: {halves}; seed {self.settings['seed']}"


EaseLike: TypeAlias = Union[str, "os.PathLike[str]", Mapping[str, float], "pd.Series[float]", "xr.DataArray"]


@analysis(
    "audit select-topics",
    "Choose topics that order systems as all topics do.",
    FromScores("one"),
    rules=(Rule({"objective": ("Phi", "tau_b"), "ease": GIVEN}, "{ease} is for {objective=ease}: leave it out"),),
    derived=(Derived("ease", {"objective": "ease"}, "cranfield.topic_difficulty.estimation:estimate_ease"),),
    examples=("qrels.txt runs/*.run -n 20", "--scores scores.csv -n 20 --objective tau_b"),
)
def select_topics(
    scores: ScoresLike,
    n_topics: Annotated[int, Option("Number of topics to choose, up to all.", low=2, flags=("-n",))],
    *,
    objective: Annotated[
        Objective,
        Option("Maximize the reliability of the subset or its correlation with all topics, or choose ease near 1/2."),
    ] = "Phi",
    ease: Annotated[
        EaseLike | None,
        Option(
            "With {objective=ease}, the ease of each topic, from 0 to 1: the output of `cranfield difficulty -f tsv`; "
            "from Python also `estimate_difficulty(...).ease`. Topics without ease (nan) are chosen last.",
            metavar="FILE",
            default="on the command line, that of these runs",
            recorded=False,
        ),
    ] = None,
    subsets: Annotated[int, Option("Random subsets of each size to compare with.", low=1)] = 100,
    seed: SeedOption = 1,
    missing_scores: MissingScoresOption = None,
) -> TopicSelection:
    """Choose topics one by one with half of the systems, and check the choice on the other half.

    ``Phi`` maximises the reliability of means over the subset, var_s / (var_s + (var_t + var_e) / n) with the variance
    components of the subset; ``tau_b`` the correlation of the subset's order of systems with that of all topics (ties
    between topics go to the smaller sum of squared differences from all topics' means, centred, then to the earlier).
    Half of the systems, drawn at random, choose; the other half says whether the choice is any better than random
    topics: a subset that is good for the systems that chose it need not be good for another. ``ease`` chooses the
    topics whose ease is nearest 1/2, where systems differ most in whether they beat chance, whatever the scores; both
    halves then check it, by Phi. An ease that was estimated from the same systems has seen both halves.

    Args:
        scores: of one measure, dims (topic, system), complete; at least four systems.

    Raises:
        InputError: fewer than four systems or two topics, a missing score or ease, or scores that are all equal.
        UsageError: an unknown word, numbers outside their range, or an ease without ``objective="ease"``.

    References:
        Gienapp, Stein, Hagen & Potthast 2020, Estimating topic difficulty using normalized discounted cumulated gain.
        CIKM.
        Guiver, Mizzaro & Robertson 2009, A few good topics. doi:10.1145/1629096.1629099

    >>> import cranfield
    >>> made = cranfield.simulation.simulate_runs(n_systems=5, n_topics=12)
    >>> scores = cranfield.evaluate(made.runs, made.qrels, "AP")
    >>> cranfield.select_topics(scores, 4, subsets=20).topics
    ('3', '4', '8', '10')
    """
    if objective == "ease" and ease is None:
        request = f"{setting('objective', objective)} needs {setting('ease')}"
        raise UsageError(f"{request}, of each topic: the output of `cranfield difficulty -f tsv`")
    needs = Needs("topic selection", topics=2, systems=4, complete=True)
    matrix = open_scores(scores, needs, missing_scores=missing_scores)
    table = matrix.values
    between(2, len(table), ", the number of topics", n_topics=n_topics)
    if np.ptp(table) == 0:
        raise InputError(f"{matrix.called}: all scores are equal, and any topics would do")
    rng = np.random.default_rng(seed)
    systems = rng.permutation(len(matrix.systems))
    ours, theirs = np.sort(systems[: (len(systems) + 1) // 2]), np.sort(systems[(len(systems) + 1) // 2 :])
    if ease is None:
        chosen, reached = _greedy(table[:, ours], n_topics, objective)
    else:
        chosen = order_by_ease(matrix.topics, ease)[:n_topics]
        reached = _reached(table[:, ours], chosen, objective)
    curve = _curve(table[:, theirs], chosen, reached, objective, subsets, rng)
    settings = record_options(select_topics, locals())
    if ease is not None:
        settings["topics"] = [matrix.topics[topic] for topic in chosen]
    names = np.array(matrix.systems, dtype=object)
    return TopicSelection(
        tuple(matrix.topics[topic] for topic in chosen),
        curve,
        tuple(names[ours]),
        tuple(names[theirs]),
        matrix.measure,
        settings,
        matrix.signature("topic selection", **settings),
    )


def _greedy(table: Floats, n: int, objective: str) -> tuple[list[int], list[float]]:
    """Topics in the order of choice, and the objective from two topics on; the first two are the best pair."""
    value = _objective(table, objective)
    pair, _ = value.best(lambda: _pairs(len(table), table.shape[1]))
    chosen = pair.tolist()
    reached = [float(value(pair[None])[0])]
    while len(chosen) < n:
        remaining = np.delete(np.arange(len(table)), chosen)
        subset, worth = value.best(partial(_with_one_more, chosen, remaining, table.shape[1]))
        chosen.append(int(subset[-1]))
        reached.append(worth)
    return chosen, reached


def _pairs(topics: int, systems: int) -> Iterator[Ints]:
    """All pairs of topics in the order (0, 1), (0, 2), ..., some at a time, [pairs, 2]."""
    width = max(1, CELLS // (2 * systems))
    first = 0
    while first < topics - 1:
        last = min(topics - 1, first + max(1, width // (topics - first)))
        left = np.repeat(np.arange(first, last), topics - 1 - np.arange(first, last))
        right = np.concatenate([np.arange(pair + 1, topics) for pair in range(first, last)])
        for start in range(0, len(left), width):
            yield np.stack([left[start : start + width], right[start : start + width]], axis=1)
        first = last


def _with_one_more(chosen: list[int], remaining: Ints, systems: int) -> Iterator[Ints]:
    """The chosen topics with each of the others, some at a time, [subsets, chosen + 1]."""
    width = max(1, CELLS // ((len(chosen) + 1) * systems))
    for start in range(0, len(remaining), width):
        subset = remaining[start : start + width]
        yield np.concatenate([np.tile(chosen, (len(subset), 1)), subset[:, None]], axis=1)


class _Objective(ABC):
    """Objective by which subsets of topics are compared; a larger worth is better."""

    def __init__(self, table: Floats) -> None:
        self.table = table

    def __call__(self, subsets: Ints) -> Floats:
        """The best of the subsets, int [subsets, size] -> [subsets]."""
        return self.worth(subsets, self.scale([subsets]))

    def best(self, subsets: Callable[[], Iterable[Ints]]) -> tuple[Ints, float]:
        """The first of the most valuable subsets, which come some at a time, and its value."""
        scale = self.scale(subsets())
        winner: tuple[Ints, float] | None = None
        for subset in subsets():
            worth = self.worth(subset, scale)
            index = int(np.argmax(worth))
            if winner is None or worth[index] > winner[1]:
                winner = subset[index], float(worth[index])
        assert winner is not None
        return winner

    def scale(self, subsets: Iterable[Ints]) -> float:
        """A number by which all worths are scaled, found from all subsets; 1 unless a subclass needs one."""
        return 1.0

    @abstractmethod
    def worth(self, subsets: Ints, scale: float) -> Floats:
        """The worth of a chunk of subsets, [subsets]."""


class _Phi(_Objective):
    """Phi of means over each subset, from its own variance components; 0 where nothing varies."""

    def __init__(self, table: Floats) -> None:
        super().__init__(table)
        self.centred = table - table.mean()
        self.of_topic, self.squares = self.centred.mean(axis=1), (self.centred**2).sum(axis=1)

    def worth(self, subsets: Ints, scale: float = 1.0) -> Floats:
        size, systems = subsets.shape[1], self.table.shape[1]
        sums = np.zeros((len(subsets), systems))
        for index in range(size):
            sums += self.centred[subsets[:, index]]
        means = sums / size
        grand = means.mean(axis=1)
        ss_systems = size * ((means - grand[:, None]) ** 2).sum(axis=1)
        ss_topics = systems * ((self.of_topic[subsets] - grand[:, None]) ** 2).sum(axis=1)
        total = self.squares[subsets].sum(axis=1) - size * systems * grand**2
        ms_e = np.maximum(0.0, total - ss_systems - ss_topics) / ((size - 1) * (systems - 1))
        of_systems = np.maximum(0.0, ss_systems / (systems - 1) - ms_e) / size
        noise = np.maximum(0.0, ss_topics / (size - 1) - ms_e) / systems + ms_e
        below = of_systems + noise / size
        phi: Floats = np.divide(of_systems, below, out=np.zeros(len(subsets)), where=below > 0)
        return phi


class _Tau(_Objective):
    """tau_b with the order by all topics; the distance from their means decides between equal correlations."""

    def __init__(self, table: Floats) -> None:
        super().__init__(table)
        self.complete = table.mean(axis=0)
        self.centred = self.complete - self.complete.mean()

    def scale(self, subsets: Iterable[Ints]) -> float:
        return max(float(self._apart(self._means(subset)).max(initial=0.0)) for subset in subsets)

    def worth(self, subsets: Ints, scale: float) -> Floats:
        means = self._means(subsets)
        full = np.broadcast_to(comparable(self.complete), means.shape)
        tau = np.nan_to_num(tau_b(comparable(means), full), nan=-1.0)
        # The distance only decides between equal correlations, which are at least 1 / pairs^2 apart.
        values: Floats = tau - 1e-9 * self._apart(means) / (1e-300 + scale)
        return values

    def _means(self, subsets: Ints) -> Floats:
        means: Floats = np.stack([self.table[subsets[:, index]] for index in range(subsets.shape[1])]).mean(axis=0)
        return means

    def _apart(self, means: Floats) -> Floats:
        separated: Floats = ((means - means.mean(axis=1, keepdims=True) - self.centred) ** 2).sum(axis=1)
        return separated


def _objective(table: Floats, objective: str) -> _Objective:
    return _Tau(table) if objective == "tau_b" else _Phi(table)


def _reached(table: Floats, chosen: list[int], objective: str) -> list[float]:
    """The objective from two of the chosen topics on."""
    value = _objective(table, objective)
    return [float(value(np.array([chosen[:size]]))[0]) for size in range(2, len(chosen) + 1)]


def _curve(
    table: Floats, chosen: list[int], reached: list[float], objective: str, subsets: int, rng: np.random.Generator
) -> pd.DataFrame:
    import pandas as pd

    value = _objective(table, objective)
    orders = np.stack([rng.permutation(len(table))[: len(chosen)].copy() for _ in range(subsets)])
    sizes = range(2, len(chosen) + 1)
    held_out = _reached(table, chosen, objective)
    chance = np.stack([value(orders[:, :size]) for size in sizes])
    low, high = np.quantile(chance, [0.025, 0.975], axis=1)
    columns = {"chosen_by": reached, "held_out": held_out, "random": chance.mean(axis=1)}
    columns |= {"random_low": low, "random_high": high}
    return pd.DataFrame(columns, index=pd.Index(list(sizes), name="topics"))


def order_by_ease(topics: Sequence[str], ease: EaseLike) -> list[int]:
    """Indices of the topics, those of middle ease first; equally near ones as they come, those without ease last.

    The share e of the systems that beat chance has the variance e (1 - e) over systems, which is largest at 1/2: on a
    topic that all systems beat, or none, that outcome says nothing of them.

    Raises:
        InputError: a topic has no entry, or an ease is not in [0, 1].
        UsageError: the ease is not given by topic.
    """
    known = _by_topic(ease)
    missing = [topic for topic in topics if topic not in known]
    if missing:
        text = f"{listed(missing)}: no ease is given; estimate it with the same qrels"
        raise InputError(text, code="missing-score", value=missing[0])
    values = np.array([known[topic] for topic in topics], dtype=np.float64)
    for topic, value in zip(topics, values.tolist(), strict=True):
        if not (math.isnan(value) or 0 <= value <= 1):
            raise InputError(f"the ease {value:g} of topic {quoted(topic)} should lie in [0, 1]", code="score")
    # Rounded, so that 0.3 and 0.7 are equally near in spite of their last bits.
    order: list[int] = np.argsort(np.round(np.abs(values - 0.5), 12), kind="stable").tolist()
    return order


def _by_topic(ease: Any) -> dict[str, float]:
    if isinstance(ease, (str, os.PathLike)):
        return _read_ease(os.fspath(ease))
    if hasattr(ease, "dims"):
        if ease.dims != ("topic",):
            raise UsageError(f"the ease has the dims {ease.dims}, and needs (topic,), as estimate_difficulty gives")
        ease = ease.to_series()
    if not hasattr(ease, "items"):
        raise UsageError(f"the ease is a {type(ease).__name__}: give numbers by topic")
    return {str(topic): float(value) for topic, value in ease.items()}


def _read_ease(path: str) -> dict[str, float]:
    """Read ease by topic from a table with the columns topic and ease.

    Raises:
        InputError: the file cannot be read, lacks a column, or has a value that is not a number.
    """
    column = TopicGroups.from_source(f"{path}#ease")
    known = {}
    for topic, text in column.of_topic.items():
        try:
            known[topic] = float(text)
        except ValueError:
            wrong = f"topic {quoted(topic)} has the ease {quoted(text)}, which should be a number from 0 to 1, or nan"
            raise InputError(wrong, column.location, code="score", value=cut(text)) from None
    return known
