"""Public names of ``cranfield.partitions``, from the modules that define them."""

from cranfield.streaming.partitions.dataset import Dataset as Dataset
from cranfield.streaming.partitions.evaluation import evaluate_partitions as evaluate_partitions
from cranfield.streaming.partitions.result import PartitionedScores as PartitionedScores
