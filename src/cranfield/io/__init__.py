"""Files: reading and writing runs and judgments, names of systems, and messages about files that are refused."""

from cranfield._lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__)
