"""Can a measure's scores be trusted: reliability, stability and sensitivity, and which topics would do."""

from cranfield._lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__)
