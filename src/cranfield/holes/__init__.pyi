"""Public names of ``cranfield.holes``, from the modules that define them."""

from cranfield.holes.estimation import Holes as Holes
from cranfield.holes.fitting import estimate_holes as estimate_holes
from cranfield.holes.result import HoleComparison as HoleComparison

# isort: split
# Written by ``make stub``: the declared analyses of this room, and their results.
from cranfield.holes.bootstrap import estimate_by_bootstrap as estimate_by_bootstrap
from cranfield.holes.differences import HoleDifferences as HoleDifferences
from cranfield.holes.differences import estimate_differences as estimate_differences
from cranfield.holes.gate_of_estimates import gate_estimates as gate_estimates
from cranfield.holes.judgment_selection import select_judgments as select_judgments
from cranfield.holes.result import HoleJudgments as HoleJudgments
from cranfield.holes.result import HoleScores as HoleScores
