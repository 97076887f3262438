"""NumPy twins of the kernels of the compiled engine: the same names, the same bits."""
