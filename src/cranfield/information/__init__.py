"""The information framework: the information of rankings about relevance, alone, jointly and beyond each other."""

from cranfield._lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__)
