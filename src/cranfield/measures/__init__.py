"""Measures, one family a file; a file added here is found by everything that lists measures."""

from cranfield._lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__)
