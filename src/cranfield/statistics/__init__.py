"""Statistics on NumPy arrays, which know nothing of retrieval: arrays in, numbers out.

A function is imported from here, or from the module of its subject: ``cranfield.statistics.tau_b`` is in
``rank_correlation``. The documentation describes two of the modules, ``rank_correlation`` and
``indefinite_rankings``; the others serve the analyses.
"""

from cranfield._lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__)
