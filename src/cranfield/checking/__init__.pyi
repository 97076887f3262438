"""Public names of ``cranfield.checking``, from the modules that define them."""

from cranfield.checking.checks import check as check
from cranfield.checking.result import Findings as Findings
