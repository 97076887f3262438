"""Findings: every kind of oddity that data can have, declared once, and the findings of this kind in some data."""

from cranfield._lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__)
