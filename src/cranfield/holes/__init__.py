"""Scores under holes: what a run would have if its unjudged documents were judged."""

from cranfield._lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__)
