"""Simulated collections and scores, with a known truth."""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "SimulatedRuns": "runs",
        "SimulatedScores": "scores",
        "simulate_runs": "runs",
        "simulate_scores": "scores",
    },
)
