"""Tests for authors of a measure: ``check_measure``. It needs hypothesis, ``cranfield[testing]``.

The laws that measures claim, and the small rankings on which they are tried, are here too.
"""

from cranfield._lazy import attach_stub
from cranfield._optional import import_optional

import_optional("hypothesis")
__getattr__, __dir__, __all__ = attach_stub(__name__)
