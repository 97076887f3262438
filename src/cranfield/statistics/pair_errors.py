"""Error rates of judges on pairs of unknown truth, and what one judge adds to the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, xlog1py, xlogy

from cranfield._typing import Floats, Ints

SMOOTHING = 0.5
"""Errors, and as many right answers, that are added to those counted: a judge who never errs has a finite weight."""
ITERATIONS = 10_000
CLOSE = 1e-10
"""Change of the errors at which they are found."""


@dataclass(frozen=True)
class Answers:
    """Answers of m judges to questions of two answers, equal ones together.

    Args:
        sign: 1, -1, or 0 for none, the first of a row 1, float64 [rows, m].
        count: questions with these answers, [rows].
        group: number of the group, such as a topic, of each row, [rows].
        groups: how many groups.
    """

    sign: Floats
    count: Floats
    group: Ints
    groups: int

    @classmethod
    def of(cls, by_group: Sequence[Floats]) -> Answers:
        """Put equal rows together; all answers of a row with the sign reversed give the same row."""
        signs, counts, groups = [], [], []
        for number, answers in enumerate(by_group):
            rows, count = np.unique(_turn(answers), axis=0, return_counts=True)
            signs.append(rows)
            counts.append(count)
            groups.append(np.full(len(rows), number))
        return cls(
            np.concatenate(signs).astype(np.float64),
            np.concatenate(counts).astype(np.float64),
            np.concatenate(groups),
            len(by_group),
        )

    def average(self, value: Floats) -> Floats:
        """Mean of a value of rows over the questions of each group, [groups]."""
        total = np.bincount(self.group, self.count * value, self.groups)
        questions = np.bincount(self.group, self.count, self.groups)
        mean: Floats = np.divide(total, questions, out=np.full(self.groups, np.nan), where=questions > 0)
        return mean


def _turn(answers: Floats) -> Floats:
    first = answers[np.arange(len(answers)), (answers != 0).argmax(axis=1)]
    aligned: Floats = answers * np.where(first < 0, -1, 1)[:, None].astype(answers.dtype)
    return aligned


def fit_errors(answers: Answers) -> Floats:
    """The chance that each judge errs, by expectation and maximization (Dawid & Skene 1979), [m].

    Of each question one answer is true, either with the same chance. Given it, judges err independently, each with one
    chance. Only questions that two or more answered count. Iterations begin with the share of the others' answers that
    a judge contradicts. All chances e and all 1 - e fit alike: those are found in which most are right.

    Args:
        answers: of the judges.

    Returns:
        float64 [m]; NaN of a judge who shares no question.
    """
    spoken = np.abs(answers.sign)
    shared = spoken.sum(axis=1) > 1
    sign, spoken, count = answers.sign[shared], spoken[shared], answers.count[shared]
    told = count @ spoken
    total = sign.sum(axis=1, keepdims=True)
    others = spoken.sum(axis=1, keepdims=True) - 1
    against = (others * spoken - (sign * total - spoken)) / 2
    errors = _smoothed(count @ against, (count[:, None] * others * spoken).sum(axis=0))
    for _ in range(ITERATIONS):
        sure = sign @ weights(errors)
        wrong = expit(-sure[:, None] * np.where(sign == 0, 1.0, sign)) * spoken
        found = _smoothed(count @ wrong, told)
        change = np.abs(found - errors).max(initial=0.0)
        errors = found
        if change < CLOSE:
            break
    return np.where(told > 0, errors, np.nan)


def count_errors(answers: Answers, truth: int) -> tuple[Floats, Floats]:
    """Answers of each judge that contradict one of them, and those given with it, [groups, m] each."""
    known = answers.sign[:, truth]
    product = answers.sign * known[:, None]

    def total(marked: Floats) -> Floats:
        return np.stack(
            [np.bincount(answers.group, answers.count * column, answers.groups) for column in marked.T], axis=1
        )

    return total((product < 0).astype(np.float64)), total(np.abs(product))


def error_shares(wrong: Floats, told: Floats) -> Floats:
    """Share of answers that are wrong, smoothed; NaN where none was given, [m]."""
    return np.where(told > 0, _smoothed(wrong, told), np.nan)


def _smoothed(wrong: Floats, told: Floats) -> Floats:
    share: Floats = (wrong + SMOOTHING) / (told + 2 * SMOOTHING)
    return share


def weights(errors: Floats) -> Floats:
    """Log odds that an answer is right, ln((1 - e)/e); 0 of a judge of unknown error."""
    known = np.where(np.isnan(errors), 0.5, errors)
    odds: Floats = np.log1p(-known) - np.log(known)
    return odds


def surprise(p: Floats) -> Floats:
    """Entropy in bits of an event of probability p."""
    bits: Floats = -(xlogy(p, p) + xlog1py(1 - p, -p)) / np.log(2)
    return bits


def added_bits(sure: Floats, answered: Floats, error: float) -> Floats:
    """Return the bits that an answer adds about the truth: I(T; Q_B | Q_A) = h(p (1-e) + (1-p) e) - h(e).

    Args:
        sure: log odds of the truth given the others, [rows].
        answered: 1 where the judge answers, else 0, [rows].
        error: of the judge, e; NaN where it is unknown, which adds nothing.
    """
    if np.isnan(error):
        return np.zeros_like(sure)
    p = expit(sure)
    bits: Floats = np.maximum(surprise(p * (1 - error) + (1 - p) * error) - surprise(np.asarray(error)), 0.0) * answered
    return bits
