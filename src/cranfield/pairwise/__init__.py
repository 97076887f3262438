"""Pairwise verdicts of judges: effect of order, intransitivity, strengths of systems, and agreement."""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "OrderEffect": "order_effect",
        "PairVerdicts": "verdicts",
        "ScoreAgreement": "agreement",
        "Strengths": "strengths",
        "Triads": "triads",
        "VerdictAgreement": "agreement",
        "WinMatrix": "wins",
        "compare_verdicts": "agreement",
        "compare_with_scores": "agreement",
        "convert_preferences": "conversion",
        "convert_scores": "conversion",
        "count_triads": "triads",
        "count_wins": "wins",
        "estimate_strengths": "strengths",
        "measure_order_effect": "order_effect",
        "read_verdicts": "files",
    },
)
