"""Tests of differences between systems: ``compare`` and its result."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
from numpy.typing import NDArray

from cranfield.arguments import share, whole, word
from cranfield.arrays import Floats, Ints
from cranfield.comparison.groups import letters
from cranfield.comparison.outcome import (
    DRAWN,
    SIMULTANEOUS,
    UNSIGNED,
    IntervalKind,
    Outcome,
    Settings,
    Test,
    pair_by_pair,
    paired_outcome,
    to_draw,
    tukey_outcome,
    welch_outcome,
)
from cranfield.errors import InputError, UsageError
from cranfield.results.frames import tidy
from cranfield.results.result import Result, Tables
from cranfield.scores.labelled import ScoresLike
from cranfield.scores.matrix import Matrix, matrix_of
from cranfield.statistics.contrasts import Contrasts, pair_noise
from cranfield.statistics.multiplicity import Correction, adjust
from cranfield.statistics.resampling import is_exact
from cranfield.wording import quoted, warn

if TYPE_CHECKING:
    import pandas as pd

BLOCK = 1 << 12
"""Pairs at a time, of few topics."""
CELLS = 1 << 22
"""Differences at a time."""


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """Pairs of systems, tested.

    Args:
        pairs: one row a pair, the better system first, or each system and its baseline. ``system``, ``other``; ``mean``
            and ``mean_other`` over the topics of the test; ``difference`` = mean - mean_other with its interval ``low``
            to ``high``; ``effect``, the difference in standard deviations; ``statistic``; ``p``; ``p_adjusted`` for
            the number of pairs; ``significant``: p_adjusted < alpha; on how many topics the system ``wins``, ``ties``
            and ``losses``; ``topics``, how many the test used.
        measure: what was compared.
        means: of every ``system`` over its topics, the ``mean``, best first.
        settings: of the test: among them ``resamples``, drawn for the test and for the interval (None where nothing
            was drawn), and under ``permutation`` ``exact_pairs``, of how many pairs p is from all sign flips.
        signature: all that changes these numbers.
    """

    pairs: pd.DataFrame
    measure: str
    means: pd.Series[float]
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {"pairs": lambda: tidy(self.pairs), "means": lambda: tidy(self.means.rename("mean"))}

    def groups(self) -> pd.DataFrame:
        """Systems from best to worst with letters: two systems share one exactly if no test tells them apart.

        Raises:
            UsageError: not all pairs were compared.
        """
        import pandas as pd

        systems = list(self.means.index)
        if len(self.pairs) != len(systems) * (len(systems) - 1) // 2:
            raise UsageError("groups need all pairs of systems: compare without baselines")
        place = {system: at for at, system in enumerate(systems)}
        different = np.zeros((len(systems), len(systems)), dtype=bool)
        apart = self.pairs[self.pairs["significant"]]
        for one, other in zip(apart["system"], apart["other"], strict=True):
            different[place[one], place[other]] = different[place[other], place[one]] = True
        return pd.DataFrame({"mean": self.means, "groups": letters(different)}, index=self.means.index)


def compare(
    scores: ScoresLike,
    *,
    test: Test = "t",
    correction: Correction | None = None,
    baselines: str | Sequence[str] = (),
    alpha: float = 0.05,
    interval: IntervalKind | None = None,
    level: float | None = None,
    resamples: int | None = None,
    seed: int = 1,
) -> Comparison:
    """Test the differences between systems' mean scores, all pairs or each system against baselines.

    - ``t``: paired t-test. ``wilcoxon``: signed ranks, as SciPy. ``sign``: wins against losses.
    - ``permutation``: signs of the differences flipped; exact where 2^(topics - 1) <= resamples, else p counts the
      observed flip too, (hits + 1) / (resamples + 1).
    - ``bootstrap``: Sakai's studentised paired bootstrap, p is the achieved significance level.
    - ``welch``: t-test without pairing, for systems scored on different topics (NaN where a system has no score).
    - ``tukey``: Tukey's honestly significant differences after a two-way analysis of variance, the topics' effect
      removed. ``randomized-tukey``: the same without normality, from the largest difference after dealing each topic's
      scores to the systems anew. Both hold the error of all pairs together at alpha.

    Identical systems have p 1 and effect 0. Where the difference is the same on every topic, its deviation is zero: p
    is 0 by t, welch and bootstrap, and the effect infinite; a warning names both. A score that is missing leaves its
    topic out of the pairs it concerns; the multi-system tests refuse it.

    Args:
        scores: of one measure, dims (topic, system).
        test: which.
        correction: ``holm`` (the default), ``bh``, ``bonferroni`` or ``none`` over the pairs compared. The Tukey tests
            adjust for all pairs themselves and take none.
        baselines: names of systems; every other one is compared with each. None of them: all pairs.
        alpha: level of significance, in (0, 1).
        interval: of the mean difference: ``t``, ``percentile`` or ``bca`` (bootstrap over topics). By default the
            test's own: Student's or Welch's, and for the Tukey tests the simultaneous interval.
        level: coverage of the interval, 1 - alpha by default.
        resamples: what the test and the interval draw each: by default 1,000 of bootstrap, 10,000 of permutation and
            randomized-tukey, and 2,000 of an interval beside another test. Refused where nothing is drawn.
        seed: the same seed gives the same bits.

    Raises:
        UsageError: an unknown word or system, or numbers outside their range.
        InputError: fewer than two systems, or fewer than two topics that a pair shares.

    References:
        Sakai 2006, Evaluating evaluation metrics based on the bootstrap. doi:10.1145/1148170.1148261
        Smucker, Allan & Carterette 2007, A comparison of statistical significance tests for information retrieval
        evaluation. doi:10.1145/1321440.1321528
        Carterette 2012, Multiple testing in statistical analysis of systems-based information retrieval experiments.
        doi:10.1145/2094072.2094076
    """
    word("test", test, get_args(Test))
    share(alpha=alpha)
    share(level=1.0 - alpha if level is None else level)
    whole(1, resamples=1 if resamples is None else resamples)
    whole(0, seed=seed)
    chosen = _correction(test, correction)
    if interval is not None:
        word("interval", interval, get_args(IntervalKind))
        if test == "welch" and interval != "t":
            raise UsageError(f"interval={interval!r} resamples topics that pairs share, and welch has no pairs: use t")
    matrix = matrix_of(scores)
    pairs = _pairs(matrix, [baselines] if isinstance(baselines, str) else list(baselines))
    drawn = to_draw(test, interval, resamples)
    how = Settings(test, interval, 1.0 - alpha if level is None else level, alpha, drawn, seed)
    outcome = _outcome(matrix, pairs, how)
    if baselines:
        # A baseline stands on the left of its pairs, and is what a system is compared with.
        pairs, outcome = Contrasts(pairs.right, pairs.left), outcome.turned(keep_statistic=test in UNSIGNED)
    exact = sum(is_exact(n, drawn) for n in outcome.topics.tolist()) if test == "permutation" else 0
    table = _table(matrix, pairs, outcome, adjust(outcome.p, chosen), alpha)
    settings = {
        "test": test,
        "correction": chosen,
        "baselines": [baselines] if isinstance(baselines, str) else list(baselines),
        "alpha": alpha,
        "interval": interval or ("simultaneous" if test in SIMULTANEOUS else "t"),
        "level": how.level,
        "resamples": drawn or None,
        "exact_pairs": exact if test == "permutation" else None,
        "seed": seed if drawn and (exact < len(pairs) or interval in DRAWN) else None,
    }
    return Comparison(table, matrix.measure, _means(matrix), settings, matrix.signature("compare", **settings))


def _correction(test: str, correction: str | None) -> Correction:
    if correction is None:
        return "none" if test in SIMULTANEOUS else "holm"
    word("correction", correction, get_args(Correction))
    if test in SIMULTANEOUS and correction != "none":
        raise UsageError(f"test={test!r} adjusts for all pairs itself: leave correction={correction!r} out")
    return correction  # type: ignore[return-value]


def _pairs(matrix: Matrix, baselines: list[str]) -> Contrasts:
    matrix.at_least(2, 2, "a comparison")
    known = {system: at for at, system in enumerate(matrix.systems)}
    for name in baselines:
        if name not in known:
            close = difflib.get_close_matches(name, known, 1)
            hint = f"; did you mean {quoted(close[0])}?" if close else ""
            raise UsageError(f"no system is called {quoted(name)}{hint}")
    if baselines:
        return Contrasts.against(len(known), [known[name] for name in dict.fromkeys(baselines)])
    order = np.array(matrix.leaderboard)
    every = Contrasts.all_pairs(len(known))
    return Contrasts(order[every.left], order[every.right])


def _outcome(matrix: Matrix, pairs: Contrasts, how: Settings) -> Outcome:
    table = matrix.values
    if how.test in SIMULTANEOUS:
        table = matrix.complete(
            f"test={how.test}", "use a test of pairs, or evaluate with missing='empty' to count it as an empty ranking"
        )
        matrix.at_least(2, 2, f"test={how.test}")
        return tukey_outcome(table, pairs, how)
    known = ~np.isnan(table)
    if how.test == "welch":
        for at in np.flatnonzero(known.sum(axis=0) < 2):
            raise InputError(
                f"{quoted(matrix.systems[at])} has a score on {int(known[:, at].sum())} topics, of 2 needed"
            )
        return welch_outcome(table, pairs, how)
    shared = known.astype(np.int64).T @ known.astype(np.int64)
    few = np.flatnonzero(shared[pairs.left, pairs.right] < 2)
    if len(few):
        left, right = pairs.left[few[0]], pairs.right[few[0]]
        names = f"{quoted(matrix.systems[left])} and {quoted(matrix.systems[right])}"
        raise InputError(f"{names} share {shared[left, right]} topics, of 2 needed; test='welch' needs no pairs")
    return paired_outcome(table, pairs, how) if known.all() else pair_by_pair(table, pairs, how)


def _table(matrix: Matrix, pairs: Contrasts, outcome: Outcome, adjusted: Floats, alpha: float) -> pd.DataFrame:
    import pandas as pd

    wins, ties, losses, means, other_means = _by_topic(matrix, pairs)
    _remark(matrix, pairs, (wins + losses == 0) & (ties > 0), "have the same scores")
    _remark(matrix, pairs, np.isinf(outcome.effect), "differ by the same amount")
    names = np.array(matrix.systems, dtype=object)
    return pd.DataFrame(
        {
            "system": names[pairs.left],
            "other": names[pairs.right],
            "mean": means,
            "mean_other": other_means,
            "difference": outcome.difference,
            "low": outcome.interval.low,
            "high": outcome.interval.high,
            "effect": outcome.effect,
            "statistic": outcome.statistic,
            "p": outcome.p,
            "p_adjusted": adjusted,
            "significant": adjusted < alpha,
            "wins": wins,
            "ties": ties,
            "losses": losses,
            "topics": outcome.topics,
        }
    )


def _by_topic(matrix: Matrix, pairs: Contrasts) -> tuple[Ints, Ints, Ints, Floats, Floats]:
    """Topics on which the left system is better, equal and worse, and both means over the topics they share."""
    table = matrix.values
    known = ~np.isnan(table)
    filled = np.where(known, table, 0.0)
    slack = pair_noise(filled, pairs)
    sign = 1.0 if matrix.larger_is_better else -1.0
    facts = np.empty((5, len(pairs)))
    width = max(1, min(BLOCK, CELLS // len(table)))
    for start in range(0, len(pairs), width):
        place = slice(start, start + width)
        left, right = pairs.left[place], pairs.right[place]
        both = known[:, left] & known[:, right]
        z = np.where(both, sign * (filled[:, left] - filled[:, right]), 0.0)
        count = np.maximum(both.sum(axis=0), 1)
        facts[0, place] = (z > slack[place]).sum(axis=0)
        facts[2, place] = (z < -slack[place]).sum(axis=0)
        facts[1, place] = both.sum(axis=0) - facts[0, place] - facts[2, place]
        facts[3, place] = (both * filled[:, left]).sum(axis=0) / count
        facts[4, place] = (both * filled[:, right]).sum(axis=0) / count
    wins, ties, losses = facts[:3].astype(np.int64)
    return wins, ties, losses, facts[3], facts[4]


def _remark(matrix: Matrix, pairs: Contrasts, which: NDArray[np.bool_], what: str) -> None:
    """Warn of pairs whose result is a convention."""
    if which.any():
        named = [
            f"{quoted(matrix.systems[left])} and {quoted(matrix.systems[right])}"
            for left, right in zip(pairs.left[which], pairs.right[which], strict=True)
        ]
        warn(f"{matrix.called}: {_some(named)} {what} on every topic")


def _some(names: Iterable[str]) -> str:
    listed = list(names)
    more = f" (and {len(listed) - 3:,} more pairs)" if len(listed) > 3 else ""
    return "; ".join(listed[:3]) + more


def _means(matrix: Matrix) -> pd.Series[float]:
    import pandas as pd

    order = matrix.leaderboard
    index = pd.Index([matrix.systems[at] for at in order], name="system", dtype=object)
    return pd.Series(matrix.means[order], index=index, name=matrix.measure)
