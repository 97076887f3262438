"""The charts of results as plain numbers with their words: each is made here once.

The report's script draws them from JSON, and ``cranfield.plot`` with Altair; neither knows another title or sentence.
"""

from cranfield._lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__)
