"""Difficulty of topics: the share of systems that beat a random order of the pool, and earlier estimates."""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "Difficulty": "estimation",
        "DifficultyAlternatives": "earlier_estimates",
        "PredictionErrors": "prediction_error",
        "compute_difficulty": "estimation",
        "compute_prediction_errors": "prediction_error",
        "estimate_difficulty": "estimation",
        "estimate_difficulty_otherwise": "earlier_estimates",
        "weigh_by_difficulty": "weighting",
    },
)
