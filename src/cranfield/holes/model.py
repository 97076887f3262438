"""Ridge logistic regressions of labels on features, one for each level, and the spread of their errors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from cranfield._typing import Floats, Ints
from cranfield.holes.features import SHARED_DEPTH, HoleDocuments, features

INTERCEPT_PENALTY, SLOPE_PENALTY, TOPIC_PENALTY = 1e-6, 0.01, 1.0
LEAST = 10
"""Rows of either class below which a level has one constant probability."""
CONVERGED = 1e-10
GRID = np.round(np.arange(0.0, 2.505, 0.01), 2)
"""Standard deviations of teams that are tried."""
LEAST_TEAMS, ASSUMED = 5, 0.8
"""Teams with uniques below which the standard deviation is assumed, and what it is then."""


@dataclass(frozen=True, eq=False)
class LevelModel:
    """P(label >= l | label >= l - 1) of one level.

    Args:
        level: l.
        constant: the probability where there are too few rows; None where it is fitted.
        coefficients: intercept, slopes of standardized features, then topics, [1 + K + T].
        covariance: inverse Hessian at the mode, of the same order.
        design: standardized features of all documents, [D, K].
    """

    level: int
    constant: float | None
    coefficients: Floats
    covariance: Floats
    design: Floats

    def predictor(self, topic: Ints, coefficients: Floats | None = None) -> Floats:
        """eta of all documents, [D], or of several draws of coefficients, [draws, D]."""
        b = self.coefficients if coefficients is None else coefficients
        slopes = self.design.shape[1]
        eta: Floats = b[..., :1] + b[..., 1 : 1 + slopes] @ self.design.T + b[..., 1 + slopes :][..., topic]
        return eta


def fit_level(documents: HoleDocuments, level: int, topics: int, *, pool: bool) -> LevelModel:
    """Fit one level on the judged documents that reach the level below it.

    Minimises -loglik + (1e-6 b0^2 + .01 sum b_k^2 + sum u_t^2) / 2 by Newton's method; strictly convex, one answer.
    """
    rows = documents.judged & (documents.label >= level - 1)
    target = (documents.label[rows] >= level).astype(float)
    positive = int(target.sum())
    if min(positive, len(target) - positive) < LEAST:
        empty = np.empty((0,))
        share = (positive + 0.5) / (len(target) + 1.0)
        return LevelModel(level, share, empty, empty, np.empty((len(documents.topic), 0)))
    raw = features(documents, level, pool=pool)
    design = (raw - raw[rows].mean(axis=0)) / (raw[rows].std(axis=0) + 1e-9)
    x, topic = np.column_stack([np.ones(len(target)), design[rows]]), documents.topic[rows]
    width = x.shape[1]
    penalty = np.concatenate([[INTERCEPT_PENALTY], np.full(width - 1, SLOPE_PENALTY), np.full(topics, TOPIC_PENALTY)])
    b = np.zeros(width + topics)
    for _ in range(200):
        eta = x @ b[:width] + b[width:][topic]
        p = expit(eta)
        gradient = np.concatenate([x.T @ (p - target), np.bincount(topic, p - target, topics)]) + penalty * b
        hessian = _hessian(x, topic, p * (1 - p), penalty, topics)
        step = np.linalg.solve(hessian, gradient)
        b -= step * min(1.0, 5.0 / max(float(np.abs(step).max()), 1e-300))
        if np.abs(step).max() < CONVERGED:
            break
    p = expit(x @ b[:width] + b[width:][topic])
    covariance: Floats = np.asarray(np.linalg.inv(_hessian(x, topic, p * (1 - p), penalty, topics)), dtype=np.float64)
    return LevelModel(level, None, b, covariance, design)


def _hessian(x: Floats, topic: Ints, weight: Floats, penalty: Floats, topics: int) -> Floats:
    width = x.shape[1]
    hessian = np.diag(penalty)
    weighted = x * weight[:, None]
    hessian[:width, :width] += weighted.T @ x
    for column in range(width):
        sums = np.bincount(topic, weighted[:, column], topics)
        hessian[column, width:] += sums
        hessian[width:, column] += sums
    rows = np.arange(width, width + topics)
    hessian[rows, rows] += np.bincount(topic, weight, topics)
    return np.asarray(hessian)


def team_offsets(documents: HoleDocuments, model: LevelModel) -> tuple[dict[str, float], float]:
    """Offsets of the teams that have ten uniques, and the standard deviation of teams that they say.

    A unique is a judged document that one team alone has among its first twenty. The offset D of a team minimises
    nll(eta_1 + D) + .05 D^2 on its uniques, with V = 1 / (sum of p (1 - p) + .1); the deviation s is the first maximum
    of -sum of [ln(V + s^2) + D^2 / (V + s^2)] / 2 on 0, .01, ..., 2.5. With fewer than five such teams it is .8.
    """
    near = documents.best <= SHARED_DEPTH
    unique = documents.judged & (near.sum(axis=1) == 1)
    eta, reaches = model.predictor(documents.topic), documents.label >= 1
    offsets: dict[str, float] = {}
    variances = []
    for column, team in enumerate(documents.teams):
        own = unique & near[:, column]
        if own.sum() < LEAST:
            continue
        offset = _offset(eta[own], reaches[own].astype(float))
        p = expit(eta[own] + offset)
        offsets[team] = offset
        variances.append(1.0 / (float((p * (1 - p)).sum()) + 0.1))
    if len(offsets) < LEAST_TEAMS:
        return offsets, ASSUMED
    total = np.array(variances) + GRID[:, None] ** 2
    likelihood = -0.5 * (np.log(total) + np.array(list(offsets.values())) ** 2 / total).sum(axis=1)
    return offsets, float(GRID[int(np.argmax(likelihood))])


def _offset(eta: Floats, target: Floats) -> float:
    """The minimum of a convex function of one number, by Newton's method with bisection where a step is too long."""
    low, high, offset = -50.0, 50.0, 0.0
    for _ in range(200):
        p = expit(eta + offset)
        slope = float((p - target).sum()) + 0.1 * offset
        low, high = (low, offset) if slope > 0 else (offset, high)
        step = slope / (float((p * (1 - p)).sum()) + 0.1)
        if abs(step) < 1e-12:
            break
        following = offset - step
        offset = following if low < following < high else (low + high) / 2
    return offset
