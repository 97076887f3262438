"""The C/W/L framework: a user is the probability C_i of going on from rank i, and all else follows from it.

V_i = C_1 ... C_{i-1} is the probability of reaching rank i, W_i = V_i / sum V the share of attention that it gets and
L_i = V_i (1 - C_i) the probability of ending there (Moffat et al. 2017, doi:10.1145/3052768; Azzopardi et al. 2019,
doi:10.1145/3331184.3331398). A measure of the family is its user; ``expected`` computes what that user may expect, and
all else of the declaration the family shares.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.collection.rankings import DENSE, PerRanking, Rankings
from cranfield.collection.segments import list_sums, running_values
from cranfield.engine.fast_paths import read_with_continuation
from cranfield.errors import MeasureError
from cranfield.measures._declaration import make_function
from cranfield.measures._intervals import Ends, IntervalRequest, Solver
from cranfield.measures._intervals.labelling import by_ends
from cranfield.measures._measure import Measure, measure
from cranfield.measures._parameter import Cutoff, Meaning
from cranfield.measures.gain import Gain, MaxRel, scale

if TYPE_CHECKING:
    from cranfield.measures._intervals.completion import Completion


DEEPEST = 1 << 22
"""Ranks among which attention can be shared where no list is that long; each takes memory, and time."""
SOON = 64
"""Ranks that are looked at first: most users who stop when satisfied see no more in any list."""


@dataclass(frozen=True)
class Met:
    """The documents that users meet on their way down some lists.

    Args:
        gain: of each rank, float64 [segments, ranks].
        rank: 1, 2, ..., float64 [ranks].
        worth: (list, place in it, gain) of the ranks that may have one, in order; None where every rank may.
    """

    gain: Floats
    rank: Floats
    worth: tuple[Ints, Ints, Floats] | None = None

    @cached_property
    def sums(self) -> Floats:
        """Gain of the ranks down to each, float64 [segments, ranks]."""
        return _accumulated(self.gain, "add")


TailWeight = Callable[[float, Floats, Floats], Floats | float]
"""Gain of all ranks below the list, ranks of the list, gain of the list -> ranks that a user is yet expected to see
from the first rank below it on."""


@dataclass(frozen=True)
class User:
    """A user, by the probability of going on from each rank.

    Args:
        by_rank: the probabilities, float64 [ranks], of a user who looks at the rank alone: 1, 2, ... in float64.
        by_list: the probabilities, float64 [segments, ranks], of a user to whom it matters what is met.
        looks_ahead: whether documents further down matter too.
        tail: the ranks below a list, where the number of ranks has no end.
        at_once: the outcome for lists of given lengths, where there is a closed form; None where it does not apply.
        dcg: the gain of a label on the unit scale, as in ``unit_gain``.
    """

    by_rank: Callable[[Floats], Floats] | None = None
    by_list: Callable[[Met], Floats] | None = None
    looks_ahead: bool = False
    tail: TailWeight | None = None
    at_once: Callable[[Rankings, Gain, int], ExpectedReading | None] | None = None
    dcg: str = "log2"


def expected(
    rankings: Rankings, user: User, gain: Gain, depth: int | None, quantity: str, residual: bool
) -> PerRanking:
    """A quantity that the user may expect of each list, or its residual.

    EU = sum W_i g_i, ED = 1 / W_1, EC = sum W_i = 1, ETU = sum L_i (g_1 + ... + g_i), ETC = sum L_i i. The totals count
    who ends within ``depth``, so that ETU = EU * ED where no user reads on, and at ``depth=None``.

    Raises:
        MeasureError: attention is shared among too many ranks.
    """
    if user.at_once is not None and depth is not None and not residual:
        outcome = user.at_once(rankings, gain, depth)
        if outcome is not None:
            return outcome.expected(quantity)
    if depth is not None:
        check_depth(depth, rankings)
    value = _values(rankings, user, gain, depth, quantity, 0.0)
    return _values(rankings, user, gain, depth, quantity, 1.0) - value if residual else value


def _values(rankings: Rankings, user: User, gain: Gain, depth: int | None, quantity: str, unknown: float) -> PerRanking:
    """The quantity where all that is unknown has the gain ``unknown``."""
    ends = np.maximum(rankings.length, 1) if depth is None else np.full_like(rankings.length, depth)
    widest = int(ends.max(initial=1))
    below = unknown if depth is None else None
    if user.by_rank is not None and not unknown:
        return _by_rank(user, rankings, gain, ends).expected(quantity, user.tail, below)
    out = np.empty(len(ends))
    for width in (widest,) if user.looks_ahead or widest <= SOON else (SOON, widest):
        for block, met in _met(rankings, gain, width, unknown):
            outcome = _by_list(user, met, np.minimum(ends[block], width))
            if width < widest and outcome.past.any():
                break
            out[block] = outcome.expected(quantity, user.tail, below)
        else:
            break
    return out


def check_depth(depth: int, rankings: Rankings) -> None:
    """Refuse ranks without number, which a measure looks at even where no list has them.

    Raises:
        MeasureError: they are more than ``DEEPEST``, and than any list has.
    """
    most = max(DEEPEST, rankings.longest)
    if depth > most:
        raise MeasureError(
            f"attention cannot be shared among {depth:,} ranks: choose a depth or cutoff of at most {most:,}"
        )


@dataclass(frozen=True)
class ExpectedReading:
    """The expected reading and gain of a user in each list, of which ``ends`` ranks count; float64 [segments].

    Args:
        ends: ranks that count, int64.
        depth: ranks seen, sum of V_i.
        utility: gain met, sum of V_i g_i.
        past: probability of going on from the last rank.
        gained: gain of the ranks that count.
    """

    ends: Ints
    depth: Floats
    utility: Floats
    past: Floats
    gained: Callable[[], Floats]

    def expected(self, quantity: str, tail: TailWeight | None = None, below: float | None = None) -> Floats:
        """A quantity, where all ranks below those that count have the gain ``below``, or no user reads on."""
        depth, utility, past = self.depth, self.utility, self.past
        if below is not None:
            assert tail is not None
            below_list = past * tail(below, self.ends.astype(np.float64), self.gained())
            depth, utility, past = depth + below_list, utility + below * below_list, np.zeros_like(past)
        match quantity:
            case "EU":
                return utility / depth
            case "ETU":
                return utility - past * self.gained()
            case "EC":
                return np.ones_like(depth)
            case "ETC":
                return depth - past * self.ends
        return depth


def read_down(
    goes_on: Callable[[Floats], Floats], enough: float | None, rankings: Rankings, gain: Gain, depth: int
) -> ExpectedReading | None:
    """Return what is read of lists by one who goes on with a chance that only what is met changes, not rank by rank.

    None where that is not possible, and for one who has enough before anything is met.

    Args:
        goes_on: ranks -> the chance of going on from each where nothing is met, which each gain takes its share of.
        enough: gain at which the user ends instead, however it was met.
        rankings: the lists.
        gain: of a label.
        depth: ranks that count.
    """
    if enough is not None and not enough > 0:
        return None
    check_depth(depth, rankings)
    seen = gain.rows(rankings, depth)
    worth, chance = gain.on(seen), goes_on(np.arange(1.0, depth + 1))
    outcome = read_with_continuation(seen.starts, seen.rank, worth, chance, enough)
    if outcome is None:
        return None
    read, utility, past = outcome
    return ExpectedReading(np.full_like(rankings.length, depth), read, utility, past, lambda: seen.sum(worth))


def _by_rank(user: User, rankings: Rankings, gain: Gain, ends: Ints) -> ExpectedReading:
    """Attention is the same in every list, and only documents with a gain add to the utility."""
    assert user.by_rank is not None
    rank = np.arange(1.0, int(ends.max(initial=1)) + 1)
    reached = np.append(1.0, np.multiply.accumulate(user.by_rank(rank)))
    seen = gain.rows(rankings, len(rank))
    worth = gain.on(seen)
    utility = seen.weighed_sum(np.append(0.0, reached), worth)
    return ExpectedReading(
        ends, np.add.accumulate(reached[:-1])[ends - 1], utility, reached[ends], lambda: seen.sum(worth)
    )


def _by_list(user: User, met: Met, ends: Ints) -> ExpectedReading:
    """Attention rank by rank of each list."""
    if user.by_list is not None:
        on = user.by_list(met)
    else:
        assert user.by_rank is not None
        on = np.broadcast_to(user.by_rank(met.rank), met.gain.shape)
    reached = np.ones((len(ends), len(met.rank) + 1))
    reached[:, 1:] = _accumulated(on, "multiply")
    lists = np.arange(len(ends))
    past = reached[lists, ends]
    reached = reached[:, :-1]
    if (ends < len(met.rank)).any():
        reached = reached * (met.rank <= ends[:, None])
    if met.worth is None:
        utility = _total(reached * met.gain)
    else:
        segment, column, gain = met.worth
        starts = np.searchsorted(segment, np.arange(len(ends) + 1))
        utility = list_sums(reached[segment, column] * gain, starts)
    return ExpectedReading(ends, _total(reached), utility, past, lambda: met.sums[lists, ends - 1])


def _met(rankings: Rankings, gain: Gain, width: int, unknown: float) -> Iterable[tuple[slice, Met]]:
    """The lists in blocks, down to rank ``width``; cached for the next user where one block holds all of them."""
    rank = np.arange(1.0, width + 1)

    def tables() -> Iterator[tuple[slice, Met]]:
        judged = rankings.top(width) if unknown else gain.rows(rankings, width)
        value = gain.on(judged)
        for block, table in judged.dense(width, value, unknown):
            rows = slice(*judged.starts[[block.start, block.stop]])
            worth = judged.segment[rows] - block.start, judged.rank[rows] - 1, value[rows]
            yield block, Met(table, rank, None if unknown else worth)

    if len(rankings.length) * width > DENSE:
        return tables()
    blocks: list[tuple[slice, Met]] = rankings.shared(("met", gain.key, width, unknown), lambda: list(tables()))
    return blocks


def _total(values: Floats) -> Floats:
    """Sum of each row, rank by rank, so that a list gives the same bits alone and among others."""
    return list_sums(values.ravel(), _starts(values))


def _accumulated(values: Floats, combine: str) -> Floats:
    """Return what each row comes to down to each rank."""
    return running_values(values.ravel(), _starts(values), combine, False).reshape(values.shape)


def _starts(values: Floats) -> Ints:
    """Return where each row begins, one after the other."""
    lists, ranks = values.shape
    starts: Ints = np.arange(lists + 1) * ranks
    return starts


Quantity = Annotated[
    Literal["EU", "ETU", "EC", "ETC", "ED"],
    Meaning("expected utility of a document or in total, expected cost of a document or in total, expected depth"),
]
Residual = Annotated[bool, Meaning("how much would be added if all that is unknown had the gain 1")]
Graded = Annotated[float | None, Meaning("smallest label that has the gain 1, others having 0; None uses all labels")]
MinRel = Annotated[float, Meaning("label whose gain is 0; the gain rises evenly to 1 at max_rel")]
Goal = Annotated[float, Meaning("gain that the user hopes to find, in documents of gain 1", low=0)]
Depth = Annotated[int | None, Meaning("ranks among which attention is shared; None goes on without end", low=1)]
FiniteDepth = Annotated[int, Meaning("ranks among which attention is shared", low=1)]

UserParameters = dict[str, tuple[Any, Any]]
"""Name -> (annotation, default), in order."""

SHARED_AMONG: Mapping[str, UserParameters] = {
    "any depth": {"depth": (Depth, 1000)},
    "depth": {"depth": (FiniteDepth, 1000)},
    "cutoff": {},
}
"""Ranks among which attention is shared -> the parameter that gives their number, other than a cutoff."""


def by_residual(completion: Completion, levels: Floats, request: IntervalRequest) -> Ends:
    """For users whose expected utility never falls with a gain: it, and it with the residual added.

    The residual includes the ranks below the list, as in the literature and in cwl_eval.
    """
    if request.parameters["quantity"] not in ("EU", "ETU"):
        raise MeasureError(f"{request.name}: only the expected utility has an interval from missing judgments")
    if completion.among is not None:
        return by_ends(completion, levels, request)
    low = request.value(completion.rankings)
    residual = request.value(completion.rankings, residual=True)
    return low, low + residual


def user(
    name: str,
    *,
    reference: str,
    declines: Mapping[str, str],
    among: Literal["any depth", "depth", "cutoff"] = "any depth",
    rel: float | None = None,
    interval: Solver | None = by_residual,
    additive: bool = False,
) -> Callable[[Callable[..., User]], Measure]:
    """Declare the decorated user's expectations as a measure; the decorated name becomes the measure.

    The function takes the user's own parameters, each annotated with a ``Meaning``, and the measure's ``cutoff`` or
    ``depth`` if it needs them. Its docstring: a sentence of meaning, then the formula.

    Args:
        name: as in ``measure``.
        reference: as in ``measure``.
        declines: as in ``measure``.
        among: the ranks among which attention is shared: a depth, which may be endless, or those down to the cutoff.
        rel: default of the parameter.
        interval: as in ``measure``.
        additive: as in ``measure``.
    """

    def declare(user_of: Callable[..., User]) -> Measure:
        taken = inspect.signature(user_of, eval_str=True).parameters
        own = {
            name: (parameter.annotation, parameter.default)
            for name, parameter in taken.items()
            if parameter.default is not parameter.empty
        }
        gained: UserParameters = {"rel": (Graded, rel), "min_rel": (MinRel, 0), "max_rel": (MaxRel, None)}
        quantities: UserParameters = {"quantity": (Quantity, "EU"), "residual": (Residual, False)}
        last: UserParameters = {"cutoff": (Cutoff, None)} if "cutoff" in taken else {}

        def value(rankings: Rankings, kwargs: Mapping[str, Any]) -> PerRanking:
            reader = user_of(**{parameter: kwargs[parameter] for parameter in taken})
            gain = unit_gain(rankings, kwargs["rel"], kwargs["min_rel"], kwargs["max_rel"], name, reader.dcg)
            ranks = kwargs["cutoff" if among == "cutoff" else "depth"]
            return expected(rankings, reader, gain, ranks, kwargs["quantity"], kwargs["residual"])

        declared = measure(
            name,
            reference=reference,
            required=tuple(last),
            range=(-np.inf, np.inf),
            default_range=(0.0, 1.0),
            interval=interval,
            additive=additive,
            declines=declines,
        )
        parameters = own | gained | SHARED_AMONG[among] | quantities | last
        name_here, module, doc = user_of.__name__, user_of.__module__, user_of.__doc__
        return declared(make_function(value, parameters, name=name_here, module=module, doc=doc))

    return declare


def unit_gain(
    rankings: Rankings, rel: float | None, min_rel: float, max_rel: float | None, measure: str, dcg: str = "log2"
) -> Gain:
    """Gain of a label: 1 from ``rel`` on where it is given, else (label - min_rel) / (max_rel - min_rel) in [0, 1].

    With ``dcg="exp-log2"``, 2 to the power of the label on that scale, less 1, over the largest such number.

    Raises:
        MeasureError: a scale that ends where it begins, or before the largest label.
    """
    if rel is not None:
        return Gain(("rel", rel), lambda grade: (grade >= rel).astype(np.float64), rel)
    if max_rel is not None and max_rel <= min_rel:
        raise MeasureError(f"{measure}: max_rel={max_rel:g} should be above min_rel={min_rel:g}")
    span = scale(rankings, max_rel, measure) - min_rel

    def gain(grade: Floats) -> Floats:
        on_scale = np.clip((grade - min_rel) / span, 0.0, 1.0) if span > 0 else np.zeros_like(grade)
        if dcg == "exp-log2" and span > 0:
            on_scale = np.expm1(on_scale * span * np.log(2)) / np.expm1(span * np.log(2))
        return on_scale

    return Gain(("unit", min_rel, span, dcg), gain, float(np.nextafter(min_rel, np.inf)))


def inverse_squares(first: Floats) -> Floats:
    """first^2 * (1 / first^2 + 1 / (first + 1)^2 + ...), the ranks yet to see where C_i = ((i - 1) / i)^2."""
    from scipy.special import zeta

    seen: Floats = np.square(first) * zeta(2, first)
    return seen
