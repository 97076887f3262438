"""Numeric tools without a word of retrieval: NumPy and SciPy only."""
