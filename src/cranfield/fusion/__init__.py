"""One list from several: methods of fusion, and what no fusion should be expected to pass."""

from cranfield._lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__)
