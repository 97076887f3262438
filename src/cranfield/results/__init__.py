"""Results of analyses: the contract that all keep, and how they are shown and written."""

from cranfield._lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__)
