"""Scores under holes: what a run would have if its unjudged documents were judged."""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "HoleComparison": "result",
        "HoleDifferences": "differences",
        "HoleJudgments": "result",
        "HoleScores": "result",
        "Holes": "estimation",
        "estimate_by_bootstrap": "bootstrap",
        "estimate_differences": "differences",
        "estimate_holes": "fitting",
    },
)
