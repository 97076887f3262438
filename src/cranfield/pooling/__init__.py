"""Pools of judgments: what to judge, how much of it, and whether they can judge a system that was not in them."""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "Budget": "budget",
        "JudgingList": "judging_list",
        "PoolSample": "sampling",
        "Reusability": "reusability",
        "SampledScores": "sampling_error",
        "estimate_budget": "budget",
        "estimate_reusability": "reusability",
        "estimate_sampling_error": "sampling_error",
        "list_documents": "judging_list",
        "read_teams": "teams",
        "sample_pool": "sampling",
    },
)
