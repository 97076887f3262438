"""Statistics on NumPy arrays, which know nothing of retrieval: arrays in, numbers out.

Users import two modules: ``rank_correlation`` and ``indefinite_rankings``. The others serve the analyses.
"""
