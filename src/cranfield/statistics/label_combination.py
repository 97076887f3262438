"""One label from the labels of several judges: votes, means, Dawid and Skene's model, and weights from errors.

Shapes: N documents, m judges, K classes. Votes and labels are [N, m].
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield._typing import Floats, Ints

STEPS = 2000
RELATIVE_RISE = 1e-12
EDGE = 1e-12
"""A weighted score this close below one half is one half."""


def majority(votes: Floats, *, ties_relevant: bool = False) -> Floats:
    """1 where more than half of the judges say relevant, 0 elsewhere; a tie is 0, or 1 if ``ties_relevant``."""
    doubled = 2.0 * votes.sum(axis=1)
    return np.asarray((doubled >= votes.shape[1] if ties_relevant else doubled > votes.shape[1]).astype(np.float64))


def plurality(labels: Floats) -> Floats:
    """The label that most judges give; of several, the lowest."""
    values = np.unique(labels)
    counts = (labels[:, :, None] == values).sum(axis=1)
    return np.asarray(values[counts.argmax(axis=1)])


def lower_median(labels: Floats) -> Floats:
    """The median label; of an even number, the lower of the two in the middle."""
    return np.asarray(np.sort(labels, axis=1)[:, (labels.shape[1] - 1) // 2])


def rounded_mean(labels: Floats) -> Floats:
    """floor(mean + 1/2)."""
    return np.asarray(np.floor((2.0 * labels.sum(axis=1) + labels.shape[1]) / (2.0 * labels.shape[1])))


class DawidSkene(NamedTuple):
    """The fit of Dawid and Skene's model.

    Args:
        posterior: T, probability of each class for each document, were judges independent, [N, K].
        shares: p, of the classes, [K].
        confusion: C, chance that a judge labels a document of class k with l, [m, K, K].
        objective: the penalised log likelihood after each step.
        converged: whether the last step no longer raised it.
    """

    posterior: Floats
    shares: Floats
    confusion: Floats
    objective: Floats
    converged: bool

    @property
    def classes(self) -> Ints:
        """The most probable class of each document; of several, the lowest, [N]."""
        return np.asarray(self.posterior.argmax(axis=1))


def fit_dawid_skene(classes: Ints, count: int, prior: float = 1.0) -> DawidSkene:
    """Fit Dawid and Skene's model by EM, from vote shares.

    p_k ~ sum_d T_dk + prior; C_jkl ~ sum_d T_dk [label_dj = l] + prior (1 + [k = l]); T_dk ~ p_k prod_j C_jk,label.
    The objective is the log likelihood + prior (sum log p + sum (1 + [k = l]) log C), which never falls; EM stops where
    it rises by at most 1e-12 of 1 + its size.

    Args:
        classes: of each label, numbers from 0, [N, m].
        count: K, the number of classes.
        prior: weight of the prior, 0 or more; 0 is plain EM.

    References:
        Dawid & Skene 1979, Maximum likelihood estimation of observer error-rates. doi:10.2307/2346806
    """
    documents, judges = classes.shape
    marked = (classes[:, :, None] == np.arange(count)).astype(np.float64)
    posterior = marked.mean(axis=1)
    flat = marked.reshape(documents, judges * count)
    pseudo = prior * (1.0 + np.eye(count))
    objective: list[float] = []
    while True:
        shares = posterior.sum(axis=0) + prior
        shares = shares / shares.sum()
        confusion = (posterior.T @ flat).reshape(count, judges, count).transpose(1, 0, 2) + pseudo
        total = confusion.sum(axis=2, keepdims=True)
        confusion = np.divide(confusion, total, out=np.zeros_like(confusion), where=total > 0)
        # A chance of 0, which plain EM has, is as good as e^-690.
        log_shares, log_confusion = (np.log(np.maximum(chance, 1e-300)) for chance in (shares, confusion))
        joint = log_shares + flat @ log_confusion.transpose(0, 2, 1).reshape(judges * count, count)
        largest = joint.max(axis=1, keepdims=True)
        posterior = np.exp(joint - largest)
        norm = posterior.sum(axis=1, keepdims=True)
        posterior = posterior / norm
        likelihood = float((largest + np.log(norm)).sum())
        objective.append(likelihood + prior * float(log_shares.sum()) + float((pseudo * log_confusion).sum()))
        rise = objective[-1] - objective[-2] if len(objective) > 1 else np.inf
        converged = bool(rise <= RELATIVE_RISE * (1.0 + abs(objective[-1])))
        if converged or len(objective) >= STEPS:
            return DawidSkene(posterior, shares, confusion, np.array(objective), converged)


def minimum_variance_weights(covariance: Floats) -> Floats:
    """Weights w >= 0 with sum 1 that make w'Sw least, [m].

    S gets a ridge of 1e-12 of its mean variance. Without the bound they would be S^-1 1 / 1'S^-1 1; here, w is
    v / sum v with v >= 0 that minimises v'Sv / 2 - sum v, a problem of non-negative least squares.

    Args:
        covariance: S of errors, [m, m].

    References:
        Bates & Granger 1969, The combination of forecasts. doi:10.1057/jors.1969.103

    >>> minimum_variance_weights(np.array([[1, 0.5, 0], [0.5, 1, 0], [0, 0, 1]])).round(6).tolist()
    [0.285714, 0.285714, 0.428571]
    """
    from scipy.optimize import nnls

    judges = len(covariance)
    trace = float(np.trace(covariance))
    if trace <= 0:
        return np.full(judges, 1.0 / judges)
    scaled = covariance * (judges / trace) + 1e-12 * np.eye(judges)
    root = np.linalg.cholesky(scaled)
    solution, _ = nnls(root.T, np.linalg.solve(root, np.ones(judges)))
    used = solution > 0
    weights = np.zeros(judges)
    weights[used] = np.linalg.solve(scaled[np.ix_(used, used)], np.ones(int(used.sum())))
    # The exact solution on the judges that have weight; nnls stops a little before.
    weights = weights if (weights >= 0).all() else solution
    return np.asarray(weights / weights.sum())


class WeightedVotes(NamedTuple):
    """Votes weighted by errors on other topics.

    Args:
        labels: 1 for relevant, [N].
        score: the weighted vote minus what judges err by on average, [N].
        weights: of the judges, from all topics together, [m].
    """

    labels: Floats
    score: Floats
    weights: Floats


def weigh_votes(votes: Floats, reference: Floats, topic: Ints) -> WeightedVotes:
    """Weigh votes by the covariance of errors on the other topics, so that agreement is not flattered.

    With b the mean and S the covariance (divisor N) of z - y on the other topics, a document is relevant if
    sum w (z - b) >= 1/2, w those of ``minimum_variance_weights``.

    Args:
        votes: z, 0 or 1, [N, m].
        reference: y, 0 or 1, [N].
        topic: number of each document's topic, [N]; two topics or more.
    """
    errors = votes - reference[:, None]
    total = len(errors), errors.sum(axis=0), errors.T @ errors
    score = np.empty(len(votes))
    for rows in np.split(np.argsort(topic, kind="stable"), np.cumsum(np.bincount(topic))[:-1]):
        own = errors[rows]
        # Sums of whole numbers are exact, and so is what is left of them without this topic.
        others = total[0] - len(own), total[1] - own.sum(axis=0), total[2] - own.T @ own
        bias, weights = _fit_weights(*others)
        score[rows] = (votes[rows] - bias) @ weights
    weights = _fit_weights(*total)[1]
    return WeightedVotes((score >= 0.5 - EDGE).astype(np.float64), score, weights)


def _fit_weights(count: int, sums: Floats, products: Floats) -> tuple[Floats, Floats]:
    """Mean error and weight of each judge, from sums over documents."""
    bias = sums / count
    return bias, minimum_variance_weights(products / count - np.outer(bias, bias))
