"""The nouns: Run, Qrels, the pool of each topic, and Rankings (runs seen through qrels). No file is opened here."""

from cranfield._lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__)
