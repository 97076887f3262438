"""Boards: systems by tasks. One value for each system from its scores on several tasks, and the ranks it may have."""

from cranfield._lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__)
