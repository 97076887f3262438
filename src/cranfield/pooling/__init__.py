"""Pools of judgments: what to judge, how much of it, and whether a pool can judge a system outside it."""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "Budget": "budget",
        "JudgingList": "pools",
        "PoolSample": "sampling",
        "Reusability": "reusability",
        "SampledScores": "sampling",
        "estimate_budget": "budget",
        "estimate_reusability": "reusability",
        "estimate_sampling_error": "sampling",
        "list_documents": "pools",
        "read_teams": "reusability",
        "sample_pool": "sampling",
    },
)
