"""Scores on a scale that topics share: schemes, factors that are learnt once, and a study of what they do."""

from cranfield._lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__)
