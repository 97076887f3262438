"""Runs x qrels x measures -> scores, in plain arrays.

Nothing heavy is imported here, so that the command line starts at once; ``evaluation`` wraps the arrays in xarray.
"""

from cranfield._lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__)
