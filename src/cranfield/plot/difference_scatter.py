"""Figure 5 of Golbus & Aslam 2013: systems with equal means can carry different information."""

from __future__ import annotations

import altair as alt
import numpy as np

from cranfield._text import counted, listed
from cranfield.errors import InputError
from cranfield.information.difference import InformationDifference
from cranfield.plot._data import inline
from cranfield.plot._names import label
from cranfield.plot._theme import PALETTE, styled
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.matrix import make_matrix
from cranfield.statistics._numeric import finite

SIDE = 320


def difference_scatter(result: InformationDifference, scores: ScoresLike) -> alt.Chart:
    """A point for each pair of systems: the difference of their means across, their information difference up.

    Args:
        result: of ``cranfield.information.compute_information_difference``.
        scores: of one measure and the same systems, dims (topic, system).

    Raises:
        InputError: a system without scores, or no pair of which both differences are defined.
    """
    matrix = make_matrix(scores)
    columns = {system: row for row, system in enumerate(matrix.systems)}
    pairs = result.pairs()
    absent = sorted((set(pairs["system"]) | set(pairs["other"])) - set(columns))
    if absent:
        raise InputError(f"{listed(absent, 'system')}: no scores")
    means = matrix.means
    left, right = ([columns[name] for name in pairs[side]] for side in ("system", "other"))
    distances = np.abs(means[left] - means[right])
    rows = [
        {"system": label(system), "other": label(partner), "apart": gap, "bits": bits}
        for system, partner, gap, bits in zip(
            pairs["system"], pairs["other"], distances, pairs["difference"], strict=True
        )
    ]
    measure = label(matrix.measure)
    title = f"Information difference against the difference in {measure}"
    notes = [f"{counted(len(rows), 'pair')} of {counted(len(result.ric), 'system')}"]
    chart: alt.Chart = (
        alt.Chart(inline(rows))
        .mark_point(color=PALETTE[0], size=14 if len(rows) < 1500 else 5, opacity=0.55, strokeWidth=0.9)
        .encode(
            x=alt.X("apart:Q", title=f"difference of mean {measure}"),
            y=alt.Y("bits:Q", title="information difference, bits"),
            tooltip=[
                alt.Tooltip("system:N"),
                alt.Tooltip("other:N"),
                alt.Tooltip("apart:Q", format=".4f"),
                alt.Tooltip("bits:Q", format=".3f"),
            ],
        )
    )
    bits = pairs["difference"].to_numpy()
    both = np.isfinite(distances) & np.isfinite(bits)
    finite(bits[both], "the difference between systems is", "no pair of systems has both differences")
    widest = float(bits[both & (distances <= np.quantile(distances[both], 0.1))].max())
    described = f"{title}. Among the tenth of the pairs that are nearest by {measure}, up to {widest:.2f} bits."
    return styled(chart, title, notes, described, width=SIDE, height=SIDE)
