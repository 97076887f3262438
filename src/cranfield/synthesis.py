"""Names that moved to other rooms; they are found here until 0.1.0 is released."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_ROOMS = {
    "agreement": (
        "Agreement",
        "JudgeAgreement",
        "LabelAgreement",
        "LeaderboardAgreement",
        "PoweredMeans",
        "compare_judges",
        "compare_labels",
        "compare_leaderboards",
        "compare_rankings",
        "estimate_powered_means",
    ),
    "comparison": (
        "DiversityPlane",
        "Reproduction",
        "RunDifference",
        "compare_reproduction",
        "diff",
        "map_diversity",
    ),
    "fusion": ("Headroom", "estimate_headroom"),
    "trust": ("Abstention", "Audit", "ScaleComparison", "audit", "compare_scales", "estimate_abstention"),
}


def __getattr__(name: str) -> Any:
    for room, names in _ROOMS.items():
        if name in names:
            return getattr(import_module(f"cranfield.{room}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
