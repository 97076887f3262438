"""Runs and judgments in many files, larger than memory: scored part by part, with the numbers of the whole."""

from cranfield._lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__)
