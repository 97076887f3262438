"""NumPy twins of the compiled engine's kernels: the same names and bits; the regression on signs agrees nearly."""
