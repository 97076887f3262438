"""Pools of judgments: what to judge, how much of it, and whether a pool can judge a system outside it."""

from cranfield._lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__)
