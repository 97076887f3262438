"""How many pairs of systems a measure tells apart: discriminative power."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from cranfield.contract import Floats
from cranfield.errors import UsageError
from cranfield.matrix import Matrix, ScoresLike, matrices_of, positive, share, word
from cranfield.showing import Shown
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.pair_shares import pair_share
from cranfield.statistics.paired_bootstrap import paired_bootstrap
from cranfield.statistics.randomized_range import null_ranges, randomized_tukey
from cranfield.statistics.resampling import bootstrap_counts, sign_flips
from cranfield.statistics.sign_flips import required_by_flips, sign_flip_test
from cranfield.wording import warn

if TYPE_CHECKING:
    import pandas as pd

Test = Literal["bootstrap", "permutation", "randomized-tukey"]
RESAMPLES = {"bootstrap": 1000, "permutation": 10_000, "randomized-tukey": 10_000}


@dataclass(frozen=True)
class Sensitivity(Shown):
    """Discriminative power of one or several measures on the same resamples.

    Args:
        table: of each ``measure`` (the index): ``power``, the share of pairs with p < alpha, and the interval
            ``power_low`` to ``power_high``; ``significant`` of ``pairs``; ``required_difference``.
        differences: of each two measures: ``measure``, ``other``, the ``difference`` of their power and its interval
            ``low`` to ``high``; empty for one measure.
        asl: achieved significance levels, one row a pair of systems (index ``system``, ``other``), a column a measure.
        settings: of the analysis.
        signature: all that changes these numbers.
    """

    table: pd.DataFrame
    differences: pd.DataFrame
    asl: pd.DataFrame
    settings: dict[str, Any]
    signature: dict[str, Any]

    def curve(self) -> pd.DataFrame:
        """ASL curves: each measure's levels, sorted, against the ``share`` of pairs up to there (the index)."""
        import pandas as pd

        ordered = np.sort(self.asl.to_numpy(), axis=0)
        share = np.arange(1, len(ordered) + 1) / len(ordered)
        return pd.DataFrame(ordered, columns=self.asl.columns, index=pd.Index(share, name="share"))


@dataclass(frozen=True)
class _Found:
    """Of one measure: p of each pair, and the required difference."""

    p: Floats
    required: float


def sensitivity(
    scores: ScoresLike,
    *,
    test: Test = "bootstrap",
    alpha: float = 0.05,
    resamples: int | None = None,
    level: float = 0.95,
    seed: int = 1,
) -> Sensitivity:
    """Which share of all pairs of systems does a measure find significantly different?

    Discriminative power = share of pairs with p < alpha, without correction for their number (``randomized-tukey``
    corrects by itself). Sakai's required difference estimates how far two means must lie apart to be significant: of
    each pair the |mean(w_b)| of the resample with the floor(B alpha)-th largest |t_b|, of all pairs the largest; under
    ``permutation`` the floor(B alpha)-th largest |mean| of the flips likewise, and under ``randomized-tukey`` the
    (1 - alpha) quantile of the largest difference.

    High power alone is no merit: a measure can tell systems apart by what does not matter.

    Intervals take the systems as a sample and the topics as they are (jackknife over systems); those of a difference
    compare two measures on the same pairs and resamples. They are NaN for two systems.

    Args:
        scores: of one or several measures, dims (topic, system), complete.
        test: ``bootstrap`` (Sakai's studentised paired one), ``permutation`` (sign flips) or ``randomized-tukey``.
        alpha: level of significance, in (0, 1).
        resamples: 1,000 for ``bootstrap``, else 10,000, where nothing is asked for.
        level: coverage of the intervals, in (0, 1).
        seed: the same seed gives the same bits; the bootstrap draws ``rng.integers(0, n, size=(resamples, n))``.

    Raises:
        InputError: fewer than two systems or topics, or a missing score.
        UsageError: numbers outside their range.

    References:
        Sakai 2006, Evaluating evaluation metrics based on the bootstrap. doi:10.1145/1148170.1148261
    """
    word("test", test, get_args(Test))
    share(alpha=alpha, level=level)
    drawn = RESAMPLES[test] if resamples is None else resamples
    positive(resamples=drawn)
    if math.floor(drawn * alpha + 1e-9) < 1:
        raise UsageError(f"resamples={drawn} are too few for alpha={alpha:g}: take {math.ceil(1 / alpha)} or more")
    matrices = matrices_of(scores)
    for matrix in matrices:
        matrix.at_least(2, 2, "sensitivity")
        matrix.complete("sensitivity", "leave the topic out, or evaluate with missing='empty'")
    if len(matrices[0].systems) == 2:
        warn("two systems make one pair, which leaves intervals over systems undefined")
    pairs = Contrasts.all_pairs(len(matrices[0].systems))
    found = [_tested(matrix.values, pairs, test, alpha, drawn, seed) for matrix in matrices]
    settings = {"test": test, "alpha": alpha, "resamples": drawn, "level": level, "seed": seed}
    signature = matrices[0].signature("sensitivity", **settings)
    signature["measure"] = [matrix.measure for matrix in matrices]
    decided = [_square(one.p < alpha, pairs, len(matrices[0].systems)) for one in found]
    return Sensitivity(
        _table(matrices, found, decided, alpha, level),
        _differences(matrices, decided, level),
        _levels(matrices, found, pairs),
        settings,
        signature,
    )


def _tested(table: Floats, pairs: Contrasts, test: str, alpha: float, resamples: int, seed: int) -> _Found:
    rng = np.random.default_rng(seed)
    if test == "bootstrap":
        kth = math.floor(resamples * alpha + 1e-9)
        found = paired_bootstrap(table, bootstrap_counts(len(table), resamples, rng), pairs, kth=kth)
        return _Found(found.asl, float(found.required.max()))
    if test == "permutation":
        signs, exact = sign_flips(len(table), resamples, rng)
        kth = max(1, math.floor(len(signs) * alpha + 1e-9))
        return _Found(sign_flip_test(table, signs, pairs, exact=exact), required_by_flips(table, signs, pairs, kth))
    ranges = null_ranges(table, resamples, rng)
    kth = math.floor(resamples * alpha + 1e-9)
    return _Found(randomized_tukey(table, ranges, pairs), float(np.sort(ranges)[-kth]))


def _square(significant: np.ndarray[Any, np.dtype[np.bool_]], pairs: Contrasts, systems: int) -> Floats:
    square = np.zeros((systems, systems))
    square[pairs.left, pairs.right] = significant
    return square + square.T


def _table(
    matrices: list[Matrix], found: list[_Found], decided: list[Floats], alpha: float, level: float
) -> pd.DataFrame:
    import pandas as pd

    shares = [pair_share(square, level) for square in decided]
    columns = {
        "power": [one.value for one in shares],
        "power_low": np.maximum(0.0, [one.low for one in shares]),
        "power_high": np.minimum(1.0, [one.high for one in shares]),
        "significant": [int((one.p < alpha).sum()) for one in found],
        "pairs": [len(one.p) for one in found],
        "required_difference": [one.required for one in found],
    }
    return pd.DataFrame(columns, index=pd.Index([matrix.measure for matrix in matrices], name="measure", dtype=object))


def _differences(matrices: list[Matrix], decided: list[Floats], level: float) -> pd.DataFrame:
    import pandas as pd

    rows = []
    for one in range(len(matrices)):
        for other in range(one + 1, len(matrices)):
            found = pair_share(decided[one] - decided[other], level)
            rows.append((matrices[one].measure, matrices[other].measure, *found))
    return pd.DataFrame(rows, columns=["measure", "other", "difference", "low", "high"])


def _levels(matrices: list[Matrix], found: list[_Found], pairs: Contrasts) -> pd.DataFrame:
    import pandas as pd

    names = np.array(matrices[0].systems, dtype=object)
    index = pd.MultiIndex.from_arrays([names[pairs.left], names[pairs.right]], names=["system", "other"])
    return pd.DataFrame({matrix.measure: one.p for matrix, one in zip(matrices, found, strict=True)}, index=index)
