"""Checks of untrusted files: everything that would change numbers or refuse a run, as one result."""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(__name__, {"Findings": "result", "check": "checks"})
