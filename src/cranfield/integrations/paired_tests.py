"""Tests of two systems as other tools call them: two lists of scores of the same topics in, a statistic and p out.

They are those of ``cranfield.compare``, uncorrected, in the shape of ``scipy.stats.ttest_rel``: what PyTerrier takes as
``test=``. To set their numbers, ``functools.partial(tests.permutation, seed=7)``. A topic on which a list has NaN is
left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.errors import UsageError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from cranfield.statistics.test_names import Test

__all__ = ["bootstrap", "permutation", "sign", "t", "wilcoxon"]


class TestResult(NamedTuple):
    """The result of a test; p in second place, as SciPy has it."""

    statistic: float
    pvalue: float


def t(a: ArrayLike, b: ArrayLike) -> TestResult:
    """Student's paired t-test; identical lists have p 1, and such as differ by the same amount everywhere p 0."""
    return _tested(a, b, "t")


def wilcoxon(a: ArrayLike, b: ArrayLike) -> TestResult:
    """Wilcoxon's signed-rank test."""
    return _tested(a, b, "wilcoxon")


def sign(a: ArrayLike, b: ArrayLike) -> TestResult:
    """Wins against losses; ties are dropped."""
    return _tested(a, b, "sign")


def permutation(a: ArrayLike, b: ArrayLike, *, resamples: int = 10_000, seed: int = 1) -> TestResult:
    """Fisher's randomization test: signs of the differences flipped; exact where 2^(topics - 1) <= resamples.

    Args:
        a: scores of the system.
        b: scores of the baseline, of the same topics.
        resamples: flips to draw.
        seed: the same seed gives the same bits.
    """
    return _tested(a, b, "permutation", resamples=resamples, seed=seed)


def bootstrap(a: ArrayLike, b: ArrayLike, *, resamples: int = 1_000, seed: int = 1) -> TestResult:
    """Sakai's studentised paired bootstrap.

    Args:
        a: scores of the system.
        b: scores of the baseline, of the same topics.
        resamples: samples of topics to draw.
        seed: the same seed gives the same bits.
    """
    return _tested(a, b, "bootstrap", resamples=resamples, seed=seed)


def _tested(a: ArrayLike, b: ArrayLike, test: Test, **options: Any) -> TestResult:
    """One pair by ``cranfield.compare``.

    Raises:
        UsageError: the lists differ in length, or hold something else than numbers.
        InputError: fewer than two topics.
    """
    import pandas as pd

    from cranfield.comparison import compare

    lists = [_numbers(scores, test) for scores in (a, b)]
    if len(lists[0]) != len(lists[1]):
        raise UsageError(
            f"{test} takes two lists of the same topics, and they have {len(lists[0])} and {len(lists[1])}"
        )
    frame = pd.DataFrame({"system": lists[0], "baseline": lists[1]}).dropna()
    pairs = compare(frame, test=test, correction="none", baseline="baseline", **options).pairs
    return TestResult(pairs["statistic"].item(), pairs["p"].item())


def _numbers(scores: Any, test: str) -> list[float]:
    """Raises: UsageError: something that is not a list of numbers."""
    try:
        return [float(score) for score in scores]
    except (TypeError, ValueError) as error:
        raise UsageError(f"{test} takes two lists of numbers: {error}") from None
