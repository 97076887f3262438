"""Strengths from paired comparisons: Bradley and Terry, ties by Davidson, an effect of order, errors by topic.

Shapes: n comparisons, S systems, G topics, P parameters: strengths, then (where there are) order effect, log of ties.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from cranfield._typing import Floats, Ints

STEPS = 200
CONVERGED = 1e-12
LONGEST_STEP = 2.0
SMALLEST_STEP = 1e-8
"""A last step this small is convergence, too, where rounding allows no smaller one."""


class Comparisons(NamedTuple):
    """Comparisons of two systems, [n] each.

    Args:
        topic: number of the topic, from 0.
        left: number of the system that was shown first.
        right: number of the system that was shown second.
        outcome: 1 left wins, -1 right wins, 0 a tie.
        weight: of the comparison.
    """

    topic: Ints
    left: Ints
    right: Ints
    outcome: Ints
    weight: Floats


class NoFiniteStrengthsError(Exception):
    """The likelihood has no maximum at finite strengths."""


@dataclass(frozen=True)
class StrengthFit:
    """Parameters of a fit, with their covariance over topics.

    Args:
        theta: strengths with mean 0, [S].
        order: log odds for what is shown first; 0 where they are not fitted.
        nu: Davidson's parameter of ties; 0 where it is not fitted, or there is no tie.
        covariance: of all parameters, clustered by topic, [P, P].
        inverse: of the information, [P, P]: the covariance if all comparisons were independent.
        influence: theta + G H+ U_q of each topic, [G, S]; the covariance of its column means is that of theta.
    """

    theta: Floats
    order: float
    nu: float
    covariance: Floats
    inverse: Floats
    influence: Floats


@dataclass(frozen=True)
class _ComparisonModel:
    systems: int
    order: bool
    davidson: bool
    prior: float

    @property
    def parameters(self) -> int:
        return self.systems + self.order + self.davidson

    def derivatives(self, beta: Floats, at: Comparisons) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """Score by d and by log nu, and the information d d, d nu and nu nu, of each comparison, [n] each."""
        d = beta[at.left] - beta[at.right] + (beta[self.systems] if self.order else 0.0)
        if not self.davidson:
            p, none = expit(d), np.zeros(len(d))
            return (at.outcome + 1) / 2 - p, none, p * (1 - p), none, none
        half, log_nu = np.abs(d) / 2, beta[-1]
        top = np.maximum(half, log_nu)
        more, less, tie = np.exp(half - top), np.exp(-half - top), np.exp(log_nu - top)
        total = more + less + tie
        difference, tied = np.sign(d) * (more - less) / total, tie / total
        spread = (1 - tied - difference**2) / 4
        score = (at.outcome - difference) / 2, (at.outcome == 0) - tied
        return *score, spread, -difference * tied / 2, tied * (1 - tied)

    def gradient(self, beta: Floats, at: Comparisons, topics: int) -> Floats:
        """Sums of scores over the comparisons of each topic, without the prior, [topics, P]."""
        by_d, by_nu, *_ = self.derivatives(beta, at)
        size, start = topics * self.parameters, at.topic * self.parameters
        by_d = by_d * at.weight
        sums = np.bincount(start + at.left, by_d, size) - np.bincount(start + at.right, by_d, size)
        if self.order:
            sums += np.bincount(start + self.systems, by_d, size)
        if self.davidson:
            sums += np.bincount(start + self.parameters - 1, by_nu * at.weight, size)
        return np.asarray(sums.reshape(topics, self.parameters))

    def information(self, beta: Floats, at: Comparisons) -> Floats:
        """Expected information with that of the prior, [P, P]."""
        _, _, d_d, d_nu, nu_nu = (values * at.weight for values in self.derivatives(beta, at))
        s, result = self.systems, np.zeros((self.parameters, self.parameters))
        shared = np.bincount(at.left * s + at.right, d_d, s * s).reshape(s, s)
        shared = shared + shared.T
        p = expit(beta[:s])
        result[:s, :s] = np.diag(shared.sum(axis=1) + self.prior * p * (1 - p)) - shared
        if self.order:
            result[s, :s] = result[:s, s] = np.bincount(at.left, d_d, s) - np.bincount(at.right, d_d, s)
            result[s, s] = d_d.sum()
        if self.davidson:
            result[-1, :s] = result[:s, -1] = np.bincount(at.left, d_nu, s) - np.bincount(at.right, d_nu, s)
            result[-1, -1] = nu_nu.sum()
            if self.order:
                result[-1, s] = result[s, -1] = d_nu.sum()
        return result

    def invert(self, information: Floats) -> Floats:
        """The inverse; without a prior the pseudo-inverse in which strengths sum to 0."""
        if self.prior:
            return np.asarray(np.linalg.inv(information), dtype=np.float64)
        scale = float(np.trace(information)) / self.parameters
        ones = np.zeros(self.parameters)
        ones[: self.systems] = 1 / np.sqrt(self.systems)
        location = np.outer(ones, ones)
        return np.asarray(np.linalg.inv(information + scale * location) - location / scale)

    def maximise(self, at: Comparisons) -> Floats:
        """The parameters, by Newton's method with steps that are cut.

        Raises:
            NoFiniteStrengthsError: no maximum is reached.
        """
        beta, size = np.zeros(self.parameters), np.inf
        for _ in range(STEPS):
            gradient = self.gradient(beta, at, 1)[0]
            gradient[: self.systems] += self.prior * (0.5 - expit(beta[: self.systems]))
            try:
                step = self.invert(self.information(beta, at)) @ gradient
            except np.linalg.LinAlgError:
                raise NoFiniteStrengthsError from None
            size = float(np.abs(step).max())
            beta = beta + step * min(1.0, LONGEST_STEP / size if size else 1.0)
            if size <= CONVERGED:
                return np.asarray(beta)
        if not size <= SMALLEST_STEP:
            raise NoFiniteStrengthsError
        return np.asarray(beta)


def condense(at: Comparisons, systems: int) -> Comparisons:
    """All topics taken together: a comparison for each left, right and outcome that occurs."""
    key = (at.left * systems + at.right) * 3 + at.outcome + 1
    values, inverse = np.unique(key, return_inverse=True)
    pair = values // 3
    return Comparisons(
        np.zeros(len(values), dtype=np.int64),
        pair // systems,
        pair % systems,
        values % 3 - 1,
        np.bincount(inverse, at.weight, len(values)).astype(float),
    )


def repeat_topics(at: Comparisons, counts: Floats) -> Comparisons:
    """The comparisons of topics, each as often as it was drawn, [G]."""
    times = counts[at.topic]
    used = times > 0
    weight = at.weight[used] * times[used]
    return Comparisons(at.topic[used], at.left[used], at.right[used], at.outcome[used], weight)


def group_by_wins(at: Comparisons, systems: int, *, islands: bool = False) -> tuple[int, Ints]:
    """The number of groups within which every system is reached from every other by wins, and the group of each, [S].

    Strengths without a prior are finite if there is one group. A tie is a win of both.

    Args:
        at: the comparisons.
        systems: how many there are.
        islands: whether wins lead both ways, so that groups are those that are never compared.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    winner = np.concatenate([at.left[at.outcome >= 0], at.right[at.outcome <= 0]])
    loser = np.concatenate([at.right[at.outcome >= 0], at.left[at.outcome <= 0]])
    graph = coo_array((np.ones(len(winner)), (winner, loser)), shape=(systems, systems)).tocsr()
    count, group = connected_components(graph, connection="weak" if islands else "strong")
    return int(count), group


def separate_islands(fit: StrengthFit, island: Ints, island_topics: Ints, topics: int) -> StrengthFit:
    """The fit of groups of systems that never met, each with strengths of mean 0 and the errors of its own topics.

    Args:
        fit: of all systems together.
        island: the group of each system, [S].
        island_topics: how many topics each group has, [groups].
        topics: how many there are.
    """
    systems, parameters = len(island), len(fit.covariance)
    centre = np.eye(parameters)
    met = island == island[:, None]
    centre[:systems, :systems] -= met / met.sum(axis=1)
    own = island_topics[island] / np.maximum(island_topics[island] - 1, 1)
    factor = np.ones(parameters)
    factor[:systems] = np.sqrt(own * (topics - 1) / topics)
    move = centre * factor[:, None]
    return replace(
        fit,
        theta=centre[:systems, :systems] @ fit.theta,
        covariance=move @ fit.covariance @ move.T,
        inverse=centre @ fit.inverse @ centre.T,
        influence=fit.influence @ centre[:systems, :systems].T,
    )


def make_information(fit: StrengthFit, at: Comparisons) -> Floats:
    """The expected information that comparisons have at the parameters of a fit, without a prior, [P, P]."""
    systems, davidson = len(fit.theta), fit.nu > 0
    model = _ComparisonModel(systems, len(fit.covariance) > systems + davidson, davidson, 0.0)
    further = ([fit.order] if model.order else []) + ([np.log(fit.nu)] if davidson else [])
    return model.information(np.concatenate([fit.theta, further]), at)


def fit_theta(at: Comparisons, systems: int, *, davidson: bool, order: bool, prior: float) -> Floats:
    """Strengths with mean 0, [S], without their errors.

    Raises:
        NoFiniteStrengthsError: they do not exist, or are not comparable as systems fall into groups that never met.
    """
    both = condense(at, systems)
    if group_by_wins(both, systems, islands=bool(prior))[0] > 1:
        raise NoFiniteStrengthsError
    model = _ComparisonModel(systems, order, davidson and bool((both.outcome == 0).any()), prior)
    theta = model.maximise(both)[:systems]
    return np.asarray(theta - theta.mean())


def fit_strengths(
    at: Comparisons, systems: int, topics: int, *, davidson: bool, order: bool, prior: float
) -> StrengthFit:
    """Fit strengths, and estimate their covariance by the sandwich clustered by topic.

    P(left wins) = s(d), d = theta_left - theta_right + order, a tie being half a win; or, by Davidson, left : right :
    tie = e^(d/2) : e^(-d/2) : nu. V = G / (G - 1) H+ (sum U_q U_q') H+, U_q the score of topic q, H the information.

    Args:
        at: the comparisons.
        systems: how many there are.
        topics: how many there are, at least 2.
        davidson: whether ties have a parameter.
        order: whether the order has one.
        prior: A: each system has A / 2 wins and A / 2 losses against an opponent of strength 0; 0 for none.

    Raises:
        NoFiniteStrengthsError: they do not exist.

    References:
        Bradley & Terry 1952, Rank analysis of incomplete block designs. doi:10.2307/2334029
        Davidson 1970, On extending the Bradley-Terry model to accommodate ties. doi:10.1080/01621459.1970.10481082
        Davidson & Beaver 1977, On extending the Bradley-Terry model to incorporate within-pair order effects.
        doi:10.2307/2529467
    """
    both = condense(at, systems)
    model = _ComparisonModel(systems, order, davidson and bool((both.outcome == 0).any()), prior)
    beta = model.maximise(both)
    inverse = model.invert(model.information(beta, both))
    moves = model.gradient(beta, at, topics) @ inverse
    moves[:, :systems] -= moves[:, :systems].mean(axis=1, keepdims=True)
    centre = np.eye(model.parameters)
    centre[:systems, :systems] -= 1 / systems
    theta = beta[:systems] - beta[:systems].mean()
    return StrengthFit(
        theta,
        float(beta[systems]) if order else 0.0,
        float(np.exp(beta[-1])) if model.davidson else 0.0,
        topics / (topics - 1) * moves.T @ moves,
        centre @ inverse @ centre.T,
        theta + topics * moves[:, :systems],
    )
