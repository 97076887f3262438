"""Do judges, judgments, measures and leaderboards agree on the systems?"""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "Agreement": "ranking_agreement",
        "CombinedLabels": "label_combination",
        "JudgeAgreement": "judge_agreement",
        "LabelAgreement": "label_agreement",
        "LeaderboardAgreement": "leaderboard_agreement",
        "Panel": "panel",
        "PoweredMeans": "prediction_powered",
        "combine_labels": "label_combination",
        "compare_judges": "judge_agreement",
        "compare_labels": "label_agreement",
        "compare_leaderboards": "leaderboard_agreement",
        "compare_rankings": "ranking_agreement",
        "estimate_panel": "panel",
        "estimate_powered_means": "prediction_powered",
    },
)
