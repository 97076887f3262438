"""Can a measure's scores be trusted: reliability, stability and sensitivity, and which topics would do."""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "Abstention": "abstention",
        "Audit": "measure_audit",
        "ClusterReliability": "cluster_reliability",
        "Reliability": "reliability",
        "ScaleComparison": "interval_scale",
        "ReplicateReliability": "replicate_reliability",
        "Sensitivity": "sensitivity",
        "Stability": "stability",
        "TopicSelection": "topic_selection",
        "audit": "measure_audit",
        "compare_scales": "interval_scale",
        "estimate_abstention": "abstention",
        "estimate_cluster_reliability": "cluster_reliability",
        "estimate_reliability": "reliability",
        "estimate_replicate_reliability": "replicate_reliability",
        "estimate_sensitivity": "sensitivity",
        "estimate_stability": "stability",
        "select_topics": "topic_selection",
    },
)
