"""``estimate_strengths``: strengths of systems from pairwise verdicts, and the ranks that each may have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from cranfield._message import setting
from cranfield._text import counted, listed, quoted
from cranfield._typing import Floats, Ints
from cranfield._validation import above, check_integer, share, word
from cranfield.errors import InputError, UsageError
from cranfield.pairwise.order_effect import compute_margin
from cranfield.pairwise.verdicts import PairVerdicts, VerdictsLike, as_verdicts, pair_outcomes
from cranfield.pairwise.wins import Weights, weigh
from cranfield.results.frames import tidy
from cranfield.results.result import Result, Tables, signed
from cranfield.statistics.multiple_testing import adjust
from cranfield.statistics.paired_comparisons import (
    Comparisons,
    NoFiniteStrengthsError,
    StrengthFit,
    fit_strengths,
    group_by_wins,
)
from cranfield.statistics.paired_tests import ratio, two_sided_t
from cranfield.statistics.rank_confidence_sets import compute_normal_rank_sets

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

PairTies: TypeAlias = Literal["half", "drop", "davidson"]
LARGEST_ORDER = 30.0
"""Log odds for what is first, beyond which they have no maximum."""
EQUAL = 1e-11
"""Strengths this close share a rank."""


class Model(NamedTuple):
    """How strengths are fitted: the settings of ``estimate_strengths`` that change them."""

    ties: PairTies = "half"
    order: bool = False
    weights: Weights = "pairs"
    prior: float = 0.0


@dataclass(frozen=True, eq=False, repr=False)
class Strengths(Result):
    """Strengths of systems, judge by judge.

    Args:
        table: one row a ``judge`` and ``system``, the strongest first: ``strength`` (log odds, mean 0) with standard
            error ``se`` and interval ``low`` to ``high`` over topics; its ``rank`` (equal strengths share the smallest)
            and the ranks ``rank_low`` to ``rank_high`` that hold for all systems of the judge together;
            ``se_votes``, the error if all verdicts were independent, which is too small where a topic has several.
        parameters: one row a ``judge`` and ``parameter``: ``order`` (log odds for what is first) and ``ties``
            (Davidson's nu), with ``se``, ``low`` and ``high``; empty where neither is fitted.
        pairs: one row a judge and pair: ``system``, ``other``, ``difference`` of strengths, ``se``, ``low``, ``high``,
            two-sided ``p`` (t), and ``p_adjusted``, corrected for all pairs of the judge.
        influence: judge -> a table, dims (topic, system), whose column means are the strengths and whose covariance of
            means is theirs: paired tests and rank sets may take it as scores.
        settings: ``pair_ties``, ``order_effect``, ``weights``, ``prior``, ``alpha``, ``resamples``, ``seed``.
        signature: all that changes these numbers.
    """

    charts: ClassVar[tuple[str, ...]] = ("strength_intervals",)
    table: pd.DataFrame
    parameters: pd.DataFrame
    pairs: pd.DataFrame
    influence: dict[str, xr.DataArray]
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        tables = {"table": lambda: tidy(self.table), "pairs": lambda: tidy(self.pairs)}
        return tables | ({"parameters": lambda: tidy(self.parameters)} if len(self.parameters) else {})


def estimate_strengths(
    verdicts: VerdictsLike,
    *,
    pair_ties: PairTies = "half",
    order_effect: bool = False,
    weights: Weights = "pairs",
    prior: float | None = None,
    baseline: str | None = None,
    alpha: float = 0.05,
    resamples: int = 10_000,
    seed: int = 1,
) -> Strengths:
    """Estimate strengths of systems by Bradley and Terry, with errors clustered by topic.

    P(left wins) = 1 / (1 + exp(-(theta_left - theta_right + order))), sum theta = 0, order = 0 unless it is fitted. V =
    G / (G - 1) H+ (sum U_q U_q') H+, H the information, U_q the score of topic q, G topics; intervals by t with G - 1
    degrees of freedom. Errors that take verdicts as independent are too small where topics differ.

    Args:
        verdicts: of one or several judges; each by itself (see ``PairVerdicts.pool_judges``).
        pair_ties: a tie is ``half`` a win; ``drop``; or ``davidson``: it has a parameter.
        order_effect: fit an advantage of what is shown first.
        weights: ``pairs``: each pair of a topic weighs 1, which its verdicts share; ``verdicts``: each verdict 1.
        prior: A > 0: each system has A/2 wins and A/2 losses against an opponent of strength 0. Strengths are then
            finite for any verdicts; 1 is usual.
        baseline: compare pairs with this system only.
        alpha: 1 - coverage, in (0, 1).
        resamples: normal samples for the rank sets.
        seed: the same seed gives the same bits.

    Raises:
        InputError: fewer than two topics, or strengths that are not finite: a system that never loses to the others.
        UsageError: an unknown word or system, or a number outside its range.

    References:
        Bradley & Terry 1952, Rank analysis of incomplete block designs. doi:10.2307/2334029
        Davidson 1970, On extending the Bradley-Terry model to accommodate ties. doi:10.1080/01621459.1970.10481082
        Mogstad, Romano, Shaikh & Wilhelm 2024, Inference for ranks. doi:10.1093/restud/rdad006
    """
    import pandas as pd

    verdicts = as_verdicts(verdicts)
    model = make_model(pair_ties, weights, prior, order=order_effect)
    _check(verdicts, baseline, alpha, resamples, seed)
    tables, parameters, pairs, influence = [], [], [], {}
    for judge, own in verdicts.by_judge():
        fit, systems, topics = fit_judge(own, judge, model)
        names = [own.systems[at] for at in systems]
        margin = compute_margin(len(topics) - 1, alpha)
        rng = np.random.default_rng(seed)
        tables.append(_systems_table(judge, names, fit, margin, alpha, resamples, rng))
        parameters += _parameter_rows(judge, fit, len(names), model, margin)
        pairs.append(_pairs_table(judge, names, fit, margin, len(topics) - 1, baseline))
        influence[judge] = _label_influence(fit.influence, [own.topics[at] for at in topics], names)
    settings: dict[str, Any] = {"pair_ties": pair_ties, "order_effect": order_effect, "weights": weights}
    settings |= {"prior": prior, "baseline": baseline, "alpha": alpha, "resamples": resamples, "seed": seed}
    return Strengths(
        pd.concat(tables, ignore_index=True),
        pd.DataFrame(parameters),
        pd.concat(pairs, ignore_index=True),
        influence,
        settings,
        signed("strengths", settings, verdicts={"sha256": verdicts.digest}),
    )


def _check(
    verdicts: PairVerdicts,
    baseline: str | None,
    alpha: float,
    resamples: int,
    seed: int,
) -> None:
    share(alpha=alpha)
    check_integer(1, resamples=resamples)
    check_integer(0, seed=seed)
    if baseline is not None and baseline not in verdicts.systems:
        raise UsageError(f"{setting('baseline', baseline)}: no verdict is on this system")


def make_model(pair_ties: PairTies, weights: Weights, prior: float | None, *, order: bool = False) -> Model:
    """Make a model of words that are checked.

    Raises:
        UsageError: an unknown word, or a prior that is not above 0.
    """
    word("pair_ties", pair_ties, get_args(PairTies))
    word("weights", weights, get_args(Weights))
    if prior is not None:
        above(0, prior=prior)
    return Model(pair_ties, order, weights, prior or 0.0)


def prepare(verdicts: PairVerdicts, model: Model) -> tuple[Comparisons, Ints, Ints]:
    """The comparisons of one judge, and which systems and topics they are of."""
    weight = weigh(pair_outcomes(verdicts), model.weights)
    counts = verdicts.outcome != 0 if model.ties == "drop" else np.ones(len(verdicts), dtype=bool)
    both = np.stack([verdicts.left, verdicts.right])
    systems, code = np.unique(both, return_inverse=True)
    left, right = code.reshape(both.shape)
    topics, topic = np.unique(verdicts.topic[counts], return_inverse=True)
    return Comparisons(topic, left[counts], right[counts], verdicts.outcome[counts], weight[counts]), systems, topics


def fit_judge(verdicts: PairVerdicts, judge: str, model: Model) -> tuple[StrengthFit, Ints, Ints]:
    """Fit the strengths of the systems that a judge judged; which these are, and the topics.

    Raises:
        InputError: there are fewer than two topics, or strengths are not finite.
    """
    comparisons, systems, topics = prepare(verdicts, model)
    if len(topics) < 2:
        text = f"judge {quoted(judge)} has verdicts on {counted(len(topics), 'topic')}: errors over topics need two"
        raise InputError(text, verdicts.name, code="too-few")
    if not model.prior:
        _refuse_separated(comparisons, [verdicts.systems[at] for at in systems], judge, verdicts)
    try:
        fit = fit_strengths(
            comparisons,
            len(systems),
            len(topics),
            davidson=model.ties == "davidson",
            order=model.order,
            prior=model.prior,
        )
    except NoFiniteStrengthsError:
        fit = None
    if fit is None or abs(fit.order) > LARGEST_ORDER:
        text = f"judge {quoted(judge)}: strengths and effect of order are not finite together: leave out "
        raise InputError(text + setting("order_effect"), verdicts.name, code="separated")
    return fit, systems, topics


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


def _systems_table(
    judge: str,
    names: Sequence[str],
    fit: StrengthFit,
    margin: float,
    alpha: float,
    resamples: int,
    rng: np.random.Generator,
) -> pd.DataFrame:
    import pandas as pd

    count, theta = len(names), fit.theta
    covariance = fit.covariance[:count, :count]
    error = np.sqrt(np.diag(covariance))
    sets = compute_normal_rank_sets(
        theta,
        covariance,
        alpha,
        resamples=resamples,
        rng=rng,
        marginal=False,
    )
    columns: dict[str, Any] = {"judge": judge, "system": names, "strength": theta, "se": error}
    columns |= {"low": theta - margin * error, "high": theta + margin * error}
    columns |= {"rank": 1 + (theta > theta[:, None] + EQUAL).sum(axis=1)}
    columns |= {"rank_low": sets.simultaneous.low, "rank_high": sets.simultaneous.high}
    columns |= {"se_votes": np.sqrt(np.diag(fit.inverse)[:count])}
    return pd.DataFrame(columns).sort_values(["rank", "system"], ignore_index=True)


def _parameter_rows(
    judge: str, fit: StrengthFit, systems: int, model: Model, margin: float
) -> list[dict[str, str | float]]:
    rows: list[dict[str, str | float]] = []
    if model.order:
        error = float(np.sqrt(fit.covariance[systems, systems]))
        low, high = fit.order - margin * error, fit.order + margin * error
        rows.append({"judge": judge, "parameter": "order", "value": fit.order, "se": error, "low": low, "high": high})
    if model.ties == "davidson":
        log_error = float(np.sqrt(fit.covariance[-1, -1])) if fit.nu else float("nan")
        low, high = fit.nu * np.exp(-margin * log_error), fit.nu * np.exp(margin * log_error)
        row = {"value": fit.nu, "se": fit.nu * log_error, "low": float(low), "high": float(high)}
        rows.append({"judge": judge, "parameter": "ties"} | row)
    return rows


def _pairs_table(
    judge: str, names: Sequence[str], fit: StrengthFit, margin: float, df: int, baseline: str | None
) -> pd.DataFrame:
    import pandas as pd

    left, right = np.triu_indices(len(names), 1)
    if baseline is not None:
        base = names.index(baseline) if baseline in names else -1
        own = (left == base) | (right == base)
        left, right = np.where(left[own] == base, right[own], left[own]), np.full(int(own.sum()), base)
    v, difference = fit.covariance, fit.theta[left] - fit.theta[right]
    error = np.sqrt(np.maximum(v[left, left] + v[right, right] - 2 * v[left, right], 0.0))
    p = two_sided_t(ratio(difference, error), np.full(len(left), float(df)))
    columns: dict[str, Any] = {"judge": judge, "system": [names[int(at)] for at in left]}
    columns |= {"other": [names[int(at)] for at in right], "difference": difference, "se": error}
    columns |= {"low": difference - margin * error, "high": difference + margin * error}
    return pd.DataFrame(columns | {"p": p, "p_adjusted": adjust(p) if len(p) else p})


def _label_influence(influence: Floats, topics: Sequence[str], systems: Sequence[str]) -> xr.DataArray:
    import xarray as xr

    return xr.DataArray(influence, dims=("topic", "system"), coords={"topic": list(topics), "system": list(systems)})
