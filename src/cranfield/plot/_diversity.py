"""Charts of diversity: intents, and relevance beside diversity."""

from __future__ import annotations

from cranfield.charts.diversity import chart_diversity_plane, chart_intents
from cranfield.comparison.diversity_plane import DiversityPlane
from cranfield.plot._altair import alt
from cranfield.plot._forms import draw_heat, draw_points

# ---- Figure 1 of Sakai et al. 2010: coverage of intents against relevance, with lines of equal combined value.


def diversity_plane(result: DiversityPlane) -> alt.LayerChart:
    """Systems by I-rec and relevance; along a contour gamma I-rec + (1 - gamma) relevance is constant.

    Args:
        result: of ``cranfield.comparison.map_diversity``.

    Raises:
        InputError: coverage or relevance is undefined for all systems.
    """
    return draw_points(chart_diversity_plane(result))


# ---- Which intents the first ranks of each system reach.


def intent_coverage(result: DiversityPlane) -> alt.Chart:
    """A cell for each system and topic: the share of the topic's intents with a relevant document in the first ranks.

    Args:
        result: of ``cranfield.comparison.map_diversity``.
    """
    return draw_heat(chart_intents(result))
