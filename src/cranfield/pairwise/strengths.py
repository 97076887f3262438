"""``estimate_strengths``: strengths of systems from pairwise verdicts, and the ranks that each may have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple, TypeAlias

import numpy as np

from cranfield._message import setting
from cranfield._text import counted, listed, numeral, quoted, shown
from cranfield._typing import Floats, Ints, Mask
from cranfield.declarations.analysis import FromVerdicts, View, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import SeedOption
from cranfield.errors import InputError, UsageError
from cranfield.memory import analysed, require
from cranfield.pairwise.options import (
    IN_FILE_ORDER,
    CoverageOption,
    OrdersOption,
    PairTiesOption,
    PriorOption,
    StrengthModel,
    StrengthResamplesOption,
    StrongWeightOption,
    WeightsOption,
)
from cranfield.pairwise.order_effect import compute_margin
from cranfield.pairwise.verdicts import PairVerdicts, VerdictsLike, as_verdicts, choose_verdicts, pair_outcomes
from cranfield.pairwise.wins import weigh
from cranfield.results.columns import Column
from cranfield.results.frames import tidy
from cranfield.results.result import Result, Tables, signed
from cranfield.statistics.multiple_testing import adjust
from cranfield.statistics.paired_comparisons import (
    Comparisons,
    NoFiniteStrengthsError,
    StrengthFit,
    fit_strengths,
    group_by_wins,
    separate_islands,
)
from cranfield.statistics.paired_tests import least_sign_p, ratio, two_sided_t
from cranfield.statistics.rank_confidence_sets import compute_normal_rank_sets, flip_contrasts
from cranfield.statistics.rounding import NOISE
from cranfield.statistics.separated_strengths import ContrastBounds, Separation
from cranfield.statistics.strength_contrasts import SINGLE, TopicShares, find_parts, share_information

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

_FitArrays: TypeAlias = tuple[Floats, Floats, Floats, Floats, Floats]
"""Value, error, low, high and p of contrasts."""
LARGEST_ORDER = 30.0
"""Log odds for what is first, beyond which they have no maximum."""
EQUAL = 1e-11
"""Strengths this close share a rank."""
FLAT = 1e-9
"""Topics do not differ in a parameter whose standard error is at most this."""
FLIPPED_TOPICS = 200
"""Up to this number of topics, their signs are flipped for rank sets; beyond, strengths are normal, pairs by t."""
BYTES_PER_PAIR, BYTES_PER_CELL, BYTES_PER_VERDICT = 130, 32, 100
"""Bytes at most for each two systems (matrices of a fit, the table of pairs), a topic and system, and a verdict."""
GROUPS_NAMED = 3
"""Groups of systems that a note names."""


@dataclass(frozen=True, eq=False, repr=False)
class Strengths(Result):
    """Strengths of systems, judge by judge.

    Args:
        table: one row a ``judge`` and ``system``, the strongest first. Where systems fall into groups that never met,
            strengths have mean 0 in each group, and no ``rank``. Where a system's wins or losses alone lead to the
            others, ``se`` is NaN, and an end of the interval infinite.
        parameters: one row a ``judge`` and ``parameter``: ``order`` (log odds for what is first) and ``ties``
            (Davidson's nu), with ``se``, ``low`` and ``high``; empty where neither is fitted.
        pairs: one row a ``judge`` and pair, ``system`` and ``other``. All numbers are NaN between groups that never
            met; ``se``, ``low`` and ``high`` where topics do not differ, or are too few. Where wins lead from one to
            the other and not back, ``low`` or ``high`` is infinite, ``se`` NaN.
        influence: judge -> a table, dims (topic, system), whose column means are the strengths and whose covariance of
            means is theirs: paired tests and rank sets may take it as scores, within a group of systems that met.
        note: what must be known to read ranks and intervals; empty where there is nothing.
        settings: the options.
        signature: all that changes these numbers.
    """

    absent = "none"
    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "table": (
            Column("strength", "log odds, of mean 0"),
            Column("se", "standard error over topics"),
            Column("low", "lower end of the interval over topics"),
            Column("high", "its upper end"),
            Column("rank", "by strength; equal ones share the smallest"),
            Column("rank_low", "smallest of the ranks that hold for all systems of the judge together"),
            Column("rank_high", "largest of them"),
            Column("se_votes", "error if all verdicts were independent, which is too small where a topic has several"),
        ),
        "pairs": (
            Column("difference", "of strengths"),
            Column("se", "standard error over topics"),
            Column("low", "lower end of the interval over topics"),
            Column("high", "its upper end"),
            Column(
                "p",
                "two-sided, by t, but at least 2^(1 - n), which n topics that all agree have by the sign test, n the "
                "fewer topics of the two systems",
            ),
            Column("p_adjusted", "by Holm, for all pairs of the judge"),
        ),
    }
    table: pd.DataFrame
    parameters: pd.DataFrame
    pairs: pd.DataFrame
    influence: dict[str, xr.DataArray]
    note: str
    settings: dict[str, Any]
    signature: dict[str, Any]

    def caption(self, table: str) -> str:
        """Describe the columns, the fitted parameters, and what must be known to read ranks and intervals."""
        if table == "pairs":
            caption = "differences of strengths (log odds), intervals over topics; p_adjusted: Holm"
            return "\n".join(filter(None, [caption, self.note]))
        level = f"{100 * (1 - self.settings['alpha']):.4g}%"
        caption = f"strength: log odds, intervals over topics; rank_interval: for all systems together, {level}"
        for row in self.parameters.to_dict("records"):
            value, low, high = (numeral(row[name], ".4f") for name in ("value", "low", "high"))
            caption += f"\n{shown(row['judge'])}, {row['parameter']}: {value} ({low} to {high})"
        return "\n".join(filter(None, [caption, self.note]))

    def _tables(self) -> Tables:
        tables = {"table": lambda: tidy(self.table), "pairs": lambda: tidy(self.pairs)}
        return tables | ({"parameters": lambda: tidy(self.parameters)} if len(self.parameters) else {})


@analysis(
    "judges pairs",
    "",
    FromVerdicts(),
    views=(
        View("strengths", "of systems, with ranks.", table="table", unused=("baseline",)),
        View("pairs", "differences in strength.", pairs=IN_FILE_ORDER, unused=("resamples", "seed")),
    ),
)
def estimate_strengths(
    verdicts: VerdictsLike,
    *,
    pair_ties: PairTiesOption = "half",
    order_effect: Annotated[bool, Option("Fit an advantage of what is shown first.")] = False,
    weights: WeightsOption = "pairs",
    strong_weight: StrongWeightOption = 1.0,
    repeats: OrdersOption = "mean",
    prior: PriorOption = None,
    baseline: Annotated[str | None, Option("Compare with this system only.", metavar="SYSTEM")] = None,
    alpha: CoverageOption = 0.05,
    resamples: StrengthResamplesOption = 10_000,
    seed: SeedOption = 1,
) -> Strengths:
    """Estimate strengths of systems by Bradley and Terry, with errors clustered by topic.

    P(left wins) = 1 / (1 + exp(-(theta_left - theta_right + order))), sum theta = 0, order = 0 unless it is fitted. V =
    G / (G - 1) H+ (sum U_q U_q') H+, H the information, U_q the score of topic q, G topics. Intervals and p are by t;
    a_q being topic q's share of the information on a contrast, the variance is multiplied by (1 - 1 / G) / (1 - sum
    a_q^2), and degrees of freedom are Bell and McCaffrey's, G - 1 where all topics tell as much. Errors that take
    verdicts as independent are too small where topics differ.

    **Ranks** are by signs of whole topics: in each flip, a topic's part of all differences changes its sign, those
    parts being scores where the two strengths are equal. A pair is ordered where all pairs together allow it, and its
    own p is at most alpha. Beyond 200 topics strengths are taken as normal, and each pair as its p says. In
    simulations with 4 to 20 systems and 5 to 50 topics, meant to err in .05, ranks err in at most .06.

    Topics that do not differ, or are too few, show no spread, which is not certainty: there, signs of topics decide,
    and errors and intervals are NaN. A prior makes nobody more certain than the votes: a system that won all has a
    lower bound alone, the difference at which such wins have the chance alpha / 2 (exact where two systems met alone).
    With a prior, each system has A/2 wins and A/2 losses against strength 0, so that all strengths are finite.

    Args:
        verdicts: of one or several judges; each by itself (see ``PairVerdicts.pool_judges``).

    Raises:
        InputError: fewer than two topics, or strengths that are not finite: a system that never loses to the others.
        UsageError: an unknown word or system, or a number outside its range.

    References:
        Bradley & Terry 1952, Rank analysis of incomplete block designs. doi:10.2307/2334029
        Davidson 1970, On extending the Bradley-Terry model to accommodate ties. doi:10.1080/01621459.1970.10481082
        Bell & McCaffrey 2002, Bias reduction in standard errors for linear regression with multi-stage samples.
        Survey Methodology 28.
        Clopper & Pearson 1934, The use of confidence or fiducial limits illustrated in the case of the binomial.
        doi:10.1093/biomet/26.4.404
        Hemerik, Goeman & Finos 2020, Robust testing in generalized linear models by sign flipping score contributions.
        doi:10.1111/rssb.12369
        Mogstad, Romano, Shaikh & Wilhelm 2024, Inference for ranks. doi:10.1093/restud/rdad006
    """
    import pandas as pd

    verdicts = as_verdicts(verdicts)
    model = StrengthModel(pair_ties, order_effect, weights, prior or 0.0, strong_weight)
    if baseline is not None and baseline not in verdicts.systems:
        raise UsageError(f"{setting('baseline', baseline)}: no verdict is on this system")
    tables, parameters, pairs, influence, notes = [], [], [], {}, list[str]()
    for judge, own in choose_verdicts(verdicts, strong_weight, repeats, order_effect=order_effect).by_judge():
        fitted = fit_judge(own, judge, model)
        evidence = _gather_evidence(fitted)
        contrasts, systems = _compare_pairs(evidence, alpha), _compute_systems(evidence, alpha)
        ranges = _rank_systems(evidence, contrasts, alpha, resamples, np.random.default_rng(seed))
        tables.append(_systems_table(judge, fitted, systems, ranges))
        parameters += _parameter_rows(judge, fitted, model, alpha)
        pairs.append(_pairs_table(judge, fitted, contrasts, baseline))
        influence[judge] = _label_influence(fitted)
        notes += _describe_limits(judge, fitted, [systems, contrasts], alpha)
    settings = record_options(estimate_strengths, locals())
    every, every_pair = (pd.concat(frames, ignore_index=True) for frames in (tables, pairs))
    signature = signed("strengths", settings, verdicts={"sha256": verdicts.digest})
    return Strengths(every, pd.DataFrame(parameters), every_pair, influence, "\n".join(notes), settings, signature)


def prepare(verdicts: PairVerdicts, model: StrengthModel) -> tuple[Comparisons, Ints, Ints]:
    """The comparisons of one judge, and which systems and topics they are of."""
    weight = weigh(pair_outcomes(verdicts, model.strong_weight), model.weights)
    counts = verdicts.outcome != 0 if model.ties == "drop" else np.ones(len(verdicts), dtype=bool)
    both = np.stack([verdicts.left, verdicts.right])
    systems, code = np.unique(both, return_inverse=True)
    left, right = code.reshape(both.shape)
    topics, topic = np.unique(verdicts.topic[counts], return_inverse=True)
    return Comparisons(topic, left[counts], right[counts], verdicts.outcome[counts], weight[counts]), systems, topics


class JudgeFit(NamedTuple):
    """The strengths of the systems that a judge judged.

    Args:
        fit: with strengths that have mean 0 in each group of systems that met.
        systems: their names, [S].
        topics: names of the topics, [G].
        island: the group of each system, within which all met directly or through others, [S].
        met: topics on which each system was compared, [S].
        island_topics: topics of each group, [groups].
        comparisons: what it was fitted to.
    """

    fit: StrengthFit
    systems: list[str]
    topics: list[str]
    island: Ints
    met: Ints
    island_topics: Ints
    comparisons: Comparisons


def fit_judge(verdicts: PairVerdicts, judge: str, model: StrengthModel) -> JudgeFit:
    """Fit the strengths of the systems that a judge judged.

    Raises:
        InputError: there are fewer than two topics, strengths are not finite, or they need more memory than allowed.
    """
    comparisons, systems, topics = prepare(verdicts, model)
    names, count = [verdicts.systems[at] for at in systems], len(systems)
    if len(topics) < 2:
        kind = "verdicts other than ties" if model.ties == "drop" else "verdicts"
        text = f"judge {quoted(judge)} has {kind} on {counted(len(topics), 'topic')}: "
        raise InputError(text + "errors over topics need two", verdicts.name, code="too-few")
    _require_memory(count, len(topics), len(verdicts))
    if model.ties == "davidson" and not comparisons.outcome.any():
        text = f"judge {quoted(judge)}: every verdict is a tie, and the parameter of ties is not finite: take "
        raise InputError(text + setting("pair_ties", "half"), verdicts.name, code="separated")
    if not model.prior:
        _refuse_separated(comparisons, names, judge, verdicts)
    try:
        fit = fit_strengths(
            comparisons, count, len(topics), davidson=model.ties == "davidson", order=model.order, prior=model.prior
        )
    except NoFiniteStrengthsError:
        fit = None
    if fit is None or abs(fit.order) > LARGEST_ORDER:
        what = "effect of order" if model.order else "parameter of ties"
        remedy = f"leave out {setting('order_effect')}" if model.order else f"take {setting('pair_ties', 'half')}"
        text = f"judge {quoted(judge)}: strengths and {what} are not finite together: {remedy}"
        raise InputError(text, verdicts.name, code="separated")
    both, twice = np.concatenate([comparisons.left, comparisons.right]), np.tile(comparisons.topic, 2)
    met = np.bincount(np.unique(both * len(topics) + twice) // len(topics), minlength=count)
    groups, island = group_by_wins(comparisons, count, islands=True)
    island_topics = np.bincount(np.unique(island[both] * len(topics) + twice) // len(topics), minlength=groups)
    fit = separate_islands(fit, island, island_topics, len(topics)) if groups > 1 else fit
    return JudgeFit(fit, names, [verdicts.topics[at] for at in topics], island, met, island_topics, comparisons)


def _require_memory(systems: int, topics: int, verdicts: int) -> None:
    """Raises: InputError: matrices of all pairs of systems, and tables of topics, do not fit into the budget."""
    what = analysed(f"{counted(systems, 'system')} on {counted(topics, 'topic')}")
    needed = BYTES_PER_PAIR * systems**2 + BYTES_PER_CELL * topics * systems + BYTES_PER_VERDICT * verdicts
    require(needed, what, "choose fewer systems")


def _refuse_separated(at: Comparisons, systems: Sequence[str], judge: str, verdicts: PairVerdicts) -> None:
    """Raises: InputError: not every system can be reached from every other one by wins."""
    count, group = group_by_wins(at, len(systems))
    if count == 1:
        return
    remedy = f"strengths are not finite; a prior of 1 ({setting('prior')}) gives each system half a win and half a loss"
    islands, island = group_by_wins(at, len(systems), islands=True)
    if islands > 1:
        names = [quoted(systems[int(np.flatnonzero(island == number)[0])]) for number in (0, 1)]
        text = f"judge {quoted(judge)}: systems fall into {islands} groups that are never compared ({names[0]} is in "
        text += f"one, {names[1]} in another): "
        if _are_answers(verdicts):
            text += f"no name occurs on two topics; if these are answers, name their systems ({setting('systems')}); "
        raise InputError(text + remedy, verdicts.name, code="separated")
    winner = np.concatenate([at.left[at.outcome >= 0], at.right[at.outcome <= 0]])
    loser = np.concatenate([at.right[at.outcome >= 0], at.left[at.outcome <= 0]])
    beaten = np.unique(group[loser[group[winner] != group[loser]]])
    top = int(np.setdiff1d(np.arange(count), beaten)[0])
    names = [systems[int(number)] for number in np.flatnonzero(group == top)]
    verb, others = "loses" if len(names) == 1 else "lose", len(systems) - len(names)
    against = "the other system" if others == 1 else f"any of the other {others:,} systems"
    text = f"judge {quoted(judge)}: {listed(names, 'system')} never {verb} to {against}: "
    raise InputError(text + remedy, verdicts.name, code="separated", value=names[0])


def _are_answers(verdicts: PairVerdicts) -> bool:
    both = np.concatenate([verdicts.left, verdicts.right])
    topics = np.unique(np.stack([both, np.concatenate([verdicts.topic, verdicts.topic])]), axis=1)
    return len(np.unique(verdicts.topic)) > 1 and len(np.unique(both)) == topics.shape[1]


class _LogOdds(NamedTuple):
    """Contrasts of strengths: of systems with the mean, [S], or of all pairs, [pairs].

    Args:
        left, right: systems of the pairs; empty for systems alone.
        value: of each contrast; NaN between groups that never met.
        error: its standard error over topics; NaN where these do not tell it, as ``low`` and ``high``.
        p: two-sided.
        flat: whether topics do not differ.
    """

    left: Ints
    right: Ints
    value: Floats
    error: Floats
    low: Floats
    high: Floats
    p: Floats
    flat: Mask

    @property
    def untold(self) -> Mask:
        """Contrasts that are defined, and have neither error nor bound."""
        return np.isnan(self.error) & np.isnan(self.low) & ~np.isnan(self.value)

    @property
    def one_sided(self) -> Mask:
        """Contrasts with an interval and no error."""
        return np.isnan(self.error) & ~np.isnan(self.low)


class _FitFacts(NamedTuple):
    """A fit, all pairs of its systems, and what each topic tells of them.

    Args:
        fitted: strengths.
        left, right: of each pair, [pairs].
        shares: of topics in the information, of systems and then of pairs.
        separation: which differences have one bound alone; None where all have two.
    """

    fitted: JudgeFit
    left: Ints
    right: Ints
    shares: TopicShares
    separation: Separation | None


def _gather_evidence(fitted: JudgeFit) -> _FitFacts:
    left, right = np.triu_indices(len(fitted.systems), 1)
    fit, at, topics = fitted.fit, fitted.comparisons, len(fitted.topics)
    shares = share_information(fit, at, topics, left, right, rows=topics <= FLIPPED_TOPICS)
    parts, _ = group_by_wins(at, len(fitted.systems))
    separation = Separation(fit, at, fitted.island) if parts > len(fitted.island_topics) else None
    return _FitFacts(fitted, left, right, shares, separation)


def _compare_pairs(evidence: _FitFacts, alpha: float) -> _LogOdds:
    fitted, left, right, shares, separation = evidence
    fit, topics = fitted.fit, np.minimum(fitted.met[left], fitted.met[right])

    def spread(matrix: Floats) -> Floats:
        own = np.diag(matrix)
        return np.asarray(np.maximum(own[left] + own[right] - 2 * matrix[left, right], 0.0))

    value, flat = fit.theta[left] - fit.theta[right], _find_flat(fit.influence, spread, left, right)
    told = slice(len(fitted.systems), None)
    variance = spread(fit.covariance)
    factor = _correct(fitted.island_topics[fitted.island[left]], shares.expected[told])
    contrasts = _judge_contrasts(value, np.sqrt(variance), factor, flat, topics, shares.df[told], alpha)
    if separation is not None:
        bounds = separation.bound_pairs(left, right, alpha)
        contrasts = _take_bounds(contrasts, bounds, least_sign_p(topics), alpha)
    apart = fitted.island[left] != fitted.island[right]
    value, error, low, high, p = (np.where(apart, np.nan, own) for own in contrasts)
    return _LogOdds(left, right, value, error, low, high, p, flat)


def _compute_systems(evidence: _FitFacts, alpha: float) -> _LogOdds:
    fitted, shares = evidence.fitted, evidence.shares
    fit, every = fitted.fit, np.arange(len(fitted.systems))
    flat = _find_flat(fit.influence, np.diag, every, every)
    error, df = np.sqrt(np.diag(fit.covariance)[: len(every)]), shares.df[: len(every)]
    factor = _correct(fitted.island_topics[fitted.island], shares.expected[: len(every)])
    contrasts = _judge_contrasts(fit.theta, error, factor, flat, fitted.met, df, alpha)
    if evidence.separation is not None:
        bounds = evidence.separation.bound_systems(alpha)
        contrasts = _take_bounds(contrasts, bounds, np.zeros(len(every)), alpha)
    none = np.empty(0, dtype=np.int64)
    return _LogOdds(none, none, *contrasts, flat)


def _correct(topics: Ints, expected: Floats) -> Floats:
    """Return the factor that corrects errors with G / (G - 1) for topics with unequal shares; 1 for equal ones.

    Args:
        topics: G.
        expected: see ``TopicShares``.
    """
    squares = np.divide((topics - 1) / topics, expected, out=np.zeros(len(expected)), where=expected > SINGLE)
    return np.sqrt(np.where(np.abs(squares - 1) <= SINGLE, 1.0, squares))


def _take_bounds(contrasts: _FitArrays, bounds: ContrastBounds, least: Floats, alpha: float) -> _FitArrays:
    """Contrasts with the bounds of those that have one alone, and no error; an interval has 0 where p says so."""
    value, error, low, high, p = contrasts
    own = ~np.isnan(bounds.low)
    p = np.where(own & ~np.isnan(bounds.p), np.maximum(bounds.p, least), p)
    low, high = np.where(own, bounds.low, low), np.where(own, bounds.high, high)
    open_ = own & ~np.isnan(bounds.p) & (p > alpha)
    low, high = np.where(open_, np.minimum(low, 0.0), low), np.where(open_, np.maximum(high, 0.0), high)
    return value, np.where(own, np.nan, error), low, high, p


def _find_flat(influence: Floats, spread: Callable[[Floats], Floats], left: Ints, right: Ints) -> Mask:
    """Contrasts in which topics differ by rounding alone."""
    centred = influence - influence.mean(axis=0)
    squares = centred.T @ centred
    own = np.diag(squares) + len(influence) * NOISE * (1 + np.abs(influence).max()) ** 2
    return np.asarray(spread(squares) <= NOISE * (own[left] + own[right]))


def _judge_contrasts(
    value: Floats, error: Floats, factor: Floats, flat: Mask, topics: Ints, df: Floats, alpha: float
) -> _FitArrays:
    """Value, error, interval and p of contrasts.

    Args:
        value: of each contrast.
        error: by its topics.
        factor: of the error in intervals and tests.
        flat: where topics do not differ, so that signs alone tell anything.
        topics: that tell anything of it, at most.
        df: degrees of freedom; 0 where one topic alone tells anything.
        alpha: 1 - coverage.
    """
    from scipy.special import stdtrit

    flat, least = flat | (df <= 0), least_sign_p(np.where(df > 0, topics, 1))
    df = np.where(df > 0, df, 1.0)
    signs = np.where(np.abs(value) <= EQUAL, 1.0, least)
    p = np.where(flat, signs, np.maximum(two_sided_t(ratio(value, factor * error), df), least))
    margin = stdtrit(df, 1 - alpha / 2) * factor * error
    low, high = value - margin, value + margin
    untold = flat | ((p > alpha) & (low * high > 0))
    error, low, high = (np.where(untold, np.nan, own) for own in (error, low, high))
    return value, error, low, high, p


def _rank_systems(
    evidence: _FitFacts, pairs: _LogOdds, alpha: float, resamples: int, rng: np.random.Generator
) -> tuple[Ints, Ints]:
    """The best and the worst rank that each system may have, [S]; a system of another group may have any."""
    count, told = len(evidence.fitted.systems), ~np.isnan(pairs.p)
    is_above, is_below = np.zeros((2, len(told)), dtype=bool)
    drawn: dict[str, Any] = {"resamples": resamples, "rng": rng}
    if evidence.shares.rows is not None and told.any():
        parts = find_parts(evidence.fitted.fit, evidence.shares, pairs.left, pairs.right)[:, told]
        is_above[told], is_below[told] = flip_contrasts(parts, alpha, **drawn)
    elif told.any():
        p = np.full((count, count), np.nan)
        p[pairs.left, pairs.right] = p[pairs.right, pairs.left] = pairs.p
        fit = evidence.fitted.fit
        covariance = fit.covariance[:count, :count]
        above = compute_normal_rank_sets(fit.theta, covariance, alpha, p=p, marginal=False, **drawn).above
        is_above, is_below = above[pairs.left, pairs.right], above[pairs.right, pairs.left]
    # Together with others, no pair is separated that is not by its own test.
    with np.errstate(invalid="ignore"):
        significant = pairs.p <= alpha
    above = np.zeros((count, count), dtype=bool)
    above[pairs.left, pairs.right] = significant & is_above & (pairs.value > 0)
    above[pairs.right, pairs.left] = significant & is_below & (pairs.value < 0)
    return 1 + above.sum(axis=0), count - above.sum(axis=1)


def _adjust(p: Floats) -> Floats:
    """Holm's correction for all p that are defined."""
    adjusted, defined = p.copy(), ~np.isnan(p)
    adjusted[defined] = adjust(p[defined]) if defined.any() else p[defined]
    return adjusted


def _systems_table(judge: str, fitted: JudgeFit, systems: _LogOdds, ranges: tuple[Ints, Ints]) -> pd.DataFrame:
    import pandas as pd

    theta, count = fitted.fit.theta, len(fitted.systems)
    met = fitted.island == fitted.island[:, None]
    rank = 1 + ((theta > theta[:, None] + EQUAL) & met).sum(axis=1)
    columns: dict[str, Any] = {"judge": judge, "system": fitted.systems, "strength": theta, "se": systems.error}
    columns |= {"low": systems.low, "high": systems.high, "rank": rank}
    columns |= {"rank_low": ranges[0], "rank_high": ranges[1]}
    columns |= {"se_votes": np.sqrt(np.diag(fitted.fit.inverse)[:count]), "island": fitted.island}
    table = pd.DataFrame(columns).sort_values(["island", "rank", "system"], ignore_index=True)
    if len(fitted.island_topics) > 1:
        table["rank"] = pd.array([pd.NA] * count, dtype="Int64")
    return table.drop(columns="island")


def _parameter_rows(judge: str, fitted: JudgeFit, model: StrengthModel, alpha: float) -> list[dict[str, str | float]]:
    fit, systems = fitted.fit, len(fitted.systems)
    margin = compute_margin(len(fitted.topics) - 1, alpha)
    rows: list[dict[str, str | float]] = []
    if model.order:
        error = _known(float(np.sqrt(fit.covariance[systems, systems])))
        low, high = fit.order - margin * error, fit.order + margin * error
        rows.append({"judge": judge, "parameter": "order", "value": fit.order, "se": error, "low": low, "high": high})
    if model.ties == "davidson":
        log_error = _known(float(np.sqrt(fit.covariance[-1, -1]))) if fit.nu else float("nan")
        low, high = fit.nu * np.exp(-margin * log_error), fit.nu * np.exp(margin * log_error)
        row = {"value": fit.nu, "se": fit.nu * log_error, "low": float(low), "high": float(high)}
        rows.append({"judge": judge, "parameter": "ties"} | row)
    return rows


def _pairs_table(judge: str, fitted: JudgeFit, pairs: _LogOdds, baseline: str | None) -> pd.DataFrame:
    import pandas as pd

    names = np.array(fitted.systems, dtype=object)
    left, right, sign = pairs.left, pairs.right, np.ones(len(pairs.left))
    own = np.ones(len(left), dtype=bool)
    if baseline is not None:
        base = fitted.systems.index(baseline) if baseline in fitted.systems else -1
        own, swapped = (left == base) | (right == base), left == base
        sign = np.where(swapped, -1.0, 1.0)
        left, right = np.where(swapped, right, left), np.where(swapped, left, right)
    low, high = np.where(sign > 0, pairs.low, -pairs.high), np.where(sign > 0, pairs.high, -pairs.low)
    columns: dict[str, Any] = {"judge": judge, "system": names[left], "other": names[right]}
    columns |= {"difference": sign * pairs.value, "se": pairs.error, "low": low, "high": high, "p": pairs.p}
    table = pd.DataFrame(columns)[own].reset_index(drop=True)
    return table.assign(p_adjusted=_adjust(table["p"].to_numpy()))


def _label_influence(fitted: JudgeFit) -> xr.DataArray:
    import xarray as xr

    coordinates = {"topic": fitted.topics, "system": fitted.systems}
    return xr.DataArray(fitted.fit.influence, dims=("topic", "system"), coords=coordinates)


def _describe_limits(judge: str, fitted: JudgeFit, contrasts: list[_LogOdds], alpha: float) -> Iterator[str]:
    """Describe what these verdicts cannot tell."""
    topics = len(fitted.topics)
    if (least := 2.0 ** (1 - topics)) > alpha:
        yield f"{shown(judge)}: {counted(topics, 'topic')} cannot separate systems: no p is below {least:.4g}"
    groups = len(fitted.island_topics)
    if groups > 1:
        members = [np.flatnonzero(fitted.island == group) for group in range(min(groups, GROUPS_NAMED))]
        named = "; ".join(listed([fitted.systems[int(at)] for at in own], "system") for own in members)
        yield (
            f"{shown(judge)}: {groups} groups of systems never met ({named}{'; ...' * (groups > GROUPS_NAMED)}): "
            "differences between groups are undefined, and strengths have mean 0 in each"
        )
    if any(own.untold.any() for own in contrasts):
        yield (
            f"{shown(judge)}: no error or interval where topics do not differ, or are too few: their signs alone can "
            "tell"
        )
    if any(own.one_sided.any() for own in contrasts):
        yield (
            f"{shown(judge)}: systems with wins or losses alone have no error, and an interval with one end at most: "
            "their verdicts bound them on that side alone, and their strengths are the prior's"
        )


def _known(error: float) -> float:
    """A standard error, NaN where topics do not differ."""
    return error if error > FLAT else float("nan")
