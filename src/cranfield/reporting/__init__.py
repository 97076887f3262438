"""One page on an evaluation: ``inputs`` reads, ``analyses`` run, ``assembly`` fills ``sections``, ``page`` renders.

Nothing is computed here: every number comes from a public analysis, every chart is drawn by the script of the page.
"""

from cranfield._lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__)
