"""Runs and judgments in many files, larger than memory: scored part by part, with the numbers of the whole."""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "Dataset": ".streaming.partitions.dataset",
        "PartitionedScores": ".streaming.partitions.result",
        "evaluate_partitions": ".streaming.partitions.evaluation",
    },
)
