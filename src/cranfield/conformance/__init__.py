"""A public test suite for software that evaluates rankings: cases with exact values, and what explains a wrong one."""

from cranfield._lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__)
