"""Difficulty of topics: the share of systems that beat a random order of the pool, and earlier estimates."""

from cranfield._lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__)
