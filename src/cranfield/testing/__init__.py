"""What the authors of a measure test it with: ``check_measure``. It needs hypothesis, ``cranfield[testing]``."""

from cranfield.measures._describe import example
from cranfield.testing.checks import check_measure

__all__ = ["check_measure", "example"]
