"""Numeric tools without a word of retrieval: NumPy and SciPy, arrays in, arrays out."""
