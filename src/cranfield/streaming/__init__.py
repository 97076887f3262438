"""Data larger than memory: scores that are read in blocks, and runs that are scored in parts."""
