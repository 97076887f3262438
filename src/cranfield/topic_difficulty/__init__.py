"""How hard topics are: the share of systems that beat a random order of the pool, and what came before that idea."""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "Difficulty": "estimation",
        "DifficultyAlternatives": "alternatives",
        "PredictionErrors": "prediction",
        "compute_difficulty": "estimation",
        "compute_prediction_errors": "prediction",
        "estimate_difficulty": "estimation",
        "estimate_difficulty_otherwise": "alternatives",
        "weigh_by_difficulty": "weighting",
    },
)
