"""Public names of ``cranfield.checking``, from the modules that define them."""

# isort: split
# Written by ``make stub``: the declared analyses of this room, and their results.
from cranfield.checking.checks import check as check
from cranfield.checking.result import Findings as Findings
