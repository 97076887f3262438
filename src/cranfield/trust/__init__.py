"""Can a measure's scores be trusted: reliability, stability and sensitivity, and which topics would do."""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "Reliability": "reliability",
        "Sensitivity": "sensitivity",
        "Stability": "stability",
        "TopicSelection": "topic_selection",
        "estimate_reliability": "reliability",
        "estimate_sensitivity": "sensitivity",
        "estimate_stability": "stability",
        "select_topics": "topic_selection",
    },
)
