"""Are two systems different? Tests of pairs and of many systems, how they err, intervals, groups, topic set sizes."""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "Comparison": "result",
        "Gate": "regression",
        "ListPreferences": "preference",
        "MacroMeans": "means",
        "MeasureComparison": "by_measure",
        "Means": "means",
        "Posterior": "posterior",
        "RankIntervals": "ranks",
        "Risk": "risk",
        "TestStudy": "study",
        "TopicSetSize": "topic_set_size",
        "add_preferences": "evidence",
        "compare": "pairwise",
        "compare_measures": "by_measure",
        "estimate_detectable_difference": "topic_set_size",
        "estimate_means": "means",
        "estimate_posterior": "posterior",
        "estimate_ranks": "ranks",
        "estimate_risk": "risk",
        "estimate_topics_needed": "topic_set_size",
        "assert_no_regression": "assertion",
        "gate": "regression",
        "average_collections": "means",
        "prefer": "preference",
        "study_tests": "study",
    },
)
