"""What combines several analyses: an audit, agreement of measures and of judges, diversity, headroom of a fusion."""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "Abstention": "abstention",
        "Agreement": "ranking_agreement",
        "Audit": "measure_audit",
        "DiversityPlane": "diversity",
        "Headroom": "headroom",
        "JudgeAgreement": "judge_agreement",
        "LabelAgreement": "label_agreement",
        "LeaderboardAgreement": "leaderboards",
        "PoweredMeans": "powered_means",
        "Reproduction": "reproduction",
        "RunDifference": "run_difference",
        "ScaleComparison": "interval_scale",
        "audit": "measure_audit",
        "compare_judges": "judge_agreement",
        "compare_labels": "label_agreement",
        "compare_leaderboards": "leaderboards",
        "compare_rankings": "ranking_agreement",
        "compare_reproduction": "reproduction",
        "compare_scales": "interval_scale",
        "diff": "run_difference",
        "estimate_abstention": "abstention",
        "estimate_headroom": "headroom",
        "estimate_powered_means": "powered_means",
        "map_diversity": "diversity",
    },
)
