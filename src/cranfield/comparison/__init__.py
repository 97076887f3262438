"""Are two systems different? Tests of pairs and of many systems, how they err, intervals, groups, topic set sizes."""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "Comparison": "result",
        "Gate": "regression_gate.gate",
        "ListPreferences": "preference",
        "MacroMeans": "means",
        "MeasureComparison": "paper_table",
        "Means": "means",
        "Posterior": "posterior",
        "RankIntervals": "ranks",
        "Risk": "risk",
        "TestStudy": "study",
        "TopicSetSize": "topic_set_size",
        "add_preferences": "preference",
        "compare": "pairwise",
        "compare_measures": "paper_table",
        "estimate_detectable_difference": "topic_set_size",
        "estimate_means": "means",
        "estimate_posterior": "posterior",
        "estimate_ranks": "ranks",
        "estimate_risk": "risk",
        "estimate_topics_needed": "topic_set_size",
        "assert_no_regression": "regression_gate.assertion",
        "gate": "regression_gate.gate",
        "average_collections": "means",
        "prefer": "preference",
        "study_tests": "study",
    },
)
