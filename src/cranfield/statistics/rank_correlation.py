"""Rank correlations of two lists of scores over the same items: Kendall's, the AP correlations, and others.

Every function takes two arrays of equal length n, or many at once: [..., n] and [..., n], whose leading axes are
broadcast, give [...]. Larger scores are better; equal scores are ties. Where only one list can be the reference, it is
called ``truth``, and the other is the ``estimate``.

A list that orders nothing (fewer than two items, or all tied) has no correlation: the value is NaN. A NaN among the
scores is refused, and so are two labelled arrays (pandas, xarray) whose items or their order differ.
"""

from cranfield.statistics.ap_correlation import symmetric_tau_ap, tau_ap, tau_ap_a, tau_ap_b
from cranfield.statistics.kendall import gamma, kendall_distance, tau_a, tau_b
from cranfield.statistics.rank_biased_overlap import rbo
from cranfield.statistics.score_correlation import pearson, rmse, spearman

__all__ = [  # noqa: RUF022  (in their order here)
    "tau_a", "tau_b", "gamma", "kendall_distance", "tau_ap", "symmetric_tau_ap", "tau_ap_a", "tau_ap_b",
    "spearman", "pearson", "rmse", "rbo",
]  # fmt: skip
