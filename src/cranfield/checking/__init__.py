"""Checks of untrusted files: everything that would change numbers or refuse a run, as one result."""

from cranfield._lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__)
