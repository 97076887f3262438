"""Charts of results: ``plot.<name>(result)`` is an Altair chart that contains its data.

    from cranfield import plot

    chart = plot.topic_difficulty(cranfield.estimate_difficulty("runs/*", "qrels.txt"))
    plot.save(chart, "figure1.pdf")

A chart names its measure and its numbers of topics and systems, can be read without colour, and displays in a
notebook. A file holds the charts of one subject; ``_theme`` and ``_data`` what they share. Charts need the extra
``plot``; without it they can be looked up, and raise an ImportError where they are called.
"""

from __future__ import annotations

from cranfield.plot._diversity import diversity_plane, intent_coverage
from cranfield.plot._export import darken, save
from cranfield.plot._information import conditional_tau, fused_pairs, headroom, information_shares, system_map
from cranfield.plot._judges import error_correlations, judge_agreement, strength_intervals
from cranfield.plot._judgments import budget, hole_intervals, reusability
from cranfield.plot._measures import (
    agreement_matrix,
    dendrogram,
    innate_shares,
    measure_scatter,
    rank_scatter,
    scale_scatter,
)
from cranfield.plot._names import label
from cranfield.plot._pairs import (
    credible_intervals,
    difference_intervals,
    difference_scatter,
    pair_bars,
    topic_differences,
    wins_and_losses,
)
from cranfield.plot._studies import asl_curves, d_study, error_rates, reproduced_effects, standardization_study
from cranfield.plot._systems import (
    by_group,
    mean_intervals,
    measures_by_system,
    rank_intervals,
    score_boxes,
    score_history,
    system_boxes,
)
from cranfield.plot._topics import heat_map, rank_slopes, topic_difficulty, topic_tau

__all__ = [
    "agreement_matrix",
    "asl_curves",
    "budget",
    "by_group",
    "conditional_tau",
    "credible_intervals",
    "d_study",
    "darken",
    "dendrogram",
    "difference_intervals",
    "difference_scatter",
    "diversity_plane",
    "error_correlations",
    "error_rates",
    "fused_pairs",
    "headroom",
    "heat_map",
    "hole_intervals",
    "information_shares",
    "innate_shares",
    "intent_coverage",
    "judge_agreement",
    "label",
    "mean_intervals",
    "measure_scatter",
    "measures_by_system",
    "pair_bars",
    "rank_intervals",
    "rank_scatter",
    "rank_slopes",
    "reproduced_effects",
    "reusability",
    "save",
    "scale_scatter",
    "score_boxes",
    "score_history",
    "standardization_study",
    "strength_intervals",
    "system_boxes",
    "system_map",
    "topic_differences",
    "topic_difficulty",
    "topic_tau",
    "wins_and_losses",
]
