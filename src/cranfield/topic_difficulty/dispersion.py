"""How widely the scores of a list are spread, which predicts how well it does."""

from __future__ import annotations

import numpy as np

from cranfield._typing import Floats


def largest_deviation(scores: Floats) -> float:
    """The largest standard deviation of the first n scores of a list, over n = 1 to its length.

    Deviations divide by n. Wherever scores of irrelevant documents flatten the list, the deviation falls; its maximum
    needs no cutoff.

    Args:
        scores: of one list, in its order, [ranks], at least one.

    Reference:
        Perez-Iglesias & Araujo 2010, Standard deviation as a query hardness estimator, SPIRE.
        doi:10.1007/978-3-642-16321-0_21; as sigma_max in Cummins 2014, Document score distribution models for query
        performance inference and prediction. doi:10.1145/2559170
    """
    count = np.arange(1, len(scores) + 1)
    # Distances from the first score keep equal scores at exactly 0, and large ones from cancelling.
    distance = scores - scores[0]
    variance = np.cumsum(distance**2) / count - (np.cumsum(distance) / count) ** 2
    return float(np.sqrt(max(0.0, variance.max())))
