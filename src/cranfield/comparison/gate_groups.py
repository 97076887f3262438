"""Gates of several groups of topics, judged together by Holm's method."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield._typing import Floats
from cranfield.comparison.gate_verdicts import GateTests, Judged, judged_at
from cranfield.statistics.multiplicity import adjust


def judge_together(groups: Sequence[GateTests], alpha: float) -> list[Judged]:
    """As ``judge``, but the probability of any wrong verdict of a kind in any group is at most alpha.

    Holm's method over the systems of all groups for no regression, which every measure must show, and over their rows
    for regressions. Rejecting r of n hypotheses, it rejects exactly those whose p is below alpha / (n - r), or alpha
    where it rejects all: at this level the limits are, so that they agree with the verdicts.

    Args:
        groups: what is tested in each, [systems, measures].
        alpha: level of each kind of verdict, in (0, .5).

    Reference:
        Holm 1979, A simple sequentially rejective multiple test procedure. Scand. J. Statistics 6.
    """
    superior, inferior = zip(*(tests.p() for tests in groups), strict=True)
    of_systems = np.concatenate([p.max(axis=1) for p in superior])
    of_rows = np.concatenate([p.ravel() for p in inferior])
    levels = _last_level(of_systems, alpha), _last_level(of_rows, alpha)
    return [
        judged_at(tests, levels, (_adjusted_among(of_systems, passing), _adjusted_among(of_rows, failing)))
        for tests, passing, failing in zip(groups, superior, inferior, strict=True)
    ]


def _last_level(p: Floats, alpha: float) -> float:
    """Below which p is rejected."""
    return alpha / max(1, len(p) - int((adjust(p, "holm") < alpha).sum()))


def _adjusted_among(family: Floats, p: Floats) -> Floats:
    """The smallest alpha at whose last level p is rejected; of a member of the family that is Holm's adjusted p."""
    before = np.append(0.0, np.sort(adjust(family, "holm"))[:-1])
    left = np.arange(len(family), 0, -1)
    smallest: Floats = np.maximum(before, left * p[..., None]).min(axis=-1)
    return np.minimum(1.0, smallest)
