"""Are two systems different? Tests of pairs and of many systems, how they err, intervals, groups, topic set sizes."""

from cranfield._lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__)
