"""Fusion of runs: one list from several, by any method, after their scores are normalized to one scale."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal, TypeAlias, Unpack

import numpy as np

from cranfield._message import setting
from cranfield._typing import Floats, Ints
from cranfield._validation import word
from cranfield.collection.reading import InputOptions, RunOptions
from cranfield.collection.run import Run
from cranfield.declarations.analysis import ByHand, analysis
from cranfield.declarations.option import Option
from cranfield.errors import UsageError
from cranfield.fusion.condorcet import Cycles, RankedTopic, condorcet
from cranfield.fusion.lists import RankedTopicLists, UnionLists
from cranfield.fusion.methods import methods
from cranfield.io.inputs import RunsLike

CONDORCET = "condorcet"
"""The method that orders documents and gives them no scores of their own."""
CELLS = 1 << 19
"""Ranks that CondorcetFuse orders together, so that topics of a few documents are not ordered one by one."""


Unweighted = Literal[
    "borda",
    "combanz",
    "combmax",
    "combmed",
    "combmin",
    "combmnz",
    "combsum",
    "condorcet",
    "isr",
    "rbc",
    "rrf",
]
"""Methods of fusion that need no weights."""
MethodName: TypeAlias = Literal[Unweighted, "linear"]
NormalizationName: TypeAlias = Literal["min-max", "z", "rank", "sum", "none"]


def method_names() -> tuple[str, ...]:
    """All methods of fusion."""
    return tuple(sorted([*methods, CONDORCET]))


@analysis(
    "fuse",
    "Fuse runs into one.",
    ByHand(),
    words=("combine", "rrf --method rrf"),
    examples=("runs/*.run --method rrf -o fused.run", "a.run b.run --method linear -w 0.7 -w 0.3"),
)
def fuse(
    runs: RunsLike | UnionLists,
    method: Annotated[MethodName, Option("Fusion method.", metavar="METHOD")] = "rrf",
    *,
    normalization: Annotated[
        NormalizationName | None,
        Option("Normalization of scores, for comb* and linear.", default="min-max"),
    ] = None,
    weights: Annotated[
        Sequence[float],
        Option(
            "Weight of a run, for linear and rrf: one for each run.",
            flags=("--weight", "-w"),
            default="of rrf: 1 each",
        ),
    ] = (),
    k: Annotated[float | None, Option("k of rrf: 1 / (k + rank).", flags=("--rrf-k",), default="60")] = None,
    p: Annotated[float | None, Option("p of rbc: p^(rank - 1).", flags=("-p",), default="0.8")] = None,
    cycles: Annotated[
        Cycles | None,
        Option(
            "For condorcet, where majorities form cycles: sort, or rank by components of the relation.", default="sort"
        ),
    ] = None,
    depth: Annotated[int | None, Option("Largest number of documents per topic.", low=1, default="all")] = None,
    name: Annotated[str | None, Option("Tag of the fused run.", flags=("--tag",), default="the method")] = None,
    reading: InputOptions | None = None,
    **options: Unpack[RunOptions],
) -> Run:
    """Fuse runs into one, for ``cranfield.write`` or ``cranfield.evaluate``.

    Each run is ordered by the one policy, as it is when it is scored. A document that a run does not retrieve has no
    score and no rank in it, and a topic that a run lacks is an empty list. Documents of equal fused scores are ordered
    by the policy wherever the run is read. The order in which runs are given changes nothing.

    Args:
        runs: as in ``evaluate``.
        reading: how files and runs are read, as one object; or word by word, as ``ties="docid"``: see ``InputOptions``.
        options: words of the reading one by one: ``ties``, ``missing`` (``"error"`` refuses runs without a topic that
            another has), ``on_duplicate``, ``input_format`` and ``names``.

    Raises:
        InputError: a run cannot be read.
        UsageError: a method, a normalization or a parameter that does not exist, or lies outside its range; or a
            word that contradicts the object given.

    Reference:
        Each method's is in its declaration, ``cranfield.fusion.methods.methods``; CondorcetFuse: Montague & Aslam 2002,
        doi:10.1145/584792.584881.

    >>> import cranfield
    >>> runs = [{"q": {"a": 9.0, "b": 8.0, "c": 1.0}}, {"q": {"b": 0.7, "d": 0.1}}]
    >>> cranfield.fuse(runs, "combsum").to_dict()
    {'q': {'b': 1.875, 'a': 1.0, 'd': 0.0, 'c': 0.0}}
    """
    given = {"weights": weights if len(weights) else None, "k": k, "p": p, "cycles": cycles}
    parameters = {name: value for name, value in given.items() if value is not None}
    check(method, normalization, parameters)
    if isinstance(runs, UnionLists):
        if reading is not None or options:
            raise UsageError("these lists were ordered by a policy of their own: give none")
        lists = runs
    else:
        lists = UnionLists.read(runs, InputOptions.of(reading, options, RunOptions))
    rows, scores = fused(lists, method, normalization, parameters)
    return lists.run(rows, scores, name or method, depth)


def fused(
    lists: UnionLists,
    method: str,
    normalization: str | None,
    parameters: dict[str, Any],
    runs: Sequence[int] | None = None,
) -> tuple[list[Ints], list[Floats]]:
    """Documents and their fused scores, topic by topic; of some of the runs, or of all."""
    rows, (scores,) = fused_by_each(lists, [method], normalization, parameters, runs)
    return rows, scores


def fused_by_each(
    lists: UnionLists,
    requested: Sequence[str],
    normalization: str | None = None,
    parameters: dict[str, Any] | None = None,
    runs: Sequence[int] | None = None,
) -> tuple[list[Ints], list[list[Floats]]]:
    """Fuse by several methods that take the same parameters: topics are gone over once."""
    kwargs = parameters or {}
    rows: list[Ints] = []
    scores: list[list[Floats]] = [[] for _ in requested]
    majorities = [
        _Majority(into, kwargs.get("cycles", "sort")) if method == CONDORCET else None
        for method, into in zip(requested, scores, strict=True)
    ]
    for documents, view in lists.each_topic(runs):
        rows.append(documents)
        on_one_scale = functools.cache(functools.partial(_normalized, view, normalization or "min-max"))
        for method, into, majority in zip(requested, scores, majorities, strict=True):
            if majority is not None:
                majority.add(RankedTopic.from_lists(view))
                continue
            declared = methods[method]
            seen = on_one_scale() if declared.uses == "scores" else view
            into.append(declared.function(seen, **kwargs) if seen.documents else np.zeros(0))
    for majority in majorities:
        if majority is not None:
            majority.done()
    return rows, scores


def _normalized(view: RankedTopicLists, normalization: str) -> RankedTopicLists:
    return replace(view, score=normalized(view, normalization))


class _Majority:
    """Scores that count down in the order of the majority, [documents] of each topic; several topics at a time.

    Args:
        scores: where they are put.
        cycles: see ``condorcet``.
    """

    def __init__(self, scores: list[Floats], cycles: Cycles) -> None:
        self._scores, self._cycles, self._block = scores, cycles, list[RankedTopic]()

    def add(self, topic: RankedTopic) -> None:
        """Another topic."""
        self._block.append(topic)
        if sum(topic.rank.size for topic in self._block) >= CELLS:
            self.done()

    def done(self) -> None:
        """Order what waits."""
        for order in condorcet(self._block, self._cycles):
            score = np.empty(len(order))
            score[order] = np.arange(len(order), 0, -1)
            self._scores.append(score)
        self._block = []


def check(method: str, normalization: str | None, parameters: dict[str, Any]) -> None:
    """Raises: UsageError: a method, a normalization or a parameter that does not exist, or one that is missing."""
    uses = "ranks" if method == CONDORCET else methods[method].uses
    if normalization is not None and uses == "ranks":
        raise UsageError(
            f"{method} looks at ranks alone: {setting('normalization', normalization)} means nothing to it"
        )
    accepted = {"cycles": "sort"} if method == CONDORCET else methods[method].parameters
    for name in parameters:
        if name not in accepted:
            takes = f"takes {', '.join(accepted)}" if accepted else "takes no parameters"
            raise UsageError(f"{method} has no parameter {setting(name)}; it {takes}")
    for name, default in accepted.items():
        if default is inspect.Parameter.empty and name not in parameters:
            raise UsageError(f"{method} needs {name}, one for each run")


Normalization = Callable[[RankedTopicLists], Floats]

normalizations: dict[str, Normalization] = {}
"""Name -> function from the lists of a topic to scores, [rows]."""


def normalization(name: str) -> Callable[[Normalization], Normalization]:
    """Declare a way to normalize scores."""

    def declare(function: Normalization) -> Normalization:
        normalizations[name] = function
        return function

    return declare


@normalization("min-max")
def min_max(lists: RankedTopicLists) -> Floats:
    """(s - min)/(max - min): the best document of a list 1, the worst 0; all 1 where scores are equal."""
    low, high = _ends(lists)
    return _quotient(lists.score - low[lists.run], (high - low)[lists.run], 1.0)


@normalization("z")
def z(lists: RankedTopicLists) -> Floats:
    """(s - mean)/deviation; all 0 where scores are equal. A document that is not retrieved counts as the mean, 0."""
    size = np.maximum(lists.length, 1)
    mean = _sums(lists, lists.score) / size
    spread = np.sqrt(_sums(lists, (lists.score - mean[lists.run]) ** 2) / size)
    low, high = _ends(lists)
    return _quotient(lists.score - mean[lists.run], np.where(low == high, 0.0, spread)[lists.run], 0.0)


@normalization("rank")
def rank(lists: RankedTopicLists) -> Floats:
    """1 - (rank - 1)/length: from 1 down in equal steps."""
    return 1 - (lists.rank - 1) / lists.length[lists.run]


@normalization("sum")
def sum_(lists: RankedTopicLists) -> Floats:
    """(s - min)/sum of (s - min): the scores of a list sum to 1; equal shares where scores are equal."""
    low, high = _ends(lists)
    above = lists.score - low[lists.run]
    total = np.where(low == high, 0.0, _sums(lists, above))
    return _quotient(above, total[lists.run], 1 / lists.length[lists.run])


@normalization("none")
def none(lists: RankedTopicLists) -> Floats:
    """Scores unchanged, for runs that already share a scale."""
    return lists.score


def normalized(lists: RankedTopicLists, name: str) -> Floats:
    """Scores of a topic on one scale, [rows].

    Raises:
        UsageError: a normalization that does not exist, or scores so large that they cannot be calculated with.
    """
    word("normalization", name, normalizations)
    with np.errstate(over="ignore", invalid="ignore"):
        scores = normalizations[name](lists)
    if not np.isfinite(scores).all():
        raise UsageError(f"scores of a run lie too far apart for {setting('normalization', name)}: use 'rank'")
    return scores


def _ends(lists: RankedTopicLists) -> tuple[Floats, Floats]:
    """Smallest and largest score of each list, [runs]."""
    low, high = np.full(lists.runs, np.inf), np.full(lists.runs, -np.inf)
    nonempty = np.flatnonzero(lists.length)
    if len(nonempty):
        begins = lists.starts[nonempty]
        low[nonempty], high[nonempty] = (
            np.minimum.reduceat(lists.score, begins),
            np.maximum.reduceat(lists.score, begins),
        )
    return low, high


def _sums(lists: RankedTopicLists, parts: Floats) -> Floats:
    """Sum of each list, [runs], added up in the order of the documents' ids, however they are ranked."""
    sums: Floats = lists.laid_out(parts, 0.0).sum(axis=1)
    return sums


def _quotient(above: Floats, below: Floats, equal: float | Floats) -> Floats:
    """above / below, and ``equal`` where a list's scores are all equal."""
    quotient = np.empty(above.shape)
    quotient[...] = equal
    return np.divide(above, below, out=quotient, where=below > 0)
