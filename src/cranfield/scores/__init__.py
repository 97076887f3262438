"""Scores of systems on topics: kept, labelled, ordered, summarised, signed, read and written."""

from cranfield._lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__)
