"""Are two systems different? Tests of pairs and of many systems, intervals, groups, and topic set sizes."""

from cranfield.facade import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "Comparison": "result",
        "TopicSetSize": "topic_set_size",
        "compare": "pairwise",
        "estimate_detectable_difference": "topic_set_size",
        "estimate_topics_needed": "topic_set_size",
    },
)
