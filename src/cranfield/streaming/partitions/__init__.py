"""Runs and judgments in many files, scored part by part; ``cranfield.partitions`` is the door."""
