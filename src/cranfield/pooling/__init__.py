"""What a pool of judgments can do: judge a system that was not in it, and how few judgments would have been enough."""

from cranfield.facade import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "Budget": "budget",
        "Reusability": "reusability",
        "SampledScores": "sampling_error",
        "estimate_budget": "budget",
        "estimate_reusability": "reusability",
        "estimate_sampling_error": "sampling_error",
        "read_teams": "teams",
    },
)
