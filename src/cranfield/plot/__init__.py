"""Charts of results: ``plot.<name>(result)`` is an Altair chart that contains its data.

    from cranfield import plot

    chart = plot.topic_difficulty(cranfield.estimate_difficulty("runs/*", "qrels.txt"))
    plot.save(chart, "figure1.pdf")

A chart names its measure and its numbers of topics and systems, can be read without colour, and displays in a
notebook. One file a chart; ``theme`` holds what they share. Needs the extra ``report``.
"""

from __future__ import annotations

from importlib.util import find_spec

from cranfield.errors import UsageError

for _needed in ("altair", "vl_convert"):
    if find_spec(_needed) is None:
        raise UsageError(f"charts need {_needed}, which is not installed: pip install 'cranfield[report]'")

from cranfield.plot._export import darken, save  # noqa: E402
from cranfield.plot._names import label  # noqa: E402
from cranfield.plot.agreement_matrix import agreement_matrix  # noqa: E402
from cranfield.plot.asl_curves import asl_curves  # noqa: E402
from cranfield.plot.budget import budget  # noqa: E402
from cranfield.plot.by_group import by_group  # noqa: E402
from cranfield.plot.conditional_tau import conditional_tau  # noqa: E402
from cranfield.plot.credible_intervals import credible_intervals  # noqa: E402
from cranfield.plot.d_study import d_study  # noqa: E402
from cranfield.plot.dendrogram import dendrogram  # noqa: E402
from cranfield.plot.difference_intervals import difference_intervals  # noqa: E402
from cranfield.plot.difference_scatter import difference_scatter  # noqa: E402
from cranfield.plot.diversity_plane import diversity_plane  # noqa: E402
from cranfield.plot.error_correlations import error_correlations  # noqa: E402
from cranfield.plot.error_rates import error_rates  # noqa: E402
from cranfield.plot.fused_pairs import fused_pairs  # noqa: E402
from cranfield.plot.headroom import headroom  # noqa: E402
from cranfield.plot.heat_map import heat_map  # noqa: E402
from cranfield.plot.hole_intervals import hole_intervals  # noqa: E402
from cranfield.plot.information_shares import information_shares  # noqa: E402
from cranfield.plot.innate_shares import innate_shares  # noqa: E402
from cranfield.plot.intent_coverage import intent_coverage  # noqa: E402
from cranfield.plot.judge_agreement import judge_agreement  # noqa: E402
from cranfield.plot.mean_intervals import mean_intervals  # noqa: E402
from cranfield.plot.measure_scatter import measure_scatter  # noqa: E402
from cranfield.plot.measures_by_system import measures_by_system  # noqa: E402
from cranfield.plot.pair_bars import pair_bars  # noqa: E402
from cranfield.plot.rank_intervals import rank_intervals  # noqa: E402
from cranfield.plot.rank_scatter import rank_scatter  # noqa: E402
from cranfield.plot.rank_slopes import rank_slopes  # noqa: E402
from cranfield.plot.reproduced_effects import reproduced_effects  # noqa: E402
from cranfield.plot.reusability import reusability  # noqa: E402
from cranfield.plot.scale_scatter import scale_scatter  # noqa: E402
from cranfield.plot.score_boxes import score_boxes  # noqa: E402
from cranfield.plot.score_history import score_history  # noqa: E402
from cranfield.plot.standardization_study import standardization_study  # noqa: E402
from cranfield.plot.strength_intervals import strength_intervals  # noqa: E402
from cranfield.plot.system_boxes import system_boxes  # noqa: E402
from cranfield.plot.system_map import system_map  # noqa: E402
from cranfield.plot.topic_differences import topic_differences  # noqa: E402
from cranfield.plot.topic_difficulty import topic_difficulty  # noqa: E402
from cranfield.plot.topic_tau import topic_tau  # noqa: E402
from cranfield.plot.wins_and_losses import wins_and_losses  # noqa: E402

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
